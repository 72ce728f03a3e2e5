"""What every callback of Checkout is promised to carry, of an account for which no option adds it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import must_have
from fixtures.profile import Profile
from fixtures.protocols.checkout.callbacks import about, outcome_of
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.without_options import must_be_said, without_options
from fixtures.requirement import requirement

PaymentsOf = Callable[[str], CheckoutPayments]


@requirement("CBK-ATT-23")
def test_callbacks_of_a_debit_by_token_carry_the_card_though_no_option_adds_it(
    paid_by: PaymentsOf, callbacks: CallbackWatch, profile: Profile
) -> None:
    payment = without_options(profile, "checkout", lambda setting: paid_by(setting).shared("debited_by_token"))
    outcome_of(payment, callbacks)

    for callback in callbacks.arrived(about(payment)):
        must_have(callback, ("card", "card_expiration_date"))


@pytest.mark.parametrize(
    ("state", "name"),
    [
        pytest.param("settled_debit", "card_token", marks=requirement("CBK-ATT-22")),
        pytest.param("tokenized", "card_token", marks=requirement("CHK-TOK-01")),
        pytest.param("initial", "recurring_token", marks=requirement("CBK-ATT-24")),
        pytest.param("initial", "recurring_init_trans_id", marks=requirement("CBK-ATT-25")),
        pytest.param("initial_debit", "recurring_token", marks=requirement("CBK-ATT-26")),
        pytest.param("debited_by_token_with_data", "custom_data", marks=requirement("CBK-ATT-14")),
    ],
)
def test_callback_carries_what_is_promised_though_no_option_adds_it(
    state: str, name: str, paid_by: PaymentsOf, callbacks: CallbackWatch, profile: Profile
) -> None:
    has = "card_tokens" if state == "tokenized" else ""
    payment = without_options(profile, "checkout", lambda setting: paid_by(setting).shared(state), has=has)
    callback = outcome_of(payment, callbacks, having=(name,))
    if has and not callback.get(name):
        must_be_said(profile, payment.merchant.identity.name, has, f"has no {name} though req_token was sent")

    must_have(callback, (name,))
