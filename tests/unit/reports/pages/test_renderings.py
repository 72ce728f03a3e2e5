"""The renderings: what they show, and that a hostile target cannot make them do anything."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt

from contract.catalogue import Catalogue
from reports.conclusion import Conclusion, conclude
from reports.formats.annotations import annotated, annotations_of
from reports.formats.ci import executor
from reports.formats.junit import junit
from reports.pages.page import page
from reports.pages.summary import summary
from reports.renderings import clear, render
from reports.terminal import lines_of
from reports.text import markdown
from tests.unit.reports.small_run import check, run_of


class _Elements(HTMLParser):
    """Gathers what a browser would act on, and the text of the page."""

    VOID = ("meta", "br", "input")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.open: list[str] = []
        self.ids: list[str] = []
        self.texts: dict[str, str] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts[self.open[-1]] = self.texts.get(self.open[-1], "") + data


def test_a_hostile_target_puts_no_element_on_the_page(hostile: Conclusion) -> None:
    text = page(hostile)
    found = _Elements(text)
    assert found.open == []
    assert found.tags.count("script") == found.tags.count("style") == 1
    assert found.tags.count("svg") == 2, "the two drawings of the one machine"
    assert not {"img", "iframe", "object", "link", "base"} & set(found.tags)
    assert not [name for name, _ in found.attributes if name.startswith("on") or name in {"src", "style", "srcdoc"}]
    assert all((value or "").startswith("#") for name, value in found.attributes if name == "href")
    assert len(found.ids) == len(set(found.ids))
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202e\ufffe]", text)
    assert "\\x1b[31mred" in text
    assert "{{ 7*7 }}" in text
    assert len(text) < 400_000


def test_the_page_allows_its_own_script_and_style_only(hostile: Conclusion) -> None:
    found = _Elements(page(hostile))
    policy = next(value for name, value in found.attributes if name == "content" and "default-src" in (value or ""))
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        digest = base64.b64encode(hashlib.sha256(found.texts[tag].encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in (policy or "")
    assert (policy or "").startswith("default-src 'none';")


def test_a_hostile_target_writes_no_markup_into_the_summary(hostile: Conclusion) -> None:
    text = summary(hostile)
    shown = _Elements(MarkdownIt("commonmark").enable("table").render(text))
    assert set(shown.tags) <= {"h1", "h2", "p", "strong", "ul", "li", "table", "thead", "tbody", "tr", "th", "td"}
    assert {value for name, value in shown.attributes if name != "style"} == set()
    for linked in ("@everyone", "https://evil", "www.evil", "{{", "\x1b"):
        assert linked not in text
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings[1:] == ["## What is wrong, by cause", "## What broke in the suite", "## What could not be decided"]
    rows = [line for line in text.splitlines() if line.startswith("| F-1")]
    assert len(rows) == 1
    assert len(re.findall(r"(?<!\\)\|", rows[0])) == 6
    assert len(text) < 30_000


def test_text_of_a_target_shows_in_markdown_as_itself_and_is_readable_in_its_source() -> None:
    said = "customer_id & <b>_x_</b> [a](b) `c` *d* #1 $x$ ~~e~~ a|b \\n &#95; HTTP 400, 2 > 1"

    escaped = markdown(said)

    shown = _Elements(MarkdownIt("commonmark").render(f"- {escaped}"))
    assert shown.texts["li"] == said
    assert shown.tags == ["ul", "li"]
    assert "&#" not in escaped.replace("\\&#", "")
    assert escaped.startswith("customer_id ")


def test_failures_are_annotations_of_the_job_that_a_target_cannot_forge(hostile: Conclusion, mixed: Conclusion) -> None:
    lines = list(annotations_of(mixed))
    assert lines[0].startswith("::error title=F-1 Checkout session request does not keep%3A A valid session request ")
    assert lines[0].endswith("::CHK-SES-01. expected HTTP 400; received HTTP 200")
    assert lines[1].startswith("::warning title=F-2 does not gate")
    assert "&#" not in "".join(lines)
    for line in annotations_of(hostile):
        assert re.fullmatch(r"::(error|warning) title=[^:,]+::[^\n\r]*", line)
        assert len(line) < 2_000


def test_only_a_job_of_github_is_annotated(mixed: Conclusion) -> None:
    assert list(annotated(mixed, {})) == []
    assert list(annotated(mixed, {"GITHUB_ACTIONS": "true"})) == list(annotations_of(mixed))


def test_a_hostile_target_writes_no_line_of_the_terminal(hostile: Conclusion, tmp_path: Path) -> None:
    lines = list(lines_of(hostile, tmp_path, tmp_path))
    assert not [line for line in lines if re.search("[\x00-\x1f\x7f-\x9f\u202e]", line)]
    assert max(map(len, lines)) < 1_000


def test_what_nothing_checks_is_said_wherever_a_run_is_summed_up(mixed: Conclusion, tmp_path: Path) -> None:
    header = mixed.run.header.model_copy(update={"unchecked": ("payouts by giro-out",)})
    conclusion = replace(mixed, run=mixed.run.model_copy(update={"header": header}))

    said = (page(conclusion), summary(conclusion), "\n".join(lines_of(conclusion, tmp_path, tmp_path)))

    assert [bool(re.search("not checked.{0,20}payouts by giro-out", text, re.IGNORECASE)) for text in said] == [
        True
    ] * 3
    assert "not checked: " not in "\n".join(lines_of(mixed, tmp_path, tmp_path))


def test_junit_stays_xml(hostile: Conclusion) -> None:
    text = ET.tostring(junit(hostile), encoding="utf-8")
    root = ET.fromstring(text)  # noqa: S314 - our own output
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("5", "1", "1")
    assert root[0].get("skipped") == "2"
    assert len(root.findall(".//testcase")) == 5
    assert len(text) < 200_000


def test_all_reports_of_a_hostile_target_are_written_and_bounded(hostile: Conclusion, tmp_path: Path) -> None:
    allure = tmp_path / "allure-results"
    assert render(hostile, tmp_path, allure) == ()
    results = [json.loads(file.read_text(encoding="utf-8")) for file in allure.glob("*-result.json")]
    assert {result["status"] for result in results} == {"failed", "broken", "skipped", "passed"}
    assert all(len(json.dumps(result)) < 40_000 for result in results)
    properties = (allure / "environment.properties").read_text(encoding="utf-8")
    assert len(properties.splitlines()) == 9


def test_the_page_shows_the_verdict_first_and_then_what_to_act_on(mixed: Conclusion) -> None:
    text = page(mixed)
    marks = [
        "acme does not conform to release 6.7.0: 1 requirement (CHK-SES-01) failed; 1 more requirement fails without ",
        "(CHK-STA-01, MUST, platform: The look-up has the usual path).",
        "What is wrong, by cause",
        '<article id="F-1"',
        "A valid session request is accepted.",
        "Checkout session request, line 38",
        "HTTP 400",
        "session request → HTTP 200",
        "POST https://acme.example/api/v1/session",
        "pytest again",
        "curl --include",
        mixed.fingerprint(mixed.results["CHK-SES-01"], mixed.results["CHK-SES-01"].failures[0]),
        mixed.findings[0].fingerprint,
        '<article id="F-2"',
        "does not gate",
        '<h2 id="undecided">',
        "cards in [test_data]",
        '<h2 id="requirements">',
        '<h2 id="readings">',
        "Upper case.",
        "Lower case.",
    ]
    places = [text.find(mark) for mark in marks]
    assert -1 not in places
    assert places == sorted(places)


def test_the_page_has_landmarks_and_named_tables(mixed: Conclusion) -> None:
    found = _Elements(page(mixed))
    assert {"header", "nav", "main", "footer", "h1"} <= set(found.tags)
    assert found.tags.count("h1") == 1
    assert ("lang", "en") in found.attributes
    of_fields = found.attributes.count(("class", "fields"))
    assert found.tags.count("caption") + found.tags.count("thead") >= found.tags.count("table") - of_fields
    labels = {value for name, value in found.attributes if name == "aria-labelledby"}
    assert labels <= set(found.ids)
    linked = {(value or "").removeprefix("#") for name, value in found.attributes if name == "href"}
    assert linked <= set(found.ids)


def test_every_requirement_can_be_filtered(mixed: Conclusion) -> None:
    found = _Elements(page(mixed))
    rows = [value for name, value in found.attributes if name == "data-verdict"]
    assert sorted(map(str, rows)) == ["fail", "fail", "fail", "fail", "inconclusive", "pass", "pass"]


def test_parametrised_checks_never_collapse_in_allure(catalogue: Catalogue, tmp_path: Path) -> None:
    conclusion = conclude(run_of(check("a[0]"), check("a[1]")), catalogue)
    render(conclusion, tmp_path, tmp_path / "allure")
    results = [json.loads(file.read_text(encoding="utf-8")) for file in (tmp_path / "allure").glob("*-result.json")]
    assert len({result["historyId"] for result in results}) == 2
    assert len({result["fullName"] for result in results}) == 2
    assert len({json.dumps(result["parameters"]) for result in results}) == 2


def test_allure_knows_the_requirement_of_a_failure(mixed: Conclusion, tmp_path: Path) -> None:
    render(mixed, tmp_path, tmp_path / "allure")
    results = [json.loads(file.read_text(encoding="utf-8")) for file in (tmp_path / "allure").glob("*-result.json")]
    failed = next(result for result in results if "test_wrong" in result["fullName"])
    labels = {(label["name"], label["value"]) for label in failed["labels"]}
    assert {
        ("epic", "Checkout"),
        ("feature", "Checkout session request"),
        ("story", "CHK-SES-01 A valid session request is accepted."),
        ("severity", "normal"),
        ("tag", "specification"),
    } <= labels
    assert [(step["name"], step["status"]) for step in failed["steps"]] == [("1. session request → HTTP 200", "failed")]
    (attachment,) = failed["attachments"]
    (exchange,) = json.loads((tmp_path / "allure" / attachment["source"]).read_text(encoding="utf-8"))
    assert exchange["status"] == 200
    categories = json.loads((tmp_path / "allure" / "categories.json").read_text(encoding="utf-8"))
    skipped = next(result for result in results if "test_open" in result["fullName"])
    fitting = [
        category["name"]
        for category in categories
        if skipped["status"] in category["matchedStatuses"]
        and re.fullmatch(category.get("messageRegex", ".*"), skipped["statusDetails"]["message"])
    ]
    assert fitting == ["Could not decide"]


def test_rendering_again_leaves_nothing_of_the_former_run(mixed: Conclusion, tmp_path: Path) -> None:
    allure = tmp_path / "allure"
    render(mixed, tmp_path, allure)
    (allure / "other-result.json").write_text("{}", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    clear(tmp_path, allure)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["allure", "notes.txt"]
    assert [path.name for path in allure.iterdir()] == ["other-result.json"]


def test_a_rendering_that_cannot_be_written_does_not_take_the_others_with_it(mixed: Conclusion, tmp_path: Path) -> None:
    (tmp_path / "conformance.html").mkdir()
    (problem,) = render(mixed, tmp_path, tmp_path / "allure")
    assert problem.startswith("conformance.html could not be written")
    assert (tmp_path / "summary.md").exists()


@pytest.mark.parametrize(
    ("environment", "filled"),
    [
        ({}, {"name": "local", "type": "local"}),
        (
            {
                "GITLAB_CI": "true",
                "CI_PIPELINE_IID": "7",
                "CI_JOB_NAME": "conformance",
                "CI_JOB_URL": "https://ci.example/1",
            },
            {
                "name": "GitLab CI",
                "type": "gitlab",
                "buildOrder": 7,
                "buildName": "conformance #7",
                "buildUrl": "https://ci.example/1",
            },
        ),
    ],
)
def test_the_ci_system_is_informed(environment: dict[str, str], filled: dict[str, str | int]) -> None:
    assert executor(environment) == filled
