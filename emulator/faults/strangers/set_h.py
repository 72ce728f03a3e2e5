"""Faults that broke the gateway in the hands of another author, and that the suite did not notice at first (set H)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.checkout import NOTICES
from emulator.changes.hosted_page import returning, returning_without
from emulator.design import Change
from emulator.engine.payments import Payment
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.hosted_fields.behaviour import serves
from emulator.protocols.hosted_fields.sessions import HostedSession
from emulator.protocols.hosted_page.languages import Wishes, choose


def _until_something_is_entered(wishes: Wishes) -> str:
    return choose(replace(wishes, checkout_language="") if wishes.is_posted else wishes)


def _by_token_anywhere(session: HostedSession, operation: str) -> bool:
    return bool(session.request.get("card_token")) or serves(session, operation)


def _was_challenged(payment: Payment) -> bool:
    return record_of(payment).challenged


def _unasked(applies: Callable[[Payment], bool]) -> Change:
    """A payer brings payment_method back, whatever the account asks for."""
    return returning(
        lambda payment, found: {**found, "payment_method": record_of(payment).method} if applies(payment) else found
    )


FAULTS: Final = faults(
    {
        "payer-attributes-in-refund-callbacks": breaks(
            "CBK-ATT-43",
            "Callbacks of a refund report the payer of an account that has the option off.",
            NOTICES.fields(lambda fields: {"payer_email": "payer@example.com", **fields}, "refund"),
            since="6.7.0",
        ),
        "payment-method-lost-after-a-challenge": breaks(
            "CHK-URL-08",
            "A payer who passed a challenge brings no payment_method back, which others do.",
            returning_without("payment_method", _was_challenged),
            since="6.7.0",
        ),
        "payment-method-unasked-after-a-challenge": breaks(
            "CHK-URL-19",
            "A payer who passed a challenge brings payment_method back from an account that has the option off.",
            _unasked(_was_challenged),
        ),
        "payment-method-unasked-of-a-chain": breaks(
            "CHK-URL-19",
            "A payer whose payment may be repeated brings payment_method back from an account that has the option off.",
            _unasked(lambda payment: bool(payment.recurring_token)),
        ),
        "hosted-session-by-token-paid-anywhere": breaks(
            "HPF-PAY-04 HPF-PAY-05",
            "A session by card token is paid at the endpoint of either operation (lines 334 and 335).",
            lambda design: design.in_hosted_fields(serves=_by_token_anywhere),
        ),
        "page-language-lost-with-an-entry": breaks(
            "HPP-LNG-01",
            "The page that names wrong entries is in the language of the browser, and no longer in checkout_language.",
            lambda design: design.in_page(language=_until_something_is_entered),
        ),
        "session-expiry-begins-anew-with-a-look": breaks(
            "CHK-LIF-02",
            "Each look at the page begins session_expiry anew: one that is looked at now and then never expires.",
            lambda design: design.in_page(lasts_anew=True),
        ),
    }
)
