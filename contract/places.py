"""Where each rule of a field is checked: by operation, and which operations have the field and show no such rule.

A field table says a rule beside the field, once for each operation. What a table of another operation knows of the same
field (its limit, its form, a list) and names no requirement for is a cell that nobody checks: it is filed with a reason
in ``places.toml``, or it is an oversight.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import Annotated, Any

from pydantic import Field as Described
from pydantic import ValidationError

from contract.document import CONTRACT_DIRECTORY, ContractError, findings_of, read_document
from contract.fields import load_document, resolved
from contract.model import Value

Json = Any

DOCUMENTS: Mapping[str, str] = {"checkout": "Checkout", "s2s_card": "S2S CARD", "s2s_apm": "S2S APM"}
"""The documents that have field tables, and the protocol of each."""
RULES: Mapping[str, str] = {
    "maxLength": "maxLength", "minLength": "minLength", "minimum": "minimum", "maximum": "maximum",
    "enum": "enum", "format": "format", "x-invalid": "invalid",
}  # fmt: skip
"""The keyword under which ``x-rules`` names the requirement, by the keyword of the property."""
REASONS_FILE = CONTRACT_DIRECTORY / "places.toml"
DEEPEST = 8


@dataclass(frozen=True)
class Cell:
    """A rule of a field on one operation.

    Attributes:
        protocol: name of the document.
        operation: its path, or the action of a form.
        field: path of the field in the request.
        rule: keyword, such as ``maxLength``.
        requirement: that states it and whose checks try it; empty: none does.
        reason: why none does, as filed; empty: nobody filed one.
    """

    protocol: str
    operation: str
    field: str
    rule: str
    requirement: str
    reason: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing checks it and nobody said why."""
        return not self.requirement and not self.reason


class _Reason(Value):
    cells: Annotated[tuple[str, ...], Described(min_length=1)]
    reason: Annotated[str, Described(min_length=20)]


@cache
def cells() -> tuple[Cell, ...]:
    """Return every rule of every field on every operation that has the field.

    Raises:
        ContractError: a document or the file of reasons cannot be read.
    """
    reasons = _reasons()
    found = (cell for name in DOCUMENTS for cell in _cells_of(name))
    return tuple(_with_reason(cell, reasons) for cell in found)


def _cells_of(document_name: str) -> Iterator[Cell]:
    document = load_document(document_name)
    for key, item in document["paths"].items():
        for operation in item.values():
            body = operation.get("requestBody") if isinstance(operation, Mapping) else None
            if body is None:
                continue
            schema = resolved(document, next(iter(body["content"].values()))["schema"])
            yield from _walk(document, schema, (document_name, operation.get("x-action") or key), "", DEEPEST)


def _walk(
    document: Mapping[str, Json], schema: Mapping[str, Json], place: tuple[str, str], path: str, depth: int
) -> Iterator[Cell]:
    for name, raw in schema.get("properties", {}).items() if depth else ():
        row = resolved(document, raw)
        here, rules = f"{path}.{name}" if path else name, row.get("x-rules", {})
        for keyword, rule in RULES.items():
            if keyword in row:
                yield Cell(*place, here, rule, rules.get(rule, ""))
        if row.get("type") == "object":
            yield from _walk(document, row, place, here, depth - 1)
        elif row.get("type") == "array":
            yield from _walk(document, resolved(document, row.get("items", {})), place, f"{here}[]", depth - 1)


def _with_reason(cell: Cell, reasons: tuple[_Reason, ...]) -> Cell:
    if cell.requirement:
        return cell
    name = f"{cell.protocol} {cell.operation} {cell.field} {cell.rule}"
    filed = next((one.reason for one in reasons if any(fnmatchcase(name, pattern) for pattern in one.cells)), "")
    return Cell(cell.protocol, cell.operation, cell.field, cell.rule, "", filed)


def _reasons() -> tuple[_Reason, ...]:
    found: list[_Reason] = []
    wrong: list[str] = []
    for name, entry in read_document(REASONS_FILE).items():
        try:
            found.append(_Reason.model_validate(entry))
        except ValidationError as error:
            wrong += findings_of(error, f"{REASONS_FILE.name}: {name}")
    if wrong:
        raise ContractError("\n".join(wrong))
    return tuple(found)
