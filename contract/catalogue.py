"""Reads and validates the requirements: ``contract/requirements/*.toml`` into typed values.

Every error names the file and the entry that it is about, and all errors of a load are reported at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from contract.document import CONTRACT_DIRECTORY, ContractError, array_of_tables, findings_of, read_document
from contract.model import SOURCE_KEY, Requirement, Value

__all__ = [
    "CONTRACT_DIRECTORY",
    "REQUIREMENTS_DIRECTORY",
    "SECTIONS_FILE",
    "SOURCES_FILE",
    "TO_COME_FILE",
    "Catalogue",
    "ContractError",
    "Section",
    "load_catalogue",
    "read_catalogue",
]

REQUIREMENTS_DIRECTORY = CONTRACT_DIRECTORY / "requirements"
SECTIONS_FILE = CONTRACT_DIRECTORY / "sections.toml"
SOURCES_FILE = CONTRACT_DIRECTORY / "sources.toml"
TO_COME_FILE = CONTRACT_DIRECTORY / "to_come.toml"


class _SectionRow(Value):
    name: str
    lines: tuple[int, int]


class _ToCome(Value):
    requirements: frozenset[str]


class _SourceRow(Value):
    key: Annotated[str, Field(pattern=SOURCE_KEY)]
    title: Annotated[str, Field(min_length=12)]


_SECTION_ROWS = TypeAdapter(list[_SectionRow])
_SOURCE_ROWS = TypeAdapter(list[_SourceRow])


@dataclass(frozen=True)
class Section:
    """A heading of the contract and the lines that belong to it."""

    name: str
    first_line: int
    last_line: int

    def holds(self, line: int) -> bool:
        """Return whether the line stands under this heading."""
        return self.first_line <= line <= self.last_line


@dataclass(frozen=True)
class Catalogue(Mapping[str, Requirement]):
    """All requirements by id, in the order of the files.

    Attributes:
        to_come: ids that no check claims yet, listed in ``contract/to_come.toml``.
        sources: titles of the public documents that state what the contract leaves open, by key.
    """

    requirements: Mapping[str, Requirement]
    sections: Mapping[str, Section]
    to_come: frozenset[str]
    sources: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, requirement_id: str) -> Requirement:
        return self.requirements[requirement_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self.requirements)

    def __len__(self) -> int:
        return len(self.requirements)


@cache
def load_catalogue() -> Catalogue:
    """Read the catalogue that ships with the suite (once per process)."""
    return read_catalogue(REQUIREMENTS_DIRECTORY, SECTIONS_FILE, SOURCES_FILE, TO_COME_FILE)


def read_catalogue(requirements: Path, sections_file: Path, sources_file: Path, to_come_file: Path) -> Catalogue:
    """Read requirement files from a directory and validate them against each other.

    Raises:
        ContractError: a file cannot be parsed, a value is not allowed, an id is used twice, a section is
            or a source is unknown, a line lies outside its section, or a listed id does not exist.
    """
    sections = _read_sections(sections_file)
    sources = _read_sources(sources_file)
    found: dict[str, Requirement] = {}
    errors: list[str] = []
    for file in sorted(requirements.glob("*.toml")):
        try:
            entries = array_of_tables(read_document(file), "requirement", file)
        except ContractError as error:
            errors.append(str(error))
            continue
        for number, entry in enumerate(entries, start=1):
            place = f"{file.name}: {entry.get('id') or f'entry {number}'}"
            try:
                requirement = Requirement.model_validate(entry)
            except ValidationError as error:
                errors += findings_of(error, place)
                continue
            errors += [f"{place}: {finding}" for finding in _findings(requirement, sections, found)]
            if requirement.source_key and requirement.source_key not in sources:
                errors.append(f"{place}: source {requirement.source_key!r} is not in {sources_file.name}")
            found[requirement.id] = requirement
    to_come = _read_to_come(to_come_file)
    errors += [f"{to_come_file.name}: {unknown}: no such requirement" for unknown in sorted(to_come - found.keys())]
    if errors:
        raise ContractError("\n".join(errors))
    return Catalogue(MappingProxyType(found), sections, to_come, sources)


def _findings(
    requirement: Requirement, sections: Mapping[str, Section], found: Mapping[str, Requirement]
) -> Iterator[str]:
    if requirement.id in found:
        yield "the id is used twice"
    section = sections.get(requirement.section)
    if section is None:
        yield f"section {requirement.section!r} is not in sections.toml"
    elif not any(section.holds(line) for line in requirement.lines):
        yield f"none of its lines stands in section {section.name!r} ({section.first_line}-{section.last_line})"


def _read_sections(file: Path) -> Mapping[str, Section]:
    try:
        rows = _SECTION_ROWS.validate_python(array_of_tables(read_document(file), "section", file))
    except ValidationError as error:
        raise ContractError("\n".join(findings_of(error, file.name))) from error
    return MappingProxyType({row.name: Section(row.name, *row.lines) for row in rows})


def _read_sources(file: Path) -> Mapping[str, str]:
    try:
        rows = _SOURCE_ROWS.validate_python(array_of_tables(read_document(file), "source", file))
    except ValidationError as error:
        raise ContractError("\n".join(findings_of(error, file.name))) from error
    return MappingProxyType({row.key: row.title for row in rows})


def _read_to_come(file: Path) -> frozenset[str]:
    try:
        return _ToCome.model_validate(read_document(file)).requirements
    except ValidationError as error:
        raise ContractError("\n".join(findings_of(error, file.name))) from error
