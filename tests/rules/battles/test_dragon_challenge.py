"""Dragon cards for duels, armor and special combats (DRAGON)."""

import pytest

from rules.battles.attacks import at_once, attack
from rules.battles.board import Board, Play

# Personal Challenge.


@pytest.mark.parametrize(
    ("top", "bottom", "honor", "dice"),
    [
        ("SSp+LF", "SSp+LF", {}, (7, 5)),  # five cards each and two for the challenger
        ("SSp+LM", "SSp+LF", {}, (8, 5)),
        ("SSp+LF", "SSp+LM", {}, (7, 6)),
        ("SSp+LF", "SSp+LF", {"top": 6}, (8, 5)),
        ("SSp+LF", "SSp+LM", {"bottom": 6}, (7, 7)),
        ("SSp+LF*", "SSp+LM", {}, (7, 6)),  # once the commander: a foot leader
    ],
)
def test_dice_of_a_challenge(top: str, bottom: str, honor: dict[str, int], dice: tuple[int, int]) -> None:
    # BT-DRAGON-31, D-22, BT-R-78
    board = Board().top(f"{top}@4,5").bottom(f"{bottom}@5,5").dragons("top", "D-22").honor(**honor)
    play = (
        board.play("C" * dice[0], "C" * dice[1], "CCCC").command("C-ADV-C").order("4,5").declare("4,5", "5,5")
    )
    play.do("D-22").quiet()
    assert [
        (event["side"], len(event["faces"])) for event in play.events("rolled", roll="personal_challenge")
    ] == [
        ("top", dice[0]),
        ("bottom", dice[1]),
    ]


def test_a_challenge_by_the_defender() -> None:
    # BT-DRAGON-31: two dice for him; his opponent counts the card that he has played
    board = (
        Board()
        .top("SSp+LF@4,5")
        .bottom("SSp+LF@5,5")
        .dragons("bottom", "D-22")
        .hand("bottom", "C-ADV-L", "C-ADV-R")
    )
    play = (
        board.play("CCCCC", "CCCC", "CCCC")
        .command("C-ADV-C")
        .order("4,5")
        .declare("4,5", "5,5")
        .do("D-22")
        .quiet()
    )
    assert play.rolls("personal_challenge") == ["CCCCC", "CCCC"]


def test_the_loser_of_a_challenge() -> None:
    # BT-DRAGON-31, BT-R-75, BT-VICTORY-05: leader and command card, no banner; H for both; the melee goes on
    board = Board().top("SSp+LF@4,5").bottom("SSp+LF@5,5").dragons("top", "D-22")
    play = (
        board.play("XXHCCCC", "XHHCC", "CCCC")
        .command("C-ADV-C")
        .order("4,5")
        .declare("4,5", "5,5")
        .do("D-22")
        .quiet()
    )
    assert (play.at("4,5"), play.at("5,5")) == ("top SSp:4+LF", "bottom SSp:4")
    assert (play.banners, play.honor) == ({"top": 0, "bottom": 0}, {"top": 6, "bottom": 7})
    assert (len(play.hand("top")), len(play.hand("bottom")), play.question) == (4, 4, "battle_back")


def test_a_challenger_may_lose() -> None:
    # BT-R-75: then he loses the card; with as many X on both sides nobody does
    for own, other, leaders, cards in (
        ("CCCCCCC", "XCCCC", ("top SSp:4", "bottom SSp:4+LF"), (3, 5)),
        ("XCCCCCC", "XCCCC", ("top SSp:4+LF", "bottom SSp:4+LF"), (4, 5)),
    ):
        board = Board().top("SSp+LF@4,5").bottom("SSp+LF@5,5").dragons("top", "D-22")
        play = (
            board.play(own, other, "CCCC")
            .command("C-ADV-C")
            .order("4,5")
            .declare("4,5", "5,5")
            .do("D-22")
            .quiet()
        )
        assert (play.at("4,5"), play.at("5,5")) == leaders
        assert (len(play.hand("top")), len(play.hand("bottom"))) == cards


def test_in_a_duel_the_active_player_collects_first() -> None:
    # BT-DRAGON-31: one token is left in the pool, and both rolled an H
    board = Board().top("SSp+LF@4,5").bottom("SSp+LF@5,5").dragons("bottom", "D-22").honor(top=14, bottom=15)
    play = board.play("HCCCC", "HCCCCCCC", "CCCC").command("C-ADV-C").order("4,5").declare("4,5", "5,5")
    assert play.do("D-22").quiet().honor == {"top": 15, "bottom": 15}


