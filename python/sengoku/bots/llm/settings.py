"""Settings of a player that asks a language model: where the model is, and what a match may cost."""

from __future__ import annotations

import ipaddress
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

from sengoku.bots.text import CORRECTIONS, FALLBACKS
from sengoku.engine.checks import check_integer
from sengoku.errors import ArgumentError

__all__ = ["KEY", "MODEL", "URL", "LlmSettings", "Secret"]

URL, MODEL, KEY = "SENGOKU_LLM_URL", "SENGOKU_LLM_MODEL", "SENGOKU_LLM_KEY"
"""Environment variables for what the settings leave open."""


def _wrong(name: str, value: object, reason: str) -> ArgumentError:
    details = {"field": f"llm.{name}", "value": str(value)[:60]}
    return ArgumentError(f"llm.{name} is {str(value)[:60]!r}: {reason}", details)


class Secret:
    """A text that no description shows."""

    def __init__(self, text: str) -> None:
        self._text = text

    def header(self) -> str:
        """Return the value of the header `Authorization`."""
        return f"Bearer {self._text}"

    def scrub(self, text: str) -> str:
        """Return a text without the secret."""
        return text.replace(self._text, "[key]")

    def __repr__(self) -> str:
        return "[key]"


@dataclass(frozen=True)
class LlmSettings:
    """Where a model is, and what a player may spend. It holds no key, only where the key is."""

    model: str = ""
    """Name of the model; if empty, that of SENGOKU_LLM_MODEL."""
    url: str = ""
    """Address up to `/chat/completions`, e.g. https://host/v1; if empty, that of SENGOKU_LLM_URL."""
    key_env: str = KEY
    """Environment variable with the key; without a key none is sent."""
    key_file: str = ""
    """File with the key, instead of an environment variable."""
    rules: bool = True
    """Whether the rules of the game are in every prompt."""
    words: int = 1500
    """Words in which the position is told."""
    answer_tokens: int = 1000
    """Most tokens of an answer."""
    temperature: float | None = None
    """Sampling temperature; if None, the endpoint's own."""
    corrections: int = CORRECTIONS
    """Wrong answers to a decision after which the model is asked again."""
    fallback: str = "random"
    """What replaces a decision without a legal answer: "random", "first" or "forfeit"."""
    retries: int = 4
    """How often a request is repeated that failed for a reason that may pass."""
    seconds: float = 60.0
    """Time for a decision, within what the clock of the match leaves."""
    match_seconds: float = math.inf
    """Time for all decisions of a match; then the fallback decides."""
    match_tokens: int = 1_000_000
    """Tokens sent and received in a match; then the fallback decides."""
    concurrent: int = 8
    """Decisions of different matches that are asked at once."""

    BOUNDS: ClassVar = {
        "words": (300, 100_000),
        "answer_tokens": (1, 1_000_000),
        "corrections": (0, 10),
        "retries": (0, 20),
        "match_tokens": (1, 1 << 53),
        "concurrent": (1, 256),
    }
    """The least and the largest value of each integer."""
    TIMES: ClassVar = {"seconds": (0.01, 86_400.0), "match_seconds": (0.01, math.inf)}

    def __post_init__(self) -> None:
        for name, (least, most) in self.BOUNDS.items():
            check_integer(f"llm.{name}", getattr(self, name), least, most)
        bounds = self.TIMES | ({} if self.temperature is None else {"temperature": (0.0, 2.0)})
        for name, (low, high) in bounds.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
                raise _wrong(name, value, f"must be {low:g} to {high:g}")
        if self.fallback not in FALLBACKS:
            raise _wrong("fallback", self.fallback, f"must be one of {', '.join(FALLBACKS)}")
        if self.url:
            _check_url(self.url)

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> LlmSettings:
        """Read settings from a table; unknown names are errors, and so is a key."""
        known = {field.name: field for field in fields(cls)}
        for name, value in table.items():
            if name in ("key", "api_key", "token", "authorization"):
                raise _wrong(name, "[key]", "a key must not be in the file: name key_env or key_file")
            if name not in known:
                raise _wrong(name, value, f"there is no such setting, but {', '.join(known)}")
            kind = {"rules": bool, "model": str, "url": str, "key_env": str, "key_file": str, "fallback": str}
            if not isinstance(value, kind.get(name, int | float)):
                raise _wrong(name, value, "has the wrong type")
        return cls(**table)

    def as_dict(self) -> dict[str, Any]:
        """Return what differs from the defaults."""
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if getattr(self, field.name) != field.default
        }

    def resolved(self, environment: Mapping[str, str] | None = None) -> tuple[str, str, Secret | None]:
        """Return the address, the model and the key, from the environment where the settings leave them open.

        A key is sent over https only, or to this machine.
        """
        env = os.environ if environment is None else environment
        url, model = self.url or env.get(URL, ""), self.model or env.get(MODEL, "")
        for name, value, variable in (("url", url, URL), ("model", model, MODEL)):
            if not value:
                raise _wrong(name, "", f"it is required: set it, or the environment variable {variable}")
        _check_url(url)
        key = self._key(env)
        parts = urlsplit(url)
        if key is not None and parts.scheme != "https" and not _here(parts.hostname or ""):
            raise _wrong("url", url, "must begin with https:// because a key is sent to it")
        return url.rstrip("/"), model, key

    def _key(self, env: Mapping[str, str]) -> Secret | None:
        text = env.get(self.key_env, "") if self.key_env else ""
        if self.key_file:
            try:
                text = Path(self.key_file).expanduser().read_text("utf-8")
            except (OSError, UnicodeDecodeError) as error:
                reason = getattr(error, "strerror", None) or "it is not text"
                raise _wrong("key_file", self.key_file, reason) from None
        text = text.strip()
        if text and not (text.isascii() and text.isprintable() and len(text) <= 4096):
            raise _wrong("key_file" if self.key_file else self.key_env, "[key]", "must be printable ASCII")
        return Secret(text) if text else None


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise _wrong("url", "[address]", "is not an address") from None
    if parts.username or parts.password or parts.query or parts.fragment:
        raise _wrong("url", "[address]", "must have no user, password or query: name key_env or key_file")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise _wrong("url", url, "must begin with https:// or http://")


def _here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
