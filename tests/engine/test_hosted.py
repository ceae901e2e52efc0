"""Bots that a match plays itself, suggestions, stretches, and the match as it stood."""

import json
import threading
from typing import Any

import pytest

from sengoku import Cancel, Match, games, run_matches
from sengoku.errors import (
    ArgumentError,
    CancelledError,
    DecodeError,
    DiceScriptError,
    MatchOverError,
    NotYourTurnError,
)

CAP = {"max_rounds": 2}
NAMES = [game.name for game in games()]


def hosted(game: str, seed: int = 5, **options: Any) -> Match:
    seats = 2 if game == "battles" else 3
    bots = {1: "greedy"} if seats == 2 else {1: "greedy", 2: "mcts:iterations=20"}
    return Match.create(game, seats=seats, seed=seed, setup=CAP, **{"bots": bots, **options})


@pytest.mark.parametrize("game", NAMES)
def test_a_match_plays_its_bots_until_another_seat_decides(game: str) -> None:
    match = hosted(game)
    for _ in range(25):
        if match.over:
            break
        assert match.to_act == 0
        match.play(match.legal_actions()[0], 0)
    assert {frame.seat for frame in match.frames(1, parts=["story"])} > {0}


@pytest.mark.parametrize("game", NAMES)
def test_bots_that_were_saved_go_on_as_they_would_have(game: str) -> None:
    match = hosted(game)
    for step in range(12):
        if match.over:
            break
        copies = [Match.load(match.save()), Match.from_replay(match.replay()), match.clone()]
        action = match.suggest("random", seed=step)
        match.play(action)
        for copy in copies:
            assert copy.bots == match.bots
            copy.play(action)
            assert copy.replay() == match.replay()
            assert copy.save() == match.save()
    again = hosted(game)
    for step in range(12):
        if again.over:
            break
        again.play(again.suggest("random", seed=step))
    assert again.replay() == match.replay()


def test_a_replay_names_the_bots() -> None:
    match = hosted("battles")
    match.play(match.legal_actions()[0])
    lines = match.replay().splitlines()
    assert 'bots {"1":"greedy"}' in lines
    assert any(line.startswith("choices ") for line in lines)
    plain = Match.create("battles", seed=5, setup=CAP)
    assert "bots" not in plain.replay()
    assert plain.bots == {}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('bots {"1":"genius"}', "there is no bot"),
        ('bots {"7":"greedy"}', "seats are 0 to 1"),
        ('bots {"0":"greedy","1":"greedy"}', "at least one seat"),
        ('bots {"01":"greedy"}', "not a seat"),
        ("bots [1]", "not a table"),
        ('bots {"1":2}', "not the name of a bot"),
        ("bots {", "not valid JSON"),
    ],
)
def test_bots_of_a_replay_that_cannot_be(line: str, reason: str) -> None:
    text = hosted("battles").replay().replace('bots {"1":"greedy"}', line)
    with pytest.raises(DecodeError, match=reason) as caught:
        Match.from_replay(text)
    assert caught.value.details["line"] == "8"


def test_saved_bots_that_cannot_be() -> None:
    data = hosted("battles").save()
    for old, new in ((b"greedy", b"genius"), (b'"bots"', b'"bolt"'), (b'"1"', b'"7"')):
        broken = data.replace(old, new)
        assert broken != data
        if new == b'"bolt"':
            assert Match.load(broken).bots == {}  # a table of a later version may say more
        else:
            with pytest.raises(DecodeError):
                Match.load(broken)


