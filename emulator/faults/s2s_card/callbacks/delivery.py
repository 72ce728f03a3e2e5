"""Faults of S2S CARD: callbacks that do not arrive, or not as they should."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.changes.notices import about
from emulator.changes.s2s_card import NOTICES
from emulator.design import Change
from emulator.engine.callbacks.notice import Notice, Value
from emulator.engine.payments import Protocol
from emulator.faults.model import breaks, faults

_PAYMENTS: Final = ("SALE", "DEBIT", "RECURRING_SALE", "RECURRING_DEBIT", "CARD2CARD", "CREDIT2CARD")
_IN_SHORT: Final = ("action", "result", "status", "type", "order_id", "trans_id", "trans_date", "card", "hash")
_OTHER: Final = "11111111-1111-4111-8111-111111111111"


def _as_xml(fields: Mapping[str, Value]) -> tuple[str, bytes]:
    body = "".join(f"<{name}>{value}</{name}>" for name, value in fields.items())
    return "application/xml", f"<callback>{body}</callback>".encode()


def _other_when_repeated(notice: Notice) -> list[Notice]:
    return [replace(notice, fields={**notice.fields, "hash": "0" * 32})]


def _of_nobody_when_repeated(notice: Notice) -> list[Notice]:
    name = "trans_id" if "trans_id" in notice.fields else "id"
    return [replace(notice, fields={**notice.fields, name: _OTHER})]


def _bare_when_repeated(notice: Notice) -> list[Notice]:
    if notice.payment.protocol is not Protocol.S2S_CARD:
        return [notice]
    return [replace(notice, fields={name: value for name, value in notice.fields.items() if name in _IN_SHORT})]


def _once(applies: Callable[[Notice], bool]) -> Change:
    """Of what ``applies`` holds for, a callback that was not taken is given up."""

    def repeat(notice: Notice) -> list[Notice]:
        return [] if notice.payment.protocol is Protocol.S2S_CARD and applies(notice) else [notice]

    return lambda design: design.in_callbacks(repeat=repeat)


FAULTS: Final = faults(
    {
        **{
            f"callback-of-{event.lower().replace('_', '-')}-once": breaks(
                "CBK-DEL-06", f"A callback of {event} that was not taken is not delivered again.", _once(about(event))
            )
            for event in (
                *("CAPTURE", "VOID", "CREDITVOID", "RECURRING_SALE", "RECURRING_DEBIT", "DEBIT", "CARD2CARD"),
                *("CREDIT2CARD", "3DS"),
            )
        },
        "callback-of-declined-payout-once": breaks(
            "CBK-DEL-06",
            "A callback of a declined payout that was not taken is not delivered again.",
            _once(lambda notice: notice.event == "CREDIT2CARD" and notice.fields.get("result") == "DECLINED"),
        ),
        "callback-of-declined-once": breaks(
            "CBK-DEL-06",
            "A callback of a declined payment that was not taken is not delivered again.",
            _once(lambda notice: notice.fields.get("result") == "DECLINED"),
        ),
        "card-settled-unreported": breaks(
            "CBK-DEL-02",
            "S2S CARD payments that settle are not reported.",
            NOTICES.dropped(lambda notice: notice.fields.get("status") == "SETTLED" and notice.event in _PAYMENTS),
        ),
        "callbacks-as-xml": breaks(
            "CBK-DEL-05", "Callbacks are posted as XML.", lambda design: design.in_callbacks(encode=_as_xml)
        ),
        "callbacks-once": breaks(
            "CBK-DEL-06 CBK-DEL-07",
            "A callback that was not taken is not delivered again.",
            lambda design: design.in_callbacks(again=()),
        ),
        "callbacks-refused-are-taken": breaks(
            "CBK-DEL-06",
            "Every answer takes a callback as delivered.",
            lambda design: design.in_callbacks(accepted=lambda _: True),
        ),
        "callbacks-again-wrongly-signed": breaks(
            "CBK-DEL-08",
            "A callback that is delivered again is signed otherwise.",
            lambda design: design.in_callbacks(repeat=_other_when_repeated),
        ),
        "callbacks-again-of-another": breaks(
            "CBK-DEL-08",
            "A callback that is delivered again reports another payment.",
            lambda design: design.in_callbacks(repeat=_of_nobody_when_repeated),
        ),
        "callbacks-again-bare": breaks(
            "CBK-DEL-08",
            "A callback that is delivered again has nothing but what names its payment and its outcome.",
            lambda design: design.in_callbacks(repeat=_bare_when_repeated),
        ),
        "callbacks-taken-with-200-only": breaks(
            "CBK-DEL-09",
            "Only HTTP 200 takes a callback as delivered.",
            lambda design: design.in_callbacks(accepted=lambda status: status == 200),
        ),
    }
)
