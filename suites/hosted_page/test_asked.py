"""What the hosted page asks for, offers and shows."""

from __future__ import annotations

import re

import pytest

from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.verdicts import Nonconformance, inconclusive, not_applicable, note_reading
from fixtures.payer import Page
from fixtures.payer.controls import Control
from fixtures.payer.fields import WORDS, choosing, field_of, is_chosen
from fixtures.payer.offers import offered
from fixtures.payer.page import without_blanks
from fixtures.payer.wallets import named
from fixtures.protocols.hosted_page.after_the_card import asked_with_card, pages_with_card
from fixtures.protocols.hosted_page.asking import OF_NATIONAL_ID, Question, must_ask_for_more
from fixtures.protocols.hosted_page.entered import FINDING_FIELDS
from fixtures.protocols.hosted_page.must import MARKUP, SLANTED, must_see, must_show_as_text
from fixtures.protocols.hosted_page.page import ADDRESS, REQUIRED_ADDRESS, HostedPages
from fixtures.protocols.hosted_page.wallet_scripts import WALLETS, must_draw_no_wallet
from fixtures.protocols.payments import wallets_but_in
from fixtures.requirement import must_offer, requirement
from fixtures.wire.requests import JsonRequest

DESCRIPTION = "Seven golden apples & a pear"
"""With a sign that a page has to write otherwise, once."""
OTHER_NETWORK = {"TRC20": "ERC20", "ERC20": "TRC20"}
CURP = "AAAA000101HDFLLL09"
"""A national id of Mexico, where the usual one is that of Argentina."""


@requirement("HPP-ASK-01")
def test_customer_data_that_the_method_needs_is_asked_or_missed(pages: HostedPages) -> None:
    there = pages.of("payer_fields_required")
    session = there.session()
    without = without_customer_data(there, session)
    reply = there.payments.merchant.create_session(without)
    if answer_of(reply) is Answer.REFUSED:
        note_reading("HPP-ASK-01", "error")
        return
    if asked_of(there, there.again(without)) - asked_anyway(pages, there, session):
        note_reading("HPP-ASK-01", "prompt")
        return
    entered = there.enter(there.again(without), there.entry())
    if entered.end is None:
        note_reading("HPP-ASK-01", "error")
        return
    if not required_fields(there):
        inconclusive(
            "the payment goes through without customer data, and the profile does not say which of them are required",
            decides="required_customer_fields of the account with payer_fields_required in the profile",
        )
    expected = "the page asks for the customer's data, or they are missed with an error"
    raise Nonconformance(Finding(expected, entered.story, "The payment went through without them."))


def required_fields(there: HostedPages) -> tuple[str, ...]:
    account = there.profile.account("payer_fields_required", "checkout")
    return account.required_customer_fields if account else ()


def without_customer_data(there: HostedPages, session: JsonRequest) -> JsonRequest:
    """Leave out what the mapping requires; the whole customer where the profile does not say what that is."""
    session = there.again(session)
    for name in required_fields(there):
        session = session.without(f"customer.{name}")
    return session if required_fields(there) else session.without("customer")


def asked_of(there: HostedPages, session: JsonRequest) -> set[tuple[str, bool]]:
    """Return what the pages of a session ask for, be it after the card, and whether something stands in its field."""
    of_forms = [(page, form) for page in pages_with_card(there, session) for form in page.forms]
    found = ((what, field_of(page, form, what, there.payer.selectors)) for page, form in of_forms for what in WORDS)
    return {(what, bool(field.value.strip())) for what, field in found if field is not None}


def asked_anyway(pages: HostedPages, there: HostedPages, session: JsonRequest) -> set[tuple[str, bool]]:
    """What the page asks for although it has it, or, where anything may be required, what an ordinary account asks."""
    if required_fields(there):
        return asked_of(there, there.again(session))
    return asked_of(pages, pages.session().without("customer"))


@requirement("HPP-ASK-02")
def test_billing_address_is_asked_when_the_request_gave_none(pages: HostedPages) -> None:
    there, session = pages.kind("address")
    asked = there.asked(session)
    missing = [what for what in REQUIRED_ADDRESS if what not in asked]
    if not missing:
        return
    page = there.seen(there.again(session), lambda page: all(there.payer.asks(page, what) for what in missing))
    missing = [what for what in missing if not there.payer.asks(page, what)]
    missing = sorted({*missing} - asked_with_card(there, session, *missing)) if missing else []

    must_see(not missing, "a page that asks for the whole address", page, f"It does not ask for {', '.join(missing)}.")


