"""Action 7, Phase C: the battles of a war turn on the map (WAR-C). Single battles are in test_combat.py."""

import pytest

from rules.swords.board import Board, army, declare, events, fill, options, owner, play, units
from sengoku import Match

AROUND_MINO = ("ise", "owari", "mikawa", "omi", "hida", "shinano", "echizen")
HOLES = {1: 0, 2: 3, 3: 6, 4: 9}
"""The first hole of each level."""


def mino(level: int = 1, **force: int) -> Board:
    """Clan 0's army 1 stands in Mino and is about to declare."""
    return Board(phase="b").army(0, 1, "mino", hole=HOLES[level], **force)


def targets(match: Match) -> set[str]:
    """Provinces that may be attacked next."""
    return {option["province"] for option in options(match, "province")}


def battles(match: Match) -> list[str]:
    """The provinces that were fought for, in order."""
    return [event["target"] for event in events(match, "battle")]


def rolled(match: Match) -> dict[tuple[str, int], int]:
    """How many dice each side rolled in each step."""
    return {(event["role"], event["step"]): len(event["dice"]) for event in events(match, "dice")}


def test_battles_are_fought_one_at_a_time_in_any_order() -> None:
    # SW-WAR-C-01: three battles; whichever is declared first, the owner picks
    board = Board(phase="b").province("mino", 0, spear=1).province("totomi", 0, spear=1)
    board.province("kaga", 0, spear=1).province("hida", 1, spear=1)
    match = board.province("owari", 1, spear=1).province("mikawa", 1, spear=1).match(dice=[12] * 6)
    declare(match, "mino", "owari")
    declare(match, "totomi", "mikawa")
    declare(match, "kaga", "hida")
    assert targets(match) == {"mino", "totomi", "kaga"}
    play(match, "province", province="kaga")
    play(match, "call_off")
    assert targets(match) == {"mino", "totomi"}
    assert battles(match) == ["hida"]
    play(match, "province", province="totomi")
    play(match, "call_off")
    assert battles(match) == ["hida", "mikawa", "owari"]
    assert match.dice_left == 0


def test_everybody_on_both_sides_fights() -> None:
    # SW-WAR-C-02: the whole attacking force; the defender's army, force, hidden ronin and castle
    board = Board(phase="b").province("mino", 0, bow=1, gun=1, sword=1, spear=2)
    board.province("owari", 1, fort="castle", spear=2, bow=1, hidden=2).army(1, 1, "owari", gun=1, sword=1)
    match = board.match(dice=[12] * 17)
    declare(match, "mino", "owari")
    assert options(match) == [{"name": "amount", "amount": n} for n in (0, 1, 2)]  # where the ronin stand
    play(match, "amount", amount=1)
    assert rolled(match) == {
        ("attacker", 1): 1,
        ("defender", 1): 1,
        ("attacker", 2): 1,
        ("defender", 2): 1,
        ("defender", 4): 1,
        ("attacker", 5): 1,
        ("defender", 5): 1 + 2,
        ("attacker", 6): 2,
        ("defender", 6): 2 + 4,
    }
    assert match.dice_left == 0


def test_the_other_force_of_the_province_does_not_join_the_attack() -> None:
    # SW-WAR-C-02: only the force that declared
    match = mino(bow=1).province("mino", 0, gun=3).province("owari", 1, spear=1).match(dice=[12] * 3)
    declare(match, 1, "owari")
    play(match, "done")
    assert rolled(match) == {("attacker", 1): 1, ("attacker", 4): 1, ("defender", 6): 1}
    assert match.dice_left == 0


