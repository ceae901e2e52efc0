"""Reads a TOML table key by key, with errors that name the field; unknown keys are errors."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from sengoku.errors import ArgumentError

__all__ = ["SHOWN", "TableReader", "wrong"]

SHOWN = 60
"""Number of characters of a wrong value that an error shows."""

T = TypeVar("T")


def wrong(name: str, value: str, reason: str) -> ArgumentError:
    """Return the error for a field of a tournament file."""
    return ArgumentError(f"{name} is {value!r}: {reason}", {"field": name, "value": value, "reason": reason})


class TableReader:
    """A table of which each key is read once; `finish` raises an error for the keys that are left."""

    def __init__(self, table: Mapping[str, Any], where: str) -> None:
        self._table = dict(table)
        self._where = where

    def path(self, name: str) -> str:
        """Return the full name of a key, e.g. `bots[0].name`."""
        return f"{self._where}.{name}" if self._where else name

    def has(self, name: str) -> bool:
        """Return whether a key is there that was not read yet."""
        return name in self._table

    def _take(self, name: str, kinds: tuple[type, ...], what: str) -> Any:
        value = self._table.pop(name, None)
        if value is not None and (not isinstance(value, kinds) or isinstance(value, bool)):
            raise wrong(self.path(name), str(value)[:SHOWN], f"must be {what}")
        return value

    def text(self, name: str, default: Any = ...) -> Any:
        """Read a short string; without a default it is required."""
        value = self._take(name, (str,), "a string")
        if value is None:
            if default is ...:
                raise wrong(self.path(name), "", "it is required")
            return default
        if not value.strip() or len(value) > 200 or not value.isprintable():
            raise wrong(self.path(name), value[:SHOWN], "must be printable, with 1 to 200 characters")
        return value

    def one_of(self, name: str, known: Iterable[str], default: str) -> str:
        """Read one of some strings."""
        value = str(self.text(name, default))
        if value not in known:
            raise wrong(self.path(name), value, f"must be one of {', '.join(known)}")
        return value

    def whole(self, name: str, default: Any, least: int, most: int) -> Any:
        """Read an integer of a range."""
        return self._number(name, default, least, most, (int,), "an integer")

    def numbers(self, defaults: object, limits: Mapping[str, tuple[float, float]]) -> dict[str, float]:
        """Read numbers, each with its range, as the only keys of the table; defaults are attributes."""
        kinds = (int, float)
        found = {
            name: float(self._number(name, getattr(defaults, name), least, most, kinds, "a number"))
            for name, (least, most) in limits.items()
        }
        self.finish()
        return found

    def _number(
        self, name: str, default: Any, least: float, most: float, kinds: tuple[type, ...], what: str
    ) -> Any:
        value = self._take(name, kinds, what)
        if value is not None and not least <= value <= most:  # also refuses NaN
            raise wrong(self.path(name), str(value), f"must be {least} to {most}")
        return default if value is None else value

    def flag(self, name: str) -> bool:
        """Read true or false; false if it is missing."""
        value = self._table.pop(name, False)
        if not isinstance(value, bool):
            raise wrong(self.path(name), str(value)[:SHOWN], "must be true or false")
        return value

    def texts(self, name: str, most: int) -> tuple[str, ...] | None:
        """Read a list of strings with at least one, or return None if it is missing."""
        value = self._take(name, (list,), "a list of strings")
        if value is None:
            return None
        if not 1 <= len(value) <= most or not all(isinstance(item, str) and item for item in value):
            raise wrong(self.path(name), str(value)[:SHOWN], f"must be a list of 1 to {most} strings")
        return tuple(value)

    def options(self, name: str) -> dict[str, Any]:
        """Read a table with any keys."""
        value = self._take(name, (dict,), "a table")
        return dict(value or {})

    def names(self, name: str) -> list[str] | None:
        """Read a list of names, or the single string "all"."""
        value = self._take(name, (str, list), 'a list, or "all"')
        if value is None:
            return None
        listed = [value] if isinstance(value, str) else value
        if not listed or not all(isinstance(item, str | int) for item in listed):
            raise wrong(self.path(name), str(value)[:SHOWN], 'must be a list of scenarios, or "all"')
        return [str(item) for item in listed]

    def tables(self, name: str, most: int) -> list["TableReader"]:
        """Read a list of tables."""
        value = self._take(name, (list,), "a list of tables")
        if not value or not all(isinstance(item, dict) for item in value):
            raise wrong(self.path(name), str(value)[:SHOWN], "must be a list of tables, with at least one")
        if len(value) > most:
            raise wrong(self.path(name), str(len(value)), f"must have at most {most}")
        return [TableReader(item, f"{self.path(name)}[{place}]") for place, item in enumerate(value)]

    def table(self, name: str, read: Callable[["TableReader"], T]) -> T | None:
        """Read a table with a function, or return None if it is missing."""
        value = self._take(name, (dict,), "a table")
        return None if value is None else read(TableReader(value, self.path(name)))

    def finish(self) -> None:
        """Raise an error if a key was not read."""
        for name in self._table:
            raise wrong(self.path(name), str(self._table[name])[:SHOWN], "there is no field of that name")
