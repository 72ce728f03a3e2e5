"""3DS challenges and other redirects: what the answer says to the merchant, and the payer's round trip."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from fixtures.judging.expectations import Finding
from fixtures.judging.must import must, must_accept, must_be_one_of, must_carry, must_hold, must_lack, must_not_be
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.payer import Payer, Visit
from fixtures.payer.addresses import parts_of
from fixtures.payer.leading import BY_BROWSER, has_in_scripts
from fixtures.payer.visit import Landing
from fixtures.profile import Profile
from fixtures.protocols.must import must_state
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.must import must_have_status
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.requests import SaleRequests
from fixtures.protocols.s2s_card.round_trip import StillAsked, answered_to_the_end, round_trip
from fixtures.protocols.words import status_in
from fixtures.requirement import must_offer, requirement
from fixtures.wire.exchange import Reply

PaymentsOf = Callable[[str], Payments]


def sent_away(s2s_card: S2SCardMerchant, unproven_sale: SaleRequests, name: str, outcome: str) -> Reply:
    reply = s2s_card.post(unproven_sale.paid_with(unproven_sale.baseline(name), outcome))
    must_accept(reply)
    return reply


def must_come_back(payer: Payer, visit: Visit, address: str) -> None:
    """The payer is at the merchant's address, or on a page whose one link leads there."""
    if visit.end is None and visit.page is not None and not payer.reads_scripts and has_in_scripts(visit.page, address):
        inconclusive(f"a script of the page has {address}, and may lead there: {visit.summary}", decides=BY_BROWSER)
    if visit.end is None or not is_same_address(visit.end.address, address):
        must(Finding(f"the payer comes back to {address}", visit.summary, "The payer is at another address."))


def is_same_address(one: str, other: str) -> bool:
    first, second = parts_of(one), parts_of(other)
    return (first.netloc, first.path.rstrip("/")) == (second.netloc, second.path.rstrip("/"))


@requirement("S2C-TDS-01")
def test_sale_that_needs_the_challenge_is_answered_with_3ds(
    s2s_card: S2SCardMerchant, unproven_sale: SaleRequests
) -> None:
    reply = sent_away(s2s_card, unproven_sale, "sale", "three_ds_success")

    must_state(reply, result="REDIRECT", status="3DS")


