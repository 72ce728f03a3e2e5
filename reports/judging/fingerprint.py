"""A short name for one way of failing: the same on another day and machine, another when the failure is another."""

from __future__ import annotations

import hashlib
import json
import re

from reports.model import Check, Failure

LENGTH = 12
PATTERN = rf"^[0-9a-f]{{{LENGTH}}}$"

_STATUS = re.compile(r"\bHTTP (\d{3})\b")
_MEMBER = re.compile(
    r"""\\?"(?P<name>error_code|error_message|message|result|status|decline_reason)\\?"\s*:\s*"""
    r"""(?P<value>-?\d+|\\?"(?:[^"\\]|\\(?!").)*\\?")""",
    re.VERBOSE,
)
_MAX_TEXT = 4_000


def _patterns(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


# In this order: a later pattern would take a part of what an earlier one takes whole.
_VOLATILE_IN_IDS = _patterns(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?",
    r"\bct-[0-9a-f]+(?:-\d+)?x*",
    r"\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b",
    r"\d{7,}",
)
_VOLATILE_IN_TEXT = (
    *_patterns(r"https?://[^\s'\"<>]+"),
    *_VOLATILE_IN_IDS,
    *_patterns(
        r"\b\d{1,2}:\d{2}:\d{2}\b",
        r"\b(?:localhost|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?\b",
        r"\b\d+(?:\.\d+)? ?(?:ms|milliseconds|s|seconds)\b",
        r"\b0x[0-9a-f]+\b",
        r"\b(?=[\w-]*\d)[\w-]{20,}\b",
    ),
)


def fingerprint(requirement_id: str, check: Check) -> str:
    """Return 12 hex digits for the way in which a check fails a requirement.

    They are made of the requirement, the check, and of expected and received what does not change from run to run:
    status, error code, message, and prose without ids, addresses, times and long numbers.
    """
    failure = check.failure or Failure(received=check.reason)
    parts = [requirement_id, stable(check.id, _VOLATILE_IN_IDS), stable(failure.expected), _essence(failure.received)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:LENGTH]


def stable(text: str, patterns: tuple[re.Pattern[str], ...] = _VOLATILE_IN_TEXT) -> str:
    """Return a text without what changes from run to run: ids, addresses, times, long numbers."""
    shortened = text[:_MAX_TEXT]
    for pattern in patterns:
        shortened = pattern.sub("#", shortened)
    return " ".join(shortened.split())


def _essence(received: str) -> str:
    statuses = _STATUS.findall(received)
    if not statuses:
        return stable(received)
    # A reply is recognized by the beginning of its body: what stands where it is cut depends on the lengths of ids.
    members = sorted({f"{found['name']}={stable(found['value'])}" for found in _MEMBER.finditer(received[:_MAX_TEXT])})
    return f"HTTP {' '.join(statuses)} {' '.join(members)}"
