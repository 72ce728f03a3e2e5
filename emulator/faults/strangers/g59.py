"""Faults that a stranger's gateway showed to be missed: one event, or one currency, alone is signed in another way."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.accounts import Account
from emulator.changes.checkout import NOTICES, operation
from emulator.changes.notices import about
from emulator.design import Change, Design
from emulator.engine.callbacks import signatures
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import State
from emulator.engine.signing import equal, session_hash
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.operations import joined

_CREDIT: Final = "card_credit"
_USUAL: Final = "USD"


def _by_md5(applies: Callable[[Notice], bool]) -> Change:
    """Some callbacks are signed with MD5, whatever the option of the account says (line 406)."""

    def sign(notice: Notice) -> str:
        account = replace(notice.payment.account, hash="md5") if applies(notice) else notice.payment.account
        return signatures.checkout(replace(notice, payment=replace(notice.payment, account=account)))

    return NOTICES.signed(sign)


def _is_refund_in_part(notice: Notice) -> bool:
    return notice.event == "refund" and notice.payment.state is State.SETTLED


def _currency_first(design: Design) -> Design:
    """Card credits in all currencies but one are signed with the currency before the amount (line 390)."""
    inner = design.checkout.operations[_CREDIT].accepts_hash
    signed = joined("order_id", "order_currency", "order_amount", "order_description")

    def accepts(attempt: PostAttempt, account: Account) -> bool:
        if attempt.body.get("order_currency") == _USUAL:
            return inner(attempt, account)
        wanted = session_hash(signed(attempt.body) + account.password, account.hash)
        return equal(str(attempt.body.get("hash")), wanted)

    return operation(_CREDIT, accepts_hash=accepts)(design)


_CALLBACKS: Final = faults(
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
_CREDITS: Final = faults(
    {
        "checkout-credit-in-other-currencies-signed-otherwise": breaks(
            "CHK-CRD-16",
            "Card credits in any currency but one are signed with the currency before the amount.",
            _currency_first,
        ),
    }
)
FAULTS: Final = (*_CALLBACKS, *_CREDITS)
