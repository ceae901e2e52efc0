"""The exception family and its reason codes: the same in process and over the network."""

from collections.abc import Mapping
from typing import Any, ClassVar

__all__ = [
    "REASONS",
    "ArgumentError",
    "BusyError",
    "CancelledError",
    "DeadlineError",
    "DecodeError",
    "DiceScriptError",
    "IllegalActionError",
    "InternalError",
    "LimitError",
    "MatchNotFoundError",
    "MatchOverError",
    "NameTakenError",
    "NotAllowedError",
    "NotReadyError",
    "NotYourTurnError",
    "PlayerNotFoundError",
    "QuotaError",
    "RequestIdError",
    "RulesChangedError",
    "RunNotFoundError",
    "RunNotOverError",
    "RunOverError",
    "SengokuError",
    "SetupError",
    "ShuttingDownError",
    "StaleMatchError",
    "StateSpaceError",
    "StoreFullError",
    "TournamentNotFoundError",
    "TournamentNotOverError",
    "UnauthenticatedError",
    "UnavailableError",
    "UnknownMethodError",
]


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
        return (
            type(self),
            (str(self), self.details),
            {"retry_after": self.retry_after, "request_id": self.request_id},
        )


class SetupError(SengokuError, ValueError):
    """A setup that the rules do not allow."""

    reason = "INVALID_SETUP"
    status = "INVALID_ARGUMENT"


class ArgumentError(SengokuError, ValueError):
    """An invalid argument."""

    reason = "INVALID_ARGUMENT"
    status = "INVALID_ARGUMENT"


class DiceScriptError(SengokuError, ValueError):
    """Scripted dice that are too few, too many, or not valid dice."""

    reason = "INVALID_DICE_SCRIPT"
    status = "INVALID_ARGUMENT"


class StateSpaceError(SengokuError, ValueError):
    """A state space too large for an exact answer."""

    reason = "STATE_SPACE_TOO_LARGE"
    status = "INVALID_ARGUMENT"


class LimitError(SengokuError, ValueError):
    """A request beyond a limit of the server."""

    reason = "OVER_LIMIT"
    status = "INVALID_ARGUMENT"


class DecodeError(SengokuError, ValueError):
    """Data that cannot be decoded."""

    reason = "UNREADABLE_DATA"
    status = "INVALID_ARGUMENT"


class IllegalActionError(SengokuError):
    """An action that is not legal in the current state."""

    reason = "ILLEGAL_ACTION"
    status = "FAILED_PRECONDITION"


class NotYourTurnError(SengokuError):
    """An action for a seat that is not to act."""

    reason = "NOT_YOUR_TURN"
    status = "FAILED_PRECONDITION"


class MatchOverError(SengokuError):
    """An action in a match that is over."""

    reason = "MATCH_OVER"
    status = "FAILED_PRECONDITION"


class NotReadyError(SengokuError):
    """A call that a batch cannot serve now: it is new, stepping, interrupted or closed."""

    reason = "NOT_READY"
    status = "FAILED_PRECONDITION"


class NotAllowedError(SengokuError, PermissionError):
    """Permission denied: requires the match owner or a different role."""

    reason = "NOT_ALLOWED"
    status = "PERMISSION_DENIED"


class MatchNotFoundError(SengokuError, LookupError):
    """A match that the server does not have, or that this token may not access."""

    reason = "MATCH_NOT_FOUND"
    status = "NOT_FOUND"


class StaleMatchError(SengokuError):
    """An action based on an older state of the match."""

    reason = "STALE_MATCH"
    status = "ABORTED"


class BusyError(SengokuError):
    """A server at its capacity; retry later."""

    reason = "BUSY"
    status = "RESOURCE_EXHAUSTED"


class QuotaError(SengokuError):
    """A client at its quota; retry later."""

    reason = "QUOTA_EXCEEDED"
    status = "RESOURCE_EXHAUSTED"


class StoreFullError(SengokuError):
    """A server without disk space for results."""

    reason = "STORE_FULL"
    status = "RESOURCE_EXHAUSTED"


class UnauthenticatedError(SengokuError, PermissionError):
    """A call without a valid token."""

    reason = "UNAUTHENTICATED"
    status = "UNAUTHENTICATED"


class RunNotFoundError(SengokuError, LookupError):
    """A run that the server does not have, or that this client may not access."""

    reason = "RUN_NOT_FOUND"
    status = "NOT_FOUND"


class TournamentNotFoundError(SengokuError, LookupError):
    """A tournament, or a match of one, that is not in the store."""

    reason = "TOURNAMENT_NOT_FOUND"
    status = "NOT_FOUND"


class TournamentNotOverError(SengokuError):
    """A request that needs a finished tournament."""

    reason = "TOURNAMENT_NOT_OVER"
    status = "FAILED_PRECONDITION"


class RunNotOverError(SengokuError):
    """A request that needs a finished run."""

    reason = "RUN_NOT_OVER"
    status = "FAILED_PRECONDITION"


class RunOverError(SengokuError):
    """A request to resume a run that has played all its matches."""

    reason = "RUN_OVER"
    status = "FAILED_PRECONDITION"


class RulesChangedError(SengokuError):
    """A run or tournament that was started under a different rules version."""

    reason = "RULES_CHANGED"
    status = "FAILED_PRECONDITION"


class RequestIdError(SengokuError):
    """A request id that was used for a different request."""

    reason = "REQUEST_ID_REUSED"
    status = "ALREADY_EXISTS"


class PlayerNotFoundError(SengokuError, LookupError):
    """A player that is not connected."""

    reason = "PLAYER_NOT_FOUND"
    status = "NOT_FOUND"


class NameTakenError(SengokuError):
    """A name in use by a player of another client."""

    reason = "NAME_TAKEN"
    status = "ALREADY_EXISTS"


class CancelledError(SengokuError):
    """Work that was cancelled."""

    reason = "CANCELLED"
    status = "CANCELLED"


class DeadlineError(SengokuError, TimeoutError):
    """Work that exceeded its deadline."""

    reason = "DEADLINE_EXCEEDED"
    status = "DEADLINE_EXCEEDED"


class UnavailableError(SengokuError, ConnectionError):
    """A server that cannot be reached."""

    reason = "UNAVAILABLE"
    status = "UNAVAILABLE"


class ShuttingDownError(SengokuError, ConnectionError):
    """A server that is shutting down and accepts no more work."""

    reason = "SHUTTING_DOWN"
    status = "UNAVAILABLE"


class UnknownMethodError(SengokuError):
    """A method that the server does not implement."""

    reason = "UNKNOWN_METHOD"
    status = "UNIMPLEMENTED"


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


def missing(field: str, hint: str = "") -> ArgumentError:
    """Return the error for a field that has to be set."""
    message = f"{field} is not set: {hint}" if hint else f"{field} is not set"
    return ArgumentError(message, {"field": field, "value": "none"})
