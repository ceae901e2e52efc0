"""AnalysisService: analyses as in process, and nothing for those who may not know it."""

import asyncio
import json
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from sengoku import AsyncClient, Client, Match, MatchAnalysis, RemoteAnalysis, draws
from sengoku.errors import (
    AnalysisNotFoundError,
    AnalysisNotOverError,
    ArgumentError,
    CancelledError,
    DecodeError,
    LimitError,
    NotAllowedError,
    QuotaError,
    RequestIdError,
    SengokuError,
)
from sengoku.server import Limits, Server
from sengoku.v1 import analysis_service_pb2 as pb2

SMALL = {"iterations": 8, "luck": 2}
LONG = {"iterations": 9000, "luck": 0}


def battle(decisions: int = 40) -> Match:
    """A battle of random decisions."""
    match = Match.create("battles", seed=7, setup={"scenario": 8})
    for draw in draws("bots", seed=7, count=decisions, sides=2**20):
        legal = match.legal_actions()
        match.play(legal[int(draw) % len(legal)])
    return match


@pytest.fixture(scope="module")
def match() -> Match:
    return battle()


@pytest.fixture(scope="module")
def expected(match: Match) -> MatchAnalysis:
    return match.analyse(**SMALL)


@pytest.fixture
def client() -> Iterator[Client]:
    with Server(port=0, threads=2) as server, Client(server.address, timeout=60) as client:
        yield client
        server.stop(0).wait()


def until_some(analysis: RemoteAnalysis) -> None:
    """Wait until a part of an analysis is done."""
    for status in analysis.watch():
        if status.decisions_done > 0:
            return


def test_an_analysis_is_that_of_a_process(client: Client, match: Match, expected: MatchAnalysis) -> None:
    heard: list[tuple[int, int]] = []
    analysis = client.start_analysis(match, **SMALL)
    status = analysis.wait(progress=lambda *done: heard.append(done))
    assert (status.state, status.game, status.decisions_done, status.decisions) == (
        "succeeded",
        "battles",
        41,
        41,
    )
    assert heard[-1] == (41, 41)
    assert analysis.result().to_json() == expected.to_json()
    found = client.analysis(analysis.name)
    assert found.status == status
    assert [told.over for told in found.watch()] == [True]
    assert client.start_analysis(match.replay(), **SMALL).wait().state == "succeeded"
    analysis.delete()
    with pytest.raises(AnalysisNotFoundError):
        analysis.metadata()


def test_an_open_match_is_analysed_for_its_owner_and_for_seats(client: Client, match: Match) -> None:
    with client.load_match(match.save()) as remote:
        whole = remote.start_analysis(**SMALL)
        whole.wait()
        assert {move.seat for move in whole.result().moves} == {0, 1}
        assert remote.seat_tokens is not None
        seat = client.join_match(remote.match_id, remote.seat_tokens[1])
        own = seat.start_analysis(iterations=8)
        own.wait()
        found = own.result()
        assert found.to_json() == match.analyse(iterations=8, seat=1).to_json()
        assert ({move.seat for move in found.moves}, found.seat, found.draws) == ({1}, 1, ())
        with pytest.raises(NotAllowedError, match="seat 1, not of seat 0"):
            seat.start_analysis(iterations=8, seat=0)
        with pytest.raises(NotAllowedError, match="open cards require the owner's token"):
            seat.start_analysis(iterations=8, cards="open")
        spectator = client.join_match(remote.match_id, remote.spectator_token)
        with pytest.raises(NotAllowedError, match="an analysis requires the token of a seat"):
            spectator.start_analysis(iterations=8)


def test_what_a_seat_gets_tells_nothing_of_the_seed(client: Client, match: Match) -> None:
    with client.load_match(match.save()) as remote:
        assert remote.seat_tokens is not None
        seat = client.join_match(remote.match_id, remote.seat_tokens[0])
        analysis = seat.start_analysis(iterations=4)
        analysis.wait()
        text = analysis.result().to_json()
        assert json.loads(text)["seed"] == 0, "that of the analysis"
        assert f"{match.digest:016x}" not in text


