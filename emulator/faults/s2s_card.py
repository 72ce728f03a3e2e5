"""Faults of S2S CARD: names of actions, signature and duplicates of sales."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from emulator.design import Change, Design
from emulator.duplicates import WindowRule
from emulator.faults.model import Fault
from emulator.replies import Kind, Refusal
from emulator.rules.model import BreakdownError
from emulator.s2s_card.actions import ACTIONS, REJECTED, is_known
from emulator.s2s_card.sale import SaleHashTest, check_duplicate, check_signature
from emulator.signing import Digest, FormFormula, SaleValues, ascii_upper, equal, formula_1, hex_digest, sha1_hex

_NAMES: Final = tuple(f"S2C-ACT-{number:02}" for number in range(1, 21))
_WRONG_HASH: Final = tuple(f"S2C-SIG-{number:02}" for number in (38, 40, 41, 42, 43, 44, 45, 46, 47, 52, 55, 56, 57))
_ANY: Final = ("S2C-*", "GEN-*")
_SERVED: Final = "CREDITVOID"
_FRAGMENT: Final = 10
_SHORTEST_PREFIX: Final = 8
_UNSUPPORTED: Final = "Route or parameters is not supported"


def _named(read: Callable[[str], str]) -> Change:
    return lambda design: design.in_actions(read_name=read)


def _unknown(refusal: Refusal) -> Change:
    return lambda design: design.in_actions(unknown=refusal, missing=refusal)


def _lower_case(name: str) -> str:
    return name.upper() if name.islower() else name


def _mixed_case(name: str) -> str:
    return name if name.islower() else name.upper()


def _served(alias: Callable[[str], bool]) -> Change:
    return _named(lambda name: _SERVED if alias(name) else name)


def _is_name(wanted: str) -> Callable[[str], bool]:
    return lambda name: name == wanted


def _unheard_of(name: str) -> bool:
    return bool(name) and name.upper() not in ACTIONS and name.upper() not in REJECTED


def _rejected_mixed(name: str) -> bool:
    return name.upper() in REJECTED and not name.islower() and not name.isupper()


def _breaking(*wanted: str) -> Change:
    def read(name: str) -> str:
        if name in wanted:
            raise BreakdownError
        return name

    return _named(read)


def _known_before(action: str) -> Change:
    return lambda design: design.in_actions(known=lambda name, release: name == action or is_known(name, release))


_ACTIONS: Final = (
    Fault(
        "action-unknown-status-400",
        _NAMES,
        "An unknown action is refused with HTTP 400.",
        _unknown(Refusal(Kind.ACTION, _UNSUPPORTED, code=0)),
        _ANY,
    ),
    Fault(
        "action-unknown-code-100000",
        _NAMES,
        "An unknown action is refused with 100000.",
        _unknown(Refusal(Kind.ACTION, _UNSUPPORTED, status=404)),
        _ANY,
    ),
    Fault(
        "action-unknown-other-text",
        _NAMES,
        "An unknown action is refused in other words.",
        _unknown(Refusal(Kind.ACTION, "Not Found", code=0, status=404)),
        _ANY,
    ),
    Fault(
        "action-unknown-unsupported",
        ("S2C-ACT-01",),
        "An unknown action is refused like one that is not served.",
        _served(_unheard_of),
    ),
    Fault("action-lower-case-accepted", ("S2C-ACT-02",), "Names in lower case are read.", _named(_lower_case)),
    Fault("action-mixed-case-accepted", ("S2C-ACT-03",), "Names in mixed case are read.", _named(_mixed_case)),
    *(
        Fault(
            f"action-{name.lower().replace('_', '-')}-known",
            (f"S2C-ACT-{number:02}",),
            f"{name} is an action.",
            _served(_is_name(name)),
        )
        for number, name in enumerate(REJECTED, start=4)
    ),
    Fault(
        "action-rejected-lower-case-known",
        ("S2C-ACT-19",),
        "Rejected names are known in lower case.",
        _served(lambda name: name.islower() and name.upper() in REJECTED),
    ),
    Fault(
        "action-rejected-mixed-case-known",
        ("S2C-ACT-20",),
        "Rejected names are known in mixed case.",
        _served(_rejected_mixed),
    ),
    Fault(
        "action-missing-server-error",
        ("S2C-ACT-21", "GEN-ERR-11"),
        "A post without action is a server error.",
        _breaking(""),
    ),
    Fault(
        "action-recurring-debit-early",
        ("S2C-ACT-22",),
        "RECURRING_DEBIT is known before its release.",
        _known_before("RECURRING_DEBIT"),
        until="6.6.5",
    ),
    Fault(
        "action-update-schedule-server-error",
        ("S2C-ACT-23",),
        "UPDATE_SCHEDULE is a server error before its release.",
        _breaking("UPDATE_SCHEDULE"),
        until="6.6.5",
    ),
    Fault(
        "action-long-schedule-name-server-error",
        ("S2C-ACT-24",),
        "PAUSE_SCHEDULE and RUN_SCHEDULE are server errors.",
        _breaking("PAUSE_SCHEDULE", "RUN_SCHEDULE"),
    ),
    Fault(
        "action-unsupported-other-code",
        ("S2C-ACT-25", "GEN-ERR-15"),
        "An action that is not served is refused with 100000.",
        lambda design: design.in_actions(unsupported=Refusal(Kind.ACTION, "Payment action not supported")),
    ),
)

SaleVariants = Callable[[SaleHashTest], Iterator[str]]


def _only(formula: FormFormula) -> Change:
    def accepts(test: SaleHashTest) -> bool:
        return equal(test.given, formula(test.account.password, test.account.hash, test.values))

    return lambda design: design.in_sale(accepts_hash=accepts)


def _also(variants: SaleVariants) -> Change:
    def change(design: Design) -> Design:
        before = design.sale.accepts_hash
        return design.in_sale(accepts_hash=lambda test: before(test) or test.given in set(variants(test)))

    return change


def _unverified(design: Design) -> Design:
    return design.in_sale(stages=tuple(stage for stage in design.sale.stages if stage is not check_signature))


def _unreversed(password: str, digest: Digest, values: SaleValues) -> str:
    return hex_digest(digest, ascii_upper(values.email + password + values.instrument))


def _token_unreversed(password: str, digest: Digest, values: SaleValues) -> str:
    by_token = len(values.instrument) > _FRAGMENT
    return formula_1(
        password, digest, SaleValues(values.email, values.instrument[::-1] if by_token else values.instrument)
    )


def _wallet_with_mark(password: str, digest: Digest, values: SaleValues) -> str:
    return formula_1(password, digest, SaleValues(values.email, values.instrument or "wallet"))


def _always_md5(password: str, _digest: Digest, values: SaleValues) -> str:
    return formula_1(password, "md5", values)


def _as_typed(test: SaleHashTest) -> Iterator[str]:
    values = test.values
    yield hex_digest(test.account.hash, values.email[::-1] + test.account.password + values.instrument[::-1])


def _any_order(test: SaleHashTest) -> Iterator[str]:
    parts = (test.values.email[::-1], test.account.password, test.values.instrument[::-1])
    for arranged in itertools.permutations(parts):
        yield hex_digest(test.account.hash, ascii_upper("".join(arranged)))


def _key_as_password(test: SaleHashTest) -> Iterator[str]:
    yield formula_1(test.account.key, test.account.hash, test.values)


def _nothing_reversed(test: SaleHashTest) -> Iterator[str]:
    yield _unreversed(test.account.password, test.account.hash, test.values)


def _other_digest(digest: Digest) -> SaleVariants:
    def variants(test: SaleHashTest) -> Iterator[str]:
        yield formula_1(test.account.password, digest, test.values)

    return variants


def _outer_sha1(test: SaleHashTest) -> Iterator[str]:
    yield sha1_hex(formula_1(test.account.password, test.account.hash, test.values))


def _prefix(design: Design) -> Design:
    def accepts(test: SaleHashTest) -> bool:
        right = formula_1(test.account.password, test.account.hash, test.values)
        return len(test.given) >= _SHORTEST_PREFIX and (right.startswith(test.given) or test.given.startswith(right))

    return design.in_sale(accepts_hash=accepts)


def _optional(design: Design) -> Design:
    before = design.sale.accepts_hash
    return design.in_sale(accepts_hash=lambda test: not test.given or before(test))


def _upper_case_breaks(design: Design) -> Design:
    before = design.sale.accepts_hash

    def accepts(test: SaleHashTest) -> bool:
        if test.given != test.given.lower() and before(replace(test, given=test.given.lower())):
            raise BreakdownError
        return before(test)

    return design.in_sale(accepts_hash=accepts)


def _fixed_fragment(number: str) -> str:
    return number[:6] + number[12:16]


_HASHES: Final = (
    Fault("sale-hash-unverified", _WRONG_HASH, "Hashes of sales are not looked at.", _unverified, ("GEN-KEY-05",)),
    Fault("sale-hash-unreversed", ("S2C-SIG-01",), "Nothing is reversed in Formula 1.", _only(_unreversed), _ANY),
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
        ("S2C-SIG-42", "GEN-KEY-05"),
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
    ),
)

S2S_CARD: Final = (*_ACTIONS, *_HASHES, *_DUPLICATES)
