"""The payer in a browser: what passes over HTTP forms passes, and what a script spoils is seen."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from emulator.faults import Fault, registry
from fixtures.payer.chromium.installed import program
from tests.kill_matrix.apart import DRAWN_BY_SCRIPT, LEADS_LATER, SAID_BY_SCRIPT
from tests.kill_matrix.collected import SCRIPTED, suite

needs_browser = pytest.mark.skipif(program() is None, reason="no Chromium: install it or set CHROMIUM to its path")

HANDFUL = (
    "test_redirect_url_leads_to_a_page_that_takes_a_card",
    "test_card_that_expired_last_month_is_called_expired",
    "test_name_of_32_characters_is_taken[two words]",
    "test_states_are_listed[US]",
    "test_card_that_needs_3ds_leads_to_a_challenge",
)
ALIKE = ("page-expired-accepted", "page-challenge-skipped", "page-language-ignored", "page-frame-denied")
"""Faults that payers of both kinds find."""


def named(*ends: str) -> Sequence[pytest.Item]:
    return [check for check in suite().items if check.nodeid.endswith(ends)]


@needs_browser
def test_emulator_passes() -> None:
    said = suite().run(named(*HANDFUL), payer_by="browser")

    assert len(said.named("pass")) == len(HANDFUL), said.details("fail", "error", "inconclusive")


@needs_browser
@pytest.mark.parametrize(
    ("variation", "check"),
    [
        ("page-address-other-host", HANDFUL[0]),
        ("form-other-ids", HANDFUL[0]),
        ("form-country-typed", "test_states_are_listed[US]"),
        ("form-state-after-the-country", "test_states_are_listed[US]"),
        ("page-tiles-of-a-script", "test_card_of_the_chosen_token_is_the_one_that_pays"),
        ("page-methods-in-an-accordion", HANDFUL[0]),
        ("page-methods-in-an-accordion", "test_qr_is_shown_with_number_amount_and_description"),
        ("page-tiles-of-a-script", "test_method_of_an_attempt_is_not_that_of_the_one_before"),
    ],
)
def test_variation_passes(variation: str, check: str) -> None:
    said = suite().run(named(check), payer_by="browser", variations=(variation,))

    assert len(said.named("pass")) == 1, said.details("fail", "error", "inconclusive")


@needs_browser
@pytest.mark.parametrize(
    ("variation", "requirements"),
    [
        (SAID_BY_SCRIPT, {"HPP-CRD-03", "HPP-CVV-02", "HPP-EXP-02", "HPP-OUT-01"}),
        (DRAWN_BY_SCRIPT, {"HPP-OUT-05"}),
    ],
)
def test_what_a_script_alone_shows_is_looked_for_in_a_browser(variation: str, requirements: set[str]) -> None:
    checks = suite().claiming(requirements)

    said = suite().run(checks, variations=(variation,))

    # A credit asks for no security code.
    unasked = said.named("not_applicable")
    assert unasked <= {check.nodeid for check in checks if check.nodeid.endswith("code_of_five_is_refused[credit]")}
    passed = {check.nodeid for check in checks} - unasked
    assert said.named("pass") == passed, said.details("fail", "error", "inconclusive")


@needs_browser
@pytest.mark.parametrize(("fault", "verdict"), [("", "pass"), ("return-success-to-cancel", "fail")])
def test_page_that_leads_on_a_second_later_is_waited_for(fault: str, verdict: str) -> None:
    checks = named("test_payer_is_sent_to_success_url")

    said = suite().run(checks, payer_by="browser", variations=(LEADS_LATER,), faults=(fault,) if fault else ())

    assert said.named(verdict) == {check.nodeid for check in checks}, said.details("fail", "error", "inconclusive")


@needs_browser
@pytest.mark.parametrize(("fault", "verdict"), [("", "pass"), ("session-pays-twice", "fail")])
def test_page_that_scripts_draw_is_paid_once_as_a_browser_sees_it(fault: str, verdict: str) -> None:
    checks = suite().claiming({"CHK-LIF-04"})

    said = suite().run(
        checks, payer_by="browser", variations=("page-drawn-by-script",), faults=(fault,) if fault else ()
    )

    assert said.requirements(verdict) == {"CHK-LIF-04"}, said.details("pass", "fail", "error", "inconclusive")


@needs_browser
@pytest.mark.parametrize("fault", ["", "page-failed-challenge-passed-afterwards"])
def test_challenge_that_leads_back_cannot_be_passed(fault: str) -> None:
    checks = named("test_challenge_that_was_failed_cannot_be_passed_afterwards")
    checks = [check for check in checks if "hosted_page" in check.nodeid]

    said = suite().run(checks, payer_by="browser", faults=(fault,) if fault else ())

    assert said.requirements("fail" if fault else "pass") == {"HPP-OUT-11"}, said.details("error", "inconclusive")


@needs_browser
def test_card_that_another_tile_chooses_is_noticed() -> None:
    checks = named("test_card_of_the_chosen_token_is_the_one_that_pays")
    tiles, fault = ("page-tiles-of-a-script",), ("f-second-token-charges-first-card",)

    said = suite().run(checks, payer_by="browser", variations=tiles, faults=fault)

    assert said.requirements("fail") == {"CBK-ATT-23"}, said.details("pass", "error", "inconclusive")


@needs_browser
@pytest.mark.parametrize("fault", [*SCRIPTED, *map(registry().__getitem__, ALIKE)], ids=lambda fault: fault.name)
def test_fault_is_caught(fault: Fault) -> None:
    wanted = set(fault.requirements)
    said = suite().run(suite().claiming(wanted), faults=(fault.name,), payer_by="browser", until_failed=wanted)

    assert wanted <= said.requirements("fail"), said.details("pass", "inconclusive", "error")


NEEDING = [check for check in suite().items if "browser_payer" in check.fixturenames]  # type: ignore[attr-defined]


def without_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", "")


def test_without_a_browser_the_embedded_gateway_is_not_held_to_what_needs_one(monkeypatch: pytest.MonkeyPatch) -> None:
    without_browser(monkeypatch)
    others = named(*HANDFUL)

    said = suite().run([*NEEDING, *others])

    assert len(NEEDING) == 3
    assert said.named("not_applicable") == {check.nodeid for check in NEEDING}, said.details("error", "inconclusive")
    assert said.named("pass") == {check.nodeid for check in others}


def test_payer_who_was_asked_to_use_a_browser_that_is_not_there_decides_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_browser(monkeypatch)
    checks = [*NEEDING, *named(*HANDFUL)]

    said = suite().run(checks, payer_by="browser")

    assert said.named("inconclusive") == {check.nodeid for check in checks}, said.details("error", "not_applicable")
    assert {check.reason for check in said.checks} == {"there is no browser on this machine"}


def test_browser_that_does_not_start_leaves_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROMIUM", "/nonexistent/chromium")
    said = suite().run(named(HANDFUL[0]), payer_by="browser")

    assert said.named("inconclusive"), said.details("error", "pass", "fail")
    assert "does not start" in said.checks[0].reason
