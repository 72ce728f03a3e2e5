"""The valid requests that all else stands on: a target takes them as the contract has them."""

from __future__ import annotations

import pytest

from fixtures.judging.expectations import Finding
from fixtures.judging.verdicts import Nonconformance
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.run.serving import must_serve


@pytest.mark.parametrize(
    "protocol",
    [
        pytest.param("checkout", marks=requirement("CHK-SES-01")),
        pytest.param("s2s_card", marks=requirement("S2C-SAL-01")),
        pytest.param("s2s_apm", marks=requirement("APM-SAL-01")),
    ],
)
def test_valid_request_is_taken_without_a_further_change(protocol: str, run: Run) -> None:
    must_serve(run, protocol)

    if remedy := run.remedies.get(protocol):
        expected = "a request with all required fields, and optional ones as the contract allows them, is accepted"
        raise Nonconformance(Finding(expected, remedy.refusal, f"In words: {remedy.in_words}."))


@pytest.mark.parametrize(
    "protocol",
    [
        pytest.param("checkout", marks=requirement("CHK-SIG-01")),
        pytest.param("s2s_card", marks=requirement("S2C-SIG-01")),
        pytest.param("s2s_apm", marks=requirement("APM-SIG-05")),
    ],
)
def test_request_that_is_signed_as_it_should_be_is_taken(protocol: str, run: Run) -> None:
    trial = run.signature_trials.get(protocol)
    if trial is not None and trial.blames_target:
        refused = run.unusable.get(protocol, "the right signature is refused")
        raise Nonconformance(Finding("a valid request with the right signature is accepted", refused, trial.in_words))

    must_serve(run, protocol)
