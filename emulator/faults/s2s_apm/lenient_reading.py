"""Faults of S2S APM: values that are tidied up before they are looked at, so that wrong ones pass for right ones."""

import re
import unicodedata
from collections.abc import Callable
from typing import Final

from emulator.changes.s2s_apm import instead
from emulator.design import Change
from emulator.engine.payments import Payment, Protocol
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt
from emulator.protocols.s2s_apm.stages import check_fields, find_payment
from emulator.wire.nested_forms import nested
from emulator.wire.replies import Refusal

Tidy = Callable[[str], str]
_NUMBER: Final = "parameters[mobile_number]"
_OPERATOR: Final = "parameters[mobile_money_operator]"


def _tidied(name: str, tidy: Tidy, *actions: str) -> Change:
    """The rules see a field tidied up; the signature is made of what was sent."""

    def stage(attempt: ApmAttempt) -> Refusal | None:
        sent, body = attempt.form, attempt.body
        value = sent.get(name)
        if value:
            attempt.form = {**sent, name: tidy(value)}
            attempt.body = nested(attempt.form)
        try:
            return check_fields(attempt)
        finally:
            attempt.form, attempt.body = sent, body

    return instead(check_fields, stage, *actions)


def _named(name: str, tidy: Tidy) -> Change:
    """The name of an action is read tidied up."""
    return lambda design: design.in_apm(read_name=tidy) if name == "action" else design


def _as_money(text: str) -> str:
    try:
        return f"{float(text):.2f}"
    except ValueError:
        return text


def _digits(text: str) -> str:
    return unicodedata.normalize("NFKC", text)


def _only_digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _valid_day(text: str) -> str:
    return re.sub(r"-(29|3\d)$", "-28", text)


def _before_port(text: str) -> str:
    return re.sub(r"^(\d+\.\d+\.\d+\.\d+):\d+$", r"\1", text)


def _found(is_it: Callable[[Payment, str], bool]) -> Change:
    """Look-ups find a payment of the merchant by a looser comparison."""

    def stage(attempt: ApmAttempt) -> Refusal | None:
        refusal = find_payment(attempt)
        wanted = attempt.form.get("trans_id", "")
        for payment in attempt.gateway.payments.all() if refusal is not None else ():
            own = payment.account is attempt.account and payment.protocol is Protocol.S2S_APM
            if own and wanted and is_it(payment, wanted):
                attempt.payment = payment
                return None
        return refusal

    return instead(find_payment, stage, "GET_TRANS_STATUS")


def _also(name: str, *, sent: str, read: str) -> Change:
    def tidy(text: str) -> str:
        return read if text.strip().casefold() == sent else text

    return _tidied(name, tidy, "SALE")


_AMOUNT: Final = "order_amount"

