"""Payments by a stored card on the hosted page."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from bs4 import Tag

from contract.model import Release
from fixtures.callbacks import Callback, CallbackWatch
from fixtures.callbacks.inbox import Naming
from fixtures.callbacks.judging import fail
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.payer import Page, Visit
from fixtures.payer.controls import Control
from fixtures.payer.fields import WORDS, choice_of, field_of, going_on_with
from fixtures.payer.reviews import confirming
from fixtures.payer.stored_cards import MASK, stored_cards
from fixtures.protocols.checkout.callbacks import about_order
from fixtures.protocols.checkout.evidence import unpaid
from fixtures.protocols.checkout.own_tokens import own_token
from fixtures.protocols.hosted_page.entered import FINDING_FIELDS, Entered, finding_fields, not_asked, stuck
from fixtures.protocols.hosted_page.must import must_see
from fixtures.protocols.hosted_page.other_kinds import is_success
from fixtures.protocols.hosted_page.page import HostedPages
from fixtures.protocols.modes import statuses_that_may_be_paid
from fixtures.protocols.payments import unreached
from fixtures.requirement import must_offer, requirement
from fixtures.wire.requests import JsonRequest

CARD = ("card_number", "security_code")
BESIDE = r"coupon|voucher|promo|discount|search|gift"
"""How the field of something else than the payer's data is called."""


@requirement("HPP-TOK-01")
def test_stored_card_skips_number_and_expiry(pages: HostedPages) -> None:
    if not pages.enter(pages.session(), pages.entry()).was_asked_for("card_number"):
        inconclusive(
            "without card_token the page asks for no card, as far as can be seen",
            decides=f"card_number in {FINDING_FIELDS}",
        )

    def shown(pages: HostedPages) -> tuple[Page, ...]:
        return pages.enter(_with_tokens(pages, pages.session(), 1), pages.entry()).pages

    must_not_ask(pages, shown, ("card_number", *EXPIRY), "a page that asks neither for number nor for expiry")


@requirement("HPP-TOK-02")
def test_credit_by_token_never_asks_for_number_or_code(pages: HostedPages) -> None:
    must_not_ask(pages, _pages_of_credit, CARD, "a page that asks for no card number and no code")


def must_not_ask(
    pages: HostedPages, shown: Callable[[HostedPages], tuple[Page, ...]], fields: Sequence[str], expected: str
) -> None:
    """No page asks for any of some things; where a style sheet may hide a field, a browser is asked."""
    for page in shown(pages):
        asked = [what for what in fields if pages.payer.asks(page, what)]
        if asked and not pages.payer.reads_scripts and page.has_styles:
            must_not_ask(pages.with_scripts(), shown, fields, expected)
            return
        must_see(not asked, expected, page, f"It asks for {asked}.")


@requirement("HPP-TOK-03")
def test_credit_by_token_asks_for_the_expiry_alone(pages: HostedPages) -> None:
    must_ask_for_the_expiry_alone(pages, _pages_of_credit(pages))


def must_ask_for_the_expiry_alone(pages: HostedPages, shown: Sequence[Page]) -> None:
    if not shown:
        note_reading("HPP-TOK-03", "no-page")
        return
    selectors = pages.payer.selectors
    for page in shown[:1]:
        found = {what: [field_of(page, form, what, selectors) for form in page.forms] for what in EXPIRY}
        expiry = [field for fields in found.values() for field in fields if field is not None]
        forms = [form for form in page.forms if any(control in expiry for control in form.asked)]
        others = {
            control.name or control.label
            for form in forms or page.forms
            for control in form.asked
            if control not in expiry and is_of_the_payer(control)
        }
        if others and not forms and not any(pages.payer.asks(page, what) for what in WORDS):
            not_asked("expiry", Entered(pages.session("credit_by_token"), (Visit(page),), pages.payer))
        if others and page.has_styles and not pages.payer.reads_scripts:
            seeing = pages.with_scripts()
            must_ask_for_the_expiry_alone(seeing, _pages_of_credit(seeing))
            return
        must_see(not others, "a page that asks for month and year of expiry alone", page, f"It asks for {others}.")
    note_reading("HPP-TOK-03", "expiry-page")


