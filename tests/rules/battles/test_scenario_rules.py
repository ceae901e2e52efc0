"""Special rules of single battles (SCEN), the second battles of campaigns included."""

import tomllib

import pytest

from rules.battles.board import SIDES, Board, Play, faces
from rules.battles.scenarios import DATA, begun, start
from sengoku import Match
from sengoku.errors import SetupError


@pytest.mark.parametrize("number", [22, 23])
def test_dice_say_who_moves_first(number: int) -> None:
    # BT-SCEN-10: five dice each, top first; a tie is rolled again by both
    firsts = set()
    for seed in range(40):
        match = begun(number, seed=seed)
        rolls = [event for event in match.log if event["event"] == "rolled"]
        assert [(roll["side"], len(roll["faces"])) for roll in rolls] == [("top", 5), ("bottom", 5)] * (
            len(rolls) // 2
        )
        honor = [roll["faces"].count("honor") for roll in rolls]
        assert all(top == bottom for top, bottom in zip(honor[:-2:2], honor[1:-2:2], strict=True))
        assert honor[-2] != honor[-1]
        first = "top" if honor[-2] > honor[-1] else "bottom"
        assert match.state()["active"] == match.state()["first"] == first
        firsts.add((first, len(rolls) > 2))
    assert firsts == {(side, tie) for side in SIDES for tie in (False, True)}


def test_the_imagawa_hand_grows() -> None:
    # BT-SCEN-11: 2 cards; two are drawn at the end of each of the first three turns, one from the fourth on
    play = Play(begun(12, seed=4))
    sizes = []
    for _ in range(8):
        side = play.state["active"]
        if side == "top":
            sizes.append(len(play.hand("top")))
        usual = next(card for card in sorted(play.choices) if not card.startswith(("C-ONE", "C-COUNTER")))
        play.do(usual).end_turn()
    assert sizes == [2, 3, 4, 5]
    assert len(play.hand("top")) == 5


def test_order_one_in_a_growing_hand() -> None:
    # BT-SCEN-11: the first draw is two of which one is kept, the second a plain one
    board = (
        Board(scenario=12)
        .hand("top", "C-ONE-L", "C-SNAKE")
        .set(turns={"top": 1, "bottom": 1}, first="bottom", round=1)
    )
    board.deck("C-CRANE", "C-FLANKS", "C-TIGER-L", "C-TIGER-R", "D-01", "D-06")
    play = board.play().command("C-ONE-L").until("keep_one").do("C-FLANKS").until("replenish")
    assert play.hand("top") == ["C-SNAKE", "C-FLANKS", "C-TIGER-L"]
    assert play.state["command"]["discards"][-1] == "C-CRANE"


def test_lost_cards_are_not_made_good() -> None:
    # BT-SCEN-11: in the third turn of a hand that has lost one, two are drawn and no more
    board = (
        Board(scenario=12)
        .hand("top", "C-ADV-L", "C-SNAKE")
        .set(turns={"top": 3, "bottom": 3}, first="bottom", round=3)
    )
    board.deck("C-CRANE", "C-FLANKS", "C-TIGER-L")
    play = board.play().command("C-ADV-L").until("replenish")
    assert play.hand("top") == ["C-SNAKE", "C-CRANE", "C-FLANKS"]


def test_the_imagawa_tent_decides() -> None:
    # BT-SCEN-12, BT-SCEN-08: at the instant an Oda unit enters it, by a move or an advance
    board = Board(scenario=12, active="bottom").top("ASp@0,0").bottom("AB@6,5")
    play = board.play().command("C-ADV-C").order("6,5").move("6,5", "4,5")
    assert (play.winner, play.match.over) == ("bottom", True)
    board = Board(scenario=12, active="bottom").top("ASp:1@4,5", "ASp@0,0").bottom("SSp@5,5")
    play = board.fight("5,5", "4,5", "TCCC")
    assert play.winner is None
    assert play.do("5,5").winner == "bottom"


def test_a_lone_leader_does_not_take_the_imagawa_tent() -> None:
    # BT-SCEN-12: a unit
    board = Board(scenario=12, active="bottom").top("ASp@0,0").bottom("LF@6,5", "ASp@10,5")
    assert board.play().command("C-ADV-C").order("6,5").move("6,5", "4,5").winner is None


