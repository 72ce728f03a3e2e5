"""The parameter tables of the S2S protocols: valid OpenAPI, tied to the requirements, and true to their own limits."""

from __future__ import annotations

import pytest
from openapi_spec_validator import validate

from contract.catalogue import load_catalogue
from contract.fields import actions_of, load_document
from contract.model import Basis
from tests.unit.contract.field_tables import (
    further_values_of_no_requirement,
    operations_of,
    properties_both_optional_and_required,
    properties_of,
    releases_in,
    request_schema,
    required_names_that_are_no_properties,
    rules_in,
    rules_without_a_keyword,
    schemas_with_ambiguous_cases,
    unfit_examples,
    unfit_refusals,
    unknown_releases,
)

PREFIXES = {"s2s_card": "S2C-", "s2s_apm": "APM-"}
DOCUMENTS = pytest.mark.parametrize("name", PREFIXES)
HOW_MANY_ACTIONS = {"s2s_card": 20, "s2s_apm": 6}
FORM = "application/x-www-form-urlencoded"


@DOCUMENTS
def test_document_is_valid_openapi(name: str) -> None:
    document = load_document(name)

    validate(document)

    assert document["openapi"].startswith("3.1")


@DOCUMENTS
def test_every_action_has_one_operation(name: str) -> None:
    document = load_document(name)
    operations = operations_of(document)

    assert list(actions_of(document)) == [operation["x-action"] for operation in operations.values()]
    assert len(actions_of(document)) == HOW_MANY_ACTIONS[name]
    assert list(operations) == [f"{each['x-path']}#{each['x-action']}" for each in operations.values()]
    assert {operation["x-path"] for operation in operations.values()} == {"/post"}
    for operation in operations.values():
        schema = request_schema(document, operation, FORM)
        assert schema["properties"]["action"]["const"] == operation["x-action"]
        assert {"action", "client_key", "hash"} <= set(schema["required"]), operation["x-action"]


@DOCUMENTS
def test_objects_are_sent_in_bracket_keys(name: str) -> None:
    document = load_document(name)
    for operation in operations_of(document).values():
        content = operation["requestBody"]["content"][FORM]
        objects = request_schema(document, operation, FORM)["properties"].keys() & {"parameters", "custom_data"}

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
    assert rules_without_a_keyword(load_document(name)) == []


@DOCUMENTS
def test_an_optional_property_is_not_required_by_its_schema(name: str) -> None:
    assert properties_both_optional_and_required(load_document(name)) == []


@DOCUMENTS
def test_required_names_are_properties(name: str) -> None:
    assert required_names_that_are_no_properties(load_document(name)) == []


@DOCUMENTS
def test_every_property_has_an_example_that_keeps_its_limits(name: str) -> None:
    document = load_document(name)

    assert len(list(properties_of(document))) > 100
    assert unfit_examples(document) == []


@DOCUMENTS
def test_releases_of_properties_and_actions_exist(name: str) -> None:
    document = load_document(name)

    assert "6.7.0" in releases_in(document)
    assert unknown_releases(document) == set()


@DOCUMENTS
def test_refusals_name_pairs_that_exist_and_rules_that_the_property_has(name: str) -> None:
    assert unfit_refusals(load_document(name)) == []


@DOCUMENTS
def test_every_table_row_becomes_cases_of_its_own(name: str) -> None:
    assert schemas_with_ambiguous_cases(load_document(name)) == []


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


@DOCUMENTS
def test_accepting_a_further_value_belongs_to_a_requirement_that_says_what_is_accepted(name: str) -> None:
    assert further_values_of_no_requirement(load_document(name)) == []
