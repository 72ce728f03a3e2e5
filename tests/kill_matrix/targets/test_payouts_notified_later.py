"""An open payout that is settled within a second is looked at though no clock can be moved."""

from __future__ import annotations

from tests.kill_matrix.collected import suite

SOON = ("apm-open-payouts-without-type",)
CHECK = "test_payout_that_was_open_is_notified_with_type_credit"


def test_open_payout_is_waited_for_on_a_real_clock() -> None:
    checks = [one for one in suite().claiming({"CBK-APM-03"}) if CHECK in one.nodeid]

    said = suite().run(checks, variations=SOON, clock="real")

    assert len(said.named("pass")) == len(checks) == 1, said.details("fail", "error", "inconclusive")


def test_outcome_of_another_type_is_noticed_on_a_real_clock() -> None:
    checks = [one for one in suite().claiming({"CBK-APM-03"}) if CHECK in one.nodeid]

    said = suite().run(checks, faults=("apm-callback-of-payout-type-payout",), variations=SOON, clock="real")

    assert "CBK-APM-03" in said.requirements("fail"), said.details("pass", "inconclusive")
