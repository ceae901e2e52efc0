"""The resources: the rules, and the board of a match as its player sees it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote, unquote

from sengoku import rules as texts
from sengoku.errors import invalid
from sengoku.mcp.seats import Taken

__all__ = ["SCHEME", "TEMPLATES", "Text", "listed", "read"]

SCHEME = "sengoku"
_MOST = 300
"""Characters of an address."""
_MARKDOWN, _SVG, _PLAIN = "text/markdown", "image/svg+xml", "text/plain"


@dataclass(frozen=True)
class Text:
    """A resource: its address or the form of it, what it is, and the kind of its text."""

    uri: str
    name: str
    about: str
    kind: str


TEMPLATES = (
    Text(
        "sengoku://rules/{game}/{section}", "A section of the rules", "One section of the rules.", _MARKDOWN
    ),
    Text("sengoku://rule/{id}", "A rule", "One rule by its id, such as BT-MELEE-11.", _MARKDOWN),
    Text("sengoku://match/{match}/board.svg", "The board", "The board as your seat sees it, as SVG.", _SVG),
    Text("sengoku://match/{match}/board.txt", "The board in text", "The same in plain text.", _PLAIN),
)


def listed() -> list[Text]:
    """List the resources whose address is fixed: the rules of each game, and their sections."""
    found = []
    for game in texts.GAMES:
        about = f"The rules of {game} as they are implemented, with the ids of the rules."
        found.append(Text(f"sengoku://rules/{game}", f"Rules of {game}", about, _MARKDOWN))
        for section in texts.sections(game):
            uri = f"sengoku://rules/{game}/{quote(section, safe='')}"
            found.append(Text(uri, f"Rules of {game}: {section}", "One section of these rules.", _MARKDOWN))
    return found


async def read(uri: str, find: Callable[[str], Taken]) -> tuple[str, str]:
    """Return a resource and its kind; `find` returns the seat in a match."""
    scheme, _, path = uri[:_MOST].partition("://")
    parts = [unquote(part) for part in path.split("/")]
    if scheme == SCHEME:
        match parts:
            case ["rules", game]:
                return texts.rules(game), _MARKDOWN
            case ["rules", game, section]:
                return texts.rules(game, section), _MARKDOWN
            case ["rule", name]:
                rule = texts.find_rule(name)
                return "\n\n".join([f"{rule.id} ({rule.area}): {rule.sentence}", *rule.text]), _MARKDOWN
            case ["match", match, "board.svg"]:
                return str((await find(match).table.picture())[0]), _SVG
            case ["match", match, "board.txt"]:
                return str((await find(match).table.picture())[1]), _PLAIN
    forms = ", ".join(["sengoku://rules/{game}", *(one.uri for one in TEMPLATES)])
    raise invalid("uri", repr(uri)[:80], f"expected one of {forms}")
