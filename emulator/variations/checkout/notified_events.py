"""Variations of which events of a payment Checkout notifies, and in which order: line 427 does not show it."""

from dataclasses import replace
from typing import Final

from emulator.changes.checkout import NOTICES
from emulator.engine.callbacks.notice import Notice
from emulator.variations.model import Variation

_OF_LATER_CHANGES: Final = ("capture", "void", "refund")
_KNOWN_AT_ONCE: Final = ("id", "order_number", "order_amount", "order_currency", "order_description", "type", "date")
_OF_EVERY_DEBIT: Final = ("card_token", "card", "card_expiration_date")


def _pending_first(notice: Notice) -> tuple[Notice, ...]:
    """What is known only once a payment has settled is not in the callback before that."""
    if notice.event in _OF_LATER_CHANGES or notice.fields.get("order_status") != "settled":
        return (notice,)
    names = (*_KNOWN_AT_ONCE, *(_OF_EVERY_DEBIT if notice.payment.action == "debit" else ()))
    known = {name: notice.fields[name] for name in names if name in notice.fields}
    return (replace(notice, fields={**known, "status": "waiting", "order_status": "pending"}), notice)


def _is_promised(notice: Notice) -> bool:
    """Lines 415 and 419 to 422 are about payments that settle, charges and payouts."""
    return notice.event not in _OF_LATER_CHANGES and notice.fields.get("order_status") == "settled"


VARIATIONS: Final = (
    Variation(
        "checkout-callbacks-some-attributes",
        "The mapping adds one discriminator, and of the payer no district and no date of birth.",
        NOTICES.without("source", "sequence", "payer_district", "payer_birth_date"),
    ),
    Variation(
        "checkout-callbacks-three-ds-of-the-scheme-only",
        "Callbacks of Checkout have the ids of 3DS, and neither transStatus nor authenticationFlow.",
        NOTICES.without("transStatus", "authenticationFlow"),
    ),
    Variation(
        "checkout-callbacks-of-settled-payments-only",
        "Neither declines, authorizations and challenges are notified, nor captures, voids and refunds.",
        NOTICES.dropped(lambda notice: not _is_promised(notice)),
    ),
    Variation(
        "checkout-callbacks-pending-first",
        "A callback reports a payment as pending before one reports it as settled.",
        NOTICES.changed(_pending_first),
    ),
)
