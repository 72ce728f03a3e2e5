"""The comparison with other tools: what it makes of our cases, and that the pages show what was measured."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from fixtures.signing.protocols import s2s_apm
from tests.bench.beside.cases import Case, as_rows, cases_of, schemas
from tests.bench.beside.newman import collection
from tests.bench.beside.page import RESULTS, by_protocol, overview
from tests.bench.beside.playing import differences, kept, request_of
from tests.bench.beside.sample import sample

Json = Any

PASSWORD = "not-the-password"
FIRST, SECOND = "6102cbea-e6c0-11f1-b7a9-02fc00000001", "7213dcfb-e6c0-11f1-b7a9-02fc00000002"
PERFORMANCE = Path(__file__).parents[2] / "docs" / "performance.md"


def signed(trans_id: str) -> str:
    return s2s_apm.transaction(trans_id=trans_id, password=PASSWORD).sign()


def recorded() -> tuple[list[Case], str]:
    """Return the cases of a SALE and of a CAPTURE of it."""
    recipe = s2s_apm.transaction(trans_id=FIRST, password=PASSWORD)
    terms = [{"text": term.text, "reversed": term.is_reversed, "keeps_case": term.keeps_case} for term in recipe.terms]
    spec = {"terms": terms, "upper_case": "ascii", "digest": "md5", "outer": None, "inner_form": "hex"}
    usual = {"method": "POST", "url": "http://127.0.0.1:1/apm/post", "content_type": "x", "status": 200}
    sale = {"result": "SUCCESS", "action": "SALE", "trans_id": FIRST}
    capture = {"result": "SUCCESS", "action": "CAPTURE", "status": "SETTLED", "trans_id": FIRST}
    body = f"action=CAPTURE&trans_id={FIRST}&hash={recipe.sign()}"
    exchanges = [
        {**usual, "check": "a.py::test_sale", "body": "action=SALE&order_id=1", "reply": json.dumps(sale)},
        {**usual, "check": "a.py::test_capture", "body": body, "reply": json.dumps(capture)},
    ]
    return list(cases_of("s2s_apm", exchanges, {recipe.sign(): spec})), recipe.sign()


def test_what_a_reply_gave_becomes_a_variable() -> None:
    (sale, capture), signature = recorded()

    assert sale.keep == {"v1": ("trans_id",)}
    assert capture.body == "action=CAPTURE&trans_id=<v1>&hash=<hash>"
    assert capture.members == {"result": "SUCCESS", "status": "SETTLED", "action": "CAPTURE", "trans_id": "<v1>"}
    assert capture.schema == "capture 200"
    assert signature not in json.dumps(as_rows([sale, capture]))


def test_cases_are_signed_anew() -> None:
    rows = as_rows(recorded()[0])
    known = dict(kept(rows[0], {"trans_id": SECOND})) | {"base": "http://127.0.0.1:2"}

    assert request_of(rows[1], known) == (
        "http://127.0.0.1:2/apm/post",
        f"action=CAPTURE&trans_id={SECOND}&hash={signed(SECOND)}".encode(),
    )


def test_differences_are_those_of_status_and_members() -> None:
    capture = as_rows(recorded()[0])[1]
    answer = {"result": "SUCCESS", "status": "SETTLED", "action": "CAPTURE", "trans_id": SECOND}

    assert list(differences(capture, 200, answer, {"v1": SECOND})) == []
    assert list(differences(capture, 400, {**answer, "status": "DECLINED"}, {"v1": SECOND})) == [
        "status: 200 expected, 400 received",
        "status: 'SETTLED' expected, 'DECLINED' received",
    ]


def test_a_collection_signs_and_judges_each_case() -> None:
    cases = recorded()[0]

    sale, capture = collection(cases, schemas("s2s_apm"))["item"]

    assert [event["listen"] for event in sale["event"]] == ["test"]
    assert [event["listen"] for event in capture["event"]] == ["test", "prerequest"]
    assert capture["request"]["url"] == "{{base}}/apm/post"
    assert capture["request"]["body"]["raw"] == "action=CAPTURE&trans_id={{v1}}&hash={{hash}}"


def test_samples_have_as_many_faults_of_each_kind() -> None:
    chosen = sample(60, 15)

    assert chosen == sample(60, 15)
    assert set(Counter((one.protocol, one.kind) for one in chosen).values()) == {10}
    assert set(Counter((one.protocol, one.kind) for one in chosen[:12]).values()) == {2}


def test_the_page_shows_what_was_measured() -> None:
    results: Json = json.loads(RESULTS.read_text(encoding="utf-8"))
    page = PERFORMANCE.read_text(encoding="utf-8").splitlines()

    assert set(page) >= {*overview(results), *by_protocol(results)}
