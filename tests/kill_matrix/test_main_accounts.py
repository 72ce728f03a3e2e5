"""Nothing fails whatever the main account is like, nor when the profile does not say what it is like."""

from __future__ import annotations

import pytest

from emulator.faults import registry
from tests.kill_matrix.collected import checks_of, part_of, suite
from tests.kill_matrix.main_accounts import with_another_that_does_both, with_main_account, with_other_merchants

AFFECTED = ("test_amounts", "test_answers", "test_callback", "test_recurring", "test_three_ds", "test_transitions")
"""Files whose checks look at statuses."""
OF_MODES = ("test_authorization", "test_duplicates", "test_conditions", "test_order", "test_payments_of_one_payer")
"""Files whose checks ask for authorizations, or for immediate payments."""
OF_BOTH_MODES = ("test_action_names", "test_captures", "test_operation_signatures", "test_schedules", "test_status")
"""Files with checks that need an account that both sells and holds."""
OF_OPTIONS = ("test_callback", "test_recurring", "test_returns", "test_status")
"""Files that come by places to which options of an account add."""
OF_PAID_CARDS = ("CBK-ATT-31", "CBK-ATT-46", "CHK-URL-03", "HPF-CIP-01", "HPF-PAY-18", "HPF-PAY-21", "HPF-PAY-22")
"""What hosted fields and several attempts on the page say of payments that were made, as they are on any account."""
MOST_UNDECIDED = {"sms": 8, "dms": 8, "sha256": 4}
"""What only an account without that setting decides."""


@pytest.mark.parametrize("name", MOST_UNDECIDED)
def test_nothing_fails_with_another_main_account(name: str) -> None:
    checks = [check for check in checks_of("s2s_card") if check.path.name.startswith(AFFECTED)]

    said = suite().run(checks, profile=with_main_account(name, says=True))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert len(said.named("inconclusive")) <= MOST_UNDECIDED[name], said.details("inconclusive")


@pytest.mark.parametrize("protocol", ["checkout", "s2s_card"])
def test_nothing_fails_where_the_main_account_only_holds(protocol: str) -> None:
    profile = with_main_account("dms", says=True, protocol=protocol)
    # The tokens of the profile are those of the other account.
    data = profile.test_data.model_copy(update={"card_token": None, "second_card_token": None})

    checks = (*part_of(checks_of(protocol), 1, 4), *(suite().claiming(OF_PAID_CARDS) if protocol == "checkout" else ()))
    said = suite().run(checks, profile=profile.model_copy(update={"test_data": data}))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert len(said.named("pass")) > 0.8 * len(checks)


def test_nothing_fails_where_the_main_account_holds_every_purchase() -> None:
    files = ("test_order.py", "test_session.py", "test_several_attempts.py")
    checks = [check for check in (*checks_of("checkout"), *checks_of("hosted_page")) if check.path.name in files]
    profile = with_main_account("dms", says=True, protocol="checkout")
    variations = ("dms-holds-every-purchase", "checkout-callbacks-of-holds-have-the-type-auth")

    said = suite().run(checks, profile=profile, variations=variations)

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert {"CHK-ORD-20", "CBK-DEL-01"} <= said.requirements("pass")


@pytest.mark.parametrize("of_auth", [("checkout-callbacks-of-holds-have-the-type-auth",), ()], ids=["auth", "sale"])
@pytest.mark.parametrize("fault", [None, "callback-of-third-payment-missing"])
def test_hold_after_declines_is_seen_in_order_status(fault: str | None, of_auth: tuple[str, ...]) -> None:
    checks = [check for check in suite().by_requirement["CBK-DEL-01"] if "after_declines" in check.name]
    of_holds = ("dms-holds-every-purchase", *of_auth)

    said = suite().run(
        checks,
        profile=with_main_account("dms", says=True, protocol="checkout"),
        variations=(*of_holds, "checkout-callback-members-of-the-contract-only"),
        faults=(fault,) if fault else (),
    )

    assert said.requirements("fail" if fault else "pass") == {"CBK-DEL-01"}, said.details("fail", "inconclusive")


BY_TOKENS_OF_THE_MAIN_ACCOUNT = {"HPP-TOK-01", "HPP-TOK-02", "HPP-TOK-03", "CHK-RFD-01", "CHK-RFD-02", "CHK-RFD-09"}


def test_main_account_that_only_holds_is_asked_with_its_own_token() -> None:
    """The token of the profile is one of the account that sells, which most checks of tokens ask."""
    said = suite().run(
        suite().claiming(BY_TOKENS_OF_THE_MAIN_ACCOUNT),
        profile=with_main_account("dms", says=True, protocol="checkout"),
    )

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.requirements("pass") >= BY_TOKENS_OF_THE_MAIN_ACCOUNT, said.details("inconclusive", "not_applicable")


OF_OTHER_METHODS = ("HPP-OUT-05", "HPP-OUT-06", "HPP-ASK-14", "CHK-MTH-11", "CHK-LIF-16", "CHK-MTH-01")
"""Some of what is paid by methods other than cards."""


