"""Faults of mobile-money payouts."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.changes.s2s_apm import answering, last, leaving_out, without
from emulator.design import Change
from emulator.faults.model import Fault, breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt
from emulator.protocols.s2s_apm.stages import check_payout_brand
from emulator.rules.keywords import DECIMAL
from emulator.rules.model import BreakdownError, Context, JsonObject, Rule
from emulator.rules.s2s_apm.operators import OPERATORS, Operator
from emulator.rules.s2s_apm.payout import operator_of
from emulator.wire.replies import INVALID_DATA, Kind, Refusal
from emulator.wire.values import Object

_ACTION: Final = "CREDIT2VIRTUAL"
_PAYOUT: Final = Kind.APM_PAYOUT
Limits = Callable[[Operator], tuple[int, int]]
# Requirement of each corridor: the operators that share limits.
_CORRIDORS: Final = (
    ("APM-C2V-15", "ghana", ("airtel-gh", "mtn-gh", "tigo-gh", "vodafone-gh")),
    ("APM-C2V-16", "kenya-first", ("airtel-ke", "safaricom-ke")),
    ("APM-C2V-17", "kenya-one", ("equitel-ke",)),
    ("APM-C2V-18", "kenya-last", ("t-kash-ke", "telcom-ke")),
    ("APM-C2V-19", "cote-d-ivoire", ("moov-ci", "mtn-ci", "orange-ci", "wave-ci")),
    ("APM-C2V-20", "cameroon-first", ("mtn-cm",)),
    ("APM-C2V-21", "cameroon-second", ("orange-cm",)),
    ("APM-C2V-22", "tanzania", ("airtel-tz", "halopesa-tz", "tigo-tz", "vodacom-tz")),
    ("APM-C2V-23", "egypt", ("aman-eg", "etisalat-eg", "orange-eg", "vodafone-eg")),
)


def _rows(change: Callable[[Rule], Rule | None]) -> Change:
    return lambda design: design.with_apm_rows(_ACTION, change)


def _row(path: str, keyword: str, change: Callable[[Rule], Rule | None], tag: str = "") -> Change:
    return _rows(lambda row: change(row) if (row.path, row.keyword, row.tag) == (path, keyword, tag) else row)


def _limits(slugs: tuple[str, ...], limits: Limits) -> Change:
    def within(value: object, _parent: JsonObject, context: Context) -> bool:
        operator = operator_of(context.body)
        if operator is None or not isinstance(value, str) or DECIMAL.fullmatch(value) is None:
            return True
        least, most = limits(operator) if operator.slug in slugs else (operator.least, operator.most)
        return least <= Decimal(value) <= most

    changed = _row("order_amount", "combination", lambda row: replace(row, bound=within), "limits")
    positive = _row("order_amount", "positive", lambda row: replace(row, bound=within))
    return lambda design: changed(positive(design))


def _of_corridor(requirement: str, name: str, slugs: tuple[str, ...]) -> Iterator[Fault]:
    ways: tuple[tuple[str, str, Limits], ...] = (
        ("least-refused", "The least amount is refused.", lambda op: (op.least + 1, op.most)),
        ("most-refused", "The largest amount is refused.", lambda op: (op.least, op.most - 1)),
        ("less-accepted", "One less than the least is accepted.", lambda op: (op.least - 1, op.most)),
        ("more-accepted", "One more than the largest is accepted.", lambda op: (op.least, op.most + 1)),
    )
    for way, summary, limits in ways:
        yield Fault(f"apm-payout-{name}-{way}", (requirement,), f"{name}: {summary}", _limits(slugs, limits))


def _refusing(applies: Callable[[ApmAttempt], bool], name: str) -> Change:
    def stage(attempt: ApmAttempt) -> Refusal | None:
        violations = ((name, "This value is not valid."),)
        return Refusal(Kind.APM_FIELDS, INVALID_DATA, violations=violations) if applies(attempt) else None

    return last(stage, _ACTION)


def _breaking(applies: Callable[[ApmAttempt], bool]) -> Change:
    def stage(attempt: ApmAttempt) -> None:
        if applies(attempt):
            raise BreakdownError

    return last(stage, _ACTION)


def _operator(attempt: ApmAttempt) -> str:
    return attempt.form.get("parameters[mobile_money_operator]", "")


def _number(attempt: ApmAttempt) -> str:
    return attempt.form.get("parameters[mobile_number]", "")


def _zero_fraction(attempt: ApmAttempt) -> bool:
    return attempt.form.get("order_amount", "").endswith(".00") and _operator(attempt)[-2:] in {"ci", "cm"}


def _fraction_breaks(design: Change) -> Change:
    allowed = _row("order_amount", "decimals", lambda _row: None)
    return lambda given: allowed(design(given))


def _positive(refuses: Callable[[Decimal], bool]) -> Change:
    def positive(value: object, _parent: JsonObject, _context: Context) -> bool:
        return not isinstance(value, str) or DECIMAL.fullmatch(value) is None or not refuses(Decimal(value))

    taken = _row("order_amount", "positive", lambda row: replace(row, bound=positive))
    unlimited = _row("order_amount", "combination", lambda row: replace(row, bound=positive), "limits")
    return lambda design: unlimited(taken(design))


def _numbers(accepts: Callable[[str, str], bool]) -> Change:
    def look(value: object, _parent: JsonObject, context: Context) -> bool:
        operator = operator_of(context.body)
        return operator is None or not isinstance(value, str) or accepts(value, operator.number)

    return _row("parameters.mobile_number", "combination", lambda row: replace(row, bound=look))


def _other_country(value: str, _number: str) -> bool:
    return any(re.fullmatch(operator.number, value, re.ASCII) for operator in OPERATORS.values())


def _any_length(value: str, number: str) -> bool:
    return value.isdigit() and value[:2] == number[:2]


def _with_letters(value: str, number: str) -> bool:
    return re.fullmatch(number, re.sub("[A-Za-z]", "1", value), re.ASCII) is not None


def _paid(**members: object) -> Change:
    return answering(lambda body: body | members if body.get("status") == "SETTLED" else body, _PAYOUT)


def _open(body: Object) -> Object:
    return body | {"result": "SUCCESS", "status": "SETTLED"} if body.get("status") == "PREPARE" else body


_REQUESTS: Final = (
    *faults(
        {
            "apm-payout-refused": breaks("APM-C2V-01", "Every payout is refused.", _refusing(lambda _: True, "brand")),
            "apm-payout-zero-fraction-server-error": breaks(
                "APM-C2V-25",
                "An amount in XOF or XAF with .00 is a server error.",
                _fraction_breaks(_breaking(_zero_fraction)),
            ),
            "apm-payout-any-operator-written-so": breaks(
                "APM-C2V-27",
                "Any operator of a known country is taken.",
                _row(
                    "parameters.mobile_money_operator",
                    "enum",
                    lambda row: replace(row, keyword="pattern", bound="[a-z-]+-(gh|ke|ci|cm|tz|eg)"),
                ),
            ),
            "apm-payout-operator-refused": breaks(
                "APM-C2V-28",
                "vodafone-eg is no operator.",
                _refusing(lambda attempt: _operator(attempt) == "vodafone-eg", "mobile_money_operator"),
            ),
            "apm-payout-operator-server-error": breaks(
                "APM-C2V-28",
                "t-kash-ke is a server error.",
                _breaking(lambda attempt: _operator(attempt) == "t-kash-ke"),
            ),
            "apm-payout-number-of-country-refused": breaks(
                "APM-C2V-29",
                "Numbers of Côte d'Ivoire have twelve digits.",
                _refusing(lambda attempt: len(_number(attempt)) == len("2250512345678"), "mobile_number"),
            ),
            "apm-payout-number-of-other-country": breaks(
                "APM-C2V-30", "Any country's number is taken.", _numbers(_other_country)
            ),
            "apm-payout-number-any-length": breaks(
                "APM-C2V-30", "A number of any length is taken.", _numbers(_any_length)
            ),
            "apm-payout-number-letters": breaks("APM-C2V-30", "Letters are taken for digits.", _numbers(_with_letters)),
            "apm-payout-zero": breaks(
                "APM-C2V-33", "A payout of nothing is made.", _positive(lambda number: number < 0)
            ),
            "apm-payout-negative": breaks(
                "APM-C2V-33", "A payout of less than nothing is made.", _positive(lambda number: number == 0)
            ),
            "apm-payout-unknown-brand": breaks(
                "APM-C2V-36", "A brand of nobody pays out.", without(check_payout_brand, _ACTION)
            ),
        }
    ),
    *(fault for corridor in _CORRIDORS for fault in _of_corridor(*corridor)),
)
_ANSWERS: Final = faults(
    {
        **{
            f"apm-payout-without-{name.replace('_', '-')}": breaks(
                "APM-C2V-34", f"The answer to a payout has no {name}.", leaving_out(name, _PAYOUT)
            )
            for name in ("order_id", "trans_id", "trans_date", "amount", "currency")
        },
        "apm-payout-accepted-only": breaks(
            "APM-C2V-35", "A payout that was paid is answered with ACCEPTED.", _paid(result="ACCEPTED")
        ),
        "apm-payout-paid-pending": breaks(
            "APM-C2V-35", "A payout that was paid is answered with status PENDING.", _paid(status="PENDING")
        ),
        "apm-payout-open-settled": breaks(
            "APM-C2V-35", "An open payout is answered as paid.", answering(_open, _PAYOUT)
        ),
    }
)
FAULTS: Final = (*_REQUESTS, *_ANSWERS)
