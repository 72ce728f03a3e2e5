"""Faults of chains, callbacks and hosted fields of Checkout: what one way or one spelling loses (fifth set).

Numbers of lines are those of the interface description.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.checkout import NOTICES
from emulator.design import Change, Design
from emulator.engine.calendar import Terms
from emulator.engine.callbacks.notice import Fields, Notice, Value
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.checkout.session import Attempt
from emulator.protocols.hosted_fields.sessions import HostedSession
from emulator.wire.values import child, text_of

_NEW: Final = "6.7.0"
_LAST_OF_BASIC_PLANE: Final = "\uffff"
_MONTHLY: Final = {"interval_length": "1", "interval_unit": "month"}


# --- chains, tokens and schedules ---


def _day_forgotten(design: Design) -> Design:
    inner = design.checkout.first_day
    return design.in_checkout(
        first_day=lambda payment: None if payment.intended is State.AUTHORIZED else inner(payment)
    )


def _month_of_thirty_days(terms: Terms) -> Terms:
    thirty = terms.get("interval_unit") == "day" and terms.get("interval_length") == "30"
    return {**terms, **_MONTHLY} if thirty else terms


def _thirty_days_as_a_month(design: Design) -> Design:
    first, following = design.schedules.first_due, design.schedules.following_due
    return design.in_schedules(
        first_due=lambda terms, start, day: first(_month_of_thirty_days(terms), start, day),
        following_due=lambda terms, previous, anchor: following(_month_of_thirty_days(terms), previous, anchor),
    )


def _token_once_asked_for(design: Design) -> Design:
    """Whoever was given the token of a payer's card is given it with each further payment by that card."""
    given: dict[tuple[str, str, str], Value] = {}

    def changed(notice: Notice) -> list[Notice]:
        payment, token = notice.payment, notice.fields.get("card_token")
        if payment.card is None or not payment.email or notice.event != "sale":
            return [notice]
        key = payment.account.key, payment.email, payment.card.masked + payment.card.expiry
        if token is not None:
            given[key] = token
        elif payment.state is State.SETTLED and key in given:
            return [replace(notice, fields={**notice.fields, "card_token": given[key]})]
        return [notice]

    return NOTICES.changed(changed)(design)


# --- callbacks ---


def _texts_changed(change: Callable[[str], str], value: Value) -> Value:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_texts_changed(change, item) for item in value]
    return {name: _texts_changed(change, below) for name, below in value.items()}


def _custom_data(change: Callable[[str], str]) -> Change:
    def changed(fields: Fields) -> Fields:
        custom = fields.get("custom_data")
        return fields if custom is None else {**fields, "custom_data": _texts_changed(change, custom)}

    return NOTICES.where(lambda _notice: True, changed)


def _up_to_four_bytes(text: str) -> str:
    """What a column of three bytes a character keeps of a text."""
    end = next((place for place, sign in enumerate(text) if sign > _LAST_OF_BASIC_PLANE), len(text))
    return text[:end]


def _digits_as_number(text: str) -> str:
    return str(int(text)) if text.isascii() and text.isdigit() and len(text) < 16 else text


def _of_india(notice: Notice) -> bool:
    return notice.fields.get("payer_country") == "IN"


def _first_debit(notice: Notice) -> bool:
    is_first = notice.event != "recurring" and "recurring_token" in notice.fields
    return is_first and notice.payment.action == "debit"


# --- hosted fields ---


def _unchecked_once_tried(design: Design) -> Design:
    tried: set[str] = set()
    serves, has_card = design.hosted_fields.serves, design.hosted_fields.has_card

    def noted(session: HostedSession) -> bool:
        tried.add(session.token)
        return has_card(session)

    return design.in_hosted_fields(
        serves=lambda session, name: serves(session, name) or session.token in tried, has_card=noted
    )


def _named(attempt: Attempt) -> str:
    named = child(attempt.body, "customer", "ip")
    return named if isinstance(named, str) else ""


def _address_of_token_before(design: Design) -> Design:
    last: dict[str, str] = {}
    inner = design.hosted_fields.payer_address

    def payer_address(attempt: Attempt) -> str:
        if _named(attempt):
            last[attempt.key] = _named(attempt)
            return inner(attempt)
        return last.get(attempt.key) or inner(attempt)

    return design.in_hosted_fields(payer_address=payer_address)