@pytest.mark.parametrize("variation", ["held-by-cards-and-wallets-alone", "dms-refuses-plain", "modes-are-routed"])
def test_main_account_that_only_holds_is_asked_for_other_methods_as_it_has_them(variation: str) -> None:
    checks = suite().claiming(OF_OTHER_METHODS)

    said = suite().run(
        checks, profile=with_main_account("dms", says=True, protocol="checkout"), variations=(variation,)
    )

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert not said.named("inconclusive"), said.details("inconclusive")
    assert {"HPP-OUT-05", "HPP-OUT-06", "HPP-ASK-14"} <= said.requirements("pass")


@pytest.mark.parametrize("fault", ["page-network-of-first-session", None])
def test_account_of_a_crypto_currency_that_only_sells_is_asked_for_its_page(fault: str | None) -> None:
    """Beside a main account that only holds: what refuses a plain session is not asked to hold it."""
    profile = with_main_account("dms", says=True, protocol="checkout")
    main = profile.credentials.checkout
    assert main is not None
    usual = str(profile.test_data.currencies.exponent_2)
    credentials = profile.credentials.model_copy(update={"checkout": main.model_copy(update={"currencies": (usual,)})})
    accounts = {
        **profile.accounts,
        "sms": profile.accounts["sms"].model_copy(update={"currencies": (str(profile.test_data.currencies.crypto),)}),
    }

    said = suite().run(
        suite().claiming({"HPP-ASK-14"}),
        profile=profile.model_copy(update={"credentials": credentials, "accounts": accounts}),
        variations=("crypto-by-its-method", "modes-are-routed"),
        faults=(fault,) if fault else (),
    )

    assert said.requirements("fail" if fault else "pass") == {"HPP-ASK-14"}, said.details("fail", "inconclusive")


@pytest.mark.parametrize("fault", ["payment-method-unasked-of-a-chain", None])
def test_what_options_add_is_looked_for_on_every_way_of_a_main_account_that_has_them_off(fault: str | None) -> None:
    checks = [check for check in checks_of("checkout") if check.path.name.startswith(OF_OPTIONS)]

    said = suite().run(
        checks,
        profile=with_main_account("bare", says=True, protocol="checkout"),
        faults=(fault,) if fault else (),
    )

    broken = set(registry()[fault].requirements) if fault else set()
    assert said.requirements("fail") == broken, said.details("fail")
    assert not said.requirements("error"), said.details("error")


@pytest.mark.parametrize("name", ["sms", "dms"])
def test_nothing_fails_when_the_profile_does_not_say_the_mode(name: str) -> None:
    checks = [check for check in checks_of("s2s_card") if check.path.name.startswith(AFFECTED)]

    said = suite().run(checks, profile=with_main_account(name, says=False))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert any("the profile does not say" in check.reason for check in said.checks)


@pytest.mark.parametrize("says", [True, False], ids=["mode-said", "mode-not-said"])
@pytest.mark.parametrize("name", ["sms", "dms"])
@pytest.mark.parametrize("protocol", ["s2s_card", "s2s_apm", "checkout"])
def test_nothing_fails_where_routing_keeps_to_the_mode(protocol: str, name: str, says: bool) -> None:
    if name == "dms" and not says:
        pytest.skip("a plain payment is refused, so that nothing of the protocol is run")
    checks = [check for check in checks_of(protocol) if check.path.name.startswith((*AFFECTED, *OF_MODES))]

    said = suite().run(
        part_of(checks, int(says), 2),
        profile=with_main_account(name, says=says, protocol=protocol),
        variations=("modes-are-routed",),
    )

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")


@pytest.mark.parametrize("protocol", ["s2s_card", "s2s_apm", "checkout"])
def test_account_of_both_modes_decides_what_one_of_a_single_mode_is_refused(protocol: str) -> None:
    files = (*AFFECTED, *OF_MODES, *OF_BOTH_MODES)
    checks = [check for check in checks_of(protocol) if check.path.name.startswith(files)]
    profile = with_another_that_does_both(with_main_account("sms", says=True, protocol=protocol), protocol)

    said = suite().run(part_of(checks, 0, 2), profile=profile, variations=("modes-are-routed",))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert not [check.check for check in said.checks if "mode" in check.reason and check.verdict == "inconclusive"]


def test_hold_whose_requirement_does_not_need_one_is_made_by_an_account_that_holds() -> None:
    profile = with_another_that_does_both(with_main_account("sms", says=True, protocol="checkout"), "checkout")
    checks = [check for check in suite().items if check.path.name == "test_changes_to_the_cent.py"]

    said = suite().run(checks, profile=profile)

    assert said.requirements("pass") >= {"CHK-RFD-07", "GEN-AGR-08"}
    assert not said.named("inconclusive"), said.details("inconclusive")