@pytest.mark.parametrize("number", [18, 19, 37])
def test_an_empty_section(number: int) -> None:
    # BT-SCEN-13, BT-R-05: one banner for one or more; leaders do not count, shared hexes are centre
    for pieces, banners in (
        (("ASp@2,1", "ASp@2,5", "ASp@2,10"), 0),
        (("ASp@2,1", "ASp@2,5"), 1),
        (("ASp@2,1",), 1),
        (("ASp@2,1", "ASp@2,5", "LF@2,10"), 1),
        (("ASp@2,1", "ASp@1,7", "ASp@2,5"), 1),  # a shared hex is not east
        (("ASp@2,1", "ASp@1,3", "ASp@2,10"), 0),  # but centre
    ):
        board = Board(scenario=number, active="bottom").top(*pieces).bottom("ASp@9,1", "ASp@9,5", "ASp@9,9")
        play = start(board)
        assert play.banners == {"top": 0, "bottom": banners}
        assert play.state["banners"]["bottom"] == banners  # permanent


def test_an_empty_section_counts_every_turn() -> None:
    # BT-SCEN-05, BT-SCEN-13: awarded each turn, they add up; in battle 37 for both sides
    board = Board(scenario=37, active="bottom").top("ASp@2,1").bottom("ASp@9,1")
    play = start(board)
    assert play.banners == {"top": 0, "bottom": 1}
    play.command("C-ADV-L").end_turn()
    assert play.banners == {"top": 1, "bottom": 1}
    play.command("C-ADV-L").end_turn()
    assert play.banners == {"top": 1, "bottom": 2}


@pytest.mark.parametrize("number", [28, 29, 30, 31])
def test_order_one_cards_give_banners(number: int) -> None:
    # BT-SCEN-14: at the end of the turn; not for other cards, not for the enemy
    for side, card, banners in (("top", "C-ONE-C", 1), ("top", "C-TWO-C", 0), ("bottom", "C-ONE-C", 0)):
        board = Board(scenario=number, active=side).hand(side, card, "C-SNAKE", "C-ADV-L")
        play = board.play().command(card).until("battle", "keep_one", "replenish")
        assert play.banners[side] in (0, banners)
        assert play.end_turn().banners[side] == banners


def test_order_one_banners_by_counterattack() -> None:
    # BT-SCEN-14, BT-R-60: the effective card counts
    board = Board(scenario=29).hand("top", "C-COUNTER", "C-SNAKE").last("bottom", "C-ONE-L", 1, 0, 0)
    assert board.play().command("C-COUNTER").end_turn().banners["top"] == 1


def test_order_one_banners_never_win() -> None:
    # BT-SCEN-14: the last one must come from elsewhere
    board = Board(scenario=29).hand("top", "C-ONE-C", "C-SNAKE").banners(top=6)
    play = board.play().command("C-ONE-C").end_turn()
    assert (play.banners["top"], play.winner) == (6, None)


@pytest.mark.parametrize(
    ("across", "turns", "banners"),
    [(("ASp@2,2",), 3, 0), (("ASp@8,3", "LF@2,2"), 3, 1), (("ASp@8,3",), 2, 1), (("ASp@8,3",), 1, 0)],
)
def test_the_uesugi_hold_their_bank(across: tuple[str, ...], turns: int, banners: int) -> None:
    # BT-SCEN-15: from the second turn on, if no Oda unit is across; leaders do not count
    board = Board(scenario=32).top("ASp@0,0").bottom(*across)
    board.set(turns={"top": turns, "bottom": turns - 1}, round=turns, first="top")
    assert start(board).banners == {"top": banners, "bottom": 0}


@pytest.mark.parametrize(
    ("across", "banners"),
    [(("2,2", "2,3", "2,4"), 1), (("2,2", "2,3"), 0), (("2,2", "2,3", "5,0"), 0)],
)
def test_the_oda_cross_the_tedori(across: tuple[str, ...], banners: int) -> None:
    # BT-SCEN-15: three units on the Uesugi bank, not in the water; without them no command card is drawn
    board = Board(scenario=32, active="bottom").top("ASp@0,0").bottom(*(f"ASp@{hex_}" for hex_ in across))
    play = board.deck("C-CRANE").play()
    assert play.banners["bottom"] == banners
    play.command("C-ADV-L").until("replenish")
    assert len(play.hand("bottom")) == 4 + banners


