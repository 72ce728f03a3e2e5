"""What the tests of the OpenAPI documents share: how their properties are walked and what each must keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator

from contract.errors import load_errors
from contract.fields import fields_of
from contract.model import RELEASES
from fixtures.cases.field_cases import cases_of

Json = Any

KEPT_BY_THE_SCHEMA = {
    "type",
    "const",
    "enum",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "anyOf",
    "not",
}
"""Keywords of ``x-rules`` that the schema of the property must have itself."""
NEEDED_BY = {"invalid": "x-invalid", "valid": "example", "signed": "x-signed"}
"""What a node must give for a keyword that JSON Schema does not have."""


@dataclass(frozen=True)
class Property:
    """A property and the schema that it stands in."""

    place: str
    name: str
    schema: Mapping[str, Json]
    parent: Mapping[str, Json]


def properties_of(document: Mapping[str, Json]) -> Iterator[Property]:
    """Yield the properties of all components, those of objects without a name included."""
    for schema_name, parent in document["components"]["schemas"].items():
        yield from _properties(schema_name, parent)


def _properties(place: str, parent: Mapping[str, Json]) -> Iterator[Property]:
    for name, schema in parent.get("properties", {}).items():
        yield Property(f"{place}.{name}", name, schema, parent)
        yield from _properties(f"{place}.{name}", schema)


def operations_of(document: Mapping[str, Json]) -> dict[str, Mapping[str, Json]]:
    return {path: item["post"] for path, item in document["paths"].items()}


def request_schema(document: Mapping[str, Json], operation: Mapping[str, Json], media: str) -> Mapping[str, Json]:
    reference = operation["requestBody"]["content"][media]["schema"]["$ref"]
    schema: Mapping[str, Json] = document["components"]["schemas"][reference.rsplit("/", 1)[1]]
    return schema


def ruled_nodes(node: Json, place: str = "") -> Iterator[tuple[str, Mapping[str, Json]]]:
    """Yield every node of a document that has ``x-rules``, with where it stands."""
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from ruled_nodes(item, f"{place}[{index}]")
    elif isinstance(node, dict):
        if "x-rules" in node:
            yield place, node
        for key, value in node.items():
            yield from ruled_nodes(value, f"{place}.{key}")


def rules_in(document: Mapping[str, Json]) -> list[tuple[str, str]]:
    return [rule for _, node in ruled_nodes(document) for rule in node["x-rules"].items()]


def rules_without_a_keyword(document: Mapping[str, Json]) -> list[str]:
    return [
        f"{place}: {keyword}"
        for place, node in ruled_nodes(document)
        for keyword in node["x-rules"]
        if (needed := NEEDED_BY.get(keyword, keyword)) in KEPT_BY_THE_SCHEMA | set(NEEDED_BY.values())
        if needed not in node
    ]


def properties_both_optional_and_required(document: Mapping[str, Json]) -> list[str]:
    return [
        each.place
        for each in properties_of(document)
        if "optional" in each.schema.get("x-rules", {}) and each.name in each.parent.get("required", [])
    ]


def required_names_that_are_no_properties(document: Mapping[str, Json]) -> list[str]:
    return [
        f"{schema_name}.{missing}"
        for schema_name, schema in document["components"]["schemas"].items()
        for missing in set(schema.get("required", [])) - schema.get("properties", {}).keys()
    ]


def unfit_examples(document: Mapping[str, Json]) -> list[str]:
    """Return which properties have no example, or one beyond their own limits; references and arrays are left out."""
    found = []
    for each in properties_of(document):
        if each.schema.keys() & {"$ref", "items", "properties"}:
            continue
        if "example" not in each.schema:
            found.append(f"{each.place} has no example")
            continue
        for value in (each.schema["example"], *each.schema.get("x-also-valid", ())):
            errors = list(_own_validator(each.schema).iter_errors(value))
            found += [f"{each.place}: {value!r}: {error.message}" for error in errors]
    return found


def _own_validator(schema: Mapping[str, Json]) -> Draft202012Validator:
    """Validate with the formats, and without what the property says of other schemas."""
    alone = {
        keyword: value
        for keyword, value in schema.items()
        if not (keyword in {"anyOf", "allOf"} and any("$ref" in each for each in value))
    }
    return Draft202012Validator(alone, format_checker=Draft202012Validator.FORMAT_CHECKER)


def releases_in(document: Mapping[str, Json]) -> set[str]:
    dated = [*operations_of(document).values(), *(each.schema for each in properties_of(document))]
    return {each[key] for each in dated for key in ("x-since", "x-retired-since") if key in each}


def unknown_releases(document: Mapping[str, Json]) -> set[str]:
    return releases_in(document) - set(RELEASES)


def unfit_refusals(document: Mapping[str, Json]) -> list[str]:
    return [
        f"{each.place}: {keyword}: {pair}"
        for each in properties_of(document)
        for keyword, pair in each.schema.get("x-errors", {}).items()
        if keyword not in each.schema["x-rules"] or not (pair == "any" or pair in load_errors())
    ]


def schemas_with_ambiguous_cases(document: Mapping[str, Json]) -> list[str]:
    """Make the cases of every schema that requests are made of; two cases of one id could not be distinguished."""
    found = []
    for schema_name in document["components"]["schemas"]:
        if not schema_name.endswith(("Request", "Parameters")):
            continue
        ids = [case.id for field in fields_of(document, schema_name, baseline="any") for case in cases_of(field)]
        if len(set(ids)) < len(ids):
            found.append(schema_name)
    return found


def further_values_of_no_requirement(document: Mapping[str, Json]) -> list[str]:
    """Return the fields of requests with `x-also-valid` whose rules do not say what accepting them belongs to.

    A requirement that says what is refused is not broken by a target that refuses more.
    """
    return [
        each.place
        for each in properties_of(document)
        if "x-also-valid" in each.schema and "valid" not in each.schema.get("x-rules", {})
        if not each.place.partition(".")[0].endswith("Answer")
    ]
