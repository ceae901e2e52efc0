"""Calls of TournamentService."""

from __future__ import annotations

import asyncio

from sengoku import AsyncClient, Cancel, Decision, RemoteTournament
from sengoku.v1 import tournament_service_pb2 as pb2
from wire.calls_players import First
from wire.stage import TIMEOUT, Background, Stage, soon

SPEC = """
name = "small"
seed = 5
blocks = 2
bots = [{name = "greedy"}, {name = "random"}, {name = "other", bot = "mix:greedy=50"}]
games = [{game = "battles", scenarios = [1, 8]}, {game = "tower", seats = 3, setup = {court = true}}]
"""
LONG = """
name = "long"
seed = 5
blocks = 40_000
bots = [{name = "greedy"}, {name = "random"}]
games = [{game = "battles", scenarios = [1]}]
"""
PLAYERS = """
name = "players"
seed = 5
blocks = 1
bots = [{name = "far", player = "clumsy"}, {name = "random"}]
games = [{game = "swords", seats = 2, setup = {max_rounds = 1}}]
clock = {decision = 30}
"""


class Clumsy(First):
    """Fails in one of its two seats."""

    name = "clumsy"

    def decide(self, decision: Decision) -> int:
        """Decides, or fails."""
        if decision.seat == 1:
            raise RuntimeError("out of ideas")
        return super().decide(decision)


def play(on: Stage) -> None:
    """Plays tournaments."""
    tournament = _whole(on)
    _long(on)
    _players(on)
    _lists(on)
    _refused(on, tournament)
    with on.step("a tournament is deleted"):
        tournament.delete()
    with on.refused("a tournament that was deleted", "TOURNAMENT_NOT_FOUND"):
        tournament.metadata()
    asyncio.run(_awaited(on))


def _whole(on: Stage) -> RemoteTournament:
    with on.step("a tournament"):
        tournament = on.client.create_tournament(SPEC, request_id="spring")
    with on.step("a tournament is waited for"):
        tournament.wait()
    with on.step("a tournament again by its request id"):
        on.client.create_tournament(SPEC, request_id="spring")
    with on.step("a tournament is asked for"):
        on.client.tournament(tournament.name)
    with on.step("a tournament is watched"):
        list(tournament.watch())
    with on.step("standings"):
        tournament.standings()
    for form in ("md", "csv", "json", "html"):
        with on.step(f"standings as {form}"):
            tournament.table(form)
    with on.step("matches of a tournament"):
        matches = tournament.matches()
    with on.step("a replay of a tournament"):
        tournament.replay(matches[0][0])
    request = pb2.ListTournamentMatchesRequest(name=tournament.name, page_size=3)
    with on.step("matches of a tournament by pages"):
        (page,) = on.raw("TournamentService/ListTournamentMatches", request)
        request.page_token = page.next_page_token
        on.raw("TournamentService/ListTournamentMatches", request)
    return tournament


def _long(on: Stage) -> None:
    """One that is cancelled on its way and resumed, and others that wait behind it."""
    with on.step("a long tournament"):
        first = on.client.create_tournament(LONG, request_id="long")
    soon(lambda: bool(on.direct(pb2.GetTournamentRequest(name=first.name)).tournament.matches_per_second))
    with on.step("a long tournament is asked for"):
        first.metadata()
    others = [on.direct_client.create_tournament(LONG, request_id=f"other {number}") for number in (1, 2)]
    with on.step("a tournament in the queue"):
        last = on.client.create_tournament(LONG, request_id="behind")
    with on.refused("a tournament that is not over refused: deleting", "TOURNAMENT_NOT_OVER"):
        first.delete()
    with on.step("a tournament in the queue is cancelled"):
        last.cancel()
    for other in others:
        other.cancel()
        _until_over(on, other)
        other.delete()
    with on.step("a long tournament is cancelled"):
        first.cancel()
    _until_over(on, first)
    with on.step("a long tournament was cancelled"):
        first.metadata()
    with on.step("a long tournament is resumed"):
        first.resume()
    on.direct(pb2.CancelTournamentRequest(name=first.name))
    _until_over(on, first)


def _until_over(on: Stage, tournament: RemoteTournament) -> None:
    request = pb2.GetTournamentRequest(name=tournament.name)
    soon(lambda: on.direct(request).tournament.HasField("end_time"))


def _players(on: Stage) -> None:
    """A tournament in which a player forfeits a match."""
    stop = Cancel()
    player = Background(lambda: on.direct_client.serve_bot(Clumsy(), stop=stop))
    with on.step("a tournament with a player"):
        tournament = on.client.create_tournament(PLAYERS, request_id="players")
        tournament.wait()
    with on.step("matches of a tournament with a player"):
        tournament.matches()
    with on.step("standings of a tournament with a player"):
        tournament.standings()
    stop.cancel()
    player.join()


def _lists(on: Stage) -> None:
    with on.step("all tournaments"):
        on.client.tournaments()
    request = pb2.ListTournamentsRequest(page_size=2)
    with on.step("tournaments by pages"):
        (page,) = on.raw("TournamentService/ListTournaments", request)
        request.page_token = page.next_page_token
        on.raw("TournamentService/ListTournaments", request)


def _refused(on: Stage, tournament: RemoteTournament) -> None:
    client = on.client
    with on.refused("a tournament refused: a file that is none", "INVALID_ARGUMENT"):
        client.create_tournament("bots = 3")
    with on.refused("a tournament refused: a request id of another one", "REQUEST_ID_REUSED"):
        client.create_tournament(LONG, request_id="spring")
    with on.refused("a tournament refused: an unknown name", "TOURNAMENT_NOT_FOUND"):
        client.tournament("tournaments/0123456789")
    with on.refused("standings refused: an unknown format", "INVALID_ARGUMENT"):
        tournament.table("pdf")
    with on.refused("a replay refused: an unknown match", "TOURNAMENT_NOT_FOUND"):
        tournament.replay("nothing")
    for method, request in {
        "ListTournaments": pb2.ListTournamentsRequest(page_token="?"),  # noqa: S106 - not a secret
        "WatchTournament": pb2.WatchTournamentRequest(name="x"),
        "GetStandings": pb2.GetStandingsRequest(name="x"),
        "ListTournamentMatches": pb2.ListTournamentMatchesRequest(name=tournament.name, page_size=-1),
        "CancelTournament": pb2.CancelTournamentRequest(name="x"),
        "ResumeTournament": pb2.ResumeTournamentRequest(name="x"),
        "DeleteTournament": pb2.DeleteTournamentRequest(name="x"),
    }.items():
        with on.refused(f"{method} refused", ""):
            on.raw(f"TournamentService/{method}", request)


async def _awaited(on: Stage) -> None:
    """A tournament by an AsyncClient, which sends the same bytes."""
    async with AsyncClient(on.address, timeout=TIMEOUT, retries=0) as client:
        with on.step("awaited: a tournament"):
            tournament = await client.create_tournament(SPEC)
            await tournament.wait()
            await tournament.standings()
            await tournament.delete()