def test_both_players_may_challenge() -> None:
    # BT-DRAGON-31: there are two such cards; the active player is asked first
    board = Board().top("SSp+LF@4,5").bottom("SSp+LF@5,5").dragons("top", "D-22").dragons("bottom", "D-22")
    play = board.play("CCCCCCC", "CCCCC", "CCCCC", "CCCCCCC", "CCCC").command("C-ADV-C").order("4,5")
    play.declare("4,5", "5,5")
    assert (play.asked, play.choices) == ("top", {"pass", "D-22"})
    play.do("D-22")
    assert (play.asked, play.window) == ("bottom", "W-MELEE-START")
    play.do("D-22").quiet()
    assert [len(faces) for faces in play.rolls("personal_challenge")] == [7, 5, 5, 7]


def test_the_duellist_of_a_charge() -> None:
    # BT-R-94: of two leaders the charging player names one, whichever side challenged
    board = Board().top("LI+LF@4,5", "LI+LM@4,6").bottom("SSp+LF@5,5").dragons("bottom", "D-22")
    play = board.play("CCCCC", "XCCCCCC", "TTTT").command("C-ADV-C").order("4,5", "4,6")
    play.declare("4,5", "5,5", "4,6").do("D-22")
    assert (play.asked, play.question, play.choices) == ("top", "duellist", {"4,5", "4,6"})
    play.do("4,5").quiet()
    assert (play.at("4,5"), play.at("4,6")) == ("top LI:4", "top LI:4+LM")


# Bulletproof Armor.


def test_bulletproof_armor() -> None:
    # BT-DRAGON-39, D-30: no hits, no check, but the flag counts
    play = at_once(attack("AA@3,5", "ASp+LF@5,5", "XF", other="D-30"), "D-30").do("0", "6,5")
    assert (play.at("6,5"), play.honor["bottom"], play.rolls()) == ("bottom ASp:4+LF", 9 - 3 - 2, ["XF"])


def hold(*script: str) -> Play:
    """The first of two shots of one shooter is declared."""
    board = Board().top("SB@3,5").bottom("ASp@5,5", "ASp@5,6").dragons("bottom", "D-30")
    play = board.hand("top", "C-HOLD", "C-GEESE").play(*script).command("C-HOLD").order("3,5")
    return play.declare("3,5", "5,5")


def test_armor_covers_the_second_shot_at_the_same_unit() -> None:
    # BT-DRAGON-39: but not one at another unit
    play = hold("TTC", "TCC").do("D-30", "5,5").quiet()
    assert play.at("5,5") == "bottom ASp:4"
    play = hold("TTC", "TCC").do("D-30", "5,6").quiet()
    assert (play.at("5,5"), play.at("5,6")) == ("bottom ASp:4", "bottom ASp:3")


def test_armor_after_the_second_shot_restores_the_first() -> None:
    # BT-DRAGON-39
    play = hold("TTC", "TCC").quiet()
    assert play.at("5,5") == "bottom ASp:2"
    play.do("5,5", "D-30").quiet()
    assert (play.at("5,5"), play.honor["bottom"]) == ("bottom ASp:4", 2)


def test_armor_does_not_restore_another_unit() -> None:
    # BT-DRAGON-39: the first shot was at another unit
    play = hold("TTC", "TCC").quiet().do("5,6", "D-30").quiet()
    assert (play.at("5,5"), play.at("5,6")) == ("bottom ASp:2", "bottom ASp:4")


def test_armor_restores_neither_leader_nor_blocked_retreat() -> None:
    # BT-DRAGON-39: the leader fell in the check of the first shot, a block was lost on the baseline
    board = Board().top("SB@8,5").bottom("ASp+LF@10,6").dragons("bottom", "D-30").honor(bottom=5)
    play = board.hand("top", "C-HOLD", "C-GEESE").play("TFC", "XX", "TCC").command("C-HOLD").order("8,5")
    play.attack("8,5", "10,6")
    assert play.at("10,6") == "bottom ASp:2"
    play.do("10,6", "D-30").quiet()
    assert (play.at("10,6"), play.banners["top"]) == ("bottom ASp:3", 1)


