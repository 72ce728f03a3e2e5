"""Rows of the parameters of methods other than cards, by the method's identifier."""

from collections.abc import Iterator
from typing import Final

from emulator.accounts import METHODS
from emulator.rules.conditions import only_method
from emulator.rules.model import Rule

_OF_FAMILY: Final = {family: method for method, family in METHODS.items()}

# Required parameters of each family, with the requirement of each.
_REQUIRED: Final = {
    "crypto_wallet": {"crypto_type": "CHK-MTH-01"},
    "bank_account": {"bank_code": "CHK-MTH-09", "bank_account_number": "CHK-MTH-10"},
    "instant_account": {"upi_id": "CHK-MTH-11"},
    "crypto_deposit": {"cryptoCurrency": "CHK-MTH-12"},
    "trading_deposit": {"paymentGatewayName": "CHK-MTH-13", "paymentCurrency": "CHK-MTH-14"},
    "trading_withdrawal": {"withdrawCurrency": "CHK-MTH-16", "address": "CHK-MTH-17"},
    "conversion": {"toCurrency": "CHK-MTH-19"},
}
# Optional ones: they may be left out, and are accepted when sent.
_OPTIONAL: Final = {
    "crypto_wallet": {"accountId": "CHK-MTH-04"},
    "local_document": {"document_number": "CHK-MTH-05", "document_type": "CHK-MTH-06"},
    "member_id": {"memberId": "CHK-MTH-07"},
    "personal_id": {"personal_id": "CHK-MTH-08"},
    "trading_deposit": {"tradingAccountLogin": "CHK-MTH-15"},
    "trading_withdrawal": {"tradingAccountLogin": "CHK-MTH-18"},
    "product_data": {
        "product_sku": "CHK-MTH-23",
        "product_category": "CHK-MTH-23",
        "product_url": "CHK-MTH-23",
        "product_image_url": "CHK-MTH-23",
        "product_type": "CHK-MTH-23",
    },
    "national_id": {"bank_cuil": "CHK-MTH-24", "bank_curp": "CHK-MTH-24"},
}


def _required() -> Iterator[Rule]:
    for family in _REQUIRED:
        yield Rule("parameters", "required", when=only_method(family, METHODS), text="This method needs parameters.")
    for family, names in _REQUIRED.items():
        method = f"parameters.{_OF_FAMILY[family]}"
        alone = only_method(family, METHODS)
        yield Rule(method, "type", "object")
        yield Rule(method, "required", when=alone, text="The parameters of this method are required.")
        for name, requirement in names.items():
            yield Rule(f"{method}.{name}", "required", requirement=requirement)
            yield Rule(f"{method}.{name}", "type", "string")
            yield Rule(f"{method}.{name}", "notBlank")


def _optional() -> Iterator[Rule]:
    for family, names in _OPTIONAL.items():
        method = f"parameters.{_OF_FAMILY[family]}"
        yield Rule(method, "type", "object")
        for name, requirement in names.items():
            yield Rule(f"{method}.{name}", "type", "string")
            yield Rule(f"{method}.{name}", "accepted", requirement=requirement)
            if family != "product_data":
                yield Rule(f"{method}.{name}", "optional", requirement=requirement)


_CRYPTO: Final = f"parameters.{_OF_FAMILY['crypto_wallet']}"
_PRODUCT: Final = f"parameters.{_OF_FAMILY['product_data']}"

METHOD_PARAMETERS: Final = (
    *_required(),
    *_optional(),
    Rule(f"{_CRYPTO}.network_type", "type", "string"),
    Rule(f"{_CRYPTO}.network_type", "enum", ("eth", "tron"), requirement="CHK-MTH-02"),
    Rule(f"{_CRYPTO}.bech32", "type", "boolean", requirement="CHK-MTH-03"),
    Rule(f"{_CRYPTO}.bech32", "accepted", requirement="CHK-MTH-03"),
    Rule(f"{_PRODUCT}.product_reference_id", "type", "string"),
    Rule(f"{_PRODUCT}.product_reference_id", "maxLength", 64, requirement="CHK-MTH-20"),
    Rule(f"{_PRODUCT}.product_name", "type", "string"),
    Rule(f"{_PRODUCT}.product_name", "maxLength", 255, requirement="CHK-MTH-21"),
    Rule(f"{_PRODUCT}.product_quantity", "type", "numeric"),
    Rule(f"{_PRODUCT}.product_quantity", "pattern", "[0-9]*", requirement="CHK-MTH-22"),
    Rule(f"{_PRODUCT}.product_quantity", "maxLength", 4, requirement="CHK-MTH-22"),
)
