"""Faults of the session signature."""

import hashlib
import html
import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.checkout_sessions import also_hashed, unless, without
from emulator.design import Change, Design
from emulator.engine.signing import Digest, Order, SessionRecipe, hex_digest, session_hash, sha1_hex
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.session import Attempt, HashTest, check_signature, matches
from emulator.wire.replies import Kind, Reply

_HEX_LENGTH: Final = 40
_MOST_DECIMALS: Final = 9
_WRONG_NUMBERS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 19, 20, 22, 23, 24, 26)
_ALL_WRONG: Final = tuple(f"CHK-SIG-{number:02}" for number in _WRONG_NUMBERS)

Variants = Callable[[HashTest], Iterator[bool]]


def _only(recipe: SessionRecipe) -> Change:
    return lambda design: design.in_session(accepts_hash=lambda test: matches(test, recipe))


def _also(variants: Variants) -> Change:
    return also_hashed(lambda test: any(variants(test)))


def _verified_where(applies: Callable[[Attempt], bool]) -> Change:
    return unless(check_signature, lambda attempt: not applies(attempt))


def _recipe(recipe: SessionRecipe) -> Variants:
    def variants(test: HashTest) -> Iterator[bool]:
        yield matches(test, recipe)

    return variants


def _hash_rows_dropped(keyword: str) -> Change:
    def change(design: Design) -> Design:
        return design.with_rows(lambda row: None if row.path == "hash" and row.keyword == keyword else row)

    return change


def _missing(test: HashTest) -> Iterator[bool]:
    yield test.given is None


def _empty(test: HashTest) -> Iterator[bool]:
    yield test.given == ""


def _no_text(test: HashTest) -> Iterator[bool]:
    yield test.given is not None and not isinstance(test.given, str)


def _part(test: HashTest) -> Iterator[bool]:
    right = _with_password(test.account.password, test.account.hash, test.order)
    given = test.given
    yield isinstance(given, str) and bool(given) and (given in right or right in given)


def _right_length(test: HashTest) -> Iterator[bool]:
    yield isinstance(test.given, str) and len(test.given) == _HEX_LENGTH


def _any_order(test: HashTest) -> Iterator[bool]:
    order = test.order
    parts = (order.number, order.amount or "", order.currency, order.description, test.account.password)
    for arranged in itertools.permutations(parts):
        yield test.given == session_hash("".join(arranged), test.account.hash)


def _key_as_password(test: HashTest) -> Iterator[bool]:
    yield test.given == session_hash(test.order.concatenated() + test.account.key, test.account.hash)


def _password_of_anybody(test: HashTest) -> Iterator[bool]:
    for account in ACCOUNTS:
        yield matches(replace(test, account=account), _with_password)


def _with_password(password: str, digest: Digest, order: Order) -> str:
    return session_hash(order.concatenated() + password, digest)


def _reformatted(test: HashTest) -> Iterator[bool]:
    try:
        amount = Decimal(test.order.amount or "")
    except InvalidOperation:
        return
    spellings = {f"{amount:.{decimals}f}" for decimals in range(_MOST_DECIMALS)} | {f"{amount.normalize():f}"}
    for spelling in spellings:
        yield matches(replace(test, order=_with_amount(test.order, spelling)), _with_password)


def _with_amount(order: Order, amount: str | None) -> Order:
    return Order(order.number, amount, order.currency, order.description)


def _without_md5(password: str, _digest: Digest, order: Order) -> str:
    return sha1_hex((order.concatenated() + password).upper())


def _as_typed(password: str, digest: Digest, order: Order) -> str:
    return sha1_hex(hex_digest(digest, order.concatenated() + password))


def _zero_for_nothing(password: str, digest: Digest, order: Order) -> str:
    return _with_password(password, digest, _with_amount(order, order.amount or "0"))


def _plain_sha256(password: str, digest: Digest, order: Order) -> str:
    text = order.concatenated() + password
    return hex_digest("sha256", text.upper()) if digest == "sha256" else session_hash(text)


def _inner_sha256(password: str, _digest: Digest, order: Order) -> str:
    return session_hash(order.concatenated() + password, "sha256")


def _raw_inner_digest(password: str, digest: Digest, order: Order) -> str:
    text = (order.concatenated() + password).upper().encode()
    inner = hashlib.new(digest, text, usedforsecurity=False).digest()
    return hashlib.sha1(inner, usedforsecurity=False).hexdigest()


def _ascii_alone(password: str, digest: Digest, order: Order) -> str:
    kept = "".join(sign for sign in order.concatenated() if sign.isascii())
    return session_hash(kept + password, digest)


def _no_password(_password: str, digest: Digest, order: Order) -> str:
    return session_hash(order.concatenated(), digest)


def _escaped(password: str, digest: Digest, order: Order) -> str:
    escaped = Order(order.number, order.amount, order.currency, html.escape(order.description))
    return _with_password(password, digest, escaped)


def _inner_upper_case(password: str, digest: Digest, order: Order) -> str:
    return sha1_hex(hex_digest(digest, (order.concatenated() + password).upper()).upper())


def _md5_alone(password: str, _digest: Digest, order: Order) -> str:
    return hex_digest("md5", (order.concatenated() + password).upper())


def _md5_twice(password: str, digest: Digest, order: Order) -> str:
    return hex_digest("md5", _md5_alone(password, digest, order))


