"""Joining shards, and rendering a stream again, by the command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from contract.catalogue import Catalogue
from reports.__main__ import main
from reports.model import Check, Evidence, Exchange, Footer, Header, Probe, Run, Sanity, Selection
from reports.stream.lines import StreamWriter, read_stream
from tests.unit.reports.small_run import HEADER, check, passing


@pytest.fixture(autouse=True)
def _with_small_catalogue(monkeypatch: pytest.MonkeyPatch, catalogue: Catalogue) -> None:
    monkeypatch.setattr("reports.__main__.load_catalogue", lambda: catalogue)


def _shard(file: Path, checks: Sequence[Check], *, footer: bool = True, header: Header = HEADER, **more: object) -> str:
    with StreamWriter(file, header) as writer:
        for each in checks:
            writer.check(each, [Exchange(method="POST", status=200)])
        if footer:
            writer.footer(Footer.model_validate({"ended": "2030-01-01T10:01:00.000Z", "requests": 5, **more}))
    return str(file)


def _judged(directory: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((directory / "conformance.json").read_text(encoding="utf-8"))
    return found


FIRST, SECOND = passing()[:3], passing()[3:]


def test_shards_that_make_up_the_suite_conform_together(tmp_path: Path) -> None:
    one = _shard(tmp_path / "1.jsonl", FIRST, selection=Selection(unseen_files=("suites/test_b.py",)))
    deselected = tuple(each.id for each in FIRST)
    two = _shard(tmp_path / "2.jsonl", SECOND, selection=Selection(deselected=deselected))
    assert main(["render", one, "--output", str(tmp_path / "one")]) == 3
    assert main(["merge", one, two, "--output", str(tmp_path / "all")]) == 0
    judged = _judged(tmp_path / "all")
    assert (judged["complete"], judged["requests"]) == (True, 10)
    run: Run = read_stream(tmp_path / "all" / "results.jsonl")
    assert len(run.checks) == 5
    evidence: Evidence = run.evidence[run.checks[4].evidence[0]]
    assert evidence.check == run.checks[4].id


@pytest.mark.parametrize(
    "missing",
    [
        {"selection": Selection(unseen_files=("suites/test_b.py", "suites/test_c.py"))},
        {"selection": Selection(deselected=("suites/test_z.py::test_z",))},
        {"sanity": Sanity(last={"checkout": Probe(ok=False, reason="HTTP 503")})},
        {"problems": ["the run was interrupted"]},
        {"footer": False},
    ],
)
def test_what_no_shard_ran_stays_missing(tmp_path: Path, missing: dict[str, Any]) -> None:
    one = _shard(tmp_path / "1.jsonl", FIRST, selection=Selection(unseen_files=("suites/test_c.py",)))
    two = _shard(tmp_path / "2.jsonl", SECOND, **missing)
    assert main(["merge", one, two, "--output", str(tmp_path / "all")]) == 3


def test_a_check_that_one_shard_did_not_get_to_counts_as_run_when_another_did(tmp_path: Path) -> None:
    one = _shard(tmp_path / "1.jsonl", [check("z", "not_run"), *FIRST[1:], SECOND[0]])
    two = _shard(tmp_path / "2.jsonl", [check("z"), *FIRST, *SECOND[1:]])
    for order in ([one, two], [two, one]):
        assert main(["merge", *order, "--output", str(tmp_path / "all")]) == 0


def test_different_verdicts_of_one_check_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = _shard(tmp_path / "1.jsonl", [check("a")])
    two = _shard(tmp_path / "2.jsonl", [check("a", "fail")])
    assert main(["merge", one, two, "--output", str(tmp_path / "all")]) == 2
    assert "pass in one shard and fail in another" in capsys.readouterr().err


@pytest.mark.parametrize(
    "change", [{"release": "6.6.5"}, {"suite_version": "2.0"}, {"profile_digest": "d2"}, {"target": {"name": "other"}}]
)
def test_shards_of_different_runs_are_refused(tmp_path: Path, change: dict[str, object]) -> None:
    header = Header.model_validate({**HEADER.model_dump(by_alias=True), **change})
    one, two = _shard(tmp_path / "1.jsonl", FIRST), _shard(tmp_path / "2.jsonl", SECOND, header=header)
    assert main(["merge", one, two, "--output", str(tmp_path / "all")]) == 2
    assert not (tmp_path / "all").exists()


@pytest.mark.parametrize(("shards", "missing"), [(["1/3", "3/3"], "shard 2 of 3 is missing"), (["1/2", "2/2"], "")])
def test_missing_shard_is_named(
    tmp_path: Path, shards: list[str], missing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    headers = [HEADER.model_copy(update={"shard": shard}) for shard in shards]
    one = _shard(tmp_path / "1.jsonl", FIRST, header=headers[0])
    two = _shard(tmp_path / "2.jsonl", SECOND, header=headers[1])
    assert main(["merge", one, two, "--output", str(tmp_path / "all")]) == (3 if missing else 0)
    assert missing in capsys.readouterr().out


def test_a_shard_is_never_overwritten(tmp_path: Path) -> None:
    one = _shard(tmp_path / "results.jsonl", FIRST)
    before = (tmp_path / "results.jsonl").read_bytes()
    assert main(["merge", one, "--output", str(tmp_path)]) == 2
    assert (tmp_path / "results.jsonl").read_bytes() == before


def test_a_killed_run_can_be_rendered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stream = _shard(tmp_path / "results.jsonl", [*passing()], footer=False)
    with Path(stream).open("a", encoding="utf-8") as file:
        file.write('{"kind":"check","id":"suites/te')
    assert main(["render", stream]) == 3
    assert "killed" in capsys.readouterr().out
    assert _judged(tmp_path)["complete"] is False
    assert "no: the run was killed" in (tmp_path / "conformance.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("options", "status"), [([], 0), (["--strict"], 1)])
def test_rendering_again_can_be_stricter(tmp_path: Path, options: list[str], status: int) -> None:
    stream = _shard(tmp_path / "results.jsonl", [*passing("CHK-SES-03"), check("a", "fail", "CHK-SES-03")])
    assert main(["render", stream, *options]) == status


def test_a_stream_that_is_not_there_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", str(tmp_path / "none.jsonl")]) == 2
    assert "cannot be read" in capsys.readouterr().err