def test_an_experienced_army_finishes_before_another_force_begins() -> None:
    # SW-WAR-C-03: with an attack left army 1 continues or stops; only then does Kaga's force fight
    board = mino(2, bow=1).province("kaga", 0, spear=1)
    board.province("owari", 1, spear=1).province("ise", 1, spear=1).province("hida", 1, spear=1)
    match = board.match(dice=[1, 1, 12, 12])
    declare(match, 1, "owari")
    declare(match, "kaga", "hida")
    play(match, "army", army=1)
    play(match, "pass")  # the army stays in Mino
    assert "kaga" not in targets(match)
    assert not options(match, "army")
    play(match, "province", province="ise")
    assert battles(match) == ["owari", "ise", "hida"]  # no attack is left, so the other force begins
    assert match.dice_left == 0


def test_who_loses_all_defenders_loses_the_province() -> None:
    # SW-WAR-C-07: it is empty, the castle stays, the attackers stay where they are
    board = Board(phase="b").province("mino", 0, bow=5).province("owari", 1, fort="castle", spear=1)
    match = board.match(dice=[1] * 5)
    declare(match, "mino", "owari")
    assert owner(match, "owari") is None
    assert match.state()["provinces"]["owari"]["fort"] == "castle"
    assert units(match, "mino") == {"bow": 5}
    assert events(match, "emptied") == [{"event": "emptied", "province": "owari"}]
    assert match.dice_left == 0


def test_attackers_that_fall_leave_their_province_empty() -> None:
    # SW-WAR-C-08
    match = Board(phase="b").province("mino", 0, spear=1).province("owari", 1, spear=1).match(dice=[12, 1])
    declare(match, "mino", "owari")
    assert owner(match, "mino") is None
    assert (owner(match, "owari"), units(match, "owari")) == (1, {"spear": 1})
    assert match.dice_left == 0


@pytest.mark.parametrize("force", [1, "mino"])
def test_a_province_that_holds_somebody_else_stays(force: int | str) -> None:
    # SW-WAR-C-08: the army falls and the force remains, or the other way round
    board = mino().province("mino", 0, spear=1).province("owari", 1, spear=1)
    match = board.match(dice=[12, 1])
    declare(match, force, "owari")
    play(match, "done")
    assert owner(match, "mino") == 0
    assert units(match, "mino") == ({"spear": 1} if force == 1 else {})
    assert match.state()["clans"][0]["armies"][0]["province"] == (None if force == 1 else "mino")
    assert match.dice_left == 0


def test_only_the_attacker_calls_off_and_only_in_step_8() -> None:
    # SW-WAR-C-09, SW-R-57: nobody is asked before the first step 8, and then clan 0 alone
    match = (
        Board(phase="b")
        .province("mino", 0, bow=1, spear=2)
        .province("owari", 1, gun=1, spear=2)
        .match(dice=[12, 1] + [12] * 3)
    )
    declare(match, "mino", "owari")
    assert {option["name"] for option in options(match)} == {"from_province"}  # casualties of step 3
    play(match, "from_province", unit="spear")
    assert (match.to_act, options(match)) == (0, [{"name": "continue"}, {"name": "call_off"}])
    assert events(match, "dice")[-1]["step"] == 6
    play(match, "call_off")
    assert (owner(match, "mino"), units(match, "mino")) == (0, {"bow": 1, "spear": 1})
    assert (owner(match, "owari"), units(match, "owari")) == (1, {"gun": 1, "spear": 2})
    assert match.dice_left == 0


