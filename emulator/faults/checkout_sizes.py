"""Faults of the size of Checkout look-ups."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, cast

from emulator.checkout.conduct import PostAttempt
from emulator.checkout.lookups import payment_object
from emulator.design import Change
from emulator.faults.checkout_ways import (
    Handler,
    around,
    breaking,
    first,
)
from emulator.faults.model import Fault
from emulator.payments.model import Payment, Protocol
from emulator.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.rules.checkout_payments import size_of
from emulator.rules.model import Check, Context, JsonObject, Rule

_NEW: Final = "6.7.0"
_SIZES: Final = ("CHK-STA-*",)
_BAD_SIZE: Final = Refusal(Kind.CHECKOUT_FIELDS, INVALID_DATA, violations=(("size", "This value is not valid."),))


def _by_payment(attempt: PostAttempt) -> bool:
    return attempt.body.get("payment_id") is not None


def _size(attempt: PostAttempt) -> int | None:
    return size_of(attempt.body["size"]) if "size" in attempt.body and not _by_payment(attempt) else None


def _has_size(*sizes: int) -> Callable[[PostAttempt], bool]:
    return lambda attempt: _size(attempt) in sizes


def _payments(attempt: PostAttempt) -> list[Payment]:
    account, number = attempt.account, str(attempt.body.get("order_id"))
    found = attempt.gateway.payments.of_order(account, number) if account else []
    return [payment for payment in found if payment.protocol is Protocol.CHECKOUT]


def _looking(change: Callable[[PostAttempt, Reply], Reply]) -> Change:
    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        reply = handler(attempt)
        return reply if reply.is_error else change(attempt, reply)

    return around(act, "status")


def _oldest(attempt: PostAttempt, reply: Reply) -> Reply:
    if _by_payment(attempt) or reply.listed is not None:
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


FAULTS: Final = (
    Fault(
        "checkout-look-up-size-of-any-kind",
        ("CHK-STA-13",),
        "What is no number is no size, and no error.",
        lambda design: design.with_checkout_rows("status", _leniently),
        _SIZES,
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-by-order-oldest",
        ("CHK-STA-04",),
        "The oldest payment of an order is told.",
        _looking(_oldest),
        ("CHK-*",),
    ),
    Fault(
        "checkout-look-up-size-1-object",
        ("CHK-STA-05",),
        "size 1 answers an object.",
        _looking(_object_for_one),
        _SIZES,
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-size-one-short",
        ("CHK-STA-06",),
        "One payment less is listed.",
        _looking(_one_short),
        _SIZES,
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-size-ignored",
        ("CHK-STA-05", "CHK-STA-06"),
        "All payments are listed.",
        _looking(_all_there_are),
        _SIZES,
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-size-oldest",
        ("CHK-STA-07",),
        "The oldest payments are listed.",
        _looking(_oldest_first_cut),
        _SIZES,
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-size-breaks",
        ("CHK-STA-06", "CHK-STA-07", "CHK-STA-08"),
        "A size beyond 1 is a server error.",
        breaking(lambda attempt: (_size(attempt) or 0) > 1, "status"),
        (*_SIZES, "GEN-*"),
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-size-1-refused",
        ("CHK-STA-09", "CHK-STA-05"),
        "size 1 is refused.",
        first(_has_size(1), _BAD_SIZE, "status"),
        _SIZES,
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-size-100-refused",
        ("CHK-STA-09",),
        "size 100 is refused.",
        first(_has_size(100), _BAD_SIZE, "status"),
        _SIZES,
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-size-other-text",
        ("CHK-STA-10",),
        "A size beyond 100 is refused with other words.",
        _size_text("This value is too large."),
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-size-negative",
        ("CHK-STA-12",),
        "A negative size is taken.",
        _size_rule("one", _only_zero),
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-size-text-breaks",
        ("CHK-STA-14",),
        "A size sent as text is a server error.",
        breaking(lambda attempt: isinstance(attempt.body.get("size"), str), "status"),
        ("CHK-STA-13", "GEN-*"),
        since=_NEW,
    ),
    Fault(
        "checkout-look-up-size-with-payment-breaks",
        ("CHK-STA-15",),
        "size beside payment_id is a server error.",
        breaking(lambda attempt: _by_payment(attempt) and "size" in attempt.body, "status"),
        ("GEN-*",),
        since=_NEW,
    ),
)
