"""A strike by the ledger, once more: slow, plain, and independent of the engine.

Tables are typed from the ledger. Dice come from a function that gives the next face, in the order of the
rules.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Roll = Callable[[], str]

# BT-UNITS-01: symbol, arm, melee dice, ranged dice by distance, dice when moved
UNITS: dict[str, tuple[str, str, int, dict[int, int], int]] = {
    "SSp": ("S", "infantry", 4, {}, 0),
    "SB": ("S", "infantry", 3, {2: 3, 3: 3}, 1),
    "ASp": ("T", "infantry", 3, {}, 0),
    "AB": ("C", "infantry", 2, {2: 2, 3: 2}, 1),
    "AA": ("C", "infantry", 2, {2: 2, 3: 2, 4: 1}, 0),
    "LI": ("C", "infantry", 2, {}, 0),
    "SSpC": ("S", "cavalry", 4, {}, 0),
    "SBC": ("S", "cavalry", 3, {2: 3, 3: 3}, 1),
    "BG": ("X", "special", 0, {}, 0),
}
BOWS = {"SB", "AB", "SBC"}
RANK = {"C": 0, "T": 1, "S": 2}
NONE = 99

# BT-TERRAIN-02: out melee inf, cav; out ranged inf, cav; in melee by inf, by cav; in ranged by inf, by cav
CAPS: dict[str, tuple[int, ...]] = {
    "open": (NONE,) * 8,
    "forest": (2, 2, 2, 2, 2, 2, 1, 1),
    "hill": (3, 3, NONE, NONE, 2, 2, NONE, NONE),
    "ford": (2, 2, 1, 1, 2, 2, 2, 2),
    "shallow": (NONE,) * 8,
    "bridge": (NONE,) * 8,
    "buildings": (2, 1, 1, 1, 2, 2, 1, 1),
    "fields": (NONE, 2, NONE, 2, NONE, 2, NONE, 2),
    "gorge": (1, 1, 1, 1, 2, 1, 1, 1),
    "tent": (NONE,) * 8,
    "fence": (2,) * 8,
    "palisade": (2,) * 8,
    "castle": (3, 0, 3, 0, 2, 0, 1, 1),
}


@dataclass
class Side:
    """A side as the fight goes on."""

    piece: Any
    cards: frozenset[str]
    reserve: int | None
    blocks: int = 0
    leader: str = "none"
    retreat: int = 0
    honor: int = 0
    banners: int = 0
    others: int = 0

    def __post_init__(self) -> None:
        self.blocks = self.piece.blocks
        if self.piece.leader or self.is_leader:
            self.leader = "stands"

    @property
    def is_leader(self) -> bool:
        """Whether it is a lone leader."""
        return self.piece.kind in ("LF", "LM")

    @property
    def led(self) -> bool:
        """Whether its leader is with it."""
        return self.leader == "stands"

    @property
    def tokens(self) -> float:
        """Honor of its player."""
        return float("inf") if self.reserve is None else self.reserve + self.honor


class Fight:
    """One strike, fought with the dice that `roll` gives."""

    def __init__(self, strike: Any, roll: Roll) -> None:
        self.strike, self.roll = strike, roll
        self.attackers = [
            Side(piece, frozenset(strike.attacker_cards), strike.attacker_honor) for piece in strike.attackers
        ]
        self.attacker = self.attackers[strike.against]
        self.defender = Side(strike.defender, frozenset(strike.defender_cards), strike.defender_honor)
        self.attack: tuple[int, int, int] | None = None
        self.dice_against = 0
        self._go()

    def _go(self) -> None:
        first = {"first_strike", "ambush"} & self.defender.cards
        if first:
            self._strike_with([self.defender], self.attacker, "first strike")
        still = [side for side in self.attackers if side.blocks and not side.retreat]  # BT-CMD-20, BT-R-38
        if not still:
            return
        self._strike_with(still, self.defender, "attack")
        back = (
            self.strike.battle_back
            and not self.strike.ranged
            and not first  # BT-BATTLEBACK-07
            and not self.defender.is_leader  # BT-LEADERS-23
            and self.defender.blocks > 0  # BT-BATTLEBACK-01
            and self.defender.retreat == 0  # BT-BATTLEBACK-03
        )
        if back and base_dice(self.strike, self.defender, self.attacker) > 0:  # BT-BATTLEBACK-06
            self._strike_with([self.defender], self.attacker, "battle back")

    def _faces(self, count: int) -> Counter[str]:
        return Counter(self.roll() for _ in range(count))

    def _pool(self) -> float:
        if self.strike.pool is None:
            return float("inf")
        return self.strike.pool - self.attacker.honor - self.defender.honor

    def _gain(self, side: Side, honor: int) -> None:
        side.honor += int(min(honor, self._pool()))  # BT-HONOR-01

    def _strike_with(self, rollers: list[Side], target: Side, what: str) -> None:
        by, ranged = rollers[0].piece.kind, self.strike.ranged
        owner = self.attacker if what == "attack" else self.defender
        dice = inspired = 0
        vengeance = what == "battle back" and "vengeance" in owner.cards
        desperate = "desperate_charge" in owner.cards
        for side in rollers:
            own = base_dice(self.strike, side, target)
            if what == "attack":
                own += self.strike.dice_bonus + card_dice(owner.cards)
            if what == "first strike" and "ambush" in owner.cards:
                own += 1  # BT-DRAGON-16
            nearby = side.led or side.piece.adjacent_leader
            if (
                side.piece.inspire
                and not ranged
                and not vengeance
                and nearby
                and side.piece.terrain != "buildings"  # BT-INSPIRE-05
                and owner.tokens >= 1  # BT-INSPIRE-07
            ):
                owner.honor -= 1
                inspired += 1
                own += 1
            if desperate and side.blocks == 1:
                own += 2  # BT-DRAGON-19
                desperate = False
            if what == "attack" and side is self.attacker and "aikido_training" in self.defender.cards:
                own = min(own, 2)  # BT-DRAGON-34, BT-R-39
            dice += own
        if vengeance:
            dice = self.dice_against  # BT-DRAGON-38
        if what == "attack":
            self.dice_against = dice
        faces = self._faces(dice)
        if by == "BG" or "volley_by_ranks" in owner.cards:
            faces += self._faces(faces["X"])  # BT-ARMY-COMMANDER-05, BT-DRAGON-25
        hits, flags, honor = self._read(by, target, faces, inspired, "terror_strike" in owner.cards)
        if what == "attack":
            self.attack = (hits, flags, honor)
        self._resolve(rollers, owner, target, (hits, flags, honor))

    def _read(
        self, by: str, target: Side, faces: Counter[str], inspired: int, terror: bool
    ) -> tuple[int, int, int]:
        against, ranged = target.piece.kind, self.strike.ranged
        honor = max(0, faces["H"] - inspired)  # BT-MELEE-11
        if ranged and by not in BOWS:
            honor = 0  # BT-RANGED-10
        if target.is_leader:
            return int(faces["X"] > 0), 0, honor  # BT-LEADERS-20, BT-LEADERS-21, BT-R-14
        symbol, arm = UNITS[against][:2]
        swords = faces["X"]
        if ranged:
            swords = swords if by == "AA" else 0  # BT-UNITS-06
        elif "BG" not in (by, against):  # BT-ARMY-COMMANDER-06
            ignored = max(0, RANK[symbol] - RANK[UNITS[by][0]])
            if arm == "cavalry" and UNITS[by][1] == "infantry":
                ignored += 1
            swords = max(0, swords - ignored)  # BT-MELEE-08, BT-MELEE-10
        hits = swords if against == "BG" else faces[symbol] + swords
        cavalry = UNITS[by][1] == "cavalry"
        if not ranged and (against == "LI" or (cavalry and symbol in "TC")):
            honor = 0
        return hits, faces["F"] * (2 if terror else 1), honor

    def _resolve(self, rollers: list[Side], owner: Side, target: Side, rolled: tuple[int, int, int]) -> None:
        hits, flags, honor = rolled
        if target.is_leader:
            if hits:
                self._fell(target, owner)
            self._gain(owner, honor)
            if not hits:
                self._alone(target, owner)
            return
        if self.strike.ranged and "bulletproof_armor" in target.cards:
            hits = 0  # BT-DRAGON-39
        lost = self._lose(target, hits, owner)
        if "head_collector" in owner.cards and any(side.led for side in rollers):
            honor += 2 * lost  # BT-DRAGON-26
        self._gain(owner, honor)
        guard = target.piece.kind == "BG"
        if lost and target.led:
            # BT-LEADER-LOSS-02..04, BT-LEADER-LOSS-07
            dice = 2 if guard or (self.strike.ranged and target.blocks) else 1
            if self._faces(dice)["X"] == dice:
                self._fell(target, owner)
                if guard:
                    target.blocks = 0  # BT-ARMY-COMMANDER-09
            elif target.blocks == 0:
                self._alone(target, owner)  # BT-LEADER-LOSS-06
        if target.blocks and flags:
            self._flee(rollers[0].piece.kind, owner, target, flags)

    def _lose(self, side: Side, blocks: int, enemy: Side) -> int:
        lost = min(blocks, side.blocks)
        side.blocks -= lost
        if lost and side.blocks == 0 and side.piece.kind != "BG":
            enemy.banners += 1
        return lost

    def _fell(self, side: Side, enemy: Side) -> None:
        side.leader = "eliminated"
        enemy.banners += 1

    def _alone(self, side: Side, enemy: Side) -> None:
        if side.piece.leader_fate == "seppuku":
            side.leader = "seppuku"
            self._gain(side, 5)  # BT-SEPPUKU-02
            return
        side.leader = "retreated"
        faces = self._pay(side, 3)  # BT-RETREAT-24
        side.others += faces["C"] + faces["T"] + faces["S"]
        if faces["X"]:
            self._fell(side, enemy)  # BT-LACK-OF-HONOR-03

    def _pay(self, side: Side, honor: int) -> Counter[str]:
        """Pays, and rolls for what cannot be paid (BT-LACK-OF-HONOR-01)."""
        paid = int(min(honor, side.tokens))
        side.honor -= paid
        return self._faces(4 + honor - paid) if paid < honor else Counter()

    def _flee(self, by: str, enemy: Side, side: Side, flags: int) -> None:
        kind, terrain = side.piece.kind, side.piece.terrain
        if kind == "BG":
            return  # BT-MORALE-09
        symbol, arm = UNITS[kind][:2]
        infantry = arm == "infantry"
        allowed = side.piece.support + side.led + (symbol == "S") + (terrain == "bridge")
        if infantry and (terrain in ("palisade", "castle") or (terrain == "fence" and by in ("SSpC", "SBC"))):
            allowed += 1
        allowed = min(allowed, 2)  # BT-MORALE-02
        if "panic" in enemy.cards:
            allowed = 0
        if {"courage", "courageous_leader", "followers_of_bishamon"} & side.cards:
            allowed = flags
        if "cowards" in enemy.cards:
            allowed = 0
        allowed = min(allowed, flags)
        request = {"all": allowed, "none": 0}.get(side.piece.ignore_flags, side.piece.ignore_flags)
        castle = terrain == "castle" and infantry
        left = flags - max(min(request, allowed), min(1, allowed) if castle else 0)
        if castle:
            self._lose(side, left, enemy)  # BT-R-42
            return
        hexes = left * (2 if kind == "LI" else 1)
        side.retreat = min(hexes, side.piece.room)
        self._lose(side, hexes - side.retreat, enemy)  # BT-RETREAT-06
        price = side.retreat * (2 if symbol == "S" else 1)  # BT-HONOR-06
        if kind == "LI":
            price = 2 if side.retreat else 0
        faces = self._pay(side, price + side.retreat * side.led)  # BT-HONOR-07
        own = faces.pop(symbol, 0)
        if side.blocks:
            self._lose(side, own, enemy)  # BT-LACK-OF-HONOR-02
        else:
            side.others += own  # BT-R-46
        side.others += faces["C"] + faces["T"] + faces["S"]

    def outcome(self) -> tuple[Any, ...]:
        """The outcome, as the columns of `battles.OUTCOME_COLUMNS`."""
        return tuple(
            getattr(side, name)
            for side in (self.attacker, self.defender)
            for name in ("blocks", "leader", "retreat", "honor", "banners", "others")
        )


def card_dice(cards: frozenset[str]) -> int:
    """Dice of cards for each attacking unit (CMD-01, CMD-60, DRAGON-10, DRAGON-21, DRAGON-25)."""
    return len(cards & {"cavalry_charge", "shogun", "ashigaru_attack", "fire_arrows", "volley_by_ranks"})


def base_dice(strike: Any, side: Side, target: Side) -> int:
    """Dice after terrain (BT-MELEE-04, BT-RANGED-06)."""
    kind, start, goal = side.piece.kind, side.piece.terrain, target.piece.terrain
    column = int(UNITS[kind][1] == "cavalry")
    if strike.ranged:
        dice = UNITS[kind][4] if strike.moved else UNITS[kind][3][strike.distance]
        return min(dice, CAPS[start][2 + column], CAPS[goal][6 + column])
    dice = side.blocks if kind == "BG" else UNITS[kind][2]
    into = NONE if start == goal == "hill" else CAPS[goal][4 + column]  # BT-TERRAIN-04
    return min(dice, CAPS[start][column], into)
