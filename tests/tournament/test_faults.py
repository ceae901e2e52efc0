"""Bots that misbehave: the tournament ends, they lose by the rule, and nobody else has any harm of it."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sengoku import Cancel, Match
from sengoku.bots.bot import Playing
from sengoku.bots.local import LocalPort
from sengoku.bots.port import Ask, Port
from sengoku.errors import ArgumentError, CancelledError
from sengoku.server import Server
from sengoku.storage import State, Store
from sengoku.tournament import FORMATS, Entrant, Progress, Record, Tables, parse_spec, play
from sengoku.tournament.results import TournamentMatch
from support.players import Raw
from tournament.entrants import First

TEXT = """
name = "faults"
seed = 5
blocks = 2
clock = {{decision = {decision}, bank = 0}}
retries = {retries}
bots = [
  {{name = "greedy"}}, {{name = "random"}},
  {{name = "first", python = "tournament.entrants:First", trusted = true}},
  {odd}
]
games = [
  {{game = "battles", setup = {{scenario = 1, max_rounds = 3}}, group = 2}},
  {{game = "tower", seats = 3, blocks = 1, setup = {{max_rounds = 1}}}},
]
"""
ODD = 3
MATCHES = 3 * 2 * 2 + 3 * 6
"""Matches of the odd bot: with each other one two blocks of two, and in three groups a block of six."""


def text(odd: str | None = None, *, decision: float = 20.0, retries: int = 0) -> str:
    entry = "" if odd is None else f'{{name = "odd", {odd}}}'
    return TEXT.format(odd=entry, decision=decision, retries=retries)


def python(name: str, **options: Any) -> str:
    return text(f'python = "tournament.entrants:{name}", trusted = true', **options)


def played(spec: str, **options: Any) -> Record:
    return play(Record.create(Store(), parse_spec(spec)), **options)


def written(record: Record) -> dict[str, str]:
    tables = Tables(record.spec, record.results())
    return {form: write(record, tables) for form, write in FORMATS.items()}


def odd_matches(record: Record) -> list[TournamentMatch]:
    return [match for _, match in record.matches() if ODD in match.bots]


@pytest.fixture(scope="module")
def without() -> Record:
    """The same tournament without the odd one."""
    return played(text())


def check_others(record: Record, without: Record) -> None:
    """Matches among the others are those of a tournament in which the odd bot is not."""
    expected = without.results()
    found = {key: matches for key, matches in record.results().items() if ODD not in key[0]}
    assert found == expected
    assert not any(match.faults for matches in found.values() for match in matches)


def check_rule(match: TournamentMatch, reason: str) -> None:
    """Who faults is behind all others; the match has the one fault, at the seat of the odd bot."""
    (fault,) = match.faults
    assert (match.bots[fault.seat], fault.reason) == (ODD, reason)
    assert match.ranks[fault.seat] == len(match.bots)
    assert all(rank < len(match.bots) for seat, rank in enumerate(match.ranks) if seat != fault.seat)
    if len(match.bots) == 2:
        assert (match.reason, match.by_rule) == ("forfeit", False)
    else:
        assert match.reason == "round_limit"  # the others played on


ALWAYS = [
    ("Illegal", "illegal"),
    ("Typed", "illegal"),
    ("Nothing", "illegal"),
    ("Huge", "illegal"),
    ("Raises", "crashed"),
    ("Exits", "crashed"),
    ("Few", "crashed"),
]


@pytest.mark.parametrize(("bot", "reason"), ALWAYS)
def test_who_always_faults_loses_every_match_and_nobody_else_does(
    bot: str, reason: str, without: Record
) -> None:
    record = played(python(bot))
    assert record.state is State.SUCCEEDED
    matches = odd_matches(record)
    assert len(matches) == MATCHES
    for match in matches:
        check_rule(match, reason)
    check_others(record, without)
    tables = Tables(record.spec, record.results())
    assert tables.fault_table().rows == (("odd", reason, MATCHES),)
    assert [row[-1] for row in tables.standings().rows] == [0, 0, 0, MATCHES]
    assert tables.order[-1] == ODD


@pytest.mark.parametrize("bot", ["Late", "Hangs"])
def test_who_is_late_is_not_waited_for(bot: str, without: Record) -> None:
    began = time.monotonic()
    record = played(python(bot, decision=0.3))
    assert time.monotonic() - began < 60
    for match in odd_matches(record):
        check_rule(match, "late")
    assert Tables(record.spec, record.results()).faults[ODD] == {"late": MATCHES}
    # The clock is part of the file, so only what was played is compared.
    check_others(record, without)


def test_who_fails_sometimes_loses_those_matches_only(without: Record) -> None:
    record = played(python("Sometimes"))
    broken = [match for match in odd_matches(record) if match.faults]
    assert 0 < len(broken) < MATCHES
    for match in broken:
        check_rule(match, "crashed")
    check_others(record, without)
    assert Tables(record.spec, record.results()).faults[ODD] == {"crashed": len(broken)}
    assert written(played(python("Sometimes"))) == written(record)


def test_what_a_bot_does_after_a_match_is_no_fault(without: Record) -> None:
    record = played(python("Grumbles"))
    assert not any(match.faults for match in odd_matches(record))
    check_others(record, without)


def test_every_match_with_a_fault_has_a_replay() -> None:
    record = played(python("Sometimes"))
    for name, match in record.matches():
        if match.faults:
            again = Match.from_replay(record.replay(name).replay())
            assert (again.digest, again.decisions) == (match.digest, match.decisions)


# Again


def test_a_match_that_broke_is_played_again_as_often_as_the_file_says() -> None:
    once = played(python("Flaky"))
    assert Tables(once.spec, once.results()).faults[ODD] == {"crashed": 2}
    mended = played(python("Flaky", retries=1))
    assert not any(match.faults for match in odd_matches(mended))
    assert len(odd_matches(mended)) == MATCHES
    honest = played(python("First"))
    assert mended.results() == honest.results()


def test_who_never_gets_well_faults_after_all_tries() -> None:
    asked: list[int] = []

    class Counts(First):
        def decide(self, decision: Any) -> Any:
            asked.append(decision.decisions)
            raise RuntimeError("broken")

    def port(bot: Entrant) -> Port:
        return Playing.of(Counts() if bot.name == "odd" else First(), bot.name).port()

    record = played(python("First", retries=2), port=port)
    assert len(asked) == 3 * MATCHES
    assert all(match.faults[0].reason == "crashed" for match in odd_matches(record))


@pytest.mark.parametrize("bot", ["Illegal", "Hangs"])
def test_answers_that_are_wrong_or_late_are_not_tried_again(bot: str) -> None:
    options: dict[str, Any] = {"decision": 0.3} if bot == "Hangs" else {}
    once, more = played(python(bot, **options)), played(python(bot, retries=3, **options))
    assert once.results() == more.results()


# Players that go away


class Away(LocalPort):
    """A player on a connection that breaks after some decisions, and comes back after some matches."""

    gone = "disconnected"

    def __init__(self, name: str, decisions: int, matches: int) -> None:
        super().__init__(
            name,
            lambda asks: [int(ask.legal[0]) for ask in asks],
            wants=frozenset(),
            capacity=1,
            over=lambda _: None,
        )
        self.left, self.matches = decisions, matches
        self.since: float | None = None

    def ask(self, asks: Any) -> None:
        """Hears it, as long as it is there."""
        for ask in asks:
            if self.since is None and self.left <= 0 and self.matches > 0:
                self.since = time.monotonic()
            if self.since is None:
                self.left -= 1
                super().ask([ask])

    def forget(self, _ask: Ask, forfeit: str) -> None:
        """Counts the matches that it missed."""
        if forfeit:
            self.matches -= 1
            if self.matches <= 0:
                self.since = None

    def gone_since(self, ask: Ask, /) -> float | None:
        """Since when it has been away for what it has not heard."""
        return self.since if ask.started is None else None


def away(decisions: int, matches: int) -> Callable[[Entrant], Port]:
    def port(bot: Entrant) -> Port:
        if bot.player is not None:
            return Away(bot.name, decisions, matches)
        return Playing.of(First(), bot.name).port()

    return port


PLAYER = 'player = "far"'


def test_a_player_that_goes_away_loses_its_matches(without: Record) -> None:
    record = played(text(PLAYER, decision=0.5), port=away(200, 10**6))
    broken = [match for match in odd_matches(record) if match.faults]
    assert broken
    for match in broken:
        check_rule(match, "disconnected")
    check_others(record, without)
    assert Tables(record.spec, record.results()).faults[ODD] == {"disconnected": len(broken)}


def test_a_player_that_comes_back_plays_its_matches_again() -> None:
    record = played(text(PLAYER, decision=0.5, retries=1), port=away(200, 5))
    assert len(odd_matches(record)) == MATCHES
    assert not any(match.faults for match in odd_matches(record))
    assert record.results() == played(python("First")).results()


def test_a_player_needs_a_server() -> None:
    with Store() as store:
        record = Record.create(store, parse_spec(text(PLAYER)))
        with pytest.raises(ArgumentError, match="run the tournament on that server") as refused:
            play(record)
        assert refused.value.details["field"] == "bots[3].player"


def test_a_player_of_a_server_whose_connection_breaks(without: Record) -> None:
    """The same over gRPC: it decides for a while, then its connection is cut."""
    with Server(port=0) as server, Raw(server.address, name="far", capacity=8) as far:
        far.hear("welcome")

        def answer() -> None:
            assert far.play(lambda decision: decision.decisions > 15) is not None
            far.close()

        answering = threading.Thread(target=answer)
        answering.start()
        with server._players.holding(["@far"], "battles") as ports:

            def port(bot: Entrant) -> Port:
                return ports["@far"] if bot.player else Playing.of(First(), bot.name).port()

            record = played(text(PLAYER, decision=0.5), port=port)
        answering.join(30)
        assert not answering.is_alive()
    for match in odd_matches(record):
        check_rule(match, "disconnected")
    check_others(record, without)


# Stopped and gone on with


@pytest.mark.parametrize("bot", ["Sometimes", "Illegal"])
def test_stopped_in_the_middle_it_goes_on_with_the_same_bytes(tmp_path: Path, bot: str) -> None:
    spec = parse_spec(python(bot))
    whole = written(play(Record.create(Store(), spec)))
    stops = 0
    for turn in range(100):
        with Store(tmp_path / "t.sqlite3") as store:
            record = Record.create(store, spec) if turn == 0 else Record.open(store, "faults")
            cancel, told = Cancel(), 0

            def tell(_: Progress, cancel: Cancel = cancel) -> None:
                nonlocal told
                told += 1
                if told >= 9:
                    cancel.cancel()

            try:
                record = play(record, cancel=cancel, progress=tell)
            except CancelledError:
                stops += 1
                continue
            assert written(record) == whole
            break
    assert stops > 2
    faults = json.loads(whole["json"])["tables"]["faults"]
    assert [row["bot"] for row in faults] == ["odd"]


# Bots that are none


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("tournament.entrants:Stillborn", "OSError: no weights"),
        ("tournament.entrants:Leaves", "SystemExit: 1"),
        ("tournament.entrants:Missing", "has no attribute 'Missing'"),
        ("tournament.no_such_module:Bot", "No module named"),
        ("no_such_file.py:Bot", "cannot be loaded"),
        ("tournament.entrants:no_bot", "cannot be loaded"),
        ("tournament.entrants", "must be module:Name"),
        ("tournament.entrants:OnlySwords", "odd plays swords, not battles"),
        ("tournament.entrants:Wanting", "wants everything"),
    ],
)
def test_a_bot_that_cannot_be_had_is_an_error_before_anything_is_played(named: str, said: str) -> None:
    with Store() as store:
        record = Record.create(store, parse_spec(text(f'python = "{named}"')))
        with pytest.raises(ArgumentError, match=said) as refused:
            play(record)
        assert refused.value.details == {"field": "bots[3].python", "value": named}
        assert record.played() == {}
        assert Record.open(store, "faults").state is State.RUNNING
        players = [thread.name for thread in threading.enumerate() if thread.name == "player-first"]
        assert players == []
