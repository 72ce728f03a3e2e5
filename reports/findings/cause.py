"""The cause of one failure, known by its evidence: what deviates, where, and how.

The acting side states a failure in words, and keeps the exchanges. Both are read here: the exchange that decides is the
one that the words quote.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from contract.model import CALLBACKS_OF
from reports.findings.bodies import CALLBACK, RETURN, asked_of_target, fields_from_target
from reports.findings.places import is_look_up, last_change, place_of_exchange
from reports.judging.fingerprint import stable
from reports.model import Check, Exchange, Failure

_QUOTED_STATUS = re.compile(r"^HTTP (\d{3})")
_ABOUT_HASH = re.compile(r"a hash (?:made of|by the|over)|hash as\b|an? .*with the hash that is due")
_CALLBACK_OF = re.compile(r"an? (Checkout|S2S CARD|S2S APM) callback\b")
_FORM_OF_HASH = "hash as "
"""Begins what is expected where only the form of a hash is asked for, which any mistake can spoil."""
_MISTAKE = re.compile(r"is what the recipe gives.*? when (.+)")
_HOW_MANY = re.compile(r"\. [\d,]+ of [\d,]+ exchanges break it")
_STEP = re.compile(r"^\s*\d+\. (.+)$", re.MULTILINE)
"""A step in the story of a lifecycle; the last one is what must not be."""
_ACTION_QUOTED = re.compile(r'"action":\s*"([A-Z0-9_]+)"')
_FIELD_NAMED = re.compile(r", for ([\w.\[\]]+)$")
_MESSAGE = re.compile(r'the message "([^"]+)"')
_MEMBERS = re.compile(r"[A-Za-z][A-Za-z0-9_.]*")
_WANTED = re.compile(r"\b([A-Za-z_]+) (?:\"([^\"]*)\"|([A-Z0-9][A-Z0-9_]+))")
_SERVER_ERROR = 500
_SHA256_DIGITS = 64
_MAX_OUTCOME = 40
_CLIENT_ERROR = 400
_PLAIN_MEMBERS = frozenset({"status", "result", "action", "hash", "amount", "currency", "card", "brand", "type", "id"})
"""Members whose names are usual words; those with an underscore inside are known by that."""
_PLAIN_MEMBER = re.compile(r"(?:an? )?(status|result|action|hash|amount|currency|card|brand|type|id)\b")
_WANTS_REFUSAL = re.compile(
    r'refus|client error|no payment with the order id|not accepted|^"[^"]+" with (?:HTTP 4|errors\b)'
)
_ALONE_MISSING = re.compile(r"(?!It\b)([A-Za-z_][\w.]*) is (?:missing|None)\b")
_SECRET = re.compile(r"no (full card number|security code)\b|nothing that holds a (password)")
_NEITHER = "This neither accepts nor refuses the request."
_NONE_OF = "no "
"""Begins what is expected of an answer that must lack some members."""
_EITHER = "The contract allows both, but not this. "
_PROTOCOLS: Mapping[str, str] = MappingProxyType(
    {"checkout": "Checkout", "s2s_card": "S2S CARD", "s2s_apm": "S2S APM", "hosted_fields": "Checkout"}
)
"""The protocol that each suite speaks."""
SIGNATURE_ACCEPTED = "a wrong signature"
UNEXPLAINED = "no known mistake explains it"
_WRONG_SIGNATURE = "Hash is not valid"


class Deviation(StrEnum):
    """In which way the target is not as it should be."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    MISSING = "missing"
    DIFFERENT = "different"
    SIGNATURE = "signature"
    NO_CALLBACK = "no callback"
    SHOWN = "shown"
    UNCLEAR = "unclear"
    SERVER_ERROR = "server error"
    SILENT = "no reply"
    OTHER = "other"


@dataclass(frozen=True, order=True)
class Cause:
    """What failures have in common.

    Attributes:
        place: where, in words; empty where the evidence does not say.
        subject: what deviates: a member, what was accepted, what a refusal says; without ids and times.
    """

    deviation: Deviation
    place: str
    subject: str


