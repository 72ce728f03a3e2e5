"""The shape of ``conformance.json`` and of the lines of ``results.jsonl``, from which their JSON Schemas are written.

``python -m reports.formats.shapes DIRECTORY`` writes both; ``make schema`` does it for ``docs/schemas``. Later versions
of the suite may add members and verdicts of what is new; while the number in ``schema`` stays, none goes away or
changes its meaning. So a reader ignores what it does not know.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter

from contract.gating import Gap, Gate
from contract.model import Basis, Level, Protocol
from reports.findings.cause import Deviation
from reports.judging.gaps import GapState
from reports.judging.gate import RunVerdict
from reports.judging.waivers import WaiverState
from reports.model import SCHEMA, Check, Evidence, Failure, Footer, Header, Lifecycle, Record, Target, Verdict

CONFORMANCE: Final = f"conformance-{SCHEMA}.schema.json"
RESULTS: Final = f"results-{SCHEMA}.schema.json"
DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

Id = Annotated[str, Field(description="Id of a requirement, as in CHK-ORD-02.")]
FindingId = Annotated[str, Field(description="Name of a finding in this run, as in F-1.")]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{12}$", description="What a waiver names.")]
Seconds = Annotated[float, Field(ge=0)]
Count = Annotated[int, Field(ge=0)]


class CoverageShape(Record):
    """How many requirements were decided, and how."""

    concerned: Count = Field(description="Those that concern the target and that somebody can test.")
    kept: Count
    failed: Count
    not_covered: Count = Field(description="Accepted as not covered, by a gap.")
    undecided: Count
    unchecked: Count = Field(description="No check speaks of them yet.")
    elsewhere: Count = Field(description="They do not apply to the target.")


class FailuresShape(Record):
    """The failing requirements, by how they count; each list worst first."""

    safety: list[Id] = Field(description="What no gateway may do, waived or not.")
    gating: list[Id] = Field(description="They made the target not conforming.")
    not_gating: list[Id]
    waived: list[Id]


class RequirementShape(Record):
    """What the run says of one requirement of the catalogue."""

    id: Id
    verdict: Verdict
    level: Level
    basis: Basis
    safety: bool
    gates: bool = Field(description="With the policy of this run it holds the gate when it fails, unless it is waived.")
    required: bool = Field(description="The run is undecided while it is: it gates, or is about safety.")
    protocol: Protocol
    section: str = Field(description="Section of the contract.")
    lines: list[int] = Field(description="Lines of the contract.")
    source: str | None = Field(description="Public document that states what the contract leaves open.")
    sentence: str
    checks: Count = Field(description="How many checks spoke of it.")
    watched: int | None = Field(description="How many exchanges watchers looked at; null: it is not watched.")
    reading: str | None = Field(description="The reading that the target follows, where there are several.")
    waived: bool
    reason: str
    decides: list[str] = Field(description="What would decide it, where it is inconclusive.")
    fingerprints: list[Digest] = Field(description="Of its failures.")


class CheckShape(Record):
    """How one check ended."""

    id: str
    title: str
    requirements: list[Id]
    verdict: Verdict
    duration_s: Seconds
    reason: str
    decides: str
    waived: bool
    watched: int | None
    failure: Failure | None
    finding: FindingId | None


class FindingShape(Record):
    """One cause, with all that fails because of it."""

    id: FindingId
    title: str
    weight: str
    gates: bool
    waived: bool
    deviation: Deviation = Field(description="In which way the target differs.")
    place: str = Field(description="Where: which answer, callback or page.")
    subject: str = Field(description="What of it: for example the member.")
    fingerprint: Digest
    requirements: list[Id]
    checks: list[str]
    witness: str = Field(description="The check that shows it in the fewest exchanges.")
    follows: list[FindingId] = Field(description="Findings that every one of its checks met on its way.")


class ReadingShape(Record):
    """Which reading of an ambiguous requirement the target follows."""

    requirement: Id
    followed: list[str]
    also_legitimate: list[str]
    seen_in: Mapping[str, str] = Field(description="A check by reading.")
    question: str = Field(description="What to ask the owner of the contract.")


class FingerprintShape(Record):
    """Which release the target behaves as."""

    claimed: str
    likely: str | None = Field(description="null: nothing of the run shows any.")
    sentence: str
    contradicting: list[Id] = Field(description="Of the likely release or an older one, and broken.")
    beyond: list[Id] = Field(description="Of newer releases, and kept.")


class ReleaseShape(Record):
    """What came with a release and is kept, or is not."""

    release: str
    kept: list[Id]
    broken: list[Id]


class WaiverShape(Record):
    """A waiver, and what became of it in this run."""

    requirement: str = Field(description="What it is about, in words.")
    requirements: list[Id]
    fingerprint: str
    finding: str
    reason: str
    owner: str
    expires: str = Field(json_schema_extra={"format": "date"})
    ticket: str
    state: WaiverState


class GapShape(Gap):
    """A gap, and what became of it in this run."""

    state: GapState
    covered: list[Id]
    decided: list[Id]


class ConformanceShape(Record):
    """The conclusion of a conformance run, for machines."""

    schema_version: Literal[1] = Field(alias="schema")
    verdict: RunVerdict
    exit_status: Literal[0, 1, 3, 4]
    sentence: str = Field(description="The headline; it counts failures that the verdict does not count.")
    reasons: list[str] = Field(description="What led to the verdict, most important first.")
    strict: bool
    policy: Gate
    coverage: CoverageShape
    failures: FailuresShape
    run_id: str
    suite_version: str
    target: Target
    release: str
    profile: str = Field(description="File name.")
    profile_digest: str
    seed: int | str | None
    faults: list[str]
    variations: list[str]
    commit: str = Field(description="What was tested, as CI names it; empty: not known.")
    started: str = Field(json_schema_extra={"format": "date-time"})
    duration_s: Seconds
    requests: int | None = Field(description="null: the run was killed.")
    left_behind: Mapping[str, float] = Field(
        description="What the run made on the target; under …_left and clock_ahead_s what of it stays."
    )
    complete: bool
    incomplete_because: list[str]
    errors: list[str] = Field(description="What broke in the suite outside of checks.")
    counts: Mapping[Verdict, Count] = Field(description="Checks by verdict.")
    requirement_counts: Mapping[Verdict, Count]
    requirements: list[RequirementShape]
    checks: list[CheckShape]
    findings: list[FindingShape]
    readings: list[ReadingShape]
    release_fingerprint: FingerprintShape
    release_evidence: list[ReleaseShape]
    waivers: list[WaiverShape]
    gaps: list[GapShape]


def schemas() -> Mapping[str, dict[str, Any]]:
    """Return the JSON Schemas by file name."""
    line = Annotated[Header | Check | Evidence | Lifecycle | Footer, Field(discriminator="kind")]
    titles = {
        CONFORMANCE: ("conformance.json", TypeAdapter[Any](ConformanceShape)),
        RESULTS: ("One line of results.jsonl", TypeAdapter[Any](line)),
    }
    return {
        name: {
            "$schema": DIALECT,
            "$id": f"urn:gateway-conformance:{name}",
            **_open(adapter.json_schema(mode="serialization")),
            "title": title,
        }
        for name, (title, adapter) in titles.items()
    }


def _open(schema: Any) -> Any:  # noqa: ANN401 - a JSON Schema
    """Return a schema without titles, which repeat names, that allows members of later versions."""
    if isinstance(schema, dict):
        return {
            name: _open(value)
            for name, value in schema.items()
            if not (name == "additionalProperties" and value is False)
            and not (name == "title" and isinstance(value, str))
        }
    return [_open(member) for member in schema] if isinstance(schema, list) else schema


def write(directory: Path) -> list[Path]:
    """Write the schemas; return where."""
    directory.mkdir(parents=True, exist_ok=True)
    written = []
    for name, schema in schemas().items():
        (directory / name).write_text(json.dumps(schema, indent=2) + "\n", encoding="utf-8")
        written.append(directory / name)
    return written


if __name__ == "__main__":
    sys.stdout.writelines(f"{file}\n" for file in write(Path(sys.argv[1])))
