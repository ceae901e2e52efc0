"""Leaders (LEADERS)."""

import pytest

from rules.battles.board import Board, Play


def reach(play: Play, hex_: str) -> set[str]:
    """Where an ordered piece can go."""
    return play.do(hex_).quiet().choices


def shot_at(leader: str, script: str, *friends: str, shooter: str = "SB@4,5", **honor: int) -> Play:
    """The top army shoots at a lone leader of the bottom army."""
    board = Board().top(shooter).bottom(leader, *friends).honor(**honor)
    hex_ = shooter.split("@")[1]
    return board.play(script).command("C-ADV-C").order(hex_).attack(hex_, leader.split("@")[1])


def test_a_leader_is_no_unit() -> None:
    # BT-LEADERS-01: symbol cards and "one unit of choice" do not reach a leader of any type by himself
    for leader in ("LF", "LM", "LF*"):
        board = Board().top(f"{leader}@5,5", "ASp@2,5").hand("top", "C-CIRCLE", "C-TRIANGLE")
        assert board.play().command("C-CIRCLE").choices == {"pass", "2,5"}
        assert board.play().command("C-TRIANGLE").choices == {"pass", "2,5"}


def test_attached_or_alone() -> None:
    # BT-LEADERS-02: with a friendly unit in his hex he is attached (and goes along), otherwise alone (and a
    # target)
    play = Board().top("ASp+LF@5,5").play().command("C-ADV-C").order("5,5").move("5,5", "5,6")
    assert (play.at("5,5"), play.at("5,6")) == (None, "top ASp:4+LF")
    # Hits that a unit takes for its leader do not matter to one who is alone: nothing but X does.
    board = Board().top("SB@4,5").bottom("ASp+LF@6,5")
    play = board.play("TTT", "CC").command("C-ADV-C").order("4,5").attack("4,5", "6,5")
    assert play.at("6,5") == "bottom ASp:1+LF"


@pytest.mark.parametrize("kind", ["SSp", "SB", "ASp", "AB", "AA", "LI", "SSpC", "SBC"])
def test_who_may_lead_whom(kind: str) -> None:
    # BT-LEADERS-03: a foot leader joins infantry, a mounted one anybody
    for leader in ("LF", "LM"):
        play = Board().top(f"{leader}@5,5", f"{kind}@5,6").play().command("C-ADV-C").order("5,5")
        assert ("5,6" in reach(play, "5,5")) == (leader == "LM" or kind not in {"SSpC", "SBC"})


def test_nobody_joins_the_bodyguard() -> None:
    # BT-LEADERS-03: not even when it has lost its commander's company would anybody but the AC be with it
    for leader in ("LF", "LM"):
        board = Board(tents={"top": "5,6"}).top(f"{leader}@5,5", "AC+BG@5,6")
        assert "5,6" not in reach(board.play().command("C-ADV-C").order("5,5"), "5,5")


def test_unit_and_leader_are_one_order() -> None:
    # BT-LEADERS-04: one order for both; the leader shares what binds the unit
    board = Board().top("SSp+LM@5,5", "ASp@5,6").hand("top", "C-TWO-C", "C-ONE-L")
    play = board.play().command("C-TWO-C").order("5,5", "5,6")
    assert play.ordered == {"5,5", "5,6"}
    assert reach(play, "5,5") == {"5,5", "5,4", "4,5", "4,6", "6,5", "6,6"}  # one hex, although he rides


def test_an_attached_leader_goes_along() -> None:
    # BT-LEADERS-05: in a move, in a retreat and when ground is taken
    board = Board().top("ASp@4,5").bottom("AB+LF@5,5")
    play = board.play("FHH").command("C-ADV-C").order("4,5").attack("4,5", "5,5")
    play.ignore(0).do("6,5")
    assert (play.at("5,5"), play.at("6,5")) == (None, "bottom AB:4+LF")
    board = Board().top("ASp+LF@4,5").bottom("AB@5,5")
    play = board.play("FHH").command("C-ADV-C").order("4,5").attack("4,5", "5,5")
    play.do("6,5", "4,5")
    assert (play.at("4,5"), play.at("5,5")) == (None, "top ASp:4+LF")


def test_a_detached_leader_that_stays_goes_along_later() -> None:
    # BT-LEADERS-05, BT-R-23: detaching is for the ordered move only; the leader that stayed takes ground with
    # his unit
    board = Board().top("SSpC+LM@4,5").bottom("AB:1@5,5")
    play = board.play("CCCC").command("C-ADV-C").order("leader 4,5", "4,5").attack("4,5", "5,5").do("4,5")
    assert (play.at("4,5"), play.at("5,5")) == (None, "top SSpC:4+LM")


