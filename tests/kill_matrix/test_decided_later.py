"""A payment that is called open in the answer to what opened it is looked at again, and not judged by that answer."""

from __future__ import annotations

import pytest

from tests.kill_matrix.apart import PROCESSING, REFUNDS_DECIDED_LATER, SOLD_WHATEVER_THE_MODE
from tests.kill_matrix.collected import checks_of, part_of, suite

APM, WALLETS = "apm-payments-decided-later", "wallet-payments-decided-later"


def test_nothing_fails_where_outcomes_of_other_methods_come_later() -> None:
    names = {"APM-ANS-02", "APM-ANS-03", "APM-ANS-04", "APM-C2V-35"}

    said = suite().run(suite().claiming(names), variations=(APM,))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert all(
        "the method" in check.reason or "not at once" in check.reason or "end at once" in check.reason
        for check in said.checks
        if check.verdict == "inconclusive"
    ), said.details("inconclusive")


def test_what_the_mode_seems_to_hold_for_a_second_fails_nothing() -> None:
    checks = [check for check in checks_of("s2s_apm") if "held_by_the_mode" in check.nodeid]

    said = suite().run(checks, variations=(SOLD_WHATEVER_THE_MODE,))

    assert {check.verdict for check in said.checks} == {"not_applicable"}, said.details("fail", "error", "pass")


@pytest.mark.parametrize("protocol", ["s2s_apm", "s2s_card"])
def test_nothing_fails_where_payments_are_decided_before_anybody_looks(protocol: str) -> None:
    variation = f"{protocol.removeprefix('s2s_')}-payments-decided-in-background"

    said = suite().run(part_of(checks_of(protocol), 0, 3), variations=(variation,))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")


def test_wallet_payments_that_are_decided_later_are_decided_by_look_ups() -> None:
    names = {"S2C-WAL-07", "S2C-STA-10", "S2C-WAL-05", "S2C-WAL-06"}

    said = suite().run(suite().claiming(names), variations=(WALLETS,))

    assert said.requirements("pass") == names, said.details("fail", "error", "inconclusive")


def test_token_that_pays_later_although_it_is_none_is_noticed() -> None:
    said = suite().run(suite().claiming({"S2C-WAL-07"}), faults=("any-wallet-token-pays",), variations=(WALLETS,))

    assert said.requirements("fail") == {"S2C-WAL-07"}, said.details("inconclusive", "error")


def test_authorization_that_alone_is_called_undefined_is_noticed() -> None:
    said = suite().run(suite().claiming({"APM-ANS-03"}), faults=("apm-sale-held-undefined",))

    assert said.requirements("fail") == {"APM-ANS-03"}, said.details("inconclusive", "error")


def test_open_payment_is_open_by_any_word_that_is_no_outcome() -> None:
    names = {"APM-STA-02", "S2C-AMT-02", "CBK-DEL-02", "CBK-DEL-03", "CBK-S2C-02"}

    said = suite().run(suite().claiming(names), variations=(PROCESSING,))

    assert said.requirements("fail") <= {"S2C-ANS-12", "APM-ANS-12"}, said.details("fail")
    assert said.requirements("inconclusive") >= names


def test_refund_that_is_decided_minutes_later_is_not_missed() -> None:
    said = suite().run(suite().claiming({"CHK-RFD-07", "CHK-RFD-09"}), variations=(REFUNDS_DECIDED_LATER,))

    assert not said.requirements("fail") | said.requirements("error"), said.details("fail", "error")
    assert "CHK-RFD-07" in said.requirements("pass"), said.details("inconclusive")
