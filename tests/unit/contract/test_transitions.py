"""The transition table: what ships is whole, and a wrong table is reported with file, row and finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from contract.catalogue import ContractError, load_catalogue
from contract.model import Basis, Protocol, Release
from contract.transitions import Outcome, TransitionTable, load_transitions, read_transitions

TABLE = """
[[state]]
name = "authorized"
meaning = "The amount is held."
status = "PENDING"
basis = "specification"

[[state]]
name = "captured"
meaning = "The held amount was captured."

[[trigger]]
name = "capture"
meaning = "The merchant captures a held amount."
requests = { "Checkout" = "POST /api/v1/payment/capture" }

[[transition]]
protocol = "Checkout"
state = "authorized"
trigger = "capture"
outcome = "accepted"
next = "captured"
basis = "specification"
lines = [315]
requirements = ["CHK-CAP-01"]

[[transition]]
protocol = "Checkout"
state = "captured"
trigger = "capture"
outcome = "refused"
errors = ["CAPTURE_NOT_PENDING"]
basis = "specification"
lines = [315, 455]
requirements = ["CHK-CAP-05"]
"""
STATE = '[[state]]\nname = "{}"\nmeaning = "No row needs this one."\n'
TRIGGER = '[[trigger]]\nname = "{}"\nmeaning = "No row needs this one."\n'


def read(directory: Path, text: str) -> TransitionTable:
    file = directory / "transitions.toml"
    file.write_text(text, encoding="utf-8")
    return read_transitions(file, requirements={"CHK-CAP-01", "CHK-CAP-05"}, errors={"CAPTURE_NOT_PENDING"})


def refusal(directory: Path, text: str) -> str:
    with pytest.raises(ContractError) as caught:
        read(directory, text)
    return str(caught.value)


def test_a_table_is_read(tmp_path: Path) -> None:
    table = read(tmp_path, TABLE)
    accepted, refused = table.of(Protocol.CHECKOUT)

    assert (accepted.outcome, accepted.next, accepted.errors) == (Outcome.ACCEPTED, "captured", ())
    assert (refused.outcome, refused.next, refused.errors) == (Outcome.REFUSED, None, ("CAPTURE_NOT_PENDING",))
    assert accepted.id == "Checkout: authorized, capture"
    assert accepted.holds_for(Release("6.6.2"))
    assert table.of(Protocol.S2S_APM) == ()
    assert table.states["captured"].status is None


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (('state = "authorized"', 'state = "held"'), "Checkout: held, capture: state 'held' is not defined"),
        (('next = "captured"', 'next = "gone"'), "Checkout: authorized, capture: next state 'gone' is not defined"),
        (('trigger = "capture"', 'trigger = "grab"'), "Checkout: authorized, grab: trigger 'grab' is not defined"),
        (('protocol = "Checkout"', 'protocol = "S2S CARD"'), "trigger 'capture' has no request in S2S CARD"),
        (("CHK-CAP-01", "CHK-CAP-99"), "requirement CHK-CAP-99 does not exist"),
        (('["CAPTURE_NOT_PENDING"]', '["NO_SUCH"]'), "error NO_SUCH is not in errors.toml"),
        (('next = "captured"', ""), "transition 1: entry: "),
        (('next = "captured"', 'next = "captured"\nerrors = ["CAPTURE_NOT_PENDING"]'), "transition 1: entry: "),
        (('outcome = "refused"', 'outcome = "refused"\nnext = "captured"'), "transition 2: entry: "),
        (('outcome = "refused"', 'outcome = "ignored"'), "transition 2: outcome: "),
        (('requirements = ["CHK-CAP-01"]', "requirements = []"), "transition 1: requirements: "),
        (('basis = "specification"\nlines', 'basis = "rumour"\nlines'), "transition 1: basis: "),
        (("lines = [315]", 'lines = [315]\nsince = "7"'), "transition 1: since: "),
        (("lines = [315]", 'lines = [315]\nwhen = "now"'), "transition 1: when: "),
        (('status = "PENDING"\n', ""), "state 1: entry: "),
        (("[[trigger]]", f"{STATE.format('captured')}[[trigger]]"), "state captured is given twice"),
        (("[[trigger]]", f"{STATE.format('lost')}[[trigger]]"), "state lost is in no row"),
        (("[[state]]", f"{TRIGGER.format('capture')}[[state]]"), "trigger capture is given twice"),
        (("[[state]]", f"{TRIGGER.format('shake')}[[state]]"), "trigger shake is in no row"),
        (("[[transition]]", "[[transitions]]"), "transitions: unknown key"),
        (('outcome = "refused"', 'outcome = "refused'), "transitions.toml: "),
    ],
)
def test_a_wrong_table_is_reported(tmp_path: Path, change: tuple[str, str], finding: str) -> None:
    message = refusal(tmp_path, TABLE.replace(*change, 1))

    assert message.startswith("transitions.toml: ")
    assert finding in message


def test_two_rows_of_one_case_are_reported(tmp_path: Path) -> None:
    row = TABLE[TABLE.index("[[transition]]") : TABLE.rindex("[[transition]]")]

    assert "Checkout: authorized, capture from None is given twice" in refusal(tmp_path, TABLE + row)


def test_a_condition_distinguishes_two_rows(tmp_path: Path) -> None:
    row = TABLE[TABLE.index("[[transition]]") : TABLE.rindex("[[transition]]")]
    table = read(tmp_path, TABLE + row.replace("outcome", 'condition = "in part"\noutcome'))

    assert table.transitions[-1].id == "Checkout: authorized, capture, in part"


def test_the_shipped_rows_agree_with_their_requirements() -> None:
    catalogue = load_catalogue()
    at_odds = [
        row.id
        for row in load_transitions().transitions
        if row.basis is not Basis.PLATFORM
        and all(catalogue[requirement].basis is Basis.PLATFORM for requirement in row.requirements)
    ]

    assert at_odds == []


def test_the_shipped_rows_hold_when_their_requirements_do() -> None:
    catalogue = load_catalogue()
    releases = [Release(text) for text in ("6.6.2", "6.6.3", "6.6.4", "6.6.5", "6.7.0")]
    at_odds = [
        (row.id, str(release))
        for row in load_transitions().transitions
        for release in releases
        if row.holds_for(release) and not any(catalogue[each].holds_for(release) for each in row.requirements)
    ]

    assert at_odds == []


def test_words_that_the_contract_names_are_the_only_ones_it_is_held_to() -> None:
    named = {state.status for state in load_transitions().states.values() if state.basis is Basis.SPECIFICATION}

    assert named == {"PENDING", "SETTLED", "DECLINED"}


@pytest.mark.parametrize("protocol", [Protocol.CHECKOUT, Protocol.S2S_CARD, Protocol.S2S_APM])
def test_a_capture_is_tried_where_it_must_succeed_and_where_it_must_not(protocol: Protocol) -> None:
    outcomes: dict[str, set[Outcome]] = {}
    for row in load_transitions().of(protocol):
        if row.trigger == "capture":
            outcomes.setdefault(row.state, set()).add(row.outcome)

    assert Outcome.ACCEPTED in outcomes.pop("authorized")
    assert {"captured", "settled", "declined", "absent"} <= outcomes.keys()
    assert set().union(*outcomes.values()) == {Outcome.REFUSED}
