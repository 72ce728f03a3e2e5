"""Faults of secondary charges, and of schedules that sessions start."""

from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.checkout import recurring
from emulator.checkout.conduct import PostAttempt
from emulator.checkout.operations import joined
from emulator.design import Change, Design
from emulator.faults.checkout_ways import (
    ANY,
    Handler,
    all_of,
    also_hashed,
    also_signed,
    always,
    answering,
    around,
    instead,
    lately,
    leaving_out,
    operation,
    saying,
    telling_no,
    told,
    unsigned,
    without,
)
from emulator.faults.model import Fault
from emulator.payments.model import Payment
from emulator.replies import Kind, Refusal, Reply
from emulator.values import Object

_RECURRING: Final = Kind.CHECKOUT_RECURRING
_STATUS: Final = Kind.CHECKOUT_STATUS
_NEW: Final = "6.7.0"
_ON_CHAINS: Final = ("CHK-REC-*", "CHK-RFD-2*", "CHK-SCH-*", "CBK-*")
_HASH: Final = Kind.SIGNATURE
_SIGNED: Final = ("recurring_init_trans_id", "recurring_token", "order.number", "order.amount")
_REFUSED: Final = Refusal(Kind.STATE, "Recurring payments are not possible.")
_NO_TRANSACTION: Final = Refusal(Kind.NOT_FOUND, "Incorrect transaction", code=101000)


def _found(attempt: PostAttempt) -> Payment | None:
    account = attempt.account
    wanted = str(attempt.body.get("recurring_init_trans_id"))
    return attempt.gateway.payments.find(account, wanted) if account else None


def _once(design: Design) -> Design:
    used: set[str] = set()

    def again(attempt: PostAttempt) -> bool:
        token = str(attempt.body.get("recurring_token"))
        known = token in used
        used.add(token)
        return known

    return lately(again, _REFUSED, "recurring")(design)


def _of_debit(attempt: PostAttempt) -> bool:
    return attempt.payment is not None and attempt.payment.action == "debit"


def _of_zero(attempt: PostAttempt) -> bool:
    return attempt.payment is not None and attempt.payment.amount == 0


def _any_token(attempt: PostAttempt) -> Refusal | None:
    """The init transaction decides; the token only has to be one of somebody."""
    refusal = recurring.find_chain(attempt)
    initial = _found(attempt)
    known = any(_by_token(attempt, attempt.account.key if attempt.account else ""))
    if refusal is not None and initial is not None and initial.recurring_token and known:
        attempt.payment, refusal = initial, None
    return refusal


def _any_text(attempt: PostAttempt) -> Refusal | None:
    """The init transaction decides; the token may be anything that no chain has."""
    refusal = recurring.find_chain(attempt)
    initial = _found(attempt)
    foreign = any(next(iter(_by_token(attempt, account.key)), None) for account in ACCOUNTS)
    if refusal is not None and initial is not None and initial.recurring_token and not foreign:
        attempt.payment, refusal = initial, None
    return refusal


def _by_token(attempt: PostAttempt, key: str) -> list[Payment]:
    token = str(attempt.body.get("recurring_token"))
    found = attempt.gateway.payments.all()
    return [one for one in found if one.recurring_token == token and one.account.key == key and token]


def _any_init(attempt: PostAttempt) -> Refusal | None:
    """The token decides; the init transaction may be one that nobody knows."""
    refusal = recurring.find_chain(attempt)
    own = _by_token(attempt, attempt.account.key) if attempt.account else []
    if refusal is not None and own and _found(attempt) is None:
        attempt.payment, refusal = own[0], None
    return refusal


def _anybodys(attempt: PostAttempt) -> Refusal | None:
    refusal = recurring.find_chain(attempt)
    own = attempt.account
    for account in ACCOUNTS if refusal is not None else ():
        attempt.account = account
        if recurring.find_chain(attempt) is None:
            refusal = None
            break
    attempt.account = own
    return refusal


