"""Many targets in one command: one that is broken, one whose profile is wrong, and one that is well."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from fixtures.plugin import DEFAULT_TARGET
from tests.end_to_end.runs import ROOT


def test_failures_stay_by_themselves_and_all_are_shown(tmp_path: Path) -> None:
    profiles, output = tmp_path / "profiles", tmp_path / "out"
    profiles.mkdir()
    text = DEFAULT_TARGET.read_text(encoding="utf-8")
    (profiles / "well.toml").write_text(text, encoding="utf-8")
    faulty = text.replace("start = true", 'start = true\nfaults = ["session_expiry.maximum.one-laxer"]')
    (profiles / "faulty.toml").write_text(faulty, encoding="utf-8")
    (profiles / "wrong.toml").write_text("nonsense", encoding="utf-8")
    command = [sys.executable, "-m", "gateway_conformance", "run", f"--targets={profiles}", f"--output={output}"]

    ended = subprocess.run(
        [*command, "-n", "0", "--requirement=CHK-SES-26", "suites/checkout/sessions"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )

    assert ended.returncode == 1, ended.stdout + ended.stderr
    rows = json.loads((output / "overview.json").read_text(encoding="utf-8"))["targets"]
    assert {row["name"]: row["status"] for row in rows} == {"faulty": 1, "well": 3, "wrong": 2}
    assert (output / "faulty" / "conformance.html").exists()
    assert "nonsense" in (output / "wrong.log").read_text(encoding="utf-8") or "wrong.toml" in (
        output / "wrong.log"
    ).read_text(encoding="utf-8")
