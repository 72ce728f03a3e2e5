"""Variations of what upper-casing and reversing do to text outside ASCII: each as some programming language does it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from emulator.changes import s2s_apm as apm
from emulator.changes.checkout import NOTICES
from emulator.changes.checkout_sessions import put, rules_see
from emulator.changes.s2s_card import signed_by
from emulator.design import Change, all_of
from emulator.engine.callbacks import signatures
from emulator.engine.callbacks.notice import Notice, Value
from emulator.engine.signing import Digest, FormValues, Order, ascii_upper, hex_digest, session_hash, sha1_hex
from emulator.protocols.checkout.session import matches
from emulator.protocols.s2s_apm.behaviour import ApmHashTest, accepts_hash
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.variations.model import Variation
from emulator.wire.values import Object, child

_CHECKOUT: Final = ("id", "order_number", "order_amount", "order_currency", "order_description")
_SALE: Final = ("identifier", "order_id", "order_amount", "order_currency")


def _by_character(text: str) -> str:
    return text[::-1]


def _by_code_unit(text: str) -> str:
    units = text.encode("utf-16-le", "surrogatepass")
    turned = b"".join(units[at : at + 2] for at in range(len(units) - 2, -2, -2))
    return turned.decode("utf-16-le", "replace")


def _as_text(notice: Notice) -> str:
    account = notice.payment.account
    signed = "".join(signatures.text_of(notice.fields, name) for name in _CHECKOUT) + account.password
    return session_hash(signed, account.hash)


def _capitals_as_text(_attempt: CardAttempt, values: FormValues) -> FormValues:
    return replace(values, middle=values.middle.upper())


def _sessions_in_ascii(password: str, digest: Digest, order: Order) -> str:
    return sha1_hex(hex_digest(digest, ascii_upper(order.concatenated() + password)))


@dataclass(frozen=True, slots=True)
class _Apm:
    """Signatures of S2S APM whose texts are reversed in one way and upper-cased as text."""

    backwards: Callable[[str], str]

    def callback(self, notice: Notice) -> str:
        if notice.event == "CREDIT2VIRTUAL":
            return signatures.s2s_apm(notice)
        leaves = self._leaves(notice.fields) + notice.payment.account.password
        return signatures.digest(notice, leaves.upper().encode())

    def _leaves(self, value: Value) -> str:
        if isinstance(value, str):
            return self.backwards(value)
        if isinstance(value, list):
            return "".join(map(self._leaves, value))
        return "".join(self._leaves(value[name]) for name in sorted(value, key=_place) if name != "hash")

    def takes(self, test: ApmHashTest) -> bool:
        if test.action != "SALE":
            return accepts_hash(test)
        text = "".join(self.backwards(test.form.get(name, "")) for name in reversed(_SALE))
        signed = self.backwards(test.account.password) + text
        return test.is_of(signed.upper().encode())

    def change(self) -> Change:
        return all_of(apm.NOTICES.signed(self.callback), lambda design: design.in_apm(accepts_hash=self.takes))


def _place(name: str) -> tuple[int, int, str]:
    return (0, int(name), "") if name.isdecimal() else (1, 0, name)


def _numbers_in_ascii(body: Object) -> Object:
    """The session as its rules see it: letters and digits of other alphabets in order.number are as good as any."""
    number = child(body, "order", "number")
    if not isinstance(number, str):
        return body
    return put(
        body, "".join("a" if not sign.isascii() and sign.isalnum() else sign for sign in number), "order", "number"
    )


VARIATIONS: Final = (
    Variation(
        "order-numbers-of-any-letters",
        "Letters and digits of every alphabet are allowed in order.number.",
        rules_see(_numbers_in_ascii),
    ),
    Variation(
        "checkout-callbacks-upper-cased-as-text",
        "Signatures of Checkout callbacks have every letter upper-cased, not a to z alone.",
        NOTICES.signed(_as_text),
    ),
    Variation(
        "sessions-upper-cased-in-ascii",
        "Signatures of sessions have the letters a to z upper-cased and no other.",
        lambda design: design.in_session(accepts_hash=lambda test: matches(test, _sessions_in_ascii)),
    ),
    Variation(
        "order-id-upper-cased-as-text",
        "Formula 7 of S2S CARD has every letter of the order_id upper-cased.",
        signed_by(_capitals_as_text, "GET_TRANS_STATUS_BY_ORDER"),
    ),
    Variation(
        "apm-reversed-by-characters",
        "Signatures of S2S APM have texts reversed by characters and upper-cased as text.",
        _Apm(_by_character).change(),
    ),
    Variation(
        "apm-reversed-by-code-units",
        "Signatures of S2S APM have texts reversed by UTF-16 code units, as JavaScript does it.",
        _Apm(_by_code_unit).change(),
    ),
)
