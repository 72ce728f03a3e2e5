"""Tavern: a YAML test for each of our cases, a hook that signs, and a function that judges members and schema."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

import yaml

from tests.bench.beside.cases import Case, as_rows
from tests.bench.beside.measured import Outcome, spend

Json = Any
HERE: Final = Path(__file__).parent


@dataclass(frozen=True)
class Tavern:
    """Runs Tavern tests.

    Attributes:
        python: the interpreter for which Tavern is installed.
        cases: by protocol.
        schemas: of answers by protocol and name.
    """

    python: Path
    cases: Mapping[str, Sequence[Case]]
    schemas: Mapping[str, Mapping[str, Json]]
    name: str = "Tavern"

    def run(self, protocol: str, base: str, fault: str, directory: Path) -> Outcome:
        """Send all cases of a protocol to a gateway."""
        rows = as_rows(self.cases[protocol])
        (directory / "cases.json").write_text(json.dumps(rows), encoding="utf-8")
        (directory / "schemas.json").write_text(json.dumps(self.schemas[protocol]), encoding="utf-8")
        shutil.copy(HERE / "playing.py", directory / "playing.py")
        shutil.copy(HERE / "tavern_conftest.py", directory / "conftest.py")
        tests = "---\n".join(yaml.safe_dump(_test(number, row), sort_keys=False) for number, row in enumerate(rows))
        (directory / "test_cases.tavern.yaml").write_text(tests, encoding="utf-8")
        found = directory / "junit.xml"
        command = [str(self.python), "-m", "pytest", "-q", "--tb=line", f"--junitxml={found}", "test_cases.tavern.yaml"]
        environment = {"BESIDE_BASE": base, "PYTHONPATH": str(directory), "PYTEST_ADDOPTS": "-p no:cacheprovider"}
        spent = spend(command, directory=directory, environment=environment)
        if not found.exists() or not (directory / "sent.json").exists():
            return Outcome(self.name, fault, protocol, ("no report",), 0, spent.cpu, spent.seconds, "no report")
        failures = tuple(_failures(found))
        sent = json.loads((directory / "sent.json").read_text(encoding="utf-8"))
        return Outcome(self.name, fault, protocol, failures, sent, spent.cpu, spent.seconds)


def _failures(file: Path) -> Sequence[str]:
    tests = ET.parse(file).getroot().iter("testcase")  # noqa: S314 - our own report
    return [
        test.get("name", "") for test in tests if test.find("failure") is not None or test.find("error") is not None
    ]


def _test(number: int, case: Mapping[str, Json]) -> Json:
    headers = {"X-Case": str(number), "Accept": "application/json"}
    if case["content_type"]:
        headers["Content-Type"] = case["content_type"]
    request = {"url": "http://127.0.0.1/", "method": case["method"], "headers": headers}
    judge = {"function": "conftest:members_and_schema"}
    response = {"status_code": case["status"], "verify_response_with": judge}
    name = re.sub(r"[{}]", "", case["name"])
    return {"test_name": name, "stages": [{"name": "send", "request": request, "response": response}]}
