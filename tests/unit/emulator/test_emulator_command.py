"""The command of the reference gateway, and serving in a thread."""

import hashlib
import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from http.client import HTTPResponse
from pathlib import Path
from typing import cast

import pytest

from emulator import Settings
from emulator.accounts import ACCOUNTS
from emulator.faults import registry as faults
from emulator.serving import ListeningError, serve_in_thread
from emulator.variations import registry as variations

ROOT = Path(__file__).parents[3]


def _get(url: str) -> HTTPResponse:
    return cast("HTTPResponse", urllib.request.urlopen(url, timeout=600))  # noqa: S310


def _run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "emulator", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_one_line_gives_the_address_and_the_process_ends_with_stdin() -> None:
    command = [sys.executable, "-m", "emulator", "--control", "--exit-with-stdin", "--release", "6.6.5"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        received = json.loads(process.stdout.readline())
        with _get(received["url"] + "/health") as answer:
            assert json.load(answer) == {"status": "ok", "release": "6.6.5"}
        with _get(received["control"]) as answer:
            assert json.load(answer)["advanced_seconds"] == 0
        assert received["control"].rpartition("/")[2] not in _get(received["url"]).read().decode()
        with pytest.raises(urllib.error.HTTPError):
            _get(received["url"] + "/-/clock")
        process.stdin.close()
        assert process.wait(timeout=600) == 0
        assert process.stdout.read() == b""
        assert process.stderr is not None
        assert process.stderr.read() == b""

    assert re.fullmatch(re.escape(received["url"]) + r"/-/clock/[\w-]{32}", received["control"])
    assert received == {
        "url": received["url"],
        "release": "6.6.5",
        "control": received["control"],
        "addresses": {
            "checkout": received["url"],
            "s2s_card": received["url"] + "/post",
            "s2s_apm": received["url"] + "/apm/post",
        },
        "account": {
            "name": "main",
            "key": "10000000-0000-4000-8000-000000000001",
            "password": hashlib.md5(b"emulator-main", usedforsecurity=False).hexdigest(),
        },
        "faults": [],
        "variations": [],
    }


@pytest.mark.parametrize(
    ("option", "count", "keys"),
    [
        ("--list-faults", len(faults()), {"name", "requirements", "related", "summary", "releases"}),
        ("--list-variations", len(variations()), {"name", "summary"}),
    ],
)
def test_lists_are_json_lines(option: str, count: int, keys: set[str]) -> None:
    lines = [json.loads(line) for line in _run(option).stdout.splitlines()]

    assert len(lines) == count
    assert all(set(line) == keys for line in lines)


def test_accounts_are_listed_with_their_passwords() -> None:
    lines = {line["name"]: line for line in map(json.loads, _run("--list-accounts").stdout.splitlines())}

    assert list(lines) == [account.name for account in ACCOUNTS]
    assert lines["main"]["key"] == "10000000-0000-4000-8000-000000000001"
    assert lines["no_zero_amount"]["key"] == "10000000-0000-4000-8000-00000000000a"
    assert lines["main"]["password"] == "6a70a4adda8a869a5bdc7981f1d05cfd"


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("--fault", "duplicate-acepted"), "duplicate-accepted"),
        (("--variation", "errors-as-txt"), "errors-as-text"),
        (("--release", "6.5.0"), "6.6.2"),
        (("--port", "x"), "65535"),
    ],
)
def test_wrong_usage_ends_with_2_and_says_what_exists(arguments: tuple[str, ...], hint: str) -> None:
    done = _run(*arguments)

    assert done.returncode == 2
    assert done.stdout == ""
    assert hint in done.stderr


def test_a_gateway_in_a_thread_starts_fast_and_ends() -> None:
    with serve_in_thread(Settings()) as warm:
        assert warm.control is None
    started = time.process_time()
    with serve_in_thread(Settings()) as running:
        taken = time.process_time() - started
        with _get(running.url + "/health") as answer:
            assert answer.status == 200
    assert taken < 10
    with pytest.raises(urllib.error.URLError):
        _get(running.url + "/health")


def test_a_port_that_is_taken_is_reported() -> None:
    with serve_in_thread(Settings()) as running:
        port = int(running.url.rpartition(":")[2])
        with pytest.raises(ListeningError, match="--port"), serve_in_thread(Settings(port=port)):
            pass


def test_requests_of_a_distant_gateway_take_a_while_and_its_clock_is_near() -> None:
    def seconds(url: str) -> float:
        began = time.perf_counter()
        with _get(url):
            return time.perf_counter() - began

    with serve_in_thread(Settings(latency=0.1, control=True)) as running:
        taken = [seconds(f"{running.url}/health") for _ in range(10)]
        near = min(seconds(f"{running.control}") for _ in range(5))

    # Ten waits between nothing and twice the mean, always the same ones.
    assert sum(taken) > 0.7
    assert min(taken) < max(taken)
    assert near < sum(taken) / 10
