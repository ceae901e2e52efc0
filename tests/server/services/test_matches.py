"""MatchService: the same matches as in process, tokens, limits, errors."""

import inspect
import json
import logging
import random
import threading
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from sengoku import Client, Match, RemoteMatch, engine, games
from sengoku.errors import (
    ArgumentError,
    BusyError,
    DecodeError,
    DiceScriptError,
    IllegalActionError,
    InternalError,
    LimitError,
    MatchNotFoundError,
    MatchOverError,
    NotYourTurnError,
    SengokuError,
    SetupError,
    StaleMatchError,
)
from sengoku.v1 import match_service_pb2 as match_pb2
from support.matches import (
    CAP,
    GAME,
    TABLES,
    Clock,
    everything,
    owner_calls,
    play_some,
    serving,
)
from support.stubs import make_stub


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_same_match_on_both_sides(client: Client, game: engine.Game, seats: int) -> None:
    key = {"seats": seats, "seed": 2**64 - 1, "match_index": 3, "setup": CAP}
    here = Match.create(game.name, **key)
    with client.create_match(game.name, **key) as there:
        assert everything(there) == everything(here)
        for step in range(4):
            for match in (here, there):
                play_some(match, 25, seed=step)
            assert everything(there) == everything(here)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_a_saved_match_goes_on_on_the_other_side(client: Client, game: engine.Game) -> None:
    here = Match.create(game.name, seed=4, setup=CAP)
    play_some(here, 60)
    with client.load_match(here.save()) as there, client.match_from_replay(here.replay()) as again:
        assert everything(there) == everything(here) == everything(again)
        play_some(here, 40)
        play_some(there, 40)
        back = Match.load(there.save())
        assert everything(back) == everything(here) == everything(Match.from_replay(there.replay()))
        with there.clone() as copy:
            assert copy.match_id != there.match_id
            play_some(copy, 1)
            assert everything(there) == everything(here)
        with there.resample(1, seed=3) as world:
            assert everything(world) == everything(here.resample(1, seed=3))
            assert world.view(1) == here.view(1)
            assert everything(there) == everything(here)
        play_some(back, 10**6)
        play_some(there, 10**6)
        assert there.over
        assert (there.outcome, there.legal_actions(), there.digest) == (back.outcome, [], back.digest)
        with pytest.raises(MatchOverError):
            there.play(0)
        seat = client.join_match(there.match_id, there.seat_tokens[0])
        assert (seat.legal_actions(), seat.outcome) == ([], back.outcome)
        with pytest.raises(MatchOverError):
            seat.play(0)


def test_the_same_methods() -> None:
    # Servers do not play the bots of `play_on`, analyses are jobs, and words are found in process.
    made = {"create", "load", "from_replay", "play_on", "analyse", "tell", "choices"}
    names = {name for name in dir(Match) if not name.startswith("_")} - made
    assert names <= set(dir(RemoteMatch))
    for name in names:
        here, there = inspect.getattr_static(Match, name), inspect.getattr_static(RemoteMatch, name)
        assert type(here) is type(there)
        if not isinstance(here, property):
            mine, theirs = inspect.signature(here).parameters, inspect.signature(there).parameters
            assert [*theirs][: len(mine)] == [*mine]
    mine, theirs = (inspect.signature(door).parameters for door in (Match.create, Client.create_match))
    assert [*theirs][1:] == [*mine]


def test_wrong_tokens_and_matches_that_are_not_get_the_same_answer(client: Client) -> None:
    with client.create_match(GAME.name) as match, client.create_match(GAME.name) as other:
        tokens = {match.token, *match.seat_tokens, other.token, *other.seat_tokens, match.match_id}
        assert len(tokens) == 2 * (1 + GAME.seats[0]) + 1
        assert all(len(token) >= 22 for token in tokens)  # 128 bits
        wrong = [
            (match.match_id, other.token),
            (match.match_id, other.seat_tokens[0]),
            (match.match_id, match.match_id),
            (match.match_id, ""),
            (match.match_id, match.token[:-1]),
            (match.match_id, match.token + "x"),
            (match.match_id, "\udcff風"),
            (match.match_id, "x" * 100_000),
            ("x", match.token),
            ("", ""),
            ("\udcff", match.token),
        ]
        told = set()
        for match_id, token in wrong:
            with pytest.raises(MatchNotFoundError) as refused:
                client.join_match(match_id, token)
            told.add((str(refused.value), tuple(refused.value.details.items())))
        stranger = RemoteMatch(
            client,
            match._driver.take(match._status(lambda status: status)),
            match_id=match.match_id,
            token=other.token,
            seat=0,
        )
        for name, call in owner_calls(stranger).items():
            if name != "state":  # which is refused before anybody is asked
                with pytest.raises(MatchNotFoundError) as refused:
                    call()
                told.add((str(refused.value), tuple(refused.value.details.items())))
        assert told == {("there is no match with this id and token", ())}
        assert match.token not in repr(match)
        owner = client.join_match(match.match_id, match.token)
        assert (owner.seat, owner.seat_tokens, owner.digest) == (None, (), match.digest)
        for bad in (None, 5, b"x"):
            with pytest.raises(TypeError):
                client.join_match(match.match_id, bad)


