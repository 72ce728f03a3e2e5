"""Faults of callbacks that show after a 3DS challenge, and of credits that a session asks for."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from emulator.changes.checkout import NOTICES
from emulator.design import Design
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Protocol
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.payment_record import record_of


def _after_challenge(notice: Notice) -> bool:
    is_over = notice.event not in {"3ds", "redirect"}
    return notice.payment.protocol is Protocol.CHECKOUT and record_of(notice.payment).challenged and is_over


def _wrongly_signed(notice: Notice) -> list[Notice]:
    return [replace(notice, fields={**notice.fields, "hash": "0" * 40}) if _after_challenge(notice) else notice]


def _wrong_hash(design: Design) -> Design:
    return design.in_callbacks(after=(*design.callbacks.after, _wrongly_signed))


def _of_other_order(notice: Notice) -> Iterator[Notice]:
    number = str(notice.fields.get("order_number"))
    yield (
        replace(notice, fields=notice.fields | {"order_number": f"{number}-1"}) if _after_challenge(notice) else notice
    )


def _as_sale(notice: Notice) -> Iterator[Notice]:
    by_page = notice.payment.action == "credit" and not record_of(notice.payment).sent_token
    yield replace(notice, fields=notice.fields | {"type": "sale"}) if by_page else notice


FAULTS: Final = faults(
    {
        "checkout-challenged-callback-wrong-hash": breaks(
            "CBK-SIG-03", "Callbacks after a challenge are wrongly signed.", _wrong_hash
        ),
        "checkout-challenged-callback-missing": breaks(
            "CBK-DEL-01 CBK-DEL-04", "The outcome after a challenge is not notified.", NOTICES.dropped(_after_challenge)
        ),
        "checkout-challenged-callback-other-order": breaks(
            "CBK-ATT-02", "Callbacks after a challenge name another order.", NOTICES.changed(_of_other_order)
        ),
        "checkout-session-credit-reported-as-sale": breaks(
            "CBK-ATT-07", "The payout of a session is reported as a sale.", NOTICES.changed(_as_sale), since="6.6.4"
        ),
    }
)
