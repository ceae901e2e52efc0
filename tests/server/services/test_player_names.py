"""Names of players belong to accounts: nobody plays, sees or takes what belongs to another one."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sengoku import Cancel, Client
from sengoku.errors import ArgumentError, NameTakenError
from sengoku.server import Limits, Server
from sengoku.server.auth import Access, Tokens, make_token
from sengoku.tournament import parse_spec
from support.access import Clock
from support.bots import First
from support.players import SHORT, Raw, suppressed
from support.process import soon
from support.tournaments import PLAYERS

ACCOUNTS = ("ann", "bob", "eve")


@pytest.fixture(scope="module")
def tokens() -> dict[str, tuple[str, str]]:
    return {name: make_token(name, "run") for name in ACCOUNTS}


@contextmanager
def serving(
    folder: Path, tokens: dict[str, tuple[str, str]], clock: Any = None, **options: Any
) -> Iterator[Server]:
    """A server with a token for each account."""
    file = folder / "tokens.toml"
    file.write_text("".join(lines for _, lines in tokens.values()), "utf-8")
    file.chmod(0o600)
    limits = Limits(**{name: value for name, value in options.items() if name != "store"})
    more = {"store": options["store"]} if "store" in options else {}
    if clock is not None:
        more["clock"] = clock
    with Server(port=0, access=Access(Tokens(file)), limits=limits, **more) as server:
        yield server
        server.stop(0).wait()


class People:
    """Streams of players by account."""

    def __init__(self, server: Server, tokens: dict[str, tuple[str, str]]) -> None:
        self.server, self.tokens = server, tokens

    def connects(self, account: str, name: str = "first") -> Raw:
        """Connects a player; raises what the server answers."""
        raw = Raw(self.server.address, self.tokens[account][0], name=name)
        try:
            raw.hear("welcome")
        except BaseException:
            raw.close()
            raise
        return raw

    def comes_and_goes(self, account: str, name: str = "first") -> None:
        """Connects a player and leaves politely."""
        with self.connects(account, name) as raw:
            raw.end()
            raw.hear("goodbye")
        with Client(self.server.address, token=self.tokens[account][0]) as client:
            assert soon(lambda: name not in [player["name"] for player in client.players()])

    def is_refused(self, account: str, name: str = "first") -> NameTakenError:
        """Tries to connect a player whose name belongs to another account."""
        with pytest.raises(NameTakenError) as told:
            self.connects(account, name).close()
        return told.value


def test_a_name_stays_with_its_account_after_the_player_has_left(
    tmp_path: Path, tokens: dict[str, tuple[str, str]]
) -> None:
    clock = Clock()
    with serving(tmp_path, tokens, clock, player_name_seconds=60) as server:
        people = People(server, tokens)
        with people.connects("ann"):
            while_connected = people.is_refused("eve")
        assert soon(lambda: server_has_no_player(server, tokens))
        remembered = people.is_refused("eve")
        # Whether the player is there or not does not show.
        assert str(while_connected) == str(remembered) == "the name first belongs to another client"
        assert while_connected.details == remembered.details == {"field": "name", "value": "first"}
        people.comes_and_goes("ann")  # at once, and it starts the time anew
        clock.now += 59
        people.is_refused("eve")
        clock.now += 1
        people.comes_and_goes("eve")
        people.is_refused("ann")


def server_has_no_player(server: Server, tokens: dict[str, tuple[str, str]]) -> bool:
    with Client(server.address, token=tokens["ann"][0]) as client:
        return client.players() == []


def test_names_that_are_remembered_are_bounded(tmp_path: Path, tokens: dict[str, tuple[str, str]]) -> None:
    with serving(tmp_path, tokens, client_player_names=2, player_names=3) as server:
        people = People(server, tokens)
        people.comes_and_goes("ann", "hers")
        for name in ("one", "two", "three"):
            people.comes_and_goes("eve", name)
        people.is_refused("bob", "hers")  # whoever collects names loses its own
        people.is_refused("bob", "two")
        people.is_refused("bob", "three")
        people.comes_and_goes("bob", "one")  # which eve lost
        people.comes_and_goes("bob", "four")
        people.is_refused("eve", "hers")


def play(client: Client, tournament: str) -> Any:
    return client.create_tournament(tournament)


def test_a_tournament_asks_the_account_that_the_name_belongs_to(
    tmp_path: Path, tokens: dict[str, tuple[str, str]]
) -> None:
    text = PLAYERS.replace("blocks = 3", "blocks = 2")
    with (
        serving(tmp_path, tokens) as server,
        Client(server.address, timeout=60, token=tokens["ann"][0]) as ann,
        Client(server.address, timeout=60, token=tokens["bob"][0]) as bob,
    ):
        people = People(server, tokens)
        people.comes_and_goes("bob")  # the name is his, though he is not there
        tournament = play(ann, text)
        assert soon(lambda: tournament.metadata().state == "running")
        people.is_refused("eve")
        people.is_refused("ann")  # whoever created the tournament has no right to it either
        with serves(bob):
            tournament.wait(timeout=60)
        assert not any(match.faults for _, match in tournament.matches())


@contextmanager
def serves(client: Client, bot: Any = None) -> Iterator[None]:
    stop = Cancel()
    thread = threading.Thread(target=client.serve_bot, args=(bot or First(),), kwargs={"stop": stop})
    thread.start()
    try:
        yield
    finally:
        stop.cancel()
        thread.join(30)
        assert not thread.is_alive()


def test_a_tournament_file_names_the_account(tmp_path: Path, tokens: dict[str, tuple[str, str]]) -> None:
    text = PLAYERS.replace('player = "first"', 'player = "first", client = "bob"')
    with (
        serving(tmp_path, tokens) as server,
        Client(server.address, timeout=60, token=tokens["ann"][0]) as ann,
        Client(server.address, timeout=60, token=tokens["bob"][0]) as bob,
    ):
        people = People(server, tokens)
        tournament = play(ann, text)
        assert soon(lambda: tournament.metadata().state == "running")
        people.is_refused("eve")
        with serves(bob):
            tournament.wait(timeout=60)
        assert not any(match.faults for _, match in tournament.matches())
        people.comes_and_goes("eve", "other")
        with pytest.raises(NameTakenError) as told:
            play(ann, text.replace('player = "first"', 'player = "other"'))
        assert told.value.details["field"] == "bots[0].player"


def test_the_account_of_a_player_survives_a_restart(
    tmp_path: Path, tokens: dict[str, tuple[str, str]]
) -> None:
    """The server forgets names at its end, but not those of unfinished tournaments."""
    store = tmp_path / "store.sqlite3"
    text = PLAYERS.replace("blocks = 3", "blocks = 60")
    with (
        serving(tmp_path, tokens, store=store) as server,
        Client(server.address, timeout=60, token=tokens["ann"][0]) as ann,
    ):
        people = People(server, tokens)
        tournament = play(ann, text)
        assert soon(lambda: tournament.metadata().state == "running")
        with people.connects("bob") as raw:  # the first one gets a name that nobody has
            threading.Thread(target=lambda: suppressed(raw.play)).start()
            assert soon(lambda: tournament.metadata().matches_done > 0)
    with (
        serving(tmp_path, tokens, store=store) as server,
        Client(server.address, timeout=60, token=tokens["ann"][0]) as ann,
        Client(server.address, timeout=60, token=tokens["bob"][0]) as bob,
    ):
        again = ann.tournament(tournament.name)
        assert soon(lambda: again.metadata().state == "running")
        People(server, tokens).is_refused("eve")
        with serves(bob):
            assert soon(lambda: again.metadata().matches_done > 20, 60)
        again.cancel()


def test_matches_of_an_account_are_not_continued_by_another_one(
    tmp_path: Path, tokens: dict[str, tuple[str, str]]
) -> None:
    """A decision that a player owes when it breaks off is asked of nobody but its account."""
    with (
        serving(tmp_path, tokens) as server,
        Client(server.address, timeout=60, token=tokens["bob"][0]) as bob,
    ):
        people = People(server, tokens)
        reports: list[Any] = []
        wish: dict[str, Any] = {"match_count": 1, "setup": SHORT["battles"]}
        with people.connects("ann") as raw:
            thread = threading.Thread(
                target=lambda: reports.append(
                    bob.play_matches("battles", players=["@first", "random"], **wish)
                )
            )
            thread.start()
            owed = raw.play(lambda decision: decision.decisions > 10)
            assert owed is not None
        people.is_refused("eve")
        people.is_refused("bob")
        with people.connects("ann") as raw:
            first = raw.hear("decisions").decisions[0]
            assert first.match_id == owed.match_id
            raw.answer((first.id, first.legal[0]))
            threading.Thread(target=lambda: suppressed(raw.play)).start()
            thread.join(30)
        assert reports[0].forfeits == {}


def test_a_client_needs_a_player() -> None:
    with pytest.raises(ArgumentError) as told:
        parse_spec(PLAYERS.replace('player = "first"', 'client = "bob"'))
    assert told.value.details["field"] == "bots[0].client"
    with pytest.raises(ArgumentError) as told:
        parse_spec(
            PLAYERS.replace(
                '{name = "random"}',
                '{name = "random"}, {name = "x", player = "first", client = "bob"}',
            )
        )
    assert told.value.details["field"] == "bots[2].client"
    # Files without the option keep their digests, by which stores know them.
    assert '"client"' not in parse_spec(PLAYERS).to_json()