def test_a_stale_client_is_told_so(client: Client) -> None:
    with client.create_match(GAME.name) as match:
        action = match.legal_actions()[0]
        match.play(action, expected_decisions=0)
        with pytest.raises(StaleMatchError) as stale:
            match.play(match.legal_actions()[0], expected_decisions=0)
        assert stale.value.details == {"expected_decisions": "0", "decisions": "1"}
        assert match.decisions == 1
        for number in (-1, 2**64):
            with pytest.raises(ArgumentError):
                match.play(action, expected_decisions=number)


def test_of_many_who_play_at_once_one_does(client: Client) -> None:
    with client.create_match(GAME.name) as match, ThreadPoolExecutor(16) as pool:
        for decisions in range(5):
            action = match.legal_actions()[0]
            together = threading.Barrier(16)

            def play(
                _: int, action: engine.Action = action, now: int = decisions, wait=together.wait
            ) -> bool:
                wait()
                try:
                    match.play(action, expected_decisions=now)
                except StaleMatchError:
                    return False
                return True

            assert sum(pool.map(play, range(16))) == 1
            assert match.decisions == decisions + 1


def test_matches_that_nobody_uses_are_forgotten() -> None:
    clock = Clock()
    with serving(clock, idle_seconds=100, open_matches=2) as client:
        kept = client.create_match(GAME.name)
        idle = client.create_match(GAME.name)
        seat = client.join_match(kept.match_id, kept.seat_tokens[1])
        clock.now += 60
        assert seat.decisions == 0  # to be used by any of its tokens is to be used
        for _ in range(3):  # but not to be asked for with a wrong one
            with pytest.raises(MatchNotFoundError):
                client.join_match(idle.match_id, kept.token)
        with pytest.raises(BusyError):
            client.create_match(GAME.name)
        clock.now += 60
        with pytest.raises(MatchNotFoundError):
            idle.play(0)
        idle.close()  # it is gone, which is what was wanted
        with client.create_match(GAME.name) as new:
            assert new.decisions == 0
        assert kept.decisions == 0
        clock.now += 100
        with pytest.raises(MatchNotFoundError):
            assert kept.to_act


def test_a_full_server_says_so() -> None:
    with serving(open_matches=2) as client:
        saved = Match.create(GAME.name).save()
        with client.create_match(GAME.name) as first, client.load_match(saved):
            for more in (
                lambda: client.create_match(GAME.name),
                lambda: client.load_match(saved),
                first.clone,
            ):
                with pytest.raises(BusyError, match="2 of 2 open matches are in use") as busy:
                    more()
                assert busy.value.details == {"field": "open_matches", "value": "2", "limit": "2"}
            first.close()
            with client.create_match(GAME.name):
                pass
            with pytest.raises(MatchNotFoundError):
                assert first.over


def test_a_match_has_a_limit_too() -> None:
    with serving(match_decisions=3) as client:
        with client.create_match(GAME.name) as match:
            play_some(match, 3)
            with pytest.raises(LimitError, match="match_decisions is 4, this server allows 3"):
                match.play(match.legal_actions()[0])
            assert match.decisions == 3
        long = Match.create(GAME.name)
        play_some(long, 4)
        with pytest.raises(LimitError, match="match_decisions is 4"):
            client.load_match(long.save())


