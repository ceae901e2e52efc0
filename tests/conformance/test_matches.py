"""The contract of a match, for every game there is."""

import csv
import itertools
import json
import pickle
import random
import threading
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sengoku import Cancel, Match, MatchReport, engine, games, run_matches, scenarios
from sengoku.engine.games import find_game
from sengoku.errors import (
    ArgumentError,
    CancelledError,
    DecodeError,
    DiceScriptError,
    IllegalActionError,
    MatchOverError,
    NotYourTurnError,
    SetupError,
)
from support.cli import run as run_command

CAP = {"max_rounds": 5}
"""A host's cap that every game knows; it makes matches short."""

TABLES = [
    pytest.param(game, seats, id=f"{game.name}-{seats}")
    for game in games()
    for seats in range(game.seats[0], game.seats[1] + 1)
]
GAMES = [pytest.param(game, id=game.name) for game in games()]
CAMPAIGNS = (18, 39)
BATTLES = ({"scenario": 5}, {"scenario": 12}, {"scenario": 23}, {"scenario": 37}, {"campaign": 39})
"""Those with rules of their own: an exit, a hand that grows, a dice-off, units held back, two in a row."""
RUNS = [
    *(pytest.param(*table.values, CAP, id=table.id) for table in TABLES),
    *(
        pytest.param(find_game("battles"), 2, setup, id="-".join(["battles", *map(str, *setup.items())]))
        for setup in BATTLES
    ),
]
"""Every table, and some battles to their end."""


def positions(game: engine.Game, seats: int, *, seed: int = 1, every: int = 1) -> Iterator[Match]:
    """Walks through a match of random decisions and stops at some of them; the last one is the end."""
    choose = random.Random(seed)
    match = Match.create(game.name, seats=seats, seed=seed, setup=CAP)
    for number in itertools.count():
        if match.over or number % every == 0:
            yield match
        if match.over:
            return
        match.play(choose.choice(match.legal_actions()))


def finished(game: engine.Game, seats: int, seed: int = 1) -> Match:
    *_, last = positions(game, seats, seed=seed, every=10**9)
    return last


def everything(match: Match) -> tuple[object, ...]:
    return match.save(), match.state(), match.log, match.history, match.to_act, match.outcome, match.dice_left


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_legal_list_and_play_agree(game: engine.Game, seats: int) -> None:
    for match in positions(game, seats, every=97):
        legal = match.legal_actions()
        mask = match.legal_mask()
        assert mask.shape == (game.action_count,)
        assert [action.index for action in legal] == np.flatnonzero(mask).tolist()
        assert all(str(action) == action.text != "" for action in legal)
        before = everything(match)
        for index in range(game.action_count):
            copy = match.clone()
            if mask[index]:
                copy.play(index)
                assert copy.history == [*match.history, index]
            else:
                with pytest.raises(MatchOverError if match.over else IllegalActionError):
                    copy.play(index)
                assert copy.digest == match.digest
        assert everything(match) == before


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_refused_actions_change_nothing(game: engine.Game, seats: int) -> None:
    match = Match.create(game.name, seats=seats, setup=CAP)
    before = everything(match)
    to_act = match.to_act
    assert to_act is not None
    legal = match.legal_actions()[0]
    with pytest.raises(NotYourTurnError) as turn:
        match.play(legal, seat=(to_act + 1) % seats)
    assert turn.value.details == {"asked": str((to_act + 1) % seats), "to_act": str(to_act)}
    with pytest.raises(IllegalActionError) as illegal:
        match.play(game.action_count)
    assert illegal.value.details == {"index": str(game.action_count)}
    refusals: list[tuple[Callable[[], object], type[Exception]]] = [
        (lambda: match.play(-1), ArgumentError),
        (lambda: match.play(2**40), ArgumentError),
        (lambda: match.play("march"), TypeError),  # type: ignore[arg-type]
        (lambda: match.play(legal, seat=seats), ArgumentError),
        (lambda: match.play(legal, seat=-1), ArgumentError),
        (lambda: match.observe(seats), ArgumentError),
        (lambda: match.view(-1), ArgumentError),
        (lambda: match.picture(seats), ArgumentError),
    ]
    for refused, error in refusals:
        with pytest.raises(error):
            refused()
    assert everything(match) == before
    match.play(legal, seat=to_act)
    assert match.decisions == 1


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_match_ends_and_stays_so(game: engine.Game, seats: int) -> None:
    match = finished(game, seats)
    assert (match.over, match.to_act, match.legal_actions()) == (True, None, [])
    outcome = match.outcome
    assert outcome is not None
    assert outcome.reason in game.reasons
    assert len(outcome.ranks) == len(outcome.scores) == seats
    assert 1 in outcome.ranks
    assert sum(outcome.rewards) == pytest.approx(0)
    assert all(
        (outcome.rewards[one] > outcome.rewards[other]) == (outcome.ranks[one] < outcome.ranks[other])
        for one, other in itertools.permutations(range(seats), 2)
    )
    assert (outcome.winner is not None) == (outcome.by_rule and not outcome.shared)
    with pytest.raises(MatchOverError):
        match.play(0)


