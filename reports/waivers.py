"""Waivers: known failures that were accepted for a time, by somebody, for a reason. Read from TOML.

::

    [[waiver]]
    requirement = "CHK-SES-21"
    fingerprint = "5f3a9c21d407"
    reason = "Fixed in the gateway's next release"
    owner = "payments team"
    expires = 2030-01-31
    ticket = "PAY-1234"
"""

from __future__ import annotations

import difflib
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reports.fingerprint import PATTERN, fingerprint
from reports.model import Check, Verdict
from reports.verdicts import RequirementResult

KEYS = ("requirement", "fingerprint", "reason", "owner", "expires", "ticket")
_ALLOWED = {
    "requirement": "the id of a requirement, for example CHK-SES-21",
    "fingerprint": "the 12 hex digits that the report prints beside the failure",
    "reason": "a sentence that says why the failure is accepted",
    "owner": "who sees to it that the failure goes away",
    "expires": "the last day on which it covers, a TOML date such as 2030-01-31",
    "ticket": "text; it may be left out",
}


class WaiverError(Exception):
    """A file of waivers is wrong; the message lists every finding as ``file: entry: what, and what is allowed``."""


class Waiver(BaseModel):
    """One accepted failure.

    Attributes:
        expires: the last day on which it covers.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    requirement: str
    fingerprint: Annotated[str, Field(pattern=PATTERN)]
    reason: Annotated[str, Field(min_length=8)]
    owner: Annotated[str, Field(min_length=2)]
    expires: date
    ticket: str = ""


class WaiverState(StrEnum):
    """What became of a waiver in a run."""

    COVERS = "covers"
    EXPIRED = "expired"
    STALE = "stale"
    DRIFTED = "drifted"
    IDLE = "idle"


STATE_SENTENCES: Mapping[WaiverState, str] = {
    WaiverState.COVERS: "it covers the failure",
    WaiverState.EXPIRED: "it has expired and covers nothing; mend the failure, or agree on a new date",
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
        WaiverError: the file cannot be read, or an entry is not as it must be.
    """
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise WaiverError(f"{file}: cannot be read: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise WaiverError(f"{file}: is not TOML: {error}") from error
    entries = document.get("waiver", [])
    if document.keys() - {"waiver"} or not isinstance(entries, list):
        raise WaiverError(f"{file}: only [[waiver]] tables are allowed, found {', '.join(sorted(document))}")
    known = tuple(requirements)
    waivers: list[Waiver] = []
    findings: list[str] = []
    for number, entry in enumerate(entries, start=1):
        place = f"{file.name}: waiver {number}"
        try:
            waiver = Waiver.model_validate(entry)
        except ValidationError as error:
            findings += [f"{place}: {finding}" for finding in _findings(error)]
            continue
        if waiver.requirement not in known:
            findings.append(f"{place}: requirement: {_unknown(waiver.requirement, known)}")
        waivers.append(waiver)
    twice = Counter((waiver.requirement, waiver.fingerprint) for waiver in waivers)
    findings += [
        f"{file.name}: {requirement} {mark}: is waived {times} times; keep one"
        for (requirement, mark), times in twice.items()
        if times > 1
    ]
    if findings:
        raise WaiverError("\n".join(findings))
    return tuple(waivers)


def _findings(error: ValidationError) -> Iterator[str]:
    for found in error.errors(include_input=False):
        key = ".".join(map(str, found["loc"])) or "entry"
        if found["type"] == "extra_forbidden":
            yield f"{key}: no such key; allowed are {', '.join(KEYS)}"
        else:
            yield f"{key}: {found['msg']}; write {_ALLOWED.get(key, 'a [[waiver]] table')}"


def _unknown(requirement: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(requirement, known, n=1)
    hint = f"; did you mean {near[0]}?" if near else "; see the generated catalogue for the ids"
    return f"no requirement is called {requirement!r}{hint}"


def apply_waivers(
    waivers: Iterable[Waiver], results: Mapping[str, RequirementResult], today: date
) -> tuple[WaiverResult, ...]:
    """Say of each waiver what became of it in a run that was made on that day."""
    everything = tuple(waivers)
    accepted = {(waiver.requirement, waiver.fingerprint) for waiver in everything if waiver.expires >= today}
    return tuple(
        WaiverResult(waiver, _state(waiver, results[waiver.requirement], accepted, today)) for waiver in everything
    )


def _state(waiver: Waiver, result: RequirementResult, accepted: set[tuple[str, str]], today: date) -> WaiverState:
    if waiver.expires < today:
        return WaiverState.EXPIRED
    if result.verdict in {Verdict.PASS, Verdict.NOT_APPLICABLE}:
        return WaiverState.STALE
    if result.verdict is not Verdict.FAIL:
        return WaiverState.IDLE
    marks = {fingerprint(result.id, check) for check in result.failures}
    if waiver.fingerprint in marks:
        return WaiverState.COVERS
    return WaiverState.DRIFTED if any((result.id, mark) not in accepted for mark in marks) else WaiverState.STALE


def covered_checks(result: RequirementResult, waivers: Iterable[WaiverResult]) -> tuple[Check, ...]:
    """Return the failing checks of a requirement that a waiver covers."""
    marks = {
        found.waiver.fingerprint
        for found in waivers
        if found.state is WaiverState.COVERS and found.waiver.requirement == result.id
    }
    return tuple(check for check in result.failures if fingerprint(result.id, check) in marks)
