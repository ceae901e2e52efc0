"""When dragon cards may be played (DRAGON-USE)."""

import pytest

from rules.battles.board import HAND, SIDES, Board, Play

MELEE_CARDS = ("D-06", "D-14", "D-17", "D-19", "D-22", "D-32")
"""Cards of windows that an attacker has in a melee."""


def duel(*, top: str = "SSp+LF@4,5", bottom: str = "SSp+LF@5,5") -> Board:
    """Two units with leaders face each other; the top army attacks."""
    return Board().top(top).bottom(bottom)


def walk(play: Play, *answers: str) -> list[tuple[str | None, str | None]]:
    """Plays the turn to its end, passing what is not answered: who was asked what, windows by name."""
    left, course = list(answers), []
    active = play.state["active"]
    while not play.match.over and play.state["active"] == active:
        course.append((play.asked, play.window or play.question))
        if left and left[0] in play.choices:
            play.do(left.pop(0))
        else:
            play.do("take_honor" if play.question == "replenish" else "pass")
    assert not left, f"never asked for {left}: {course}"
    return course


def test_one_dragon_card_in_a_turn() -> None:
    # BT-DRAGON-USE-01: a side that has played one is not asked again, the other still is
    board = duel().dragons("top", "D-33", *MELEE_CARDS).dragons("bottom", "D-02a", "D-07", "D-15", "D-25")
    play = board.play("CCCCC", "CC").command("C-ADV-C", "D-33").order("4,5").declare("4,5", "5,5")
    assert play.do("D-25").quiet().question == "battle_back"
    assert [event["card"] for event in play.events("dragon_played")] == ["D-33", "D-25"]
    play.do("pass").until("replenish")
    assert (play.dragons("top"), play.dragons("bottom")) == (list(MELEE_CARDS), ["D-02a", "D-07", "D-15"])


def test_a_card_in_each_turn_whosever_it_is() -> None:
    # BT-DRAGON-USE-01: the limit is for a turn; one in his own, one in the opponent's
    play = duel().dragons("top", "D-33", "D-37").play("CCCCC").command("C-ADV-C", "D-33").end_turn()
    play.command("C-ADV-C", "D-37").end_turn()
    assert [(event["side"], event["card"]) for event in play.events("dragon_played")] == [
        ("top", "D-33"),
        ("top", "D-37"),
    ]


def test_the_cost_lies_on_the_card_until_the_end_of_the_turn() -> None:
    # BT-DRAGON-USE-02
    play = duel().dragons("top", "D-26").play().command("C-ADV-C", "D-26")
    assert (play.honor, play.state["tokens"], play.state["pool"]) == ({"top": 2, "bottom": 5}, 3, 20)
    play.until("replenish")
    assert (play.honor["top"], play.state["tokens"], play.state["pool"]) == (2, 0, 23)


@pytest.mark.parametrize(("honor", "offered"), [(0, {"D-33"}), (1, {"D-33"}), (2, {"D-01", "D-33"})])
def test_a_card_must_be_affordable(honor: int, offered: set[str]) -> None:
    # BT-DRAGON-USE-02: Tea Ceremony costs nothing, Ashigaru Attack 2, Panic 3
    board = duel(top="ASp@4,5").honor(top=honor).dragons("top", "D-01", "D-26", "D-33")
    assert board.play().command("C-ADV-C").choices - {"pass"} == offered


def test_the_cost_is_never_refunded() -> None:
    # BT-DRAGON-USE-02, BT-R-69: Wild Winds leaves nothing for Tactical Wisdom to change
    board = duel().hand("top", "C-ADV-C", "C-SNAKE").dragons("top", "D-04").dragons("bottom", "D-36")
    play = board.play().command("C-ADV-C", "D-04", "D-36")
    assert play.events("no_effect") == [{"event": "no_effect", "side": "top", "card": "D-04"}]
    assert (play.question, play.honor, play.state["tokens"]) == ("order", {"top": 4, "bottom": 3}, 3)
    assert (play.until("replenish").honor["top"], play.discarded()) == (4, ["D-04", "D-36"])


