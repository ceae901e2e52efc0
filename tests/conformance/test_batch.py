"""The contract of a batch, for every game: each lane equals a single match."""

import threading
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from conformance.batches import ARRAYS, CAP, GAMES, arrays, same
from sengoku import BatchEnv, Match, draws, engine, games, run_matches
from sengoku.errors import (
    ArgumentError,
    DecodeError,
    IllegalActionError,
    NotReadyError,
)

MODES = ("next_step", "same_step", "disabled")
SHORT = {"swords": 400, "tower": 250, "battles": 500}
"""Decisions within which matches with the cap end, most of them."""


def rewards(match: Match) -> list[float]:
    """Pays by rank, place by place: 1 for the first to -1 for the last, shared places on average."""
    outcome = match.outcome
    if outcome is None:
        return [0.0] * match.seats
    order = sorted(outcome.ranks)
    places = {rank: [place for place, other in enumerate(order) if other == rank] for rank in order}
    worth = {
        rank: sum(1 - 2 * place / (match.seats - 1) for place in at) / len(at) for rank, at in places.items()
    }
    return [worth[rank] for rank in outcome.ranks]


def check_row(env: BatchEnv, lane: int, match: Match, viewer: int) -> None:
    """Everything about a lane is what the match of the same number says."""
    assert env.match_index[lane] == match.match_index
    assert env.decisions[lane] == match.decisions
    assert env.seat[lane] == (-1 if match.over else match.to_act)
    mask = match.legal_mask()
    assert np.array_equal(env.legal[lane], mask)
    assert np.array_equal(env.legal_bits[lane], np.packbits(mask, bitorder="little"))
    assert np.array_equal(env.observation[lane], match.observe(viewer))
    assert env.digest(lane) == match.digest


@pytest.mark.parametrize("autoreset", MODES)
@pytest.mark.parametrize("game", GAMES)
def test_each_lane_is_the_single_match(game: engine.Game, autoreset: str) -> None:
    lanes, first, seats = 3, 11, game.seats[1]
    env = BatchEnv(
        game.name, lanes, seats=seats, seed=5, setup=CAP, first_match=first, autoreset=autoreset, threads=1
    )
    env.reset()

    def begin(number: int) -> Match:
        return Match.create(game.name, seats=seats, seed=5, match_index=number, setup=CAP)

    matches = [begin(first + lane) for lane in range(lanes)]
    viewers = [match.to_act for match in matches]
    finished = 0
    for _ in range(3 * SHORT[game.name]):
        for lane, match in enumerate(matches):
            check_row(env, lane, match, viewers[lane] or 0)
        actions = env.sample_actions()
        env.step(actions)
        for lane, action in enumerate(actions.tolist()):
            match = matches[lane]
            if match.over:
                assert action == -1
                assert not env.reward[lane].any()
                if autoreset == "next_step":
                    matches[lane] = begin(match.match_index + lanes)
                    assert not env.done[lane]
            else:
                match.play(action)
                assert env.reward[lane] == pytest.approx(rewards(match))
                outcome = match.outcome
                assert env.terminated[lane] == (outcome is not None and outcome.by_rule)
                assert env.truncated[lane] == (outcome is not None and not outcome.by_rule)
                if match.over:
                    finished += 1
                    if autoreset == "same_step":
                        last = match.observe(viewers[lane] or 0)
                        assert np.array_equal(env.final_observation[lane], last)
                        assert env.final_match_index[lane] == match.match_index
                        assert env.final_decisions[lane] == match.decisions
                        matches[lane] = begin(match.match_index + lanes)
                    else:
                        assert env.outcome(lane) == outcome
            if not matches[lane].over:
                viewers[lane] = matches[lane].to_act
        if autoreset == "disabled" and env.done.all():
            env.reset()
            assert not env.done.any()
            matches = [begin(match.match_index + lanes) for match in matches]
            viewers = [match.to_act for match in matches]
    assert finished >= lanes


def play(env: BatchEnv, steps: int) -> list[dict[str, npt.NDArray[Any]]]:
    seen = []
    for _ in range(steps):
        env.step(env.sample_actions())
        seen.append(arrays(env))
    return seen


