"""Invariants of a state of `battles` and of its log, written from the ledger, not from the code."""

from collections import Counter
from functools import cache
from typing import Any

from differential.model_battles_board import HEXES, TROOPS, at, scenario
from differential.model_battles_decks import DRAGON, command_deck, dragon_deck
from sengoku import Match

State = dict[str, Any]
Place = str
"""A hex as `row,place`."""

SIDES = ("top", "bottom")
OTHER = {"top": "bottom", "bottom": "top"}
FULL = 4
"""Blocks of a full unit (BT-COMP-03)."""
COMMAND, DRAGONS = Counter(command_deck()), Counter(dragon_deck())
DEFERRED = {"carry_loss", "carry_back", "carry_back_to"}
"""Questions of a campaign, before the cards of the second battle are dealt (BT-COMP-05)."""
OF_THE_ACTIVE = {
    "play_command", "tactical_wisdom", "dragon_target", "ninja_thief", "play_stolen", "turncoat", "order",
    "move", "destination", "battle", "target", "charge", "second_shot", "take_ground", "bonus_melee",
    "advise", "keep_one", "replenish", "discard_for_honor",
}  # fmt: skip
OF_THE_OTHER = {"drive_back", "battle_back", "struck"}
TEMPORARY = {"across", "hills"}
"""Reasons of banners that can be lost again (BT-SCEN-06, BT-SCEN-17, BT-SCEN-19)."""
BANNERS = {
    "across": {(4, "bottom"), (16, "bottom"), (26, "bottom")},
    "hills": {(39, "top"), (39, "bottom")},
    "objective": {(21, "bottom"), (34, "bottom")},
    "empty_section": {(18, "bottom"), (19, "bottom"), (37, "top"), (37, "bottom")},
    "order_one": {(number, "top") for number in range(28, 32)},
    "bank": {(32, "top"), (32, "bottom")},
    "exit": {(5, "top")},
}
"""Banners of scenarios: where there are any, and for whom (BT-SCEN-02 and the table below it)."""
LINKED = {18: 19, 39: 40}
"""BT-SCEN-20."""


@cache
def impassable(number: int) -> frozenset[int]:
    """Hexes that nobody enters (BT-TERRAIN-02, BT-TERRAIN-06, BT-R-59)."""
    return frozenset(scenario(number).impassable)


def number_of(place: Place) -> int:
    """The number of a hex (BT-BOARD-01, BT-BOARD-03)."""
    row, column = map(int, place.split(","))
    assert 0 <= row <= 10, f"BT-BOARD-01: {place}"
    assert 0 <= column <= 11 - row % 2, f"BT-BOARD-01: {place}"
    return at(row, column)


def check_pieces(state: State) -> None:
    """Who stands where."""
    closed = impassable(state["scenario"])
    units: dict[Place, State] = {}
    for unit in state["units"]:
        place = unit["hex"]
        assert number_of(place) < len(HEXES)
        assert number_of(place) not in closed, f"BT-TERRAIN-02: {unit} in impassable terrain"
        assert place not in units, f"BT-BOARD-10: two units at {place}"
        assert 1 <= unit["blocks"] <= FULL, f"BT-COMP-03: {unit}"
        assert unit["unit"] in TROOPS, f"BT-COMP-04: {unit}"
        units[place] = unit
    leaders: dict[Place, State] = {}
    for leader in state["leaders"]:
        place = leader["hex"]
        assert number_of(place) not in closed, f"BT-TERRAIN-02: {leader} in impassable terrain"
        assert place not in leaders, f"BT-BOARD-10: two leaders at {place}"
        leaders[place] = leader
        led = units.get(place)
        if led is None:
            assert leader["leader"] != "AC", "BT-ARMY-COMMANDER-10: alone he is a foot leader"
            continue
        assert led["side"] == leader["side"], f"BT-BOARD-10: enemies at {place}"
        arms = {"LF": {"infantry"}, "LM": {"infantry", "cavalry"}, "AC": {"special"}}[leader["leader"]]
        assert TROOPS[led["unit"]].arm in arms, f"BT-LEADERS-03: {leader['leader']} with {led['unit']}"
    tents = scenario(state["scenario"]).tents
    for unit in units.values():
        if unit["unit"] == "BG":
            side = SIDES.index(unit["side"])
            assert leaders[unit["hex"]]["leader"] == "AC", "BT-ARMY-COMMANDER-09: no bodyguard without him"
            assert tents[side] == number_of(unit["hex"]), "BT-ARMY-COMMANDER-02: it never moves"
            assert state["tents"][unit["side"]], "BT-ARMY-COMMANDER-12: nobody else was in the tent"
    for side, stands in state["tents"].items():
        assert not stands or SIDES.index(side) in tents, "BT-ARMY-COMMANDER-13: a tent that is not on the map"


