"""Faults of card credits: payouts to a stored card, and refunds of card payments."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from typing import Final

from emulator.accounts import ACCOUNTS, Account
from emulator.changes.checkout import (
    Handler,
    also_signed,
    always,
    around,
    instead,
    last,
    operation,
    unsigned,
    without,
    without_row,
)
from emulator.changes.stages import refusal_if
from emulator.design import Change, Design, all_of
from emulator.engine.signing import equal, session_hash
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout import card_credits
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.operations import joined
from emulator.wire.replies import Kind, Refusal, Reply

_NAME: Final = "card_credit"
_CREDIT: Final = Kind.CHECKOUT_CREDIT
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
        return None if applies(attempt) else card_credits.check_token(attempt)

    return instead(card_credits.check_token, stage, _NAME)


def _unknown_as(refusal: Refusal) -> Change:
    """Unknown tokens are refused otherwise, here only."""

    def stage(attempt: PostAttempt) -> Refusal | None:
        return refusal if card_credits.check_token(attempt) else None

    return instead(card_credits.check_token, stage, _NAME)


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


FAULTS: Final = faults(
    {
        "checkout-credit-without-hash": breaks(
            "CHK-CRD-09", "A card credit needs no hash.", all_of(without_row(_NAME, "hash", "required"), _hash_optional)
        ),
        "checkout-credit-refused": breaks(
            "CHK-CRD-01", "No card credit is accepted.", last(refusal_if(always, _REFUSED), _NAME)
        ),
        "checkout-credit-path-moved": breaks(
            "CHK-CRD-01", "Card credits have another address.", operation(_NAME, path="/api/v1/payment/credit")
        ),
        "checkout-credit-answers-list": breaks(
            "CHK-CRD-02", "A card credit is answered with an array.", around(_as_list, _NAME)
        ),
        "checkout-credit-order-nested": breaks("CHK-CRD-10", "The order may be nested.", _order_may_be_nested),
        "checkout-credit-token-array": breaks("CHK-CRD-11", "An array of tokens is taken.", _array_taken),
        "checkout-credit-unknown-token": breaks("CHK-CRD-12", "Any token is taken.", _known_to(_of_nobody)),
        "checkout-credit-unknown-token-100000": breaks(
            "CHK-CRD-12",
            "An unknown token is refused with 100000.",
            _unknown_as(Refusal(_TOKEN, "Card token is invalid or not found.")),
        ),
        "checkout-credit-unknown-token-other-text": breaks(
            "CHK-CRD-12",
            "An unknown token is refused with other words.",
            _unknown_as(Refusal(_TOKEN, "Unknown token", code=205005)),
        ),
        "checkout-credit-token-of-any-length": breaks(
            "CHK-CRD-13",
            "Tokens of other lengths are taken.",
            all_of(without_row(_NAME, "card_token", "length"), _known_to(_other_length)),
        ),
        "checkout-credit-names-ignored": breaks(
            "CHK-CRD-15", "The names of the payee have no effect.", around(_names_ignored, _NAME)
        ),
        "checkout-credit-description-unsigned": breaks(
            "CHK-CRD-16", "The hash may leave the description out.", also_signed(joined(*_ORDER[:-1]), _NAME)
        ),
        "checkout-credit-amount-unsigned": breaks(
            "CHK-CRD-16",
            "The hash may leave the amount out.",
            also_signed(joined("order_id", "order_currency", "order_description"), _NAME),
        ),
        "checkout-credit-signed-in-any-order": breaks(
            "CHK-CRD-19", "The fields may be signed in another order.", _in_any_order
        ),
        "checkout-credit-by-password-of-other": breaks(
            "CHK-CRD-20", "The password of another merchant signs.", _by_password_of_other
        ),
        "checkout-credit-token-of-anybody": breaks(
            "CHK-CRD-21", "Tokens of other merchants are taken.", _known_to(_of_anybody)
        ),
        "checkout-credit-repeated": breaks(
            "CHK-CRD-22", "A repeated order id is credited.", without(card_credits.check_duplicate, _NAME)
        ),
        "checkout-credit-not-found-by-order": breaks(
            "CHK-CRD-23", "A look-up does not find a payout.", around(_not_kept, _NAME)
        ),
    }
)
