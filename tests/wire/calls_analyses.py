"""Calls of AnalysisService."""

from __future__ import annotations

from sengoku import Match
from sengoku.v1 import analysis_service_pb2 as pb2
from wire.stage import Stage, soon


def play(on: Stage) -> None:
    """Analyses matches."""
    match = Match.create("battles", seed=7, setup={"scenario": 8})
    for _ in range(6):
        match.play(match.legal_actions()[0])
    with on.step("an analysis"):
        analysis = on.client.start_analysis(match, iterations=8, luck=2, seed=3, request_id="first")
    with on.step("an analysis is waited for"):
        analysis.wait()
    with on.step("an analysis again by its request id"):
        on.client.start_analysis(match, iterations=8, luck=2, seed=3, request_id="first")
    with on.step("an analysis is asked for"):
        on.client.analysis(analysis.name)
    with on.step("an analysis is read"):
        analysis.result()
    with on.step("an analysis of a replay with open cards, to the end"):
        replayed = on.client.start_analysis(
            match.replay(), iterations=2, luck=0, cards="open", horizon=0, request_id="replay"
        )
    replayed.wait()
    _open(on, match)
    _long(on, match)
    with on.refused("an analysis of nothing", "INVALID_ARGUMENT"):
        on.client.ask(pb2.AnalyseMatchRequest(iterations=8))
    with on.refused("an analysis of a broken replay", "UNREADABLE_DATA"):
        on.client.start_analysis("sengoku replay 1\ngame go\n", request_id="broken")
    with on.refused("too many iterations", "OVER_LIMIT"):
        on.client.start_analysis(match, iterations=20_000, request_id="many")
    with on.step("an analysis is deleted"):
        analysis.delete()
    with on.refused("an analysis that was deleted", "ANALYSIS_NOT_FOUND"):
        analysis.metadata()


def _open(on: Stage, match: Match) -> None:
    """An open match, for its owner and for a seat."""
    remote = on.direct_client.load_match(match.save())
    assert remote.seat_tokens is not None
    with on.step("an analysis of an open match for a seat"):
        (response,) = on.raw(
            "AnalysisService/AnalyseMatch",
            pb2.AnalyseMatchRequest(
                open=pb2.OpenMatch(match_id=remote.match_id, token=remote.seat_tokens[1]),
                iterations=8,
                seat=1,
            ),
        )
    on.direct_client.analysis(response.analysis.name).wait()
    with on.step("an analysis for another seat is refused"):
        on.attempt(
            "AnalysisService/AnalyseMatch",
            pb2.AnalyseMatchRequest(
                open=pb2.OpenMatch(match_id=remote.match_id, token=remote.seat_tokens[1]),
                iterations=8,
                seat=0,
            ),
        )
    remote.close()


def _long(on: Stage, match: Match) -> None:
    """One that is cancelled and resumed."""
    with on.step("a long analysis"):
        long = on.client.start_analysis(match, iterations=10_000, luck=10_000, request_id="long")
    with on.step("a long analysis runs"):
        soon(lambda: long.metadata().state == "running", 10)
    with on.refused("an analysis that is not over refused: deleting", "ANALYSIS_NOT_OVER"):
        long.delete()
    with on.step("a long analysis is cancelled"):
        long.cancel()
    with on.step("a long analysis is resumed"):
        long.resume()
    on.direct(pb2.CancelAnalysisRequest(name=long.name))
