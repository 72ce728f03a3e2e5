"""Holds output against its JSON Schema, with no member allowed that the schema does not name."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from jsonschema import Draft202012Validator

from reports.formats.shapes import CONFORMANCE, RESULTS, schemas
from reports.model import Json


def closed(schema: Json) -> Json:
    """Return a schema that allows no member which it does not name."""
    if isinstance(schema, dict):
        extra = {"additionalProperties": False} if "properties" in schema else {}
        return {**{name: closed(value) for name, value in schema.items()}, **extra}
    return [closed(member) for member in schema] if isinstance(schema, list) else schema


def misfits(schema: Json, value: Json) -> list[str]:
    """Say where a value does not fit a schema."""
    return _found(_validator(schema), value)


def misfits_of_output(output: Path) -> list[str]:
    """Say what in the output directory of a run does not fit its schema."""
    report = json.loads((output / "conformance.json").read_text(encoding="utf-8"))
    of_report, of_line = _of_output()
    with (output / "results.jsonl").open(encoding="utf-8") as lines:
        of_lines = [misfit for line in lines for misfit in _found(of_line, json.loads(line))]
    return [*_found(of_report, report), *of_lines]


@cache
def _of_output() -> tuple[Draft202012Validator, Draft202012Validator]:
    # Made once: to make a schema takes longer than to hold a line against it, and a run has ten thousand lines.
    made = schemas()
    return _validator(closed(made[CONFORMANCE])), _validator(made[RESULTS])


def _validator(schema: Json) -> Draft202012Validator:
    return Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)


def _found(validator: Draft202012Validator, value: Json) -> list[str]:
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(value)]
