"""Faults of S2S APM sales: amounts, brands, authorizations, and what the answer tells."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from emulator.accounts import Account
from emulator.currencies import EXPONENTS
from emulator.design import Change, Design
from emulator.faults.apm import EVERYTHING, around, first, last, together, without
from emulator.faults.model import Fault
from emulator.payments.model import State
from emulator.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.rules.amounts import is_zero
from emulator.rules.model import BreakdownError, Rule
from emulator.s2s_apm.brands import CRYPTO, SALES
from emulator.s2s_apm.conduct import ApmAttempt, ApmHandler, holds_funds
from emulator.s2s_apm.stages import check_sale_brand

if TYPE_CHECKING:
    from emulator.gateway import Gateway

_HELD: Final = ("APM-AUT-*", "APM-ANS-*", "APM-CAP-*", "APM-CVD-*", "APM-VOI-*", "APM-STA-*", "APM-SIG-*", "CBK-*")
_SOON: Final = 300.0
Holds = Callable[[str], bool]


def _rows(change: Callable[[Rule], Rule | None]) -> Change:
    return lambda design: design.with_apm_rows("SALE", change)


def _without_row(path: str, *keywords: str) -> Change:
    return _rows(lambda row: None if row.path == path and row.keyword in keywords else row)


def _decimals(exponent: str, *allowed: int) -> Change:
    def change(design: Design) -> Design:
        amounts = design.apm.amounts
        return design.in_apm(amounts=replace(amounts, decimals={**amounts.decimals, exponent: allowed}))

    return change


def _zero_taken(design: Design) -> Design:
    return _without_row("order_amount", "positive")(design)


def _negative_taken(design: Design) -> Design:
    def positive(value: object, _parent: Mapping[str, object], _context: object) -> bool:
        return not isinstance(value, str) or not is_zero(value)

    return _rows(
        lambda row: replace(row, bound=positive) if (row.path, row.keyword) == ("order_amount", "positive") else row
    )(design)


def _zero_in_other_words(design: Design) -> Design:
    return _rows(lambda row: replace(row, text="This value is not valid.") if row.keyword == "positive" else row)(
        design
    )


def _holding(holds: Holds) -> Change:
    def test(auth: str, _release: str, account: Account) -> bool:
        return holds(auth) or account.mode == "DMS"

    return lambda design: design.in_apm(holds_funds=test)


def _holding_too(*texts: str) -> Change:
    def test(auth: str, release: str, account: Account) -> bool:
        return auth in texts or holds_funds(auth, release, account)

    return lambda design: design.in_apm(holds_funds=test)


def _settled_by_time(handler: ApmHandler, attempt: ApmAttempt, gateway: "Gateway") -> Reply:
    payment = attempt.payment
    if payment is not None and payment.state is State.AUTHORIZED:
        age = (gateway.clock.now() - payment.created).total_seconds()
        payment.state = State.SETTLED if age > _SOON else payment.state
    return handler(attempt, gateway)


def _refusing(applies: Callable[[ApmAttempt], bool], name: str) -> Change:
    def stage(attempt: ApmAttempt) -> Refusal | None:
        if not applies(attempt):
            return None
        return Refusal(Kind.APM_FIELDS, INVALID_DATA, violations=((name, "This value is not valid."),))

    return last(stage, "SALE")


def _coins(attempt: ApmAttempt) -> bool:
    return SALES.get(attempt.form.get("brand", "")) in CRYPTO


def _breaks(attempt: ApmAttempt) -> None:
    if "custom_data" in attempt.body:
        raise BreakdownError


def _coins_for_coins(attempt: ApmAttempt) -> bool:
    return _coins(attempt) and attempt.form.get("order_currency") not in EXPONENTS


_REQUESTS: Final = (
    Fault(
        "apm-sale-refused",
        ("APM-SAL-01",),
        "Every sale is refused.",
        _refusing(lambda _attempt: True, "brand"),
        EVERYTHING,
    ),
    Fault("apm-sale-unknown-brand", ("APM-SAL-08",), "A brand of nobody pays.", without(check_sale_brand, "SALE")),
    Fault(
        "apm-sale-brand-of-any-length",
        ("APM-SAL-09",),
        "A brand of 37 characters pays.",
        together(_without_row("brand", "maxLength"), without(check_sale_brand, "SALE")),
        ("APM-SAL-08",),
    ),
    Fault(
        "apm-sale-negative-amount",
        ("APM-SAL-14",),
        "A negative amount is taken.",
        _negative_taken,
    ),
    Fault("apm-sale-zero-amount", ("APM-SAL-15",), "An amount of zero is taken.", _zero_taken, ("APM-SAL-14",)),
    Fault(
        "apm-sale-zero-amount-other-text",
        ("APM-SAL-15",),
        "An amount of zero is refused in other words.",
        _zero_in_other_words,
        ("APM-SAL-14", "APM-C2V-33"),
    ),
    Fault(
        "apm-sale-one-decimal",
        ("APM-SAL-16",),
        "An amount may have one decimal.",
        _decimals("2", 1, 2),
    ),
    Fault(
        "apm-sale-yen-without-decimals",
        ("APM-SAL-17",),
        "An amount in JPY has no decimals.",
        _decimals("0", 0),
    ),
    Fault(
        "apm-sale-dinar-two-decimals",
        ("APM-SAL-18",),
        "An amount of three decimals is written with two.",
        _decimals("3", 2),
    ),
    Fault(
        "apm-sale-coins-not-a-currency",
        ("APM-SAL-20",),
        "A crypto currency is none.",
        _refusing(_coins_for_coins, "order_currency"),
    ),
    Fault(
        "apm-sale-custom-data-server-error",
        ("APM-SAL-35",),
        "custom_data is a server error.",
        first(_breaks, "SALE"),
        ("CBK-*", "GEN-ERR-12"),
    ),
    Fault(
        "apm-sale-payer-fields-required",
        ("APM-SAL-06",),
        "A sale needs the payer's e-mail address and phone number.",
        _refusing(lambda attempt: not attempt.form.get("payer_email"), "payer_email"),
        EVERYTHING,
    ),
)
_AUTHORIZATIONS: Final = (
    Fault(
        "apm-auth-ignored",
        ("APM-AUT-01", "APM-STA-04"),
        "auth holds nothing.",
        _holding(lambda _auth: False),
        _HELD,
        since="6.7.0",
    ),
    Fault(
        "apm-sale-always-held", ("APM-AUT-02",), "Every sale is an authorization.", _holding(lambda _: True), EVERYTHING
    ),
    Fault("apm-auth-n-holds", ("APM-AUT-03",), "auth=N holds.", _holding_too("N"), since="6.7.0"),
    Fault("apm-auth-lower-case-holds", ("APM-AUT-04",), "auth=y holds.", _holding_too("y"), since="6.7.0"),
    Fault(
        "apm-auth-any-text-holds",
        ("APM-AUT-05",),
        "Any text but N and y in auth holds.",
        _holding(lambda auth: auth not in {"", "N", "y"}),
        since="6.7.0",
    ),
    Fault(
        "apm-auth-true-holds",
        ("APM-AUT-05",),
        "1, TRUE and YES hold as well.",
        _holding_too("1", "TRUE", "true", "YES", "yes"),
        since="6.7.0",
    ),
    Fault(
        "apm-authorization-settles-by-itself",
        ("APM-AUT-06",),
        "An authorization settles by itself after some minutes.",
        around(_settled_by_time, "GET_TRANS_STATUS"),
        ("APM-CAP-*", "APM-CVD-*", "APM-VOI-*", "APM-STA-*"),
        since="6.7.0",
    ),
    Fault(
        "apm-auth-early",
        ("APM-AUT-07",),
        "auth=Y holds before its release.",
        _holding_too("Y"),
        until="6.6.5",
    ),
)
FAULTS: Final = (*_REQUESTS, *_AUTHORIZATIONS)