def is_of_the_payer(control: Control) -> bool:
    """Return whether a field may be one for the payer's data: no choice that is made, and nothing that finds or saves.

    Of what else a page has, such as its languages, line 58 says nothing.
    """
    is_made = control.kind == "select" and bool(control.value)
    called = " ".join((control.name, control.label, control.attributes.get("id", "")))
    is_beside = control.kind == "search" or re.search(BESIDE, called, re.IGNORECASE) is not None
    return control.kind not in ("radio", "checkbox") and not is_made and not is_beside


@requirement("HPP-TOK-02")
def test_credit_by_one_of_two_tokens_never_asks_for_number_or_code(pages: HostedPages) -> None:
    with where_it_comes_about("a credit with two tokens"):
        session = _with_tokens(pages, pages.session("credit_by_token"), 2)

    def shown(pages: HostedPages) -> tuple[Page, ...]:
        fresh = pages.again(session)
        reply = pages.payments.merchant.create_session(fresh)
        if answer_of(reply) is not Answer.ACCEPTED:
            not_applicable(f"a credit goes to one card, so that two tokens may be refused: {reply.summary}")
        return pages.pages_at(reply.object.get("redirect_url"), fresh)

    must_not_ask(pages, shown, CARD, "a page that asks for no card number and no code")


EXPIRY = ("expiry", "expiry_month", "expiry_year")


@requirement("HPP-TOK-04")
def test_payer_chooses_among_several_stored_cards(pages: HostedPages) -> None:
    alone = pages.seen(_with_tokens(pages, pages.session(), 1), lambda page: _stored(page, pages))
    are_known = bool(_stored(alone, pages))

    def lets_choose(page: Page) -> bool:
        # A step before the cards may have a list of countries, of which nothing shows that it offers cards.
        return _choices(page) > _choices(alone) and (not are_known or bool(_stored(page, pages)))

    session = _with_tokens(pages, pages.session(), 2)
    page = pages.seen(session, lets_choose)
    if not lets_choose(page):
        pages.must_get_on(session)

    must_see(lets_choose(page), "a page on which the payer chooses a card", page, "It offers no more than one card.")


@requirement("HPP-TOK-04")
def test_card_that_the_payer_chooses_is_the_one_that_pays(pages: HostedPages, callbacks: CallbackWatch) -> None:
    must_offer(pages.profile, ("capability:debit", "capability:callbacks"), "checkout")
    if pages.payments.release < IN_EVERY_DEBIT:
        not_applicable(f"card_token is in every callback of a debit from {IN_EVERY_DEBIT} on")
    charged = [_token_charged(place, pages, callbacks) for place in (0, 1)]

    if charged[0].get("card_token") == charged[1].get("card_token"):
        fail("another card_token than with the other choice", charged[1], "Both choices charge the same card.")


@requirement("CBK-ATT-23")
def test_card_of_the_chosen_token_is_the_one_that_pays(pages: HostedPages, callbacks: CallbackWatch) -> None:
    must_offer(pages.profile, ("capability:debit", "capability:callbacks"), "checkout")
    if pages.payments.release < IN_EVERY_DEBIT:
        not_applicable(f"card_token is in every callback of a debit from {IN_EVERY_DEBIT} on")
    with where_it_comes_about("a pair of tokens"):
        tokens = [_token_of_another_card(pages), pages.payments.card_token(pages.payments.shared("tokenized"))]
    cards = [_token_charged(0, pages, callbacks, (token,)).get("card") for token in tokens]
    if None in cards or cards[0] == cards[1]:
        not_applicable("both tokens belong to cards that look alike, so that nothing shows which one pays")
    for place in (0, 1):
        callback = _token_charged(place, pages, callbacks, tuple(tokens))
        token = callback.get("card_token")
        if token in tokens and callback.get("card") != cards[tokens.index(token)]:
            fail(f"card {cards[tokens.index(token)]!r}, that of the token", callback, "It is a different card.")


def _token_of_another_card(pages: HostedPages) -> str:
    """Return the token of a card with other digits than the usual one."""
    paid, other = pages.payments, pages.profile.test_data.cards.payout_success
    if other is None:
        not_applicable("the profile names no card with other digits than those of the usual one")
    payment = paid.pay(paid.requests(req_token=True), other)
    made = statuses_that_may_be_paid(paid.merchant.identity)
    if paid.becomes(payment, *made) not in made:
        not_applicable("the other card of the profile receives payouts and pays nothing")
    return paid.card_token(payment)


IN_EVERY_DEBIT = Release("6.7.0")


