"""Odds over gRPC: the client gives what the engine gives."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import grpc
import pytest

from golden.regenerate import BATTLES
from sengoku import Cancel, Client, build_info, swords
from sengoku.errors import (
    ArgumentError,
    BusyError,
    CancelledError,
    DeadlineError,
    LimitError,
    SetupError,
    StateSpaceError,
    UnavailableError,
)
from sengoku.server import Limits, Server
from sengoku.swords import Battle, Force
from sengoku.v1 import odds_service_pb2
from sengoku.wire.swords import battle_to_proto, force_from_proto
from support.stubs import make_stub

BATTLE = BATTLES[0]
ENDLESS = Battle(BATTLE.attacker, BATTLE.defenders, break_off_after=1_000_000)
YEARS = 10_000_000_000


@pytest.mark.parametrize("battle", BATTLES)
def test_the_client_gives_what_the_engine_gives(client: Client, battle: Battle) -> None:
    assert client.exact(battle) == battle.exact()
    assert client.sample(battle, 70_001, seed=8) == battle.sample(70_001, seed=8)
    assert client.odds(battle) == battle.odds()


def test_sampling_to_an_error(client: Client) -> None:
    assert client.odds(ENDLESS, max_error=2e-3, seed=3) == ENDLESS.odds(max_error=2e-3, seed=3)


@pytest.mark.parametrize(
    "options", [{"method": "exact"}, {"method": "sampled", "samples": 30_000, "seed": 6}, {}]
)
def test_batches(client: Client, options: dict) -> None:
    assert client.batch_odds(BATTLES, **options) == swords.batch_odds(BATTLES, **options)
    assert len(client.batch_odds([], **options)) == 0


def test_other_languages_find_everything_in_the_answer(server: Server) -> None:
    """A client without our library needs no arithmetic: what follows from the table is in the answer too."""
    battle = BATTLES[1]
    with grpc.insecure_channel(server.address) as channel:
        stub = make_stub(channel, odds_service_pb2.DESCRIPTOR, "OddsService")
        request = odds_service_pb2.EvaluateRequest(
            swords_battle=battle_to_proto(battle),
            options=odds_service_pb2.OddsOptions(include_survivors=True),
        )
        answer = stub.Evaluate(request, timeout=30).swords_odds
    odds = battle.exact()
    assert (answer.attacker_wins, answer.defender_wins) == (odds.attacker_wins, odds.defender_wins)
    assert list(answer.defender_units_left) == odds.defender_units_left.tolist()
    assert list(answer.fort_bonus_left) == odds.fort_bonus_left.tolist()
    left = {force_from_proto(row.force): row.probability for row in answer.attacker_left}
    assert left == odds.attacker_left


def test_the_catalog(client: Client, server: Server) -> None:
    assert [game["id"] for game in client.games()] == ["swords", "tower", "battles"]
    version = client.version()
    info = build_info()
    assert version["rules_versions"] == info["rules_versions"]
    assert version["build_profile"] == info["profile"] == "release"
    assert version["instruction_set"] == info["instruction_set"]
    assert version["limits"]["batch_rows"] == server.limits.batch_rows
    assert version["threads"] >= 1


def test_a_bad_row_names_itself_and_nothing_runs(server: Server) -> None:
    good = battle_to_proto(BATTLE)
    bad = battle_to_proto(BATTLE)
    bad.attacker.bow = 5
    options = odds_service_pb2.OddsOptions(method="ODDS_METHOD_SAMPLED", samples=1_000_000_000)
    request = odds_service_pb2.BatchEvaluateRequest(
        swords_battles=[good] * 50 + [bad] + [good], options=options
    )
    with Client(server.address) as client:
        start = time.perf_counter()
        with pytest.raises(SetupError, match="row 50: attacker: bow \\+ sword is 7") as refused:
            client.ask(request, timeout=60)
        assert refused.value.details["row"] == "50"
        assert time.perf_counter() - start < 10  # fifty thousand million battles take longer
    with pytest.raises(StateSpaceError, match="row 1: ") as refused:
        swords.batch_odds([BATTLE, ENDLESS], method="exact")
    assert refused.value.details["row"] == "1"


def test_a_deadline_ends_the_work(server: Server, client: Client) -> None:
    start = time.perf_counter()
    with pytest.raises(DeadlineError):
        client.sample(BATTLE, YEARS, timeout=0.3)
    assert time.perf_counter() - start < 10
    _assert_idle(server)


def test_cancelling_a_call_ends_the_work(server: Server) -> None:
    with grpc.insecure_channel(server.address) as channel:
        stub = make_stub(channel, odds_service_pb2.DESCRIPTOR, "OddsService")
        options = odds_service_pb2.OddsOptions(method="ODDS_METHOD_SAMPLED", samples=YEARS)
        request = odds_service_pb2.EvaluateRequest(swords_battle=battle_to_proto(BATTLE), options=options)
        call = stub.Evaluate.future(request)
        time.sleep(0.2)
        assert not call.done()
        call.cancel()
    _assert_idle(server)


def _assert_soon(condition: Callable[[], bool]) -> None:
    deadline = time.perf_counter() + 20
    while not condition() and time.perf_counter() < deadline:
        time.sleep(0.01)
    assert condition()


def _assert_idle(server: Server) -> None:
    """The server has nothing under way any more: the work was stopped, not only forgotten."""
    _assert_soon(lambda: server.calls_under_way == 0)


def test_two_hundred_calls_at_once(server: Server) -> None:
    expected = {seed: BATTLE.sample(20_000, seed=seed) for seed in range(5)}
    with Client(server.address, timeout=120) as client, ThreadPoolExecutor(200) as pool:
        together = threading.Barrier(200)

        def ask(number: int) -> bool:
            together.wait()
            if number % 2:
                return client.exact(BATTLE) == BATTLE.exact()
            return client.sample(BATTLE, 20_000, seed=number % 5) == expected[number % 5]

        assert all(pool.map(ask, range(200)))


def test_a_full_server_says_so() -> None:
    with Server(port=0, limits=Limits(calls=1)) as server, Client(server.address) as client:

        def keep_busy() -> None:
            with suppress(DeadlineError):
                client.sample(BATTLE, YEARS, timeout=2)

        work = threading.Thread(target=keep_busy)
        work.start()
        _assert_soon(lambda: server.calls_under_way == 1)
        with pytest.raises(BusyError, match="1 of 1 calls are in use"):
            client.exact(BATTLE)
        assert client.version()["limits"]["calls"] == 1  # what a server is can always be asked
        work.join()
        _assert_idle(server)
        assert client.exact(BATTLE) == BATTLE.exact()


@pytest.mark.parametrize(
    ("ask", "field", "value", "limit"),
    [
        (lambda client: client.sample(BATTLE, 1001), "samples", "1001", "1000"),
        (lambda client: client.batch_odds([BATTLE] * 4), "batch_rows", "4", "3"),
        (
            lambda client: client.batch_odds([BATTLE] * 3, method="sampled", samples=800),
            "batch_samples",
            "2400",
            "2000",
        ),
        (lambda client: client.batch_odds([BATTLES[-1]] * 10), "message_bytes", None, "200"),
    ],
)
def test_limits_are_named(ask, field: str, value: str | None, limit: str) -> None:
    limits = Limits(samples=1000, batch_rows=3, batch_samples=2000, message_bytes=200)
    with Server(port=0, limits=limits) as server, Client(server.address) as client:
        with pytest.raises(LimitError) as refused:
            ask(client)
        assert refused.value.details["field"] == field
        assert refused.value.details["limit"] == limit
        assert value in {None, refused.value.details["value"]}
        with pytest.raises(ArgumentError, match="the limit is 1000"):
            client.odds(ENDLESS, max_error=1e-5)


def test_a_batch_shares_its_budget() -> None:
    with Server(port=0, limits=Limits(batch_samples=1_000_000)) as server, Client(server.address) as client:
        with pytest.raises(ArgumentError, match=r"row 0: max_error is 1e-4, .* the limit is 200000"):
            client.batch_odds([ENDLESS] * 5)
        assert len(client.batch_odds([ENDLESS] * 5, max_error=1e-2)) == 5


def test_a_server_that_is_not_there() -> None:
    with Client("127.0.0.1:1", timeout=5) as client, pytest.raises(UnavailableError):
        client.exact(BATTLE)


def test_numbers_the_wire_cannot_hold(client: Client) -> None:
    for options in ({"n": 10**30}, {"n": -1}, {"n": 10, "seed": 2**64}, {"n": 10, "seed": -1}):
        with pytest.raises(ArgumentError):
            client.sample(BATTLE, **options)
    with pytest.raises(ArgumentError, match="samples is 0"):
        client.sample(BATTLE, 0)
    for max_error in (-1, 0, float("nan"), float("inf")):
        with pytest.raises(ArgumentError, match="max_error is"):
            client.odds(BATTLE, max_error=max_error)


def test_in_process_work_is_cancelled_alike() -> None:
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(CancelledError):
        swords.batch_odds([BATTLE] * 10, method="sampled", samples=YEARS, cancel=cancel)


def test_forces_the_wire_can_hold_but_the_rules_cannot(server: Server) -> None:
    with Client(server.address) as client:
        for field, value in (("bow", -1), ("spear", 2**31 - 1), ("ronin", -(2**31))):
            message = battle_to_proto(BATTLE)
            setattr(message.attacker, field, value)
            request = odds_service_pb2.EvaluateRequest(swords_battle=message)
            with pytest.raises(SetupError, match=f"{field} is {value}"):
                client.ask(request, timeout=30)
        message = battle_to_proto(Battle(Force(spear=1), Force(spear=1)))
        message.fort = 77
        with pytest.raises(ArgumentError, match="fort: unknown value 77"):
            client.ask(odds_service_pb2.EvaluateRequest(swords_battle=message), timeout=30)
