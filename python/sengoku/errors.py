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
    """Whatever goes wrong here: a sentence, a reason code, and every value of the sentence by name.

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
        """Seconds after which it may be worth trying again, if the server says so."""
        self.request_id: str | None = None
        """What the logs of the server name the call by that failed; None in process."""

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
    """An option that makes no sense."""

    reason = "INVALID_ARGUMENT"
    status = "INVALID_ARGUMENT"


class DiceScriptError(SengokuError, ValueError):
    """Scripted dice that are too few, too many, or no dice."""

    reason = "INVALID_DICE_SCRIPT"
    status = "INVALID_ARGUMENT"


class StateSpaceError(SengokuError, ValueError):
    """An exact answer that would take too many states."""

    reason = "STATE_SPACE_TOO_LARGE"
    status = "INVALID_ARGUMENT"


class LimitError(SengokuError, ValueError):
    """A request beyond what this server allows."""

    reason = "OVER_LIMIT"
    status = "INVALID_ARGUMENT"


class DecodeError(SengokuError, ValueError):
    """Bytes that cannot be read."""

    reason = "UNREADABLE_DATA"
    status = "INVALID_ARGUMENT"


class IllegalActionError(SengokuError):
    """An action that is not legal now."""

    reason = "ILLEGAL_ACTION"
    status = "FAILED_PRECONDITION"


class NotYourTurnError(SengokuError):
    """An action of a seat that is not to act."""

    reason = "NOT_YOUR_TURN"
    status = "FAILED_PRECONDITION"


class MatchOverError(SengokuError):
    """An action in a match that is over."""

    reason = "MATCH_OVER"
    status = "FAILED_PRECONDITION"


class NotReadyError(SengokuError):
    """A call that a batch cannot answer now: it is new, stepping, stopped half way or closed."""

    reason = "NOT_READY"
    status = "FAILED_PRECONDITION"


class NotAllowedError(SengokuError, PermissionError):
    """A wish that only others may have: the owner of a match, or a caller with another role."""

    reason = "NOT_ALLOWED"
    status = "PERMISSION_DENIED"


class MatchNotFoundError(SengokuError, LookupError):
    """A match the server does not have, or not for who holds this token."""

    reason = "MATCH_NOT_FOUND"
    status = "NOT_FOUND"


class StaleMatchError(SengokuError):
    """An action based on an older state of the match."""

    reason = "STALE_MATCH"
    status = "ABORTED"


class BusyError(SengokuError):
    """A server that has as much to do as it may."""

    reason = "BUSY"
    status = "RESOURCE_EXHAUSTED"


class QuotaError(SengokuError):
    """A client that has as much under way as it may."""

    reason = "QUOTA_EXCEEDED"
    status = "RESOURCE_EXHAUSTED"


class StoreFullError(SengokuError):
    """A server that has no room to write down results."""

    reason = "STORE_FULL"
    status = "RESOURCE_EXHAUSTED"


class UnauthenticatedError(SengokuError, PermissionError):
    """A call without a token that the server knows."""

    reason = "UNAUTHENTICATED"
    status = "UNAUTHENTICATED"


class RunNotFoundError(SengokuError, LookupError):
    """A run the server does not have, or not for this client."""

    reason = "RUN_NOT_FOUND"
    status = "NOT_FOUND"


class TournamentNotFoundError(SengokuError, LookupError):
    """A tournament, or a match of one, that the store does not have."""

    reason = "TOURNAMENT_NOT_FOUND"
    status = "NOT_FOUND"


class TournamentNotOverError(SengokuError):
    """A wish that has to wait until the tournament is over."""

    reason = "TOURNAMENT_NOT_OVER"
    status = "FAILED_PRECONDITION"


class RunNotOverError(SengokuError):
    """A wish that has to wait until the run is over."""

    reason = "RUN_NOT_OVER"
    status = "FAILED_PRECONDITION"


class RulesChangedError(SengokuError):
    """A run that was begun under other rules than the server has now."""

    reason = "RULES_CHANGED"
    status = "FAILED_PRECONDITION"


class RequestIdError(SengokuError):
    """A request id that was used for another request."""

    reason = "REQUEST_ID_REUSED"
    status = "ALREADY_EXISTS"


class PlayerNotFoundError(SengokuError, LookupError):
    """A player that is not connected."""

    reason = "PLAYER_NOT_FOUND"
    status = "NOT_FOUND"


class NameTakenError(SengokuError):
    """A name that the player of another client has."""

    reason = "NAME_TAKEN"
    status = "ALREADY_EXISTS"


class CancelledError(SengokuError):
    """Work that was stopped."""

    reason = "CANCELLED"
    status = "CANCELLED"


class DeadlineError(SengokuError, TimeoutError):
    """Work that was not done in time."""

    reason = "DEADLINE_EXCEEDED"
    status = "DEADLINE_EXCEEDED"


class UnavailableError(SengokuError, ConnectionError):
    """A server that cannot be reached."""

    reason = "UNAVAILABLE"
    status = "UNAVAILABLE"


class ShuttingDownError(SengokuError, ConnectionError):
    """A server that is about to stop and takes no more work."""

    reason = "SHUTTING_DOWN"
    status = "UNAVAILABLE"


class UnknownMethodError(SengokuError):
    """A method the server does not have."""

    reason = "UNKNOWN_METHOD"
    status = "UNIMPLEMENTED"


class InternalError(SengokuError):
    """A bug of ours."""


def _family(root: type[SengokuError]) -> list[type[SengokuError]]:
    return [root, *(member for child in root.__subclasses__() for member in _family(child))]


REASONS: dict[str, type[SengokuError]] = {
    error.reason: error for error in _family(SengokuError) if error is not SengokuError
}
"""The exception of each reason code."""
