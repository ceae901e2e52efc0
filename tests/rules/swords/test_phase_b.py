"""Action 7, Phase B: battles are declared (WAR-B)."""

import pytest

from rules.swords.board import Board, army, declare, events, options, owner, play, units
from sengoku import Match


def forces(match: Match) -> tuple[set[int], set[str]]:
    """Armies and provincial forces that may declare."""
    return (
        {option["army"] for option in options(match, "army")},
        {option["province"] for option in options(match, "province")},
    )


def targets(match: Match) -> set[str]:
    """Provinces that may be declared against."""
    return {option["province"] for option in options(match, "province")}


def test_each_force_is_given_one_target_or_none() -> None:
    # SW-WAR-B-01: an army and two provincial forces next to enemies; Kaga is next to nobody
    board = Board(phase="b").army(0, 1, "mino", spear=1).province("mikawa", 0, spear=1)
    board.province("kaga", 0, spear=1).province("hida", 0, spear=1)
    board.province("owari", 1, spear=1).province("shinano", 2, spear=1)
    match = board.match()
    assert forces(match) == ({1}, {"mikawa", "hida"})
    assert options(match, "done")
    play(match, "army", army=1)
    assert targets(match) == {"owari", "shinano"}  # both enemies, no empty and no own province
    play(match, "province", province="owari")
    assert forces(match) == (set(), {"mikawa", "hida"})
    declare(match, "mikawa", "shinano")
    assert forces(match) == (set(), {"hida"})
    play(match, "done")  # Hida need not
    assert [(event["army"], event["from"], event["target"]) for event in events(match, "declared")] == [
        (1, "mino", "owari"),
        (None, "mikawa", "shinano"),
    ]


def test_declaring_is_never_compulsory() -> None:
    # SW-WAR-B-01
    match = Board(phase="b").army(0, 1, "mino", spear=1).province("owari", 1, spear=1).match()
    play(match, "done")
    assert match.state()["phase"] == "d"
    assert not events(match, "battle")


@pytest.mark.parametrize("battles", [0, 1])
def test_the_log_says_when_no_more_battles_are_declared(battles: int) -> None:
    # SW-WAR-B-01: a clan that could declare more declares no more, or none
    board = Board(phase="b").army(0, 1, "mino", spear=1).province("mikawa", 0, spear=1)
    match = board.province("owari", 1, spear=1).match(dice=[1, 12] * 4)
    if battles:
        declare(match, "mikawa", "owari")
    play(match, "done")
    assert events(match, "declarations") == [{"event": "declarations", "clan": 0, "battles": battles}]


def test_all_declarations_come_before_any_battle_and_are_public() -> None:
    # SW-WAR-B-01
    board = Board(phase="b").province("mino", 0, spear=1).province("mikawa", 0, spear=1)
    match = board.province("owari", 1, spear=1).match(dice=[1, 12, 1, 12])
    declare(match, "mino", "owari")
    assert match.dice_left == 4
    assert match.state()["phase"] == "b"
    assert match.view(2)["declared_forces"] == {"mino": "owari"}
    declare(match, "mikawa", "owari")
    assert match.state()["phase"] == "c"


def test_a_disrupted_army_declares_nothing() -> None:
    # SW-WAR-B-01: its province's force does
    board = Board(phase="b").province("mino", 0, spear=1).army(0, 1, "mino", daimyo=0, spear=1)
    match = board.province("owari", 1, spear=1).match()
    assert forces(match) == (set(), {"mino"})


@pytest.mark.parametrize(("hole", "offered"), [(0, False), (2, False), (3, True), (9, True)])
def test_only_experienced_armies_declare_against_empty_provinces(hole: int, offered: bool) -> None:
    # SW-WAR-B-01, SW-R-46: Owari is an enemy's, everything else around Mino is empty
    board = Board(phase="b").province("mino", 0, spear=1).army(0, 1, "mino", hole=hole, spear=1)
    match = board.province("owari", 1, spear=1).match()
    play(match.clone(), "province", province="mino")
    play(match, "army", army=1)
    empty = {"ise", "mikawa", "omi", "hida", "shinano", "echizen"}
    if offered:
        assert targets(match) == empty | {"owari"}
    else:  # there is one target, it needs no question
        assert events(match, "declared")[-1]["target"] == "owari"


def test_forces_that_could_only_declare_against_empty_provinces_are_not_asked() -> None:
    # SW-R-46: the provincial force and the army of level 1 are not, the army of level 2 is
    board = Board(phase="b").province("mino", 0, spear=1).army(0, 1, "mino", hole=2, spear=1)
    match = board.army(0, 2, "hitachi", hole=3, spear=1).match()
    assert forces(match) == ({2}, set())


def test_a_provincial_force_is_offered_enemies_only() -> None:
    # SW-R-46
    board = Board(phase="b").province("mino", 0, spear=1).province("owari", 1, spear=1)
    match = board.province("hida", 1, spear=1).match()
    play(match, "province", province="mino")
    assert targets(match) == {"owari", "hida"}


@pytest.mark.parametrize("second", ["owari", "hida"])
def test_both_forces_of_a_province_may_declare(second: str) -> None:
    # SW-WAR-B-02: against the same or different provinces
    board = Board(phase="b").province("mino", 0, spear=1).army(0, 1, "mino", spear=1)
    match = board.province("owari", 1, spear=1).province("hida", 1, spear=1).match(dice=[])
    assert forces(match) == ({1}, {"mino"})
    declare(match, 1, "owari")
    declare(match, "mino", second)
    assert match.state()["declared_armies"][0] == "owari"
    assert match.state()["declared_forces"] == {"mino": second}


