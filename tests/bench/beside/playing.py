"""Fills a case with what is known, signs it and judges the answer.

With the standard library only: Tavern uses it where nothing of this project is installed.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

Json = Any

_MARK = re.compile(r"<(base|hash|v[0-9]+)>")


def filled(text: str, known: Mapping[str, str]) -> str:
    """Return a text with values for its marks; a value that never came is empty."""
    return _MARK.sub(lambda found: known.get(found[1], ""), text)


def signature(spec: Mapping[str, Json], known: Mapping[str, str]) -> str:
    """Sign by a recorded recipe; its terms are ASCII."""
    joined = ""
    for term in spec["terms"]:
        text = filled(term["text"], known)
        text = text[::-1] if term["reversed"] else text
        joined += text if term["keeps_case"] or spec["upper_case"] == "none" else text.upper()
    inner = hashlib.new(spec["digest"], joined.encode(), usedforsecurity=False)
    if not spec["outer"]:
        return inner.hexdigest()
    form = spec["inner_form"]
    given = inner.digest() if form == "bytes" else inner.hexdigest().encode()
    return hashlib.new(
        spec["outer"], given.upper() if form == "upper-hex" else given, usedforsecurity=False
    ).hexdigest()


def request_of(case: Mapping[str, Json], known: Mapping[str, str]) -> tuple[str, bytes]:
    """Return address and body of a case, signed."""
    here = dict(known)
    if case["sign"]:
        here["hash"] = signature(case["sign"], known)
    return filled(case["url"], here), filled(case["body"], here).encode()


def answer_in(text: str) -> Json:
    """Return the JSON of an answer; ``None``: it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def kept(case: Mapping[str, Json], answer: Json) -> Iterator[tuple[str, str]]:
    """Yield the variables that an answer gives."""
    for name, path in case["keep"].items():
        value = answer
        for part in path:
            try:
                value = value[part]
            except (KeyError, IndexError, TypeError):
                value = None
        if isinstance(value, str):
            yield name, value


def differences(case: Mapping[str, Json], status: int, answer: Json, known: Mapping[str, str]) -> Iterator[str]:
    """Yield what is not as it must be, the schema apart."""
    if status != case["status"]:
        yield f"status: {case['status']} expected, {status} received"
    for name, value in case["members"].items():
        wanted = filled(value, known) if isinstance(value, str) else value
        received = answer.get(name) if isinstance(answer, dict) else None
        if received != wanted:
            yield f"{name}: {wanted!r} expected, {received!r} received"
