"""Two players (TWO): two clans each, allied, and fifty provinces to win."""

import pytest

from rules.swords.board import (
    Board,
    army,
    begin,
    declare,
    end_round,
    events,
    fill,
    options,
    owner,
    plan,
    play,
    point,
    units,
)
from sengoku import Match
from sengoku.errors import SetupError

WON = [1, 12, 12, 12]
"""Four bowmen, one of whom hits."""


def owned(match: Match, clan: int) -> set[str]:
    """The provinces of a clan."""
    return {key for key, province in match.state()["provinces"].items() if province["owner"] == clan}


def divided(seed: int = 1) -> Match:
    """A match whose players have given the first cards of their hands to their first clans."""
    match = Match.create("swords", seats=2, seed=seed)
    while point(match) == "divide":
        match.play(match.legal_actions()[0])
    return match


def test_each_player_runs_two_clans() -> None:
    # SW-TWO-01: clans 0 and 1, clans 2 and 3; the player of a clan answers for it
    match = begin(Board(2), "plan", *[{"ninja": 1}] * 4).match()
    asked = []
    while point(match) == "plan":
        asked.append((match.state()["decider"], match.to_act))
        plan(match, levy=match.state()["decider"] % 2)
    assert asked == [(0, 0), (1, 0), (2, 1), (3, 1)]
    plans = {event["clan"]: event["plan"]["levy"] for event in events(match, "plan")}
    assert plans == {0: 0, 1: 1, 2: 0, 3: 1}  # each clan has a plan of its own


def test_income_and_turns_are_taken_clan_by_clan() -> None:
    # SW-TWO-01: two clans with 8 provinces each take 3 koku each, not 5 together
    board = Board(2, phase="d")
    for clan, count in enumerate((8, 8, 12, 1)):
        fill(board, clan, count)
    match = end_round(board.match(dice=[]))
    assert [event["clan"] for event in events(match, "war_turn")] == [1, 2, 3]
    assert [clan["koku"] for clan in match.state()["clans"]] == [3, 3, 4, 3]


def test_four_swords() -> None:
    # SW-TWO-02: sword 5 is not used
    assert sorted(clan["sword"] for clan in divided().state()["clans"]) == [1, 2, 3, 4]
    match = begin(Board(2), "swords", {"swords": 1}, {}, {}, {}).match()
    assert options(match, "sword") == [{"sword": 1}, {"sword": 2}, {"sword": 3}, {"sword": 4}]


def test_each_player_divides_thirty_four_cards_as_he_likes() -> None:
    # SW-TWO-03: 17 for the first clan, the rest for the second
    match = Match.create("swords", seats=2, seed=5)
    for player in (0, 1):
        first, hand = 2 * player, options(match, "province")
        assert (len(hand), match.to_act) == (34, player)
        for card in hand[::-1][:17]:
            assert match.to_act == player
            play(match, "province", **card)
        assert owned(match, first) == {card["province"] for card in hand[17:]}
        assert owned(match, first + 1) == {card["province"] for card in hand[:17]}
    assert [len(owned(match, clan)) for clan in range(4)] == [17, 17, 17, 17]


def test_setup_goes_on_as_with_four_clans() -> None:
    # SW-TWO-03: 5 koku and 17 provinces with a spearman, six reinforcements and three armies for each
    match = divided()
    state = match.state()
    assert all(sum(province["units"].values()) == 1 for province in state["provinces"].values())
    assert [clan["koku"] for clan in state["clans"]] == [5, 5, 5, 5]
    while state["round"] == 0:
        match.play(match.legal_actions()[0])
        state = match.state()
    for clan in range(4):
        assert sum(event["clan"] == clan for event in events(match, "reinforced")) == 6
        assert [number for number in (1, 2, 3) if army(match, clan, number)["province"]] == [1, 2, 3]


def test_allied_clans_never_attack_each_other() -> None:
    # SW-TWO-04, SW-R-82: neither in a declaration nor in a further attack
    board = Board(2, phase="b").army(0, 1, "chikuzen", hole=3, bow=4)
    board.province("chikugo", 1, spear=1).province("hizen", 2, spear=1).province("buzen", 3, spear=1)
    board.province("bungo", 1, spear=1)
    match = board.match(dice=WON)
    play(match, "army", army=1)
    assert options(match, "province") == [{"province": "buzen"}, {"province": "hizen"}]
    play(match, "province", province="hizen")
    play(match, "pass")
    assert options(match, "province") == [{"province": "buzen"}, {"province": "hizen"}]


