"""Renders the catalogue of requirements for people: ``python -m reports.pages.catalogue``.

Markdown, one page a protocol and an index, and one HTML page that needs nothing beside itself. A requirement has the
anchor of its id in both (``catalogue.html#CHK-STA-03``). Given checks and faults, each requirement lists the checks
that claim it and the faults that break it.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Annotated

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from contract.catalogue import Catalogue, ContractError, load_catalogue
from contract.model import Protocol, Requirement
from contract.operation_rules import operation_cells
from contract.places import DOCUMENTS, Cell, cells
from contract.watched import load_watched
from reports.templating import TEMPLATES

DEFAULT_OUTPUT = Path("docs/generated")
UNUSABLE_INPUT = 2
"""Exit status when an input cannot be used."""

ChecksOf = Callable[[str], Sequence[str]]


class CatalogueInputError(Exception):
    """A file of checks or faults cannot be used; the message names the file, the line and what to change."""


class Fault(BaseModel):
    """A named deviation of the emulator, as ``python -m emulator --list-faults`` lists it.

    Attributes:
        name: what ``--fault`` takes.
        requirements: ids that it breaks.
        summary: what it does, in one sentence.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: Annotated[str, Field(min_length=1)]
    requirements: tuple[str, ...]
    summary: str


class _Check(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    id: Annotated[str, Field(min_length=1)]
    requirements: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """A requirement with what proves it."""

    requirement: Requirement
    checks: tuple[str, ...]
    faults: tuple[Fault, ...]

    @property
    def lines(self) -> str:
        """The lines of the contract, consecutive ones as a range: ``36, 139-141``."""
        return ", ".join(_ranges(self.requirement.lines))

    @property
    def releases(self) -> str:
        """The releases that it holds for, in words."""
        since, until = self.requirement.since, self.requirement.until
        if since and until:
            return f"{since} to {until}"
        if since:
            return f"from {since} on"
        return f"up to {until}" if until else "all"


@dataclass(frozen=True)
class Row:
    """A rule of a field: the operations on which a requirement states it, and those on which none does."""

    protocol: str
    field: str
    rule: str
    tried: tuple[str, ...]
    untried: tuple[str, ...]


@dataclass(frozen=True)
class Chapter:
    """The requirements of one protocol, by subject (the part of the id before the number)."""

    protocol: Protocol
    subjects: Mapping[str, tuple[Entry, ...]]

    @property
    def slug(self) -> str:
        """The file name without ending."""
        return re.sub(r"[^a-z0-9]+", "-", self.protocol.lower())

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All its requirements."""
        return tuple(entry for entries in self.subjects.values() for entry in entries)

    @property
    def testable(self) -> int:
        """How many can be tested from outside."""
        return sum(entry.requirement.not_testable is None for entry in self.entries)


def render_catalogue(
    catalogue: Catalogue, *, checks_of: ChecksOf | None = None, faults: Iterable[Fault] = ()
) -> Mapping[str, str]:
    """Render all pages.

    Args:
        catalogue: the requirements.
        checks_of: returns the node ids of the checks that claim a requirement; ``None``: not known.
        faults: the faults of the emulator.

    Returns:
        File name to text: ``index.md``, a page for each protocol that has requirements, ``places.md`` with the rules
        of fields by operation, ``catalogue.html``.
    """
    listed = tuple(faults)
    chapters = _chapters(catalogue, checks_of or (lambda _: ()), listed)
    context = {
        "chapters": chapters,
        "count": len(catalogue),
        "testable": sum(chapter.testable for chapter in chapters),
        "shows_checks": checks_of is not None,
        "shows_faults": bool(listed),
    }
    environment = _environment()
    page = environment.get_template("catalogue_chapter.md.jinja")
    pages = {f"{chapter.slug}.md": page.render(context, chapter=chapter) for chapter in chapters}
    index = environment.get_template("catalogue_index.md.jinja").render(context)
    html = environment.get_template("catalogue.html.jinja").render(context)
    slugs = {entry.requirement.id: chapter.slug for chapter in chapters for entry in chapter.entries}
    places = environment.get_template("catalogue_places.md.jinja").render(_places(slugs))
    return {"index.md": index, **pages, "places.md": places, "catalogue.html": html}


def _places(slugs: Mapping[str, str]) -> Mapping[str, object]:
    """Return what the page of rules by operation shows: a line for each rule of each field, the reasons by number."""
    found = cells()
    reasons = tuple(dict.fromkeys(cell.reason for cell in found if cell.reason))
    rows = []
    for key, group in groupby(sorted(found, key=_rule_of), _rule_of):
        each = tuple(group)
        tried = tuple(f"{cell.operation} ({cell.requirement})" for cell in each if cell.requirement)
        filed = tuple(f"{cell.operation} ({reasons.index(cell.reason) + 1})" for cell in each if cell.reason)
        empty = tuple(f"{cell.operation} (empty)" for cell in each if cell.is_empty)
        protocol, field, rule = key
        rows.append(Row(DOCUMENTS[protocol], field, rule, tried, (*filed, *empty)))
    return {
        "cells": found,
        "checked": sum(bool(cell.requirement) for cell in found),
        "filed": sum(bool(cell.reason) for cell in found),
        "empty": sum(cell.is_empty for cell in found),
        "rows": rows,
        "reasons": reasons,
        "on_operations": operation_cells(),
        "watched": {name: sorted(kinds) for name, kinds in load_watched().items() if name in slugs},
        "slugs": slugs,
    }


def _rule_of(cell: Cell) -> tuple[str, str, str]:
    return cell.protocol, cell.field, cell.rule


def read_checks(file: Path, catalogue: Catalogue) -> ChecksOf:
    """Read which checks claim which requirement.

    Args:
        file: JSON lines; those with ``requirements`` are checks and have their node id in ``id``, as in
            ``results.jsonl``. Other lines are passed over.
        catalogue: the requirements that checks may claim.

    Raises:
        CatalogueInputError: the file cannot be read, a line is not JSON, or a check claims an unknown requirement.
    """
    claims: dict[str, list[str]] = {}
    for place, value in _json_lines(file):
        if "requirements" not in value:
            continue
        try:
            check = _Check.model_validate(value)
        except ValidationError as error:
            raise CatalogueInputError(f"{place}: a check has id and requirements: {_first(error)}") from error
        _must_exist(check.requirements, catalogue, f"{place}: check {check.id}")
        for requirement in check.requirements:
            claims.setdefault(requirement, []).append(check.id)
    return lambda requirement: claims.get(requirement, ())


def read_faults(file: Path, catalogue: Catalogue) -> tuple[Fault, ...]:
    """Read the faults of the emulator.

    Args:
        file: JSON lines, each with ``name``, ``requirements`` and ``summary``.
        catalogue: the requirements that faults may break.

    Raises:
        CatalogueInputError: the file cannot be read, a line is no fault, or a fault names an unknown requirement.
    """
    faults: list[Fault] = []
    for place, value in _json_lines(file):
        try:
            fault = Fault.model_validate(value)
        except ValidationError as error:
            raise CatalogueInputError(
                f"{place}: a fault has name, requirements and summary: {_first(error)}"
            ) from error
        _must_exist(fault.requirements, catalogue, f"{place}: fault {fault.name}")
        faults.append(fault)
    return tuple(faults)


def main(arguments: Sequence[str] | None = None, *, name: str = "python -m reports.pages.catalogue") -> int:
    """Write the pages; return 0, or 2 when an input cannot be used."""
    parser = argparse.ArgumentParser(prog=name, description="Render the requirements.")
    parser.add_argument("--output", type=Path, default=DEFAULT_OUTPUT, help="directory of the pages (%(default)s)")
    parser.add_argument("--checks", type=Path, help="JSON lines with id and requirements, such as results.jsonl")
    parser.add_argument("--faults", type=Path, help="JSON lines, as the emulator writes them with --list-faults")
    options = parser.parse_args(arguments)
    try:
        catalogue = load_catalogue()
        checks_of = read_checks(options.checks, catalogue) if options.checks else None
        faults = read_faults(options.faults, catalogue) if options.faults else ()
        pages = render_catalogue(catalogue, checks_of=checks_of, faults=faults)
        options.output.mkdir(parents=True, exist_ok=True)
        for page, text in pages.items():
            (options.output / page).write_text(text, encoding="utf-8")
    except (CatalogueInputError, ContractError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return UNUSABLE_INPUT
    sys.stdout.write(f"{len(catalogue)} requirements in {len(pages)} pages: {options.output}\n")
    return 0


def _chapters(catalogue: Catalogue, checks_of: ChecksOf, faults: Sequence[Fault]) -> tuple[Chapter, ...]:
    entries = [
        Entry(
            requirement,
            tuple(checks_of(requirement.id)),
            tuple(fault for fault in faults if requirement.id in fault.requirements),
        )
        for requirement in sorted(catalogue.values(), key=lambda each: each.id)
    ]
    chapters = []
    for protocol in Protocol:
        own = [entry for entry in entries if entry.requirement.protocol is protocol]
        if own:
            subjects = groupby(own, key=lambda entry: entry.requirement.id.rpartition("-")[0])
            chapters.append(Chapter(protocol, {subject: tuple(group) for subject, group in subjects}))
    return tuple(chapters)


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(enabled_extensions=("html.jinja",)),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["markdown"] = _markdown
    return environment


def _markdown(text: str) -> str:
    """Escape text so that Markdown shows it to the letter, also within a table."""
    return re.sub(r"([\\`*_{}\[\]<>#|&~])", r"\\\1", " ".join(text.split()))


def _ranges(numbers: Iterable[int]) -> Iterator[str]:
    ordered = sorted(set(numbers))
    for _, group in groupby(enumerate(ordered), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        yield str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}"


def _json_lines(file: Path) -> Iterator[tuple[str, dict[str, object]]]:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CatalogueInputError(f"{file}: {error}") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{file.name}, line {number}"
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            raise CatalogueInputError(f"{place}: not JSON: {error}") from error
        if not isinstance(value, dict):
            raise CatalogueInputError(f"{place}: write one JSON object a line")
        yield place, value


def _must_exist(requirements: Iterable[str], catalogue: Catalogue, place: str) -> None:
    if unknown := sorted(set(requirements) - catalogue.keys()):
        raise CatalogueInputError(f"{place}: no such requirement: {', '.join(unknown)}")


def _first(error: ValidationError) -> str:
    found = error.errors()[0]
    return f"{'.'.join(map(str, found['loc']))}: {found['msg']}"


if __name__ == "__main__":
    sys.exit(main())
