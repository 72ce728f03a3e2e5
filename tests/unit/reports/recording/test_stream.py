"""The result stream: what is written is read back, and what is cut off or wrong is reported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reports.judging.completeness import NO_FOOTER, missing
from reports.model import Exchange, Footer, Run, Verdict
from reports.stream.lines import MAX_EXCHANGES, StreamError, StreamWriter, read_stream
from tests.unit.reports.small_run import HEADER, check


def _written(file: Path, *, footer: bool = True) -> Path:
    with StreamWriter(file, HEADER) as writer:
        writer.check(check("a"), [Exchange(method="POST", status=200)])
        writer.check(check("b", "fail"))
        if footer:
            writer.footer(Footer(ended="2030-01-01T10:01:00.000Z", requests=2))
    return file


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    run = read_stream(_written(tmp_path / "results.jsonl"))
    assert run.header == HEADER
    assert [each.verdict for each in run.checks] == [Verdict.PASS, Verdict.FAIL]
    assert run.exchanges_of(run.checks[0])[0].method == "POST"
    assert run.footer is not None
    assert run.footer.requests == 2
    assert missing(run) == ()


def test_a_stream_without_footer_is_incomplete(tmp_path: Path) -> None:
    run = read_stream(_written(tmp_path / "results.jsonl", footer=False))
    assert run.footer is None
    assert missing(run) == (NO_FOOTER,)


@pytest.mark.parametrize("cut", [1, 2, 40])
def test_a_torn_last_line_is_left_out(tmp_path: Path, cut: int) -> None:
    file = _written(tmp_path / "results.jsonl", footer=False)
    file.write_text(file.read_text(encoding="utf-8")[:-cut], encoding="utf-8")
    run = read_stream(file)
    # Without its line end alone a line is whole.
    assert (run.torn, len(run.checks)) == ((False, 2) if cut == 1 else (True, 1))


def _with(file: Path, **changes: object) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([json.dumps(json.loads(lines[0]) | changes), *lines[1:]]) + "\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        pytest.param(lambda file: _with(file, schema=2), "has schema 2", id="schema"),
        pytest.param(lambda file: _with(file, kind="other"), "line 1 is no line of a result stream", id="kind"),
        pytest.param(lambda file: _with(file, release=None), "release", id="member"),
        pytest.param(
            lambda file: file.write_text("nonsense\n" + file.read_text(encoding="utf-8"), encoding="utf-8"),
            "line 1 is not JSON",
            id="json",
        ),
        pytest.param(
            lambda file: file.write_text(file.read_text(encoding="utf-8") * 2, encoding="utf-8"),
            "one only",
            id="joined",
        ),
        pytest.param(lambda file: file.write_text("", encoding="utf-8"), "begins with its header", id="empty"),
        pytest.param(lambda file: file.unlink(), "cannot be read", id="missing"),
    ],
)
def test_a_wrong_stream_is_refused(tmp_path: Path, spoil: object, said: str) -> None:
    file = _written(tmp_path / "results.jsonl")
    assert callable(spoil)
    spoil(file)
    with pytest.raises(StreamError, match=said):
        read_stream(file)


def test_a_check_that_is_reported_twice_is_refused(tmp_path: Path) -> None:
    file = _written(tmp_path / "results.jsonl")
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([*lines[:-1], lines[2], lines[-1]]) + "\n", encoding="utf-8")
    with pytest.raises(StreamError, match="more than once"):
        read_stream(file)


def test_two_checks_of_one_id_are_distinguished(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    with StreamWriter(file, HEADER) as writer:
        writer.check(check("a"))
        writer.check(check("a", "fail"))
    assert [each.id for each in read_stream(file).checks] == [
        "suites/test_a.py::test_a",
        "suites/test_a.py::test_a (2)",
    ]


def test_evidence_is_bounded(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    huge = Exchange(
        method="POST",
        url="https://acme.example/" + "u" * 100_000,
        request_headers={f"h{n}": "v" * 10_000 for n in range(1_000)},
        response_body="\u20ac" * 1_000_000,
    )
    with StreamWriter(file, HEADER) as writer:
        writer.check(check("a", "fail"), [huge] * 100)
    run: Run = read_stream(file)
    (evidence,) = run.evidence.values()
    assert len(evidence.exchanges) == MAX_EXCHANGES
    assert evidence.omitted == 60
    kept = evidence.exchanges[0]
    assert len(kept.response_body.encode()) <= 64 * 1024
    assert kept.truncated
    assert len(kept.url) <= 16 * 1024
    assert len(kept.request_headers) == 100
