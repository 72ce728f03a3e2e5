"""Faults that broke the gateway in the hands of another author, and that the suite did not notice at first (set H)."""

from dataclasses import replace
from typing import Final

from emulator.changes.checkout import NOTICES
from emulator.engine.payments import Payment
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import CheckoutGateway
from emulator.protocols.checkout.page_payments import return_parameters
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.hosted_fields.behaviour import serves
from emulator.protocols.hosted_fields.sessions import HostedSession
from emulator.protocols.hosted_page.languages import Wishes, choose
from emulator.protocols.hosted_page.outcomes import Parameters


def _until_something_is_entered(wishes: Wishes) -> str:
    return choose(replace(wishes, checkout_language="") if wishes.is_posted else wishes)


def _by_token_anywhere(session: HostedSession, operation: str) -> bool:
    return bool(session.request.get("card_token")) or serves(session, operation)


def _unasked_after_a_challenge(gateway: CheckoutGateway, payment: Payment, method: str) -> Parameters:
    parameters = return_parameters(gateway, payment, method)
    return {**parameters, "payment_method": method} if record_of(payment).challenged else parameters


def _unasked_of_a_chain(gateway: CheckoutGateway, payment: Payment, method: str) -> Parameters:
    parameters = return_parameters(gateway, payment, method)
    return {**parameters, "payment_method": method} if payment.recurring_token else parameters


def _lost_after_a_challenge(gateway: CheckoutGateway, payment: Payment, method: str) -> Parameters:
    parameters = return_parameters(gateway, payment, method)
    lost = {"payment_method"} if record_of(payment).challenged else set()
    return {name: value for name, value in parameters.items() if name not in lost}


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
            lambda design: design.in_checkout(return_parameters=_lost_after_a_challenge),
            since="6.7.0",
        ),
        "payment-method-unasked-after-a-challenge": breaks(
            "CHK-URL-19",
            "A payer who passed a challenge brings payment_method back from an account that has the option off.",
            lambda design: design.in_checkout(return_parameters=_unasked_after_a_challenge),
        ),
        "payment-method-unasked-of-a-chain": breaks(
            "CHK-URL-19",
            "A payer whose payment may be repeated brings payment_method back from an account that has the option off.",
            lambda design: design.in_checkout(return_parameters=_unasked_of_a_chain),
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
