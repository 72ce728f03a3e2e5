"""What the page asks for, left empty or blank: whatever the page makes of it, nothing breaks."""

from __future__ import annotations

import pytest

from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_not_break
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.hosted_page.page import ADDRESS, KINDS, HostedPages
from fixtures.requirement import requirement
from fixtures.wire.requests import JsonRequest

FIELDS = {
    "card": ("card_number", "expiry", "security_code"),
    "cardholder": ("name",),
    "address": (*ADDRESS, "state"),
    "customer": ("email", "birth_date"),
}
"""What is left empty on the page of each kind, where it asks for it."""


def page_of(kind: str, pages: HostedPages) -> tuple[HostedPages, JsonRequest]:
    """Return a session whose page asks for some data, after the target took the usual entry on its page."""
    if kind in KINDS:
        pages.proven(kind)
        return pages.kind(kind)
    there = pages.of("payer_fields_required")
    session = there.session().without("customer")
    if answer_of(there.payments.merchant.create_session(session)) is Answer.REFUSED:
        not_applicable("a session without customer data is refused, so that its page asks for none")
    return there, there.again(session)


@requirement("GEN-ERR-10")
@pytest.mark.parametrize("kind", FIELDS)
def test_what_is_left_empty_on_the_page_breaks_nothing(kind: str, pages: HostedPages) -> None:
    there, session = page_of(kind, pages)
    usual = there.enter(session, there.entry())
    for page in usual.pages:
        must_not_break(page.reply)

    for what in filter(usual.was_asked_for, FIELDS[kind]):
        for value in ("", " "):
            entered = there.enter(there.again(session), {**there.entry(), what: value}, (what,))

            for page in entered.pages:
                must_not_break(page.reply)
