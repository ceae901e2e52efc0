"""Battles and revolts in a match (section 12): who fights, what is thrown, and what becomes of it."""

import random
from copy import deepcopy
from typing import Any

import pytest

from rules.tower.board import Board, enter, events, kinds, options, play, player, point, province, quietly
from rules.tower.throws import heap, thrown_so
from sengoku import Match


def attacking(armies: int, **plan: str) -> Board:
    """Seat 0 is to attack out of Omi, in which one army more stands than is to go."""
    return Board(3).province("omi", 0, armies + 1).plan(0, battle_a="omi", **plan)


def onto(match: Match, to: str, armies: int) -> Match:
    """Attacks or moves with some armies."""
    return play(match, "move", to=to, armies=armies)


def supplies(match: Match) -> list[int]:
    """Supplies of seats 0 to 2 and of farmers."""
    supply = match.state()["supply"]
    return [*supply[:3], supply[5]]


def test_three_kinds_of_battle() -> None:
    # TW-BATTLE-01: against a player, against a neutral province, revolt
    match = onto(attacking(2).province("ise", 1, 1).begin("battle_a").match(), "ise", 2)
    assert [(e["to"], e["defender"]) for e in events(match, "attack")] == [("ise", 1)]
    match = onto(attacking(2).province("ise", 1, 1).begin("battle_a").match(), "yamato", 2)
    assert [(e["to"], e["defender"]) for e in events(match, "attack")] == [("yamato", None)]
    match = Board(3).province("ise", 1, 3, unrest=1).plan(1, tax="ise").begin("tax").match()
    assert events(match, "attack") == []
    assert events(match, "revolt") == [{"seat": 1, "province": "ise", "farmers": 1, "wanted": 1}]
    assert [e["winner"] for e in events(match, "settled")] == ["defender"]


def test_causes_of_a_revolt() -> None:
    # TW-BATTLE-02: collecting where a marker lies, and winter shortage; nothing else
    for action in ("rice", "tax"):
        for unrest in (0, 1):
            board = Board(3).province("ise", 1, 5, unrest=unrest).plan(1, **{action: "ise"})
            assert len(events(board.begin(action).match(), "revolt")) == unrest
    for action in ("castle", "temple", "no", "deploy5", "deploy3"):
        match = Board(3).province("ise", 1, 5, unrest=3).plan(1, **{action: "ise"}).begin(action).match()
        assert events(match, "built") or events(match, "deployed")
        assert events(match, "revolt") == []
    board = Board(3).province("ise", 1, 5, unrest=3).province("kii", 1, 1, unrest=3)
    match = onto(board.plan(1, battle_b="ise").begin("battle_b").match(), "kii", 3)
    assert "revolt" not in kinds(match)
    for rice, revolts in ((2, 0), (1, 1)):
        board = Board(3).province("ise", 1, 5).province("kii", 1, 5).player(1, rice=rice).event("tax_max_5")
        assert len(events(board.begin("winter").match(), "revolt")) == revolts


def test_what_is_thrown_against_a_player() -> None:
    # TW-BATTLE-03, TW-TUSE-01: the armies moved in, all armies there, additional cubes, and the whole tray
    board = attacking(3).province("ise", 1, 4, "castle").tray(1, 0, 2, farmers=1)
    board = board.specials({0: "attack_plus_1", 1: "defence_plus_1"}).event("castle_defence")
    match = onto(board.begin("battle_a").match(), "ise", 3)
    attack = events(match, "attack")[0]
    assert (attack["attacker_more"], attack["defender_more"], attack["farmers"]) == (1, 2, 0)
    assert [e["cubes"] for e in events(match, "thrown")] == [heap(1 + 3 + 1, 4 + 1 + 1, 2, farmers=1)]
    assert province(match, "omi")["armies"] == 1
    # not all may go: those that stay are not thrown
    match = onto(attacking(3).province("ise", 1, 4).begin("battle_a").match(), "ise", 2)
    assert events(match, "thrown")[0]["cubes"] == heap(2, 4)
    assert province(match, "omi")["armies"] == 2


