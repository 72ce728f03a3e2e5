"""Faults of amounts, currencies, languages and the request as a whole."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from emulator.changes.checkout_sessions import instead, last
from emulator.design import Change, Design
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.session import Attempt, check_fields
from emulator.rules.amounts import is_zero, order_amount_decimals, order_amount_positive
from emulator.rules.conditions import on
from emulator.rules.keywords import DECIMAL, FORMATS
from emulator.rules.model import Check, Context, JsonObject, Rule
from emulator.wire.replies import INVALID_DATA, Kind, Refusal

# The same rule for sales.
_OF_SALES: Final = {"2": "S2C-SAL-12", "0": "S2C-SAL-13", "3": "S2C-SAL-14", "4": "S2C-SAL-15"}
_SHORTEST: Final = 3
_LONGEST: Final = 6
_DECIMAL_SHAPES: Final = (
    ("amount-decimal-comma", "10,00 is accepted.", r"[0-9]+,[0-9]+"),
    ("amount-thousands-separator", "1,000.00 is accepted.", r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?"),
    ("amount-exponent", "1.00e1 is accepted.", r"[0-9]+(?:\.[0-9]+)?[eE][+\-]?[0-9]+"),
    ("amount-plus-sign", "+10.00 is accepted.", r"\+[0-9]+(?:\.[0-9]+)?"),
)
_DECIMALS: Final = (
    ("amount-exponent-2-none", "CHK-AMT-01", "2", (0, 2), "without decimals"),
    ("amount-exponent-2-one", "CHK-AMT-01", "2", (1, 2), "with one decimal"),
    ("amount-exponent-2-three", "CHK-AMT-01", "2", (2, 3), "with three decimals"),
    ("amount-exponent-0-two-refused", "CHK-AMT-02", "0", (), "none at all"),
    ("amount-exponent-0-none", "CHK-AMT-03", "0", (0, 2), "without decimals"),
    ("amount-exponent-0-one", "CHK-AMT-03", "0", (1, 2), "with one decimal"),
    ("amount-exponent-0-three", "CHK-AMT-03", "0", (2, 3), "with three decimals"),
    ("amount-exponent-3-refused", "CHK-AMT-05", "3", (2,), "with two decimals only"),
    ("amount-exponent-3-two", "CHK-AMT-05", "3", (2, 3), "with two decimals"),
    ("amount-exponent-3-four", "CHK-AMT-05", "3", (3, 4), "with four decimals"),
    ("amount-exponent-4-refused", "CHK-AMT-06", "4", (2,), "with two decimals only"),
    ("amount-exponent-4-three", "CHK-AMT-06", "4", (3, 4), "with three decimals"),
    ("amount-exponent-4-five", "CHK-AMT-06", "4", (4, 5), "with five decimals"),
)


def _row(path: str, keyword: str, /, **changes: object) -> Change:
    def change(design: Design) -> Design:
        return design.with_rows(
            lambda row: replace(row, **changes) if (row.path, row.keyword) == (path, keyword) else row  # type: ignore[arg-type]
        )

    return change


def _shape(expression: str) -> Change:
    pattern = rf"{DECIMAL.pattern}|{expression}"
    return _row("order.amount", "format", keyword="pattern", bound=pattern)


def _decimals(exponent: str, allowed: tuple[int, ...]) -> Change:
    def change(design: Design) -> Design:
        decimals: Mapping[str, tuple[int, ...]] = {**design.amounts.decimals, exponent: allowed}
        return replace(design, amounts=replace(design.amounts, decimals=decimals))

    return change


def _amounts(**changes: object) -> Change:
    return lambda design: replace(design, amounts=replace(design.amounts, **changes))  # type: ignore[arg-type]


def _currency(accepts: "Check") -> Change:
    def change(design: Design) -> Design:
        def test(row: Rule) -> Rule | None:
            if row.path != "order.currency" or row.keyword not in {"minLength", "maxLength", "format"}:
                return row
            return replace(row, keyword="combination", bound=accepts) if row.keyword == "format" else None

        return design.with_rows(test)

    return change


def _short_or_known(value: object, _parent: JsonObject, _context: Context) -> bool:
    return isinstance(value, str) and (0 < len(value) < _SHORTEST or FORMATS["currency"](value))


def _long_or_known(value: object, _parent: JsonObject, _context: Context) -> bool:
    return isinstance(value, str) and (len(value) > _LONGEST or FORMATS["currency"](value))


def _negative_is_fine(value: object, parent: JsonObject, context: Context) -> bool:
    return (isinstance(value, str) and value.startswith("-") and not is_zero(value)) or order_amount_positive(
        value, parent, context
    )


def _zero_is_fine(value: object, parent: JsonObject, context: Context) -> bool:
    return (isinstance(value, str) and is_zero(value)) or order_amount_positive(value, parent, context)


def _on_others(lax: Check) -> Check:
    def check(value: object, parent: JsonObject, context: Context) -> bool:
        return (order_amount_positive if context.operation == "purchase" else lax)(value, parent, context)

    return check


def _minus_one_is_fine(design: Design) -> Design:
    def unless_minus_one(check: Check) -> Check:
        return lambda value, parent, context: value == "-1" or check(value, parent, context)

    positive = _row("order.amount", "positive", bound=unless_minus_one(order_amount_positive))
    return _row("order.amount", "decimals", bound=unless_minus_one(order_amount_decimals))(positive(design))


def _nothing_unknown(design: Design) -> Design:
    known = {row.path.partition(".")[0].removesuffix("[]") for row in design.session_rows} | {"order", "parameters"}

    def stage(attempt: Attempt) -> Refusal | None:
        unknown = tuple((name[:100], "This field was not expected.") for name in attempt.body if name not in known)
        return Refusal(Kind.FIELDS, INVALID_DATA, violations=unknown) if unknown else None

    return last(stage)(design)


def _first_items(value: object) -> object:
    if isinstance(value, dict):
        return {name: _first_items(item) for name, item in value.items()}
    return [_first_items(item) for item in value[:1]] if isinstance(value, list) else value


def _only_first_items(attempt: Attempt) -> Refusal | None:
    sent = attempt.body
    attempt.body = {name: _first_items(value) if name == "parameters" else value for name, value in sent.items()}
    refusal = check_fields(attempt)
    attempt.body = sent
    return refusal


def _one_purchase(design: Design) -> Design:
    opened: set[str] = set()

    def stage(attempt: Attempt) -> Refusal | None:
        if attempt.body.get("operation") != "purchase":
            return None
        if opened:
            return Refusal(Kind.FIELDS, INVALID_DATA, violations=(("operation", "There are no purchases any more."),))
        opened.add(attempt.number)
        return None

    return last(stage)(design)


FAULTS: Final = faults(
    {
        "purchase-opened-once": breaks("CHK-SES-01", "Every purchase after the first one is refused.", _one_purchase),
        **{name: breaks("CHK-AMT-08", summary, _shape(expression)) for name, summary, expression in _DECIMAL_SHAPES},
        **{
            name: breaks(
                (requirement, _OF_SALES[exponent]),
                f"Amounts of currencies with exponent {exponent} are accepted {which}.",
                _decimals(exponent, allowed),
            )
            for name, requirement, exponent, allowed, which in _DECIMALS
        },
        "amount-crypto-one-more": breaks(
            "CHK-AMT-07", "One decimal too many is accepted.", _amounts(crypto_slack=(0, 1))
        ),
        "amount-crypto-refused": breaks(
            "CHK-AMT-07", "The decimals of the asset are refused.", _amounts(crypto_slack=(1,))
        ),
        "negative-amount-accepted": breaks(
            "CHK-ORD-09",
            "An amount below nothing is accepted.",
            _row("order.amount", "positive", bound=_negative_is_fine),
        ),
        "minus-one-accepted": breaks("CHK-ORD-11", "-1 is accepted whatever the operation.", _minus_one_is_fine),
        "zero-amount-on-other-operations-accepted": breaks(
            "CHK-ORD-25",
            "A zero amount is accepted of everything but purchases.",
            _row("order.amount", "positive", bound=_on_others(_zero_is_fine)),
        ),
        "negative-amount-on-other-operations-accepted": breaks(
            "CHK-ORD-26",
            "An amount below nothing is accepted of everything but purchases.",
            _row("order.amount", "positive", bound=_on_others(_negative_is_fine)),
        ),
        "zero-amount-accepted": breaks(
            "CHK-ORD-19",
            "A zero amount is accepted whatever the request.",
            _row("order.amount", "positive", bound=_zero_is_fine),
        ),
        "zero-amount-other-text": breaks(
            "CHK-ORD-19",
            "A zero amount is refused in other words.",
            _row("order.amount", "positive", text="This value is too low."),
        ),
        "zero-amount-auth-refused": breaks(
            "CHK-ORD-20",
            "A zero amount is refused for authorizations.",
            _amounts(zero_when=("recurring_init",)),
            since="6.7.0",
        ),
        "zero-amount-recurring-refused": breaks(
            "CHK-ORD-21",
            "A zero amount is refused at the start of a chain.",
            _amounts(zero_when=("auth",)),
            since="6.7.0",
        ),
        "zero-amount-auth-without-provider": breaks(
            "CHK-ORD-22",
            "A zero authorization is accepted where the provider has none.",
            _amounts(zero_needs_provider=frozenset({"recurring_init"})),
            since="6.7.0",
        ),
        "zero-amount-recurring-without-provider": breaks(
            "CHK-ORD-23",
            "A zero start of a chain is accepted where the provider has none.",
            _amounts(zero_needs_provider=frozenset({"auth"})),
            since="6.7.0",
        ),
        "currency-short-accepted": breaks(
            "CHK-ORD-14", "A currency of two characters is accepted.", _currency(_short_or_known)
        ),
        "currency-long-accepted": breaks(
            "CHK-ORD-15", "A currency of seven characters is accepted.", _currency(_long_or_known)
        ),
        "language-other-text": breaks(
            "CHK-SES-29",
            "An unsupported language is refused in other words.",
            _row("checkout_language", "enum", text="This value is not valid."),
        ),
        "state-checked-everywhere": breaks(
            "CHK-BIL-10",
            "The state is validated whatever the country.",
            lambda design: design.with_rows(
                lambda row: (
                    replace(row, when=None)
                    if row.path == "billing_address.state" and row.requirement == "CHK-BIL-02"
                    else row
                )
            ),
            since="6.7.0",
        ),
        "rules-of-first-items-only": breaks(
            "CHK-EXT-04",
            "Only the first item of a list of parameters is looked at.",
            instead(check_fields, _only_first_items),
        ),
        "rules-of-purchases-only": breaks(
            "CHK-SES-83",
            "The form of success_url is looked at for purchases only.",
            _row("success_url", "format", when=on("purchase")),
        ),
        "unknown-members-refused": breaks("GEN-ERR-21", "Members that are not known are refused.", _nothing_unknown),
    }
)
