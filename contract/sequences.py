"""What an operation does after others were done to the same payment: ``contract/sequences.toml`` into typed values.

A row says what becomes of the last of several operations. The table of transitions speaks of states, however a payment
got there; a gateway may forget, of two ways into a state, what the other one remembers. Rows that the contract decides
are tried by checks of their own, or name those that try them; the others say why they are open.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, ValidationError, model_validator

from contract.catalogue import load_catalogue
from contract.document import CONTRACT_DIRECTORY, ContractError, findings_of, read_document, tables_of
from contract.errors import load_errors
from contract.model import LineNumbers, Need, Protocol, ReleaseRange, RequirementId, Value
from contract.operation_rules import operations

SEQUENCES_FILE = CONTRACT_DIRECTORY / "sequences.toml"
Words = Annotated[str, Field(pattern=r"^[A-Za-z0-9]+([ _-][A-Za-z0-9]+)*$")]


class Answer(StrEnum):
    """What becomes of the last operation of a sequence."""

    ACCEPTED = "accepted"
    """It is carried out."""
    REFUSED = "refused"
    """It is refused, or fails, and the payment stays as it was."""
    OPEN = "open"
    """The contract does not say."""


class Step(ReleaseRange):
    """One operation of sequences, as one protocol has it.

    Attributes:
        protocol: the part of the interface.
        name: how rows call it.
        operation: which one it is, as in the tables of fields: ``<document> <path or action>``.
        needs: what a target must have for it, beyond what the claimed requirement needs.
    """

    protocol: Protocol
    name: Words
    operation: str
    needs: tuple[Need, ...] = ()


class Sequence(Value):
    """One row: an operation after others.

    Attributes:
        protocol: the part of the interface.
        first: what was done before, one after the other; each is a step.
        then: the step that the row is about.
        answer: what becomes of it.
        errors: names of the error pairs of which a refusal answers one; empty: the contract names none.
        status: the word of look-ups afterwards; empty: as before where it is refused, another one where it is accepted.
        left: what can still be captured or given back afterwards; empty: nothing is said of it.
        lines: line numbers of the contract.
        says: its words there, or those of the public document that the requirement names; of an open row why it is.
        requirements: ids of those that state it; none of an open row.
        covered: the check that tries it elsewhere, ``<file>::<name>``; empty: one is made of the row.
    """

    protocol: Protocol
    first: tuple[Words, ...] = Field(min_length=1)
    then: Words
    answer: Answer
    errors: tuple[str, ...] = ()
    status: str = ""
    left: str = ""
    lines: LineNumbers
    says: Annotated[str, Field(min_length=12)]
    requirements: tuple[RequirementId, ...] = ()
    covered: Annotated[str, Field(pattern=r"^$|^suites/[a-z0-9_/]+\.py::test_[a-z0-9_]+$")] = ""

    @model_validator(mode="after")
    def _is_coherent(self) -> Self:
        is_open = self.answer is Answer.OPEN
        if is_open == bool(self.requirements):
            raise ValueError("name the requirements of a row that is decided, and of no other")
        if is_open and self.covered:
            raise ValueError("no check tries what is open")
        if self.errors and self.answer is not Answer.REFUSED:
            raise ValueError("only a refusal answers an error")
        return self

    @property
    def id(self) -> str:
        """A name for reports: ``void after authorization, capture``."""
        return f"{self.then} after {', '.join(self.first)}"


@dataclass(frozen=True)
class SequenceTable:
    """The steps by protocol and name, and the rows in the order of the file."""

    steps: Mapping[tuple[Protocol, str], Step]
    sequences: tuple[Sequence, ...]

    def of(self, protocol: Protocol) -> tuple[Sequence, ...]:
        """Return the rows of one protocol."""
        return tuple(row for row in self.sequences if row.protocol is protocol)

    def tried(self, protocol: Protocol, answer: Answer) -> tuple[Sequence, ...]:
        """Return the rows of one protocol that checks are made of, by what becomes of their last operation."""
        return tuple(row for row in self.of(protocol) if row.answer is answer and not row.covered)

    def steps_of(self, row: Sequence) -> tuple[Step, ...]:
        """Return the steps of a row, the last one included."""
        return tuple(self.steps[row.protocol, name] for name in (*row.first, row.then))

    def needs_of(self, row: Sequence) -> tuple[str, ...]:
        """Return what a target must have for all steps of a row."""
        return tuple(dict.fromkeys(need for step in self.steps_of(row) for need in step.needs))


@cache
def load_sequences() -> SequenceTable:
    """Read the table that ships with the suite (once per process)."""
    return read_sequences(SEQUENCES_FILE, requirements=load_catalogue(), errors=load_errors(), known=operations())


def read_sequences(
    file: Path, *, requirements: Container[str], errors: Container[str], known: Container[str]
) -> SequenceTable:
    """Read a table and validate its rows against each other and against the rest of the contract.

    Args:
        file: TOML with ``[[step]]`` and ``[[sequence]]``.
        requirements: the ids that rows may name.
        errors: the names of error pairs that rows may name.
        known: the operations that steps may be.

    Raises:
        ContractError: the file cannot be parsed, a value is not allowed, a name is unknown or never used, or two
            rows speak of the same case.
    """
    document = read_document(file)
    findings = [f"{key}: unknown key" for key in document.keys() - {"step", "sequence"}]
    steps: dict[tuple[Protocol, str], Step] = {}
    rows: list[Sequence] = []
    for number, entry in enumerate(tables_of(document, "step", file), start=1):
        try:
            step = Step.model_validate(entry)
        except ValidationError as error:
            findings += findings_of(error, f"step {number}")
            continue
        if (step.protocol, step.name) in steps:
            findings.append(f"{step.protocol}: step {step.name} is given twice")
        if step.operation not in known:
            findings.append(f"{step.protocol}: step {step.name}: no operation {step.operation}")
        steps[step.protocol, step.name] = step
    for number, entry in enumerate(tables_of(document, "sequence", file), start=1):
        try:
            rows.append(Sequence.model_validate(entry))
        except ValidationError as error:
            findings += findings_of(error, f"sequence {number}")
    findings += _wrong(rows, steps, requirements, errors)
    if findings:
        raise ContractError("\n".join(f"{file.name}: {finding}" for finding in findings))
    return SequenceTable(steps, tuple(rows))


def _wrong(
    rows: list[Sequence],
    steps: Mapping[tuple[Protocol, str], Step],
    requirements: Container[str],
    errors: Container[str],
) -> Iterator[str]:
    used: set[tuple[Protocol, str]] = set()
    seen: set[tuple[Protocol, str]] = set()
    for row in rows:
        place = f"{row.protocol}: {row.id}"
        if (row.protocol, row.id) in seen:
            yield f"{place} is given twice"
        seen.add((row.protocol, row.id))
        named = {(row.protocol, name) for name in (*row.first, row.then)}
        used |= named
        yield from (f"{place}: step {name!r} is not defined" for _, name in sorted(named - steps.keys()))
        yield from (
            f"{place}: requirement {each} does not exist" for each in row.requirements if each not in requirements
        )
        yield from (f"{place}: error {each} is not in errors.toml" for each in row.errors if each not in errors)
    yield from (f"{protocol}: step {name} is in no row" for protocol, name in sorted(steps.keys() - used))