def _address_lost_in_challenge(design: Design) -> Design:
    named: set[tuple[str, str]] = set()
    inner = design.hosted_fields.payer_address

    def payer_address(attempt: Attempt) -> str:
        if _named(attempt):
            named.add((attempt.key, attempt.number))
        return inner(attempt)

    def lost(notice: Notice) -> bool:
        payment = notice.payment
        challenged = record_of(payment).challenged and notice.event != "3ds"
        return challenged and (payment.account.key, payment.order_number) in named

    hidden = NOTICES.lacking(lost, "customer_ip")
    return hidden(design.in_hosted_fields(payer_address=payer_address))


def _hosted_debit_without_token(design: Design) -> Design:
    hosted: set[tuple[str, str]] = set()
    inner = design.hosted_fields.has_card

    def has_card(session: HostedSession) -> bool:
        hosted.add((session.account.key, text_of(child(session.request, "order", "number"))))
        return inner(session)

    def concerns(notice: Notice) -> bool:
        payment = notice.payment
        return payment.action == "debit" and (payment.account.key, payment.order_number) in hosted

    hidden = NOTICES.lacking(concerns, "card_token")
    return hidden(design.in_hosted_fields(has_card=has_card))


FAULTS: Final = faults(
    {
        "e-start-date-forgotten-until-capture": breaks(
            "CHK-SCH-01",
            "schedule_start_date is ignored where the initializing purchase was authorized and captured (line 62).",
            _day_forgotten,
            since=_NEW,
        ),
        "e-capture-callback-without-recurring-token": breaks(
            "CBK-ATT-24",
            "The callback of the capture by which an initializing purchase settles lacks recurring_token (line 60).",
            NOTICES.without("recurring_token", of=("capture",)),
            since="6.6.3",
        ),
        "e-card-token-unasked-once-asked-for": breaks(
            "CHK-TOK-02",
            "Once a payer's card was paid with req_token, further purchases by it report the token unasked (line 57).",
            _token_once_asked_for,
        ),
        "e-custom-data-cut-at-emoji": breaks(
            "CBK-ATT-13",
            "Texts of custom_data come back cut at their first character of four bytes in UTF-8 (line 55).",
            _custom_data(_up_to_four_bytes),
        ),
        "e-custom-data-digits-lose-zeros": breaks(
            "CBK-ATT-13",
            "Texts of custom_data that are digits come back without the zeros in front (line 55).",
            _custom_data(_digits_as_number),
        ),
        "e-secondary-debit-chain-starts-without-card-token": breaks(
            "CBK-ATT-21",
            "The callback of a debit that starts a chain lacks card_token (line 419).",
            NOTICES.lacking(_first_debit, "card_token"),
            since=_NEW,
        ),
        "e-payer-state-of-india-lost": breaks(
            "CBK-ATT-42",
            "payer_state is missing in callbacks where payer_country is IN (line 106).",
            NOTICES.lacking(_of_india, "payer_state"),
            since=_NEW,
        ),
        "e-hosted-endpoint-unchecked-once-tried": breaks(
            "HPF-PAY-05",
            "After an attempt at the right endpoint a session of hosted fields is paid at the other, too (line 335).",
            _unchecked_once_tried,
            since=_NEW,
        ),
        "e-hosted-caller-ip-of-token-before": breaks(
            "HPF-CIP-02",
            "Without customer.ip the one of the merchant's session token before is reported (line 99).",
            _address_of_token_before,
            since=_NEW,
        ),
        "e-hosted-customer-ip-lost-in-challenge": breaks(
            "HPF-CIP-01",
            "After a challenge the callback of hosted fields lacks the customer_ip that was named (line 99).",
            _address_lost_in_challenge,
            since=_NEW,
        ),
        "e-hosted-debit-callback-without-card-token": breaks(
            "CBK-ATT-21",
            "Callbacks of debits by hosted fields lack card_token (line 419).",
            _hosted_debit_without_token,
            since=_NEW,
        ),
    }
)
UNNOTICED: Final = faults(
    {
        "e-interval-of-thirty-days-is-a-month": breaks(
            "CHK-SCH-04 S2C-SCP-05",
            "A schedule with an interval of 30 days charges once a month (line 62).",
            _thirty_days_as_a_month,
        ),
    }
)
"""Nothing notices these yet, or the contract lets a gateway do so: see `docs/proof.md`. They cannot be started."""
