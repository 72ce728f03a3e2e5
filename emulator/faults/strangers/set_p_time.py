"""Faults of another author that the suite did not notice at first (set P), on time, and others of their class."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from emulator.changes import checkout, s2s_card
from emulator.changes.s2s_apm import around, payment_made
from emulator.changes.s2s_apm_payments import HELD, SINCE_AUTH
from emulator.design import Change, Design
from emulator.engine.clock import Clock
from emulator.engine.moves import Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.outcomes import decline
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.rules.s2s_apm.brands import BANK_REPORTS
from emulator.wire.replies import Reply

_EXPIRED: Final = "The QR code expired"
_VALID: Final = 60.0
_NEVER: Final = 10.0**9


# --- codes ---


def _by_one_timer(is_over: Callable[[float, float], bool]) -> Change:
    """When a code ends depends on the ages of the youngest and the oldest open code of its merchant."""

    def change(design: Design) -> Design:
        seconds = design.apm.qr_seconds
        made: dict[str, list[tuple[Payment, float]]] = {}

        def selling(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
            reply = handler(attempt, gateway)
            payment = payment_made(attempt, gateway, reply)
            waits = attempt.form.get("identifier", "") not in BANK_REPORTS
            if payment is None or payment.brand != "instant-qr" or not waits:
                return reply
            codes = made.setdefault(payment.account.key, [])
            codes.append((payment, gateway.clock.seconds()))
            gateway.agenda.after(seconds, lambda: end(codes, gateway))
            return reply

        def end(codes: list[tuple[Payment, float]], gateway: ApmGateway) -> None:
            now = gateway.clock.seconds()
            codes[:] = [(payment, since) for payment, since in codes if payment.state is State.REDIRECTED]
            ages = [now - since for _, since in codes]
            for payment, _ in tuple(codes):
                if is_over(min(ages), max(ages)):
                    decline(gateway, payment, _EXPIRED)

        own = design.in_apm(qr_seconds=_NEVER)
        return around(selling, "SALE")(own)

    return change


def _with_the_newest(newest: float, _oldest: float) -> bool:
    return newest >= _VALID


def _with_the_oldest(_newest: float, oldest: float) -> bool:
    return oldest >= _VALID


# --- payments ---


def _becomes(before: State, after: State, days: int) -> Callable[[Payment | None, Clock], None]:
    """A payment is found in another state once it is some days old."""

    def look(payment: Payment | None, clock: Clock) -> None:
        if payment is None or payment.state is not before:
            return
        if clock.now() - payment.created > timedelta(days=days):
            payment.state = after

    return look


def _apm(before: State, after: State, days: int) -> Change:
    look = _becomes(before, after, days)

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        look(attempt.payment, gateway.clock)
        return handler(attempt, gateway)

    return around(act, "GET_TRANS_STATUS", "CAPTURE", "CREDITVOID", "VOID")


def _card(before: State, after: State, days: int) -> Change:
    look = _becomes(before, after, days)

    def act(perform: Perform, attempt: CardAttempt) -> Reply:
        look(attempt.payment, attempt.gateway.clock)
        return perform(attempt)

    return s2s_card.around(act, "GET_TRANS_STATUS")


def _checkout(before: State, after: State, days: int) -> Change:
    look = _becomes(before, after, days)

    def act(handler: Callable[[PostAttempt], Reply], attempt: PostAttempt) -> Reply:
        for payment in attempt.gateway.payments.all():
            if payment.protocol is Protocol.CHECKOUT:
                look(payment, attempt.gateway.clock)
        return handler(attempt)

    return checkout.around(act, "status")


def _old_ones_refused(action: str) -> Change:
    """An action on an authorization that is older than a week is refused, though that is PENDING."""

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        payment = attempt.payment
        if payment is None or not HELD(payment) or gateway.clock.now() - payment.created < timedelta(days=6):
            return handler(attempt, gateway)
        return gateway.answers.refuse(gateway.apm.obstacle_refusals[action, Obstacle.WRONG_STATE])

    return around(act, action)


FAULTS: Final = faults(
    {
        "p-apm-another-code-prolongs-the-minute": breaks(
            "APM-QRC-09",
            "A second code of the merchant keeps the first one alive: all have one timer (lines 235 and 485).",
            _by_one_timer(_with_the_newest),
        ),
        "p-apm-codes-end-with-the-oldest": breaks(
            "APM-QRC-04",
            "When a code of the merchant ends, those that are younger end with it (lines 235 and 485).",
            _by_one_timer(_with_the_oldest),
        ),
        **{
            f"p-apm-hold-{words}-after-{when}": breaks(
                "APM-AUT-06",
                f"An authorization {words.replace('-', ' ')} by itself after {when.replace('-', ' ')} (line 316).",
                _apm(State.AUTHORIZED, after, days),
                since=SINCE_AUTH,
            )
            for words, after, when, days in (
                ("lapses", State.RELEASED, "a-week", 6),
                ("lapses", State.RELEASED, "four-weeks", 28),
                ("settles", State.SETTLED, "a-week", 6),
            )
        },
        **{
            f"p-apm-{action.lower()}-of-an-old-hold-is-refused": breaks(
                requirement,
                f"{action} of an authorization that is older than a week is refused (line {line}).",
                _old_ones_refused(action),
                since=SINCE_AUTH,
            )
            for action, requirement, line in (("CAPTURE", "APM-CAP-01", 316), ("CREDITVOID", "APM-CVD-01", 317))
        },
        **{
            f"p-{protocol}-{words}-after-{when}": breaks(
                requirement,
                f"A payment is found changed after {when.replace('-', ' ')}: {words.replace('-', ' ')} (line 309).",
                made(before, after, days),
            )
            for protocol, made, requirements in (
                ("apm", _apm, ("APM-STA-03", "APM-STA-02")),
                ("card", _card, ("S2C-STA-03", "S2C-STA-02")),
                ("checkout", _checkout, ("CHK-TRN-02", "CHK-TRN-01")),
            )
            for requirement, words, when, before, after, days in (
                (requirements[0], "declined-one-settles", "a-week", State.DECLINED, State.SETTLED, 6),
                (requirements[1], "settled-one-is-declined", "four-weeks", State.SETTLED, State.DECLINED, 28),
            )
        },
    }
)