def test_a_force_with_nobody_but_allies_around_is_not_asked() -> None:
    # SW-TWO-04
    board = Board(2, phase="b").province("mino", 0, spear=3).province("owari", 1, spear=1)
    match = board.match(dice=[])
    assert match.state()["phase"] == "d"


def test_units_of_allied_clans_never_stand_together() -> None:
    # SW-TWO-05, SW-R-82: an army is not led into an allied province, in Phase A nor in Phase D
    for phase in ("a", "d"):
        board = Board(2, phase=phase).army(0, 1, "mino", spear=3).province("mino", 0, spear=1)
        board.province("owari", 1, spear=1).province("hida", 0, spear=1).province("omi", 2, spear=1)
        match = play(board.match(dice=[]), "army", army=1)
        places = {step["to"] for step in options(match, "step")}
        empty = {"ise", "mikawa", "shinano", "echizen"} if phase == "d" else set()
        assert places == {"hida"} | empty
    play(match, "stop")
    play(match, "done")
    play(match, "province", province="mino")
    play(match, "from_province", unit="spear")
    assert "owari" not in {step["to"] for step in options(match, "step")}


def test_a_position_with_allies_together_is_refused() -> None:
    # SW-TWO-05
    board = Board(2).army(1, 1, "mino", spear=1).province("mino", 0, spear=1)
    with pytest.raises(SetupError) as refused:
        board.match()
    assert refused.value.details["field"] == "position.clans[1].armies[0].province"


def test_allied_clans_do_not_defend_together() -> None:
    # SW-TWO-05: only the spearman of the attacked clan rolls, whatever units are nearby
    board = Board(2, phase="b").province("chikuzen", 0, spear=1).province("hizen", 2, spear=1)
    board.army(3, 1, "chikugo", spear=5)
    match = board.match(dice=[12, 12])
    declare(match, "chikuzen", "hizen")
    assert (options(match), match.dice_left) == ([{"name": "continue"}, {"name": "call_off"}], 0)


def test_allied_clans_do_not_attack_together() -> None:
    # SW-TWO-05: in the turn of clan 0 only its own forces declare
    board = Board(2, phase="b").province("chikuzen", 0, spear=1).province("chikugo", 1, spear=1)
    match = board.province("hizen", 2, spear=1).match(dice=[])
    assert options(match) == [{"name": "done"}, {"name": "province", "province": "chikuzen"}]


@pytest.mark.parametrize(("counts", "over"), [((25, 25), True), ((25, 24), False), ((33, 17), True)])
def test_fifty_provinces_win_at_the_end_of_a_round(counts: tuple[int, int], over: bool) -> None:
    # SW-TWO-06: of both clans together
    board = Board(2, phase="d", active=3)
    match = fill(fill(board, 2, counts[0]), 3, counts[1]).match(dice=[])
    assert not match.over
    end_round(match)
    assert match.over == over
    if over:
        outcome = match.outcome
        assert outcome is not None
        assert (outcome.winner, outcome.ranks, outcome.scores) == (1, (2, 1), (2, 50))
        assert (outcome.reason, outcome.by_rule) == ("provinces", True)


def test_fifty_provinces_in_the_middle_of_a_round_do_not_win() -> None:
    # SW-TWO-06: player 0 has them, and player 1 takes one of them before the round is over
    board = Board(2, phase="b", active=2).province("hizen", 2, bow=4).province("chikuzen", 0, spear=1)
    board = fill(fill(board, 0, 25, "iki", "higo"), 1, 25, "iki", "higo")
    match = board.match(dice=WON)
    assert len(owned(match, 0) | owned(match, 1)) == 50
    declare(match, "hizen", "chikuzen")
    play(match, "done")  # the army on Sado stays quiet
    assert (owner(match, "chikuzen"), match.dice_left) == (None, 0)
    assert not end_round(match).over


def test_entering_the_fiftieth_province_is_not_enough_by_itself() -> None:
    # SW-TWO-06: the match continues until the end of the round
    board = Board(2, phase="d").army(0, 1, "chikuzen", spear=2)
    match = fill(fill(board, 0, 25, "chikugo"), 1, 24, "chikugo").match(dice=[])
    play(match, "army", army=1)
    play(match, "step", to="chikugo")
    play(match, "from_army", unit="spear")
    play(match, "done")
    assert len(owned(match, 0) | owned(match, 1)) == 50
    assert not match.over
    play(match, "stop")
    assert end_round(match).over


