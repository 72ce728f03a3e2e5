"""The parameter tables of the S2S protocols: valid OpenAPI, tied to the requirements, and true to their own limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from contract.catalogue import load_catalogue
from contract.errors import load_errors
from contract.fields import fields_of, load_document
from contract.model import RELEASES, Basis
from fixtures.field_cases import cases_of

Json = Any

PREFIXES = {"s2s_card": "S2C-", "s2s_apm": "APM-"}
DOCUMENTS = pytest.mark.parametrize("name", PREFIXES)
ACTIONS = {
    "s2s_card": [
        "SALE",
        "DEBIT",
        "RECURRING_SALE",
        "RECURRING_DEBIT",
        "CARD2CARD",
        "CREDIT2CARD",
        "CAPTURE",
        "VOID",
        "CREDITVOID",
        "RETRY",
        "GET_TRANS_STATUS",
        "GET_TRANS_STATUS_BY_ORDER",
        "GET_TRANS_DETAILS",
        "CREATE_SCHEDULE",
        "UPDATE_SCHEDULE",
        "DELETE_SCHEDULE",
        "SCHEDULE_INFO",
        "PAUSE",
        "RUN",
        "DESCHEDULE",
    ],
    "s2s_apm": ["SALE", "CAPTURE", "CREDITVOID", "VOID", "GET_TRANS_STATUS", "CREDIT2VIRTUAL"],
}
KEPT_BY_THE_SCHEMA = {"type", "minLength", "maxLength", "enum", "format", "pattern", "anyOf"}
"""Keywords of ``x-rules`` that the schema of the property must have itself."""
NEEDED_BY = {"invalid": "x-invalid", "valid": "example"}
"""What a property must give for a keyword that JSON Schema does not have."""


@dataclass(frozen=True)
class Property:
    """A property and the schema that it stands in."""

    place: str
    name: str
    schema: Mapping[str, Json]
    parent: Mapping[str, Json]


def properties_of(document: Mapping[str, Json]) -> Iterator[Property]:
    for schema_name, parent in document["components"]["schemas"].items():
        for name, schema in parent.get("properties", {}).items():
            yield Property(f"{schema_name}.{name}", name, schema, parent)


def operations_of(document: Mapping[str, Json]) -> dict[str, Mapping[str, Json]]:
    return {path: item["post"] for path, item in document["paths"].items()}


def request_schema(document: Mapping[str, Json], operation: Mapping[str, Json]) -> Mapping[str, Json]:
    reference = operation["requestBody"]["content"]["application/x-www-form-urlencoded"]["schema"]["$ref"]
    schema: Mapping[str, Json] = document["components"]["schemas"][reference.rsplit("/", 1)[1]]
    return schema


def rules_in(node: Json) -> Iterator[tuple[str, str]]:
    if isinstance(node, list):
        for item in node:
            yield from rules_in(item)
    elif isinstance(node, dict):
        yield from node.get("x-rules", {}).items()
        for value in node.values():
            yield from rules_in(value)


def own_validator(schema: Mapping[str, Json]) -> Draft202012Validator:
    """Validate with the formats, and without what the property says of other schemas."""
    refers = any("$ref" in each for each in schema.get("anyOf", []))
    alone = {keyword: value for keyword, value in schema.items() if not (keyword == "anyOf" and refers)}
    return Draft202012Validator(alone, format_checker=Draft202012Validator.FORMAT_CHECKER)


@DOCUMENTS
def test_document_is_valid_openapi(name: str) -> None:
    document = load_document(name)

    validate(document)

    assert document["openapi"].startswith("3.1")


@DOCUMENTS
def test_every_action_has_one_operation(name: str) -> None:
    document = load_document(name)
    operations = operations_of(document)

    assert [operation["x-action"] for operation in operations.values()] == ACTIONS[name]
    assert list(operations) == [f"{each['x-path']}#{each['x-action']}" for each in operations.values()]
    assert {operation["x-path"] for operation in operations.values()} == {"/post"}
    for operation in operations.values():
        schema = request_schema(document, operation)
        assert schema["properties"]["action"]["const"] == operation["x-action"]
        assert {"action", "client_key", "hash"} <= set(schema["required"]), operation["x-action"]


@DOCUMENTS
def test_objects_are_sent_in_bracket_keys(name: str) -> None:
    document = load_document(name)
    for operation in operations_of(document).values():
        content = operation["requestBody"]["content"]["application/x-www-form-urlencoded"]
        objects = request_schema(document, operation)["properties"].keys() & {"parameters", "custom_data"}

        assert content.get("encoding", {}).keys() == objects, operation["x-action"]
        assert all(each == {"style": "deepObject", "explode": True} for each in content.get("encoding", {}).values())


@DOCUMENTS
def test_rules_name_requirements_of_the_protocol(name: str) -> None:
    named = [requirement for _, requirement in rules_in(load_document(name))]

    assert len(named) > 100
    assert [each for each in named if each not in load_catalogue()] == []
    assert [each for each in named if not each.startswith(PREFIXES[name])] == []


@DOCUMENTS
def test_a_rule_names_a_keyword_that_the_property_has(name: str) -> None:
    strays = []
    for each in properties_of(load_document(name)):
        for keyword in each.schema.get("x-rules", {}):
            needed = NEEDED_BY.get(keyword, keyword)
            if (needed in KEPT_BY_THE_SCHEMA or keyword in NEEDED_BY) and needed not in each.schema:
                strays.append(f"{each.place}: {keyword}")

    assert strays == []


@DOCUMENTS
def test_an_optional_property_is_not_required_by_its_schema(name: str) -> None:
    strays = [
        each.place
        for each in properties_of(load_document(name))
        if "optional" in each.schema.get("x-rules", {}) and each.name in each.parent.get("required", [])
    ]

    assert strays == []


@DOCUMENTS
def test_required_names_are_properties(name: str) -> None:
    for schema_name, schema in load_document(name)["components"]["schemas"].items():
        missing = set(schema.get("required", [])) - schema.get("properties", {}).keys()
        assert not missing, f"{schema_name} requires {missing}"


@DOCUMENTS
def test_every_property_has_an_example_that_keeps_its_limits(name: str) -> None:
    checked = 0
    for each in properties_of(load_document(name)):
        if each.schema.keys() & {"$ref", "items"}:
            continue
        assert "example" in each.schema, f"{each.place} has no example"
        for value in (each.schema["example"], *each.schema.get("x-also-valid", ())):
            errors = list(own_validator(each.schema).iter_errors(value))
            assert not errors, f"{each.place}: {value!r}: {errors[0].message}"
        checked += 1

    assert checked > 100


@DOCUMENTS
def test_releases_of_properties_and_actions_exist(name: str) -> None:
    document = load_document(name)
    dated = [*operations_of(document).values(), *(each.schema for each in properties_of(document))]
    releases = {each[key] for each in dated for key in ("x-since", "x-retired-since") if key in each}

    assert "6.7.0" in releases
    assert releases <= set(RELEASES)


@DOCUMENTS
def test_refusals_name_pairs_that_exist_and_rules_that_the_property_has(name: str) -> None:
    strays = [
        f"{each.place}: {keyword}: {pair}"
        for each in properties_of(load_document(name))
        for keyword, pair in each.schema.get("x-errors", {}).items()
        if keyword not in each.schema["x-rules"] or not (pair == "any" or pair in load_errors())
    ]

    assert strays == []


@DOCUMENTS
def test_every_table_row_becomes_cases_of_its_own(name: str) -> None:
    document = load_document(name)
    for schema_name in document["components"]["schemas"]:
        if not schema_name.endswith(("Request", "Parameters")):
            continue
        cases = [case for field in fields_of(document, schema_name, baseline="any") for case in cases_of(field)]

        assert len({case.id for case in cases}) == len(cases), schema_name


def test_corridors_say_what_their_requirements_say() -> None:
    catalogue = load_catalogue()
    corridors = load_document("s2s_apm")["components"]["schemas"]["MobileMoneyParameters"]["x-corridors"]

    assert len(corridors) == 9
    for corridor in corridors:
        (requirement_id,) = set(corridor["x-rules"].values())
        requirement = catalogue[requirement_id]
        low, high, currency = corridor["minimum"], corridor["maximum"], corridor["currency"]
        assert requirement.basis is Basis.SPECIFICATION
        assert f"accepts {low} and {high} {currency} and refuses {low - 1} and {high + 1}" in requirement.sentence


def test_operators_belong_to_one_corridor_and_end_in_the_country_of_its_currency() -> None:
    country = {"GHS": {"gh"}, "KES": {"ke"}, "XOF": {"ci"}, "XAF": {"cm"}, "TZS": {"tz"}, "EGP": {"eg"}}
    corridors = load_document("s2s_apm")["components"]["schemas"]["MobileMoneyParameters"]["x-corridors"]
    operators = [operator for corridor in corridors for operator in corridor["operators"]]

    assert len(set(operators)) == len(operators) == 23
    for corridor in corridors:
        assert {operator.rsplit("-", 1)[1] for operator in corridor["operators"]} == country[corridor["currency"]]
