"""Faults of another author that the suite did not notice at first (set Q), and others of their classes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from emulator.changes.checkout import NOTICES as OF_CHECKOUT
from emulator.changes.s2s_apm import around as around_apm
from emulator.changes.s2s_card import NOTICES as OF_CARD
from emulator.changes.s2s_card import around, instead
from emulator.design import Change, Design, all_of
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.protocols.s2s_card.stages import find_payment
from emulator.rules.amounts import is_zero
from emulator.wire.replies import Kind, Refusal, Reply

_NEW: Final = "6.7.0"
_KEPT_SECONDS: Final = 30.0
_MINUTE: Final = 60.0
_HOURS: Final = 3 * 3600.0
_CHAIN: Final = ("recurring_token", "recurring_init_trans_id")
_PAYMENT: Final = Refusal(Kind.NOT_FOUND, "Payment not found.")
_TRANSACTION: Final = Refusal(Kind.NOT_FOUND, "Transaction does not exist.", code=101000)


def _not_after_a_decline(*names: str) -> Change:
    """Callbacks of an order whose payer was declined once lack members."""

    def change(design: Design) -> Design:
        declined: set[str] = set()

        def is_later(notice: Notice) -> bool:
            order = notice.payment.order_number
            if notice.payment.state is State.DECLINED:
                declined.add(order)
            return order in declined

        return OF_CHECKOUT.lacking(is_later, *names)(design)

    return change


def _with_an_amount(refusal: Refusal, action: str) -> Change:
    """What is asked with an amount about nothing is refused in other words."""

    def stage(attempt: CardAttempt) -> Refusal | None:
        refused = find_payment(attempt)
        return refusal if refused is not None and attempt.form.get("amount") else refused

    return instead(find_payment, stage, action)


def _no_chain_of_nothing(action: str) -> Change:
    """A first payment of nothing settles, and starts no chain."""

    def act(perform: Perform, attempt: CardAttempt) -> Reply:
        reply = perform(attempt)
        if not is_zero(attempt.form.get("order_amount", "")) or attempt.account is None:
            return reply
        payment = attempt.gateway.payments.find(attempt.account, str(reply.body.get("trans_id", "")))
        if payment is not None:
            payment.recurring_token = ""
        return replace(reply, body={name: value for name, value in reply.body.items() if name != "recurring_token"})

    def is_of_nothing(notice: Notice) -> bool:
        return notice.payment.action == action and not notice.payment.amount

    return all_of(around(act, action), OF_CARD.lacking(is_of_nothing, *_CHAIN))


def _declined_and_payable(design: Design) -> Design:
    """Look-ups call a code declined once its minute is over, and the bank goes on taking it."""

    def look_up(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        reply, payment = handler(attempt, gateway), attempt.payment
        is_open = payment is not None and payment.state is State.REDIRECTED and payment.brand == "instant-qr"
        if payment is None or not is_open or (gateway.clock.now() - payment.created).total_seconds() < _MINUTE:
            return reply
        return replace(reply, body={**reply.body, "status": "DECLINED", "decline_reason": "The QR code expired"})

    return around_apm(look_up, "GET_TRANS_STATUS")(design.in_apm(qr_seconds=_HOURS))


def _from_a_cache(design: Design) -> Design:
    """A look-up of an open code is repeated for half a minute, whatever the bank reports."""
    known: dict[str, tuple[float, Reply]] = {}

    def look_up(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        payment, now = attempt.payment, gateway.clock.seconds()
        if payment is None or payment.brand != "instant-qr":
            return handler(attempt, gateway)
        asked, before = known.get(payment.id, (now - _KEPT_SECONDS, Reply(Kind.APM_STATUS, 200, {})))
        if now - asked < _KEPT_SECONDS:
            return before
        reply = handler(attempt, gateway)
        if payment.state is State.REDIRECTED:
            known[payment.id] = now, reply
        return reply

    return around_apm(look_up, "GET_TRANS_STATUS")(design)


_OF_NOTHING: Final[Mapping[str, str]] = {"SALE": "S2C-REC-01", "DEBIT": "S2C-DEB-06"}

FAULTS: Final = faults(
    {
        "q-checkout-token-lost-after-a-decline": breaks(
            "CHK-TOK-01",
            "Callbacks of a payer who was declined before have no card_token (lines 57 and 419).",
            _not_after_a_decline("card_token"),
        ),
        "q-checkout-chain-lost-after-a-decline": breaks(
            "CBK-ATT-24",
            "Callbacks of a payer who was declined before have no recurring_token (line 60).",
            _not_after_a_decline(*_CHAIN),
        ),
        "q-card-capture-of-a-part-of-nothing-in-other-words": breaks(
            "S2C-CAP-15",
            "CAPTURE of an unknown trans_id with an amount is refused with Payment not found (line 450).",
            _with_an_amount(_PAYMENT, "CAPTURE"),
            since=_NEW,
        ),
        "q-card-creditvoid-of-a-part-of-nothing-in-other-words": breaks(
            "S2C-CVD-14",
            "CREDITVOID of an unknown trans_id with an amount is refused with 101000 (line 443).",
            _with_an_amount(_TRANSACTION, "CREDITVOID"),
            since=_NEW,
        ),
        **{
            f"q-card-{action.lower()}-of-nothing-starts-no-chain": breaks(
                requirement,
                f"{action} with recurring_init=Y and an amount of zero settles without a recurring_token (line 496).",
                _no_chain_of_nothing(action),
                since=_NEW,
            )
            for action, requirement in _OF_NOTHING.items()
        },
        "q-apm-declined-code-is-paid": breaks(
            "APM-QRC-09",
            "A code whose minute is over is called DECLINED, and settles when its payer confirms it (line 485).",
            _declined_and_payable,
        ),
        "q-apm-look-up-of-a-code-from-a-cache": breaks(
            "APM-QRC-05",
            "GET_TRANS_STATUS of a code repeats its answer for half a minute, though the bank has reported (line 235).",
            _from_a_cache,
        ),
    }
)
