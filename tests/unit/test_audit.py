"""What is made of the answer of pip-audit."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests import audit

KNOWN = {"name": "a", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"], "aliases": []}]}
CLEAN = {"name": "b", "version": "2", "vulns": []}
UNASKED = {"name": "c", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("answer", "status", "says"),
    [
        (json.dumps({"dependencies": [KNOWN, CLEAN]}), 1, "a 1: PYSEC-1; fixed in 1.1"),
        (json.dumps({"dependencies": [CLEAN, UNASKED]}), 0, "1 of 2 packages could be looked up, 0 holes"),
        ("", 0, "was not reached"),
    ],
)
def test_hole_fails_and_a_service_out_of_reach_does_not(
    answer: str, status: int, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        subprocess, "run", lambda *_words, **_more: subprocess.CompletedProcess([], 1, stdout=answer, stderr="")
    )

    assert audit.main() == status
    assert says in capsys.readouterr().out
