"""A bank whose page asks for a login and a code before its payer decides: what is entered there the profile says."""

from __future__ import annotations

import pytest

from emulator.protocols.s2s_apm import bank_page, outcomes
from emulator.variations.s2s_apm.bank_pages import PHRASE, TAN, USER
from fixtures.profile import Profile
from fixtures.profile.settings import Selectors
from fixtures.profile.test_data import ApmPayments, DecidedApmPayment, InstantQr
from fixtures.requirement import claimed_by
from tests.kill_matrix.collected import checks_of, suite

AT_THE_BANK = ("apm-payers-decide-on-the-page", "apm-bank-with-a-login")
QR = "test_instant_qr"
"""How the files of checks of instant QR begin."""
ENTRIES = {"login_name": USER, "#p": PHRASE, "tan": TAN}


def profile_with(entries: dict[str, str], **apm: DecidedApmPayment) -> Profile:
    """Return a profile of a bank on whose page everything is decided, and of what is entered there."""
    profile = suite().profile
    data, payer = profile.test_data, profile.payer
    selectors = Selectors.model_validate(
        {**payer.selectors.model_dump(exclude_unset=True), "challenge_entries": entries}
    )
    qr = InstantQr.model_validate(
        {"brand": data.instant_qr.brand, "bank_page": "{redirect_url}", "pending": data.instant_qr.pending}
    )
    payments: ApmPayments = data.apm.model_copy(update=apm)
    return profile.model_copy(
        update={
            "payer": payer.model_copy(update={"selectors": selectors}),
            "test_data": data.model_copy(update={"instant_qr": qr, "apm": payments}),
        }
    )


def pressing() -> dict[str, DecidedApmPayment]:
    """Return the sales of a profile that names what is pressed, too."""
    apm = suite().profile.test_data.apm
    assert apm.success is not None
    assert apm.decline is not None
    return {
        "success": apm.success.model_copy(update={"press": "button[value=pass]"}),
        "decline": apm.decline.model_copy(update={"press": "button[value=fail]"}),
    }


def test_everything_is_decided_by_what_the_payer_enters() -> None:
    said = suite().run(checks_of("s2s_apm"), variations=AT_THE_BANK, profile=profile_with(ENTRIES))

    assert all(said.sanity.values())
    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert said.requirements("inconclusive") <= {"APM-AUT-01"}, said.details("inconclusive")
    assert {"APM-QRC-05", "APM-QRC-06", "CBK-APM-08", "CBK-APM-09"} <= said.requirements("pass")


def test_what_the_payer_presses_comes_after_what_is_entered() -> None:
    checks = [check for check in checks_of("s2s_apm") if check.path.name == "test_authorization.py"]

    said = suite().run(checks, variations=AT_THE_BANK, profile=profile_with(ENTRIES, **pressing()))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert "APM-AUT-02" in said.requirements("pass"), said.details("inconclusive")


@pytest.mark.parametrize("variations", [(), ("apm-qr-payments-stay-open-when-expired",)], ids=["declined", "open"])
def test_code_that_expires_is_seen_to_whatever_becomes_of_its_payment(variations: tuple[str, ...]) -> None:
    checks = [check for check in checks_of("s2s_apm") if check.path.name.startswith(QR)]

    said = suite().run(checks, variations=variations)

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert "APM-QRC-09" in said.requirements("pass"), said.details("inconclusive")


@pytest.mark.parametrize("requirement", ["", "APM-QRC-05", "APM-QRC-06"], ids=["right", "approved", "refused"])
def test_code_that_is_the_address_of_the_bank_leads_there(monkeypatch: pytest.MonkeyPatch, requirement: str) -> None:
    """A bank that does otherwise is noticed by it, too."""
    if requirement:
        monkeypatch.setattr(bank_page, "approve", outcomes.decline if requirement.endswith("05") else outcomes.approve)
        monkeypatch.setattr(bank_page, "decline", outcomes.approve if requirement.endswith("06") else outcomes.decline)
    data = suite().profile.test_data
    qr = InstantQr.model_validate({"brand": data.instant_qr.brand, "bank_page": "{qr_code}"})
    profile = suite().profile.model_copy(update={"test_data": data.model_copy(update={"instant_qr": qr})})
    checks = [check for check in checks_of("s2s_apm") if check.path.name.startswith(QR)]

    said = suite().run(checks, variations=("apm-qr-code-is-an-address",), profile=profile)

    assert said.requirements("fail") <= ({requirement} if requirement else set()), said.details("fail", "error")
    assert (requirement or "APM-QRC-05") in said.requirements("fail" if requirement else "pass"), said.details(
        "inconclusive", "pass"
    )


def test_without_it_the_setting_is_named_and_nothing_fails() -> None:
    checks = [check for check in checks_of("s2s_apm") if check.path.name.startswith((QR, "test_answers"))]

    said = suite().run(checks, variations=AT_THE_BANK, profile=profile_with({}))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert {"APM-QRC-05", "APM-QRC-06", "CBK-APM-08"} <= said.requirements("inconclusive")


@pytest.mark.parametrize(
    ("approves", "requirement"), [(True, "APM-QRC-05"), (False, "APM-QRC-06")], ids=["approved", "refused"]
)
def test_bank_that_does_otherwise_is_noticed(
    monkeypatch: pytest.MonkeyPatch, requirement: str, *, approves: bool
) -> None:
    if approves:
        monkeypatch.setattr(bank_page, "approve", outcomes.decline)
    else:
        monkeypatch.setattr(bank_page, "decline", outcomes.approve)
    checks = [check for check in checks_of("s2s_apm") if requirement in claimed_by(check)]

    said = suite().run(checks, variations=AT_THE_BANK, profile=profile_with(ENTRIES))

    assert requirement in said.requirements("fail"), said.details("inconclusive", "pass")


def test_bank_that_asks_once_more_is_answered_once_more() -> None:
    checks = [check for check in checks_of("s2s_apm") if check.path.name.startswith((QR, "test_answers"))]
    asking = ("apm-payers-decide-on-the-page", "apm-bank-asks-whether-its-payer-is-sure")

    said = suite().run(checks, variations=asking, profile=profile_with({}))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert {"APM-QRC-05", "APM-QRC-06", "CBK-APM-08", "CBK-APM-14"} <= said.requirements("pass"), said.details(
        "inconclusive"
    )
