"""Building blocks of SQL statements that runs and tournaments share."""

from sengoku.storage.state import State

__all__ = ["OVER", "matching", "surplus"]

OVER = f"state BETWEEN {State.SUCCEEDED:d} AND {State.CANCELLED:d}"
"""Condition: has ended and is not deleted."""


def matching(**conditions: int | str | None) -> tuple[str, list[int | str]]:
    """Return the condition that all given columns have these values, and the values; `before` bounds the id.

    >>> matching(before=7, client=None, state=4)
    ('id < ? AND state = ?', [7, 4])
    """
    given = {name: value for name, value in conditions.items() if value is not None}
    texts = ["id < ?" if name == "before" else f"{name} = ?" for name in given]
    return " AND ".join(texts) or "1", list(given.values())


def surplus(table: str, where: str) -> str:
    """Return a query for the ids of rows to remove, as many as its parameter says.

    The client with the most rows loses its oldest first, so that no client can displace the rows of others.
    """
    return (
        f"SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY client ORDER BY id DESC) AS nth "  # noqa: S608
        f"FROM {table} WHERE {where}) ORDER BY nth DESC, id LIMIT ?"
    )
