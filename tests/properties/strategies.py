"""Forces and battles that the rules allow, and a way to fight them out with random dice."""

from random import Random
from typing import Any

from hypothesis import strategies as st

from differential.model_battles_board import distance
from rules.battles.sound import number_of
from sengoku import Match
from sengoku.battles import CARDS, TERRAINS, Piece, Strike
from sengoku.engine.actions import Action
from sengoku.errors import DiceScriptError, SetupError
from sengoku.swords import Battle, Fight, Force

KINDS = ("bow", "gun", "sword", "spear", "ronin")


def orders() -> st.SearchStrategy[str | tuple[str, ...]]:
    """Loss orders, named or written out."""
    return st.one_of(st.sampled_from(["cheapest", "hired_first"]), st.permutations(KINDS).map(tuple))


@st.composite
def forces(draw: st.DrawFn, *, army: bool, largest: int, may_be_disrupted: bool = False) -> Force:
    """An army or a provincial force with at most `largest` units beside the daimyo."""
    disrupted = army and may_be_disrupted and draw(st.booleans())
    samurai = draw(st.integers(0, min(4 if army else 5, largest)))
    ashigaru = draw(st.integers(0, min(10 if army else 5 - samurai, largest - samurai)))
    daimyo = int(army and not disrupted)
    if daimyo + samurai + ashigaru == 0:
        ashigaru = 1
    bow, gun = draw(st.integers(0, samurai)), draw(st.integers(0, ashigaru))
    regulars = daimyo + samurai + ashigaru
    limit = min(largest, regulars if disrupted else regulars - 1)
    return Force(
        daimyo=daimyo,
        bow=bow,
        sword=samurai - bow,
        gun=gun,
        spear=ashigaru - gun,
        ronin=draw(st.integers(0, limit)),
        disrupted=disrupted,
    )


@st.composite
def battles(draw: st.DrawFn, *, largest: int = 14) -> Battle:
    """Any battle with at most about `largest` units in each force."""
    kinds = draw(st.sampled_from([(True,), (False,), (True, False)]))
    fort = draw(st.sampled_from(["none", "none", "castle", "fortress"]))
    try:
        return Battle(
            draw(forces(army=draw(st.booleans()), largest=largest)),
            [draw(forces(army=army, largest=largest, may_be_disrupted=True)) for army in kinds],
            fort=fort,
            fort_lost=draw(st.integers(0, {"none": 0, "castle": 4, "fortress": 5}[fort])),
            naval=draw(st.booleans()),
            attacker_losses=draw(orders()),
            defender_losses=draw(orders()),
            break_off_below=draw(st.sampled_from([0, 0, 1, 2, 4, 29])),
            break_off_after=draw(st.sampled_from([0, 0, 1, 3])),
        )
    except SetupError as error:
        if "both sides together" not in str(error):
            raise
        return Battle(Force(spear=1), Force(spear=1))  # more ronin drawn than there are


def fight_out(battle: Battle, seed: int) -> tuple[Fight, list[int]]:
    """Fights a battle with random dice, as many as it turns out to need."""
    random, dice = Random(seed), []
    while True:
        try:
            return battle.fight(dice=dice), dice
        except DiceScriptError as error:
            dice += [random.randint(1, 12) for _ in range(int(error.details["needed"]) - len(dice))]


def _led(kind: str) -> list[str | None]:
    """The leaders that a unit can have (BT-LEADERS-03)."""
    return [None, "LM"] if kind in ("SSpC", "SBC") else [None, "LF", "LM"]


