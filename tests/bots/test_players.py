"""Bots of one's own in this process: matches are those of the engine, trouble costs only its own matches."""

import math
import threading
import time
from typing import Any

import numpy as np
import pytest

from sengoku import Cancel, Clock, Match, games, play_matches, run_matches
from sengoku.bots.bot import Playing, load_bot
from sengoku.bots.host import Host
from sengoku.bots.port import Ask, Port, Seating
from sengoku.errors import ArgumentError, CancelledError, SetupError
from support.bots import First, Middle, Trouble, by_hand, crash, hang, illegal, sleep

SHORT: dict[str, dict[str, Any]] = {
    "swords": {"max_rounds": 1},
    "tower": {"max_rounds": 3},
    "battles": {"scenario": 1, "max_rounds": 10},
}
TABLES = [("swords", 3), ("tower", 3), ("battles", 2)]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_bots_of_ours_play_as_in_a_run(game: str, seats: int) -> None:
    report = play_matches(
        game,
        players=["greedy", "random"],
        seats=seats,
        match_count=5,
        seed=7,
        first_match=3,
        setup=SHORT[game],
    )
    run = run_matches(
        game, bots=["greedy", "random"], seats=seats, match_count=5, seed=7, first_match=3, setup=SHORT[game]
    )
    assert [match.digest for match in report.matches] == run.digest.tolist()
    assert [match.ranks for match in report.matches] == [tuple(row) for row in run.ranks.tolist()]
    assert [-1 if match.winner is None else match.winner for match in report.matches] == run.winner.tolist()
    assert [match.scores for match in report.matches] == [tuple(row) for row in run.scores.tolist()]
    assert [match.rounds for match in report.matches] == run.rounds.tolist()
    assert [match.decisions for match in report.matches] == run.decisions.tolist()
    assert [match.by_rule for match in report.matches] == run.by_rule.tolist()
    assert [match.reason for match in report.matches] == [run.reasons[number] for number in run.reason]
    assert report.forfeits == {}


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_bots_of_ones_own_play_the_match_of_their_decisions(game: str, seats: int) -> None:
    middle = Middle()
    report = play_matches(
        game, players=[First(), middle], seats=seats, match_count=4, seed=5, setup=SHORT[game], replays=True
    )
    choose = [lambda legal: legal[0]] + [lambda legal: legal[len(legal) // 2]] * (seats - 1)
    for number, match in enumerate(report.matches):
        own = by_hand(game, 5, number, seats, SHORT[game], choose)
        assert (match.digest, match.decisions) == (own.digest, own.decisions)
        assert match.replay == own.replay()
        assert own.outcome is not None
        assert (match.ranks, match.winner) == (own.outcome.ranks, own.outcome.winner)
    assert max(middle.batches) > 1  # of several matches at once
    assert len(middle.over) == 4 * (seats - 1)
    assert {over.reason for over in middle.over} <= set(next(g for g in games() if g.name == game).reasons)


def test_neither_batches_nor_threads_change_anything() -> None:
    wish: dict[str, Any] = {"seats": 3, "match_count": 6, "seed": 2, "setup": SHORT["swords"], "rotate": True}
    whole = play_matches("swords", players=["greedy", Middle(), "random"], **wish)
    for more in ({"at_once": 1}, {"at_once": 4, "threads": 1}):
        assert play_matches("swords", players=["greedy", Middle(), "random"], **wish, **more) == whole
    assert len(whole) == 18


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_player_is_told_what_its_seat_may_see_and_no_more(game: str, seats: int) -> None:
    middle = Middle()
    play_matches(game, players=[middle], seats=seats, match_count=1, seed=5, setup=SHORT[game])
    match = Match.create(game, seats=seats, seed=5, setup=SHORT[game])
    ids: dict[int, set[str]] = {}
    for decision in middle.seen:
        seat = decision.seat
        assert (seat, decision.decisions, decision.seats) == (match.to_act, match.decisions, seats)
        assert np.array_equal(decision.observation, match.observe(seat))  # type: ignore[arg-type]
        assert decision.view == match.view(seat)
        assert decision.actions == match.legal_actions()
        assert decision.legal.tolist() == [action.index for action in decision.actions]
        assert np.array_equal(decision.mask, match.legal_mask())
        ids.setdefault(seat, set()).add(decision.match_id)
        match.play(int(decision.legal[len(decision.legal) // 2]))
    assert match.over
    # One id for each seat, and no seat can tell that another plays the same match.
    assert all(len(names) == 1 for names in ids.values())
    assert len(set.union(*ids.values())) == seats


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (crash, "crashed"),
        (illegal, "illegal"),
        (sleep(1.3), "late"),
        (lambda _: None, "illegal"),
        (lambda _: 10**30, "illegal"),
        (lambda _: -1, "illegal"),
    ],
    ids=["crash", "illegal", "late", "none", "huge", "negative"],
)
def test_trouble_forfeits_the_match(what: Any, why: str) -> None:
    bot = Trouble(what, lambda decision: decision.decisions > 20)
    report = play_matches(
        "battles",
        players=[bot, "random"],
        match_count=2,
        seed=3,
        setup=SHORT["battles"],
        clock=Clock(0.6),  # only the late bot may need this long, also on a busy machine
        rotate=True,
        at_once=1,  # else one that is late would make others late that wait behind it
    )
    for match in report.matches:
        seat = match.players.index("trouble")
        assert match.forfeits[seat] == why
        assert match.forfeits[1 - seat] == ""
        assert (match.winner, match.ranks[seat], match.ranks[1 - seat]) == (1 - seat, 2, 1)
        assert (match.reason, match.by_rule, match.scores) == ("forfeit", False, (0, 0))
        assert match.decisions > 20
    assert report.forfeits == {why: 4}
    row = report.standings[0]
    assert (row.player, row.wins, row.forfeits) == ("trouble", 0, {why: 4})


def test_at_a_table_of_many_the_others_play_on() -> None:
    once = Trouble(crash, lambda decision: decision.decisions > 30)
    report = play_matches(
        "tower", players=[once, First(), "random", "greedy"], match_count=3, seed=3, rotate=True
    )
    for match in report.matches:
        seat = match.players.index("trouble")
        assert match.forfeits == tuple("crashed" if other == seat else "" for other in range(4))
        assert match.ranks[seat] == 4
        assert sorted(match.ranks)[0] == 1
        assert match.reason != "forfeit"
        assert match.winner != seat
    again = play_matches(
        "tower", players=[once, First(), "random", "greedy"], match_count=3, seed=3, rotate=True, at_once=2
    )
    assert again == report


def test_who_forfeits_first_is_last() -> None:
    early = Trouble(crash, lambda decision: decision.decisions > 20, "early")
    late = Trouble(crash, lambda decision: decision.decisions > 60, "late")
    report = play_matches("tower", players=[early, late, First()], match_count=2, seed=3, rotate=True)
    for match in report.matches:
        ranks = dict(zip(match.players, match.ranks, strict=True))
        assert ranks == {"early": 3, "late": 2, "first": 1}
        assert match.reason == "forfeit"
        assert match.winner == match.players.index("first")


def test_a_bot_that_hangs_stops_nobody() -> None:
    release = threading.Event()
    bot = Trouble(hang(release), lambda decision: decision.decisions > 10)
    begun = time.monotonic()
    try:
        report = play_matches(
            "battles",
            players=[bot, "random"],
            match_count=6,
            seed=3,
            setup=SHORT["battles"],
            clock=Clock(0.2),
        )
    finally:
        release.set()
    assert time.monotonic() - begun < 10
    assert report.forfeits == {"late": 6}


def test_a_bank_is_spent_once() -> None:
    slow = Trouble(sleep(0.15), lambda decision: decision.decisions in {0, 1, 2, 3, 4})
    wish: dict[str, Any] = {"match_count": 1, "seed": 3, "setup": SHORT["battles"]}
    assert play_matches("battles", players=[slow], **wish, clock=Clock(0.1, 5.0)).forfeits == {}
    spent = play_matches("battles", players=[slow], **wish, clock=Clock(0.1, 0.08))
    assert spent.forfeits == {"late": 1}
    assert 0.2 < max(spent.matches[0].seconds) < 2
    in_all = play_matches("battles", players=[slow], **wish, clock=Clock(10, 0, 0.2))
    assert in_all.forfeits == {"late": 1}


def test_a_match_without_end_has_no_result() -> None:
    rows: list[Any] = []
    seating = Seating("swords", 2, "{}", 1, 0, ("random", "random"))
    Host([seating], {}, played=rows.append, max_decisions=50).run()
    (row,) = rows
    assert (row.reason, row.winner, row.ranks, row.decisions) == ("too_long", None, (1, 1), 50)


def test_a_flag_stops_the_matches() -> None:
    cancel = Cancel()
    told: list[int] = []

    def progress(done: int, _total: int) -> None:
        told.append(done)
        if done == 3:
            cancel.cancel()

    middle = Middle()
    with pytest.raises(CancelledError):
        play_matches(
            "battles",
            players=[middle, "random"],
            match_count=1000,
            setup=SHORT["battles"],
            at_once=2,
            progress=progress,
            cancel=cancel,
        )
    assert told == [1, 2, 3]
    deadline = time.monotonic() + 5
    while len(middle.over) < 4 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert [over.reason for over in middle.over][3:] == ["cancelled"]


def test_standings_know_that_seats_of_one_match_are_no_trials_of_their_own() -> None:
    report = play_matches(
        "battles", players=["greedy", "random"], match_count=10, seed=3, setup=SHORT["battles"], rotate=True
    )
    greedy, other = report.standings
    assert (greedy.played, greedy.wins + other.wins) == (
        20,
        sum(m.winner is not None for m in report.matches),
    )
    shares = []
    for number in range(10):
        pair = [match for match in report.matches if match.match_index == number]
        shares.append(
            sum(match.players[match.winner] == "greedy" for match in pair if match.winner is not None) / 2
        )
    assert greedy.win_rate == pytest.approx(np.mean(shares))
    assert greedy.win_rate_error == pytest.approx(np.std(shares, ddof=1) / math.sqrt(10))
    single = play_matches("battles", players=["greedy", "random"], match_count=1, setup=SHORT["battles"])
    assert math.isnan(single.standings[0].win_rate_error)
    assert single.to_dict()["standings"][0]["win_rate_error"] is None


def test_names_are_told_apart() -> None:
    class Greedy(First):
        name = "random"

    one, two = Greedy(), Greedy()
    report = play_matches(
        "tower", players=[one, two, "random", one], match_count=1, setup=SHORT["tower"], seed=1
    )
    assert report.players == ("random-2", "random-3", "random", "random-2")
    assert [row.played for row in report.standings] == [2, 1, 1]


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"players": []}, "players"),
        ({"players": ["random"] * 3}, "players"),
        ({"seats": 7}, "seats"),
        ({"match_count": 0}, "match_count"),
        ({"match_count": 10**12}, "match_count"),
        ({"first_match": 2**64}, "first_match"),
        ({"at_once": 0}, "at_once"),
        ({"players": ["@remote", "random"]}, "players"),
        ({"players": ["deep", "random"]}, "bots"),
        ({"seed": -1}, "seed"),
    ],
)
def test_wishes_that_cannot_be(options: dict[str, Any], field: str) -> None:
    wish: dict[str, Any] = {"players": ["random"], "match_count": 1, "seats": 2} | options
    with pytest.raises(ArgumentError) as refused:
        play_matches("battles", **wish)
    assert refused.value.details["field"] == field


