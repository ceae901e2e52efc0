"""The log says enough to follow a battle."""

from rules.battles.board import Board


def test_a_piece_that_stays_has_not_moved() -> None:
    board = Board().top("SSp@4,5").bottom("ASp@9,9")
    play = board.play().command("C-ADV-C").order("4,5").move("4,5", "4,5")
    assert play.events("moved") == []
    stayed = {"side": "top", "unit": "SSp", "leader": False, "name": None, "hex": "4,5"}
    assert play.events("stayed") == [{"event": "stayed", **stayed}]
    play = board.play().command("C-ADV-C").order("4,5").move("4,5", "5,5")
    assert [(event["from"], event["to"]) for event in play.events("moved")] == [("4,5", "5,5")]
    assert play.events("stayed") == []


def test_leaders_who_move_and_retreat_have_names() -> None:
    board = Board().top("SSp@4,5").bottom("LM(Taro)@5,5")
    play = board.play("TTTT").command("C-ADV-C").order("4,5").attack("4,5", "5,5").until("leader_fate")
    play.do("6,5").quiet()
    retreated = [(event["unit"], event["leader"], event["name"]) for event in play.events("retreated")]
    assert retreated == [(None, True, "Taro")]
    board = Board(active="bottom").top("SSp@0,0").bottom("LM(Jiro)@5,5")
    play = board.play().command("C-ADV-C").order("5,5").move("5,5", "4,5")
    assert [(event["unit"], event["name"]) for event in play.events("moved")] == [(None, "Jiro")]


def test_a_roll_made_anew_replaces_the_last_one() -> None:
    # BT-DRAGON-41: Spirit of Kisshoten
    board = Board().top("SSp@4,5").bottom("ASp@5,5").dragons("top", "D-32")
    play = board.play("CCSS", "HHSS").command("C-ADV-C").order("4,5").declare("4,5", "5,5")
    play.do("D-32").quiet()
    rolls = [(event["faces"][0], event["replaces"]) for event in play.events("rolled", roll="melee")]
    assert rolls == [("circle", False), ("honor", True)]


def test_lost_blocks_have_a_reason() -> None:
    board = Board().top("SSp@4,5").bottom("ASp@10,5", "ASp@5,5")
    play = board.play("TCCC").command("C-ADV-C").order("4,5").attack("4,5", "5,5").quiet()
    assert [(event["lost"], event["why"]) for event in play.events("blocks_lost")] == [(1, "hits")]
    board = Board().top("SSp@9,5").bottom("ASp@10,5")  # on its baseline it cannot retreat
    play = board.play("FCCC").command("C-ADV-C").order("9,5").attack("9,5", "10,5").quiet()
    assert ("no_room", 1) in [(event["why"], event["lost"]) for event in play.events("blocks_lost")]


def test_an_attack_names_the_units() -> None:
    board = Board().top("SSp@4,5").bottom("ASp+LF(Taro)@5,5")
    play = board.play("CCCC").command("C-ADV-C").order("4,5").attack("4,5", "5,5")
    attack = play.events("attack")[0]
    assert (attack["units"], attack["defender"], attack["name"]) == (["SSp"], "ASp", "Taro")
