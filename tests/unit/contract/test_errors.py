"""The error pairs: what ships, and how a wrong file is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from contract import errors
from contract.catalogue import ContractError, load_catalogue
from contract.errors import (
    ACTION_NOT_SUPPORTED_ROUTE,
    LANGUAGE_INCORRECT,
    REFUND_NOT_SETTLED,
    SESSION_DUPLICATE,
    ErrorPair,
    error_pair,
    load_errors,
    read_errors,
)

PAIR = """
[HASH_NOT_VALID]
http = 400
code = 100000
message = "Hash is not valid"
line = 435
condition = "The signature does not match."
"""


def write(directory: Path, text: str) -> Path:
    file = directory / "errors.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_every_row_of_the_table_is_one_pair() -> None:
    assert sorted(pair.line for pair in load_errors().values()) == list(range(435, 461))


def test_every_pair_has_a_constant_of_its_name() -> None:
    constants = {name for name, value in vars(errors).items() if isinstance(value, ErrorPair)}

    assert constants == load_errors().keys()
    assert all(getattr(errors, name) is load_errors()[name] for name in constants)


def test_every_row_is_restated_by_a_requirement() -> None:
    restated = {line for requirement in load_catalogue().values() for line in requirement.lines}

    assert [pair.name for pair in load_errors().values() if pair.line not in restated] == []


def test_code_keeps_the_type_of_the_table() -> None:
    assert SESSION_DUPLICATE.code == "400"
    assert ACTION_NOT_SUPPORTED_ROUTE.code == 0
    assert LANGUAGE_INCORRECT.code is None
    assert isinstance(REFUND_NOT_SETTLED.code, int)


def test_an_empty_status_cell_reads_as_400() -> None:
    unstated = {pair.line: pair.http for pair in load_errors().values() if not pair.http_stated}

    assert unstated == dict.fromkeys(range(453, 459), 400)


def test_a_pair_is_read_with_its_defaults(tmp_path: Path) -> None:
    pair = read_errors(write(tmp_path, PAIR))["HASH_NOT_VALID"]

    assert pair == ErrorPair(
        name="HASH_NOT_VALID",
        code=100000,
        message="Hash is not valid",
        http=400,
        http_stated=True,
        may_stand_in_errors=False,
        line=435,
        condition="The signature does not match.",
    )


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (('"Hash is not valid"', "7"), "errors.toml: HASH_NOT_VALID: message"),
        (("code = 100000", "code = true"), "errors.toml: HASH_NOT_VALID: code"),
        (("code = 100000", "code = 1.5"), "errors.toml: HASH_NOT_VALID: code"),
        (("http = 400", "http = 200"), "errors.toml: HASH_NOT_VALID: http"),
        (("http = 400", 'http = "400"'), "errors.toml: HASH_NOT_VALID: http"),
        (("line = 435", ""), "errors.toml: HASH_NOT_VALID: line"),
        (("http = 400", "status = 400"), "errors.toml: HASH_NOT_VALID: status"),
        (("http = 400", 'name = "OTHER"'), "errors.toml: HASH_NOT_VALID: name"),
        (("HASH_NOT_VALID", "hash"), "errors.toml: hash: name"),
        (("[HASH_NOT_VALID]", ""), "errors.toml: http: write a [http] table"),
        (("[HASH_NOT_VALID]", "[HASH_NOT_VALID"), "errors.toml: "),
    ],
)
def test_a_wrong_entry_is_reported_with_file_and_name(tmp_path: Path, change: tuple[str, str], finding: str) -> None:
    file = write(tmp_path, PAIR.replace(*change))

    with pytest.raises(ContractError) as caught:
        read_errors(file)

    assert finding in str(caught.value)


def test_a_pair_without_code_and_message_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path, PAIR.replace("code = 100000", "").replace('message = "Hash is not valid"', ""))

    with pytest.raises(ContractError, match="HASH_NOT_VALID: give a code, a message or both"):
        read_errors(file)


def test_all_findings_are_reported_at_once(tmp_path: Path) -> None:
    again = PAIR.replace("HASH_NOT_VALID", "AGAIN")
    wrong = PAIR.replace("HASH_NOT_VALID", "WRONG").replace("http = 400", "http = 99")

    with pytest.raises(ContractError) as caught:
        read_errors(write(tmp_path, PAIR + again + wrong))

    assert "AGAIN: line 435 is restated by HASH_NOT_VALID already" in str(caught.value)
    assert "WRONG: http" in str(caught.value)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ContractError, match=r"absent\.toml"):
        read_errors(tmp_path / "absent.toml")


def test_an_unknown_name_is_reported() -> None:
    with pytest.raises(ContractError, match=r"errors\.toml: NO_SUCH_PAIR: no such entry"):
        error_pair("NO_SUCH_PAIR")