@pytest.mark.parametrize(
    ("key", "error"),
    [
        ({"game": "chess"}, ArgumentError),
        ({"game": ""}, ArgumentError),
        ({"game": "\udcff"}, ArgumentError),
        ({"seats": 0}, SetupError),
        ({"seats": 99}, SetupError),
        ({"seats": -1}, SetupError),
        ({"seats": 10**5000}, SetupError),
        ({"seed": -1}, ArgumentError),
        ({"seed": 2**64}, ArgumentError),
        ({"match_index": 2**64}, ArgumentError),
        ({"seed": 1.5}, TypeError),
        ({"setup": {"max_rounds": "many"}}, SetupError),
        ({"setup": {"max_rounds": 10**30}}, SetupError),
        ({"setup": {"position": {"round": []}}}, SetupError),
        ({"setup": {"map": "x" * 10_000}}, SetupError),
        ({"setup": "no JSON"}, SetupError),
        ({"setup": "[" * 10_000}, SetupError),
        ({"setup": [1]}, SetupError),
        ({"dice": [0]}, DiceScriptError),
        ({"dice": [-1]}, DiceScriptError),
        ({"dice": [10**5000]}, DiceScriptError),
        ({"dice": [300]}, DiceScriptError),
        ({"dice": ["6"]}, TypeError),
    ],
)
def test_both_doors_refuse_the_same(client: Client, key: dict, error: type[Exception]) -> None:
    key = {"game": GAME.name, **key}
    told = []
    for door in (Match.create, client.create_match):
        with pytest.raises(error) as refused:
            door(**key)
        told.append(refused.value)
    assert type(told[0]) is type(told[1])
    if isinstance(told[0], SengokuError):
        mine, theirs = (wrong.details for wrong in told)
        assert mine.keys() == theirs.keys()
        assert mine == theirs or "\udcff" in key["game"]  # which no wire carries


@pytest.mark.parametrize("door", ["here", "there"])
def test_actions_that_cannot_be(client: Client, door: str) -> None:
    with Match.create(GAME.name) if door == "here" else client.create_match(GAME.name) as match:
        before = everything(match)
        to_act = match.to_act
        illegal = next(index for index, legal in enumerate(match.legal_mask()) if not legal)
        refusals = [
            (lambda: match.play(illegal), IllegalActionError),
            (lambda: match.play(GAME.action_count), IllegalActionError),
            (lambda: match.play(-1), ArgumentError),
            (lambda: match.play(2**40), ArgumentError),
            (lambda: match.play(10**5000), ArgumentError),
            (lambda: match.play("march"), TypeError),
            (lambda: match.play(0, seat=match.seats), ArgumentError),
            (lambda: match.play(0, seat=-1), ArgumentError),
            (lambda: match.play(0, seat=2**40), ArgumentError),
            (lambda: match.play(0, seat=(to_act + 1) % match.seats), NotYourTurnError),
            (lambda: match.view(match.seats), ArgumentError),
            (lambda: match.view(-1), ArgumentError),
            (lambda: match.observe(10**30), ArgumentError),
            (lambda: match.picture(99), ArgumentError),
        ]
        for refused, error in refusals:
            with pytest.raises(error):
                refused()
        assert everything(match) == before


