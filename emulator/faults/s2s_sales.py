"""Faults of S2S CARD: fields, signature and duplicates of sales."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from emulator.design import Change, Design
from emulator.duplicates import WindowRule
from emulator.faults.model import Fault
from emulator.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.rules.model import BreakdownError, Rule
from emulator.s2s_card.cards import GOOD, Outcome, outcome_of
from emulator.s2s_card.conduct import CardAttempt, CardHashTest
from emulator.s2s_card.stages import check_duplicate, check_fields, check_signature
from emulator.signing import Digest, FormFormula, FormValues, ascii_upper, equal, formula_1, hex_digest, sha1_hex

_WRONG_HASH: Final = tuple(f"S2C-SIG-{number:02}" for number in (38, 40, 41, 42, 43, 44, 45, 46, 47, 52, 55, 56, 57))
_ANY: Final = ("S2C-*", "GEN-*")
_FRAGMENT: Final = 10
_SHORTEST_PREFIX: Final = 8

SaleVariants = Callable[[CardHashTest], Iterator[str]]


def _only(formula: FormFormula) -> Change:
    def accepts(test: CardHashTest) -> bool:
        return equal(test.given, formula(test.account.password, test.account.hash, test.values))

    return lambda design: design.in_sale(accepts_hash=accepts)


def _also(variants: SaleVariants) -> Change:
    def change(design: Design) -> Design:
        before = design.sale.accepts_hash
        return design.in_sale(accepts_hash=lambda test: before(test) or test.given in set(variants(test)))

    return change


def _unverified(design: Design) -> Design:
    return design.in_sale(stages=tuple(stage for stage in design.sale.stages if stage is not check_signature))


def _unreversed(password: str, digest: Digest, values: FormValues) -> str:
    return hex_digest(digest, ascii_upper(values.email + password + values.instrument))


def _token_unreversed(password: str, digest: Digest, values: FormValues) -> str:
    by_token = len(values.instrument) > _FRAGMENT
    return formula_1(
        password, digest, FormValues(values.email, values.instrument[::-1] if by_token else values.instrument)
    )


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


def _optional(design: Design) -> Design:
    before = design.sale.accepts_hash
    return design.in_sale(accepts_hash=lambda test: not test.given or before(test))


def _upper_case_breaks(design: Design) -> Design:
    before = design.sale.accepts_hash

    def accepts(test: CardHashTest) -> bool:
        if test.given != test.given.lower() and before(replace(test, given=test.given.lower())):
            raise BreakdownError
        return before(test)

    return design.in_sale(accepts_hash=accepts)


def _fixed_fragment(number: str) -> str:
    return number[:6] + number[12:16]


_HASHES: Final = (
    Fault(
        "sale-hash-unverified",
        _WRONG_HASH,
        "Hashes of sales are not looked at.",
        _unverified,
        ("GEN-ERR-0?", "S2C-SIG-39"),
    ),
    Fault("sale-hash-unreversed", ("S2C-SIG-01",), "Nothing is reversed in Formula 1.", _only(_unreversed), _ANY),
    Fault(
        "sale-hash-address-normalized",
        ("S2C-SIG-01",),
        "The payer's address is signed without the dots in front of the at sign.",
        _only(_dots_dropped),
    ),
    Fault(
        "sale-hash-token-unreversed",
        ("S2C-SIG-06",),
        "The card token is not reversed.",
        _only(_token_unreversed),
        ("S2C-SIG-34", "S2C-SIG-47"),
    ),
    Fault("sale-hash-wallet-marked", ("S2C-SIG-29",), "Formula 8 has a further part.", _only(_wallet_with_mark)),
    Fault(
        "sale-hash-fixed-fragment",
        ("S2C-SIG-36",),
        "The last digits are those of a number of 16 digits.",
        lambda design: design.in_sale(fragment=_fixed_fragment),
    ),
    Fault("sale-hash-optional", ("S2C-SIG-39",), "A sale without hash is accepted.", _optional),
    Fault("sale-hash-as-typed", ("S2C-SIG-40",), "Text that is not upper-cased is taken too.", _also(_as_typed)),
    Fault("sale-hash-any-order", ("S2C-SIG-41",), "The parts may stand in any order.", _also(_any_order)),
    Fault(
        "sale-hash-key-as-password",
        ("S2C-SIG-42",),
        "The key serves as password too.",
        _also(_key_as_password),
    ),
    Fault(
        "sale-hash-nothing-reversed",
        ("S2C-SIG-43",),
        "Parts that are not reversed are taken too.",
        _also(_nothing_reversed),
    ),
    Fault("sale-hash-prefix", ("S2C-SIG-52",), "A part of the hash, or more than the hash, is taken.", _prefix),
    Fault(
        "sale-hash-upper-case-server-error",
        ("S2C-SIG-53",),
        "A hash in upper case is a server error.",
        _upper_case_breaks,
    ),
    Fault(
        "sale-hash-sha256-ignored", ("S2C-SIG-54", "S2C-SIG-55"), "SHA256 accounts sign with MD5.", _only(_always_md5)
    ),
    Fault(
        "sale-hash-md5-for-all", ("S2C-SIG-55",), "SHA256 accounts may sign with MD5 too.", _also(_other_digest("md5"))
    ),
    Fault(
        "sale-hash-sha256-for-all",
        ("S2C-SIG-56",),
        "Every account may sign with SHA256 too.",
        _also(_other_digest("sha256")),
    ),
    Fault("sale-hash-outer-sha1", ("S2C-SIG-57",), "A SHA1 around the digest is taken too.", _also(_outer_sha1)),
)


def _window(**changes: object) -> Change:
    return lambda design: design.in_sale(window=replace(WindowRule(), **changes))  # type: ignore[arg-type]


def _no_window(design: Design) -> Design:
    return design.in_sale(stages=tuple(stage for stage in design.sale.stages if stage is not check_duplicate))


def _reuse_breaks(design: Design) -> Design:
    broken = Refusal(Kind.BREAKDOWN, "Integrity constraint violation", code=0, status=500)
    return _window(kept_for_good=True)(design).in_sale(used_before=broken)


_DUPLICATES: Final = (
    Fault(
        "sale-duplicate-accepted",
        ("S2C-DUP-01", "S2C-DUP-06", "S2C-DUP-10", "S2C-DUP-11"),
        "Sales have no duplicate window.",
        _no_window,
    ),
    Fault(
        "sale-duplicate-window-10-seconds",
        ("S2C-DUP-06",),
        "The window of sales closes after 10 seconds.",
        _window(seconds=10.0),
    ),
    Fault(
        "sale-duplicate-across-merchants",
        ("S2C-DUP-09",),
        "The window of sales does not tell merchants apart.",
        _window(key=lambda _merchant, number: number),
    ),
    Fault(
        "sale-duplicate-per-merchant",
        ("S2C-DUP-08",),
        "Every further sale of a merchant within the window is a duplicate.",
        _window(key=lambda merchant, _number: merchant),
        _ANY,
    ),
    Fault(
        "sale-duplicate-other-text",
        ("S2C-DUP-01",),
        "A repeated sale is refused in other words.",
        lambda design: design.in_sale(duplicate=Refusal(Kind.DUPLICATE, "Order exists.")),
        ("S2C-DUP-*",),
    ),
    Fault(
        "sale-reuse-server-error",
        ("S2C-DUP-07",),
        "An order id that is used again later is a server error.",
        _reuse_breaks,
        ("S2C-STA-20",),
    ),
)


def _refusing_names(start: str) -> Change:
    def stage(attempt: CardAttempt) -> Refusal | None:
        found = tuple((name[:100], "This field was not expected.") for name in attempt.form if name.startswith(start))
        return Refusal(Kind.SALE_FIELDS, INVALID_DATA, violations=found) if found else None

    return lambda design: design.in_sale(stages=(stage, *design.sale.stages))


def _whenever(number: str, month: str, year: str) -> Outcome:
    return GOOD if year < "2038" else outcome_of(number, month, year)


def _state_everywhere(design: Design) -> Design:
    return design.in_sale(rows=(*design.sale.rows, Rule("payer_state", "pattern", "[A-Z]{2}", tag="everywhere")))


def _first_only(reply: Reply) -> Reply:
    errors = reply.body.get("errors")
    if reply.kind is not Kind.SALE_FIELDS or not isinstance(errors, list):
        return reply
    return replace(reply, body=reply.body | {"errors": errors[:1]})


def _all_refused(attempt: CardAttempt) -> Refusal | None:
    return attempt.gateway.design.sale.duplicate


def _one_sale(design: Design) -> Design:
    served: set[str] = set()

    def stage(attempt: CardAttempt) -> Refusal | None:
        if served:
            return attempt.gateway.design.sale.duplicate
        served.add(attempt.form.get("order_id", ""))
        return None

    return design.in_sale(stages=(*design.sale.stages, stage))


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

    return design.in_sale(stages=tuple(fields if stage is check_fields else stage for stage in design.sale.stages))


_FIELDS: Final = (
    Fault(
        "sale-refused",
        ("S2C-SAL-01",),
        "Every sale is a duplicate.",
        lambda design: design.in_sale(stages=(*design.sale.stages, _all_refused)),
        _ANY,
    ),
    Fault("sale-served-once", ("S2C-SAL-01",), "Every sale after the first one is a duplicate.", _one_sale, _ANY),
    Fault(
        "sale-errors-first-only",
        ("S2C-SAL-08",),
        "Only the first invalid field is reported.",
        lambda design: design.filtering(_first_only),
    ),
    Fault(
        "sale-expired-card-pays",
        ("S2C-SAL-22",),
        "A card that expired pays.",
        lambda design: design.in_sale(expired=lambda _month, _year, _today: False, outcome=_whenever),
    ),
    Fault(
        "sale-corrected-server-error",
        ("S2C-DUP-12",),
        "A sale that was refused and is sent again is a server error.",
        _refused_is_taken,
    ),
    Fault(
        "sale-state-checked-everywhere",
        ("S2C-SAL-43",),
        "The payer's state must be two letters, whatever the country.",
        _state_everywhere,
        since="6.7.0",
    ),
    Fault(
        "sale-custom-data-refused",
        ("S2C-SAL-44",),
        "custom_data in bracket keys is refused.",
        _refusing_names("custom_data["),
    ),
    Fault(
        "sale-parameters-refused",
        ("S2C-SAL-45",),
        "Values for the connector are refused.",
        _refusing_names("parameters["),
        ("S2C-PRM-*",),
    ),
)

FAULTS: Final = (*_FIELDS, *_HASHES, *_DUPLICATES)