def test_first_strikes_of_the_oda_are_replaced() -> None:
    # BT-SCEN-15: in a Uesugi turn
    board = (
        Board(scenario=32)
        .top("ASp@7,4")
        .bottom("ASp@8,4")
        .hand("bottom", "C-FIRST", "C-SNAKE")
        .deck("C-CRANE", "C-GEESE")
    )
    board.hand("top", "C-ADV-C", "C-ADV-L", "C-ADV-R")
    play = (
        board.play("HHH", "HHH").command("C-ADV-C").order("7,4").declare("7,4", "8,4").do("C-FIRST").quiet()
    )
    play.until("replenish")
    assert play.hand("bottom") == ["C-SNAKE", "C-CRANE"]


HELD = {"Mori": ("0,8", "C-ONE-L"), "Chosokabe": ("0,1", "C-ONE-R")}


@pytest.mark.parametrize("clan", HELD)
def test_held_units_wait_for_their_card(clan: str) -> None:
    # BT-SCEN-16, BT-R-89: no other order at all, then every order
    hex_, card = HELD[clan]
    for other in ("C-ADV-L", "C-ADV-R", "C-GEESE", "C-TRIANGLE", "C-SQUARE", "C-SNAKE"):
        board = Board(scenario=37).hand("top", other, "C-CRANE")
        board.state.pop("units", None)
        play = board.play().command(other)
        if play.question == "order":
            assert hex_ not in play.choices, other
    board = Board(scenario=37).hand("top", card, "C-ADV-L", "C-ADV-R", "C-CRANE")
    play = board.play().command(card)
    assert hex_ in play.choices
    play.order(hex_).end_turn().end_turn()
    play.command("C-ADV-L" if clan == "Mori" else "C-ADV-R").quiet()
    assert hex_ in play.choices
    others = {"Mori": {"0,9", "0,10"}, "Chosokabe": {"0,2"}}[clan]
    assert not others & play.choices  # each is released by its own first order


def test_the_wrong_order_one_card_releases_nobody() -> None:
    # BT-SCEN-16: Mori left, Chosokabe right; by the slot after Tactical Wisdom and Counterattack
    for setup, clan in (
        (("C-ONE-R",), "Chosokabe"),
        (("C-ONE-L",), "Mori"),
        (("C-ONE-C", "D-04", "center>left"), "Mori"),
        (("C-ONE-L", "D-04", "left>right"), "Chosokabe"),
    ):
        board = Board(scenario=37).hand("top", setup[0], "C-CRANE").dragons("top", "D-04")
        play = board.play().command(*setup).quiet()
        found = {name for name, (hex_, _) in HELD.items() if hex_ in play.choices}
        assert found == {clan}, setup
    board = Board(scenario=37).hand("top", "C-COUNTER", "C-CRANE").last("bottom", "C-ONE-R", 0, 0, 1)
    play = board.play().command("C-COUNTER")
    assert {name for name, (hex_, _) in HELD.items() if hex_ in play.choices} == {"Mori"}


def test_brave_messenger_does_not_reach_held_units() -> None:
    # BT-SCEN-16: an extra order is not an order of the card
    board = Board(scenario=37).hand("top", "C-ONE-L", "C-CRANE").dragons("top", "D-13")
    play = board.play().command("C-ONE-L", "D-13").do("0,8")
    assert play.question == "order"
    assert not {"0,9", "0,10", "0,1", "0,2"} & play.choices


def test_held_units_battle_back() -> None:
    # BT-SCEN-16
    board = Board(scenario=37, active="bottom").hand("bottom", "C-ADV-C", "C-ADV-L", "C-ADV-R", "C-GEESE")
    play = board.top("ASp@0,8").bottom("ASp@0,7").set(held=[["0,8"], []]).play("HH").command("C-ADV-C")
    play.order("0,7").attack("0,7", "0,8")
    assert (play.asked, play.question) == ("top", "battle_back")


