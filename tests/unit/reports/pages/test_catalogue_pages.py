"""The rendered catalogue: complete, escaped, reachable by anchor, and honest about what proves a requirement."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from types import MappingProxyType

import pytest

from contract.catalogue import Catalogue, load_catalogue
from contract.model import Requirement
from reports.pages.catalogue import (
    UNUSABLE_INPUT,
    CatalogueInputError,
    Fault,
    main,
    read_checks,
    read_faults,
    render_catalogue,
)

FAULT = {"name": "size-zero", "requirements": ["CHK-STA-11"], "summary": "size 0 is taken for 1."}


class Page(HTMLParser):
    """Anchors, links and elements of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect what the tests look at."""
        values = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.ids += [values["id"]] if "id" in values else []
        self.links += [values["href"]] if "href" in values else []
        self.addresses += [values[name] for name in ("src", "action", "data") if name in values]


def parsed(html: str) -> Page:
    page = Page()
    page.feed(html)
    return page


def catalogue_of(*requirements: Requirement) -> Catalogue:
    return Catalogue(MappingProxyType({each.id: each for each in requirements}), MappingProxyType({}), frozenset())


def requirement(**changes: object) -> Requirement:
    values = {
        "id": "CHK-STA-01",
        "sentence": "A look-up answers one payment.",
        "level": "MUST",
        "basis": "specification",
        "section": "Endpoints",
        "lines": [339, 340, 344],
    }
    return Requirement.model_validate(values | changes)


def lines_file(directory: Path, *values: object) -> Path:
    file = directory / "lines.jsonl"
    file.write_text("".join(f"{json.dumps(value)}\n" for value in values), encoding="utf-8")
    return file


def test_every_requirement_has_one_anchor_in_the_html_page() -> None:
    page = parsed(render_catalogue(load_catalogue())["catalogue.html"])

    assert len(page.ids) == len(set(page.ids))
    assert load_catalogue().keys() <= set(page.ids)
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)


def test_every_requirement_stands_in_the_page_of_its_protocol() -> None:
    catalogue = load_catalogue()
    pages = render_catalogue(catalogue)
    slugs = {"Checkout": "checkout", "Hosted Payment Fields": "hosted-payment-fields", "Callbacks": "callbacks"}

    for protocol, slug in slugs.items():
        own = {each.id for each in catalogue.values() if each.protocol == protocol}
        assert {each for each in catalogue if f'<a id="{each}"></a>' in pages[f"{slug}.md"]} == own


def test_the_html_page_needs_nothing_beside_itself() -> None:
    html = render_catalogue(load_catalogue())["catalogue.html"]
    page = parsed(html)

    assert page.addresses == []
    assert "script" not in page.tags
    assert all(link.startswith("#") for link in page.links)
    assert "default-src 'none'" in html


def test_the_html_page_can_be_used_without_seeing_it() -> None:
    html = render_catalogue(load_catalogue())["catalogue.html"]
    page = parsed(html)

    assert '<html lang="en">' in html
    assert page.tags.count("h1") == 1
    assert {"header", "nav", "main", "title"} <= set(page.tags)
    assert page.links[0] == "#requirements"


def test_a_requirement_is_reported_whole() -> None:
    full = requirement(
        since="6.6.3",
        until="6.6.5",
        needs=["capability:status_lookup"],
        readings=[{"id": "one", "sentence": "First reading."}, {"id": "two", "sentence": "Second reading."}],
    )
    pages = render_catalogue(catalogue_of(full, requirement(id="CHK-STA-02", not_testable="internal")))

    for text in (pages["checkout.md"], pages["catalogue.html"]):
        for part in (
            "MUST, basis specification",
            "Endpoints",
            "lines 339-340, 344",
            "6.6.3 to 6.6.5",
            "capability:status_lookup",
            "First reading.",
            "Second reading.",
            "internal",
        ):
            assert part in text
    assert "2 requirements, 1 of them testable" in pages["index.md"]


def test_hostile_text_is_shown_and_not_executed() -> None:
    sentence = "An <script>alert(1)</script> & a | pipe, *stars* and [a link](x) stay text."
    pages = render_catalogue(catalogue_of(requirement(sentence=sentence)))

    assert "<script>" not in pages["catalogue.html"]
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; a | pipe" in pages["catalogue.html"]
    assert r"\<script\>alert(1)\</script\> \& a \| pipe, \*stars\* and \[a link\](x)" in pages["checkout.md"]


def test_checks_and_faults_are_listed_and_their_absence_is_said() -> None:
    catalogue = catalogue_of(requirement(), requirement(id="CHK-STA-02"))
    fault = Fault(name="two-payments", requirements=("CHK-STA-01",), summary="Two payments are answered.")
    claims = {"CHK-STA-01": ["suites/checkout/look_ups/test_status.py::test_one"]}
    pages = render_catalogue(catalogue, checks_of=lambda each: claims.get(each, ()), faults=[fault])

    html = pages["catalogue.html"]
    first, second = html.split('<article id="CHK-STA-02"')
    assert "suites/checkout/look_ups/test_status.py::test_one" in first
    assert "two-payments: Two payments are answered." in first
    assert "none claims it" in second
    assert "two-payments" not in second
    assert "no check claims it" in pages["checkout.md"]


def test_without_checks_nothing_is_said_of_them() -> None:
    pages = render_catalogue(catalogue_of(requirement()))

    assert "claims it" not in pages["catalogue.html"] + pages["checkout.md"]


def test_checks_are_read_from_a_result_stream(tmp_path: Path) -> None:
    catalogue = load_catalogue()
    header = {"run": "r1", "release": "6.7.0"}
    check = {"id": "suites/a.py::test_a", "requirements": ["CHK-STA-11"], "verdict": "pass"}
    checks_of = read_checks(lines_file(tmp_path, header, check), catalogue)

    assert checks_of("CHK-STA-11") == ["suites/a.py::test_a"]
    assert not checks_of("CHK-STA-10")


def test_faults_are_read(tmp_path: Path) -> None:
    (fault,) = read_faults(lines_file(tmp_path, FAULT), load_catalogue())

    assert fault == Fault.model_validate(FAULT)


@pytest.mark.parametrize(
    ("value", "finding"),
    [
        (
            FAULT | {"requirements": ["CHK-STA-999"]},
            "lines.jsonl, line 1: fault size-zero: no such requirement: CHK-STA",
        ),
        ({"name": "x"}, "lines.jsonl, line 1: a fault has name, requirements and summary: requirements: "),
        (["no object"], "lines.jsonl, line 1: write one JSON object a line"),
    ],
)
def test_a_wrong_fault_is_reported_with_its_line(tmp_path: Path, value: object, finding: str) -> None:
    with pytest.raises(CatalogueInputError) as caught:
        read_faults(lines_file(tmp_path, value), load_catalogue())

    assert finding in str(caught.value)


@pytest.mark.parametrize(
    ("value", "finding"),
    [
        ({"id": "a", "requirements": ["CHK-STA-999"]}, "line 1: check a: no such requirement: CHK-STA-999"),
        ({"requirements": ["CHK-STA-11"]}, "line 1: a check has id and requirements: id: "),
    ],
)
def test_a_wrong_check_is_reported_with_its_line(tmp_path: Path, value: object, finding: str) -> None:
    with pytest.raises(CatalogueInputError) as caught:
        read_checks(lines_file(tmp_path, value), load_catalogue())

    assert finding in str(caught.value)


def test_the_command_writes_the_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "generated"

    assert main(["--output", str(output), "--faults", str(lines_file(tmp_path, FAULT))]) == 0
    assert "size-zero" in (output / "catalogue.html").read_text(encoding="utf-8")
    assert "size-zero" in (output / "checkout.md").read_text(encoding="utf-8")
    assert f"{len(load_catalogue())} requirements" in capsys.readouterr().out


def test_the_command_says_what_is_wrong_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "generated"

    assert main(["--output", str(output), "--checks", str(tmp_path / "absent.jsonl")]) == UNUSABLE_INPUT
    assert "absent.jsonl" in capsys.readouterr().err
    assert not output.exists()


def test_rendering_twice_gives_the_same_pages() -> None:
    assert render_catalogue(load_catalogue()) == render_catalogue(load_catalogue())
