"""Checks the files of a deployment by their own linters: `make lint-deploy` runs it.

Exit status 0: all is well; 1: something was found; 3: nothing was found, but a linter is not on this machine.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import yaml

from tools import released

ROOT = Path(__file__).parents[1]
BIN = [ROOT / "build" / "lint" / "bin", ROOT / "build" / "tools" / "bin"]
MONITORING = ROOT / "deploy" / "monitoring"
OVERLAYS = ("base", "fleet")
OK, FOUND, MISSING = "ok", "FOUND", "NOT HERE"
FOREIGN = {"RayCluster"}
"""Kinds of manifests of which Kubernetes itself has no schema."""


class MissingLinterError(Exception):
    """A linter is not installed."""


def run(program: str, *arguments: str | Path, cwd: Path = ROOT) -> str:
    """Run a linter and return its output; raise an error with its output if it finds something."""
    places = os.pathsep.join([*map(str, BIN), os.environ["PATH"]])
    found = shutil.which(program, path=places)
    if found is None:
        raise MissingLinterError(program)
    environment = os.environ | {"PATH": places}
    done = subprocess.run(  # noqa: S603 - ours
        [found, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ValueError(done.stdout + done.stderr)
    return done.stdout


def manifests(overlay: str) -> None:
    """Check what kustomize makes of an overlay against the schemas of Kubernetes."""
    text = run("kubectl", "kustomize", ROOT / "deploy" / "kubernetes" / overlay)
    known = [each for each in yaml.safe_load_all(text) if each["kind"] not in FOREIGN]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{overlay}.yaml"
        file.write_text(yaml.safe_dump_all(known), "utf-8")
        run("kubernetes-validate", "--strict", file)


def protos() -> None:
    """Check that nothing in the protos breaks what the last release could rely on."""
    with tempfile.TemporaryDirectory() as folder:
        image = Path(folder) / "protos.binpb"
        released.write_protos(image)
        config = json.dumps({"version": "v2", "breaking": {"use": ["FILE"]}})
        last = released.folders()[-1] / "protos.binpb"
        run("buf", "breaking", image, "--against", last, "--config", config, "--exclude-imports")


CHECKS: dict[str, Callable[[], object]] = {
    "workflows (actionlint)": lambda: run("actionlint"),
    "images (hadolint)": lambda: run("hadolint", "Dockerfile", "deploy/fleet/Dockerfile"),
    "scripts (shellcheck)": lambda: run("shellcheck", *(ROOT / "deploy").glob("*.sh")),
    **{
        f"manifests, {name} (kustomize, schemas)": lambda name=name: manifests(name)  # type: ignore[misc]
        for name in OVERLAYS
    },
    "alerts (promtool check)": lambda: run("promtool", "check", "rules", "alerts.yml", cwd=MONITORING),
    "alerts (promtool test)": lambda: run("promtool", "test", "rules", "alerts_test.yml", cwd=MONITORING),
    "scrape configuration (promtool)": lambda: run(
        "promtool", "check", "config", "--syntax-only", "prometheus.yml", cwd=MONITORING
    ),
    "unit (systemd-analyze)": lambda: run(
        "systemd-analyze", "security", "--offline=true", "--threshold=20", ROOT / "deploy/sengoku.service"
    ),
    "protos (buf breaking)": protos,
}


def main() -> int:
    """Run all checks, print a line each, and return the exit status."""
    verdicts = set()
    for name, check in CHECKS.items():
        text = ""
        try:
            check()
            verdict = OK
        except MissingLinterError as error:
            verdict, text = MISSING, f"install {error}"
        except ValueError as error:
            verdict, text = FOUND, str(error)
        verdicts.add(verdict)
        print(f"{name:42} {verdict}")
        for line in text.strip().splitlines()[-40:]:
            print(f"    {line}")
    return 1 if FOUND in verdicts else 3 if MISSING in verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
