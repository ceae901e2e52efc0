"""The tournaments in a store: names, states, pages, matches, retention."""

from pathlib import Path

import pytest

from sengoku.errors import ArgumentError, DataCorruptError
from sengoku.storage import RESUMABLE, MatchRow, State, Store, TournamentRow
from sengoku.storage.check import check
from support import damage


def begin(store: Store, name: str, client: str = "c", request_id: str = "") -> TournamentRow:
    new = TournamentRow(
        name=name, client=client, request_id=request_id, created=1_000, spec="{}", seeds="[1]"
    )
    return store.tournaments.begin(new)


def test_a_name_is_one_tournament(path: str) -> None:
    with Store(path) as store:
        row = begin(store, "a", request_id="weekly")
        assert (row.state, row.ended, row.error) == (State.RUNNING, None, "")
        with pytest.raises(ArgumentError, match="the store already has a tournament of this name"):
            begin(store, "a", "d")
        assert store.tournaments.get("a") == row
        assert store.tournaments.get("b") is None
        assert store.tournaments.find("c", "weekly") == row
        assert store.tournaments.find("d", "weekly") is None
        assert store.tournaments.find("c", "") is None
        assert store.tournaments.request_and_progress(row.id) == ("weekly", "")
        store.tournaments.set_progress(row.id, "half")
        assert store.tournaments.request_and_progress(row.id) == ("weekly", "half")


def test_states_change_only_from_the_expected_ones(path: str) -> None:
    with Store(path) as store:
        row = begin(store, "a")
        assert store.tournaments.set_state(row.id, State.CANCELLED, 7, "why", before=[State.RUNNING])
        assert not store.tournaments.set_state(row.id, State.SUCCEEDED, 8, "", before=[State.RUNNING])
        found = store.tournaments.get("a")
        assert found is not None
        assert (found.state, found.ended, found.error) == (State.CANCELLED, 7, "why")
        assert store.tournaments.set_state(row.id, State.RUNNING, None, "", before=RESUMABLE)
        assert store.tournaments.get("a") == row


def test_pages_list_tournaments_of_clients_only(path: str) -> None:
    with Store(path) as store:
        rows = [begin(store, str(number), client=("", "odd", "even")[number % 3]) for number in range(7)]
        table = store.tournaments
        assert [row.name for row in table.all()] == list("6543210")
        assert [row.name for row in table.page()] == list("5421")
        assert [row.name for row in table.page(before=rows[4].id, most=1)] == ["2"]
        assert [row.name for row in table.page(client="odd")] == ["4", "1"]
        assert table.page(state=State.FAILED) == []


def test_matches(path: str) -> None:
    with Store(path) as store:
        one, other = begin(store, "a"), begin(store, "b")
        rows = [
            MatchRow((f"[{bot},9]", 0, number, 0), f"{bot} {number}") for bot in (1, 2) for number in (0, 1)
        ]
        replayed = MatchRow(("[3,9]", 1, 0, 2), "result", b"replay")
        store.tournaments.add_matches(one.id, [*reversed(rows), replayed])
        assert store.tournaments.match_count(one.id) == 5
        assert store.tournaments.match_count(other.id) == 0
        assert store.tournaments.matches(one.id)[:4] == rows
        assert store.tournaments.matches(one.id, rows[1].key, 2) == [rows[2], rows[3]]
        assert store.tournaments.match(one.id, replayed.key) == replayed
        assert store.tournaments.match(one.id, ("[3,9]", 1, 0, 3)) is None
        store.tournaments.delete(one.id)
        assert store.tournaments.get("a") is None
        assert store.tournaments.match_count(one.id) == 0


def test_the_client_with_the_most_loses_its_oldest(path: str) -> None:
    with Store(path) as store:
        clients = {"own": "", "a1": "a", "a2": "a", "a3": "a", "b1": "b", "busy": "b"}
        rows = {name: begin(store, name, client=client) for name, client in clients.items()}
        for name, row in rows.items():
            if name != "busy":
                store.tournaments.set_state(row.id, State.SUCCEEDED, 5, "", before=[State.RUNNING])
        store.tournaments.add_matches(rows["a1"].id, [MatchRow(("[0]", 0, 0, 0), "result")])
        assert store.tournaments.retire(keep=4) == 0
        assert store.tournaments.retire(keep=2) == 2
        assert {row.name for row in store.tournaments.all()} == {"own", "a3", "b1", "busy"}
        assert store.tournaments.match_count(rows["a1"].id) == 0


def test_a_match_that_a_damaged_key_hides_is_not_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "store.sqlite3"
    with Store(file) as store:
        row = begin(store, "a")
        store.tournaments.add_matches(row.id, [MatchRow(("[0,1]", 0, number, 0), "x") for number in range(3)])
    damage.change(file, "UPDATE matches SET bots = '', number = 0 WHERE number = 1")
    with Store(file) as store, pytest.raises(DataCorruptError, match="damaged: it fails its checksum"):
        store.tournaments.matches(row.id)


def test_a_damaged_key_that_sqlite_does_not_compare(tmp_path: Path) -> None:
    """A flipped bit moves the first match of the second tournament to the eighteenth, but not its row."""
    file = tmp_path / "store.sqlite3"
    with Store(file) as store:
        rows = [begin(store, name) for name in "ab"]
        matches = [MatchRow(("[0,1]", 0, number, 0), "x") for number in range(8)]
        for row in rows:
            store.tournaments.add_matches(row.id, matches)
    content = file.read_bytes()
    assert content.count(b"\x02[0,1]") == len(matches)
    file.write_bytes(content[::-1].replace(b"]1,0[\x02", b"]1,0[\x12", 1)[::-1])  # cells are stored backwards
    with Store(file) as store:
        assert store.tournaments.matches(rows[0].id) == matches
        with pytest.raises(DataCorruptError, match="listed under 18"):
            store.tournaments.matches(rows[1].id)
    assert check(file), "the check of stores finds it, too"
