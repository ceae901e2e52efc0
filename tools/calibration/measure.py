"""Trials of the rigid tower, kept in a file, and of the fast model.

The file has one line for the tower and the seed, and one for each trial.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from sengoku import _core
from sengoku.errors import DecodeError

Progress = Callable[[int, int], object]

KINDS = ("fill", "grid", "long_run")
FULL: dict[str, int] = {"fill": 2000, "grid": 670, "long_run": 40}
"""Trials of a whole calibration: 2,000 throws and more in every cell."""


@dataclass(frozen=True)
class Trials:
    """Throws of one kind of trials: a row for each, the columns `TRIAL_FIELDS` and the trial's number."""

    rows: npt.NDArray[np.uint32]
    residence: npt.NDArray[np.uint32]
    """Numbers of cubes by throws inside, a row for each trial of a long run."""

    def __getitem__(self, field: str) -> npt.NDArray[np.uint32]:
        fields = (*_core.TRIAL_FIELDS, "trial")
        return self.rows[:, fields.index(field)]

    def where(self, chosen: npt.NDArray[np.bool_]) -> Self:
        """The throws that were chosen."""
        return type(self)(self.rows[chosen], self.residence)


def digest(parameters: str | None) -> str:
    """A name for the tower that trials were made with: its numbers, not the words of its file."""
    tower = _core.CubeTower("rigid", parameters=parameters)
    return hashlib.sha256(json.dumps(tower.parameters, sort_keys=True).encode()).hexdigest()[:16]


def _read(path: Path, header: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Gives the trials of a file; a last line that was cut off is no trial."""
    if not path.exists():
        return
    with path.open(encoding="utf-8") as lines:
        try:
            found = json.loads(next(lines, "{}"))
        except json.JSONDecodeError:
            found = None
        if found != header:
            wanted = f"{path} holds trials of another tower or seed; choose another directory or remove it"
            raise DecodeError(wanted, {"field": "directory", "value": str(path)})
        for line in lines:
            if line.endswith("\n"):
                yield json.loads(line)


def measure(
    directory: Path,
    *,
    trials: Mapping[str, int] = FULL,
    seed: int = 0,
    parameters: str | None = None,
    threads: int = 2,
    progress: Progress | None = None,
) -> dict[str, Trials]:
    """Makes the trials of the rigid tower that are not in the directory yet, and gives all."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / "trials.jsonl"
    header = {"tower": digest(parameters), "seed": seed}
    found = {(line["kind"], line["number"]): line for line in _read(path, header)}
    _cut_off(path)
    wanted = [(kind, number) for kind in KINDS for number in range(trials.get(kind, 0))]
    # All kinds advance at the same pace, so that a run that is stopped has some of each.
    todo = sorted(set(wanted) - set(found), key=lambda trial: ((trial[1] + 1) / trials[trial[0]], trial))
    with path.open("a", encoding="utf-8") as file:
        if not found:
            file.write(json.dumps(header) + "\n")
        for (kind, number), made in _run(todo, seed, parameters, threads):
            line = {
                "kind": kind,
                "number": number,
                "rows": made["rows"][:, :-1].tolist(),
                "residence": made["residence"][0],
            }
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
            file.flush()
            found[kind, number] = line
            if progress is not None:
                progress(len(found), len(wanted))
    return {kind: _collect(kind, found) for kind in KINDS}


def _cut_off(path: Path) -> None:
    """Removes a last line without its end, which a run that was killed may have left."""
    if path.exists():
        text = path.read_bytes()
        path.write_bytes(text[: text.rfind(b"\n") + 1])


Trial = tuple[str, int]


def _run(
    todo: list[Trial], seed: int, parameters: str | None, threads: int
) -> Iterator[tuple[Trial, dict[str, Any]]]:
    cancel = _core.Cancel()

    def run(trial: Trial) -> dict[str, Any]:
        kind, number = trial
        return _core.tower_trials(
            kind,
            first=number,
            count=1,
            model="rigid",
            seed=seed,
            parameters=parameters,
            threads=1,
            cancel=cancel,
        )

    waiting = iter(todo)
    with ThreadPoolExecutor(threads) as pool:
        running: dict[Future[dict[str, Any]], Trial] = {
            pool.submit(run, trial): trial for trial in islice(waiting, threads)
        }
        try:
            while running:
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(done), done.result()
                    for trial in islice(waiting, 1):
                        running[pool.submit(run, trial)] = trial
        finally:
            cancel.cancel()


def _collect(kind: str, found: Mapping[Trial, Mapping[str, Any]]) -> Trials:
    lines = [line for (other, _), line in sorted(found.items()) if other == kind]
    rows = [[*row, line["number"]] for line in lines for row in line["rows"]]
    fields = len(_core.TRIAL_FIELDS) + 1
    residence = [line["residence"] for line in lines if line["residence"]]
    return Trials(np.array(rows, np.uint32).reshape(-1, fields), np.array(residence, np.uint32))


def shelves(
    parameters: str | Mapping[str, Any],
    *,
    trials: Mapping[str, int],
    seed: int = 0,
    threads: int = 0,
) -> dict[str, Trials]:
    """Makes the same trials of the fast model."""
    chosen = parameters if isinstance(parameters, str) else dict(parameters)
    found = {}
    for kind, count in trials.items():
        made = _core.tower_trials(kind, first=0, count=count, seed=seed, parameters=chosen, threads=threads)
        residence = (
            np.array(made["residence"], np.uint32) if kind == "long_run" else np.empty((0, 0), np.uint32)
        )
        found[kind] = Trials(made["rows"], residence)
    return found
