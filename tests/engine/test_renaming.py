"""Other names: a bijection of words that nothing else depends on."""

import json
import random
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from sengoku import Match
from sengoku.engine.tell import Choices, Renaming
from sengoku.engine.tell.renaming import CARDS
from sengoku.rules import rules

DATA = Path(__file__).parents[2] / "rust" / "battles" / "data"
SETUPS: list[tuple[str, dict[str, Any]]] = [
    ("swords", {"seats": 4}),
    ("tower", {"seats": 5, "setup": {"court": True, "mode": "draft"}}),
    ("battles", {"setup": {"scenario": 8}}),
]


@pytest.mark.parametrize("game", ["swords", "tower", "battles"])
def test_no_two_names_become_one(game: str) -> None:
    table = Renaming(game, seed=3).table()
    assert len(set(table.values())) == len(table) > 40
    real = {word.lower() for name in table for word in re.findall("[A-Za-z]+", name)}
    new = [
        word.lower() for name in table.values() for word in re.findall("[A-Za-z0-9]+", name) if word != "C"
    ]
    assert not real & set(new)
    words = {word.lower() for word in re.findall("[A-Za-z]+", rules(game))}
    assert not words & set(new)
    for seed, number in ((4, 0), (3, 1)):
        other = Renaming(game, seed, number).table()
        assert sum(table[name] == other[name] for name in table) < len(table) / 4
    assert Renaming(game, 3).table() == table


@pytest.mark.parametrize(("game", "given"), SETUPS)
def test_texts_can_be_translated_back(game: str, given: dict[str, Any]) -> None:
    names, rng = Renaming(game, seed=11, match_index=2), random.Random(5)
    match = Match.create(game, seed=9, **given)
    text = rules(game, prompt=True)
    assert names.reveal(names.hide(text)) == text != names.hide(text)
    while not match.over and match.decisions < 250:
        if match.decisions % 5 == 0:
            for seat in range(match.seats):
                text = match.tell(seat)
                hidden = names.hide(text)
                assert names.reveal(hidden) == text
                assert len(hidden.split()) == len(text.split())
            hidden = names.hide_json(json.dumps(match.view(0)))
            assert len(re.findall(r'"|\d+', hidden)) == len(re.findall(r'"|\d+', json.dumps(match.view(0))))
        match.play(rng.choice(match.legal_actions()))


@pytest.mark.parametrize(("game", "given"), SETUPS)
def test_answers_in_other_words_mean_the_same(game: str, given: dict[str, Any]) -> None:
    names, rng = Renaming(game, seed=11), random.Random(5)
    match = Match.create(game, seed=9, **given)
    for _ in range(60):
        actions = match.legal_actions()
        row = json.loads(names.hide_json(match._core.legal_texts()))
        renamed = Choices([type(actions[0])(**each) for each in row])
        plain = Choices(actions)
        assert [names.reveal(line) for line in renamed.lines] == plain.lines
        for action, other in zip(actions, row, strict=True):
            said = renamed.answer(other["text"])
            assert not isinstance(said, Choices)
            # Some sentences stand for several actions; then both lists mean the same one of them.
            meant = plain.answer(action.text)
            assert not isinstance(meant, Choices)
            assert said.index == meant.index
        match.play(rng.choice(actions))


def test_the_lists_of_names_are_those_of_the_data() -> None:
    data = tomllib.loads((DATA / "cards.toml").read_text())
    known = {row["name"] for kind in ("command", "dragon") for row in data[kind]}
    descriptive = {name for name in known if re.match("Order|Advance", name)}
    short = {re.sub(r" (Left|Right|\(.*\))$", "", name) for name in known - descriptive}
    assert set(CARDS["battles"]) == short
    people = Renaming("battles", 0).table()
    for path in (DATA / "deployments").glob("*.toml"):
        for name in re.findall(r"(?:LF|LM|AC)\(([^)]*)\)", path.read_text()):
            assert set(re.findall("[A-Z][a-z]+", name)) <= set(people)
