"""Faults of members of answers and callbacks, and of callbacks that never come, from ``members.toml``."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final, Literal, cast

from pydantic import ConfigDict, TypeAdapter

from emulator.changes import checkout, s2s_apm, s2s_card
from emulator.changes.notices import About, Notices
from emulator.design import Change
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.payments import Payment, State
from emulator.faults.model import Fault, breaks, faults
from emulator.protocols.checkout.payment_record import record_of as checkout_record
from emulator.protocols.s2s_card.payment_record import record_of as card_record
from emulator.wire.replies import Kind
from emulator.wire.values import Object


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of the file; its head says what each value means."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    protocol: Literal["checkout", "s2s_card", "s2s_apm"]
    breaks: str
    summary: str
    of: tuple[str, ...] = ()
    by: str | None = None
    states: tuple[str, ...] = ()
    challenged: bool | None = None
    where: Mapping[str, object] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    saying: Mapping[str, object] = field(default_factory=dict)
    setting: Mapping[str, object] = field(default_factory=dict)
    adding: Mapping[str, object] = field(default_factory=dict)
    dropped: bool = False
    since: str | None = None
    until: str | None = None

    def shows(self, body: Mapping[str, object]) -> bool:
        """Whether the members are those of ``where``."""
        return all(body.get(name) == value for name, value in self.where.items())

    def changed(self, body: Mapping[str, object]) -> Object:
        """The members that are there in place of ``body``."""
        if not self.shows(body):
            return dict(body)
        kept = {name: value for name, value in body.items() if name not in self.without}
        said = {name: value for name, value in self.saying.items() if name in kept}
        return {**self.adding, **kept, **said, **self.setting}


def _kinds(names: tuple[str, ...]) -> tuple[Kind, ...]:
    return tuple(Kind[name] for name in names)


_ANSWERS: Final[Mapping[str, Callable[[_Row], Change]]] = {
    "checkout": lambda row: checkout.answering(row.changed, *_kinds(row.of)),
    "s2s_card": lambda row: s2s_card.answering(row.changed, *row.of),
    "s2s_apm": lambda row: s2s_apm.answering(row.changed, *_kinds(row.of)),
}
_NOTICES: Final[Mapping[str, Notices]] = {
    "checkout": checkout.NOTICES,
    "s2s_card": s2s_card.NOTICES,
    "s2s_apm": s2s_apm.NOTICES,
}
_CHALLENGED: Final[Mapping[str, Callable[[Payment], bool]]] = {
    "checkout": lambda payment: checkout_record(payment).challenged,
    "s2s_card": lambda payment: card_record(payment).challenged,
}


def _concerning(row: _Row) -> About:
    states = {State[name] for name in row.states}

    def applies(notice: Notice) -> bool:
        payment = notice.payment
        return (
            (not row.of or notice.event in row.of)
            and (row.by is None or payment.action == row.by)
            and (not states or payment.state in states)
            and (row.challenged is None or _CHALLENGED[row.protocol](payment) is row.challenged)
            and row.shows(notice.fields)
        )

    return applies


def _of_answers(row: _Row) -> Change:
    return _ANSWERS[row.protocol](row)


def _of_notices(row: _Row) -> Change:
    notices, applies = _NOTICES[row.protocol], _concerning(row)
    return (
        notices.dropped(applies)
        if row.dropped
        else notices.where(applies, lambda said: cast("Fields", row.changed(said)))
    )


def _table(section: str, change: Callable[[_Row], Change]) -> tuple[Fault, ...]:
    listed = tomllib.loads((Path(__file__).parent / "members.toml").read_text(encoding="utf-8"))[section]
    rows = TypeAdapter(dict[str, _Row]).validate_python(listed)
    return faults(
        {
            name: breaks(row.breaks, row.summary, change(row), since=row.since, until=row.until)
            for name, row in rows.items()
        }
    )


FAULTS: Final = (*_table("answers", _of_answers), *_table("notices", _of_notices))
