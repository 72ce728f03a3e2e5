"""Each way to do a finding again shows it once more against the same gateway: script, curl, the suite's command."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
FAULTS = (
    "apm-refund-above-captured",
    "checkout-refund-of-too-much",
    "session-hash-true-accepted",
    "sale.term_url_3ds.max-length.one-laxer",
)
CHECKS = (
    "suites/s2s_apm/test_transitions.py",
    "suites/checkout/changes/test_refunds.py",
    "suites/checkout/sessions/test_session_signature.py",
    "suites/s2s_card/sales/test_fields.py",
)
SELECTED = "APM-CVD-08 or CHK-RFD-09 or CHK-SIG-25 or S2C-SAL-36"
SECRETS = {"CARD": "4111111111111111", "CVV": "411"}
SHOWS = {
    "APM-CVD-08": '"action":"CREDITVOID","result":"ACCEPTED"',
    "CHK-RFD-09": '"result":"accepted"',
    "CHK-SIG-25": '"redirect_url"',
    "S2C-SAL-36": '"action":"SALE","result":"SUCCESS"',
}
"""What the target does once more, by the requirement that it breaks."""


@dataclass(frozen=True)
class Recorded:
    """A run against a gateway that still stands."""

    evidence: Path
    findings: dict[str, str]
    commands: dict[str, str]
    environment: dict[str, str]


@pytest.fixture(scope="module")
def listen() -> str:
    """Return where callbacks arrive: the gateway must know it before the suite listens there."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture(scope="module")
def gateway(listen: str) -> Iterator[dict[str, object]]:
    command = [sys.executable, "-m", "emulator", "--port", "0", "--exit-with-stdin"]
    command += [f"--callback-url=http://{listen}/"]
    command += [word for name in FAULTS for word in ("--fault", name)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        yield json.loads(process.stdout.readline())
        process.stdin.close()
        process.wait(timeout=600)


@pytest.fixture(scope="module")
def recorded(gateway: dict[str, object], listen: str, tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    output = tmp_path_factory.mktemp("again")
    url = str(gateway["url"])
    profile = (ROOT / "profiles" / "emulator.toml").read_text(encoding="utf-8")
    addresses = f'\n[endpoints]\ncheckout = "{url}"\ns2s_card = "{url}"\ns2s_apm = "{url}/apm"\n'
    text = re.sub(r"(?m)^start = true", "start = false", profile)
    addresses += f'\n[callbacks]\nlisten = "{listen}"\nwait_seconds = 5\n'
    target = output / "gateway.toml"
    target.write_text(text + addresses, encoding="utf-8")
    words = ["run", f"--target={target}", f"--output={output}", "-n", "0", "-k", SELECTED, *CHECKS]
    done = subprocess.run(
        [sys.executable, "-m", "gateway_conformance", *words],
        cwd=ROOT, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout[-3000:] + done.stderr[-1000:]
    document = json.loads((output / "conformance.json").read_text(encoding="utf-8"))
    found = {name: each["id"] for each in document["findings"] for name in each["requirements"]}
    account = gateway["account"]
    assert isinstance(account, dict)
    secrets = {**SECRETS, "PASSWORD": str(account["password"])}
    commands = {
        name: each["failure"]["reproduce"]
        for each in document["checks"]
        if each["verdict"] == "fail"
        for name in each["requirements"]
    }
    return Recorded(output / "evidence", found, commands, {**os.environ, **secrets})


@pytest.mark.parametrize("name", SHOWS)
def test_script_shows_it_again(recorded: Recorded, name: str) -> None:
    script = recorded.evidence / f"{recorded.findings[name]}.py"

    done = _run([sys.executable, str(script)], recorded)

    # What a verdict rests on may have been asked for after what it blames.
    assert any(SHOWS[name] in line for line in done.splitlines()[-5:])
    for secret in ("PASSWORD", "CARD"):
        assert recorded.environment[secret] not in script.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["CHK-SIG-25", "S2C-SAL-36"])
def test_curl_shows_it_again(recorded: Recorded, name: str) -> None:
    if shutil.which("curl") is None:
        pytest.skip("there is no curl on this machine")
    ticket = (recorded.evidence / f"{recorded.findings[name]}.md").read_text(encoding="utf-8")
    command = next(line.strip() for line in ticket.splitlines() if line.startswith("    curl "))

    assert SHOWS[name] in _run(["sh", "-c", command], recorded)


@pytest.mark.parametrize("name", SHOWS)
def test_command_of_the_suite_shows_it_again(recorded: Recorded, name: str) -> None:
    command = recorded.commands[name]

    done = subprocess.run(
        ["sh", "-c", command], cwd=recorded.evidence, capture_output=True, text=True, timeout=600, check=False
    )

    # One check alone decides the verdict only where what it breaks holds the gate.
    assert done.returncode in (1, 3), done.stdout[-3000:] + done.stderr[-1000:]
    assert f"\n{name} (" in done.stdout
    assert " 1 failed in " in done.stdout


def test_har_has_every_request_of_the_script(recorded: Recorded) -> None:
    name = recorded.findings["CHK-RFD-09"]
    entries = json.loads((recorded.evidence / f"{name}.har").read_text(encoding="utf-8"))["log"]["entries"]
    script = (recorded.evidence / f"{name}.py").read_text(encoding="utf-8")

    sent = [each for each in entries if not each["comment"].startswith("callback")]

    assert script.count("= send(") == len(sent) > 1


def _run(command: list[str], recorded: Recorded) -> str:
    done = subprocess.run(command, env=recorded.environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
