"""Tournaments with players that read and answer in text: costs, notes, and other names."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sengoku.bots import TextBot
from sengoku.bots.llm import endpoint
from sengoku.bots.llm.settings import KEY as KEY_VARIABLE
from sengoku.errors import ArgumentError
from sengoku.storage import Store
from sengoku.tournament import FORMATS, Record, TournamentSpec, parse_spec, play
from support import cli
from support.model import KEY, Model, Reply, choose, standing_in

GAMES = """
seed = 5
blocks = 1
clock = {decision = 20.0}
games = [{game = "battles", setup = {scenario = 1, max_rounds = 2}, group = 2}]
"""


class Reader(TextBot):
    """Takes the last of its choices; now and then it does not understand the question."""

    name = "reader"

    def answer(self, messages: list[dict[str, str]]) -> str:
        """Answer with a number, or with nonsense."""
        asked = messages[-1]["content"]
        return "what?" if len(messages) == 2 and len(asked) % 2 else choose(messages[:2])


READER = '{name = "reader", python = "tournament.test_text_players:Reader", trusted = true}'


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    monkeypatch.setattr(endpoint, "_FIRST_PAUSE", 0.01)
    with standing_in(Model()) as found:
        yield found


def text(*bots: str, more: str = "") -> str:
    return f"{more}\n{GAMES}\nbots = [{', '.join(bots)}]\n"


def llm(model: Model, **more: object) -> str:
    settings = "".join(f", {name} = {json.dumps(value)}" for name, value in more.items())
    return f'{{name = "model", llm = {{url = "{model.url}", model = "stand-in"{settings}}}}}'


def played(spec: str, store: Store | None = None) -> Record:
    return play(Record.create(store or Store(), parse_spec(spec)))


def test_costs_stand_beside_points(model: Model) -> None:
    record = played(text(llm(model), READER, '{name = "random"}'))
    rows = {row["bot"]: row for row in record.tables().cost_table().as_dicts()}
    assert set(rows) == {"model", "reader"}
    matches = [match for _, match in record.matches() if 0 in match.bots]
    sent = sum(match.costs[match.bots.index(0)].prompt_tokens for match in matches)
    assert rows["model"]["prompt_tokens"] == pytest.approx(sent / len(matches), abs=0.1)
    assert rows["model"]["requests"] == len(model.requests)
    assert rows["model"]["illegal"] == 0
    assert rows["reader"]["prompt_tokens"] == 0
    assert int(rows["reader"]["illegal"] or 0) > 0
    assert float(rows["model"]["seconds"] or 0.0) > 0
    points = {row["bot"]: row["points"] for row in record.tables().standings().as_dicts()}
    assert rows["model"]["points"] == points["model"]
    for form in ("md", "html", "json"):
        assert "prompt" in FORMATS[form](record, record.tables())


def test_prompts_are_kept_and_the_key_is_not(model: Model, tmp_path: Path) -> None:
    model.answer = lambda messages: f"{KEY} {choose(messages)}"
    file, path = tmp_path / "t.toml", tmp_path / "t.sqlite3"
    file.write_text(text(llm(model), '{name = "random"}'))
    with Store(path) as store:
        record = played(file.read_text(), store)
        name = next(name for name, match in record.matches())
        assert record.replay(name).over
        found = record.notes(name)
    assert found[0]["model"] == "stand-in"
    assert "Your choices:" in found[0]["said"][0]["content"]
    shown = cli.run("tournament", "replay", str(file), name, "--notes")
    assert [json.loads(line) for line in shown.stdout.splitlines()] == found
    assert KEY not in "".join(
        [shown.stdout, json.dumps(found), record.spec.to_json(), file.read_text(), repr(record.spec)]
    )
    assert KEY.encode() not in path.read_bytes()
    assert "asks the model stand-in of 127.0.0.1" in cli.run("tournament", "table", str(file)).stdout


def test_an_outage_is_repeated_like_a_crash(model: Model) -> None:
    def fail(number: int) -> None:
        if number < 3:
            raise Reply(503, b"down")

    model.before = fail
    record = played(text(llm(model, retries=0), '{name = "random"}', more="retries = 3"))
    assert not record.tables().fault_table().rows


def test_other_names_change_only_the_words(model: Model) -> None:
    entries = (READER.replace("Reader", "Plain"), llm(model), '{name = "greedy"}')
    plain = played(text(*entries))
    asked, model.requests = model.requests, []
    renamed = played(text(*entries, more="rename = true"))
    assert renamed.results() == plain.results()  # digests too
    assert len(model.requests) == len(asked)
    first = [requests[0]["messages"] for requests in (asked, model.requests)]
    assert [len(m["content"].split()) for m in first[0]] == [len(m["content"].split()) for m in first[1]]
    assert "ashigaru" in first[0][0]["content"]
    assert not {"ashigaru", "samurai"} & set(first[1][0]["content"].lower().split())


class Plain(TextBot):
    """Takes the last of its choices."""

    name = "plain"

    def answer(self, messages: list[dict[str, str]]) -> str:
        """Answer with a number."""
        return choose(messages)


def test_files_are_read_and_stored(model: Model) -> None:
    spec = parse_spec(text(llm(model, words=700), READER, more="rename = true"))
    assert spec.bots[0].llm is not None
    assert (spec.bots[0].kind, spec.bots[0].llm.words, spec.rename) == ("llm", 700, True)
    assert TournamentSpec.from_json(spec.to_json()) == spec
    plain = parse_spec(text(READER, '{name = "random"}'))
    assert "rename" not in plain.to_json()
    assert "llm" not in plain.to_json()


@pytest.mark.parametrize(
    ("entry", "field", "problem"),
    [
        (f'{{name = "m", llm = {{key = "{KEY}"}}}}', "bots[0].llm.key", "must not be in the file"),
        ('{name = "m", llm = {words = 1}}', "bots[0].llm.words", "300"),
        ('{name = "m", llm = {wort = 1}}', "bots[0].llm.wort", "no such setting"),
        ('{name = "m", bot = "random", llm = {}}', "bots[0].llm", "together with bot"),
        ('{name = "m", llm = 3}', "bots[0].llm", "must be a table"),
    ],
)
def test_wrong_entries_are_named(entry: str, field: str, problem: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        parse_spec(text(entry, READER))
    assert caught.value.details["field"] == field
    assert problem in str(caught.value)
    assert KEY not in f"{caught.value}{caught.value.details}"


def test_the_command_line_plays_a_model(
    model: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "model.toml"
    settings.write_text(f'url = "{model.url}"\nmodel = "stand-in"\n')
    words = ["bot", "play", "--game", "battles", "--matches", "1", "--setup", "max_rounds=1", "--json"]
    found: list[dict[str, Any]] = [json.loads(cli.run(*words, "--llm", str(settings)).stdout)]
    monkeypatch.setenv("SENGOKU_LLM_URL", model.url)
    found.append(json.loads(cli.run(*words, "--llm", "stand-in", "--rename").stdout))
    assert found[0]["standings"][0]["costs"]["prompt_tokens"] > 0
    digests = [[match["digest"] for match in report["matches"]] for report in found]
    assert digests[0] == digests[1]
