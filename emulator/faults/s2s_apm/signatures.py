"""Faults of S2S APM signatures: other recipes, and hashes that should not be accepted."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.changes.s2s_apm import ON_TRANSACTIONS, refused_as
from emulator.design import Change
from emulator.faults.model import Fault, breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmHashTest, accepts_hash
from emulator.protocols.s2s_apm.signatures import (
    Form,
    Recipe,
    as_bytes,
    of_payout,
    of_release,
    of_sale,
    of_transaction,
    values,
)
from emulator.protocols.s2s_apm.stages import check_signature
from emulator.rules.keywords import DECIMAL
from emulator.rules.model import BreakdownError
from emulator.wire.replies import Kind, Refusal

_RAW: Final = frozenset({"CAPTURE", "VOID", "GET_TRANS_STATUS"})
_ORDER: Final = ("identifier", "order_id", "order_amount", "order_currency")
Test = Callable[[ApmHashTest], bool]
Texts = Callable[[ApmHashTest], Iterable[bytes]]


def _accepting(accepts: Test) -> Change:
    return lambda design: design.in_apm(accepts_hash=accepts)


def _signed(recipe: Recipe, *actions: str) -> Change:
    """The recipe of ``actions`` is another one."""
    return _accepting(lambda test: test.follows(recipe) if test.action in actions else accepts_hash(test))


def _also(texts: Texts) -> Change:
    """Hashes of further texts are accepted, too."""
    return _accepting(lambda test: accepts_hash(test) or any(test.is_of(text) for text in texts(test)))


def _upper_password(test: ApmHashTest) -> Iterator[bytes]:
    if test.action in _RAW:
        yield of_transaction(test.form, test.account.password.upper())


def _upper_payout(test: ApmHashTest) -> Iterator[bytes]:
    if test.action == "CREDIT2VIRTUAL":
        yield of_payout(test.form, test.account.password.upper())


def _not_upper(test: ApmHashTest) -> Iterator[bytes]:
    word = as_bytes(test.account.password)
    if test.action == "SALE":
        yield (values(test.form, *_ORDER) + word)[::-1]
    elif test.action == "CREDIT2VIRTUAL":
        yield values(test.form, *_ORDER[1:])[::-1] + word
    else:
        trans_id = values(test.form, "trans_id")
        yield from (trans_id[::-1] + word, (trans_id + word)[::-1])


def _not_reversed(test: ApmHashTest) -> Iterator[bytes]:
    word, trans_id = as_bytes(test.account.password), values(test.form, "trans_id")
    if test.action not in {"SALE", "CREDIT2VIRTUAL"}:
        yield from (trans_id.upper() + word, (trans_id + word).upper())


def _other_order(test: ApmHashTest) -> Iterator[bytes]:
    word, trans_id = as_bytes(test.account.password), values(test.form, "trans_id")
    if test.action in {"SALE", "CREDIT2VIRTUAL"}:
        names = _ORDER if test.action == "SALE" else _ORDER[1:]
        yield (word + values(test.form, *names))[::-1].upper()
        yield (values(test.form, *reversed(names)) + word)[::-1].upper()
        yield values(test.form, *reversed(names))[::-1].upper() + word
        yield (values(test.form, "order_id", "identifier", "order_amount", "order_currency") + word)[::-1].upper()
        yield word + values(test.form, *names)[::-1].upper()
    else:
        yield from (word + trans_id[::-1].upper(), (word + trans_id)[::-1].upper(), trans_id[::-1].upper() + word)


def _key_for_password(test: ApmHashTest) -> Iterator[bytes]:
    key = test.account.key
    recipes: dict[str, Recipe] = {"SALE": of_sale, "CREDIT2VIRTUAL": of_payout, "CREDITVOID": of_release}
    yield recipes.get(test.action, of_transaction)(test.form, key)


def _other_notation(test: ApmHashTest) -> Iterator[bytes]:
    amount = test.form.get("order_amount", "")
    if DECIMAL.fullmatch(amount) is None:
        return
    number = Decimal(amount)
    texts = {f"{number:.1f}", f"{number:.3f}", f"{number:.0f}", f"{number:.2f}"}
    for text in texts:
        form = {**test.form, "order_amount": text}
        yield from (of_sale(form, test.account.password), of_payout(form, test.account.password))


def _any_on_transactions(test: ApmHashTest) -> bool:
    return accepts_hash(test) or (test.action in ON_TRANSACTIONS and _hex(test))


def _of_ascii_alone(form: Form, password: str) -> bytes:
    return of_sale({name: "".join(sign for sign in text if sign.isascii()) for name, text in form.items()}, password)


def _no_identifier(form: Form, password: str) -> bytes:
    return of_sale({"identifier": "NA", **form}, password)


def _no_amount(form: Form, password: str) -> bytes:
    return of_sale({"order_amount": "0.00", **form}, password)


def _sale_like_payout(form: Form, password: str) -> bytes:
    return values(form, *_ORDER)[::-1].upper() + as_bytes(password)


def _unreversed(form: Form, password: str) -> bytes:
    return of_sale(form, password)[::-1]


def _hex(test: ApmHashTest) -> bool:
    return re.fullmatch("[0-9a-f]{32}|[0-9a-f]{64}", test.given) is not None


def _with_digest(algorithm: str) -> Test:
    """Hashes by ``algorithm`` count as well."""

    def accepts(test: ApmHashTest) -> bool:
        account = replace(test.account, hash=algorithm)  # type: ignore[arg-type]
        # The password follows from the name, which stays.
        return accepts_hash(replace(test, account=account)) or accepts_hash(test)

    return accepts


def _md5_too(test: ApmHashTest) -> bool:
    return accepts_hash(test) or (test.account.hash == "sha256" and _with_digest("md5")(test))


def _sha256_too(test: ApmHashTest) -> bool:
    return accepts_hash(test) or (test.account.hash == "md5" and _with_digest("sha256")(test))


def _upper_hex_breaks(test: ApmHashTest) -> bool:
    if test.given != test.given.lower() and accepts_hash(replace(test, given=test.given.lower())):
        raise BreakdownError
    return accepts_hash(test)


def _password_of_second(test: ApmHashTest) -> bool:
    second = hashlib.md5(b"emulator-second", usedforsecurity=False).hexdigest()
    recipes: dict[str, Recipe] = {"SALE": of_sale, "CREDIT2VIRTUAL": of_payout, "CREDITVOID": of_release}
    return accepts_hash(test) or test.is_of(recipes.get(test.action, of_transaction)(test.form, second))


def _refused_as(refusal: Refusal) -> Change:
    return refused_as(refusal, check_signature)


_HASHES: Final = tuple(f"APM-SIG-{number:02}" for number in (10, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 24, 25))

_RECIPES: Final = tuple(
    Fault(name, (requirement,), f"{action} is signed by another recipe.", _signed(recipe, action), since=since)
    for name, requirement, action, recipe, since in (
        ("apm-capture-signed-like-release", "APM-SIG-01", "CAPTURE", of_release, "6.7.0"),
        ("apm-void-signed-like-release", "APM-SIG-02", "VOID", of_release, None),
        ("apm-status-signed-like-release", "APM-SIG-03", "GET_TRANS_STATUS", of_release, None),
        ("apm-sale-signed-like-payout", "APM-SIG-05", "SALE", _sale_like_payout, None),
        ("apm-sale-signed-by-the-formula-of-payouts", "APM-SIG-05", "SALE", of_payout, None),
        ("apm-sale-hash-unreversed", "APM-SIG-05", "SALE", _unreversed, None),
        ("apm-sale-missing-identifier-na", "APM-SIG-06", "SALE", _no_identifier, None),
        ("apm-sale-missing-amount-zero", "APM-SIG-07", "SALE", _no_amount, None),
        ("apm-creditvoid-signed-like-void", "APM-SIG-08", "CREDITVOID", of_transaction, None),
        ("apm-payout-signed-like-sale", "APM-SIG-09", "CREDIT2VIRTUAL", of_sale, None),
        ("apm-sale-signed-over-ascii-alone", "APM-SIG-22", "SALE", _of_ascii_alone, None),
    )
)
_LOOSE: Final = faults(
    {
        "apm-hash-ignored": breaks(_HASHES, "Hashes are not looked at.", _accepting(lambda _test: True)),
        "apm-sale-hash-ignored": breaks(
            tuple(f"APM-SIG-{number}" for number in range(17, 22)),
            "Any hash of a sale is accepted, as long as it looks like one.",
            _accepting(lambda test: accepts_hash(test) or (test.action == "SALE" and _hex(test))),
        ),
        "apm-payout-hash-ignored": breaks(
            "APM-C2V-37 APM-C2V-38",
            "Any hash of a payout is accepted, as long as it looks like one.",
            _accepting(lambda test: accepts_hash(test) or (test.action == "CREDIT2VIRTUAL" and _hex(test))),
        ),
        "apm-hash-missing-accepted": breaks(
            "APM-SIG-11",
            "A post without hash is served.",
            _accepting(lambda test: accepts_hash(test) or not test.given),
        ),
        "apm-password-upper-accepted": breaks("APM-SIG-04", "The password may be upper-cased.", _also(_upper_password)),
        "apm-payout-password-upper-accepted": breaks(
            "APM-C2V-37", "The password of a payout may be upper-cased.", _also(_upper_payout)
        ),
        "apm-other-password-accepted": breaks(
            "APM-SIG-10", "The second merchant's password signs for everybody.", _accepting(_password_of_second)
        ),
        "apm-hash-not-upper-accepted": breaks(
            "APM-SIG-12", "Texts that were not upper-cased count.", _also(_not_upper)
        ),
        "apm-hash-not-reversed-accepted": breaks(
            "APM-SIG-13", "Ids that were not reversed count.", _also(_not_reversed)
        ),
        "apm-hash-of-other-payment-accepted": breaks(
            "APM-SIG-14", "The hash of any payment signs for all of them.", _accepting(_any_on_transactions)
        ),
        "apm-hash-other-order-accepted": breaks("APM-SIG-15", "The order of the parts is free.", _also(_other_order)),
        "apm-key-signs": breaks("APM-SIG-16", "The client_key signs like the password.", _also(_key_for_password)),
        "apm-amount-notation-free": breaks("APM-SIG-21", "Amounts are signed as numbers.", _also(_other_notation)),
        "apm-md5-beside-option": breaks("APM-SIG-24", "MD5 counts with the SHA256 option, too.", _accepting(_md5_too)),
        "apm-sha256-without-option": breaks("APM-SIG-25", "SHA256 counts without the option.", _accepting(_sha256_too)),
        "apm-upper-hex-server-error": breaks(
            "APM-SIG-26", "A hash in upper-case hex is a server error.", _accepting(_upper_hex_breaks)
        ),
        "apm-hash-refused-other-text": breaks(
            "APM-SIG-10",
            "A wrong hash is refused in other words.",
            _refused_as(Refusal(Kind.SIGNATURE, "Access denied")),
        ),
        "apm-hash-refused-other-code": breaks(
            "APM-SIG-10",
            "A wrong hash is refused with another code.",
            _refused_as(Refusal(Kind.SIGNATURE, "Hash is not valid", code=101000)),
        ),
        "apm-hash-refused-status-403": breaks(
            "APM-SIG-10 GEN-ERR-09",
            "A wrong hash is refused with HTTP 403.",
            _refused_as(Refusal(Kind.SIGNATURE, "Hash is not valid", status=403)),
        ),
    }
)
FAULTS: Final = (*_RECIPES, *_LOOSE)