def test_a_card_needs_its_own_window_and_a_target() -> None:
    # BT-DRAGON-USE-03: with the command card neither a card of a melee nor one for bows without a bow
    board = duel().dragons("top", "D-06", "D-12", "D-21", "D-33")
    assert board.play().command("C-ADV-C").choices == {"pass", "D-33"}
    board = duel(top="SB+LF@4,5").dragons("top", "D-06", "D-12", "D-21", "D-33")
    assert board.play().command("C-ADV-C").choices == {"pass", "D-12", "D-33"}


def test_all_windows_of_a_melee_in_their_order() -> None:
    # BT-DRAGON-USE-04, BT-R-70: two useless cards are enough to be asked everywhere
    board = duel(top="SSpC+LM@3,5").discards("C-CRANE").dragons("top", "D-21", "D-24").honor(top=7, bottom=7)
    board = board.dragons("bottom", "D-03", "D-08")
    play = board.play("FCCCC")
    answers = ("C-ADV-C", "3,5", "3,5", "4,5", "4,5", "yes", "0", "6,5", "4,5", "take_honor")
    assert walk(play, *answers) == [
        ("top", "play_command"),
        ("top", "W-CMD-A"),
        ("bottom", "W-CMD-D"),
        ("top", "order"),
        ("top", "move"),
        ("top", "W-MOVE-A"),
        ("top", "destination"),
        ("bottom", "W-MOVE-D"),
        ("top", "battle"),
        ("top", "W-MELEE-START"),
        ("bottom", "W-MELEE-START"),
        ("bottom", "W-FIRST"),
        ("top", "inspire"),
        ("top", "W-PRE-R"),
        ("bottom", "W-PRE-O"),
        ("top", "W-POST-R"),
        ("bottom", "W-POST-O"),
        ("bottom", "ignore_flags"),
        ("bottom", "retreat"),
        ("top", "W-SUCCESS-A"),
        ("top", "take_ground"),
        ("bottom", "W-GROUND-D"),
        ("top", "bonus_melee"),
        ("top", "W-END-A"),
        ("top", "replenish"),
        ("top", "discard_for_honor"),
    ]


def test_in_a_battle_back_the_windows_change_sides() -> None:
    # BT-DRAGON-USE-04, BT-R-70: now the defender is the roller
    board = duel().dragons("top", "D-21").dragons("bottom", "D-03").honor(bottom=7)
    play = board.play("CCCC", "CCCC").command("C-ADV-C").order("4,5").attack("4,5", "5,5")
    assert [(side, window) for side, window, _ in play.do("4,5").offers()] == [
        ("bottom", "W-PRE-R"),
        ("top", "W-PRE-O"),
        ("bottom", "W-POST-R"),
        ("top", "W-POST-O"),
    ]


def test_in_a_ranged_combat_there_are_three_windows() -> None:
    # BT-DRAGON-USE-04
    board = duel(top="SB+LF@3,5").dragons("top", "D-21").dragons("bottom", "D-03").honor(bottom=7)
    play = board.play("CCC").command("C-ADV-C").order("3,5").declare("3,5", "5,5")
    assert [(side, window) for side, window, _ in play.offers()] == [
        ("top", "W-PRE-R"),
        ("bottom", "W-PRE-O"),
        ("bottom", "W-POST-O"),
    ]


def test_a_challenge_needs_two_leaders() -> None:
    # BT-DRAGON-USE-04: W-MELEE-START is there only if both units have one
    for top, bottom in (("SSp@4,5", "SSp+LF@5,5"), ("SSp+LF@4,5", "SSp@5,5")):
        board = duel(top=top, bottom=bottom).dragons("top", "D-22").dragons("bottom", "D-22")
        play = board.play("CCCC").command("C-ADV-C").order("4,5").declare("4,5", "5,5")
        assert "W-MELEE-START" not in [window for _, window, _ in play.offers()]


def test_only_a_leader_that_moved_opens_the_window_of_insult() -> None:
    # BT-DRAGON-USE-04: not a unit alone, and not a leader that stayed
    for piece, to, asked in (
        ("SSp@3,5", "4,5", False),
        ("SSp+LF@3,5", "3,5", False),
        ("SSp+LF@3,5", "4,5", True),
        ("LF@3,5", "4,5", True),
    ):
        play = duel(top=piece, bottom="SSp@7,5").dragons("bottom", "D-21").play().command("C-ADV-C")
        play.order("3,5").do("3,5", to)
        assert (play.window == "W-MOVE-D") == asked