@pytest.mark.parametrize("bots", [{}, {0: "random"}], ids=["alone", "bots"])
@pytest.mark.parametrize("game", GAMES)
def test_threads_change_nothing(game: engine.Game, bots: dict[int, str]) -> None:
    found = []
    for threads in (1, 2, 5):
        with BatchEnv(
            game.name, 150, seed=3, setup=CAP, bots=bots, autoreset="same_step", threads=threads
        ) as env:
            env.reset()
            found.append([arrays(env), *play(env, 60)])
    for other in found[1:]:
        assert all(same(one, two) for one, two in zip(found[0], other, strict=True))


@pytest.mark.parametrize("game", GAMES)
def test_splits_change_nothing(game: engine.Game) -> None:
    whole = BatchEnv(game.name, 6, seed=3, setup=CAP, autoreset="disabled")
    parts = [
        BatchEnv(game.name, 3, seed=3, setup=CAP, first_match=first, autoreset="disabled") for first in (0, 3)
    ]
    for env in (whole, *parts):
        env.reset()
    for _ in range(80):
        for env in (whole, *parts):
            env.step(env.sample_actions())
        joined = np.concatenate([part.observation for part in parts])
        assert np.array_equal(whole.observation, joined)
        assert np.array_equal(whole.legal, np.concatenate([part.legal for part in parts]))


@pytest.mark.parametrize("game", GAMES)
def test_arrays_stay_where_they_are(game: engine.Game) -> None:
    env = BatchEnv(game.name, 70, seed=3, setup=CAP, autoreset="same_step")
    places = {name: getattr(env, name).__array_interface__["data"] for name in ARRAYS}
    kept = {name: getattr(env, name) for name in ARRAYS}
    env.reset()
    play(env, 30)
    env.restore(1, env.save(0))
    env.fork(0, 3, seed=2)
    env.reset(np.arange(70) % 2 == 0)
    env.send(env.sample_actions())
    env.recv()
    for name in ARRAYS:
        assert getattr(env, name) is kept[name]
        assert getattr(env, name).__array_interface__["data"] == places[name]


@pytest.mark.parametrize("mask", ["bits", "bool"])
@pytest.mark.parametrize("game", GAMES)
def test_a_mask_can_be_left_out(game: engine.Game, mask: str) -> None:
    both, one = (BatchEnv(game.name, 5, seed=3, setup=CAP, mask=kind) for kind in ("both", mask))
    for env in (both, one):
        env.reset()
        play(env, 20)
    if mask == "bits":
        assert one.legal.size == 0
        assert np.array_equal(one.legal_bits, both.legal_bits)
    else:
        assert one.legal_bits.size == 0
        assert np.array_equal(one.legal, both.legal)
    with pytest.raises(IllegalActionError):
        one.step(np.full(5, game.action_count))


@pytest.mark.parametrize("game", GAMES)
def test_refused_actions_change_nothing(game: engine.Game) -> None:
    env, plain = (BatchEnv(game.name, 80, seed=3, setup=CAP) for _ in range(2))
    for each in (env, plain):
        each.reset()
        play(each, 25)
    before = arrays(env)
    saved = [env.save(lane) for lane in range(80)]
    good = env.sample_actions()
    illegal = [int(np.flatnonzero(~env.legal[31])[0]), game.action_count, 2**40, -1, -(2**63)]
    for wrong in illegal:
        actions = good.copy()
        actions[[31, 55]] = wrong
        with pytest.raises(IllegalActionError) as refused:
            env.step(actions)
        assert refused.value.details == {"lane": "31", "index": str(wrong)}
        assert "lane 31" in str(refused.value)
    huge = good.astype(np.uint64)
    huge[31] = 2**64 - 1
    with pytest.raises(IllegalActionError):
        env.step(huge)
    env.send(actions)
    with pytest.raises(IllegalActionError):
        env.recv()
    # Writing into the mask does not change which actions are legal.
    env.legal[:] = True
    env.legal_bits[:] = 255
    with pytest.raises(IllegalActionError):
        env.step(actions)
    env.legal[:], env.legal_bits[:] = before["legal"], before["legal_bits"]
    assert same(arrays(env), before)
    assert [env.save(lane) for lane in range(80)] == saved
    env.step(good.tolist())
    plain.step(good.astype(np.int16))
    assert same(arrays(env), arrays(plain))