@pytest.mark.parametrize("force", [1, "mino"])
def test_beginners_and_provincial_forces_attack_once_and_stay(force: int | str) -> None:
    # SW-WAR-C-10, SW-WAR-C-15: Owari is won, Ise is not attacked, and nobody may enter before Phase D
    board = mino(bow=1).province("mino", 0, bow=1)
    match = board.province("owari", 1, spear=1).province("ise", 1, spear=1).match(dice=[1])
    declare(match, force, "owari")
    play(match, "done")
    assert battles(match) == ["owari"]
    assert owner(match, "owari") is None
    assert match.state()["phase"] == "d"
    assert army(match, 0, 1)["province"] == "mino"
    assert match.dice_left == 0


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_an_army_attacks_as_often_as_its_level(level: int) -> None:
    # SW-WAR-C-11: the declared battle, then further ones against any neighbour, undeclared
    board = mino(level, bow=1)
    for key in AROUND_MINO:
        board.province(key, 1, spear=1)
    match = board.match(dice=[1] * level)
    declare(match, 1, AROUND_MINO[0])
    for attack in range(1, level):
        play(match, "pass")
        assert targets(match) == set(AROUND_MINO)
        assert [owner(match, key) for key in AROUND_MINO] == [None] * attack + [1] * (7 - attack)
        play(match, "province", province=AROUND_MINO[attack])
    assert battles(match) == list(AROUND_MINO[:level])
    assert match.state()["phase"] == "d"
    assert army(match, 0, 1)["province"] == "mino"
    assert match.dice_left == 0


def test_an_army_may_stop_after_its_first_attack() -> None:
    # SW-WAR-C-11
    match = mino(4, bow=1).province("owari", 1, spear=1).province("ise", 1, spear=1).match(dice=[1])
    declare(match, 1, "owari")
    play(match, "pass")
    play(match, "stop")
    assert battles(match) == ["owari"]
    assert match.state()["phase"] == "d"


def test_further_attacks_go_to_adjacent_provinces_that_are_not_own() -> None:
    # SW-WAR-C-11: an own province and Kaga, which is not next to Mino, cannot be attacked
    board = mino(2, bow=1).province("owari", 1, spear=1).province("kaga", 1, spear=1)
    match = board.province("echizen", 0, spear=1).match(dice=[1])
    declare(match, 1, "owari")
    play(match, "done")
    play(match, "pass")
    assert targets(match) == set(AROUND_MINO) - {"echizen"}


def conquest(level: int = 2, *dice: int) -> Match:
    """Army 1 has just won Owari from Mino; more enemies stand in Ise, next to both, and in Hida."""
    board = mino(level, bow=1, spear=2)
    board.province("owari", 1, spear=1).province("ise", 1, spear=1).province("hida", 1, spear=1)
    match = board.match(dice=[1, *dice])
    return declare(match, 1, "owari")


def test_a_winner_with_an_attack_left_may_move_in_and_attack_from_there() -> None:
    # SW-WAR-C-12, SW-WAR-C-15, SW-WAR-C-16
    match = conquest(2, 1)
    assert options(match) == [{"name": "pass"}, {"name": "step", "to": "owari", "hidden": 0}]
    play(match, "step", to="owari")
    play(match, "from_army", unit="spear")  # a unit must stay in Mino
    play(match, "done")
    assert owner(match, "owari") == 0
    assert events(match, "conquered") == [{"event": "conquered", "clan": 0, "province": "owari"}]
    assert targets(match) == {"ise", "mikawa"}  # Hida is not next to Owari
    play(match, "province", province="ise")
    assert battles(match) == ["owari", "ise"]
    assert events(match, "battle")[-1]["from"] == "owari"
    assert match.dice_left == 0


def test_or_stay_and_attack_from_where_it_is() -> None:
    # SW-WAR-C-12
    match = conquest(2, 1)
    play(match, "pass")
    assert owner(match, "owari") is None
    assert "hida" in targets(match)
    play(match, "province", province="hida")
    assert events(match, "battle")[-1]["from"] == "mino"
    assert match.dice_left == 0


def test_the_last_attack_leaves_no_conquest_move() -> None:
    # SW-WAR-C-12, SW-WAR-C-15: an attack must be left, otherwise conquest waits for Phase D
    match = conquest(2, 1)
    play(match, "pass")
    play(match, "province", province="hida")
    assert owner(match, "hida") is None
    assert match.state()["phase"] == "d"
    play(match, "army", army=1)
    assert {"owari", "hida"} <= {option["to"] for option in options(match, "step")}


