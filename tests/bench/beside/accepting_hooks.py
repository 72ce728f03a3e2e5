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


@schemathesis.hook
def filter_failure(_context: Any, failure: Any, case: Any, response: Any) -> bool:  # noqa: ANN401 - classes of Schemathesis
    """Say whether a failure counts."""
    identity = json.dumps([case.operation.label, case.method, type(failure).__name__, _broken(case), _said(response)])
    if LEARNS and identity not in ACCEPTED:
        ACCEPTED.add(identity)
        with FILE.open("a", encoding="utf-8") as file:
            file.write(identity + "\n")
    return identity not in ACCEPTED


def _broken(case: Any) -> str:  # noqa: ANN401
    """Return what the case broke, in Schemathesis' words; empty: nothing, or it does not say."""
    data = getattr(getattr(case.meta, "phase", None), "data", None)
    return str(getattr(data, "description", None) or "")


def _said(response: Any) -> str:  # noqa: ANN401
    """Return status and messages of the answer, without numbers and ids."""
    try:
        answer = json.loads(response.content)
    except ValueError:
        answer = None
    message = [answer.get("error_message"), answer.get("errors")] if isinstance(answer, dict) else ""
    return f"{response.status_code} {re.sub(r'[0-9a-f-]{6,}', '#', json.dumps(message))[:400]}"
