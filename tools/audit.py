"""Checks all packages: licences, sources, and known vulnerabilities. `make audit` runs it.

Exit status 0: everything was checked and is fine; 1: something was found; 3: nothing was found, but a
database of vulnerabilities could not be read, which needs the network.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
DENY = ROOT / "build" / "tools" / "bin" / "cargo-deny"
PIP_AUDIT = ROOT / "build" / "audit" / "bin" / "pip-audit"
OK, FOUND, UNAVAILABLE = "ok", "FOUND", "NOT CHECKED"
_UNREACHED = ("failed to fetch advisory database", "ConnectionError", "Failed to resolve", "timed out")
"""What the tools write when they cannot read their database."""


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a tool."""
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - ours


def judge(code: int, output: str) -> tuple[str, str]:
    """Return the verdict of a tool with these results, and what it wrote."""
    if code == 0:
        return OK, ""
    return (UNAVAILABLE if any(text in output for text in _UNREACHED) else FOUND), output


def rust(*checks: str, offline: bool) -> tuple[str, str]:
    """Run cargo-deny."""
    done = run(DENY, *(["--offline"] if offline else []), "check", *checks)
    return judge(done.returncode, done.stdout + done.stderr)


def judge_python(code: int, output: str, errors: str) -> tuple[str, str]:
    """Return the verdict of pip-audit, which exits with 0 also if it could not look packages up."""
    try:
        packages = json.loads(output)["dependencies"]
    except (ValueError, KeyError):
        return judge(code or 1, output + errors)
    bad = [
        f"{one['name']} {one['version']}: {', '.join(v['id'] for v in one['vulns'])}"
        for one in packages
        if one.get("vulns")
    ]
    if bad:
        return FOUND, "\n".join(bad)
    skipped = [one["name"] for one in packages if "skip_reason" in one]
    if skipped:
        return (
            UNAVAILABLE,
            f"{len(skipped)} of {len(packages)} packages are not in the database that was reached",
        )
    return judge(code, errors)


def python(lock: str) -> tuple[str, str]:
    """Run pip-audit on a lock file."""
    done = run(PIP_AUDIT, "--requirement", lock, "--require-hashes", "--disable-pip", "--format", "json")
    return judge_python(done.returncode, done.stdout, done.stderr)


def main() -> int:
    """Run all checks, print a table, and return the exit status."""
    results = {
        "Rust: licences, bans, sources": rust("licenses", "bans", "sources", offline=True),
        "Rust: known vulnerabilities": rust("advisories", offline=False),
        "Python: known vulnerabilities": python("requirements.txt"),
        "Python: those of the image": python("deploy/requirements.txt"),
    }
    for name, (verdict, text) in results.items():
        print(f"{name:32} {verdict}")
        for line in text.strip().splitlines()[-40:] if verdict != OK else ():
            print(f"    {line}")
    verdicts = {verdict for verdict, _ in results.values()}
    if FOUND in verdicts:
        return 1
    if UNAVAILABLE in verdicts:
        print("\nA database of vulnerabilities is unavailable here: repeat this where there is a network.")
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