def test_bytes_that_are_no_match(client: Client) -> None:
    good = Match.create(GAME.name)
    play_some(good, 20)
    data = good.save()
    chance = random.Random(6)
    broken = [b"", b"x", bytes(1000), data[:-1], data + b"x", *(chance.randbytes(300) for _ in range(20))]
    for _ in range(60):
        damaged = bytearray(data)
        damaged[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        broken.append(bytes(damaged))
    opened = 0
    for piece in broken:
        try:
            client.load_match(piece).close()
            opened += 1  # another match, but a possible one
        except (DecodeError, SetupError) as error:
            with pytest.raises(type(error)):
                Match.load(piece)
    assert opened < 10
    for text in ("", "garbage", good.replay()[:-20] + "\n1 1 1 1", "\udcff"):
        with pytest.raises(DecodeError):
            client.match_from_replay(text)
    with pytest.raises(ArgumentError, match="source is not set"):
        client.ask_match("LoadMatch", match_pb2.LoadMatchRequest())
    with pytest.raises(ArgumentError, match="action is not set"):
        client.ask_match("Play", match_pb2.PlayRequest(match_id="x", token="x"))  # noqa: S106 - none
    with client.load_match(data) as match, pytest.raises(ArgumentError, match="seat is not set"):
        client.ask_match("GetObservation", match_pb2.GetObservationRequest(**match._id))


def can_play(match: Match, action: engine.Action) -> bool:
    try:
        match.clone().play(action)
    except DiceScriptError:
        return False
    return True


def test_scripted_dice(client: Client) -> None:
    """Dice do what they do in process, and a seat does not learn what the owner wrote down."""
    for script in ([], [1], [12, 1] * 200):
        here = Match.create(GAME.name, seed=3, setup=CAP, dice=script)
        with client.create_match(GAME.name, seed=3, setup=CAP, dice=script) as there:
            choose = random.Random(3)
            while not here.over:
                action = choose.choice(here.legal_actions())
                seat = client.join_match(there.match_id, there.seat_tokens[here.to_act])
                if not can_play(here, action):
                    with pytest.raises(DiceScriptError) as told:
                        here.play(action)
                    with pytest.raises(DiceScriptError) as owner:
                        there.play(action)
                    assert (str(owner.value), owner.value.details) == (str(told.value), told.value.details)
                    with pytest.raises(DiceScriptError) as told:
                        seat.play(action)
                    assert str(told.value) == "the owner's scripted dice do not allow it"
                    assert told.value.details == {}
                    break
                here.play(action)
                seat.play(action)
            assert (there.digest, there.dice_left) == (here.digest, here.dice_left)


def test_a_story_is_that_of_the_token(client: Client) -> None:
    """A seat hears its own story, in which only its own cards have names; the owner hears any."""
    with client.create_match("battles", seed=1, setup={"scenario": 8}) as match:
        play_some(match, 150)
        here = Match.load(match.save())
        seat = client.join_match(match.match_id, match.seat_tokens[1])
        assert match.story(long=True) == here.story(long=True)
        assert seat.story(long=True) == match.story(1, long=True) == here.story(1, long=True)
        assert seat.story(long=True) != match.story(long=True)
        assert match.story(since=100, until=120) == here.story(since=100, until=120)
        request = match_pb2.GetStoryRequest(**match._id, since=150)
        assert client.ask_match("GetStory", request).decisions == 150
        for arguments, field in (({"since": -1}, "since"), ({"until": -1}, "until"), ({"seat": 2}, "seat")):
            with pytest.raises(ArgumentError) as told:
                match.story(**arguments)
            assert told.value.details["field"] == field


def test_the_log_by_parts(client: Client) -> None:
    with client.create_match(GAME.name, seed=1) as match:
        play_some(match, 200)
        whole = [json.loads(event) for event in _log(client, match).events_json]
        assert whole == match.log == Match.load(match.save()).log
        assert len(whole) > 5
        part = _log(client, match, first_event=2, max_events=3)
        assert [json.loads(event) for event in part.events_json] == whole[2:5]
        assert part.next_event == 5
        assert not _log(client, match, first_event=2**64 - 1).events_json


def _log(client: Client, match: RemoteMatch, **fields: int) -> match_pb2.GetLogResponse:
    return client.ask_match("GetLog", match_pb2.GetLogRequest(**match._id, **fields))


def test_nothing_secret_is_logged(
    client: Client, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even when something breaks: a seat hears that, and the log says what, but neither has a token."""
    with client.create_match(GAME.name) as match:
        seat = client.join_match(match.match_id, match.seat_tokens[0])

        def fail(*_: object) -> None:
            raise InternalError("the hand of seat 1 is rosebud")

        with caplog.at_level(logging.DEBUG):
            monkeypatch.setattr("sengoku.server.match_registry.Lease.look_from", fail)
            with pytest.raises(InternalError) as told:
                seat.view(0)
            monkeypatch.setattr("sengoku.server.services.matches._match_status", lambda _: 1 / 0)
            with pytest.raises(InternalError):
                assert seat.to_act
            monkeypatch.undo()
        assert "rosebud" not in str(told.value)
        assert "rosebud" in caplog.text
        assert "ZeroDivisionError" in caplog.text
        for secret in (match.token, *match.seat_tokens):
            assert secret not in caplog.text


def test_leaving_a_block_deletes_the_match(client: Client) -> None:
    with client.create_match(GAME.name) as match:
        pass
    with pytest.raises(MatchNotFoundError):
        assert match.to_act
    with pytest.raises(KeyError, match="mine"), client.create_match(GAME.name) as match:
        raise KeyError("mine")
    with pytest.raises(MatchNotFoundError):
        match.state()
    with Client(client_address(client)) as other:
        match = other.create_match(GAME.name)
    with pytest.raises(ZeroDivisionError), match:  # which the server that is not reached does not hide
        assert 1 / 0


def client_address(client: Client) -> str:
    return client._driver.connection.target


def test_tokens_travel_in_the_request_alone(client: Client) -> None:
    """What is said of a method holds for all: each but the first two names the match and a token."""
    (service,) = match_pb2.DESCRIPTOR.services_by_name.values()
    # These make a match, name one in a message of its own, or name none.
    without = {"CreateMatch", "LoadMatch", "GetReplayFrames", "ListLiveMatches"}
    for method in service.methods:
        names = [field.name for field in method.input_type.fields]
        assert (names[:2] == ["match_id", "token"]) == (method.name not in without)
        for field in method.input_type.fields:
            assert field.GetOptions().debug_redact == (field.name == "token")
    assert match_pb2.MatchReference.DESCRIPTOR.fields_by_name["token"].GetOptions().debug_redact
    with client.create_match(GAME.name) as match, grpc.insecure_channel(client_address(client)) as channel:
        stub = make_stub(channel, match_pb2.DESCRIPTOR, "MatchService")
        with pytest.raises(grpc.RpcError):
            stub.GetMatch(
                match_pb2.GetMatchRequest(match_id=match.match_id), metadata=(("token", match.token),)
            )
