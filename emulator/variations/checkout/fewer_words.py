"""Variations of which callbacks come and what look-ups call a payment: lines 309, 323 and 427 show neither in full."""

from dataclasses import replace
from typing import Final

from emulator.changes.checkout import NOTICES
from emulator.design import Change, Design
from emulator.protocols.checkout.session import Attempt
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import child

_STEPS: Final = ("3ds", "redirect")
_ROUTE: Final = Refusal(Kind.STATE, "Payment action not supported", code=204005)


def _failed_challenges(design: Design) -> Design:
    """A look-up calls a payment whose payer failed the challenge by another word than one that an issuer declined."""
    challenged: set[str] = set()
    noted = NOTICES.where(
        lambda notice: notice.event == "3ds",
        lambda fields: challenged.add(str(fields["id"])) or fields,  # type: ignore[func-returns-value]
    )

    def changed(reply: Reply) -> Reply:
        is_one = reply.kind is Kind.CHECKOUT_STATUS and reply.body.get("status") in {"decline", "declined"}
        if not is_one or reply.listed is not None or str(reply.body.get("payment_id")) not in challenged:
            return reply
        return replace(reply, body={**reply.body, "status": "3ds_failed"})

    return noted(design).filtering(changed)


def _amount_of_the_session(design: Design) -> Design:
    """Line 78 has -1 for an amount that the payer enters: look-ups show the order as the session gave it."""
    numbers: set[str] = set()

    def noted(attempt: Attempt) -> None:
        if child(attempt.body, "order", "amount") == "-1":
            numbers.add(str(child(attempt.body, "order", "number")))

    def changed(reply: Reply) -> Reply:
        order = reply.body.get("order") if reply.kind is Kind.CHECKOUT_STATUS and reply.listed is None else None
        if not isinstance(order, dict) or order.get("number") not in numbers:
            return reply
        return replace(reply, body={**reply.body, "order": {**order, "amount": "-1"}})

    return design.in_session(stages=(*design.session.stages, noted)).filtering(changed)


def _crypto_by_its_method(design: Design) -> Design:
    """Line 56: without methods routing rules apply, and they may serve a crypto currency by its method alone."""

    def stage(attempt: Attempt) -> Refusal | None:
        is_crypto = child(attempt.body, "order", "currency") in {"BTC", "USDT", "ETH", "LTC"}
        return _ROUTE if is_crypto and not attempt.body.get("methods") else None

    return design.in_session(stages=(*design.session.stages, stage))


def _without_needless_decimals(design: Design) -> Design:
    """A look-up shows 10 for the 10.00 that a payer entered: line 86 says how a merchant sends an amount."""
    numbers: set[str] = set()

    def noted(attempt: Attempt) -> None:
        if child(attempt.body, "order", "amount") in {"-1", None}:
            numbers.add(str(child(attempt.body, "order", "number")))

    def changed(reply: Reply) -> Reply:
        order = reply.body.get("order") if reply.kind is Kind.CHECKOUT_STATUS and reply.listed is None else None
        amount = order.get("amount") if isinstance(order, dict) and order.get("number") in numbers else None
        if not isinstance(order, dict) or not isinstance(amount, str) or "." not in amount:
            return reply
        return replace(reply, body={**reply.body, "order": {**order, "amount": amount.rstrip("0").rstrip(".")}})

    return design.in_session(stages=(*design.session.stages, noted)).filtering(changed)


_OUTCOMES_ONLY: Final[Change] = NOTICES.dropped(lambda notice: notice.event in _STEPS)

VARIATIONS: Final = (
    Variation("checkout-callbacks-of-outcomes-only", "No callback comes before the outcome.", _OUTCOMES_ONLY),
    Variation("look-up-failed-challenge", "Look-ups say 3ds_failed after a challenge that failed.", _failed_challenges),
    Variation(
        "look-up-amount-of-the-session",
        "Look-ups repeat the amount -1 of a session whose payer enters the amount.",
        _amount_of_the_session,
    ),
    Variation(
        "look-up-amounts-without-needless-decimals",
        "Look-ups show 10 for 10.00 that the payer entered.",
        _without_needless_decimals,
    ),
    Variation(
        "checkout-charges-reported-by-success-alone",
        "Callbacks of charges say status=success, and not in another member that they are settled.",
        NOTICES.lacking(lambda notice: notice.event == "recurring", "order_status"),
    ),
    Variation(
        "crypto-by-its-method", "Crypto currencies are served where their method is named.", _crypto_by_its_method
    ),
)