@pytest.mark.parametrize("game", GAMES)
def test_saved_lanes_go_on_exactly(game: engine.Game) -> None:
    bots = {1: "random"}
    env = BatchEnv(game.name, 4, seed=3, setup=CAP, bots=bots)
    env.reset()
    play(env, 20)
    saved = env.save(2)
    row = {name: array[2] for name, array in arrays(env).items() if len(array)}
    ahead = [{name: each[name][2] for name in row} for each in play(env, 60)]

    other = BatchEnv(game.name, 9, seed=99, setup=CAP, bots=bots, first_match=1000)
    other.reset()
    play(other, 5)
    own = other.match_index[7]
    other.restore(7, bytearray(saved))
    assert other.save(7) == saved
    back = arrays(other)
    assert all(np.array_equal(back[name][7], value) for name, value in row.items())
    for expected in ahead:
        other.step(other.sample_actions())
        found = arrays(other)
        if expected["match_index"] != row["match_index"]:
            break
        assert all(np.array_equal(found[name][7], value) for name, value in expected.items())
    while other.match_index[7] == row["match_index"]:
        other.step(other.sample_actions())
    assert other.match_index[7] == own + 9  # after that match the lane continues with its own

    before = arrays(other)
    damaged = [b"", saved[:-1], saved + b"x", b"SGKM" + saved[4:], saved[:-40] + b"\xff" * 40]
    for data in damaged:
        with pytest.raises(DecodeError):
            other.restore(7, data)
    for wrong in (
        BatchEnv(game.name, 1, setup=CAP | {"max_rounds": 3}),
        *(BatchEnv(another.name, 1, setup=CAP) for another in games() if another.name != game.name),
    ):
        wrong.reset()
        with pytest.raises(DecodeError):
            wrong.restore(0, saved)
    assert same(arrays(other), before)


