"""Errors of commands: their exit codes, and their text and JSON with the flags they are about."""

import json
import re
from typing import Any

import typer
from rich.markup import escape
from typer import TyperException

from sengoku.cli.commands import Invocation
from sengoku.cli.output import err
from sengoku.errors import (
    BusyError,
    DeadlineError,
    QuotaError,
    SengokuError,
    ShuttingDownError,
    StoreFullError,
    StoreUnavailableError,
    UnavailableError,
)

_RETRYABLE = (
    *(UnavailableError, ShuttingDownError, DeadlineError, BusyError, QuotaError),
    *(StoreFullError, StoreUnavailableError),
)
"""Errors worth retrying (exit code 3)."""

_ALIASES = {
    "match_count": ("matches",),
    "target": ("server",),
    "method": ("exact", "samples"),
    "client": ("owner",),
    "clock.decision": ("seconds", "clock"),
    "clock.bank": ("bank",),
    "bots": ("bots", "players", "against"),
    "players": ("players", "bots", "against"),
}
"""Parameters of commands, by the name of the field that an error is about, where the two differ."""


_IDENTIFIER = r"(?<![\w.'\"-])[a-z]+(_[a-z]+)+(?![\w.'\"-])"
"""A name with an underscore, which in a message can only be that of a parameter."""


def exit_code(error: Exception) -> int:
    """Return the exit code for an error."""
    if isinstance(error, TyperException):
        return int(error.exit_code)
    if isinstance(error, SengokuError) and isinstance(error, ValueError):
        return 2
    return 3 if isinstance(error, _RETRYABLE) else 1


def report_error(error: Exception, as_json: bool, invocation: Invocation) -> int | None:
    """Print an error and return the exit code; None for an error that is a bug and was not printed."""
    if isinstance(error, BrokenPipeError):
        return 1  # the reader of the output, such as `head`, has closed it
    if isinstance(error, TyperException):
        _print_json("USAGE", error.format_message(), _usage_details(error), {})
    elif isinstance(error, SengokuError):
        message, flag, context = str(error), None, invocation.context
        if context is not None:
            flag = flag_of_field(error.details.get("field", ""), context)
            if flag is not None:
                message = name_flag(message, error.details["field"], flag)
            flags = {each.name: _flag(each) for each in context.command.params}
            message = re.sub(_IDENTIFIER, lambda name: flags.get(name[0], name[0]), message)
        if as_json:
            details = error.details if flag is None else error.details | {"flag": flag}
            more = {"retry_after": error.retry_after, "request_id": error.request_id}
            _print_json(error.reason, message, details, more)
        else:
            later = "" if error.retry_after is None else f" (try again in {error.retry_after:g} s)"
            err().print("[bold red]error:[/]", escape(message) + later, highlight=False)
    elif isinstance(error, OSError):
        err().print("[bold red]error:[/]", escape(str(error)), highlight=False)
    else:
        return None
    return exit_code(error)


def _print_json(reason: str, message: str, details: dict[str, str], more: dict[str, Any]) -> None:
    text: dict[str, Any] = {"reason": reason, "message": message, "details": details}
    text |= {name: value for name, value in more.items() if value is not None}
    err().print_json(json.dumps({"error": text}))


def _usage_details(error: TyperException) -> dict[str, str]:
    """Return the command and the flag that a usage error is about, as far as they are known."""
    context, parameter = getattr(error, "ctx", None), getattr(error, "param", None)
    flag = getattr(error, "option_name", None) if parameter is None else _flag(parameter)
    details = {"command": context and context.command_path, "flag": flag}
    return {name: value for name, value in details.items() if value}


def _flag(parameter: Any) -> str:
    """Return how users write a parameter: its flag, or the name of an argument as the help shows it."""
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name.upper())
    return str(max(parameter.opts, key=len))


def flag_of_field(field: str, context: typer.Context) -> str | None:
    """Return the flag that sets a field of an error's details in the command that was run, if there is one.

    A flag with the very name of the field counts only if it was given: a setup may have such an option too.
    """
    if field.startswith("--"):
        return field
    parameters = {parameter.name: parameter for parameter in context.command.params}
    name = re.sub(r"\W+", "_", field)
    for alias in (*_ALIASES.get(field, ()), f"max_{name}", *([name] if "." in field else [])):
        if alias in parameters:
            return _flag(parameters[alias])
    source = context.get_parameter_source(name) if name in parameters else None
    return _flag(parameters[name]) if source is not None and source.name == "COMMANDLINE" else None


def name_flag(message: str, field: str, flag: str) -> str:
    """Write the flag into a message where it has the name of the field.

    >>> name_flag("match_count is 0, at least 1 is needed", "match_count", "--matches")
    '--matches is 0, at least 1 is needed'
    >>> name_flag("seats is 9, a match has at most 5 seats", "seats", "--seats")
    '--seats is 9, a match has at most 5 seats'
    >>> name_flag("a match needs two bots", "bots", "--bots")
    'a match needs two bots (--bots)'
    """
    if flag in message:
        return message
    whole_name = rf"(?<![\w.-]){re.escape(field)}(?![\w.-])"
    starts = rf"{re.escape(field)}(?= (is|has|are|names|must)\b|:)"
    plain_word = field.isalpha()
    named, count = re.subn(f"^{starts}" if plain_word else whole_name, flag, message)
    return named if count else f"{message} ({flag})"
