"""Faults of S2S CARD: values that are tidied up before they are looked at, so that wrong ones pass for right ones."""

import re
import unicodedata
from collections.abc import Callable
from typing import Final

from emulator.changes.s2s_card import first, instead
from emulator.design import Change
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.stages import find_order
from emulator.wire.replies import Refusal

Tidy = Callable[[str], str]

_PAYING: Final = ("SALE", "DEBIT")
_CREATING: Final = ("CREATE_SCHEDULE", "UPDATE_SCHEDULE")


def _tidied(name: str, tidy: Tidy, *actions: str) -> Change:
    """A field is read tidied up by some actions."""

    def stage(attempt: CardAttempt) -> Refusal | None:
        value = attempt.form.get(name)
        if value:
            attempt.form = {**attempt.form, name: tidy(value)}
        return None

    return first(stage, *actions)


def _as_money(text: str) -> str:
    """A number in any notation, with two decimals."""
    try:
        return f"{float(text):.2f}"
    except ValueError:
        return text


def _digits(text: str) -> str:
    """Digits of any script as ASCII."""
    return unicodedata.normalize("NFKC", text)


def _before_port(text: str) -> str:
    return re.sub(r"^(\d+\.\d+\.\d+\.\d+):\d+$", r"\1", text)


def _valid_day(text: str) -> str:
    return re.sub(r"-(29|3\d)$", "-28", text)


def _with_scheme(text: str) -> str:
    return text if "://" in text else f"https://{text}"


def _dashed(text: str) -> str:
    parts = re.fullmatch(r"([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})", text)
    return "-".join(parts.groups()) if parts else text


def _month(text: str) -> str:
    return text.zfill(2)


def _year(text: str) -> str:
    return f"20{text}" if len(text) == 2 else text


def _whole(text: str) -> str:
    return text.partition(".")[0]


def _find_order_in_any_case(attempt: CardAttempt) -> Refusal | None:
    refusal = find_order(attempt)
    wanted = attempt.form.get("order_id", "").casefold()
    for payment in attempt.gateway.payments.all() if refusal is not None else ():
        if payment.account is attempt.account and payment.order_number.casefold() == wanted:
            attempt.payment, refusal = payment, None
    return refusal


