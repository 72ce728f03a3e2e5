"""The field tables of the OpenAPI documents as typed values: one :class:`Field` a row.

A document says each rule once; the checks of a field and the valid requests that they start from are both made of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from contract.document import CONTRACT_DIRECTORY, ContractError

OPENAPI_DIRECTORY = CONTRACT_DIRECTORY / "openapi"

Json = Any
PathPart = str | int


@dataclass(frozen=True)
class Field:
    """One row of a field table.

    Attributes:
        path: where it stands in the request, object keys and array indexes.
        schema: its JSON Schema with the ``x-`` extensions that the document's description explains.
        rules: keyword to the id of the requirement that states it.
        baseline: name of the valid request that its checks change.
    """

    path: tuple[PathPart, ...]
    schema: Mapping[str, Json]
    rules: Mapping[str, str]
    baseline: str

    @property
    def name(self) -> str:
        """The path as people write it: ``order.number``, ``cart.items[0].name``."""
        text = ""
        for part in self.path:
            text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
        return text

    @property
    def since(self) -> str | None:
        """The release that it came with; ``None``: it was always there."""
        return self.schema.get("x-since")

    @property
    def leaf(self) -> str:
        """The last name of the path."""
        return str([part for part in self.path if isinstance(part, str)][-1])


# The loader written in C reads the three documents ten times as fast; wheels of PyYAML for rare platforms lack it.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def load_document(name: str) -> Mapping[str, Json]:
    """Read ``contract/openapi/<name>.yaml``.

    Raises:
        ContractError: there is no such document, or it is not YAML.
    """
    return _read(OPENAPI_DIRECTORY / f"{name}.yaml")


def _read(file: Path) -> Mapping[str, Json]:
    try:
        document: Mapping[str, Json] = yaml.load(file.read_text(encoding="utf-8"), Loader=_LOADER)  # noqa: S506 a safe one
    except (OSError, yaml.YAMLError) as error:
        raise ContractError(f"{file.name}: {error}") from error
    return document


def actions_of(document: Mapping[str, Json]) -> dict[str, str | None]:
    """Return the actions that a document of forms has, each with the release that it came with, if a later one."""
    operations = (item["post"] for item in document["paths"].values())
    return {operation["x-action"]: operation.get("x-since") for operation in operations}


def component(document: Mapping[str, Json], name: str) -> Mapping[str, Json]:
    """Return a schema of the document by its name under ``components``."""
    schema: Mapping[str, Json] = document["components"]["schemas"][name]
    return schema


def fields_of(
    document: Mapping[str, Json], schema_name: str, *, at: tuple[PathPart, ...] = (), baseline: str
) -> Iterator[Field]:
    """Walk a schema and yield a :class:`Field` for every property below it, parents before children.

    Args:
        document: an OpenAPI document.
        schema_name: the component to begin with.
        at: path of the component in the request.
        baseline: name of the valid request for properties that name none themselves.
    """
    yield from _walk(document, component(document, schema_name), at, baseline)


def _walk(
    document: Mapping[str, Json], schema: Mapping[str, Json], path: tuple[PathPart, ...], baseline: str
) -> Iterator[Field]:
    for name, raw in schema.get("properties", {}).items():
        property_schema = resolved(document, raw)
        here = (*path, name)
        own_baseline = property_schema.get("x-baseline", baseline)
        if rules := property_schema.get("x-rules"):
            yield Field(here, property_schema, rules, own_baseline)
        if property_schema.get("type") == "object":
            yield from _walk(document, property_schema, here, own_baseline)
        elif property_schema.get("type") == "array":
            items = resolved(document, property_schema.get("items", {}))
            yield from _walk(document, items, (*here, 0), own_baseline)


def example_of(document: Mapping[str, Json], schema_name: str) -> dict[str, Json]:
    """Build a value of a component out of the examples of its properties, those marked ``x-open`` left out."""
    return _example_object(document, component(document, schema_name))


def _example_object(document: Mapping[str, Json], schema: Mapping[str, Json]) -> dict[str, Json]:
    properties = {name: resolved(document, raw) for name, raw in schema["properties"].items()}
    return {name: _example(document, below) for name, below in properties.items() if not below.get("x-open")}


def _example(document: Mapping[str, Json], schema: Mapping[str, Json]) -> Json:
    if "example" in schema:
        return schema["example"]
    if schema["type"] == "array":
        return [_example(document, resolved(document, schema["items"]))]
    return _example_object(document, schema)


def resolved(document: Mapping[str, Json], schema: Mapping[str, Json]) -> Mapping[str, Json]:
    """Return a schema, or the one that it refers to."""
    reference = schema.get("$ref")
    return component(document, reference.rsplit("/", 1)[1]) if reference else schema
