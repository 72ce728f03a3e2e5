"""What becomes of a payment on the hosted page: declines, 3DS, the end of a session."""

from __future__ import annotations

from contextlib import suppress

import pytest

from fixtures.cases.cards import with_check_digit
from fixtures.deferred import deferred
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_not_be, must_not_break
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.payer import HttpPayer, Page, Visit
from fixtures.payer.answering import answered
from fixtures.payer.challenges import DECIDED_BY, has_both_answers, is_same_challenge
from fixtures.payer.reviews import DECIDED_BY as REVIEWED
from fixtures.protocols.checkout.opening import leads_to_no_page
from fixtures.protocols.hosted_page.attempts import must_have_another_try, must_have_tried_again, settings_of
from fixtures.protocols.hosted_page.deferred import OpenedPage, opened
from fixtures.protocols.hosted_page.entered import Entered, not_asked
from fixtures.protocols.hosted_page.must import (
    may_say_by_script,
    may_say_more,
    must_ask_for_no_card,
    must_be_allowed_as_error,
    must_be_shown,
    must_end_at,
    must_not_pay,
    must_see,
    must_validate_names,
)
from fixtures.protocols.hosted_page.page import HostedPages, is_at
from fixtures.protocols.hosted_page.posting import posted
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run


def open_expiring(run: Run) -> OpenedPage:
    """Open the page of a session that expires after two minutes."""
    return opened(run, session_expiry=2)


def decline(pages: HostedPages) -> Entered:
    """Let the payer pay with a card that is declined."""
    pages.proven("card")
    return pages.enter(pages.session(), pages.entry("decline"))


@requirement("HPP-OUT-01")
def test_decline_is_shown_or_ends_at_cancel_url(pages: HostedPages) -> None:
    entered = decline(pages)
    if not entered.messages and (may_say_more(entered) or may_say_by_script(entered)):
        entered = decline(pages.with_scripts())
    if entered.end is not None:
        must_end_at(entered, entered.session.get("cancel_url"), "cancel_url")
        note_reading("HPP-OUT-01", "redirect")
        return
    page = must_be_shown(entered.last, "a page that shows the decline")
    must_see(entered.messages, "a page that shows the decline", page, "It says nothing new after the decline.")
    note_reading("HPP-OUT-01", "page")


@requirement("HPP-OUT-02")
def test_payer_pays_with_another_card_after_a_decline(pages: HostedPages) -> None:
    most = settings_of(pages).max_declines
    if most == 1:
        if pages.profile.lacks("account:several_declines"):
            not_applicable("every account allows one decline, then the payer is sent to cancel_url: max_declines = 1")
        pages = pages.of("several_declines")
        pages.proven("card")
    entered = decline(pages)
    if entered.end is not None and most is None:
        inconclusive(
            "the account may allow no second try",
            decides="max_declines in [account] of the profile, more than 1",
        )
    must_have_another_try(entered)
    must_see_page(entered, "a page on which the payer tries again")
    again = pages.enter_on(pages.paying.try_again(entered.last), entered.session, pages.entry())
    if again.end is None and len(again.visits) == 1:
        inconclusive(
            f"nothing on the page leads to another try, as far as can be seen: {again.story}",
            decides="again in [payer.selectors] of the profile",
        )
    must_have_tried_again(again)

    must_end_at(again, entered.session.get("success_url"), "success_url")


@requirement("HPP-OUT-03")
def test_card_that_needs_3ds_leads_to_a_challenge(pages: HostedPages) -> None:
    entered = pages.enter_until_challenged(pages.session(), "three_ds_success")
    expected = "a challenge before the payment ends"
    only_confirms = entered.is_confirmed_last and is_confirmed_always(pages)
    if entered.end is not None and entered.went_on_without_being_asked and not only_confirms:
        inconclusive(
            f"whether the page before the end was a challenge cannot be seen: {entered.visits[-2].summary}",
            decides=f"{DECIDED_BY}; {REVIEWED}",
        )
    page = must_see_page(entered, expected)
    if entered.is_asked_again:
        pages.proven("card")
    must_see(not entered.is_asked_again, expected, page, "The page asks again in place of a challenge.")
    if not pages.paying.is_challenged(entered.last):
        inconclusive(
            f"whether this is a challenge cannot be seen: {entered.story}",
            decides=f"hosts in [payer]; {DECIDED_BY}",
        )
    if not has_both_answers(entered.last.page or page, pages.payer.selectors):
        must_be_of_this_card(pages)


def is_confirmed_always(pages: HostedPages) -> bool:
    """Return whether the usual card leads to a page on which the payment is confirmed, so that none is of an issuer."""
    return pages.enter(pages.session(), pages.entry()).is_confirmed_last


def must_be_of_this_card(pages: HostedPages) -> None:
    """A page that cannot be failed may but confirm the payment: then the usual card leads to it as well."""
    usual = pages.enter_until_challenged(pages.session(), "success")
    if pages.paying.is_challenged(usual.last):
        inconclusive(
            f"the page cannot be failed, and the card that pays leads to one as well: {usual.story}",
            decides=f"{REVIEWED}; a card success in [test_data.cards] with which no challenge is asked for",
        )


