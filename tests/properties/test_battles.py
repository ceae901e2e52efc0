"""Random legal play of `battles` keeps what is always true, and its log adds up to the state."""

import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from differential.battles_positions import name_of, random_position
from differential.model_battles_board import scenario
from properties.strategies import TEMPERS, choose_in_battle
from rules.battles.sound import DEFERRED, LINKED, SIDES, Account, check, check_step
from sengoku import Match
from sengoku.errors import SetupError

ROOT = Path(__file__).parents[2]
BATTLES: list[dict[str, Any]] = [
    *({"scenario": number} for number in range(1, 41)),
    *({"campaign": number} for number in LINKED),
]


def number_of_battle(setup: dict[str, Any]) -> int:
    return int(setup.get("scenario") or setup["campaign"])


def play_on(match: Match, temper: str, rng: Random, decisions: int) -> Counter[str]:
    """Plays, checks every state and returns the questions that came up."""
    account, before, seen = Account(match), match.state(), Counter[str]()
    check(before)
    for decision in range(decisions):
        if match.over:
            break
        seen[before["question"]["step"]] += 1
        assert match.to_act == SIDES.index(before["question"]["asked"])
        match.play(choose_in_battle(match, before, temper, rng))
        after = match.state()
        check(after)
        if before["scenario"] == after["scenario"] and before["question"]["step"] not in DEFERRED:
            check_step(before, after)
        if decision % 10 == 0 or match.over:  # a log is read from its beginning every time
            account.follow(match)
        before = after
    account.follow(match)
    assert match.over == (match.to_act is None) == (before["over"] is not None)
    return seen


def spoil(state: dict[str, Any], what: str) -> None:
    """Makes a state wrong in one way."""
    units, leaders = state["units"], state["leaders"]
    if what == "token":
        state["honor"]["top"] += 1
    elif what == "command card":
        state["command"]["deck"].append(state["command"]["hands"]["top"][0])
    elif what == "dragon card":
        state["dragon"]["discards"].append(state["dragon"]["deck"].pop(0))
        state["dragon"]["deck"][0] = state["dragon"]["deck"][1]
    elif what == "blocks":
        units[0]["blocks"] = 5
    elif what == "hex":
        units[0]["hex"] = units[1]["hex"]
    elif what == "board":
        units[0]["hex"] = "3,11"
    elif what == "enemies":
        leaders[0]["hex"] = next(one["hex"] for one in units if one["side"] != leaders[0]["side"])
    elif what == "river":
        place = scenario(state["scenario"]).terrain.index("river")
        units[0]["hex"] = name_of(place)
    elif what == "banners":
        state["banners"]["top"] = state["banners_to_win"]["top"]
    elif what == "mark":
        state["marked"] = ["5,5"]
    elif what == "asked":
        state["question"]["asked"] = "bottom" if state["active"] == "top" else "top"


@pytest.mark.parametrize(
    "what",
    [
        "token", "command card", "dragon card", "blocks", "hex", "board", "enemies", "river", "banners",
        "mark", "asked",
    ],
)  # fmt: skip
def test_the_check_is_not_blind(what: str) -> None:
    state = Match.create("battles", seed=1, setup={"scenario": 6}).state()
    check(state)
    spoil(state, what)
    with pytest.raises(AssertionError):
        check(state)


def test_the_account_is_not_blind() -> None:
    match = Match.create("battles", seed=1, setup={"scenario": 8})
    for change in (("units", "x"), ("honor", 1), ("banners", 1), ("tents", None), ("hands", 1)):
        account = Account(match)
        account.follow(match)
        table: Any = getattr(account, change[0])
        if change[0] == "hands":
            table["dragon"]["top"] += 1
        elif change[0] == "units":
            next(iter(table.values()))[2] -= 1
        elif change[0] == "tents":
            table["top"] = not table["top"]
        else:
            table["top"] += 1
        with pytest.raises(AssertionError):
            account.follow(match)


