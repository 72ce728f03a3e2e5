"""Faults of signatures that are looked at carelessly: by their start only, on some requests only, or not as text."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.checkout.session import Attempt, HashTest, check_signature, matches
from emulator.design import Change, Design
from emulator.faults.model import Fault
from emulator.faults.stages import instead_of
from emulator.replies import Refusal
from emulator.s2s_card import stages as sale
from emulator.s2s_card.conduct import CardAttempt, CardHashTest
from emulator.signing import Digest, Order, as_specified, formula_1, hex_digest, sha1_hex
from emulator.values import child

_BRANCHES: Final = (
    ("card-token", "card_token"),
    ("chain", "recurring_init"),
    ("methods", "methods"),
    ("channel", "channel_id"),
    ("authorization", "auth"),
)


def _also(accepts: Callable[[HashTest], bool]) -> Change:
    def change(design: Design) -> Design:
        before = design.session.accepts_hash
        return design.in_session(accepts_hash=lambda test: before(test) or accepts(test))

    return change


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
        return _also(accepts)(rows)

    return change


def _unverified_where(applies: Callable[[Attempt], bool]) -> Change:
    return instead_of(check_signature, lambda attempt: None if applies(attempt) else check_signature(attempt))


def _carries(name: str) -> Change:
    return _unverified_where(lambda attempt: attempt.body.get(name) is not None)


def _without_amount(attempt: Attempt) -> bool:
    return child(attempt.body, "order", "amount") is None


def _sale_also(*passwords: str) -> Change:
    def change(design: Design) -> Design:
        before = design.sale.accepts_hash

        def accepts(test: CardHashTest) -> bool:
            return before(test) or test.given in {
                formula_1(password, test.account.hash, test.values) for password in passwords
            }

        return design.in_sale(accepts_hash=accepts)

    return change


def _sale_unverified_with(name: str) -> Change:
    def check(attempt: CardAttempt) -> Refusal | None:
        return None if attempt.form.get(name) else sale.check_signature(attempt)

    def change(design: Design) -> Design:
        stages = design.sale.stages
        return design.in_sale(stages=tuple(check if one is sale.check_signature else one for one in stages))

    return change


FAULTS: Final = (
    Fault(
        "session-hash-start-accepted",
        ("CHK-SIG-20",),
        "The start of the hash is taken for the hash.",
        _also(_start),
    ),
    Fault(
        "session-hash-tail-ignored",
        ("CHK-SIG-20",),
        "What follows the hash is not looked at.",
        _also(_with_tail),
    ),
    Fault(
        "session-hash-password-as-typed",
        ("CHK-SIG-07",),
        "A hash whose password was not upper-cased is taken too.",
        _also(lambda test: matches(test, _password_as_typed)),
    ),
    Fault(
        "session-hash-trimmed-description",
        ("CHK-SIG-12",),
        "The description is signed without the blanks around it.",
        _trimmed,
    ),
    Fault(
        "session-hash-true-accepted",
        ("CHK-SIG-25",),
        "true equals every hash.",
        _untyped(lambda test: test.given is True),
    ),
    Fault(
        "session-hash-list-accepted",
        ("CHK-SIG-25",),
        "An array equals every hash.",
        _untyped(lambda test: isinstance(test.given, list)),
    ),
    Fault(
        "session-hash-unverified-without-amount",
        ("CHK-SIG-14",),
        "Hashes are not looked at where the amount is left out.",
        _unverified_where(_without_amount),
    ),
    *(
        Fault(
            f"session-hash-unverified-with-{name}",
            ("CHK-SIG-26",),
            f"Hashes are not looked at where {field} is sent.",
            _carries(field),
        )
        for name, field in _BRANCHES
    ),
    Fault(
        "sale-hash-without-password",
        ("S2C-SIG-38",),
        "A hash of a sale that leaves the password out is taken too.",
        _sale_also(""),
    ),
    Fault(
        "sale-hash-any-password",
        ("S2C-SIG-58",),
        "The password of any account serves for sales.",
        _sale_also(*(account.password for account in ACCOUNTS)),
    ),
    *(
        Fault(
            f"sale-hash-unverified-with-{field.replace('_', '-')}",
            (requirement,),
            f"Hashes of sales are not looked at where {field} is sent.",
            _sale_unverified_with(field),
        )
        for field, requirement in (
            ("auth", "S2C-SIG-38"),
            ("recurring_init", "S2C-SIG-38"),
        )
    ),
)