def _chain(design: Design, refusal: Refusal) -> Design:
    return design.in_checkout(wrong_chain=refusal)


def _declined_as_400(handler: Handler, attempt: PostAttempt) -> Reply:
    reply = handler(attempt)
    return replace(reply, status=400) if "reason" in reply.body else reply


def _currency_forgotten(body: Object) -> Object:
    order = body.get("order")
    return body | {"order": dict(order) | {"currency": "EUR"}} if isinstance(order, dict) else body


def _no_window(design: Design) -> Design:
    return without(recurring.check_duplicate, "recurring")(design)


def _token_of_declined(body: Object) -> Object:
    return body | {"recurring_token": "11111111-0000-4000-8000-000000000001"} if "reason" in body else body


def _with_token(body: Object) -> Object:
    return {"recurring_token": "11111111-0000-4000-8000-000000000001"} | body


def _tells_token_of_declined() -> Change:
    token = {"recurring_token": "11111111-0000-4000-8000-000000000001"}
    return told(lambda fields: fields | token if fields.get("status") == "fail" else fields, "sale", "debit")


FAULTS: Final = (
    Fault(
        "checkout-charge-refused",
        ("CHK-REC-01",),
        "No secondary charge is accepted.",
        lately(always, _REFUSED, "recurring"),
        _ON_CHAINS,
    ),
    Fault(
        "checkout-charge-path-moved",
        ("CHK-REC-01",),
        "Secondary charges have another address.",
        operation("recurring", path="/api/v1/payment/charge"),
        ANY,
    ),
    Fault("checkout-charge-only-once", ("CHK-REC-02",), "A recurring token charges once.", _once, _ON_CHAINS),
    Fault(
        "checkout-charge-not-of-debits",
        ("CHK-REC-03",),
        "Chains of debits are not charged.",
        lately(_of_debit, _REFUSED, "recurring"),
        ("CBK-*",),
        since=_NEW,
    ),
    Fault(
        "checkout-charge-token-of-other-chain",
        ("CHK-REC-05",),
        "The token of another chain is taken.",
        instead(recurring.find_chain, _any_token, "recurring"),
    ),
    Fault(
        "checkout-charge-unknown-token",
        ("CHK-REC-06",),
        "Any token is taken.",
        instead(recurring.find_chain, _any_text, "recurring"),
        ("CHK-REC-05", "CHK-REC-07"),
    ),
    Fault(
        "checkout-charge-unknown-init",
        ("CHK-REC-07",),
        "Any init transaction is taken.",
        instead(recurring.find_chain, _any_init, "recurring"),
        ("CHK-REC-05",),
    ),
    Fault(
        "checkout-charge-wrong-chain-101000",
        ("CHK-REC-05", "CHK-REC-06", "CHK-REC-07"),
        "A wrong chain is refused with 101000.",
        lambda design: _chain(design, _NO_TRANSACTION),
        ("CHK-REC-08",),
    ),
    Fault(
        "checkout-charge-of-anybody",
        ("CHK-REC-08",),
        "Chains of other merchants are charged.",
        instead(recurring.find_chain, _anybodys, "recurring"),
    ),
    Fault(
        "checkout-charge-unsigned",
        ("CHK-REC-11",),
        "Secondary charges take any hash.",
        unsigned("recurring"),
        ("CHK-REC-12", "GEN-*"),
    ),
    Fault(
        "checkout-charge-hash-other-text",
        ("CHK-REC-11",),
        "A wrong hash is refused with other words.",
        operation("recurring", wrong_hash=Refusal(_HASH, "Signature mismatch")),
        ("CHK-REC-12", "GEN-*"),
    ),
    Fault(
        "checkout-charge-hash-401",
        ("CHK-REC-11",),
        "A wrong hash is refused with HTTP 401.",
        operation("recurring", wrong_hash=Refusal(_HASH, "Hash is not valid", status=401)),
        ("CHK-REC-12", "GEN-*"),
    ),
    Fault(
        "checkout-charge-description-unsigned",
        ("CHK-REC-12",),
        "The hash may leave the description out.",
        also_signed(joined(*_SIGNED), "recurring"),
        ("CHK-REC-11",),
    ),
    Fault(
        "checkout-charge-inner-digest",
        ("CHK-REC-12",),
        "The inner digest alone is taken.",
        also_hashed("recurring"),
        ("CHK-REC-11",),
    ),
    Fault(
        "checkout-charge-signed-like-sessions",
        ("CHK-REC-12",),
        "Secondary charges are signed over the order alone.",
        operation("recurring", signed=joined("order.number", "order.amount", "order.description")),
        (*_ON_CHAINS, "GEN-*"),
    ),
    Fault("checkout-charge-repeated", ("CHK-REC-13",), "A repeated order number is charged.", _no_window),
    Fault(
        "checkout-charge-repeated-other-text",
        ("CHK-REC-13",),
        "A repeated order number is refused with other words.",
        lambda design: design.in_checkout(duplicate=Refusal(Kind.DUPLICATE, "Try again later.")),
        ("CHK-CRD-22",),
    ),
    *(
        Fault(
            f"checkout-charge-answer-without-{name.replace('_', '-')}",
            ("CHK-REC-15",),
            f"The answer lacks {name}.",
            leaving_out(name, _RECURRING),
            _ON_CHAINS,
        )
        for name in ("date", "status", "order")
    ),
    Fault(
        "checkout-charge-other-currency",
        ("CHK-REC-15",),
        "The answer names another currency.",
        answering(_currency_forgotten, _RECURRING),
        _ON_CHAINS,
    ),
    Fault(
        "checkout-charge-declined-as-400",
        ("CHK-REC-16",),
        "A declined charge is answered with HTTP 400.",
        around(_declined_as_400, "recurring"),
        ("CHK-RFD-2*", "CBK-*"),
    ),
    Fault(
        "checkout-charge-declined-without-reason",
        ("CHK-REC-16",),
        "A declined charge has no reason.",
        leaving_out("reason", _RECURRING),
    ),
    Fault(
        "checkout-charge-not-after-zero",
        ("CHK-REC-17",),
        "Chains that a zero amount started are not charged.",
        lately(_of_zero, _REFUSED, "recurring"),
        since=_NEW,
    ),
    Fault(
        "checkout-chain-of-declined",
        ("CHK-REC-18",),
        "A declined payment starts a chain.",
        all_of(answering(_token_of_declined, _STATUS), _tells_token_of_declined()),
        ("CHK-REC-19", "CBK-*"),
    ),
    Fault(
        "checkout-chain-of-every-payment",
        ("CHK-REC-19",),
        "Every payment starts a chain.",
        all_of(
            answering(_with_token, _STATUS),
            told(lambda fields: {"recurring_token": "11111111-0000-4000-8000-000000000001"} | fields),
        ),
        ("CHK-REC-*", "CBK-*"),
    ),
    Fault(
        "checkout-charge-answer-says-declined",
        ("CHK-REC-01",),
        "A charge that went through is answered as declined.",
        saying("status", "declined", _RECURRING),
        _ON_CHAINS,
    ),
    Fault(
        "checkout-chain-transaction-untold",
        ("CBK-ATT-25",),
        "recurring_init_trans_id is not told.",
        telling_no("recurring_init_trans_id"),
        ("CHK-REC-*", "CBK-ATT-27", "CHK-RFD-2*"),
    ),
    Fault(
        "checkout-chain-transaction-of-nobody",
        ("CBK-ATT-27",),
        "recurring_init_trans_id charges nothing.",
        told(
            lambda fields: (
                fields | {"recurring_init_trans_id": "11111111-0000-4000-8000-000000000001"}
                if "recurring_init_trans_id" in fields
                else fields
            )
        ),
        ("CHK-REC-*", "CBK-ATT-25", "CHK-RFD-2*", "CHK-SCH-*"),
    ),
)
