"""Checks of arguments: numbers that must be in a range."""

from operator import index
from typing import SupportsIndex

from sengoku.errors import ArgumentError


def refused(field: str, value: object, wanted: str) -> ArgumentError:
    """Return the error for an argument: its name, its value, and what would be accepted."""
    return ArgumentError(f"{field} is {value}: {wanted}", {"field": field, "value": str(value)})


def out_of_range(field: str, value: float, least: float, most: float, unit: str = "") -> ArgumentError:
    """Return the error for a number that is not in a range."""

    def shown(number: float) -> str:
        return f"{number:g}" if isinstance(number, float) else str(number)

    wanted = f"must be {shown(least)} to {shown(most)}{unit and f' {unit}'}"
    return ArgumentError(f"{field} is {shown(value)}: {wanted}", {"field": field, "value": str(value)})


def check_integer(field: str, value: SupportsIndex, least: int, most: int) -> int:
    """Return an integer argument if it is in the range, or raise `ArgumentError`."""
    number = index(value)
    if not least <= number <= most:
        raise out_of_range(field, number, least, most)
    return number