def test_farmers_that_there_are_not_are_wanted_all_the_same() -> None:
    # TW-BATTLE-05: all farmers lie in the tray, none is left to be thrown
    match = Board(3).province("ise", 1, 3, unrest=2).tray(farmers=20).plan(1, tax="ise").begin("tax").match()
    assert events(match, "revolt") == [{"seat": 1, "province": "ise", "farmers": 0, "wanted": 2}]


@pytest.mark.parametrize(("event", "farmers"), [("tax_max_5", 1), ("neutral_two_farmers", 2)])
@pytest.mark.parametrize("special", ["attack_plus_1", "chest_plus_1"])
def test_what_is_thrown_against_a_neutral_province(event: str, farmers: int, special: str) -> None:
    # TW-BATTLE-04: the armies moved in, one more with the special card, 1 farmer or 2
    board = attacking(3).tray(0, 1, farmers=2).specials({0: special}).event(event).begin("battle_a")
    match = onto(board.match(), "yamato", 3)
    attack = events(match, "attack")[0]
    assert (attack["farmers"], attack["wanted"]) == (farmers, farmers)
    more = special == "attack_plus_1"
    assert events(match, "thrown")[0]["cubes"] == heap(3 + more, 1, farmers=2 + farmers)


@pytest.mark.parametrize("unrest", [1, 2, 3])
def test_what_is_thrown_in_a_revolt(unrest: int) -> None:
    # TW-BATTLE-05: all armies there, a farmer for each marker before the action; in winter some more
    board = Board(3).province("ise", 1, 6, unrest=unrest).tray(2, 1, farmers=1).plan(1, rice="ise")
    match = board.specials({1: "defence_plus_1"}).begin("rice").match()
    assert events(match, "revolt")[0]["farmers"] == unrest
    assert events(match, "thrown")[0]["cubes"] == heap(2, 1 + 6, farmers=1 + unrest)
    board = Board(3).province("ise", 1, 6, unrest=unrest).tray(2, 1, farmers=1).event("tax_max_5")
    match = board.begin("winter").match()  # 1 province, no rice: shortage 1, so 1 extra farmer
    assert events(match, "thrown")[0]["cubes"] == heap(2, 1 + 6, farmers=1 + unrest + 1)


VECTORS = {
    # unrest or None for neutral, armies thrown (att, def), tray after (att, def, far, oth), winner, armies,
    # to supplies (att, def, far)
    "a": (0, (5, 2), (5, 2, 2, 3), "attacker", 1, (4, 2, 2)),
    "b": (1, (2, 2), (2, 2, 3, 1), "none", 0, (2, 2, 0)),
    "c": (0, (2, 3), (2, 3, 1, 0), "defender", 2, (2, 1, 1)),
    "d": (0, (1, 2), (1, 2, 4, 0), "defender", 2, (1, 0, 4)),
    "e": (0, (1, 1), (1, 0, 3, 2), "none", 0, (1, 0, 3)),
    "f": (2, (4, 1), (4, 1, 5, 0), "attacker", 3, (1, 1, 0)),
    "g": (None, (3, 0), (3, 0, 1, 2), "attacker", 2, (1, 0, 1)),
    "h": (None, (1, 0), (1, 0, 3, 0), "none", 0, (1, 0, 3)),
    "i": (None, (1, 0), (0, 0, 0, 1), "none", 0, (0, 0, 0)),
}


