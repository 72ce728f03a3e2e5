"""Faults of strangers' engineers that the suite did not notice at first (set V), and others of their classes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final
from urllib.parse import urldefrag

from emulator.accounts import Account
from emulator.changes import checkout
from emulator.changes.checkout import Handler, operation
from emulator.changes.notices import About, about, of_payments
from emulator.changes.s2s_card import NOTICES, also_hashed, instead, post
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.duplicates import WindowRule
from emulator.engine.payment_book import PaymentBook
from emulator.engine.payments import Payment, Protocol, State
from emulator.engine.signing import as_specified, equal, session_hash
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.lookups import payment_object
from emulator.protocols.checkout.session import HashTest, accepts_hash
from emulator.protocols.hosted_page.returns import End
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.s2s_apm.behaviour import ApmHashTest
from emulator.protocols.s2s_apm.behaviour import accepts_hash as accepts_hash_of_apm
from emulator.protocols.s2s_apm.signatures import RECIPES, by_option
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardHashTest
from emulator.protocols.s2s_card.stages import find_order
from emulator.wire.replies import Kind, Refusal, Reply

_ENDS: Final[tuple[tuple[str, int, End], ...]] = (
    ("success_url", 42, "paid"),
    ("cancel_url", 43, "cancelled"),
    ("expiry_url", 44, "expired"),
)
_DISCRIMINATORS: Final[Fields] = {"initiator": "merchant", "source": "recurring", "sequence": "subsequent"}
_NEW: Final = "6.7.0"
_LATEST: Final = 200
_INDEXED: Final = 191
"""Characters of an order number by which it is found."""
_OF_MD5: Final = 32
"""Digits of a hash with MD5."""
_BY_SHA256: Final = (
    "SCHEDULE_INFO", "DELETE_SCHEDULE", "RUN", "CAPTURE", "GET_TRANS_STATUS_BY_ORDER", "CREDIT2CARD",
)  # fmt: skip
_OF_OPERATIONS: Final[Mapping[str, str]] = {
    "status": "CHK-STA-30",
    "capture": "CHK-CAP-09",
    "refund": "CHK-RFD-06",
    "void": "CHK-RFD-14",
    "recurring": "CHK-REC-11",
    "card_credit": "CHK-CRD-18",
}


def _same_beginning(given: str, right: str) -> bool:
    """Whether two hashes longer than one with MD5 have as many digits in common as that has."""
    return len(given) == len(right) > _OF_MD5 and equal(given[:_OF_MD5], right[:_OF_MD5])


def _begins_rightly(test: CardHashTest) -> bool:
    return _same_beginning(test.given, test.formula(test.account.password, test.account.hash, test.values))


def _apm_by_beginning(action: str) -> Change:
    def accepts(test: ApmHashTest) -> bool:
        right = by_option(test.account, RECIPES[test.action](test.form, test.account.password))
        return accepts_hash_of_apm(test) or (test.action == action and _same_beginning(test.given, right))

    return lambda design: design.in_apm(accepts_hash=accepts)


def _session_by_beginning(design: Design) -> Design:
    def accepts(test: HashTest) -> bool:
        right = as_specified(test.account.password, test.account.hash, test.order)
        return accepts_hash(test) or _same_beginning(str(test.given), right)

    return design.in_session(accepts_hash=accepts)


def _operation_by_beginning(name: str) -> Change:
    def accepts(attempt: PostAttempt, account: Account) -> bool:
        right = session_hash(attempt.operation.signed(attempt.body) + account.password, account.hash)
        given = str(attempt.body.get("hash"))
        return equal(given, right) or _same_beginning(given, right)

    return operation(name, accepts_hash=accepts)


def _by_beginning(merchant: str, number: str) -> object:
    return merchant, number[:_INDEXED]


def _alike(book: PaymentBook, protocol: Protocol, number: str) -> Payment | None:
    """The newest payment whose order number has the same beginning."""
    payments = (payment for payment in book.latest(_LATEST) if payment.protocol is protocol)
    return next((each for each in payments if each.order_number[:_INDEXED] == number[:_INDEXED]), None)


def _card_order_by_beginning(*, is_there: bool) -> Change:
    """GET_TRANS_STATUS_BY_ORDER compares the beginnings of order ids, where the order is there or where it is not."""

    def find(attempt: CardAttempt) -> Refusal | None:
        refusal = find_order(attempt)
        if (refusal is None) != is_there:
            return refusal
        attempt.payment = _alike(attempt.gateway.payments, Protocol.S2S_CARD, attempt.form.get("order_id", ""))
        return refusal if attempt.payment is None else None

    return instead(find_order, find, "GET_TRANS_STATUS_BY_ORDER")


def _order_by_beginning(*, is_there: bool) -> Change:
    """Look-ups of Checkout compare the beginnings of order numbers, where the order is there or where it is not."""

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        reply, number = handler(attempt), str(attempt.body.get("order_id") or "")
        found = _alike(attempt.gateway.payments, Protocol.CHECKOUT, number) if number else None
        if found is None or reply.is_error == is_there:
            return reply
        shown = payment_object(attempt.gateway, found)
        return replace(reply, listed=(shown,)) if reply.listed else Reply(Kind.CHECKOUT_STATUS, 200, shown)

    return checkout.around(act, "status")


def _unasked(applies: About, members: Fields) -> Change:
    """Members are there whatever the mapping says; where they were there before they keep their values."""
    return NOTICES.where(applies, lambda fields: {**members, **fields})


def _by_schedule(notice: Notice) -> bool:
    return bool(notice.payment.chain and notice.payment.schedule_id)


def _is_retried(notice: Notice) -> bool:
    retries = notice.payment.account.declines_recurring
    return retries and notice.payment.action == "RECURRING_SALE" and notice.payment.state is State.SETTLED


def _way_back_without_fragment(action: str) -> Change:
    def change(design: Design) -> Design:
        inner = design.card.way_back

        def way_back(payment: Payment) -> str:
            address = inner(payment)
            return urldefrag(address).url if payment.action == action else address

        return design.in_card(way_back=way_back)

    return change


def _leading_without_fragment(lost_at: End) -> Change:
    """The address to which an end of a session leads lacks its fragment."""

    def change(design: Design) -> Design:
        inner = design.page.destination

        def destination(session: PageSession, end: End) -> str:
            address = inner(session, end)
            return urldefrag(address).url if end == lost_at else address

        return design.in_page(destination=destination)

    return change


FAULTS: Final = faults(
    {
        **{
            f"v-fragment-of-the-way-back-of-a-{action.lower()}-lost": breaks(
                "S2C-TDS-17",
                f"The fragment of the term_url_3ds of a {action} is lost on the way back (lines 363 and 425).",
                _way_back_without_fragment(action),
            )
            for action in ("SALE", "DEBIT")
        },
        **{
            f"v-fragment-of-{name.replace('_', '-')}-lost": breaks(
                "CHK-URL-20",
                f"The fragment of {name} is lost on the way back (line {line}).",
                _leading_without_fragment(end),
            )
            for name, line, end in _ENDS
        },
        **{
            f"v-discriminators-of-{name}-unasked": breaks(
                "CBK-S2C-31",
                f"The callback of {what} carries initiator, source and sequence unasked (line 288).",
                _unasked(applies, _DISCRIMINATORS),
                since=_NEW,
            )
            for name, what, applies in (
                ("sales", "a SALE", of_payments("SALE")),
                ("secondary-charges", "a RECURRING_SALE", of_payments("RECURRING_SALE")),
                ("scheduled-charges", "a charge by schedule", _by_schedule),
                ("retried-charges", "a charge that was retried", _is_retried),
            )
        },
        **{
            f"v-payer-of-{name}-unasked": breaks(
                "CBK-S2C-32",
                f"The callback of {what} carries the payer unasked (line 288).",
                _unasked(applies, {"payer_email": "payer@example.com"}),
                since=_NEW,
            )
            for name, what, applies in (
                ("sales", "a SALE", of_payments("SALE")),
                ("payouts", "a payout", of_payments("CREDIT2CARD")),
                ("voids", "a VOID", about("VOID")),
            )
        },
        **{
            f"v-second-half-of-sha256-does-not-count-in-{action.lower().replace('_', '-')}": breaks(
                "S2C-SIG-52",
                f"Of a hash of {action} with SHA256 the first 32 digits count, as many as MD5 has (lines 391 and 407).",
                also_hashed(_begins_rightly, action),
            )
            for action in (
                "SCHEDULE_INFO",
                "DELETE_SCHEDULE",
                "RUN",
                "CAPTURE",
                "GET_TRANS_STATUS_BY_ORDER",
                "CREDIT2CARD",
            )
        },
        **{
            f"v-apm-second-half-of-sha256-does-not-count-in-{action.lower().replace('_', '-')}": breaks(
                "APM-SIG-10",
                f"Of a hash of {action} with SHA256 the first 32 digits count, as many as MD5 has (line 407).",
                _apm_by_beginning(action),
            )
            for action in ("SALE", "CREDIT2VIRTUAL", "CREDITVOID")
        },
        "v-session-hash-ends-after-32-digits": breaks(
            "CHK-SIG-20",
            "Of the hash of a session the first 32 digits count, as many as MD5 has (lines 389 and 407).",
            _session_by_beginning,
        ),
        **{
            f"v-checkout-{name}-hash-ends-after-32-digits": breaks(
                requirement,
                f"Of the hash of {name} the first 32 digits count, as many as MD5 has (lines 389 and 407).",
                _operation_by_beginning(name),
                since="6.6.3" if name == "capture" else None,
            )
            for name, requirement in _OF_OPERATIONS.items()
        },
        "v-order-that-is-not-there-found-by-the-beginning-of-its-id": breaks(
            "S2C-STA-21",
            "GET_TRANS_STATUS_BY_ORDER finds a payment whose order id has the same 191 characters at first (line 449).",
            _card_order_by_beginning(is_there=False),
            since=_NEW,
        ),
        "v-newest-order-with-the-same-beginning": breaks(
            "S2C-STA-20",
            "GET_TRANS_STATUS_BY_ORDER finds the newest payment of all order ids with the same beginning (line 357).",
            _card_order_by_beginning(is_there=True),
        ),
        "v-checkout-order-that-is-not-there-found-by-the-beginning-of-its-number": breaks(
            "CHK-STA-23",
            "A look-up finds a payment whose order number has the same 191 characters at first (lines 77 and 449).",
            _order_by_beginning(is_there=False),
            since=_NEW,
        ),
        "v-checkout-newest-order-with-the-same-beginning": breaks(
            "CHK-STA-04 CHK-STA-06",
            "A look-up finds the newest payment of all order numbers with the same beginning (lines 77 and 344).",
            _order_by_beginning(is_there=True),
            since=_NEW,
        ),
        "v-card-duplicates-by-the-beginning-of-order-ids": breaks(
            "S2C-DUP-08",
            "Order ids with the same 191 characters at first are duplicates (lines 437 and 472).",
            post("SALE", window=WindowRule(key=_by_beginning)),
        ),
        "v-apm-duplicates-by-the-beginning-of-order-ids": breaks(
            "APM-REQ-16",
            "Order ids with the same 191 characters at first are duplicates (lines 437 and 472).",
            lambda design: design.in_apm(window=WindowRule(key=_by_beginning)),
        ),
    }
)
