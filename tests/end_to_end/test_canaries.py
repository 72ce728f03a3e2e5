"""No secret of the profile reaches anything that a run leaves or says, however loud it is and however it ends.

The gateway of these runs says every secret again, in every way to write one: a few in each answer and page.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixtures.payer.chromium.installed import program
from tests.end_to_end.runs import ROOT
from tests.support.canaries import SECURITY_CODE, Canaries, canaries
from tests.support.echoing_gateway import echoing_gateway

LOUD = ("-vv", "--showlocals", "--tb=long", "-s", "--log-level=DEBUG", "--log-cli-level=DEBUG", "--setup-show", "-ra")
CHECKS = (
    "suites/checkout/sessions/test_session_response.py",
    "suites/s2s_card/sales/test_sale_signature.py",
    "suites/hosted_page/test_lifetime.py",
)
GENEROUS = 600.0
MANY = 6
"""A browser has more processes than that, workers and drivers included."""


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Canaries]:
    """The profile of a gateway that says every secret again."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    directory = tmp_path_factory.mktemp("planted")
    secrets = canaries(directory, "http://127.0.0.1:9", "http://127.0.0.1:9", port).secrets
    with echoing_gateway(secrets, f"http://127.0.0.1:{port}/") as running:
        yield canaries(directory, running.url, str(running.control), port)


def command(planted: Canaries, directory: Path, *options: str) -> subprocess.Popen[str]:
    """Start a run whose output and temporary files go below a directory."""
    (directory / "tmp").mkdir()
    words = ["-m", "gateway_conformance", "run", f"--target={planted.profile}", f"--output={directory / 'out'}"]
    with (directory / "said.txt").open("w") as said:
        return subprocess.Popen(
            [sys.executable, *words, *options],
            cwd=ROOT,
            env={**os.environ, **planted.variables, "TMPDIR": str(directory / "tmp")},
            stdout=said,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )


def finished(planted: Canaries, directory: Path, *options: str) -> int:
    """Run to the end and return the exit status."""
    with command(planted, directory, *options) as process:
        return process.wait(GENEROUS)


def must_be_clean(planted: Canaries, directory: Path) -> None:
    files = [file for file in directory.rglob("*") if file.is_file()]
    for file in files:
        found = planted.found_in(file.read_text(encoding="utf-8", errors="replace"))
        assert not found, f"{file.relative_to(directory)}: {found[:5]}"


def said(directory: Path) -> str:
    return (directory / "said.txt").read_text(encoding="utf-8", errors="replace")


@pytest.mark.parametrize(
    ("processes", "crashes", "shows"),
    [
        ("0", ["suite"], "Local variables"),
        ("2", ["suite"], "Local variables"),
        ("0", ["suite", "hook"], "crashing_hook.py"),
    ],
)
def test_loud_run_that_crashes_shows_no_secret(
    planted: Canaries, tmp_path: Path, processes: str, crashes: list[str], shows: str
) -> None:
    plugins = [word for name in crashes for word in ("-p", f"tests.support.crashing_{name}")]
    status = finished(planted, tmp_path, *LOUD, *plugins, "-n", processes, *CHECKS)

    # A proven failure outranks that the suite broke.
    assert status in (1, 4), said(tmp_path)
    assert ("INTERNALERROR" if "hook" in crashes else "CrashError") in said(tmp_path)
    assert shows in said(tmp_path)
    must_be_clean(planted, tmp_path)


def test_run_against_a_gateway_that_echoes_leaves_evidence_without_secrets(planted: Canaries, tmp_path: Path) -> None:
    status = finished(planted, tmp_path, *LOUD, "--print-exchanges", "-n", "0", *CHECKS)

    stream = (tmp_path / "out" / "results.jsonl").read_text(encoding="utf-8")
    assert status == 1, said(tmp_path)
    assert len([file for file in (tmp_path / "out").rglob("*") if file.is_file()]) > 10
    assert '"evidence"' in stream
    assert re.search(r"411111\*+1111", stream), "card numbers are masked, not dropped"
    assert "[redacted]" in said(tmp_path)
    must_be_clean(planted, tmp_path)