@requirement("HPP-ASK-03")
def test_what_the_request_gave_is_not_asked_again(pages: HostedPages) -> None:
    there = pages.of("payer_address_required")
    session = there.session()
    lacking = there.session().without("customer").without("billing_address")
    asked = there.enter(lacking, there.entry()).pages
    data = ("name", "email", *ADDRESS)
    known = {what for what in data if any(fields_of_the_card(there, page, what) for page in asked)}
    if not known:
        inconclusive(
            "of a session that gives nothing of the payer the page asks nothing either, as far as can be seen",
            decides=f"name, email, country, city, address, zip and phone in {FINDING_FIELDS}",
        )
    # What is asked may come after the card.
    paid = there.enter(session, there.entry())
    for page in paid.pages:
        again = sorted(what for what in known if is_to_be_filled_in(there, page, what, session))

        must_see(not again, "a page that asks for the card alone", page, f"It asks for {again}.")


def is_to_be_filled_in(there: HostedPages, page: Page, what: str, session: JsonRequest) -> bool:
    """Return whether a page has a field in which something else stands than what the session gave."""
    given = str(session.get(f"customer.{what}") or session.get(f"billing_address.{what}") or "")
    return any(one.value.strip().casefold() != given.casefold() for one in fields_of_the_card(there, page, what))


def fields_of_the_card(there: HostedPages, page: Page, what: str) -> list[Control]:
    """Return the fields of a thing; where a form asks for the card, others on the page are of other methods."""
    selectors = there.payer.selectors
    with_card = [form for form in page.forms if field_of(page, form, "card_number", selectors) is not None]
    found = (field_of(page, form, what, selectors) for form in with_card or page.forms)
    return [field for field in found if field is not None]


@requirement("HPP-ASK-04")
@pytest.mark.parametrize("operation", ["purchase", "debit"])
def test_methods_restricts_what_is_offered(pages: HostedPages, operation: str) -> None:
    must_offer(pages.profile, ("capability:debit",) if operation == "debit" else (), "checkout")
    method = pages.profile.test_data.method
    others = pages.profile.test_data.other_methods
    if not offered(pages.shown(pages.session(operation)), others):
        if operation == "debit":
            not_applicable("without methods the page of a debit offers no other method that the profile names")
        inconclusive(
            "without methods nothing on the page that can be chosen is called like another method of the profile",
            decides="further methods of the account, as the page calls them, in further_brands of [test_data] in the "
            "profile, or in [test_data.methods]",
        )
    shown = pages.walked(pages.session(operation, methods=[method]))
    may_be_hidden = any(offered(page, others) and (page.has_styles or page.has_scripts) for page in shown)
    if may_be_hidden and not pages.payer.reads_scripts:
        shown = pages.with_scripts().walked(pages.session(operation, methods=[method]))
    for page in shown:
        found = offered(page, others)

        must_see(not found, f"a page that offers {method} alone", page, f"It offers {', '.join(sorted(found))}.")


