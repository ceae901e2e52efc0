"""Lock files with hashes for everything, exact base images, and an audit that says what it did not check."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import audit

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def locked(name: str) -> dict[str, tuple[list[str], int]]:
    """The versions of a lock file, and how many hashes each package has."""
    found: dict[str, tuple[list[str], int]] = {}
    text = (ROOT / name).read_text("utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            requirement = Requirement(line.partition(" --hash")[0])
            versions, hashes = found.get(canonicalize_name(requirement.name), ([], 0))
            versions.append(str(requirement.specifier))
            hashes += len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", line))
            found[canonicalize_name(requirement.name)] = (versions, hashes)
    return found


def wanted(*extras: str) -> set[str]:
    """The packages that the project names."""
    texts = [*PROJECT["dependencies"], *(text for extra in extras for text in EXTRAS[extra])]
    return {canonicalize_name(name) for text in texts if (name := Requirement(text).name) != "sengoku"}


@pytest.mark.parametrize("name", ["requirements.txt", "deploy/requirements.txt"])
def test_every_package_is_pinned_by_hashes(name: str) -> None:
    for package, (versions, hashes) in locked(name).items():
        assert all(re.fullmatch(r"==[\w.+!]+", version) for version in versions), package
        assert hashes >= len(versions), f"{package} has no hashes: run `make lock`"


def test_the_lock_file_has_every_package_of_the_project() -> None:
    large = re.search(r"^LARGE_EXTRAS := (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert large is not None
    missing = wanted(*set(EXTRAS) - set(large[1].split())) - set(locked("requirements.txt"))
    assert missing == set(), "run `make lock`"


def test_the_image_installs_the_versions_that_are_tested() -> None:
    extras = re.search(r"^IMAGE_EXTRAS := (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert extras is not None
    image, tested = locked("deploy/requirements.txt"), locked("requirements.txt")
    assert wanted(*extras[1].split()) - set(image) == set(), "run `make lock`"
    assert {name: versions for name, (versions, _) in image.items()} == {
        name: tested[name][0] for name in image
    }


def test_packages_are_installed_with_their_hashes() -> None:
    dockerfile, makefile = ((ROOT / name).read_text("utf-8") for name in ("Dockerfile", "Makefile"))
    assert "$(INSTALL) --require-hashes -r requirements.txt" in makefile
    for line in re.findall(r"pip install .*", dockerfile):
        assert "--require-hashes" in line or "--no-deps /wheels/" in line, line


def test_base_images_are_exact() -> None:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    versions = dict(re.findall(r"^ARG ([A-Z]+)=(\S+)", text, re.MULTILINE))
    for image in re.findall(r"^FROM (\S+)", text, re.MULTILINE):
        full = re.sub(r"\$\{([A-Z]+)\}", lambda found: versions[found[1]], image)
        assert re.search(r":\d+\.\d+\.\d+-|@sha256:[0-9a-f]{64}$", full), full


def test_an_audit_without_its_database_says_so() -> None:
    unreached = "[ERROR] failed to fetch advisory database"
    assert audit.judge(1, unreached) == (audit.UNAVAILABLE, unreached)
    assert audit.judge(1, "error[vulnerability]: a bug")[0] == audit.FOUND
    assert audit.judge(0, "") == (audit.OK, "")


def test_packages_that_were_not_looked_up_are_not_fine() -> None:
    """pip-audit exits with 0 if its index knows none of the packages."""
    fine = {"name": "numpy", "version": "2.0", "vulns": []}
    skipped = {"name": "rich", "skip_reason": "Dependency not found"}
    bad = {"name": "pillow", "version": "1.0", "vulns": [{"id": "PYSEC-1"}]}

    def verdict(*packages: object) -> str:
        return audit.judge_python(0, json.dumps({"dependencies": packages}), "")[0]

    assert verdict(fine) == audit.OK
    assert verdict(fine, skipped) == audit.UNAVAILABLE
    assert verdict(fine, skipped, bad) == audit.FOUND
    assert audit.judge_python(1, "", "ConnectionError: no route")[0] == audit.UNAVAILABLE


def test_licences_and_sources_are_listed() -> None:
    rules = tomllib.loads((ROOT / "deny.toml").read_text("utf-8"))
    assert set(rules) == {"graph", "advisories", "licenses", "bans", "sources"}
    assert "GPL" not in str(rules["licenses"])
    assert rules["sources"] == {"unknown-registry": "deny", "unknown-git": "deny"}