def check_cards(state: State) -> None:
    """Every card is somewhere, once (BT-COMP-03)."""
    turn, command, dragon = state["turn"], state["command"], state["dragon"]
    table = [turn["command"]] if turn["command"] else []
    table += ["C-FIRST"] * turn["first_strikes"]
    if state["question"] is not None and state["question"]["step"] in DEFERRED:
        return  # nothing is dealt yet, and no deck is there (BT-COMP-05)
    for pile, in_play, all_cards, rule in (
        (command, table, COMMAND, "BT-CMD-01"), (dragon, turn["played"], DRAGONS, "BT-DRAGON-01"),
    ):  # fmt: skip
        hands = [card for side in SIDES for card in pile["hands"][side]]
        found = Counter([*pile["deck"], *pile["discards"], *hands, *in_play])
        assert found == all_cards, f"{rule}: {found - all_cards} too many, {all_cards - found} missing"
    assert len(turn["played"]) <= 3, "BT-DRAGON-USE-01: one each, and one that Ninja Thief took"
    assert len(turn["played"]) <= 2 or "D-24" in turn["played"], "BT-DRAGON-USE-01"
    assert turn["first_strikes"] <= 2, "BT-CMD-20: there are two of them"


def check_tokens(state: State) -> None:
    """Honor and banners."""
    honor, played = state["honor"], state["turn"]["played"]
    tokens = honor["top"] + honor["bottom"] + state["pool"] + state["tokens"]
    assert tokens == 30, f"BT-COMP-03: {tokens} honor tokens"
    assert min(*honor.values(), state["pool"], state["tokens"]) >= 0, "BT-HONOR-01"
    assert state["tokens"] == sum(DRAGON[card][1] for card in played), f"BT-HONOR-04: {played}"
    marked = Counter(unit["side"] for unit in state["units"] if unit["hex"] in state["marked"])
    assert marked.total() == len(state["marked"]), "BT-SCEN-06: a mark without a unit"
    for side in SIDES:
        here = (state["scenario"], side)
        temporary = marked[side] * (here in BANNERS["across"])
        temporary += (state["hill_majority"] == side) * (here in BANNERS["hills"])
        assert state["temporary_banners"][side] == temporary, f"BT-VICTORY-02: {side}"
        need = scenario(state["scenario"]).banners
        assert state["banners_to_win"][side] == need, "BT-SCEN-01"
        if state["over"] is None:
            assert state["banners"][side] + temporary < need, f"BT-VICTORY-01: {side} has won"
    hills = {place for place, kind in enumerate(scenario(state["scenario"]).terrain) if kind == "hill"}
    moving = (state["question"] or {}).get(
        "window"
    ) == "W-MOVE-D"  # nothing has come of the move (BT-DRAGON-30)
    if state["hill_majority"] is not None and state["scenario"] == 39 and not moving:
        on = Counter(unit["side"] for unit in state["units"] if number_of(unit["hex"]) in hills)
        most = state["hill_majority"]
        assert on[most] > on[OTHER[most]], f"BT-SCEN-17: {on}"


def check_question(state: State) -> None:
    """Somebody is asked, and he has something to decide about."""
    question, turn = state["question"], state["turn"]
    assert (question is None) == (state["over"] is not None), "BT-VICTORY-01: asked after the end"
    if question is None:
        return
    step, asked, active = question["step"], question["asked"], state["active"]
    assert asked in SIDES
    if step in OF_THE_ACTIVE:
        assert asked == active, f"Decision points: {step} is for the active player"
    if step in OF_THE_OTHER:
        assert asked != active, f"Decision points: {step} is for the other player"
    if step == "play_command":
        assert len(state["command"]["hands"][active]) >= 2, "BT-TURN-02: he has surrendered"
        assert not turn["played"], "BT-END-OF-TURN-01"
    if step == "window":
        owner = question["side"]
        held = bool(state["dragon"]["hands"][owner])
        stolen = owner == active and turn["stolen"] is not None
        may_play = held and (stolen or not turn["dragon_used"][owner])
        first = question["window"] == "W-FIRST" and bool(state["command"]["hands"][owner])
        assert may_play or first, f"BT-DRAGON-USE-10: {question}"
    places = {unit["hex"] for unit in state["units"] if unit["side"] == active}
    leaders = {leader["hex"] for leader in state["leaders"] if leader["side"] == active}
    assert set(turn["ordered"]) <= places, "BT-ORDERS: a unit that is not there has an order"
    assert set(turn["ordered_leaders"]) <= leaders, "BT-ORDERS: a leader who is not there has an order"