@requirement("HPP-OUT-04")
def test_payer_who_fails_the_challenge_never_ends_at_success_url(pages: HostedPages) -> None:
    card = pages.payments.card("three_ds_decline")
    entered = pages.enter_until_challenged(pages.session(), card)
    if not pages.paying.is_challenged(entered.last):
        inconclusive(
            f"no challenge is shown: {entered.story}",
            decides=f"a card that leads to a challenge; {DECIDED_BY}",
        )
    after = pages.paying.answer(entered.last, passes=False)
    failed = Entered(entered.session, (entered.last, after), pages.payer)
    success = str(entered.session.get("success_url"))

    if failed.end is None:
        must_be_shown(after, "the payer does not end at success_url")
    elif is_at(failed.end, success):
        must_end_at(failed, str(entered.session.get("cancel_url")), "cancel_url, or a page that shows the failure")


@requirement("HPP-OUT-11")
def test_challenge_that_was_failed_cannot_be_passed_afterwards(pages: HostedPages, form_payer: HttpPayer) -> None:
    payments, payer = pages.payments, pages.payer
    payment = payments.fresh("challenged")
    if payment.visit.page is None or not has_both_answers(payment.visit.page, payer.selectors):
        inconclusive(
            "the page of the challenge cannot be both passed and failed, as far as can be seen",
            decides=DECIDED_BY,
        )
    answered(payer, payment.visit, passes=False)
    payments.confirmed(payment, "DECLINED")

    again = payer.reload(payment.visit.page) if payer.reads_scripts else payment.visit
    shown = again.page
    if shown is not None and has_both_answers(shown, payer.selectors) and is_same_challenge(payment.visit.page, shown):
        answered(payer, again)
    else:
        # The page leads elsewhere by now, or to another attempt; what it sent when it was shown can still be posted.
        with suppress(LookupError):
            answered(form_payer, payment.visit)

    reply = payments.look_up(payment)
    must_not_be(reply, "status", status_in(reply), "SETTLED")


@requirement("HPP-OUT-08")
@deferred(after=180, start=open_expiring)
def test_page_of_an_expired_session_takes_no_card(ready: OpenedPage) -> None:
    visit, is_asked = ready.seen_again()
    if visit.page is not None:
        must_ask_for_no_card(visit.page, "a page that takes no card", is_asked=is_asked)


@requirement("HPP-OUT-09")
def test_link_of_a_paid_session_shows_no_form(pages: HostedPages) -> None:
    session = pages.session()
    first = pages.shown(session)
    paid = pages.enter_on(Visit(page=first), session, pages.entry())
    if paid.end is None or not paid.was_asked_for("card_number"):
        pages.proven("card")
        not_asked("card_number", paid)
    visit = pages.going_on(pages.payer.reload(first), pages.asks_for_card)
    if visit.page is not None:
        is_asked = pages.asks_for_card(visit.page)
        must_ask_for_no_card(visit.page, "a page without a form", is_asked=is_asked)


@requirement("HPP-OUT-10")
@pytest.mark.parametrize(
    ("kind", "what", "value"),
    [
        ("card", "card_number", with_check_digit("4" * 19)),
        ("card", "card_number", "4111abcd1111efgh"),
        ("card", "security_code", "12345"),
        ("cardholder", "name", "Ada " + "B" * 29),
        ("cardholder", "name", "Lovelace"),
        ("address", "city", "B" * 33),
        ("address", "country", "DEU"),
    ],
    ids=["long number", "letters", "long code", "long name", "one word", "long city", "three letters"],
)
def test_limits_hold_for_what_is_posted(
    pages: HostedPages, form_payer: HttpPayer, kind: str, what: str, value: str
) -> None:
    if what == "name":
        must_validate_names(pages.profile)
    must_not_pay(posted(pages, form_payer, kind, what, value))


def must_see_page(entered: Entered, expected: str) -> Page:
    """The payer is still on a page of the target; return it."""
    if entered.end is not None:
        must_end_at(entered, "", expected)
    return must_be_shown(entered.last, expected)


@requirement("GEN-ERR-10")
@pytest.mark.parametrize("address", ["error_url", "no error_url"])
def test_session_of_a_method_for_another_operation_breaks_nothing(address: str, pages: HostedPages) -> None:
    must_offer(pages.profile, ("capability:credit", "capability:wallets", "test_data:wallet_token"), "checkout")
    # A wallet pays and cannot be paid out to: such a session may be refused, or its page has nothing to offer.
    session = pages.session("credit", methods=sorted(pages.profile.test_data.wallet_tokens))
    if address != "error_url":
        session = session.without("error_url")

    reply = pages.payments.merchant.create_session(session)

    must_not_break(reply)
    if answer_of(reply) is Answer.ACCEPTED and not leads_to_no_page(reply.object.get("redirect_url"), session):
        visit = pages.payer.open(str(reply.object.get("redirect_url")))
        if visit.page is not None:
            must_be_allowed_as_error(visit.page, str(session.get("error_url") or ""))
            must_not_break(visit.page.reply)
