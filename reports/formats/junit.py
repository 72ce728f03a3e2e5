"""``junit.xml``: one test case for each check, for CI systems that read nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from xml.etree import ElementTree as ET

from reports.conclusion import Conclusion
from reports.formats.placing import place_of
from reports.model import VERDICT_WORDS, Check, Verdict
from reports.text import bounded, one_line

_FORBIDDEN = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
_TEXT_BYTES = 8 * 1024
_MESSAGE = 500


def write_junit(conclusion: Conclusion, file: Path) -> None:
    """Write ``junit.xml``."""
    ET.ElementTree(junit(conclusion)).write(file, encoding="utf-8", xml_declaration=True)


def junit(conclusion: Conclusion) -> ET.Element:
    """Return the root element, valid by the schema of Jenkins (junit-10.xsd).

    It agrees with the exit status: a failure is one that holds the gate. Another failing check is reported in its
    ``system-out``, and all of them in the properties of the suite; a waived one counts as skipped.
    """
    run = conclusion.run
    verdicts = [_outcome(conclusion, check) for check in run.checks]
    totals = {
        "tests": str(len(run.checks)),
        "failures": str(verdicts.count(_Outcome.FAILURE)),
        "errors": str(verdicts.count(_Outcome.ERROR)),
        "time": f"{sum(check.duration_s for check in run.checks):.3f}",
    }
    root = ET.Element("testsuites", {"name": "conformance", **totals})
    about = {"name": _clean(run.header.target.name), "timestamp": run.header.started}
    skipped = {"skipped": str(verdicts.count(_Outcome.SKIPPED))}
    suite = ET.SubElement(root, "testsuite", {**about, **totals, **skipped})
    properties = ET.SubElement(suite, "properties")
    for name, value in _properties(conclusion).items():
        ET.SubElement(properties, "property", {"name": name, "value": _clean(value)})
    for check, outcome in zip(run.checks, verdicts, strict=True):
        suite.append(_case(conclusion, check, outcome))
    return root


def _properties(conclusion: Conclusion) -> dict[str, str]:
    header = conclusion.run.header
    quiet, waived = conclusion.quiet, conclusion.waived_failures
    return {
        "run_id": header.run_id,
        "release": header.release,
        "suite_version": header.suite_version,
        "profile": header.profile,
        "verdict": str(conclusion.gate.verdict),
        "sentence": conclusion.sentence,
        "policy": str(conclusion.policy.policy),
        "failures_that_do_not_gate": " ".join(result.id for result in quiet),
        "waived_failures": " ".join(result.id for result in waived),
    }


class _Outcome(StrEnum):
    """The words for a check that CI systems know."""

    PASSED = "passed"
    FAILURE = "failure"
    ERROR = "error"
    SKIPPED = "skipped"
    QUIET = "failed without holding the gate"


_OUTCOMES: Mapping[Verdict, _Outcome] = MappingProxyType(
    {
        Verdict.PASS: _Outcome.PASSED,
        Verdict.ERROR: _Outcome.ERROR,
        Verdict.INCONCLUSIVE: _Outcome.SKIPPED,
        Verdict.NOT_RUN: _Outcome.SKIPPED,
        Verdict.NOT_APPLICABLE: _Outcome.SKIPPED,
    }
)


def _outcome(conclusion: Conclusion, check: Check) -> _Outcome:
    if check.verdict is not Verdict.FAIL:
        return _OUTCOMES[check.verdict]
    if check.id in conclusion.waived_checks:
        return _Outcome.SKIPPED
    return _Outcome.FAILURE if check.id in conclusion.gating_checks else _Outcome.QUIET


def _case(conclusion: Conclusion, check: Check, outcome: _Outcome) -> ET.Element:
    place = place_of(conclusion, check)
    case = ET.Element(
        "testcase",
        {
            "classname": f"{place.protocol}.{place.section}".replace(" ", "_"),
            "name": _clean(check.id),
            "time": f"{check.duration_s:.4f}",
        },
    )
    found = conclusion.finding_of.get(check.id)
    message = _message(check, f"{found.id}: {conclusion.title(found)}: " if found else "")
    match outcome:
        case _Outcome.FAILURE:
            element = ET.SubElement(case, "failure", {"type": "fail", "message": message})
            element.text = _clean(_story(conclusion, check))
        case _Outcome.ERROR:
            ET.SubElement(case, "error", {"type": "error", "message": message})
        case _Outcome.SKIPPED:
            ET.SubElement(case, "skipped", {"type": str(check.verdict), "message": message})
        case _Outcome.QUIET:
            note = ET.SubElement(case, "system-out")
            note.text = _clean(f"It failed; this does not hold the gate.\n{_story(conclusion, check)}")
        case _Outcome.PASSED:
            pass
    return case


def _message(check: Check, cause: str) -> str:
    decides = f"; decided by: {check.decides}" if check.decides else ""
    return _clean(one_line(f"{VERDICT_WORDS[check.verdict]}: {cause}{check.reason}{decides}", _MESSAGE))


def _story(conclusion: Conclusion, check: Check) -> str:
    found = conclusion.finding_of[check.id]
    follows = f" (also fails because of F-{found.follows[0]})" if found.follows else ""
    lines = [f"{found.id}: {conclusion.title(found)}{follows}", f"  finding {found.fingerprint}"]
    for name in check.requirements:
        if result := conclusion.results.get(name):
            lines += [
                f"{name}: {result.requirement.sentence}",
                f"  fingerprint {conclusion.fingerprint(result, check)}",
            ]
    if check.failure:
        lines += [
            f"expected: {check.failure.expected}",
            f"received: {check.failure.received}",
            check.failure.explanation,
            f"again: {check.failure.reproduce}",
        ]
    return "\n".join(lines)


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", bounded(text, _TEXT_BYTES)[0])
