"""The browser in callbacks of Checkout: which attributes there are is set by the mapping; what is there is true."""

from __future__ import annotations

import pytest

from tests.kill_matrix.collected import LATEST, suite

HEADERS = frozenset({"CBK-ATT-51"})
SOME = ("callbacks-have-some-browser-attributes",)


@pytest.mark.parametrize(
    ("variations", "faults", "verdict"),
    [
        ((), ("checkout-callback-without-browser-data",), "inconclusive"),
        (SOME, (), "pass"),
        (SOME, ("checkout-callback-other-accept",), "fail"),
    ],
    ids=["none", "some", "another"],
)
def test_headers_are_judged_where_the_mapping_adds_them(
    variations: tuple[str, ...], faults: tuple[str, ...], verdict: str
) -> None:
    checks = [check for check in suite().claiming(HEADERS) if "headers" in check.name]

    said = suite().run(checks, variations=variations, faults=faults, release=LATEST)

    assert said.requirements(verdict) == HEADERS, said.details("pass", "fail", "inconclusive", "error")
