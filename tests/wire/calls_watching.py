"""Calls of MatchService that are about bots, suggestions and watching."""

from __future__ import annotations

import asyncio
from typing import Any

from sengoku import AsyncClient, Match, RemoteMatch
from sengoku.engine.frames import PARTS
from sengoku.v1 import match_service_pb2 as pb2
from wire.calls_players import Raw
from wire.stage import TIMEOUT, Stage, soon

SETUP = {"scenario": 1, "max_rounds": 1}
SPEC = """
name = "watched"
seed = 5
blocks = 1
bots = [{name = "greedy"}, {name = "random"}]
games = [{game = "battles", scenarios = [1]}]
"""
LIVE_SPEC = """
name = "live"
seed = 5
blocks = 1
bots = [{name = "far", player = "watched"}, {name = "random"}]
games = [{game = "battles", scenarios = [1]}]
clock = {decision = 30}
"""


def play(on: Stage) -> None:
    """Plays, watches and looks back."""
    match = _hosted(on)
    _watched(on, match)
    _refused(on, match)
    _replays(on)
    _live(on)
    asyncio.run(_awaited(on))


def _hosted(on: Stage) -> RemoteMatch:
    with on.step("a match with bots"):
        match = on.client.create_match(
            "swords", seats=3, seed=6, setup={"max_rounds": 1}, bots={1: "greedy", 2: "mcts:iterations=20"}
        )
        _ = match.bots
    with on.step("a suggestion"):
        match.play(match.suggest("mix:greedy=50", seed=3))
    token = {"match_id": match.match_id, "token": match.token}
    # How far the bots are when this is answered depends on how fast they are.
    action = match.legal_actions()[0].index
    on.direct(pb2.PlayRequest(**token, action=action, no_wait=True))
    soon(lambda: not on.direct(pb2.GetMatchRequest(**token)).status.bot_to_act)
    with on.step("an action without waiting for bots"), on.client.create_match("tower", seats=3) as other:
        own = {"match_id": other.match_id, "token": other.token}
        on.raw(
            "MatchService/Play", pb2.PlayRequest(**own, action=other.legal_actions()[0].index, no_wait=True)
        )
    with on.step("the bots are waited for"):
        on.raw("MatchService/GetMatch", pb2.GetMatchRequest(**token, wait=True))
    with on.step("a match with bots from its replay"):
        on.client.match_from_replay(match.replay()).close()
    with on.step("a match with bots from its data"):
        match.clone().close()
    return match


def _watched(on: Stage, match: RemoteMatch) -> None:
    with on.step("frames of a match for its owner"):
        list(match.frames(parts=PARTS))
    with on.step("frames of a match for a seat"):
        list(match.frames(1, 3, seat=1, parts=["story", "view", "actions"]))
    with on.step("for spectators"):
        spectator = on.client.join_match(match.match_id, match.spectator_token)
        spectator.view("public")
        spectator.sketch()
        spectator.story()
        _ = spectator.log
        list(spectator.frames(2, 4))
    with on.step("a page of frames"):
        reference = pb2.MatchReference(match_id=match.match_id, token=match.token)
        request = pb2.GetReplayFramesRequest(
            match=reference, first_decision=1, max_frames=2, public_only=True
        )
        on.raw("MatchService/GetReplayFrames", request)
    with on.step("a match that is over is watched"):
        over = Match.create("battles", seed=4, setup=SETUP)
        over.play_on("random")
        ended = on.client.load_match(over.save())
        list(ended.watch(over.decisions - 2, seat=1, parts=["story", "picture", "actions"]))
        list(ended.watch(seat="public", parts=["long_story", "events"]))


