"""A bank of tests that takes its reports at an address: pending is reported there like executed and rejected."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from emulator.engine.payments import Payment
from emulator.protocols.s2s_apm import bank_page
from emulator.protocols.s2s_apm.behaviour import ApmGateway
from emulator.protocols.s2s_apm.payer_pages import PayerPages
from emulator.protocols.s2s_apm.sale import bank_reports
from emulator.wire.replies import Kind, Reply
from fixtures.profile import Profile
from fixtures.profile.test_data import InstantQr
from tests.kill_matrix.collected import suite
from tests.support.listening_gateway import listening_gateway

REPORTED = {"APM-QRC-05", "APM-QRC-06", "APM-QRC-07"}
STATUS = 204


def profile_of(**qr: str) -> Profile:
    """Return a profile of an instant QR method of which this is known."""
    data = suite().profile.test_data
    known = InstantQr.model_validate({"brand": data.instant_qr.brand, **qr})
    return suite().profile.model_copy(update={"test_data": data.model_copy(update={"instant_qr": known})})


def posting(pending: str = "PDNG") -> Profile:
    """Return the profile of a bank whose reports are posted."""
    return profile_of(
        executed="ACSC",
        rejected="RJCT",
        pending=pending,
        bank_url=f"{listening_gateway().url}/apm/redirect/{{trans_id}}",
        bank_body="report={report}",
    )


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was posted to the bank of the emulator, which refuses words that it does not know."""
    posted: list[str] = []
    opened = PayerPages.open

    def report(gateway: ApmGateway, token: str, form: Mapping[str, str]) -> Reply:
        word, payment = form.get("report", ""), gateway.payer_pages.find(token)
        posted.append(word)
        if payment is None or word not in {"ACSC", "RJCT", "PDNG"}:
            return Reply(Kind.ROUTE, 422, {"error": "unknown"})
        bank_reports(gateway, payment, word)
        return Reply(Kind.ROUTE, STATUS, {}, text="")

    def known_by_id(pages: PayerPages, payment: Payment, token: str = "") -> str:
        return opened(pages, payment, token or payment.trans_id)

    monkeypatch.setattr(PayerPages, "open", known_by_id)
    monkeypatch.setattr(bank_page, "decide", report)
    return posted


def test_each_report_is_posted_and_decides(reports: list[str]) -> None:
    said = suite().run(suite().claiming(REPORTED), profile=posting())

    assert said.requirements("pass") >= REPORTED, said.details("fail", "error", "inconclusive")
    assert set(reports) == {"ACSC", "RJCT", "PDNG"}


def test_pending_that_settles_is_noticed(reports: list[str]) -> None:
    said = suite().run(suite().claiming({"APM-QRC-07"}), profile=posting(), faults=("apm-qr-pending-settles",))

    assert "APM-QRC-07" in said.requirements("fail"), said.details("pass", "inconclusive")
    assert reports == ["PDNG"]


def test_word_that_the_bank_does_not_know_decides_nothing(reports: list[str]) -> None:
    said = suite().run(suite().claiming({"APM-QRC-07"}), profile=posting("WHATEVER"))

    assert "APM-QRC-07" in said.requirements("inconclusive"), said.details("pass", "fail")
    assert "report is not taken" in said.details("inconclusive")
    assert reports == ["WHATEVER"]


def test_page_of_a_bank_does_not_make_it_report_pending() -> None:
    said = suite().run(suite().claiming({"APM-QRC-07"}), profile=profile_of(bank_page="{redirect_url}"))

    assert "APM-QRC-07" in said.requirements("inconclusive"), said.details("pass", "fail")
    assert "nothing makes the bank report" in said.details("inconclusive")
