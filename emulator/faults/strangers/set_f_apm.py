"""Faults of S2S APM: look-ups that are kept, order ids of two merchants, rare dates and signs (sixth set).

Numbers of lines are those of the interface description.
"""

import hashlib
import unicodedata
from dataclasses import replace
from datetime import date
from typing import Final

from emulator.changes.s2s_apm import NOTICES, around, first, payment_made
from emulator.design import Design
from emulator.engine.callbacks.notice import Notice
from emulator.engine.duplicates import WindowRule
from emulator.engine.moves import Move
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.outcomes import decline, number_of
from emulator.rules.s2s_apm.brands import INSTANT_QR, SALES
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object

_NEW: Final = "6.7.0"
_MINUTE: Final = 60
_LEAP_DAY: Final = "2000-02-29"
_EPOCH: Final = date(1970, 1, 1).isoformat()


def _invalid(name: str) -> Refusal:
    return Refusal(Kind.APM_FIELDS, INVALID_DATA, violations=((name, "This value is not valid."),))


# --- look-ups ---


def _kept_since_held(design: Design) -> Design:
    seen: dict[str, str] = {}

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        reply, payment = handler(attempt, gateway), attempt.payment
        if payment is None or reply.is_error or payment.state not in (State.AUTHORIZED, State.RELEASED):
            return reply
        status = seen.setdefault(payment.id, str(reply.body.get("status")))
        return replace(reply, body=reply.body | {"status": status})

    return around(act, "GET_TRANS_STATUS")(design)


# --- payers ---


def _page_by_order(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply = handler(attempt, gateway)
    payment, url = payment_made(attempt, gateway, reply), reply.body.get("redirect_url")
    if payment is None or not isinstance(url, str):
        return reply
    token = hashlib.sha256(payment.order_number.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    gateway.payer_pages.open(payment, token)
    return replace(reply, body=reply.body | {"redirect_url": f"{url.rpartition('/')[0]}/{token}"})


def _until_the_minute_is_over(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply = handler(attempt, gateway)
    payment = payment_made(attempt, gateway, reply)

    def expire() -> None:
        if payment is not None and payment.state is State.REDIRECTED:
            decline(gateway, payment, "The QR code expired")

    if payment is not None and SALES.get(payment.brand) == INSTANT_QR:
        gateway.agenda.after(_MINUTE - gateway.clock.now().second, expire)
    return reply


# --- values ---


def _no_leap_day(attempt: ApmAttempt) -> Refusal | None:
    return _invalid("payer_birth_date") if attempt.form.get("payer_birth_date") == _LEAP_DAY else None


def _born_before_the_epoch(attempt: ApmAttempt) -> Refusal | None:
    born = attempt.form.get("payer_birth_date", "")
    return _invalid("payer_birth_date") if born[:4].isdigit() and born < _EPOCH else None


def _no_apostrophe(attempt: ApmAttempt) -> Refusal | None:
    return _invalid("payee_email") if "'" in attempt.form.get("payee_email", "") else None


def _composed(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply = handler(attempt, gateway)
    payment = payment_made(attempt, gateway, reply)
    if payment is None:
        return reply
    payment.order_number = unicodedata.normalize("NFC", payment.order_number)
    return replace(reply, body=reply.body | {"order_id": payment.order_number})


def _by_value(merchant: str, number: str) -> object:
    return merchant, number.lstrip("0") if number.isdigit() else number


# --- changes ---


def _shrinks(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment, reply = attempt.payment, handler(attempt, gateway)
    part = number_of(attempt.form.get("amount", ""))
    if payment is not None and reply.is_error and payment.state is State.AUTHORIZED and 0 < part < payment.amount:
        payment.amount -= part
    return reply


def _the_rest_as_well(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment, amount = attempt.payment, number_of(attempt.form.get("amount", ""))
    if payment is None or payment.state is not State.SETTLED or payment.intended is not State.AUTHORIZED:
        return handler(attempt, gateway)
    rest = payment.amount - payment.captured
    if not 0 < amount <= rest:
        return handler(attempt, gateway)
    payment.state = State.AUTHORIZED
    gateway.moves.make(payment, Move.CAPTURE, amount + payment.captured, gateway.clock.now())
    members: Object = {"action": "CAPTURE", "result": "SUCCESS", "status": "SETTLED", "amount": attempt.form["amount"]}
    ids: Object = {"order_id": payment.order_number, "trans_id": payment.trans_id}
    return Reply(Kind.APM_CAPTURE, 200, members | ids)


def _of_an_authorization(notice: Notice) -> bool:
    return notice.event == "SALE" and notice.payment.state is State.AUTHORIZED


FAULTS: Final = faults(
    {
        "f-apm-status-of-release-kept": breaks(
            "APM-CVD-02",
            "GET_TRANS_STATUS says PENDING after the release of an authorization that was looked up before (line 317).",
            _kept_since_held,
            since=_NEW,
        ),
        "f-apm-payer-page-by-order-id": breaks(
            "APM-REQ-17",
            "Two merchants with the same order id share one payer page: that of the latest payment (line 77).",
            around(_page_by_order, "SALE"),
        ),
        "f-apm-qr-expires-with-the-minute": breaks(
            "APM-QRC-04",
            "A QR code that was made at second 50 of a minute expires ten seconds later (line 235).",
            around(_until_the_minute_is_over, "SALE"),
        ),
        "f-apm-leap-day-of-2000-refused": breaks(
            "APM-SAL-24",
            "Payers who were born on 29 February 2000 are refused (line 98).",
            first(_no_leap_day, "SALE"),
        ),
        "f-apm-births-before-1970-refused": breaks(
            "APM-SAL-24",
            "Payers who were born before 1970 are refused (line 98).",
            first(_born_before_the_epoch, "SALE"),
        ),
        "f-apm-order-ids-composed": breaks(
            "GEN-AGR-01",
            "An order_id with a combining accent comes back composed, so that it equals none of the merchant's"
            " (line 288).",
            around(_composed, "SALE"),
        ),
        "f-apm-apostrophe-in-email-refused": breaks(
            "APM-C2V-39",
            "A payout to o'connor@example.com is refused (line 252).",
            first(_no_apostrophe, "CREDIT2VIRTUAL"),
        ),
        "f-apm-refused-release-shrinks-the-hold": breaks(
            "APM-AUT-06",
            "After a release of a part that was refused the whole amount cannot be captured (line 316).",
            around(_shrinks, "CREDITVOID"),
            since=_NEW,
        ),
        "f-apm-rest-is-captured-after-a-part": breaks(
            "APM-CAP-04",
            "The rest of a settled payment of which a part was captured is captured as well (line 455).",
            around(_the_rest_as_well, "CAPTURE"),
            since=_NEW,
        ),
        "f-apm-order-ids-as-numbers": breaks(
            "APM-REQ-16",
            "The order ids 0042 and 42 count as one (line 437).",
            lambda design: design.in_apm(window=WindowRule(key=_by_value)),
        ),
        "f-apm-no-arn-while-held": breaks(
            "CBK-APM-13",
            "The callback of an authorization has no ARN, that of a sale an empty one (line 422).",
            NOTICES.lacking(_of_an_authorization, "ARN"),
            since=_NEW,
        ),
    }
)