def test_thirty_five_provinces_of_a_clan_do_not_win() -> None:
    # SW-TWO-06: SW-WIN-01 does not apply
    board = fill(Board(2, phase="d").army(0, 1, "chikuzen", spear=2), 0, 34, "chikugo")
    match = board.match(dice=[])
    play(match, "army", army=1)
    play(match, "province", province="chikugo")
    play(match, "from_army", unit="spear")
    play(match, "done")
    play(match, "stop")
    assert (len(owned(match, 0)), match.over) == (35, False)
    assert not end_round(match).over


@pytest.mark.parametrize("early", [None, False, True])
def test_early_attacks_are_an_option(early: bool | None) -> None:
    # SW-TWO-07, SW-R-86: off unless both players agree, and then armies are attacked in round 1
    board = Board(2, phase="b", round_=1).province("chikuzen", 0, spear=1).army(2, 1, "hizen", spear=1)
    board.province("buzen", 2, spear=1).province("bungo", 3, spear=1)
    setup = {} if early is None else {"two_player_early_attacks": early}
    match = play(board.match(dice=[], **setup), "province", province="chikuzen")
    targets = [target["province"] for target in options(match, "province")]
    assert targets == (["buzen", "bungo", "hizen"] if early else ["buzen", "bungo"])


def test_early_attacks_are_for_two_players() -> None:
    # SW-TWO-07
    with pytest.raises(SetupError) as refused:
        Match.create("swords", seats=3, setup={"two_player_early_attacks": True})
    assert refused.value.details["field"] == "two_player_early_attacks"


def test_an_army_does_not_pass_through_allied_provinces() -> None:
    # SW-R-82: Echizen lies behind allied Hida; with four steps it is reached only the long way round
    board = Board(2, phase="a").army(0, 1, "shinano", hole=9, spear=2).province("shinano", 0, spear=1)
    board.province("hida", 1, spear=2).province("echizen", 0, spear=1).province("mino", 0, spear=1)
    match = play(board.match(dice=[]), "army", army=1)
    assert options(match, "step") == [{"to": "mino", "hidden": 0}]
    assert options(match, "from_province") == [{"unit": "spear"}]  # of Shinano
    play(match, "step", to="mino")
    assert {step["to"] for step in options(match, "step")} == {"shinano", "echizen"}


def test_cards_are_divided_unseen() -> None:
    # SW-R-83: until spearmen are placed nobody sees what the other has, or has done
    match = Match.create("swords", seats=2, seed=3)
    hand = {card["province"] for card in options(match, "province")}
    for _ in range(20):
        match.play(match.legal_actions()[0])
    assert match.to_act == 1
    seen = match.view(1)["provinces"]
    assert all(seen[key]["owner"] is None for key in hand)
    assert {seen[key]["owner"] for key in seen if key not in hand} == {2, 3}
    other = match.clone()
    assert {province["owner"] for key, province in other.view(0)["provinces"].items() if key in hand} == {
        0,
        1,
    }
    while point(match) == "divide":
        match.play(match.legal_actions()[0])
    assert {match.view(1)["provinces"][key]["owner"] for key in hand} == {0, 1}


def hunt(*, last: bool = False) -> Board:
    """Army 1 of clan 0 stands beside the last daimyo of clan 2; with `last`, clan 3 is out already."""
    board = Board(2, phase="b", homes=False).army(0, 1, "chikuzen", bow=4).army(0, 3, "tsushima", spear=1)
    board.army(1, 3, "oki", spear=1).army(2, 1, "hizen").province("chikugo", 2, spear=2)
    if last:
        return board.clan(3, out=1, colours=0, sword=0)
    return board.army(3, 3, "osumi", spear=1).province("kai", 3, spear=1)


def test_a_clan_is_eliminated_by_a_clan() -> None:
    # SW-R-84: clan 0 gains and recovers, not its ally; the victim's ally plays on
    match = declare(hunt().match(dice=WON), 1, "hizen")
    assert [(event["clan"], event["by"]) for event in events(match, "eliminated")] == [(2, 0)]
    assert (owner(match, "chikugo"), owned(match, 1), owned(match, 3)) == (0, {"oki"}, {"osumi", "kai"})
    assert [clan["colours"] for clan in match.state()["clans"]] == [2, 1, 0, 1]
    assert (
        army(match, 0, 2)["province"] == "chikugo"
    )  # army 2 had been lost; armies 1 and 2 of clan 1 stay so
    assert [army(match, 1, number)["province"] for number in (1, 2)] == [None, None]
    play(match, "done")
    assert not match.over
    end_round(match)
    assert [event["clan"] for event in events(match, "war_turn")] == [1, 3]


def test_a_player_whose_clans_are_both_out_has_lost() -> None:
    # SW-R-84, SW-R-80
    match = declare(hunt(last=True).match(dice=WON), 1, "hizen")
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.reason, outcome.ranks) == (0, "last_player", (1, 2))