def test_a_conquest_move_leaves_a_garrison() -> None:
    # SW-WAR-C-15, SW-WAR-A-05: at least one, never the daimyo; none where a force remains
    match = conquest()
    play(match, "step", to="owari")
    assert {option["unit"] for option in options(match, "from_army")} == {"bow", "spear"}
    assert not options(match, "done")
    match = mino(2, bow=1).province("mino", 0, gun=1).province("owari", 1, spear=1).match(dice=[1])
    declare(match, 1, "owari")
    play(match, "done")
    play(match, "step", to="owari")
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "bow": 1}
    assert units(match, "mino") == {"gun": 1}


def test_a_daimyo_alone_makes_no_conquest_move() -> None:
    # SW-WAR-C-15: nobody could stay in Mino
    match = mino(2).province("owari", 1, spear=1).province("ise", 1, spear=1).match(dice=[1, 12])
    declare(match, 1, "owari")
    assert not options(match, "step")
    assert "ise" in targets(match)
    assert match.dice_left == 0


def test_no_units_are_picked_up_in_phase_c() -> None:
    # SW-WAR-C-15: neither before a further attack nor on the way, though there is room
    match = mino(3, bow=1).province("mino", 0, gun=2).province("owari", 1, spear=1).match(dice=[1])
    declare(match, 1, "owari")
    play(match, "done")
    assert not options(match, "from_province")
    play(match, "step", to="owari")
    assert not options(match, "from_province")
    assert army(match, 0, 1)["units"] == {"daimyo": 1, "bow": 1}


def test_a_conquest_move_does_not_count_as_movement_of_phase_d() -> None:
    # SW-WAR-C-15: the army of level 2 still takes two steps
    match = conquest()
    play(match, "step", to="owari")
    play(match, "from_army", unit="spear")
    play(match, "done")
    play(match, "stop")
    play(match, "army", army=1)
    play(match, "step", to="mino")
    play(match, "from_army", unit="spear")
    play(match, "done")
    play(match, "step", to="echizen")
    assert army(match, 0, 1)["province"] == "echizen"


def test_an_empty_target_costs_an_attack_and_may_be_entered() -> None:
    # SW-WAR-C-13, SW-WAR-C-16: level 2, the second attack starts from Owari; the first was no success
    board = mino(2, bow=1, spear=1).province("ise", 1, spear=1)
    match = board.match(dice=[12] * 2 + [12])
    declare(match, 1, "owari")
    assert options(match) == [{"name": "pass"}, {"name": "step", "to": "owari", "hidden": 0}]
    play(match, "step", to="owari")
    play(match, "from_army", unit="spear")
    play(match, "done")
    assert owner(match, "owari") == 0
    play(match, "province", province="ise")
    play(match, "call_off")
    assert match.state()["phase"] == "d"
    assert army(match, 0, 1)["hole"] == 3
    assert battles(match) == ["ise"]
    assert match.dice_left == 0


def test_an_empty_target_of_the_last_attack_is_not_entered() -> None:
    # SW-WAR-C-13: two attacks, both on empty provinces; after the second none is left
    match = mino(2, bow=1).match()
    declare(match, 1, "owari")
    play(match, "pass")
    play(match, "province", province="hida")
    assert match.state()["phase"] == "d"
    assert (owner(match, "owari"), owner(match, "hida")) == (None, None)
    assert army(match, 0, 1)["hole"] == 3


def test_a_battle_called_off_bars_the_target_and_is_no_success() -> None:
    # SW-WAR-C-14: Owari is barred also for the third attack
    board = mino(3, bow=1, spear=1).province("owari", 1, spear=1).province("ise", 1, spear=1)
    match = board.match(dice=[12] * 4 + [12] * 4)
    declare(match, 1, "owari")
    play(match, "call_off")
    assert not options(match, "step")
    assert targets(match) == set(AROUND_MINO) - {"owari"}
    play(match, "province", province="ise")
    play(match, "call_off")
    assert targets(match) == set(AROUND_MINO) - {"owari", "ise"}
    play(match, "stop")
    assert army(match, 0, 1)["hole"] == 6
    assert match.dice_left == 0


