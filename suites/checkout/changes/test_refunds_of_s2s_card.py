"""Refunds, by the card credit of Checkout, of payments that S2S CARD made: it has no refund of its own (line 363)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from contract.errors import REFUND_NOT_ALLOWED
from fixtures.deferred import deferred
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept, must_hold, must_refuse, must_reject
from fixtures.judging.verdicts import Inconclusive, NotApplicable, not_applicable
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.refunds import must_refund_by_credit, with_token_of
from fixtures.protocols.duplicates import OUTSIDE
from fixtures.protocols.in_turn import in_turn
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.must import must_have_status
from fixtures.protocols.s2s_card.payment import Payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.without_refunds import NONE_ALLOWED, allows_none
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply

KINDS: Mapping[str, tuple[str, ...]] = {
    "secondary": ("capability:recurring",),
    "secondary_debit": ("capability:recurring", "capability:debit"),
    "settled_debit": ("capability:debit",),
    "paid_by_token": ("capability:tokens",),
    "captured": ("capability:dms",),
}
"""Settled payments by card besides the plain SALE, with what it takes to bring them about."""


@dataclass(frozen=True)
class Sold:
    """A payment of S2S CARD whose account has Checkout as well.

    Attributes:
        sales: S2S CARD payments of the account.
        paying_out: makes the card credits of the same account.
        payment: the payment.
    """

    sales: Payments
    paying_out: CheckoutPayments
    payment: Payment

    def given_back(self) -> Reply:
        """Ask for the whole of it back by card credit."""
        paid, data = self.paying_out, self.paying_out.profile.test_data
        credit = with_token_of(paid, paid.operations.card_credit().with_("order_amount", self.payment.amount))
        is_by_order = data.refund_reference == "order_id"
        name = self.payment.order_id if is_by_order else self.payment.trans_id
        return paid.merchant.post(credit.with_(str(data.refund_reference), name))


def sold(run: Run, setting: str, state: str) -> Sold:
    """Return a payment of an account; without a setting of the main one."""
    out = run.checkout_merchant.every(setting) if setting else (run.checkout,)
    selling = run.s2s_card_merchant.every(setting) if setting else (run.s2s_card,)
    pairs = {one.identity.key: run.checkout_payments.of(one) for one in out}
    of_both = [one for one in selling if one.identity.key in pairs]
    if not of_both:
        not_applicable("the account of S2S CARD is not that of Checkout, whose credits are not about its payments")

    def sold_by(merchant: S2SCardMerchant) -> Sold:
        sales = run.payments.of(merchant)
        return Sold(sales, pairs[merchant.identity.key], sales.fresh(state))

    return in_turn(of_both, sold_by)


def must_serve_both(run: Run) -> None:
    """End the check unless the target has card credits and S2S CARD."""
    must_refund_by_credit(run.profile)
    if run.profile.endpoints.s2s_card is None:
        not_applicable("the profile names no endpoint for S2S CARD")
    must_offer(run.profile, ("capability:s2s_card",), "s2s_card")


def settled_and_voided(run: Run) -> tuple[Sold, Sold]:
    """Return a payment that card credits give back, and one that was voided."""
    must_serve_both(run)
    return sold(run, "", "settled"), sold(run, "", "voided")


def settled_here_and_there(run: Run) -> tuple[Sold, Sold]:
    """Return a payment that card credits give back, and one of an account that allows no refunds."""
    must_serve_both(run)
    must_offer(run.profile, ("account:no_refunds",), "s2s_card")
    return sold(run, "", "settled"), sold(run, "no_refunds", "settled")


def settled_of_every_kind(run: Run) -> tuple[Sold, Mapping[str, Sold]]:
    """Return a payment that card credits give back, and one of each kind that comes about."""
    must_serve_both(run)
    usual, kinds = sold(run, "", "settled"), dict[str, Sold]()
    for kind, needs in KINDS.items():
        try:
            must_offer(run.profile, needs, "s2s_card")
            kinds[kind] = sold(run, "", kind)
        except (Inconclusive, NotApplicable):
            continue
    return usual, kinds


def must_be_given_back(usual: Sold) -> None:
    """End the check unless card credits of this target give back payments of S2S CARD."""
    reply = usual.given_back()
    if answer_of(reply) is not Answer.ACCEPTED or usual.sales.leaves(usual.payment, "SETTLED") == "SETTLED":
        not_applicable(f"a card credit of this target gives back no payment of S2S CARD: {reply.summary}")


@requirement("CHK-RFD-03")
@deferred(after=OUTSIDE, start=settled_here_and_there)
def test_payment_of_s2s_card_is_not_refunded_where_the_mid_allows_none(ready: tuple[Sold, Sold]) -> None:
    usual, other = ready
    must_be_given_back(usual)

    must_reject(other.given_back(), REFUND_NOT_ALLOWED)
    must_have_status(other.sales, other.payment, "SETTLED")


@requirement("CHK-RFD-02")
@deferred(after=OUTSIDE, start=settled_and_voided)
def test_voided_payment_of_s2s_card_is_not_refunded(ready: tuple[Sold, Sold]) -> None:
    usual, voided = ready
    must_be_given_back(usual)

    must_refuse(voided.given_back())


@requirement("CHK-RFD-01")
@deferred(after=OUTSIDE, start=settled_of_every_kind)
def test_payment_of_s2s_card_of_every_kind_is_refunded(ready: tuple[Sold, Mapping[str, Sold]]) -> None:
    usual, kinds = ready
    if not kinds:
        not_applicable("no other kind of payment by card can be made here, and a check of its own is about a SALE")
    must_be_given_back(usual)

    replies = {kind: reply for kind, sale in kinds.items() if not allows_none(reply := sale.given_back())}
    if not replies:
        not_applicable(NONE_ALLOWED)
    for kind, reply in replies.items():
        sale = kinds[kind]

        must_accept(reply)
        status = sale.sales.leaves(sale.payment, "SETTLED")
        expected = f"the payment ({kind}) is given back, as a SALE is"
        must_hold(status != "SETTLED", expected, reply, "It stays SETTLED: what was paid out may be had once more.")
