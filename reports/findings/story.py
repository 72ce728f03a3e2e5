"""What happened in a check, step by step: each exchange under a title of action, amount and outcome, as fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from reports.findings.bodies import CALLBACK, asked_of_target, fields_from_target
from reports.findings.cause import Cause, Deviation, decisive_exchange, field_accepted, is_refusal
from reports.findings.places import operation_of
from reports.model import Check, Exchange
from reports.text import one_line

_OWN_IDS = ("trans_id", "payment_id", "id")
_IDS = (*_OWN_IDS, "recurring_first_trans_id")
_REFUNDING_BY_ORDER = "card credit"
_AMOUNTS = ("amount", "order_amount", "order.amount")
_CURRENCIES = ("currency", "order_currency", "order.currency")
_ORDERS = ("order_id", "order.number")
_OUTCOMES = ("order_status", "status", "result")
_TITLE = 160
_SHOWN_VALUE = 80
_COUNTED_AT_A_GLANCE = 16
_INDEX = re.compile(r"\[(\w+)\]")


@dataclass(frozen=True)
class Field:
    """A member of a body.

    Attributes:
        marked: it is what the finding is about.
        missing: it is not there, and should be.
    """

    name: str
    value: str
    marked: bool = False
    missing: bool = False


@dataclass(frozen=True, kw_only=True)
class Step:
    """One exchange of a story.

    Attributes:
        title: for example ``CAPTURE 4.00 of payment 1 → SETTLED``.
        decisive: the failure quotes it.
        sent: the fields of the request; empty where it is no JSON and no form.
        received: those of the reply; of a callback, what the target posted.
        after_s: seconds since the exchange before it began; ``None`` where that is not known.
    """

    number: int
    title: str
    exchange: Exchange
    decisive: bool
    sent: tuple[Field, ...]
    received: tuple[Field, ...]
    after_s: float | None = None

    @property
    def began(self) -> str:
        """The time of the day at which it began, in UTC; empty where that is not known."""
        if not self.exchange.at:
            return ""
        return datetime.fromtimestamp(self.exchange.at, UTC).isoformat(timespec="milliseconds")[11:23]

    @property
    def by_target(self) -> bool:
        """The target began it: a callback."""
        return self.exchange.protocol == CALLBACK


def story_of(check: Check, exchanges: Sequence[Exchange], cause: Cause | None = None) -> tuple[Step, ...]:
    """Return the exchanges of a check, oldest first.

    Args:
        check: the check.
        exchanges: what was kept of it.
        cause: what is wrong; the members that it names are marked in the exchange that decides.
    """
    decisive = decisive_exchange(check, exchanges)
    payments = _numbered(exchanges)
    names = frozenset(_members(cause)) if cause else frozenset()
    missing = names if cause and cause.deviation is Deviation.MISSING else frozenset()
    changed = frozenset(_changed(check))
    return tuple(
        Step(
            number=number,
            title=one_line(_title(exchange, payments), _TITLE),
            exchange=exchange,
            decisive=exchange is decisive,
            sent=tuple(_sent(asked_of_target(exchange), changed if exchange is decisive else frozenset())),
            received=tuple(_marked(fields_from_target(exchange), names, missing))
            if exchange is decisive
            else tuple(_fields(fields_from_target(exchange))),
            after_s=_after(exchanges, number),
        )
        for number, exchange in enumerate(exchanges, start=1)
    )


def what_was_sent(steps: Sequence[Step]) -> tuple[str, ...]:
    """Return the fields that a check is about, as they were sent: name and value, or that they were left out."""
    return tuple(
        f"{field.name}: {'left out' if field.missing else _shown(field.value)}"
        for step in steps
        for field in step.sent
        if field.marked
    )


def _shown(value: str) -> str:
    """Return a value in quotes, so that blanks and line ends at its edges are seen; a long one with its length."""
    length = f" ({len(value)} characters)" if len(value) > _COUNTED_AT_A_GLANCE else ""
    if len(value) <= _SHOWN_VALUE:
        return f"{value!r}{length}"
    return f"{value[: _SHOWN_VALUE // 2]!r} … {value[-10:]!r}{length}"


def _changed(check: Check) -> Iterator[str]:
    """Yield the fields that a check changes of a valid request."""
    if check.change:
        yield from (change.field for change in (check.change, *check.change.also))
    elif field := field_accepted(check):
        yield field


def _sent(fields: Mapping[str, str], changed: frozenset[str]) -> Iterator[Field]:
    paths = {name: _path(name) for name in fields}
    asked = {_path(name): name for name in changed}
    there = {path: [name for name, full in paths.items() if _is_at(path, full)] for path in asked}
    marked = {name for names in there.values() for name in names}
    yield from (Field(name, value, marked=name in marked) for name, value in fields.items())
    yield from (Field(asked[path], "", marked=True, missing=True) for path, names in there.items() if not names)


def _is_at(path: str, full: str) -> bool:
    """Return whether a field stands at a path or below it; checks may name a path from anywhere in the body."""
    return f".{path}." in f".{full}."


def _path(name: str) -> str:
    return _INDEX.sub(r".\1", name)


def _after(exchanges: Sequence[Exchange], number: int) -> float | None:
    if number == 1 or not (exchanges[number - 1].at and exchanges[number - 2].at):
        return None
    return round(max(0.0, exchanges[number - 1].at - exchanges[number - 2].at), 3)


def _members(cause: Cause) -> Iterator[str]:
    if cause.deviation is Deviation.SIGNATURE:
        yield "hash"
    elif cause.deviation in {Deviation.MISSING, Deviation.DIFFERENT}:
        for part in cause.subject.replace("; ", ", ").split(", "):
            yield part.partition(" is ")[0]


def _fields(fields: Mapping[str, str]) -> Iterator[Field]:
    yield from (Field(name, value) for name, value in fields.items())


def _marked(fields: Mapping[str, str], names: frozenset[str], missing: frozenset[str]) -> Iterator[Field]:
    yield from (Field(name, value, marked=name in names) for name, value in fields.items())
    yield from (Field(name, "", marked=True, missing=True) for name in sorted(missing) if name not in fields)


def _numbered(exchanges: Sequence[Exchange]) -> Mapping[str, int]:
    """Give each payment a number, in the order in which they appear; the ids of one message are all of one payment.

    So is its order, which names the first payment that has it: a card credit may give a payment back by that alone.
    """
    found: dict[str, int] = {}
    for exchange in exchanges:
        for fields in (asked_of_target(exchange), fields_from_target(exchange)):
            own = [value for name in _OWN_IDS if (value := fields.get(name))]
            for names in (own, [value for name in _IDS[-1:] if (value := fields.get(name))]):
                number = next((found[name] for name in names if name in found), max(found.values(), default=0) + 1)
                for name in names:
                    found.setdefault(name, number)
            if own and (order := _first(fields, _ORDERS)):
                found.setdefault(order, found[own[0]])
    return found


def _title(exchange: Exchange, payments: Mapping[str, int]) -> str:
    received, asked = fields_from_target(exchange), asked_of_target(exchange)
    if exchange.protocol == CALLBACK:
        what = f"callback {_first(received, ('action', 'type'))}".strip()
    else:
        what = operation_of(exchange) or f"{exchange.method} {exchange.protocol.lower() or exchange.url}"
    amount = " ".join(filter(None, (_first(asked, _AMOUNTS), _first(asked, _CURRENCIES))))
    ids = [fields[name] for fields in (asked, received) for name in _IDS if fields.get(name)]
    if what == _REFUNDING_BY_ORDER:
        ids = [order for order in (_first(asked, _ORDERS),) if order in payments] + ids
    of = f" of payment {payments[ids[0]]}" if ids else ""
    return f"{what}{f' {amount}' if amount else ''}{of} → {_outcome(exchange, received)}"


def _first(fields: Mapping[str, str], names: Sequence[str]) -> str:
    return next((fields[name] for name in names if fields.get(name)), "")


def _outcome(exchange: Exchange, fields: Mapping[str, str]) -> str:
    if exchange.protocol == CALLBACK:
        return _first(fields, _OUTCOMES) or "posted by the target"
    if exchange.status is None:
        return "no reply"
    if is_refusal(exchange, fields):
        says = " ".join(filter(None, (fields.get("error_code", ""), fields.get("error_message", ""))))
        return f"refused: {says or f'HTTP {exchange.status}'}"
    if "redirect_url" in fields and not _first(fields, _OUTCOMES):
        return "opened"
    return _first(fields, _OUTCOMES) or f"HTTP {exchange.status}"