def test_other_wishes_that_cannot_be() -> None:
    with pytest.raises(ArgumentError, match="game is 'chess'"):
        play_matches("chess", players=["random"], match_count=1)
    with pytest.raises(SetupError):
        play_matches("battles", players=["random"], match_count=1, setup={"scenario": 99})
    with pytest.raises(TypeError, match="neither decide nor decide_batch"):
        play_matches("battles", players=[object()], match_count=1)  # type: ignore[list-item]
    for clock in ({"decision": 0}, {"decision": math.nan}, {"bank": -1}, {"match": 0}, {"decision": "1"}):
        with pytest.raises(ArgumentError, match="must be"):
            Clock(**clock)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ({"name": 7}, "name"),
        ({"name": ""}, "name"),
        ({"capacity": 0}, "capacity"),
        ({"wants": ["everything"]}, "wants"),
        ({"games": ["chess"]}, "game"),
    ],
)
def test_bots_that_cannot_be(attributes: dict[str, Any], said: str) -> None:
    bot = type("Bad", (First,), attributes)()
    with pytest.raises(ArgumentError) as refused:
        Playing.of(bot)
    assert refused.value.details["field"] == said


def test_a_bot_that_did_not_want_it_is_told_so() -> None:
    seen: list[Any] = []

    class Curious(First):
        def decide(self, decision: Any) -> int:
            with pytest.raises(ArgumentError, match="did not request 'view'"):
                seen.append(decision.view)
            seen.append(decision.observation)
            return super().decide(decision)

    play_matches("battles", players=[Curious(), "random"], match_count=1, setup=SHORT["battles"])
    assert seen
    assert all(isinstance(one, np.ndarray) for one in seen)


