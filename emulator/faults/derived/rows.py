"""Faults that are derived from the rows of the field tables: a rule left out, or a limit off by one."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, cast

from emulator.design import Change, Design
from emulator.faults.model import Fault
from emulator.rules.model import Rule

RowChange = Callable[[Rule], Rule | None]


@dataclass(frozen=True, slots=True)
class _Kind:
    """A way to break a row; ``strict`` ones refuse what the requirement accepts."""

    name: str
    change: RowChange
    says: str
    strict: bool = False


def _left_out(_row: Rule) -> None:
    return None


def _moved(by: int) -> RowChange:
    return lambda row: replace(row, bound=cast("int", row.bound) + by)


def _other_length(*by: int) -> RowChange:
    def change(row: Rule) -> Rule:
        (length,) = cast("tuple[int]", row.bound)
        return replace(row, bound=tuple(length + step for step in by))

    return change


def _without_last(row: Rule) -> Rule:
    return replace(row, bound=cast("tuple[str, ...]", row.bound)[:-1])


def _becomes(keyword: str) -> RowChange:
    return lambda row: replace(row, keyword=keyword, text=row.text or "This value is not valid.")


_IGNORED: Final = _Kind("ignored", _left_out, "the rule is not applied")
_MINIMUM: Final = (
    _IGNORED,
    _Kind("one-tighter", _moved(1), "the limit itself is refused", strict=True),
    _Kind("one-laxer", _moved(-1), "one below the limit is accepted"),
)
_MAXIMUM: Final = (
    _IGNORED,
    _Kind("one-tighter", _moved(-1), "the limit itself is refused", strict=True),
    _Kind("one-laxer", _moved(1), "one above the limit is accepted"),
)
_KINDS: Final[Mapping[str, tuple[_Kind, ...]]] = {
    "required": (_IGNORED,),
    "type": (_IGNORED,),
    "notBlank": (_IGNORED,),
    "pattern": (_IGNORED,),
    "format": (_IGNORED,),
    "known": (_IGNORED,),
    "decimals": (_IGNORED,),
    "positive": (_IGNORED,),
    "combination": (_IGNORED,),
    "minLength": _MINIMUM,
    "minimum": _MINIMUM,
    "maxLength": _MAXIMUM,
    "maximum": _MAXIMUM,
    "length": (
        _IGNORED,
        _Kind("one-tighter", _other_length(1), "only one more is accepted", strict=True),
        _Kind("one-laxer", _other_length(-1, 0, 1), "one less and one more are accepted"),
    ),
    "enum": (_IGNORED, _Kind("last-refused", _without_last, "the last of the values is refused", strict=True)),
    "accepted": (_Kind("refused", _becomes("refused"), "what should be accepted is refused", strict=True),),
    "optional": (_Kind("required", _becomes("required"), "what may be left out is required", strict=True),),
    "handled": (_Kind("server-error", _becomes("breakdown"), "it is answered with a server error"),),
    "handledWithout": (
        _Kind("server-error", _becomes("breakdownWithout"), "its absence is answered with a server error"),
    ),
}


ChangeRows = Callable[[Design, RowChange], Design]


def derived(rows: Iterable[Rule], change_rows: ChangeRows, prefix: str = "") -> Iterator[Fault]:
    """The faults of every row that restates a requirement; ``change_rows`` reaches the table that the rows are of."""
    found: dict[str, Fault] = {}
    for row in rows:
        for fault in _of_row(row, change_rows, prefix):
            known = found.get(fault.name)
            found[fault.name] = fault if known is None else _of_both(known, fault)
    yield from found.values()


def _of_row(row: Rule, change_rows: ChangeRows, prefix: str) -> Iterator[Fault]:
    for kind in _KINDS.get(row.keyword, ()):
        broken = row.accepts or row.requirement if kind.strict else row.requirement
        if not broken or (row.faults is not None and kind.name not in row.faults):
            continue
        yield Fault(
            name=f"{prefix}{row.label}.{kind.name}",
            requirements=(broken,),
            summary=f"{row.path}, {row.keyword}{_bound(row)}: {kind.says}.",
            change=_changing(change_rows, row.label, kind.change, () if kind.strict else row.hidden_by),
            since=row.since,
            until=row.until,
        )


def _of_both(first: Fault, second: Fault) -> Fault:
    """One fault for two rows that follow each other in the releases."""
    requirements = tuple(dict.fromkeys((*first.requirements, *second.requirements)))
    return replace(first, requirements=requirements, since=None, until=None)


def _bound(row: Rule) -> str:
    return f" {row.bound}" if isinstance(row.bound, int | str | tuple) else ""


def _changing(change_rows: ChangeRows, label: str, change: RowChange, hidden_by: tuple[str, ...]) -> Change:
    def changed(row: Rule) -> Rule | None:
        own = row.label
        if own in hidden_by:
            return None
        return change(row) if own == label else row

    return lambda design: change_rows(design, changed)
