"""The state machine that a run saw, beside that of the contract: what is missing, what is more, what nobody tried."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from contract.model import Protocol, Release
from contract.transitions import Outcome, Transition, load_transitions
from reports.model import Move, Run

_CAPTURED, _SETTLED = "captured", "settled"
SILENT_NOTE = "the contract says nothing of this"


class EdgeState(StrEnum):
    """How a transition of the contract and those of the run compare."""

    SEEN = "seen"
    MISSING = "missing"
    EXTRA = "extra"
    SILENT = "not in the contract"
    NEVER_TRIED = "never tried"


@dataclass(frozen=True, kw_only=True)
class Edge:
    """A transition that the contract has, or the run saw, or both.

    Attributes:
        next: the state that it leads to; empty: it is refused, or nothing showed the state after it.
        conditions: those of the rows of the contract, each once.
        requirements: ids that state it.
        needs: what a target must have for it to be tried.
        count: how often it was seen.
        witness: the move that shows it with the fewest exchanges; of a missing one, what came instead.
    """

    state: EdgeState
    protocol: str
    before: str
    trigger: str
    accepted: bool
    next: str = ""
    conditions: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    count: int = 0
    witness: Move | None = None

    @property
    def outcome(self) -> str:
        """What becomes of the trigger, in words."""
        if not self.accepted:
            return "refused"
        return self.next or "accepted, state not shown"


@dataclass(frozen=True)
class Machine:
    """The transitions of one protocol, in the order of the contract."""

    protocol: str
    edges: tuple[Edge, ...]

    def counted(self) -> Mapping[str, int]:
        """Return how many transitions there are of each kind."""
        states = [edge.state for edge in self.edges]
        return {str(state): states.count(state) for state in EdgeState if state in states}

    @property
    def is_seen(self) -> bool:
        """Anything of it was seen in the run."""
        return any(edge.count for edge in self.edges)


_Key = tuple[str, str]


def machines(run: Run) -> tuple[Machine, ...]:
    """Return the state machine of each protocol that has one."""
    release = Release(run.header.release)
    found = []
    for protocol in (Protocol.CHECKOUT, Protocol.S2S_CARD, Protocol.S2S_APM):
        rows = [row for row in load_transitions().of(protocol) if row.holds_for(release)]
        moves = [move for move in run.moves if move.protocol == str(protocol)]
        if rows or moves:
            found.append(Machine(str(protocol), tuple(_edges(str(protocol), rows, moves))))
    return tuple(found)


def _edges(protocol: str, rows: Sequence[Transition], moves: Sequence[Move]) -> Iterator[Edge]:
    rows_of: dict[_Key, list[Transition]] = defaultdict(list)
    moves_of: dict[_Key, list[Move]] = defaultdict(list)
    for row in rows:
        rows_of[row.state, row.trigger].append(row)
    for move in moves:
        moves_of[_row_key(move, rows_of)].append(move)
    for key in dict.fromkeys((*rows_of, *moves_of)):
        # A captured payment is a settled one in all that no row of its own says.
        also = rows_of.get((_SETTLED, key[1]), []) if key[0] == _CAPTURED else []
        yield from _compared(protocol, key, rows_of.get(key, []), moves_of.get(key, []), also)


def _row_key(move: Move, rows_of: Mapping[_Key, Sequence[Transition]]) -> _Key:
    """Return the rows that speak of a move: a captured payment is a settled one where no row of its own says more."""
    if move.state == _CAPTURED and (_CAPTURED, move.trigger) not in rows_of and (_SETTLED, move.trigger) in rows_of:
        return _SETTLED, move.trigger
    return move.state, move.trigger


def _compared(
    protocol: str, key: _Key, rows: Sequence[Transition], moves: Sequence[Move], also: Sequence[Transition]
) -> Iterator[Edge]:
    before, trigger = key
    allowed = _allowed(rows)
    fitting = {*allowed, *_allowed(also)}
    free = _seen_either(rows, moves)
    for (accepted, after), stated in allowed.items():
        seen = [move for move in moves if _fits(move, accepted=accepted, after=after)]
        if not seen and free.issuperset(row.id for row in stated):
            continue
        conditions = tuple(dict.fromkeys(row.condition for row in stated if row.condition))
        instead = [move for move in moves if not any(_fits(move, accepted=a, after=n) for a, n in fitting)]
        state = EdgeState.SEEN if seen else EdgeState.MISSING if instead else EdgeState.NEVER_TRIED
        yield Edge(
            state=state,
            protocol=protocol,
            before=before,
            trigger=trigger,
            accepted=accepted,
            next=after,
            conditions=conditions,
            requirements=tuple(dict.fromkeys(name for row in stated for name in row.requirements)),
            needs=tuple(dict.fromkeys(str(need) for row in stated for need in row.needs)),
            count=sum(move.count for move in seen),
            witness=_best(seen or (instead if state is EdgeState.MISSING else [])),
        )
    for move in moves:
        if any(_fits(move, accepted=accepted, after=after) for accepted, after in fitting):
            continue
        yield Edge(
            state=EdgeState.EXTRA if rows else EdgeState.SILENT,
            protocol=protocol,
            before=move.state,
            trigger=trigger,
            accepted=move.accepted,
            next=move.next,
            requirements=tuple(dict.fromkeys(name for row in rows for name in row.requirements)),
            count=move.count,
            witness=move,
        )


def _seen_either(rows: Sequence[Transition], moves: Sequence[Move]) -> frozenset[str]:
    """Return the rows that allow two outcomes, one of which was seen."""
    either = [row for row in rows if row.outcome is Outcome.EITHER]
    return frozenset(
        row.id for row in either if any(not move.accepted or move.next in {row.next, ""} for move in moves)
    )


def _allowed(rows: Sequence[Transition]) -> Mapping[tuple[bool, str], Sequence[Transition]]:
    found: dict[tuple[bool, str], list[Transition]] = defaultdict(list)
    for row in rows:
        if row.outcome is not Outcome.REFUSED:
            found[True, row.next or ""].append(row)
        if row.outcome is not Outcome.ACCEPTED:
            found[False, ""].append(row)
    return found


def _fits(move: Move, *, accepted: bool, after: str) -> bool:
    if move.accepted is not accepted:
        return False
    if not move.accepted or not move.next:
        return True
    return move.next == after or {move.next, after} == {_CAPTURED, _SETTLED}


def _best(moves: Sequence[Move]) -> Move | None:
    return max(moves, key=lambda move: (bool(move.next), move.count), default=None)