def check(state: State) -> None:
    """Everything that must hold between two decisions."""
    check_pieces(state)
    check_cards(state)
    check_tokens(state)
    check_question(state)


def blocks(state: State) -> int:
    """All blocks on the board."""
    return sum(unit["blocks"] for unit in state["units"])


def check_step(before: State, after: State) -> None:
    """Checks what any decision can change; both states are of one battle."""
    held, left = (
        Counter(card for hand in state["dragon"]["hands"].values() for card in hand)
        for state in (before, after)
    )  # a whole turn can pass between two decisions
    played = {*before["turn"]["played"], *after["turn"]["played"], *(held - left)}
    for side in SIDES:
        assert after["banners"][side] >= before["banners"][side], "BT-VICTORY-02: kept for good"
        assert after["tents"][side] <= before["tents"][side], "BT-ARMY-COMMANDER-12: a tent came back"
        begun = after["turns"][side] - before["turns"][side]
        assert begun == (side == after["active"] != before["active"]), "BT-TURN-01: players alternate"
    if after["scenario"] not in {number for number, _ in BANNERS["across"]}:
        assert set(after["marked"]) <= set(before["marked"]), "BT-SCEN-06: no such rule"
    if after["scenario"] != 39:
        assert after["hill_majority"] in (None, before["hill_majority"]), "BT-SCEN-17: no such rule"
    if not played & {"D-05", "D-30"}:  # Physician, Bulletproof Armor
        assert blocks(after) <= blocks(before), "BT-UNITS-09: blocks from nowhere"
    for kind, whose in (("units", "unit"), ("leaders", "leader")):
        for side in SIDES if "D-11" not in played or kind == "leaders" else ():  # Turncoats
            old, new = (
                Counter(
                    "LF" if one[whose] == "AC" else one[whose] for one in state[kind] if one["side"] == side
                )
                for state in (before, after)
            )
            assert new <= old, f"BT-R-03: {new - old} of {side} from nowhere"
        old, new = (Counter(one.get("name") for one in state["leaders"]) for state in (before, after))
        assert new <= old, "BT-LEADERS-30: a leader came back"


