"""What importing the package loads."""

import subprocess
import sys

import pytest

import sengoku


def loaded(code: str) -> set[str]:
    """Return the top-level packages that a new interpreter has loaded after running `code`."""
    command = f"{code}\nimport sys; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", command], check=True, capture_output=True, text=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("code", "unwanted"),
    [
        ("import sengoku", {"grpc", "google", "numpy", "rich", "typer", "concurrent"}),
        (
            "from sengoku import Match, run_matches, swords, tower, battles",
            {"grpc", "google", "rich", "typer"},
        ),
        ("from sengoku import play_matches", {"grpc", "google", "typer"}),
    ],
)
def test_an_import_loads_only_what_it_needs(code: str, unwanted: set[str]) -> None:
    assert not loaded(code) & unwanted


def test_every_public_name_can_be_imported() -> None:
    assert set(sengoku.__all__) <= set(dir(sengoku))
    for name in sengoku.__all__:
        assert getattr(sengoku, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        sengoku.Nothing  # noqa: B018
