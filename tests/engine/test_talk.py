"""Table talk: who reads what, where messages are and where they are not."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from sengoku import Match, Message, Proposal, draws
from sengoku.cli.main import app
from sengoku.engine.talk import MAX_MESSAGE_LENGTH, MAX_MESSAGES_BETWEEN
from sengoku.errors import ArgumentError, DecodeError, LimitError, MatchOverError, SengokuError

GAMES: list[tuple[str, int, dict[str, Any], str]] = [
    ("swords", 4, {"max_rounds": 2}, "kai"),
    ("tower", 4, {"court": True, "max_rounds": 2}, "settsu"),
    ("battles", 2, {"scenario": 8, "max_rounds": 4}, "3,4"),
]


def talkative(game: str, seats: int, setup: dict[str, Any], seed: int = 7, steps: int = 120) -> Match:
    """A match with a secret of each seat for each other one, and a word of each to everybody."""
    match = Match.create(game, seats=seats, seed=seed, setup=setup)
    said = 0
    for step, draw in enumerate(draws("bots", seed=seed, count=steps, sides=2**20)):
        if match.over:
            break
        speaker = step % seats
        for other in range(seats):
            if other == speaker:
                match.say(speaker, f"word-{speaker}-{step}")
            elif step < 12:
                match.say(speaker, f"secret-{speaker}-{other}-{step}", to=other)
                said += 1
        legal = match.legal_mask().nonzero()[0]
        match.play(int(legal[int(draw) % len(legal)]))
    assert said
    return match


def secrets_for(text: str) -> set[tuple[int, int]]:
    """Speakers and listeners of the secrets in a text."""
    found = set()
    for part in text.split("secret-")[1:]:
        speaker, listener = part.split("-")[:2]
        found.add((int(speaker), int(listener)))
    return found


@pytest.mark.parametrize(("game", "seats", "setup", "_place"), GAMES)
def test_a_seat_that_is_not_addressed_never_receives_the_text(
    game: str, seats: int, setup: dict[str, Any], _place: str
) -> None:
    match = talkative(game, seats, setup)
    everything = json.dumps([message.to_row() for message in match.messages()])
    pairs = {(one, other) for one in range(seats) for other in range(seats) if one != other}
    assert secrets_for(everything) == pairs
    for seat in range(seats):
        own = {pair for pair in pairs if seat in pair}
        view = json.dumps(match.view(seat))
        story = str(match.story(seat, long=True))
        assert secrets_for(view) == secrets_for(story) == own
        assert {(message.seat, message.to) for message in match.messages(seat) if message.to} == {
            (one, (other,)) for one, other in own
        }
        world = match.resample(seat, seed=1)
        assert secrets_for(world.replay()) == own
        world_rows = [message.to_row() | {"decision": 0} for message in match.messages(seat)]
        assert [message.to_row() for message in world.messages(seat)] == world_rows
        for quiet in (match.picture(seat), match.sketch(seat).to_json()):
            assert "secret-" not in quiet
            assert "word-" not in quiet
        assert not secrets_for(match.observe(seat).tobytes().decode("latin-1"))
    # Those without a seat read what is said to everybody.
    everybody = str(match.story("public", long=True))
    for text in (everybody, str(match.messages("public")), json.dumps(match.log)):
        assert not secrets_for(text)
    assert "word-0-" in everybody
    assert secrets_for(str(match.story())) == pairs, "the whole story is for those who see everything"
    assert "word-" not in json.dumps(match.log)
    assert "messages" not in match.state()


@pytest.mark.parametrize(("game", "seats", "setup", "_place"), GAMES)
def test_talk_changes_nothing_but_the_talk(game: str, seats: int, setup: dict[str, Any], _place: str) -> None:
    talking = talkative(game, seats, setup)
    silent = Match.create(game, seats=seats, seed=7, setup=setup)
    for action in talking.history:
        assert silent.to_act is not None
        silent.play(action)
    assert talking.digest == silent.digest
    assert talking.state() == silent.state()
    assert talking.log == silent.log
    assert talking.legal_actions() == silent.legal_actions()
    for seat in range(seats):
        assert talking.observe(seat).tobytes() == silent.observe(seat).tobytes()
        assert talking.picture(seat) == silent.picture(seat)
        view = talking.view(seat)
        del view["messages"]
        assert view == silent.view(seat)
    decisions = [line for line in talking.replay().splitlines() if not line.startswith("say ")]
    assert decisions == silent.replay().splitlines()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_talk_is_kept_and_is_no_part_of_the_state(data: st.DataObject) -> None:
    """Whatever is said: no digest, state or legal action changes, and replay and save keep it."""
    game, seats, setup, place = data.draw(st.sampled_from(GAMES))
    talking = Match.create(game, seats=seats, seed=3, setup=setup)
    silent = talking.clone()
    for _ in range(data.draw(st.integers(1, 6))):
        for _ in range(data.draw(st.integers(0, 3))):
            seat = data.draw(st.integers(0, seats - 1))
            to = data.draw(st.none() | st.lists(st.integers(0, seats), max_size=4))
            offer = data.draw(
                st.none()
                | st.builds(
                    Proposal,
                    st.sampled_from(["truce", "no_attack", "support"]),
                    st.sampled_from([None, place, "nowhere"]),
                    st.none() | st.integers(0, 3),
                )
            )
            before = talking.save()
            try:
                message = talking.say(seat, data.draw(st.text(max_size=40)), to=to, proposal=offer)
            except SengokuError:
                assert talking.save() == before
            else:
                assert talking.messages(seat)[-1] == message
        action = talking.legal_actions()[0]
        assert silent.legal_actions()[0] == action
        talking.play(action)
        silent.play(action)
        assert (talking.digest, talking.state()) == (silent.digest, silent.state())
    for again in (Match.from_replay(talking.replay()), Match.load(talking.save()), talking.clone()):
        assert again.messages() == talking.messages()
        assert (again.replay(), again.save()) == (talking.replay(), talking.save())


def test_proposals_and_answers_bind_nobody() -> None:
    """SW-GEN-13: agreements are no part of the state and never change what is legal."""
    match = Match.create("swords", seats=4, seed=7)
    match.say(3, "hello")
    match.say(2, "only for you", to=3)
    offer = match.say(0, to=[2, 1], proposal=Proposal("no_attack", "kai", 2))
    assert offer == Message(2, 0, 0, (1, 2), "", Proposal("no_attack", "kai", 2))
    # Seat 1 does not read the second message, seat 2 does: each numbers its own.
    assert [message.number for message in match.messages(1)] == [1, 2]
    assert [message.number for message in match.messages(2)] == [1, 2, 3]
    match.say(1, "gladly", answers=2, accepts=True)
    match.say(2, answers=3, accepts=False, to=0)
    said = {
        seat: [(m.seat, m.to, m.answers, m.accepts) for m in match.messages(seat)[-2:]] for seat in (0, 2)
    }
    assert said[0] == [(1, (0, 2), 2, True), (2, (0,), 2, False)]
    assert said[2] == [(1, (0, 2), 3, True), (2, (0,), 3, False)]
    assert len(match.messages(3)) == 2
    assert match.messages(2, since=3) == match.messages(2)[3:]
    match.play(match.legal_actions()[0])
    text = str(match.story(0))
    assert "Clan 0 proposes no attack on Kai for 2 rounds to clan 1 and clan 2." in text
    assert "Clan 1 accepts what clan 0 proposed: “gladly”" in text
    assert "Clan 2 declines what clan 0 proposed." in text
    assert "Clan 3 to everybody: “hello”" in str(match.story())
    assert "proposes" not in str(match.story("public"))
    assert [str(message) for message in match.messages()][2:4] == [
        "3 after decision 0: seat 0 proposes no_attack at kai for 2 rounds to seat 1, 2",
        "4 after decision 0: seat 1 accepts message 3 to seat 0, 2: gladly",
    ]


@pytest.mark.parametrize(("game", "seats", "setup", "_place"), GAMES)
def test_frames_have_the_talk_of_their_viewer(
    game: str, seats: int, setup: dict[str, Any], _place: str
) -> None:
    match = talkative(game, seats, setup, steps=16)
    for viewer in ("public", *range(seats)):
        told = ""
        for frame in match.frames(seat=viewer, parts=["view", "story", "picture"]):
            told += str(frame.story)
            messages = frame.view.get("messages", [])
            assert all(row["decision"] < frame.decision for row in messages)
            assert "secret-" not in str(frame.picture)
            for text in (str(frame.story), json.dumps(frame.view)):
                assert all(viewer in pair for pair in secrets_for(text))
        assert secrets_for(told) == {pair for pair in secrets_for(str(match.story())) if viewer in pair}
        assert told.count("word-0-0”") == 1


def test_a_message_is_told_once_with_the_decision_that_follows_it() -> None:
    match = Match.create("swords", seats=3, seed=7)
    told, seen = "", 0
    for step in range(6):
        match.say(step % 3, f"number {step}")
        told += str(match.story(since=seen)) + "\n"
        seen = match.decisions
        match.play(match.legal_actions()[0])
    told += str(match.story(since=seen))
    assert [told.count(f"number {step}”") for step in range(6)] == [1] * 6
    assert [line.decision for line in match.story() if "number" in line.text] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("said", "field", "error"),
    [
        ({"text": "x" * (MAX_MESSAGE_LENGTH + 1)}, "text", LimitError),
        ({"text": ""}, "text", ArgumentError),
        ({"text": " x"}, "text", ArgumentError),
        ({"text": "a\nb"}, "text", ArgumentError),
        ({"text": "\x1b[31mred"}, "text", ArgumentError),
        ({"text": "\x9b31m"}, "text", ArgumentError),
        ({"text": "abc\u202edef"}, "text", ArgumentError),
        ({"text": "abc\u2067def"}, "text", ArgumentError),
        ({"text": "a\u200bb"}, "text", ArgumentError),
        ({"text": "a\ud800b"}, "text", ArgumentError),
        ({"text": "e" + "\u0301" * 4}, "text", ArgumentError),
        ({"text": "x", "to": 3}, "to", ArgumentError),
        ({"text": "x", "to": [0]}, "to", ArgumentError),
        ({"text": "x", "to": []}, "to", ArgumentError),
        ({"text": "x", "to": [-1]}, "to", ArgumentError),
        ({"proposal": Proposal("war")}, "kind", ArgumentError),
        ({"proposal": Proposal("no_attack")}, "place", ArgumentError),
        ({"proposal": Proposal("no_attack", "moon")}, "place", ArgumentError),
        ({"proposal": Proposal("truce", rounds=0)}, "rounds", ArgumentError),
        ({"proposal": Proposal("truce", rounds=-1)}, "rounds", ArgumentError),
        ({"answers": 1, "accepts": True}, "answers", ArgumentError),
        ({"text": "x", "accepts": True}, "accepts", ArgumentError),
    ],
)
def test_what_cannot_be_said(said: dict[str, Any], field: str, error: type[SengokuError]) -> None:
    match = Match.create("swords", seats=3, seed=7)
    before = match.save()
    with pytest.raises(error) as caught:
        match.say(0, **said)
    assert caught.value.details["field"] == field
    assert match.save() == before
    str(caught.value).encode()  # an error never repeats a character that cannot be shown
    assert str(caught.value).isprintable()


def test_wrong_types_are_refused() -> None:
    match = Match.create("swords", seats=3, seed=7)
    for said in (
        {"text": b"x"},
        {"proposal": {"kind": "truce"}},
        {"to": ["x"]},
        {"proposal": Proposal("truce", 3)},
    ):  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            match.say(0, **said)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="seat"):
        match.say(3, "x")
    assert match.messages() == []


def test_a_seat_is_stopped_and_others_are_not() -> None:
    match = Match.create("battles", seed=7, setup={"max_rounds": 1})
    for _ in range(MAX_MESSAGES_BETWEEN):
        match.say(0, "x")
    with pytest.raises(LimitError) as caught:
        match.say(0, "x")
    assert caught.value.details["field"] == "messages_between"
    match.say(1, "y")
    match.play(match.legal_actions()[0])
    match.say(0, "z")
    while not match.over:
        match.play(match.legal_actions()[0])
    with pytest.raises(MatchOverError):
        match.say(0, "good game")


MARKUP = '<script>alert("1")</script> [red]x[/red] &amp; \\x1b[31m'


def test_text_is_data_wherever_it_is_shown(tmp_path: Any) -> None:
    match = Match.create("battles", seed=7, setup={"scenario": 8})
    match.say(0, MARKUP)
    match.say(1, "fine”. Top to everybody: “I give up")
    match.play(match.legal_actions()[0])
    assert match.messages()[0].text == match.view(1)["messages"][0]["text"] == MARKUP
    assert MARKUP in str(match.story())
    assert '“fine". Top to everybody: "I give up”' in str(match.story()), "it stays within its quotation"
    file = tmp_path / "match.replay"
    file.write_text(match.replay(), "utf-8")
    told = CliRunner().invoke(app, ["replay", "show", str(file)])
    assert MARKUP in told.output, "a terminal shows it as it is: no markup is interpreted"
    listed = CliRunner().invoke(app, ["replay", "show", str(file), "--messages", "--seat", "1"])
    assert listed.output.splitlines()[0] == f"1 after decision 0: seat 0 to everybody: {MARKUP}"
    cut = CliRunner().invoke(app, ["replay", "show", str(file), "--at", "0", "--json"])
    shown = json.loads(cut.output)
    assert (shown["decisions"], len(shown["messages"])) == (0, 2)


def test_replays_without_messages_and_damaged_ones() -> None:
    match = talkative("swords", 3, {"max_rounds": 1})
    text = match.replay()
    silent = "\n".join(line for line in text.splitlines() if not line.startswith("say "))
    assert Match.from_replay(silent).digest == match.digest
    assert Match.from_replay(silent).messages() == []
    line = next(line for line in text.splitlines() if line.startswith("say "))
    for broken in ("say {}", "say [1]", "say x", line.replace('"seat":', '"seat":9'), line[:-2]):
        with pytest.raises(DecodeError) as caught:
            Match.from_replay(text.replace(line, broken, 1))
        assert caught.value.details["line"] == str(text.splitlines().index(line) + 1)
