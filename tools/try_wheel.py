"""Tries wheels as a user would: in clean environments, without Rust, away from the repository.

    python tools/try_wheel.py --wheels build/wheels [--python 3.12] [--extra ai]

Each extra is installed into an environment of its own and does one thing that needs it. Only the standard
library is used here, because the script also runs where nothing is installed yet.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BASE = """
import sengoku
from sengoku import Match, run_matches, swords
match = Match.create("tower", seats=3, seed=7)
match.play(match.legal_actions()[0])
match.picture().save("board.svg")
assert swords.Battle(swords.Force(daimyo=1, bow=2), swords.Force(spear=3)).odds().method == "exact"
print(run_matches("battles", bots=["greedy", "random"], match_count=20, seed=3).win_rate)
"""
SERVER = """
from sengoku import Client, run_matches
from sengoku.server import Server
with Server(port=0) as server, Client(server.address, timeout=60) as client:
    request = {"bots": ["random"], "match_count": 50, "seed": 7}
    assert client.run_matches("tower", **request) == run_matches("tower", **request)
"""
TOURNAMENT = """
import subprocess, sys
from pathlib import Path
text = '''
blocks = 1
[[bots]]
name = "greedy"
[[bots]]
name = "random"
[[games]]
game = "battles"
scenarios = [1]
'''
Path("league.toml").write_text(text)
subprocess.run([sys.executable, "-m", "sengoku.cli", "tournament", "run", "league.toml"], check=True)
"""
SMOKE = {
    "": BASE + SERVER,
    "ai": """
import gymnasium
import sengoku.gymnasium, sengoku.pettingzoo
from sengoku import Match
gymnasium.make("sengoku/swords-v1", seats=4, learner=1, bots=["greedy", "random"]).reset(seed=1)
Match.create("swords", seed=1).picture().save("board.png")
""",
    "calibration": "import matplotlib, scipy",
    "docs": "import mkdocstrings, zensical",
    "film": "import PIL",
    "fleet": "import ray; assert ray.__version__ >= '2.50'",
    "llm": "import httpx",
    "mcp": """
import asyncio, sys
from mcp import Client, StdioServerParameters
async def begin():
    command = StdioServerParameters(command=sys.executable, args=["-m", "sengoku.cli", "mcp"])
    async with Client(command) as client:
        assert not (await client.call_tool("begin_match", {"game": "tower"})).is_error
asyncio.run(begin())
""",
    "mp4": "import imageio_ffmpeg; imageio_ffmpeg.get_ffmpeg_exe()",
    "openspiel": """
from sengoku.openspiel import load_game
game = load_game("battles", seed=7, setup={"scenario": 8, "max_rounds": 2})
assert game.new_initial_state().legal_actions()
""",
    "otel": """
import os
os.environ["OTEL_TRACES_EXPORTER"] = "otlp"
from sengoku.wire import spans
assert spans.configure() is not None
""",
    "parquet": """
from sengoku import run_matches
run_matches("battles", bots=["random"], match_count=10, seed=1).to_parquet("rows.parquet")
import pyarrow.parquet
assert pyarrow.parquet.read_table("rows.parquet").num_rows == 10
""",
    "plot": """
import subprocess, sys
forces = ["--attacker", "bow=2", "--defender", "spear=3", "--plot", "odds.png"]
subprocess.run([sys.executable, "-m", "sengoku.cli", "odds", "swords", *forces], check=True)
""",
    "rllib": "from sengoku.rllib import MatchEnv; MatchEnv({'game': 'battles', 'seed': 7}).reset()",
    "sb3": """
