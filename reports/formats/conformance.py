"""``conformance.json``: the conclusion for machines.

Its keys are relied on from outside: they may grow in number, and none goes away or changes its meaning.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from reports.conclusion import Conclusion
from reports.findings.grouping import Finding
from reports.judging.gaps import GapResult
from reports.judging.release import release_evidence, release_fingerprint
from reports.judging.verdicts import RequirementResult
from reports.judging.waivers import WaiverResult
from reports.learned.ledger import question_about
from reports.model import SCHEMA, Check, Json, Verdict

CONFORMANCE_FILE = "conformance.json"


def conformance(conclusion: Conclusion) -> dict[str, Json]:
    """Return the conclusion as plain JSON types."""
    header, footer = conclusion.run.header, conclusion.run.footer
    failing = conclusion.with_verdict(Verdict.FAIL)
    return {
        "schema": SCHEMA,
        "verdict": str(conclusion.gate.verdict),
        "exit_status": conclusion.gate.exit_status,
        "sentence": conclusion.sentence,
        "reasons": list(conclusion.gate.reasons),
        "strict": conclusion.strict,
        "policy": conclusion.policy.model_dump(mode="json"),
        "coverage": asdict(conclusion.coverage),
        "failures": {
            "safety": [result.id for result in failing if result.endangers],
            "gating": [result.id for result in failing if conclusion.gates(result)],
            "not_gating": [result.id for result in conclusion.quiet],
            "waived": [result.id for result in conclusion.waived_failures],
        },
        "run_id": header.run_id,
        "suite_version": header.suite_version,
        "target": header.target.model_dump(mode="json"),
        "release": header.release,
        "profile": header.profile,
        "profile_digest": header.profile_digest,
        "seed": header.seed,
        "faults": list(header.faults),
        "variations": list(header.variations),
        "commit": header.commit,
        "started": header.started,
        "duration_s": conclusion.duration_s,
        "requests": footer.requests if footer else None,
        "left_behind": dict(footer.left_behind) if footer else {},
        "complete": not conclusion.incomplete,
        "incomplete_because": list(conclusion.incomplete),
        "errors": list(footer.errors) if footer else [],
        "counts": conclusion.run.counts,
        "requirement_counts": conclusion.requirement_counts,
        "requirements": [_requirement(conclusion, result) for result in conclusion.results.values()],
        "checks": [_check(conclusion, check) for check in conclusion.run.checks],
        "findings": [_finding(conclusion, found) for found in conclusion.findings],
        "readings": [_reading(result) for result in conclusion.results.values() if result.readings],
        "release_fingerprint": _release(conclusion),
        "release_evidence": [asdict(found) for found in release_evidence(conclusion.results.values())],
        "waivers": [_waiver(found) for found in conclusion.waivers],
        "gaps": [_gap(found) for found in conclusion.gaps],
    }


def _requirement(conclusion: Conclusion, result: RequirementResult) -> dict[str, Json]:
    requirement = result.requirement
    return {
        "id": result.id,
        "verdict": str(result.verdict),
        "level": str(requirement.level),
        "basis": str(requirement.basis),
        "safety": requirement.safety,
        "gates": result.gates_failing(conclusion.policy),
        "required": result.gates_undecided(conclusion.policy),
        "protocol": str(requirement.protocol),
        "section": requirement.section,
        "lines": list(requirement.lines),
        "source": requirement.source,
        "sentence": requirement.sentence,
        "checks": len(result.checks),
        "watched": result.watched,
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
        "watched": check.watched,
        "failure": check.failure.model_dump() if check.failure else None,
        "finding": conclusion.finding_of[check.id].id if check.id in conclusion.finding_of else None,
    }


def _waiver(found: WaiverResult) -> dict[str, Json]:
    waiver = found.waiver
    names = {"requirement": waiver.subject, "requirements": list(waiver.requirement)}
    return {**waiver.model_dump(mode="json"), **names, "state": str(found.state)}


def _finding(conclusion: Conclusion, found: Finding) -> dict[str, Json]:
    return {
        "id": found.id,
        "title": conclusion.title(found),
        "weight": found.weight.name.lower(),
        "gates": any(check.id in conclusion.gating_checks for check in found.checks),
        "waived": all(check.id in conclusion.waived_checks for check in found.checks),
        "deviation": str(found.cause.deviation),
        "place": found.cause.place,
        "subject": found.cause.subject,
        "fingerprint": found.fingerprint,
        "requirements": list(found.requirements),
        "checks": [check.id for check in found.checks],
        "witness": found.witness.id,
        "follows": [f"F-{number}" for number in found.follows],
    }


def _reading(result: RequirementResult) -> dict[str, Json]:
    seen = {
        followed.reading: check.id
        for check in reversed(result.checks)
        for followed in check.readings
        if followed.requirement == result.id
    }
    others = [reading.id for reading in result.requirement.readings if reading.id not in result.readings]
    return {
        "requirement": result.id,
        "followed": list(result.readings),
        "also_legitimate": others,
        "seen_in": seen,
        "question": question_about(result.requirement),
    }


def _release(conclusion: Conclusion) -> dict[str, Json]:
    found = release_fingerprint(conclusion.run.header.release, conclusion.results.values())
    return {
        "claimed": found.claimed,
        "likely": found.likely,
        "sentence": found.sentence,
        "contradicting": list(found.contradicting),
        "beyond": list(found.beyond),
    }


def _gap(found: GapResult) -> dict[str, Json]:
    gap = found.gap.model_dump(mode="json")
    return {**gap, "state": str(found.state), "covered": list(found.covered), "decided": list(found.decided)}


def write_conformance(conclusion: Conclusion, file: Path) -> None:
    """Write ``conformance.json``."""
    file.write_text(json.dumps(conformance(conclusion), indent=1) + "\n", encoding="utf-8")
