"""Newman: a Postman collection made of our cases, with a script that signs and one that judges."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

from tests.bench.beside.cases import Case
from tests.bench.beside.measured import Outcome, spend

Json = Any

MARK: Final = re.compile(r"<(base|hash|v[0-9]+)>")
HERE: Final = Path(__file__).parent
SCHEMA: Final = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"


@dataclass(frozen=True)
class Newman:
    """Runs collections.

    Attributes:
        program: the installed ``newman``.
        cases: by protocol.
        schemas: of answers by protocol and name.
    """

    program: Path
    cases: Mapping[str, Sequence[Case]]
    schemas: Mapping[str, Mapping[str, Json]]
    name: str = "newman"

    def run(self, protocol: str, base: str, fault: str, directory: Path) -> Outcome:
        """Send all cases of a protocol to a gateway."""
        made, found = directory / "collection.json", directory / "newman.xml"
        made.write_text(json.dumps(collection(self.cases[protocol], self.schemas[protocol])), encoding="utf-8")
        options = ["--env-var", f"base={base}", "--ignore-redirects", "--timeout-request", "10000"]
        reporter = ["--reporters", "junit", "--reporter-junit-export", str(found)]
        spent = spend([str(self.program), "run", str(made), *options, *reporter], directory=directory)
        if not found.exists():
            return Outcome(self.name, fault, protocol, ("no report",), 0, spent.cpu, spent.seconds, "no report")
        items = list(ET.parse(found).getroot().iter("testsuite"))  # noqa: S314 - our own report
        failures = tuple(words for item in items for words in _failures(item))
        return Outcome(self.name, fault, protocol, failures, len(items), spent.cpu, spent.seconds)


def _failures(item: ET.Element) -> Iterator[str]:
    for test in item.iter("testcase"):
        if test.find("failure") is not None or test.find("error") is not None:
            yield f"{item.get('name')}: {test.get('name')}"
    if item.find("system-err") is not None:
        yield f"{item.get('name')}: the request or a script failed"


def collection(cases: Sequence[Case], schemas: Mapping[str, Json]) -> Json:
    """Return a collection of format 2.1."""
    return {
        "info": {"name": "cases", "schema": SCHEMA},
        "item": [_item(case, schemas) for case in cases],
    }


def _item(case: Case, schemas: Mapping[str, Json]) -> Json:
    headers = [{"key": "Accept", "value": "application/json"}]
    headers += [{"key": "Content-Type", "value": case.content_type}] if case.content_type else []
    request: dict[str, Json] = {"method": case.method, "url": _marked(case.url), "header": headers}
    if case.body:
        request["body"] = {"mode": "raw", "raw": _marked(case.body)}
    expected = {"keep": case.keep, "status": case.status, "members": case.members}
    # Not a variable of the collection: the sandbox is given all of them for every script, which takes a third longer.
    expected["schema"] = schemas.get(case.schema)
    events = [_script("test", "judge.js", "EXPECTED", expected)]
    if case.sign:
        events.append(_script("prerequest", "sign.js", "SPEC", case.sign))
    return {"name": case.name, "request": request, "event": events}


def _marked(text: str) -> str:
    """Write variables as Postman does."""
    return MARK.sub(r"{{\1}}", text)


def _script(listen: str, file: str, mark: str, value: Json) -> Json:
    source = (HERE / file).read_text(encoding="utf-8").replace(f"= {mark};", f"= {json.dumps(value)};")
    return {"listen": listen, "script": {"type": "text/javascript", "exec": source.splitlines()}}
