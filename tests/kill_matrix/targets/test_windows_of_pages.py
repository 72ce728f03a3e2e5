"""In which window a payer returns: what a link names counts beside a pause, and a payment that fails leads nowhere."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from fixtures.judging.verdicts import Inconclusive
from fixtures.payer import Page, Visit
from fixtures.protocols.hosted_page.entered import Entered
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import JsonRequest
from suites.hosted_page import test_windows as windows
from tests.kill_matrix.collected import suite

AFTER_A_PAUSE = "page-returns-after-a-pause"
OF_WINDOWS = {"CHK-LNK-01", "CHK-LNK-02", "CHK-LNK-03"}


def test_link_beside_a_pause_names_the_window() -> None:
    said = suite().run(suite().claiming(frozenset(OF_WINDOWS)), variations=(AFTER_A_PAUSE,))

    assert said.requirements("pass") == OF_WINDOWS, said.details("fail", "error", "inconclusive")
    assert not said.requirements("fail") | said.requirements("inconclusive")


@pytest.mark.parametrize(
    ("fault", "requirement"),
    [
        ("link-url-target-ignored", "CHK-LNK-01"),
        ("link-override-ignored", "CHK-LNK-02"),
        ("link-override-ignored", "CHK-LNK-03"),
    ],
)
def test_wrong_window_is_seen_beside_a_pause(fault: str, requirement: str) -> None:
    said = suite().run(suite().claiming({requirement}), faults=(fault,), variations=(AFTER_A_PAUSE,))

    assert requirement in said.requirements("fail"), said.details("pass", "inconclusive")


def ended(status: int, *, asks: bool = False) -> Entered:
    page = Page("https://pay.example/", Reply(status, {"content-type": "text/html"}, b"<p>Form expired</p>"))
    payer: Any = SimpleNamespace(asks=lambda _page, _what: asks)
    return Entered(JsonRequest({"order": {"number": "7"}}), (Visit(page=page),), payer)


@pytest.mark.parametrize(
    ("entered", "is_paid"), [(ended(403), True), (ended(200), False), (ended(200, asks=True), True)]
)
def test_payment_that_does_not_end_in_a_frame_decides_nothing(
    monkeypatch: pytest.MonkeyPatch, entered: Entered, is_paid: bool
) -> None:
    monkeypatch.setattr(windows, "is_paid", lambda _pages, _number: is_paid)
    pages: Any = SimpleNamespace(proven=lambda _kind: None)

    with pytest.raises(Inconclusive, match="does not come to its end in a frame"):
        windows.must_have_paid(pages, entered)


def test_payment_that_ended_and_does_not_lead_on_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "is_paid", lambda _pages, number: number == "7")
    pages: Any = SimpleNamespace(proven=lambda _kind: pytest.fail("nothing is asked further"))

    windows.must_have_paid(pages, ended(200))
