"""The table of sequences: every operation comes first and then, what covers a row is there, a wrong table is said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from contract.catalogue import ContractError, load_catalogue
from contract.document import CONTRACT_DIRECTORY
from contract.model import Basis, Protocol
from contract.operation_rules import operations
from contract.sequences import Answer, Sequence, SequenceTable, load_sequences, read_sequences
from fixtures.protocols.checkout import sequences as checkout
from fixtures.protocols.s2s_apm import sequences as s2s_apm
from fixtures.protocols.s2s_card import sequences as s2s_card

TABLE = load_sequences()
ROOT = CONTRACT_DIRECTORY.parent
COVERED = [row for row in TABLE.sequences if row.covered]
STEP = '[[step]]\nprotocol = "Checkout"\nname = "{}"\noperation = "checkout /api/v1/payment/{}"\n'
TEXT = (
    STEP.format("capture", "capture")
    + STEP.format("void", "void")
    + """
[[sequence]]
protocol = "Checkout"
first = ["capture"]
then = "void"
answer = "accepted"
lines = [318]
says = "payment is SETTLED"
requirements = ["CHK-RFD-13"]

[[sequence]]
protocol = "Checkout"
first = ["capture", "void"]
then = "capture"
answer = "refused"
errors = ["CAPTURE_NOT_PENDING"]
lines = [455]
says = "CAPTURE on a non-pending payment"
requirements = ["CHK-CAP-05"]
"""
)


def read(directory: Path, text: str) -> SequenceTable:
    file = directory / "sequences.toml"
    file.write_text(text, encoding="utf-8")
    known = {"checkout /api/v1/payment/capture", "checkout /api/v1/payment/void"}
    return read_sequences(file, requirements={"CHK-RFD-13", "CHK-CAP-05"}, errors={"CAPTURE_NOT_PENDING"}, known=known)


def test_every_operation_comes_before_another_and_after_one() -> None:
    first = {TABLE.steps[row.protocol, name].operation for row in TABLE.sequences for name in row.first}
    then = {TABLE.steps[row.protocol, row.then].operation for row in TABLE.sequences}

    assert set(operations()) - first == set()
    assert set(operations()) - then == set()


@pytest.mark.parametrize("row", COVERED, ids=lambda row: f"{row.protocol} {row.id}")
def test_check_that_covers_a_row_is_there_and_claims_its_requirement(row: Sequence) -> None:
    file, _, name = row.covered.partition("::")
    text = (ROOT / file).read_text(encoding="utf-8")
    of_tables = (CONTRACT_DIRECTORY / "transitions.toml").read_text(encoding="utf-8")

    assert re.search(rf"^def {name}\(", text, re.MULTILINE)
    assert [each for each in row.requirements if each not in text and each not in of_tables] == []


def test_lines_of_a_row_of_the_contract_are_lines_of_its_requirement() -> None:
    catalogue = load_catalogue()
    stray = {
        f"{row.protocol} {row.id}": row.lines
        for row in TABLE.sequences
        for each in row.requirements
        if catalogue[each].basis is Basis.SPECIFICATION and not set(row.lines) & set(catalogue[each].lines)
    }

    assert stray == {}


def test_every_step_that_is_tried_has_a_request() -> None:
    requests = {Protocol.CHECKOUT: checkout.REQUESTS, Protocol.S2S_CARD: s2s_card.REQUESTS}
    asked = {checkout.PAID_BY_IT, s2s_card.PAID_BY_IT}
    for protocol, known in requests.items():
        rows = [row for answer in Answer for row in TABLE.tried(protocol, answer) if answer is not Answer.OPEN]
        rows = [row for row in rows if row.first[0] != "CREATE_SCHEDULE"]
        assert {row.then for row in rows} - known.keys() <= asked
    beginnings = {row.first[0] for row in TABLE.tried(Protocol.S2S_APM, Answer.REFUSED)}
    assert beginnings <= {steps[0] for steps in s2s_apm.BEGINNINGS}


def test_a_table_is_read(tmp_path: Path) -> None:
    table = read(tmp_path, TEXT)
    accepted, refused = table.of(Protocol.CHECKOUT)

    assert (accepted.id, accepted.answer) == ("void after capture", Answer.ACCEPTED)
    assert table.tried(Protocol.CHECKOUT, Answer.REFUSED) == (refused,)
    assert [step.name for step in table.steps_of(refused)] == ["capture", "void", "capture"]
    assert table.of(Protocol.S2S_APM) == ()


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (('then = "void"', 'then = "retry"'), "Checkout: retry after capture: step 'retry' is not defined"),
        (('"CHK-RFD-13"', '"CHK-RFD-99"'), "void after capture: requirement CHK-RFD-99 does not exist"),
        (('"CAPTURE_NOT_PENDING"', '"NOTHING"'), "error NOTHING is not in errors.toml"),
        (('answer = "accepted"', 'answer = "open"'), "name the requirements of a row that is decided"),
        (('payment/void"', 'payment/nothing"'), "no operation checkout /api/v1/payment/nothing"),
        (('first = ["capture", "void"]\nthen = "capture"', 'first = ["capture"]\nthen = "void"'), "is given twice"),
        (("lines = [455]", "line = 455"), "sequence 2: line"),
    ],
)
def test_a_wrong_table_is_reported(change: tuple[str, str], finding: str, tmp_path: Path) -> None:
    assert change[0] in TEXT

    with pytest.raises(ContractError, match=re.escape(finding)):
        read(tmp_path, TEXT.replace(*change))


def test_a_step_that_no_row_has_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match="step idle is in no row"):
        read(tmp_path, STEP.format("idle", "void") + TEXT)
