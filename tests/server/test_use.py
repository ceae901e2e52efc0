"""What a server says about its load: clients, calls, and what does not work, to those who may know it."""

from pathlib import Path

import pytest

from sengoku import Client
from sengoku.errors import ArgumentError
from sengoku.server import Server
from sengoku.server.auth import ROLES, Access, Tokens, make_token
from sengoku.swords import Battle, Force
from support.access import write
from support.process import soon

BATTLE = Battle(Force(spear=1), Force(spear=1))


def test_calls_are_counted() -> None:
    with Server(port=0) as server, Client(server.address) as client:
        before = client.status()
        client.exact(BATTLE)
        with pytest.raises(ArgumentError):
            client.scenario("no such scenario")
        after = client.status()
        assert after["calls_ended"] == before["calls_ended"] + 3
        assert after["calls_failed"] == before["calls_failed"] + 1
        assert after["connections"] == 1
        assert after["store_bytes"] > 0
        assert after["problems"] == []


def test_a_client_is_listed_with_what_it_uses() -> None:
    with Server(port=0) as server, Client(server.address) as client:
        assert client.status()["clients"] == {client.status()["caller"]: use(calls=1)}
        run = client.start_run("battles", bots=["random"], match_count=50_000_000)
        watching = run.watch()
        next(watching)
        (found,) = client.status()["clients"].values()
        assert (found["runs"], found["streams"], found["calls"]) == (1, 1, 1)
        watching.close()
        run.cancel()
        assert soon(lambda: client.status()["clients"] == {"local": use(calls=1)})


def test_only_an_admin_sees_other_clients_and_problems(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = {role: make_token(f"{role}er", role) for role in ROLES}
    file = write(tmp_path / "tokens.toml", *(lines for _, lines in made.values()))
    monkeypatch.setattr(Server, "problems", lambda _: ["store: the disk is full"])
    with (
        Server(port=0, access=Access(Tokens(file))) as server,
        Client(server.address, token=made["run"][0]) as other,
    ):
        run = other.start_run("battles", bots=["random"], match_count=50_000_000)
        for role in ROLES:
            with Client(server.address, token=made[role][0]) as client:
                status = client.status()
            assert (status["caller"], status["caller_role"]) == (f"{role}er", role)
            seen = {f"{role}er", "runer"} if role == "admin" else {f"{role}er"}
            assert set(status["clients"]) == seen
            assert status["problems"] == (["store: the disk is full"] if role == "admin" else [])
        run.cancel()


def use(**counts: int) -> dict[str, int]:
    return dict.fromkeys(("calls", "streams", "working", "waiting", "runs", "tournaments"), 0) | counts