def test_passing_once_does_not_use_the_card_up() -> None:
    # BT-DRAGON-USE-05: asked again in every window until he plays
    board = duel().dragons("top", "D-33", "D-14", "D-32").honor(top=7)
    play = board.play("CCCC", "TCCC").command("C-ADV-C")
    assert (play.window, play.choices) == ("W-CMD-A", {"pass", "D-33"})
    play.do("pass").order("4,5").declare("4,5", "5,5").until("W-PRE-R")
    assert play.choices == {"pass", "D-14"}
    assert play.do("pass").until("W-POST-R").choices == {"pass", "D-32"}
    assert play.do("D-32").quiet().rolls("melee") == ["CCCC", "TCCC"]


def test_the_response_takes_effect_before_the_card_with_the_command() -> None:
    # BT-DRAGON-USE-06: Wild Winds finds the one other card, before White Dragon draws a second one
    for seed in range(6):
        board = (
            duel()
            .top("LI@1,9")
            .hand("top", "C-ADV-C", "C-TWO-L")
            .dragons("top", "D-35")
            .dragons("bottom", "D-36")
        )
        play = board.deck("C-THREE-R").play(seed=seed).command("C-ADV-C", "D-35", "D-36")
        assert (play.state["turn"]["command"], play.hand("top")) == ("C-TWO-L", ["C-ADV-C", "C-THREE-R"])
        assert play.course("command_replaced", "command_drawn") == ["command_replaced", "command_drawn"]


def test_a_card_with_the_command_is_done_before_orders_and_lasts_all_turn() -> None:
    # BT-DRAGON-USE-06: both ashigaru attack with a die more
    board = Board().top("ASp@4,5", "ASp@4,7").bottom("SSp@5,5", "SSp@5,7").dragons("top", "D-01")
    play = board.play("CCCC", "CCCC").command("C-ADV-C", "D-01").order("4,5", "4,7")
    play.attack("4,5", "5,5").do("pass").attack("4,7", "5,7")
    assert play.rolls("melee") == ["CCCC", "CCCC"]


def test_the_later_of_two_cards_holds() -> None:
    # BT-DRAGON-USE-07, BT-R-68: Panic with the command card, Bishamon in response
    board = Board().top("ASp@4,5").bottom("ASp@5,5").dragons("top", "D-26").dragons("bottom", "D-20")
    play = board.play("FFF").command("C-ADV-C", "D-26", "D-20").order("4,5").attack("4,5", "5,5")
    assert (play.question, play.choices) == ("ignore_flags", {"0", "1", "2", "3"})


def test_a_stolen_panic_is_later_than_bishamon() -> None:
    # BT-DRAGON-USE-07, BT-DRAGON-33: Ninja Thief is resolved after the response and plays Panic then
    board = Board().top("ASp@4,5").bottom("SSp@5,5").dragons("top", "D-24").dragons("bottom", "D-20")
    play = board.discards("D-26").play("FCC").command("C-ADV-C", "D-24", "D-20", "yes")
    play.order("4,5").attack("4,5", "5,5")
    assert play.question == "retreat"


@pytest.mark.parametrize("cards", [("D-26",), ("D-14",), ("D-06",)])
def test_no_card_moves_a_bodyguard(cards: tuple[str, ...]) -> None:
    # BT-DRAGON-USE-07: Panic, Cowards and Terror Strike, and all flags are still ignored
    board = Board(tents={"bottom": "5,5"}).top("ASp@4,5").bottom("AC+BG@5,5").dragons("top", *cards)
    play = board.play("FFF").command("C-ADV-C", *[card for card in cards if card == "D-26"])
    play.order("4,5").declare("4,5", "5,5").do(*[card for card in cards if card != "D-26"]).quiet()
    assert (play.at("5,5"), play.question) == ("bottom BG:4+AC", "battle_back")
    assert len(play.events("dragon_played")) == 1


def test_a_card_beats_the_rules() -> None:
    # BT-DRAGON-USE-08: three flags ignored, where no unit may ignore more than two
    board = duel(bottom="ASp@5,5").dragons("bottom", "D-15")
    play = board.play("FFFC").command("C-ADV-C").order("4,5").declare("4,5", "5,5").do("D-15").quiet()
    assert play.do(3).at("5,5") == "bottom ASp:4"


