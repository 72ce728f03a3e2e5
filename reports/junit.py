"""``junit.xml``: one test case for each check, for CI systems that read nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

from reports.conclusion import Conclusion
from reports.model import VERDICT_WORDS, Check, Verdict
from reports.placing import place_of
from reports.text import bounded, one_line

_FORBIDDEN = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
_SKIPPED = (Verdict.INCONCLUSIVE, Verdict.NOT_RUN, Verdict.NOT_APPLICABLE)
_TEXT_BYTES = 8 * 1024
_MESSAGE = 500


def write_junit(conclusion: Conclusion, file: Path) -> None:
    """Write ``junit.xml``."""
    ET.ElementTree(junit(conclusion)).write(file, encoding="utf-8", xml_declaration=True)


def junit(conclusion: Conclusion) -> ET.Element:
    """Return the root element. Waived failures count as skipped, as the gate lets them through."""
    run, counts = conclusion.run, conclusion.run.counts
    totals = {
        "tests": str(len(run.checks)),
        "failures": str(counts[Verdict.FAIL] - len(conclusion.waived_checks)),
        "errors": str(counts[Verdict.ERROR]),
        "skipped": str(sum(counts[verdict] for verdict in _SKIPPED) + len(conclusion.waived_checks)),
        "time": f"{sum(check.duration_s for check in run.checks):.3f}",
    }
    root = ET.Element("testsuites", {"name": "conformance", **totals})
    suite = ET.SubElement(
        root, "testsuite", {"name": _clean(run.header.target.name), "timestamp": run.header.started, **totals}
    )
    properties = ET.SubElement(suite, "properties")
    for name, value in {
        "run_id": run.header.run_id,
        "release": run.header.release,
        "suite_version": run.header.suite_version,
        "profile": run.header.profile,
        "verdict": str(conclusion.gate.verdict),
        "sentence": conclusion.sentence,
    }.items():
        ET.SubElement(properties, "property", {"name": name, "value": _clean(value)})
    for check in run.checks:
        suite.append(_case(conclusion, check))
    return root


def _case(conclusion: Conclusion, check: Check) -> ET.Element:
    place = place_of(conclusion, check)
    case = ET.Element(
        "testcase",
        {
            "classname": f"{place.protocol}.{place.section}".replace(" ", "_"),
            "name": _clean(check.id),
            "time": f"{check.duration_s:.4f}",
        },
    )
    if check.verdict is Verdict.PASS:
        return case
    message = f"{VERDICT_WORDS[check.verdict]}: {check.reason}"
    if check.verdict is Verdict.FAIL and check.id not in conclusion.waived_checks:
        element = ET.SubElement(case, "failure", {"type": "fail"})
        element.text = _clean(_story(conclusion, check))
    elif check.verdict is Verdict.ERROR:
        element = ET.SubElement(case, "error", {"type": "error"})
    else:
        element = ET.SubElement(case, "skipped", {"type": str(check.verdict)})
        if check.verdict is Verdict.FAIL:
            message = f"waived failure: {check.reason}"
        elif check.decides:
            message = f"{message}; decided by: {check.decides}"
    element.set("message", _clean(one_line(message, _MESSAGE)))
    return case


def _story(conclusion: Conclusion, check: Check) -> str:
    lines = []
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
