"""A main account that only holds, and one beside it that sells in another currency: each payment is that one's own."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from fixtures.profile import Profile
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.run import Run
from tests.kill_matrix.collected import suite
from tests.kill_matrix.main_accounts import with_another_that_does_both, with_main_account

ABOUT_A_PAYMENT_MADE = {
    "checkout": {"CBK-ATT-02", "CBK-SIG-03", "CHK-STA-06", "CHK-STA-21", "CHK-TOK-07", "CHK-URL-03", "CHK-SCH-01"},
    "s2s_card": {"CBK-S2C-23", "S2C-ANS-08", "S2C-REC-01", "S2C-WAL-01"},
}
"""Requirements whose checks ask about a payment that they, or another check, made."""


def where_the_one_that_sells_is_hindered(protocol: str) -> Profile:
    """Return a profile whose usual seller takes nothing of zero: one that does both, in euros, stands in."""
    profile = with_another_that_does_both(with_main_account("dms", says=True, protocol=protocol), protocol)
    sms = profile.accounts["sms"].model_copy(update={"zero_amount": False, "currencies": ("USD",)})
    both = profile.accounts["both"].model_copy(update={"currencies": ("EUR",)})
    accounts = {"sms": sms, "both": both}
    for name, account in accounts.items():
        account.called(name)
    main = getattr(profile.credentials, protocol).model_copy(update={"currencies": ("USD",)})
    credentials = profile.credentials.model_copy(update={protocol: main})
    return profile.model_copy(update={"credentials": credentials, "accounts": accounts})


@pytest.mark.parametrize("protocol", ABOUT_A_PAYMENT_MADE)
def test_payments_of_the_one_that_stands_in_are_followed_up_as_its_own(protocol: str) -> None:
    wanted = ABOUT_A_PAYMENT_MADE[protocol]
    checks = [check for check in suite().claiming(wanted) if protocol in str(check.path) or "hosted" in str(check.path)]

    said = suite().run(checks, profile=where_the_one_that_sells_is_hindered(protocol))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    # The token of the profile is another account's.
    left = [one for one in said.checks if one.verdict == "inconclusive" and "card_token" not in one.reason]
    assert not left, left


@pytest.mark.parametrize("said_of_the_other", [False, None])
def test_setting_of_the_main_account_is_asked_of_it_where_the_other_is_without(said_of_the_other: bool | None) -> None:
    profile = with_main_account("dms", says=True, protocol="checkout")
    main = profile.credentials.checkout
    assert main is not None
    credentials = profile.credentials.model_copy(
        update={"checkout": main.model_copy(update={"customer_name_validation": True})}
    )
    sms = profile.accounts["sms"].model_copy(update={"customer_name_validation": said_of_the_other})
    sms.called("sms")
    asked: set[str] = set()

    class Noting(Run):
        def checkout_payments_of(self, *, holds: bool, having: Iterable[str] = ()) -> CheckoutPayments:
            found = super().checkout_payments_of(holds=holds, having=having)
            asked.add(found.merchant.identity.name)
            return found

    said = suite().run(
        suite().claiming({"CHK-CUS-03"}),
        profile=profile.model_copy(update={"credentials": credentials, "accounts": {"sms": sms}}),
        run_of=Noting,
    )

    assert said.requirements("pass") == {"CHK-CUS-03"}, said.details("fail", "inconclusive")
    assert asked == {""}