@pytest.mark.parametrize("force", [1, "mino"])
def test_either_force_of_a_province_may_declare_alone(force: int | str) -> None:
    # SW-WAR-B-02: the other takes no part
    board = Board(phase="b").province("mino", 0, spear=1).army(0, 1, "mino", spear=1)
    match = board.province("owari", 1, spear=2).match(dice=[1, 1, 12, 12] if force == 1 else [1, 12, 12])
    declare(match, force, "owari")
    play(match, "done")
    assert match.dice_left == 0
    assert [event["army"] for event in events(match, "battle")] == [force if force == 1 else None]


def test_several_forces_against_one_province_fight_separately() -> None:
    # SW-WAR-B-03: each of the two spearmen fights alone against the two in Owari
    board = Board(phase="b").province("mino", 0, spear=1).province("mikawa", 0, spear=1)
    match = board.province("owari", 1, spear=2).match(dice=[1, 12, 12, 2, 12])
    declare(match, "mino", "owari")
    declare(match, "mikawa", "owari")
    play(match, "province", province="mino")
    assert [len(event["dice"]) for event in events(match, "dice")] == [1, 2]
    play(match, "call_off")
    assert [len(event["dice"]) for event in events(match, "dice")] == [1, 2, 1, 1]
    assert [event["from"] for event in events(match, "battle")] == ["mino", "mikawa"]
    assert owner(match, "owari") is None
    assert match.dice_left == 0


def test_a_declared_battle_must_be_fought() -> None:
    # SW-WAR-B-04: of two battles one must be chosen, and the other follows unasked
    board = Board(phase="b").province("mino", 0, spear=1).province("mikawa", 0, spear=1)
    board.province("owari", 1, spear=1).province("shinano", 1, spear=1)
    match = board.match(dice=[12, 12, 12, 12])
    declare(match, "mino", "owari")
    declare(match, "mikawa", "shinano")
    assert options(match) == [
        {"name": "province", "province": "mikawa"},
        {"name": "province", "province": "mino"},
    ]
    play(match, "province", province="mino")
    play(match, "call_off")
    assert [event["from"] for event in events(match, "battle")] == ["mino", "mikawa"]
    assert match.dice_left == 0


def test_a_battle_that_cannot_be_fought_any_more_is_not() -> None:
    # SW-WAR-B-04: the first battle leaves nobody for the second
    board = Board(phase="b").province("mino", 0, spear=1).province("mikawa", 0, spear=1)
    match = board.province("owari", 1, spear=1).match(dice=[1, 12])
    declare(match, "mino", "owari")
    declare(match, "mikawa", "owari")
    play(match, "province", province="mino")
    assert [event["from"] for event in events(match, "battle")] == ["mino"]
    assert match.state()["phase"] == "d"
    assert match.dice_left == 0


@pytest.mark.parametrize("round_", [1, 2])
def test_in_the_first_round_no_army_is_attacked(round_: int) -> None:
    # SW-WAR-B-05: not alone in Owari, nor together with a force in Hida; Shinano has no army
    board = Board(phase="b", round_=round_).province("mino", 0, spear=1).army(0, 1, "mino", hole=3, spear=1)
    board.army(1, 1, "owari", spear=1).province("hida", 1, spear=1).army(1, 2, "hida", spear=1)
    board.province("shinano", 1, spear=1).province("mikawa", 0, spear=1).province("kaga", 0, spear=1)
    match = board.match()
    with_army = {"owari", "hida"} if round_ > 1 else set()
    play(match, "army", army=1)
    assert targets(match) & {"owari", "hida", "shinano"} == with_army | {"shinano"}
    play(match, "province", province="shinano")
    # Kaga's only neighbour that is an enemy's is Hida
    assert forces(match) == (set(), {"mino", "mikawa"} | ({"kaga"} if round_ > 1 else set()))
    play(match, "province", province="mino")
    if round_ > 1:
        assert targets(match) == {"owari", "hida", "shinano"}
    else:  # there is one target, it needs no question
        assert events(match, "declared")[-1]["target"] == "shinano"


def test_an_army_that_declared_nothing_does_not_attack() -> None:
    # SW-R-47: army 1 of level 4 stands idle while the force of Mikawa fights
    board = Board(phase="b").army(0, 1, "mino", hole=9, spear=5).province("mikawa", 0, spear=1)
    board.province("owari", 1, spear=1).province("hida", 1, spear=1)
    match = board.match(dice=[1, 12])
    declare(match, "mikawa", "owari")
    play(match, "done")
    assert [event["from"] for event in events(match, "battle")] == ["mikawa"]
    assert match.state()["phase"] == "d"
    assert match.dice_left == 0


def test_a_garrison_of_phase_c_does_not_attack() -> None:
    # SW-R-47: army 1 leaves a garrison in Mino, next to the enemies in Hida, and stops in Owari
    board = Board(phase="b").army(0, 1, "mino", hole=3, bow=1, spear=2)
    match = board.province("owari", 1, spear=1).province("hida", 1, spear=1).match(dice=[1])
    declare(match, 1, "owari")
    play(match, "step", to="owari")
    play(match, "from_army", unit="spear")
    play(match, "done")
    assert (army(match, 0, 1)["province"], units(match, "mino")) == ("owari", {"spear": 1})
    play(match, "stop")
    assert match.state()["phase"] == "d"
    assert len(events(match, "battle")) == 1
    assert match.dice_left == 0
