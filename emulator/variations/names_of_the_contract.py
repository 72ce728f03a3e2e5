"""Variations of callbacks and look-ups that name things as the contract does, not as public documents do."""

from dataclasses import replace
from typing import Final

from emulator.changes import s2s_apm, s2s_card
from emulator.changes.checkout import NOTICES, answering
from emulator.design import all_of
from emulator.engine.callbacks import signatures
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.variations.model import Variation
from emulator.wire.replies import Kind
from emulator.wire.values import Object

_CHECKOUT: Final = {"id": "payment_id", "order_number": "order_id"}
_TYPES: Final = {
    "SALE": "sale",
    "DEBIT": "debit",
    "CARD2CARD": "transfer",
    "RECURRING_SALE": "recurring",
    "RECURRING_DEBIT": "recurring",
    "CAPTURE": "capture",
    "VOID": "void",
    "CREDITVOID": "refund",
    "CREDIT2CARD": "credit",
    "CREDIT2VIRTUAL": "credit",
}


_DEEDS: Final = ("CAPTURE", "VOID", "CREDITVOID")
_SAY_THE_DEED: Final = {"VOID": "voided", "REFUND": "refunded", "REVERSAL": "released"}


def _renamed(notice: Notice) -> list[Notice]:
    # Signed by then: the values stay the same.
    fields = {_CHECKOUT.get(name, name): value for name, value in notice.fields.items()}
    return [Notice(notice.payment, notice.event, fields, notice.attempt)]


def _by_order_status(fields: Fields) -> Fields:
    kept = {name: value for name, value in fields.items() if name not in ("status", "result")}
    return kept | {"order_status": str(fields["status"]).lower()} if "status" in fields else kept


def _by_type(fields: Fields) -> Fields:
    kept = {name: value for name, value in fields.items() if name != "action"}
    return {"type": _TYPES.get(str(fields.get("action")), "sale"), **kept}


def _action_of_the_payment(notice: Notice) -> list[Notice]:
    later = {"CAPTURE", "VOID", "CREDITVOID"}
    if notice.fields.get("action") not in later:
        return [notice]
    fields = {**notice.fields, "action": notice.payment.action, "type": _TYPES[str(notice.fields["action"])]}
    return [Notice(notice.payment, notice.event, fields, notice.attempt)]


def _type_of_the_payment(notice: Notice) -> list[Notice]:
    fields = notice.fields
    if fields.get("action") not in _DEEDS or fields.get("status") not in _SAY_THE_DEED:
        return [replace(notice, fields=_by_type(fields))]
    kept = {name: value for name, value in fields.items() if name not in ("action", "result", "status")}
    said = {"type": _TYPES[notice.payment.action], "order_status": _SAY_THE_DEED[str(fields["status"])]}
    return [replace(notice, fields={**said, **kept})]


def _refund_as_credit(fields: Fields) -> Fields:
    if fields.get("action") != "CREDITVOID":
        return fields
    return {"type": "credit", **{name: value for name, value in fields.items() if name != "action"}}


def _browserless(fields: Fields) -> Fields:
    return {name: value for name, value in fields.items() if not name.startswith("browser_")}


def _result_capitalized(fields: Fields) -> Fields:
    return fields | {"result": str(fields["result"]).capitalize()} if "result" in fields else fields


def _flat(body: Object) -> Object:
    order = body.get("order")
    if not isinstance(order, dict):
        return body
    kept = {name: value for name, value in body.items() if name != "order"}
    flat = {f"order_{'id' if name == 'number' else name}": value for name, value in order.items()}
    return {**kept, **flat}


def _password_as_it_is(notice: Notice) -> str:
    if notice.event == "CREDIT2VIRTUAL":
        return signatures.s2s_apm(notice)
    joined = signatures.sorted_leaves(notice.fields).upper()
    return signatures.digest(notice, joined + notice.payment.account.password.encode())


def _amount_of_order(fields: Fields) -> Fields:
    named = {} if fields.get("action") in _DEEDS else {"amount": "order_amount", "currency": "order_currency"}
    return {named.get(name, name): value for name, value in fields.items()}


VARIATIONS: Final = (
    Variation(
        "s2s-callbacks-name-order-amount",
        "S2S callbacks of sales name order_amount and order_currency in place of amount and currency.",
        all_of(s2s_card.NOTICES.fields(_amount_of_order), s2s_apm.NOTICES.fields(_amount_of_order)),
    ),
    Variation(
        "apm-callbacks-password-as-it-is",
        "Signatures of S2S APM callbacks end with the password in its own case, as those of requests do.",
        s2s_apm.NOTICES.signed(_password_as_it_is),
    ),
    Variation(
        "checkout-callbacks-name-by-contract",
        "Checkout callbacks name payment and order in payment_id and order_id.",
        NOTICES.changed_when_signed(_renamed),
    ),
    Variation(
        "s2s-callbacks-order-status",
        "S2S callbacks report the outcome in order_status alone.",
        all_of(s2s_card.NOTICES.fields(_by_order_status), s2s_apm.NOTICES.fields(_by_order_status)),
    ),
    Variation(
        "s2s-callbacks-result-capitalized",
        "S2S callbacks say Success, Declined and Redirect in their result.",
        all_of(s2s_card.NOTICES.fields(_result_capitalized), s2s_apm.NOTICES.fields(_result_capitalized)),
    ),
    Variation(
        "card-callbacks-without-browser",
        "S2S CARD callbacks have of the browser only what the merchant sent, and it sent nothing.",
        s2s_card.NOTICES.fields(_browserless),
    ),
    Variation(
        "s2s-callbacks-type-for-action",
        "S2S callbacks have a type in place of the action.",
        all_of(s2s_card.NOTICES.fields(_by_type), s2s_apm.NOTICES.fields(_by_type)),
    ),
    Variation(
        "s2s-callbacks-action-of-the-payment",
        "S2S callbacks of what is done with a payment later have the action of the payment, and a type that says it.",
        all_of(s2s_card.NOTICES.changed(_action_of_the_payment), s2s_apm.NOTICES.changed(_action_of_the_payment)),
    ),
    Variation(
        "s2s-callbacks-type-of-the-payment",
        "S2S callbacks have no action; those of voids and refunds have the payment's type, and say it by the status.",
        all_of(s2s_card.NOTICES.changed(_type_of_the_payment), s2s_apm.NOTICES.changed(_type_of_the_payment)),
    ),
    Variation(
        "s2s-card-refunds-of-type-credit",
        "Callbacks of a CREDITVOID have the type credit and no action.",
        s2s_card.NOTICES.fields(_refund_as_credit),
    ),
    Variation(
        "look-up-flat-order",
        "Look-ups and charges of Checkout show the order in members beside those of the payment.",
        answering(_flat, Kind.CHECKOUT_STATUS, Kind.CHECKOUT_RECURRING),
    ),
)
