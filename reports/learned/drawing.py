"""The state machines as drawings (SVG): boxes in columns by how far a payment has come, arrows for what leads on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from reports.learned.lifecycle import Edge, EdgeState, Machine
from reports.text import one_line

_PLACES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "absent": (0, 3),
        "begun": (0, 3),
        "challenged": (0, 0),
        "redirected": (0, 1),
        "awaiting_bank": (0, 2),
        "authorized": (1, 0),
        "declined": (1, 3),
        "captured": (2, 0),
        "settled": (2, 2),
        "voided": (3, 0),
        "released": (3, 1),
        "refunded": (3, 2),
        "reversed": (3, 3),
    }
)
"""Column and row of each state."""
_ELSEWHERE = (1, 4)
_WIDTH, _HEIGHT = 96, 28
_GAP, _ROW = 84, 66
_MARGIN = 14
_LINE = 12
_LOOP = 26
_CHARACTERS = 40
_WORST = (EdgeState.EXTRA, EdgeState.MISSING, EdgeState.SILENT, EdgeState.SEEN, EdgeState.NEVER_TRIED)


@dataclass(frozen=True)
class Box:
    """A state; its upper left corner."""

    name: str
    x: int
    y: int

    @property
    def middle(self) -> tuple[int, int]:
        """The point in its middle."""
        return self.x + _WIDTH // 2, self.y + _HEIGHT // 2


@dataclass(frozen=True)
class Arrow:
    """What leads from one state to another.

    Attributes:
        kind: the worst of its transitions, as a name of a class of the style sheet.
        path: of SVG.
        labels: the triggers, each with where it stands.
    """

    kind: str
    path: str
    labels: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True)
class Drawing:
    """A state machine, ready to be drawn.

    Attributes:
        in_words: it in words, for whoever does not see it.
    """

    name: str
    width: int
    height: int
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    in_words: str


def drawings(machine: Machine) -> tuple[Drawing, Drawing]:
    """Return what the contract has, and what the run saw, in the same places."""
    accepted = [edge for edge in machine.edges if edge.accepted and edge.next]
    boxes = _boxes(accepted)
    stated = [edge for edge in accepted if edge.state not in {EdgeState.EXTRA, EdgeState.SILENT}]
    return _drawing("the contract", boxes, stated, plain=True), _drawing("this run", boxes, accepted, plain=False)


def _boxes(edges: Iterable[Edge]) -> Mapping[str, Box]:
    names = sorted({name for edge in edges for name in (edge.before, edge.next)})
    columns = sorted({_PLACES.get(name, _ELSEWHERE)[0] for name in names})
    rows = sorted({_PLACES.get(name, _ELSEWHERE)[1] for name in names})
    boxes = {}
    for name in names:
        column, row = _PLACES.get(name, _ELSEWHERE)
        x, y = columns.index(column) * (_WIDTH + _GAP), rows.index(row) * _ROW
        boxes[name] = Box(one_line(name, 16), _MARGIN + x, _MARGIN + _LOOP + y)
    return boxes


def _drawing(name: str, boxes: Mapping[str, Box], edges: Sequence[Edge], *, plain: bool) -> Drawing:
    pairs: dict[tuple[str, str], list[Edge]] = {}
    for edge in edges:
        pairs.setdefault((edge.before, edge.next), []).append(edge)
    arrows = tuple(_arrow(boxes[before], boxes[after], found, plain=plain) for (before, after), found in pairs.items())
    right = max((box.x for box in boxes.values()), default=0) + _WIDTH
    low = max((box.y for box in boxes.values()), default=0) + _HEIGHT
    words = "; ".join(f"{edge.before} by {edge.trigger} to {edge.next}: {_said(edge, plain=plain)}" for edge in edges)
    return Drawing(name, right + _MARGIN + 10, low + _MARGIN + 10, tuple(boxes.values()), arrows, f"{name}: {words}")


def _said(edge: Edge, *, plain: bool) -> str:
    return "stated" if plain else edge.state.value


def _arrow(before: Box, after: Box, edges: Sequence[Edge], *, plain: bool) -> Arrow:
    kind = "seen" if plain else min((edge.state for edge in edges), key=_WORST.index).name.lower().replace("_", "-")
    labels = tuple(dict.fromkeys(_label(edge, plain=plain) for edge in edges))
    if before == after:
        x, y = before.middle[0], before.y
        path = f"M {x - 18} {y} C {x - 26} {y - _LOOP}, {x + 26} {y - _LOOP}, {x + 18} {y}"
        return Arrow(kind, path, tuple(_stacked(x, y - _LOOP + 2, labels)))
    (x1, y1), (x2, y2) = _ends(before, after)
    bend = (x1 + x2) // 2
    if before.x == after.x:
        bend = x1 + 36
    path = f"M {x1} {y1} C {bend} {y1}, {bend} {y2}, {x2} {y2}"
    x, y = _on_curve((x1, bend, bend, x2)), _on_curve((y1, y1, y2, y2))
    return Arrow(kind, path, tuple(_stacked(x, y - 3, labels)))


def _on_curve(points: tuple[int, int, int, int]) -> int:
    """Return a coordinate behind the middle of a curve, where those that begin together lie apart."""
    at, left = 0.62, 0.38
    first, second, third, last = points
    return round(left**3 * first + 3 * left**2 * at * second + 3 * left * at**2 * third + at**3 * last)


def _ends(before: Box, after: Box) -> tuple[tuple[int, int], tuple[int, int]]:
    if before.x < after.x:
        return (before.x + _WIDTH, before.middle[1]), (after.x, after.middle[1])
    if before.x == after.x:
        return (before.x + _WIDTH, before.middle[1]), (after.x + _WIDTH, after.middle[1])
    return (before.x, before.middle[1]), (after.x + _WIDTH, after.middle[1])


def _label(edge: Edge, *, plain: bool) -> str:
    count = "" if plain or not edge.count else f" ({edge.count})"
    return one_line(f"{edge.trigger.replace('_', ' ')}{count}", _CHARACTERS)


def _stacked(x: int, y: int, labels: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    first = y - (len(labels) - 1) * _LINE
    yield from ((x, first + number * _LINE, label) for number, label in enumerate(labels))