def test_turncoats_are_held_no_longer() -> None:
    # BT-SCEN-16: a held unit that has changed sides takes any order
    board = Board(scenario=37, active="bottom").dragons("bottom", "D-11").honor(bottom=8)
    play = board.play("HHH", "CCC").command("C-ADV-R", "D-11").do("0,8", "yes").quiet()
    assert play.question == "order"
    assert "0,8" in play.choices


def test_hills_of_komatsuyama() -> None:
    # BT-SCEN-17: the side with units on more hill hexes has a banner; leaders do not count
    for top, bottom, banners in (
        (("ASp@5,3", "ASp@6,4"), ("ASp@6,6",), (1, 0)),
        (("ASp@5,3",), ("ASp@6,6", "ASp@6,7"), (0, 1)),
        (("ASp@5,3",), ("ASp@6,6",), (0, 0)),
        (("ASp@5,3", "ASp@0,0"), ("LF@6,6", "ASp@9,9"), (1, 0)),
    ):
        for active in SIDES:
            play = start(Board(scenario=39, active=active).top(*top).bottom(*bottom))
            assert tuple(play.banners[side] for side in SIDES) == banners
            assert play.state["banners"] == {"top": 0, "bottom": 0}  # temporary


def test_the_banner_for_hills_is_lost_at_once() -> None:
    # BT-SCEN-17: when another hill is taken, but the other side has it only at the start of a turn
    board = Board(scenario=39, active="bottom").top("ASp@5,3").bottom("AB@7,5", "AB@8,6")
    play = board.play()
    assert play.banners == {"top": 1, "bottom": 0}
    play.command("C-ADV-C").order("7,5", "8,6").move("7,5", "6,5")
    assert play.banners == {"top": 0, "bottom": 0}
    play.move("8,6", "6,6")
    assert play.banners == {"top": 0, "bottom": 0}
    play.end_turn()
    assert play.banners == {"top": 0, "bottom": 1}


def test_a_retreat_onto_a_hill_ends_the_banner_before_its_honor_is_settled() -> None:
    # BT-SCEN-17: at the instant, before the dice for lack of honor are worked off
    board = Board(scenario=39).top("ASp@5,3").bottom("ASp@5,4", "SSp@10,2", "SSp@10,6").honor(bottom=0)
    play = board.play("FCC", "SFFHH").command("C-ADV-C").order("5,3").attack("5,3", "5,4")
    assert (play.question, play.banners) == ("retreat", {"top": 1, "bottom": 0})
    play.do("6,4")
    assert (play.question, play.banners) == ("lose_nearest", {"top": 0, "bottom": 0})


def test_mori_spearmen_leave_across_the_tajii() -> None:
    # BT-SCEN-18: removed for a permanent banner; its leader stays in the hex, the opponent has no banner
    for unit, left, banners in (("ASp", "top LF", 1), ("AB", "top AB:4+LF", 0)):
        board = Board(scenario=5).top(f"{unit}+LF@1,1", "ASp@9,9").bottom("ASp@5,5")
        play = board.play().command("C-ADV-R").order("1,1").move("1,1", "1,0")
        assert (play.at("1,0"), play.banners) == (left, {"top": banners, "bottom": 0})
        assert play.state["banners"]["top"] == banners


def test_spearmen_who_take_ground_across_the_river_leave_too() -> None:
    # BT-SCEN-18, BT-SCEN-07, BT-MOMENTUM-04: their leader stays, and alone he makes no bonus melee
    rule = {
        "kind": "unit_exits_across_river",
        "side": "top",
        "unit_types": ["ASp"],
        "bank": "bottom",
        "flags": 1,
    }
    banks = {"top": [[0, 0]], "bottom": [[5, 5], [6, 5]]}
    board = Board(header={"victory": [rule]}, deployment={"banks": banks})
    play = board.top("ASp+LF@4,5").bottom("LI:1@5,5", "LI@6,5").fight("4,5", "5,5", "CSS").do("4,5")
    assert (play.at("5,5"), play.banners) == ("top LF", {"top": 2, "bottom": 0})
    assert play.until("replenish").events("attack", bonus=True) == []


