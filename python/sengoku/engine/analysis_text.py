"""Analyses as text: curves in numbers, mistakes, turning points and luck."""

from collections.abc import Iterable, Sequence

from sengoku.engine.analysis import THRESHOLDS, MatchAnalysis, SeatLuck, check_threshold

_MOST_ROWS = 40
"""Most rounds that are listed."""


def tell(analysis: MatchAnalysis, threshold: float | str = "mistake") -> str:
    """Return an analysis as lines of text."""
    known = (
        "all hands open"
        if analysis.cards == "open"
        else "each decision with what its seat could know (resampled worlds)"
    )
    whose = "" if analysis.seat is None else f", only what seat {analysis.seat} may know"
    parts = [
        f"{analysis.game}, {analysis.seats} seats, {analysis.decisions} decisions: {known}{whose}; "
        f"{analysis.iterations} playouts a decision, seed {analysis.seed}"
    ]
    if not analysis.complete:
        parts.append(f"partial: {analysis.analysed} of {analysis.decisions + 1} are done")
    if analysis.moves:
        parts += ["", "win probability", *_curve(analysis)]
        parts += ["", *_mistakes(analysis, threshold)]
        parts += ["", *_turning_points(analysis)]
    if analysis.luck_by_seat:
        parts += ["", "luck", *luck_lines(analysis.luck_by_seat, analysis.counted)]
    return "\n".join(parts)


def _columns(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Align columns; the first `left` to the left, the others to the right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        "  "
        + "  ".join(
            cell.ljust(width) if at < left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _share(value: float, error: float) -> str:
    return f"{value:.1%} ±{error:.1%}"


def _curve(analysis: MatchAnalysis) -> list[str]:
    """List the win probabilities at the start of each round."""
    starts = analysis.headings or ((0, "start"),)
    step = -(-len(starts) // _MOST_ROWS)
    rows = [["", *(f"seat {seat}" for seat in range(analysis.seats))]]
    for decision, heading in starts[::step]:
        move = next((move for move in analysis.moves if move.decision > decision), None)
        if move is not None:
            rows.append([heading, *map(_share, move.before, move.before_error)])
    last = analysis.moves[-1]
    rows.append([f"after decision {last.decision}", *map(_share, last.after, last.after_error)])
    return _columns(rows)


def _mistakes(analysis: MatchAnalysis, threshold: float | str) -> list[str]:
    found = sorted(analysis.mistakes(threshold), key=lambda move: -move.loss)
    lines = [f"mistakes, {len(found)} that lost at least {check_threshold(threshold):.0%}, the worst first"]
    lines += [
        f"  decision {move.decision}, seat {move.seat}: {move.text!r} "
        f"lost {_share(move.loss, move.loss_error)} (place {move.rank} of {move.tried}); "
        f"better: {move.best_text!r}"
        for move in found[:10]
    ]
    rows = [["", "decisions", "mean loss", *THRESHOLDS]]
    for seat in range(analysis.seats):
        moves = [move for move in analysis.moves if move.seat == seat and move.legal > 1]
        if moves:
            counts = [sum(move.seat == seat for move in analysis.mistakes(name)) for name in THRESHOLDS]
            mean = sum(move.loss for move in moves) / len(moves)
            rows.append([f"seat {seat}", str(len(moves)), f"{mean:.2%}", *map(str, counts)])
    return lines + _columns(rows)


def _turning_points(analysis: MatchAnalysis) -> list[str]:
    points = analysis.turning_points()
    lines = [f"turning points, {len(points)}"]
    for point in points:
        ways = ", ".join(
            f"{before:.0%} to {after:.0%}" for before, after in zip(point.before, point.after, strict=True)
        )
        lines.append(
            f"  decision {point.decision}, seat {point.seat}: {point.text!r} ({point.cause}): {ways}"
        )
    return lines


def luck_lines(rows: Iterable[SeatLuck], counted: tuple[str, str]) -> list[str]:
    """Return the table of luck by seat."""
    hits, losses = counted
    table = [["", "win probability", hits, "expected", losses, "expected", "by kind"]]
    for row in rows:
        kinds = ", ".join(f"{name} {value:+.1%}" for name, value in row.by_kind.items())
        luck = f"{row.luck:+.1%} ±{row.error:.1%}"
        counts = [str(row.hits), f"{row.hits_expected:.1f}", str(row.losses), f"{row.losses_expected:.1f}"]
        table.append([f"seat {row.seat}", luck, *counts, kinds])
    return _columns(table)
