"""Reads the contract's TOML documents and reports what is wrong in them as ``file: entry: what``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

CONTRACT_DIRECTORY = Path(__file__).parent


class ContractError(Exception):
    """The contract's own files are wrong; the message lists every finding as ``file: entry: what``."""


def read_document(file: Path) -> dict[str, object]:
    """Parse a TOML document.

    Raises:
        ContractError: the file cannot be read or is not TOML; the message names it.
    """
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ContractError(f"{file.name}: {error}") from error


def array_of_tables(document: Mapping[str, object], key: str, file: Path) -> list[dict[str, object]]:
    """Return the entries of ``[[key]]``, the only key that the document may have.

    Raises:
        ContractError: the document holds other keys, or the key is not an array of tables.
    """
    if others := sorted(document.keys() - {key}):
        raise ContractError(f"{file.name}: only [[{key}]] entries are allowed, found {', '.join(others)}")
    return tables_of(document, key, file)


def tables_of(document: Mapping[str, object], key: str, file: Path) -> list[dict[str, object]]:
    """Return the entries of ``[[key]]``, none when the document has no such array.

    Raises:
        ContractError: the key is not an array of tables.
    """
    entries = document.get(key, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ContractError(f"{file.name}: {key}: write [[{key}]] tables")
    return entries


def findings_of(error: ValidationError, place: str) -> list[str]:
    """Word the errors of a validation for the person who edits the file.

    Args:
        error: what pydantic found in one entry.
        place: file and entry, for example ``errors.toml: HASH_NOT_VALID``.
    """
    return [f"{place}: {'.'.join(map(str, found['loc'])) or 'entry'}: {found['msg']}" for found in error.errors()]
