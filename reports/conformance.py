"""``conformance.json``: the conclusion for machines.

Its keys are relied on from outside: they may grow in number, and none goes away or changes its meaning.
"""

from __future__ import annotations

import json
from pathlib import Path

from reports.conclusion import Conclusion
from reports.model import SCHEMA, Check, Json
from reports.verdicts import RequirementResult
from reports.waivers import WaiverResult

CONFORMANCE_FILE = "conformance.json"


def conformance(conclusion: Conclusion) -> dict[str, Json]:
    """Return the conclusion as plain JSON types."""
    header, footer = conclusion.run.header, conclusion.run.footer
    return {
        "schema": SCHEMA,
        "verdict": str(conclusion.gate.verdict),
        "exit_status": conclusion.gate.exit_status,
        "sentence": conclusion.sentence,
        "reasons": list(conclusion.gate.reasons),
        "strict": conclusion.strict,
        "run_id": header.run_id,
        "suite_version": header.suite_version,
        "target": header.target.model_dump(mode="json"),
        "release": header.release,
        "profile": header.profile,
        "profile_digest": header.profile_digest,
        "seed": header.seed,
        "faults": list(header.faults),
        "variations": list(header.variations),
        "started": header.started,
        "duration_s": conclusion.duration_s,
        "requests": footer.requests if footer else None,
        "complete": not conclusion.incomplete,
        "incomplete_because": list(conclusion.incomplete),
        "errors": list(footer.errors) if footer else [],
        "counts": conclusion.run.counts,
        "requirement_counts": conclusion.requirement_counts,
        "requirements": [_requirement(conclusion, result) for result in conclusion.results.values()],
        "checks": [_check(conclusion, check) for check in conclusion.run.checks],
        "waivers": [_waiver(found) for found in conclusion.waivers],
    }


def _requirement(conclusion: Conclusion, result: RequirementResult) -> dict[str, Json]:
    requirement = result.requirement
    return {
        "id": result.id,
        "verdict": str(result.verdict),
        "level": str(requirement.level),
        "basis": str(requirement.basis),
        "protocol": str(requirement.protocol),
        "section": requirement.section,
        "lines": list(requirement.lines),
        "sentence": requirement.sentence,
        "checks": len(result.checks),
        "reading": result.reading,
        "waived": result.id in conclusion.waived,
        "reason": result.reason,
        "decides": list(result.decides),
        "fingerprints": sorted({conclusion.fingerprint(result, check) for check in result.failures}),
    }


def _check(conclusion: Conclusion, check: Check) -> dict[str, Json]:
    return {
        "id": check.id,
        "title": check.title,
        "requirements": list(check.requirements),
        "verdict": str(check.verdict),
        "duration_s": check.duration_s,
        "reason": check.reason,
        "decides": check.decides,
        "waived": check.id in conclusion.waived_checks,
        "failure": check.failure.model_dump() if check.failure else None,
    }


def _waiver(found: WaiverResult) -> dict[str, Json]:
    return {**found.waiver.model_dump(mode="json"), "state": str(found.state)}


def write_conformance(conclusion: Conclusion, file: Path) -> None:
    """Write ``conformance.json``."""
    file.write_text(json.dumps(conformance(conclusion), indent=1) + "\n", encoding="utf-8")
