"""The conftest.py of the Tavern tests: fills in what earlier answers gave, signs, and keeps what the answer gives.

It runs where only Tavern is installed; ``playing.py`` and ``cases.json`` lie beside it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
from playing import answer_in, filled, kept, request_of  # type: ignore[import-not-found, unused-ignore]

HERE = Path(__file__).parent
CASES = json.loads((HERE / "cases.json").read_text(encoding="utf-8"))
SCHEMAS = json.loads((HERE / "schemas.json").read_text(encoding="utf-8"))
KNOWN = {"base": os.environ["BESIDE_BASE"]}
STATE = {"case": 0, "sent": 0}


def pytest_tavern_beta_before_every_request(request_args: dict[str, Any]) -> None:
    """Put address, body and signature in; the header says of which case."""
    STATE["case"] = int(request_args["headers"].pop("X-Case"))
    STATE["sent"] += 1
    request_args["url"], request_args["data"] = request_of(CASES[STATE["case"]], KNOWN)


def pytest_tavern_beta_after_every_response(expected: Any, response: Any) -> None:  # noqa: ANN401 - Tavern's types
    """Keep what later cases need."""
    del expected
    KNOWN.update(kept(CASES[STATE["case"]], answer_in(response.text)))


def members_and_schema(response: Any) -> None:  # noqa: ANN401 - a response of requests
    """Judge an answer where values of other answers or a schema are expected: ``verify_response_with``."""
    case = CASES[STATE["case"]]
    answer = answer_in(response.text)
    for name, value in case["members"].items():
        wanted = filled(value, KNOWN) if isinstance(value, str) else value
        assert isinstance(answer, dict), "the answer is no JSON object"
        assert answer.get(name) == wanted, name
    if case["schema"]:
        jsonschema.Draft7Validator(SCHEMAS[case["schema"]]).validate(answer)


def pytest_unconfigure() -> None:
    """Say how many requests were sent."""
    (HERE / "sent.json").write_text(json.dumps(STATE["sent"]), encoding="utf-8")