@pytest.mark.parametrize("case", VECTORS)
def test_settlements(case: str) -> None:
    # TW-EX-20 in a whole match. TW-BATTLE-06: cubes of others never count and stay; TW-BATTLE-07: a, c, d, e
    # against b, f; TW-BATTLE-08: g, h; TW-BATTLE-10: a, f, g; TW-BATTLE-11 with TW-R-24: c, d; TW-BATTLE-12
    # with TW-R-25: b, e, h; TW-R-26: i; TW-R-29: the castle and the markers stay with a and f; TW-BATTLE-16
    unrest, (moved, defending), tray, winner, armies, to_supply = VECTORS[case]
    neutral, target = unrest is None, "yamato" if unrest is None else "ise"
    thrown_farmers = 1 if neutral else 0
    farmers = tray[2] if case != "i" else 1
    board = attacking(moved).tray(0, 0, tray[3], farmers=farmers - thrown_farmers)
    if not neutral:
        board.province("ise", 1, defending, "castle", "no", unrest=unrest)
    before = board.begin("battle_a").position()
    thrown = heap(moved, defending, tray[3], farmers=farmers)
    after = heap(tray[0], tray[1], tray[3], farmers=tray[2])
    match = thrown_so(board, thrown, after, lambda match: onto(match, target, moved))
    settled = events(match, "settled")[0]
    assert (settled["winner"], settled["armies"]) == (winner, armies)
    left = tray[2] if unrest else 0  # farmers that took no part
    assert settled["tray"] == match.state()["tray"] == heap(0, 0, tray[3], farmers=left)
    owner = {"attacker": 0, "defender": 1, "none": None}[winner]
    stands = winner != "none" and not neutral
    assert province(match, target) == {
        "owner": owner, "armies": armies, "castle": stands, "temple": False, "no": stands,
        "unrest": (unrest or 0) if stands else 0,
    }  # fmt: skip
    attackers, defenders, gone = to_supply
    assert match.state()["supply"] == [
        before["supply"][0] + attackers, before["supply"][1] + defenders, before["supply"][2], 0, 0,
        before["supply"][5] - thrown_farmers + gone,
    ]  # fmt: skip
    tiles = match.state()["tiles"]  # those of a province that became neutral are in supply again
    assert tiles == {"castle": 28 - stands, "temple": 26, "no": 26 - stands}


@pytest.mark.parametrize(("own", "farmers", "left"), [(5, 3, 2), (2, 2, 0), (0, 0, 0), (1, 0, 1)])
def test_revolts(own: int, farmers: int, left: int) -> None:
    # TW-EX-21, TW-BATTLE-09, TW-BATTLE-14 with TW-R-27 (5 to 3 loses three), TW-BATTLE-15, TW-R-26 (0 to 0)
    unrest, armies = max(1, min(3, farmers)), max(1, own)
    board = Board(3).province("kii", 0, armies, "temple", unrest=unrest).tray(0, 2).plan(0, tax="kii")
    before = board.begin("tax").position()["supply"]
    thrown, tray = heap(armies, 2, farmers=unrest), heap(own, 2, farmers=farmers)
    match = thrown_so(board, thrown, tray)
    assert events(match, "settled")[0]["winner"] == ("defender" if left else "attacker")
    kept = left > 0
    assert province(match, "kii") == {
        "owner": 0 if kept else None, "armies": left, "castle": False, "temple": kept, "no": False,
        "unrest": unrest + 1 if kept else 0,  # TW-ACT-09
    }  # fmt: skip
    assert match.state()["tray"] == heap(0, 2)
    assert match.state()["supply"] == [
        before[0] + own - left,
        before[1],
        before[2],
        0,
        0,
        before[5] - unrest + farmers,
    ]
    assert events(match, "neutral") == ([] if kept else [{"province": "kii"}])
    assert match.state()["tiles"]["temple"] == (25 if kept else 26)


def test_more_wins() -> None:
    # TW-BATTLE-06: the numbers in the tray count, not those thrown: 3 beat 4 of which two stay inside
    board = attacking(3).province("ise", 1, 4).tray(0, 0, 6).begin("battle_a")
    match = thrown_so(board, heap(3, 4, 6), heap(3, 2, 6), lambda match: onto(match, "ise", 3))
    assert (province(match, "ise")["owner"], province(match, "ise")["armies"]) == (0, 1)
    assert match.state()["inside"] == heap(0, 2)  # TW-BATTLE-16: lost to the board until they fall out
    # TW-BATTLE-10: cubes that were inside count as if they had been thrown; here all four come out
    board = attacking(1).province("ise", 1, 1).tower([0, 0, 1, 0]).begin("battle_a")
    match = onto(board.match(tower_model=BRITTLE), "ise", 1)
    assert events(match, "thrown")[0] == {"cubes": heap(1, 1), "tray": heap(4, 2)}
    assert province(match, "ise")["armies"] == 2


BRITTLE = {"shelves": [{"capacity": 9, "stick_per_mille": 1, "dislodge": 65535, "burst": 0}] * 2}
"""A tower that gives back all it holds."""


