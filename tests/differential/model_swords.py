"""A slow, obvious model of one battle of `swords`, written from the rule ledger alone.

It covers what dice and losses decide: naval first strike, combat rounds, casualties, calling off. It knows no
map, no clans and no ninja windows, so what ends a battle from outside (SW-R-36, SW-R-90) is not in it; here
the loss of all units of a disrupted army never ends the battle while a provincial force goes on defending.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import comb
from typing import TypeVar

TYPES = ("bow", "gun", "sword", "spear", "ronin")
DEFAULT_LOSSES = ("spear", "gun", "ronin", "sword", "bow")  # the order of SW-X-07
DIE = 12
CASTLE_BONUS = 4
FORTRESS_BONUS = 5

# Who rolls in a step, and the combat value (SW-COMP-02, SW-WAR-C-04). The other steps roll no dice.
STEPS: dict[int, tuple[tuple[str, ...], int]] = {
    1: (("bow",), 6),
    2: (("gun",), 4),
    4: (("daimyo",), 6),
    5: (("sword", "ronin"), 5),
    6: (("spear",), 4),
}
MISSILE_HALF = (1, 2)  # SW-R-51
MELEE_HALF = (4, 5, 6)
FIRST_STRIKE = (1, 2, 4, 5, 6)  # SW-NAVAL-01; one half as a whole (SW-R-62)


@dataclass(frozen=True)
class Force:
    """The units of one army or provincial force (SW-GEN-06); a disrupted army has daimyo 0 (SW-NINJA-06)."""

    daimyo: int = 0
    bow: int = 0
    gun: int = 0
    sword: int = 0
    spear: int = 0
    ronin: int = 0
    disrupted: bool = False

    @property
    def regulars(self) -> int:
        """Regular units, living daimyo included (SW-GEN-05)."""
        return self.daimyo + self.bow + self.gun + self.sword + self.spear

    @property
    def units(self) -> int:
        """All units, ronin included."""
        return self.regulars + self.ronin

    @property
    def within_ronin_limit(self) -> bool:
        """Whether ronin = 0 or ronin <= regulars - 1 (SW-RONIN-04, SW-CASUALTY-06)."""
        return self.ronin == 0 or self.ronin <= self.regulars - 1


@dataclass(frozen=True)
class ModelBattle:
    """One battle and the fixed policies of both sides.

    `defenders` is one force, or the army and then the provincial force of a two-force province. The losses
    name the five types in the order in which a side gives them up. The attacker calls off in step 8 when
    fewer than `break_off_below` of his units are left, or after `break_off_after` combat rounds (0 = never).
    """

    attacker: Force
    defenders: tuple[Force, ...]
    bonus_spear: int = 0
    bonus_ronin: int = 0
    naval: bool = False
    attacker_losses: tuple[str, ...] = DEFAULT_LOSSES
    defender_losses: tuple[str, ...] = DEFAULT_LOSSES
    break_off_below: int = 0
    break_off_after: int = 0


@dataclass(frozen=True)
class Result:
    """How a battle ended: winner is 'attacker', 'defender', 'none' (SW-R-56) or 'called_off'."""

    winner: str
    attacker: Force
    defenders: tuple[Force, ...]
    bonus_left: int
    rounds: int
    dice_used: int


K = TypeVar("K")
Outcome = tuple[str, Force, tuple[Force, ...], int]  # winner, attacker, defenders, bonus left


@dataclass(frozen=True)
class Side:
    """Everything one side has in the battle (SW-WAR-C-02)."""

    forces: tuple[Force, ...]
    bonus_spear: int = 0
    bonus_ronin: int = 0

    @property
    def bonus(self) -> int:
        """Castle or fortress bonus units left."""
        return self.bonus_spear + self.bonus_ronin

    @property
    def units(self) -> int:
        """All units in the battle, bonus units included."""
        return self.bonus + sum(force.units for force in self.forces)

    def dice(self, step: int, first_strike: bool) -> int:
        """One die for each unit that rolls in the step (SW-WAR-C-04, SW-R-61)."""
        kinds, _ = STEPS[step]
        count: int = sum(getattr(force, kind) for force in self.forces for kind in kinds)
        if not first_strike:  # SW-NAVAL-03: bonus units do not roll in the first strike
            count += self.bonus_ronin if step == 5 else 0
            count += self.bonus_spear if step == 6 else 0
        return count


@dataclass(frozen=True)
class Position:
    """A battle between two combat rounds; `rounds` is counted only as far as the policy needs it."""

    attack: Side
    defence: Side
    rounds: int
    winner: str = ""


def fight(battle: ModelBattle, dice: Sequence[int]) -> Result:
    """Fights a battle with scripted dice in the order of SW-RND-05, which must be used up exactly.

    >>> battle = ModelBattle(Force(sword=2, spear=2), (Force(spear=2),))
    >>> fight(battle, [5, 1, 4, 9]).attacker  # SW-X-08
    Force(daimyo=0, bow=0, gun=0, sword=2, spear=1, ronin=0, disrupted=False)
    """
    script = iter(dice)

    def roll() -> int:
        try:
            return next(script)
        except StopIteration:
            raise ValueError(f"dice run out after {len(dice)}") from None

    result = fight_with(battle, roll)
    if result.dice_used != len(dice):
        raise ValueError(f"{len(dice) - result.dice_used} of {len(dice)} dice left over")
    return result


def fight_with(battle: ModelBattle, roll: Callable[[], int]) -> Result:
    """Fights a battle, calling `roll` for every die (1..12).

    >>> fight_with(ModelBattle(Force(bow=1), (Force(spear=1),)), lambda: 6).winner
    'attacker'
    """
    _check(battle)
    attack, defence = _sides(battle)
    rounds = 0
    dice_used = 0

    def throw(count: int, value: int) -> int:
        """Rolls some dice of one kind and returns the hits."""
        nonlocal dice_used
        dice_used += count
        shown = [roll() for _ in range(count)]
        if any(not 1 <= face <= DIE for face in shown):
            raise ValueError(f"not a d{DIE}: {shown}")
        return sum(face <= value for face in shown)

    def half(steps: tuple[int, ...], first_strike: bool = False) -> str:
        """Plays the steps of one half and its casualties; returns who has won by it, if anybody."""
        nonlocal attack, defence
        hits = (0, 0)
        for step in steps:
            attack_dice, defence_dice = _dice(attack, defence, step, hits, first_strike)
            _, value = STEPS[step]
            by_attack = throw(attack_dice, value)  # SW-R-52: attacker's dice first
            by_defence = throw(defence_dice, value)
            hits = (hits[0] + by_attack, hits[1] + by_defence)
        attack, defence = _casualties(battle, attack, defence, hits)
        return _winner(attack, defence)

    winner = half(FIRST_STRIKE, first_strike=True) if battle.naval else ""
    while not winner:
        rounds += 1
        winner = half(MISSILE_HALF)  # steps 1 to 3
        winner = winner or half(MELEE_HALF)  # steps 4 to 7; none after a decision in step 3 (SW-WAR-C-06)
        winner = winner or _step_8(battle, attack, rounds)
    return Result(winner, attack.forces[0], defence.forces, defence.bonus, rounds, dice_used)


def exact(battle: ModelBattle) -> dict[Outcome, Fraction]:
    """Returns the exact probability of every outcome; for small forces only.

    >>> duel = exact(ModelBattle(Force(spear=1), (Force(spear=1),)))
    >>> {outcome[0]: str(share) for outcome, share in sorted(duel.items(), key=str)}
    {'attacker': '2/5', 'defender': '2/5', 'none': '1/5'}
    """
    return _solve(battle)[0]


def expected_rounds(battle: ModelBattle) -> Fraction:
    """Returns the exact mean number of combat rounds begun.

    >>> expected_rounds(ModelBattle(Force(spear=1), (Force(spear=1),)))
    Fraction(9, 5)
    """
    return _solve(battle)[1]


@cache
def after_losses(side: Side, hits: int, order: tuple[str, ...]) -> Side:
    """Returns the side after its casualties, given up one by one: each time the best legal removal of one.

    >>> after_losses(Side((Force(spear=3, ronin=2),)), 3, DEFAULT_LOSSES).forces[0].spear
    2
    """
    for _ in range(min(hits, side.units)):  # SW-WAR-C-05, SW-CASUALTY-01
        side = best_removal(side, 1, order)
    return side


def best_removal(side: Side, losses: int, order: tuple[str, ...]) -> Side:
    """Returns the side after some losses at once: of all legal removals the one its order likes best.

    Removals are compared as vectors: bonus units, then for each type of the order the number taken from the
    provincial force and from the army, then daimyo. What is taken of bonus units and daimyo is not a choice.
    """
    slots = [(index, kind) for kind in (*order, "daimyo") for index in reversed(range(len(side.forces)))]
    available = [side.bonus, *(getattr(side.forces[index], kind) for index, kind in slots)]
    legal: dict[tuple[int, ...], Side] = {}
    for taken in _ways(available, losses):
        after = _without(side, slots, taken)
        if _is_legal(side, after):
            legal[taken] = after
    return legal[max(legal)]


def _ways(available: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    """Yields every way to take `total` units out of slots holding `available`."""
    if total > sum(available):
        return
    if not available:
        yield ()
        return
    for first in range(min(available[0], total) + 1):
        for rest in _ways(available[1:], total - first):
            yield (first, *rest)


def _without(side: Side, slots: Sequence[tuple[int, str]], taken: Sequence[int]) -> Side:
    """Takes a removal off a side: first the bonus units, then slot by slot."""
    bonus_taken, *units_taken = taken
    forces = list(side.forces)
    for (index, kind), count in zip(slots, units_taken, strict=True):
        forces[index] = replace(forces[index], **{kind: getattr(forces[index], kind) - count})
    if side.bonus_spear:
        return Side(tuple(forces), bonus_spear=side.bonus_spear - bonus_taken)
    return Side(tuple(forces), bonus_ronin=side.bonus_ronin - bonus_taken)


def _is_legal(before: Side, after: Side) -> bool:
    """Whether a side may remove its casualties in this way."""
    if after.bonus > 0 and after.forces != before.forces:
        return False  # SW-CASUALTY-04
    pairs = list(zip(before.forces, after.forces, strict=True))
    if any(new.daimyo < old.daimyo for old, new in pairs) and after.units > 0:
        return False  # SW-CASUALTY-05
    return all(_keeps_ronin_limit(old, new) for old, new in pairs)


def _keeps_ronin_limit(before: Force, after: Force) -> bool:
    """Whether a force is within its ronin limit, or is excused (SW-CASUALTY-06, SW-R-58)."""
    if after.within_ronin_limit:
        return True
    # SW-R-58: an army already over the limit may stay over it, but every casualty must then be a ronin.
    only_ronin_lost = after == replace(before, ronin=after.ronin)
    return before.disrupted and not before.within_ronin_limit and only_ronin_lost


def _check(battle: ModelBattle) -> None:  # noqa: PLR0912 - one line for each thing that can be wrong
    """Refuses a battle that cannot arise under the rules; box and province sizes are left to the caller."""
    forces = (battle.attacker, *battle.defenders)
    if len(battle.defenders) not in (1, 2):
        raise ValueError(f"{len(battle.defenders)} defending forces")
    for force in forces:
        if any(getattr(force, kind) < 0 for kind in TYPES) or force.daimyo not in (0, 1):
            raise ValueError(f"impossible number of units: {force}")
        if force.regulars == 0:
            raise ValueError(f"no regular unit: {force}")  # SW-RONIN-06, SW-R-34
        if force.disrupted and force.daimyo:
            raise ValueError(f"assassinated daimyo counted as a unit: {force}")  # SW-NINJA-06
        if not force.disrupted and not force.within_ronin_limit:
            raise ValueError(f"over the ronin limit: {force}")  # SW-R-31, SW-R-39
    if battle.attacker.disrupted:
        raise ValueError("a disrupted army cannot attack")  # SW-NINJA-06
    if len(battle.defenders) == 2:
        army, provincial = battle.defenders
        if not (army.daimyo or army.disrupted) or provincial.daimyo or provincial.disrupted:
            raise ValueError("defenders are not an army and a provincial force")  # SW-GEN-07
    if not (0 <= battle.bonus_spear <= CASTLE_BONUS and 0 <= battle.bonus_ronin <= FORTRESS_BONUS):
        raise ValueError(f"impossible bonus: {battle.bonus_spear}, {battle.bonus_ronin}")
    if battle.bonus_spear and battle.bonus_ronin:
        raise ValueError("castle and fortress at once")  # SW-COMP-07, SW-FORT-01
    for order in (battle.attacker_losses, battle.defender_losses):
        if sorted(order) != sorted(TYPES):
            raise ValueError(f"not an order of the five types: {order}")


def _sides(battle: ModelBattle) -> tuple[Side, Side]:
    """Returns attacker and defender as they stand before the first die."""
    defence = Side(battle.defenders, battle.bonus_spear, battle.bonus_ronin)
    return Side((battle.attacker,)), defence


def _dice(
    attack: Side, defence: Side, step: int, hits: tuple[int, int], first_strike: bool
) -> tuple[int, int]:
    """Returns how many dice attacker and defender roll in a step; `hits` are theirs so far in this half."""
    attack_dice = 0 if first_strike else attack.dice(step, first_strike)  # SW-NAVAL-01
    defence_dice = defence.dice(step, first_strike)
    if hits[0] >= defence.units:  # SW-R-51: a side that has enough hits does not roll
        attack_dice = 0
    if hits[1] >= attack.units:
        defence_dice = 0
    return attack_dice, defence_dice


def _casualties(battle: ModelBattle, attack: Side, defence: Side, hits: tuple[int, int]) -> tuple[Side, Side]:
    """Removes the casualties of both sides together (SW-CASUALTY-03, SW-R-59)."""
    by_attack, by_defence = hits
    return (
        after_losses(attack, by_defence, battle.attacker_losses),
        after_losses(defence, by_attack, battle.defender_losses),
    )


def _winner(attack: Side, defence: Side) -> str:
    """Returns who has won after a casualty step, or '' while both sides have units (SW-WAR-C-06 to 08)."""
    if attack.units and defence.units:
        return ""
    if attack.units:
        return "attacker"
    return "defender" if defence.units else "none"  # SW-R-56


def _step_8(battle: ModelBattle, attack: Side, rounds: int) -> str:
    """Returns 'called_off' if the attacker stops here (SW-WAR-C-09), '' if he goes on."""
    too_weak = attack.units < battle.break_off_below
    too_long = 0 < battle.break_off_after <= rounds
    return "called_off" if too_weak or too_long else ""


def _hits_of(count: int, value: int) -> dict[int, Fraction]:
    """Returns the distribution of the hits of some dice (SW-WAR-C-17)."""
    hit = Fraction(value, DIE)
    return {hits: comb(count, hits) * hit**hits * (1 - hit) ** (count - hits) for hits in range(count + 1)}


def _half_distribution(
    battle: ModelBattle, attack: Side, defence: Side, steps: tuple[int, ...], first_strike: bool = False
) -> dict[tuple[Side, Side], Fraction]:
    """Returns the distribution of both sides after one half and its casualties."""
    reached: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(1)}
    for step in steps:
        _, value = STEPS[step]
        following: dict[tuple[int, int], Fraction] = {}
        for hits, share in reached.items():
            attack_dice, defence_dice = _dice(attack, defence, step, hits, first_strike)
            for by_attack, attack_share in _hits_of(attack_dice, value).items():
                for by_defence, defence_share in _hits_of(defence_dice, value).items():
                    total = (hits[0] + by_attack, hits[1] + by_defence)
                    _add(following, total, share * attack_share * defence_share)
        reached = following
    sides: dict[tuple[Side, Side], Fraction] = {}
    for hits, share in reached.items():
        _add(sides, _casualties(battle, attack, defence, hits), share)
    return sides


def _round_distribution(battle: ModelBattle, position: Position) -> dict[Position, Fraction]:
    """Returns the distribution of the position after one more combat round and step 8."""
    rounds = position.rounds + 1 if battle.break_off_after else 0
    reached: dict[Position, Fraction] = {}
    missile = _half_distribution(battle, position.attack, position.defence, MISSILE_HALF)
    for (attack, defence), share in missile.items():
        winner = _winner(attack, defence)
        if winner:
            _add(reached, Position(attack, defence, rounds, winner), share)
            continue
        melee = _half_distribution(battle, attack, defence, MELEE_HALF)
        for (attack_left, defence_left), melee_share in melee.items():
            winner = _winner(attack_left, defence_left) or _step_8(battle, attack_left, rounds)
            _add(reached, Position(attack_left, defence_left, rounds, winner), share * melee_share)
    return reached


def _solve(battle: ModelBattle) -> tuple[dict[Outcome, Fraction], Fraction]:
    """Returns the distribution of outcomes and the mean number of combat rounds."""
    _check(battle)
    solved: dict[Position, tuple[dict[Outcome, Fraction], Fraction]] = {}

    def solve(position: Position) -> tuple[dict[Outcome, Fraction], Fraction]:
        attack, defence = position.attack, position.defence
        if position.winner:
            outcome = (position.winner, attack.forces[0], defence.forces, defence.bonus)
            return {outcome: Fraction(1)}, Fraction(0)
        if position not in solved:
            following = _round_distribution(battle, position)
            # A round without losses leads back here: with chance q of it, everything else weighs 1 / (1 - q).
            weight = 1 / (1 - following.pop(position, Fraction(0)))
            outcomes: dict[Outcome, Fraction] = {}
            rounds = weight
            for after, share in following.items():
                outcomes_after, rounds_after = solve(after)
                rounds += weight * share * rounds_after
                for outcome, outcome_share in outcomes_after.items():
                    _add(outcomes, outcome, weight * share * outcome_share)
            solved[position] = outcomes, rounds
        return solved[position]

    attack, defence = _sides(battle)
    if not battle.naval:
        return solve(Position(attack, defence, 0))
    total: dict[Outcome, Fraction] = {}
    mean = Fraction(0)
    strike = _half_distribution(battle, attack, defence, FIRST_STRIKE, first_strike=True)
    for (attack_left, defence_left), share in strike.items():
        outcomes, rounds = solve(Position(attack_left, defence_left, 0, _winner(attack_left, defence_left)))
        mean += share * rounds
        for outcome, outcome_share in outcomes.items():
            _add(total, outcome, share * outcome_share)
    return total, mean


def _add(shares: dict[K, Fraction], key: K, share: Fraction) -> None:
    """Adds a share to a distribution."""
    shares[key] = shares.get(key, Fraction(0)) + share
