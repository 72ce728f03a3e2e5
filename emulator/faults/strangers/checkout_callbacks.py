"""Faults of Checkout callbacks: one attribute is stale or misread, a delivery is lost, a signature misses its values.

Numbers of lines are those of the interface description.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.checkout import NOTICES
from emulator.changes.hosted_fields import hosted
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.session import Attempt

_NEW: Final = "6.7.0"
OrderKey = tuple[str, str]


def _order_of(notice: Notice) -> OrderKey:
    return notice.payment.account.key, notice.payment.order_number


# --- what is signed ---


def _signing(change: Callable[[Fields], Fields]) -> Change:
    """The hash is made over what ``change`` makes of the fields that are sent."""

    def changed(design: Design) -> Design:
        inner = design.callbacks.signs

        def sign(notice: Notice) -> str:
            return inner[notice.payment.protocol](replace(notice, fields=change(notice.fields)))

        return NOTICES.signed(sign)(design)

    return changed


def _start_of_description(fields: Fields) -> Fields:
    return fields | {"order_description": str(fields.get("order_description", ""))[:255]}


def _cents(fields: Fields) -> Fields:
    whole, mark, decimals = str(fields.get("order_amount", "")).partition(".")
    return fields | {"order_amount": whole + mark + decimals[:2]}


# --- what earlier attempts leave behind ---


def _of_earlier_attempt(name: str) -> Change:
    """A member says what it said in the first callback of the order."""

    def change(design: Design) -> Design:
        known: dict[OrderKey, object] = {}

        def changed(notice: Notice) -> list[Notice]:
            if name not in notice.fields:
                return [notice]
            first = str(known.setdefault(_order_of(notice), notice.fields[name]))
            return [replace(notice, fields={**notice.fields, name: first})]

        return NOTICES.changed(changed)(design)

    return change


def _challenge_of_earlier_attempt(design: Design) -> Design:
    challenged: set[OrderKey] = set()

    def changed(notice: Notice) -> list[Notice]:
        if notice.fields.get("authenticationFlow") == "Challenge":
            challenged.add(_order_of(notice))
        stale = "authenticationFlow" in notice.fields and _order_of(notice) in challenged
        return [replace(notice, fields={**notice.fields, "authenticationFlow": "Challenge"}) if stale else notice]

    return NOTICES.changed(changed)(design)


def _third_payment_silent(design: Design) -> Design:
    payments: dict[OrderKey, list[str]] = {}

    def changed(notice: Notice) -> list[Notice]:
        known = payments.setdefault(_order_of(notice), [])
        if notice.payment.id not in known:
            known.append(notice.payment.id)
        return [notice] if known.index(notice.payment.id) < 2 else []

    return NOTICES.changed(changed)(design)


# --- the payer ---


def _zip_as_number(fields: Fields) -> Fields:
    code = fields.get("payer_zip")
    is_number = isinstance(code, str) and code.isdecimal()
    return fields | {"payer_zip": str(int(str(code)))} if is_number else fields


def _plus_as_blank(fields: Fields) -> Fields:
    phone = fields.get("payer_phone")
    return fields | {"payer_phone": phone.replace("+", " ")} if isinstance(phone, str) else fields


# --- redelivery ---


def _latest_redelivered_only(design: Design) -> Design:
    """What was not taken is dropped once something newer of the payment was sent."""
    latest: dict[str, str] = {}
    again = design.callbacks.repeat

    def note(notice: Notice) -> list[Notice]:
        latest[notice.payment.id] = notice.event
        return [notice]

    def repeat(notice: Notice) -> list[Notice]:
        return again(notice) if latest.get(notice.payment.id) == notice.event else []

    return NOTICES.changed(note)(design.in_callbacks(repeat=repeat))


def _redelivered_without_empty(notice: Notice) -> list[Notice]:
    return [replace(notice, fields={name: value for name, value in notice.fields.items() if value != ""})]


# --- customer.ip ---


def _address_by(usable: Callable[[Attempt, str], bool]) -> Change:
    """customer.ip counts where ``usable`` holds."""

    def change(design: Design) -> Design:
        inner = design.hosted_fields.payer_address

        def address(attempt: Attempt) -> str:
            named = inner(attempt)
            return named if usable(attempt, named) else attempt.client

        return hosted(payer_address=address)(design)

    return change


FAULTS: Final = faults(
    {
        "callback-hash-of-255-characters": breaks(
            "CBK-SIG-03",
            "The hash covers the first 255 characters of order_description (line 406).",
            _signing(_start_of_description),
        ),
        "callback-hash-of-cents": breaks(
            "CBK-SIG-03",
            "The hash covers two decimals of order_amount, also of currencies with three and more (line 406).",
            _signing(_cents),
        ),
        "callback-method-of-earlier-attempt": breaks(
            "CBK-ATT-31",
            "checkout_payment_method is that of the first attempt to pay the order (line 288).",
            _of_earlier_attempt("checkout_payment_method"),
            since=_NEW,
        ),
        "callback-challenge-of-earlier-attempt": breaks(
            "CBK-ATT-46",
            "Once an attempt was challenged, the next ones are reported as challenged, too (line 288).",
            _challenge_of_earlier_attempt,
            since=_NEW,
        ),
        "callback-of-third-payment-missing": breaks(
            "CBK-DEL-01", "The third payment of an order is not notified (line 415).", _third_payment_silent
        ),
        "callback-payer-zip-as-number": breaks(
            "CBK-ATT-42",
            "payer_zip loses the zeros in front (line 288).",
            NOTICES.fields(_zip_as_number),
            since=_NEW,
        ),
        "callback-payer-phone-plus-as-blank": breaks(
            "CBK-ATT-42",
            "A plus in payer_phone becomes a blank (line 288).",
            NOTICES.fields(_plus_as_blank),
            since=_NEW,
        ),
        "callback-redelivered-without-arn": breaks(
            "CBK-ATT-32",
            "What is delivered again lacks ARN where it was empty at first (line 422).",
            lambda design: design.in_callbacks(repeat=_redelivered_without_empty),
            since=_NEW,
        ),
        "customer-ip-of-version-6-ignored": breaks(
            "HPF-CIP-01",
            "A customer.ip of IP version 6 is ignored: the caller's address is reported (line 99).",
            _address_by(lambda _attempt, named: ":" not in named),
            since=_NEW,
        ),
        "callback-redelivered-only-if-latest": breaks(
            "CBK-DEL-06",
            "What was not taken twice is given up once something newer of its payment was sent (line 424).",
            _latest_redelivered_only,
        ),
    }
)
