"""Evidence for others: the statement of one page, and the detached signature."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from reports.conclusion import Conclusion
from reports.evidence.seal import SealError, seal, verify_seal
from reports.pages.statement import statement, write_statement


def test_statement_says_what_was_tested_and_how_it_ended(mixed: Conclusion) -> None:
    text = statement(mixed, "abc123")

    for mark in (mixed.sentence, "acme", "release 6.7.0", "<code>abc123</code>", "<code>d1</code>", "2 failed"):
        assert mark in text


def test_statement_of_a_hostile_target_has_nothing_of_its_markup(hostile: Conclusion) -> None:
    text = statement(hostile, "")

    assert "<script" not in text
    assert "<img" not in text
    assert len(text) < 30_000


def test_statement_has_no_link_of_a_stream_that_was_changed(mixed: Conclusion, tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").write_text('{"a":1}\n', encoding="utf-8")

    write_statement(mixed, tmp_path / "statement.html")

    text = (tmp_path / "statement.html").read_text(encoding="utf-8")
    assert "results.jsonl is not as it was written, line 1 has no link" in text
    assert "<code>0000" not in text


@pytest.fixture
def key(tmp_path: Path) -> Path:
    tool = shutil.which("ssh-keygen")
    if tool is None:
        pytest.skip("there is no ssh-keygen on this machine")
    subprocess.run([tool, "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "key")], check=True)
    return tmp_path / "key"


def test_a_signature_is_good_for_its_stream_and_signer_only(key: Path, tmp_path: Path) -> None:
    stream, signers = tmp_path / "results.jsonl", tmp_path / "signers"
    stream.write_text('{"a":1}\n', encoding="utf-8")
    signers.write_text(f"auditor@example {key.with_suffix('.pub').read_text()}", encoding="utf-8")

    seal(stream, key)

    assert "auditor@example" in verify_seal(stream, signers, "auditor@example")
    with pytest.raises(SealError, match="is no signature of"):
        verify_seal(stream, signers, "somebody@example")
    stream.write_text('{"a":2}\n', encoding="utf-8")
    with pytest.raises(SealError, match="is no signature of"):
        verify_seal(stream, signers, "auditor@example")


def test_a_stream_without_signature_is_not_signed(tmp_path: Path) -> None:
    with pytest.raises(SealError, match="there is no signature"):
        verify_seal(tmp_path / "results.jsonl", tmp_path / "signers", "auditor@example")
