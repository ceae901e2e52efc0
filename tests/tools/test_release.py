"""Releases: one version everywhere, workflows that name what exists, alerts for ratios that fall."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tools import release
from tools.try_wheel import SMOKE

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_all_files_name_one_version() -> None:
    assert len(set(release.versions().values())) == 1, release.versions()


def test_a_release_without_its_section_of_the_changelog_is_refused(tmp_path: Path) -> None:
    version = release.versions()["Cargo.toml"]
    for name in release.versions():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text((ROOT / name).read_text("utf-8"))
    files = tmp_path / "tests" / "released" / version / "released.json"
    files.parent.mkdir(parents=True)
    files.write_text("{}")
    changes = f"# Changelog\n\n## Unreleased\n\n- New.\n\n## {version} (2027-01-01)\n\n- Old.\n"
    (tmp_path / "CHANGELOG.md").write_text(changes)
    assert release.check(version, tmp_path) == []
    assert release.notes(version, tmp_path) == "- Old.\n"
    (tmp_path / "CHANGELOG.md").write_text(changes.replace(version, "0.0.1"))
    assert release.check(version, tmp_path) == [f"CHANGELOG.md has no section {version}"]
    assert len(release.check("9.9.9", tmp_path)) == len(release.versions()) + 2
    (tmp_path / "CHANGELOG.md").write_text(changes)
    files.unlink()
    (found,) = release.check(version, tmp_path)
    assert found == f"tests/released has no files of {version}: `python -m tools.released write {version}`"


def test_a_ratio_that_falls_is_an_alert(tmp_path: Path) -> None:
    history = tmp_path / "history.jsonl"
    good = [{"ratios": {"throws": 100 + index % 3, "odds": 50}} for index in range(8)]

    def written(last: dict[str, float]) -> list[str]:
        history.write_text("".join(json.dumps(entry) + "\n" for entry in [*good, {"ratios": last}]))
        return release.slower(history)

    assert written({"throws": 95, "odds": 49, "new": 1}) == []
    assert written({"throws": 70, "odds": 51}) == ["throws: 70.00, before 101.00"]
    history.write_text(json.dumps({"ratios": {"throws": 1}}) + "\n")
    assert release.slower(history) == []


def test_every_extra_is_tried() -> None:
    pyproject = release.tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert set(SMOKE) - {""} == set(pyproject["project"]["optional-dependencies"]) - {"dev"}


def steps(workflow: Path) -> list[dict[str, Any]]:
    jobs = yaml.safe_load(workflow.read_text("utf-8"))["jobs"]
    return [step for job in jobs.values() for step in job["steps"]]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_names_targets_and_files_that_exist(workflow: Path) -> None:
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8")))
    for step in steps(workflow):
        command = step.get("run", "")
        for target in re.findall(r"\bmake ([a-z-]+)", command):
            assert target in targets
        for path in re.findall(r"\b((?:tools|tests)/[\w/.]*\w)", command):
            assert (ROOT / path).exists(), path


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_may_only_read_unless_a_job_needs_more(workflow: Path) -> None:
    read = yaml.safe_load(workflow.read_text("utf-8"))
    assert read["permissions"] == {"contents": "read"}
    assert all("timeout-minutes" in job for job in read["jobs"].values())
