"""Features of every game: what they are made of, and how batches write them."""

import copy
from typing import Any

import numpy as np
import pytest

from conformance.batches import CAP, GAMES
from sengoku import BatchEnv, Match, engine, features, spec
from sengoku.errors import ArgumentError
from support import plain_features

MODES = ("next_step", "same_step", "disabled")


def positions(game: engine.Game, count: int) -> list[Match]:
    """Return positions of a match between random players, evenly spaced."""
    match = Match.create(game.name, seats=game.seats[1], seed=3, setup=CAP)
    found, random = [], np.random.default_rng(3)
    while not match.over and match.decisions < 600:
        if match.decisions % (600 // count) == 0:
            found.append(match.clone())
        match.play(int(random.choice(np.flatnonzero(match.legal_mask()))))
    return [*found, match]


@pytest.mark.parametrize("game", GAMES)
def test_features_hold_every_value(game: engine.Game) -> None:
    described, layout = features(game.name), spec(game.name)
    seen = np.array([match.observe(seat) for match in positions(game, 12) for seat in range(match.seats)])
    rows = described.encode(seen)
    assert rows.shape == (len(seen), described.width)
    assert rows.dtype == np.float32
    assert rows.min() >= 0.0
    assert np.array_equal(described.decode(rows), seen)
    for number in range(0, len(seen), 7):
        assert np.array_equal(plain_features.encode(described, layout, seen[number]), rows[number])
    many = described.encode(np.tile(seen, (40, 1)), threads=2)
    assert np.array_equal(many, np.tile(rows, (40, 1)))
    blocks = described.view(rows)
    assert sum(block[0].size for block in blocks.values()) == described.width
    assert len(set(described.names)) == len(described.names) == described.width


@pytest.mark.parametrize("game", GAMES)
def test_features_hold_nothing_that_a_seat_may_not_see(game: engine.Game) -> None:
    described, differed = features(game.name), 0
    for match in positions(game, 12):
        for seat in range(match.seats):
            other = match.resample(seat, seed=5)
            differed += other.digest != match.digest
            assert np.array_equal(
                described.encode(match.observe(seat)), described.encode(other.observe(seat))
            )
    assert differed > 0


@pytest.mark.parametrize("autoreset", MODES)
@pytest.mark.parametrize("game", GAMES)
def test_a_batch_writes_the_features_of_its_observations(game: engine.Game, autoreset: str) -> None:
    options: dict[str, Any] = {"lanes": 5, "seed": 5, "setup": CAP, "autoreset": autoreset}
    with (
        BatchEnv(game.name, **options) as plain,
        BatchEnv(game.name, **options, observation="features", threads=2) as env,
    ):
        described = features(game.name)
        assert env.features is described

        def check() -> None:
            assert np.array_equal(env.observation_bytes, plain.observation)
            assert np.array_equal(env.observation, described.encode(plain.observation))
            assert np.array_equal(env.final_observation_bytes, plain.final_observation)
            if autoreset == "same_step" and env.done.any():
                ended = described.encode(plain.final_observation)
                assert np.array_equal(env.final_observation[env.done], ended[env.done])

        for one in (plain, env):
            one.reset()
        saved = b""
        for number in range(700):
            check()
            actions = plain.sample_actions()
            for one in (plain, env):
                one.step(actions)
            if number == 100:
                saved = env.save(1)
            if number == 150:
                for one in (plain, env):
                    one.restore(2, saved)
                    one.fork(1, lanes=[3], seed=9)
            if number == 200:
                for one in (plain, env):
                    one.reset(np.array([True, False, False, True, False]))
        check()
        assert np.array_equal(env.observe(0, 1), described.encode(plain.observe(0, 1)))
        assert env.observation is not env.observation_bytes
        assert plain.observation is plain.observation_bytes


@pytest.mark.parametrize("game", GAMES)
def test_actions_have_the_features_of_their_arguments(game: engine.Game) -> None:
    described, layout = features(game.name), spec(game.name)
    actions = described.actions
    assert actions.values.shape == (game.action_count, len(actions.names))
    assert actions.values.min() >= 0.0
    assert actions.values.max() == 1.0
    places = described.board.places
    for number in range(0, game.action_count, 3):
        kind, args = layout.action(number)
        marks = {actions.names[column] for column in np.flatnonzero(actions.values[number])}
        assert f"kind={kind}" in marks
        place = int(actions.place[number])
        named = [value for value in args.values() if value in places]
        assert named == ([] if place < 0 else [places[place]])
        for name, value in args.items():
            if value in places:
                assert f"place={value}" in marks
            elif isinstance(value, str):
                assert f"{name}={value}" in marks
            else:
                column = actions.values[:, actions.names.index(name)]
                assert column[number] == pytest.approx(value / max(layout_values(layout, name)))
    with pytest.raises(ValueError, match="read-only"):
        actions.values[0, 0] = 5


def layout_values(layout: engine.Spec, name: str) -> set[int]:
    """Return all values of a numeric argument."""
    return {
        value
        for kind in layout.actions
        for axis in kind.axes
        if axis.name == name and not axis.labels
        for value in axis.values
        if isinstance(value, int)
    }


@pytest.mark.parametrize(
    ("game", "places", "edges"), [("swords", 68, 100), ("tower", 45, 70), ("battles", 127, 300)]
)
def test_boards_are_connected_graphs(game: str, places: int, edges: int) -> None:
    described = features(game)
    for board in described.boards:
        assert len(board.places) == described[board.axis].size == places
        assert len(board.edges) > edges
        adjacency = board.adjacency()
        assert np.array_equal(adjacency, adjacency.T)
        assert adjacency.sum() == 2 * len(board.edges)
        assert np.array_equal(sum(board.adjacency(kind) for kind in board.kinds), adjacency)
        reached = np.zeros(places, np.bool_)
        reached[0] = True
        for _ in range(places):
            reached |= adjacency @ reached > 0
        assert reached.all()
        assert board.values.shape == (places, len(board.facts))


def test_hexes_are_a_grid() -> None:
    described = features("battles")
    board = described.board
    assert board.grid is not None
    rows = described.encode(Match.create("battles", seed=1).observe(0))
    hexes = described["hex"].of(rows)
    planes = board.to_grid(hexes)
    assert planes.shape == (hexes.shape[1], 11, 12)
    for place in (0, 11, 12, 126):
        row, column = board.grid[place]
        assert np.array_equal(planes[:, row, column], hexes[place])
    for a, b in board.edges:
        (row, column), (other, beside) = board.grid[a], board.grid[b]
        assert abs(int(row) - int(other)) <= 1
        assert abs(int(column) - int(beside)) <= 1
    with pytest.raises(ArgumentError, match="is no grid"):
        features("swords").board.to_grid(hexes)
    assert features("tower").boards[1].name == "moon"


def test_wrong_arguments_are_refused() -> None:
    described = features("battles")
    with pytest.raises(ArgumentError, match="observations is int64"):
        described.encode(np.zeros(844, np.int64))
    with pytest.raises(ArgumentError, match="out is float64"):
        described.encode(np.zeros(844, np.uint8), np.zeros(described.width))
    with pytest.raises(ArgumentError, match="rows is float32"):
        described.decode(np.zeros(5))
    with pytest.raises(KeyError, match="must be one of common"):
        described["nothing"]
    with pytest.raises(ArgumentError, match="no such channel"):
        described["common"].channel("nothing")
    with pytest.raises(ArgumentError, match="kind is 'air'"):
        described.board.adjacency("air")
    with pytest.raises(ArgumentError, match="observation is 'pixels'"):
        BatchEnv("battles", observation="pixels")
    assert copy.deepcopy(described) is described


# Forced decisions and shaped rewards


def play(env: BatchEnv, steps: int) -> tuple[list[tuple[int, ...]], int]:
    """Play random actions; return the digest and the decisions at the end of each match, and the steps."""
    used = 0
    for _ in range(steps):
        over = env.seat < 0
        if over.all():
            break
        used += int((~over).sum())
        env.step(env.sample_actions())
    return [(env.digest(lane), int(env.decisions[lane])) for lane in range(env.lanes)], used


@pytest.mark.parametrize("game", GAMES)
def test_skipped_decisions_change_no_match(game: engine.Game) -> None:
    options: dict[str, Any] = {"lanes": 6, "seed": 5, "setup": CAP, "autoreset": "disabled"}
    with BatchEnv(game.name, **options) as every, BatchEnv(game.name, **options, skip_forced=True) as asked:
        for env in (every, asked):
            env.reset()
        ends, asked_ends = play(every, 5000), play(asked, 5000)
        assert ends[0] == asked_ends[0]
        assert not every.skipped.any()
        assert asked.skipped.any() or game.name == "tower"  # it asks only where there is a choice
        assert asked_ends[1] == ends[1] - asked.skipped.sum()
    with BatchEnv(game.name, **options | {"autoreset": "next_step"}, skip_forced=True) as env:
        env.reset()
        for _ in range(300):
            assert (env.legal.sum(axis=1)[env.seat >= 0] > 1).all()
            env.step(env.sample_actions())


@pytest.mark.parametrize("autoreset", MODES)
@pytest.mark.parametrize("bots", [{}, {0: "random"}], ids=["alone", "bots"])
@pytest.mark.parametrize("game", GAMES)
def test_shaped_rewards_change_returns_by_a_constant(
    game: engine.Game, bots: dict[int, str], autoreset: str
) -> None:
    setup = {"max_rounds": 5}
    options: dict[str, Any] = {"lanes": 6, "seed": 5, "setup": setup, "autoreset": autoreset, "bots": bots}
    with BatchEnv(game.name, **options) as plain, BatchEnv(game.name, **options, shaping=0.5) as shaped:
        for env in (plain, shaped):
            env.reset()
        returns = np.zeros((6, plain.seats))
        extras, finished, moved = np.zeros((6, plain.seats)), 0, 0
        start = np.array(Match.create(game.name, seats=plain.seats, seed=5, setup=setup)._core.leads())
        for _ in range(1500):
            actions = plain.sample_actions()
            over = plain.seat < 0
            for env in (plain, shaped):
                env.step(actions)
            assert np.array_equal(plain.observation, shaped.observation)
            extra = shaped.reward - plain.reward
            assert not extra[over & ~plain.done].any()
            moved += int((np.abs(extra) > 1e-6).sum())
            extras += extra
            returns += plain.reward
            for lane in np.flatnonzero(plain.done & ~over):
                # The end is worth 0, so the sum is what the start was worth, with a minus.
                assert extras[lane] == pytest.approx(-0.5 * start, abs=1e-5)
                extras[lane], finished = 0.0, finished + 1
        assert finished >= 6
        assert moved > 0 or autoreset == "disabled"  # six matches of battles may be without a banner


def test_discounts_and_cuts_of_shaped_rewards() -> None:
    with BatchEnv(
        "battles", 1, seed=3, setup={"scenario": 8}, shaping=2.0, discount=0.5, autoreset="disabled"
    ) as env:
        env.reset()
        match, before = Match.create("battles", seed=3, setup={"scenario": 8}), np.zeros(2)
        while not match.over:
            action = int(env.sample_actions()[0])
            env.step(np.array([action]))
            match.play(action)
            leads = np.array(match._core.leads())
            paid = 0.0 if match.outcome is None else np.array(match.outcome.rewards)
            assert env.reward[0] == pytest.approx(paid + 2.0 * (0.5 * leads - before), abs=1e-5)
            before = leads
        assert not leads.any()
    for wrong in ({"shaping": float("nan")}, {"shaping": 1e9}, {"discount": 0.0}, {"discount": 1.5}):
        with pytest.raises(ArgumentError, match=next(iter(wrong))):
            BatchEnv("battles", **wrong)  # type: ignore[arg-type]
