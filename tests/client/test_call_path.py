"""The path of a unary call through the client: how many functions it takes, and what an import loads."""

import subprocess
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from sengoku import Client, battles, tower
from support.clients import DUEL

COMPREHENSIONS = ("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>")


def functions_called(call: Callable[[], object]) -> list[str]:
    """Return the Python functions that a call enters, with each generator resumption, outside of grpc.

    Functions below one of grpc are left out, and so are comprehensions, which are no functions for readers.
    """
    entered: list[str] = []
    inside_grpc = 0

    def profile(frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal inside_grpc
        grpc = frame.f_globals.get("__name__", "").partition(".")[0] == "grpc"
        if event == "call":
            if not grpc and not inside_grpc and frame.f_code.co_name not in COMPREHENSIONS:
                entered.append(f"{frame.f_globals.get('__name__')}.{frame.f_code.co_qualname}")
            inside_grpc += grpc
        elif event == "return":
            inside_grpc -= grpc

    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return entered[1:]  # without the function that is passed in


def test_odds_take_few_function_calls(client: Client) -> None:
    """At most half of the 41 calls of the first version of the client."""
    client.odds(DUEL)  # binds the method
    entered = functions_called(lambda: client.odds(DUEL))
    assert len(entered) <= 20, entered


@pytest.mark.parametrize("question", [tower.Clash(("blue", 4), ("yellow", 3)), battles.Strike("SSp", "ASp")])
def test_the_client_itself_takes_six(client: Client, question: Any) -> None:
    """The wrapper, driver, method, its helper, the `Call` and the decoder; the rest converts messages."""
    client.odds(question)
    entered = functions_called(lambda: client.odds(question))
    assert len([name for name in entered if name.startswith("sengoku.client.")]) == 6, entered


def test_the_client_does_not_load_the_server() -> None:
    code = (
        "import sys; from sengoku.client import AsyncClient, Client; Client('localhost:1').close();"
        "print([name for name in sys.modules if name.startswith('sengoku.server')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
