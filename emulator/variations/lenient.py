"""Variations that take other notations of a value than the one which the contract shows."""

import re
from typing import Final

from emulator.changes import s2s_apm, s2s_card
from emulator.changes.s2s_card import first, instead
from emulator.design import all_of
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.stages import check_schedule_id, find_schedule
from emulator.variations.model import Variation
from emulator.wire.replies import Refusal

_NOTATION: Final = re.compile(
    r"(?:urn:uuid:|\{)?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?", re.IGNORECASE
)


def _dashed(identifier: str) -> str:
    found = _NOTATION.fullmatch(identifier)
    return "-".join(found.groups()) if found else identifier


def _in_any_notation(attempt: CardAttempt) -> Refusal | None:
    return None if _NOTATION.fullmatch(attempt.form.get("schedule_id", "")) else check_schedule_id(attempt)


def _found_in_any_notation(attempt: CardAttempt) -> Refusal | None:
    """The schedule is looked for by digits with dashes; the signature is made of what was sent."""
    sent = attempt.form
    attempt.form = {**sent, "schedule_id": _dashed(sent.get("schedule_id", ""))}
    try:
        return find_schedule(attempt)
    finally:
        attempt.form = sent


def _delay_in_any_case(attempt: CardAttempt) -> Refusal | None:
    delay = attempt.form.get("delayed_first_payment")
    if delay:
        attempt.form = {**attempt.form, "delayed_first_payment": delay.lower()}
    return None


def _number(text: str) -> str:
    try:
        return f"{float(text):.2f}"
    except ValueError:
        return text


_PAID_BY_CARD: Final = ("SALE", "DEBIT")


def _local(number: str) -> str:
    """Return a mobile number of Ghana as it is dialled abroad, whichever way it is written."""
    return re.sub(r"\A0(?=\d{9}\Z)", "233", number.strip())


VARIATIONS: Final = (
    Variation(
        "card-digits-without-the-blanks-around-them",
        "Blanks around card number, expiry date and security code are cut off; no line says that they are refused.",
        all_of(
            *(
                s2s_card.reading(name, str.strip, _PAID_BY_CARD)
                for name in ("card_number", "card_exp_month", "card_exp_year", "card_cvv2")
            )
        ),
    ),
    Variation(
        "card-expiry-in-short",
        "A month of one digit and a year of two are taken: 1 and 38.",
        all_of(
            s2s_card.reading("card_exp_month", lambda text: text.rjust(2, "0"), _PAID_BY_CARD),
            s2s_card.reading("card_exp_year", lambda text: f"20{text}" if len(text) == 2 else text, _PAID_BY_CARD),
        ),
    ),
    Variation(
        "apm-mobile-number-as-it-is-dialled-at-home",
        "A mobile number may have a zero for its country code, and blanks around it: line 249 leaves its format open.",
        s2s_apm.reading("parameters[mobile_number]", _local, ("CREDIT2VIRTUAL",)),
    ),
    Variation(
        "schedule-id-in-any-notation",
        "A UUID is read without dashes, in braces and as a URN, too.",
        all_of(instead(check_schedule_id, _in_any_notation), instead(find_schedule, _found_in_any_notation)),
    ),
    Variation(
        "schedule-delay-in-any-case",
        "delayed_first_payment takes its words in capitals, too.",
        first(_delay_in_any_case, "CREATE_SCHEDULE", "UPDATE_SCHEDULE"),
    ),
    Variation(
        "apm-operator-in-any-case",
        "parameters[mobile_money_operator] takes capitals, too.",
        s2s_apm.reading("parameters[mobile_money_operator]", str.lower, ("CREDIT2VIRTUAL",)),
    ),
    Variation(
        "apm-payout-amount-in-any-notation",
        "The amount of a payout may be any notation of a number, +10.00 and 1e1, too.",
        s2s_apm.reading(
            "order_amount",
            lambda text: _number(text) if re.fullmatch(r"\+[0-9.]+|[0-9.]+e[0-9]+", text) else text,
            ("CREDIT2VIRTUAL",),
        ),
    ),
)
