"""Faults of Checkout look-ups: what they tell of a payment."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.checkout.conduct import PostAttempt
from emulator.design import Change
from emulator.faults.checkout_ways import (
    ANY,
    Handler,
    adding,
    answering,
    around,
    leaving_out,
)
from emulator.faults.model import Fault
from emulator.replies import Kind, Reply
from emulator.values import Object

_STATUS: Final = Kind.CHECKOUT_STATUS
_NEW: Final = "6.7.0"
_SIZES: Final = ("CHK-STA-*",)


def _by_payment(attempt: PostAttempt) -> bool:
    return attempt.body.get("payment_id") is not None


def _looking(change: Callable[[PostAttempt, Reply], Reply]) -> Change:
    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        reply = handler(attempt)
        return reply if reply.is_error else change(attempt, reply)

    return around(act, "status")


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
    declined = "reason" in reply.body and not _by_payment(attempt)
    return replace(reply, status=402) if declined else reply


def _no_status_by_order(attempt: PostAttempt, reply: Reply) -> Reply:
    kept = {name: value for name, value in reply.body.items() if name != "status" or _by_payment(attempt)}
    return replace(reply, body=kept)


def _unreasoned(body: Object) -> Object:
    return body if "reason" in body else body | {"reason": "Declined by processing"}


def _missing(name: str, requirement: str, related: tuple[str, ...] = ()) -> Fault:
    change = leaving_out(name, _STATUS)
    return Fault(
        f"checkout-look-up-without-{name.replace('_', '-')}", (requirement,), f"Look-ups lack {name}.", change, related
    )


def _card_only_by(by_payment: bool) -> Change:  # noqa: FBT001 - which of two look-ups
    def change(attempt: PostAttempt, reply: Reply) -> Reply:
        if _by_payment(attempt) is by_payment:
            return reply
        kept = {name: value for name, value in reply.body.items() if not name.startswith("card")}
        return replace(reply, body=kept)

    return _looking(change)


def _wide_mask(body: Object) -> Object:
    card = str(body.get("card", ""))
    return body | {"card": f"{card[:6]}11****{card[-4:]}"} if card else body


def _shown_whole(body: Object) -> Object:
    card = str(body.get("card", ""))
    return body | {"card": card.replace("******", "111111")} if card else body


def _short_year(body: Object) -> Object:
    expiry = str(body.get("card_expiration_date", ""))
    return body | {"card_expiration_date": f"{expiry[:3]}{expiry[-2:]}"} if expiry else body


_COF: Final = {"initiator": "cardholder", "source": "unscheduled", "sequence": "initial"}

FAULTS: Final = (
    _missing("payment_id", "CHK-STA-17", ANY),
    _missing("date", "CHK-STA-17"),
    Fault(
        "checkout-look-up-without-status",
        ("CHK-STA-17",),
        "Look-ups by order lack status.",
        _looking(_no_status_by_order),
        ("CHK-*", "CBK-*"),
    ),
    _missing("order", "CHK-STA-17", ("CHK-*",)),
    *(
        Fault(
            f"checkout-look-up-order-without-{name}",
            ("CHK-STA-17",),
            f"The order lacks {name}.",
            _order_without(name),
            ("CHK-*",),
        )
        for name in ("number", "amount", "currency", "description")
    ),
    Fault(
        "checkout-look-up-amount-in-cents",
        ("CHK-STA-18",),
        "The amount is told in cents.",
        _order_says("amount", lambda text: text.replace(".", "")),
        ("CHK-*",),
    ),
    Fault(
        "checkout-look-up-other-number",
        ("CHK-STA-18",),
        "The order number is changed.",
        _order_says("number", lambda text: f"{text}-1"),
        ("CHK-*",),
    ),
    Fault(
        "checkout-look-up-other-currency",
        ("CHK-STA-18",),
        "The currency is in lower case.",
        _order_says("currency", str.lower),
        ("CHK-*",),
    ),
    Fault(
        "checkout-look-up-other-description",
        ("CHK-STA-18",),
        "The description is cut.",
        _order_says("description", lambda text: text[:-1]),
        ("CHK-*",),
    ),
    Fault(
        "checkout-look-up-declined-402",
        ("CHK-STA-19",),
        "A declined payment is told with HTTP 402 by order.",
        _looking(_declined_is_402),
        ANY,
    ),
    _missing("reason", "CHK-STA-20"),
    Fault(
        "checkout-look-up-reason-of-settled",
        ("CHK-STA-20",),
        "A settled payment tells a reason, too.",
        answering(_unreasoned, _STATUS),
        ANY,
    ),
    Fault(
        "checkout-look-up-no-card-by-payment",
        ("CHK-STA-33",),
        "No card by payment.",
        _card_only_by(by_payment=False),
        _SIZES,
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-no-card-by-order",
        ("CHK-STA-34",),
        "No card by order.",
        _card_only_by(by_payment=True),
        _SIZES,
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-no-expiry",
        ("CHK-STA-33", "CHK-STA-34"),
        "No expiry date of the card.",
        leaving_out("card_expiration_date", _STATUS),
        _SIZES,
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-card-always",
        ("CHK-STA-35",),
        "The card is told though the account does not want it.",
        adding({"card": "411111******1111", "card_expiration_date": "01/2038"}, _STATUS),
        ("CHK-WAL-*",),
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-mask-too-wide",
        ("CHK-STA-36",),
        "Eight digits of the card stand in front.",
        answering(_wide_mask, _STATUS),
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-card-unmasked",
        ("CHK-STA-36",),
        "The card is not masked.",
        answering(_shown_whole, _STATUS),
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-short-year",
        ("CHK-STA-37",),
        "The expiry date has two digits of the year.",
        answering(_short_year, _STATUS),
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-empty-arn",
        ("CHK-STA-38",),
        "ARN is told while there is none.",
        adding({"ARN": ""}, _STATUS),
        since=_NEW,
    ),
    Fault("checkout-look-up-never-arn", ("CHK-STA-39",), "ARN is never told.", leaving_out("ARN", _STATUS), since=_NEW),
    Fault(
        "checkout-look-up-payer-fields",
        ("CHK-STA-40",),
        "The payer is told unasked.",
        adding({"payer_email": "payer@example.com"}, _STATUS),
        since=_NEW,
    ),
    _missing("recurring_token", "CHK-STA-41"),
    _missing("schedule_id", "CHK-STA-42"),
    _missing("digital_wallet", "CHK-STA-43"),
    Fault(
        "checkout-look-up-without-cof",
        ("CHK-COF-02",),
        "No COF discriminators.",
        answering(lambda body: {key: value for key, value in body.items() if key not in _COF}, _STATUS),
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-cof-always",
        ("CHK-COF-03",),
        "COF discriminators unasked.",
        adding({**_COF}, _STATUS),
        since=_NEW,
    ),
)
