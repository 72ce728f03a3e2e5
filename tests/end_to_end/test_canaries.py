"""No secret of the profile reaches anything that a run leaves or says, however much fails."""

from __future__ import annotations

import re
import urllib.parse

import pytest

from fixtures.plugin import DEFAULT_TARGET
from fixtures.profile import load_profile
from tests.end_to_end.runs import Finished, run

FAULTS = ("order.number.max-length.ignored", "result-missing", "password-in-refusal")


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A run with many failures, all exchanges printed."""
    faults = [f"--fault={name}" for name in FAULTS]
    return run(tmp_path_factory.mktemp("out"), "--print-exchanges", *faults)


def canaries() -> list[str]:
    secrets = load_profile(DEFAULT_TARGET).secrets()
    long_enough = [secret for secret in secrets if len(secret) > 8]
    assert len(long_enough) > 10
    return long_enough


def test_no_file_holds_a_secret(failing: Finished) -> None:
    files = [file for file in failing.output.rglob("*") if file.is_file()]

    assert len(files) > 10
    for file in files:
        must_be_clean(file.read_text(encoding="utf-8", errors="replace"), str(file))


def test_nothing_that_is_said_holds_a_secret(failing: Finished) -> None:
    must_be_clean(failing.said, "the terminal")


def test_evidence_is_there_all_the_same(failing: Finished) -> None:
    stream = (failing.output / "results.jsonl").read_text(encoding="utf-8")

    assert '"evidence"' in stream
    assert re.search(r"411111\*+1111", stream), "card numbers are masked, not dropped"


def must_be_clean(text: str, where: str) -> None:
    for secret in canaries():
        for form in (secret, secret[::-1], secret.upper(), urllib.parse.quote(secret)):
            assert form not in text, f"a secret of {len(secret)} characters stands in {where}"
