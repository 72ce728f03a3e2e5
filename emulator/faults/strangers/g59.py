"""Faults that a stranger's gateway showed to be missed: one event alone is signed by another digest."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.checkout import NOTICES
from emulator.changes.notices import about
from emulator.design import Change
from emulator.engine.callbacks import signatures
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults


def _by_md5(applies: Callable[[Notice], bool]) -> Change:
    """Some callbacks are signed with MD5, whatever the option of the account says (line 406)."""

    def sign(notice: Notice) -> str:
        account = replace(notice.payment.account, hash="md5") if applies(notice) else notice.payment.account
        return signatures.checkout(replace(notice, payment=replace(notice.payment, account=account)))

    return NOTICES.signed(sign)


def _is_refund_in_part(notice: Notice) -> bool:
    return notice.event == "refund" and notice.payment.state is State.SETTLED


FAULTS: Final = faults(
    {
        f"checkout-callback-of-{name}-by-md5": breaks(
            "CBK-SIG-04",
            f"The callback of {what} is signed with MD5, though the account has SHA256.",
            _by_md5(applies),
        )
        for name, what, applies in (
            ("void", "a void", about("void")),
            ("refund-in-part", "a refund in part", _is_refund_in_part),
        )
    }
)