@pytest.mark.parametrize("game", GAMES)
def test_forks_go_the_same_way_or_their_own(game: engine.Game) -> None:
    env = BatchEnv(game.name, 40, seed=3, setup=CAP)
    env.reset()
    play(env, 12)
    assert env.fork(4, 3).tolist() == [5, 6, 7]
    others = env.fork(4, lanes=range(10, 40), seed=77)
    assert env.match_index[5] == env.match_index[4] == 4
    assert env.match_index[others].tolist() == others.tolist()
    for name in ("observation", "legal", "seat", "decisions"):
        assert all(np.array_equal(getattr(env, name)[lane], getattr(env, name)[4]) for lane in range(10, 40))
    for _ in range(40):
        actions = env.sample_actions()
        actions[5:8] = actions[4]
        if env.seat[4] < 0:
            break
        env.step(actions)
        assert {env.digest(lane) for lane in (5, 6, 7)} == {env.digest(4)}
    assert len({env.digest(lane) for lane in range(10, 40)}) > 20
    for refused in (
        lambda: env.fork(39, 1),
        lambda: env.fork(0, -1),
        lambda: env.fork(40, lanes=[0]),
        lambda: env.fork(0, lanes=[40]),
    ):
        with pytest.raises(ArgumentError):
            refused()
    for wrong in ({}, {"n": 1, "lanes": [1]}, {"lanes": 3}, {"lanes": ["a"]}, {"n": "a"}):
        with pytest.raises(TypeError):
            env.fork(0, **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", GAMES)
def test_new_seeds_change_what_is_to_come(game: engine.Game) -> None:
    env, plain = (BatchEnv(game.name, 30, seed=3, setup=CAP) for _ in range(2))
    for each in (env, plain):
        each.reset()
        play(each, 10)
    before = arrays(env)
    marks = np.arange(30) < 20
    env.reseed(8, marks)
    assert same(arrays(env), before)  # nothing that is there
    for _ in range(60):
        actions = plain.sample_actions()
        for each in (env, plain):
            each.step(np.where(each.legal[np.arange(30), actions], actions, each.sample_actions()))
    digests = [(env.digest(lane), plain.digest(lane)) for lane in range(30)]
    assert all(one == other for one, other in digests[20:])
    assert sum(one != other for one, other in digests[:20]) > 10
    env.reset(seed=3)
    fresh = BatchEnv(game.name, 30, seed=3, setup=CAP)
    fresh.reset()
    assert same(arrays(env), arrays(fresh))


@pytest.mark.parametrize("game", GAMES)
def test_lanes_can_be_had_as_matches(game: engine.Game) -> None:
    env = BatchEnv(game.name, 3, seed=3, setup=CAP, bots={0: "random"}, record=True)
    env.reset()
    for _ in range(30):
        env.step(env.sample_actions())
        match = env.match(1)
        assert (match.digest, match.decisions) == (env.digest(1), env.decisions[1])
        assert (match.seed, match.match_index, match.setup) == (3, env.match_index[1], CAP)
    other = BatchEnv(game.name, 3, seed=9, setup=CAP, bots={0: "random"}, record=True)
    other.reset()
    other.restore(0, env.save(1))
    assert other.match(0).save() == env.match(1).save()
    env.fork(1, lanes=[2])
    assert env.match(2).save() == env.match(1).save()
    env.reseed(4)
    with pytest.raises(NotReadyError, match="not a match of one seed"):
        env.match(1)
    silent = BatchEnv(game.name, 3, seed=9, setup=CAP)
    silent.reset()
    with pytest.raises(NotReadyError, match="not recorded"):
        silent.match(1)


@pytest.mark.parametrize("game", GAMES)
def test_bots_draw_from_the_stream_of_their_match(game: engine.Game) -> None:
    """`random` takes one draw of the bots' stream for each of its choices, and the learner takes none."""
    seats, lanes = game.seats[0], 4
    bots = dict.fromkeys(range(1, seats), "random")
    env = BatchEnv(game.name, lanes, seats=seats, seed=5, setup=CAP, bots=bots, first_match=9)
    env.reset()
    matches = [
        Match.create(game.name, seats=seats, seed=5, match_index=9 + lane, setup=CAP) for lane in range(lanes)
    ]
    used = [0] * lanes
    for _ in range(60):
        for lane, match in enumerate(matches):
            while not match.over and match.to_act != 0:
                legal, choice = np.flatnonzero(match.legal_mask()), 0
                if len(legal) > 1:
                    (choice,) = draws(
                        "bots", seed=5, match_index=9 + lane, first=used[lane], sides=len(legal)
                    )
                    used[lane] += 1
                match.play(int(legal[choice]))
            assert env.match_index[lane] == 9 + lane
            check_row(env, lane, match, 0)
        if env.done.any():
            break
        actions = env.sample_actions()
        env.step(actions)
        for match, action in zip(matches, actions.tolist(), strict=True):
            match.play(action)
    assert min(used) > 0


@pytest.mark.parametrize("game", GAMES)
def test_bots_play_as_in_a_run(game: engine.Game) -> None:
    """Two batches, in each of which `greedy` plays the learners of the other, are one run of `greedy`."""
    seats, cap = game.seats[0], {"max_rounds": 1}
    others = dict.fromkeys(range(1, seats), "greedy")
    one, other = (
        BatchEnv(game.name, 1, seats=seats, seed=5, setup=cap, bots=bots, autoreset="disabled", record=True)
        for bots in ({0: "greedy"}, others)
    )
    for env in (one, other):
        env.reset()
    while not (one.done.all() and other.done.all()):
        known = one.match(0).history, other.match(0).history
        behind, ahead = (one, known[1]) if len(known[0]) < len(known[1]) else (other, known[0])
        behind.step([ahead[int(behind.decisions[0])]])
    report = run_matches(game.name, bots=["greedy"], seats=seats, match_count=1, seed=5, setup=cap)
    assert {one.digest(0), other.digest(0)} == {int(report.digest[0])}
    assert one.decisions[0] == other.decisions[0] == report.decisions[0]


def test_the_learner_sees_only_its_own_decisions() -> None:
    for game in games():
        seats = game.seats[1]
        learners = (0, seats - 1) if seats > 2 else (1,)
        bots = {seat: "random" for seat in range(seats) if seat not in learners}
        env = BatchEnv(game.name, 20, seats=seats, seed=3, setup=CAP, bots=bots)
        env.reset()
        asked: set[int] = set(env.seat.tolist())
        for _ in range(200):
            env.step(env.sample_actions())
            asked |= set(env.seat.tolist())
        assert asked == {-1, *learners}
        assert env.learners == learners


@pytest.mark.parametrize("game", GAMES)
def test_decisions_can_be_capped(game: engine.Game) -> None:
    env = BatchEnv(game.name, 5, seed=3, max_decisions=7, bots={1: "random"})
    env.reset()
    while not env.done.any():
        env.step(env.sample_actions())
    lane = int(np.flatnonzero(env.done)[0])
    assert env.truncated[lane]
    assert not env.terminated[lane]
    assert (env.decisions[lane], env.seat[lane], env.outcome(lane)) == (7, -1, None)
    assert not env.reward.any()
    assert not env.legal[lane].any()


@pytest.mark.parametrize("game", GAMES)
def test_steps_can_be_sent(game: engine.Game) -> None:
    before = set(threading.enumerate())  # batches of other tests may not be gone yet
    env, plain = (BatchEnv(game.name, 90, seed=3, setup=CAP) for _ in range(2))
    with pytest.raises(NotReadyError) as early:
        env.recv()
    assert early.value.details == {"state": "ready"}
    for each in (env, plain):
        each.reset()
    for _ in range(30):
        actions = plain.sample_actions()
        env.send(actions)
        actions[:] = -7  # a copy was sent
        for refused in (
            lambda: env.send([0] * 90),
            lambda: env.step([0] * 90),
            env.reset,
            env.sample_actions,
            lambda: env.save(0),
            lambda: env.digest(0),
        ):
            with pytest.raises(NotReadyError) as pending:
                refused()
            assert pending.value.details == {"state": "sent"}
        env.recv()
        plain.step(plain.sample_actions())
        assert same(arrays(env), arrays(plain))
    env.send(env.sample_actions())
    env.close()  # waits
    env.close()
    for refused in (env.recv, env.reset, lambda: env.step([0] * 90)):
        with pytest.raises(NotReadyError) as closed:
            refused()
        assert closed.value.details == {"state": "closed"}
    assert not any("sengoku-batch" in thread.name for thread in set(threading.enumerate()) - before)


def kilobytes() -> int:
    """The memory of this process in kilobytes, on systems that report it."""
    reported = Path("/proc/self/statm")
    return 4 * int(reported.read_text().split()[1]) if reported.exists() else 0


def random_steps(game: engine.Game, lanes: int, steps: int) -> tuple[int, int]:
    """Plays random decisions; returns the finished matches and the memory that the second half added."""
    env = BatchEnv(game.name, lanes, seats=min(4, game.seats[1]), seed=13, autoreset="same_step")
    env.reset()
    actions = np.empty(lanes, np.int64)
    finished, before = 0, 0
    for number in range(steps):
        if number == steps // 2:
            before = kilobytes()
        env.step(env.sample_actions(actions))
        finished += int(env.done.sum())
        assert env.seat.min() >= 0
    assert (env.match_index >= np.arange(lanes, dtype=np.uint64)).all()
    return finished, kilobytes() - before


@pytest.mark.parametrize("game", GAMES)
def test_random_steps_need_no_more_memory(game: engine.Game) -> None:
    _, grown = random_steps(game, 128, 600)
    assert grown < 4_000  # kilobytes


@pytest.mark.system
@pytest.mark.parametrize("game", GAMES)
def test_a_million_random_steps(game: engine.Game) -> None:
    finished, grown = random_steps(game, 100, 10_000)  # a match of random players has up to some thousand
    assert finished > 100
    assert grown < 4_000  # kilobytes
    more, grown = random_steps(game, 10, 100_000)
    assert more > 100
    assert grown < 4_000