_LESS: Final = (
    ("md5-alone", "MD5 alone", _md5_alone),
    ("sha1-alone", "SHA1 alone", _without_md5),
    ("md5-twice", "MD5 twice", _md5_twice),
)


def _covers(name: str) -> Change:
    def accepts(test: HashTest) -> bool:
        text = test.order.concatenated() + str(test.body.get(name, "")) + test.account.password
        return test.given == session_hash(text, test.account.hash)

    return lambda design: design.in_session(accepts_hash=accepts)


def _with_passwords(reply: Reply) -> Reply:
    if reply.kind is not Kind.SIGNATURE:
        return reply
    passwords = ", ".join(account.password for account in ACCOUNTS)
    return replace(reply, body=reply.body | {"debug": f"signed with one of {passwords}"})


FAULTS: Final = faults(
    {
        "session-hash-unverified": breaks(_ALL_WRONG, "Session hashes are not looked at.", without(check_signature)),
        "session-hash-of-purchases-only": breaks(
            "CHK-SIG-26",
            "Hashes are looked at for purchases only.",
            _verified_where(lambda attempt: attempt.body.get("operation") == "purchase"),
        ),
        "session-hash-unverified-at-authorization": breaks(
            "CHK-SIG-26",
            "Hashes are not looked at where auth is true.",
            _verified_where(lambda attempt: attempt.body.get("auth") is not True),
        ),
        "session-hash-no-text-accepted": breaks(
            "CHK-SIG-25",
            "A hash that is no text is accepted.",
            lambda design: _also(_no_text)(_hash_rows_dropped("type")(design)),
        ),
        "session-hash-inner-upper-case": breaks(
            "CHK-SIG-23", "An inner digest in upper case is taken too.", _also(_recipe(_inner_upper_case))
        ),
        **{
            f"session-hash-{name}-accepted": breaks("CHK-SIG-24", f"{said} is taken too.", _also(_recipe(recipe)))
            for name, said, recipe in _LESS
        },
        "session-hash-prefix": breaks(
            "CHK-SIG-20", "A part of the hash, or more than the hash, is taken.", _also(_part)
        ),
        "session-hash-length-only": breaks(
            _ALL_WRONG, "Any text of 40 characters is taken for a hash.", _also(_right_length)
        ),
        "session-hash-without-md5": breaks("CHK-SIG-01", "The hash is SHA1 without MD5.", _only(_without_md5)),
        "session-hash-escaped-description": breaks(
            "CHK-SIG-01", "The description is signed the way it is written in HTML.", _only(_escaped)
        ),
        "session-hash-optional": breaks(
            "CHK-SES-34",
            "A request without hash is accepted.",
            lambda design: _also(_missing)(_hash_rows_dropped("required")(design)),
        ),
        "session-hash-empty-accepted": breaks(
            "CHK-SIG-11",
            "An empty hash is accepted.",
            lambda design: _also(_empty)(_hash_rows_dropped("notBlank")(design)),
        ),
        "session-hash-any-order": breaks("CHK-SIG-06", "The values may be signed in any order.", _also(_any_order)),
        "session-hash-as-typed": breaks(
            "CHK-SIG-07", "Text that is not upper-cased is taken too.", _also(_recipe(_as_typed))
        ),
        "session-hash-key-as-password": breaks(
            "CHK-SIG-09", "The key serves as password too.", _also(_key_as_password)
        ),
        "session-hash-any-password": breaks(
            "CHK-SIG-10", "The password of any account serves.", _also(_password_of_anybody)
        ),
        "session-hash-amount-reformatted": breaks("CHK-SIG-12", "Amounts are compared by value.", _also(_reformatted)),
        "session-hash-covers-success-url": breaks(
            "CHK-SIG-13", "The hash covers success_url as well.", _covers("success_url")
        ),
        "session-hash-covers-cancel-url": breaks(
            "CHK-SIG-13", "The hash covers cancel_url as well, where it is sent.", _covers("cancel_url")
        ),
        "session-hash-covers-session-expiry": breaks(
            "CHK-SIG-13", "The hash covers session_expiry as well, where it is sent.", _covers("session_expiry")
        ),
        "session-hash-zero-for-no-amount": breaks(
            "CHK-SIG-14", "An amount that is left out is signed as 0.", _only(_zero_for_nothing)
        ),
        "session-hash-plain-sha256": breaks("CHK-SIG-15", "SHA256 accounts sign without SHA1.", _only(_plain_sha256)),
        "session-hash-sha256-for-all": breaks(
            "CHK-SIG-16", "An inner SHA256 is taken from every account.", _also(_recipe(_inner_sha256))
        ),
        "session-hash-raw-inner-digest": breaks(
            "CHK-SIG-19", "The bytes of the inner digest are taken too.", _also(_recipe(_raw_inner_digest))
        ),
        "session-hash-of-ascii-alone": breaks(
            "CHK-SIG-21", "Letters outside ASCII are not signed.", _only(_ascii_alone)
        ),
        "session-hash-without-password": breaks(
            "CHK-SIG-22", "A hash without the password is taken too.", _also(_recipe(_no_password))
        ),
        "password-in-refusal": breaks(
            "GEN-KEY-02",
            "The refusal of a hash reports the password.",
            lambda design: design.filtering(_with_passwords),
        ),
    }
)
