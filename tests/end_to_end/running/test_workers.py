"""Several processes share one target: its callbacks, its rate limit and its clock, and find what one process finds."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixtures.plugin import DEFAULT_TARGET
from fixtures.wire.embedded import EmbeddedGateway
from tests.end_to_end.runs import run

CHECKS = (
    "suites/s2s_card/sales/test_duplicates.py",
    "suites/s2s_card/callbacks/test_callback_delivery.py",
    "suites/hosted_page/test_lifetime.py",
    "suites/checkout/sessions/test_session_response.py",
)
"""Checks that wait for callbacks, refuse them, and move the clock, among others that do not."""


@pytest.fixture
def profile(tmp_path: Path) -> Iterator[Path]:
    """The profile of a gateway that the suite did not start, with one clock and one address for callbacks."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = EmbeddedGateway.start(release="6.7.0", callback_url=f"http://127.0.0.1:{port}/")
    text = DEFAULT_TARGET.read_text(encoding="utf-8").replace("[emulator]\nstart = true\n", "")
    tables = f"""
[endpoints]
checkout = "{running.url}"
s2s_card = "{running.url}"
s2s_apm = "{running.url}/apm"
[run]
clock = "{running.control_url}"
requests_per_second = 200
parallel_requests = 8
fuzz_requests = 0
[callbacks]
listen = "127.0.0.1:{port}"
"""
    without = re.sub(r"^\[(run|callbacks)\]\n(?:[^\[\n].*\n)*", "", text, flags=re.MULTILINE)
    file = tmp_path / "profile.toml"
    file.write_text(without.replace('environment = "emulator"', 'environment = "sandbox"') + tables, encoding="utf-8")
    try:
        yield file
    finally:
        running.stop()


def test_workers_find_what_one_process_finds(profile: Path, tmp_path: Path) -> None:
    alone = run(tmp_path / "alone", f"--target={profile}", *CHECKS)
    together = run(tmp_path / "together", f"--target={profile}", "-n", "3", *CHECKS)

    def verdicts(report: dict[str, list[dict[str, str]]]) -> dict[str, str]:
        return {check["id"]: check["verdict"] for check in report["checks"]}

    assert verdicts(together.report) == verdicts(alone.report), together.said
    assert set(verdicts(alone.report).values()) == {"pass"}, alone.said
    assert len(verdicts(alone.report)) > 60


def test_one_worker_leaves_the_address_to_the_process_that_shares_out(profile: Path, tmp_path: Path) -> None:
    ended = run(tmp_path / "out", f"--target={profile}", "-n", "1", CHECKS[-1])

    assert {check["verdict"] for check in ended.report["checks"]} == {"pass"}, ended.said


def test_address_that_is_taken_ends_with_2(profile: Path, tmp_path: Path) -> None:
    listen = re.search(r'listen = "127.0.0.1:(\d+)"', profile.read_text(encoding="utf-8"))
    assert listen is not None
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", int(listen[1])))
        taken.listen()
        ended = run(tmp_path / "out", f"--target={profile}", "-n", "2", CHECKS[0])

    assert ended.status == 2, ended.said
    assert "listen in [callbacks]" in ended.said
