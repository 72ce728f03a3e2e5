"""Faults of another author that the suite did not notice at first (set N), and others of their classes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Final

from emulator.changes.checkout import around as around_checkout
from emulator.changes.checkout import instead as instead_of_checkout
from emulator.changes.s2s_apm import around
from emulator.changes.s2s_card import instead, post
from emulator.design import Change, Design
from emulator.engine.calendar import Terms
from emulator.engine.payments import Payment, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.recurring import find_chain
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.captures_and_refunds import capture, void
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.protocols.s2s_card.stages import find_initial
from emulator.wire.replies import Refusal, Reply
from emulator.wire.values import Object

Act = Callable[[CardAttempt], Reply]
Handler = Callable[[PostAttempt], Reply]

_NEW: Final = "6.7.0"
_COMPARED: Final = 32  # of the 36 signs of an id


def _is_alike(sent: str, own: str) -> bool:
    return len(sent) == len(own) and sent[:_COMPARED] == own[:_COMPARED]


def _end_of_card(name: str) -> Change:
    """Of one of the two ids of a chain the last signs are not compared."""

    def lenient(attempt: CardAttempt) -> Refusal | None:
        sent = attempt.form
        for started in attempt.gateway.payments.all():
            whole = {"recurring_first_trans_id": started.trans_id, "recurring_token": started.recurring_token}
            others_are_right = all(sent.get(other) == value for other, value in whole.items() if other != name)
            if others_are_right and _is_alike(sent.get(name, ""), whole[name]):
                attempt.form = {**sent, **whole}
        refusal = find_initial(attempt)
        attempt.form = sent
        return refusal

    return instead(find_initial, lenient, "RECURRING_SALE", "RECURRING_DEBIT")


def _end_of_checkout(name: str) -> Change:
    """The same for Checkout."""

    def lenient(attempt: PostAttempt) -> Refusal | None:
        sent: Object = attempt.body
        for started in attempt.gateway.payments.all():
            whole: Object = {"recurring_init_trans_id": started.trans_id, "recurring_token": started.recurring_token}
            others_are_right = all(sent.get(other) == value for other, value in whole.items() if other != name)
            if others_are_right and _is_alike(str(sent.get(name) or ""), str(whole[name])):
                refusal = find_chain(whole_one := replace(attempt, body={**sent, **whole}))
                attempt.payment = whole_one.payment
                return refusal
        return find_chain(attempt)

    return instead_of_checkout(find_chain, lenient, "recurring")


def _as_if_answered(
    action: str, change: Callable[[CardAttempt], Reply], is_meant: Callable[[Payment], bool], found: State
) -> Change:
    """A payment whose payer is still at the challenge is changed as if that had been passed."""

    def act(attempt: CardAttempt) -> Reply:
        payment = attempt.payment
        if payment is not None and is_meant(payment) and attempt.gateway.card.is_away(payment):
            payment.state = found
        return change(attempt)

    return post(action, perform=act)


def _is_authorization(payment: Payment) -> bool:
    return payment.intended is State.AUTHORIZED


def _is_debit(payment: Payment) -> bool:
    return payment.action == "DEBIT"


def _starts_a_chain(payment: Payment) -> bool:
    return record_of(payment).recurring


def _first_amount(is_meant: Callable[[Payment], bool]) -> Change:
    """A charge is of the amount of the first payment of its chain, whatever its request says."""

    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        initial, order = attempt.payment, attempt.body.get("order")
        if initial is None or not isinstance(order, Mapping) or not is_meant(initial):
            return handler(attempt)
        body: Object = {**attempt.body, "order": {**order, "amount": initial.amount_text}}
        return handler(replace(attempt, body=body))

    return around_checkout(act, "recurring")


def _first_said(design: Design) -> Design:
    """All payers of a schedule are first charged as it was when the first of them came."""
    inner = design.schedules.first_due
    said: dict[int, tuple[Terms, Terms]] = {}

    def due(terms: Terms, start: datetime, day: date | None) -> datetime:
        # The terms of a schedule stay one object, whatever changes in them; kept, so that no other gets its id.
        _, first = said.setdefault(id(terms), (terms, dict(terms)))
        return inner(first, start, day)

    return design.in_schedules(first_due=due)


def _settled_once_decided(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    """What is undefined at first is forgotten to be held."""
    reply = handler(attempt, gateway)
    if reply.body.get("result") == "UNDEFINED" and attempt.account is not None:
        payment = gateway.payments.find(attempt.account, str(reply.body.get("trans_id")))
        if payment is not None:
            payment.intended = State.SETTLED
    return reply


_ENDS: Final[tuple[tuple[str, str, str, Callable[[str], Change], str | None], ...]] = (
    ("n-end-of-recurring-token-is-not-compared", "S2C-REC-14", "recurring_token", _end_of_card, None),
    ("n-end-of-token-of-a-debit-is-not-compared", "S2C-REC-22", "recurring_token", _end_of_card, _NEW),
    ("n-end-of-first-trans-id-is-not-compared", "S2C-REC-13", "recurring_first_trans_id", _end_of_card, None),
    ("n-checkout-end-of-recurring-token-is-not-compared", "CHK-REC-06", "recurring_token", _end_of_checkout, None),
    (
        "n-checkout-end-of-first-id-is-not-compared",
        "CHK-REC-07",
        "recurring_init_trans_id",
        _end_of_checkout,
        None,
    ),
)

FAULTS: Final = faults(
    {
        slug: breaks(
            requirement, f"The last signs of {name} are not compared (lines 337 and 445).", change(name), since=since
        )
        for slug, requirement, name, change, since in _ENDS
    }
    | {
        **{
            f"n-checkout-charges-the-first-amount-{slug}": breaks(
                "CHK-REC-15",
                f"A charge of a chain that {words} is of the amount of that, and not of its request's (line 337).",
                _first_amount(is_meant),
                since=since,
            )
            for slug, words, is_meant, since in (
                ("of-a-purchase", "a purchase began", lambda first: first.action != "debit" and first.amount > 0, None),
                ("of-a-debit", "a debit began", lambda first: first.action == "debit", _NEW),
                ("of-nothing", "an amount of nothing began", lambda first: first.amount == 0, _NEW),
            )
        },
        "n-update-misses-the-next-payers": breaks(
            "S2C-SCH-31",
            "An UPDATE_SCHEDULE of the first interval has no effect on payers who come after it (lines 359 and 300).",
            _first_said,
            since=_NEW,
        ),
        "n-apm-undefined-authorization-settles": breaks(
            "APM-AUT-01",
            "A SALE with auth=Y that is undefined at first is settled, and not held, once it is decided (line 369).",
            around(_settled_once_decided, "SALE"),
            since=_NEW,
        ),
        "n-challenged-authorization-is-captured": breaks(
            "S2C-CAP-13",
            "CAPTURE settles an authorization whose payer is still at the challenge (lines 315 and 455).",
            _as_if_answered("CAPTURE", capture, _is_authorization, State.AUTHORIZED),
        ),
        "n-challenged-chain-is-captured": breaks(
            "S2C-CAP-13",
            "CAPTURE settles the first payment of a chain whose payer is still at the challenge (lines 315 and 455).",
            _as_if_answered("CAPTURE", capture, _starts_a_chain, State.AUTHORIZED),
        ),
        "n-challenged-authorization-is-voided": breaks(
            "S2C-VOI-08",
            "VOID takes back an authorization whose payer is still at the challenge (line 318).",
            _as_if_answered("VOID", void, _is_authorization, State.SETTLED),
        ),
        "n-challenged-debit-is-voided": breaks(
            "S2C-VOI-08",
            "VOID takes back a debit whose payer is still at the challenge (line 318).",
            _as_if_answered("VOID", void, _is_debit, State.SETTLED),
            since=_NEW,
        ),
    }
)
