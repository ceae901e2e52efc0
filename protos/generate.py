"""Generate what comes from the protos, or check that it is current (--check).

That is python/sengoku/v1, the API of the console, and the description of the HTTP interface.
"""

import argparse
import filecmp
import sys
import tempfile
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from google.longrunning import operations_proto_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc

PROTOS = Path(__file__).parent
SOURCES = sorted(PROTOS.glob("sengoku/v1/*.proto"))
GENERATED = PROTOS.parent / "python" / "sengoku" / "v1"
OPENAPI = PROTOS.parent / "python" / "sengoku" / "server" / "http" / "openapi.json"
CONSOLE = PROTOS.parent / "console" / "src" / "api" / "sengoku.ts"


def imports(folder: Path) -> Path:
    """Copy the imported files that the compiler does not ship into a folder and return it."""
    google = Path(operations_proto_pb2.__file__).parents[1]
    for part in ("api", "longrunning", "rpc"):
        (folder / "google" / part).mkdir(parents=True)
        for source in (google / part).glob("*.proto"):
            # The package ships this file under a different name than other files import it by.
            name = source.name.replace("operations_proto", "operations")
            (folder / "google" / part / name).write_bytes(source.read_bytes())
    return folder


def compile_protos(folder: Path, *options: str, sources: Sequence[Path | str] | None = None) -> None:
    """Run the compiler on `sources` (default: all our files); the files they import go into `folder`."""
    if not (folder / "google").exists():
        imports(folder)
    includes = [PROTOS, files("grpc_tools") / "_proto", folder]
    paths = [f"-I{include}" for include in includes]
    if protoc.main(["protoc", *paths, *options, *map(str, SOURCES if sources is None else sources)]) != 0:
        raise SystemExit("protoc failed")


def generate(folder: Path) -> Path:
    """Write the generated package below a folder and return it."""
    compile_protos(folder / "imports", f"--python_out={folder}", f"--pyi_out={folder}")
    package = folder / "sengoku" / "v1"
    (package / "__init__.py").write_text('"""Generated from protos/sengoku/v1; see protos/generate.py."""\n')
    return package


def descriptions(folder: Path) -> dict[Path, str]:
    """Return the TypeScript module of the console and the description of the HTTP interface."""
    from openapi import openapi  # noqa: PLC0415 - neighbours, found when this file runs as a script
    from typescript import typescript  # noqa: PLC0415

    path = folder / "all.binpb"
    options = (f"--descriptor_set_out={path}", "--include_imports", "--include_source_info")
    compile_protos(folder / "imports", *options)
    files = FileDescriptorSet.FromString(path.read_bytes())
    return {CONSOLE: typescript(files), OPENAPI: openapi(files)}


def main() -> None:
    """Generate in place, or compare the existing files with fresh ones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="change nothing and fail if a file is not up to date"
    )
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as scratch:
        fresh = generate(Path(scratch))
        described = descriptions(Path(scratch))
        names = sorted(path.name for path in fresh.iterdir())
        if check:
            old = sorted(path.name for path in GENERATED.glob("*.py*") if path.is_file())
            _, changed, missing = filecmp.cmpfiles(fresh, GENERATED, names, shallow=False)
            stale = sorted({*changed, *missing, *(set(old) - set(names))})
            stale += [path.name for path, text in described.items() if path.read_text() != text]
            if stale:
                sys.exit(f"stale, run `make protos`: {', '.join(stale)}")
        else:
            GENERATED.mkdir(parents=True, exist_ok=True)
            for path in GENERATED.glob("*.py*"):
                if path.is_file():
                    path.unlink()
            for name in names:
                (GENERATED / name).write_bytes((fresh / name).read_bytes())
            for path, text in described.items():
                path.write_text(text)


if __name__ == "__main__":
    main()
