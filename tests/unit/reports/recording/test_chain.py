"""The chain of a result stream: nothing in it can be changed, left out or added without a trace."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reports.__main__ import main
from reports.model import Exchange, Footer
from reports.stream.chain import verify_file
from reports.stream.lines import StreamWriter, read_stream
from tests.unit.reports.small_run import HEADER, check


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    """A stream with a pass, a failure and its evidence."""
    file = tmp_path / "results.jsonl"
    with StreamWriter(file, HEADER) as writer:
        writer.check(check("a"), [Exchange(method="POST", status=200, response_body='{"chain":"\u20ac"}')])
        writer.check(check("b", "fail"), [Exchange(method="POST", status=200)])
        writer.footer(Footer(ended="2030-01-01T10:01:00.000Z"))
    return file


def test_a_stream_is_as_it_was_written(stream: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = verify_file(stream)
    assert (found.lines, found.broken) == (6, "")
    assert read_stream(stream).checks[0].verdict == "pass"
    assert main(["verify", str(stream.parent)]) == 0
    assert f"6 lines hold together; the last link is {found.last}" in capsys.readouterr().out


Spoil = Callable[[list[str]], list[str]]
SPOILT: dict[str, tuple[Spoil, int]] = {
    "changed": (lambda lines: [line.replace('"fail"', '"pass"') for line in lines], 4),
    "left-out": (lambda lines: [*lines[:2], *lines[3:]], 2),
    "added": (lambda lines: [*lines[:3], lines[2], *lines[3:]], 3),
    "exchanged": (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], 1),
    "unlinked": (lambda lines: [line.rpartition(',"chain"')[0] + "}" for line in lines], 0),
    "empty": (lambda _: [], 0),
}
"""What is done to the lines of a stream, and how many of them still hold together."""


@pytest.mark.parametrize(("spoil", "held"), SPOILT.values(), ids=SPOILT)
def test_a_stream_that_was_touched_is_found_out(stream: Path, spoil: Spoil, held: int) -> None:
    lines = stream.read_text(encoding="utf-8").splitlines()
    stream.write_text("".join(f"{line}\n" for line in spoil(lines)), encoding="utf-8")
    found = verify_file(stream)
    assert found.broken
    assert found.lines == held
    assert main(["verify", str(stream)]) == 1


def test_a_stream_without_its_end_is_reported(stream: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = stream.read_text(encoding="utf-8").splitlines(keepends=True)
    stream.write_text("".join(lines[:-1]), encoding="utf-8")
    assert main(["verify", str(stream)]) == 0
    assert "the run did not come to its end" in capsys.readouterr().out


def test_a_file_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    assert main(["verify", str(tmp_path / "none.jsonl")]) == 2
