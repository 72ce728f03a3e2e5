"""A small catalogue, values of a run, and a small suite that a pytest inside the test runs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from contract.catalogue import Catalogue, Section
from contract.model import Requirement
from reports.model import Check, Failure, Footer, Header, Run, Selection, Verdict
from reports.stream.lines import read_stream

Json = Any

REQUIREMENTS: tuple[dict[str, Json], ...] = (
    {"id": "CHK-SES-01", "sentence": "A valid session request is accepted."},
    {"id": "CHK-SES-02", "sentence": "A body that is not JSON is refused."},
    {"id": "CHK-SES-03", "sentence": "The order of members should not matter.", "level": "SHOULD"},
    {"id": "CHK-STA-01", "sentence": "The look-up has the usual path.", "basis": "platform", "section": "Endpoints"},
    {
        "id": "CHK-STA-02",
        "sentence": "The status is one of two words.",
        "readings": [{"id": "upper", "sentence": "Upper case."}, {"id": "lower", "sentence": "Lower case."}],
    },
)


def requirement(**changes: Json) -> Requirement:
    """Return a requirement that differs from the usual one in what is given."""
    usual = {"level": "MUST", "basis": "specification", "section": "Checkout session request", "lines": [38]}
    return Requirement.model_validate({**usual, **changes})


def catalogue_of(*requirements: Requirement, to_come: frozenset[str] = frozenset()) -> Catalogue:
    """Return a catalogue of these requirements."""
    sections = {each.section: Section(each.section, 36, 72) for each in requirements}
    return Catalogue(MappingProxyType({each.id: each for each in requirements}), sections, to_come)


def check(name: str = "a", verdict: str = "pass", *claims: str, **more: Json) -> Check:
    """Return a check; without claims it claims CHK-SES-01."""
    if verdict == "fail":
        more.setdefault("failure", Failure(expected="HTTP 400", received="HTTP 200", reproduce="pytest again"))
        more.setdefault("reason", "expected HTTP 400; received HTTP 200")
    return Check(
        id=f"suites/test_{name}.py::test_{name}",
        requirements=claims or ("CHK-SES-01",),
        verdict=Verdict(verdict),
        started="2030-01-01T10:00:00.000Z",
        duration_s=0.1,
        **more,
    )


def passing(*without: str) -> tuple[Check, ...]:
    """Return a passing check for each requirement of the small catalogue but these."""
    names = [each["id"] for each in REQUIREMENTS]
    return tuple(check(f"all_{name[-6:].replace('-', '_')}", "pass", name) for name in names if name not in without)


HEADER = Header.model_validate(
    {
        "run_id": "r1",
        "started": "2030-01-01T10:00:00.000Z",
        "release": "6.7.0",
        "suite_version": "1.0",
        "target": {"name": "acme", "environment": "sandbox", "endpoints": {"checkout": "https://acme.example"}},
        "profile": "acme.toml",
        "profile_digest": "d1",
    }
)


def run_of(*checks: Check, selection: Selection | None = None, **footer: Json) -> Run:
    """Return a complete run of these checks."""
    ended = Footer(ended="2030-01-01T10:01:00.000Z", selection=selection or Selection(), **footer)
    return Run(header=HEADER, checks=checks, footer=ended)


CONFTEST = """
import json, pytest
from pathlib import Path

FACTS = json.loads(Path(__file__).with_name("facts.json").read_text())

def pytest_configure(config):
    config.addinivalue_line("markers", "claims(*ids)")
    config.addinivalue_line("markers", "facts(**properties)")
    if FACTS is not None:
        config.conformance_facts = FACTS["facts"]

def claims_of(item):
    return [name for mark in item.iter_markers("claims") for name in mark.args]

@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session):
    try:
        return (yield)
    finally:
        results = {
            "requests": 7,
            "sanity": FACTS["sanity"] if FACTS else {},
            "collected": [
                {"id": item.nodeid, "requirements": claims_of(item)} for item in getattr(session, "items", [])
            ],
        }
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["conformance"] = results
        elif getattr(session.config.option, "dist", "no") == "no":
            session.config.conformance_results = results

@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    properties = {"requirements": claims_of(item), "title": item.name}
    raised = call.excinfo.value if call.excinfo else None
    if raised is None and call.when == "call":
        properties["verdict"] = {"verdict": "pass"}
    elif isinstance(raised, AssertionError):
        properties["verdict"] = {"verdict": "fail", "reason": str(raised)}
        properties["failure"] = {"expected": "HTTP 400", "received": str(raised), "reproduce": "pytest again"}
    elif isinstance(raised, pytest.skip.Exception):
        word, _, rest = raised.msg.partition(":")
        properties["verdict"] = {"verdict": word, "reason": rest, "decides": "password in [credentials]"}
    elif raised is not None:
        properties["verdict"] = {"verdict": "error", "reason": str(raised)}
    for mark in item.iter_markers("facts"):
        if call.when == "call":
            properties.update(mark.kwargs)
    report.user_properties = [(name, value) for name, value in properties.items() if value is not None]
    return report
"""

FAILING = """
import pytest

@pytest.mark.claims("{claims}")
def test_failing():
    raise AssertionError("HTTP 200 where 400 is due")
"""

WHOLE = """
import pytest

@pytest.mark.claims("CHK-SES-01", "CHK-SES-02", "CHK-SES-03", "CHK-STA-01", "CHK-STA-02")
def test_everything():
    pass
"""


@dataclass(frozen=True)
class House:
    """A small suite in a directory of its own."""

    pytester: pytest.Pytester

    @property
    def output(self) -> Path:
        """Where its reports go."""
        return self.pytester.path / "reports" / "out"

    def write(self, **files: str) -> None:
        """Write test files: ``a="..."`` becomes ``suites/test_a.py``."""
        suites = self.pytester.path / "suites"
        suites.mkdir(exist_ok=True)
        for name, content in files.items():
            (suites / f"test_{name}.py").write_text(content, encoding="utf-8")

    def run(self, *arguments: str) -> pytest.RunResult:
        """Run pytest in this process."""
        return self.pytester.runpytest_inprocess(
            "-p", "no:cacheprovider", "-p", "xdist", "-p", "reports.plugin", *arguments
        )

    def judged(self) -> dict[str, Json]:
        """Return ``conformance.json``."""
        found: dict[str, Json] = json.loads((self.output / "conformance.json").read_text(encoding="utf-8"))
        return found

    def stream(self) -> Run:
        """Return the result stream."""
        return read_stream(self.output / "results.jsonl")


SANITY = {"first": {"checkout": {"ok": True, "reason": ""}}, "last": {"checkout": {"ok": True, "reason": ""}}}
FACTS = {
    "run_id": "r1",
    "suite_version": "1.0",
    "target": {
        "name": "acme",
        "environment": "sandbox",
        "contract_url": "",
        "endpoints": {"checkout": "https://acme.example"},
    },
    "release": "6.7.0",
    "profile": "acme.toml",
    "profile_digest": "d1",
    "seed": 7,
    "capabilities": ["checkout"],
    "account": {"hash": "md5"},
}
