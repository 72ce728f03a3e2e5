"""Follows the payments of a run through its exchanges, and counts what each trigger did in each state.

Only what the target itself says counts: the words of its answers, look-ups and callbacks. A state that no word showed
stays unknown, and what is done to a payment in an unknown state is not counted.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from reports.findings.bodies import CALLBACK, asked_of_target, fields_from_target
from reports.findings.cause import is_refusal
from reports.findings.places import is_look_up, operation_of
from reports.learned.words import BEGUN, FINAL, UNDECIDED, first_state, is_word, meant, state_of, trigger_between
from reports.model import Exchange, Move

_IDS = ("payment_id", "trans_id", "id")
_WORDS = ("order_status", "payment_status", "status")
_TRIGGERS: Mapping[str, str] = MappingProxyType(
    {
        "CAPTURE": "capture",
        "VOID": "void",
        "CREDITVOID": "credit_void",
        "RETRY": "retry",
        "capture": "capture",
        "refund": "refund",
        "void": "void",
        "retry": "retry",
        "card credit": "card_credit_refund",
    }
)
_UNKNOWN = re.compile(r"not found|does not exist|no such|unknown", re.IGNORECASE)
_BESIDE = re.compile(
    r"hash is not valid|request data is invalid|duplicate|ip is not allowed|route or parameters", re.IGNORECASE
)
"""Refusals of the request, whatever the state of the payment."""
_MOST_PAYMENTS = 20_000
_LONGEST_HISTORY = 12
_PROTOCOLS = frozenset({"Checkout", "S2S CARD", "S2S APM"})


@dataclass
class _Payment:
    """A payment as far as it is known.

    Attributes:
        held: an authorization without capture was asked for.
        asked: the trigger whose outcome no word has shown yet.
        heard: when the last word about it came; older ones, which other checks read later, say nothing new.
    """

    protocol: str
    state: str = BEGUN
    held: bool = False
    asked: str = ""
    heard: float = 0.0
    busy_until: float = 0.0
    history: list[Exchange] = field(default_factory=list)


_Key = tuple[str, str, str, bool, str]
_Shown = tuple[Move, tuple[Exchange, ...]]


@dataclass
class Tracer:
    """What is known of the payments of a run."""

    _payments: OrderedDict[str, _Payment] = field(default_factory=OrderedDict)
    _moves: dict[_Key, _Shown] = field(default_factory=dict)
    _credited: bool = False

    def see(self, check: str, exchanges: Sequence[Exchange]) -> None:
        """Look at the exchanges of a check, oldest first."""
        last, self._credited = "", False
        # Callbacks are recorded when a check asks for them: what counts is when they came.
        for exchange in sorted(exchanges, key=lambda each: each.at):
            if exchange.protocol in _PROTOCOLS:
                last = exchange.protocol
                self._answered(check, exchange)
            elif exchange.protocol == CALLBACK:
                self._called_back(check, exchange, last)

    def moves(self) -> Iterator[_Shown]:
        """Yield each move with the exchanges that show it."""
        yield from (self._moves[key] for key in sorted(self._moves))

    def _answered(self, check: str, exchange: Exchange) -> None:
        asked, fields = asked_of_target(exchange), fields_from_target(exchange)
        trigger = _TRIGGERS.get(operation_of(exchange), "")
        named = _id_of(asked)
        if exchange.status is None:
            self._payments.pop(named, None)
        elif trigger == "card_credit_refund" and not named:
            self._credited = not is_refusal(exchange, fields)
        elif trigger and named:
            self._triggered(check, exchange, trigger, named)
        elif is_look_up(exchange) or named:
            self._looked_up(check, exchange, named or _id_of(fields), fields)
        elif not is_refusal(exchange, fields) and (new := _id_of(fields)):
            self._begun(new, exchange, asked, fields)

    def _begun(self, name: str, exchange: Exchange, asked: Mapping[str, str], fields: Mapping[str, str]) -> None:
        held = asked.get("auth", "").upper() == "Y"
        payment = self._payments.setdefault(name, _Payment(exchange.protocol, held=held))
        payment.history.append(exchange)
        payment.heard = exchange.at
        word = _word_in(fields)
        if payment.state == BEGUN and word:
            payment.state = first_state(word, held=held)
        while len(self._payments) > _MOST_PAYMENTS:
            self._payments.popitem(last=False)

    def _triggered(self, check: str, exchange: Exchange, trigger: str, name: str) -> None:
        fields = fields_from_target(exchange)
        payment = self._payments.get(name)
        refused = is_refusal(exchange, fields)
        says = " ".join(text for path, text in fields.items() if path.endswith("error_message"))
        if refused and _BESIDE.search(says) and not _UNKNOWN.search(says):
            return
        if payment is None or (refused and _UNKNOWN.search(says)):
            if refused and _UNKNOWN.search(says):
                self._count(check, _Payment(exchange.protocol, "absent", history=[exchange]), trigger, refused=True)
            return
        if exchange.protocol == "Checkout":
            payment.state = meant(payment.state, trigger)
        overlaps = exchange.at and exchange.at < payment.busy_until
        payment.busy_until = exchange.at + exchange.duration_ms / 1000
        payment.heard = max(payment.heard, exchange.at)
        payment.history = [*payment.history[-_LONGEST_HISTORY:], exchange]
        if overlaps or payment.state == BEGUN:
            payment.state, payment.asked = BEGUN, ""
        elif refused or fields.get("result", "").upper() in {"DECLINED", "DECLINE", "FAIL"}:
            self._count(check, payment, trigger, refused=True)
        else:
            payment.asked = trigger
            self._word(check, payment, _word_in(fields))

    def _looked_up(self, check: str, exchange: Exchange, name: str, fields: Mapping[str, str]) -> None:
        if is_refusal(exchange, fields) or not name:
            return
        payment = self._payments.get(name)
        if payment is None and exchange.protocol == "Checkout":
            payment = self._payments.setdefault(name, _Payment("Checkout", held=bool(fields.get("brand"))))
        if payment is not None:
            self._shown(check, exchange, payment, fields)

    def _shown(self, check: str, exchange: Exchange, payment: _Payment, fields: Mapping[str, str]) -> None:
        if exchange.at < payment.heard:
            return
        payment.heard = exchange.at
        payment.history = [*payment.history[-_LONGEST_HISTORY:], exchange]
        self._word(check, payment, _word_in(fields), by_callback=exchange.protocol == CALLBACK)

    def _called_back(self, check: str, exchange: Exchange, protocol: str) -> None:
        fields = fields_from_target(exchange)
        checkout = "order_number" in fields or "order_status" in fields
        name = fields.get("id", "") if checkout else fields.get("trans_id", "")
        if not name:
            return
        payment = self._payments.get(name)
        if payment is None:
            if not (checkout or protocol):
                return
            card = checkout and bool(fields.get("card"))
            payment = self._payments.setdefault(name, _Payment("Checkout" if checkout else protocol, held=card))
        self._shown(check, exchange, payment, fields)

    def _word(self, check: str, payment: _Payment, word: str, *, by_callback: bool = False) -> None:
        if not word:
            return
        if payment.state == BEGUN:
            payment.state, payment.asked = first_state(word, held=payment.held), ""
            return
        after = state_of(word, before=payment.state, trigger=payment.asked, held=payment.held)
        late = by_callback and (payment.state in FINAL or (after in UNDECIDED and payment.state not in UNDECIDED))
        if payment.asked:
            self._count(check, payment, payment.asked, after=after)
        elif after != payment.state and late:
            # A callback of an earlier step may overtake nothing, but come after the look-up that showed a later one.
            return
        elif after != payment.state and after == "refunded" and self._credited:
            self._count(check, payment, "card_credit_refund", after=after)
        elif after != payment.state:
            self._count(check, payment, trigger_between(payment.state, after), after=after)
        payment.state, payment.asked = after, ""

    def _count(self, check: str, payment: _Payment, trigger: str, *, after: str = "", refused: bool = False) -> None:
        key = (payment.protocol, payment.state, trigger, not refused, after)
        shown = tuple(payment.history[-_LONGEST_HISTORY:])
        known = self._moves.get(key)
        count = known[0].count + 1 if known else 1
        if known and len(known[1]) <= len(shown):
            self._moves[key] = known[0].model_copy(update={"count": count}), known[1]
            return
        protocol, state = payment.protocol, payment.state
        move = Move(
            protocol=protocol, state=state, trigger=trigger, accepted=not refused, next=after, count=count, check=check
        )
        self._moves[key] = move, shown


def _id_of(fields: Mapping[str, str]) -> str:
    return next((fields[name] for name in _IDS if fields.get(name)), "")


def _word_in(fields: Mapping[str, str]) -> str:
    return next((fields[name] for name in _WORDS if is_word(fields.get(name, ""))), "")
