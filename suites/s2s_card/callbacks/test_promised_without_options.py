"""What callbacks of S2S CARD are promised to carry, of an account for which no option adds it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.judging import must_have
from fixtures.profile import Profile
from fixtures.protocols.s2s_card.callbacks import outcome_of
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.without_options import without_options
from fixtures.requirement import requirement

PaymentsOf = Callable[[str], Payments]


@pytest.mark.parametrize(
    ("state", "names"),
    [
        pytest.param("payout", ("type",), marks=requirement("CBK-S2C-04")),
        pytest.param("initial_sale", ("recurring_token",), marks=requirement("CBK-S2C-09")),
        pytest.param("tokenized", ("card_token",), marks=requirement("CBK-S2C-10")),
        pytest.param("settled_debit", ("card_token",), marks=requirement("CBK-S2C-11")),
        pytest.param("debited_by_token", ("card", "card_expiration_date"), marks=requirement("CBK-S2C-12")),
    ],
)
def test_callback_carries_what_is_promised_though_no_option_adds_it(
    state: str, names: tuple[str, ...], payments_of: PaymentsOf, callbacks: CallbackWatch, profile: Profile
) -> None:
    payment = without_options(profile, "s2s_card", lambda setting: payments_of(setting).shared(state))

    must_have(outcome_of(payment, callbacks, having=names), names)
