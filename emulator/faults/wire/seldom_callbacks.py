"""Faults that break in one rare callback, return address or page what must hold for all of them.

Whoever watches every exchange of a run notices them.
"""

import base64
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.hosted_page import returning
from emulator.changes.notices import Notices
from emulator.changes.s2s_card_moves import lifting
from emulator.design import Change
from emulator.engine.callbacks.notice import Notice, Value
from emulator.engine.moves import Move, Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.engine.signing import session_hash
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.hosted_page.behaviour import headers as page_headers
from emulator.protocols.hosted_page.outcomes import Parameters
from emulator.protocols.hosted_page.session import PageSession

_PASSWORD: Final = ACCOUNTS[0].password


_NEW: Final = "6.7.0"


Members = Callable[[Notice], Mapping[str, Value]]


def _changing(protocol: Protocol, members: Members, *events: str, signed: bool = True) -> Change:
    """Change the callbacks of some events, before they are signed or after."""

    def changed(notice: Notice) -> list[Notice]:
        if events and notice.event not in events:
            return [notice]
        return [replace(notice, fields={**notice.fields, **members(notice)})]

    notices = Notices(protocol)
    return notices.changed(changed) if signed else notices.changed_when_signed(changed)


def _of_field(name: str, change: Callable[[str], str]) -> Members:
    def members(notice: Notice) -> Mapping[str, Value]:
        value = notice.fields.get(name)
        return {name: change(value)} if isinstance(value, str) and value else {}

    return members


def _signed_text(notice: Notice) -> Mapping[str, Value]:
    return {"signature_base": f"{notice.payment.order_number}{notice.payment.account.password}".upper()}


def _hash_of_challenged_decline(payment: Payment, parameters: Parameters) -> Parameters:
    if payment.state is not State.DECLINED or not record_of(payment).challenged:
        return parameters
    values = payment.id + payment.order_number + payment.amount_text + payment.currency + payment.account.password
    return {**parameters, "hash": session_hash(values.upper(), payment.account.hash)}


def _password_on_the_way_back(payment: Payment, parameters: Parameters) -> Parameters:
    if not record_of(payment).challenged:
        return parameters
    return {**parameters, "state": base64.urlsafe_b64encode(f"1:{payment.account.password}".encode()).decode()}


def _in_page_header(session: PageSession | None) -> Mapping[str, str]:
    return {**page_headers(session), "x-request-key": _PASSWORD[::-1]}


def _tenfold(amount: str) -> str:
    return amount.replace(".", "") if "." in amount else f"{amount}00"


_OF_CALLBACKS: Final = {
    "password-in-void-callback": breaks(
        "GEN-KEY-02",
        "The callback of an S2S CARD VOID carries the text that was signed, password included.",
        _changing(Protocol.S2S_CARD, _signed_text, "VOID"),
    ),
    "hash-of-recurring-callback": breaks(
        "CBK-SIG-03",
        "The callback of a Checkout secondary charge is changed after it was signed.",
        _changing(
            Protocol.CHECKOUT, _of_field("order_description", lambda text: f"{text} "), "recurring", signed=False
        ),
    ),
    "hash-of-release-callback": breaks(
        "CBK-SIG-14",
        "The hash of the callback of an S2S APM CREDITVOID is written in upper case.",
        _changing(Protocol.S2S_APM, _of_field("hash", str.upper), "CREDITVOID", signed=False),
    ),
    "hash-of-declined-secondary-charge": breaks(
        "CBK-SIG-09",
        "The hash of the callback of a declined S2S CARD secondary charge is cut off.",
        _changing(
            Protocol.S2S_CARD,
            lambda notice: (
                _of_field("hash", lambda text: text[:30])(notice) if notice.payment.state is State.DECLINED else {}
            ),
            "RECURRING_SALE",
            "RETRY",
            signed=False,
        ),
    ),
    "expiry-date-of-recurring-callback": breaks(
        "GEN-VAL-02",
        "The callback of an S2S CARD secondary charge reports the expiry date with two digits of the year.",
        _changing(
            Protocol.S2S_CARD,
            _of_field("card_expiration_date", lambda text: f"{text[:3]}{text[-2:]}"),
            "RECURRING_SALE",
            "CREDITVOID",
        ),
    ),
    "schedule-id-of-scheduled-charge": breaks(
        "GEN-VAL-03",
        "Callbacks of Checkout secondary charges write schedule_id without hyphens.",
        _changing(Protocol.CHECKOUT, _of_field("schedule_id", lambda text: text.replace("-", "")), "recurring"),
        since=_NEW,
    ),
    "card-token-of-refund-callback": breaks(
        "GEN-VAL-04",
        "The callback of the refund or void of an S2S CARD debit cuts the card_token.",
        _changing(Protocol.S2S_CARD, _of_field("card_token", lambda text: text[:32]), "CREDITVOID", "VOID"),
    ),
    "flow-of-declined-payment": breaks(
        "GEN-VAL-05",
        "The callback of a declined Checkout payment reports authenticationFlow in lower case.",
        _changing(
            Protocol.CHECKOUT,
            lambda notice: (
                _of_field("authenticationFlow", str.lower)(notice) if notice.payment.state is State.DECLINED else {}
            ),
        ),
    ),
    "status-of-void-callback": breaks(
        "GEN-VAL-06",
        "The callback of a Checkout void has the status voided.",
        _changing(Protocol.CHECKOUT, _of_field("status", lambda _text: "voided"), "void"),
    ),
    "currency-of-refund-callback": breaks(
        "GEN-AGR-02",
        "The callback of an S2S APM refund or release reports another currency.",
        _changing(Protocol.S2S_APM, lambda _: {"currency": "XTS"}, "CREDITVOID", "VOID"),
    ),
    "amount-of-capture-callback": breaks(
        "GEN-MON-02",
        "The callback of a CAPTURE reports the amount in minor units.",
        _changing(Protocol.S2S_CARD, _of_field("amount", _tenfold), "CAPTURE"),
    ),
}


_OF_PAGES: Final = {
    "password-in-return-address": breaks(
        "GEN-KEY-02",
        "After a challenge the return address carries a text in Base64 that holds the password.",
        returning(_password_on_the_way_back),
    ),
    "password-in-page-header": breaks(
        "GEN-KEY-02",
        "Hosted pages come with a header that holds the reversed password.",
        lambda design: design.in_page(headers=_in_page_header),
    ),
    "hash-of-challenged-decline": breaks(
        "CHK-URL-07",
        "The hash of the return address after a failed challenge leaves the description out.",
        returning(_hash_of_challenged_decline),
    ),
}


_OF_MONEY: Final = {
    "captures-beyond-authorization": breaks(
        "GEN-MON-01", "S2S CARD captures more than was held.", lifting(Obstacle.TOO_MUCH, Move.CAPTURE)
    ),
}

FAULTS: Final = faults({**_OF_MONEY, **_OF_CALLBACKS, **_OF_PAGES}, prefix="seldom-")
