"""Faults of secondary charges, and of schedules that sessions start."""

from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.checkout import (
    NOTICES,
    Handler,
    also_signed,
    always,
    answering,
    around,
    instead,
    last,
    leaving_out,
    operation,
    without,
    without_row,
)
from emulator.changes.stages import refusal_if
from emulator.design import Change, Design, all_of
from emulator.engine.payments import Payment
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout import recurring
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.operations import joined
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object

_RECURRING: Final = Kind.CHECKOUT_RECURRING
_STATUS: Final = Kind.CHECKOUT_STATUS
_NEW: Final = "6.7.0"
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

    return last(refusal_if(again, _REFUSED), "recurring")(design)


def _cents_lost(handler: Handler, attempt: PostAttempt) -> Reply:
    order = attempt.body.get("order")
    if not isinstance(order, dict):
        return handler(attempt)
    whole = f"{str(order.get('amount')).partition('.')[0]}.00"
    return handler(replace(attempt, body={**attempt.body, "order": {**order, "amount": whole}}))


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


def _with_token_of_declined() -> Change:
    token = {"recurring_token": "11111111-0000-4000-8000-000000000001"}
    return NOTICES.fields(lambda fields: fields | token if fields.get("status") == "fail" else fields, "sale", "debit")


FAULTS: Final = faults(
    {
        "checkout-charge-refused": breaks(
            "CHK-REC-01", "No secondary charge is accepted.", last(refusal_if(always, _REFUSED), "recurring")
        ),
        "checkout-charge-path-moved": breaks(
            "CHK-REC-01",
            "Secondary charges have another address.",
            operation("recurring", path="/api/v1/payment/charge"),
        ),
        "checkout-charge-only-once": breaks("CHK-REC-02", "A recurring token charges once.", _once),
        "checkout-charge-not-of-debits": breaks(
            "CHK-REC-03",
            "Chains of debits are not charged.",
            last(refusal_if(_of_debit, _REFUSED), "recurring"),
            since=_NEW,
        ),
        "checkout-charge-token-of-other-chain": breaks(
            "CHK-REC-05", "The token of another chain is taken.", instead(recurring.find_chain, _any_token, "recurring")
        ),
        "checkout-charge-unknown-token": breaks(
            "CHK-REC-06", "Any token is taken.", instead(recurring.find_chain, _any_text, "recurring")
        ),
        "checkout-charge-without-token-served": breaks(
            "CHK-REC-09",
            "A charge needs no token.",
            all_of(
                without_row("recurring", "recurring_token", "required"),
                instead(recurring.find_chain, _any_text, "recurring"),
            ),
        ),
        "checkout-charge-without-init-served": breaks(
            "CHK-REC-10",
            "A charge needs no init transaction.",
            all_of(
                without_row("recurring", "recurring_init_trans_id", "required"),
                instead(recurring.find_chain, _any_init, "recurring"),
            ),
        ),
        "checkout-charge-unknown-init": breaks(
            "CHK-REC-07", "Any init transaction is taken.", instead(recurring.find_chain, _any_init, "recurring")
        ),
        "checkout-charge-wrong-chain-101000": breaks(
            "CHK-REC-05 CHK-REC-06 CHK-REC-07",
            "A wrong chain is refused with 101000.",
            lambda design: _chain(design, _NO_TRANSACTION),
        ),
        "checkout-charge-of-anybody": breaks(
            "CHK-REC-08",
            "Chains of other merchants are charged.",
            instead(recurring.find_chain, _anybodys, "recurring"),
        ),
        "checkout-charge-description-unsigned": breaks(
            "CHK-REC-12", "The hash may leave the description out.", also_signed(joined(*_SIGNED), "recurring")
        ),
        "checkout-charge-signed-like-sessions": breaks(
            "CHK-REC-12",
            "Secondary charges are signed over the order alone.",
            operation("recurring", signed=joined("order.number", "order.amount", "order.description")),
        ),
        "checkout-charge-repeated": breaks("CHK-REC-13", "A repeated order number is charged.", _no_window),
        "checkout-charge-repeated-other-text": breaks(
            "CHK-REC-13",
            "A repeated order number is refused with other words.",
            lambda design: design.in_checkout(duplicate=Refusal(Kind.DUPLICATE, "Try again later.")),
        ),
        **{
            f"checkout-charge-answer-without-{name.replace('_', '-')}": breaks(
                "CHK-REC-15", f"The answer lacks {name}.", leaving_out(name, _RECURRING)
            )
            for name in ("date", "status", "order")
        },
        "checkout-charge-without-cents": breaks(
            "CHK-REC-15", "A charge is of whole units: the cents are lost.", around(_cents_lost, "recurring")
        ),
        "checkout-charge-other-currency": breaks(
            "CHK-REC-15", "The answer names another currency.", answering(_currency_forgotten, _RECURRING)
        ),
        "checkout-charge-declined-as-400": breaks(
            "CHK-REC-16", "A declined charge is answered with HTTP 400.", around(_declined_as_400, "recurring")
        ),
        "checkout-charge-not-after-zero": breaks(
            "CHK-REC-17",
            "Chains that a zero amount started are not charged.",
            last(refusal_if(_of_zero, _REFUSED), "recurring"),
            since=_NEW,
        ),
        "checkout-chain-of-declined": breaks(
            "CHK-REC-18",
            "A declined payment starts a chain.",
            all_of(answering(_token_of_declined, _STATUS), _with_token_of_declined()),
        ),
        "checkout-chain-of-every-payment": breaks(
            "CHK-REC-19",
            "Every payment starts a chain.",
            all_of(
                answering(_with_token, _STATUS),
                NOTICES.fields(lambda fields: {"recurring_token": "11111111-0000-4000-8000-000000000001"} | fields),
            ),
        ),
    }
)
