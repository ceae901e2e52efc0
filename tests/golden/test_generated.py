"""Generated files are fresh, and the stub describes the compiled module."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(*command: str) -> None:
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_generated_protos_are_fresh() -> None:
    run("protos/generate.py", "--check")


def test_the_stub_describes_the_compiled_module() -> None:
    run("-m", "mypy.stubtest", "sengoku._core")