def test_bots_are_loaded_by_name(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "my_bot_of_test.py"
    file.write_text(
        "class B:\n    name = 'b'\n    def decide(self, d):\n        return d.legal[0]\nready = B()\nx = 3\n"
    )
    monkeypatch.chdir(tmp_path)
    assert load_bot(f"{file}:B").name == "b"
    assert load_bot("my_bot_of_test:ready").name == "b"
    for text in (
        "",
        "nothing",
        "my_bot_of_test:",
        ":B",
        "no_such_module:B",
        "my_bot_of_test:C",
        "my_bot_of_test:x",
        "none.py:B",
    ):
        with pytest.raises(ArgumentError) as refused:
            load_bot(text)
        assert refused.value.details["field"] == "bot"


class Gone(Port):
    """A player that has left."""

    def __init__(self) -> None:
        self.name = "gone"
        self.since = time.monotonic()
        self.forgotten: list[str] = []

    def ask(self, _asks: Any) -> None:
        """Hears nothing."""

    def fault(self, _ask: Ask, _forfeit: str) -> None:
        """Hears nothing."""

    def forget(self, _ask: Ask, forfeit: str) -> None:
        """Counts."""
        self.forgotten.append(forfeit)

    def over(self, _over: Any) -> None:
        """Hears nothing."""

    def gone_since(self, _ask: Ask, /) -> float | None:
        """Always."""
        return self.since


def test_a_player_that_has_gone_is_waited_for_once() -> None:
    """However many matches it has: the time runs from when it left, not anew for each match."""
    port, rows = Gone(), []
    wishes = [Seating("battles", 2, "{}", 1, number, ("gone", "random")) for number in range(200)]
    begun = time.monotonic()
    Host(wishes, {"gone": port}, played=rows.append, clock=Clock(0.3), at_once=4).run()
    assert time.monotonic() - begun < 8
    assert len(rows) == 200
    assert {row.forfeits for row in rows} == {("disconnected", "")}
    assert port.forgotten == ["disconnected"] * 200
