"""Faults of S2S CARD: fields, signature and duplicates of sales."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from emulator.changes.s2s_card import also_hashed, first, instead, last, without
from emulator.changes.stages import refusal_if
from emulator.design import Change, Design
from emulator.engine.duplicates import WindowRule
from emulator.engine.signing import Digest, FormFormula, FormValues, ascii_upper, equal, formula_1, hex_digest, sha1_hex
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardHashTest
from emulator.protocols.s2s_card.sandbox_cards import GOOD, Outcome, outcome_of
from emulator.protocols.s2s_card.stages import check_duplicate, check_fields, check_signature
from emulator.rules.model import BreakdownError, Rule
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply

_WRONG_HASH: Final = tuple(f"S2C-SIG-{number:02}" for number in (38, 40, 41, 42, 43, 44, 45, 46, 47, 52, 55, 56, 57))
_FRAGMENT: Final = 10
_SHORTEST_PREFIX: Final = 8

SaleVariants = Callable[[CardHashTest], Iterator[str]]


def _only(formula: FormFormula) -> Change:
    def accepts(test: CardHashTest) -> bool:
        return equal(test.given, formula(test.account.password, test.account.hash, test.values))

    return lambda design: design.in_sale(accepts_hash=accepts)


def _also(variants: SaleVariants) -> Change:
    return also_hashed(lambda test: test.given in set(variants(test)), "SALE")


def _unreversed(password: str, digest: Digest, values: FormValues) -> str:
    return hex_digest(digest, ascii_upper(values.email + password + values.instrument))


def _token_unreversed(test: CardHashTest) -> Iterator[str]:
    if len(test.values.instrument) > _FRAGMENT:
        yield _unreversed(test.account.password, test.account.hash, test.values)


def _wallet_with_mark(password: str, digest: Digest, values: FormValues) -> str:
    return formula_1(password, digest, FormValues(values.email, values.instrument or "wallet"))


def _dots_dropped(password: str, digest: Digest, values: FormValues) -> str:
    local, at, host = values.email.partition("@")
    return formula_1(password, digest, FormValues(local.replace(".", "") + at + host, values.instrument))


def _always_md5(password: str, _digest: Digest, values: FormValues) -> str:
    return formula_1(password, "md5", values)


def _as_typed(test: CardHashTest) -> Iterator[str]:
    values = test.values
    yield hex_digest(test.account.hash, values.email[::-1] + test.account.password + values.instrument[::-1])


def _any_order(test: CardHashTest) -> Iterator[str]:
    parts = (test.values.email[::-1], test.account.password, test.values.instrument[::-1])
    for arranged in itertools.permutations(parts):
        yield hex_digest(test.account.hash, ascii_upper("".join(arranged)))


def _key_as_password(test: CardHashTest) -> Iterator[str]:
    yield formula_1(test.account.key, test.account.hash, test.values)


def _nothing_reversed(test: CardHashTest) -> Iterator[str]:
    yield _unreversed(test.account.password, test.account.hash, test.values)


def _other_digest(digest: Digest) -> SaleVariants:
    def variants(test: CardHashTest) -> Iterator[str]:
        yield formula_1(test.account.password, digest, test.values)

    return variants


def _outer_sha1(test: CardHashTest) -> Iterator[str]:
    yield sha1_hex(formula_1(test.account.password, test.account.hash, test.values))


def _prefix(design: Design) -> Design:
    def accepts(test: CardHashTest) -> bool:
        right = formula_1(test.account.password, test.account.hash, test.values)
        return len(test.given) >= _SHORTEST_PREFIX and (right.startswith(test.given) or test.given.startswith(right))

    return design.in_sale(accepts_hash=accepts)


_OPTIONAL: Final = also_hashed(lambda test: not test.given, "SALE")


def _upper_case_breaks(design: Design) -> Design:
    before = design.sale.accepts_hash

    def accepts(test: CardHashTest) -> bool:
        if test.given != test.given.lower() and before(replace(test, given=test.given.lower())):
            raise BreakdownError
        return before(test)

    return design.in_sale(accepts_hash=accepts)


def _fixed_fragment(number: str) -> str:
    return number[:6] + number[12:16]


_HASHES: Final = faults(
    {
        "sale-hash-unverified": breaks(
            _WRONG_HASH, "Hashes of sales are not looked at.", without(check_signature, "SALE")
        ),
        "sale-hash-unreversed": breaks("S2C-SIG-01", "Nothing is reversed in Formula 1.", _only(_unreversed)),
        "sale-hash-address-normalized": breaks(
            "S2C-SIG-01",
            "The payer's address is signed without the dots in front of the at sign.",
            _only(_dots_dropped),
        ),
        "sale-hash-token-unreversed": breaks(
            "S2C-SIG-06", "By card token, parts that are not reversed are taken too.", _also(_token_unreversed)
        ),
        "sale-hash-wallet-marked": breaks("S2C-SIG-29", "Formula 8 has a further part.", _only(_wallet_with_mark)),
        "sale-hash-fixed-fragment": breaks(
            "S2C-SIG-36",
            "The last digits are those of a number of 16 digits.",
            lambda design: design.in_sale(fragment=_fixed_fragment),
        ),
        "sale-hash-optional": breaks("S2C-SIG-39", "A sale without hash is accepted.", _OPTIONAL),
        "sale-hash-as-typed": breaks("S2C-SIG-40", "Text that is not upper-cased is taken too.", _also(_as_typed)),
        "sale-hash-any-order": breaks("S2C-SIG-41", "The parts may stand in any order.", _also(_any_order)),
        "sale-hash-key-as-password": breaks("S2C-SIG-42", "The key serves as password too.", _also(_key_as_password)),
        "sale-hash-nothing-reversed": breaks(
            "S2C-SIG-43", "Parts that are not reversed are taken too.", _also(_nothing_reversed)
        ),
        "sale-hash-prefix": breaks("S2C-SIG-52", "A part of the hash, or more than the hash, is taken.", _prefix),
        "sale-hash-upper-case-server-error": breaks(
            "S2C-SIG-53", "A hash in upper case is a server error.", _upper_case_breaks
        ),
        "sale-hash-sha256-ignored": breaks(
            "S2C-SIG-54 S2C-SIG-55", "SHA256 accounts sign with MD5.", _only(_always_md5)
        ),
        "sale-hash-md5-for-all": breaks(
            "S2C-SIG-55", "SHA256 accounts may sign with MD5 too.", _also(_other_digest("md5"))
        ),
        "sale-hash-sha256-for-all": breaks(
            "S2C-SIG-56", "Every account may sign with SHA256 too.", _also(_other_digest("sha256"))
        ),
        "sale-hash-outer-sha1": breaks("S2C-SIG-57", "A SHA1 around the digest is taken too.", _also(_outer_sha1)),
    }
)


def _window(**changes: object) -> Change:
    return lambda design: design.in_sale(window=replace(WindowRule(), **changes))  # type: ignore[arg-type]


def _reuse_breaks(design: Design) -> Design:
    broken = Refusal(Kind.BREAKDOWN, "Integrity constraint violation", code=0, status=500)
    return _window(kept_for_good=True)(design).in_sale(used_before=broken)


_DUPLICATES: Final = faults(
    {
        "sale-duplicate-accepted": breaks(
            "S2C-DUP-01 S2C-DUP-06 S2C-DUP-10 S2C-DUP-11",
            "Sales have no duplicate window.",
            without(check_duplicate, "SALE"),
        ),
        "sale-duplicate-window-10-seconds": breaks(
            "S2C-DUP-06", "The window of sales closes after 10 seconds.", _window(seconds=10.0)
        ),
        "sale-duplicate-across-merchants": breaks(
            "S2C-DUP-09",
            "The window of sales does not distinguish merchants.",
            _window(key=lambda _merchant, number: number),
        ),
        "sale-duplicate-per-merchant": breaks(
            "S2C-DUP-08",
            "Every further sale of a merchant within the window is a duplicate.",
            _window(key=lambda merchant, _number: merchant),
        ),
        "sale-duplicate-other-text": breaks(
            "S2C-DUP-01",
            "A repeated sale is refused in other words.",
            lambda design: design.in_sale(duplicate=Refusal(Kind.DUPLICATE, "Order exists.")),
        ),
        "sale-reuse-server-error": breaks(
            "S2C-DUP-07", "An order id that is used again later is a server error.", _reuse_breaks
        ),
    }
)


def _refusing_names(start: str) -> Change:
    def stage(attempt: CardAttempt) -> Refusal | None:
        found = tuple((name[:100], "This field was not expected.") for name in attempt.form if name.startswith(start))
        return Refusal(Kind.SALE_FIELDS, INVALID_DATA, violations=found) if found else None

    return first(stage, "SALE")


def _whenever(number: str, month: str, year: str) -> Outcome:
    return GOOD if year < "2038" else outcome_of(number, month, year)


def _state_everywhere(design: Design) -> Design:
    return design.in_sale(rows=(*design.sale.rows, Rule("payer_state", "pattern", "[A-Z]{2}", tag="everywhere")))


_OF_ANOTHER: Final = [{"error_code": 100000, "error_message": "payer_email: This value should not be blank."}]


def _another_for_several(reply: Reply) -> Reply:
    errors = reply.body.get("errors")
    if reply.kind is not Kind.SALE_FIELDS or not isinstance(errors, list) or len(errors) == 1:
        return reply
    return replace(reply, body=reply.body | {"errors": _OF_ANOTHER})


_NO_MIDDLE_NAME: Final = Refusal(
    Kind.SALE_FIELDS, INVALID_DATA, violations=(("payer_middle_name", "This value should not be blank."),)
)


def _all_refused(attempt: CardAttempt) -> Refusal | None:
    return attempt.behaviour.duplicate


def _one_sale(design: Design) -> Design:
    served: set[str] = set()

    def stage(attempt: CardAttempt) -> Refusal | None:
        if served:
            return attempt.behaviour.duplicate
        served.add(attempt.form.get("order_id", ""))
        return None

    return last(stage, "SALE")(design)


def _refused_is_taken(design: Design) -> Design:
    refused: set[str] = set()

    def fields(attempt: CardAttempt) -> Refusal | None:
        order_id = attempt.form.get("order_id", "")
        refusal = check_fields(attempt)
        if refusal is not None:
            refused.add(order_id)
        elif order_id in refused:
            raise BreakdownError
        return refusal

    return instead(check_fields, fields, "SALE")(design)


_FIELDS: Final = faults(
    {
        "sale-needs-middle-name": breaks(
            "S2C-SAL-01",
            "Sales without payer_middle_name, which may be left out, are refused.",
            last(refusal_if(lambda attempt: not attempt.form.get("payer_middle_name"), _NO_MIDDLE_NAME), "SALE"),
        ),
        "sale-refused": breaks(
            "S2C-SAL-01",
            "Every sale is a duplicate.",
            last(_all_refused, "SALE"),
        ),
        "sale-served-once": breaks("S2C-SAL-01", "Every sale after the first one is a duplicate.", _one_sale),
        "sale-errors-of-what-was-sent": breaks(
            "S2C-SAL-08",
            "Where several fields are missing, another one is reported.",
            lambda design: design.filtering(_another_for_several),
        ),
        "sale-expired-card-pays": breaks(
            "S2C-SAL-22",
            "A card that expired pays.",
            lambda design: design.in_sale(expired=lambda _month, _year, _today: False, outcome=_whenever),
        ),
        "sale-corrected-server-error": breaks(
            "S2C-DUP-12", "A sale that was refused and is sent again is a server error.", _refused_is_taken
        ),
        "sale-state-checked-everywhere": breaks(
            "S2C-SAL-43",
            "The payer's state must be two letters, whatever the country.",
            _state_everywhere,
            since="6.7.0",
        ),
        "sale-custom-data-refused": breaks(
            "S2C-SAL-44", "custom_data in bracket keys is refused.", _refusing_names("custom_data[")
        ),
        "sale-parameters-refused": breaks(
            "S2C-SAL-45", "Values for the connector are refused.", _refusing_names("parameters[")
        ),
    }
)

FAULTS: Final = (*_FIELDS, *_HASHES, *_DUPLICATES)