def test_farmers_and_unrest() -> None:
    # TW-BATTLE-07: the same battle, 3 against 2 with 2 farmers in the tray, without and with a marker
    for unrest, winner, left in ((0, "defender", heap()), (1, "attacker", heap(farmers=2))):
        board = attacking(3).province("ise", 1, 2, unrest=unrest).tray(farmers=2).begin("battle_a")
        match = onto(board.match(), "ise", 3)
        assert events(match, "settled") == [{"province": "ise", "winner": winner, "armies": 1, "tray": left}]
    # TW-BATTLE-11: farmers are lost first; 3 attackers, 2 farmers, so 1 of the 2 defenders


def test_the_winner_gets_the_card() -> None:
    # TW-BATTLE-10, TW-BATTLE-13: to hand, for the next planning; the loser has it no more
    board = attacking(3).province("ise", 1, 1).province("kai", 1, 1)
    match = onto(board.begin("battle_a").match(), "ise", 3)
    assert events(match, "conquered") == [{"seat": 0, "province": "ise", "from": 1}]
    assert match.state()["round"] == "summer"  # no action was performed with the card of Ise this season
    cards = {action["province"] for action in options(match, "province")}
    assert cards == {"ise", "omi"}
    enter(match)
    assert {action["province"] for action in options(match, "province")} == {"kai"}


def test_a_card_won_is_not_used_in_the_season() -> None:
    # TW-BATTLE-13: Ise is won in the first action; nothing of the plan of seat 0 can be Ise, whatever it is
    board = attacking(3).province("ise", 1, 1).plan(1, tax="ise", bid="treasure_0")
    match = onto(board.begin("battle_a").match(), "ise", 3)
    assert events(match, "collected") == []
    assert province(match, "ise")["unrest"] == 0


@pytest.mark.parametrize("space", ["tax", "bid", "convert3"])
@pytest.mark.parametrize(("armies", "owner"), [(3, 0), (2, None)])
def test_a_lost_card_leaves_its_space(space: str, armies: int, owner: int | None) -> None:
    # TW-BATTLE-13: from an action, the bid and a court space, to a conqueror and when it becomes neutral;
    # TW-R-30: everybody sees which card it was and where it lay
    board = Board(3, court=True).province("omi", 0, armies + 1).province("mino", 0, 2)
    board = board.plan(0, battle_a="omi", battle_b="mino").province("ise", 1, 2).plan(1, **{space: "ise"})
    match = board.begin("battle_a").match()
    hidden = "ise" if space == "bid" else "face_down"
    assert match.view(2)["players"][1]["plan"][space] == hidden
    onto(match, "ise", armies)
    assert point(match) == "battle"  # the season goes on with BATTLE_B
    assert province(match, "ise")["owner"] == owner
    assert events(match, "card_lost") == [{"seat": 1, "province": "ise", "space": space}]
    for view in (match.state(), match.view(0), match.view(1), match.view(2)):
        assert view["players"][1]["plan"][space] == "empty"
        assert view["players"][1]["revealed"] == []
    assert "collected" not in kinds(match)


@pytest.mark.parametrize("reveal", ["sequential", "per_action"])
def test_a_card_of_the_same_action_is_lost(reveal: str) -> None:
    # TW-BATTLE-13, TW-R-30: seat 1 planned the same action in Ise; face down or up, the card goes
    board = attacking(4).province("ise", 1, 3).plan(1, battle_a="ise").begin("battle_a")
    match = board.match(reveal=reveal)
    assert match.view(2)["players"][1]["plan"]["battle_a"] == (
        "ise" if reveal == "per_action" else "face_down"
    )
    onto(match, "ise", 4)
    assert events(match, "card_lost") == [{"seat": 1, "province": "ise", "space": "battle_a"}]
    assert len(events(match, "attack")) == 1
    assert match.state()["round"] == "summer"
    # the other way round seat 1 attacks first, with all but one of them
    match = board.order(1, 0, 2).begin("battle_a").match(reveal=reveal)
    assert match.to_act == 1
    onto(match, "omi", 2)
    assert province(match, "omi")["armies"] == 5 - 2  # 5 to 2: the defender wins, and comes next
    assert match.to_act == 0


