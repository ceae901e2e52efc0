"""Players of language models against a stand-in endpoint, which behaves well and badly."""

import json
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sengoku import play_matches
from sengoku.bots import Clock, LlmPlayer, LlmSettings, TextBot
from sengoku.bots.llm import endpoint
from sengoku.bots.llm.settings import KEY as KEY_VARIABLE
from sengoku.errors import ArgumentError
from support.model import KEY, Model, Reply, choose, slow, standing_in
from support.players import SHORT

GAMES = ("swords", "tower", "battles")


class Scripted(TextBot):
    """The same answers as the stand-in, without a network."""

    name = "scripted"

    def answer(self, messages: list[dict[str, str]]) -> str:
        """Choose a line."""
        return choose(messages)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    monkeypatch.setattr(endpoint, "_FIRST_PAUSE", 0.01)
    with standing_in(Model()) as found:
        yield found


def playing(model: Model, game: str = "battles", *, clock: Clock | None = None, **settings: Any) -> Any:
    settings = {"url": model.url, "model": "stand-in"} | settings
    wish: dict[str, Any] = {"match_count": 1, "seed": 5, "setup": {"scenario": 1, "max_rounds": 1}}
    if game != "battles":
        wish["setup"] = SHORT[game]
    player = LlmPlayer(LlmSettings(**settings))
    return play_matches(game, players=[player, "random"], clock=clock, replays=True, **wish)


def notes(report: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in report.matches[0].notes.splitlines()]


@pytest.mark.parametrize("game", GAMES)
def test_a_model_plays_as_the_same_answers_do_without_a_network(model: Model, game: str) -> None:
    report = playing(model, game)
    assert report.forfeits == {}
    (match,) = report.matches
    scripted = play_matches(
        game,
        players=[Scripted(), "random"],
        match_count=1,
        seed=5,
        setup=SHORT[game] if game != "battles" else {"scenario": 1, "max_rounds": 1},
    )
    assert match.digest == scripted.matches[0].digest
    costs = match.costs[0]
    assert costs.illegal == costs.fallbacks == 0
    assert costs.requests == len(model.requests) == scripted.matches[0].costs[0].requests
    sent = sum(len(m["content"].split()) for request in model.requests for m in request["messages"])
    assert costs.prompt_tokens == sent
    assert set(model.keys) == {f"Bearer {KEY}"}
    assert "rules" not in model.requests[0]["messages"][1]["content"]
    assert "# " in model.requests[0]["messages"][0]["content"]  # the rules


def test_prompts_answers_and_tokens_are_in_the_record(model: Model) -> None:
    found = notes(playing(model))
    assert [note["model"] for note in found] == ["stand-in"] * len(found)
    asked, answered = (found[0]["said"][place] for place in (0, 1))
    assert asked["role"] == "user"
    assert "Your choices:" in asked["content"]
    assert answered == {"role": "assistant", "content": choose([asked])}
    assert found[0]["prompt_tokens"] > found[0]["answer_tokens"] > 0
    assert {note["seat"] for note in found} == {0}


@pytest.mark.parametrize("status", [429, 500, 503])
def test_failures_that_pass_are_repeated(model: Model, status: int) -> None:
    def fail(number: int) -> None:
        if number % 3:
            raise Reply(status, b"busy")

    model.before = fail
    report = playing(model)
    assert report.forfeits == {}
    assert report.matches[0].costs[0].requests == len(model.requests) > 3
    assert report.matches[0].costs[0].fallbacks == 0


def test_an_endpoint_can_ask_for_time(model: Model) -> None:
    times: list[float] = []

    def fail(number: int) -> None:
        times.append(time.monotonic())
        if number == 1:
            raise Reply(429, b"busy", Retry_After="0.3")

    model.before = fail
    assert playing(model).forfeits == {}
    assert times[1] - times[0] >= 0.3


