"""Faults that show on odd values only: characters that nobody tries, hostile texts, and what is beyond a cut."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final
from urllib.parse import unquote

from emulator.checkout.session import Attempt, HashTest, matches
from emulator.design import Change, Design
from emulator.duplicates import WindowRule
from emulator.faults.model import Fault
from emulator.faults.stages import breaking, put, refusing, rules_see
from emulator.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.signing import Order, as_specified
from emulator.values import Object, child

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

    return lambda design: design.in_session(stages=(stage, *design.session.stages))


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

    return design.in_session(stages=(stage, *design.session.stages)).filtering(header)


def _also(seen: Callable[[Order], Order]) -> Change:
    """A hash over what ``seen`` makes of the order is right where the one that was sent is made of the same."""

    def change(design: Design) -> Design:
        before = design.session.accepts_hash
        return design.in_session(accepts_hash=lambda test: before(test) or _same(test, seen))

    return change


def _same(test: HashTest, seen: Callable[[Order], Order]) -> bool:
    return matches(replace(test, order=seen(test.order)), as_specified)


def _description(change: Callable[[str], str]) -> Callable[[Order], Order]:
    return lambda order: Order(order.number, order.amount, order.currency, change(order.description))


def _longer_ones(description: str) -> str:
    return re.sub(" +", "  ", description, count=1)


def _unsigned_tail(length: int) -> Change:
    """What follows the first characters of the description is not signed: every hash is right for a long one."""

    def change(design: Design) -> Design:
        before = design.session.accepts_hash
        return design.in_session(
            accepts_hash=lambda test: before(test) or (len(test.order.description) > length and _is_hash(test.given))
        )

    return change


def _is_hash(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9a-f]{40}", value) is not None


def _long_number_unsigned(design: Design) -> Design:
    before = design.session.accepts_hash
    return design.in_session(
        accepts_hash=lambda test: before(test) or (len(test.order.number) > 60 and _is_hash(test.given))
    )


def _hash_like(pattern: str) -> Change:
    expression = re.compile(pattern)

    def change(design: Design) -> Design:
        before = design.session.accepts_hash

        def accepts(test: HashTest) -> bool:
            return before(test) or (isinstance(test.given, str) and expression.fullmatch(test.given) is not None)

        return design.in_session(accepts_hash=accepts)

    return change


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

FAULTS: Final = (
    Fault(
        "description-nul-breaks",
        ("GEN-ERR-10",),
        "A NUL in the description is a server error.",
        _breaks_on("\x00", "order", "description"),
        rare=True,
    ),
    Fault(
        "description-joined-emoji-breaks",
        ("GEN-ERR-10",),
        "Emoji that are joined to one are a server error.",
        _breaks_on("\u200d\U0001f469", "order", "description"),
        rare=True,
    ),
    Fault(
        "name-right-to-left-breaks",
        ("GEN-ERR-10",),
        "A change of the writing direction in the payer's name is a server error.",
        _breaks_on("[\u202a-\u202e]", "customer", "name"),
        rare=True,
    ),
    Fault(
        "address-beyond-basic-plane-breaks",
        ("GEN-ERR-10",),
        "Characters of four bytes in the address are a server error.",
        _breaks_on("[\U00010000-\U0010ffff]", "billing_address", "address"),
        rare=True,
    ),
    Fault(
        "channel-format-breaks",
        ("GEN-ERR-10",),
        "A place holder of a format in channel_id is a server error.",
        _breaks_on("%s", "channel_id"),
        rare=True,
    ),
    Fault(
        "address-quote-shows-database",
        ("GEN-ERR-23",),
        "A quote in the address is answered with an error of the database.",
        _refused_with(_database_error),
        rare=True,
    ),
    Fault(
        "operation-evaluated",
        ("GEN-ERR-24",),
        "A template in operation is evaluated in the message of the refusal.",
        _refused_with(_evaluated),
        rare=True,
    ),
    Fault(
        "language-writes-headers",
        ("GEN-ERR-24",),
        "A line break in checkout_language ends up in the headers of the answer.",
        _header_written,
        rare=True,
    ),
    Fault(
        "session-hash-of-description-start",
        ("CHK-SIG-05",),
        "What follows the first 255 characters of a description is not signed.",
        _unsigned_tail(255),
        rare=True,
    ),
    Fault(
        "session-hash-blanks-collapsed",
        ("CHK-SIG-05",),
        "A hash over a description with another number of blanks is taken too.",
        _also(_description(_longer_ones)),
        rare=True,
    ),
    Fault(
        "session-hash-of-number-start",
        ("CHK-SIG-02",),
        "What follows the first 60 characters of a number is not signed.",
        _long_number_unsigned,
        rare=True,
    ),
    Fault(
        "session-hash-compared-as-number",
        ("CHK-SIG-20",),
        "Digits behind 0e equal every hash that is read as a number.",
        _hash_like(_NUMBER.pattern),
        rare=True,
    ),
    Fault(
        "session-hash-as-pattern",
        ("CHK-SIG-20",),
        "The hash is compared as a pattern: a wild card equals every hash.",
        _hash_like(r"%|\*|\.\*"),
        rare=True,
    ),
    Fault(
        "description-most-in-bytes",
        ("CHK-ORD-18",),
        "The longest description is counted in bytes.",
        refusing("order.description", _in_bytes),
    ),
    Fault(
        "description-least-in-bytes",
        ("CHK-ORD-18",),
        "The shortest description is counted in bytes.",
        rules_see(_short_in_bytes),
        rare=True,
    ),
    Fault(
        "number-line-feed-at-end-accepted",
        ("CHK-ORD-04",),
        "A line feed at the end of a number is overlooked.",
        _number_like(f"{_ALLOWED}+\n"),
        rare=True,
    ),
    Fault(
        "number-digits-of-other-scripts-accepted",
        ("CHK-ORD-04",),
        "Digits of other scripts are accepted in numbers.",
        _number_like(f"{_ALLOWED}*[\u0660-\u0669\uff10-\uff19]{_ALLOWED}*"),
        rare=True,
    ),
    Fault(
        "number-letters-folded-accepted",
        ("CHK-ORD-04",),
        "Signs that a comparison without case takes for letters are accepted in numbers.",
        _number_like(f"{_ALLOWED}*[\u212a\u0131\u017f]{_ALLOWED}*"),
        rare=True,
    ),
    Fault(
        "number-percent-decoded",
        ("CHK-DUP-06",),
        "Percent escapes in numbers are decoded, so that two numbers become one.",
        _window(unquote),
        rare=True,
    ),
    Fault(
        "number-cut-off",
        ("CHK-DUP-06",),
        "Numbers are kept with their first 100 characters.",
        _window(lambda number: number[:100]),
        rare=True,
    ),
    Fault(
        "amount-decimal-exponent-accepted",
        ("CHK-AMT-08",),
        "An exponent behind decimals is accepted in amounts.",
        _amount_like(r"[0-9]\.[0-9]{2}[eE][0-9]"),
        rare=True,
    ),
    Fault(
        "amount-many-decimals-accepted",
        ("CHK-AMT-01",),
        "Amounts with seven decimals and more are rounded.",
        _amount_like(r"[0-9]+\.[0-9]{7,}"),
        ("CHK-AMT-*",),
        rare=True,
    ),
    Fault(
        "amount-ends-at-nul",
        ("CHK-ORD-08",),
        "What follows a NUL in an amount is overlooked.",
        _amount_like(r"[0-9]+\.[0-9]{2}\x00.*"),
        rare=True,
    ),
)
