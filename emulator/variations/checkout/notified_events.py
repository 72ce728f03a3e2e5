"""Variations of which events of a payment Checkout notifies, and in which order: line 427 does not show it."""

from dataclasses import replace
from typing import Any, Final

from emulator.changes.checkout import NOTICES, answering, leaving_out
from emulator.design import all_of
from emulator.engine.callbacks.notice import Notice
from emulator.variations.model import Variation
from emulator.wire.replies import Kind

_OF_LATER_CHANGES: Final = ("capture", "void", "refund")
_KNOWN_AT_ONCE: Final = ("id", "order_number", "order_amount", "order_currency", "order_description", "type", "date")
_OF_CHAINS: Final = ("recurring_token", "recurring_init_trans_id")
_STORED: Final = (*_OF_CHAINS, "card_token", "schedule_id")
_OF_EVERY_DEBIT: Final = ("card_token", "card", "card_expiration_date")


def _pending_first(notice: Notice) -> tuple[Notice, ...]:
    """What is known only once a payment has settled is not in the callback before that."""
    is_known = any(name.casefold() == "arn" and value for name, value in notice.fields.items())
    if notice.event in _OF_LATER_CHANGES or notice.fields.get("order_status") != "settled" or is_known:
        return (notice,)
    names = (*_KNOWN_AT_ONCE, *(_OF_EVERY_DEBIT if notice.payment.action == "debit" else ()))
    known = {name: notice.fields[name] for name in names if name in notice.fields}
    return (replace(notice, fields={**known, "status": "waiting", "order_status": "pending"}), notice)


def _is_settled(notice: Notice) -> bool:
    return notice.event not in _OF_LATER_CHANGES and notice.fields.get("order_status") == "settled"


def _success_first(notice: Notice) -> tuple[Notice, ...]:
    """A purchase is authorized and captured in two steps: a success that is pending, and then settled."""
    if not _is_settled(notice) or notice.fields.get("type") != "sale":
        return (notice,)
    known = {name: value for name, value in notice.fields.items() if name not in _OF_CHAINS}
    return (replace(notice, fields={**known, "status": "success", "order_status": "pending"}), notice)


def _what_is_stored_follows(notice: Notice) -> tuple[Notice, ...]:
    """What the vault gives comes in a callback of its own; of a debit every callback has its card_token (line 419)."""
    names = [name for name in _STORED if name != "card_token" or notice.payment.action != "debit"]
    if not _is_settled(notice) or not any(name in notice.fields for name in names):
        return (notice,)
    return (replace(notice, fields={name: one for name, one in notice.fields.items() if name not in names}), notice)


def _of_a_chain(shown: dict[str, Any]) -> dict[str, Any]:
    """Lines 17, 288 and 496 do not say that each use of a token is a card on file: the payer chooses the card."""
    of_chain = shown.get("source") == "recurring" or shown.get("initiator") == "merchant"
    marks = () if of_chain else ("initiator", "source", "sequence")
    return {name: value for name, value in shown.items() if name not in marks}


def _is_promised(notice: Notice) -> bool:
    """Lines 415 and 419 to 422 are about payments that settle, charges and payouts."""
    return _is_settled(notice)


def _debit_alone(notice: Notice) -> tuple[Notice, ...]:
    """Line 419 speaks of debits; what is done to one is an operation of its own, as REFUND of line 422."""
    if notice.event not in _OF_LATER_CHANGES or notice.payment.action != "debit":
        return (notice,)
    return (replace(notice, fields={name: one for name, one in notice.fields.items() if name not in _OF_EVERY_DEBIT}),)


def _called_auth(notice: Notice) -> tuple[Notice, ...]:
    """Line 422 has AUTH beside SALE: what is only held is none of the other."""
    fields = notice.fields
    if (fields.get("type"), fields.get("status"), fields.get("order_status")) != ("sale", "success", "pending"):
        return (notice,)
    return (replace(notice, fields={**fields, "type": "auth"}),)


VARIATIONS: Final = (
    Variation(
        "checkout-callbacks-of-holds-have-the-type-auth",
        "The callback of an authorization in Checkout has the type auth, and that of its capture the type that it had.",
        NOTICES.changed(_called_auth),
    ),
    Variation(
        "checkout-callbacks-of-changed-debits-without-token",
        "Callbacks of refunds and voids of debits have neither card_token nor card.",
        NOTICES.changed(_debit_alone),
    ),
    Variation(
        "checkout-callbacks-some-attributes",
        "The mapping adds one discriminator, also to look-ups, and of the payer no district and no date of birth.",
        all_of(
            NOTICES.without("source", "sequence", "payer_district", "payer_birth_date"),
            *(leaving_out(name, Kind.CHECKOUT_STATUS) for name in ("source", "sequence")),
        ),
    ),
    Variation(
        "checkout-card-on-file-of-chains-alone",
        "Payments of a chain alone are marked as those by a card on file, and not those by a token on the page.",
        all_of(
            NOTICES.changed(lambda notice: (replace(notice, fields=_of_a_chain(notice.fields)),)),
            answering(_of_a_chain, Kind.CHECKOUT_STATUS),
        ),
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
    Variation(
        "checkout-callbacks-success-first",
        "A purchase is reported as a success that is pending, and then as settled.",
        NOTICES.changed(_success_first),
    ),
    Variation(
        "checkout-callbacks-of-the-vault-follow",
        "Tokens and schedules come in a callback of their own, after that of the outcome.",
        NOTICES.changed(_what_is_stored_follows),
    ),
)