def test_the_ford_of_the_tajii_is_no_bank() -> None:
    # BT-SCEN-18, BT-SCEN-04: in the water nobody is across yet
    board = Board(scenario=5).top("ASp@1,2").bottom("ASp@5,5")
    play = board.play().command("C-ADV-R").order("1,2").move("1,2", "1,1")
    assert (play.at("1,1"), play.banners["top"]) == ("top ASp:4", 0)


def test_takeda_units_beyond_the_ravine() -> None:
    # BT-SCEN-19: next to the gorge, on the other side, at the start of a Takeda turn; lost with the hex
    for hex_, banners in (("5,4", 1), ("5,3", 1), ("3,4", 0), ("7,5", 0), ("6,4", 0)):
        board = Board(scenario=26, active="bottom").top("ASp@0,0").bottom(f"AB@{hex_}")
        assert start(board).banners == {"top": 0, "bottom": banners}, hex_
    board = Board(scenario=26, active="bottom").top("ASp@0,0").bottom("AB@5,4")
    play = board.play().command("C-ADV-C").order("5,4").move("5,4", "5,5")
    assert play.banners["bottom"] == 0  # also next to the gorge, but another hex
    assert play.end_turn().end_turn().banners["bottom"] == 1


def test_the_river_of_mimasetoge_is_fordable() -> None:
    # BT-R-85: whatever its name; a unit can enter every river hex from beside it
    terrain = tomllib.loads((DATA / "deployments" / "20.toml").read_text())["terrain"]
    river = [
        f"{row},{place}" for row, line in enumerate(terrain) for place, tile in enumerate(line) if tile == "r"
    ]
    assert river
    for hex_ in river[1:-1]:
        board = Board(scenario=20).top(f"AB@{hex_}").bottom("ASp@10,11").hand("top", "C-GEESE", "C-SNAKE")
        play = board.play().command("C-GEESE").order(hex_).do(hex_)
        assert set(river) & play.choices, hex_


def test_symbol_cards_count_themselves() -> None:
    # BT-R-86, BT-ORDERS-06: five cards and this one among them are five orders
    board = Board().top(*(f"ASp@2,{place}" for place in range(8))).bottom("ASp@9,9")
    board.hand("top", "C-TRIANGLE", "C-CRANE", "C-SNAKE")
    play = board.play().command("C-TRIANGLE").do("2,0", "2,1", "2,2")
    assert play.question != "order"
    assert len(play.ordered) == 3


# Mini-campaigns (BT-SCEN-20).


def second_battle(carried: str = "", *, top: int = 0, bottom: int = 5, campaign: int = 18) -> Play:
    """The second battle, after a first battle that ended with these banners; the winner's dice fall first."""
    winner, loser = ("bottom", "top") if bottom > top else ("top", "bottom")
    board = Board(scenario=campaign, active=winner).pieces(winner, "SSp@9,5", "SSp@10,1", "SSp@10,10")
    board.pieces(loser, "ASp:1@9,6", "ASp@0,0", "ASp@0,11")
    board.banners(top=top - (winner == "top"), bottom=bottom - (winner == "bottom"))
    table = board.table() | {"campaign": campaign}
    del table["scenario"]
    play = Play(Match.create("battles", seats=2, seed=1, setup=table, dice=faces("TTTT", carried)))
    return play.command("C-ADV-C").order("9,5").attack("9,5", "9,6")


def test_banners_of_the_first_battle_are_dice_in_the_second() -> None:
    # BT-SCEN-20, BT-R-87: the winner rolls first, then the loser; battle 19 begins as its header says
    play = second_battle("HHHHH" + "HH", top=2)
    assert [(roll["side"], len(roll["faces"])) for roll in play.events("rolled", roll="carry_over")] == [
        ("bottom", 5), ("top", 2),
    ]  # fmt: skip
    assert (play.state["scenario"], play.state["active"], play.question) == (19, "top", "play_command")
    assert play.honor == {"top": 0, "bottom": 4}  # 4 and 6, reduced by 5 and 2, but not below 0
    assert play.banners == {"top": 0, "bottom": 0}
    assert [len(play.hand(side)) for side in SIDES] == [5, 6]