def test_another_force_may_attack_what_the_army_called_off() -> None:
    # SW-WAR-C-14: the bar is this army's
    board = mino(1, bow=1).province("mino", 0, bow=1).province("owari", 1, spear=1)
    match = board.match(dice=[12, 12, 12, 1])
    declare(match, 1, "owari")
    declare(match, "mino", "owari")
    play(match, "army", army=1)
    play(match, "call_off")
    assert battles(match) == ["owari", "owari"]
    assert owner(match, "owari") is None
    assert match.dice_left == 0


def test_a_conquest_move_can_win_the_game() -> None:
    # SW-WAR-C-16: the 35th province is entered in Phase C
    board = mino(2, bow=1, spear=1).province("owari", 1, spear=1)
    match = fill(board, 0, 34, *AROUND_MINO).match(dice=[1])
    declare(match, 1, "owari")
    play(match, "done")
    assert not match.over  # an emptied province is nobody's yet
    play(match, "step", to="owari")
    play(match, "from_army", unit="spear")
    play(match, "done")
    assert match.over
    assert match.outcome is not None
    assert (match.outcome.winner, match.outcome.scores[0]) == (0, 35)


def test_battle_markers_are_no_limit() -> None:
    # SW-R-05: sixteen battles are declared and fought
    board = Board(phase="b").province("shinano", 1, spear=1).province("yamashiro", 1, spear=1)
    shinano = ["mikawa", "totomi", "suruga", "kai", "musashi", "mino", "hida", "kozuke", "etchu", "echigo"]
    yamashiro = ["yamato", "kawachi", "settsu", "iga", "omi", "tamba"]
    for key in shinano + yamashiro:
        board.province(key, 0, spear=1)
    match = board.match(dice=[12] * 2 * 16)
    for key in shinano:
        declare(match, key, "shinano")
    for key in yamashiro:
        declare(match, key, "yamashiro")
    assert targets(match) == set(shinano + yamashiro)
    for key in (shinano + yamashiro)[:-1]:
        play(match, "province", province=key)
        play(match, "call_off")
    play(match, "call_off")
    assert [event["from"] for event in events(match, "battle")] == shinano + yamashiro
    assert match.dice_left == 0


@pytest.mark.parametrize(
    ("force", "hidden", "ronin", "keeps", "divisions"),
    [
        (1, 2, 0, True, [0, 1, 2]),  # Mino's force has room for two
        (1, 3, 0, False, [1, 2, 3]),  # for three it has not
        (1, 2, 1, False, [1, 2]),  # nor for two beside the one it has
        ("mino", 3, 0, True, [1, 2, 3]),  # the army has room for three
        ("mino", 4, 0, False, [2, 3]),
    ],
)
def test_ronin_stay_hidden_if_the_other_force_has_room(
    force: int | str, hidden: int, ronin: int, keeps: bool, divisions: list[int]
) -> None:
    # SW-R-28: an army of four and a force of three in Mino; one of them attacks
    board = mino(spear=3).province("mino", 0, spear=3, ronin=ronin, hidden=hidden)
    match = board.province("owari", 1, spear=1).match()
    declare(match, force, "owari")
    play(match, "done")
    assert [option["amount"] for option in options(match, "amount")] == divisions
    assert bool(options(match, "pass")) is keeps


def test_ronin_kept_hidden_do_not_fight() -> None:
    # SW-R-28
    board = mino(bow=1, spear=2).province("mino", 0, spear=3, hidden=2).province("owari", 1, spear=1)
    match = board.match(dice=[1])
    declare(match, 1, "owari")
    play(match, "done")
    play(match, "pass")
    assert owner(match, "owari") is None
    assert match.state()["provinces"]["mino"]["hidden"] == 2
    assert not events(match, "revealed")
    assert match.dice_left == 0


