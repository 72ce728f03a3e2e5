"""The cases of newman and Tavern, sent by a loop of httpx and judged alike: it says what both find, and costs less."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs

from tests.bench.beside.cases import Case, as_rows
from tests.bench.beside.measured import Outcome
from tests.bench.beside.playing import answer_in, differences, kept, request_of

Json = Any


@dataclass(frozen=True)
class Player:
    """Sends cases by itself.

    Attributes:
        cases: by protocol.
        schemas: of answers by protocol and name.
    """

    cases: Mapping[str, Sequence[Case]]
    schemas: Mapping[str, Mapping[str, Json]]
    name: str = "cases"

    def run(self, protocol: str, base: str, fault: str, directory: Path) -> Outcome:
        """Send all cases of a protocol to a gateway."""
        del directory
        began, before = time.monotonic(), time.thread_time()
        failures = tuple(self._played(protocol, base))
        sent = len(self.cases[protocol])
        return Outcome(
            self.name, fault, protocol, failures, sent, time.thread_time() - before, time.monotonic() - began
        )

    def _played(self, protocol: str, base: str) -> list[str]:
        validators = {name: jsonschema_rs.Draft7Validator(schema) for name, schema in self.schemas[protocol].items()}
        known, found = {"base": base}, []
        with httpx.Client(trust_env=False, follow_redirects=False, timeout=10) as client:
            for case in as_rows(self.cases[protocol]):
                url, body = request_of(case, known)
                headers = {"Accept": "application/json", **_typed(case["content_type"])}
                try:
                    reply = client.request(case["method"], url, headers=headers, content=body)
                except (httpx.HTTPError, httpx.InvalidURL) as error:
                    found.append(f"{case['name']}: {type(error).__name__}")
                    continue
                answer = answer_in(reply.text)
                known.update(kept(case, answer))
                wrong = list(differences(case, reply.status_code, answer, known))
                if case["schema"] and not validators[case["schema"]].is_valid(answer):
                    wrong.append("schema")
                found += [f"{case['name']}: {one}" for one in wrong]
        return found


def _typed(content_type: str) -> dict[str, str]:
    return {"Content-Type": content_type} if content_type else {}
