"""The end of a turn (END-OF-TURN): what is put away, drawn and taken, and in which order."""

from collections import Counter

import pytest

from rules.battles.board import HAND, Board, Play, shuffled


def quiet_turn(card: str = "C-ADV-C", *rest: str) -> Board:
    """A turn in which nobody is near anybody."""
    board = Board().top("LI@1,5").bottom("LI@8,5")
    return board.hand("top", card, *(rest or ("C-GEESE", "C-SNAKE")))


def all_cards(pile: str) -> list[str]:
    """Every card of the box."""
    piles = Board(scenario=1).play().state[pile]
    return sorted([*piles["deck"], *piles["hands"]["top"], *piles["hands"]["bottom"]])


def rest_of(pile: str, *taken: str) -> list[str]:
    """Every card of the box but these."""
    return sorted((Counter(all_cards(pile)) - Counter(taken)).elements())


def test_the_order_of_the_end_of_a_turn() -> None:
    # BT-END-OF-TURN-01: banners, advice, clean-up, the other's draw, own draws, choice, discard
    board = Board(scenario=28).top("SSp@4,5").bottom("SSp@5,5").hand("top", "C-ONE-C", "C-GEESE")
    board = board.hand("bottom", "C-FIRST", "C-ADV-L").dragons("top", "D-01", "D-09").discards("C-TWO-L")
    play = board.deck("C-CRANE", "C-HOLD", "C-LEADER", "D-37", "D-36").play("CCCC", "CCCC").command("C-ONE-C")
    play.order("4,5").declare("4,5", "5,5").do("C-FIRST").until("W-END-A")
    assert (play.banners["top"], play.discarded("command")) == (1, ["C-TWO-L"])  # (a) before (b)
    play.do("pass")
    assert (play.asked, play.question, play.choices) == ("top", "keep_one", {"C-HOLD", "C-LEADER"})
    assert play.hand("bottom") == ["C-ADV-L", "C-CRANE"]  # (e) before (f)
    assert play.discarded("command") == ["C-TWO-L", "C-ONE-C", "C-FIRST"]  # (c)
    play.do("C-LEADER")
    assert (play.question, play.dragons("top")) == ("replenish", ["D-01", "D-09", "D-37"])  # (g) before (h)
    play.do("draw_dragon")
    assert (play.question, play.choices) == ("discard_for_honor", {"pass", "D-01", "D-09"})  # (i)
    play.do("D-01")
    assert (play.asked, play.question) == ("bottom", "play_command")  # (j)
    assert play.course(
        "banners", "command_drawn", "command_discarded", "dragon_drawn", "dragon_discarded"
    ) == [
        *("banners", "command_drawn", "command_drawn", "command_drawn", "command_discarded"),
        *("dragon_drawn", "dragon_drawn", "dragon_discarded"),
    ]


def test_one_card_is_drawn() -> None:
    # BT-END-OF-TURN-02
    play = quiet_turn().deck("C-CRANE", "C-HOLD").play().command("C-ADV-C").until("replenish")
    assert play.hand("top") == ["C-GEESE", "C-SNAKE", "C-CRANE"]


@pytest.mark.parametrize(("kept", "other"), [("C-CRANE", "C-HOLD"), ("C-HOLD", "C-CRANE")])
def test_order_one_draws_two_and_keeps_one(kept: str, other: str) -> None:
    # DP-31, BT-END-OF-TURN-02: the other goes to the discards, face up
    play = (
        quiet_turn("C-ONE-C").deck("C-CRANE", "C-HOLD").play().command("C-ONE-C").until("keep_one").do(kept)
    )
    assert (play.hand("top"), play.discarded("command")) == (["C-GEESE", "C-SNAKE", kept], ["C-ONE-C", other])
    assert play.events("command_discarded")[0]["card"] == other


def test_two_of_a_kind() -> None:
    # BT-END-OF-TURN-02: the choice is asked for all the same, for the opponent knows nothing of it
    play = quiet_turn("C-ONE-C").deck("C-CRANE", "C-CRANE").play().command("C-ONE-C").until("keep_one")
    assert play.choices == {"C-CRANE"}
    assert play.do("C-CRANE").hand("top") == ["C-GEESE", "C-SNAKE", "C-CRANE"]


