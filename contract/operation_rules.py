"""Which rule of who asks, and of what is spoken of, is tried on which operation: ``contract/operation_rules.toml``.

Field tables know none of them: signatures, keys, other merchants, order numbers that are sent again. A rule that is
tried on one operation can be broken on another, so every operation has a cell for every rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import Annotated

from pydantic import Field, ValidationError

from contract.document import CONTRACT_DIRECTORY, ContractError, findings_of, read_document
from contract.fields import load_document
from contract.model import RequirementId, Value
from contract.places import DOCUMENTS

RULES_FILE = CONTRACT_DIRECTORY / "operation_rules.toml"
Place = Annotated[str, Field(pattern=r"^(checkout|s2s_card|s2s_apm) ")]
"""An operation, ``<document> <path or action>``; ``*`` stands for any letters."""


class OperationRule(Value):
    """A rule that every operation has.

    Attributes:
        rule: what it says of one operation.
        tried: the requirement whose checks try it, by operation; the first that fits counts.
        filed: why nothing tries it, by operation: one that is named in full, or that ``tried`` does not have.
    """

    rule: Annotated[str, Field(min_length=20)]
    tried: Mapping[Place, RequirementId]
    filed: Mapping[Place, Annotated[str, Field(min_length=20)]] = {}


@dataclass(frozen=True)
class OperationCell:
    """A rule on one operation: the requirement that is tried there, or the reason why none is.

    Both are empty where nobody knows.
    """

    operation: str
    rule: str
    requirement: str
    reason: str


@cache
def load_operation_rules() -> Mapping[str, OperationRule]:
    """Read the rules by their names.

    Raises:
        ContractError: the file cannot be parsed, or an entry is wrong.
    """
    found: dict[str, OperationRule] = {}
    wrong: list[str] = []
    for name, entry in read_document(RULES_FILE).items():
        try:
            found[name] = OperationRule.model_validate(entry)
        except ValidationError as error:
            wrong += findings_of(error, f"{RULES_FILE.name}: {name}")
    if wrong:
        raise ContractError("\n".join(wrong))
    return found


@cache
def operations() -> tuple[str, ...]:
    """Return every operation of the three documents, as ``<document> <path or action>``."""
    return tuple(_operations())


def _operations() -> Iterator[str]:
    for name in DOCUMENTS:
        for path, item in load_document(name)["paths"].items():
            for operation in item.values():
                if "requestBody" in operation:
                    yield f"{name} {operation.get('x-action') or path}"


def operation_cells() -> tuple[OperationCell, ...]:
    """Return every rule on every operation."""
    return tuple(_cell(operation, rule) for rule in load_operation_rules().values() for operation in operations())


def _cell(operation: str, rule: OperationRule) -> OperationCell:
    reason = rule.filed.get(operation, "")
    tried = "" if reason else _first(rule.tried, operation)
    return OperationCell(operation, rule.rule, tried, reason if reason or tried else _first(rule.filed, operation))


def _first(lines: Mapping[str, str], operation: str) -> str:
    return next((said for pattern, said in lines.items() if fnmatchcase(operation, pattern)), "")
