"""Faults of Checkout and its pages: after a challenge or a decline, other operations, payments of S2S CARD (set G).

Numbers of lines are those of the interface description.
"""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.changes.checkout import NOTICES, instead
from emulator.changes.hosted_fields import also_hashed
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Notice
from emulator.engine.moves import Move
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.card_credits import find_refunded
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.checkout.recurring import find_chain
from emulator.protocols.hosted_fields.behaviour import PaymentRead
from emulator.protocols.hosted_page.forms.rules import PageContext, PageRule
from emulator.protocols.hosted_page.returns import End
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.hosted_page.visits import Visit
from emulator.wire.replies import Refusal
from emulator.wire.values import Object

_NEW: Final = "6.7.0"
_LONGEST: Final = 32
_RARE_LENGTHS: Final = frozenset({15, 17, 18})


# --- after a challenge ---


def _passed(notice: Notice) -> bool:
    payment = notice.payment
    return payment.state is State.SETTLED and payment.action == "purchase" and record_of(payment).challenged


def _lost(name: str) -> Change:
    return NOTICES.lacking(_passed, name)


def _not_held(design: Design) -> Design:
    inner = design.moves.carry_out

    def carry_out(payment: Payment, move: Move, amount: Decimal, after: State) -> None:
        if payment.protocol is Protocol.CHECKOUT and move is Move.APPROVE and record_of(payment).challenged:
            payment.intended = State.SETTLED
        inner(payment, move, amount, after)

    return replace(design, moves=replace(design.moves, carry_out=carry_out))


# --- payments of S2S CARD ---


def _refundable_anyway(attempt: PostAttempt) -> Refusal | None:
    refusal = find_refunded(attempt)
    payment = attempt.payment
    return None if payment is not None and payment.protocol is Protocol.S2S_CARD else refusal


def _paid_out_once_voided(attempt: PostAttempt) -> Refusal | None:
    refusal = find_refunded(attempt)
    payment = attempt.payment
    if payment is None or payment.protocol is not Protocol.S2S_CARD or payment.state is not State.VOIDED:
        return refusal
    attempt.payment = None
    return None


# --- chains ---


def _cut_off(name: str) -> Change:
    """Of one of the two ids of a chain the beginning is enough."""

    def lenient(attempt: PostAttempt) -> Refusal | None:
        sent: Object = attempt.body
        given = str(sent.get(name) or "")
        for started in attempt.gateway.payments.all():
            whole: Object = {"recurring_init_trans_id": started.trans_id, "recurring_token": started.recurring_token}
            others_are_right = all(sent.get(other) == value for other, value in whole.items() if other != name)
            if others_are_right and given and str(whole[name]).startswith(given):
                refusal = find_chain(whole_one := replace(attempt, body={**sent, **whole}))
                attempt.payment = whole_one.payment
                return refusal
        return find_chain(attempt)

    return instead(find_chain, lenient, "recurring")


# --- the page ---


def _expiry_of_declined(design: Design) -> Design:
    """A session that expires once its payer was declined counts as given up."""
    admits, destination = design.page.admits, design.page.destination
    declined: list[bool] = [False]

    def admitting(visit: Visit, *, closed: bool) -> End | None:
        declined[0] = bool(visit.declines)
        return admits(visit, closed=closed)

    def leading(session: PageSession, end: End) -> str:
        return destination(session, "cancelled" if end == "expired" and declined[0] else end)

    return design.in_page(admits=admitting, destination=leading)


def _any_method_of_a_debit(design: Design) -> Design:
    inner = design.page.offered

    def offered(session: PageSession) -> tuple[str, ...]:
        if session.operation != "debit":
            return inner(session)
        return inner(replace(session, request={**session.request, "methods": None}))

    return design.in_page(offered=offered)


def _usual_length(value: str, _context: PageContext) -> bool:
    return len(value) not in _RARE_LENGTHS


def _few_bytes(value: str, _context: PageContext) -> bool:
    return len(value.encode()) <= _LONGEST


