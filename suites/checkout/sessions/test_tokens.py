"""Card tokens: when a callback returns one, what it is good for, and whose it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from contract.model import Release
from fixtures.callbacks import Callback, CallbackWatch
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must, must_accept, must_hold, must_refuse
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.payer import Visit
from fixtures.protocols.callbacks import statuses_in
from fixtures.protocols.checkout.callbacks import (
    about_order,
    must_name_payee,
    outcome_of,
    payee_named_in,
    with_outcome,
)
from fixtures.protocols.checkout.must import NOT_YET_PAID, must_be_settled, must_have_been_paid
from fixtures.protocols.checkout.opening import leads_to_no_page
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.requests import CREDIT_TO_STORED_CARD_SINCE
from fixtures.requirement import must_have_come, must_offer, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import JsonRequest

PaymentsOf = Callable[[str], CheckoutPayments]

IN_EVERY_DEBIT = Release("6.7.0")
PAYOUT_WORDS = ("SETTLED", "CREDIT")
OWN_CARD = ("card_number", "payee_card")
"""What a payer types in whose own card pays, or is paid to."""


def must_carry(callback: Callback, token: str | None, explanation: str) -> None:
    received = callback.get("card_token") or None
    if received != token:
        expected = "the card_token that was sent, or none" if token else "no card_token"
        must(Finding(expected, callback.summary, explanation))


@requirement("CHK-TOK-01")
@pytest.mark.parametrize("operation", ["purchase", "debit"])
def test_payment_with_req_token_returns_a_token(
    operation: str, paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    session = paid.requests.baseline(operation).with_("req_token", value=True)
    payment = paid.pay(session, paid.card("success"))
    must_have_been_paid(payment)

    callback = outcome_of(payment, callbacks, having=("card_token",))

    if not callback.get("card_token"):
        must(Finding("card_token in the callback", callback.summary, "It is missing."))


@requirement("CHK-TOK-02")
@pytest.mark.parametrize("flag", [None, False], ids=["without-req_token", "req_token-false"])
def test_plain_purchase_returns_no_token(flag: bool | None, paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    session = paid.requests.baseline("purchase") if flag is None else paid.requests(req_token=flag)
    payment = paid.pay(session, paid.card("success"))

    must_carry(outcome_of(payment, callbacks), None, "Nobody asked for a token.")


@requirement("CHK-TOK-02")
def test_plain_purchase_returns_no_token_though_one_was_asked_for_before(
    paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    outcome_of(paid.fresh("tokenized"), callbacks)
    payment = paid.pay(paid.requests.baseline("purchase"), paid.card("success"))

    must_carry(outcome_of(payment, callbacks), None, "Nobody asked for a token this time.")


@requirement("CHK-TOK-03")
def test_req_token_is_ignored_beside_a_token(paid: CheckoutPayments, callbacks: CallbackWatch) -> None:
    token = paid.card_token(paid.shared("tokenized"))
    payment = paid.pay(paid.requests(card_token=[token], req_token=True), paid.card("success"))

    callback = outcome_of(payment, callbacks)

    if callback.get("card_token"):
        must_carry(callback, token, "Another token came.")


@requirement("CHK-TOK-04")
@pytest.mark.parametrize("state", ["tokenized", "settled_debit"])
def test_returned_token_has_64_characters(
    state: str, paid: CheckoutPayments, callbacks: CallbackWatch, run: Run
) -> None:
    if state == "settled_debit":
        must_offer(paid.profile, ("capability:debit",))
    callback = outcome_of(paid.shared(state), callbacks, having=("card_token",))

    token = callback.get("card_token")
    if token is None and state == "settled_debit" and run.release < IN_EVERY_DEBIT:
        not_applicable(f"card_token is in every callback of a debit from {IN_EVERY_DEBIT} on")
    if token is None:
        inconclusive("no card_token came back", decides="a target that returns one, which a check of its own asks for")
    if len(token) != 64:
        must(Finding("card_token of 64 characters", callback.summary, f"It has {len(token)}."))


@requirement("CHK-TOK-05")
def test_returned_token_opens_a_session_and_pays_in_it(paid: CheckoutPayments) -> None:
    must_be_paid_by(paid.card_token(paid.shared("tokenized")), paid)


@requirement("CHK-TOK-05")
def test_token_of_a_debit_opens_a_session_and_pays_in_it(paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("capability:debit",), "checkout")
    with where_it_comes_about("a debit that returns a token for its card"):
        token = paid.card_token(paid.shared("settled_debit"))

    must_be_paid_by(token, paid)


@requirement("CHK-TOK-05")
def test_token_of_a_debit_pays_a_debit(paid: CheckoutPayments) -> None:
    must_offer(paid.profile, ("capability:debit",), "checkout")
    # Its card pays a debit that is typed in: what its token is declined for is not its issuer's.
    with where_it_comes_about("a debit that returns a token for its card"):
        token = paid.card_token(paid.shared("settled_debit"))

    must_be_paid_by(token, paid, "debit")


@requirement("CHK-TOK-05")
def test_returned_token_pays_though_the_same_card_has_got_another_since(paid: CheckoutPayments) -> None:
    token = paid.card_token(paid.shared("tokenized"))
    with where_it_comes_about("another payment by the same card that returns a token"):
        paid.card_token(paid.fresh("tokenized"))

    must_be_paid_by(token, paid)


def must_be_paid_by(token: str, paid: CheckoutPayments, operation: str = "purchase") -> None:
    """A stored card is taken for a session, and pays in it."""
    session = paid.requests.baseline(operation).with_("card_token", [token])
    reply = paid.merchant.create_session(session)
    must_accept(reply)
    payment = paid.named(
        session, paid.paying_in(session).pay(str(reply.object.get("redirect_url")), paid.card("success"))
    )
    if paid.profile.lacks("capability:status_lookup"):
        must_have_been_paid(payment)
        must_have_succeeded(payment)
        return

    # A page that shows a decline goes on asking: it is the look-up that says whether the token was tried.
    if paid.becomes(payment, "SETTLED", "DECLINED") != "DECLINED":
        must_have_been_paid(payment)
    must_be_settled(paid, payment)


def must_have_succeeded(payment: CheckoutPayment) -> None:
    landing = payment.visit.end
    success_url = payment.session.get("success_url") if payment.session else None
    if landing is None or landing.address != success_url:
        must(Finding(f"the payer is sent to {success_url}", payment.visit.summary, "The token does not pay."))


@requirement("CHK-TOK-06")
def test_token_of_another_merchant_pays_nothing(paid: CheckoutPayments, paid_by: PaymentsOf) -> None:
    theirs = paid_by("second_merchant")
    theirs.open(theirs.requests.baseline("purchase"))
    ours = paid.card_token(paid.shared("tokenized"))
    session = theirs.requests(card_token=[ours])

    reply = theirs.merchant.create_session(session)

    if answer_of(reply) is not Answer.ACCEPTED:
        must_refuse(reply)
        note_reading("CHK-TOK-06", "at-session")
        return
    must_pay_nothing(theirs, session, reply)
    note_reading("CHK-TOK-06", "at-payment")


@requirement("CHK-TOK-06")
@pytest.mark.parametrize("operation", ["debit", "credit"])
def test_token_of_another_merchant_pays_nothing_on_another_operation(
    operation: str, paid: CheckoutPayments, paid_by: PaymentsOf
) -> None:
    if operation == "credit":
        must_have_come("card_token of a credit", CREDIT_TO_STORED_CARD_SINCE, paid.release)
    theirs = paid_by("second_merchant")
    theirs.open(theirs.requests.baseline(operation))
    session = theirs.requests.baseline(operation).with_("card_token", [paid.card_token(paid.shared("tokenized"))])

    reply = theirs.merchant.create_session(session)

    if answer_of(reply) is Answer.ACCEPTED:
        must_pay_nothing(theirs, session, reply)


def must_pay_nothing(theirs: CheckoutPayments, session: JsonRequest, reply: Reply) -> None:
    """Nothing is paid in a session with the token of somebody else, as far as the payer types in no card."""
    url = reply.object.get("redirect_url")
    if leads_to_no_page(url, session):
        must_pay_nothing_out(theirs, session)
        return
    paid = paid_without_card(theirs, session, str(url))
    if paid is None:
        return
    plain = theirs.requests.baseline(str(session.get("operation")))
    if paid_without_card(theirs, plain, theirs.open(plain)) is not None:
        inconclusive(
            f"a session without any token is paid without a card as well: {paid.summary}",
            decides="methods of the second merchant that lead to a page which asks for a card",
        )
    must(Finding("a payer who is not sent to success_url", paid.summary, "The token of somebody else paid."))


def paid_without_card(theirs: CheckoutPayments, session: JsonRequest, url: str) -> Visit | None:
    """Return where a payer who types in no card is sent to success_url; ``None``: they are not, or asked for a card.

    A page that asks for the number of a card does not take the token; what that card pays proves nothing.
    """
    paying = theirs.paying_in(session)
    for visit in paying.steps(paying.payer.open(url), paying.entry(theirs.card("success"))):
        asked = [what for what in OWN_CARD if visit.page is not None and paying.payer.asks(visit.page, what)]
        if asked or not visit.added.isdisjoint(OWN_CARD):
            return None
        if visit.end is not None and visit.end.address == session.get("success_url"):
            return visit
    return None


def must_pay_nothing_out(theirs: CheckoutPayments, session: JsonRequest) -> None:
    """A credit that needs no page (line 58) is not paid out: as a look-up or a callback says, for no payer lands."""
    payment = theirs.named(session, theirs.nowhere)
    if theirs.profile.lacks("capability:status_lookup") is None:
        words = {theirs.becomes(payment, *PAYOUT_WORDS, "DECLINED")}
    else:
        came = (
            theirs.callbacks.any_of(with_outcome(payment), seconds=theirs.callbacks.seconds) if theirs.callbacks else ()
        )
        words = {word for callback in came for word in statuses_in(callback)}
    if not words.isdisjoint(PAYOUT_WORDS):
        expected = "no payout by a token of another merchant"
        must(Finding(expected, f"{payment} is {', '.join(sorted(words))}", "The token of somebody else paid."))
    if "DECLINED" not in words:
        inconclusive(
            f"the credit has no page, and nothing shows what became of it: {', '.join(sorted(words)) or 'no status'}",
            decides="look-ups or callbacks of credits that are declined",
        )


@requirement("CHK-TOK-07")
def test_credit_by_token_pays_out_without_card_data(paid: CheckoutPayments) -> None:
    session = paid.requests.baseline("credit_by_token")
    reply = paid.merchant.create_session(session)
    must_accept(reply)
    url = reply.object.get("redirect_url")
    visit = paid.paying().payer.open(url) if isinstance(url, str) and url else paid.nowhere
    if visit.page is not None:
        asked = [what for what in ("card_number", "security_code") if paid.paying().payer.asks(visit.page, what)]
        must_hold(not asked, "a page that asks for the expiry date at most", visit.page.reply, f"It asks for {asked}.")
    payment = paid.named(session, paid.paying_in(session).go_on(visit, paid.card("success")))
    note_reading("CHK-TOK-07", "no-page" if visit.page is None else "expiry-page")

    if not paid.profile.lacks("capability:status_lookup"):
        # Line 309 shows no word of a payout that succeeded: what is no decline may be one.
        status = paid.becomes(payment, *PAYOUT_WORDS, "DECLINED")
        reply = paid.look_up(payment)
        if status == "DECLINED":
            leave_to_the_issuer(paid, reply)
        must_hold(status != "DECLINED", "a payout that is not declined", reply, "The token pays nothing out.")
        if status in (*NOT_YET_PAID, "PENDING"):
            inconclusive(
                f"the payout is {status}, and may be paid out later; after the page, {payment.visit.summary}",
                decides="a page that the payer gets through ([payer.selectors] of the profile), and payouts that are "
                "decided within seconds",
            )


def leave_to_the_issuer(paid: CheckoutPayments, reply: Reply) -> None:
    """End the check where nothing shows that the card behind a token is paid out to: typed in, it is declined as well.

    A card that pays a purchase need not be paid out to, and a profile says no more of a token than that it is one.
    """
    data = paid.profile.test_data
    own = data.model_copy(update={"cards": data.cards.model_copy(update={"payout_success": None})})
    typed = paid.paid_by("payouts to the card that pays", replace(paid.paying(), data=own))
    payment = typed.pay_if_asked(typed.requests.baseline("credit"), typed.card("success"))
    if typed.becomes(payment, *PAYOUT_WORDS, "DECLINED") not in PAYOUT_WORDS:
        inconclusive(
            f"the payout by token is declined, and so is one to the card success: {reply.summary}",
            decides="card_token in [test_data] of the profile, and success in [test_data.cards], of a card that is "
            "paid out to",
        )


@requirement("CHK-TOK-08")
def test_credit_by_token_goes_to_its_payee_unless_another_is_named(
    paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    own = credit_callback(paid.requests.baseline("credit_by_token"), paid, callbacks)
    session = paid.requests.baseline("credit_by_token").with_("payee_first_name", "Grace")

    named = credit_callback(session.with_("payee_last_name", "Hopper"), paid, callbacks)

    must_name_payee(named, "Grace Hopper")
    if payee_named_in(own).casefold() in ("", "grace hopper"):
        must(Finding("the payee of the token", own.summary, "It is missing, or another."))


@requirement("CHK-TOK-08")
@pytest.mark.parametrize(("name", "value"), [("payee_first_name", "Grace"), ("payee_last_name", "Hopper")])
def test_one_of_both_names_does_not_name_another_payee(
    name: str, value: str, paid: CheckoutPayments, callbacks: CallbackWatch
) -> None:
    other = paid.requests.baseline("credit_by_token").with_(name, value)
    if answer_of(paid.merchant.create_session(other)) is Answer.REFUSED:
        # Line 58 gives both names together: one alone may be refused as well.
        return
    half = credit_callback(paid.requests.baseline("credit_by_token").with_(name, value), paid, callbacks)

    if payee_named_in(half).casefold() == value.casefold():
        must(Finding("the payee of the token", half.summary, f"It is {value}, half a name."))


def credit_callback(session: JsonRequest, paid: CheckoutPayments, callbacks: CallbackWatch) -> Callback:
    payment = paid.pay_if_asked(session, paid.card("success"))
    return outcome_of(payment, callbacks, about_order(payment.number, type="credit"))