def test_ronin_that_are_revealed_fight_with_the_force_they_join() -> None:
    # SW-R-28: two of three join the army and roll with it, one stays with the force
    board = mino(spear=3).province("mino", 0, spear=3, hidden=3).province("owari", 1, spear=5)
    match = board.match(dice=[12] * 11)
    declare(match, 1, "owari")
    play(match, "done")
    play(match, "amount", amount=2)
    assert rolled(match)["attacker", 5] == 2
    assert (army(match, 0, 1)["units"]["ronin"], units(match, "mino")["ronin"]) == (2, 1)
    assert match.dice_left == 0


def test_a_single_force_must_reveal_and_so_must_a_defender() -> None:
    # SW-R-28, SW-R-29: both unasked, the attacker first, when the battle begins and not before
    board = Board(phase="b").province("mino", 0, spear=3, hidden=1).province("kaga", 0, spear=1)
    board.province("owari", 1, spear=3, hidden=2).province("hida", 1, spear=1)
    match = board.match(dice=[12] * 9 + [12] * 2)
    declare(match, "mino", "owari")
    declare(match, "kaga", "hida")
    assert not events(match, "revealed")
    play(match, "province", province="mino")
    order = [event["event"] for event in match.log]
    assert [(event["province"], event["ronin"]) for event in events(match, "revealed")] == [
        ("mino", 1),
        ("owari", 2),
    ]
    assert max(at for at, event in enumerate(order) if event == "revealed") < order.index("dice")
    assert (rolled(match)["attacker", 5], rolled(match)["defender", 5]) == (1, 2)


def test_the_attacker_divides_before_the_defender_shows_his_ronin() -> None:
    # SW-R-29
    board = mino(spear=3).province("mino", 0, spear=3, hidden=2)
    board.province("owari", 1, spear=3, hidden=2).army(1, 1, "owari", spear=2)
    match = board.match(dice=[12] * 30)
    declare(match, 1, "owari")
    play(match, "done")
    assert match.to_act == 0
    assert not events(match, "revealed")
    play(match, "amount", amount=1)
    assert [event["province"] for event in events(match, "revealed")] == ["mino"]
    assert (match.to_act, match.dice_left) == (1, 30)
    play(match, "amount", amount=1)
    assert [event["province"] for event in events(match, "revealed")] == ["mino", "owari"]


def two_against_owari(level: int, *dice: int) -> Match:
    """Army 1 in Mino has level 2; army 2 in Ise and the force of Mikawa declared against Owari too."""
    board = mino(2, bow=1, spear=1).army(0, 2, "ise", hole=HOLES[level], bow=1, spear=1)
    board.province("mikawa", 0, bow=1).province("owari", 1, spear=1).province("shima", 1, spear=1)
    match = board.match(dice=[1, *dice])
    declare(match, 1, "owari")
    declare(match, 2, "owari")
    declare(match, "mikawa", "owari")
    play(match, "army", army=1)
    return match


def test_an_empty_target_lapses_for_all_but_experienced_armies() -> None:
    # SW-R-53: Owari was emptied and not entered; a beginner and a provincial force are not even asked
    match = two_against_owari(1)
    play(match, "pass")
    play(match, "stop")
    assert match.state()["phase"] == "d"
    assert battles(match) == ["owari"]
    assert match.dice_left == 0


def test_an_experienced_army_may_enter_a_target_that_was_emptied_before() -> None:
    # SW-R-53, SW-R-54: at the cost of an attack; the other one is left
    match = two_against_owari(2, 1)
    play(match, "pass")
    play(match, "stop")
    assert options(match) == [{"name": "pass"}, {"name": "step", "to": "owari", "hidden": 0}]
    play(match, "pass")
    play(match, "province", province="shima")
    assert match.state()["phase"] == "d"
    assert battles(match) == ["owari", "shima"]
    assert match.dice_left == 0