def test_moves_of_lone_leaders() -> None:
    # BT-LEADERS-06: on foot 2 hexes, mounted 3; never a battle
    for leader, moves in [("LF", 2), ("LM", 3), ("LF*", 2)]:
        play = Board().top(f"{leader}@5,2").bottom("ASp@5,7").play().command("C-ADV-R").order("5,2")
        row = reach(play, "5,2") & {f"5,{place}" for place in range(12)}
        assert max(int(hex_.split(",")[1]) for hex_ in row) == 2 + moves
    for leader in ("LF", "LM"):
        play = Board().top(f"{leader}@5,5").bottom("ASp@5,6", "LF@5,4").play().command("C-ADV-C").order("5,5")
        assert play.do("pass").question != "battle"


def test_what_a_leader_does_for_his_unit() -> None:
    # BT-LEADERS-07: he lets it ignore a flag …
    for bottom, choices in [("AB@5,5", None), ("AB+LF@5,5", {"0", "1"})]:
        board = Board().top("AB@4,5").bottom(bottom)
        play = board.play("FH").command("C-ADV-C").order("4,5").attack("4,5", "5,5")
        assert (play.choices if play.question == "ignore_flags" else None) == choices
    # … costs 1 honor more for each hex of a retreat …
    for bottom, honor in [("AB@5,5", 3), ("AB+LF@5,5", 1)]:
        board = Board().top("SSp@4,5").bottom(bottom)
        play = board.play("FFHH").command("C-ADV-C").order("4,5").attack("4,5", "5,5")
        if play.question == "ignore_flags":
            play.ignore(0)
        assert play.do("7,5").honor["bottom"] == honor
    # … gives infantry a bonus melee …
    for top, goes_on in [("AB@4,5", False), ("AB+LF@4,5", True)]:
        board = Board().top(top).bottom("AB:1@5,5", "ASp@6,5")
        play = board.play("CC").command("C-ADV-C").order("4,5").attack("4,5", "5,5").do("4,5").quiet()
        assert (play.question == "bonus_melee") == goes_on
    # … and may inspire it.
    for top, dice in [("AB@4,5", 2), ("AB+LF@4,5", 3)]:
        board = Board().top(top).bottom("ASp@5,5")
        play = board.play("C" * dice).command("C-ADV-C").order("4,5").declare("4,5", "5,5")
        play.until("inspire", "battle_back")
        if dice == 3:
            play.do("yes").quiet()
        assert play.rolls("melee") == ["C" * dice]


def test_lone_leaders_support() -> None:
    # BT-LEADERS-08: two hexes with friends beside the unit, one of them a lone leader's
    for friends, supported in [
        (("LF@5,6", "ASp@5,4"), True),
        (("LF@5,6", "LM@5,4"), True),
        (("LF@5,6",), False),
    ]:
        board = Board().top("AB@4,5").bottom("ASp@5,5", *friends)
        play = board.play("FH").command("C-ADV-C").order("4,5").attack("4,5", "5,5")
        assert (play.question == "ignore_flags") == supported


@pytest.mark.parametrize(("scenario", "banners"), [(1, 1), (2, 2)])
def test_a_leader_is_worth_a_banner(scenario: int, banners: int) -> None:
    # BT-LEADERS-09: one, unless the scenario says otherwise (battle 2: two)
    board = Board(scenario=scenario).top("SB@2,5").bottom("LF@0,5").set(round=2)
    play = board.play("XCC").command("C-ADV-C").order("2,5").attack("2,5", "0,5")
    assert (play.at("0,5"), play.banners) == (None, {"top": banners, "bottom": 0})


def test_no_banner_for_seppuku_and_leaving() -> None:
    # BT-LEADERS-09
    board = Board().top("SB@4,5").bottom("LF@6,5", "ASp@9,9")
    play = board.play("CCC").command("C-ADV-C").order("4,5").attack("4,5", "6,5").do("seppuku")
    assert (play.at("6,5"), play.banners) == (None, {"top": 0, "bottom": 0})
    play = Board().top("LF@0,5").play().command("C-ADV-C").order("0,5").move("0,5", "leave")
    assert (play.at("0,5"), play.banners) == (None, {"top": 0, "bottom": 0})


@pytest.mark.parametrize("shooter", ["SB@4,5", "AB@4,5", "SBC@4,5", "AA@4,5"])
def test_swords_eliminate_a_lone_leader_in_ranged_combat(shooter: str) -> None:
    # BT-LEADERS-20, BT-R-11: bows too; one X is enough, no check is made
    dice = 3 if shooter[:2] == "SB" else 2
    for script in ("X" + "C" * (dice - 1), "X" * dice):
        play = shot_at("LM@6,5", script, shooter=shooter)
        assert (play.at("6,5"), play.banners["top"], play.rolls()) == (None, 1, [script])


