"""What the hosted page asks for, offers and tells."""

from __future__ import annotations

import re

import pytest

from fixtures.expectations import Finding
from fixtures.hosted_page import ADDRESS, HostedPages
from fixtures.hosted_page_judging import must_see
from fixtures.matchers import Answer, answer_of
from fixtures.payer import Page
from fixtures.requests import JsonRequest
from fixtures.requirement import requirement
from fixtures.verdicts import Nonconformance, inconclusive, note_reading

WALLETS = r"google\W?pay|pay\.google\.com|apple\W?pay"
"""How a wallet shows in the source of a page: its name, or the script that makes its button."""


@requirement("HPP-ASK-01")
def test_customer_data_that_the_method_needs_is_asked_or_missed(pages: HostedPages) -> None:
    there = pages.of("payer_fields_required")
    session = there.session()
    given = there.asked(session)
    without = there.again(session).without("customer.email").without("customer.birth_date")
    reply = there.payments.merchant.create_session(without)
    if answer_of(reply) is Answer.REFUSED:
        note_reading("HPP-ASK-01", "error")
        return
    if there.asked(there.again(without)) - given:
        note_reading("HPP-ASK-01", "prompt")
        return
    entered = there.enter(there.again(without), there.entry())
    if entered.end is not None:
        expected = "the page asks for the customer's data, or they are missed with an error"
        raise Nonconformance(Finding(expected, entered.story, "The payment went through without them."))
    note_reading("HPP-ASK-01", "error")


@requirement("HPP-ASK-02")
def test_billing_address_is_asked_when_the_request_gave_none(pages: HostedPages) -> None:
    there, session = pages.kind("address")
    asked = there.asked(session)
    missing = [what for what in ADDRESS if what not in asked]
    if not missing:
        return
    page = there.seen(there.again(session), lambda page: all(there.payer.asks(page, what) for what in missing))
    missing = [what for what in missing if not there.payer.asks(page, what)]

    must_see(not missing, "a page that asks for the whole address", page, f"It does not ask for {', '.join(missing)}.")


@requirement("HPP-ASK-03")
def test_what_the_request_gave_is_not_asked_again(pages: HostedPages) -> None:
    there = pages.of("payer_address_required")
    session = there.session()
    again = sorted(there.asked(session) & {"name", "email", *ADDRESS})

    must_see(
        not again, "a page that asks for the card alone", there.shown(there.again(session)), f"It asks for {again}."
    )


@requirement("HPP-ASK-04")
def test_methods_restricts_what_is_offered(pages: HostedPages) -> None:
    method = pages.profile.test_data.method
    others = {*pages.profile.test_data.methods.values(), *pages.profile.test_data.wallet_tokens} - {method}
    if not offered(pages.shown(pages.session()), others):
        inconclusive(
            "without methods the page offers no other method that the profile names",
            decides="further methods of the account in [test_data.methods] of the profile",
        )
    page = pages.shown(pages.session(methods=[method]))
    found = offered(page, others)

    must_see(not found, f"a page that offers {method} alone", page, f"It offers {', '.join(sorted(found))}.")


@requirement("HPP-ASK-06")
def test_single_method_is_chosen_for_the_payer(pages: HostedPages) -> None:
    session = pages.session(methods=[pages.profile.test_data.method])
    usual = pages.seen(pages.session(), lambda page: pages.payer.asks(page, "card_number"))
    page = pages.seen(session, lambda page: pages.payer.asks(page, "card_number"))
    if not pages.payer.asks(usual, "card_number") and not pages.payer.asks(page, "card_number"):
        must_see(_controls(page), "the form of the one method", page, "The page asks for nothing.")
    else:
        must_see(
            pages.payer.asks(page, "card_number"), "the form of the one method", page, "It has to be chosen first."
        )


@pytest.mark.parametrize(
    ("family", "parameter"),
    [
        pytest.param(family, parameter, marks=requirement(claimed))
        for family, parameter, claimed in (
            ("local_document", "document_number", "HPP-ASK-07"),
            ("local_document", "document_type", "HPP-ASK-08"),
            ("member_id", "memberId", "HPP-ASK-09"),
            ("personal_id", "personal_id", "HPP-ASK-10"),
        )
    ],
)
def test_parameter_that_the_request_left_out_is_asked(pages: HostedPages, family: str, parameter: str) -> None:
    identifier = pages.payments.requests.method(family)
    full = pages.session(f"method:{family}")
    lacking = pages.session(f"method:{family}").without(("parameters", identifier, parameter))

    _must_ask_for_more(pages, full, lacking, parameter)


