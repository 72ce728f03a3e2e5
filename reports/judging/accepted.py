"""Files of what was accepted, waivers and gaps: reads their entries, and words what is wrong in them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

_LARGEST = 1_048_576


@dataclass(frozen=True, kw_only=True)
class AcceptedFiles:
    """The files that say what is accepted; ``None`` where there is none."""

    waivers: Path | None = None
    gaps: Path | None = None


class AcceptedError(Exception):
    """A file of waivers or gaps is wrong; the message lists each finding as ``file: entry: what; what is allowed``."""


def read_entries(file: Path, table: str) -> list[Any]:
    """Return the tables of a file that has no others.

    Args:
        file: TOML.
        table: the name of its tables: ``waiver`` or ``gap``.

    Raises:
        AcceptedError: the file cannot be read, is no TOML, or has something else in it.
    """
    try:
        with file.open("rb") as opened:
            content = opened.read(_LARGEST + 1)
    except OSError as error:
        raise AcceptedError(f"{file}: cannot be read: {error.strerror}") from error
    if len(content) > _LARGEST:
        raise AcceptedError(f"{file}: is larger than {_LARGEST} bytes; give a TOML file with [[{table}]] tables")
    try:
        document = tomllib.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        # Text that is not UTF-8, what is no TOML, and numbers of thousands of digits.
        raise AcceptedError(f"{file}: is not TOML: {error}") from error
    entries = document.get(table, [])
    if document.keys() - {table} or not isinstance(entries, list):
        raise AcceptedError(f"{file}: only [[{table}]] tables are allowed, found {', '.join(sorted(document))}")
    return entries


def worded(error: ValidationError, allowed: Mapping[str, str], table: str) -> Iterator[str]:
    """Say what is wrong with an entry as ``key: what; what to write``."""
    for found in error.errors(include_input=False):
        key = str(found["loc"][0]) if found["loc"] else ""
        if found["type"] == "extra_forbidden":
            yield f"{key}: no such key; allowed are {', '.join(allowed)}"
        elif key:
            yield f"{key}: {found['msg']}; write {allowed.get(key, f'a [[{table}]] table')}"
        else:
            yield f"{found['msg'].removeprefix('Value error, ')}; write a [[{table}]] table with {', '.join(allowed)}"
