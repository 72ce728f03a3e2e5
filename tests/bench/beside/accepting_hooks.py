"""A hook for Schemathesis that accepts, one by one, what was reported of the gateway without faults.

Its own ``--baseline`` accepts all failures of one check in one operation as soon as it has one; here they are kept
apart by what the case broke and by the answer's message, which leaves it more to find. ``BESIDE_ACCEPTED`` names the
file; with ``BESIDE_LEARN`` everything is accepted and noted.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any, Final

import schemathesis

import tests.bench.beside.signing_hooks  # noqa: F401 - registers the hook that signs

FILE: Final = Path(os.environ["BESIDE_ACCEPTED"])
LEARNS: Final = bool(os.environ.get("BESIDE_LEARN"))
ACCEPTED: Final = set(FILE.read_text(encoding="utf-8").splitlines()) if FILE.exists() else set()

BY_PLAN: Final = ("examples", "coverage")
"""Phases whose cases are the same in each run."""


@schemathesis.hook
def filter_failure(_context: Any, failure: Any, case: Any, response: Any) -> bool:  # noqa: ANN401 - classes of Schemathesis
    """Say whether a failure counts: whether it has anything that the gateway without faults did not have."""
    place = [case.operation.label, case.method, type(failure).__name__]
    broken, said = _broken(case), _said(response)
    identities = [json.dumps([*place, broken, one]) for one in said]
    if LEARNS:
        # What is made at random is another in each run: there a complaint is known by itself, whatever was broken.
        _accept([*identities, *(json.dumps([*place, "", one]) for one in said)])
    return not ACCEPTED.issuperset(identities)


def _accept(identities: list[str]) -> None:
    new = [identity for identity in dict.fromkeys(identities) if identity not in ACCEPTED]
    ACCEPTED.update(new)
    with FILE.open("a", encoding="utf-8") as file:
        file.writelines(f"{identity}\n" for identity in new)


def _broken(case: Any) -> str:  # noqa: ANN401
    """Return what the case broke, in Schemathesis' words; empty: it is made at random, or nothing is said."""
    phase = getattr(case.meta, "phase", None)
    if phase is None or phase.name not in BY_PLAN:
        return ""
    return str(getattr(phase.data, "description", None) or "")


def _said(response: Any) -> list[str]:  # noqa: ANN401
    """Return the complaints of an answer, each with its status and without numbers and ids."""
    try:
        answer = json.loads(response.content)
    except ValueError:
        answer = None
    errors = answer.get("errors") if isinstance(answer, dict) else None
    message = answer.get("error_message") if isinstance(answer, dict) else ""
    listed = [str(one.get("error_message")) for one in errors or [] if isinstance(one, dict)]
    return [f"{response.status_code} {re.sub(r'[0-9a-f-]{6,}', '#', one)[:200]}" for one in (str(message), *listed)]
