"""The picture of an analysis: win probabilities over a match, with error bands and turning points."""

from collections.abc import Callable, Iterator, Sequence

from sengoku.engine.analysis import MatchAnalysis
from sengoku.engine.svg import escaped

_WIDTH, _HEIGHT = 960, 460
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 96, 48, 84
_COLOURS = ("#b3402a", "#2b5c8a", "#b07d12", "#4d7c4a", "#6b4c86")
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "1 4")
"""Seats differ by the kind of line too, for readers who do not tell the colours apart."""
_INK, _FAINT = "#222222", "#d8d4cc"
_MOST_POINTS = 240
_MOST_LABELS = 14
_ROW = 15.0
"""Least distance of the names of seats."""
_BAND = 1.96
"""Standard errors of the band: it has the true value in 95 of 100 cases."""

Scale = Callable[[float], float]
"""From a number to a place in the picture."""
Point = tuple[float, tuple[float, ...], tuple[float, ...]]
"""A decision with the win probabilities and their errors."""


def draw(analysis: MatchAnalysis) -> str:
    """Return the picture as SVG."""
    points = _thin(list(_points(analysis)))
    last = max(analysis.decisions, 1)
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM

    def x(decision: float) -> float:
        return _LEFT + (right - _LEFT) * decision / last

    def y(share: float) -> float:
        return bottom - (bottom - _TOP) * min(max(share, 0.0), 1.0)

    known = "all hands open" if analysis.cards == "open" else "with what the deciding seat could know"
    whose = "" if analysis.seat is None else f", decisions of seat {analysis.seat}"
    title = f"{analysis.game}: win probability, {known}{whose}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'font-family="sans-serif" font-size="12" fill="{_INK}" role="img" aria-label="{escaped(title)}">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        f'<text x="{_LEFT}" y="22" font-size="15">{escaped(title)}</text>',
    ]
    parts += _grid(analysis, x, y)
    for seat in range(analysis.seats):
        parts += _seat(points, seat, x, y)
    parts += _marks(analysis, x, y)
    parts += _legend(points, analysis.seats, y)
    note = (
        f"{analysis.decisions} decisions, {analysis.iterations} playouts each; bands: 95 % of sampling; "
        "numbers: turning points"
    )
    parts.append(f'<text x="{_LEFT}" y="{_HEIGHT - 10}" font-size="11" fill="#666666">{note}</text>')
    return "\n".join([*parts, "</svg>", ""])


def _points(analysis: MatchAnalysis) -> Iterator[Point]:
    for at, move in enumerate(analysis.moves):
        if at == 0:
            yield move.decision - 1, move.before, move.before_error
        yield move.decision, move.after, move.after_error


def _thin(points: list[Point]) -> list[Point]:
    """Take means of neighbours where there are more points than a picture shows; the last one stays."""
    step = -(-len(points) // _MOST_POINTS)
    if step <= 1:
        return points
    groups = [points[at : at + step] for at in range(0, len(points) - 1, step)]

    def mean(values: Sequence[Sequence[float]]) -> tuple[float, ...]:
        return tuple(sum(column) / len(values) for column in zip(*values, strict=True))

    thinned = [
        (
            sum(decision for decision, _, _ in group) / len(group),
            mean([values for _, values, _ in group]),
            mean([errors for _, _, errors in group]),
        )
        for group in groups
    ]
    return [*thinned, points[-1]]


def _grid(analysis: MatchAnalysis, x: Scale, y: Scale) -> Iterator[str]:
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        yield f'<path d="M{_LEFT} {y(share):.1f}H{right}" stroke="{_FAINT}"/>'
        yield f'<text x="{_LEFT - 6}" y="{y(share) + 4:.1f}" text-anchor="end">{share:.0%}</text>'
    step = (right - _LEFT) / _MOST_LABELS
    drawn = -step
    for decision, heading in _rounds(analysis.headings):
        place = x(decision)
        if place < drawn + step:
            continue
        drawn = place
        yield f'<path d="M{place:.1f} {_TOP}V{bottom}" stroke="{_FAINT}" stroke-dasharray="2 3"/>'
        words = escaped(heading if len(heading) <= 20 else heading[:19] + "…")
        yield (
            f'<text x="{place:.1f}" y="{bottom + 14}" font-size="10" '
            f'transform="rotate(30 {place:.1f} {bottom + 14})">{words}</text>'
        )


def _rounds(headings: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the first heading of each round or season: whose turn it is does not fit below a curve."""
    before = None
    for decision, heading in headings:
        name = heading.partition(", turn of ")[0]
        if name != before:
            yield decision, name
        before = name


def _seat(points: list[Point], seat: int, x: Scale, y: Scale) -> Iterator[str]:
    if not points:
        return
    colour = _COLOURS[seat % len(_COLOURS)]
    upper = [(x(at), y(values[seat] + _BAND * errors[seat])) for at, values, errors in points]
    lower = [(x(at), y(values[seat] - _BAND * errors[seat])) for at, values, errors in points]
    outline = " ".join(f"{across:.1f},{down:.1f}" for across, down in [*upper, *reversed(lower)])
    yield f'<polygon points="{outline}" fill="{colour}" fill-opacity="0.16"/>'
    line = " ".join(f"{x(at):.1f},{y(values[seat]):.1f}" for at, values, _ in points)
    dash = f' stroke-dasharray="{_DASHES[seat % len(_DASHES)]}"' if seat else ""
    yield f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.8"{dash}/>'


def _marks(analysis: MatchAnalysis, x: Scale, y: Scale) -> Iterator[str]:
    """Mark the turning points, numbered, with what happened as a tooltip."""
    for number, point in enumerate(analysis.turning_points(), start=1):
        changes = [abs(after - before) for before, after in zip(point.before, point.after, strict=True)]
        seat = changes.index(max(changes))
        across, down = x(point.decision), y(point.after[seat])
        colour = _COLOURS[seat % len(_COLOURS)]
        tip = escaped(f"decision {point.decision}, seat {point.seat}: {point.text} ({point.cause})")
        yield (
            f'<g><title>{tip}</title><circle cx="{across:.1f}" cy="{down:.1f}" r="8" fill="white" '
            f'stroke="{colour}" stroke-width="1.6"/><text x="{across:.1f}" y="{down + 3.5:.1f}" '
            f'font-size="10" text-anchor="middle">{number}</text></g>'
        )


def _legend(points: list[Point], seats: int, y: Scale) -> Iterator[str]:
    """Name the seats at the end of their lines, apart from each other."""
    if not points:
        return
    right = _WIDTH - _RIGHT
    order = sorted(range(seats), key=lambda seat: -points[-1][1][seat])
    places = [y(points[-1][1][seat]) for seat in order]
    for at in range(1, seats):
        places[at] = max(places[at], places[at - 1] + _ROW)
    lowest = float(_HEIGHT - _BOTTOM)
    for at in reversed(range(seats)):
        places[at] = lowest = min(places[at], lowest)
        lowest -= _ROW
    for seat, place in zip(order, places, strict=True):
        colour, dash = _COLOURS[seat % len(_COLOURS)], _DASHES[seat % len(_DASHES)]
        yield (
            f'<path d="M{right + 8} {place:.1f}h22" stroke="{colour}" stroke-width="2" '
            f'stroke-dasharray="{dash}"/><text x="{right + 36}" y="{place + 4:.1f}">seat {seat}</text>'
        )
