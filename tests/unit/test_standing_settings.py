"""What probe finds and what stands in a profile may say the same in two ways of writing."""

from __future__ import annotations

import pytest

from gateway_conformance.profiles import agrees


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
