"""Where the payer comes back to, and what the return address carries."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest

from fixtures.deferred import deferred
from fixtures.judging.expectations import Finding
from fixtures.judging.must import must_accept
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import Nonconformance, inconclusive, note_reading
from fixtures.payer import Landing, Visit
from fixtures.payer.addresses import parts_of
from fixtures.protocols.callbacks import must_have_what_is_signed
from fixtures.protocols.checkout.must import must_be_of_order
from fixtures.protocols.checkout.operations import status_of_payment
from fixtures.protocols.hosted_page.attempts import must_count_the_declines
from fixtures.protocols.hosted_page.deferred import OpenedPage, opened
from fixtures.protocols.hosted_page.entered import Entered
from fixtures.protocols.hosted_page.leaving import left, left_after, left_without_cancel_url
from fixtures.protocols.hosted_page.must import must_end_at
from fixtures.protocols.hosted_page.page import HostedPages
from fixtures.protocols.hosted_page.returning import ALWAYS, challenged, landed, must_carry, paid
from fixtures.protocols.signatories import signatory_as
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.signing.due import Due
from fixtures.signing.messages import due_for, verify_message
from fixtures.signing.signatory import Records, Signatory
from fixtures.signing.verification import Verification
from fixtures.wire.requests import JsonRequest

RECIPE = "a hash by the Checkout recipe, or by that of return in [dialect.checkout_formulas] of the profile"
EXPIRY_MINUTES = 2
QUERIES = {
    "escapes": "shop=7&back=a%20b%26c&empty=",
    "a name twice": "x=1&x=2",
    "nearly the longest": f"shop={'7' * 900}",
}


@requirement("CHK-URL-01")
def test_payer_is_sent_to_success_url(pages: HostedPages) -> None:
    entered = pages.enter(pages.session(), pages.entry())
    if entered.page is not None and entered.page.has_scripts and not entered.is_asked_again:
        # A script may lead on from here.
        pages = pages.with_scripts()
        entered = pages.enter(pages.session(), pages.entry())
    if entered.is_asked_again:
        pages.proven("card")

    must_end_at(entered, entered.session.get("success_url"), "success_url")


@requirement("CHK-URL-02")
@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_query_of_success_url_survives(pages: HostedPages, query: str) -> None:
    address = f"{pages.profile.test_data.return_urls.success_url.partition('?')[0]}?{query}"
    landing = landed(paid(pages, pages.session(success_url=address)), "success_url", address)

    for pair in parse_qsl(parts_of(address).query, keep_blank_values=True):
        must_carry(pair in landing.pairs, f"the parameter {pair[0]} with the value {pair[1]!r}", landing)
    must_carry("payment_id" in landing.parameters, "the return parameters beside the merchant's own", landing)


@requirement("CHK-URL-03")
@pytest.mark.parametrize("name", ALWAYS)
def test_success_carries_the_return_parameter(pages: HostedPages, name: str) -> None:
    landing = success(pages)

    must_carry(landing.parameters.get(name), f"the parameter {name}", landing)


@requirement("CHK-URL-04")
@pytest.mark.parametrize("signs", ["", "+1", "&a;1"], ids=["plain", "a plus", "an ampersand"])
def test_order_id_is_the_number_of_the_session(pages: HostedPages, signs: str) -> None:
    session = pages.session()
    number = f"{session.get('order.number')}{signs}"
    entered = paid(pages, session.with_("order.number", number))
    landing = landed(entered, "success_url")

    must_carry(landing.parameters.get("order_id") == number, f"order_id={number}", landing)


@requirement("CHK-URL-05")
def test_cancel_after_a_decline_carries_the_return_parameters(pages: HostedPages) -> None:
    pages.proven("card")
    landing = left_after(pages, pages.enter(pages.session(), pages.entry("decline")))

    for name in ALWAYS:
        must_carry(landing.parameters.get(name), f"the parameter {name}", landing)


@requirement("CHK-URL-05")
def test_cancel_after_a_failed_challenge_carries_the_return_parameters(pages: HostedPages) -> None:
    must_offer(pages.profile, ("capability:three_ds", "test_data:cards.three_ds_decline"))
    landing = left_after(pages, challenged(pages, "three_ds_decline", passes=False))

    for name in ALWAYS:
        must_carry(landing.parameters.get(name), f"the parameter {name}", landing)


@requirement("CHK-URL-06")
def test_return_parameters_are_added_after_3ds(pages: HostedPages) -> None:
    landing = landed(challenged(pages, "three_ds_success", passes=True), "success_url")

    for name in ALWAYS:
        must_carry(landing.parameters.get(name), f"the parameter {name}", landing)


@requirement("CHK-URL-07")
def test_hash_of_the_return_parameters_fits(pages: HostedPages) -> None:
    entered = paid(pages, pages.session())
    landing = landed(entered, "success_url")

    must_be_signed(pages, entered.session, landing)


def is_signed_usually(pages: HostedPages) -> bool:
    """Return whether the return after a payment is signed by the recipe of public documents; the contract has none."""
    entered = pages.kept("paid", lambda: paid(pages, pages.session()))
    return hash_of_return(pages, entered.session, landed(entered, "success_url")).valid


def must_be_signed(pages: HostedPages, session: JsonRequest, landing: Landing) -> None:
    """The hash of a return address fits its payment_id and the order of the session."""
    found = hash_of_return(pages, session, landing)
    if not found.valid:
        sent = f"the payer was sent to {landing.url}"
        must_have_what_is_signed(due_of_return(pages, session, landing), sent)
        raise Nonconformance(Finding(RECIPE, sent, found.explanation))


def hash_of_return(pages: HostedPages, session: JsonRequest, landing: Landing) -> Verification:
    """Compare the hash of a return address with its payment_id and the order of the session."""
    return verify_message("checkout", "return", *signed_in(pages, session, landing))


def due_of_return(pages: HostedPages, session: JsonRequest, landing: Landing) -> Due:
    """Return what the hash of a return address should be."""
    return due_for("checkout", "return", *signed_in(pages, session, landing))


def signed_in(pages: HostedPages, session: JsonRequest, landing: Landing) -> tuple[dict[str, str], Signatory, Records]:
    """Return the parameters of a return address, who signs them, and what is known of the order."""
    identity = pages.payments.merchant.identity
    order = {name: str(session.get(f"order.{name}")) for name in ("number", "amount", "currency", "description")}
    signatory = signatory_as(identity, "checkout")
    records = Records(
        order_amount=order["amount"], order_currency=order["currency"], order_description=order["description"]
    )
    parameters = {**landing.parameters, "hash": landing.parameters.get("hash", "").lower(), "order_id": order["number"]}
    return parameters, signatory, records


def come_back(pages: HostedPages, how: str) -> tuple[JsonRequest, Landing]:
    """Return the session and the return address of a payer who was declined, or who passed a challenge."""
    if how == "declined":
        pages.proven("card")
        session = pages.session()
        return session, left_after(pages, pages.enter(session, pages.entry("decline")))
    entered = challenged(pages, "three_ds_success", passes=True)
    return entered.session, landed(entered, "success_url")


AFTER = pytest.mark.parametrize(
    ("how", "needs"),
    [
        pytest.param("declined", "test_data:cards.decline", id="decline"),
        pytest.param("challenged", "test_data:cards.three_ds_success", id="3ds"),
    ],
)


@requirement("CHK-URL-04")
@AFTER
def test_order_id_is_the_number_of_the_session_after(pages: HostedPages, how: str, needs: str) -> None:
    must_offer(pages.profile, (needs,))
    session, landing = come_back(pages, how)
    number, value = session.get("order.number"), landing.parameters.get("order_id")

    must_carry(value is None or value == number, f"order_id={number}", landing)


@requirement("CHK-URL-07")
@AFTER
def test_hash_of_the_return_parameters_fits_after(pages: HostedPages, how: str, needs: str) -> None:
    must_offer(pages.profile, (needs,))
    session, landing = come_back(pages, how)
    value = landing.parameters.get("hash")

    if value is not None:
        must_be_signed(pages, session, landing)


@requirement("CHK-STA-21")
@AFTER
def test_payment_id_finds_the_payment_after(pages: HostedPages, how: str, needs: str) -> None:
    must_offer(pages.profile, (needs,))
    session, landing = come_back(pages, how)
    payment_id = landing.parameters.get("payment_id")
    if not payment_id:
        inconclusive(
            f"the payer came back without payment_id: {landing.url}",
            decides="a target that adds return parameters, which checks of their own ask for",
        )
    reply = pages.payments.merchant.post(status_of_payment(payment_id))

    must_accept(reply)
    must_be_of_order(reply, str(session.get("order.number")))


@requirement("CHK-URL-08")
def test_return_parameters_name_the_payment_method(pages: HostedPages) -> None:
    there = pages.of("return_additional_parameters")
    landing = landed(paid(there, there.session()), "success_url")

    must_carry(landing.parameters.get("payment_method"), "the parameter payment_method", landing)


@requirement("CHK-URL-08")
def test_return_parameters_name_the_payment_method_after_a_challenge(pages: HostedPages) -> None:
    there = pages.of("return_additional_parameters")
    must_offer(there.profile, ("test_data:cards.three_ds_success",))
    landing = landed(challenged(there, "three_ds_success", passes=True), "success_url")

    must_carry(landing.parameters.get("payment_method"), "the parameter payment_method", landing)


@requirement("CHK-URL-19")
@pytest.mark.parametrize("repeated", [False, True], ids=["once", "recurring_init"])
def test_return_parameters_name_no_payment_method_unless_it_is_added(repeated: bool, pages: HostedPages) -> None:
    there = pages.of("no_return_additional_parameters")
    session = there.session()
    if repeated:
        with where_it_comes_about("a session with recurring_init"):
            must_offer(there.profile, ("capability:recurring",))
            there.payments.open(there.session().with_("recurring_init", value=True))
        session = session.with_("recurring_init", value=True)
    landing = landed(paid(there, session), "success_url")

    must_carry("payment_method" not in landing.parameters, "return parameters without payment_method", landing)


@requirement("CHK-URL-19")
def test_return_parameters_name_no_payment_method_after_a_challenge_unless_it_is_added(pages: HostedPages) -> None:
    there = pages.of("no_return_additional_parameters")
    must_offer(there.profile, ("test_data:cards.three_ds_success",))
    landing = landed(challenged(there, "three_ds_success", passes=True), "success_url")

    must_carry("payment_method" not in landing.parameters, "return parameters without payment_method", landing)


@requirement("CHK-URL-09")
def test_payer_who_leaves_is_sent_to_cancel_url(pages: HostedPages) -> None:
    must_end_at(left(pages, session := pages.session()), session.get("cancel_url"), "cancel_url")


@requirement("CHK-URL-10")
def test_payer_who_leaves_returns_with_all_parameters_or_without_trans_id(pages: HostedPages) -> None:
    session = pages.session()
    landing = must_end_at(left(pages, session), session.get("cancel_url"), "cancel_url")

    # What is there and empty names no transaction either: nothing was paid, and nothing has an id.
    if landing.parameters.get("trans_id"):
        for name in ALWAYS:
            must_carry(landing.parameters.get(name), f"the parameter {name} beside trans_id", landing)
        if is_signed_usually(pages):
            must_be_signed(pages, session, landing)
        note_reading("CHK-URL-10", "all")
    else:
        note_reading("CHK-URL-10", "without-trans-id" if set(landing.parameters) & set(ALWAYS) else "none")


@requirement("CHK-URL-12")
def test_payer_who_used_up_the_declines_is_sent_to_cancel_url(pages: HostedPages) -> None:
    # Where one decline is the most, nothing shows that they are counted.
    several = not pages.profile.lacks("account:several_declines", "checkout")
    role = "several_declines" if several else "maximum_count_declines"
    there, account = pages.of(role), pages.profile.account(role, "checkout")
    most = account.max_declines if account and account.max_declines else 1
    there.proven("card")

    must_count_the_declines(there, most, pages)


def open_expiring(run: Run) -> OpenedPage:
    """Open the page of a session that expires after two minutes."""
    return opened(run, session_expiry=EXPIRY_MINUTES)


def open_expiring_without_expiry_url(run: Run) -> OpenedPage:
    """Open the page of a session that expires after two minutes and has no expiry_url."""
    return opened(run, session_expiry=EXPIRY_MINUTES, without=("expiry_url",))


@requirement("CHK-URL-13")
@deferred(after=60 * (EXPIRY_MINUTES + 1), start=open_expiring)
def test_payer_of_an_expired_session_is_sent_to_expiry_url(ready: OpenedPage) -> None:
    visit = ready.again()
    if ready.asks_for_card(visit):
        visit = ready.pages.paying.go_on(visit, ready.pages.payments.card("success"))
    entered = Entered(ready.session, (visit,), ready.pages.payer)

    must_end_at(entered, ready.session.get("expiry_url"), "expiry_url")


@requirement("CHK-URL-18")
@deferred(after=60 * (EXPIRY_MINUTES + 1), start=open_expiring_without_expiry_url)
def test_without_expiry_url_a_default_page_is_shown(ready: OpenedPage) -> None:
    must_be_a_page(ready.again())


@requirement("CHK-URL-15")
@pytest.mark.parametrize("passes", [True, False])
def test_payer_returns_after_the_challenge(pages: HostedPages, passes: bool) -> None:
    entered = challenged(pages, "three_ds_success" if passes else "three_ds_decline", passes=passes)
    if passes:
        landed(entered, "success_url")
        return
    left_after(pages, entered)


@requirement("CHK-URL-17")
def test_without_cancel_url_a_payer_who_leaves_sees_a_default_page(pages: HostedPages) -> None:
    entered = left_without_cancel_url(pages)

    must_be_a_page(entered.last)


def success(pages: HostedPages) -> Landing:
    """Return where the payer of a payment that succeeded landed; made once for checks that only look at it."""
    entered = pages.kept("success", lambda: paid(pages, pages.session()))
    return landed(entered, "success_url")


def must_be_a_page(visit: Visit) -> None:
    """The target shows a page, and no error of the server."""
    if visit.page is None:
        return
    status = visit.page.status
    if status is None or status >= SERVER_ERROR or not visit.page.text:
        finding = Finding("a default page", visit.summary, "This is no page for a payer.")
        raise Nonconformance(finding, visit.page.reply)


SERVER_ERROR = 500