@pytest.mark.parametrize(
    ("bids", "holder"), [((2, 1, 1, 0), 0), ((2, 2, 1, 0), None), ((2, 0, 2, 0), None), ((1, 1, 1, 2), 3)]
)
def test_bids_of_allies_compete(bids: tuple[int, ...], holder: int | None) -> None:
    # SW-R-85: a tie for the highest bid means nobody, also between allies; the holder is a clan
    match = begin(Board(2, round_=2), "plan", *[{"ninja": bid} for bid in bids]).match()
    for _ in bids:
        plan(match)
    assert match.state()["ninja"] == holder
    assert events(match, "ninja") == [{"event": "ninja", "clan": holder}]


def test_the_ninja_strikes_at_enemies_and_revenge_at_the_sender() -> None:
    # SW-R-85: neither an ally's daimyo nor, in revenge, one of the sender's ally
    board = Board(2, phase="a").army(0, 1, "mino", spear=1).army(1, 1, "owari", spear=1)
    match = board.set(ninja=0, ninja_fresh=True, window=2).match(dice=[9, 9])
    assert options(match, "daimyo") == [{"clan": 2, "army": 3}, {"clan": 3, "army": 3}]
    play(match, "daimyo", clan=2, army=3)
    assert (match.to_act, options(match)) == (
        1, [{"name": "daimyo", "clan": 0, "army": 1}, {"name": "daimyo", "clan": 0, "army": 3}],
    )  # fmt: skip
    play(match, "daimyo", clan=0, army=1)
    assert (army(match, 0, 1)["disrupted"], army(match, 1, 1)["disrupted"]) == (True, False)


def spying() -> Match:
    """Clan 1 holds the ninja, all others have planned."""
    match = begin(Board(2).set(ninja=1), "plan", *[{"ninja": 3}] * 4).match()
    for clan in (0, 2, 3):
        assert match.state()["decider"] == clan
        plan(match, swords=clan)
    return match


def test_only_enemies_are_spied_on() -> None:
    # SW-R-85
    match = spying()
    assert options(match) == [{"name": "pass"}, {"name": "clan", "clan": 2}, {"name": "clan", "clan": 3}]


def test_a_clan_with_the_ninja_plans_after_its_ally() -> None:
    # SW-R-89: the plan of clan 0 is fixed, and that of clan 1 is asked for last
    match = spying()
    assert (match.state()["decider"], match.state()["clans"][0]["committed"]) == (1, True)
    play(match, "clan", clan=2)
    plan(match, levy=3)
    assert [event["plan"]["swords"] for event in events(match, "plan")] == [0, 0, 2, 3]


def test_a_player_knows_what_both_his_clans_know() -> None:
    # SW-R-89: plans, a plan spied on, stacks; the other player knows none of it
    match = play(spying(), "clan", clan=2)
    assert [clan["plan"] is not None for clan in match.view(0)["clans"]] == [True, True, True, False]
    assert match.view(0)["clans"][2]["plan"]["swords"] == 2
    assert [clan["plan"] is not None for clan in match.view(1)["clans"]] == [False, False, True, True]
    board = Board(2).province("mino", 0, spear=3, hidden=2).province("owari", 1, spear=3, hidden=1)
    match = board.province("kai", 2, spear=2, hidden=1).match()
    hidden = {key: match.view(0)["provinces"][key]["hidden"] for key in ("mino", "owari", "kai")}
    assert hidden == {"mino": 2, "owari": 1, "kai": None}
    hidden = {key: match.view(1)["provinces"][key]["hidden"] for key in ("mino", "owari", "kai")}
    assert hidden == {"mino": None, "owari": None, "kai": 1}


def test_a_player_answers_for_both_clans_knowing_both_answers() -> None:
    # SW-R-89, SW-R-01: what clan 0 builds is seen while clan 1 chooses, but not by the other player
    board = begin(Board(2), "build", {"build": 2}, {"build": 2}, {"build": 2}, {})
    match = board.province("mino", 0, spear=1).province("owari", 2, spear=1).match()
    play(match, "province", province="mino")
    assert (match.state()["decider"], match.view(0)["clans"][0]["site"]) == (1, "mino")
    play(match, "pass")
    assert (match.state()["decider"], match.view(1)["clans"][0]["site"]) == (2, None)
    play(match, "province", province="owari")
    forts = {key for key, province in match.state()["provinces"].items() if province["fort"] == "castle"}
    assert forts == {"mino", "owari"}
    assert units(match, "mino") == {"spear": 1}