FAULTS: Final = faults(
    {
        "amount-with-comma-read": breaks(
            "APM-SAL-14",
            "An amount with a decimal comma is taken.",
            _tidied(_AMOUNT, lambda text: text.replace(",", "."), "SALE"),
        ),
        "amount-as-float-read": breaks(
            "APM-SAL-14", "An amount is read as a number of any notation.", _tidied(_AMOUNT, _as_money, "SALE")
        ),
        "amount-with-sign-read": breaks(
            "APM-SAL-14",
            "An amount with a plus sign is taken.",
            _tidied(_AMOUNT, lambda text: text.removeprefix("+"), "SALE"),
        ),
        "amount-with-blanks-read": breaks(
            "APM-SAL-14", "Blanks around an amount are cut off.", _tidied(_AMOUNT, str.strip, "SALE")
        ),
        "amount-in-other-digits-read": breaks(
            "APM-SAL-14", "Full-width digits of an amount are taken.", _tidied(_AMOUNT, _digits, "SALE")
        ),
        "amount-with-currency-read": breaks(
            "APM-SAL-14",
            "A currency behind an amount is dropped.",
            _tidied(_AMOUNT, lambda text: text.partition(" ")[0] or text, "SALE"),
        ),
        "currency-cut-at-three-letters": breaks(
            "APM-SAL-19",
            "A currency code is cut at three letters.",
            _tidied("order_currency", lambda text: text[:3], "SALE"),
        ),
        "currency-with-blanks-read": breaks(
            "APM-SAL-19", "Blanks around a currency code are cut off.", _tidied("order_currency", str.strip, "SALE")
        ),
        "birth-date-overflows": breaks(
            "APM-SAL-24",
            "The 30th of February is taken for a birth date.",
            _tidied("payer_birth_date", _valid_day, "SALE"),
        ),
        "birth-date-with-slashes-read": breaks(
            "APM-SAL-24",
            "A birth date may be written with slashes.",
            _tidied("payer_birth_date", lambda text: text.replace("/", "-"), "SALE"),
        ),
        "country-with-blanks-read": breaks(
            "APM-SAL-27", "Blanks around a country are cut off.", _tidied("payer_country", str.strip, "SALE")
        ),
        "address-with-port-read": breaks(
            "APM-SAL-31", "An IP address may have a port.", _tidied("payer_ip", _before_port, "SALE")
        ),
        "first-address-of-a-list-read": breaks(
            "APM-SAL-31",
            "Of a list of IP addresses the first is taken.",
            _tidied("payer_ip", lambda text: text.partition(",")[0], "SALE"),
        ),
        "email-up-to-a-blank-read": breaks(
            "APM-SAL-30",
            "What stands behind an email address is dropped.",
            _tidied("payer_email", lambda text: text.partition(" ")[0] or text, "SALE"),
        ),
        "return-url-gets-a-scheme": breaks(
            "APM-SAL-33",
            "An address without a scheme is taken for one of https.",
            _tidied("return_url", lambda text: text if "://" in text else f"https://{text}", "SALE"),
        ),
        "network-in-capitals-read": breaks(
            "APM-MTH-03",
            "A network type may be written in capitals.",
            _tidied("parameters[network_type]", str.lower, "SALE"),
        ),
        "network-with-blanks-read": breaks(
            "APM-MTH-03",
            "Blanks around a network type are cut off.",
            _tidied("parameters[network_type]", str.strip, "SALE"),
        ),
        "ethereum-read-as-eth": breaks(
            "APM-MTH-03",
            "The full name of a network is taken.",
            _also("parameters[network_type]", sent="ethereum", read="eth"),
        ),
        "bech32-in-capitals-read": breaks(
            "APM-MTH-05", "bech32 may be written TRUE.", _tidied("parameters[bech32]", str.lower, "SALE")
        ),
        "bech32-yes-read": breaks(
            "APM-MTH-05", "bech32 takes yes.", _also("parameters[bech32]", sent="yes", read="true")
        ),
        "bech32-one-read": breaks("APM-MTH-05", "bech32 takes 1.", _also("parameters[bech32]", sent="1", read="true")),
        "quantity-of-letters-read": breaks(
            "APM-MTH-24",
            "Letters behind a quantity are dropped.",
            _tidied("parameters[product_quantity]", lambda text: _only_digits(text) or text, "SALE"),
        ),
        "payout-amount-with-comma-read": breaks(
            "APM-C2V-33",
            "A payout's amount with a decimal comma is taken.",
            _tidied(_AMOUNT, lambda text: text.replace(",", "."), "CREDIT2VIRTUAL"),
        ),
        "payout-amount-with-sign-read": breaks(
            "APM-C2V-33",
            "The sign before a payout's amount is dropped.",
            _tidied(_AMOUNT, lambda text: text.lstrip("+-"), "CREDIT2VIRTUAL"),
        ),
        "payout-amount-with-blanks-read": breaks(
            "APM-C2V-33", "Blanks around a payout's amount are cut off.", _tidied(_AMOUNT, str.strip, "CREDIT2VIRTUAL")
        ),
        "mobile-number-with-marks-read": breaks(
            "APM-C2V-30",
            "Letters and marks in a mobile number are dropped.",
            _tidied(_NUMBER, _only_digits, "CREDIT2VIRTUAL"),
        ),
        "mobile-number-with-zero-read": breaks(
            "APM-C2V-30",
            "A zero behind the country code is dropped.",
            _tidied(_NUMBER, lambda text: f"{text[:3]}{text[3:].lstrip('0')}", "CREDIT2VIRTUAL"),
        ),
        "mobile-number-cut": breaks(
            "APM-C2V-30",
            "A mobile number is cut at twelve digits.",
            _tidied(_NUMBER, lambda text: text[:12], "CREDIT2VIRTUAL"),
        ),
        "operator-in-capitals-read": breaks(
            "APM-C2V-27", "An operator may be written in capitals.", _tidied(_OPERATOR, str.lower, "CREDIT2VIRTUAL")
        ),
        "operator-with-underscore-read": breaks(
            "APM-C2V-27",
            "An operator may be written with an underscore.",
            _tidied(_OPERATOR, lambda text: text.replace("_", "-"), "CREDIT2VIRTUAL"),
        ),
        "operator-with-blanks-read": breaks(
            "APM-C2V-27", "Blanks around an operator are cut off.", _tidied(_OPERATOR, str.strip, "CREDIT2VIRTUAL")
        ),
        "action-with-blanks-read": breaks(
            "APM-ACT-01", "Blanks around the name of an action are cut off.", _named("action", str.strip)
        ),
        "trans-id-with-blanks-found": breaks(
            "APM-STA-10",
            "Blanks around a trans_id are cut off.",
            _found(lambda payment, wanted: payment.trans_id == wanted.strip()),
        ),
        "payment-found-by-its-order": breaks(
            "APM-STA-10",
            "A payment is found by its order id as well.",
            _found(lambda payment, wanted: payment.order_number == wanted),
        ),
    },
    prefix="apm-",
)