def _refused(on: Stage, match: RemoteMatch) -> None:
    client = on.client
    spectator = client.join_match(match.match_id, match.spectator_token)
    with on.refused("spectators refused: playing", "NOT_ALLOWED"):
        spectator.play(0)
    with on.refused("spectators refused: legal actions", "NOT_ALLOWED"):
        spectator.legal_actions()
    with on.refused("spectators refused: a suggestion", "NOT_ALLOWED"):
        spectator.suggest()
    with on.refused("spectators refused: the view of a seat", "NOT_ALLOWED"):
        spectator.view(0)
    with on.refused("spectators refused: the frames of a seat", "NOT_ALLOWED"):
        list(spectator.watch(seat=0))
    with on.refused("spectators refused: an observation", "NOT_ALLOWED"):
        spectator.observe(0)
    with on.refused("spectators refused: saving", "NOT_ALLOWED"):
        spectator.save()
    with on.refused("frames refused: a decision that is not there", "INVALID_ARGUMENT"):
        list(match.frames(99))
    with on.refused("frames refused: a range that ends before it begins", "INVALID_ARGUMENT"):
        list(match.frames(2, 1))
    with on.refused("watching refused: a decision that is not there", "INVALID_ARGUMENT"):
        list(match.watch(99))
    with on.refused("watching refused: a part that there is not", ""):
        token = {"match_id": match.match_id, "token": match.token}
        on.raw("MatchService/WatchMatch", pb2.WatchMatchRequest(**token, parts=[99]))
    with on.refused("watching refused: a match that there is not", "MATCH_NOT_FOUND"):
        list(client.spectate("0123456789"))
    with on.refused("frames refused: no source", ""):
        on.raw("MatchService/GetReplayFrames", pb2.GetReplayFramesRequest())
    with on.refused("frames refused: a replay that cannot be read", "UNREADABLE_DATA"):
        list(client.replay_frames("no replay"))
    with on.refused("a match refused: an unknown bot", "INVALID_ARGUMENT"):
        client.create_match("battles", bots={1: "genius"})
    with on.refused("a match refused: a bot for a seat that there is not", "INVALID_ARGUMENT"):
        client.create_match("battles", bots={2: "greedy"})
    with on.refused("a match refused: a bot for a seat that is none", "INVALID_ARGUMENT"):
        client.create_match("battles", bots={-1: "greedy"})
    with on.refused("a match refused: bots everywhere", "INVALID_ARGUMENT"):
        client.create_match("battles", bots={0: "greedy", 1: "greedy"})
    with on.refused("a match refused: a bot that searches for too long", "OVER_LIMIT"):
        client.create_match("battles", bots={1: "mcts:iterations=1000000"})
    with on.refused("a suggestion refused: a bot that searches for too long", "OVER_LIMIT"):
        match.suggest("mcts:iterations=1000000")
    with on.step("a match with bots ends"):
        match.close()


def _replays(on: Stage) -> None:
    match = Match.create("tower", seats=3, seed=2, setup={"max_rounds": 1})
    match.play_on("greedy", until=5)
    with on.step("frames of a replay"):
        list(on.client.replay_frames(match.replay(), 3, seat=2, parts=["story", "sketch"]))
    with on.step("frames of a saved match"):
        list(on.client.replay_frames(match.save(), 1, 2, parts=["view"]))
    with on.step("a tournament is played"):
        tournament = on.client.create_tournament(SPEC, request_id="watched")
        tournament.wait()
        name, _ = tournament.matches()[0]
    with on.step("frames of a match of a tournament"):
        list(on.client.tournament_frames(tournament.name, name, 1, 2, parts=["story"]))


def _live(on: Stage) -> None:
    """Matches of a tournament in progress, watched by the one who asked for it and by a player."""
    with on.step(
        "matches in progress"
    ):  # a step lasts as long as its calls, so also as long as the player stays
        player = Raw(on, name="watched", games=["battles"], capacity=2)
        player.hear("welcome")
        tournament = on.client.create_tournament(LIVE_SPEC, request_id="live")
        decisions: list[Any] = []
        while len(decisions) < 2:
            decisions += player.hear("decisions").decisions
        for decision in sorted(decisions, key=lambda decision: int(decision.seat)):
            player.answer(id=decision.id, action=decision.legal[0])
            decisions[decision.seat] = player.decision()
        request = pb2.ListLiveMatchesRequest(tournament=tournament.name, page_size=1)
        (page,) = on.raw("MatchService/ListLiveMatches", request)
        request.page_token = page.next_page_token
        on.raw("MatchService/ListLiveMatches", request)
        live = on.client.live_matches()[0]
        for match_id, part in (
            (live.match_id, pb2.FRAME_PART_STORY),
            (decisions[0].match_id, pb2.FRAME_PART_VIEW),
        ):
            reference = pb2.MatchReference(match_id=match_id)
            frames = pb2.GetReplayFramesRequest(match=reference, last_decision=0, parts=[part])
            on.raw("MatchService/GetReplayFrames", frames)
        with on.expect("NOT_ALLOWED"):
            list(on.client.spectate(live.match_id, seat=0))
        with on.expect(""):
            on.raw("MatchService/ListLiveMatches", pb2.ListLiveMatchesRequest(page_token="?"))  # noqa: S106
        for decision in decisions:
            player.answer(id=decision.id, failure="enough")
            player.hear("fault")
            player.hear("match_over")
        player.leave()
    tournament.wait()


async def _awaited(on: Stage) -> None:
    """The same calls by an AsyncClient."""
    async with AsyncClient(on.address, timeout=TIMEOUT, retries=0) as client:
        with on.step("awaited: a match with a bot"):
            match = await client.create_match("battles", seed=9, setup=SETUP, bots={0: "greedy"})
            await match.play(await match.suggest())
            _ = [frame async for frame in match.frames(0, 1, seat="public")]
            await match.close()
