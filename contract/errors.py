"""The error pairs of the contract as typed values, read from ``contract/errors.toml``.

A pair is what a gateway answers in one situation: HTTP status, ``error_code`` with its JSON type, and
``error_message``. Checks import the pair by name: ``from contract.errors import HASH_NOT_VALID``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field, StrictBool, StrictInt, StrictStr, TypeAdapter, ValidationError

from contract.document import CONTRACT_DIRECTORY, ContractError, findings_of, read_document

ERRORS_FILE = CONTRACT_DIRECTORY / "errors.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorPair:
    """What a gateway answers in one situation.

    Attributes:
        name: how checks and reports call it.
        code: the JSON value of ``error_code``, an integer or a string; ``None``: the contract leaves it open.
        message: the text of ``error_message``, compared without a trailing full stop; ``None``: any text.
        http: status of the reply.
        http_stated: false where the contract leaves the status open and 400 is how it is read.
        may_stand_in_errors: the text may stand in an item of ``errors`` under "Request data is invalid."
        line: row of the contract's table.
        condition: when it is answered.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    name: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$")]
    code: StrictInt | StrictStr | None = None
    message: Annotated[StrictStr, Field(min_length=1)] | None = None
    http: Annotated[StrictInt, Field(ge=400, le=599)] = 400
    http_stated: StrictBool = True
    may_stand_in_errors: StrictBool = False
    line: Annotated[StrictInt, Field(ge=1)]
    condition: Annotated[StrictStr, Field(min_length=12)]


_ADAPTER = TypeAdapter(ErrorPair)


@cache
def load_errors() -> Mapping[str, ErrorPair]:
    """Read the pairs that ship with the suite (once per process), by name, in the order of the file."""
    return read_errors(ERRORS_FILE)


def read_errors(file: Path) -> Mapping[str, ErrorPair]:
    """Read error pairs from a file of tables, one per name.

    Raises:
        ContractError: the file cannot be parsed, an entry is not a table, a value is not allowed, an entry
            gives neither a code nor a message, or two entries restate the same row.
    """
    pairs: dict[str, ErrorPair] = {}
    findings: list[str] = []
    for name, entry in read_document(file).items():
        place = f"{file.name}: {name}"
        if not isinstance(entry, dict):
            findings.append(f"{place}: write a [{name}] table")
            continue
        if "name" in entry:
            findings.append(f"{place}: name: the heading [{name}] is the name; remove the key")
            continue
        try:
            pair = _ADAPTER.validate_python({**entry, "name": name})
        except ValidationError as error:
            findings += findings_of(error, place)
            continue
        if pair.code is None and pair.message is None:
            findings.append(f"{place}: give a code, a message or both")
        findings += [
            f"{place}: line {pair.line} is restated by {other.name} already"
            for other in pairs.values()
            if other.line == pair.line
        ]
        pairs[name] = pair
    if findings:
        raise ContractError("\n".join(findings))
    return MappingProxyType(pairs)


def error_pair(name: str) -> ErrorPair:
    """Return the pair of that name.

    Raises:
        ContractError: ``contract/errors.toml`` has no such entry.
    """
    pair = load_errors().get(name)
    if pair is None:
        raise ContractError(f"{ERRORS_FILE.name}: {name}: no such entry")
    return pair


HASH_NOT_VALID = error_pair("HASH_NOT_VALID")
REQUEST_DATA_INVALID = error_pair("REQUEST_DATA_INVALID")
ORDER_DUPLICATE = error_pair("ORDER_DUPLICATE")
SESSION_DUPLICATE = error_pair("SESSION_DUPLICATE")
REFUND_NOT_ALLOWED = error_pair("REFUND_NOT_ALLOWED")
IP_NOT_ALLOWED = error_pair("IP_NOT_ALLOWED")
UUID_NOT_VALID = error_pair("UUID_NOT_VALID")
PARAMETER_DEPRECATED = error_pair("PARAMETER_DEPRECATED")
PAYMENT_NOT_FOUND = error_pair("PAYMENT_NOT_FOUND")
SCHEDULE_NOT_FOUND = error_pair("SCHEDULE_NOT_FOUND")
TRANSACTION_INCORRECT = error_pair("TRANSACTION_INCORRECT")
VOID_NOT_ALLOWED = error_pair("VOID_NOT_ALLOWED")
AMOUNT_NOT_POSITIVE = error_pair("AMOUNT_NOT_POSITIVE")
PAYMENT_DOES_NOT_EXIST = error_pair("PAYMENT_DOES_NOT_EXIST")
ORDER_DOES_NOT_EXIST = error_pair("ORDER_DOES_NOT_EXIST")
TRANSACTION_DOES_NOT_EXIST = error_pair("TRANSACTION_DOES_NOT_EXIST")
STATUS_IDENTIFIER_INVALID_BEFORE_6_7 = error_pair("STATUS_IDENTIFIER_INVALID_BEFORE_6_7")
ACTION_NOT_SUPPORTED_ROUTE = error_pair("ACTION_NOT_SUPPORTED_ROUTE")
PAYMENT_ACTION_NOT_SUPPORTED = error_pair("PAYMENT_ACTION_NOT_SUPPORTED")
CARD_TOKEN_INVALID = error_pair("CARD_TOKEN_INVALID")
CAPTURE_NOT_PENDING = error_pair("CAPTURE_NOT_PENDING")
REFUND_NOT_SETTLED = error_pair("REFUND_NOT_SETTLED")
REFUND_BY_CONNECTOR_ONLY = error_pair("REFUND_BY_CONNECTOR_ONLY")
USE_TEST_KEY = error_pair("USE_TEST_KEY")
LANGUAGE_INCORRECT = error_pair("LANGUAGE_INCORRECT")
SIZE_OUT_OF_RANGE = error_pair("SIZE_OUT_OF_RANGE")