@requirement("HPP-ASK-11")
def test_national_id_that_the_request_left_out_is_asked(pages: HostedPages) -> None:
    full = pages.session("method:national_id")

    _must_ask_for_more(pages, full, pages.again(full).without("parameters"), "bank_cuil or bank_curp")


@requirement("HPP-ASK-13")
def test_form_id_opens_the_merchant_s_own_form(pages: HostedPages) -> None:
    usual, again = (outline(pages.shown(pages.session())) for _ in range(2))
    if usual != again:
        inconclusive("two pages of like sessions differ", decides="a page that looks the same for like sessions")
    page = pages.shown(pages.session(form_id=pages.profile.test_data.form_id))

    must_see(outline(page) != usual, "another form than the usual one", page, "It is the usual form.")


@requirement("HPP-ASK-14")
def test_crypto_network_is_shown(pages: HostedPages) -> None:
    session = pages.session("crypto").with_("crypto", {"network": "TRC20"})
    page = pages.seen(session, lambda page: "TRC20" in page.text)

    must_see("TRC20" in page.text, "a page that names the network TRC20", page, "The network is not on the page.")


@requirement("HPP-ASK-15")
def test_description_is_shown(pages: HostedPages) -> None:
    session = pages.session().with_("order.description", "Seven golden apples")
    page = pages.seen(session, lambda page: "Seven golden apples" in page.text)

    must_see("Seven golden apples" in page.text, "the description of the order", page, "It is not on the page.")


@requirement("HPP-ASK-16")
def test_wallet_of_the_account_is_offered(pages: HostedPages) -> None:
    page = pages.seen(pages.session(), offers_wallet)

    must_see(offers_wallet(page), "a page that offers a wallet", page, "No wallet is on the page or in its scripts.")


@requirement("HPP-ASK-17")
def test_page_can_be_shown_in_a_frame(pages: HostedPages) -> None:
    page = pages.shown(pages.session(), framed=not pages.payer.reads_scripts)
    options = page.reply.headers.get("x-frame-options", "").strip().lower()
    policy = page.reply.headers.get("content-security-policy", "").lower()
    ancestors = re.search(r"frame-ancestors\s+([^;,]*)", policy)
    refuses = options in ("deny", "sameorigin") and ancestors is None
    refuses = refuses or (ancestors is not None and set(ancestors[1].split()) <= {"'none'", "'self'"})

    must_see(not refuses, "a page that a frame may show", page, f"Its headers refuse frames: {options} {policy}.")


def offered(page: Page, methods: set[str]) -> set[str]:
    """Return which of some methods a page offers: a control, button or link carries the name of the method."""
    carried = {
        word
        for tag in page.soup.select("input, button, option, a, label, [data-method]")
        for name in ("value", "data-method", "href", "id")
        for word in re.split(r"[/?=&\s]", str(tag.get(name, "")))
    }
    return methods & carried


def offers_wallet(page: Page) -> bool:
    """Tell whether the source of a page speaks of a wallet."""
    return re.search(WALLETS, page.reply.text, re.IGNORECASE) is not None


def outline(page: Page) -> list[tuple[str, str, str]]:
    """Return the elements of a page with their ids and classes: what looks alike has the same."""
    tags = page.soup.find_all(True)
    return [(tag.name, str(tag.get("id", "")), " ".join(tag.get("class") or ())) for tag in tags]


def _must_ask_for_more(pages: HostedPages, full: JsonRequest, lacking: JsonRequest, parameter: str) -> None:
    """The page of a session that lacks a parameter asks for something that it does not ask with it."""
    before = _controls(pages.shown(full))
    page = pages.seen(lacking, lambda page: _controls(page) > before)

    must_see(_controls(page) > before, f"a page that asks for {parameter}", page, "It asks for no more than with it.")


def _controls(page: Page) -> int:
    return len({control.name for form in page.forms for control in form.asked})