def _token_charged(place: int, pages: HostedPages, callbacks: CallbackWatch, tokens: tuple[str, ...] = ()) -> Callback:
    """Choose one of the stored cards for a debit, and return the callback, which carries the token that was charged."""
    session = pages.session("debit")
    session = session.with_("card_token", list(tokens)) if tokens else _with_tokens(pages, session, 2)
    wanted = about_order(str(session.get("order.number"))).but(lambda callback: bool(callback.get("card_token")))
    if len(tokens) == 1:
        return _reported(pages.enter(session, pages.entry()), wanted, callbacks)
    page = pages.seen(session, lambda page: len(_stored(page, pages)) > 1)
    choices = _stored(page, pages)
    if len(choices) < 2:
        inconclusive(
            "the page does not say by which button a stored card is chosen",
            decides=f"stored_card in {finding_fields(pages.payer)}",
        )
    return _reported(_pay_with(choices[place], page, session, pages), wanted, callbacks)


def _pay_with(choice: Tag, page: Page, session: JsonRequest, pages: HostedPages) -> Entered:
    """Send the form of a stored card, which may ask for nothing else, and go on until the cards are shown again."""
    if not choice_of(choice) or pages.payer.form_for(page, pages.entry()) is None:
        visit = pages.payer.press_on(page, choice)
        if visit.page is not None and visit.end is None and not choice_of(choice) and _stored(visit.page, pages):
            visit = _pay_with_chosen(visit.page, pages)
    else:
        visit = pages.payer.fill(page, pages.entry(), **choice_of(choice))
    confirmed = None if visit.page is None else confirming(visit.page, pages.payer.selectors)
    if visit.page is not None and confirmed is not None:
        visit = pages.payer.press_on(visit.page, confirmed)
    visits: list[Visit] = []
    for visit in pages.paying.steps(visit, pages.entry()):  # noqa: B020 - the first step is where the payer is
        visits.append(visit)
        if visit.page is not None and _stored(visit.page, pages):
            break
    return Entered(session, tuple(visits), pages.payer)


def _pay_with_chosen(page: Page, pages: HostedPages) -> Visit:
    """Press what pays on a page on which a button chose the card; the page may ask for something besides."""
    if pages.payer.form_for(page, pages.entry()) is not None:
        return pages.payer.fill(page, pages.entry())
    paying = going_on_with(page, pages.payer.selectors)
    if paying is None:
        stuck(Visit(page))
    return pages.payer.press_on(page, paying)


def _reported(entered: Entered, wanted: Naming, callbacks: CallbackWatch) -> Callback:
    """Return the callback of a debit by a stored card; one is missing only where the payer was seen to pay."""
    if not is_success(entered) and not callbacks.any_of(wanted, seconds=callbacks.seconds):
        unpaid(entered.last, "no callback reports a debit, and the payer did not come to success_url")
    return callbacks.expect(wanted, "a callback of the debit by a stored card")


def _stored(page: Page, pages: HostedPages) -> list[Tag]:
    return stored_cards(page, pages.payer.selectors)


def _pages_of_credit(pages: HostedPages) -> tuple[Page, ...]:
    session = pages.session("credit_by_token").with_("card_token", [own_token(pages.payments)])
    reply = pages.payments.merchant.create_session(session)
    if answer_of(reply) is not Answer.ACCEPTED:
        unreached(f"the target does not take a credit by token: {reply.summary}")
    return pages.pages_at(reply.object.get("redirect_url"), session)


def _with_tokens(pages: HostedPages, session: JsonRequest, count: int) -> JsonRequest:
    tokens = [own_token(pages.payments)]
    if count > len(tokens):
        tokens.append(pages.payments.card_token(pages.payments.shared("tokenized")))
    if len(set(tokens)) < count and pages.profile.test_data.cards.payout_success is not None:
        # A target may give the same token for the same card.
        tokens[-1] = _token_of_another_card(pages)
    if len(set(tokens)) < count:
        inconclusive("only one card token is known", decides="a target that gives another token for another card")
    return session.with_("card_token", tokens)


def _choices(page: Page) -> int:
    """Return how many things a payer can choose among: buttons of a group, entries of lists, masked cards."""
    radios = page.soup.select("input[type=radio]:not([hidden])")
    options = [option for option in page.soup.select("select option") if option.get("value")]
    masked = MASK.findall(page.text)
    return len(radios) + len(options) + len(masked)
