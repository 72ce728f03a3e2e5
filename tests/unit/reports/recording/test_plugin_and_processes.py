"""The plugin in a pytest of its own that has workers, or is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from reports.model import Verdict
from reports.stream.lines import read_stream
from tests.unit.reports.small_run import FAILING, WHOLE, House

pytest_plugins = ("pytester",)
ROOT = Path(__file__).parents[4]


def test_workers_that_find_nothing_leave_the_run_undecided(house: House) -> None:
    house.write(whole=WHOLE)
    assert house.run("-n", "1", "suites/none.py").ret == 3


def test_workers_report_the_same_as_one_process(house: House) -> None:
    house.write(whole=WHOLE, failing=FAILING.format(claims="CHK-STA-01"), **{f"n{n}": WHOLE for n in range(4)})
    alone = house.run()
    of_one = house.judged()
    together = house.run("-n", "2")
    of_two = house.judged()
    assert (alone.ret, together.ret) == (0, 0)
    assert of_two["requests"] == 14
    assert of_two["counts"] == of_one["counts"]
    assert [each["verdict"] for each in of_two["requirements"]] == [each["verdict"] for each in of_one["requirements"]]


def test_workers_show_what_was_deselected(house: House) -> None:
    house.write(whole=WHOLE, other="def test_other():\n    pass\n")
    assert house.run("-n", "2", "-k", "everything").ret == 3
    assert "1 check was deselected" in house.judged()["incomplete_because"][0]


def test_a_worker_that_dies_leaves_the_run_undecided(house: House) -> None:
    house.write(
        whole=WHOLE,
        dying='import os\nimport pytest\n\n\n@pytest.mark.claims("CHK-SES-02")\ndef test_dying():\n    os._exit(9)\n',
    )
    assert house.run("-n", "2", "--max-worker-restart", "1").ret == 3
    judged = house.judged()
    assert any("ended before its work was done" in reason for reason in judged["incomplete_because"])
    died = {each["id"]: each for each in judged["checks"]}["suites/test_dying.py::test_dying"]
    assert died["verdict"] == "not_run"
    assert died["requirements"] == ["CHK-SES-02"]


def test_a_killed_run_leaves_a_stream_and_no_old_verdict(house: House) -> None:
    house.write(whole=WHOLE)
    assert house.run().ret == 0
    house.write(z_waiting="import time\n\n\ndef test_waiting():\n    time.sleep(3_600)\n")
    stream = house.output / "results.jsonl"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    process = subprocess.Popen(
        [*command, "-p", "reports.plugin"],
        cwd=house.pytester.path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 600
        # Between the stream of the last run and that of this one there is none.
        while '"footer"' in (text := stream.read_text("utf-8") if stream.exists() else "") or '"check"' not in text:
            assert time.monotonic() < deadline, "the first check was not written while the second one ran"
            time.sleep(0.05)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=600)
    run = read_stream(stream)
    assert run.footer is None
    assert [check.verdict for check in run.checks] == [Verdict.PASS]
    assert not (house.output / "conformance.json").exists()
