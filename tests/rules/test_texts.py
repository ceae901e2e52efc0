"""The texts of the rules: complete, short, and every paragraph names rules that exist."""

import json
import re

import pytest

from ledger.coverage import GAMES, areas
from sengoku import rules as texts
from sengoku.errors import ArgumentError
from support.cli import run
from tools import rule_index

# Areas of state, chance, decisions, examples and rulings, which are for engines and not for players.
_NOT_FOR_PLAYERS = {"D", "NW", "RND", "RNG", "S", "ST", "X", "EX", "FACT", "RAND", "DP", "SCEN", "R"}


@pytest.mark.parametrize("game", GAMES)
def test_every_paragraph_cites_rules_of_its_game(game: str) -> None:
    known = {rule for area in areas(game).values() for rule in area}
    for paragraph, ids in texts.paragraphs(game):
        assert ids, paragraph
        assert set(ids) <= known, set(ids) - known
        assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("game", GAMES)
def test_every_area_for_players_is_told(game: str) -> None:
    def area(rule: str) -> str:
        return rule.rpartition("-")[0].partition("-")[2]

    prefixed = {rule for part in areas(game).values() for rule in part if re.match(r"(SW|TW|CT|BT)-", rule)}
    cited = {rule for _, ids in texts.paragraphs(game) for rule in ids}
    left_out = {area(rule) for rule in prefixed} - {area(rule) for rule in cited}
    assert left_out <= _NOT_FOR_PLAYERS | {"COMP", "ROUND", "END"}, left_out


@pytest.mark.parametrize("game", GAMES)
def test_the_short_form_is_short(game: str) -> None:
    prompt = texts.rules(game, prompt=True)
    assert len(prompt.splitlines()) <= 150
    assert len(prompt.split()) < 2000
    assert not re.search(r"\b(SW|TW|CT|BT)-", prompt)
    assert texts.rules(game).startswith(f"# {game}\n")
    assert {title for title in texts.sections(game) if f"## {title}\n" not in prompt} == set()


def test_a_section_is_found_by_the_beginning_of_its_title() -> None:
    assert texts.rules("swords", "war, phase c").startswith("## War, phase C: battles\n")
    with pytest.raises(ArgumentError, match="did you mean Winter"):
        texts.rules("tower", "wintr")
    with pytest.raises(ArgumentError, match="there are Aim, Pieces"):
        texts.rules("tower", "xyzzy")
    with pytest.raises(ArgumentError, match="must be one of swords, tower, battles"):
        texts.rules("go")


def test_a_rule_has_its_sentence_and_near_misses_are_named() -> None:
    rule = texts.find_rule("bt-melee-10")
    assert rule.game == "battles"
    assert "rank" in rule.sentence
    assert any("ranks ignore swords" in paragraph for paragraph in rule.text)
    with pytest.raises(ArgumentError, match="did you mean"):
        texts.find_rule("tw-battel-01")


def test_the_index_names_code_and_tests() -> None:
    index = rule_index.index()
    assert "rust/battles/src/data/units.rs" in index["BT-MELEE-10"]["code"]
    assert any(place.startswith("tests/rules/battles/") for place in index["BT-MELEE-10"]["tests"])
    known = {rule for game in GAMES for area in areas(game).values() for rule in area}
    assert set(index) <= known
    untested = {rule for rule in known if not index.get(rule, {}).get("tests")}
    assert untested == set()


def test_the_commands_print_rules() -> None:
    assert run("rules", "tower", "--section", "aim").stdout == texts.rules("tower", "Aim") + "\n"
    assert run("rules", "tower", "--prompt").stdout == texts.rules("tower", prompt=True) + "\n"
    shown = run("rule", "TW-GEN-06").stdout
    assert shown.startswith("TW-GEN-06 (tower, terms): whoever has an army")
    assert json.loads(run("rule", "TW-GEN-06", "--json").stdout)["id"] == "TW-GEN-06"
    assert "did you mean" in run("rule", "tw-gne-06", code=2).words