FAULTS: Final = faults(
    {
        "amount-with-comma-read": breaks(
            "S2C-SAL-12",
            "An amount with a decimal comma is taken.",
            _tidied("order_amount", lambda text: text.replace(",", "."), *_PAYING),
        ),
        "amount-as-float-read": breaks(
            "S2C-SAL-12", "An amount is read as a number of any notation.", _tidied("order_amount", _as_money, "SALE")
        ),
        "amount-with-sign-read": breaks(
            "S2C-SAL-12",
            "An amount with a plus sign is taken.",
            _tidied("order_amount", lambda text: text.removeprefix("+"), *_PAYING),
        ),
        "amount-with-blanks-read": breaks(
            "S2C-SAL-12", "Blanks around an amount are cut off.", _tidied("order_amount", str.strip, *_PAYING)
        ),
        "amount-in-other-digits-read": breaks(
            "S2C-SAL-12", "Full-width digits of an amount are taken.", _tidied("order_amount", _digits, *_PAYING)
        ),
        "amount-without-sign-read": breaks(
            "S2C-SAL-11",
            "The minus sign of an amount is dropped.",
            _tidied("order_amount", lambda text: text.removeprefix("-"), *_PAYING),
        ),
        "expiry-month-of-one-digit-read": breaks(
            "S2C-SAL-20", "A month of one digit is taken.", _tidied("card_exp_month", _month, *_PAYING)
        ),
        "expiry-year-of-two-digits-read": breaks(
            "S2C-SAL-21", "A year of two digits is taken.", _tidied("card_exp_year", _year, *_PAYING)
        ),
        "security-code-letters-dropped": breaks(
            "S2C-SAL-23",
            "Letters of a security code are dropped.",
            _tidied("card_cvv2", lambda text: re.sub(r"\D", "", text), *_PAYING),
        ),
        "security-code-blanks-dropped": breaks(
            "S2C-SAL-23", "Blanks around a security code are cut off.", _tidied("card_cvv2", str.strip, *_PAYING)
        ),
        "ip-with-port-read": breaks(
            "S2C-SAL-35", "An address with a port is taken.", _tidied("payer_ip", _before_port, *_PAYING)
        ),
        "ip-list-read": breaks(
            "S2C-SAL-35",
            "The first address of a list is taken.",
            _tidied("payer_ip", lambda text: text.partition(",")[0], *_PAYING),
        ),
        "birth-date-of-no-day-read": breaks(
            "S2C-SAL-25",
            "A day that the month does not have is taken.",
            _tidied("payer_birth_date", _valid_day, "SALE"),
        ),
        "birth-date-with-time-read": breaks(
            "S2C-SAL-25",
            "A date with a time is taken.",
            _tidied("payer_birth_date", lambda text: re.split(r"[T ]", text)[0], "SALE"),
        ),
        "country-of-three-letters-cut": breaks(
            "S2C-SAL-28",
            "Only the first two letters of a country are looked at.",
            _tidied("payer_country", lambda text: text[:2], *_PAYING),
        ),
        "currency-in-digits-read": breaks(
            "S2C-SAL-16",
            "A numeric currency code is taken.",
            _tidied("order_currency", lambda text: {"840": "USD", "978": "EUR"}.get(text, text), *_PAYING),
        ),
        "currency-cut-to-three": breaks(
            "S2C-DEB-09",
            "Only the first three letters of a currency are looked at.",
            _tidied("order_currency", lambda text: text[:3], "DEBIT"),
        ),
        "return-address-without-scheme-read": breaks(
            "S2C-SAL-37", "A return address without scheme is taken.", _tidied("term_url_3ds", _with_scheme, *_PAYING)
        ),
        "schedule-id-without-dashes-read": breaks(
            "S2C-SCH-14",
            "A UUID without dashes is taken for a new schedule.",
            _tidied("schedule_id", _dashed, "CREATE_SCHEDULE"),
        ),
        "schedule-id-in-braces-read": breaks(
            "S2C-SCH-40 S2C-SCH-41",
            "A UUID in braces is taken by UPDATE_SCHEDULE and DELETE_SCHEDULE.",
            _tidied("schedule_id", lambda text: text.strip("{}"), "UPDATE_SCHEDULE", "DELETE_SCHEDULE"),
            since="6.7.0",
        ),
        "interval-unit-plural-read": breaks(
            "S2C-SCH-11",
            "days and months are taken for units.",
            _tidied("interval_unit", lambda text: text.removesuffix("s"), *_CREATING),
        ),
        "interval-unit-in-capitals-read": breaks(
            "S2C-SCH-11", "DAY and Month are taken for units.", _tidied("interval_unit", str.lower, *_CREATING)
        ),
        "interval-length-fraction-cut": breaks(
            "S2C-SCH-08", "The fraction of an interval is cut off.", _tidied("interval_length", _whole, *_CREATING)
        ),
        "interval-length-sign-dropped": breaks(
            "S2C-SCH-08",
            "The minus sign of an interval is dropped.",
            _tidied("interval_length", lambda text: text.lstrip("-"), *_CREATING),
        ),
        "payments-count-fraction-cut": breaks(
            "S2C-SCH-09", "The fraction of payments_count is cut off.", _tidied("payments_count", _whole, *_CREATING)
        ),
        "delay-in-capitals-read": breaks(
            "S2C-SCH-23",
            "A mode of delayed_first_payment is taken in capitals.",
            _tidied("delayed_first_payment", str.lower, "CREATE_SCHEDULE"),
            since="6.7.0",
        ),
        "delay-with-dashes-read": breaks(
            "S2C-SCH-23",
            "A mode of delayed_first_payment is taken with dashes.",
            _tidied("delayed_first_payment", lambda text: text.replace("-", "_"), "CREATE_SCHEDULE"),
            since="6.7.0",
        ),
        "order-id-in-any-case-found": breaks(
            "S2C-STA-21",
            "An order is found whatever the case of its id.",
            instead(find_order, _find_order_in_any_case, "GET_TRANS_STATUS_BY_ORDER"),
            since="6.7.0",
        ),
    }
)
