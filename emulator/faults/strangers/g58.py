"""Faults that a stranger's gateway showed to be missed: one event alone is signed over less of the card."""

from collections.abc import Callable
from typing import Final

from emulator.changes.notices import about
from emulator.changes.s2s_card import NOTICES
from emulator.design import Change
from emulator.engine.callbacks import signatures
from emulator.engine.callbacks.notice import Notice
from emulator.faults.model import breaks, faults


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


FAULTS: Final = faults(
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
