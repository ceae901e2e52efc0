"""The exception family and its reason codes: the same in process and over the network."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar

__all__ = [
    "REASONS", "AnalysisNotFoundError", "AnalysisNotOverError", "ArgumentError", "BusyError",
    "CancelledError", "DataCorruptError", "DeadlineError",
    "DecodeError", "DiceScriptError", "FleetMismatchError", "IllegalActionError", "InternalError",
    "LimitError", "MatchNotFoundError", "MatchOverError", "MissingDependencyError", "NameTakenError",
    "NotAllowedError",
    "NotReadyError", "NotYourTurnError", "PlayerNotFoundError", "QuotaError", "ReportTooLargeError",
    "RequestIdError", "RulesChangedError", "RunNotFoundError", "RunNotOverError", "RunOverError",
    "SengokuError", "SetupError", "ShuttingDownError", "StaleMatchError", "StateSpaceError",
    "StoreFullError", "StoreUnavailableError", "TournamentNotFoundError", "TournamentNotOverError",
    "UnauthenticatedError", "UnavailableError", "UnknownMethodError", "UnreadResponsesError",
]  # fmt: skip


class SengokuError(Exception):
    """Base class of all errors: a message, a reason code, and every value of the message by name.

    >>> from sengoku import swords
    >>> try:
    ...     swords.Battle(swords.Force(spear=6), swords.Force(spear=1))
    ... except SengokuError as error:
    ...     error.reason, error.details["value"]
    ('INVALID_SETUP', '6')
    """

    reason: ClassVar[str] = "INTERNAL"
    status: ClassVar[str] = "INTERNAL"
    """Name of the gRPC status that carries the error over the network."""

    def __init_subclass__(cls, *, reason: str | None = None, status: str | None = None) -> None:
        cls.reason, cls.status = reason or cls.reason, status or cls.status

    def __init__(
        self, message: str, details: Mapping[str, str] | None = None, *, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.details: dict[str, str] = dict(details or {})
        self.retry_after = retry_after
        """Seconds after which to retry, if the server suggests it."""
        self.request_id: str | None = None
        """Id of the failed call in the logs of the server; None in process."""

    def __reduce__(self) -> tuple[Any, ...]:
        state = {"retry_after": self.retry_after, "request_id": self.request_id}
        return type(self), (str(self), self.details), state


class SetupError(SengokuError, ValueError, reason="INVALID_SETUP", status="INVALID_ARGUMENT"):
    """A setup that the rules do not allow."""


class ArgumentError(SengokuError, ValueError, reason="INVALID_ARGUMENT", status="INVALID_ARGUMENT"):
    """An invalid argument."""


class DiceScriptError(SengokuError, ValueError, reason="INVALID_DICE_SCRIPT", status="INVALID_ARGUMENT"):
    """Scripted dice that are too few, too many, or not valid dice."""


class StateSpaceError(SengokuError, ValueError, reason="STATE_SPACE_TOO_LARGE", status="INVALID_ARGUMENT"):
    """A state space too large for an exact answer."""


class LimitError(SengokuError, ValueError, reason="OVER_LIMIT", status="INVALID_ARGUMENT"):
    """A request beyond a limit of the server."""


class ReportTooLargeError(LimitError, reason="REPORT_TOO_LARGE", status="INVALID_ARGUMENT"):
    """A report of a tournament with more cells than the server allows."""


class MissingDependencyError(SengokuError, reason="MISSING_DEPENDENCY", status="FAILED_PRECONDITION"):
    """A request that needs a Python package which is not installed where the work is done."""


class DecodeError(SengokuError, ValueError, reason="UNREADABLE_DATA", status="INVALID_ARGUMENT"):
    """Data that cannot be decoded."""


class IllegalActionError(SengokuError, reason="ILLEGAL_ACTION", status="FAILED_PRECONDITION"):
    """An action that is not legal in the current state."""


class NotYourTurnError(SengokuError, reason="NOT_YOUR_TURN", status="FAILED_PRECONDITION"):
    """An action for a seat that is not to act."""


class MatchOverError(SengokuError, reason="MATCH_OVER", status="FAILED_PRECONDITION"):
    """An action in a match that is over."""


class NotReadyError(SengokuError, reason="NOT_READY", status="FAILED_PRECONDITION"):
    """A call that a batch cannot serve now: it is new, stepping, interrupted or closed."""


class NotAllowedError(SengokuError, PermissionError, reason="NOT_ALLOWED", status="PERMISSION_DENIED"):
    """Permission denied: requires the match owner or a different role."""


class MatchNotFoundError(SengokuError, LookupError, reason="MATCH_NOT_FOUND", status="NOT_FOUND"):
    """A match that the server does not have, or that this token may not access."""


class StaleMatchError(SengokuError, reason="STALE_MATCH", status="ABORTED"):
    """An action based on an older state of the match."""


class BusyError(SengokuError, reason="BUSY", status="RESOURCE_EXHAUSTED"):
    """A server at its capacity; retry later."""


class QuotaError(SengokuError, reason="QUOTA_EXCEEDED", status="RESOURCE_EXHAUSTED"):
    """A client at its quota; retry later."""


class UnreadResponsesError(SengokuError, reason="RESPONSES_UNREAD", status="RESOURCE_EXHAUSTED"):
    """A call from a client that does not read the responses to its earlier calls."""


class StoreFullError(SengokuError, reason="STORE_FULL", status="RESOURCE_EXHAUSTED"):
    """A server without disk space for results."""


class StoreUnavailableError(SengokuError, reason="STORE_UNAVAILABLE", status="UNAVAILABLE"):
    """A store that cannot be used at the moment, because its file is locked or its disk fails."""


class DataCorruptError(SengokuError, reason="DATA_CORRUPT", status="DATA_LOSS"):
    """Stored data that fails its checksum, is missing or cannot be read; it is never served."""


class UnauthenticatedError(SengokuError, PermissionError, reason="UNAUTHENTICATED", status="UNAUTHENTICATED"):
    """A call without a valid token."""


class RunNotFoundError(SengokuError, LookupError, reason="RUN_NOT_FOUND", status="NOT_FOUND"):
    """A run that the server does not have, or that this client may not access."""


class TournamentNotFoundError(SengokuError, LookupError, reason="TOURNAMENT_NOT_FOUND", status="NOT_FOUND"):
    """A tournament, or a match of one, that is not in the store."""


class TournamentNotOverError(SengokuError, reason="TOURNAMENT_NOT_OVER", status="FAILED_PRECONDITION"):
    """A request that needs a finished tournament."""


class AnalysisNotFoundError(SengokuError, LookupError, reason="ANALYSIS_NOT_FOUND", status="NOT_FOUND"):
    """An analysis that the server does not have, or that this client may not access."""


class AnalysisNotOverError(SengokuError, reason="ANALYSIS_NOT_OVER", status="FAILED_PRECONDITION"):
    """A request that needs an analysis that is over."""


class RunNotOverError(SengokuError, reason="RUN_NOT_OVER", status="FAILED_PRECONDITION"):
    """A request that needs a finished run."""


class RunOverError(SengokuError, reason="RUN_OVER", status="FAILED_PRECONDITION"):
    """A request to resume a run that has played all its matches."""


class RulesChangedError(SengokuError, reason="RULES_CHANGED", status="FAILED_PRECONDITION"):
    """A run or tournament that was started under a different rules version."""


class FleetMismatchError(SengokuError, reason="FLEET_MISMATCH", status="FAILED_PRECONDITION"):
    """A worker of a fleet with a different build, other rules or different results."""


class RequestIdError(SengokuError, reason="REQUEST_ID_REUSED", status="ALREADY_EXISTS"):
    """A request id that was used for a different request."""


class PlayerNotFoundError(SengokuError, LookupError, reason="PLAYER_NOT_FOUND", status="NOT_FOUND"):
    """A player that is not connected."""


class NameTakenError(SengokuError, reason="NAME_TAKEN", status="ALREADY_EXISTS"):
    """A name that belongs to a player of another client."""


class CancelledError(SengokuError, reason="CANCELLED", status="CANCELLED"):
    """Work that was cancelled."""


class DeadlineError(SengokuError, TimeoutError, reason="DEADLINE_EXCEEDED", status="DEADLINE_EXCEEDED"):
    """Work that exceeded its deadline."""


class UnavailableError(SengokuError, ConnectionError, reason="UNAVAILABLE", status="UNAVAILABLE"):
    """A server that cannot be reached."""


class ShuttingDownError(SengokuError, ConnectionError, reason="SHUTTING_DOWN", status="UNAVAILABLE"):
    """A server that is shutting down and accepts no more work."""


class UnknownMethodError(SengokuError, reason="UNKNOWN_METHOD", status="UNIMPLEMENTED"):
    """A method that the server does not implement."""


class InternalError(SengokuError):
    """A bug in this package."""


def _family(root: type[SengokuError]) -> list[type[SengokuError]]:
    return [root, *(member for child in root.__subclasses__() for member in _family(child))]


REASONS: dict[str, type[SengokuError]] = {
    error.reason: error for error in _family(SengokuError) if error is not SengokuError
}
"""The exception of each reason code."""


def invalid(field: str, value: object, problem: str, **details: object) -> ArgumentError:
    """Return the error for a value that is not accepted.

    >>> invalid("seats", 9, "expected 2 to 5")
    ArgumentError('seats is 9, expected 2 to 5')
    """
    values = {"field": field, "value": value, **details}
    return ArgumentError(
        f"{field} is {value}, {problem}", {name: str(value) for name, value in values.items()}
    )


def install_hint(extra: str) -> str:
    """Return the command that installs an extra: by its packages, because wheels are on no index.

    >>> install_hint("tournament")
    'pip install matplotlib openskill scipy (the extra sengoku[tournament])'
    """
    from importlib.metadata import PackageNotFoundError, requires  # noqa: PLC0415 - only errors need it

    try:
        found = requires("sengoku") or []
    except PackageNotFoundError:  # not installed, but on the path
        found = []
    parts = [text.partition(";") for text in found]
    wanted = [
        re.split(r"[<>=!~ ]", name.strip())[0]
        for name, _, marker in parts
        if re.search(rf"""extra\s*==\s*['"]{re.escape(extra)}['"]""", marker)
    ]
    named = " ".join(f"'{name}'" if "[" in name else name for name in sorted(wanted))
    return f"pip install {named} (the extra sengoku[{extra}])" if named else f"pip install 'sengoku[{extra}]'"


def missing_package(package: str, what: str, extra: str, otherwise: str = "") -> MissingDependencyError:
    """Return the error for something that needs a package of an extra.

    >>> missing_package("scipy", "ratings", "tournament")  # doctest: +ELLIPSIS
    MissingDependencyError('ratings need scipy: pip install matplotlib ... sengoku[tournament])')
    """
    message = f"{what} need {package}: {install_hint(extra)}{otherwise}"
    return MissingDependencyError(message, {"package": package, "what": what, "extra": extra})


def missing(field: str, hint: str = "") -> ArgumentError:
    """Return the error for a field that has to be set."""
    message = f"{field} is not set: {hint}" if hint else f"{field} is not set"
    return ArgumentError(message, {"field": field, "value": "none"})
