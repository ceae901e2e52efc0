"""The rules of the games as they are implemented: texts for people and prompts, and rules by their id."""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from sengoku.errors import invalid

__all__ = ["Rule", "find_rule", "rules", "sections", "sentences"]

GAMES = ("swords", "tower", "battles")
_CITED = re.compile(r" \[((?:[A-Z][A-Z0-9-]*(?:, )?)+)\]$", re.MULTILINE)
"""The ids at the end of a paragraph."""


@dataclass(frozen=True)
class Rule:
    """A rule of the ledger."""

    id: str
    game: str
    area: str
    """What it is about."""
    sentence: str
    code: tuple[str, ...]
    """Source files that name it."""
    tests: tuple[str, ...]
    """Tests that name it, as `file::function` or as a file."""
    text: tuple[str, ...]
    """Paragraphs of the rules that cite it."""

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()
        }


def _read(name: str) -> str:
    return files(__name__).joinpath(name).read_text("utf-8")


def _check(game: str) -> str:
    if game not in GAMES:
        raise invalid("game", game, f"must be one of {', '.join(GAMES)}")
    return game


@cache
def _parts(game: str) -> dict[str, str]:
    """Return the sections of a game by their titles; the introduction has the name of the game."""
    parts = re.split(r"(?m)^#+ (.+)\n+", _read(f"{_check(game)}.md"))
    return {title: text.strip() for title, text in zip(parts[1::2], parts[2::2], strict=True)}


def sections(game: str) -> list[str]:
    """Return the titles of the sections of the rules of a game.

    >>> sections("tower")[:3]
    ['Aim', 'Pieces', 'Setup']
    """
    return list(_parts(game))[1:]


def rules(game: str, section: str | None = None, *, prompt: bool = False) -> str:
    """Return the rules of a game in Markdown, or one section of them.

    Every paragraph ends with the ids of its rules; with `prompt` these are left out.

    >>> rules("swords", "Aim").splitlines()[2][:37]
    'With 3 to 5 players the first clan to'
    """
    parts = _parts(game)
    if section is None:
        chosen = list(parts)
    else:
        named = {title.lower(): title for title in sections(game)}
        found = named.get(section.lower()) or next(
            (title for name, title in named.items() if name.startswith(section.lower())), None
        )
        if found is None:
            near = difflib.get_close_matches(section.lower(), named, 3)
            meant = " or ".join(named[name] for name in near) if near else ", ".join(named.values())
            raise invalid("section", section, f"did you mean {meant}?" if near else f"there are {meant}")
        chosen = [found]
    text = "\n\n".join(f"{'#' if title == game else '##'} {title}\n\n{parts[title]}" for title in chosen)
    return _CITED.sub("", text) if prompt else text


def paragraphs(game: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the paragraphs of the rules of a game without their ids, and the ids."""
    for title, text in _parts(game).items():
        if title != game:
            for paragraph in text.split("\n\n"):
                cited = _CITED.search(paragraph)
                yield _CITED.sub("", paragraph), tuple(cited[1].split(", ")) if cited else ()


@cache
def _ledger() -> dict[str, tuple[str, str, str]]:
    """Return game, area and sentence of every rule."""
    found = {}
    for game in GAMES:
        for area in tomllib.loads(_read(f"{game}.toml")).values():
            for name, sentence in area["ids"].items():
                found[name] = game, area["title"], sentence
    return found


def sentences(game: str) -> dict[str, str]:
    """Return the sentence of every rule of a game by its id in capitals.

    >>> sentences("battles")["C-CRANE"]
    "card Crane's Wing: 1 order in each section"
    """
    _check(game)
    return {name.upper(): sentence for name, (of, _, sentence) in _ledger().items() if of == game}


@cache
def _index() -> dict[str, dict[str, list[str]]]:
    """Return the places that name rules; empty in sources that were not built (`make setup`)."""
    if not files(__name__).joinpath("index.json").is_file():
        return {}
    found: dict[str, dict[str, list[str]]] = json.loads(_read("index.json"))
    return found


def find_rule(name: str) -> Rule:
    """Return a rule by its id, in capitals or not.

    >>> find_rule("tw-gen-06").sentence
    'whoever has an army in a province owns it and its card; no army means neutral'
    """
    ledger = _ledger()
    key = name.strip().upper()
    if key not in ledger:
        near = difflib.get_close_matches(key, ledger, 3)
        problem = f"did you mean {', '.join(near)}?" if near else "there is no such rule, as in BT-MELEE-11"
        raise invalid("rule", name, problem)
    game, area, sentence = ledger[key]
    index = _index().get(key, {})
    text = tuple(paragraph for paragraph, ids in paragraphs(game) if key in ids)
    return Rule(key, game, area, sentence, tuple(index.get("code", ())), tuple(index.get("tests", ())), text)
