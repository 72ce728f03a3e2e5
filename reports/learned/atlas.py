"""The error atlas: what the target answered to each wrong value of each field, and what looks alike."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from reports.model import Answer, Change, Check, Run, Verdict

WHOLE_REQUEST = "(the request)"
CSV_FIELDS = ("operation", "field", "violation", "outcome", "http", "code", "message", "items", "values", "checks")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class AtlasOutcome(StrEnum):
    """What came of a wrong value."""

    REFUSED = "refused"
    HOLE = "accepted"
    UNKNOWN = "no answer in this run"


@dataclass(frozen=True, kw_only=True)
class AtlasRow:
    """One answer to one kind of wrong value of one field.

    Attributes:
        field: as the contract writes it, or that the request as a whole is wrong.
        violation: what is wrong, in words.
        answer: what came; ``None`` where no check came so far.
        values: names of the values that were answered so.
        checks: ids of the checks.
    """

    operation: str
    field: str
    violation: str
    answer: Answer | None
    values: tuple[str, ...]
    checks: tuple[str, ...]

    @property
    def outcome(self) -> AtlasOutcome:
        """What came."""
        if self.answer is None:
            return AtlasOutcome.UNKNOWN
        return AtlasOutcome.REFUSED if self.answer.refused else AtlasOutcome.HOLE

    @property
    def says(self) -> str:
        """What the refusal says, with what it says of single fields."""
        if self.answer is None or not self.answer.refused:
            return ""
        return "; ".join(dict.fromkeys(filter(None, (self.answer.message, *self.answer.items))))


@dataclass(frozen=True, kw_only=True)
class Collision:
    """One refusal for wrong values of several fields, none of which it names: a merchant cannot see which is wrong."""

    operation: str
    code: str
    says: str
    rows: tuple[AtlasRow, ...]


@dataclass(frozen=True, kw_only=True)
class TwoWrongs:
    """Which of two wrongs of one request is reported.

    Attributes:
        first: the one that the refusal is about; ``both``, or ``neither`` where its words fit none of them.
    """

    operation: str
    one: str
    other: str
    first: str
    says: str
    check: str


@dataclass(frozen=True, kw_only=True)
class Atlas:
    """All that a run says of errors."""

    rows: tuple[AtlasRow, ...]
    collisions: tuple[Collision, ...]
    two_wrongs: tuple[TwoWrongs, ...]

    @property
    def holes(self) -> tuple[AtlasRow, ...]:
        """The wrong values that were accepted."""
        return tuple(row for row in self.rows if row.outcome is AtlasOutcome.HOLE)

    @property
    def unknown(self) -> tuple[AtlasRow, ...]:
        """The wrong values that nothing was seen of."""
        return tuple(row for row in self.rows if row.outcome is AtlasOutcome.UNKNOWN)


def atlas_of(run: Run) -> Atlas:
    """Return the error atlas of a run."""
    rows = tuple(_rows(run))
    return Atlas(rows=rows, collisions=tuple(_collisions(rows)), two_wrongs=tuple(_two_wrongs(run, rows)))


def _rows(run: Run) -> Iterator[AtlasRow]:
    groups: dict[tuple[str, str, str, Answer | None], list[Check]] = {}
    for check in run.checks:
        if check.change is None:
            if check.answer is not None and check.watched is None:
                key = check.answer.operation, WHOLE_REQUEST, check.title.partition(" [")[0], check.answer
                groups.setdefault(key, []).append(check)
        elif not check.change.accepted and not check.change.also and check.verdict is not Verdict.NOT_APPLICABLE:
            operation = check.answer.operation if check.answer else _operation_of(check)
            groups.setdefault((operation, check.change.field, check.change.violation, check.answer), []).append(check)
    for (operation, field, violation, answer), checks in sorted(groups.items(), key=lambda item: item[0][:3]):
        yield AtlasRow(
            operation=operation,
            field=field,
            violation=violation,
            answer=answer,
            values=tuple(dict.fromkeys(check.change.value for check in checks if check.change)),
            checks=tuple(check.id for check in checks),
        )


def _operation_of(check: Check) -> str:
    """Return the file of a check in place of an operation that was never asked for."""
    return check.id.partition("::")[0].removeprefix("suites/")


def _names(field: str, text: str) -> bool:
    lowered = text.lower()
    return any(name and name.lower() in lowered for name in (field, field.rpartition(".")[2]))


def _collisions(rows: Sequence[AtlasRow]) -> Iterator[Collision]:
    groups: dict[tuple[str, str, str], list[AtlasRow]] = {}
    for row in rows:
        if row.answer is None or not row.answer.refused or row.field == WHOLE_REQUEST:
            continue
        if not _names(row.field, row.says):
            groups.setdefault((row.operation, row.answer.code, row.says), []).append(row)
    for (operation, code, says), found in groups.items():
        if len({row.field for row in found}) > 1:
            yield Collision(operation=operation, code=code, says=says, rows=tuple(found))


def _two_wrongs(run: Run, rows: Sequence[AtlasRow]) -> Iterator[TwoWrongs]:
    alone = {(row.operation, row.field, row.violation): row for row in rows}
    for check in run.checks:
        change, answer = check.change, check.answer
        if change is None or not change.also or answer is None:
            continue
        says = "; ".join(dict.fromkeys(filter(None, (answer.message, *answer.items))))
        one, other = Change(field=change.field, violation=change.violation), change.also[0]
        yield TwoWrongs(
            operation=answer.operation,
            one=_change_in_words(one),
            other=_change_in_words(other),
            first=_first(answer, says, one, other, alone),
            says=says if answer.refused else "accepted",
            check=check.id,
        )


def _change_in_words(change: Change) -> str:
    return f"{change.field} {change.violation}"


def _first(
    answer: Answer, says: str, one: Change, other: Change, alone: Mapping[tuple[str, str, str], AtlasRow]
) -> str:
    if not answer.refused:
        return "neither"
    about = [change for change in (one, other) if _is_about(answer, says, change, alone)]
    if len(about) > 1:
        return "both"
    return _change_in_words(about[0]) if about else "neither"


def _is_about(answer: Answer, says: str, change: Change, alone: Mapping[tuple[str, str, str], AtlasRow]) -> bool:
    if _names(change.field, says):
        return True
    row = alone.get((answer.operation, change.field, change.violation))
    return row is not None and (row.answer.code, row.says) == (answer.code, says) if row and row.answer else False


def as_csv(atlas: Atlas) -> str:
    """Return the rows as CSV (RFC 4180); what a spreadsheet would take for a formula gets an apostrophe before it."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(CSV_FIELDS)
    for row in atlas.rows:
        writer.writerow(map(_cell, _cells(row)))
    return out.getvalue()


def _cells(row: AtlasRow) -> Iterable[str]:
    answer = row.answer or Answer(operation=row.operation, refused=False)
    return (
        row.operation,
        row.field,
        row.violation,
        row.outcome.value,
        str(answer.status or ""),
        answer.code,
        answer.message,
        json.dumps(answer.items, ensure_ascii=False) if answer.items else "",
        " ".join(row.values),
        " ".join(row.checks),
    )


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text