def decisive_exchange(check: Check, exchanges: Sequence[Exchange]) -> Exchange | None:
    """Return the exchange that the failure quotes; ``None`` where it quotes none that was kept."""
    if check.watched is not None:
        return exchanges[0] if exchanges else None
    quoted = check.failure.received if check.failure else ""
    beginning = quoted.partition("'")[2].removesuffix("'")[:60]
    for exchange in reversed(exchanges):
        body = exchange.request_body if exchange.protocol == CALLBACK else exchange.response_body
        if beginning and body.startswith(beginning):
            return exchange
    status = _QUOTED_STATUS.match(quoted)
    if status is None:
        return None
    ours = [each for each in exchanges if each.protocol != CALLBACK]
    return next((each for each in reversed(ours) if each.status == int(status[1])), None)


def cause_of(check: Check, exchanges: Sequence[Exchange]) -> Cause:
    """Return the cause of a failing check.

    Args:
        check: a check that failed.
        exchanges: what it sent and received, oldest first.
    """
    failure = check.failure or Failure(received=check.reason)
    if failure.received.startswith("nothing at "):
        return _missing_callback(exchanges)
    exchange = decisive_exchange(check, exchanges) or _quoted(check, failure)
    if secret := _SECRET.match(failure.expected):
        place = place_of_exchange(exchange) if exchange else _somewhere(check, exchanges)
        return Cause(Deviation.SHOWN, place, secret[1] or secret[2])
    if exchange is None or exchange.protocol == RETURN:
        return _elsewhere(check, failure, exchanges)
    if exchange.protocol == CALLBACK:
        return _wrong_callback(check, failure, exchange, exchanges)
    if exchange.status is None or exchange.status >= _SERVER_ERROR:
        deviation = Deviation.SILENT if exchange.status is None else Deviation.SERVER_ERROR
        return Cause(deviation, place_of_exchange(exchange), str(exchange.status or ""))
    return _wrong_reply(check, failure, exchange, exchanges)


def _elsewhere(check: Check, failure: Failure, exchanges: Sequence[Exchange]) -> Cause:
    """Return the cause of a failure that is about no reply and no callback."""
    if about_hash(failure):
        return Cause(Deviation.SIGNATURE, "return address", mistake_in(failure))
    return Cause(Deviation.OTHER, _somewhere(check, exchanges), stable(failure.expected))


def _quoted(check: Check, failure: Failure) -> Exchange | None:
    """Return the reply that a failure quotes whole, where its exchange belongs to another check."""
    status = _QUOTED_STATUS.match(failure.received)
    if status is None or not failure.received.endswith("'"):
        return None
    try:
        body = ast.literal_eval(failure.received.removeprefix(status[0]).strip())
    except (ValueError, SyntaxError):
        return None
    action = action_in(failure)
    return Exchange(
        protocol=_PROTOCOLS.get(_suite(check), ""),
        method="POST",
        request_body=f"action={action}" if action else "",
        status=int(status[1]),
        response_body=str(body),
    )


def _wrong_reply(check: Check, failure: Failure, exchange: Exchange, exchanges: Sequence[Exchange]) -> Cause:
    received = fields_from_target(exchange)
    if is_refusal(exchange, received):
        return _refused(place_of_exchange(exchange), exchange, failure, received)
    if failure.explanation.removeprefix(_EITHER).startswith(_NEITHER):
        return Cause(Deviation.UNCLEAR, place_of_exchange(exchange), f"HTTP {exchange.status}")
    if wants_refusal(failure) and not failure.explanation.startswith(_EITHER):
        return _accepted(check, failure, exchange)
    return _wrong_member(check, failure, exchange, exchanges)


def is_refusal(exchange: Exchange, fields: Mapping[str, str]) -> bool:
    """Return whether the target refused the request."""
    return (exchange.status or 0) >= _CLIENT_ERROR or fields.get("result") == "ERROR" or bool(fields.get("error_code"))


