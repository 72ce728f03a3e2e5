"""What goes wrong around a run: a full disk, an output that cannot be written, two runs at once, a dead gateway."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fixtures.wire.embedded import EmbeddedGateway
from reports.stream.lines import read_stream
from tests.end_to_end.runs import ROOT, run, sandbox
from tests.support.canaries import canaries

CHECKS = "suites/checkout/sessions/test_session_response.py"
MORE_CHECKS = ("suites/checkout/sessions/test_session_response.py", "suites/s2s_card/sales/test_sale_signature.py")
GENEROUS = 600.0


def command(output: Path, *options: str) -> list[str]:
    memory = f"cache_dir={output.parent / 'cache'}"
    return [sys.executable, "-m", "pytest", "-q", "-o", memory, f"--output={output}", "-n", "0", *options]


def started(output: Path, *options: str, before: Callable[[], None] | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(output, *options), cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        preexec_fn=before,  # noqa: PLW1509 - sets a limit and nothing else
    )  # fmt: skip


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    with process:
        said, _ = process.communicate(timeout=GENEROUS)
        return process.returncode, said


def _files_of_at_most(size: int) -> Callable[[], None]:
    def limit() -> None:
        # Without the signal a write beyond the limit is an error, as on a full disk.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


@pytest.mark.parametrize("size", [20_000, 100_000], ids=["stream", "reports"])
def test_full_disk_is_never_green_and_says_what_could_not_be_written(tmp_path: Path, size: int) -> None:
    status, said = ended(started(tmp_path / "out", CHECKS, before=_files_of_at_most(size)))

    assert status == 4, said
    assert "File too large" in said


def test_output_that_cannot_be_made_ends_with_2(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")

    status, said = ended(started(tmp_path / "file" / "out", CHECKS))

    assert status == 2, said
    assert str(tmp_path / "file") in said
    assert "Traceback" not in said


def test_report_that_cannot_be_written_is_never_green(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "summary.md").symlink_to("/dev/full")
    process = started(tmp_path / "out", CHECKS)
    # A former run's reports are set aside first: the link is put in its place once the run has begun.
    stream = tmp_path / "out" / "results.jsonl"
    _until(stream.exists, process)
    (tmp_path / "out" / "summary.md").unlink(missing_ok=True)
    (tmp_path / "out" / "summary.md").mkdir()

    status, said = ended(process)

    assert status == 4, said
    assert "summary.md could not be written" in said
    assert (tmp_path / "out" / "conformance.json").exists()


def test_two_runs_with_one_output_are_not_mixed(tmp_path: Path) -> None:
    first = started(tmp_path / "out", "suites/s2s_card")
    stream = tmp_path / "out" / "results.jsonl"
    _until(lambda: stream.exists() and b'"kind":"check"' in stream.read_bytes(), first)

    second = ended(started(tmp_path / "out", CHECKS))
    assert first.poll() is None
    first.send_signal(signal.SIGINT)
    status, said = ended(first)

    assert second[0] == 2, second[1]
    assert "another run" in second[1]
    assert status == 3, said
    assert read_stream(stream).footer is not None


def test_stale_report_does_not_stand_beside_a_run_that_never_began(tmp_path: Path) -> None:
    assert run(tmp_path / "out", "-n", "0", CHECKS).status == 3

    begun = run(tmp_path / "out", "-n", "0", f"--target={sandbox(tmp_path, 'http://127.0.0.1:9')}", "suites/nothing.py")

    assert begun.status == 2, begun.said
    report = (tmp_path / "out" / "conformance.json").read_text(encoding="utf-8")
    assert '"somewhere"' not in report, "it is the report of the run before, and says so itself"


@pytest.fixture
def gateway() -> Iterator[EmbeddedGateway]:
    running = EmbeddedGateway.start(release="6.7.0")
    yield running
    running.stop()


def test_gateway_that_is_killed_leaves_the_run_undecided(gateway: EmbeddedGateway, tmp_path: Path) -> None:
    planted = canaries(tmp_path, gateway.url, gateway.control_url, 0)
    os.environ.update(planted.variables)
    try:
        process = started(tmp_path / "out", f"--target={planted.profile}", *MORE_CHECKS)
    finally:
        for name in planted.variables:
            del os.environ[name]
    stream = tmp_path / "out" / "results.jsonl"
    _until(lambda: stream.exists() and stream.read_bytes().count(b'"kind":"check"') > 3, process)
    gateway._process.kill()

    status, said = ended(process)

    assert status == 3, said
    assert "went away" in said or "the last" in said, said
    assert "Traceback" not in said


def _until(holds: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + GENEROUS
    while not holds():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)
