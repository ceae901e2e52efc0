"""Without the packages of an extra, everything else works and the error names the extra."""

import subprocess
import sys

import pytest

from sengoku.errors import MissingDependencyError, install_hint
from sengoku.pettingzoo import raw_env


@pytest.mark.parametrize(
    ("module", "missing", "extra"),
    [
        ("sengoku.pettingzoo", "pettingzoo", "ai"),
        ("sengoku.pettingzoo", "gymnasium", "ai"),
        ("sengoku.gymnasium", "gymnasium", "ai"),
        ("sengoku.openspiel", "pyspiel", "openspiel"),
        ("sengoku.rllib", "ray.rllib", "rllib"),
        ("sengoku.stable_baselines3", "stable_baselines3", "sb3"),
    ],
)
def test_an_interface_names_its_extra(module: str, missing: str, extra: str) -> None:
    code = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "import sengoku\n"
        f"try:\n    import {module}\nexcept ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert install_hint(extra) in done.stdout
    assert f"(the extra sengoku[{extra}])" in done.stdout


@pytest.mark.parametrize("missing", ["resvg_py", "PIL"])
def test_pixels_name_their_extra(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    environment = raw_env("battles", render_mode="rgb_array")
    environment.reset()
    with pytest.raises(MissingDependencyError, match=r"pip install .*resvg-py \(the extra sengoku\[ai\]\)"):
        environment.render()