@pytest.mark.parametrize(
    ("bots", "value"),
    [
        ({1: "genius"}, '"genius"'),
        ({2: "greedy"}, "2"),
        ({-1: "greedy"}, "-1"),
        ({0: "greedy", 1: "random"}, "2"),
        ({1: "mcts:iterations=0"}, "mcts:iterations=0"),
    ],
)
def test_bots_that_cannot_be(bots: dict[int, str], value: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        Match.create("battles", bots=bots)
    assert (caught.value.details["field"], caught.value.details["value"]) == ("bots", value)


@pytest.mark.parametrize("bots", [["greedy"], {1: 5}, {"one": "greedy"}])
def test_bots_of_a_wrong_type(bots: Any) -> None:
    with pytest.raises(TypeError):
        Match.create("battles", bots=bots)


@pytest.mark.parametrize("game", NAMES)
def test_a_stretch_of_bots_everywhere_is_a_run(game: str) -> None:
    seats = 2 if game == "battles" else 3
    bots = ["greedy", "random"]
    match = Match.create(game, seats=seats, seed=7, match_index=4, setup=CAP)
    first = match.play_on({seat: bots[min(seat, 1)] for seat in range(seats)}, until=30)
    assert match.decisions == first == 30
    match.play_on({seat: bots[min(seat, 1)] for seat in range(seats)})
    report = run_matches(game, bots=bots, seats=seats, seed=7, first_match=4, match_count=1, setup=CAP)
    assert (match.over, match.digest) == (True, report.digest[0])


def test_a_stretch_ends_where_it_should() -> None:
    match = hosted("swords", bots={1: "greedy"})
    assert match.play_on() == 0
    assert match.play_on({2: "random"}) == 0
    with pytest.raises(ArgumentError):
        match.play_on({0: "genius"})
    with pytest.raises(ArgumentError):
        match.play_on(until=-1)
    with pytest.raises(TypeError):
        match.play_on(["greedy"])  # type: ignore[arg-type]
    assert match.play_on("random", until=match.decisions) == 0
    rounds: list[int] = []

    def later(now: Match) -> bool:
        rounds.append(now.decisions)
        return now.decisions >= 20

    match.play_on("random", until=later)
    assert rounds == [*range(rounds[0], 21)]
    assert match.bots == {1: "greedy"}
    match.play_on("random")
    assert match.over
    with pytest.raises(MatchOverError):
        match.suggest()


def test_a_seat_of_a_bot_is_not_played_by_others() -> None:
    match = hosted("battles")
    while match.to_act == 0:
        match.play_on({0: "greedy"}, until=match.decisions + 1)
    with pytest.raises(NotYourTurnError) as caught:
        match.play(match.legal_actions()[0])
    assert caught.value.details["to_act"] == "1"
    match.play_on()
    assert match.to_act == 0


def test_scripted_dice_that_end_in_a_decision_of_a_bot() -> None:
    dice = [1, 2, 3, 4, 5, 6] * 2
    match = Match.create("battles", seed=5, dice=dice, bots={1: "greedy"})

    def play() -> None:
        for _ in range(400):
            match.play(match.suggest("random", seed=match.decisions))

    with pytest.raises(DiceScriptError):
        play()
    assert Match.load(match.save()).digest == match.digest


@pytest.mark.parametrize("game", NAMES)
def test_a_suggestion_depends_on_the_view_and_the_seed_alone(game: str) -> None:
    match = Match.create(game, seed=11, setup=CAP)
    match.play_on("greedy", until=20)
    while not match.over and match.decisions < 60:
        seat = match.to_act
        assert seat is not None
        world = match.resample(seat, seed=match.decisions)
        for bot in ("greedy", "random", "mcts:iterations=10"):
            assert world.suggest(bot, seed=3) == match.suggest(bot, seed=3)
        before = match.save()
        match.suggest("random")
        assert match.save() == before
        match.play_on("random", until=match.decisions + 7)


def test_a_suggestion_is_legal_and_named() -> None:
    match = Match.create("swords", seats=3, seed=1)
    assert match.suggest("greedy") in match.legal_actions()
    assert {match.suggest("random", seed=seed).index for seed in range(30)} > {match.suggest("random").index}
    for bot in ("genius", "mcts:iterations=x"):
        with pytest.raises(ArgumentError):
            match.suggest(bot)
    with pytest.raises(ArgumentError):
        match.suggest(seed=-1)


def test_a_long_thought_can_be_cancelled() -> None:
    match = Match.create("swords", seats=3, seed=1)
    cancel = Cancel()
    threading.Timer(0.2, cancel.cancel).start()
    with pytest.raises(CancelledError):
        match.play_on("mcts:iterations=10000000", cancel=cancel)
    match.play_on("random", until=match.decisions + 5)  # and it can go on
    assert match.decisions >= 5


def test_others_can_look_while_a_bot_thinks() -> None:
    match = Match.create("battles", seed=3)
    cancel = Cancel()
    ended: list[CancelledError] = []

    def think() -> None:
        try:
            match.play_on("mcts:iterations=10000000", cancel=cancel)
        except CancelledError as error:
            ended.append(error)

    thread = threading.Thread(target=think)
    thread.start()
    for _ in range(50):
        assert match.view(0)
    assert thread.is_alive()
    cancel.cancel()
    thread.join(10)
    assert len(ended) == 1


@pytest.mark.parametrize("game", NAMES)
def test_the_match_as_it_stood(game: str) -> None:
    match = Match.create(game, seed=2)
    digests = [match.digest]
    for _ in range(40):
        match.play_on("random", until=match.decisions + 1)
        digests.append(match.digest)
    for decisions in (0, 1, 17, 40):
        past = match.rewound(decisions)
        assert (past.decisions, past.digest) == (decisions, digests[decisions])
        assert past.history == match.history[:decisions]
    for decisions in (-1, 41):
        with pytest.raises(ArgumentError):
            match.rewound(decisions)


@pytest.mark.parametrize("game", NAMES)
@pytest.mark.parametrize("seat", [None, 1, "public"])
def test_frames_are_the_match_as_it_was(game: str, seat: Any) -> None:
    match = Match.create(game, seed=2, setup=CAP)
    expected = []
    parts = ["story", "events", "view", "picture", "sketch", "actions"]
    for number in range(31):
        events = match.log
        view = match.state() if seat is None else match.view(seat)
        known = match.to_act is not None and seat in {None, match.to_act}
        story = match.story(seat, number - 1 if number else 0, until=number)
        expected.append(
            (number, events, view, match.picture(seat), match.sketch(seat), match.to_act, str(story))
        )
        (frame,) = match.frames(number, number, seat=seat, parts=parts)
        assert frame.legal_actions == (match.legal_actions() if known else [])
        match.play_on("random", until=number + 1)
    frames = list(match.frames(0, 30, seat=seat, parts=parts))
    log: list[Any] = []
    for frame, (number, events, view, picture, sketch, to_act, story_text) in zip(
        frames, expected, strict=True
    ):
        log += frame.events
        assert (frame.decision, frame.to_act, frame.view) == (number, to_act, view)
        assert (frame.picture, frame.sketch) == (picture, sketch)
        assert log == events
        if number:
            assert number == 1 or str(frame.story) == story_text  # that of 1 begins with the set-up
            assert frame.seat == expected[number - 1][5]
            if seat is None or seat == frame.seat:
                assert frame.action is not None
                assert frame.action.index == match.history[number - 1]
            else:
                assert frame.action is None
    json.dumps([frame.view for frame in frames])


def test_frames_that_cannot_be() -> None:
    match = Match.create("battles", seed=2)
    for options in ({"first": 1}, {"last": 1}, {"first": -1}, {"seat": 2}, {"seat": -1}, {"parts": ["x"]}):
        with pytest.raises(ArgumentError):
            match.frames(**options)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        match.frames(parts="story")
    with pytest.raises(TypeError):
        match.frames(seat="all")  # type: ignore[arg-type]