@pytest.mark.parametrize(
    ("attacker", "dice"), [("LI", 2), ("ASp", 3), ("SSp", 4), ("AA", 2), ("SSpC", 4), ("SBC", 3)]
)
def test_swords_eliminate_a_lone_leader_in_melee(attacker: str, dice: int) -> None:
    # BT-LEADERS-20: with the usual dice; neither rank nor stature cancels swords, so one X of a levy kills a
    # rider
    play = shot_at("LM@5,5", "X" + "F" * (dice - 1), shooter=f"{attacker}@4,5")
    assert (play.at("5,5"), play.banners["top"], play.rolls()) == (None, 1, ["X" + "F" * (dice - 1)])


def test_terrain_protects_a_lone_leader() -> None:
    # BT-LEADERS-20: caps of his hex apply
    board = Board(terrain={"5,5": "FOREST", "7,5": "FOREST"}).top("SSp@4,5").bottom("LF@5,5")
    assert board.play("XX").command("C-ADV-C").order("4,5").attack("4,5", "5,5").at("5,5") is None
    board = Board(terrain={"5,5": "FOREST", "7,5": "FOREST"}).top("SB@5,5").bottom("LF@7,5")
    assert board.play("X").command("C-ADV-C").order("5,5").attack("5,5", "7,5").at("7,5") is None


def test_nothing_else_hurts_a_lone_leader() -> None:
    # BT-LEADERS-21, BT-R-11: flags and symbols have no effect
    play = shot_at("LF@5,5", "FFCT", shooter="SSp@4,5")
    assert (play.asked, play.question) == ("bottom", "leader_fate")
    assert (play.at("5,5"), play.banners["top"]) == ("bottom LF", 0)


@pytest.mark.parametrize(("shooter", "script"), [("SB@3,5", "CCC"), ("SSp@4,5", "CCCC")])
def test_who_survives_retreats_or_dies(shooter: str, script: str) -> None:
    # BT-LEADERS-22: one to three hexes back, or seppuku; by a shot or in melee
    play = shot_at("LF@5,5", script, shooter=shooter)
    one, two, three = {"6,5", "6,6"}, {"7,4", "7,5", "7,6"}, {"8,4", "8,5", "8,6", "8,7"}
    assert (play.asked, play.choices) == ("bottom", {"seppuku"} | one | two | three)
    play.do("8,7").quiet()
    assert (play.at("8,7"), play.honor["bottom"]) == ("bottom LF", 2)


def test_seppuku_is_compulsory_without_a_way_back() -> None:
    # BT-LEADERS-22: enemies or impassable terrain behind, or on the own baseline; the engine does not ask
    for leader, enemies, terrain in [
        ("LF@10,5", (), {}),
        ("LF@7,5", ("LI@8,5", "LI@8,6"), {}),
        ("LF@7,5", ("LI@8,5",), {"8,6": "RIVER"}),
    ]:
        hex_ = leader.split("@")[1]
        row = int(hex_.split(",")[0])
        board = Board(terrain=terrain).top(f"AA@{row - 2},5", *enemies).bottom(leader, "ASp@0,0")
        play = board.play("CC").command("C-ADV-C").order(f"{row - 2},5").attack(f"{row - 2},5", hex_)
        assert (play.at(hex_), play.honor["bottom"], len(play.hand("bottom"))) == (None, 10, 4)


def test_a_baseline_can_be_reached_but_not_left() -> None:
    # BT-LEADERS-22: from the row before it one hex is possible
    play = shot_at("LF@9,5", "CCC", shooter="SB@7,5")
    assert play.choices == {"seppuku", "10,5", "10,6"}


def test_a_lone_leader_does_not_battle_back() -> None:
    # BT-LEADERS-23: after his retreat the attacker may take ground, and nobody battles back
    play = shot_at("LF@5,5", "CCCC", shooter="SSp@4,5").do("6,5").quiet()
    assert (play.asked, play.question) == ("top", "take_ground")
    assert play.do("pass").quiet().rolls("battle_back") == []


@pytest.mark.parametrize("end", ["eliminated", "retreat", "seppuku"])
def test_melee_against_a_lone_leader_succeeds(end: str) -> None:
    # BT-LEADERS-24: whatever becomes of him, the attacker may take ground and cavalry goes on
    script = "XCCC" if end == "eliminated" else "CCCC"
    board = Board().top("SSpC@4,5").bottom("LF@5,5", "ASp@5,6")
    play = board.play(script).command("C-ADV-C").order("4,5").attack("4,5", "5,5")
    play.do(*{"eliminated": (), "retreat": ("6,5",), "seppuku": ("seppuku",)}[end]).quiet()
    assert (play.asked, play.question, play.choices) == ("top", "take_ground", {"pass", "4,5"})
    assert play.do("4,5").quiet().at("5,5") == "top SSpC:4"
    assert (play.question, play.choices) == (
        "bonus_melee",
        {"pass", "5,6", *({"6,5"} if end == "retreat" else set())},
    )


