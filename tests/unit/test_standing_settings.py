"""What probe finds and what stands in a profile may say the same in two ways of writing."""

from __future__ import annotations

import tomllib

import pytest

from fixtures.profile.draft import REFUSED_BY, Setting, with_settings
from gateway_conformance.profiles import _said, agrees


@pytest.mark.parametrize(
    ("stands", "found"),
    [
        (False, False),
        (False, {"checkout": False}),
        (False, {"checkout": False, "s2s_card": False}),
        ({"checkout": False}, False),
        ({"checkout": True, "s2s_card": False}, {"s2s_card": False}),
        ({"checkout": True}, {"s2s_card": False}),
        (["checkout"], True),
        (["EUR", "GBP"], ["GBP", "EUR"]),
        ("SMS", "SMS"),
    ],
)
def test_what_says_the_same_is_not_found_otherwise(stands: object, found: object) -> None:
    assert agrees(stands, found)


@pytest.mark.parametrize(
    ("stands", "found"),
    [
        (False, True),
        (False, {"checkout": True}),
        (False, {"checkout": False, "s2s_card": True}),
        ({"checkout": False}, True),
        ({"checkout": True, "s2s_card": False}, {"s2s_card": True}),
        (["checkout"], False),
        (["EUR"], ["GBP", "EUR"]),
        ("SMS", "DMS"),
        (1, 2),
    ],
)
def test_what_contradicts_is_found_otherwise(stands: object, found: object) -> None:
    assert not agrees(stands, found)


@pytest.mark.parametrize(("refusal", "says_so"), [("", False), (f"{REFUSED_BY}s2s_apm", True)])
def test_protocols_that_were_seen_are_no_contradiction_to_all(refusal: str, *, says_so: bool) -> None:
    evidence = f"the callback of a payment has initiator{refusal}"
    setting = Setting(("capabilities",), "cof", ["checkout", "s2s_card"], evidence)
    stands = {"capabilities": {"cof": True}}

    assert bool(list(_said(stands, stands, setting))) is says_so


def test_both_marks_of_a_list_name_who_may_be_added_later() -> None:
    evidence = "a purchase is taken; refused by s2s_card; not seen in s2s_apm"
    before = with_settings("", [Setting(("capabilities",), "zero_amount", ["checkout"], evidence)])
    more = Setting(("capabilities",), "zero_amount", value=True, evidence="a SALE is taken", taken_by=("s2s_card",))
    after = with_settings(before, [more])

    assert tomllib.loads(after)["capabilities"]["zero_amount"] == ["checkout", "s2s_card"]
    assert "refused by" not in after
    assert "not seen in s2s_apm" in after
