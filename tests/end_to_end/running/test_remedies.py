"""A gateway that refuses the valid request: what it takes is found, fails its requirement, and the rest runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.runs import run

VALID = "suites/general/test_valid_requests.py"
WANTS = {
    "session-needs-cancel-url": ("CHK-SES-01", "with cancel_url", "suites/checkout/sessions/test_session_response.py"),
    "sale-needs-middle-name": ("S2C-SAL-01", "with payer_middle_name", "suites/s2s_card/sales/test_debit.py"),
    "apm-sale-needs-house-number": (
        "APM-SAL-01",
        "with payer_house_number",
        "suites/s2s_apm/sales/test_authorization.py",
    ),
}
# What only public documents say does not hold the gate.
SIGNED = {
    "session-hash-without-md5": ("CHK-SIG-01", "checkout", 1),
    "sale-hash-unreversed": ("S2C-SIG-01", "s2s_card", 3),
    "apm-sale-hash-unreversed": ("APM-SIG-05", "s2s_apm", 3),
}


@pytest.mark.parametrize("fault", WANTS)
def test_field_that_is_wanted_fails_its_requirement_and_the_rest_is_checked(fault: str, tmp_path: Path) -> None:
    requirement, wanted, others = WANTS[fault]

    ended = run(tmp_path, "-n", "0", f"--fault={fault}", VALID, others)

    assert ended.status == 1, ended.said
    failed = {each["id"] for each in ended.report["requirements"] if each["verdict"] == "fail"}
    assert failed == {requirement}
    (check,) = [each for each in ended.report["checks"] if each["verdict"] == "fail" and each["failure"]]
    assert f"the target takes the valid request only {wanted}" in check["failure"]["explanation"]
    assert "HTTP 400" in check["failure"]["received"]
    rest = [each["verdict"] for each in ended.report["checks"] if each["id"].startswith(others)]
    assert len(rest) > 3
    assert {"pass"} <= set(rest) <= {"pass", "not_applicable"}


@pytest.mark.parametrize("fault", SIGNED)
def test_mistake_in_a_signature_fails_its_requirement_and_names_the_mistake(fault: str, tmp_path: Path) -> None:
    requirement, protocol, status = SIGNED[fault]

    ended = run(tmp_path, "-n", "0", f"--fault={fault}", VALID)

    assert ended.status == status, ended.said
    failed = {each["id"]: each for each in ended.report["requirements"] if each["verdict"] == "fail"}
    assert set(failed) == {requirement}
    assert "the target accepts the same request when" in ended.said
    # The others of the protocol stay undecided: a merchant who signs wrongly would prove nothing about signatures.
    undecided = [each["reason"] for each in ended.report["checks"] if each["verdict"] == "inconclusive"]
    assert any(f"the sanity check of {protocol} failed" in reason for reason in undecided)
