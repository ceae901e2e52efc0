"""The command `sengoku mcp` as applications start it: its token, its end, and the package that it needs."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sengoku.server import Server
from sengoku.server.auth import Access, Tokens, make_token
from support.access import write
from support.cli import run as run_command
from support.mcp_players import call, over_stdio, refusal, run

COMMAND = [sys.executable, "-m", "sengoku.cli", "mcp"]


@pytest.mark.system
def test_a_token_is_sent_to_the_server(tmp_path: Path) -> None:
    token, lines = make_token("reader", "read")
    tokens = Tokens(write(tmp_path / "tokens.toml", lines))

    async def read(server: Server) -> None:
        async with over_stdio("--server", server.address, SENGOKU_TOKEN=token) as client:
            assert (await call(client, "list_games"))["games"]
            assert (await refusal(client, "begin_match", game="battles")).reason == "NOT_ALLOWED"
        async with over_stdio("--server", server.address) as client:
            assert (await refusal(client, "list_games")).reason == "UNAUTHENTICATED"

    with Server(port=0, access=Access(tokens)) as server:
        run(read(server))


@pytest.mark.system
def test_a_server_that_is_not_there_is_named() -> None:
    async def read() -> None:
        async with over_stdio("--server", "localhost:1", "--timeout", "3") as client:
            assert (await refusal(client, "list_games")).reason == "UNAVAILABLE"
            assert (await call(client, "read_rules", game="tower", section="Aim"))["text"]

    run(read())


@pytest.mark.system
@pytest.mark.parametrize(("ends", "code"), [("stdin", 0), ("interrupt", 130), ("analysis", 0)])
def test_the_command_ends_at_once(ends: str, code: int) -> None:
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None

    def say(number: int, tool: str, arguments: str) -> None:
        params = f'"params":{{"name":"{tool}","arguments":{arguments}}}'
        process.stdin.write(f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call",{params}}}\n'.encode())
        process.stdin.flush()

    hello = '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}'
    process.stdin.write(f'{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{hello}}}\n'.encode())
    process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    process.stdin.flush()
    assert b"serverInfo" in process.stdout.readline()
    say(1, "begin_match", '{"game":"battles","seed":3,"bots":"random"}')
    assert b"you are seat" in process.stdout.readline()
    if ends == "analysis":
        say(2, "play", '{"match":"m1","answer":"1"}')
        process.stdout.readline()
        say(3, "analyse", '{"match":"m1","iterations":1000,"seconds":0}')
        assert b"In progress" in process.stdout.readline()
    started = time.monotonic()
    if ends == "interrupt":
        process.send_signal(signal.SIGINT)
    else:
        process.stdin.close()
    assert process.wait(20) == code
    assert time.monotonic() - started < 10
    process.stdout.close()
    if not process.stdin.closed:
        process.stdin.close()


def test_the_command_without_the_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [
        name for name in sys.modules if name.partition(".")[0] == "mcp" or name == "sengoku.mcp.server"
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # that of the tests stays
    done = run_command("mcp", code=1)
    assert "MCP servers need mcp: pip install mcp (the extra sengoku[mcp])" in done.words
