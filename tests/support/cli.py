"""Run commands of the command line in this process."""

import io
import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest import mock

import pytest

from sengoku.cli.main import main


@dataclass(frozen=True)
class Done:
    """The output of a command."""

    stdout: str
    stderr: str

    @property
    def words(self) -> str:
        """The error output on one line, because consoles wrap it."""
        return " ".join(self.stderr.split())


def run(*arguments: str, code: int = 0, **environment: str) -> Done:
    """Run a command as `sengoku` does in a shell, and expect an exit code."""
    ended, done = call(*arguments, **environment)
    assert ended == code, done
    return done


def call(*arguments: str, **environment: str) -> tuple[int, Done]:
    """Run a command and return its exit code and output."""
    said, complained = io.StringIO(), io.StringIO()
    plain = {"COLUMNS": "80", "TERM": "dumb", "NO_COLOR": "1"}  # whatever terminal the tests run in
    with (
        mock.patch.dict(os.environ, plain | environment),
        _logging_as_before(),
        redirect_stdout(said),
        redirect_stderr(complained),
        pytest.raises(SystemExit) as ended,
    ):
        main(arguments)
    return int(ended.value.code or 0), Done(said.getvalue(), complained.getvalue())


@contextmanager
def _logging_as_before() -> Iterator[None]:
    """Undo what a command changes for its whole process."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    show = warnings.showwarning
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        logging.captureWarnings(False)
        warnings.showwarning = show
