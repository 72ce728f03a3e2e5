"""What may happen to a payment, as a table: ``contract/transitions.toml`` into typed values.

A row says what a trigger does to a payment of one protocol in one state: it is accepted and leads to the next
state, it is refused, or the contract leaves it open. Rows cover what must happen and what must be refused.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Self, TypeVar

from pydantic import Field, ValidationError, model_validator

from contract.catalogue import load_catalogue
from contract.document import CONTRACT_DIRECTORY, ContractError, findings_of, read_document, tables_of
from contract.errors import load_errors
from contract.model import Basis, LineNumbers, Need, Protocol, ReleaseRange, RequirementId, Value

TRANSITIONS_FILE = CONTRACT_DIRECTORY / "transitions.toml"

Entry = TypeVar("Entry", bound=Value)
Name = Annotated[str, Field(pattern=r"^[a-z]+(_[a-z]+)*$")]


class Outcome(StrEnum):
    """What becomes of a trigger."""

    ACCEPTED = "accepted"
    """The trigger is carried out and the payment takes the next state."""
    REFUSED = "refused"
    """The trigger is answered with an error, or fails, and the payment keeps its state."""
    EITHER = "either"
    """The contract allows both."""


class State(Value):
    """A state that a payment can be in.

    Attributes:
        name: how checks and reports call it.
        meaning: what it is, in one sentence.
        status: the word of look-ups, compared without case; ``None``: the state has none.
        basis: who says the word.
    """

    name: Name
    meaning: Annotated[str, Field(min_length=12)]
    status: str | None = None
    basis: Basis | None = None

    @model_validator(mode="after")
    def _word_has_a_basis(self) -> Self:
        if (self.status is None) != (self.basis is None):
            raise ValueError("a status word and its basis go together")
        return self


class Trigger(Value):
    """Something that happens to a payment.

    Attributes:
        name: how checks and reports call it.
        meaning: what it is, in one sentence.
        requests: per protocol, the action or endpoint that brings it about; empty when payer or bank do.
    """

    name: Name
    meaning: Annotated[str, Field(min_length=12)]
    requests: Mapping[Protocol, str] = Field(default_factory=dict)


class Transition(ReleaseRange):
    """One row: a trigger on a payment in a state.

    Attributes:
        protocol: the part of the interface.
        state: name of the state that the payment is in.
        trigger: name of the trigger.
        condition: what else must hold; ``None``: nothing.
        outcome: what becomes of the trigger.
        next: name of the state that an accepted trigger leads to.
        errors: names of the error pairs of which a refusal answers one; empty: the contract names none.
        basis: who says so.
        lines: line numbers of the contract.
        requirements: ids of the requirements that state it.
        needs: what a target must have for it to apply, written as in requirements.
    """

    protocol: Protocol
    state: Name
    trigger: Name
    condition: str | None = None
    outcome: Outcome
    next: Name | None = None
    errors: tuple[str, ...] = ()
    basis: Basis
    lines: LineNumbers
    requirements: tuple[RequirementId, ...] = Field(min_length=1)
    needs: tuple[Need, ...] = ()

    @model_validator(mode="after")
    def _is_coherent(self) -> Self:
        if (self.outcome is Outcome.REFUSED) == (self.next is not None):
            raise ValueError("give the next state of a trigger that can be accepted, and of no other")
        if self.errors and self.outcome is Outcome.ACCEPTED:
            raise ValueError("an accepted trigger answers no error")
        return self

    @property
    def id(self) -> str:
        """A name for reports: ``Checkout: authorized, capture``."""
        return f"{self.protocol}: {self.state}, {self.trigger}" + (f", {self.condition}" if self.condition else "")


@dataclass(frozen=True)
class TransitionTable:
    """All states and triggers by name, and the rows in the order of the file."""

    states: Mapping[str, State]
    triggers: Mapping[str, Trigger]
    transitions: tuple[Transition, ...]

    def of(self, protocol: Protocol) -> tuple[Transition, ...]:
        """Return the rows of one protocol."""
        return tuple(transition for transition in self.transitions if transition.protocol is protocol)


@cache
def load_transitions() -> TransitionTable:
    """Read the table that ships with the suite (once per process)."""
    return read_transitions(TRANSITIONS_FILE, requirements=load_catalogue(), errors=load_errors())


def read_transitions(file: Path, *, requirements: Container[str], errors: Container[str]) -> TransitionTable:
    """Read a table and validate its rows against each other and against the rest of the contract.

    Args:
        file: TOML with ``[[state]]``, ``[[trigger]]`` and ``[[transition]]``.
        requirements: the ids that rows may name.
        errors: the names of error pairs that rows may name.

    Raises:
        ContractError: the file cannot be parsed, a value is not allowed, a name is used twice, unknown or never
            used, or two rows speak of the same case.
    """
    document = read_document(file)
    findings = [f"{file.name}: {key}: unknown key" for key in document.keys() - {"state", "trigger", "transition"}]
    states = _entries(document, "state", State, file, findings)
    triggers = _entries(document, "trigger", Trigger, file, findings)
    rows = _entries(document, "transition", Transition, file, findings)
    table = TransitionTable(
        {state.name: state for state in states}, {trigger.name: trigger for trigger in triggers}, tuple(rows)
    )
    findings += [f"{file.name}: {finding}" for finding in _repeated([f"state {state.name}" for state in states])]
    findings += [f"{file.name}: {finding}" for finding in _repeated([f"trigger {each.name}" for each in triggers])]
    findings += [f"{file.name}: {finding}" for finding in _repeated([f"{row.id} from {row.since}" for row in rows])]
    for row in rows:
        findings += [f"{file.name}: {row.id}: {finding}" for finding in _dangling(row, table, requirements, errors)]
    if not findings:
        findings += [f"{file.name}: {finding}" for finding in _unused(table)]
    if findings:
        raise ContractError("\n".join(findings))
    return table


def _entries(
    document: Mapping[str, object], key: str, kind: type[Entry], file: Path, findings: list[str]
) -> list[Entry]:
    entries: list[Entry] = []
    for number, entry in enumerate(tables_of(document, key, file), start=1):
        try:
            entries.append(kind.model_validate(entry))
        except ValidationError as error:
            findings += findings_of(error, f"{file.name}: {key} {number}")
    return entries


def _dangling(
    row: Transition, table: TransitionTable, requirements: Container[str], errors: Container[str]
) -> Iterator[str]:
    if row.state not in table.states:
        yield f"state {row.state!r} is not defined"
    if row.next is not None and row.next not in table.states:
        yield f"next state {row.next!r} is not defined"
    trigger = table.triggers.get(row.trigger)
    if trigger is None:
        yield f"trigger {row.trigger!r} is not defined"
    elif trigger.requests and row.protocol not in trigger.requests:
        yield f"trigger {row.trigger!r} has no request in {row.protocol}"
    yield from (f"requirement {each} does not exist" for each in row.requirements if each not in requirements)
    yield from (f"error {each} is not in errors.toml" for each in row.errors if each not in errors)


def _repeated(names: list[str]) -> list[str]:
    return [f"{name} is given twice" for name in dict.fromkeys(names) if names.count(name) > 1]


def _unused(table: TransitionTable) -> Iterator[str]:
    used_states = {name for row in table.transitions for name in (row.state, row.next)}
    yield from (f"state {name} is in no row" for name in table.states if name not in used_states)
    used_triggers = {row.trigger for row in table.transitions}
    yield from (f"trigger {name} is in no row" for name in table.triggers if name not in used_triggers)