def essence(fields: Mapping[str, str]) -> str:
    """Return what a refusal says, without ids: code, message and the texts of its items."""
    texts = [fields.get("error_code", ""), fields.get("error_message", "")]
    items = sorted({text for path, text in fields.items() if re.fullmatch(r"errors\.\d+\.error_message", path)})
    return stable(" ".join(dict.fromkeys(filter(None, (*texts, *items)))))


def _refused(place: str, exchange: Exchange, failure: Failure, fields: Mapping[str, str]) -> Cause:
    says = essence(fields) or f"HTTP {exchange.status}"
    missing = [name for name in ("result", "error_code", "error_message") if name not in fields]
    if missing and failure.refused:
        return Cause(Deviation.MISSING, f"{exchange.protocol} refusals", ", ".join(missing))
    if _WRONG_SIGNATURE in says and not (failure.refused or wants_refusal(failure)):
        # How a signature is made is a matter of the account and of what is signed, and not of one action.
        return Cause(Deviation.REFUSED, exchange.protocol, says + _signed_apart(asked_of_target(exchange)))
    return Cause(Deviation.REFUSED, place, says)


def _signed_apart(asked: Mapping[str, str]) -> str:
    """Return in words what of a request has signatures of its own; empty: nothing."""
    tokens = [name for name in ("card_token", "payment_token", "recurring_token") if asked.get(name)]
    kinds = [
        f"with {tokens[0]}" if tokens else "",
        "" if all(value.isascii() for value in asked.values()) else "with text outside ASCII",
        "by SHA256" if len(asked.get("hash", "")) == _SHA256_DIGITS else "",
    ]
    found = ", ".join(filter(None, kinds))
    return f" (signed {found})" if found else ""


def about_hash(failure: Failure) -> bool:
    """Return whether a failure speaks of a hash that the target made."""
    return _ABOUT_HASH.match(failure.expected) is not None


def action_in(failure: Failure) -> str:
    """Return the action that a quoted answer names; empty where it names none."""
    found = _ACTION_QUOTED.search(failure.received)
    return found[1] if found else ""


def mistake_in(failure: Failure) -> str:
    """Return the mistake in a hash, in words that are the same for all hashes with it.

    Empty where only its form was looked at: that a hash is too short says nothing of how it is made.
    """
    if failure.expected.startswith(_FORM_OF_HASH):
        return ""
    said = observed(failure)
    found = _MISTAKE.search(said)
    if found:
        return stable(found[1])
    return UNEXPLAINED if "no known mistake" in said.lower() else stable(said)


def observed(failure: Failure) -> str:
    """Return what was seen, in one sentence without a full stop; how often watchers saw it is left out."""
    if steps := _STEP.findall(failure.explanation):
        return str(steps[-1]).rstrip(" .")
    said = _HOW_MANY.split(failure.explanation.removeprefix(_EITHER).partition("\n")[0])[0]
    return said.partition(". ")[0].rstrip(" .")


def wants_refusal(failure: Failure) -> bool:
    """Return whether a check demands that its request is refused."""
    return _WANTS_REFUSAL.search(failure.expected) is not None


def _accepted(check: Check, failure: Failure, exchange: Exchange) -> Cause:
    message = _MESSAGE.search(failure.expected)
    if message and _WRONG_SIGNATURE in message[1]:
        return Cause(Deviation.ACCEPTED, place_of_exchange(exchange), SIGNATURE_ACCEPTED)
    return Cause(Deviation.ACCEPTED, exchange.protocol, ", ".join(check.requirements))


def field_accepted(check: Check) -> str:
    """Return the field whose wrong value was accepted; empty where it is no matter of one field."""
    field = _FIELD_NAMED.search(check.failure.expected) if check.failure else None
    if field:
        return field[1]
    return check.change.field if check.change and not check.change.accepted else ""


def _missing_callback(exchanges: Sequence[Exchange]) -> Cause:
    change = last_change(exchanges)
    received = fields_from_target(change) if change else {}
    outcome = received.get("status", received.get("result", ""))[:_MAX_OUTCOME]
    return Cause(Deviation.NO_CALLBACK, f"{place_of_exchange(change)} {outcome}".strip() if change else "", "")


