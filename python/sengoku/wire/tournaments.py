"""Tournaments (tournament_service.proto)."""

import json

from sengoku.errors import DecodeError
from sengoku.tournament.results import Fault, TournamentMatch
from sengoku.tournament.spec import Board, Entrant, TournamentSpec
from sengoku.tournament.standings import Table
from sengoku.tournament.status import TournamentStatus
from sengoku.v1 import tournament_service_pb2 as pb2
from sengoku.wire.codec import (
    Codec,
    EnumNames,
    Field,
    json_table,
    nested_list,
    optional,
    plain,
    times,
    tuples,
)
from sengoku.wire.errors import job_error
from sengoku.wire.values import text_to_proto

TOURNAMENT_STATES = EnumNames(pb2.TournamentState, "unspecified")

BOARD = Codec(
    Board,
    pb2.TournamentBoard,
    *plain("name", "game", "rules_version", "seats", "group", "blocks"),
    json_table("setup", "setup_json", lambda setup: json.dumps(setup, ensure_ascii=False)),
)
ENTRANT = Codec(Entrant, pb2.TournamentBot, *plain("name"), *optional("bot", "player"))
FAULT = Codec(Fault, pb2.TournamentFault, *plain("seat", "reason", "text"))
STATUS = Codec(
    TournamentStatus,
    pb2.Tournament,
    *plain("name", "title", "client", "request_id", "format", "digest"),
    Field("state", "state", None, lambda message, _wire: TOURNAMENT_STATES.name_or_zero(message.state)),
    nested_list("bots", ENTRANT),
    nested_list("boards", BOARD),
    *plain("round", "matches_done", "matches_due", "matches_per_second"),
    *times("create_time", "end_time"),
    *plain("queue_position", "obstacle"),
)
MATCH = Codec(
    TournamentMatch.create,
    pb2.TournamentMatch,
    Field("board", "board_place"),
    *plain("number", "arrangement"),
    Field("bots", "bot_places", None, lambda message, _wire: tuple(message.bot_places)),
    *tuples("ranks"),
    *plain("by_rule", "reason", "rounds", "decisions", "digest"),
    *tuples("scores"),
    nested_list("faults", FAULT),
)


def tournament_name_to_proto(name: str) -> str:
    """Return the full name of a tournament; its last part alone is accepted."""
    text = text_to_proto("name", name)
    return text if text.startswith("tournaments/") else f"tournaments/{text}"


def tournament_board_to_proto(board: Board, seed: int | None) -> pb2.TournamentBoard:
    """Write a board; a seed that is still secret is None."""
    return BOARD.encode(board, seed=seed)


def tournament_status_from_proto(
    message: pb2.Tournament, standings: pb2.TournamentTable | None = None
) -> TournamentStatus:
    """Read the status of a tournament."""
    return STATUS.decode(
        message,
        seeds=tuple(board.seed if board.HasField("seed") else None for board in message.boards),
        standings=None if standings is None else tournament_table_from_proto(standings),
        error=job_error(message.error) if message.HasField("error") else None,
    )


def tournament_match_to_proto(spec: TournamentSpec, name: str, match: TournamentMatch) -> pb2.TournamentMatch:
    """Write a match of a tournament."""
    bots = [spec.bots[bot].name for bot in match.bots]
    return MATCH.encode(match, name=name, board=spec.boards[match.board].name, bots=bots)


def tournament_match_from_proto(message: pb2.TournamentMatch) -> tuple[str, TournamentMatch]:
    """Read a match of a tournament: its name and its result."""
    return message.name, MATCH.decode(message)


def tournament_table_to_proto(table: Table) -> pb2.TournamentTable:
    """Write a table."""
    message = pb2.TournamentTable(
        name=table.name, title=table.title, headings=table.headings, remark=table.remark
    )
    for row in table.rows:
        cells = message.rows.add().cells
        for value in row:
            cell = cells.add()
            if isinstance(value, str):
                cell.text = value
            elif isinstance(value, int):
                cell.whole = value
            elif value is not None:
                cell.number = value
    return message


def tournament_table_from_proto(message: pb2.TournamentTable) -> Table:
    """Read a table."""
    rows = []
    for row in message.rows:
        if len(row.cells) != len(message.headings):
            details = {"field": "cells", "value": str(len(row.cells)), "expected": str(len(message.headings))}
            expected = f"{len(message.headings)} are expected"
            raise DecodeError(f"a row of {message.name!a} has {len(row.cells)} cells, {expected}", details)
        kinds = [cell.WhichOneof("value") for cell in row.cells]
        rows.append(
            tuple(
                None if kind is None else getattr(cell, kind)
                for cell, kind in zip(row.cells, kinds, strict=True)
            )
        )
    return Table(message.name, message.title, tuple(message.headings), tuple(rows), message.remark)
