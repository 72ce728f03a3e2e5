"""Faults of card credits: payouts to a stored card, and refunds of card payments."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from typing import Final

from emulator.accounts import ACCOUNTS, Account
from emulator.checkout import payouts
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
    around,
    instead,
    lately,
    operation,
    unsigned,
    without,
    without_row,
)
from emulator.faults.model import Fault
from emulator.replies import Kind, Refusal, Reply
from emulator.signing import equal, session_hash

_NAME: Final = "card_credit"
_CREDIT: Final = Kind.CHECKOUT_CREDIT
_ON_CREDITS: Final = ("CHK-CRD-*", "CHK-RFD-0[1-4]", "CBK-*")
_HASH: Final = Kind.SIGNATURE
_TOKEN: Final = Kind.WRONG_CARD
_STATE: Final = Kind.STATE
_ORDER: Final = ("order_id", "order_amount", "order_currency", "order_description")
_REFUSED: Final = Refusal(_STATE, "Credits are not possible.")
_LENGTH: Final = 64


def _token(attempt: PostAttempt) -> str:
    return str(attempt.body.get("card_token"))


def _as_list(handler: Handler, attempt: PostAttempt) -> Reply:
    reply = handler(attempt)
    return reply if reply.is_error else replace(reply, listed=(reply.body,))


def _known_to(applies: Callable[[PostAttempt], bool]) -> Change:
    """Tokens that ``applies`` holds for are taken as known."""

    def stage(attempt: PostAttempt) -> Refusal | None:
        return None if applies(attempt) else payouts.check_token(attempt)

    return instead(payouts.check_token, stage, _NAME)


def _unknown_as(refusal: Refusal) -> Change:
    """Unknown tokens are refused otherwise, here only."""

    def stage(attempt: PostAttempt) -> Refusal | None:
        return refusal if payouts.check_token(attempt) else None

    return instead(payouts.check_token, stage, _NAME)


def _of_anybody(attempt: PostAttempt) -> bool:
    return any(attempt.gateway.vault.card(account, _token(attempt)) for account in ACCOUNTS)


def _of_nobody(attempt: PostAttempt) -> bool:
    return len(_token(attempt)) == _LENGTH and not _of_anybody(attempt)


def _other_length(attempt: PostAttempt) -> bool:
    return len(_token(attempt)) != _LENGTH


def _nested(attempt: PostAttempt) -> bool:
    return isinstance(attempt.body.get("order"), dict)


def _order_may_be_nested(design: Design) -> Design:
    rows = [("order", "refused"), *((name, "required") for name in _ORDER)]
    design = all_of(*(without_row(_NAME, path, keyword) for path, keyword in rows))(design)

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        return Reply(_CREDIT, 200, {"result": "accepted"}) if _nested(attempt) else handler(attempt)

    return all_of(unsigned(_NAME), around(act, _NAME))(design)


def _array_taken(design: Design) -> Design:
    design = all_of(*(without_row(_NAME, "card_token", keyword) for keyword in ("type", "length")))(design)
    return _known_to(lambda attempt: isinstance(attempt.body.get("card_token"), list))(design)


def _names_ignored(handler: Handler, attempt: PostAttempt) -> Reply:
    attempt.body = {name: value for name, value in attempt.body.items() if not name.startswith("payee_")}
    return handler(attempt)


def _not_kept(handler: Handler, attempt: PostAttempt) -> Reply:
    reply = handler(attempt)
    payment = (
        attempt.gateway.payments.find(attempt.account, str(reply.body.get("payment_id"))) if attempt.account else None
    )
    if payment is not None and payment.action == "credit":
        attempt.gateway.payments.lose(payment)
    return reply


def _by_password_of_other(design: Design) -> Design:
    inner = design.checkout.operations[_NAME].accepts_hash

    def accepts(attempt: PostAttempt, account: Account) -> bool:
        return inner(attempt, account) or any(inner(attempt, other) for other in ACCOUNTS)

    return operation(_NAME, accepts_hash=accepts)(design)


def _hash_optional(design: Design) -> Design:
    inner = design.checkout.operations[_NAME].accepts_hash

    def accepts(attempt: PostAttempt, account: Account) -> bool:
        return "hash" not in attempt.body or inner(attempt, account)

    return operation(_NAME, accepts_hash=accepts)(design)


def _in_any_order(design: Design) -> Design:
    inner = design.checkout.operations[_NAME].accepts_hash

    def accepts(attempt: PostAttempt, account: Account) -> bool:
        values = [str(attempt.body.get(name)) for name in _ORDER] + [account.password]
        given = str(attempt.body.get("hash"))
        wanted = (session_hash("".join(order), account.hash) for order in permutations(values))
        return inner(attempt, account) or any(equal(given, one) for one in wanted)

    return operation(_NAME, accepts_hash=accepts)(design)


FAULTS: Final = (
    Fault(
        "checkout-credit-without-hash",
        ("CHK-CRD-09",),
        "A card credit needs no hash.",
        all_of(without_row(_NAME, "hash", "required"), _hash_optional),
        ("CHK-CRD-*", "GEN-*"),
    ),
    Fault(
        "checkout-credit-refused",
        ("CHK-CRD-01",),
        "No card credit is accepted.",
        lately(always, _REFUSED, _NAME),
        (*_ON_CREDITS, "CHK-TOK-*"),
    ),
    Fault(
        "checkout-credit-path-moved",
        ("CHK-CRD-01",),
        "Card credits have another address.",
        operation(_NAME, path="/api/v1/payment/credit"),
        ANY,
    ),
    Fault(
        "checkout-credit-answers-list",
        ("CHK-CRD-02",),
        "A card credit is answered with an array.",
        around(_as_list, _NAME),
        ("CHK-CRD-*", "CHK-RFD-0[1-4]", "GEN-*"),
    ),
    Fault(
        "checkout-credit-order-nested",
        ("CHK-CRD-10",),
        "The order may be nested.",
        _order_may_be_nested,
        ("CHK-CRD-*", "GEN-*"),
    ),
    Fault(
        "checkout-credit-token-array", ("CHK-CRD-11",), "An array of tokens is taken.", _array_taken, ("CHK-CRD-13",)
    ),
    Fault("checkout-credit-unknown-token", ("CHK-CRD-12",), "Any token is taken.", _known_to(_of_nobody)),
    Fault(
        "checkout-credit-unknown-token-100000",
        ("CHK-CRD-12",),
        "An unknown token is refused with 100000.",
        _unknown_as(Refusal(_TOKEN, "Card token is invalid or not found.")),
        ("CHK-CRD-21",),
    ),
    Fault(
        "checkout-credit-unknown-token-other-text",
        ("CHK-CRD-12",),
        "An unknown token is refused with other words.",
        _unknown_as(Refusal(_TOKEN, "Unknown token", code=205005)),
        ("CHK-CRD-21",),
    ),
    Fault(
        "checkout-credit-token-of-any-length",
        ("CHK-CRD-13",),
        "Tokens of other lengths are taken.",
        all_of(without_row(_NAME, "card_token", "length"), _known_to(_other_length)),
    ),
    Fault(
        "checkout-credit-names-ignored",
        ("CHK-CRD-15",),
        "The names of the payee have no effect.",
        around(_names_ignored, _NAME),
    ),
    Fault(
        "checkout-credit-description-unsigned",
        ("CHK-CRD-16",),
        "The hash may leave the description out.",
        also_signed(joined(*_ORDER[:-1]), _NAME),
        ("CHK-CRD-1[6789]",),
    ),
    Fault(
        "checkout-credit-amount-unsigned",
        ("CHK-CRD-16",),
        "The hash may leave the amount out.",
        also_signed(joined("order_id", "order_currency", "order_description"), _NAME),
        ("CHK-CRD-1[6789]",),
    ),
    Fault(
        "checkout-credit-inner-digest",
        ("CHK-CRD-17",),
        "The inner digest alone is taken.",
        also_hashed(_NAME),
        ("CHK-CRD-1[6789]",),
    ),
    Fault(
        "checkout-credit-unsigned",
        ("CHK-CRD-18", "CHK-CRD-19", "CHK-CRD-20"),
        "Card credits take any hash.",
        unsigned(_NAME),
        ("CHK-CRD-*", "GEN-*"),
    ),
    Fault(
        "checkout-credit-hash-other-text",
        ("CHK-CRD-18",),
        "A wrong hash is refused with other words.",
        operation(_NAME, wrong_hash=Refusal(_HASH, "Signature mismatch")),
        ("CHK-CRD-*", "GEN-*"),
    ),
    Fault(
        "checkout-credit-hash-401",
        ("CHK-CRD-18",),
        "A wrong hash is refused with HTTP 401.",
        operation(_NAME, wrong_hash=Refusal(_HASH, "Hash is not valid", status=401)),
        ("CHK-CRD-*", "GEN-*"),
    ),
    Fault(
        "checkout-credit-signed-in-any-order",
        ("CHK-CRD-19",),
        "The fields may be signed in another order.",
        _in_any_order,
        ("CHK-CRD-1[6789]",),
    ),
    Fault(
        "checkout-credit-by-password-of-other",
        ("CHK-CRD-20",),
        "The password of another merchant signs.",
        _by_password_of_other,
        ("CHK-CRD-*",),
    ),
    Fault(
        "checkout-credit-token-of-anybody",
        ("CHK-CRD-21",),
        "Tokens of other merchants are taken.",
        _known_to(_of_anybody),
    ),
    Fault(
        "checkout-credit-repeated",
        ("CHK-CRD-22",),
        "A repeated order id is credited.",
        without(payouts.check_duplicate, _NAME),
        ("CHK-RFD-*",),
    ),
    Fault(
        "checkout-credit-not-found-by-order",
        ("CHK-CRD-23",),
        "A look-up does not find a payout.",
        around(_not_kept, _NAME),
        ("CHK-CRD-*", "CBK-*"),
    ),
)
