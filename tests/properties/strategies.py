"""Forces and battles that the rules allow, and a way to fight them out with random dice."""

from random import Random

from hypothesis import strategies as st

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