def test_a_card_in_hand_is_lost_too() -> None:
    # TW-BATTLE-13: a revolt makes the province neutral; its card is in the common stock, and with nobody
    match = (
        Board(3).province("ise", 1, 1, unrest=2).province("kai", 1, 1).plan(1, tax="ise").begin("tax").match()
    )
    assert events(match, "card_lost") == [{"seat": 1, "province": "ise", "space": "tax"}]
    enter(match)
    assert {action["province"] for action in options(match, "province")} == {"kai"}


def test_defender_and_attacker_cubes() -> None:
    # TW-BATTLE-11: all attackers go to supply, the defender keeps province and card; TW-BATTLE-12: 2 to 2
    board = attacking(2).province("ise", 1, 4, "temple", unrest=1).plan(1, tax="ise").begin("battle_a")
    match = onto(board.match(), "ise", 2)
    assert (province(match, "ise")["owner"], province(match, "ise")["temple"]) == (1, True)
    assert "card_lost" not in kinds(match)
    assert [e["amount"] for e in events(match, "collected")] == [5]  # its action is still performed
    assert events(match, "revolt")[0]["farmers"] == 1
    match = onto(attacking(2).province("ise", 1, 2).begin("battle_a").match(), "ise", 2)
    assert supplies(match) == [62 - 1, 62, 62, 20]
    assert province(match, "ise")["owner"] is None


def test_too_few_farmers() -> None:
    # TW-R-28, TW-TOWER-10: as many as there are, even none; the battle takes place
    for inside, thrown in ((18, 2), (19, 1), (20, 0)):
        tower = ([5] * 10, [5] * (inside - 10))
        still = {"shelves": [{"capacity": 30, "stick_per_mille": 1, "dislodge": 1, "burst": 0}] * 2}
        board = Board(3).province("ise", 1, 5, unrest=3).tower(*tower).plan(1, tax="ise").begin("tax")
        match = board.match(tower_model=still)
        assert events(match, "revolt")[0]["farmers"] == thrown
        assert events(match, "thrown")[0] == {
            "cubes": heap(0, 5, farmers=thrown),
            "tray": heap(0, 5, farmers=thrown),
        }
        assert province(match, "ise")["armies"] == 5 - thrown
        board = attacking(2).tower(*tower).event("neutral_two_farmers").begin("battle_a")
        match = onto(board.match(tower_model=still), "yamato", 2)
        assert events(match, "thrown")[0]["cubes"] == heap(2, farmers=thrown)
        assert province(match, "yamato")["armies"] == 2 - thrown


def test_a_conquered_province_keeps_its_markers() -> None:
    # TW-R-29: buildings and markers stay; a later battle there and a later collection use them
    board = attacking(3).province("ise", 1, 1, "castle", unrest=2).province("mino", 2, 4).tray(farmers=3)
    match = onto(board.plan(2, battle_b="mino").begin("battle_a").match(), "ise", 3)
    assert (province(match, "ise")["unrest"], province(match, "ise")["castle"]) == (2, True)
    onto(match, "ise", 3)  # BATTLE_B of seat 2: 3 to 2, the farmers take no part
    assert province(match, "ise") == {
        "owner": 2, "armies": 1, "castle": True, "temple": False, "no": False, "unrest": 2,
    }  # fmt: skip
    assert match.state()["tray"] == heap(farmers=3)
    position = Board(3).province("ise", 2, 1, "castle", unrest=2).plan(2, rice="ise").begin("rice")
    assert events(position.match(), "revolt")[0]["farmers"] == 2


def test_two_battles_of_a_player() -> None:
    # TW-BATTLE-17, TW-BATTLE-16: the tray of the first goes into the second
    board = attacking(2).province("ise", 1, 1).province("mino", 0, 3).tray(0, 0, 1, farmers=0)
    match = onto(board.plan(0, battle_b="mino").begin("battle_a").match(), "ise", 2)
    onto(match, "hida", 2)
    assert [e["cubes"] for e in events(match, "thrown")] == [heap(2, 1, 1), heap(2, 0, 1, farmers=1)]
    assert [e["tray"] for e in events(match, "settled")] == [heap(0, 0, 1)] * 2
    assert province(match, "hida")["armies"] == 1


