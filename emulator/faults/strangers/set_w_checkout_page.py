"""Faults of strangers that the suite did not notice at first (set W, Checkout and its page), and their classes."""

import re
from dataclasses import replace
from datetime import date
from typing import Final

from emulator.changes import checkout
from emulator.changes.checkout import Handler
from emulator.changes.hosted_page import checking
from emulator.changes.s2s_card import instead, post
from emulator.design import Change, Design
from emulator.engine.duplicates import WindowRule
from emulator.engine.payment_book import PaymentBook
from emulator.engine.payments import Payment, Protocol
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.lookups import payment_object
from emulator.protocols.hosted_page.forms.offered_fields import Values
from emulator.protocols.hosted_page.forms.rules import PageContext, not_expired
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.stages import find_order
from emulator.wire.replies import Kind, Refusal, Reply

_NEW: Final = "6.7.0"
_LATEST: Final = 200


def _fitting(book: PaymentBook, protocol: Protocol, number: str, sign: str, stands_for: str) -> Payment | None:
    """The newest payment whose order number fits a number in which a sign stands for others; none without the sign."""
    if sign not in number:
        return None
    wanted = re.compile(stands_for.join(map(re.escape, number.split(sign))))
    payments = (payment for payment in book.latest(_LATEST) if payment.protocol is protocol)
    return next((payment for payment in payments if wanted.fullmatch(payment.order_number)), None)


def _order_by_pattern(sign: str, stands_for: str) -> Change:
    """A look-up of Checkout takes an order number for a pattern."""

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        reply, number = handler(attempt), str(attempt.body.get("order_id") or "")
        book = attempt.gateway.payments
        found = _fitting(book, Protocol.CHECKOUT, number, sign, stands_for) if reply.is_error else None
        return reply if found is None else Reply(Kind.CHECKOUT_STATUS, 200, payment_object(attempt.gateway, found))

    return checkout.around(act, "status")


def _card_order_by_pattern(attempt: CardAttempt) -> Refusal | None:
    refusal, number = find_order(attempt), attempt.form.get("order_id", "")
    found = _fitting(attempt.gateway.payments, Protocol.S2S_CARD, number, "%", ".*") if refusal else None
    if found is None:
        return refusal
    attempt.payment = found
    return None


def _up_to_a_percent_sign(merchant: str, number: str) -> object:
    return merchant, number.partition("%")[0]


def _expired_when_it_was_opened(design: Design) -> Design:
    """The page goes by the day on which it was first shown in a session."""
    inner = design.page.asked
    opened: dict[str, date] = {}
    current: list[date] = []

    def asked(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
        current[:] = [opened.setdefault(session.token, session.now.date())]
        return inner(session, method, values)

    def not_expired_then(value: str, context: PageContext) -> bool:
        return not_expired(value, replace(context, today=current[0] if current else context.today))

    return checking(not_expired, not_expired_then)(design.in_page(asked=asked))


FAULTS: Final = faults(
    {
        "w-card-is-expired-by-the-day-its-page-was-opened": breaks(
            "HPP-EXP-02",
            "A card that expired since its page was opened is paid by (line 121).",
            _expired_when_it_was_opened,
        ),
        **{
            f"w-order-found-by-a-pattern-{name}": breaks(
                "CHK-STA-23",
                f"A look-up by order takes {sign} for a sign that stands for others (lines 76 and 449).",
                _order_by_pattern(sign, stands_for),
                since=_NEW,
            )
            for name, sign, stands_for in (
                ("of-databases", "%", ".*"),
                ("of-one-sign", "_", "."),
                ("of-shells", "*", ".*"),
            )
        },
        "w-card-order-found-by-a-pattern": breaks(
            "S2C-STA-21",
            "GET_TRANS_STATUS_BY_ORDER takes % for any signs of an order id (line 449).",
            instead(find_order, _card_order_by_pattern, "GET_TRANS_STATUS_BY_ORDER"),
            since=_NEW,
        ),
        "w-session-duplicates-by-a-pattern": breaks(
            "CHK-DUP-06",
            "What stands behind a percent sign makes no other order number (lines 76 and 472).",
            lambda design: design.in_session(window=WindowRule(key=_up_to_a_percent_sign)),
        ),
        "w-card-duplicates-by-a-pattern": breaks(
            "S2C-DUP-08",
            "What stands behind a percent sign makes no other order id (lines 437 and 472).",
            post("SALE", window=WindowRule(key=_up_to_a_percent_sign)),
        ),
        "w-apm-duplicates-by-a-pattern": breaks(
            "APM-REQ-16",
            "What stands behind a percent sign makes no other order id (lines 437 and 472).",
            lambda design: design.in_apm(window=WindowRule(key=_up_to_a_percent_sign)),
        ),
    }
)
