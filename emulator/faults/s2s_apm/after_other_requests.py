"""Faults of S2S APM: what a refused request leaves behind, what is cached, rounded, cut or lost on the way."""

from collections.abc import Callable
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from emulator.changes.s2s_apm import NOTICES, answering, around
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Fields
from emulator.engine.duplicates import WindowRule
from emulator.engine.moves import Move
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.wire.replies import Kind, Reply
from emulator.wire.values import Object

_AT: Final = 64
_SINCE_AUTH: Final = "6.7.0"


def _leaving(before: State, after: State) -> Callable[[ApmHandler, ApmAttempt, ApmGateway], Reply]:
    """A request that is refused moves the payment all the same."""

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        reply, payment = handler(attempt, gateway), attempt.payment
        if reply.is_error and payment is not None and payment.state is before:
            payment.state = after
        return reply

    return act


def _refusal_spends(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply, payment = handler(attempt, gateway), attempt.payment
    if reply.is_error and payment is not None and payment.state is State.SETTLED:
        payment.refunded = payment.captured
    return reply


def _refused_captures_all(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply, payment = handler(attempt, gateway), attempt.payment
    if reply.is_error and payment is not None and payment.state is State.SETTLED and not payment.refunded:
        payment.captured = payment.amount
    return reply


def _rounded(move: Move) -> Change:
    """Parts of S2S APM payments are taken in whole units."""

    def changed(design: Design) -> Design:
        inner = design.moves.carry_out

        def carry_out(payment: Payment, made: Move, amount: Decimal, after: State) -> None:
            rounds = made is move and payment.protocol is Protocol.S2S_APM
            inner(payment, made, amount.quantize(Decimal(1), ROUND_HALF_UP) if rounds else amount, after)

        return replace(design, moves=replace(design.moves, carry_out=carry_out))

    return changed


def _window(key: Callable[[str, str], object]) -> Change:
    return lambda design: design.in_apm(window=WindowRule(key=key))


def _cut(body: Object) -> Object:
    number = body.get("order_id")
    return body | {"order_id": number[:_AT]} if isinstance(number, str) else body


def _cached_status(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply, payment = handler(attempt, gateway), attempt.payment
    if payment is None or reply.is_error:
        return reply
    received = payment.extras.setdefault("first_answer", reply.body)
    return replace(reply, body=received if isinstance(received, dict) else reply.body)


def _mojibake(fields: Fields) -> Fields:
    def mangled(value: object) -> object:
        if isinstance(value, dict):
            return {name: mangled(below) for name, below in value.items()}
        return value.encode().decode("latin-1") if isinstance(value, str) else value

    return {name: mangled(value) if name == "custom_data" else value for name, value in fields.items()}  # type: ignore[misc]


def _whole_as_amount(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply, payment = handler(attempt, gateway), attempt.payment
    if payment is None or "amount" not in reply.body:
        return reply
    return replace(reply, body=reply.body | {"amount": payment.amount_text})


def _rest_given_back(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """A refund of a captured part is measured by what was authorized."""
    payment = attempt.payment
    if payment is not None and payment.state is State.SETTLED and payment.captured < payment.amount:
        payment.captured = payment.amount
    return handler(attempt, gateway)


def _void_of_the_rest(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """A capture of a part leaves the rest to be captured."""
    payment, sent = attempt.payment, attempt.form.get("amount", "")
    reply = handler(attempt, gateway)
    if payment is not None and sent and not reply.is_error:
        payment.state = State.AUTHORIZED
    return reply


def _custom_of_sales(fields: Fields) -> Fields:
    lost = fields.get("result") == "DECLINED"
    return {name: value for name, value in fields.items() if name != "custom_data" or not lost}


FAULTS: Final = faults(
    {
        "refused-capture-releases": breaks(
            "APM-CAP-12",
            "A capture of too much is refused and releases the authorization.",
            around(_leaving(State.AUTHORIZED, State.RELEASED), "CAPTURE"),
            since=_SINCE_AUTH,
        ),
        "refused-void-releases": breaks(
            "APM-VOI-05",
            "A void that is refused releases the authorization.",
            around(_leaving(State.AUTHORIZED, State.RELEASED), "VOID"),
            since=_SINCE_AUTH,
        ),
        "refused-capture-captures-the-rest": breaks(
            "APM-CVD-08",
            "A second capture is refused, and all that was held can be given back.",
            around(_refused_captures_all, "CAPTURE"),
            since=_SINCE_AUTH,
        ),
        "refused-refund-spends": breaks(
            "APM-CVD-08",
            "After a refund that is refused nothing can be given back.",
            around(_refusal_spends, "CREDITVOID"),
            since=_SINCE_AUTH,
        ),
        "refused-refund-gives-back": breaks(
            "APM-CVD-08",
            "A refund of too much is refused and the payment is given back.",
            around(_leaving(State.SETTLED, State.REFUNDED), "CREDITVOID"),
            since=_SINCE_AUTH,
        ),
        "capture-rounded-to-units": breaks(
            "APM-CAP-11", "A part is captured in whole units.", _rounded(Move.CAPTURE), since=_SINCE_AUTH
        ),
        "refund-rounded-to-units": breaks(
            "APM-CVD-07", "A part is given back in whole units.", _rounded(Move.REFUND), since=_SINCE_AUTH
        ),
        "capture-answers-the-whole": breaks(
            "APM-CAP-11",
            "The capture of a part is answered with the whole amount.",
            around(_whole_as_amount, "CAPTURE"),
            since=_SINCE_AUTH,
        ),
        "refund-of-more-than-captured": breaks(
            "APM-CVD-08",
            "A refund is measured by what was authorized.",
            around(_rest_given_back, "CREDITVOID"),
            since=_SINCE_AUTH,
        ),
        "capture-of-a-part-stays-pending": breaks(
            "APM-CAP-11",
            "A payment of which a part was captured stays PENDING.",
            around(_void_of_the_rest, "CAPTURE"),
            since=_SINCE_AUTH,
        ),
        "order-ids-cut-at-64-are-duplicates": breaks(
            "APM-SAL-10",
            "Order ids that begin with the same 64 characters are duplicates of each other.",
            _window(lambda key, number: (key, number[:_AT])),
        ),
        "order-id-cut-in-answers": breaks(
            "APM-ANS-01", "Answers to SALE cut order_id at 64 characters.", answering(_cut, Kind.APM_SALE)
        ),
        "order-id-cut-in-look-ups": breaks(
            "APM-STA-06", "Look-ups cut order_id at 64 characters.", answering(_cut, Kind.APM_STATUS)
        ),
        "order-id-cut-in-payouts": breaks(
            "APM-C2V-34", "Answers to payouts cut order_id at 64 characters.", answering(_cut, Kind.APM_PAYOUT)
        ),
        "order-id-cut-in-callbacks": breaks(
            "CBK-APM-02",
            "Callbacks cut order_id at 64 characters.",
            NOTICES.fields(lambda fields: fields | {"order_id": str(fields.get("order_id", ""))[:_AT]}),
        ),
        "look-up-cached": breaks(
            "APM-VOI-02",
            "A payment is looked up once, and reported so ever after.",
            around(_cached_status, "GET_TRANS_STATUS"),
        ),
        "custom-data-in-the-wrong-charset": breaks(
            "CBK-APM-06", "custom_data come back in the wrong character set.", NOTICES.fields(_mojibake)
        ),
        "custom-data-lost-when-declined": breaks(
            "CBK-APM-06", "The callback of a declined SALE has no custom_data.", NOTICES.fields(_custom_of_sales)
        ),
        "return-url-without-query": breaks(
            "APM-ANS-07",
            "The query of return_url is lost on the way back.",
            lambda design: design.in_apm(way_back=lambda address: address.partition("?")[0]),
        ),
        "refused-by-its-payer-paid": breaks(
            "APM-STA-14",
            "A payer who refuses at the bank pays all the same.",
            lambda design: design.in_apm(approves=lambda _said: True),
        ),
        "bank-page-description-as-markup": breaks(
            "APM-SAL-37",
            "The description is written into the page of the bank as it came.",
            lambda design: design.in_apm(written=str),
        ),
    },
    prefix="apm-",
)
