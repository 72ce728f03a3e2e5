"""Answers: what a refusal says, and how it is put on the wire."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

INVALID_DATA: Final = "Request data is invalid."


class Kind(Enum):
    """What an answer is about; faults and variations choose by it."""

    SESSION = "session"
    SALE = "sale"
    FIELDS = "fields"
    SALE_FIELDS = "sale fields"
    CARD_ACTION = "S2S CARD action"
    CARD_FIELDS = "S2S CARD fields"
    SCHEDULE = "schedule"
    SIGNATURE = "signature"
    DUPLICATE = "duplicate"
    WRONG_CARD = "card token"
    LIVE_KEY = "live key"
    ADDRESS = "address"
    MERCHANT = "merchant"
    ACTION = "action"
    MALFORMED = "malformed"
    TOO_LARGE = "too large"
    APM_SALE = "S2S APM sale"
    APM_CAPTURE = "S2S APM capture"
    APM_CREDITVOID = "S2S APM release or refund"
    APM_VOID = "S2S APM void"
    APM_STATUS = "S2S APM look-up"
    APM_PAYOUT = "S2S APM payout"
    APM_FIELDS = "S2S APM fields"
    BRAND = "brand"
    CHECKOUT_STATUS = "Checkout look-up"
    CHECKOUT_CAPTURE = "Checkout capture"
    CHECKOUT_VOID = "Checkout void"
    CHECKOUT_REFUND = "Checkout refund"
    CHECKOUT_RETRY = "Checkout retry"
    CHECKOUT_RECURRING = "Checkout secondary charge"
    CHECKOUT_CREDIT = "Checkout card credit"
    CHECKOUT_FIELDS = "Checkout payment fields"
    HOSTED_SESSION = "hosted fields session"
    HOSTED_PAYMENT = "hosted fields payment"
    HOSTED_FIELDS = "hosted fields data"
    NOT_FOUND = "not found"
    STATE = "state"
    ROUTE = "route"
    NOWHERE = "nowhere"
    METHOD = "method"
    BREAKDOWN = "breakdown"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is refused; ``violations`` are pairs of field path and text."""

    kind: Kind
    message: str
    code: int | str = 100000
    status: int = 400
    violations: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer before it is written out; ``listed`` are the objects of an answer that is an array."""

    kind: Kind
    status: int
    body: dict[str, object]
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    text: str | None = None
    delay: float = 0.0
    sized: bool = True
    listed: tuple[dict[str, object], ...] | None = None

    @property
    def is_error(self) -> bool:
        """Whether the answer is a refusal in the envelope of errors."""
        return self.body.get("result") == "ERROR"


_ABOVE_ZERO: Final = "This value should be greater than 0"
_PAYS: Final = frozenset({Kind.FIELDS, Kind.SALE_FIELDS, Kind.CARD_FIELDS, Kind.APM_FIELDS})
"""Refusals of requests that ask for a payment."""

Filter = Callable[[Reply], Reply]
ItemShape = Callable[[str, str], object]
Writer = Callable[[dict[str, object]], str]


def object_item(path: str, text: str) -> object:
    """An item of errors: code, and a message that starts with the path of the field."""
    return {"error_code": 100000, "error_message": item_text(path, text)}


def item_text(path: str, text: str) -> str:
    """The message of one violation, with the contract's literal name of the amount where it gives one."""
    if path.endswith("amount") and text.startswith(_ABOVE_ZERO):
        path = "amount"
    return f"{path}: {text}"


def compact(body: dict[str, object]) -> str:
    """JSON without blanks."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Answers:
    """How answers look: shape of the items of errors, writing, filters that every answer passes, and compression."""

    item: ItemShape = object_item
    write: Writer = compact
    zero_in_message: bool = True
    filters: tuple[Filter, ...] = field(default=())
    compressed: bool = False

    def refuse(self, refusal: Refusal) -> Reply:
        """The answer to a request that is refused."""
        body: dict[str, object] = {
            "result": "ERROR",
            "error_code": refusal.code,
            "error_message": self._zero_text(refusal) or refusal.message,
        }
        if refusal.violations:
            body["errors"] = [self.item(path, text) for path, text in refusal.violations]
        return Reply(refusal.kind, refusal.status, body)

    def _zero_text(self, refusal: Refusal) -> str:
        """The text that the contract lists as the message where an amount of nothing is all that is wrong."""
        if not self.zero_in_message or refusal.kind not in _PAYS or len(refusal.violations) != 1:
            return ""
        text = item_text(*refusal.violations[0])
        return text if text.startswith(f"amount: {_ABOVE_ZERO}") else ""

    def written(self, reply: Reply) -> str:
        """The text of an answer."""
        if reply.text is not None:
            return reply.text
        if reply.listed is not None:
            return f"[{','.join(map(self.write, reply.listed))}]"
        return self.write(reply.body)

    def finish(self, reply: Reply) -> Reply:
        """The answer after every filter."""
        for change in self.filters:
            reply = change(reply)
        return reply

    def adding(self, *filters: Filter) -> "Answers":
        """The same with further filters."""
        return replace(self, filters=(*self.filters, *filters))


def breakdown() -> Reply:
    """What a server that lost its way answers; only faults lead here."""
    return Reply(Kind.BREAKDOWN, 500, {}, content_type="text/plain", text="Internal Server Error")