def test_terrain_holds_whatever_the_card() -> None:
    # BT-DRAGON-USE-08: Katchu Keiba Winner goes no farther than the forest, Spirit of Haya-ji does
    forest = {f"4,{place}": "FOREST" for place in range(12)}
    for card, beyond in (("D-18", set()), ("D-31", {"5,3", "5,4", "5,5", "5,6", "5,7"})):
        board = Board(terrain=forest).top("SSpC@3,5").bottom("LI@9,0").dragons("top", card)
        play = board.play().command("C-ADV-C").order("3,5").do("3,5", card)
        assert {hex_ for hex_ in play.choices if hex_.startswith("5")} == beyond


def test_played_cards_lie_open_until_the_turn_ends() -> None:
    # BT-DRAGON-USE-09: out of the hand at once, to the discards in the order played
    board = duel().dragons("top", "D-33", "D-01").dragons("bottom", "D-20").discards("D-05")
    play = board.play("CCCCC").command("C-ADV-C", "D-33", "D-20")
    assert (play.dragons("top"), play.dragons("bottom"), play.discarded()) == (["D-01"], [], ["D-05"])
    assert play.until("replenish").discarded() == ["D-05", "D-33", "D-20"]


def test_a_card_drawn_during_the_turn_may_be_played_in_it() -> None:
    # BT-DRAGON-USE-09: a seppuku brings Legendary Combat just in time
    board = Board().top("ASp@9,5").bottom("LF@10,5", "LI@10,6").deck("D-19")
    play = board.play("CCC").command("C-ADV-C").order("9,5").declare("9,5", "10,5").until("W-SUCCESS-A")
    assert (play.events("leader_gone")[0]["why"], play.window, play.choices) == (
        "seppuku",
        "W-SUCCESS-A",
        {"pass", "D-19"},
    )


@pytest.mark.parametrize("hand", [("D-09",), ("D-21",), ("D-06",), ("D-32",), ("D-14", "D-22")])
def test_what_a_hand_holds_opens_no_window(hand: tuple[str, ...]) -> None:
    # BT-DRAGON-USE-10: whatever the attacker holds, he is asked in the same windows
    board = duel().dragons("top", *hand)
    play = board.play("CCCC").command("C-ADV-C").order("4,5").declare("4,5", "5,5")
    assert [(side, window) for side, window, _ in play.offers()] == [
        ("top", "W-MELEE-START"),
        ("bottom", "W-FIRST"),  # he might hold First Strike
        ("top", "W-PRE-R"),
        ("top", "W-POST-R"),
    ]


def test_without_dragon_cards_nobody_is_asked() -> None:
    # BT-DRAGON-USE-10: how many cards a hand has is public
    play = duel().play("CCCC").command("C-ADV-C").order("4,5").declare("4,5", "5,5")
    assert [window for _, window, _ in play.offers()] == ["W-FIRST"]


def test_first_strike_is_asked_for_as_long_as_one_might_be_held() -> None:
    # DP-14, BT-DRAGON-USE-10: not without command cards, and not with both First Strikes among the discards
    for hand, discards, asked in (
        (HAND, (), ["W-FIRST"]),
        (HAND, ("C-FIRST",), ["W-FIRST"]),
        (HAND, ("C-FIRST", "C-FIRST"), []),
        ((), (), []),
    ):
        board = duel().hand("bottom", *hand).discards(*discards)
        play = board.play("CCCC").command("C-ADV-C").order("4,5").declare("4,5", "5,5")
        assert [window for _, window, _ in play.offers()] == asked


def test_the_opponent_sees_no_difference() -> None:
    # BT-DRAGON-USE-10: the same question for a hand with the card and one without, to the other seat
    views = []
    for card in ("D-06", "D-05"):
        play = duel().dragons("top", card).play().command("C-ADV-C").order("4,5").declare("4,5", "5,5")
        play.until("W-PRE-R")
        seat = SIDES.index("bottom")
        views.append((play.match.view(seat), play.match.observe(seat).tobytes(), play.match.log))
    assert views[0] == views[1]


def test_targets_are_chosen_when_the_card_is_resolved() -> None:
    # BT-DRAGON-USE-11: after the response
    board = Board().top("SSp@4,5").bottom("SSp+LF@8,5", "LM@9,5").dragons("top", "D-03")
    play = board.dragons("bottom", "D-37").play("C").command("C-ADV-C", "D-03")
    assert (play.asked, play.window) == ("bottom", "W-CMD-D")
    play.do("pass")
    assert (play.asked, play.question, play.choices) == ("top", "dragon_target", {"8,5", "9,5"})
    play.do("9,5")