@pytest.mark.parametrize(("campaign", "second"), [(18, 19), (39, 40)])
def test_a_campaign_ends_with_its_second_battle(campaign: int, second: int) -> None:
    # BT-SCEN-20: the match goes on after the first
    play = second_battle("HHHHH", campaign=campaign)
    assert (play.state["scenario"], play.match.over) == (second, False)
    assert play.events("battle_over")[0]["winner"] == "bottom"


LED, UNLED = {"1,5", "2,4", "3,9"}, {"3,0", "2,1", "3,2", "3,4", "2,6", "3,8", "2,9"}
"""Satomi units of battle 19 with and without a leader."""


def test_blocks_lost_before_the_second_battle() -> None:
    # BT-SCEN-20, DP-34: C, T, S take a block of units without leader, X of any; one of each at most
    play = second_battle("XSTCH")
    assert (play.asked, play.question, play.choices) == ("bottom", "carry_loss", UNLED)
    play.do("3,0")
    assert play.choices == UNLED - {"3,0"}  # any symbol of unit for any of the three
    play.do("2,6", "3,2")
    assert play.choices == (UNLED | LED) - {"3,0", "2,6", "3,2"}
    play.do("2,4")
    assert {hex_ for hex_ in UNLED | LED if ":3" in str(play.at(hex_))} == {"3,0", "2,6", "3,2", "2,4"}
    assert (play.question, play.banners, play.honor["top"]) == ("play_command", {"top": 0, "bottom": 0}, 3)


def test_units_moved_back_before_the_second_battle() -> None:
    # BT-SCEN-20, BT-R-88: units with a free hex behind them, several times if wanted; leaders go along
    play = second_battle("FFFHH")
    assert (play.asked, play.question) == ("bottom", "carry_back")
    assert play.choices == UNLED | LED
    play.do("2,4")
    assert (play.question, play.choices) == ("carry_back_to", {"1,3", "1,4"})
    play.do("1,4", "1,4", "0,4")
    assert (play.at("2,4"), play.at("0,4")) == (None, "top SSp:4+LF")
    assert "0,4" not in play.choices  # the baseline is behind it
    assert "3,4" in play.choices
    play.do("3,4", "2,4")
    assert play.honor["top"] == 2


def test_a_unit_without_a_free_hex_behind_it_stays() -> None:
    # BT-R-88: once 1,4 is taken beside 1,5, nothing is free behind 2,5
    play = second_battle("FFFHH").do("2,4", "1,4", "3,4", "2,5")
    assert (play.at("2,5"), play.question) == ("top AA:4", "carry_back")
    assert play.choices == (UNLED | LED | {"1,4"}) - {"2,4", "3,4"}
    play.do("3,0")  # beside 2,1 only one hex is free
    assert play.at("2,0") == "top ASp:4"


def test_linked_battles_can_be_played_singly() -> None:
    # DP-35: the setup says whether a second battle follows
    for number in (18, 19, 39, 40):
        match = begun(number)
        assert (match.state()["scenario"], match.state()["options"]["campaign"]) == (number, False)
    board = Board(scenario=18, active="bottom").top("ASp:1@9,6", "ASp@0,0", "ASp@0,11").bottom("SSp@9,5")
    play = board.banners(bottom=4).fight("9,5", "9,6", "TTTT")
    assert (play.winner, play.match.over) == ("bottom", True)
    with pytest.raises(SetupError, match="campaign"):
        Match.create("battles", seats=2, setup={"campaign": 19})


def test_positions_have_only_the_temporary_banners_of_their_battle() -> None:
    # BT-SCEN-06, BT-SCEN-17: marks for the bottom army of battles 4, 16 and 26, hills in battle 39
    for scenario, field in ((1, "hill_majority"), (1, "marked"), (16, "marked")):
        units = begun(scenario).state()["units"]
        request = (
            [next(unit["hex"] for unit in units if unit["side"] == "top")] if field == "marked" else "top"
        )
        with pytest.raises(SetupError, match="this battle has no banner") as caught:
            Match.create("battles", seats=2, setup={"scenario": scenario, "position": {field: request}})
        assert caught.value.details["field"] == f"position.{field}"
    hills = Match.create("battles", seats=2, setup={"scenario": 39, "position": {"hill_majority": "top"}})
    assert hills.state()["hill_majority"] == "top"
