"""The error atlas: answers by field and violation, holes, collisions, and which of two wrongs is reported."""

from __future__ import annotations

import csv
import io

from reports.learned.answers import answer_in
from reports.learned.atlas import CSV_FIELDS, WHOLE_REQUEST, AtlasOutcome, as_csv, atlas_of
from reports.model import Answer, Change, Check, Exchange
from tests.unit.reports.small_run import check, run_of

INVALID = "Request data is invalid."


def wrong(name: str, field: str, violation: str = "missing", **answer: object) -> Check:
    base = {"operation": "S2S CARD SALE", "refused": True, "status": 400, "code": "100000", "message": INVALID}
    return check(
        name,
        change=Change(field=field, violation=violation, value=violation),
        answer=Answer.model_validate({**base, **answer}),
    )


def test_each_wrong_value_has_the_answer_that_came() -> None:
    atlas = atlas_of(run_of(wrong("a", "amount", items=("amount: missing",))))

    assert [(row.field, row.violation, row.outcome) for row in atlas.rows] == [
        ("amount", "missing", AtlasOutcome.REFUSED)
    ]
    assert atlas.rows[0].says == f"{INVALID}; amount: missing"


def test_a_wrong_value_that_is_accepted_is_a_hole() -> None:
    atlas = atlas_of(run_of(wrong("a", "amount", refused=False, status=200, code="", message="")))

    assert [row.field for row in atlas.holes] == ["amount"]


def test_fields_that_a_refusal_does_not_name_collide() -> None:
    named = wrong("c", "zip", items=("zip: missing",))
    atlas = atlas_of(run_of(wrong("a", "amount"), wrong("b", "currency"), named))

    assert [[row.field for row in found.rows] for found in atlas.collisions] == [["amount", "currency"]]


def test_one_field_that_is_not_named_does_not_collide_with_itself() -> None:
    assert not atlas_of(run_of(wrong("a", "amount"), wrong("b", "amount", "too long"))).collisions


def test_what_no_check_came_to_is_unknown() -> None:
    open_one = check("a", "inconclusive", change=Change(field="amount", violation="missing"))

    assert [row.field for row in atlas_of(run_of(open_one)).unknown] == ["amount"]


def test_a_refusal_of_the_whole_request_is_listed_by_what_the_check_does() -> None:
    refused = check("a", title="a wrong hash is refused [x]", answer=wrong("b", "amount").answer)

    assert [(row.field, row.violation) for row in atlas_of(run_of(refused)).rows] == [
        (WHOLE_REQUEST, "a wrong hash is refused")
    ]


def test_the_first_of_two_wrongs_is_the_one_that_is_named() -> None:
    two = wrong("a", "amount", items=("currency: missing",))
    assert two.change is not None
    change = two.change.model_copy(update={"also": (Change(field="currency", violation="missing"),)})

    atlas = atlas_of(run_of(two.model_copy(update={"change": change})))

    assert [found.first for found in atlas.two_wrongs] == ["currency missing"]
    assert not atlas.rows


def test_a_spreadsheet_takes_no_cell_for_a_formula() -> None:
    atlas = atlas_of(run_of(wrong("a", "amount", message='=cmd|"/c calc"!A1')))

    header, row = csv.reader(io.StringIO(as_csv(atlas)))

    assert tuple(header) == CSV_FIELDS
    assert row[CSV_FIELDS.index("message")] == '\'=cmd|"/c calc"!A1'


def test_the_answer_of_a_check_is_that_to_its_last_request() -> None:
    refusal = '{"result":"ERROR","error_code":100000,"error_message":"no","errors":[{"error_message":"amount: bad"}]}'
    exchanges = [
        Exchange(protocol="S2S CARD", request_body="action=SALE", status=200, response_body='{"result":"SUCCESS"}'),
        Exchange(protocol="S2S CARD", request_body="action=CAPTURE", status=400, response_body=refusal),
        Exchange(protocol="Callback", request_body="action=SALE", status=200),
    ]

    answer = answer_in(check("a"), exchanges)

    assert answer == Answer(
        operation="S2S CARD CAPTURE", refused=True, status=400, code="100000", message="no", items=("amount: bad",)
    )
    assert answer_in(check("a"), exchanges[:1]) is None
