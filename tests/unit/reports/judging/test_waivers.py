"""Waivers and the fingerprints that they name."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from contract.catalogue import Catalogue
from reports.conclusion import conclude
from reports.judging.accepted import AcceptedError
from reports.judging.fingerprint import PATTERN, fingerprint
from reports.judging.gate import RunVerdict
from reports.judging.waivers import Waiver, WaiverState, read_waivers
from reports.model import Check, Failure
from tests.unit.reports.small_run import check, passing, run_of


def _failing(received: str, *, expected: str = "HTTP 400", name: str = "a") -> Check:
    return check(name, "fail", failure=Failure(expected=expected, received=received))


def _mark(received: str, **more: str) -> str:
    return fingerprint("CHK-SES-01", _failing(received, **more))


@pytest.mark.parametrize(
    ("today", "tomorrow"),
    [
        (
            """HTTP 400 '{"error_code":100000,"error_message":"No.","id":"a4f1c2d3-1111-2222-3333-444455556666"}'""",
            """HTTP 400 '{"error_code":100000,"error_message":"No.","id":"b5f1c2d3-9999-2222-3333-444455556666"}'""",
        ),
        ("no reply (connection to 127.0.0.1:40123 refused)", "no reply (connection to localhost:8080 refused)"),
        ("order ct-5f3a9c21d4-17 is there", "order ct-0a0a0a0a0a-99 is there"),
        ("at 2030-01-01T10:00:00Z, after 12.5 ms", "at 2031-12-24 23:59:59, after 7 ms"),
        ("""HTTP 200 '{"redirect_url":"https://a.example/x/1"}'""", """HTTP 200 '{"redirect_url":"https://b.test/y'"""),
        ("token 9f86d081884c7d659a2feaa0c55ad015", "token 60303ae22b998861bce3b28f33eec1be"),
    ],
)
def test_a_fingerprint_is_the_same_on_another_day(today: str, tomorrow: str) -> None:
    assert _mark(today) == _mark(tomorrow)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("HTTP 200 ''", "HTTP 500 ''"),
        ("""HTTP 400 '{"error_code":100000}'""", """HTTP 400 '{"error_code":208005}'"""),
        ("""HTTP 400 '{"error_code":100000}'""", """HTTP 400 '{"error_code":"100000"}'"""),
        ("""HTTP 400 '{"error_message":"No."}'""", """HTTP 400 '{"error_message":"Never."}'"""),
        ("the member size is missing", "the member page is missing"),
    ],
)
def test_another_failure_has_another_fingerprint(one: str, other: str) -> None:
    assert _mark(one) != _mark(other)


def test_requirement_check_and_expectation_are_part_of_a_fingerprint() -> None:
    failing = _failing("HTTP 200")
    marks = {
        fingerprint("CHK-SES-01", failing),
        fingerprint("CHK-SES-02", failing),
        _mark("HTTP 200", name="b"),
        _mark("HTTP 200", expected="HTTP 422"),
    }
    assert len(marks) == 4
    assert len(next(iter(marks))) == 12
    assert PATTERN == "^[0-9a-f]{12}$"


def _waiver(mark: str, **changes: object) -> Waiver:
    usual = {"requirement": "CHK-SES-01", "fingerprint": mark, "reason": "fixed soon", "owner": "payments"}
    return Waiver.model_validate({**usual, "expires": date(2030, 1, 1), **changes})


FAILING = _failing("HTTP 200")
MARK = fingerprint("CHK-SES-01", FAILING)
OTHER = "0" * 12


@pytest.mark.parametrize(
    ("waiver", "checks", "state", "verdict"),
    [
        pytest.param(_waiver(MARK), [FAILING], WaiverState.COVERS, RunVerdict.CONFORMING, id="covers-on-its-last-day"),
        pytest.param(
            _waiver(MARK, expires=date(2029, 12, 31)),
            [FAILING],
            WaiverState.EXPIRED,
            RunVerdict.NOT_CONFORMING,
            id="expired",
        ),
        pytest.param(_waiver(OTHER), [FAILING], WaiverState.DRIFTED, RunVerdict.NOT_CONFORMING, id="drifted"),
        pytest.param(_waiver(MARK), [check()], WaiverState.STALE, RunVerdict.CONFORMING, id="stale"),
        pytest.param(_waiver(MARK), [check("a", "inconclusive")], WaiverState.IDLE, RunVerdict.UNDECIDED, id="idle"),
        pytest.param(
            _waiver(MARK),
            [FAILING, _failing("HTTP 500", name="b")],
            WaiverState.COVERS,
            RunVerdict.NOT_CONFORMING,
            id="one-of-two-failures",
        ),
    ],
)
def test_a_waiver_covers_one_failure_until_it_expires(
    catalogue: Catalogue, waiver: Waiver, checks: list[Check], state: WaiverState, verdict: RunVerdict
) -> None:
    conclusion = conclude(run_of(*passing("CHK-SES-01"), *checks), catalogue, [waiver])
    assert conclusion.waivers[0].state is state
    assert conclusion.gate.verdict is verdict


def test_a_surplus_waiver_is_stale(catalogue: Catalogue) -> None:
    conclusion = conclude(run_of(*passing("CHK-SES-01"), FAILING), catalogue, [_waiver(MARK), _waiver(OTHER)])
    assert [found.state for found in conclusion.waivers] == [WaiverState.COVERS, WaiverState.STALE]


def test_a_stale_waiver_is_not_conforming_when_strict(catalogue: Catalogue) -> None:
    conclusion = conclude(run_of(*passing()), catalogue, [_waiver(MARK)], strict=True)
    assert conclusion.gate.verdict is RunVerdict.NOT_CONFORMING
    assert "stale" in conclusion.sentence


WRITTEN = """
[[waiver]]
requirement = "CHK-SES-01"
fingerprint = "5f3a9c21d407"
reason = "Fixed in the next release"
owner = "payments"
expires = 2030-01-31
"""


def test_waivers_are_read(tmp_path: Path, catalogue: Catalogue) -> None:
    file = tmp_path / "waivers.toml"
    file.write_text(WRITTEN, encoding="utf-8")
    (waiver,) = read_waivers(file, catalogue)
    assert (waiver.requirement, waiver.expires, waiver.ticket) == (("CHK-SES-01",), date(2030, 1, 31), "")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "CHK-SES-01",
            "CHK-SES-11",
            "waiver 1: requirement: no requirement is called 'CHK-SES-11'; did you mean CHK-SES-01",
        ),
        ("5f3a9c21d407", "5F3A", "waiver 1: fingerprint: .*12 hex digits"),
        ('"payments"', '""', "waiver 1: owner: "),
        ("2030-01-31", '"soon"', "waiver 1: expires: .*TOML date"),
        ("owner", "holder", "waiver 1: owner: Field required"),
        ("owner", "holder", "holder: no such key; allowed are requirement, fingerprint"),
        ("[[waiver]]", "[[waivers]]", r"only \[\[waiver\]\] tables"),
        ("2030-01-31", "2030-01-31" + WRITTEN, "is waived 2 times"),
        ("expires = ", "expires ", "is not TOML"),
    ],
)
def test_a_wrong_file_says_what_is_allowed(tmp_path: Path, catalogue: Catalogue, old: str, new: str, said: str) -> None:
    file = tmp_path / "waivers.toml"
    file.write_text(WRITTEN.replace(old, new), encoding="utf-8")
    with pytest.raises(AcceptedError, match=said):
        read_waivers(file, catalogue)


def test_a_file_that_is_not_there_is_reported(tmp_path: Path, catalogue: Catalogue) -> None:
    with pytest.raises(AcceptedError, match="cannot be read"):
        read_waivers(tmp_path / "none.toml", catalogue)
