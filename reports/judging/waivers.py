"""Waivers: known failures that were accepted for a time, by somebody, for a reason. Read from TOML.

::

    [[waiver]]
    requirement = "CHK-SES-21"
    fingerprint = "5f3a9c21d407"
    reason = "Fixed in the gateway's next release"
    owner = "payments team"
    expires = 2030-01-31
    ticket = "PAY-1234"

In place of ``fingerprint`` it may name a ``finding``: one cause, and the requirements that may fail because of it.

::

    [[waiver]]
    finding = "3962acd902c9"
    requirement = ["CBK-SIG-02", "CBK-SIG-03"]
    …
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from reports.judging.accepted import AcceptedError, read_entries, worded
from reports.judging.fingerprint import PATTERN, fingerprint
from reports.judging.verdicts import RequirementResult
from reports.model import Check, Verdict

ALLOWED: Mapping[str, str] = {
    "requirement": "the id of a requirement, for example CHK-SES-21; of a finding a list of ids",
    "fingerprint": "the 12 hex digits that the report prints beside the failure",
    "finding": "in place of fingerprint, the 12 hex digits that the report prints beside the finding",
    "reason": "a sentence that says why the failure is accepted",
    "owner": "who sees to it that the failure goes away",
    "expires": "the last day on which it covers, a TOML date such as 2030-01-31",
    "ticket": "text; it may be left out",
}


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


class Waiver(BaseModel):
    """One accepted failure, or what fails because of one cause.

    Attributes:
        requirement: ids of the requirements whose failure is accepted; with a fingerprint one only.
        fingerprint: of the failure.
        finding: fingerprint of the cause, in place of that.
        expires: the last day on which it covers.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    requirement: Annotated[tuple[str, ...], BeforeValidator(_listed), Field(min_length=1)]
    fingerprint: Annotated[str, Field(pattern=PATTERN)] | None = None
    finding: Annotated[str, Field(pattern=PATTERN)] | None = None
    reason: Annotated[str, Field(min_length=8)]
    owner: Annotated[str, Field(min_length=2)]
    expires: date
    ticket: str = ""

    @model_validator(mode="after")
    def _names_one_thing(self) -> Self:
        if (self.fingerprint is None) == (self.finding is None):
            raise ValueError("give either fingerprint or finding")
        if self.fingerprint and len(self.requirement) > 1:
            raise ValueError("a fingerprint belongs to one requirement; to waive several name a finding")
        return self

    @property
    def mark(self) -> str:
        """The fingerprint that it names, whichever."""
        return self.fingerprint or self.finding or ""

    @property
    def subject(self) -> str:
        """The requirements in words."""
        return ", ".join(self.requirement)


class WaiverState(StrEnum):
    """What became of a waiver in a run."""

    COVERS = "covers"
    EXPIRED = "expired"
    STALE = "stale"
    DRIFTED = "drifted"
    IDLE = "idle"


STATE_SENTENCES: Mapping[WaiverState, str] = {
    WaiverState.COVERS: "it covers the failure",
    WaiverState.EXPIRED: "it has expired and covers nothing; fix the failure, or agree on a new date",
    WaiverState.STALE: "the failure is gone; remove the waiver",
    WaiverState.DRIFTED: "the requirement fails in another way now, which it does not cover; look at the new failure",
    WaiverState.IDLE: "whether the failure is still there could not be found out in this run",
}


@dataclass(frozen=True)
class WaiverResult:
    """A waiver and what became of it."""

    waiver: Waiver
    state: WaiverState


def read_waivers(file: Path, requirements: Iterable[str]) -> tuple[Waiver, ...]:
    """Read a file of waivers.

    Args:
        file: TOML with ``[[waiver]]`` tables.
        requirements: the ids that the catalogue has.

    Raises:
        AcceptedError: the file cannot be read, or an entry is not as it must be.
    """
    known = tuple(requirements)
    waivers: list[Waiver] = []
    findings: list[str] = []
    for number, entry in enumerate(read_entries(file, "waiver"), start=1):
        place = f"{file.name}: waiver {number}"
        try:
            waiver = Waiver.model_validate(entry)
        except ValidationError as error:
            findings += [f"{place}: {finding}" for finding in worded(error, ALLOWED, "waiver")]
            continue
        findings += [
            f"{place}: requirement: {_unknown(name, known)}" for name in waiver.requirement if name not in known
        ]
        waivers.append(waiver)
    twice = Counter((name, waiver.mark) for waiver in waivers for name in waiver.requirement)
    findings += [
        f"{file.name}: {requirement} {mark}: is waived {times} times; keep one"
        for (requirement, mark), times in twice.items()
        if times > 1
    ]
    if findings:
        raise AcceptedError("\n".join(findings))
    return tuple(waivers)


def _unknown(requirement: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(requirement, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else "; see the generated catalogue for the ids"
    return f"no requirement is called {requirement!r}{hint}"


def apply_waivers(
    waivers: Iterable[Waiver], results: Mapping[str, RequirementResult], causes: Mapping[str, str], today: date
) -> tuple[WaiverResult, ...]:
    """Say of each waiver what became of it.

    Args:
        waivers: as they were read.
        results: what the run says of each requirement.
        causes: the fingerprint of the finding that each failing check belongs to, by the id of the check.
        today: the day on which the run was made.
    """
    everything = tuple(waivers)
    accepted = {(name, waiver.mark) for waiver in everything if waiver.expires >= today for name in waiver.requirement}
    return tuple(WaiverResult(waiver, _state(waiver, results, causes, accepted, today)) for waiver in everything)


def _state(
    waiver: Waiver,
    results: Mapping[str, RequirementResult],
    causes: Mapping[str, str],
    accepted: Container[tuple[str, str]],
    today: date,
) -> WaiverState:
    if waiver.expires < today:
        return WaiverState.EXPIRED
    named = [results[name] for name in waiver.requirement]
    failing = [result for result in named if result.verdict is Verdict.FAIL]
    if any(waiver.mark in marks_of(result, check, causes) for result in failing for check in result.failures):
        return WaiverState.COVERS
    if not failing:
        decided = all(result.verdict in {Verdict.PASS, Verdict.NOT_APPLICABLE} for result in named)
        return WaiverState.STALE if decided else WaiverState.IDLE
    elsewhere = any(
        not any((result.id, mark) in accepted for mark in marks_of(result, check, causes))
        for result in failing
        for check in result.failures
    )
    return WaiverState.DRIFTED if elsewhere else WaiverState.STALE


def marks_of(result: RequirementResult, check: Check, causes: Mapping[str, str]) -> frozenset[str]:
    """Return the fingerprints under which the failure of a requirement in a check can be waived."""
    return frozenset(filter(None, (fingerprint(result.id, check), causes.get(check.id))))


def covered_checks(
    result: RequirementResult, waivers: Iterable[WaiverResult], causes: Mapping[str, str]
) -> tuple[Check, ...]:
    """Return the failing checks of a requirement that a waiver covers."""
    marks = {
        found.waiver.mark
        for found in waivers
        if found.state is WaiverState.COVERS and result.id in found.waiver.requirement
    }
    return tuple(check for check in result.failures if marks.intersection(marks_of(result, check, causes)))