@requirement("HPP-ASK-06")
def test_single_method_is_chosen_for_the_payer(pages: HostedPages) -> None:
    session = pages.session(methods=[pages.profile.test_data.method])
    page = pages.shown(session)
    if page.has_scripts and not asks_for_something(page):
        page = pages.with_scripts().shown(pages.again(session))
    is_left_to_the_payer = choosing(
        page, tuple(filter(None, (pages.profile.test_data.method,))), pages.payer.selectors.method
    )

    must_see(
        asks_for_something(page) or is_left_to_the_payer is None or is_chosen(is_left_to_the_payer),
        "the form of the one method",
        page,
        "The method has to be chosen first.",
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

    decides = f"{family} in [test_data.methods] of the profile with a method that takes {parameter}"
    is_taken = pages.payments.requests.is_of_method(family, parameter)
    must_ask_for_more(pages, full, lacking, Question(parameter, decides, is_taken))


@requirement("HPP-ASK-11")
@pytest.mark.parametrize("country", ["", "MX"], ids=["the-country-of-the-method", "Mexico"])
def test_national_id_that_the_request_left_out_is_asked(pages: HostedPages, country: str) -> None:
    full = pages.session("method:national_id")
    decides, is_taken = "", True
    if country:
        decides = "bank_curp in [test_data.apm.fields] of the profile, for a method that serves Mexico as well"
        identifier = pages.payments.requests.method("national_id")
        # The method of the profile may serve Argentina alone, and others may be offered beside it.
        is_taken = any("curp" in name for name in pages.profile.test_data.apm.fields.get(identifier, {}))
        full = full.with_(("parameters", identifier, "bank_curp"), CURP).with_("billing_address.country", country)

    lacking = pages.again(full).without("parameters")
    must_ask_for_more(pages, full, lacking, Question(OF_NATIONAL_ID, decides, is_taken))


@requirement("HPP-ASK-14")
@pytest.mark.parametrize("network", ["TRC20", "ERC20"])
def test_crypto_network_is_shown(pages: HostedPages, network: str) -> None:
    # The one after the other: what is shown is that of the session, and not of one before.
    pages.shown(pages.session("crypto").with_("crypto", {"network": OTHER_NETWORK[network]}))
    session = pages.session("crypto").with_("crypto", {"network": network})

    def names_the_network(page: Page) -> bool:
        return network in re.sub(r"[\W_]", "", page.bare_text).upper()

    page = pages.seen(session, names_the_network)
    if not names_the_network(page):
        # A page that offers other methods beside may show it once the crypto method is chosen.
        method = pages.payments.requests.method("crypto_wallet")
        chosen = pages.again(session).with_("methods", [method])
        chosen = chosen.with_(("parameters", method, "crypto_type"), session.get("order.currency"))
        page = pages.seen(chosen, names_the_network)
        if not names_the_network(page):
            pages.must_get_on(chosen)

    must_see(names_the_network(page), f"a page that names the network {network}", page, "It does not name it.")


@requirement("HPP-ASK-15")
def test_description_is_shown(pages: HostedPages) -> None:
    session, bare = pages.session().with_("order.description", DESCRIPTION), without_blanks(DESCRIPTION)
    page = pages.seen(session, lambda page: bare in page.bare_text)
    if bare not in page.bare_text:
        pages.must_get_on(session)

    must_see(bare in page.bare_text, "the description of the order", page, "It is not on the page.")


@requirement("HPP-ASK-18")
def test_description_is_shown_as_text_and_not_as_markup(pages: HostedPages) -> None:
    session = pages.session().with_("order.description", MARKUP)
    page = pages.seen(session, lambda page: SLANTED in page.text)
    if SLANTED not in page.text:
        inconclusive("the page does not show the description", decides="a target whose page shows order.description")
    must_show_as_text(page)


@requirement("HPP-ASK-16")
def test_wallet_of_the_account_is_offered(pages: HostedPages) -> None:
    wallets = sorted(pages.profile.test_data.wallet_tokens)

    session = pages.session()

    def offers_wallet(page: Page) -> bool:
        sources = [document.reply.text for document in page.documents]
        shown = (re.compile(WALLETS, re.IGNORECASE), *map(named, wallets))
        return any(words.search(source) for words in shown for source in sources)

    page = pages.seen(session, offers_wallet)
    if not offers_wallet(page) and wallets:
        # Which methods are offered where none is asked for is a matter of routing.
        session = pages.session(methods=wallets)
        reply = pages.payments.merchant.create_session(session)
        if answer_of(reply) is not Answer.ACCEPTED:
            inconclusive(
                f"the target takes no session that is to be paid by {' or '.join(wallets)}: {reply.summary}",
                decides="[test_data.wallet_tokens] of the profile with the method identifiers of wallets on Checkout, "
                f"{wallets_but_in('checkout')}",
            )
        page = pages.seen(pages.again(session), offers_wallet)
    if not offers_wallet(page) and (not wallets or re.search(r"\bwallets?\b", page.text, re.IGNORECASE)):
        inconclusive(
            "the page shows no wallet that is recognised: it may be of another name, or one link away",
            decides="[test_data.wallet_tokens] of the profile with the names by which the page calls its wallets",
        )

    if not offers_wallet(page):
        pages.must_get_on(session)
        must_draw_no_wallet(pages.payments.merchant.transport, page)

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


def asks_for_something(page: Page) -> bool:
    """Return whether anything has to be typed in."""
    asked = (control.kind for form in page.forms for control in form.asked)
    return any(kind not in ("radio", "checkbox") for kind in asked)