def _wrong_callback(check: Check, failure: Failure, exchange: Exchange, exchanges: Sequence[Exchange]) -> Cause:
    said = _CALLBACK_OF.match(failure.expected)
    place = f"{said[1] if said else _protocol(check, exchange, exchanges)} callback"
    if about_hash(failure):
        return Cause(Deviation.SIGNATURE, place, mistake_in(failure))
    received = fields_from_target(exchange)
    named = _members_in(failure, received)
    if failure.expected.startswith(_NONE_OF):
        came = ", ".join(name for name in named if not _lacks(received, name))
        return Cause(Deviation.DIFFERENT, place, f"{came} is there, and must not be" if came else failure.expected)
    missing = [name for name in named if _lacks(received, name)]
    if missing:
        return Cause(Deviation.MISSING, place, ", ".join(missing))
    return Cause(Deviation.DIFFERENT, place, ", ".join(named) or stable(failure.expected))


def _wrong_member(check: Check, failure: Failure, exchange: Exchange, exchanges: Sequence[Exchange]) -> Cause:
    received = fields_from_target(exchange)
    place = place_of_exchange(exchange)
    named = _members_in(failure, received)
    missing = [name for name in named if _lacks(received, name)]
    if missing:
        return Cause(Deviation.MISSING, place, ", ".join(missing))
    wanted = [
        _differs(name, received[name], quoted or plain)
        for name, quoted, plain in _WANTED.findall(failure.expected)
        if name in received and received[name] != (quoted or plain)
    ]
    if wanted and is_look_up(exchange):
        change = last_change(exchanges)
        place = place_of_exchange(change) if change and change.protocol.startswith(exchange.protocol) else place
    subject = "; ".join(wanted) or ", ".join(named)
    return Cause(Deviation.DIFFERENT, place, subject or f"{', '.join(check.requirements)}: {stable(failure.expected)}")


def _differs(name: str, received: str, wanted: str) -> str:
    """Return how a member differs, without ids and times."""
    came, due = stable(received), stable(wanted)
    return f"{name} is {came}, not {due}" if came != due else f"{name} is another one"


def _members_in(failure: Failure, fields: Mapping[str, str]) -> list[str]:
    """Return the names of members in what was expected: known from the body, or by how they are written."""
    if alone := _ALONE_MISSING.match(failure.explanation.removeprefix(_EITHER)):
        return [alone[1]]
    known = {path.split(".")[-1] for path in fields} | fields.keys()
    words = [word.strip(".") for word in _MEMBERS.findall(failure.expected)]
    plain = _PLAIN_MEMBER.match(failure.expected)
    named = [word for word in words if word in known or "_" in word or (plain and word == plain[1])]
    wanted = [name for name, _, _ in _WANTED.findall(failure.expected)]
    return list(dict.fromkeys((*named, *(name for name in wanted if name in _PLAIN_MEMBERS))))


def _lacks(fields: Mapping[str, str], name: str) -> bool:
    return not any(
        path == name or path.startswith((f"{name}.", f"{name}[")) or path.endswith(f".{name}") for path in fields
    )


def _protocol(check: Check, exchange: Exchange, exchanges: Sequence[Exchange]) -> str:
    """Return the protocol of a callback: that of the check or its requirement, of its members, or of what was sent."""
    if suite := _PROTOCOLS.get(_suite(check)):
        return suite
    for beginning, protocol in CALLBACKS_OF.items():
        if any(claimed.startswith(beginning) for claimed in check.requirements):
            return protocol
    place = place_of_exchange(exchange).removesuffix(" callback")
    if place != "S2S":
        return place
    asked = [each.protocol for each in exchanges if each.protocol.startswith("S2S")]
    return asked[-1] if asked else "S2S CARD"


def _somewhere(check: Check, exchanges: Sequence[Exchange]) -> str:
    if exchanges and exchanges[-1].protocol == "Hosted page":
        return "Hosted page"
    change = last_change(exchanges)
    return place_of_exchange(change) if change else _PROTOCOLS.get(_suite(check), "")


def _suite(check: Check) -> str:
    return next((name for name in _PROTOCOLS if f"/{name}/" in check.id), "")
