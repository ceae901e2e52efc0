"""Words and numbers as people read them, for tables, titles and legends."""

import math
from collections.abc import Mapping


def share_text(share: float, error: float, digits: int = 2) -> str:
    """Format a share with its standard error; an undefined error is left out.

    >>> share_text(0.5, 0.01), share_text(1.0, math.nan), share_text(math.nan, math.nan)
    ('50.00% ± 1.00%', '100.00%', '-')
    """
    if math.isnan(share):
        return "-"
    return f"{share:.{digits}%}" if math.isnan(error) else f"{share:.{digits}%} ± {error:.{digits}%}"


def count_text(count: int, noun: str, plural: str | None = None) -> str:
    """Format a count with its noun.

    >>> count_text(1, "match", "matches"), count_text(2_000, "seat")
    ('1 match', '2,000 seats')
    """
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def name_text(name: str) -> str:
    """Return an identifier as words.

    >>> name_text("last_clan")
    'last clan'
    """
    return name.replace("_", " ")


def counts_text(counts: Mapping[str, int], separator: str = ", ") -> str:
    """Format counts by identifier, without those that are 0.

    >>> counts_text({"last_clan": 2, "limit": 0, "round_limit": 1_000})
    'last clan 2, round limit 1,000'
    """
    return separator.join(f"{name_text(name)} {count:,}" for name, count in counts.items() if count)
