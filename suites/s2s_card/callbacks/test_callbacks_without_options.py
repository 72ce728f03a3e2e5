"""What only an option of the protocol mapping adds is in no callback of an account that has it off (line 288).

Callbacks of other kinds of payments, such as charges by schedule, are watched wherever they come.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import must_not_have
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.protocols.checkout.attributes import COF_DISCRIMINATORS, PAYER_ATTRIBUTES
from fixtures.protocols.s2s_card.callbacks import outcome_of
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.requirement import requirement

PaymentsOf = Callable[[str], Payments]
each_option = pytest.mark.parametrize(
    ("setting", "names"),
    [
        pytest.param("no_cof_fields", COF_DISCRIMINATORS, id="cof", marks=requirement("CBK-S2C-31")),
        pytest.param("no_payer_fields", PAYER_ATTRIBUTES, id="payer", marks=requirement("CBK-S2C-32")),
    ],
)


@each_option
def test_callback_of_a_sale_carries_nothing_that_is_not_turned_on(
    setting: str, names: tuple[str, ...], callbacks: CallbackWatch, payments_of: PaymentsOf
) -> None:
    must_not_have(outcome_of(payments_of(setting).shared("settled"), callbacks), names)


@each_option
@pytest.mark.parametrize("state", ["settled_debit", "secondary", "secondary_debit", "paid_by_token", "payout"])
def test_callback_carries_nothing_that_is_not_turned_on_whatever_was_asked_for(
    state: str, setting: str, names: tuple[str, ...], callbacks: CallbackWatch, payments_of: PaymentsOf
) -> None:
    with where_it_comes_about(f"a payment that is {state}"):
        payment = payments_of(setting).shared(state)

    must_not_have(outcome_of(payment, callbacks), names)


@requirement("CBK-S2C-31")
@pytest.mark.parametrize("present", ["Y", "N"])
def test_callback_of_a_sale_by_a_card_on_file_carries_no_discriminators_unasked(
    present: str, callbacks: CallbackWatch, payments_of: PaymentsOf
) -> None:
    payments = payments_of("no_cof_fields")
    with where_it_comes_about(f"a SALE with payer_present={present}"):
        payment = payments.open(payments.requests.baseline("sale").with_("payer_present", present))

    must_not_have(outcome_of(payment, callbacks), COF_DISCRIMINATORS)
