"""The files of findings: a text for a ticket, and HAR that other tools can open."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from markdown_it import MarkdownIt

from reports.conclusion import Conclusion
from reports.evidence.curl import curl, is_masked
from reports.evidence.files import clear_evidence, write_evidence
from reports.evidence.script import script
from reports.findings.story import story_of
from reports.model import Exchange
from tests.unit.reports.example_runs import HOSTILE

ENTRY = {"startedDateTime", "time", "request", "response", "cache", "timings", "comment"}
REQUEST = {"method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"}
RESPONSE = {
    "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize", "bodySize",
}  # fmt: skip
"""What HAR 1.2 demands of an entry, and a comment."""


def test_each_finding_has_a_ticket_and_its_exchanges(mixed: Conclusion, tmp_path: Path) -> None:
    write_evidence(mixed, tmp_path / "evidence")
    assert sorted(path.name for path in (tmp_path / "evidence").iterdir()) == ["F-1.har", "F-1.md", "F-1.py", "F-2.md"]
    text = (tmp_path / "evidence" / "F-1.md").read_text(encoding="utf-8")
    for mark in (
        "CHK-SES-01 (MUST, specification): A valid session request is accepted.",
        "Expected: HTTP 400",
        "1. session request → HTTP 200 **(this one)**",
        "With the suite:\n\n    pytest again\n",
        "    curl --include --request POST https://acme.example/api/v1/session",
    ):
        assert mark in text


def test_the_exchanges_are_har(hostile: Conclusion, tmp_path: Path) -> None:
    write_evidence(hostile, tmp_path / "evidence")
    log = json.loads((tmp_path / "evidence" / "F-1.har").read_text(encoding="utf-8"))["log"]
    assert log["version"] == "1.2"
    assert len(log["entries"]) == 10
    for entry in log["entries"]:
        assert entry.keys() == ENTRY
        assert entry["request"].keys() - {"postData"} == REQUEST
        assert entry["response"].keys() == RESPONSE


def test_a_hostile_target_writes_no_markup_into_a_ticket(hostile: Conclusion, tmp_path: Path) -> None:
    write_evidence(hostile, tmp_path / "evidence")
    text = (tmp_path / "evidence" / "F-1.md").read_text(encoding="utf-8")
    shown = MarkdownIt("commonmark").enable("table").render(text)
    assert set(re.findall(r"<(\w+)", shown)) <= {"h1", "h2", "p", "ul", "ol", "li", "strong", "pre", "code"}
    prose = [line for line in text.splitlines() if not line.startswith("    ")]
    for linked in ("@everyone", "https://evil", "www.evil", "{{", "\x1b"):
        assert not [line for line in prose if linked in line]
    assert len(text) < 400_000


def test_another_run_leaves_what_is_not_ours(mixed: Conclusion, tmp_path: Path) -> None:
    write_evidence(mixed, tmp_path / "evidence")
    (tmp_path / "evidence" / "notes.txt").write_text("mine", encoding="utf-8")
    clear_evidence(tmp_path / "evidence")
    assert [path.name for path in (tmp_path / "evidence").iterdir()] == ["notes.txt"]


def test_a_command_quotes_what_the_target_or_the_suite_wrote() -> None:
    exchange = Exchange(
        method="POST", url="https://a.example/x?y=1&z=$(id)", request_headers={"Content-Length": "9", "A": "b'c"},
        request_body="card_number=411111******1111",
    )  # fmt: skip
    command = curl(exchange)
    assert "'https://a.example/x?y=1&z=$(id)'" in command
    assert "Content-Length" not in command
    assert is_masked(exchange)


def test_nothing_of_a_hostile_target_is_code_of_the_script(hostile: Conclusion) -> None:
    steps = story_of(hostile.run.checks[0], hostile.run.exchanges_of(hostile.run.checks[0]))
    exchange = steps[0].exchange.model_copy(
        update={"method": "POST", "request_body": "action=SALE&order_id=" + quote(HOSTILE), "protocol": "S2S APM"}
    )
    text = script([replace(steps[0], exchange=exchange)], title=HOSTILE)

    tree = ast.parse(text)

    assert {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} <= {
        "ADDRESS", "DIGEST", "PASSWORD", "ValueError", "TypeError", "body", "client", "dict", "f1", "fresh", "found",
        "getattr",
        "hashlib", "httpx", "method", "os", "parse_qsl", "print", "r1", "reply", "send", "time", "url", "urlsplit",
    }  # fmt: skip