def test_a_player_can_lose_all() -> None:
    # TW-BATTLE-15: the last province of a player; he plays on (TW-R-39)
    match = Board(3).province("ise", 1, 1, unrest=1).plan(1, tax="ise").begin("tax").match()
    assert all(it["owner"] is None for it in match.state()["provinces"].values())
    assert player(match, 1)["chests"] == 25
    quietly(match, "plan", "autumn")


class Procedure:
    """The reference procedure of TW-BATTLE-17, and the bookkeeping around it, fed from the log of a match.

    Only decisions, cards and the output of the tower are taken from the log; what follows is worked out here.
    """

    def __init__(self, state: dict[str, Any]) -> None:
        self.land: dict[str, dict[str, Any]] = deepcopy(state["provinces"])
        self.supply, self.tray = list(state["supply"]), list(state["tray"])
        self.special: dict[int, str] = {}
        self.effect: str | None = None
        self.extra, self.battles = 0, 0
        self.fight: tuple[Any, ...] = ()
        self.ends: dict[str, int | None] = {}

    def take(self, colour: int, wanted: int) -> int:
        """Takes cubes out of a supply, as many as there are."""
        taken = min(wanted, self.supply[colour])
        self.supply[colour] -= taken
        return taken

    def follow(self, event: dict[str, Any]) -> None:
        """Goes on by one event."""
        getattr(self, "_on_" + event["event"], lambda _: None)(event)

    def _on_slot_taken(self, e: dict[str, Any]) -> None:
        self.special[e["seat"]] = e["special"]

    def _on_season_over(self, _: dict[str, Any]) -> None:
        self.special, self.effect = {}, None

    def _on_event_drawn(self, e: dict[str, Any]) -> None:
        self.effect = e["effect"]

    def _on_event_removed(self, e: dict[str, Any]) -> None:
        self.effect = None if e["removed"] else self.effect

    def _on_built(self, e: dict[str, Any]) -> None:
        self.land[e["province"]][e["building"]] = True

    def _on_unrest(self, e: dict[str, Any]) -> None:
        self.land[e["province"]]["unrest"] = e["markers"]

    def _on_year_over(self, _: dict[str, Any]) -> None:
        for it in self.land.values():
            it["unrest"] = 0

    def _on_deployed(self, e: dict[str, Any]) -> None:
        self.supply[e["seat"]] -= e["armies"]
        it = self.land[e["province"]]
        if it["owner"] is None:  # favour 12
            it["owner"] = self.ends[e["province"]] = e["seat"]
        it["armies"] += e["armies"]

    def _on_moved(self, e: dict[str, Any]) -> None:
        self.land[e["from"]]["armies"] -= e["armies"]
        self.land[e["to"]]["armies"] += e["armies"]

    def _on_converted(self, e: dict[str, Any]) -> None:
        if e["province"] is None:
            self.tray[e["seat"]] -= e["armies"]
        else:
            self.land[e["province"]]["armies"] -= e["armies"]
        self.supply[e["seat"]] += e["armies"]

    def _on_favour_gained(self, e: dict[str, Any]) -> None:
        if e["kind"] == "armies_to_tray":
            self.supply[e["seat"]] -= e["amount"]
            self.tray[e["seat"]] += e["amount"]

    def _on_bumped(self, e: dict[str, Any]) -> None:
        self.tray[e["cube"]] += 1

    def _on_revolts_drawn(self, e: dict[str, Any]) -> None:
        self.extra = e["extra_farmers"]

    def _on_season_begun(self, _: dict[str, Any]) -> None:
        self.extra = 0

    def _on_attack(self, e: dict[str, Any]) -> None:
        att, to, k = e["seat"], e["to"], e["armies"]
        assert 1 <= k <= self.land[e["from"]]["armies"] - 1
        self.land[e["from"]]["armies"] -= k
        thrown = heap()
        thrown[att] += k
        if self.special.get(att) == "attack_plus_1":
            thrown[att] += self.take(att, 1)
        dfn = self.land[to]["owner"]
        if dfn is None:
            thrown[5] += self.take(5, 2 if self.effect == "neutral_two_farmers" else 1)
            farmers_fight = True
        else:
            assert dfn != att
            thrown[dfn] += self.land[to]["armies"]
            if self.special.get(dfn) == "defence_plus_1":
                thrown[dfn] += self.take(dfn, 1)
            if self.effect == "castle_defence" and self.land[to]["castle"]:
                thrown[dfn] += self.take(dfn, 1)
            farmers_fight = self.land[to]["unrest"] == 0
        self.fight = ("attack", att, dfn, to, farmers_fight, thrown)

    def _on_revolt(self, e: dict[str, Any]) -> None:
        it, thrown = self.land[e["province"]], heap()
        thrown[5] += self.take(5, it["unrest"] + self.extra)
        thrown[it["owner"]] += it["armies"]
        self.fight = ("revolt", None, it["owner"], e["province"], True, thrown)

    def _on_thrown(self, e: dict[str, Any]) -> None:
        kind, att, dfn, place, farmers_fight, thrown = self.fight
        assert e["cubes"] == [cubes + tray for cubes, tray in zip(thrown, self.tray, strict=True)]
        self.tray, it = list(e["tray"]), self.land[place]
        a = self.grab(att) if kind == "attack" else 0
        d = self.grab(dfn) if dfn is not None else 0
        f = self.grab(5) if farmers_fight else 0
        self.supply[5] += f
        self.battles += 1
        self.ends[place] = it["owner"]
        if kind == "revolt":
            if d > f:
                self.supply[dfn] += f
                it["armies"] = d - f
            else:
                self.supply[dfn] += d
                self.make_neutral(place)
        elif a > d + f:
            self.supply[att] += d + f
            if dfn is not None:
                self.supply[dfn] += d
            it |= {"owner": att, "armies": a - d - f}
            self.ends[place] = att
        elif a < d + f and d >= 1:
            lost = max(0, a - f)
            self.supply[att] += a
            self.supply[dfn] += lost
            it["armies"] = d - lost
        else:
            self.supply[att] += a
            if dfn is not None:
                self.supply[dfn] += d
            self.make_neutral(place)

    def grab(self, colour: int) -> int:
        """Takes all cubes of a colour out of the tray."""
        found, self.tray[colour] = self.tray[colour], 0
        return found

    def make_neutral(self, place: str) -> None:
        """Nothing is left in the province."""
        self.ends[place] = None
        self.land[place] = {
            "owner": None, "armies": 0, "castle": False, "temple": False, "no": False, "unrest": 0,
        }  # fmt: skip

    def _on_conquered(self, e: dict[str, Any]) -> None:
        assert self.ends[e["province"]] == e["seat"]

    def _on_neutral(self, e: dict[str, Any]) -> None:
        assert self.ends[e["province"]] is None

    def compare(self, state: dict[str, Any]) -> None:
        """Everything is where the match says it is."""
        assert state["provinces"] == self.land
        assert (state["supply"], state["tray"]) == (self.supply, self.tray)


@pytest.mark.parametrize(
    ("seats", "setup"), [(3, {"court": True}), (4, {}), (5, {"court": True, "mode": "draft"})]
)
def test_battles_of_random_matches(seats: int, setup: dict[str, Any]) -> None:
    # TW-BATTLE-17: every attack and revolt of some matches, step by step, after every decision
    battles = 0
    for seed in range(1, 4):
        choose = random.Random(seed)
        match = Match.create(
            "tower", seats=seats, seed=seed, setup=setup | {"bump_probability": 0.1 * (seed == 3)}
        )
        while match.state()["round"] == "setup":
            match.play(choose.choice(match.legal_actions()))
        procedure, logged = Procedure(match.state()), len(match.log)
        while not match.over:
            legal = match.legal_actions()
            moves = [action for action in legal if action.name == "move"]  # large ones make better battles
            match.play(
                max(moves, key=lambda a: a.args["armies"])
                if moves and choose.random() < 0.3
                else choose.choice(legal)
            )
            log = match.log
            for event in log[logged:]:
                procedure.follow(event)
            log_grew, logged = len(log) > logged, len(log)
            if log_grew:
                procedure.compare(match.state())
        battles += procedure.battles
    assert battles > 60