def test_a_dragon_card_or_two_honor() -> None:
    # DP-32, BT-END-OF-TURN-03
    play = quiet_turn().deck("D-37", "D-36").play().command("C-ADV-C").until("replenish")
    assert play.choices == {"draw_dragon", "take_honor"}
    play.do("draw_dragon")
    assert (play.dragons("top"), play.honor["top"], play.asked) == (["D-37"], 5, "bottom")
    play = quiet_turn().deck("D-37").play().command("C-ADV-C").until("replenish").do("take_honor")
    assert (play.dragons("top"), play.honor["top"], play.asked) == ([], 7, "bottom")


def test_the_choice_is_there_after_a_dragon_card_too() -> None:
    # BT-END-OF-TURN-03: but then nothing may be discarded
    play = (
        quiet_turn().dragons("top", "D-33", "D-01").play("CCC").command("C-ADV-C", "D-33").until("replenish")
    )
    assert play.do("take_honor").asked == "bottom"


def test_one_card_is_discarded_for_honor() -> None:
    # DP-33, BT-END-OF-TURN-03: one, or none
    for answer, honor, hand in (("D-02a", 8, ["D-03"]), ("pass", 7, ["D-02a", "D-03"])):
        play = quiet_turn().dragons("top", "D-02a", "D-03").play().command("C-ADV-C").until("replenish")
        play.do("take_honor")
        assert (play.question, play.choices) == ("discard_for_honor", {"pass", "D-02a", "D-03"})
        play.do(answer)
        assert (play.asked, play.honor["top"], play.dragons("top")) == ("bottom", honor, hand)
        assert play.discarded() == (["D-02a"] if answer == "D-02a" else [])


def test_a_card_drawn_just_now_is_not_discarded() -> None:
    # BT-END-OF-TURN-03: of two copies the older one; with no other card he is not asked
    play = quiet_turn().dragons("top", "D-04").deck("D-04").play().command("C-ADV-C").until("replenish")
    play.do("draw_dragon", "D-04")
    assert (play.dragons("top"), play.honor["top"]) == (["D-04"], 6)
    play = quiet_turn().deck("D-04").play().command("C-ADV-C").until("replenish").do("draw_dragon")
    assert play.asked == "bottom"


def test_only_the_active_player_replenishes() -> None:
    # BT-END-OF-TURN-04: White Fox is not replaced, and its player has no choice to make
    play = quiet_turn().dragons("bottom", "D-37", "D-01").play().command("C-ADV-C", "D-37").until("replenish")
    assert play.asked == "top"
    play.do("take_honor")
    assert (play.dragons("bottom"), play.honor["bottom"], play.question) == (["D-01"], 3, "play_command")


def test_a_dragon_card_played_by_the_other_leaves_the_discard_free() -> None:
    # BT-END-OF-TURN-01: (i) looks at the active player's cards only
    board = quiet_turn().dragons("bottom", "D-37").dragons("top", "D-02a")
    play = board.play().command("C-ADV-C", "D-37").until("discard_for_honor")
    assert play.choices == {"pass", "D-02a"}


@pytest.mark.parametrize("seed", range(3))
def test_an_empty_deck_is_made_anew(seed: int) -> None:
    # BT-END-OF-TURN-05, BT-RAND-02: the discards in their order, with the card just played, are shuffled
    hand = ("C-ADV-C", "C-GEESE", "C-SNAKE")
    discards = rest_of("command", *hand, *HAND)
    play = quiet_turn(*hand).discards(*discards).play(seed=seed).command("C-ADV-C").until("replenish")
    deck = shuffled([*discards, "C-ADV-C"], first=0, seed=seed)
    assert play.state["command"]["deck"] == deck[:-1]
    assert (play.hand("top")[-1], play.discarded("command")) == (deck[-1], [])


@pytest.mark.parametrize("seed", range(3))
def test_an_empty_dragon_deck_is_made_anew(seed: int) -> None:
    # BT-END-OF-TURN-05, BT-RAND-02
    discards = rest_of("dragon")
    play = (
        quiet_turn()
        .discards(*discards)
        .play(seed=seed)
        .command("C-ADV-C")
        .until("replenish")
        .do("draw_dragon")
    )
    deck = shuffled(discards, first=0, seed=seed)
    assert (play.dragons("top"), play.state["dragon"]["deck"], play.discarded()) == (
        [deck[-1]],
        deck[:-1],
        [],
    )


