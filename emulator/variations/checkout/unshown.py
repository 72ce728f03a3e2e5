"""Variations of what lines 337 to 342 leave open: where look-ups by order are asked, and what half a pair is called."""

from dataclasses import replace
from typing import Final

from emulator.changes.checkout import NOTICES, first
from emulator.changes.checkout_sessions import first as first_in_session
from emulator.changes.checkout_sessions import refusing
from emulator.changes.stages import refusal_if
from emulator.design import Design, all_of
from emulator.engine.callbacks.notice import Fields
from emulator.protocols.checkout.behaviour import Operation, PostAttempt
from emulator.protocols.checkout.session import Attempt
from emulator.rules.model import Rule
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Kind, Refusal
from emulator.wire.values import Object, child


def _by_payment_only(operation: Operation) -> Operation:
    return replace(operation, rows=(*operation.rows, Rule("payment_id", "required")))


def _elsewhere(design: Design) -> Design:
    """Look-ups by order have an address of their own; that of look-ups by payment asks for a payment_id."""
    own = replace(design.checkout.operations["status"], path="/api/v1/order/status")
    changed = design.in_operations(_by_payment_only, "status")
    return changed.in_checkout(operations={**changed.checkout.operations, "status_by_order": own})


_HALVES: Final = ("recurring_init_trans_id", "recurring_token")


def _half_a_pair_does_not_match(design: Design) -> Design:
    """Line 337 names both, line 60 the first for purchases only, and line 342 says that fields are not shown."""
    return design.with_checkout_rows(
        "recurring", lambda row: None if row.path in _HALVES and row.keyword == "required" else row
    )


_BLANK: Final = Refusal(
    Kind.CHECKOUT_FIELDS, INVALID_DATA, violations=(("trans_id", "This value should not be blank."),)
)


def _named_by_trans_id(attempt: PostAttempt) -> Refusal | None:
    named = attempt.body.get("trans_id")
    attempt.body = {**attempt.body, "payment_id": named}
    return None if named else _BLANK


_NOT_SIGNED: Final = Refusal(Kind.SIGNATURE, "Hash is not valid")
_SIGNED: Final = ("number", "currency", "description")


def _lacks_what_is_signed(attempt: Attempt) -> bool:
    order = attempt.body.get("order")
    return isinstance(order, dict) and any(order.get(name) is None for name in _SIGNED)


def _names_no_payment(attempt: PostAttempt) -> bool:
    return not ("payment_id" in attempt.body or "order_id" in attempt.body)


def _nothing_is_signed(design: Design) -> Design:
    """What a missing value adds to a signature is not stated: nobody can make one without it."""
    sessions = first_in_session(refusal_if(_lacks_what_is_signed, _NOT_SIGNED))
    return first(refusal_if(_names_no_payment, _NOT_SIGNED), "status")(sessions(design))


def _with_its_time(fields: Fields) -> Fields:
    day = fields.get("first_recurring_date")
    return fields | {"first_recurring_date": f"{day} 00:00:00"} if day else fields


def _unknown_network(body: Object) -> bool:
    network = child(body, "crypto", "network")
    return isinstance(network, str) and len(set(network)) == 1


def _no_name(body: Object) -> bool:
    name = child(body, "customer", "name")
    return isinstance(name, str) and len(set(name)) == 1


VARIATIONS: Final = (
    Variation(
        "captures-by-trans-id",
        "A capture names its payment in trans_id, and payment_id is not looked at.",
        first(_named_by_trans_id, "capture"),
    ),
    Variation(
        "signature-of-what-is-missing",
        "A request that lacks a value which is signed has a wrong signature.",
        _nothing_is_signed,
    ),
    Variation(
        "values-have-to-make-sense",
        "A network has to be known, and a name to be one; the length of either is not all that counts.",
        all_of(
            refusing("crypto.network", _unknown_network, "This network is not known."),
            refusing("customer.name", _no_name),
        ),
    ),
    Variation(
        "checkout-dates-with-their-time",
        "first_recurring_date is a point in time.",
        NOTICES.fields(_with_its_time),
    ),
    Variation("half-a-recurring-pair", "Half a pair is one that does not match.", _half_a_pair_does_not_match),
    Variation("look-ups-by-order-elsewhere", "Look-ups by order have an address of their own.", _elsewhere),
)