def test_no_armor_in_melee() -> None:
    # BT-DRAGON-39
    play = attack("SSp@4,5", "ASp+LF@5,5", "CCCC", other="D-30 D-02a")
    assert {card for _, _, cards in play.offers() for card in cards} == {"D-02a"}


# Against lone leaders and bodyguards.


def test_cards_against_a_lone_leader() -> None:
    # BT-R-95: those that need a unit rolled against are not playable, the others are
    play = attack(
        "SSp:1+LF@4,5", "LF@5,5", "CCCC", own="D-06 D-10 D-14 D-17 D-32", other="D-15 D-02a D-02b D-25"
    )
    offers = {(side, window): cards for side, window, cards in play.offers()}
    assert offers[("top", "W-PRE-R")] == {"D-06", "D-10", "D-17"}
    assert offers[("bottom", "W-PRE-O")] == {"D-25"}
    assert offers[("top", "W-POST-R")] == {"D-32"}
    assert ("bottom", "W-POST-O") not in offers


def test_cards_against_a_lone_leader_who_is_shot_at() -> None:
    # BT-R-95: no card helps him, and none hurts him more
    play = attack("AB@3,5", "LF@5,5", "CC", own="D-14", other="D-15 D-02b D-30")
    assert play.offers() == []


def test_cards_against_a_bodyguard() -> None:
    # BT-R-95: it is a unit, although it ignores all flags anyway
    board = Board(tents={"bottom": "5,5"}).top("SSp@4,5").bottom("AC+BG@5,5").honor(top=9, bottom=9)
    board = board.dragons("top", "D-14", "D-06").dragons("bottom", "D-15", "D-02a", "D-02b")
    play = board.play("CCCC").command("C-ADV-C").order("4,5").declare("4,5", "5,5")
    offers = {(side, window): cards for side, window, cards in play.offers()}
    assert offers[("top", "W-PRE-R")] == {"D-06", "D-14"}
    assert offers[("bottom", "W-PRE-O")] == {"D-15", "D-02b"}
    assert offers[("bottom", "W-POST-O")] == {"D-02a"}


# In a levy charge.


def test_a_desperate_participant_and_a_collecting_one() -> None:
    # BT-R-94: one participant of the kind is enough and is named; heads are counted for the whole roll
    board = Board().top("LI:1@4,5", "LI:1@4,6").bottom("ASp@5,5").dragons("top", "D-10")
    play = board.play("CCCCCC").command("C-ADV-C").order("4,5", "4,6").declare("4,5", "5,5", "4,6").do("D-10")
    assert (play.asked, play.question, play.choices) == ("top", "card_unit", {"4,5", "4,6"})
    assert play.do("4,6").quiet().rolls() == ["CCCCCC"]
    board = Board().top("LI+LF@4,5", "LI@4,6").bottom("ASp@5,5").dragons("top", "D-17")
    play = (
        board.play("TTTC")
        .command("C-ADV-C")
        .order("4,5", "4,6")
        .declare("4,5", "5,5", "4,6")
        .do("D-17")
        .quiet()
    )
    assert (play.at("5,5"), play.honor["top"]) == ("bottom ASp:1", 5 + 6)


def test_vengeance_counts_all_dice_of_a_charge() -> None:
    # BT-R-94; Terror Strike and Cowards work on the common roll
    board = Board().top("LI@4,5", "LI@4,6").bottom("ASp@5,5").dragons("bottom", "D-29")
    play = (
        board.play("CCHH", "SSSS").command("C-ADV-C").order("4,5", "4,6").declare("4,5", "5,5", "4,6").quiet()
    )
    assert play.do("4,6", "D-29").quiet().rolls("battle_back") == ["SSSS"]
    board = Board().top("LI@4,5", "LI@4,6").bottom("SSp@5,5").dragons("top", "D-06")
    play = (
        board.play("FFHC")
        .command("C-ADV-C")
        .order("4,5", "4,6")
        .declare("4,5", "5,5", "4,6")
        .do("D-06")
        .quiet()
    )
    assert play.events("flags") == []
    assert (play.question, play.choices) == ("ignore_flags", {"0", "1"})
    assert play.do(1).choices == {f"8,{place}" for place in (4, 5, 6, 7)}