@st.composite
def pieces(draw: st.DrawFn, kinds: tuple[str, ...]) -> Piece:
    """A unit or a lone leader of one of these kinds."""
    kind = draw(st.sampled_from(kinds))
    chosen = {
        "support": draw(st.booleans()),
        "ignore_flags": draw(st.sampled_from(["all", "all", "none", 1])),
        "room": draw(st.sampled_from([0, 1, 2, 10])),
        "leader_fate": draw(st.sampled_from(["retreat", "seppuku"])),
    }
    lands = [terrain for terrain in TERRAINS if terrain not in ("river", "tent")]
    terrain = draw(st.sampled_from(["open", *lands]))
    if kind in ("LF", "LM"):
        return Piece(kind, terrain=terrain, **chosen)
    blocks = draw(st.integers(1, 4))
    if kind == "BG":
        return Piece(kind, blocks, inspire=draw(st.booleans()), **chosen)
    leader, adjacent = draw(st.sampled_from(_led(kind))), draw(st.booleans())
    inspire = (leader is not None or adjacent) and draw(st.booleans())
    return Piece(
        kind, blocks, leader=leader, terrain=terrain, adjacent_leader=adjacent, inspire=inspire, **chosen
    )


@st.composite
def strikes(draw: st.DrawFn) -> Strike:
    """Any strike that the rules allow."""
    foot, horse = ("SSp", "SB", "ASp", "AB", "AA", "LI"), ("SSpC", "SBC")
    ranged = draw(st.integers(0, 3)) == 0
    if ranged:
        attackers = [draw(pieces(("SB", "AB", "AA", "SBC")))]
        defender = draw(pieces((*foot, *horse, "LF", "LM")))
    else:
        charge = draw(st.integers(0, 5)) == 0
        kinds = ("LI",) if charge else (*foot, *horse, "BG")
        attackers = [draw(pieces(kinds)) for _ in range(draw(st.integers(2, 4)) if charge else 1)]
        defender = draw(pieces((*foot, *horse, "BG") if charge else (*foot, *horse, "BG", "LF", "LM")))
    tokens = st.none() | st.integers(0, 10)
    fields = {
        "ranged": ranged,
        "dice_bonus": draw(st.sampled_from([0, 0, 0, 1, 2])),
        "battle_back": draw(st.integers(0, 3)) > 0,
        "against": draw(st.integers(0, len(attackers) - 1)),
        "attacker_honor": draw(tokens),
        "defender_honor": draw(tokens),
        "pool": draw(tokens),
    }
    if ranged:
        kind = attackers[0].kind
        fields["distance"] = draw(st.integers(2, 4 if kind == "AA" else 3))
        fields["moved"] = kind != "AA" and draw(st.booleans())
    try:
        strike = Strike(attackers, defender, **fields)
    except SetupError as error:
        if "castle" not in str(error):
            raise
        return Strike("SSp", "ASp")  # cavalry that may not battle there
    for side in ("attacker_cards", "defender_cards"):
        for card in draw(st.lists(st.sampled_from(CARDS), max_size=3)):
            cards = {*fields.get(side, ()), card}
            try:
                strike = Strike(attackers, defender, **fields | {side: sorted(cards)})
            except SetupError:
                continue  # not with these pieces
            fields[side] = sorted(cards)
    return strike


PASSED = {"order", "move", "battle", "charge", "take_ground", "bonus_melee", "battle_back", "second_shot"}
"""Questions of `battles` in which passing changes nothing."""
TEMPERS = {"any": (1.0, 1.0, 1.0), "fighter": (0.05, 0.3, 3.0), "dragon": (0.05, 20.0, 3.0)}
"""Preferences of a player of `battles`: to pass, to play dragon cards, to be near the enemy."""


def choose_in_battle(match: Match, state: dict[str, Any], temper: str, rng: Random) -> Action:
    """A decision of a player that fights more, or plays more cards, than a random player."""
    passing, cards, forward = TEMPERS[temper]
    step, legal = state["question"]["step"], match.legal_actions()
    if temper == "any":
        return rng.choice(legal)
    if step == "destination":
        enemies = [number_of(one["hex"]) for one in state["units"] if one["side"] != state["active"]]
        weights = [
            forward ** -min((distance(number_of(action.args["hex"]), enemy) for enemy in enemies), default=0)
            if action.name == "hex" else 0.01
            for action in legal
        ]  # fmt: skip
    elif step == "window":
        weights = [1.0 if action.name == "pass" else cards for action in legal]
    else:
        weights = [passing if action.name == "pass" and step in PASSED else 1.0 for action in legal]
    return rng.choices(legal, weights)[0]
