"""Faults of the hosted page by another author that the suite did not notice at first (set L)."""

from dataclasses import replace
from datetime import timedelta
from typing import Final

from emulator.design import Design
from emulator.faults.model import breaks, faults
from emulator.protocols.hosted_page.outcomes import ShowQr
from emulator.protocols.hosted_page.returns import End
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.hosted_page.visits import Visit

_NEW: Final = "6.7.0"
_A_MINUTE: Final = timedelta(minutes=1)
_AN_HOUR: Final = 3600.0


def _step_after_success_alone(design: Design) -> Design:
    """Who leaves a frame, or is sent away declined, is redirected in it."""
    destination, by_link = design.page.destination, design.page.by_link
    ends: dict[str, End] = {}

    def destined(session: PageSession, end: End) -> str:
        ends[session.token] = end
        return destination(session, end)

    def by_a_step(session: PageSession, fetch_destination: str) -> bool:
        return ends.get(session.token) == "paid" and by_link(session, fetch_destination)

    return design.in_page(destination=destined, by_link=by_a_step)


def _waits_in_the_browsers_language(design: Design) -> Design:
    inner = design.page.language
    return design.in_page(
        language=lambda wishes: inner(replace(wishes, checkout_language="") if wishes.waits else wishes)
    )


def _own_form_in_the_browsers_language(design: Design) -> Design:
    inner = design.page.language
    return design.in_page(
        language=lambda wishes: inner(replace(wishes, checkout_language="") if wishes.own_form else wishes)
    )


def _each_look_begins_its_minute_anew(design: Design) -> Design:
    admits, facts = design.page.admits, design.page.qr_facts
    looked_at: list[Visit] = []

    def admitted(visit: Visit, *, closed: bool) -> End | None:
        looked_at[:] = [visit]
        return admits(visit, closed=closed)

    def shown(session: PageSession) -> dict[str, str]:
        visit = looked_at[0]
        if isinstance(visit.pending, ShowQr):
            visit.pending = replace(visit.pending, closes=session.now + _A_MINUTE)
        return dict(facts(session))

    # What is looked at again and again ends by itself only much later.
    return design.in_page(admits=admitted, qr_facts=shown).in_checkout(qr_seconds=lambda _account: _AN_HOUR)


FAULTS: Final = faults(
    {
        "l-page-step-after-success-alone": breaks(
            "CHK-LNK-04",
            "With _top forced whoever leaves a frame is redirected in it (line 496).",
            _step_after_success_alone,
            since=_NEW,
        ),
        "l-page-waits-in-the-browsers-language": breaks(
            "HPP-LNG-03",
            "While it waits for a bank or an answer the page speaks the browser's language (line 48).",
            _waits_in_the_browsers_language,
        ),
        "own-form-in-the-browsers-language": breaks(
            "HPP-LNG-03",
            "A form of the merchant's (form_id) is in the language of the browser, and not in checkout_language.",
            _own_form_in_the_browsers_language,
        ),
        "l-page-qr-lasts-while-it-is-looked-at": breaks(
            "HPP-OUT-06",
            "Each look at a QR begins its minute anew (lines 235 and 485).",
            _each_look_begins_its_minute_anew,
        ),
    }
)
