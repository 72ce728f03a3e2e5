"""Which requirements are decided on every exchange of a run, and what must have been seen before one of them passes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from pydantic import Field, ValidationError

from contract.document import CONTRACT_DIRECTORY, ContractError, findings_of, read_document
from contract.model import Value

WATCHED_FILE = CONTRACT_DIRECTORY / "watched.toml"

Kind = Annotated[str, Field(pattern=r"^(checkout|s2s_card|s2s_apm):(answer|refusal|page|return|callback)$")]
"""A kind of exchange: protocol, and where the target shows something."""


class _Entry(Value):
    over: Annotated[frozenset[Kind], Field(min_length=1)]
    of: frozenset[str] = frozenset()


@cache
def load_watched() -> Mapping[str, frozenset[str]]:
    """Read what ships with the suite: the kinds of exchange that each watched requirement is decided on, by its id."""
    return read_watched(WATCHED_FILE)


@cache
def load_sought() -> Mapping[str, frozenset[str]]:
    """Read which members a watched requirement is about, by its id; of those that are about none nothing."""
    entries = _read_entries(WATCHED_FILE)
    return MappingProxyType({name: entry.of for name, entry in entries.items() if entry.of})


def read_watched(file: Path) -> Mapping[str, frozenset[str]]:
    """Read a file of watched requirements.

    Raises:
        ContractError: the file cannot be parsed, or an entry is wrong.
    """
    return MappingProxyType({name: entry.over for name, entry in _read_entries(file).items()})


def _read_entries(file: Path) -> Mapping[str, _Entry]:
    found: dict[str, _Entry] = {}
    wrong: list[str] = []
    for name, entry in read_document(file).items():
        try:
            found[name] = _Entry.model_validate(entry)
        except ValidationError as error:
            wrong += findings_of(error, f"{file.name}: {name}")
    if wrong:
        raise ContractError("\n".join(wrong))
    return found
