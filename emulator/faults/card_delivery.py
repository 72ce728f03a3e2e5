"""Faults of S2S CARD: callbacks that do not arrive, or not as they should."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from emulator.callbacks.notice import Notice, Value
from emulator.design import Change
from emulator.faults.model import Fault
from emulator.faults.posts import telling
from emulator.payments.model import Protocol

_ANY: Final = ("CBK-*", "S2C-SCH-*", "S2C-SCP-*")
_PAYMENTS: Final = ("SALE", "DEBIT", "RECURRING_SALE", "RECURRING_DEBIT", "CARD2CARD", "CREDIT2CARD")
_OTHER: Final = "11111111-1111-4111-8111-111111111111"


def _untold_when(applies: Callable[[Notice], bool]) -> Change:
    def change(notice: Notice) -> Iterator[Notice]:
        if notice.payment.protocol is not Protocol.S2S_CARD or not applies(notice):
            yield notice

    return telling(change)


def _result(word: str) -> Callable[[Notice], bool]:
    return lambda notice: notice.fields.get("result") == word


def _as_xml(fields: Mapping[str, Value]) -> tuple[str, bytes]:
    body = "".join(f"<{name}>{value}</{name}>" for name, value in fields.items())
    return "application/xml", f"<callback>{body}</callback>".encode()


def _other_when_repeated(notice: Notice) -> list[Notice]:
    return [replace(notice, fields={**notice.fields, "hash": "0" * 32})]


def _of_nobody_when_repeated(notice: Notice) -> list[Notice]:
    name = "trans_id" if "trans_id" in notice.fields else "id"
    return [replace(notice, fields={**notice.fields, name: _OTHER})]


FAULTS: Final = (
    Fault(
        "card-settled-untold",
        ("CBK-DEL-02",),
        "S2S CARD payments that settle are not told.",
        _untold_when(lambda notice: notice.fields.get("status") == "SETTLED" and notice.event in _PAYMENTS),
        _ANY,
    ),
    Fault(
        "card-declined-untold",
        ("CBK-DEL-04",),
        "Declined S2S CARD payments are not told.",
        _untold_when(_result("DECLINED")),
        _ANY,
    ),
    Fault(
        "callbacks-as-xml",
        ("CBK-DEL-05",),
        "Callbacks are posted as XML.",
        lambda design: design.in_callbacks(encode=_as_xml),
        ("CBK-*", "CHK-*", "S2C-*", "APM-*"),
    ),
    Fault(
        "callbacks-once",
        ("CBK-DEL-06", "CBK-DEL-07"),
        "A callback that was not taken is not delivered again.",
        lambda design: design.in_callbacks(again=()),
        ("CBK-DEL-08",),
    ),
    Fault(
        "callbacks-refused-are-taken",
        ("CBK-DEL-06",),
        "Every answer takes a callback as delivered.",
        lambda design: design.in_callbacks(accepted=lambda _: True),
        ("CBK-DEL-08",),
    ),
    Fault(
        "callbacks-again-wrongly-signed",
        ("CBK-DEL-08",),
        "A callback that is delivered again is signed otherwise.",
        lambda design: design.in_callbacks(repeat=_other_when_repeated),
        ("CBK-DEL-06", "CBK-DEL-07"),
    ),
    Fault(
        "callbacks-again-of-another",
        ("CBK-DEL-08",),
        "A callback that is delivered again tells of another payment.",
        lambda design: design.in_callbacks(repeat=_of_nobody_when_repeated),
        ("CBK-DEL-06", "CBK-DEL-07"),
    ),
    Fault(
        "callbacks-taken-with-200-only",
        ("CBK-DEL-09",),
        "Only HTTP 200 takes a callback as delivered.",
        lambda design: design.in_callbacks(accepted=lambda status: status == 200),
    ),
)