def test_probe_of_a_gateway_that_echoes_neither_says_nor_writes_a_secret(planted: Canaries, tmp_path: Path) -> None:
    whole = planted.profile.read_text(encoding="utf-8")
    # What stands in the profile already is not asked for, and has no evidence.
    found_by_a_probe = r"^\[(account|capabilities|(dialect|payer)[^\]]*)\]\n(?:[^\[\n].*\n|\n)*"
    least = re.sub(found_by_a_probe, "", whole, flags=re.MULTILINE)
    profile = tmp_path / "least.toml"
    profile.write_text(least, encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-m", "gateway_conformance", "probe", str(profile)],
        cwd=ROOT, env={**os.environ, **planted.variables}, capture_output=True, text=True, timeout=GENEROUS,
        check=False,
    )  # fmt: skip
    written = [line for line in profile.read_text(encoding="utf-8").splitlines() if line not in whole.splitlines()]

    assert done.returncode == 0, done.stderr
    assert len([line for line in written if "HTTP 200" in line]) > 10
    assert not planted.found_in("\n".join([done.stdout, done.stderr, *written]))


@pytest.mark.parametrize(
    ("how", "payer"), [(signal.SIGKILL, "http"), (signal.SIGTERM, "http"), (signal.SIGKILL, "browser")]
)
def test_run_that_is_killed_leaves_no_secret_with_anybody(
    planted: Canaries, tmp_path: Path, how: signal.Signals, payer: str
) -> None:
    if payer == "browser" and program() is None:
        pytest.skip("no Chromium: install it or set CHROMIUM to its path")
    checks = CHECKS[:1] if payer == "http" else ("suites/hosted_page/test_card.py",)
    least = MANY if payer == "browser" else 1
    running = command(planted, tmp_path, "-v", "-n", "2", f"--payer={payer}", *checks)
    stream = tmp_path / "out" / "results.jsonl"
    children: dict[int, str] = {}
    began = time.monotonic()
    try:
        while running.poll() is None and time.monotonic() - began < GENEROUS:
            children |= output_of_children(running.pid)
            text = stream.read_text(encoding="utf-8") if stream.exists() else ""
            if text.count('"kind":"check"') > 3 and len(children) > least:
                break
            time.sleep(0.05)
        assert running.poll() is None, said(tmp_path)
        running.send_signal(how)
        running.wait(GENEROUS)
    finally:
        end_group(running.pid)

    assert len(children) > least
    for text in children.values():
        assert not planted.found_in(text), "a child of the run"
    must_be_clean(planted, tmp_path)


def output_of_children(parent: int) -> dict[int, str]:
    """Return the arguments and the environment of all processes below one, by process."""
    parents: dict[int, int] = {}
    said: dict[int, str] = {}
    for process in Path("/proc").iterdir():
        if not process.name.isdecimal():
            continue
        try:
            above = (process / "stat").read_text().rpartition(")")[2].split()[1]
            words = (process / "cmdline").read_bytes() + b"\n" + (process / "environ").read_bytes()
        except OSError:
            continue
        parents[int(process.name)] = int(above)
        said[int(process.name)] = words.replace(b"\0", b"\n").decode("utf-8", "replace")
    # The run itself was given the variables; those whom it starts are not.
    return {process: text for process, text in said.items() if parent in _above(process, parents)}


def _above(process: int, parents: dict[int, int]) -> Iterator[int]:
    while (process := parents.get(process, 0)) > 1:
        yield process


def end_group(leader: int) -> None:
    """End what a killed run left behind."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        return


def test_search_finds_what_is_planted(planted: Canaries) -> None:
    secret = planted.secrets[0]

    assert not planted.found_in("innocent")
    assert planted.found_in(f"card_cvv2={SECURITY_CODE}")
    assert planted.found_in(f"x {secret[:9]}\n  {secret[9:]} y")
    assert planted.found_in(secret[::-1].upper())