class Account:
    """A board that knows the log only; it must come to what the state says."""

    def __init__(self, match: Match) -> None:
        self.read = len(match.log)
        state = match.state()
        self.campaign = state["options"]["campaign"]
        self.open_books(state)
        self.honor, self.banners = dict(state["honor"]), dict(state["banners"])
        self.hands = {
            name: {side: len(state[name]["hands"][side]) for side in SIDES} for name in ("command", "dragon")
        }
        self.command_size = {
            side: size - self.drawn_besides(side, state) for side, size in self.hands["command"].items()
        }
        """Cards that a side has when a turn begins: nothing but losses and White Dragon change it."""

    def open_books(self, state: State) -> None:
        """The pieces of a battle as they stand."""
        self.number = state["scenario"]
        self.units = {one["hex"]: [one["side"], one["unit"], one["blocks"]] for one in state["units"]}
        self.leaders = {
            one["hex"]: [(one["side"], one["leader"], one.get("name"))] for one in state["leaders"]
        }
        self.tents = dict(state["tents"])
        self.honor, self.banners = dict.fromkeys(SIDES, 0), dict.fromkeys(SIDES, 0)
        self.owed: Counter[tuple[str, str]] = Counter()
        """Banners by side and reason that eliminations have earned."""
        self.last_move: dict[str, Any] = {}
        self.dragons: list[str] = []

    def follow(self, match: Match) -> None:
        """Reads what is new in the log and compares the outcome with the state."""
        log = match.log
        for event in log[self.read :]:
            getattr(self, f"_{event['event']}", self._nothing)(event)
        self.read = len(log)
        self.compare(match.state())

    def compare(self, state: State) -> None:
        """The state is what the log says."""
        units = {one["hex"]: [one["side"], one["unit"], one["blocks"]] for one in state["units"]}
        assert self.units == units
        leaders = {one["hex"]: [(one["side"], one["leader"], one.get("name"))] for one in state["leaders"]}
        assert {place: who for place, who in self.leaders.items() if who} == leaders
        assert self.tents == state["tents"]
        assert self.banners == state["banners"], "BT-VICTORY-02: banners are those told"
        if state["over"] is None:
            assert not +self.owed, f"BT-VICTORY-02: no banner for {self.owed}"
            if state["question"]["step"] in DEFERRED:
                return
        assert self.honor == state["honor"], "BT-HONOR-05"
        for name, sizes in self.hands.items():
            hands = {side: len(state[name]["hands"][side]) for side in SIDES}
            assert sizes == hands, f"BT-COMP-06: {name} cards in hand, by the log"
        if state["over"] is None and state["question"]["step"] == "play_command":
            for side in SIDES:
                self.check_hand(side, state)

    def check_hand(self, side: str, state: State) -> None:
        """What a side holds when a turn begins follows from losses alone (BT-R-44, BT-END-OF-TURN-02)."""
        held, size = len(state["command"]["hands"][side]), self.command_size[side]
        if (self.number, side) == (32, "bottom"):
            assert held <= size, "BT-SCEN-15"
        else:
            size += self.drawn_besides(side, state)
            assert held == size, f"BT-END-OF-TURN-02: {side} holds {held} cards, not {size}"

    def drawn_besides(self, side: str, state: State) -> int:
        """Cards that Imagawa has drawn besides: one in each of his first three turns (BT-SCEN-11)."""
        ended = int(state["turns"][side]) - (state["active"] == side)
        return min(3, ended) if (self.number, side) == (12, "top") else 0

    def _nothing(self, _event: State) -> None:
        """Many events move nothing."""

    # Pieces

    def gather(self, place: Place) -> list[tuple[str, str, str | None]]:
        """The leaders at a place, taken away from it."""
        return self.leaders.pop(place, [])

    def arrive(self, place: Place, leaders: list[tuple[str, str, str | None]]) -> None:
        """Leaders come to a place."""
        if leaders:
            self.leaders[place] = self.leaders.get(place, []) + leaders

    def go(self, event: State, *, unit: bool, leader: bool) -> None:
        """A unit, a leader or both go from one place to another."""
        start, end = event["from"], event["to"]
        if start == end:
            return
        if unit:
            assert end not in self.units, f"BT-BOARD-10: {event}"
            self.units[end] = self.units.pop(start)
            assert self.units[end][0] == event["side"]
        if leader:
            self.arrive(end, self.gather(start))

    def _moved(self, event: State) -> None:
        assert event["unit"] is None or self.units[event["from"]][1] == event["unit"]
        self.go(event, unit=event["unit"] is not None, leader=event["leader"])
        self.last_move = event

    def _called_back(self, event: State) -> None:
        if event["from"] != event["to"]:
            assert (event["to"], event["from"]) == (self.last_move["from"], self.last_move["to"])
            self.go(event, unit=self.last_move["unit"] is not None, leader=True)

    def _retreated(self, event: State) -> None:
        if event["unit"] is None:
            self.go(event, unit=False, leader=True)
            return
        assert self.units[event["from"]][1] == event["unit"]
        row, end = (int(event[name].split(",")[0]) for name in ("from", "to"))
        back = row - end if event["side"] == "top" else end - row
        assert back >= 0, "BT-RETREAT-02: never forward"
        self.go(event, unit=True, leader=event["from"] != event["to"])

    def _took_ground(self, event: State) -> None:
        self.go(event, unit=True, leader=True)

    def _moved_back(self, event: State) -> None:
        self.go(event, unit=True, leader=True)

    def _blocks_lost(self, event: State) -> None:
        unit = self.units[event["hex"]]
        assert unit[:2] == [event["side"], event["unit"]]
        unit[2] -= event["lost"]
        assert unit[2] == event["left"] >= 0
        assert event["lost"] > 0

    def _unit_gone(self, event: State) -> None:
        side, kind, left = self.units.pop(event["hex"])
        assert [side, kind] == [event["side"], event["unit"]]
        why = event["why"]
        assert (left == 0) == (why == "eliminated"), f"{event} with {left} blocks"
        if why == "eliminated" and kind != "BG":
            self.owed[OTHER[side], "unit"] += 1  # BT-VICTORY-02
        if why == "exit":
            assert (self.number, kind, side) == (5, "ASp", "top"), "BT-SCEN-18"
            self.owed[side, "exit"] += 1
        if kind == "BG":
            assert why in {"eliminated", "surrendered"}
            self.leaders[event["hex"]] = [  # BT-ARMY-COMMANDER-10
                (side, "LF" if leader == "AC" else leader, name)
                for side, leader, name in self.leaders.get(event["hex"], [])
            ]

    def _leader_gone(self, event: State) -> None:
        (leader,) = self.gather(event["hex"])
        assert leader == (event["side"], event["leader"], event["name"])
        if event["why"] == "eliminated":
            everybody = self.number == 2 or (self.number, leader[0]) == (3, "bottom")
            worth = 2 if everybody and (self.number == 2 or "Motoshige" in (leader[2] or "")) else 1
            self.owed[OTHER[leader[0]], "leader"] += worth  # BT-LEADERS-09

    def _healed(self, event: State) -> None:
        unit = self.units[event["hex"]]
        assert unit[2] < event["blocks"] <= FULL, f"BT-DRAGON-14, BT-DRAGON-39: {event}"
        assert {"D-05", "D-30"} & {*self.dragons}, "BT-UNITS-09: blocks from nowhere"
        unit[2] = event["blocks"]

    def _turned(self, event: State) -> None:
        if event["turned"]:
            assert "D-11" in self.dragons
            assert not self.leaders.get(event["hex"]), "BT-DRAGON-20: a unit without leader"
            unit = self.units[event["hex"]]
            assert unit[1] == event["unit"] != "BG", "BT-DRAGON-20"
            unit[0] = OTHER[unit[0]]

    def _tent_removed(self, event: State) -> None:
        assert self.tents[event["side"]]
        self.tents[event["side"]] = False
        self.owed[OTHER[event["side"]], "tent"] += 3  # BT-ARMY-COMMANDER-12

    # Tokens

    def _honor(self, event: State) -> None:
        self.honor[event["side"]] += event["change"]
        assert self.honor[event["side"]] == event["now"] >= 0, "BT-HONOR-01"

    def _banners(self, event: State) -> None:
        side, why, change = event["side"], event["why"], event["change"]
        assert (self.number, side) in BANNERS.get(why, {(self.number, side)}), f"BT-SCEN-02: {event}"
        if why in TEMPORARY:
            return
        assert change > 0, f"BT-VICTORY-02: a permanent banner was lost: {event}"
        self.banners[side] += change
        if why in {"unit", "leader", "tent", "exit"}:
            self.owed[side, why] -= change
            assert self.owed[side, why] == 0, f"BT-VICTORY-02: {event}"

    # Cards

    def _dealt(self, event: State) -> None:
        side = event["side"]
        army = scenario(self.number).armies[SIDES.index(side)]
        assert (event["command"], event["dragon"]) == (army.command_cards, army.dragon_cards), "BT-SCEN-01"
        assert event["honor"] <= army.honor, "BT-SCEN-01, BT-SCEN-20"
        self.hands["command"][side] = self.command_size[side] = event["command"]
        self.hands["dragon"][side] = event["dragon"]
        self.honor[side] = event["honor"]

    def _turn_begun(self, _event: State) -> None:
        self.dragons = []

    def _command_played(self, event: State) -> None:
        self.hands["command"][event["side"]] -= 1

    def _command_drawn(self, event: State) -> None:
        self.hands["command"][event["side"]] += 1

    def _command_taken(self, event: State) -> None:
        self.hands["command"][event["side"]] += 1

    def _command_discarded(self, event: State) -> None:
        self.hands["command"][event["side"]] -= 1

    def _command_lost(self, event: State) -> None:
        self.hands["command"][event["side"]] -= 1
        self.command_size[event["side"]] -= 1  # BT-HONOR-12

    def _dragon_played(self, event: State) -> None:
        self.hands["dragon"][event["side"]] -= 1
        self.dragons.append(event["card"])
        assert event["cost"] == DRAGON[event["card"]][1], "BT-DRAGON-01"
        if event["card"] == "D-35":
            self.command_size[event["side"]] += 1  # BT-DRAGON-44

    def _dragon_drawn(self, event: State) -> None:
        self.hands["dragon"][event["side"]] += 1

    def _dragon_taken(self, event: State) -> None:
        self.hands["dragon"][event["side"]] += 1

    def _dragon_discarded(self, event: State) -> None:
        self.hands["dragon"][event["side"]] -= 1

    # Ends

    def _battle_over(self, event: State) -> None:
        if event["reason"] == "banners":
            need = scenario(self.number).banners
            assert event[event["winner"]] >= need > event[OTHER[event["winner"]]], "BT-VICTORY-01"
        if self.campaign and self.number in LINKED:
            self.open_books(Match.create("battles", setup={"scenario": LINKED[self.number]}).state())
