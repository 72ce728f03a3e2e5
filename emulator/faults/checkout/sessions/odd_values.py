"""Faults that show on odd values only: characters that nobody tries, hostile texts, and what is beyond a cut."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final
from urllib.parse import unquote

from emulator.changes.checkout_sessions import also_hashed, breaking, first, put, refusing, rules_see
from emulator.design import Change, Design
from emulator.engine.duplicates import WindowRule
from emulator.engine.signing import Order, as_specified
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.session import Attempt, HashTest, matches
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object, child

_MOST: Final = 1024
_TEMPLATE: Final = re.compile(r"(\{\{|\$\{|#\{|<%= |@\()([0-9]{1,6})\*([0-9]{1,6})")
_HEADER: Final = re.compile(r"\r\n([a-z-]+): *([a-z0-9]*)")
_NUMBER: Final = re.compile(r"0e[0-9]+")

Of = Callable[[str], bool]


def _text(body: object, *names: str) -> str:
    value = child(body, *names)
    return value if isinstance(value, str) else ""


def _breaks_on(pattern: str, *names: str) -> Change:
    expression = re.compile(pattern)
    return breaking(lambda body: expression.search(_text(body, *names)) is not None)


def _refused_with(applies: Callable[[Attempt], str]) -> Change:
    def stage(attempt: Attempt) -> Refusal | None:
        text = applies(attempt)
        return Refusal(Kind.FIELDS, text, violations=(("order", text),)) if text else None

    return first(stage)


def _database_error(attempt: Attempt) -> str:
    text = _text(attempt.body, "billing_address", "address")
    if "'" not in text:
        return ""
    return f"SQLSTATE[42000]: Syntax error: unterminated quoted string at or near {text[:20]!r}"


def _evaluated(attempt: Attempt) -> str:
    found = _TEMPLATE.search(_text(attempt.body, "operation"))
    return f"operation: {int(found[2]) * int(found[3])} is not a valid choice." if found else ""


def _header_written(design: Design) -> Design:
    def stage(attempt: Attempt) -> Refusal | None:
        found = _HEADER.search(_text(attempt.body, "checkout_language"))
        if not found:
            return None
        return Refusal(
            Kind.FIELDS, f"{INVALID_DATA}\r\n{found[1]}: {found[2]}", violations=(("checkout_language", "x"),)
        )

    def header(reply: Reply) -> Reply:
        message, line, rest = str(reply.body.get("error_message", "")).partition("\r\n")
        if not line:
            return reply
        name, _, value = rest.partition(": ")
        return replace(reply, body=reply.body | {"error_message": message}, headers=(*reply.headers, (name, value)))

    return first(stage)(design).filtering(header)


def _also(seen: Callable[[Order], Order]) -> Change:
    """A hash over what ``seen`` makes of the order is right where the one that was sent is made of the same."""
    return also_hashed(lambda test: _same(test, seen))


def _same(test: HashTest, seen: Callable[[Order], Order]) -> bool:
    return matches(replace(test, order=seen(test.order)), as_specified)


def _description(change: Callable[[str], str]) -> Callable[[Order], Order]:
    return lambda order: Order(order.number, order.amount, order.currency, change(order.description))


def _longer_ones(description: str) -> str:
    return re.sub(" +", "  ", description, count=1)


def _unsigned_tail(length: int) -> Change:
    """What follows the first characters of the description is not signed: every hash is right for a long one."""
    return also_hashed(lambda test: len(test.order.description) > length and _is_hash(test.given))


def _is_hash(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{40}", value) is not None


_LONG_NUMBER_UNSIGNED: Final = also_hashed(lambda test: len(test.order.number) > 60 and _is_hash(test.given))


def _hash_like(pattern: str) -> Change:
    expression = re.compile(pattern)

    return also_hashed(lambda test: isinstance(test.given, str) and expression.fullmatch(test.given) is not None)


def _in_bytes(body: Object) -> bool:
    description = _text(body, "order", "description")
    return len(description.encode("utf-8", "replace")) > _MOST >= len(description)


def _short_in_bytes(body: Object) -> Object:
    description = _text(body, "order", "description")
    is_short = len(description) == 1 and not description.isascii()
    return put(body, "gift", "order", "description") if is_short else body


def _number_like(pattern: str) -> Change:
    expression = re.compile(pattern, re.DOTALL)

    def see(body: Object) -> Object:
        number = _text(body, "order", "number")
        return put(body, "1", "order", "number") if expression.fullmatch(number) else body

    return rules_see(see)


def _amount_like(pattern: str, stand_in: str = "10.00") -> Change:
    expression = re.compile(pattern, re.DOTALL)

    def see(body: Object) -> Object:
        amount = _text(body, "order", "amount")
        return put(body, stand_in, "order", "amount") if expression.fullmatch(amount) else body

    return rules_see(see)


def _window(key: Callable[[str], str]) -> Change:
    rule = WindowRule(key=lambda merchant, number: (merchant, key(number)))
    return lambda design: design.in_session(window=rule)


_ALLOWED: Final = r"""[A-Za-z0-9\-!"#$%&'()*+,./:;@]"""

FAULTS: Final = faults(
    {
        "description-nul-breaks": breaks(
            "GEN-ERR-10",
            "A NUL in the description is a server error.",
            _breaks_on("\x00", "order", "description"),
            rare=True,
        ),
        "description-joined-emoji-breaks": breaks(
            "GEN-ERR-10",
            "Emoji that are joined to one are a server error.",
            _breaks_on("\u200d\U0001f469", "order", "description"),
            rare=True,
        ),
        "name-right-to-left-breaks": breaks(
            "GEN-ERR-10",
            "A change of the writing direction in the payer's name is a server error.",
            _breaks_on("[\u202a-\u202e]", "customer", "name"),
            rare=True,
        ),
        "address-beyond-basic-plane-breaks": breaks(
            "GEN-ERR-10",
            "Characters of four bytes in the address are a server error.",
            _breaks_on("[\U00010000-\U0010ffff]", "billing_address", "address"),
            rare=True,
        ),
        "channel-format-breaks": breaks(
            "GEN-ERR-10",
            "A place holder of a format in channel_id is a server error.",
            _breaks_on("%s", "channel_id"),
            rare=True,
        ),
        "address-quote-shows-database": breaks(
            "GEN-ERR-23",
            "A quote in the address is answered with an error of the database.",
            _refused_with(_database_error),
            rare=True,
        ),
        "operation-evaluated": breaks(
            "GEN-ERR-24",
            "A template in operation is evaluated in the message of the refusal.",
            _refused_with(_evaluated),
            rare=True,
        ),
        "language-writes-headers": breaks(
            "GEN-ERR-24",
            "A line break in checkout_language ends up in the headers of the answer.",
            _header_written,
            rare=True,
        ),
        "session-hash-of-description-start": breaks(
            "CHK-SIG-05",
            "What follows the first 255 characters of a description is not signed.",
            _unsigned_tail(255),
            rare=True,
        ),
        "session-hash-blanks-collapsed": breaks(
            "CHK-SIG-05",
            "A hash over a description with another number of blanks is taken too.",
            _also(_description(_longer_ones)),
            rare=True,
        ),
        "session-hash-of-number-start": breaks(
            "CHK-SIG-02",
            "What follows the first 60 characters of a number is not signed.",
            _LONG_NUMBER_UNSIGNED,
            rare=True,
        ),
        "session-hash-compared-as-number": breaks(
            "CHK-SIG-20",
            "Digits behind 0e equal every hash that is read as a number.",
            _hash_like(_NUMBER.pattern),
            rare=True,
        ),
        "session-hash-as-pattern": breaks(
            "CHK-SIG-20",
            "The hash is compared as a pattern: a wild card equals every hash.",
            _hash_like(r"%|\*|\.\*"),
            rare=True,
        ),
        "description-most-in-bytes": breaks(
            "CHK-ORD-18", "The longest description is counted in bytes.", refusing("order.description", _in_bytes)
        ),
        "description-least-in-bytes": breaks(
            "CHK-ORD-18", "The shortest description is counted in bytes.", rules_see(_short_in_bytes), rare=True
        ),
        "number-line-feed-at-end-accepted": breaks(
            "CHK-ORD-04", "A line feed at the end of a number is overlooked.", _number_like(f"{_ALLOWED}+\n"), rare=True
        ),
        "number-percent-decoded": breaks(
            "CHK-DUP-06",
            "Percent escapes in numbers are decoded, so that two numbers become one.",
            _window(unquote),
            rare=True,
        ),
        "number-cut-off": breaks(
            "CHK-DUP-06",
            "Numbers are kept with their first 100 characters.",
            _window(lambda number: number[:100]),
            rare=True,
        ),
        "amount-decimal-exponent-accepted": breaks(
            "CHK-AMT-08",
            "An exponent behind decimals is accepted in amounts.",
            _amount_like(r"[0-9]\.[0-9]{2}[eE][0-9]"),
            rare=True,
        ),
        "amount-many-decimals-accepted": breaks(
            "CHK-AMT-01",
            "Amounts with seven decimals and more are rounded.",
            _amount_like(r"[0-9]+\.[0-9]{7,}"),
            rare=True,
        ),
        "amount-ends-at-nul": breaks(
            "CHK-ORD-08",
            "What follows a NUL in an amount is overlooked.",
            _amount_like(r"[0-9]+\.[0-9]{2}\x00.*"),
            rare=True,
        ),
    }
)
