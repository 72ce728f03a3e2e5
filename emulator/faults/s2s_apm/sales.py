"""Faults of S2S APM sales: amounts, brands, authorizations, and what the answer reports."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.accounts import Account
from emulator.changes.s2s_apm import around, first, last, without
from emulator.design import Change, Design, all_of
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler, holds_funds
from emulator.protocols.s2s_apm.stages import check_sale_brand
from emulator.rules.amounts import is_zero
from emulator.rules.currencies import EXPONENTS
from emulator.rules.model import BreakdownError, Rule
from emulator.rules.s2s_apm.brands import CRYPTO, SALES
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply

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


def _settled_by_time(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
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


_REQUESTS: Final = faults(
    {
        "apm-sale-needs-house-number": breaks(
            "APM-SAL-01",
            "Sales without payer_house_number, which may be left out, are refused.",
            _refusing(lambda attempt: not attempt.form.get("payer_house_number"), "payer_house_number"),
        ),
        "apm-sale-refused": breaks("APM-SAL-01", "Every sale is refused.", _refusing(lambda _attempt: True, "brand")),
        "apm-sale-unknown-brand": breaks("APM-SAL-08", "A brand of nobody pays.", without(check_sale_brand, "SALE")),
        "apm-sale-brand-of-any-length": breaks(
            "APM-SAL-09",
            "A brand of 37 characters pays.",
            all_of(_without_row("brand", "maxLength"), without(check_sale_brand, "SALE")),
        ),
        "apm-sale-negative-amount": breaks("APM-SAL-14", "A negative amount is taken.", _negative_taken),
        "apm-sale-zero-amount": breaks("APM-SAL-15", "An amount of zero is taken.", _zero_taken),
        "apm-sale-zero-amount-other-text": breaks(
            "APM-SAL-15", "An amount of zero is refused in other words.", _zero_in_other_words
        ),
        "apm-sale-one-decimal": breaks("APM-SAL-16", "An amount may have one decimal.", _decimals("2", 1, 2)),
        "apm-sale-yen-without-decimals": breaks("APM-SAL-17", "An amount in JPY has no decimals.", _decimals("0", 0)),
        "apm-sale-dinar-two-decimals": breaks(
            "APM-SAL-18", "An amount of three decimals is written with two.", _decimals("3", 2)
        ),
        "apm-sale-coins-not-a-currency": breaks(
            "APM-SAL-20", "A crypto currency is none.", _refusing(_coins_for_coins, "order_currency")
        ),
        "apm-sale-custom-data-server-error": breaks(
            "APM-SAL-35", "custom_data is a server error.", first(_breaks, "SALE")
        ),
        "apm-sale-payer-fields-required": breaks(
            "APM-SAL-06",
            "A sale needs the payer's e-mail address and phone number.",
            _refusing(lambda attempt: not attempt.form.get("payer_email"), "payer_email"),
        ),
    }
)
_AUTHORIZATIONS: Final = faults(
    {
        "apm-auth-ignored": breaks(
            "APM-AUT-01 APM-STA-04", "auth holds nothing.", _holding(lambda _auth: False), since="6.7.0"
        ),
        "apm-sale-always-held": breaks("APM-AUT-02", "Every sale is an authorization.", _holding(lambda _: True)),
        "apm-auth-n-holds": breaks("APM-AUT-03", "auth=N holds.", _holding_too("N"), since="6.7.0"),
        "apm-auth-lower-case-holds": breaks("APM-AUT-04", "auth=y holds.", _holding_too("y"), since="6.7.0"),
        "apm-auth-any-text-holds": breaks(
            "APM-AUT-05",
            "Any text but N and y in auth holds.",
            _holding(lambda auth: auth not in {"", "N", "y"}),
            since="6.7.0",
        ),
        "apm-auth-true-holds": breaks(
            "APM-AUT-05",
            "1, TRUE and YES hold as well.",
            _holding_too("1", "TRUE", "true", "YES", "yes"),
            since="6.7.0",
        ),
        "apm-authorization-settles-by-itself": breaks(
            "APM-AUT-06",
            "An authorization settles by itself after some minutes.",
            around(_settled_by_time, "GET_TRANS_STATUS"),
            since="6.7.0",
        ),
        "apm-auth-early": breaks("APM-AUT-07", "auth=Y holds before its release.", _holding_too("Y"), until="6.6.5"),
    }
)
FAULTS: Final = (*_REQUESTS, *_AUTHORIZATIONS)
