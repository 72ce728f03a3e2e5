"""A variation of instant QR whose bank of tests goes by the amount: one amount is what nobody scans."""

from typing import Final

from emulator.changes.s2s_apm import around, payment_made
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.sale import bank_reports
from emulator.rules.s2s_apm.brands import INSTANT_QR, SALES
from emulator.variations.model import Variation
from emulator.wire.replies import Reply

REJECTED, UNSCANNED = "45.00", "44.00"
_A_SCAN: Final = 2.0


def _by_amount(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """Line 235 does not say what a bank of tests goes by; a code that nobody scans ends with its minute."""
    reply = handler(attempt, gateway)
    amount, payment = attempt.form.get("order_amount"), payment_made(attempt, gateway, reply)
    if SALES.get(attempt.form.get("brand", "")) != INSTANT_QR or payment is None or amount == UNSCANNED:
        return reply
    word = "RJCT" if amount == REJECTED else "ACSC"
    gateway.agenda.after(_A_SCAN, lambda: bank_reports(gateway, payment, word))
    return reply


VARIATIONS: Final = (
    Variation(
        "apm-qr-bank-goes-by-amount",
        "The bank pays an instant QR code within seconds, rejects one amount, and does not scan another.",
        around(_by_amount, "SALE"),
    ),
)
