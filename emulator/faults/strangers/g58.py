"""Faults that a stranger's gateway showed to be missed: one event alone is signed otherwise."""

from collections.abc import Callable
from typing import Final

from emulator.changes.checkout import NOTICES as OF_CHECKOUT
from emulator.changes.checkout import Handler, around
from emulator.changes.notices import about
from emulator.changes.s2s_card import NOTICES
from emulator.design import Change, Design, all_of
from emulator.engine.callbacks import signatures
from emulator.engine.callbacks.notice import Notice
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.wire.replies import Reply


def _over(event: str, of_digits: Callable[[str], str]) -> Change:
    """Callbacks of an event are signed over a part of the ten digits alone (line 406)."""

    def sign(notice: Notice) -> str:
        payment = notice.payment
        if not about(event)(notice) or payment.card is None:
            return signatures.s2s_card(notice)
        digits = signatures.backwards(of_digits(payment.card.fragment))
        middle = f"{payment.account.password}{payment.trans_id}".encode()
        return signatures.digest(notice, (signatures.backwards(payment.email) + middle + digits).upper())

    return NOTICES.signed(sign)


def _refund_by_credit_unhashed(design: Design) -> Design:
    """What a card credit gives back is notified with the inner digest alone (line 406)."""
    giving_back: set[str] = set()

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        payment = attempt.payment
        if payment is not None:
            giving_back.add(payment.id)
        reply = handler(attempt)
        giving_back.clear()
        return reply

    def sign(notice: Notice) -> str:
        hashed = signatures.checkout(notice)
        return hashed[:32] if notice.payment.id in giving_back else hashed

    return all_of(around(act, "card_credit"), OF_CHECKOUT.signed(sign))(design)


_DIGITS: Final = faults(
    {
        f"{event.lower().replace('_', '-')}-callback-signed-over-{name}": breaks(
            "CBK-SIG-08", f"Callbacks of {event} are signed over {what} of the card.", _over(event, part)
        )
        for event, name, what, part in (
            ("RECURRING_SALE", "last-four", "the last four digits", lambda digits: digits[-4:]),
            ("VOID", "first-six", "the first six digits", lambda digits: digits[:6]),
        )
    }
)
_REFUNDS: Final = faults(
    {
        "checkout-refund-by-credit-notified-without-sha1": breaks(
            "CBK-SIG-02",
            "The hash of the callback of a refund by card credit is no SHA1.",
            _refund_by_credit_unhashed,
        ),
    }
)
FAULTS: Final = (*_DIGITS, *_REFUNDS)
