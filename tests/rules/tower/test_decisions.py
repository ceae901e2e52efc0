"""Decision points (section 26): what is asked, what is not, and what everybody may know."""

import pytest

from rules.tower.board import Board, enter, events, kinds, options, play, point, province
from sengoku import Match
from sengoku.errors import NotYourTurnError


def test_a_choice_of_one_is_no_decision() -> None:
    # TW-D-00: it is taken without asking and told all the same
    board = Board(4).province("awa-boso", 0, 2).province("kazusa", 0, 1).province("izu", 1, 1, "temple")
    match = board.plan(0, battle_a="awa-boso").event("temple_shield").begin("battle_a").match()
    assert match.decisions == 0
    assert events(match, "moved") == [{"seat": 0, "from": "awa-boso", "to": "kazusa", "armies": 1}]
    # with the option there are two
    match = board.match(allow_zero_move=True)
    assert [action["name"] for action in options(match)] == ["pass", "move"]


def test_the_last_group_of_the_draft_is_not_asked() -> None:
    # TW-D-00, TW-D-04: with groups of one size left there is nothing to choose, the card is still chosen
    match = Match.create("tower", seats=3, seed=1, setup={"mode": "draft"})
    asked = []
    while point(match) != "plan":
        asked.append(point(match))
        match.play(match.legal_actions()[-1])
    # a player chooses a group while he has different ones: the largest first, so five times (5, 4, 4, 3, 3)
    assert asked.count("draft_group") == 3 * 5
    assert len(events(match, "group_placed")) == 27


def test_what_nobody_decides() -> None:
    # TW-D-11: building sites, passing what can be done, special cards, event effects
    board = Board(3).province("izu", 0, 9, unrest=1).province("kii", 0, 3).province("omi", 0, 3)
    board.province("noto", 0, 3).province("iyo", 0, 3).province("aki", 0, 3).specials({0: "chest_plus_1"})
    board.plan(0, no="izu", castle="iyo", temple="noto", tax="omi", rice="kii", deploy5="aki")
    match = board.event("no_removes_unrest").begin("no").match()
    assert (match.decisions, match.state()["round"]) == (0, "summer")
    done = [kind for kind in kinds(match) if kind in {"built", "collected", "deployed"}]
    assert done == ["built", "built", "built", "collected", "collected", "deployed"]
    assert province(match, "izu")["unrest"] == 0
    # which provinces revolt in winter, and in which order the players come
    board = Board(3)
    for key in ("aki", "iyo", "kii"):
        board.province(key, 1, 5)
    match = board.province("omi", 2, 5).event(7).order(2, 1, 0).begin("winter").match(dice=[3, 2])
    assert [event["seat"] for event in events(match, "revolts_drawn")] == [2, 1]
    assert match.to_act == 1
    assert options(match) == [{"name": "province", "province": key} for key in ("aki", "iyo")]


def test_using_cubes_of_cards_is_not_asked() -> None:
    # TW-D-11: neither by the attacker nor by the defender
    board = Board(3).province("ise", 0, 3).province("kii", 1, 3, "castle").plan(0, battle_a="ise")
    board.specials({0: "attack_plus_1", 1: "defence_plus_1"}).event("castle_defence")
    match = play(board.begin("battle_a").match(), "move", to="kii", armies=2)
    assert match.decisions == 1
    attack = events(match, "attack")[0]
    assert (attack["attacker_more"], attack["defender_more"]) == (1, 2)


def test_what_everybody_may_know() -> None:
    # TW-D-12, TW-D-13: in the middle of a season; only unrevealed plan cards and action cards, decks, and the
    # arrangement inside the tower are hidden
    board = Board(3).province("ise", 0, 3).province("kii", 1, 3).province("omi", 1, 2, "castle", unrest=1)
    board.plan(0, bid="treasure_2", battle_a="ise", tax="treasure_1").plan(1, rice="kii", deploy3="omi")
    board.tray(0, 1, 0, farmers=2).tower([1, 5], [0])
    match = board.begin("battle_a").match(tower_model="ledger")
    state = match.state()
    hidden = {"tower", "event_deck", "draft", "court", "draws", "tower_draws", "action_order", "players"}
    for seat in range(3):
        view = match.view(seat)
        assert {key: value for key, value in view.items() if key not in hidden} == {
            key: value for key, value in state.items() if key not in hidden
        }
        for viewed, known in zip(view["players"], state["players"], strict=True):
            assert {key: viewed[key] for key in known if key != "plan"} == {
                key: known[key] for key in known if key != "plan"
            }
        assert view["action_order"] == [*state["action_order"][:5], *[None] * 5]
        assert [view[key] for key in ("tower", "event_deck", "draws", "tower_draws")] == [None] * 4
        assert view["inside"] == [1, 1, 0, 0, 0, 1]  # public by subtraction
        first, second = (it["plan"] for it in view["players"][:2])
        assert (first["bid"], first["battle_a"]) == ("treasure_2", "ise")  # revealed
        assert first["tax"] == ("treasure_1" if seat == 0 else "face_down")
        assert second["rice"] == ("kii" if seat == 1 else "face_down")
        assert second["castle"] == "empty"  # empty spaces are seen


def test_the_card_set_of_a_player_is_public() -> None:
    # TW-D-13: who owns what is seen by all, only the assignment to spaces is secret
    match = Board(3).province("ise", 0, 3).province("kii", 0, 3).begin("plan").match()
    enter(match, bid="ise")
    for seat in (1, 2):
        assert [match.view(seat)["provinces"][key]["owner"] for key in ("ise", "kii")] == [0, 0]
        assert match.view(seat)["players"][0]["plan"] is None


def test_seats_decide_in_their_turn() -> None:
    # TW-D-14: plans are entered by ascending seats, whatever the turn order was
    match = Board(3).begin("plan").match()
    with pytest.raises(NotYourTurnError):
        match.play(match.legal_actions()[0], 1)
    for seat in range(3):
        assert match.to_act == seat
        enter(match)


@pytest.mark.parametrize("provinces", [0, 1, 5, 6, 7])
def test_plan_entry_reaches_every_plan_and_no_dead_end(provinces: int) -> None:
    # TW-D-14, TW-D-05: with c cards and s spaces left every unused card is legal, "empty" iff s > c
    board = Board(3)
    for key in ("aki", "ise", "iyo", "kai", "kii", "omi", "izu")[:provinces]:
        board.province(key, 0, 1)
    match = board.begin("plan").match()
    cards = provinces + 5
    for left in range(11, 0, -1):
        legal = options(match)
        names = [action["name"] for action in legal]
        assert len(legal) == cards + (left > cards)
        assert ("empty" in names) == (left > cards)
        match.play(match.legal_actions()[(left * 7) % len(legal)])
        cards -= match.history[-1] != 15
    assert match.to_act == 1


def test_counts_of_plans() -> None:
    # TW-D-14: three spaces of a player without provinces: 5 x 5 x 5 and fewer where cards are used up
    match = Board(3).begin("plan").match()
    # each of the first three spaces takes one of the unused cards or stays empty: sum over k cards laid of
    # C(3, k) * 5 * 4 * ... = 1 + 3 * 5 + 3 * 20 + 60
    assert match.count_sequences(3) == 136
