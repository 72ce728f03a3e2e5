"""Our cases as rows that other tools can send: recorded from our checks, with ids and signatures made variable.

A value that a reply gave and a later request used becomes a variable, and a signature the recipe behind it. So the
rows are what a tester would write: the request, how to sign it, what to keep of the answer and what to expect.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from contract.fields import component, load_document
from fixtures.wire.embedded import EmbeddedGateway
from tests.bench.__main__ import profile_for
from tests.kill_matrix.collected import LATEST

Json = Any

ROOT: Final = Path(__file__).parents[3]
SOURCES: Final[Mapping[str, tuple[str, ...]]] = {
    "checkout": (
        "suites/checkout/sessions/test_session_fields.py",
        "suites/checkout/sessions/test_method_parameters.py",
        "suites/checkout/sessions/test_operations.py",
        "suites/checkout/changes/test_card_credit.py",
        "suites/checkout/changes/test_operation_signatures.py",
        "suites/checkout/changes/test_transitions.py",
        "suites/hosted_fields/test_session_token.py",
    ),
    "s2s_card": ("suites/s2s_card/sales/test_fields.py", "suites/s2s_card/changes/test_transitions.py"),
    "s2s_apm": ("suites/s2s_apm/sales/test_fields.py", "suites/s2s_apm/test_transitions.py"),
}
"""Baselines and field cases; wrong signatures of Checkout; chains, in which one payment is changed and looked up."""

MEMBERS: Final = ("result", "status", "action", "error_code", "error_message")
"""What of an answer must be as it was: what became of the request."""
ECHOED: Final = ("order_id", "trans_id", "payment_id", "amount", "currency")
"""What must be as it was where it is what was sent, or an id that is known."""
ID: Final = re.compile(r"[0-9A-Za-z_-]{16,}")


@dataclass(frozen=True)
class Case:
    """One request, and what must come of it.

    Attributes:
        name: the check that it is from, and its number.
        method: HTTP method.
        url: address with ``<base>`` for that of the gateway; ``<v1>`` stands for a value that was kept, here and below.
        content_type: of the body.
        body: as it goes over the wire, ``<hash>`` for the signature.
        sign: the recipe of the signature; ``None``: what the body has, if anything, is meant.
        keep: variables by the member of the answer, a path of names and indexes.
        status: HTTP status that must come.
        members: members of the answer with the values that they must have.
        schema: name of the schema that the answer must keep; empty: none.
    """

    name: str
    method: str
    url: str
    content_type: str
    body: str
    sign: Mapping[str, Json] | None
    keep: Mapping[str, Sequence[str | int]]
    status: int
    members: Mapping[str, Json]
    schema: str = ""


@dataclass
class _Known:
    """Values that replies gave, and which of them are used later."""

    values: dict[str, tuple[int, tuple[str | int, ...]]] = field(default_factory=dict)
    used: dict[str, str] = field(default_factory=dict)

    def marked(self, text: str) -> str:
        """Write ``<v1>`` for the values that are known."""
        for value in self.values:
            if value in text:
                name = self.used.setdefault(value, f"v{len(self.used) + 1}")
                text = text.replace(value, f"<{name}>")
        return text


def recorded_cases(protocol: str, directory: Path) -> list[Case]:
    """Run the checks of a protocol against a gateway without faults, and return what they sent as rows.

    Without callbacks: like a tester with one of the other tools the suite then learns of payments by look-ups.
    """
    notes = directory / f"{protocol}-recorded.json"
    environment = {**os.environ, "BESIDE_RECORDED": str(notes)}
    own = directory / protocol
    own.mkdir(exist_ok=True)
    running = EmbeddedGateway.start(release=LATEST)
    try:
        options = [f"--target={profile_for(running, own)}", f"--output={own / 'out'}", "-n0", "-q"]
        options += ["-p", "no:cacheprovider", "-p", "tests.bench.beside.recorder"]
        command = [sys.executable, "-m", "pytest", *options, *SOURCES[protocol]]
        subprocess.run(command, env=environment, check=False, stdout=subprocess.DEVNULL, timeout=900, cwd=ROOT)
    finally:
        running.stop()
    recorded = json.loads(notes.read_text(encoding="utf-8"))
    return list(cases_of(protocol, recorded["exchanges"], recorded["recipes"]))


def cases_of(protocol: str, exchanges: Sequence[Json], recipes: Mapping[str, Json]) -> Iterator[Case]:
    """Turn what was recorded into rows."""
    known, sent, rows = _Known(), "", []
    for number, one in enumerate(exchanges):
        base = "{0.scheme}://{0.netloc}".format(urlsplit(one["url"]))
        row = _row(number, one, recipes, known, base)
        sent += one["body"]
        answer = _json(one["reply"])
        for path, value in _leaves(answer):
            if isinstance(value, str) and (ID.fullmatch(value) or value.startswith(base)) and value not in sent:
                known.values.setdefault(value, (number, path))
        rows.append((row, answer, one))
    keeps: dict[int, dict[str, tuple[str | int, ...]]] = {}
    for value, name in known.used.items():
        at, path = known.values[value]
        keeps.setdefault(at, {})[name] = path
    for number, (row, answer, one) in enumerate(rows):
        if _is_sendable(row):
            members = dict(_members(answer, one, known, keeps.get(number, {})))
            schema = _schema(protocol, one, row["url"])
            yield Case(**row, keep=keeps.get(number, {}), status=one["status"], members=members, schema=schema)


def _row(number: int, one: Json, recipes: Mapping[str, Json], known: _Known, base: str) -> dict[str, Json]:
    recipe = next((recipe for signature, recipe in recipes.items() if signature in one["body"]), None)
    signature = next((signature for signature in recipes if signature in one["body"]), "")
    if recipe and not all(term["text"].isascii() for term in recipe["terms"]):
        recipe = None
    body = known.marked(one["body"])
    sign = None
    if recipe:
        body = body.replace(signature, "<hash>")
        sign = {**recipe, "terms": [{**term, "text": known.marked(term["text"])} for term in recipe["terms"]]}
    return {
        "name": f"{number} {one['check'].rpartition('/')[2]}",
        "method": one["method"],
        "url": known.marked(one["url"]).replace(base, "<base>"),
        "content_type": one["content_type"],
        "body": body,
        "sign": sign,
    }


def _is_sendable(row: Mapping[str, Json]) -> bool:
    """Say whether all tools can send it: text without lone surrogates and without the marks of templates."""
    text = row["body"]
    return text.isprintable() and not any(0xD800 <= ord(one) <= 0xDFFF for one in text) and "{{" not in text


def _members(
    answer: Json, one: Json, known: _Known, kept: Mapping[str, Sequence[str | int]]
) -> Iterator[tuple[str, Json]]:
    if not isinstance(answer, dict):
        return
    for name in (*MEMBERS, *ECHOED):
        value = answer.get(name)
        if not isinstance(value, (str, int)) or [name] in [list(path) for path in kept.values()]:
            continue
        if value in known.used:
            yield name, f"<{known.used[str(value)]}>"
        elif name in MEMBERS or str(value) in one["body"]:
            yield name, value


def _schema(protocol: str, one: Json, url: str) -> str:
    """Name the schema of an answer by its operation: ``lookUpPayment 200``; empty where no document has one."""
    path, body = url.replace("<base>", "").removeprefix("/apm"), one["body"]
    status = str(one["status"])
    for key, item in load_document(protocol)["paths"].items():
        operation = item["post"]
        if operation.get("x-path", key) != path or status not in operation["responses"]:
            continue
        action = operation.get("x-action")
        member = key.partition("#")[2]
        if (action and f"action={action}&" in f"{body}&") or (not action and (not member or f'"{member}"' in body)):
            return f"{operation['operationId']} {status}"
    return ""


def schemas(protocol: str) -> dict[str, Json]:
    """Return the schemas of answers by name, each with the components that it needs."""
    document = load_document(protocol)
    found = {}
    for item in document["paths"].values():
        for status, reply in item["post"]["responses"].items():
            whole = _response(document, reply)
            for content in whole.get("content", {}).values():
                found[f"{item['post']['operationId']} {status}"] = _closed(document, content["schema"])
    return found


def _response(document: Mapping[str, Json], reply: Json) -> Mapping[str, Json]:
    reference = reply.get("$ref")
    found: Mapping[str, Json] = document["components"]["responses"][reference.rsplit("/", 1)[1]] if reference else reply
    return found


def _closed(document: Mapping[str, Json], schema: Json) -> Json:
    """Return a schema with what it refers to under ``components``."""
    needed: dict[str, Json] = {}
    waiting = [schema]
    while waiting:
        for name in _references(waiting.pop()):
            if name not in needed:
                needed[name] = component(document, name)
                waiting.append(needed[name])
    return {**schema, "components": {"schemas": needed}}


def _references(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"].rsplit("/", 1)[1]
        for below in value.values():
            yield from _references(below)
    elif isinstance(value, list):
        for below in value:
            yield from _references(below)


def _leaves(value: Json, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Json]]:
    if isinstance(value, dict):
        for name, below in value.items():
            yield from _leaves(below, (*path, name))
    elif isinstance(value, list):
        for number, below in enumerate(value):
            yield from _leaves(below, (*path, number))
    else:
        yield path, value


def _json(text: str) -> Json:
    try:
        return json.loads(text)
    except ValueError:
        return None


def as_rows(cases: Sequence[Case]) -> list[dict[str, Json]]:
    """Return plain JSON types."""
    return [asdict(case) for case in cases]
