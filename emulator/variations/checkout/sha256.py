"""Variations of what the SHA256 option of an account changes."""

from dataclasses import replace
from typing import Final

from emulator.changes.checkout import NOTICES
from emulator.design import Design
from emulator.engine.callbacks import signatures
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Payment
from emulator.engine.signing import literal_md5
from emulator.protocols.checkout.behaviour import CheckoutGateway
from emulator.protocols.checkout.session import matches
from emulator.protocols.hosted_page.outcomes import Parameters
from emulator.variations.model import Variation


def _by_md5(payment: Payment) -> Payment:
    return replace(payment, account=replace(payment.account, hash="md5"))


def _signed(notice: Notice) -> str:
    return signatures.checkout(replace(notice, payment=_by_md5(notice.payment)))


def _without_effect(design: Design) -> Design:
    made = design.checkout.return_parameters

    def parameters(gateway: CheckoutGateway, payment: Payment, method: str) -> Parameters:
        return made(gateway, _by_md5(payment), method)

    changed = NOTICES.signed(_signed)(design)
    changed = changed.in_session(accepts_hash=lambda test: matches(test, literal_md5))
    return changed.in_checkout(return_parameters=parameters)


VARIATIONS: Final = (
    Variation(
        "sha256-without-effect-on-checkout",
        "With the SHA256 option requests, callbacks and return addresses of Checkout stay SHA1 of MD5.",
        _without_effect,
    ),
)