def _with_rules(*rules: PageRule) -> Change:
    return lambda design: design.in_page(rules=(*design.page.rules, *rules))


# --- hosted fields ---


def _beginning_of_token(design: Design) -> Design:
    new_token, reads, known = design.hosted_fields.new_token, design.hosted_fields.read_payment, list[str]()

    def kept_token() -> str:
        known.append(new_token())
        return known[-1]

    def read_payment(token: str, body: Object) -> PaymentRead:
        whole = next((one for one in reversed(known) if token and one.startswith(token)), token)
        return reads(whole, body)

    return design.in_hosted_fields(new_token=kept_token, read_payment=read_payment)


_AFTER_A_CHALLENGE: Final[Mapping[str, tuple[str, str]]] = {
    "card_token": ("CHK-TOK-01", "57"),
    "recurring_token": ("CBK-ATT-24", "60"),
    "custom_data": ("CBK-ATT-13", "55"),
}

FAULTS: Final = faults(
    {
        **{
            f"g-{name.replace('_', '-')}-lost-in-a-challenge": breaks(
                requirement, f"{name} is missing where the payer was challenged (line {line}).", _lost(name)
            )
            for name, (requirement, line) in _AFTER_A_CHALLENGE.items()
        },
        "g-auth-lost-in-a-challenge": breaks(
            "CHK-TRN-03",
            "A purchase with auth whose payer passes a challenge settles at once (line 59).",
            _not_held,
            since=_NEW,
        ),
        "g-refunds-of-s2s-card-allowed-anyway": breaks(
            "CHK-RFD-03",
            "A payment of S2S CARD is refunded by card credit though the MID allows no refunds (lines 319 and 439).",
            instead(find_refunded, _refundable_anyway, "card_credit"),
        ),
        "g-voided-payment-of-s2s-card-paid-out": breaks(
            "CHK-RFD-02",
            "A card credit for a voided payment of S2S CARD is paid out (lines 319 and 456).",
            instead(find_refunded, _paid_out_once_voided, "card_credit"),
        ),
        "g-beginning-of-token-charges-a-chain": breaks(
            "CHK-REC-06", "The beginning of a recurring_token is enough (line 337).", _cut_off("recurring_token")
        ),
        "g-beginning-of-first-payment-charges-a-chain": breaks(
            "CHK-REC-07",
            "The beginning of recurring_init_trans_id charges the payer (line 337).",
            _cut_off("recurring_init_trans_id"),
        ),
        "g-expired-after-decline-is-cancelled": breaks(
            "CHK-URL-13",
            "A session that expires after a declined attempt leads to cancel_url (line 44).",
            _expiry_of_declined,
        ),
        "g-page-methods-ignored-for-debit": breaks(
            "HPP-ASK-04", "The page of a debit offers methods that it leaves out (line 56).", _any_method_of_a_debit
        ),
        "g-page-cards-of-rare-lengths-invalid": breaks(
            "HPP-CRD-02",
            "Card numbers of 15, 17 and 18 digits are called invalid (line 120).",
            _with_rules(PageRule("card_number", _usual_length, "invalid_card")),
        ),
        "g-page-city-counted-in-bytes": breaks(
            "HPP-ADR-08",
            "The 32 characters of a city are counted in bytes (line 126).",
            _with_rules(PageRule("city", _few_bytes, "invalid")),
        ),
        "g-page-address-line-counted-in-bytes": breaks(
            "HPP-ADR-10",
            "The 32 characters of an address line are counted in bytes (line 126).",
            _with_rules(PageRule("address", _few_bytes, "invalid")),
        ),
        "g-hosted-debit-token-request-unsigned": breaks(
            "HPF-TKN-08",
            "A request for the token of a debit is answered whatever its hash is (lines 335 and 407).",
            also_hashed(lambda test: test.body.get("operation") == "debit"),
            since=_NEW,
        ),
        "g-hosted-beginning-of-token-pays": breaks(
            "HPF-PAY-10", "The beginning of a session token is enough to pay (line 333).", _beginning_of_token
        ),
    }
)