def test_leaving_the_battlefield() -> None:
    # BT-LEADERS-30: the step off the board is a hex of the move; it costs 3 honor, nobody gains a banner
    for leader, rows in [("LF", (0, 1)), ("LM", (0, 1, 2))]:
        for row in range(4):
            play = Board().top(f"{leader}@{row},5").play().command("C-ADV-C").order(f"{row},5").do(f"{row},5")
            assert ("leave" in play.choices) == (row in rows)
    play = Board().top("LM@2,5", "ASp@5,5").play().command("C-ADV-C").order("2,5").move("2,5", "leave")
    assert (play.pieces("top"), play.honor, play.banners) == (
        {"ASp:4@5,5"},
        {"top": 2, "bottom": 5},
        {"top": 0, "bottom": 0},
    )
    assert play.events("leader_gone", why="left")


def test_who_may_not_leave() -> None:
    # BT-LEADERS-30: not over the enemy's baseline, and not together with a unit
    play = Board().top("LF@10,5", "ASp+LF@0,5").play().command("C-ADV-C").order("10,5", "0,5")
    assert "leave" not in reach(play, "10,5")
    assert "leave" not in reach(play.do("10,5"), "0,5")


def test_a_stop_on_the_baseline_ends_the_move() -> None:
    # BT-LEADERS-30, BT-MOVE-04: through a wood on the baseline nobody goes on and off
    board = Board(terrain={"0,5": "FOREST", "0,6": "FOREST"}).top("LM@1,5").bottom("LI@1,4", "LI@1,6")
    assert "leave" not in reach(board.play().command("C-ADV-C").order("1,5"), "1,5")
    board = Board(terrain={"0,5": "FOREST"}).top("LM@0,5")  # a leader that starts there does
    assert "leave" in reach(board.play().command("C-ADV-C").order("0,5"), "0,5")


def test_leaving_with_little_honor() -> None:
    # BT-R-12: he loses what he has, no dice are rolled
    for honor in (0, 2):
        board = Board().top("LF@0,5", "ASp@5,5").honor(top=honor)
        play = board.play().command("C-ADV-C").order("0,5").move("0,5", "leave")
        assert (play.honor["top"], play.rolls(), play.at("5,5")) == (0, [], "top ASp:4")


def test_a_detached_leader_may_leave() -> None:
    # BT-R-13
    play = Board().top("ASp+LF@1,5").play().command("C-ADV-C").order("leader 1,5").move("leader 1,5", "leave")
    assert (play.pieces("top"), play.honor["top"]) == ({"ASp:4@1,5"}, 2)


@pytest.mark.parametrize("attacker", ["SSpC", "SSp"])
def test_honor_faces_against_a_lone_leader(attacker: str) -> None:
    # BT-R-14: collected, by cavalry too, for he has no rank
    assert shot_at("LF@5,5", "HHCC", shooter=f"{attacker}@4,5").honor["top"] == 7


def test_inspired_against_a_lone_leader() -> None:
    # BT-R-14, BT-INSPIRE-06: an inspired roll yields one honor less
    board = Board().top("SSp+LF@4,5").bottom("LF@5,5")
    play = board.play("HHCCC").command("C-ADV-C").order("4,5").declare("4,5", "5,5").until("inspire")
    play.do("yes").quiet()
    assert play.honor["top"] == 5 - 1 + 1


def test_a_detached_leader_that_stays_is_driven_back_with_his_unit() -> None:
    # BT-LEADERS-05: in a retreat he always goes along; it costs him honor, too (BT-HONOR-07)
    board = Board().top("ASp+LF@5,5").bottom("SSp@6,5")
    play = board.play("HHH", "FHHH").command("C-ADV-C").order("leader 5,5", "5,5").attack("5,5", "6,5")
    play.do("5,5").quiet().ignore(0).do("4,5")
    assert (play.at("4,5"), play.honor["top"]) == ("top ASp:4+LF", 5 + 3 - 2)


def test_a_leader_who_is_the_last_piece() -> None:
    # BT-LEADERS-01: an army may be leaders only; cards for units order nobody then
    play = Board().top("LF@5,5").bottom("LM@9,5").play().command("C-ADV-C")
    assert play.choices == {"pass", "5,5"}