@pytest.mark.parametrize(
    ("ranks", "rewards"),
    [
        ((1, 2), (1, -1)),
        ((2, 1), (-1, 1)),
        ((1, 1), (0, 0)),
        ((2, 1, 3), (0, 1, -1)),
        ((1, 1, 3), (0.5, 0.5, -1)),
        ((1, 2, 2, 4), (1, 0, 0, -1)),
        ((5, 1, 3, 3, 2), (-1, 1, -0.25, -0.25, 0.5)),
        ((1, 1, 1, 1, 1), (0, 0, 0, 0, 0)),
    ],
)
def test_rewards_by_rank(ranks: tuple[int, ...], rewards: tuple[float, ...]) -> None:
    outcome = engine.Outcome(ranks, None, by_rule=True, reason="", rounds=1, scores=(0,) * len(ranks))
    assert outcome.rewards == rewards


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_clones_go_their_own_way(game: engine.Game, seats: int) -> None:
    for match in positions(game, seats, every=101):
        copy = match.clone()
        assert everything(copy) == everything(match) == everything(deepcopy(match))
        if not match.over:
            before = everything(match)
            copy.play(copy.legal_actions()[-1])
            assert everything(match) == before
            assert copy.decisions == match.decisions + 1


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_saved_and_replayed_matches_go_on_the_same(game: engine.Game, seats: int) -> None:
    for match in positions(game, seats, every=211):
        for again in (
            Match.load(match.save()),
            Match.from_replay(match.replay()),
            pickle.loads(pickle.dumps(match)),  # noqa: S301 - our own bytes
        ):
            assert everything(again) == everything(match)
            assert repr(again) == repr(match)
            if not match.over:
                copy = match.clone()
                for playing in (copy, again):
                    playing.play(playing.legal_actions()[0])
                assert everything(again) == everything(copy)


SCENARIOS = [
    *(pytest.param(one.game, one.setup, id=f"{one.game}-{one.id}") for one in scenarios()),
    *(pytest.param("battles", {"campaign": number}, id=f"battles-campaign-{number}") for number in CAMPAIGNS),
]


@pytest.mark.parametrize(("game", "setup"), SCENARIOS)
def test_every_scenario_is_played_to_its_end_and_replayed(game: str, setup: dict[str, Any]) -> None:
    choose = random.Random(1)
    match = Match.create(game, seed=1, setup=setup | ({} if game == "battles" else CAP))
    while not match.over:
        match.play(choose.choice(match.legal_actions()))
    assert match.outcome is not None
    assert game != "battles" or match.outcome.by_rule
    again = Match.from_replay(match.replay())
    assert everything(again) == everything(match) == everything(Match.load(match.save()))
    assert again.replay() == match.replay()


