"""Variations of what methods serve: crypto methods their own currencies, a withdrawal payouts."""

from typing import Final

from emulator.accounts import METHODS
from emulator.changes import s2s_apm as apm
from emulator.changes.checkout_sessions import last as last_in_session
from emulator.design import all_of
from emulator.protocols.checkout.session import Attempt
from emulator.protocols.s2s_apm.behaviour import ApmAttempt
from emulator.rules.currencies import CRYPTO as COINS
from emulator.rules.s2s_apm.brands import CRYPTO, SALES
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Refusal

_UNROUTED: Final = Refusal(Kind.ACTION, "Payment action not supported", code=204005)


def _of_another_kind(attempt: Attempt) -> Refusal | None:
    named, order = attempt.body.get("methods"), attempt.body.get("order")
    families = [METHODS.get(str(method)) for method in named] if isinstance(named, list) else []
    if len(families) != 1 or not isinstance(order, dict):
        return None
    is_in_coins = order.get("currency") in COINS
    pays_out = attempt.body.get("operation") == "credit"
    is_served = (families[0] not in CRYPTO or is_in_coins) and (families[0] != "trading_withdrawal" or pays_out)
    return None if is_served else _UNROUTED


def _brand_in_another_currency(attempt: ApmAttempt) -> Refusal | None:
    is_of_coins = SALES.get(attempt.form.get("brand", "")) in CRYPTO
    return _UNROUTED if is_of_coins and attempt.form.get("order_currency") not in COINS else None


VARIATIONS: Final = (
    Variation(
        "methods-serve-their-kind",
        "Methods of crypto take crypto currencies only, and in Checkout a trading withdrawal is a credit.",
        all_of(last_in_session(_of_another_kind), apm.last(_brand_in_another_currency, "SALE")),
    ),
)