@pytest.mark.parametrize(
    ("reply", "requests"),
    [
        (Reply(500, b"down"), 3),
        (Reply(401, f"wrong key {KEY}".encode()), 1),
        (Reply(404, b"no such model"), 1),
        (Reply(200, b"<html>gateway</html>"), 1),
        (Reply(200, b'{"choices": []}'), 1),
        (Reply(200, b'{"choices": [{"message": {"content": 7}}]}'), 1),
        (Reply(200, b"data: nonsense\n\n", "text/event-stream"), 1),
        (Reply(302, b"", Location="http://127.0.0.1:1/"), 1),
        (Reply(200, b" " * (2 << 20)), 1),
    ],
)
def test_an_endpoint_that_fails_for_good_forfeits_and_nobody_learns_the_key(
    model: Model, caplog: pytest.LogCaptureFixture, reply: Reply, requests: int
) -> None:
    caplog.set_level(logging.DEBUG)
    # A command that ran in this process may have made it quiet.
    caplog.set_level(logging.DEBUG, "sengoku.bots")

    def fail(_number: int) -> None:
        raise reply

    model.before = fail
    report = playing(model, retries=2)
    assert report.forfeits == {"disconnected": 1}
    assert len(model.requests) == requests
    assert "failed" in notes(report)[0]
    assert "the player stand-in failed" in caplog.text
    for text in (caplog.text, json.dumps(report.to_dict()), repr(report.matches)):
        assert KEY not in text


def test_a_model_that_repeats_the_key_is_not_believed(model: Model) -> None:
    model.answer = lambda messages: f"{KEY}\n{choose(messages)}"
    report = playing(model)
    assert report.forfeits == {}
    assert KEY not in json.dumps(report.to_dict())
    assert "[key]" in json.dumps(report.to_dict())


def test_slow_answers_are_replaced_within_the_clock(model: Model) -> None:
    model.before = slow(5)
    begun = time.monotonic()
    report = playing(model, seconds=0.05, clock=Clock(decision=2.0))
    assert report.forfeits == {}
    costs = report.matches[0].costs[0]
    assert costs.fallbacks == costs.requests == len(notes(report)) > 0
    assert notes(report)[0]["because"] == "late"
    assert time.monotonic() - begun < 10


def test_the_clock_of_the_match_bounds_a_decision_too(model: Model) -> None:
    model.drip = 0.02  # a response that never ends
    report = playing(model, clock=Clock(decision=0.3), match_seconds=0.5)
    assert report.forfeits == {}
    because = [note["because"] for note in notes(report)]
    assert because[:2] == ["late", "late"]
    assert because[-1] == "budget"


def test_illegal_answers_are_corrected(model: Model) -> None:
    def answer(messages: list[dict[str, str]]) -> str:
        return "the best move" if len(messages) == 2 else choose(messages[:2])

    model.answer = answer
    report = playing(model)
    costs = report.matches[0].costs[0]
    assert costs.illegal == len(notes(report)) > 0
    assert costs.fallbacks == 0
    assert "expected a number from 1 to" in notes(report)[0]["said"][2]["content"]


@pytest.mark.parametrize("message", [{}, {"content": None, "refusal": "I must not wage war."}])
def test_illegal_answers_and_refusals_are_counted_and_replaced(model: Model, message: dict[str, Any]) -> None:
    model.answer = lambda _messages: "I would rather not."
    model.message = message
    first, again = playing(model), playing(model)
    assert first.matches[0].digest == again.matches[0].digest  # the fallback is the same each time
    count = len(notes(first))
    costs = first.matches[0].costs[0]
    assert (costs.illegal, costs.fallbacks, costs.requests) == (3 * count, count, 3 * count)
    assert playing(model, fallback="forfeit").forfeits == {"illegal": 1}
    assert playing(model, fallback="first", corrections=0).matches[0].costs[0].illegal > 0


