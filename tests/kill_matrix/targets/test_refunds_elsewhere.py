"""Refunds in other ways: by card credits with ids of their own, and accounts of S2S CARD that give nothing back."""

from __future__ import annotations

from fixtures.profile import Profile
from fixtures.profile.accounts import AccountSettings
from tests.kill_matrix.apart import ANOTHER_MID
from tests.kill_matrix.collected import checks_of, suite

SIGNED = ("suites/s2s_card/messages/test_signatures.py", "suites/s2s_card/messages/test_wrong_signatures.py")
OF_CREDITVOID = "creditvoid"


def without_refunds(profile: Profile) -> Profile:
    """Return the profile with its account without refunds as the main one of S2S CARD."""
    account, main = profile.accounts["no_refunds"], profile.credentials.s2s_card
    assert main is not None
    own = {name for name in AccountSettings.model_fields if getattr(account, name) is not None} | {"key", "password"}
    merged = main.model_copy(update={name: getattr(account, name) for name in own})
    credentials = profile.credentials.model_copy(update={"s2s_card": merged})
    data = profile.test_data.model_copy(update={"card_token": None, "second_card_token": None})
    return profile.model_copy(update={"credentials": credentials, "test_data": data})


def test_signature_of_creditvoid_is_proven_on_an_authorization() -> None:
    checks = [check for check in suite().items if check.nodeid.startswith(SIGNED) and OF_CREDITVOID in check.nodeid]

    said = suite().run(checks, profile=without_refunds(suite().profile))

    assert len(checks) >= 8
    undesired = ("fail", "error", "inconclusive")
    assert not any(map(said.requirements, undesired)), said.details(*undesired)


BY_PAYMENT_ID = "card-credit-refund-has-ids-of-its-own"
OF_REFUNDS = frozenset({*(f"CHK-RFD-{number}" for number in ("01", "02", "03", "04", "22", "24")), "CBK-ATT-35"})


def naming_payments_by_id(profile: Profile) -> Profile:
    """Return the profile of a target whose card credits name what they give back by payment_id."""
    data = profile.test_data.model_copy(update={"refund_reference": "payment_id"})
    return profile.model_copy(update={"test_data": data})


def test_refunds_by_card_credit_may_have_ids_of_their_own() -> None:
    checks = suite().claiming(OF_REFUNDS)

    said = suite().run(checks, variations=(BY_PAYMENT_ID,), profile=naming_payments_by_id(suite().profile))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert {"CHK-RFD-01", "CHK-RFD-24", "CBK-ATT-35"} <= said.requirements("pass"), said.details("inconclusive")


def test_limit_of_refunds_is_seen_where_each_credit_is_an_order_of_its_own() -> None:
    said = suite().run(
        suite().claiming({"CHK-RFD-24"}),
        faults=("checkout-credit-refund-of-more-than-is-left",),
        variations=(BY_PAYMENT_ID,),
        profile=naming_payments_by_id(suite().profile),
    )

    assert "CHK-RFD-24" in said.requirements("fail"), said.details("pass", "inconclusive")


def test_refund_that_is_reported_as_a_credit_is_undecided() -> None:
    said = suite().run(
        suite().claiming(OF_REFUNDS - {"CHK-RFD-24"}),
        variations=("card-credit-refund-is-a-credit",),
        profile=naming_payments_by_id(suite().profile),
    )

    assert "CHK-RFD-01" in said.requirements("inconclusive")
    assert not {"CHK-RFD-01"} & said.requirements("fail"), said.details("fail")


def test_payouts_that_are_taken_for_refunds_fail_nothing() -> None:
    """The profile says how a card credit names a payment, and the target reads it for the number of a payout."""
    said = suite().run(suite().claiming(OF_REFUNDS), variations=("card-credit-is-always-a-payout",))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert "CHK-RFD-01" in said.requirements("inconclusive")
    assert {"CHK-RFD-02", "CHK-RFD-03", "CHK-RFD-04"} <= said.requirements("not_applicable")


def test_refusals_at_the_endpoint_alone_do_not_decide_those_of_card_credits() -> None:
    """The contract has refunds by card credit alone; how one names a payment the profile does not say here."""
    data = suite().profile.test_data.model_copy(update={"refund_reference": None})
    profile = suite().profile.model_copy(update={"test_data": data})

    said = suite().run(suite().claiming({"CHK-RFD-03", "CHK-RFD-04", "CBK-ATT-35"}), profile=profile)

    assert said.requirements("inconclusive") == {"CHK-RFD-03", "CHK-RFD-04"}, said.details("inconclusive", "fail")
    assert "CBK-ATT-35" in said.requirements("pass")


def test_nothing_fails_where_another_mid_of_s2s_apm_allows_no_refunds() -> None:
    checks = [check for check in checks_of("s2s_apm") if "kinds_of_payment" in check.nodeid or "refund" in check.nodeid]

    said = suite().run(checks, variations=(ANOTHER_MID,))

    assert {"APM-CVD-07", "APM-VOI-02"} <= said.requirements("pass"), said.details("fail", "inconclusive")
    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