@pytest.mark.parametrize(
    ("card", "top", "bottom", "playable"),
    [
        ("D-01", "ASp@1,1", "LI@8,5", True),
        ("D-01", "SSp@1,1", "ASp@8,5", False),
        ("D-12", "SBC@1,1", "LI@8,5", True),
        ("D-12", "AA@1,1", "SB@8,5", False),
        ("D-16", "AA@1,1", "LI@8,5", True),
        ("D-16", "AB@1,1", "AA@8,5", False),
        ("D-23", "LI@1,1", "SSpC@8,5", True),
        ("D-23", "SSpC@1,1", "LI@8,5", False),
        ("D-08", "LI@1,1", "LI@8,5", True),  # at the water
        ("D-08", "LI@8,5", "LI@1,1", False),
        ("D-27", "LI@1,1", "AB@8,5", True),
        ("D-27", "LI@1,1", "ASp@8,5", False),
        ("D-26", "LI@1,1", "ASp@8,5", True),
        ("D-26", "LI@1,1", "LM@8,5", False),
        ("D-28", "LI@1,1", "SSp@8,5", True),
        ("D-28", "LI@1,1", "LF@8,5", False),
        ("D-33", "LI@1,1", "LF@8,5", True),
        ("D-35", "LI@1,1", "LF@8,5", True),
    ],
)
def test_the_board_says_whether_a_card_is_playable(card: str, top: str, bottom: str, playable: bool) -> None:
    # BT-DRAGON-USE-11: its kind of unit is on the board, wherever and whether or not it will be ordered
    board = Board(terrain={"8,6": "RIVER"}).top(top).bottom(bottom).dragons("top", *{card, "D-33"})
    assert (card in board.play().command("C-ADV-L").choices) == playable


@pytest.mark.parametrize(
    ("last", "playable"),
    [(("C-TWO-L", 2, 0, 0), {"D-04", "D-13"}), (("C-ADV-L", 9, 0, 0), {"D-04"}), (("C-SNAKE",), set())],
)
def test_counterattack_is_read_as_its_copy(last: tuple[str, int, int, int], playable: set[str]) -> None:
    # BT-DRAGON-USE-11: Tactical Wisdom and Brave Messenger with the card that the opponent played
    board = (
        duel()
        .hand("top", "C-COUNTER", "C-GEESE")
        .last("bottom", *last)
        .dragons("top", "D-04", "D-13", "D-33")
    )
    assert board.play().command("C-COUNTER").choices == {"pass", "D-33"} | playable


def test_white_fox_is_later_than_brave_messenger() -> None:
    # BT-R-68: one order is left of two and two more
    board = Board(tents={"top": "0,5"}).top("LI@1,9", "LI@2,9", "LI@1,1").bottom("LI@9,5")
    board = board.hand("top", "C-TWO-L", "C-GEESE").dragons("top", "D-13").dragons("bottom", "D-37")
    play = board.play().command("C-TWO-L", "D-13", "D-37").do("1,9")
    assert (play.ordered, play.question) == ({"1,9"}, "move")


@pytest.mark.parametrize(
    ("drawn", "orders"),
    [("C-TWO-R", {"1,1", "1,2", "1,9"}), ("C-ADV-R", {"1,1", "1,2"})],
)
def test_after_wild_winds_a_card_is_for_the_new_command(drawn: str, orders: set[str]) -> None:
    # BT-R-69: Brave Messenger, played with Order Two Units Left, is for Order Two Units Right or for nothing
    board = Board().top("LI@1,1", "LI@1,2", "LI@1,9").bottom("LI@9,5").dragons("top", "D-13")
    board = board.hand("top", "C-TWO-L", drawn).dragons("bottom", "D-36")
    play = board.play().command("C-TWO-L", "D-13", "D-36").do("1,1", "1,2")
    assert (play.question, play.choices) == (
        ("order", {"pass", "1,9"}) if "1,9" in orders else ("move", {"pass", "1,1", "1,2"})
    )
    assert len(play.events("no_effect")) == ("1,9" not in orders)
