"""The requirements: the shipped ones load, and a wrong file is reported with file, entry and finding."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from contract.catalogue import Catalogue, ContractError, load_catalogue, read_catalogue
from contract.model import PROTOCOL_OF_PREFIX, Level, Protocol, Release

REQUIREMENT = """
[[requirement]]
id = "CHK-STA-01"
sentence = "A look-up answers one payment."
level = "MUST"
basis = "specification"
section = "Endpoints"
lines = [339, "343-344"]
"""
SECTIONS = 'section = [{ name = "Endpoints", lines = [324, 345] }, { name = "Errors", lines = [429, 467] }]'

SOURCES = '[[source]]\nkey = "card-guide"\ntitle = "The guide of cards"\n'
FILES = ("requirements", "sections.toml", "sources.toml", "to_come.toml")
SAFETY_WITHOUT_A_SOURCE = ("CHK-LIF-04",)
"""No public document says it; that nobody pays twice for one session binds all the same."""
OF_THE_PLATFORM = ('"specification"', '"platform"\nsource = "card-guide: Appendix A"')


def read(directory: Path, *texts: str, sections: str = SECTIONS, to_come: str = "requirements = []") -> Catalogue:
    requirements = directory / "requirements"
    requirements.mkdir()
    for number, text in enumerate(texts, start=1):
        (requirements / f"part{number}.toml").write_text(text, encoding="utf-8")
    (directory / "sections.toml").write_text(sections, encoding="utf-8")
    (directory / "to_come.toml").write_text(to_come, encoding="utf-8")
    (directory / "sources.toml").write_text(SOURCES, encoding="utf-8")
    return read_catalogue(*(directory / name for name in FILES))


def refusal(directory: Path, *texts: str, sections: str = SECTIONS, to_come: str = "requirements = []") -> str:
    with pytest.raises(ContractError) as caught:
        read(directory, *texts, sections=sections, to_come=to_come)
    return str(caught.value)


def test_a_requirement_is_read(tmp_path: Path) -> None:
    requirement = read(tmp_path, REQUIREMENT)["CHK-STA-01"]

    assert requirement.level is Level.MUST
    assert requirement.protocol is Protocol.CHECKOUT
    assert requirement.lines == (339, 343, 344)
    assert requirement.holds_for(Release("6.6.2"))


@pytest.mark.parametrize(
    ("release", "holds"), [("6.6.2", False), ("6.6.3", True), ("6.6.4", True), ("6.6.5", False), ("6.7.0", False)]
)
def test_a_requirement_holds_for_its_releases(tmp_path: Path, release: str, holds: bool) -> None:
    text = REQUIREMENT + 'since = "6.6.3"\nuntil = "6.6.4"\n'

    assert read(tmp_path, text)["CHK-STA-01"].holds_for(Release(release)) is holds


def test_a_requirement_of_the_platform_names_its_source(tmp_path: Path) -> None:
    requirement = read(tmp_path, REQUIREMENT.replace(*OF_THE_PLATFORM))["CHK-STA-01"]

    assert requirement.source_key == "card-guide"


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (('"MUST"', '"SHALL"'), "part1.toml: CHK-STA-01: level: "),
        (('"specification"', '"guess"'), "part1.toml: CHK-STA-01: basis: "),
        (('"Endpoints"', '"Nowhere"'), "part1.toml: CHK-STA-01: section 'Nowhere' is not in sections.toml"),
        (("lines = [339", "rows = [339"), "part1.toml: CHK-STA-01: rows: "),
        (('lines = [339, "343-344"]', "lines = []"), "part1.toml: CHK-STA-01: lines: "),
        (('lines = [339, "343-344"]', 'lines = ["344-343"]'), "part1.toml: CHK-STA-01: lines: "),
        (('lines = [339, "343-344"]', "lines = 339"), "part1.toml: CHK-STA-01: lines: "),
        (("CHK-STA-01", "CHK-STATUS-1"), "part1.toml: CHK-STATUS-1: id: "),
        (("CHK-STA-01", "XYZ-STA-01"), "part1.toml: XYZ-STA-01: entry: "),
        (('id = "CHK-STA-01"', ""), "part1.toml: entry 1: id: "),
        (('sentence = "A look-up answers one payment."', ""), "part1.toml: CHK-STA-01: sentence: "),
        (("[[requirement]]", "[requirement]"), "part1.toml: requirement: write [[requirement]] tables"),
        (("[[requirement]]", "[[requirements]]"), "part1.toml: only [[requirement]] entries are allowed"),
        (('level = "MUST"', "level = MUST"), "part1.toml: "),
        (('"specification"', '"specification"\nsource = "card-guide"'), "a source belongs to the basis platform"),
        (('"specification"', '"platform"\nsource = "a guide"'), "part1.toml: CHK-STA-01: source: "),
        (('"specification"', '"platform"\nsource = "no-guide"'), "source 'no-guide' is not in sources.toml"),
    ],
)
def test_a_wrong_entry_is_reported_with_file_and_id(tmp_path: Path, change: tuple[str, str], finding: str) -> None:
    assert finding in refusal(tmp_path, REQUIREMENT.replace(*change))


@pytest.mark.parametrize(
    ("addition", "finding"),
    [
        ('since = "6.7"', "since: "),
        ('since = "6.7.1"', "'6.7.1' is not one of the releases 6.6.2, 6.6.3, 6.6.4, 6.6.5, 6.7.0"),
        ('until = "soon"', "until: "),
        ('since = "6.7.0"\nuntil = "6.6.5"', "it ends with 6.6.5 before it begins with 6.7.0"),
        ('needs = ["checkout"]', "needs.0: "),
        ('needs = ["capability:Checkout"]', "needs.0: "),
        ('observed_by = ["eye"]', "observed_by.0: "),
        ('not_testable = "too hard"', "not_testable: "),
        ('readings = [{ id = "one", sentence = "Alone." }]', "an ambiguous requirement has at least two readings"),
        (
            'readings = [{ id = "one", sentence = "First." }, { id = "one", sentence = "Second." }]',
            "two readings have the same id",
        ),
        ('readings = [{ id = "One!", sentence = "First." }, { id = "two", sentence = "Second." }]', "readings.0.id: "),
    ],
)
def test_a_wrong_optional_value_is_reported(tmp_path: Path, addition: str, finding: str) -> None:
    message = refusal(tmp_path, f"{REQUIREMENT}{addition}\n")

    assert message.startswith("part1.toml: CHK-STA-01: ")
    assert finding in message


def test_an_id_is_used_once_across_files(tmp_path: Path) -> None:
    assert refusal(tmp_path, REQUIREMENT, REQUIREMENT) == "part2.toml: CHK-STA-01: the id is used twice"


def test_lines_outside_the_section_are_reported(tmp_path: Path) -> None:
    message = refusal(tmp_path, REQUIREMENT.replace('[339, "343-344"]', "[435]"))

    assert message == "part1.toml: CHK-STA-01: none of its lines stands in section 'Endpoints' (324-345)"


def test_the_list_of_what_is_to_come_names_existing_requirements(tmp_path: Path) -> None:
    message = refusal(tmp_path, REQUIREMENT, to_come='requirements = ["CHK-STA-01", "CHK-STA-99"]')

    assert message == "to_come.toml: CHK-STA-99: no such requirement"


@pytest.mark.parametrize("to_come", ["", "requirements = 1", 'ids = ["CHK-STA-01"]'])
def test_a_wrong_list_of_what_is_to_come_is_reported(tmp_path: Path, to_come: str) -> None:
    assert refusal(tmp_path, REQUIREMENT, to_come=to_come).startswith("to_come.toml: ")


@pytest.mark.parametrize(
    "sections", ['section = [{ name = "Endpoints" }]', 'section = [{ name = "Endpoints", lines = [1] }]', "part = 1"]
)
def test_wrong_sections_are_reported(tmp_path: Path, sections: str) -> None:
    assert refusal(tmp_path, REQUIREMENT, sections=sections).startswith("sections.toml: ")


def test_all_errors_of_all_files_are_reported_at_once(tmp_path: Path) -> None:
    message = refusal(
        tmp_path,
        REQUIREMENT.replace('"MUST"', '"SHALL"').replace("lines = [339", "rows = [339"),
        "not TOML",
        REQUIREMENT.replace('"Endpoints"', '"Nowhere"'),
        to_come='requirements = ["CHK-STA-99"]',
    ).splitlines()

    assert [line.split(": ")[0] for line in message] == ["part1.toml"] * 3 + [
        "part2.toml",
        "part3.toml",
        "to_come.toml",
    ]


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match=r"sections\.toml"):
        read_catalogue(*(tmp_path / name for name in FILES))


def test_the_shipped_catalogue_loads() -> None:
    catalogue = load_catalogue()

    assert {requirement.protocol for requirement in catalogue.values()} == set(PROTOCOL_OF_PREFIX.values())


def test_every_shipped_requirement_restates_a_line_of_its_section() -> None:
    catalogue = load_catalogue()
    strays = [
        requirement.id
        for requirement in catalogue.values()
        if not any(map(catalogue.sections[requirement.section].holds, requirement.lines))
    ]

    assert strays == []


def test_sections_follow_each_other_without_overlap() -> None:
    sections = list(load_catalogue().sections.values())

    assert all(before.last_line < after.first_line for before, after in pairwise(sections))


def test_no_two_requirements_of_a_protocol_say_the_same() -> None:
    sentences: dict[tuple[Protocol, str], list[str]] = {}
    for requirement in load_catalogue().values():
        sentences.setdefault((requirement.protocol, requirement.sentence.casefold()), []).append(requirement.id)

    assert [ids for ids in sentences.values() if len(ids) > 1] == []


def test_shipped_sentences_are_single_and_end_in_a_full_stop() -> None:
    sentences = {requirement.id: requirement.sentence for requirement in load_catalogue().values()}

    assert [each for each, sentence in sentences.items() if not sentence.endswith(".")] == []
    assert [each for each, sentence in sentences.items() if "\n" in sentence] == []


def test_a_catalogue_is_not_changed_by_its_readers() -> None:
    catalogue = load_catalogue()

    with pytest.raises(TypeError):
        catalogue.requirements["CHK-NEW-01"] = next(iter(catalogue.values()))  # type: ignore[index]


@pytest.mark.parametrize("protocol", Protocol)
def test_what_binds_though_the_contract_is_silent_names_its_source(protocol: Protocol) -> None:
    silent = [each for each in load_catalogue().values() if each.protocol is protocol and each.must_name_a_source]

    assert [each.id for each in silent if each.source is None and each.id not in SAFETY_WITHOUT_A_SOURCE] == []


def test_only_safety_binds_without_a_source() -> None:
    silent = [each for each in load_catalogue().values() if each.must_name_a_source and each.source is None]

    assert {each.id: each.safety for each in silent} == dict.fromkeys(SAFETY_WITHOUT_A_SOURCE, True)
