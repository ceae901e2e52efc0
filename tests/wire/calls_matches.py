"""Calls of MatchService."""

from __future__ import annotations

import asyncio

from sengoku import AsyncClient, Match, Proposal, RemoteMatch, draws
from sengoku.v1 import match_service_pb2 as pb2
from wire.stage import TIMEOUT, Stage

TABLES = (
    ("swords", 3, {"max_rounds": 2}),
    ("tower", 4, {"court": True}),
    ("battles", 2, {"scenario": 8}),
)


def play(on: Stage) -> None:
    """Plays single matches."""
    for game, seats, setup in TABLES:
        with on.step(f"{game}: begin"):
            match = on.client.create_match(game, seats=seats, seed=2**64 - 1, match_index=3, setup=setup)
        _look(on, game, match)
        with on.step(f"{game}: play"):
            match.play(match.legal_actions()[0])
            match.play(match.legal_actions()[-1], expected_decisions=1)
        _look(on, f"{game} after two decisions", match)
        with on.step(f"{game}: for a seat"):
            _seat(on, match)
        with on.step(f"{game}: copies"):
            match.clone().close()
            match.resample(1, seed=3).close()
            on.client.match_from_replay(match.replay()).close()
        _refused(on, game, match)
        with on.step(f"{game}: end"):
            match.close()
    _over(on)
    _dice(on)
    _talk(on)
    _refused_matches(on)
    asyncio.run(_awaited(on))


def _look(on: Stage, label: str, match: RemoteMatch) -> None:
    with on.step(f"{label}: status"):
        _ = match.to_act
    with on.step(f"{label}: views"):
        match.state()
        match.view(1)
    with on.step(f"{label}: legal actions"):
        match.legal_mask()
    with on.step(f"{label}: observation"):
        match.observe(0)
    with on.step(f"{label}: pictures"):
        match.picture()
        match.sketch(1)
    with on.step(f"{label}: story"):
        match.story(long=True)
        match.story(1, 1, until=2)
    with on.step(f"{label}: record"):
        _ = match.history
    with on.step(f"{label}: log"):
        _ = match.log
        token = {"match_id": match.match_id, "token": match.token}
        on.raw("MatchService/GetLog", pb2.GetLogRequest(**token, first_event=1, max_events=2))
    with on.step(f"{label}: saved"):
        match.save()
        match.replay()


def _seat(on: Stage, match: RemoteMatch) -> None:
    """The same match for the seat that is to act."""
    to_act = match.to_act
    assert to_act is not None
    seat = on.client.join_match(match.match_id, match.seat_tokens[to_act])
    seat.view(to_act)
    seat.observe(to_act)
    seat.legal_actions()
    seat.play(seat.legal_actions()[0], to_act, expected_decisions=match.decisions)


def _refused(on: Stage, game: str, match: RemoteMatch) -> None:
    to_act = match.to_act
    assert to_act is not None
    other = (to_act + 1) % match.seats
    seat = on.client.join_match(match.match_id, match.seat_tokens[other])
    illegal = int(match.legal_mask().argmin())
    with on.refused(f"{game} refused: an action that is not legal", "ILLEGAL_ACTION"):
        match.play(illegal)
    with on.refused(f"{game} refused: no action of the table", "INVALID_ARGUMENT"):
        match.play(-1)
    with on.refused(f"{game} refused: not the turn of a seat", "NOT_YOUR_TURN"):
        match.play(0, other)
    with on.refused(f"{game} refused: legal actions of another seat", "NOT_YOUR_TURN"):
        seat.legal_actions()
    with on.refused(f"{game} refused: an old match", "STALE_MATCH"):
        match.play(0, expected_decisions=99)
    with on.refused(f"{game} refused: the record for a seat", "NOT_ALLOWED"):
        seat.save()
    with on.refused(f"{game} refused: the view of another seat", "NOT_ALLOWED"):
        seat.view(to_act)