def test_an_endpoint_that_streams_unasked_is_understood(model: Model) -> None:
    def stream(_number: int) -> None:
        text = choose(model.requests[-1]["messages"])
        events = [{"choices": [{"delta": {"content": part}}]} for part in (text[:4], text[4:])]
        events.append({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}})
        lines = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
        raise Reply(200, lines.encode(), "text/event-stream; charset=utf-8")

    plain = playing(model).matches[0]
    model.before = stream
    found = playing(model).matches[0]
    assert found.digest == plain.digest
    assert found.costs[0].prompt_tokens == 5 * found.costs[0].requests


def test_budgets_of_tokens_end_the_questions(model: Model) -> None:
    model.usage = False  # then tokens are estimated
    report = playing(model, match_tokens=1)
    found = notes(report)
    assert found[0]["estimated"]
    assert len(model.requests) == 1
    assert [note.get("because") for note in found[1:]] == ["budget"] * (len(found) - 1)
    assert report.matches[0].costs[0].fallbacks == len(found) - 1


def test_many_matches_are_asked_at_once(model: Model) -> None:
    model.before = slow(0.05)
    player = LlmPlayer(LlmSettings(url=model.url, model="m/stand-in", concurrent=8))
    assert player.name == "stand-in"
    begun = time.monotonic()
    wish: dict[str, Any] = {"match_count": 4, "seed": 5, "setup": {"scenario": 1, "max_rounds": 1}}
    report = play_matches("battles", players=[player, "random"], **wish)
    assert report.forfeits == {}
    assert time.monotonic() - begun < 0.05 * len(model.requests)


# Settings


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({"key": KEY}, "a key must not be in the file"),
        ({"api_key": KEY}, "a key must not be in the file"),
        ({"url": "ftp://host"}, "must begin with https"),
        ({"url": f"https://user:{KEY}@host"}, "must have no user, password or query"),
        ({"url": f"https://host/v1?key={KEY}"}, "must have no user, password or query"),
        ({"url": "https://[bad"}, "is not an address"),
        ({"words": 10}, "llm.words is 10"),
        ({"retries": -1}, "llm.retries is -1"),
        ({"seconds": 0}, "llm.seconds is '0'"),
        ({"temperature": 3.0}, "must be 0 to 2"),
        ({"fallback": "pray"}, "must be one of random, first, forfeit"),
        ({"colour": "red"}, "there is no such setting"),
        ({"rules": "yes"}, "has the wrong type"),
    ],
)
def test_wrong_settings_are_named_and_never_show_a_key(table: dict[str, Any], problem: str) -> None:
    with pytest.raises(ArgumentError, match="llm") as caught:
        LlmSettings.of(table)
    assert problem in str(caught.value)
    assert KEY not in f"{caught.value} {caught.value.details}"


def test_what_is_open_comes_from_the_environment(tmp_path: Path) -> None:
    settings = LlmSettings()
    with pytest.raises(ArgumentError, match="SENGOKU_LLM_URL"):
        settings.resolved({})
    known = {"SENGOKU_LLM_URL": "https://host/v1/", "SENGOKU_LLM_MODEL": "some", KEY_VARIABLE: KEY}
    url, model, key = settings.resolved(known)
    assert (url, model, repr(key)) == ("https://host/v1", "some", "[key]")
    with pytest.raises(ArgumentError, match="because a key is sent to it"):
        settings.resolved(known | {"SENGOKU_LLM_URL": "http://host/v1"})
    assert settings.resolved(known | {"SENGOKU_LLM_URL": "http://host/v1", KEY_VARIABLE: ""})[2] is None
    file = tmp_path / "key"
    file.write_text(f"{KEY}\n")
    found = LlmSettings(key_file=str(file)).resolved(known | {KEY_VARIABLE: ""})[2]
    assert found is not None
    assert found.header() == f"Bearer {KEY}"
    with pytest.raises(ArgumentError, match=r"llm\.key_file"):
        LlmSettings(key_file=str(tmp_path / "none")).resolved(known)
    with pytest.raises(ArgumentError, match=r"llm\.SENGOKU_LLM_KEY") as caught:
        settings.resolved(known | {KEY_VARIABLE: f"{KEY}\n{KEY}"})
    assert KEY not in str(caught.value)
