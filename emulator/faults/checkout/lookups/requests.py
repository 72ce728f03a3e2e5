"""Faults of Checkout look-ups."""

from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.checkout import Handler, around, by_payment, first, looking_up, operation
from emulator.changes.stages import breakdown_if, refusal_if
from emulator.design import Change, Design
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout import behaviour
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.rules.model import Rule
from emulator.wire.replies import Kind, Refusal, Reply

_NEW: Final = "6.7.0"
_ELSEWHERE: Final = Refusal(Kind.NOWHERE, "Route or parameters is not supported", code=0, status=404)
_HASH: Final = Kind.SIGNATURE


class _Counter:
    """How often each payment was looked up."""

    def __init__(self) -> None:
        self._asked: dict[str, int] = {}

    def count(self, reply: Reply) -> int:
        """Count one more look-up of the payment that ``reply`` reports."""
        identifier = str(reply.body.get("payment_id"))
        self._asked[identifier] = self._asked.get(identifier, 0) + 1
        return self._asked[identifier]


def _by_order(attempt: PostAttempt) -> bool:
    return "order_id" in attempt.body


def _array_by_payment(attempt: PostAttempt, reply: Reply) -> Reply:
    return replace(reply, listed=(reply.body,)) if by_payment(attempt) else reply


def _array_by_order(attempt: PostAttempt, reply: Reply) -> Reply:
    alone = not by_payment(attempt) and reply.listed is None
    return replace(reply, listed=(reply.body,)) if alone else reply


def _changing_its_mind(design: Design) -> Design:
    asked = _Counter()

    def change(_attempt: PostAttempt, reply: Reply) -> Reply:
        again = asked.count(reply) % 2 == 0 and reply.body.get("status") == "settled"
        return replace(reply, body=reply.body | {"status": "refund"}) if again else reply

    return looking_up(change)(design)


def _unasked(row: Rule) -> Rule | None:
    return None if row.keyword == "required" and row.path in {"payment_id", "order_id"} else row


def _found_for(name: str) -> Change:
    """Payments of other merchants are found as well."""

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        reply = handler(attempt)
        own = attempt.account
        for account in ACCOUNTS if reply.is_error and attempt.body.get(name) is not None else ():
            attempt.account = account
            reply = handler(attempt)
            if not reply.is_error:
                break
        attempt.account = own
        return reply

    return around(act, "status")


def _refusal(code: int | str, message: str, status: int = 400) -> Refusal:
    return Refusal(Kind.NOT_FOUND, message, code=code, status=status)


def _no_payment(code: int | str = 101000, message: str = "Payment does not exist.", status: int = 400) -> Change:
    return operation("status", not_found=_refusal(code, message, status))


def _no_order(code: int | str = 101000, message: str = "Order does not exist.", status: int = 400) -> Change:
    return lambda design: design.in_checkout(order_not_found=_refusal(code, message, status))


FAULTS: Final = faults(
    {
        "checkout-look-up-of-nothing": breaks(
            "CHK-STA-26", "A look-up needs no identifier.", lambda design: design.with_checkout_rows("status", _unasked)
        ),
        "checkout-look-up-by-order-elsewhere": breaks(
            "CHK-STA-01", "Look-ups by order have another address.", first(refusal_if(_by_order, _ELSEWHERE), "status")
        ),
        "checkout-look-up-by-payment-in-array": breaks(
            "CHK-STA-02", "A payment that is looked up by its id comes in an array.", looking_up(_array_by_payment)
        ),
        "checkout-look-up-by-order-in-array": breaks(
            "CHK-STA-03", "An order's payment comes in an array.", looking_up(_array_by_order)
        ),
        "checkout-look-up-changes-its-mind": breaks(
            "CHK-STA-16", "Every second look-up says something else.", _changing_its_mind
        ),
        "checkout-look-up-unknown-payment-100000": breaks(
            "CHK-STA-22", "An unknown payment is refused with 100000.", _no_payment(100000), since=_NEW
        ),
        "checkout-look-up-unknown-payment-other-text": breaks(
            "CHK-STA-22",
            "An unknown payment is refused with other words.",
            _no_payment(message="Payment not found."),
            since=_NEW,
        ),
        "checkout-look-up-unknown-payment-404": breaks(
            "CHK-STA-22", "An unknown payment is refused with HTTP 404.", _no_payment(status=404), since=_NEW
        ),
        "checkout-look-up-unknown-payment-as-order": breaks(
            "CHK-STA-22",
            "An unknown payment is refused as an order.",
            _no_payment(message="Order does not exist."),
            since=_NEW,
        ),
        "checkout-look-up-unknown-order-100000": breaks(
            "CHK-STA-23", "An unknown order is refused with 100000.", _no_order(100000), since=_NEW
        ),
        "checkout-look-up-unknown-order-other-text": breaks(
            "CHK-STA-23",
            "An unknown order is refused with other words.",
            _no_order(message="Payment does not exist."),
            since=_NEW,
        ),
        "checkout-look-up-unknown-order-404": breaks(
            "CHK-STA-23", "An unknown order is refused with HTTP 404.", _no_order(status=404), since=_NEW
        ),
        "checkout-look-up-unknown-payment-split-early": breaks(
            "CHK-STA-24",
            "Unknown payments are distinguished before 6.7.0.",
            operation("status", not_found=behaviour.NO_PAYMENT),
            until="6.6.5",
        ),
        "checkout-look-up-unknown-order-split-early": breaks(
            "CHK-STA-25", "Unknown orders are distinguished before 6.7.0.", _no_order(), until="6.6.5"
        ),
        "checkout-look-up-both-breaks": breaks(
            "CHK-STA-27",
            "Both identifiers together are a server error.",
            first(breakdown_if(lambda attempt: {"payment_id", "order_id"} <= attempt.body.keys()), "status"),
        ),
        "checkout-look-up-order-of-anybody": breaks(
            "CHK-STA-28", "Orders of other merchants are found.", _found_for("order_id")
        ),
        "checkout-look-up-payment-of-anybody": breaks(
            "CHK-STA-29", "Payments of other merchants are found.", _found_for("payment_id")
        ),
        "checkout-look-up-hash-101000": breaks(
            "CHK-STA-30",
            "A wrong hash is refused with 101000.",
            operation("status", wrong_hash=Refusal(_HASH, "Hash is not valid", code=101000)),
        ),
    }
)
