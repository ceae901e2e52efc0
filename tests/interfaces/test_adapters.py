"""Adapters to frameworks of text environments; those of frameworks that are not installed are left out.

`examples/adapters/README.md` says how to run this file in an environment of each framework.
"""

import re
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sengoku import Match

sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "adapters"))

import kaggle_harness
from episode import Episode

SHORT: dict[str, dict[str, Any]] = {
    "swords": {"max_rounds": 1},
    "tower": {"max_rounds": 1},
    "battles": {"scenario": 1, "max_rounds": 2},
}


def read(text: str, pick: int = -1) -> str:
    """Answer as something that only reads."""
    lines = re.findall(r"^(\d+)\. ", text.rpartition("Your choices:")[2], re.MULTILINE)
    return f"I choose {lines[pick]}."


def played(game: str, seed: int) -> Episode:
    """An episode that was played to its end in this process."""
    episode = Episode(game, seed, setup=SHORT[game])
    text = episode.prompt()
    while not episode.done:
        text = episode.answer(read(text))
    return episode


@pytest.mark.parametrize("game", [pytest.param("swords", marks=pytest.mark.system), "tower", "battles"])
def test_an_episode_is_a_function_of_its_seed_and_answers(game: str) -> None:
    one, again, other = played(game, 3), played(game, 3), played(game, 4)
    assert one.match.digest == again.match.digest != other.match.digest
    assert one.illegal == 0
    assert -1 <= one.reward <= 1


def test_wrong_answers_end_an_episode() -> None:
    episode = Episode("battles", 3, setup=SHORT["battles"], most_illegal=2)
    assert "expected a number" in episode.answer("charge!")
    assert not episode.done
    for _ in range(2):
        episode.answer("charge!")
    assert (episode.done, episode.reward, episode.illegal) == (True, -1.0, 3)


# Kaggle


@pytest.mark.parametrize("game", SHORT)
def test_a_harness_of_kaggle_plays_whole_matches(game: str) -> None:
    match, history = Match.create(game, seed=5, setup=SHORT[game]), []
    while not match.over:
        observation = kaggle_harness.observe(match)
        moves = kaggle_harness.get_legal_moves(observation)
        assert len(set(moves.values())) == len(moves) == len(match.legal_actions())
        if match.decisions % 20 == 0:
            prompt = kaggle_harness.generate_prompt(observation, history)
            assert all(move in prompt for move in moves.values())
        wanted = list(moves.values())[match.decisions % len(moves)]
        said = f'I think.\n```json\n{{"move": "{wanted}"}}\n```'
        found = kaggle_harness.parse_response(said, list(moves.values()), observation=observation)
        assert found.legal_action == wanted
        history.append(wanted)
        match.play(next(index for index, text in moves.items() if text == wanted))
    assert match.outcome is not None


def test_a_harness_of_kaggle_asks_again() -> None:
    match = Match.create("tower", seed=5)
    observation = kaggle_harness.observe(match)
    moves = list(kaggle_harness.get_legal_moves(observation).values())
    found = kaggle_harness.parse_response('{"move": "castle in the air"}', moves, observation=observation)
    assert (found.legal_action, found.raw_action) == (None, "castle in the air")
    again = kaggle_harness.generate_prompt(observation, [], "...", found.raw_action)
    assert '"castle in the air", which is not a legal move' in again
    nothing = kaggle_harness.parse_response("I pass out", moves, observation=observation)
    assert (nothing.legal_action, nothing.raw_action) == (None, None)
    assert "No move could be read" in kaggle_harness.generate_prompt(observation, [], "I pass out")
    assert kaggle_harness.parse_response(f"So: {moves[2]}", moves).legal_action == moves[2]
    hidden = match.resample(match.to_act or 0, seed=9)
    assert kaggle_harness.generate_prompt(kaggle_harness.observe(hidden), []).count("Legal moves") == 1


# TextArena


@pytest.mark.parametrize("game", SHORT)
def test_textarena_plays_whole_matches(game: str) -> None:
    ta = pytest.importorskip("textarena")
    import textarena_sengoku  # noqa: F401, PLC0415 - it registers environments

    digests = []
    for seed in (3, 3, 4):
        env = ta.make(f"Sengoku-{game}-v0", setup=SHORT[game])
        env.reset(num_players=3 if game == "tower" else 2, seed=seed)
        done, seats = False, set()
        while not done:
            seat, observation = env.get_observation()
            seats.add(seat)
            texts = [observation] if isinstance(observation, str) else [row[1] for row in observation]
            done, _ = env.step(action=read("".join(texts)))
        rewards, info = env.close()
        assert set(rewards) == set(info) >= seats
        assert len(seats) > 1
        digests.append(env.match.digest)
    assert digests[0] == digests[1] != digests[2]


def test_textarena_ends_a_match_after_wrong_answers() -> None:
    ta = pytest.importorskip("textarena")
    import textarena_sengoku  # noqa: PLC0415

    env = ta.make("Sengoku-battles-v0")
    env.reset(num_players=2, seed=3)
    steps = 0
    while not env.step(action="charge!")[0]:
        steps += 1
    assert steps == textarena_sengoku.MOST_ILLEGAL
    rewards, info = env.close()
    assert sorted(rewards.values()) == [-1, 0]
    assert sum(row["invalid_move"] for row in info.values()) == 1


# OpenEnv


@contextmanager
def served() -> Iterator[str]:
    """Serve the environment on loopback."""
    import openenv_sengoku  # noqa: PLC0415
    import uvicorn  # noqa: PLC0415

    server = uvicorn.Server(uvicorn.Config(openenv_sengoku.app, port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def remote(url: str, game: str, seed: int) -> tuple[float, int, list[str]]:
    """Play an episode over the client of OpenEnv; return its reward, decisions and texts."""
    import openenv_sengoku as oe  # noqa: PLC0415

    with oe.SengokuEnv(base_url=url).sync() as env:
        result = env.reset(seed=seed, game=game, setup=SHORT[game])
        texts = [result.observation.text]
        assert result.observation.rules
        while not result.done:
            result = env.step(oe.SengokuAction(answer=read(texts[-1])))
            texts.append(result.observation.text)
        return result.reward, env.state().decisions, texts


def test_openenv_honours_seeds_in_many_environments_at_once() -> None:
    pytest.importorskip("openenv")
    wanted = [(game, seed) for game in SHORT for seed in (3, 4)]
    with served() as url, ThreadPoolExecutor(6) as pool:
        jobs = [pool.submit(remote, url, game, seed) for game, seed in wanted for _ in range(2)]
        found = [job.result() for job in jobs]
    for place, (game, seed) in enumerate(wanted):
        one, again = found[2 * place : 2 * place + 2]
        assert one == again
        here = played(game, seed)
        assert (one[0], one[1]) == (here.reward, here.match.decisions)
    assert found[0][2] != found[2][2]
