"""Who may ask: key and hash are all that a request needs, and some addresses and keys are turned away."""

from __future__ import annotations

import pytest

from contract.errors import IP_NOT_ALLOWED, USE_TEST_KEY
from fixtures.judging.must import must_accept, must_reject
from fixtures.judging.verdicts import not_applicable
from fixtures.profile import Profile
from fixtures.profile.settings import Environment
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.run.serving import must_serve


@requirement("GEN-KEY-04")
@pytest.mark.parametrize("protocol", ["checkout", "s2s_card", "s2s_apm"])
def test_request_with_key_and_hash_needs_no_other_credential(protocol: str, run: Run) -> None:
    must_serve(run, protocol)

    match protocol:
        case "checkout":
            must_accept(run.checkout.create_session(run.session_requests.baseline("purchase")))
        case "s2s_card":
            must_accept(run.s2s_card.post(run.sale_requests.baseline("sale")))
        case _:
            must_accept(run.apm.merchant.post(run.apm_requests.baseline("sale")))


@requirement("GEN-KEY-04")
def test_look_up_with_key_and_hash_needs_no_other_credential(run: Run) -> None:
    must_serve(run, "s2s_card")

    must_accept(run.s2s_card.post(run.payments.shared("settled").status()))


@requirement("GEN-IPL-01")
def test_checkout_look_up_from_an_address_that_is_not_allowed_is_refused(run: Run) -> None:
    must_serve(run, "checkout")
    must_offer(run.profile, ("capability:hosted_page", "capability:status_lookup"))
    payment = run.checkout_payments.shared("settled")

    must_reject(run.checkout_merchant("ip_allowlist").post(payment.look_up()), IP_NOT_ALLOWED)


@requirement("GEN-ENV-02")
def test_sandbox_key_is_refused_in_production(run: Run, profile: Profile) -> None:
    if profile.target.environment is not Environment.PRODUCTION:
        not_applicable(f"the target is a {profile.target.environment}, and this is about production")
    must_offer(profile, ("account:test_key",))
    must_serve(run, "checkout")

    must_reject(
        run.checkout_merchant("test_key").create_session(run.session_requests.baseline("purchase")), USE_TEST_KEY
    )