from sb3_contrib import MaskablePPO
from sengoku.stable_baselines3 import LaneVecEnv
env = LaneVecEnv("battles", 8, bots=["random"], seed=7)
MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, device="cpu").learn(256)
""",
    "server": SERVER + TOURNAMENT,
    "tournament": TOURNAMENT,
}
"""What is tried with each extra; the empty name is the package alone."""


def pythons(wanted: list[str]) -> list[str]:
    """Return interpreters by version: those asked for, or all from 3.11 on."""
    if wanted:
        return wanted
    found = {}
    versions = Path.home() / ".pyenv" / "versions"
    places = [*versions.glob("3.*/bin/python")] if versions.is_dir() else []
    places += [Path(path) for minor in range(11, 16) if (path := shutil.which(f"python3.{minor}"))]
    for place in (Path(sys.executable), *places):
        ask = [str(place), "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        done = subprocess.run(ask, capture_output=True, text=True, check=False)  # noqa: S603
        version = done.stdout.strip()
        if done.returncode == 0 and tuple(map(int, version.split("."))) >= (3, 11):
            found.setdefault(version, str(place))
    return [found[version] for version in sorted(found, key=lambda text: int(text.split(".")[1]))]


def attempt(python: str, wheel: Path, extra: str, folder: Path, uv: str | None) -> str:
    """Install into a new environment and run the smoke test; return what went wrong."""
    home = folder / (extra or "base")
    venv = home / "venv"
    home.mkdir(parents=True)
    interpreter = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    requirement = f"{wheel}[{extra}]" if extra else str(wheel)
    if uv:
        steps = [
            [uv, "venv", "--quiet", "--python", python, str(venv)],
            [uv, "pip", "install", "--quiet", "--python", str(interpreter), requirement],
        ]
    else:
        steps = [
            [python, "-m", "venv", str(venv)],
            [str(interpreter), "-m", "pip", "install", "--quiet", requirement],
        ]
    (home / "smoke.py").write_text(SMOKE[extra], "utf-8")
    # Nothing of this process helps: no Rust, no repository, no environment.
    kept = {name: os.environ[name] for name in ("HOME", "SYSTEMROOT", "TEMP", "TMP") if name in os.environ}
    kept["PATH"] = os.pathsep.join(
        (str(interpreter.parent), *(["/usr/bin", "/bin"] if os.name != "nt" else []))
    )
    runs = [*((step, dict(os.environ)) for step in steps), ([str(interpreter), "smoke.py"], kept)]
    for command, environment in runs:
        done = subprocess.run(  # noqa: S603
            command, cwd=home, env=environment, capture_output=True, text=True, check=False, timeout=900
        )
        if done.returncode:
            return f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
    shutil.rmtree(home)
    return ""


def main() -> int:
    """Try everything and print a line each; the exit code is the number of failures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--wheels", type=Path, required=True, help="the folder with the wheels")
    parser.add_argument("--python", action="append", default=[], help="an interpreter; can be repeated")
    parser.add_argument("--extra", action="append", default=[], choices=list(SMOKE), help="can be repeated")
    options = parser.parse_args()
    wheels = sorted(options.wheels.glob("sengoku-*.whl"))
    if not wheels:
        parser.error(f"there is no wheel in {options.wheels}: `make wheel` builds one")
    uv = shutil.which("uv")
    failures = 0
    for python in pythons(options.python):
        for extra in options.extra or SMOKE:
            began = time.monotonic()
            with tempfile.TemporaryDirectory(prefix="sengoku-wheel-") as folder:
                problem = attempt(python, matching(wheels), extra, Path(folder), uv)
            state = "FAILED" if problem else "ok"
            name = f"sengoku[{extra}]" if extra else "sengoku"
            print(f"{state:7}{name:22}{python}  {time.monotonic() - began:.0f} s", flush=True)
            if problem:
                failures += 1
                print(problem, flush=True)
    return failures


def matching(wheels: list[Path]) -> Path:
    """Return the wheel for this system."""
    marks = {"linux": "linux", "darwin": "macosx", "win32": "win"}
    mark = marks.get(sys.platform, sys.platform)
    machine = os.uname().machine if hasattr(os, "uname") else "amd64"
    suitable = [
        wheel
        for wheel in wheels
        if mark in wheel.name
        and (machine in wheel.name or "universal2" in wheel.name)
        and "musl" not in wheel.name
    ]
    if not suitable:
        raise SystemExit(
            f"none of {', '.join(wheel.name for wheel in wheels)} is for {sys.platform} {machine}"
        )
    return suitable[-1].resolve()


if __name__ == "__main__":
    sys.exit(main())