@pytest.mark.parametrize("game", GAMES)
def test_damaged_bytes_are_refused(game: engine.Game) -> None:
    data = finished(game, game.seats[0]).save()
    choose = random.Random(3)
    for cut in choose.sample(range(len(data)), 40):
        with pytest.raises(DecodeError):
            Match.load(data[:cut])
    with pytest.raises(DecodeError):
        Match.load(data + b"\0")
    for _ in range(40):
        damaged = bytearray(data)
        damaged[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
        try:
            other = Match.load(bytes(damaged))
        except (DecodeError, SetupError):
            continue
        assert other.save() == bytes(damaged)  # a match of its own, wholly


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_is_checked_line_by_line(game: engine.Game) -> None:
    match = Match.create(game.name, seed=3, setup=CAP)
    for _ in range(3):
        match.play(match.legal_actions()[0])
    lines = match.replay().splitlines()
    assert lines[:2] == ["sengoku replay 1", f"game {game.name}"]
    assert json.loads(lines[6].removeprefix("setup ")) == CAP
    decision = lines[7].split(" # ")
    assert decision[0] == f"1 {Match.create(game.name, seed=3, setup=CAP).to_act} {match.history[0]}"
    for number, line in [(7, f"1 0 {game.action_count} # no"), (8, "2 9 0"), (9, "four"), (10, "digest 0")]:
        wrong = [*lines[:number], line, *lines[number + 1 :]]
        with pytest.raises(DecodeError) as error:
            Match.from_replay("\n".join(wrong))
        assert error.value.details["line"] == str(number + 1)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_views_have_the_shape_of_the_state(game: engine.Game, seats: int) -> None:
    match = Match.create(game.name, seats=seats, seed=5, setup=CAP)
    state = match.state()
    for seat in range(seats):
        assert match.view(seat).keys() == state.keys()
        seen = match.observe(seat)
        assert (seen.dtype, seen.shape) == (np.uint8, (game.observation_size,))
        assert str(match.picture(seat)).lstrip().startswith("<svg")


@pytest.mark.parametrize("game", GAMES)
def test_pictures_are_written(game: engine.Game, tmp_path: Path) -> None:
    picture = Match.create(game.name).picture()
    picture.save(tmp_path / "board.svg")
    assert (tmp_path / "board.svg").read_text("utf-8") == picture


@pytest.mark.parametrize("game", GAMES)
def test_seed_and_number_make_the_match(game: engine.Game) -> None:
    def begin(seed: int, number: int) -> int:
        return Match.create(game.name, seed=seed, match_index=number).digest

    assert begin(1, 2) == begin(1, 2)
    assert len({begin(seed, number) for seed in (1, 2**64 - 1) for number in (0, 1, 2**64 - 1)}) > 1


@pytest.mark.parametrize("game", GAMES)
def test_wrong_setups_are_refused(game: engine.Game) -> None:
    for seats in (0, game.seats[0] - 1, game.seats[1] + 1, -1, 10**30):
        with pytest.raises(SetupError) as refused:
            Match.create(game.name, seats=seats)
        assert refused.value.details["field"] == "seats"
    for setup in ({"no_such_option": 1}, {"max_rounds": "many"}, {"max_rounds": -1}):
        with pytest.raises(SetupError) as refused:
            Match.create(game.name, setup=setup)
        assert refused.value.details["field"]
        assert refused.value.details["reason"]
    for broken in ([1], "text", {"max_rounds": object()}, {"max_rounds": float("nan")}):
        with pytest.raises(SetupError):
            Match.create(game.name, setup=broken)  # type: ignore[arg-type]
    for key in ({"seed": -1}, {"seed": 2**64}, {"match_index": 2**64}):
        with pytest.raises(ArgumentError):
            Match.create(game.name, **key)  # type: ignore[arg-type]


def test_there_is_no_such_game() -> None:
    with pytest.raises(ArgumentError, match="chess"):
        Match.create("chess")
    with pytest.raises(ArgumentError, match="chess"):
        run_matches("chess", bots=["random"], match_count=1)


def first_refusal(match: Match, choose: random.Random) -> dict[str, str] | None:
    """Plays until a die is missing, which changes nothing; returns the error details, or None at the end."""
    while not match.over:
        before = everything(match)
        try:
            match.play(choose.choice(match.legal_actions()))
        except DiceScriptError as error:
            assert everything(match) == before
            return error.details
    return None


@pytest.mark.parametrize("game", GAMES)
def test_scripted_dice_that_run_out_refuse_the_play(game: engine.Game) -> None:
    with pytest.raises(DiceScriptError):
        Match.create(game.name, dice=[0])
    with pytest.raises(DiceScriptError):
        Match.create(game.name, dice=[256])
    for seed in range(20):  # in some matches no second die is rolled
        choose = random.Random(seed)
        match = Match.create(game.name, setup=CAP, dice=[1])
        assert match.dice_left == 1
        if refused := first_refusal(match, choose):
            break
    assert refused == {"given": "1", "needed": "2"}
    again = Match.load(match.save())
    assert everything(again) == everything(match)


def bots_of(game: engine.Game) -> list[str]:
    return [next(bot for bot in game.bots if bot not in {"random", "mix", "mcts"}), "random"]


def run(game: engine.Game, first_match: int = 0, match_count: int = 60, **options: object) -> MatchReport:
    settings = {"bots": bots_of(game), "seed": 7, "setup": CAP, **options}
    return run_matches(game.name, first_match=first_match, match_count=match_count, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(("game", "seats", "setup"), RUNS)
def test_threads_and_ranges_change_nothing(game: engine.Game, seats: int, setup: dict[str, int]) -> None:
    part = partial(run, game, seats=seats, setup=setup)
    whole = part(10, 60, threads=1)
    assert whole == part(10, 60, threads=2) == part(10, 60, threads=7)
    parts = [part(10, 1), part(11, 39), part(50, 20)]
    assert parts[0] + parts[1] + parts[2] == whole
    assert parts[2].merge(parts[0]).merge(parts[1]) == whole
    assert len(whole) == 60
    assert whole.match_index.tolist() == list(range(10, 70))
    assert whole.ranks.shape == whole.scores.shape == (60, seats)
    assert len(set(whole.digest.tolist())) > 1
    assert part(10, 60, seed=8) != whole


@pytest.mark.parametrize("game", GAMES)
def test_a_row_is_a_match_of_its_own(game: engine.Game) -> None:
    report = run(game, 0, 20, bots=["random"])
    for row in range(20):
        assert report.wins.sum() + report.draws + report.no_results == 20
        ranks = report.ranks[row].tolist()
        alone = ranks.index(1) if ranks.count(1) == 1 and report.by_rule[row] else -1
        assert report.winner[row] == alone
        assert report.decisions[row] > 0


@pytest.mark.parametrize("game", GAMES)
def test_bots_by_seat(game: engine.Game) -> None:
    least, most = game.seats
    assert run(game, bots=["random"], match_count=1).bots == ("random",) * least
    assert run(game, bots=["random"] * most, match_count=1).seats == most
    report = run(game, seats=most, match_count=1)
    assert report.bots == (bots_of(game)[0], *["random"] * (most - 1))
    for bots in ([], ["random"] * (most + 1), ["nobody"]):
        with pytest.raises(ArgumentError) as refused:
            run(game, bots=bots, seats=most, match_count=1)
        assert refused.value.details["field"] == "bots"
    with pytest.raises(TypeError):
        run(game, bots="random")


@pytest.mark.parametrize("game", GAMES)
def test_wrong_runs_are_refused(game: engine.Game) -> None:
    for options, field in [
        ({"match_count": 0}, "match_count"),
        ({"match_count": -1}, "match_count"),
        ({"match_count": 10**12}, "match_count"),
        ({"first_match": 2**64 - 1, "match_count": 2}, "first_match"),
        ({"first_match": 2**64}, "first_match"),
        ({"threads": -1}, "threads"),
        ({"seed": -1}, "seed"),
        ({"seats": 99}, "seats"),
        ({"setup": {"max_rounds": "many"}}, "max_rounds"),
    ]:
        with pytest.raises((ArgumentError, SetupError)) as refused:
            run(game, **options)  # type: ignore[arg-type]
        assert refused.value.details["field"] == field
    assert run(game, 2**64 - 1, 1).match_index.tolist() == [2**64 - 1]


@pytest.mark.parametrize("game", GAMES)
def test_only_parts_of_one_run_are_merged(game: engine.Game) -> None:
    report = run(game, 0, 5)
    for other in (
        run(game, 5, 5, seed=8),
        run(game, 5, 5, bots=["random"], seats=report.seats)
        if bots_of(game)[0] != "random"
        else run(game, 4, 5),
        run(game, 5, 5, setup={"max_rounds": 4}),
        run(game, 4, 5),
    ):
        with pytest.raises(ArgumentError):
            report.merge(other)


@pytest.mark.parametrize("game", GAMES)
def test_aggregates(game: engine.Game) -> None:
    report = run(game, 0, 50)
    assert report.win_rate.tolist() == [np.mean(report.winner == seat) for seat in range(report.seats)]
    assert (report.win_rate_error > 0).all()
    assert report.mean_rounds == report.rounds.mean()
    assert report.mean_decisions_error == pytest.approx(report.decisions.std(ddof=1) / 50**0.5)
    assert sum(report.reason_counts.values()) == 50
    summary = json.loads(json.dumps(report.to_dict()))
    assert summary["matches"]["digest"] == report.digest.tolist()
    assert summary["win_rate"] == report.win_rate.tolist()
    single = json.loads(json.dumps(run(game, 0, 1).summary(), allow_nan=False))
    assert single["mean_rounds_error"] is None


@pytest.mark.parametrize("game", GAMES)
def test_tables_in_files(game: engine.Game, tmp_path: Path) -> None:
    report = run(game, 0, 9)
    report.to_csv(tmp_path / "matches.csv")
    text = (tmp_path / "matches.csv").read_text("utf-8")
    assert text == report.to_csv()
    rows = list(csv.DictReader(text.splitlines()))
    assert [int(row["digest"]) for row in rows] == report.digest.tolist()
    assert [int(row["rank_1"]) for row in rows] == report.ranks[:, 1].tolist()
    assert {row["reason"] for row in rows} <= set(game.reasons)
    parquet = pytest.importorskip("pyarrow.parquet")
    report.to_parquet(tmp_path / "matches.parquet")
    table = parquet.read_table(tmp_path / "matches.parquet")
    assert table["digest"].to_pylist() == report.digest.tolist()
    assert json.loads(table.schema.metadata[b"sengoku"])["seed"] == 7


@pytest.mark.parametrize("game", GAMES)
def test_progress_is_told_and_can_stop_the_work(game: engine.Game) -> None:
    seen: list[tuple[int, int]] = []
    run(game, 0, 200, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (200, 200)
    assert seen == sorted(seen)

    def fail(_done: int, _total: int) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        run(game, 0, 10**8, progress=fail)


@pytest.mark.parametrize("game", GAMES)
def test_a_run_can_be_cancelled_from_another_thread(game: engine.Game) -> None:
    cancel = Cancel()
    threading.Timer(0.05, cancel.cancel).start()
    with pytest.raises(CancelledError):
        run(game, 0, 10**8, cancel=cancel)


@pytest.mark.parametrize("game", GAMES)
def test_one_match_in_many_threads(game: engine.Game) -> None:
    """Every play is refused or counted once, from whichever thread it comes."""
    match = Match.create(game.name, seed=2, setup={})

    def play_on() -> None:
        for _ in range(50):
            actions = match.legal_actions()
            if not actions:
                return
            try:
                match.play(actions[0])
            except (IllegalActionError, MatchOverError):
                continue

    threads = [threading.Thread(target=play_on) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert everything(Match.from_replay(match.replay())) == everything(match)


@pytest.mark.parametrize("game", GAMES)
def test_runs_on_the_command_line(game: engine.Game, tmp_path: Path) -> None:
    table = tmp_path / "matches.csv"
    options = ["run", game.name, "--bots", ",".join(bots_of(game)), "--matches", "30", "--seed", "7"]
    report = run(game, 0, 30)
    reported = run_command(*options, "--setup", "max_rounds=5", "--json", "--csv", str(table))
    assert json.loads(reported.stdout) == json.loads(json.dumps(report.summary()))
    assert reported.stderr == ""
    assert table.read_text("utf-8") == report.to_csv()
    assert "30 matches" in run_command(*options, "--setup", '{"max_rounds": 5}').stdout
    wrong = run_command(*options, "--setup", "max_rounds=many", "--json", code=2)
    assert json.loads(wrong.stderr)["error"]["reason"] == "INVALID_SETUP"
    run_command(*options, "--setup", "max_rounds", code=2)
    run_command(*options, "--csv", str(tmp_path / "no" / "such" / "folder.csv"), code=2)


@pytest.mark.parametrize("game", GAMES)
def test_replays_on_the_command_line(game: engine.Game, tmp_path: Path) -> None:
    match = finished(game, game.seats[0])
    file = tmp_path / "match.txt"
    file.write_text(match.replay(), "utf-8")
    assert run_command("replay", "verify", str(file)).stdout.endswith(f"digest {match.digest:016x}\n")
    assert run_command("replay", "show", str(file), "--decisions").stdout.startswith(match.replay())
    reported = json.loads(run_command("replay", "show", str(file), "--json").stdout)
    assert reported["state"] == match.state()
    file.write_text(match.replay().rsplit("digest", 1)[0], "utf-8")
    assert "may be truncated" in run_command("replay", "verify", str(file)).stdout
    assert json.loads(run_command("replay", "verify", str(file), "--json").stdout)["has_digest"] is False
    file.write_text(match.replay().replace("seed 1", "seed 2"), "utf-8")
    assert "line" in run_command("replay", "verify", str(file), code=2).stderr
    run_command("replay", "verify", str(tmp_path / "missing.txt"), code=2)
    file.write_bytes(b"\xff\xfe")
    run_command("replay", "verify", str(file), code=2)
