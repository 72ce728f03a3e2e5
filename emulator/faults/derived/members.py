"""Faults of members that answers and callbacks lack or say wrongly, from ``members.toml``."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final, Literal

from pydantic import ConfigDict, TypeAdapter

from emulator.changes import checkout, s2s_apm, s2s_card
from emulator.changes.notices import Notices
from emulator.design import Change, all_of
from emulator.faults.model import Fault, breaks, faults
from emulator.wire.replies import Kind

Without = Callable[[str, tuple[str, ...]], Change]
Saying = Callable[[str, object, tuple[str, ...]], Change]


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of the file; its head says what each value means."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    protocol: Literal["checkout", "s2s_card", "s2s_apm"]
    breaks: str
    summary: str
    of: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    saying: Mapping[str, object] = field(default_factory=dict)
    since: str | None = None
    until: str | None = None


def _kinds(names: tuple[str, ...]) -> tuple[Kind, ...]:
    return tuple(Kind[name] for name in names)


_ANSWERS: Final[Mapping[str, tuple[Without, Saying]]] = {
    "checkout": (
        lambda name, of: checkout.leaving_out(name, *_kinds(of)),
        lambda name, value, of: checkout.saying(name, value, *_kinds(of)),
    ),
    "s2s_card": (
        lambda name, of: s2s_card.leaving_out(name, *of),
        lambda name, value, of: s2s_card.saying(name, value, *of),
    ),
    "s2s_apm": (
        lambda name, of: s2s_apm.leaving_out(name, *_kinds(of)),
        lambda name, value, of: s2s_apm.saying(name, value, *_kinds(of)),
    ),
}
_NOTICES: Final[Mapping[str, Notices]] = {
    "checkout": checkout.NOTICES,
    "s2s_card": s2s_card.NOTICES,
    "s2s_apm": s2s_apm.NOTICES,
}


def _of_answers(row: _Row) -> Iterator[Change]:
    without, saying = _ANSWERS[row.protocol]
    yield from (without(name, row.of) for name in row.without)
    yield from (saying(name, value, row.of) for name, value in row.saying.items())


def _of_notices(row: _Row) -> Iterator[Change]:
    notices = _NOTICES[row.protocol]
    yield from (notices.without(name, of=row.of) for name in row.without)
    yield from (notices.saying(name, str(value), *row.of) for name, value in row.saying.items())


def _table(section: str, changes: Callable[[_Row], Iterator[Change]]) -> tuple[Fault, ...]:
    listed = tomllib.loads((Path(__file__).parent / "members.toml").read_text(encoding="utf-8"))[section]
    rows = TypeAdapter(dict[str, _Row]).validate_python(listed)
    return faults(
        {
            name: breaks(row.breaks, row.summary, all_of(*changes(row)), since=row.since, until=row.until)
            for name, row in rows.items()
        }
    )


FAULTS: Final = (*_table("answers", _of_answers), *_table("notices", _of_notices))
