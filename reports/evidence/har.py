"""The exchanges of a finding as HAR 1.2, which browsers and HTTP tools open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, urlsplit

from reports.conclusion import moment
from reports.findings.story import Step
from reports.model import Json

_CREATOR = "gateway-conformance"


def har(steps: Sequence[Step], *, started: str, version: str) -> dict[str, Json]:
    """Return a HAR document.

    Args:
        steps: the story of a check.
        started: when the check began, ISO 8601; where an exchange has no moment of
            its own, it is counted from this by durations.
        version: that of the suite.
    """
    entries, passed = [], timedelta()
    for step in steps:
        began = datetime.fromtimestamp(step.exchange.at, UTC) if step.exchange.at else moment(started) + passed
        entries.append(_entry(step, began.isoformat()))
        passed += timedelta(milliseconds=step.exchange.duration_ms)
    return {
        "log": {"version": "1.2", "creator": {"name": _CREATOR, "version": version or "unknown"}, "entries": entries}
    }


def _entry(step: Step, started: str) -> dict[str, Json]:
    exchange = step.exchange
    kind = _header(exchange.request_headers, "content-type")
    posted = {"postData": {"mimeType": kind, "text": exchange.request_body}} if exchange.request_body else {}
    return {
        "startedDateTime": started,
        "time": exchange.duration_ms,
        "comment": step.title,
        "request": {
            "method": exchange.method or "POST",
            "url": exchange.url,
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": _pairs(exchange.request_headers),
            "queryString": [
                {"name": name, "value": value}
                for name, value in parse_qsl(urlsplit(exchange.url).query, keep_blank_values=True)
            ],
            "headersSize": -1,
            "bodySize": len(exchange.request_body.encode()),
            **posted,
        },
        "response": {
            "status": exchange.status or 0,
            "statusText": "",
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": _pairs(exchange.response_headers),
            "content": {
                "size": len(exchange.response_body.encode()),
                "mimeType": _header(exchange.response_headers, "content-type"),
                "text": exchange.response_body,
            },
            "redirectURL": _header(exchange.response_headers, "location"),
            "headersSize": -1,
            "bodySize": len(exchange.response_body.encode()),
        },
        "cache": {},
        "timings": {"send": 0, "wait": exchange.duration_ms, "receive": 0},
    }


def _pairs(headers: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers.items()]


def _header(headers: Mapping[str, str], wanted: str) -> str:
    return next((value for name, value in headers.items() if name.lower() == wanted), "")