@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_target_that_has_become_friendly_uses_up_an_attack(level: int) -> None:
    # SW-R-53: army 1 has moved into Owari; army 2 continues with its remaining attacks
    match = two_against_owari(level, *([1] if level > 1 else []))
    play(match, "step", to="owari")
    play(match, "from_army", unit="spear")
    play(match, "done")  # Owari has no other neighbours, so army 1 has finished
    wins = ["owari"]
    if level > 1:
        assert targets(match) >= {"shima", "iga"}
        assert "owari" not in targets(match)
        play(match, "province", province="shima")
        wins.append("shima")
    if level > 2:
        play(match, "pass")
        play(match, "province", province="iga")
    assert match.state()["phase"] == "d"
    assert battles(match) == wins
    assert match.dice_left == 0


def test_only_the_province_just_emptied_is_free_to_enter() -> None:
    # SW-R-54: level 4; Owari was emptied first, then Ise
    match = conquest(4, 1)
    play(match, "pass")
    play(match, "province", province="ise")
    assert options(match, "step") == [{"to": "ise", "hidden": 0}]
    play(match, "pass")
    play(match, "province", province="owari")  # costs the third attack
    assert options(match, "step") == [{"to": "owari", "hidden": 0}]
    play(match, "pass")
    play(match, "province", province="owari")  # the fourth; now none is left to enter with
    assert match.state()["phase"] == "d"
    assert owner(match, "owari") is None
    assert match.dice_left == 0


def test_who_has_moved_in_need_not_attack_again() -> None:
    # SW-R-55
    match = conquest(2)
    play(match, "step", to="owari")
    play(match, "from_army", unit="spear")
    play(match, "done")
    assert "ise" in targets(match)
    play(match, "stop")
    assert (match.state()["phase"], army(match, 0, 1)["province"]) == ("d", "owari")
    assert battles(match) == ["owari"]


def test_both_sides_can_fall_together() -> None:
    # SW-R-56, SW-WAR-C-07, SW-WAR-C-08: both provinces are empty, and nobody has won
    match = Board(phase="b").province("mino", 0, spear=1).province("owari", 1, spear=1).match(dice=[1, 1])
    declare(match, "mino", "owari")
    assert (owner(match, "mino"), owner(match, "owari")) == (None, None)
    assert [event["end"] for event in events(match, "battle_over")] == ["nobody"]
    assert match.dice_left == 0


def test_an_army_that_falls_with_its_enemies_is_lost() -> None:
    # SW-R-56: an experienced daimyo makes no further attack and gains nothing
    board = mino(2).province("owari", 1, spear=1).province("ise", 1, spear=1)
    match = board.match(dice=[1, 1])
    declare(match, 1, "owari")
    assert (owner(match, "mino"), owner(match, "owari")) == (None, None)
    assert match.state()["clans"][0]["armies"][0]["province"] is None
    assert not events(match, "experience")
    assert battles(match) == ["owari"]
    assert match.dice_left == 0


def test_before_the_first_step_come_ronin_and_the_first_strike() -> None:
    # SW-R-57, SW-NAVAL-01: Bungo attacks Iyo over the sea; nobody is asked whether to go on
    board = Board(phase="b").province("bungo", 0, bow=1, spear=3, hidden=1)
    match = board.province("iyo", 1, bow=1, spear=1).match(dice=[1, 12] + [12, 12] + [12] * 4)
    declare(match, "bungo", "iyo")
    happened = [event["event"] for event in match.log]
    assert happened == ["declared", "declarations", "revealed", "battle", "dice", "dice"]
    assert [(event["role"], event["round"]) for event in events(match, "dice")] == [("defender", 0)] * 2
    assert {option["name"] for option in options(match)} == {"from_province"}
    play(match, "from_province", unit="spear")
    assert options(match) == [{"name": "continue"}, {"name": "call_off"}]
    assert [(event["round"], event["step"]) for event in events(match, "dice")][2] == (1, 1)
    assert match.dice_left == 0