def _over(on: Stage) -> None:
    """Matches that are over, played in process and loaded."""
    client = on.client
    for game, seats, setup in (
        ("swords", 2, {"max_rounds": 1}),
        ("tower", 3, {}),
        ("battles", 2, {"scenario": 1}),
    ):
        here = Match.create(game, seats=seats, seed=4, setup=setup)
        for draw in draws("bots", seed=4, count=20_000, sides=2**20):
            if here.over:
                break
            legal = here.legal_actions()
            here.play(legal[int(draw) % len(legal)])
        with on.step(f"{game}: a match that is over"):
            match = client.load_match(here.save())
            _ = match.outcome
            match.legal_actions()
        with on.refused(f"{game} refused: an action after the end", "MATCH_OVER"):
            match.play(0)
        with on.step(f"{game}: a match that is over from its replay"):
            client.match_from_replay(here.replay())


def _dice(on: Stage) -> None:
    with on.step("a match with scripted dice"):
        match = on.client.create_match("swords", seats=2, seed=4, dice=[9, 2, 12, 1])
        _ = match.dice_left
        match.close()
    with on.step("a match with scripted throws, lots and cards"):
        throws, cards = [{0: 2, "farmers": 1}, None], [["4", "7"], [], [], [], []]
        scripts = {"throws": throws, "lots": [1, 2], "cards": cards}
        match = on.client.create_match("tower", seats=3, seed=4, **scripts)
        _ = match.scripts_left
        match.close()
    with on.refused("a match refused: a card that is not in the pile", "INVALID_DICE_SCRIPT"):
        on.client.create_match("battles", seed=4, cards=[["X"]])
    faces = pb2.CreateMatchRequest(game="swords", dice=pb2.Dice(faces=[0]))
    with on.refused("a match refused: dice that are none", ""):
        on.raw("MatchService/CreateMatch", faces)


def _talk(on: Stage) -> None:
    with on.step("messages"):
        match = on.client.create_match("swords", seats=3, seed=4)
        match.say(0, "hello")
        match.say(1, "psst", to=[2])
        match.say(2, to=[0, 1], proposal=Proposal("no_attack", "kai", 2))
        match.say(0, "fine", answers=2, accepts=True)
        match.say(1, answers=3, accepts=False)
        match.say(1, proposal=Proposal("support"))
        match.messages()
        match.messages(1, since=2)
        match.messages("public")
    with on.step("messages of a seat"):
        seat = on.client.join_match(match.match_id, match.seat_tokens[1])
        seat.say(1, proposal=Proposal("truce", rounds=1))
        seat.messages()
        seat.view(1)
    with on.refused("a message refused: a control character", "INVALID_ARGUMENT"):
        seat.say(1, "a\nb")
    with on.refused("a message refused: too long", "OVER_LIMIT"):
        seat.say(1, "x" * 501)
    with on.refused("a message refused: an answer to nothing", "INVALID_ARGUMENT"):
        seat.say(1, answers=99, accepts=True)
    with on.refused("a message refused: in the name of another seat", "NOT_ALLOWED"):
        seat.say(0, "x")
    with on.refused("messages refused: those of another seat", "NOT_ALLOWED"):
        seat.messages(0)
    match.close()


def _refused_matches(on: Stage) -> None:
    client = on.client
    with on.refused("a match refused: an unknown game", "INVALID_ARGUMENT"):
        client.create_match("chess")
    with on.refused("a match refused: too many seats", "INVALID_SETUP"):
        client.create_match("battles", seats=5)
    with on.refused("a match refused: an unknown option", "INVALID_SETUP"):
        client.create_match("tower", setup={"weather": "rain"})
    with on.refused("a saved match refused: other bytes", "UNREADABLE_DATA"):
        client.load_match(b"no match")
    with on.refused("a saved match refused: no source", ""):
        on.raw("MatchService/LoadMatch", pb2.LoadMatchRequest())
    with on.refused("a replay refused: another text", "UNREADABLE_DATA"):
        client.match_from_replay("no replay")
    with on.refused("a match that nobody has", "MATCH_NOT_FOUND"):
        client.join_match("0123456789", "secret")
    with on.refused("an action that is not set", ""):
        on.raw("MatchService/Play", pb2.PlayRequest(match_id="0123456789"))


async def _awaited(on: Stage) -> None:
    """A match by an AsyncClient, which sends the same bytes."""
    async with AsyncClient(on.address, timeout=TIMEOUT, retries=0) as client:
        with on.step("awaited: a match"):
            match = await client.create_match("tower", seats=3, seed=9)
            await match.play((await match.legal_actions())[0])
            await match.view(0)
            await match.log
            await match.close()