@settings(deadline=None, max_examples=30)
@given(
    setup=st.sampled_from(BATTLES),
    seed=st.integers(0, 2**64 - 1),
    temper=st.sampled_from([*TEMPERS, "fighter"]),
    choices=st.integers(0, 2**32),
    decisions=st.integers(1, 400),
)
def test_random_play_keeps_the_invariants(
    setup: dict[str, Any], seed: int, temper: str, choices: int, decisions: int
) -> None:
    match = Match.create("battles", seed=seed, setup=setup)
    state, scene = match.state(), scenario(number_of_battle(setup))
    for side, army in zip(SIDES, scene.armies, strict=True):
        assert len(state["command"]["hands"][side]) == army.command_cards, "BT-SCEN-01"
        assert len(state["dragon"]["hands"][side]) == army.dragon_cards, "BT-SCEN-01"
        assert state["honor"][side] == army.honor, "BT-SCEN-01"
    assert Counter(one.kind for one in scene.units) == Counter(one["unit"] for one in state["units"])
    play_on(match, temper, Random(choices), decisions)


@settings(deadline=None, max_examples=60)
@given(
    setup=st.sampled_from(BATTLES), seed=st.integers(0, 2**32), temper=st.sampled_from(["fighter", "dragon"])
)
def test_rare_positions_keep_the_invariants(setup: dict[str, Any], seed: int, temper: str) -> None:
    rng = Random(seed)
    state = Match.create("battles", seed=seed, setup=setup).state()
    position = random_position(rng, state, scenario(state["scenario"]))
    if "campaign" in setup:
        position["banners"] = dict.fromkeys(SIDES, 4)
    match = Match.create("battles", seed=seed, setup=setup | {"position": position})
    play_on(match, temper, rng, 150)


FILES = ROOT / "rust/battles/data/deployments"
OWN = re.findall(r"```toml\n(.*?)```", (FILES / "FORMAT.md").read_text("utf-8"), re.DOTALL)[1]
"""The custom battle that the description of the format shows."""
HEX = re.compile(r"\d+,\d+")
TILE = re.compile(r"(?<=[.fhrd])[.fhrd](?=[.fhrd])")
NUMBER = re.compile(r"(?<== )\d+")
LETTER = re.compile(r".", re.DOTALL)
CHANGES: list[tuple[re.Pattern[str], list[str]]] = [
    (HEX, ["0,0", "4,5", "5,4", "9,10", "10,11", "3,11", "11,0", "5,", "-1,3"]),
    (TILE, [*".fhrdbBcgt#C", "x"]),
    (NUMBER, ["0", "1", "2", "5", "20", "30", "256", "-1", "1.5", '"3"', "true"]),
    (LETTER, ["", "9", '"', "]", "\n", "\0", "é", "@", "+LF"]),
]
"""Replacements in a file: a hex, a tile, a number, any letter."""


@settings(deadline=None, max_examples=60)
@given(
    changes=st.lists(st.tuples(st.sampled_from(CHANGES), st.randoms(use_true_random=False)), max_size=3),
    choices=st.integers(0, 2**32),
)
def test_changed_files_are_refused_with_their_place_or_played(
    changes: list[tuple[tuple[re.Pattern[str], list[str]], Random]], choices: int
) -> None:
    text = OWN
    for (what, instead), rng in changes:
        found = rng.choice(list(what.finditer(text)))
        text = text[: found.start()] + rng.choice(instead) + text[found.end() :]
    rng, refused, match = Random(choices), {"field": "scenario_text"}, None
    try:
        match = Match.create("battles", seed=choices, setup={"scenario_text": text})
    except SetupError as error:
        refused = error.details
    assert refused["field"].startswith("scenario_text")
    if match is None:
        assert refused["reason"]
        return
    for _ in range(120):
        if not match.over:
            match.play(rng.choice(match.legal_actions()))
    state = match.state()
    assert sum(state["honor"].values()) + state["pool"] + state["tokens"] == 30, "BT-COMP-03"
    assert Match.load(match.save()).digest == match.digest
    assert Match.from_replay(match.replay()).digest == match.digest
