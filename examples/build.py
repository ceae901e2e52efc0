"""Builds the examples of other languages from the protos: `python examples/build.py go typescript`.

What is made goes into build/examples, or where --out says; nothing of it is kept in the repository.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parent
ROOT = EXAMPLES.parent
sys.path.insert(0, str(ROOT))

from protos.generate import compile_protos  # noqa: E402 - a neighbour, not a package that is installed

TS_PROTO = (
    "outputServices=grpc-js",
    "env=node",
    "forceLong=bigint",
    "esModuleInterop=true",
    "importSuffix=.js",
)
COMMON = [
    "google/longrunning/operations.proto",
    "google/protobuf/any.proto",
    "google/protobuf/duration.proto",
    "google/protobuf/empty.proto",
    "google/protobuf/timestamp.proto",
    "google/rpc/error_details.proto",
    "google/rpc/status.proto",
]
"""What our files use and answers carry: Go has packages of it, for TypeScript it is generated along."""
_NETWORK = re.compile(
    r"dial tcp|no such host|i/o timeout|connection refused|40[34] |"
    r"E40[34]|ENOTFOUND|ECONNRE|ETIMEDOUT|EAI_AGAIN"
)


class UnreachableError(RuntimeError):
    """Packages that an example needs cannot be fetched here."""


def build_go(out: Path) -> list[str]:
    """Generates with the plugins that go.mod pins, builds, and returns the command that runs the example."""
    folder = copy("go", out)
    tools = folder / "bin"
    run(folder, "go", "install", "tool", GOBIN=str(tools), GOFLAGS="-mod=readonly")
    package = "sengoku.example/client"
    names = [f"M{source}={package}/sengokuv1" for source in sources()]
    wish = [
        f"--plugin=protoc-gen-go={tools / 'protoc-gen-go'}",
        f"--plugin=protoc-gen-go-grpc={tools / 'protoc-gen-go-grpc'}",
        f"--go_out={folder}",
        f"--go-grpc_out={folder}",
    ]
    for plugin in ("go", "go-grpc"):
        wish += [f"--{plugin}_opt={option}" for option in (f"module={package}", *names)]
    compile_protos(out / "imports", *wish, sources=sources())
    run(folder, "go", "build", "-o", "example", ".", GOFLAGS="-mod=readonly")
    return [str(folder / "example")]


def build_typescript(out: Path) -> list[str]:
    """Generates with what package-lock.json pins, compiles, and returns the command that runs the example."""
    folder = copy("typescript", out)
    run(folder, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
    generated = folder / "generated"
    generated.mkdir()
    compile_protos(
        out / "imports",
        f"--plugin=protoc-gen-ts_proto={folder / 'node_modules/.bin/protoc-gen-ts_proto'}",
        f"--ts_proto_out={generated}",
        f"--ts_proto_opt={','.join(TS_PROTO)}",
        sources=[*sources(), *COMMON],
    )
    run(folder, "npm", "run", "--silent", "build")
    return ["node", str(folder / "built" / "main.js")]


BUILDERS = {"go": build_go, "typescript": build_typescript}
NEEDS = {"go": ("go",), "typescript": ("node", "npm")}


def missing(language: str) -> list[str]:
    """The programs that a language needs and that are not here."""
    return [program for program in NEEDS[language] if shutil.which(program) is None]


def copy(language: str, out: Path) -> Path:
    """The sources of an example, beside which things are generated."""
    folder = out / language
    shutil.rmtree(folder, ignore_errors=True)
    made = shutil.ignore_patterns("node_modules", "generated", "built", "sengokuv1")
    shutil.copytree(EXAMPLES / language, folder, ignore=made)
    return folder


def sources() -> list[str]:
    """Our files, as they import each other."""
    return [
        path.relative_to(ROOT / "protos").as_posix() for path in sorted((ROOT / "protos").rglob("*.proto"))
    ]


def run(folder: Path, *command: str, **environment: str) -> None:
    """Runs a command, and shows what it said where it fails."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        kind = UnreachableError if _NETWORK.search(done.stdout) else RuntimeError
        raise kind(f"{' '.join(command)} failed:\n{done.stdout.strip()}")


def main() -> None:
    """Builds the languages that are named, or all for which the programs are here."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "languages", nargs="*", help=f"of {', '.join(BUILDERS)}; all that can be built if none"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "examples")
    wish = parser.parse_args()
    if unknown := set(wish.languages) - set(BUILDERS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    for language in wish.languages or BUILDERS:
        if absent := missing(language):
            print(f"{language}: {', '.join(absent)} not found")
            continue
        print(f"{language}: {' '.join(BUILDERS[language](wish.out.resolve()))}")


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:
        sys.exit(str(error))
