"""Settings of a profile as ``init --set`` takes them: ``TABLE.NAME=VALUE``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from fixtures.profile.model import Profile
from fixtures.profile.pasted import PastedError


def setting_in(text: str) -> tuple[tuple[str, ...], Any]:
    """Return where a setting stands, and its value.

    Raises:
        PastedError: it names no table, or no value.
    """
    path, mark, value = text.partition("=")
    names = tuple(path.strip().split("."))
    if not mark or len(names) == 1 or not all(names):
        raise PastedError(f"--set {path}: write TABLE.NAME=VALUE, as in test_data.channel_id=main")
    try:
        written = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return names, value
    # Codes and card numbers look like numbers, and are text.
    return names, value if isinstance(written, int | float) and _is_text(names) else written


def _below(table: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return what a schema says of a key: by its name, or of every key of a table whose keys are free."""
    known = table.get("properties", {}).get(name) or table.get("additionalProperties")
    return known if isinstance(known, dict) else {}


def _is_text(names: Sequence[str]) -> bool:
    """Return whether a setting takes nothing but text, by the schema of profiles."""
    document = Profile.model_json_schema(by_alias=True)
    kinds: list[dict[str, Any]] = [document]
    for name in names:
        tables = (document["$defs"].get(kind.get("$ref", "").rpartition("/")[2], kind) for kind in kinds)
        found: dict[str, Any] = next((below for table in tables if (below := _below(table, name))), {})
        kinds = found.get("anyOf", [found])
    named = {kind.get("type") for kind in kinds}
    return "string" in named and not named.intersection(("integer", "number", "boolean"))
