"""Faults of the size of Checkout look-ups."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, cast

from emulator.changes.checkout import by_payment, first, looking_up
from emulator.changes.stages import breakdown_if, refusal_if
from emulator.design import Change
from emulator.engine.payments import Payment, Protocol
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.lookups import payment_object
from emulator.rules.checkout.payments import size_of
from emulator.rules.model import Check, Context, JsonObject, Rule
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply

_NEW: Final = "6.7.0"
_BAD_SIZE: Final = Refusal(Kind.CHECKOUT_FIELDS, INVALID_DATA, violations=(("size", "This value is not valid."),))


def _size(attempt: PostAttempt) -> int | None:
    return size_of(attempt.body["size"]) if "size" in attempt.body and not by_payment(attempt) else None


def _has_size(*sizes: int) -> Callable[[PostAttempt], bool]:
    return lambda attempt: _size(attempt) in sizes


def _payments(attempt: PostAttempt) -> list[Payment]:
    account, number = attempt.account, str(attempt.body.get("order_id"))
    found = attempt.gateway.payments.of_order(account, number) if account else []
    return [payment for payment in found if payment.protocol is Protocol.CHECKOUT]


def _oldest(attempt: PostAttempt, reply: Reply) -> Reply:
    if by_payment(attempt) or reply.listed is not None:
        return reply
    return replace(reply, body=payment_object(attempt.gateway, _payments(attempt)[-1]))


def _object_for_one(attempt: PostAttempt, reply: Reply) -> Reply:
    return replace(reply, listed=None, body=reply.listed[0]) if _size(attempt) == 1 and reply.listed else reply


def _one_short(_attempt: PostAttempt, reply: Reply) -> Reply:
    return replace(reply, listed=reply.listed[:-1]) if reply.listed and len(reply.listed) > 1 else reply


def _all_there_are(attempt: PostAttempt, reply: Reply) -> Reply:
    if reply.listed is None:
        return reply
    return replace(reply, listed=tuple(payment_object(attempt.gateway, one) for one in _payments(attempt)))


def _oldest_first_cut(attempt: PostAttempt, reply: Reply) -> Reply:
    if reply.listed is None:
        return reply
    oldest = list(reversed(_payments(attempt)))[: len(reply.listed)]
    return replace(reply, listed=tuple(payment_object(attempt.gateway, one) for one in oldest))


def _only_zero(value: object, _parent: JsonObject, _context: Context) -> bool:
    return size_of(value) != 0


def _size_rule(tag: str, check: Callable[[object, JsonObject, Context], bool]) -> Change:
    def changed(row: Rule) -> Rule:
        return replace(row, bound=check) if (row.path, row.tag) == ("size", tag) else row

    return lambda design: design.with_checkout_rows("status", changed)


def _leniently(row: Rule) -> Rule:
    if row.path != "size" or row.tag == "whole":
        return replace(row, bound=_anything) if row.path == "size" else row
    check = cast("Check", row.bound)
    return replace(row, bound=lambda value, parent, context: size_of(value) is None or check(value, parent, context))


def _anything(_value: object, _parent: JsonObject, _context: Context) -> bool:
    return True


def _size_text(text: str) -> Change:
    def changed(row: Rule) -> Rule:
        return replace(row, text=text) if row.path == "size" else row

    return lambda design: design.with_checkout_rows("status", changed)


FAULTS: Final = faults(
    {
        "checkout-look-up-size-of-any-kind": breaks(
            "CHK-STA-13",
            "What is no number is no size, and no error.",
            lambda design: design.with_checkout_rows("status", _leniently),
            since=_NEW,
        ),
        "checkout-look-up-by-order-oldest": breaks(
            "CHK-STA-04", "The oldest payment of an order is reported.", looking_up(_oldest)
        ),
        "checkout-look-up-size-1-object": breaks(
            "CHK-STA-05", "size 1 answers an object.", looking_up(_object_for_one), since=_NEW
        ),
        "checkout-look-up-size-one-short": breaks(
            "CHK-STA-06", "One payment less is listed.", looking_up(_one_short), since=_NEW
        ),
        "checkout-look-up-size-ignored": breaks(
            "CHK-STA-05 CHK-STA-06", "All payments are listed.", looking_up(_all_there_are), since=_NEW
        ),
        "checkout-look-up-size-oldest": breaks(
            "CHK-STA-07", "The oldest payments are listed.", looking_up(_oldest_first_cut), since=_NEW
        ),
        "checkout-look-up-size-breaks": breaks(
            "CHK-STA-06 CHK-STA-07 CHK-STA-08",
            "A size beyond 1 is a server error.",
            first(breakdown_if(lambda attempt: (_size(attempt) or 0) > 1), "status"),
            since=_NEW,
        ),
        "checkout-look-up-size-1-refused": breaks(
            "CHK-STA-09 CHK-STA-05",
            "size 1 is refused.",
            first(refusal_if(_has_size(1), _BAD_SIZE), "status"),
            since=_NEW,
        ),
        "checkout-look-up-size-100-refused": breaks(
            "CHK-STA-09", "size 100 is refused.", first(refusal_if(_has_size(100), _BAD_SIZE), "status"), since=_NEW
        ),
        "checkout-look-up-size-other-text": breaks(
            "CHK-STA-10",
            "A size beyond 100 is refused with other words.",
            _size_text("This value is too large."),
            since=_NEW,
        ),
        "checkout-look-up-size-negative": breaks(
            "CHK-STA-12", "A negative size is taken.", _size_rule("one", _only_zero), since=_NEW
        ),
        "checkout-look-up-size-text-breaks": breaks(
            "CHK-STA-14",
            "A size sent as text is a server error.",
            first(breakdown_if(lambda attempt: isinstance(attempt.body.get("size"), str)), "status"),
            since=_NEW,
        ),
        "checkout-look-up-size-with-payment-breaks": breaks(
            "CHK-STA-15",
            "size beside payment_id is a server error.",
            first(breakdown_if(lambda attempt: by_payment(attempt) and "size" in attempt.body), "status"),
            since=_NEW,
        ),
    }
)
