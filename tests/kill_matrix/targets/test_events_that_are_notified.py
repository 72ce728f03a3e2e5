"""A gateway that notifies what the contract promises, and nothing else, breaks what public documents alone say."""

from __future__ import annotations

import pytest

from contract.catalogue import load_catalogue
from tests.kill_matrix.apart import NOTHING_OF_CHANGES, SETTLED_ONLY
from tests.kill_matrix.collected import checks_of, suite

CLAIMED = {
    "CBK-ATT": {"CBK-ATT-21", "CBK-ATT-23"},
    "CBK-S2C": {"CBK-S2C-11", "CBK-S2C-12", "CBK-S2C-16", "CBK-SIG-08"},
    "CBK-APM": {"CBK-SIG-13", "CBK-SIG-14", "CBK-SIG-17", "CBK-APM-13"},
}
OF_UNPROMISED_EVENTS = {"CBK-DEL-04", "CBK-ATT-04", "CBK-ATT-08", "CBK-ATT-09", "CBK-ATT-11", "CBK-ATT-12"}


@pytest.mark.whole_matrix
def test_only_public_documents_ask_for_callbacks_that_no_line_promises() -> None:
    files = ("test_callbacks.py", "test_callback_attributes.py", "test_callback_signatures.py")
    checks = [check for check in checks_of("checkout") if check.nodeid.partition("::")[0].endswith(files)]

    said = suite().run(checks, variations=(SETTLED_ONLY,))

    assert said.requirements("fail") == OF_UNPROMISED_EVENTS, said.details("fail")
    assert not said.requirements("error"), said.details("error")
    assert {load_catalogue()[name].basis for name in OF_UNPROMISED_EVENTS} == {"platform"}
    # What else can be judged by the callback of another payment is.
    assert {"CBK-SIG-01", "CBK-SIG-02", "CBK-ATT-05", "CBK-ATT-13", "CBK-ATT-17"} <= said.requirements("pass")


@pytest.mark.parametrize("variation", NOTHING_OF_CHANGES)
def test_only_public_documents_say_what_is_notified_of_a_change(variation: str) -> None:
    asks_for_it = NOTHING_OF_CHANGES[variation]
    claimed = CLAIMED[asks_for_it[: len("CBK-ATT")]] | {asks_for_it}

    said = suite().run(suite().claiming(claimed), variations=(variation,))

    assert asks_for_it in said.requirements("fail"), said.details("inconclusive", "error")
    assert {load_catalogue()[name].basis for name in said.requirements("fail")} == {"platform"}, said.details("fail")