def test_cancelled_resumed_and_never_interrupted_are_the_same(client: Client, match: Match) -> None:
    options = {"iterations": 500, "luck": 20}
    analysis = client.start_analysis(match, **options)
    with pytest.raises(AnalysisNotOverError):
        analysis.delete()
    until_some(analysis)
    status = analysis.cancel()
    assert status.state == "cancelled"
    assert isinstance(status.error, CancelledError)
    part = analysis.result()
    assert 0 < part.analysed < 41 or part.complete
    analysis.resume()
    assert analysis.wait().state == "succeeded"
    assert analysis.result().to_json() == match.analyse(**options).to_json()


def test_a_restart_changes_nothing(tmp_path: Path, match: Match) -> None:
    store, options = tmp_path / "store.sqlite3", {"iterations": 200, "luck": 20}
    with Server(port=0, threads=2, store=store) as server, Client(server.address, timeout=60) as client:
        analysis = client.start_analysis(match, **options, request_id="one")
        until_some(analysis)
        server.stop(0).wait()
    with Server(port=0, threads=2, store=store) as server, Client(server.address, timeout=60) as client:
        again = client.start_analysis(match, **options, request_id="one")
        assert again.name == analysis.name
        assert again.wait().state == "succeeded"
        assert again.result().to_json() == match.analyse(**options).to_json()
        server.stop(0).wait()


def test_a_request_id_starts_one_analysis(client: Client, match: Match) -> None:
    one = client.start_analysis(match, **SMALL, request_id="x")
    assert client.start_analysis(match, **SMALL, request_id="x").name == one.name
    with pytest.raises(RequestIdError):
        client.start_analysis(match, iterations=9, request_id="x")


@pytest.mark.parametrize(
    ("request_", "kind", "field"),
    [
        (pb2.AnalyseMatchRequest(), ArgumentError, "source"),
        (pb2.AnalyseMatchRequest(replay="sengoku replay 1\n"), DecodeError, "line"),
        (pb2.AnalyseMatchRequest(data=b"nothing"), DecodeError, None),
        (pb2.AnalyseMatchRequest(data=battle(3).save(), seat=2), ArgumentError, "seat"),
        (pb2.AnalyseMatchRequest(data=battle(3).save(), seat=1, open_cards=True), ArgumentError, "seat"),
        (pb2.AnalyseMatchRequest(data=battle(3).save(), iterations=2**31), ArgumentError, "iterations"),
        (
            pb2.AnalyseMatchRequest(data=battle(3).save(), iterations=10_001),
            LimitError,
            "analysis_iterations",
        ),
        (pb2.AnalyseMatchRequest(data=battle(3).save(), request_id="x" * 129), ArgumentError, "request_id"),
    ],
)
def test_requests_that_cannot_be(
    client: Client, request_: pb2.AnalyseMatchRequest, kind: type[SengokuError], field: str | None
) -> None:
    with pytest.raises(kind) as caught:
        client.ask(request_)
    if field is not None:
        assert field in {caught.value.details.get("field"), *caught.value.details}


def test_a_client_has_so_many_analyses_at_once(match: Match) -> None:
    limits = Limits(client_analyses=2, analysis_playouts=400_000)
    with Server(port=0, threads=2, limits=limits) as server, Client(server.address, retries=0) as client:
        started = [client.start_analysis(match, **LONG) for _ in range(2)]
        with pytest.raises(QuotaError):
            client.start_analysis(match, **LONG)
        with pytest.raises(LimitError, match="analysis_playouts"):
            client.start_analysis(match, iterations=9999)
        for analysis in started:
            assert analysis.cancel().state == "cancelled"
        assert client.start_analysis(match, **SMALL).wait(60).state == "succeeded"
        server.stop(0).wait()


def test_an_analysis_that_is_cancelled_ends_soon(client: Client, match: Match) -> None:
    analysis = client.start_analysis(match, **LONG)
    analysis.cancel()
    analysis.delete()
    assert client.start_analysis(match, **SMALL).wait(60).state == "succeeded"


def test_analyses_are_awaited(match: Match, expected: MatchAnalysis) -> None:
    async def analyse(address: str) -> MatchAnalysis:
        async with AsyncClient(address, timeout=60) as client:
            analysis = await client.start_analysis(match, **SMALL)
            await analysis.wait()
            return await analysis.result()

    with Server(port=0, threads=2) as server:
        assert asyncio.run(analyse(server.address)) == expected
        server.stop(0).wait()
    assert all(math.isfinite(move.loss) for move in expected.moves)
