"""Faults of Checkout by another author that the suite did not notice at first (set K), and others of their classes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.checkout import NOTICES, looking_up
from emulator.changes.checkout_sessions import instead
from emulator.design import Change
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.session import Attempt, check_signature, signed_order
from emulator.rules.currencies import EXPONENTS
from emulator.wire.replies import Refusal, Reply

_NEW: Final = "6.7.0"


def _wrong_hash_of(exponent: int) -> Change:
    """What was signed is not the amount as it was sent, in currencies of an exponent."""

    def check(attempt: Attempt) -> Refusal | None:
        order = signed_order(attempt.body)
        if attempt.account is not None and order is not None and EXPONENTS.get(order.currency) == exponent:
            return attempt.gateway.access.wrong_hash
        return check_signature(attempt)

    return instead(check_signature, check)


def _listed_without(is_left_out: Callable[[str], bool]) -> Change:
    def change(_attempt: PostAttempt, reply: Reply) -> Reply:
        if reply.listed is None:
            return reply
        short = tuple({name: each for name, each in one.items() if not is_left_out(name)} for one in reply.listed)
        return replace(reply, listed=short)

    return looking_up(change)


def _was_held(notice: Notice) -> bool:
    return notice.payment.intended is not State.SETTLED


FAULTS: Final = faults(
    {
        "k-checkout-no-token-of-an-authorization": breaks(
            "CHK-TOK-01",
            "req_token is forgotten where auth is true: neither callback carries a card_token (line 57).",
            NOTICES.lacking(_was_held, "card_token"),
        ),
        "k-checkout-hash-over-whole-units": breaks(
            "CHK-AMT-02",
            "Amounts in currencies without minor units are signed in whole units: a right hash is wrong (line 389).",
            _wrong_hash_of(0),
        ),
        "k-checkout-hash-over-two-decimals": breaks(
            "CHK-AMT-05",
            "Amounts in currencies of three decimals are signed with two: a right hash is wrong (line 389).",
            _wrong_hash_of(3),
        ),
        "k-checkout-listed-without-card": breaks(
            "CHK-STA-34",
            "A look-up with size shows neither card nor card_expiration_date (line 344).",
            _listed_without(lambda name: name.startswith("card")),
            since=_NEW,
        ),
        "k-checkout-listed-without-reason": breaks(
            "CHK-STA-20",
            "A look-up with size does not show why a payment was declined.",
            _listed_without(lambda name: name == "reason"),
            since=_NEW,
        ),
    }
)
