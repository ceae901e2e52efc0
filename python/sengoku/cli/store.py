"""The `store` commands: check, back up, repair and migrate the file of a server's runs and tournaments."""

# ruff: noqa: PLC0415 - help and completion must not load the storage

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sengoku.cli.commands import App
from sengoku.cli.options import Json, argument, option, written
from sengoku.cli.output import err, print_json

if TYPE_CHECKING:
    from sengoku.storage.check import Finding

app = App(name="store", help="Check, back up, repair and migrate the store of a server.")

Store = Annotated[Path, argument("The file of the store.", "STORE")]


@contextmanager
def _progress(quiet: bool) -> "Iterator[Callable[[str, int], None]]":
    """Show on a terminal what is being read, and how many rows of it have been."""
    console = err()
    if quiet or not console.is_terminal:
        yield lambda _what, _count: None
        return
    with console.status("") as status:

        def update(what: str, count: int) -> None:
            if count % 100 == 0:
                status.update(f"{what}: {count:,}" if count else what)

        yield update


def _print(findings: "list[Finding]", good: str) -> None:
    for finding in findings:
        print(finding)
    if not findings:
        print(good)


@app.command("check")
def store_check(store: Store, as_json: Json = False) -> None:
    """Check everything in a store, also while a server uses it; the exit code is 1 if anything is damaged."""
    from sengoku.storage.check import check

    with _progress(as_json) as progress:
        findings = check(store, progress)
    damaged = [finding for finding in findings if finding.kind != "quarantine"]
    if as_json:
        print_json(
            {"store": str(store), "whole": not damaged, "findings": [each.as_dict() for each in findings]}
        )
    else:
        _print(findings, f"{store}: everything can be trusted")
    if damaged:
        raise typer.Exit(1)


@app.command("backup")
def store_backup(
    store: Store,
    target: Annotated[Path, written(argument("The new file; nothing is replaced.", "TARGET"), "TARGET")],
    as_json: Json = False,
) -> None:
    """Copy a store, also while a server uses it, and check the copy; the exit code is 1 if it is damaged.

    To restore it, stop the server, put the copy in place of the store, remove the old -wal and -shm files
    and start the server, which continues the unfinished runs.
    """
    from sengoku.storage.backup import backup

    with _progress(as_json) as progress:
        findings = backup(store, target, progress)
    damaged = [finding for finding in findings if finding.kind != "quarantine"]
    size = target.expanduser().stat().st_size
    if as_json:
        copied = {"store": str(store), "target": str(target), "bytes": size, "whole": not damaged}
        print_json(copied | {"findings": [each.as_dict() for each in findings]})
    else:
        _print(findings, f"{target}: {size:,} bytes, everything can be trusted")
    if damaged:
        raise typer.Exit(1)


@app.command("repair")
def store_repair(
    store: Store,
    backup: Annotated[
        bool, option("Keep a copy of the file as it was, next to it.", "--backup/--no-backup")
    ] = True,
    as_json: Json = False,
) -> None:
    """Remove from a store what cannot be trusted; matches that were lost are played again by the next server.

    No server may have the store open.
    """
    from sengoku.storage.repair import repair

    with _progress(as_json) as progress:
        findings, copy = repair(store, backup=backup, progress=progress)
    if as_json:
        done = {"store": str(store), "repaired": bool(findings), "backup": copy and str(copy)}
        print_json(done | {"findings": [each.as_dict() for each in findings]})
        return
    _print(findings, f"{store}: nothing is damaged, nothing was changed")
    if findings:
        print(f"{store}: repaired" + (f"; the file as it was is {copy}" if copy else ""))


@app.command("migrate")
def store_migrate(store: Store, as_json: Json = False) -> None:
    """Bring a store of an older release to the current version, as a server does when it opens it."""
    from sengoku.errors import ArgumentError
    from sengoku.storage import Store as Opened
    from sengoku.storage.migrations import VERSION

    if not store.is_file():
        details = {"field": "STORE", "value": str(store)}
        raise ArgumentError(f"STORE is {str(store)!r}: there is no such file", details)
    Opened(store).close()
    if as_json:
        print_json({"store": str(store), "version": VERSION})
    else:
        print(f"{store}: version {VERSION}")
