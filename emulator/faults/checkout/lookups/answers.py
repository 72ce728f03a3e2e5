"""Faults of Checkout look-ups: what they say of a payment."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.checkout import answering, by_payment, leaving_out, looking_up
from emulator.design import Change
from emulator.faults.model import Fault, breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.wire.replies import Kind, Reply
from emulator.wire.values import Object

_STATUS: Final = Kind.CHECKOUT_STATUS
_NEW: Final = "6.7.0"


def _in_order(change: Callable[[Object], Object]) -> Change:
    def changed(body: Object) -> Object:
        order = body.get("order")
        return body | {"order": change(dict(order))} if isinstance(order, dict) else body

    return answering(changed, _STATUS)


def _order_without(name: str) -> Change:
    return _in_order(lambda order: {key: value for key, value in order.items() if key != name})


def _order_says(name: str, change: Callable[[str], str]) -> Change:
    return _in_order(lambda order: order | {name: change(str(order[name]))})


def _declined_is_402(attempt: PostAttempt, reply: Reply) -> Reply:
    declined = "reason" in reply.body and not by_payment(attempt)
    return replace(reply, status=402) if declined else reply


def _no_status_by_order(attempt: PostAttempt, reply: Reply) -> Reply:
    kept = {name: value for name, value in reply.body.items() if name != "status" or by_payment(attempt)}
    return replace(reply, body=kept)


def _unreasoned(body: Object) -> Object:
    return body if "reason" in body else body | {"reason": "Declined by processing"}


def _missing(name: str, requirement: str) -> Fault:
    change = leaving_out(name, _STATUS)
    return Fault(f"checkout-look-up-without-{name.replace('_', '-')}", (requirement,), f"Look-ups lack {name}.", change)


def _card_only(*, of_payments: bool) -> Change:
    def change(attempt: PostAttempt, reply: Reply) -> Reply:
        if by_payment(attempt) is of_payments:
            return reply
        kept = {name: value for name, value in reply.body.items() if not name.startswith("card")}
        return replace(reply, body=kept)

    return looking_up(change)


def _wide_mask(body: Object) -> Object:
    card = str(body.get("card", ""))
    return body | {"card": f"{card[:6]}111***{card[-4:]}"} if card else body


def _shown_whole(body: Object) -> Object:
    card = str(body.get("card", ""))
    return body | {"card": card.replace("******", "111111")} if card else body


def _short_year(body: Object) -> Object:
    expiry = str(body.get("card_expiration_date", ""))
    return body | {"card_expiration_date": f"{expiry[:3]}{expiry[-2:]}"} if expiry else body


_COF: Final = {"initiator": "cardholder", "source": "unscheduled", "sequence": "initial"}

FAULTS: Final = (
    *faults(
        {
            "checkout-look-up-without-status": breaks(
                "CHK-STA-17", "Look-ups by order lack status.", looking_up(_no_status_by_order)
            ),
            **{
                f"checkout-look-up-order-without-{name}": breaks(
                    "CHK-STA-17", f"The order lacks {name}.", _order_without(name)
                )
                for name in ("number", "amount", "currency", "description")
            },
            "checkout-look-up-amount-in-cents": breaks(
                "CHK-STA-18",
                "The amount is reported in cents.",
                _order_says("amount", lambda text: text.replace(".", "")),
            ),
            "checkout-look-up-other-number": breaks(
                "CHK-STA-18", "The order number is changed.", _order_says("number", lambda text: f"{text}-1")
            ),
            "checkout-look-up-other-currency": breaks(
                "CHK-STA-18", "The currency is in lower case.", _order_says("currency", str.lower)
            ),
            "checkout-look-up-other-description": breaks(
                "CHK-STA-18", "The description is cut.", _order_says("description", lambda text: text[:-1])
            ),
            "checkout-look-up-declined-402": breaks(
                "CHK-STA-19", "A declined payment is reported with HTTP 402 by order.", looking_up(_declined_is_402)
            ),
            "checkout-look-up-reason-of-settled": breaks(
                "CHK-STA-20", "A settled payment reports a reason, too.", answering(_unreasoned, _STATUS)
            ),
            "checkout-look-up-no-card-by-payment": breaks(
                "CHK-STA-33", "No card by payment.", _card_only(of_payments=False), since=_NEW
            ),
            "checkout-look-up-no-card-by-order": breaks(
                "CHK-STA-34", "No card by order.", _card_only(of_payments=True), since=_NEW
            ),
            "checkout-look-up-mask-too-wide": breaks(
                "CHK-STA-36", "Eight digits of the card stand in front.", answering(_wide_mask, _STATUS), since=_NEW
            ),
            "checkout-look-up-card-unmasked": breaks(
                "CHK-STA-36", "The card is not masked.", answering(_shown_whole, _STATUS), since=_NEW
            ),
            "checkout-look-up-short-year": breaks(
                "CHK-STA-37", "The expiry date has two digits of the year.", answering(_short_year, _STATUS), since=_NEW
            ),
            "checkout-look-up-without-cof": breaks(
                "CHK-COF-02",
                "No COF discriminators.",
                answering(lambda body: {key: value for key, value in body.items() if key not in _COF}, _STATUS),
                since=_NEW,
            ),
        }
    ),
    _missing("payment_id", "CHK-STA-17"),
    _missing("date", "CHK-STA-17"),
    _missing("order", "CHK-STA-17"),
    _missing("reason", "CHK-STA-20"),
    _missing("recurring_token", "CHK-STA-41"),
    _missing("schedule_id", "CHK-STA-42"),
    _missing("digital_wallet", "CHK-STA-43"),
)
