"""A script of one story: its requests once more, in their order, with fresh order numbers and signed anew.

It needs Python and httpx and nothing of this suite. What an answer gives (an id, an address, a token) goes into the
later requests; secrets come from the environment. Everything from a target stands in it as a literal of Python.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from reports.evidence.curl import REDACTED
from reports.evidence.formulas import OPENING
from reports.evidence.signing import hash_expression
from reports.findings.bodies import CALLBACK, asked_of_target, fields_from_target, fields_of
from reports.findings.places import operation_of
from reports.findings.story import Step
from reports.model import Exchange, Json
from reports.text import one_line

_ORDERS = ("order_id", "order.number")
_SECRETS = {"card_number": "CARD", "card_cvv2": "CVV", "cvv": "CVV", "cvv2": "CVV", "card_cvv": "CVV"}
_MASKS = (*REDACTED, "**")
_SHORTEST = 8
_MAX_STEPS = 20
_JSON_TYPE = "application/json"


@dataclass
class _Known:
    """What the script knows at a step: values of this recording by the expressions that give them."""

    as_recorded: bool
    keeps_orders: bool
    values: dict[str, str] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    emails: list[str] = field(default_factory=list)

    def expression(self, text: str) -> str:
        """Return an expression for a text in which values of earlier answers stand."""
        for known in sorted(self.values, key=len, reverse=True):
            if known == text:
                return self.values[known]
            if known in text:
                before, _, after = text.partition(known)
                pieces = [self.expression(part) for part in (before,) if part]
                return " + ".join([*pieces, self.values[known], *([self.expression(after)] if after else [])])
        return repr(text)


def script(steps: Sequence[Step], *, title: str, as_recorded: bool = False, keep_order: bool = False) -> str:
    """Return the script; empty where nothing of the story is a request of ours.

    Args:
        steps: the story.
        title: what it shows, for its first line.
        as_recorded: with the signatures that were sent, since one of them is what is wrong.
        keep_order: with the order numbers that were sent, likewise.
    """
    ours = [step for step in steps if step.exchange.protocol != CALLBACK and step.exchange.method in {"GET", "POST"}]
    ours = ours[-_MAX_STEPS:]
    if not ours:
        return ""
    known = _Known(as_recorded=as_recorded, keeps_orders=keep_order or as_recorded)
    lines = [line for number, step in enumerate(ours, start=1) for line in _request(number, step, known)]
    origin = _origin(ours[0].exchange)
    return "\n".join([*_head(title, origin, "\n".join(lines)), *lines, ""])


def _head(title: str, origin: str, body: str) -> Iterator[str]:
    yield f"# {one_line(title, 200)}"
    wanted = [name for name in ("PASSWORD", "CARD", "CVV") if name in body]
    yield f"# Needs Python and httpx, and in the environment {', '.join((*wanted, 'ADDRESS'))} of a test account."
    yield "import hashlib, os, time"
    yield "from urllib.parse import parse_qsl, urlsplit"
    yield "import httpx"
    yield f'ADDRESS = os.environ.get("ADDRESS", {origin!r})'
    yield 'DIGEST = getattr(hashlib, os.environ.get("DIGEST", "md5"))'
    yield from (f'{name} = os.environ["{name}"]' for name in wanted)
    yield "fresh = time.time_ns()"
    yield "client = httpx.Client(timeout=30)"
    yield "def send(method, url, **body):"
    yield "    reply = client.request(method, url if '://' in url else ADDRESS + url, **body)"
    yield "    print(method, url, reply.status_code, reply.text[:300].replace('\\n', ' '))"
    yield "    found = dict(parse_qsl(urlsplit(reply.headers.get('location', '')).query))"
    yield "    try:"
    yield "        return {**found, **reply.json()}"
    yield "    except (ValueError, TypeError):"
    yield "        return found"


def _request(number: int, step: Step, known: _Known) -> Iterator[str]:
    exchange = step.exchange
    yield f"# {step.number}. {one_line(step.title, 150)}"
    url = urlsplit(exchange.url)
    whole = any(value.startswith("http") and exchange.url.startswith(value) for value in known.values)
    address = exchange.url if whole else exchange.url.removeprefix(f"{url.scheme}://{url.netloc}") or "/"
    target = known.expression(address)
    sent = ""
    if exchange.request_body and _is_read(exchange):
        yield from _body(f"f{number}", exchange, known)
        sent = f", {'json' if _is_json(exchange) else 'data'}=f{number}"
    elif exchange.request_body:
        sent = f", content={exchange.request_body!r}.encode(), headers={_kind(exchange)}"
    yield f"r{number} = send({exchange.method!r}, {target}{sent})"
    _learn(number, exchange, known)


def _body(name: str, exchange: Exchange, known: _Known) -> Iterator[str]:
    fields = asked_of_target(exchange)
    _note_order(exchange, fields, known)
    if email := fields.get("payer_email"):
        known.emails.append(email)

    def value_of(field_name: str) -> str:
        if field_name in fields:
            return name + "".join(f"[{part!r}]" for part in _parts(field_name, exchange))
        return repr(known.emails[-1]) if known.emails else 'os.environ.get("EMAIL", "")'

    signed = "" if known.as_recorded else hash_expression(exchange, value_of)
    if _is_json(exchange):
        body = json.loads(exchange.request_body)
        yield f"{name} = {_literal(_without_hash(body) if signed else body, '', known)}"
    else:
        sent = dict(parse_qsl(exchange.request_body, keep_blank_values=True))
        pairs = (_without_hash(sent) if signed else sent).items()
        entries = ", ".join(f"{key!r}: {_value(key, value, known)}" for key, value in pairs)
        yield f"{name} = {{{entries}}}"

    if signed:
        yield f'{name}["hash"] = {signed}'


def _without_hash(body: Mapping[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in body.items() if name != "hash"}


def _note_order(exchange: Exchange, fields: Mapping[str, str], known: _Known) -> None:
    if known.keeps_orders or operation_of(exchange) not in OPENING:
        return
    for order in filter(None, (fields.get(place) for place in _ORDERS)):
        known.values.setdefault(order, f'f"again-{{fresh}}-{len(known.values) + 1}"')


def _parts(name: str, exchange: Exchange) -> list[str]:
    return name.split(".") if _is_json(exchange) else [name]


def _literal(value: Json, path: str, known: _Known) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_literal(member, str(key), known)}" for key, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_literal(member, path, known) for member in value) + "]"
    return _value(path, value, known) if isinstance(value, str) else repr(value)


def _value(name: str, value: str, known: _Known) -> str:
    if any(mark in value for mark in _MASKS):
        leaf = name.rpartition(".")[2].lower()
        if leaf in known.named:
            return known.named[leaf]
        secret = next((secret for key, secret in _SECRETS.items() if key in leaf or leaf in key), "")
        return secret or f'os.environ.get({leaf.upper()!r}, "")'
    return known.expression(value)


def _learn(number: int, exchange: Exchange, known: _Known) -> None:
    location = next((value for name, value in exchange.response_headers.items() if name.lower() == "location"), "")
    query = dict(parse_qsl(urlsplit(location).query))
    for path, value in {**query, **fields_from_target(exchange)}.items():
        expression = f"r{number}" + "".join(f"[{part if part.isdigit() else repr(part)}]" for part in path.split("."))
        if any(mark in value for mark in _MASKS):
            known.named.setdefault(path.rpartition(".")[2].lower(), expression)
        elif len(value) >= _SHORTEST and any(character.isdigit() for character in value):
            known.values.setdefault(value, expression)


def _is_json(exchange: Exchange) -> bool:
    return _JSON_TYPE in _kind(exchange).get("content-type", "")


def _is_read(exchange: Exchange) -> bool:
    """Return whether the body is fields, and not something that is wrong on purpose."""
    if _is_json(exchange):
        try:
            return isinstance(json.loads(exchange.request_body), dict)
        except (ValueError, RecursionError):
            return False
    return bool(fields_of(exchange.request_body))


def _kind(exchange: Exchange) -> dict[str, str]:
    kinds = [value for name, value in exchange.request_headers.items() if name.lower() == "content-type"]
    return {"content-type": kinds[0]} if kinds else {}


def _origin(exchange: Exchange) -> str:
    url = urlsplit(exchange.url)
    return f"{url.scheme}://{url.netloc}"
