"""Rows of ``parameters[...]`` of S2S APM sales, by the family of the brand."""

from collections.abc import Iterator
from typing import Final

from emulator.rules.model import Condition, Rule
from emulator.rules.s2s_apm.brands import SALES

_REQUIRED: Final = (
    ("crypto_wallet", "crypto_type", "APM-MTH-02"),
    ("bank_account", "bank_code", "APM-MTH-11"),
    ("bank_account", "bank_account_number", "APM-MTH-12"),
    ("instant_account", "upi_id", "APM-MTH-13"),
    ("crypto_deposit", "cryptoCurrency", "APM-MTH-14"),
    ("trading_deposit", "paymentGatewayName", "APM-MTH-15"),
    ("trading_deposit", "paymentCurrency", "APM-MTH-16"),
    ("trading_withdrawal", "withdrawCurrency", "APM-MTH-18"),
    ("trading_withdrawal", "address", "APM-MTH-19"),
    ("conversion", "toCurrency", "APM-MTH-21"),
    ("wallet", "paymentToken", "APM-MTH-28"),
)
# Taken when they are sent, and never asked for.
_OPTIONAL: Final = (
    ("crypto_wallet", "accountId", "APM-MTH-06"),
    ("trading_deposit", "tradingAccountLogin", "APM-MTH-17"),
    ("trading_withdrawal", "tradingAccountLogin", "APM-MTH-20"),
    ("national_id", "bank_cuil", "APM-MTH-27"),
    ("national_id", "bank_curp", "APM-MTH-27"),
)
# Taken when they are sent; what their absence leads to is left to the method.
_CONDITIONAL: Final = (
    ("local_document", "document_number", "APM-MTH-07"),
    ("local_document", "document_type", "APM-MTH-08"),
    ("member_id", "memberId", "APM-MTH-09"),
    ("personal_id", "personal_id", "APM-MTH-10"),
    ("product_data", "product_sku", "APM-MTH-25"),
    ("product_data", "product_category", "APM-MTH-25"),
    ("product_data", "product_url", "APM-MTH-25"),
    ("product_data", "product_image_url", "APM-MTH-25"),
    ("product_data", "product_type", "APM-MTH-25"),
)
_PRODUCT_LIMITS: Final = (
    ("product_reference_id", 64, "APM-MTH-22"),
    ("product_name", 255, "APM-MTH-23"),
    ("product_quantity", 4, "APM-MTH-24"),
)


def of_family(family: str) -> Condition:
    """The brand of the sale belongs to ``family``."""
    return lambda context, _parent: SALES.get(str(context.body.get("brand"))) == family


def path_of(name: str) -> str:
    """The path of a parameter."""
    return f"parameters.{name}"


def _given(family: str, name: str, requirement: str) -> Iterator[Rule]:
    yield Rule(path_of(name), "type", "string")
    yield Rule(path_of(name), "accepted", requirement=requirement, when=of_family(family), tag=family)


def _rows() -> Iterator[Rule]:
    for family, name, requirement in _REQUIRED:
        path, when = path_of(name), of_family(family)
        yield Rule(path, "required", requirement=requirement, when=when, tag=family)
        yield Rule(path, "type", "string")
        yield Rule(path, "notBlank", when=when, tag=family)
    for family, name, requirement in _OPTIONAL:
        yield from _given(family, name, requirement)
        yield Rule(path_of(name), "optional", requirement=requirement, when=of_family(family), tag=family)
    for family, name, requirement in _CONDITIONAL:
        yield from _given(family, name, requirement)
        if family != "product_data":
            yield Rule(path_of(name), "handledWithout", requirement=requirement, when=of_family(family), tag=family)
    for name, longest, requirement in _PRODUCT_LIMITS:
        yield Rule(path_of(name), "type", "string")
        yield Rule(path_of(name), "maxLength", longest, requirement=requirement)


_COINS: Final = of_family("crypto_wallet")

ROWS: Final = (
    *_rows(),
    Rule(
        path_of("product_name"),
        "handledWithout",
        requirement="APM-MTH-26",
        when=of_family("product_data"),
    ),
    Rule("parameters.network_type", "type", "string"),
    Rule("parameters.network_type", "enum", ("eth", "tron"), requirement="APM-MTH-03", when=_COINS),
    Rule("parameters.network_type", "optional", requirement="APM-MTH-04", when=_COINS),
    Rule("parameters.bech32", "type", "string"),
    Rule("parameters.bech32", "enum", ("true", "false"), requirement="APM-MTH-05", when=_COINS),
    Rule("parameters.product_quantity", "pattern", "[0-9]*", requirement="APM-MTH-24"),
)
