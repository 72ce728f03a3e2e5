"""Faults of signatures that are looked at carelessly: by their start only, on some requests only, or not as text."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.checkout_sessions import also_hashed, unless
from emulator.changes.s2s_card import also_hashed as sales_also_hashed
from emulator.changes.s2s_card import unless as sales_unless
from emulator.design import Change, Design
from emulator.engine.signing import Digest, Order, as_specified, formula_1, hex_digest, sha1_hex
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.session import Attempt, HashTest, check_signature, matches
from emulator.protocols.s2s_card import stages
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardHashTest
from emulator.wire.values import child

_BRANCHES: Final = (
    ("card-token", "card_token"),
    ("chain", "recurring_init"),
    ("methods", "methods"),
    ("channel", "channel_id"),
    ("authorization", "auth"),
)


def _right(test: HashTest) -> str:
    return as_specified(test.account.password, test.account.hash, test.order)


def _start(test: HashTest) -> bool:
    return isinstance(test.given, str) and bool(test.given) and _right(test).startswith(test.given)


def _with_tail(test: HashTest) -> bool:
    return isinstance(test.given, str) and test.given.startswith(_right(test))


def _password_as_typed(password: str, digest: Digest, order: Order) -> str:
    return sha1_hex(hex_digest(digest, order.concatenated().upper() + password))


def _trimmed(design: Design) -> Design:
    def accepts(test: HashTest) -> bool:
        order = test.order
        trimmed = Order(order.number, order.amount, order.currency, order.description.strip())
        return matches(replace(test, order=trimmed), as_specified)

    return design.in_session(accepts_hash=accepts)


def _untyped(accepts: Callable[[HashTest], bool]) -> Change:
    def change(design: Design) -> Design:
        rows = design.with_rows(lambda row: None if (row.path, row.keyword) == ("hash", "type") else row)
        return also_hashed(accepts)(rows)

    return change


def _unverified_where(applies: Callable[[Attempt], bool]) -> Change:
    return unless(check_signature, applies)


def _carries(name: str) -> Change:
    return _unverified_where(lambda attempt: attempt.body.get(name) is not None)


def _without_amount(attempt: Attempt) -> bool:
    return child(attempt.body, "order", "amount") is None


def _by(*passwords: str) -> Callable[[CardHashTest], bool]:
    """The hash of a sale that is made with one of ``passwords``."""
    return lambda test: test.given in {formula_1(one, test.account.hash, test.values) for one in passwords}


def _has(name: str) -> Callable[[CardAttempt], bool]:
    return lambda attempt: bool(attempt.form.get(name))


FAULTS: Final = faults(
    {
        "session-hash-start-accepted": breaks(
            "CHK-SIG-20", "The start of the hash is taken for the hash.", also_hashed(_start)
        ),
        "session-hash-tail-ignored": breaks(
            "CHK-SIG-20", "What follows the hash is not looked at.", also_hashed(_with_tail)
        ),
        "session-hash-password-as-typed": breaks(
            "CHK-SIG-07",
            "A hash whose password was not upper-cased is taken too.",
            also_hashed(lambda test: matches(test, _password_as_typed)),
        ),
        "session-hash-trimmed-description": breaks(
            "CHK-SIG-12", "The description is signed without the blanks around it.", _trimmed
        ),
        "session-hash-true-accepted": breaks(
            "CHK-SIG-25", "true equals every hash.", _untyped(lambda test: test.given is True)
        ),
        "session-hash-list-accepted": breaks(
            "CHK-SIG-25", "An array equals every hash.", _untyped(lambda test: isinstance(test.given, list))
        ),
        "session-hash-unverified-without-amount": breaks(
            "CHK-SIG-14", "Hashes are not looked at where the amount is left out.", _unverified_where(_without_amount)
        ),
        **{
            f"session-hash-unverified-with-{name}": breaks(
                "CHK-SIG-26", f"Hashes are not looked at where {field} is sent.", _carries(field)
            )
            for name, field in _BRANCHES
        },
        "sale-hash-without-password": breaks(
            "S2C-SIG-38",
            "A hash of a sale that leaves the password out is taken too.",
            sales_also_hashed(_by(""), "SALE"),
        ),
        "sale-hash-any-password": breaks(
            "S2C-SIG-58",
            "The password of any account serves for sales.",
            sales_also_hashed(_by(*(account.password for account in ACCOUNTS)), "SALE"),
        ),
        **{
            f"sale-hash-unverified-with-{field.replace('_', '-')}": breaks(
                requirement,
                f"Hashes of sales are not looked at where {field} is sent.",
                sales_unless(stages.check_signature, _has(field), "SALE"),
            )
            for field, requirement in (("auth", "S2C-SIG-38"), ("recurring_init", "S2C-SIG-38"))
        },
    }
)