@requirement("S2C-TDS-02")
def test_answer_with_3ds_says_where_the_payer_goes(s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    received = sent_away(s2s_card, unproven_sale, "sale", "three_ds_success")

    address = received.object.get("redirect_url")
    must_hold(
        isinstance(address, str) and parts_of(address).scheme in ("http", "https"),
        "a redirect_url",
        received,
        f"redirect_url is {address!r}.",
    )
    must_carry(received, "redirect_method")


@requirement("S2C-TDS-03")
def test_method_of_a_redirect_is_get_or_post(payments: Payments) -> None:
    reply = payments.shared("challenged").reply

    must_be_one_of(reply, "redirect_method", reply.object.get("redirect_method"), ("GET", "POST"))


@requirement("S2C-TDS-04")
@pytest.mark.parametrize("state", ["challenged", "redirected"])
def test_parameters_of_a_redirect_are_names_and_values(state: str, payments: Payments) -> None:
    reply = payments.shared(state).reply

    params = reply.object.get("redirect_params")
    is_flat = isinstance(params, dict) and all(isinstance(value, (str, int, float)) for value in params.values())
    expected = "redirect_params: an object of names and values"
    must_hold(is_flat or params in (None, []), expected, reply, f"redirect_params is {params!r}.")


@requirement("S2C-TDS-05")
@pytest.mark.parametrize("passes", [True, False], ids=["passed", "failed"])
def test_payer_comes_back_to_term_url_3ds(passes: bool, payments: Payments, payer: Payer) -> None:
    payment = payments.fresh("challenged" if passes else "challenged_to_decline")

    try:
        visit = round_trip(payer, payment, passes=passes)
    except StillAsked as asked:
        if not passes:
            raise
        visit = answered_to_the_end(payer, asked.visit, payments.polling)

    must_come_back(payer, visit, payment.opening.get("term_url_3ds") or "")


@requirement("S2C-TDS-05")
@pytest.mark.parametrize("name", ["sale", "debit"])
def test_term_url_3ds_with_a_fragment_is_the_same_address(name: str, payments: Payments, payer: Payer) -> None:
    requests = payments.requests
    must_offer(requests.profile, ("capability:debit",) if name == "debit" else (), "s2s_card")
    address = f"{requests.profile.test_data.return_urls.term_url_3ds}#/orders/7"
    with where_it_comes_about("a challenge with a fragment in term_url_3ds"):
        asked = requests.paid_with(requests.baseline(name), "three_ds_success").with_("term_url_3ds", address)
        visit = round_trip(payer, payments.open(asked))

    must_come_back(payer, visit, address)


@requirement("S2C-TDS-06")
def test_sale_settles_once_the_payer_passes(payments: Payments, payer: Payer) -> None:
    payment = payments.fresh("challenged")

    round_trip(payer, payment)

    must_have_status(payments, payment, "SETTLED")


@requirement("S2C-TDS-07")
def test_sale_is_declined_once_the_payer_fails(payments: Payments, payer: Payer) -> None:
    payment = payments.fresh("challenged_to_decline")

    round_trip(payer, payment, passes=False, data=payments.requests.profile.test_data)

    must_have_status(payments, payment, "DECLINED")


@requirement("S2C-TDS-08")
def test_authorization_is_held_once_the_payer_passes_and_can_be_captured(payments: Payments, payer: Payer) -> None:
    payment = payments.fresh("challenged_authorization")

    round_trip(payer, payment)

    must_have_status(payments, payment, "PENDING")
    payments.must_be_held(payment)
    must_accept(payments.merchant.post(payment.capture()))


@requirement("S2C-TDS-09")
@pytest.mark.parametrize("visits", [False, True], ids=["nobody-came", "payer-is-at-the-challenge"])
def test_challenged_payment_has_not_ended(visits: bool, payments: Payments, payer: Payer) -> None:
    payment = payments.fresh("challenged")
    if visits:
        visit = payer.follow(payment.reply.object)
        if visit.end is not None:
            # Line 288 has Frictionless: an issuer that asks nothing sends the payer on, and the payment has ended.
            not_applicable(f"the payer is asked nothing at the challenge: {visit.summary}")

    reply = payments.answered(payment)

    must_not_be(reply, "status", status_in(reply), "SETTLED", "DECLINED")


@requirement("S2C-TDS-10")
def test_payment_without_challenge_sends_nobody_away(s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    reply = s2s_card.post(unproven_sale.baseline("sale"))

    must_accept(reply)
    must_lack(reply, "redirect_url")


@requirement("S2C-TDS-11")
def test_sale_with_another_redirect_is_answered_so_and_brings_the_payer_back(
    payments: Payments, payer: Payer, unproven_sale: SaleRequests
) -> None:
    reply = sent_away(payments.merchant, unproven_sale, "sale", "redirect_success")
    must_state(reply, result="REDIRECT", status="REDIRECT")
    payment = payments.fresh("redirected")

    visit = round_trip(payer, payment)

    must_come_back(payer, visit, payment.opening.get("term_url_3ds") or "")


def target_of_the_way_back(payments: Payments, payer: Payer, asked: str, *, name: str = "sale") -> Landing:
    """Return where the payer comes back, with the browsing context that the pages name for that."""
    requests = payments.requests
    sale = requests.paid_with(requests.baseline(name), "three_ds_success").with_("term_url_target", asked)
    # In the top window a browser shows no difference between most of the targets.
    visit = round_trip(payer, payments.open(sale), framed=payer.reads_scripts)
    if visit.end is None:
        inconclusive(
            f"the payer does not come back: {visit.summary}",
            decides="a target that brings the payer back after the challenge, or a page with one link to term_url_3ds",
        )
    return visit.end


NAMED = {"_self": ("", "_self"), "_parent": ("_parent",), "_top": ("_top", "_blank"), "_blank": ("_blank",)}
"""What a link or form may say to open its address in a target.

Of _top in a frame line 496 has a step that opens a new window, and a page need not know where it stands.
"""
WINDOWS = {**NAMED, "_parent": ("_parent", "_top"), "_top": ("_parent", "_top", "_blank")}
"""The same as a browser sees it: the parent of a frame of the merchant's page is the top window."""


def must_be_target(payer: Payer, landing: Landing, wanted: str) -> None:
    found = landing.target
    if not found and wanted == landing.in_frame:
        inconclusive(
            f"the form that leads back names {wanted}, in a frame of the page: that is the page itself, and nothing "
            "shows in which window that stands",
            decides=BY_BROWSER,
        )
    if not found and wanted != "_self":
        inconclusive(
            "the pages name no target for the way back, which may be in a script, or _parent in a frame of their own, "
            f"which is the page around it and not what is around that: wanted is {wanted}",
            decides="pages that name the target of their forms and links outside frames",
        )
    if found not in (WINDOWS if payer.reads_scripts else NAMED)[wanted]:
        must(Finding(f"the payer comes back in {wanted}", f"a way back in {found}", "Its target differs."))


@requirement("S2C-TDS-12")
@pytest.mark.parametrize("name", ["sale", "debit"])
def test_link_target_of_the_mid_wins(name: str, payments_of: PaymentsOf, payer: Payer, profile: Profile) -> None:
    must_offer(profile, ("capability:debit",) if name == "debit" else ())
    account = profile.account("override_link_target", "s2s_card")
    forced = str(account.override_link_target) if account else ""
    first, *others = (asked for asked in ("_self", "_parent", "_top", "_blank") if asked != forced)

    found = target_of_the_way_back(payments_of("override_link_target"), payer, first, name=name)

    if not found.target and forced != "_self":
        # A page need not name _self, but any other target that it takes from the merchant.
        must_not_name(payments_of("override_link_target"), payer, others, forced, name)
    must_be_target(payer, found, forced)


def must_not_name(payments: Payments, payer: Payer, others: Sequence[str], forced: str, name: str) -> None:
    """Fail where the pages name one of some targets that was asked for in place of the one that is forced."""
    for asked in others:
        found = target_of_the_way_back(payments, payer, asked, name=name)
        if found.target == asked:
            must_be_target(payer, found, forced)


@requirement("S2C-TDS-13")
@pytest.mark.parametrize("asked", ["_self", "_parent", "_top", "_blank"])
def test_way_back_is_in_the_target_that_was_asked_for(
    asked: str, payments: Payments, payer: Payer, profile: Profile
) -> None:
    account = profile.credentials.s2s_card
    if account is not None and account.override_link_target is not None:
        inconclusive(
            "the main account forces a link target",
            decides="a main account without override_link_target in [account] of the profile",
        )

    must_be_target(payer, target_of_the_way_back(payments, payer, asked), asked)


@requirement("S2C-TDS-14")
def test_debit_that_needs_the_challenge_settles_once_the_payer_passes(payments: Payments, payer: Payer) -> None:
    payment = payments.fresh("challenged_debit")
    must_state(payment.reply, result="REDIRECT")

    round_trip(payer, payment)

    must_have_status(payments, payment, "SETTLED")