def test_no_dragon_card_is_left() -> None:
    # BT-END-OF-TURN-05: then only honor can be chosen, which goes without asking
    cards = all_cards("dragon")
    board = quiet_turn().dragons("top", *cards[:20]).dragons("bottom", *cards[20:])
    play = board.play().command("C-ADV-C").until("discard_for_honor")
    assert (play.honor["top"], len(play.dragons("top"))) == (7, 20)


def test_one_command_card_is_left_to_draw() -> None:
    # BT-END-OF-TURN-05: the card just played comes back; there is no second one to choose from
    cards = rest_of("command", "C-ONE-C")
    board = quiet_turn("C-ONE-C", *cards[:20]).hand("bottom", *cards[20:])
    play = board.play().command("C-ONE-C").until("keep_one", "replenish")
    assert (play.question, play.hand("top")[-1], play.discarded("command")) == ("replenish", "C-ONE-C", [])


@pytest.mark.parametrize(("card", "draws"), [("C-ONE-L", 1), ("C-ONE-C", 1), ("C-ONE-R", 1), ("C-TWO-C", 0)])
def test_an_order_one_card_draws_a_dragon_card(card: str, draws: int) -> None:
    # BT-R-51: besides the usual choice
    play = quiet_turn(card).deck("D-37", "D-36").play().command(card).until("keep_one", "replenish")
    if play.question == "keep_one":
        play.do(min(play.choices))
    assert (play.question, play.dragons("top")) == ("replenish", ["D-37"][:draws])
    assert play.do("draw_dragon").dragons("top") == ["D-37", "D-36"][: draws + 1]


def test_a_counterattack_draws_like_what_it_copies() -> None:
    # BT-R-51, BT-END-OF-TURN-02: Order One Unit Left
    board = quiet_turn("C-COUNTER").last("bottom", "C-ONE-L", 1, 0, 0).deck("C-CRANE", "C-HOLD", "D-37")
    play = board.play().command("C-COUNTER").until("keep_one")
    assert (play.do("C-HOLD").dragons("top"), play.question) == (["D-37"], "replenish")


def test_tokens_are_back_before_honor_is_taken() -> None:
    # BT-R-52: the pool is empty, and the two honor are those of the card
    board = quiet_turn().honor(top=15, bottom=15).dragons("top", "D-26")
    play = board.play().command("C-ADV-C", "D-26").until("replenish").do("take_honor")
    assert (play.honor["top"], play.state["pool"], play.state["tokens"]) == (14, 1, 0)


def reshuffled(seed: int) -> tuple[Play, dict[str, list[str]]]:
    """Shogun with three cards and no orders; both piles as they will be after their shuffles."""
    board = quiet_turn("C-SHOGUN").discards("C-CRANE", "C-HOLD", "D-08", "D-01").dragons("top", "D-33")
    play = board.play("XXX", "XXX", seed=seed)
    piles = {pile: play.state[pile]["deck"] + play.discarded(pile) for pile in ("command", "dragon")}
    command = shuffled([*piles["command"], "C-SHOGUN"], first=6, seed=seed)
    dragon = shuffled([*piles["dragon"], "D-33"], first=6 + len(command) - 1, seed=seed)
    return play, {"command": command, "dragon": dragon}


@pytest.mark.parametrize("seed", range(3))
def test_shogun_shuffles_itself_and_the_dragon_cards_of_the_turn(seed: int) -> None:
    # BT-R-52, BT-END-OF-TURN-01, BT-RAND-02, BT-RAND-05: after six dice; then one card is drawn
    play, piles = reshuffled(seed)
    play.command("C-SHOGUN", "D-33").until("replenish")
    assert play.state["command"]["deck"] == piles["command"][:-1]
    assert play.hand("top") == ["C-GEESE", "C-SNAKE", piles["command"][-1]]
    assert play.state["dragon"]["deck"] == piles["dragon"]
    assert (play.discarded("command"), play.discarded("dragon")) == ([], [])


@pytest.mark.parametrize(("bottom", "gain"), [(25, 0), (24, 1), (23, 2), (10, 2)])
def test_two_honor_of_a_poor_pool(bottom: int, gain: int) -> None:
    # BT-R-53: it may be chosen whatever is there
    play = quiet_turn().honor(top=5, bottom=bottom).play().command("C-ADV-C").until("replenish")
    assert "take_honor" in play.choices
    assert play.do("take_honor").honor["top"] == 5 + gain
