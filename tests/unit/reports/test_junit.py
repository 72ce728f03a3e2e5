"""``junit.xml``: it agrees with the exit status, and Jenkins can read it."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from contract.catalogue import Catalogue
from reports.conclusion import Conclusion, conclude
from reports.formats.junit import junit
from tests.unit.reports.small_run import check, passing, run_of

ALLOWED = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": (
        {"name", "time", "tests", "failures", "errors", "skipped", "timestamp"},
        {"properties", "testcase"},
    ),
    "properties": (set(), {"property"}),
    "property": ({"name", "value"}, set()),
    "testcase": ({"name", "time", "classname"}, {"skipped", "error", "failure", "system-out"}),
    "failure": ({"type", "message"}, set()),
    "error": ({"type", "message"}, set()),
    "skipped": ({"type", "message"}, set()),
    "system-out": (set(), set()),
}
"""Attributes and children that we use of those which junit-10.xsd of Jenkins allows."""


def _all_valid(conclusion: Conclusion) -> ET.Element:
    root = junit(conclusion)
    for element in root.iter():
        attributes, children = ALLOWED[element.tag]
        assert set(element.attrib) <= attributes, element.tag
        assert {child.tag for child in element} <= children, element.tag
    return root


def test_every_kind_of_run_is_valid(mixed: Conclusion, hostile: Conclusion) -> None:
    _all_valid(mixed)
    _all_valid(hostile)


@pytest.mark.parametrize(
    ("claims", "failures", "received"), [("CHK-SES-01", "1", 0), ("CHK-STA-01", "0", 1), ("CHK-SES-03", "0", 1)]
)
def test_a_failure_is_one_that_holds_the_gate(catalogue: Catalogue, claims: str, failures: str, received: int) -> None:
    conclusion = conclude(run_of(*passing(claims), check("a", "fail", claims)), catalogue)
    root = _all_valid(conclusion)
    assert root.get("failures") == failures == str(conclusion.gate.exit_status)
    assert len(root.findall(".//failure")) == int(failures)
    outs = root.findall(".//system-out")
    assert len(outs) == received
    assert all(claims in (out.text or "") for out in outs)
    named = root.find(".//property[@name='failures_that_do_not_gate']")
    assert named is not None
    assert named.get("value") == (claims if received else "")
