"""The JSON Schemas of the output: they are what is committed, and what is written fits them and is named in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from contract.catalogue import Catalogue
from reports.conclusion import Conclusion
from reports.formats.conformance import conformance
from reports.formats.shapes import CONFORMANCE, RESULTS, schemas
from reports.stream.chain import FIRST_LINK, chained
from tests.support.output_schemas import closed, misfits
from tests.unit.reports.example_runs import hostile_run, mixed_run

COMMITTED = Path(__file__).parents[3] / "docs" / "schemas"


@pytest.mark.parametrize("name", [CONFORMANCE, RESULTS])
def test_schema_is_valid_and_the_committed_one(name: str) -> None:
    schema = schemas()[name]

    Draft202012Validator.check_schema(schema)
    assert json.loads((COMMITTED / name).read_text(encoding="utf-8")) == schema, "make schema writes it anew"


@pytest.mark.parametrize("of", ["mixed", "hostile"])
def test_conclusions_fit_and_have_nothing_that_is_not_named(of: str, request: pytest.FixtureRequest) -> None:
    conclusion: Conclusion = request.getfixturevalue(of)
    written = json.loads(json.dumps(conformance(conclusion)))

    assert misfits(closed(schemas()[CONFORMANCE]), written) == []


def test_reader_learns_of_a_member_that_is_missing(mixed: Conclusion) -> None:
    written = json.loads(json.dumps(conformance(mixed)))
    del written["verdict"]
    written["checks"][0]["verdict"] = "passed"

    assert len(misfits(schemas()[CONFORMANCE], written)) == 2


@pytest.mark.parametrize("make", [mixed_run, hostile_run])
def test_lines_of_the_stream_fit(make: Callable[[Catalogue], Conclusion], catalogue: Catalogue) -> None:
    run = make(catalogue).run
    records = [run.header, *run.checks, *run.evidence.values(), *([run.footer] if run.footer else [])]
    for record in records:
        line = chained(record.model_dump_json(by_alias=True), FIRST_LINK)[0]
        assert misfits(schemas()[RESULTS], json.loads(line)) == []
