"""The field tables of Checkout: valid OpenAPI, complete against the contract, tied to the requirements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from contract.catalogue import load_catalogue
from contract.fields import component, example_of, fields_of, load_document
from contract.model import Basis
from fixtures.cases.field_cases import cases_of
from tests.unit.contract.field_tables import (
    Json,
    further_values_of_no_requirement,
    operations_of,
    properties_both_optional_and_required,
    properties_of,
    releases_in,
    request_schema,
    required_names_that_are_no_properties,
    ruled_nodes,
    rules_in,
    rules_without_a_keyword,
    schemas_with_ambiguous_cases,
    unfit_examples,
    unfit_refusals,
    unknown_releases,
)

JSON = "application/json"
DOCUMENT = load_document("checkout")
SCHEMAS: Mapping[str, Mapping[str, Json]] = DOCUMENT["components"]["schemas"]

ENDPOINTS = {
    "/api/v1/session": "checkout",
    "/api/v1/session/token": "hosted_fields",
    "/api/v1/processing/purchase/card": "hosted_fields",
    "/api/v1/processing/debit/card": "hosted_fields",
    "/api/v1/payment/card/credit": "card_credit",
    "/api/v1/payment/recurring": "recurring",
    "/api/v1/payment/capture": "dms",
    "/api/v1/payment/status#payment_id": "status_lookup",
    "/api/v1/payment/status#order_id": "status_lookup",
    "/api/v1/payment/refund": "refund_endpoint",
    "/api/v1/payment/void": "void_endpoint",
    "/api/v1/payment/retry": "retry_endpoint",
}
"""Every endpoint and the capability that a target declares when it has it."""

ADDRESS = "country state city address house_number zip phone phone_country_code district language"
FIELDS_OF_THE_CONTRACT = {
    "": """merchant_key operation success_url cancel_url expiry_url error_url url_target session_expiry
        checkout_language channel_id hash order customer billing_address parameters custom_data methods req_token
        card_token auth recurring_init schedule_id schedule_start_date payment_schedule_amount vat_calc payee
        payee_billing_address payee_first_name payee_last_name crypto form_id""",
    "crypto.": "network",
    "payee.": "name email",
    "order.": "number amount currency description",
    "customer.": "name email birth_date ip",
    "billing_address.": ADDRESS,
    "payee_billing_address.": ADDRESS,
    "parameters.card.": """bnrg_installm_def bnrg_installm_months bnrg_installm_plan document_type document_number
        social_name fiscal_country descriptor customer_phone customer_telnocc shipping_street1 shipping_city
        shipping_state shipping_postcode shipping_country payer_identity_type payer_identity_id payer_identity_country
        payer_identity_exp_date payer_nationality payer_country_of_birth payee_first_name payee_last_name
        payee_middle_name payee_address payee_city payee_state payee_country payee_zip payee_phone payee_birth_date
        payee_identity_type payee_identity_id payee_identity_country payee_identity_exp_date payee_nationality
        payee_country_of_birth shipping cart marketPlace""",
    "parameters.card.shipping.": """street1 street2 houseNumber1 houseNumber2 city state postcode country method cost
        comment expectedDate logisticsProvider trackingNumber returnTrackingNumber normalized validationStatus warehouse
        preference middleName companyName phone workPhone mobile email type""",
    "parameters.card.cart.": "items payments",
    "parameters.card.cart.items[n].": """name merchantItemId type quantity currency description price totalAmount
        taxAmount totalTaxAmount discount tax taxCategory shipping sku originalPrice giftMessage shippingMethod
        shippingInstructions shippingTrackingNumber sellerId commodityCode commodityDescription quantityUnit productUrl
        imageUrl totalDiscountAmount productCode partNumber vatReferenceNumber itemNumber deliveryDate recipient""",
    "parameters.card.cart.items[n].recipient.": """salutation firstName lastName middleName apartment street address
        city state postcode country phone email""",
    "parameters.card.cart.payments[n].": "name type amount currency status brand primary",
    "parameters.card.marketPlace.": "sellers",
    "parameters.card.marketPlace.sellers[n].": "id amount",
}
"""The session tables of the contract, lines 40-209: the names below each path."""
FAMILY_FIELDS_OF_THE_CONTRACT = {
    "crypto_wallet": "crypto_type network_type bech32 accountId",
    "local_document": "document_number document_type",
    "member_id": "memberId",
    "personal_id": "personal_id",
    "bank_account": "bank_code bank_account_number",
    "instant_account": "upi_id",
    "crypto_deposit": "cryptoCurrency",
    "trading_deposit": "paymentGatewayName paymentCurrency tradingAccountLogin",
    "trading_withdrawal": "withdrawCurrency address tradingAccountLogin",
    "conversion": "toCurrency",
    "product_data": """product_reference_id product_name product_quantity product_sku product_category product_url
        product_image_url product_type""",
    "national_id": "bank_cuil bank_curp",
}
"""The parameters of each method family, lines 215-233."""
LIMITS_OF_THE_CONTRACT = {
    "success_url": (None, 1024),
    "cancel_url": (None, 1024),
    "expiry_url": (None, 1024),
    "error_url": (None, 1024),
    "channel_id": (None, 16),
    "crypto.network": (None, 50),
    "payee.name": (2, 32),
    "order.description": (2, 1024),
    "customer.name": (2, 200),
    **{
        f"{address}.{name}": limits
        for address in ("billing_address", "payee_billing_address")
        for name, limits in {
            "state": (2, 32),
            "city": (2, 40),
            "address": (2, 32),
            "house_number": (1, 9),
            "zip": (2, 10),
            "phone": (1, 32),
            "district": (2, 32),
        }.items()
    },
}
"""Lengths that the tables of lines 40-114 and the limits of lines 470-486 state."""
CREDIT_FIELDS_OF_THE_CONTRACT = """merchant_key order_id order_amount order_currency order_description card_token
    payee_first_name payee_last_name hash"""
"""The card credit table, lines 275-282."""


def resolved(schema: Mapping[str, Json]) -> Mapping[str, Json]:
    return component(DOCUMENT, schema["$ref"].rsplit("/", 1)[1]) if "$ref" in schema else schema


def members_of(schema: Mapping[str, Json], path: str = "") -> Iterator[tuple[str, Mapping[str, Json]]]:
    """Yield every property below a schema with its path, array items as ``[n]``."""
    for name, raw in schema.get("properties", {}).items():
        below = resolved(raw)
        yield f"{path}{name}", below
        yield from members_of(below, f"{path}{name}.")
        if "items" in below:
            yield from members_of(resolved(below["items"]), f"{path}{name}[n].")


def validator_of(schema_name: str) -> Draft202012Validator:
    root = {"$ref": f"#/components/schemas/{schema_name}", "components": DOCUMENT["components"]}
    return Draft202012Validator(root, format_checker=Draft202012Validator.FORMAT_CHECKER)


def test_document_is_valid_openapi() -> None:
    validate(DOCUMENT)

    assert DOCUMENT["openapi"].startswith("3.1")


def test_every_endpoint_has_one_operation() -> None:
    operations = operations_of(DOCUMENT)

    assert {path: operation["x-capability"] for path, operation in operations.items()} == ENDPOINTS
    assert all(path.split("#")[0] == operation.get("x-path", path) for path, operation in operations.items())


def test_every_request_carries_key_and_signature_or_a_session_token() -> None:
    for path, operation in operations_of(DOCUMENT).items():
        schema = request_schema(DOCUMENT, operation, JSON)
        by_token = {"$ref": "#/components/parameters/SessionToken"} in operation.get("parameters", [])

        assert ({"merchant_key", "hash"} <= set(schema["required"])) is not by_token, path
        assert ("x-signed" in operation) is not by_token, path


def test_signed_fields_are_fields_of_the_request() -> None:
    strays = [
        f"{path}: {name}"
        for path, operation in operations_of(DOCUMENT).items()
        for name in operation.get("x-signed", [])
        if name not in dict(members_of(request_schema(DOCUMENT, operation, JSON)))
    ]

    assert strays == []


def test_rules_name_requirements_of_checkout_and_hosted_fields() -> None:
    named = [requirement for _, requirement in rules_in(DOCUMENT)]

    assert len(named) > 300
    assert [each for each in named if each not in load_catalogue()] == []
    assert [each for each in named if not each.startswith(("CHK-", "HPF-"))] == []


def test_rules_of_a_schema_belong_to_its_endpoint() -> None:
    subjects = {
        "SessionToken": {"HPF-TKN"},
        "HostedPayment": {"HPF-PAY"},
        "CardCredit": {"CHK-CRD"},
        "Recurring": {"CHK-REC"},
        "Capture": {"CHK-CAP"},
        "StatusBy": {"CHK-STA"},
        "Refund": {"CHK-RFD"},
        "Void": {"CHK-RFD"},
        "Retry": {"CHK-RFD"},
    }
    for prefix, allowed in subjects.items():
        schemas = [schema for name, schema in SCHEMAS.items() if name.startswith(prefix)]
        found = {rule.rpartition("-")[0] for _, node in ruled_nodes(schemas) for rule in node["x-rules"].values()}

        assert schemas, prefix
        assert found <= allowed, prefix


def test_a_rule_names_a_keyword_that_the_property_has() -> None:
    assert rules_without_a_keyword(DOCUMENT) == []


def test_a_rule_that_a_property_is_required_is_kept_by_the_schema_around_it() -> None:
    strays = []
    for each in properties_of(DOCUMENT):
        together = set().union(*each.parent.get("dependentRequired", {}).values())
        required = {*each.parent.get("required", []), *together}
        if "required" in resolved(each.schema).get("x-rules", {}) and each.name not in required:
            strays.append(each.place)

    assert strays == []


def test_the_accepted_side_of_a_limit_has_a_limit() -> None:
    strays = [
        place
        for place, node in ruled_nodes(DOCUMENT)
        if "accept" in node["x-rules"] and not {"minLength", "maxLength"} & node["x-rules"].keys()
    ]

    assert strays == []


def test_what_the_contract_does_not_show_is_marked_so() -> None:
    catalogue = load_catalogue()
    unmarked, wrongly_marked = [], []
    for each in properties_of(DOCUMENT):
        platform = "platform" in (each.schema.get("x-basis"), each.parent.get("x-basis"))
        for requirement in each.schema.get("x-rules", {}).values():
            by_platform = catalogue[requirement].basis is Basis.PLATFORM
            if by_platform and not platform:
                unmarked.append(f"{each.place}: {requirement}")
            if platform and not by_platform:
                wrongly_marked.append(f"{each.place}: {requirement}")

    assert unmarked == []
    assert wrongly_marked == []


def test_an_optional_property_is_not_required_by_its_schema() -> None:
    assert properties_both_optional_and_required(DOCUMENT) == []


def test_required_names_are_properties() -> None:
    assert required_names_that_are_no_properties(DOCUMENT) == []


def test_every_property_has_an_example_that_keeps_its_limits() -> None:
    assert len(list(properties_of(DOCUMENT))) > 300
    assert unfit_examples(DOCUMENT) == []


def test_a_value_is_not_both_accepted_and_refused() -> None:
    strays = [
        f"{each.place}: {value!r}"
        for each in properties_of(DOCUMENT)
        for value in each.schema.get("x-invalid", ())
        if any(
            value == valid and type(value) is type(valid)
            for valid in (
                each.schema.get("example"),
                *each.schema.get("x-also-valid", ()),
                *each.schema.get("enum", ()),
            )
        )
    ]

    assert strays == []


@pytest.mark.parametrize("schema_name", [name for name, schema in SCHEMAS.items() if "properties" in schema])
def test_the_examples_of_a_schema_together_are_a_valid_value_of_it(schema_name: str) -> None:
    errors = [error.message for error in validator_of(schema_name).iter_errors(example_of(DOCUMENT, schema_name))]

    assert errors == []


@pytest.mark.parametrize("field", [path for path, _ in members_of(SCHEMAS["SessionRequest"])])
def test_every_example_of_a_session_field_is_valid(field: str) -> None:
    schema = dict(members_of(SCHEMAS["SessionRequest"]))[field]
    checker = Draft202012Validator(
        {**schema, "components": DOCUMENT["components"]}, format_checker=Draft202012Validator.FORMAT_CHECKER
    )
    values = [*([schema["example"]] if "example" in schema else []), *schema.get("x-also-valid", ())]

    assert [error.message for value in values for error in checker.iter_errors(value)] == []


def test_every_session_field_of_the_contract_is_there_and_no_other() -> None:
    stated = {f"{path}{name}" for path, names in FIELDS_OF_THE_CONTRACT.items() for name in names.split()}

    assert {path for path, _ in members_of(SCHEMAS["SessionRequest"])} == {"parameters.card", *stated}


def test_every_method_family_of_the_contract_is_there_with_its_parameters() -> None:
    families = {schema["x-family"]: list(schema["properties"]) for schema in SCHEMAS.values() if "x-family" in schema}

    assert families == {family: names.split() for family, names in FAMILY_FIELDS_OF_THE_CONTRACT.items()}


def test_the_card_credit_fields_are_those_of_the_contract() -> None:
    credit = SCHEMAS["CardCreditRequest"]

    assert list(credit["properties"]) == CREDIT_FIELDS_OF_THE_CONTRACT.split()
    assert set(credit["properties"]) - set(credit["required"]) == {"payee_first_name", "payee_last_name"}


@pytest.mark.parametrize(("field", "limits"), LIMITS_OF_THE_CONTRACT.items())
def test_a_length_is_that_of_the_contract(field: str, limits: tuple[int | None, int]) -> None:
    schema = dict(members_of(SCHEMAS["SessionRequest"]))[field]
    stated = {keyword for keyword, limit in zip(("minLength", "maxLength"), limits, strict=True) if limit}

    assert (schema.get("minLength"), schema["maxLength"]) == limits
    assert stated <= schema["x-rules"].keys()


def test_releases_of_properties_and_operations_exist() -> None:
    assert releases_in(DOCUMENT) == {"6.6.3", "6.7.0"}
    assert unknown_releases(DOCUMENT) == set()


def test_a_property_is_dated_like_its_rules() -> None:
    catalogue = load_catalogue()
    dated_operations = {
        id(request_schema(DOCUMENT, operation, JSON)): operation["x-since"]
        for operation in operations_of(DOCUMENT).values()
        if "x-since" in operation
    }
    strays = [
        f"{each.place}: {requirement}"
        for each in properties_of(DOCUMENT)
        for keyword, requirement in each.schema.get("x-rules", {}).items()
        if keyword != "type"
        and (since := catalogue[requirement].since) is not None
        and str(since) not in {each.schema.get("x-since"), dated_operations.get(id(each.parent))}
    ]

    assert strays == []


def test_refusals_name_pairs_that_exist_and_rules_that_the_property_has() -> None:
    assert unfit_refusals(DOCUMENT) == []


def test_every_table_row_becomes_cases_of_its_own() -> None:
    assert schemas_with_ambiguous_cases(DOCUMENT) == []


def test_a_case_at_a_limit_states_the_limit_of_its_row() -> None:
    (size,) = (
        field for field in fields_of(DOCUMENT, "StatusByOrderRequest", baseline="status") if field.name == "size"
    )
    cases = {case.id: case.requirement for case in cases_of(size)}

    assert cases == {
        "size-0-refused": "CHK-STA-11",
        "size-101-refused": "CHK-STA-10",
        "size-1-accepted": "CHK-STA-09",
        "size-100-accepted": "CHK-STA-09",
        "size-1x2e5-refused": "CHK-STA-13",
        "size-ten-refused": "CHK-STA-13",
    }


def test_accepting_a_further_value_belongs_to_a_requirement_that_says_what_is_accepted() -> None:
    assert further_values_of_no_requirement(DOCUMENT) == []
