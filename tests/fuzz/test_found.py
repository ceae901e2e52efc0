"""What fuzzing found: requests that once did harm, by name, and what they are answered now."""

from dataclasses import dataclass

import grpc
import pytest
from google.protobuf import text_format

from fuzz import corpus
from sengoku import Client, errors
from sengoku.server import Server
from support.access import ask
from support.process import BATTLE, soon


@dataclass(frozen=True)
class Found:
    """A request, and the reason of its refusal."""

    method: str
    text: str
    reason: str


FOUND = {
    "a strike against a unit that does not exist, with a card that looks at it": Found(
        "/sengoku.v1.OddsService/BatchEvaluate",
        """
        battles_strikes {
          attackers { kind: BATTLES_KIND_LI }
          defender { kind: BATTLES_KIND_SSPC leader: BATTLES_KIND_LM }
          defender_cards: BATTLES_CARD_COWARDS
          against: 5
        }
        """,
        "INVALID_SETUP",
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_a_request_that_was_found_is_refused(server: Server, name: str) -> None:
    found = FOUND[name]
    data = text_format.Parse(found.text, corpus.request_class(found.method)()).SerializeToString()
    with grpc.insecure_channel(server.address) as channel:
        assert ask(channel, found.method, data=data) == found.reason


class Panic(BaseException):
    """Like the exception of a panic in Rust, which is not an `Exception`."""


def test_a_panic_of_the_core_is_answered(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise its call is never answered, and counts as under way for ever."""

    def fail(*_: object) -> None:
        raise Panic

    with Client(server.address, timeout=20) as client:
        with monkeypatch.context() as patched:
            patched.setattr("sengoku.server.services.odds.method_from_proto", fail)
            with pytest.raises(errors.InternalError):
                client.exact(BATTLE)
        client.exact(BATTLE)
    assert soon(lambda: server.calls_under_way == 0)