@pytest.mark.parametrize("requirement", ["APM-AUT-01", "APM-CAP-01", "APM-CVD-01", "CHK-SES-56", "CHK-ORD-20"])
def test_authorization_is_decided_by_the_account_that_serves_it(requirement: str) -> None:
    protocol = "s2s_apm" if requirement.startswith("APM") else "checkout"

    # With both flags the same account must take sales and authorizations, and none of these does.
    checks = [check for check in suite().by_requirement[requirement] if "with_both_flags" not in check.nodeid]

    said = suite().run(
        checks,
        profile=with_main_account("sms", says=True, protocol=protocol),
        variations=("modes-are-routed",),
    )

    assert requirement in said.requirements("pass")
    assert not said.named("inconclusive"), said.details("inconclusive")


def test_nothing_fails_where_a_further_account_has_less() -> None:
    names = ("CBK-SIG-17", "S2C-SIG-54", "S2C-SIG-55", "APM-SIG-23", "APM-SIG-24")

    said = suite().run(suite().claiming(names), variations=("further-account-has-less",))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert {"S2C-SIG-54", "APM-SIG-23", "APM-SIG-24"} <= said.requirements("pass")


def test_payment_without_an_address_is_not_asked_of_an_account_that_requires_one() -> None:
    """The one account with virtual wallets has another setting besides, by which it rightly refuses."""
    profile = suite().profile
    main = profile.credentials.s2s_card
    assert main is not None
    credentials = profile.credentials.model_copy(update={"s2s_card": main.model_copy(update={"wallet_flow": None})})
    strict = profile.accounts["payer_address_required"].model_copy(update={"wallet_flow": "virtual"})
    strict.called("payer_address_required")
    profile = profile.model_copy(update={"credentials": credentials, "accounts": {"payer_address_required": strict}})

    said = suite().run(suite().claiming({"S2C-SAL-40"}), profile=profile)

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert {check for check in said.named("inconclusive") if "sale_by_wallet" in check}


HELD_OR_OTHER = {"CHK-CAP-01", "CHK-CAP-13", "CHK-SIG-06", "CHK-STA-28", "CHK-STA-29"}
"""Requirements of payments that hold an amount, of the other merchant, and of both."""
BEFORE_AUTH = "6.6.5"
"""A release in which only an account of the mode DMS holds amounts in Checkout."""


@pytest.mark.parametrize("release", ["6.7.0", BEFORE_AUTH])
def test_other_merchant_is_none_whose_account_alone_holds(release: str) -> None:
    checks = suite().claiming(HELD_OR_OTHER)

    said = suite().run(checks, profile=with_other_merchants("dms", "sms"), release=release)

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert not said.named("inconclusive"), said.details("inconclusive")
    assert said.requirements("pass") >= {"CHK-CAP-01", "CHK-CAP-13", "CHK-SIG-06", "CHK-STA-28", "CHK-STA-29"}


def test_the_only_other_merchant_holds_for_checks_that_need_no_two() -> None:
    checks = suite().claiming(HELD_OR_OTHER)

    said = suite().run(checks, profile=with_other_merchants("dms"), release=BEFORE_AUTH)

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.requirements("pass") >= {"CHK-CAP-01", "CHK-STA-28"}
    assert all("the only other merchant" in check.reason for check in said.checks if "CHK-CAP-13" in check.requirements)


@pytest.mark.parametrize(("says", "verdict"), [(None, "inconclusive"), (False, "pass")])
def test_further_account_without_card_tokens_fails_nothing(verdict: str, *, says: bool | None) -> None:
    """Where the profile says so another one is asked."""
    profile = suite().profile
    bare = profile.accounts["bare"].model_copy(update={"card_tokens": says})
    bare.called("bare")
    profile = profile.model_copy(update={"accounts": {**profile.accounts, "bare": bare}})
    checks = [check for check in suite().claiming({"CHK-TOK-01"}) if "no_option_adds_it" in check.nodeid]

    said = suite().run(checks, profile=profile, faults=("checkout-token-by-option-alone",))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.named(verdict), said.checks


OF_ZERO = {
    "checkout": {"CHK-ORD-20", "CHK-ORD-21", "CHK-ORD-22", "CHK-ORD-23", "CHK-REC-15", "CHK-REC-17"},
    "s2s_card": {"S2C-AMT-05", "S2C-AMT-06", "S2C-AMT-07", "S2C-AMT-09"},
}
"""Requirements of amounts of zero that are taken, and that are refused where the provider takes none."""


@pytest.mark.parametrize("has_another", [True, False], ids=["with-another", "alone"])
@pytest.mark.parametrize("protocol", list(OF_ZERO))
def test_zero_is_asked_of_an_account_whose_provider_takes_it(protocol: str, *, has_another: bool) -> None:
    main = with_main_account("no_zero_amount", says=True, protocol=protocol)
    profile = with_another_that_does_both(main, protocol)
    both = profile.accounts["both"].model_copy(update={"zero_amount": True if has_another else None})
    both.called("both")
    profile = profile.model_copy(update={"accounts": {**profile.accounts, "both": both}})

    said = suite().run(suite().claiming(OF_ZERO[protocol]), profile=profile)

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    if has_another:
        assert said.requirements("pass") == OF_ZERO[protocol], said.details("not_applicable")
        assert not said.named("inconclusive"), said.details("inconclusive")
    else:
        assert all("zero_amount = false" in one.reason for one in said.checks if one.verdict == "inconclusive")
