"""Faults of S2S CARD schedules that show for one kind of payer only, or where one thing follows another.

Numbers of lines are those of the interface description.
"""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.s2s_card import around
from emulator.design import Change, Design
from emulator.engine.payments import Payment, State
from emulator.engine.schedules import Subscription
from emulator.faults.model import Fault, breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.protocols.s2s_card.charging import amount_of, charge_by_schedule
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.wire.replies import Reply

_NEW: Final = "6.7.0"
Is = Callable[[Payment], bool]

_KINDS: Final[dict[str, Is]] = {
    "debit": lambda first: first.action == "DEBIT",
    "challenged-debit": lambda first: first.action == "DEBIT" and record_of(first).challenged,
    "token": lambda first: record_of(first).by_token,
    "wallet": lambda first: bool(record_of(first).wallet),
    "challenge": lambda first: first.action == "SALE" and record_of(first).challenged,
    "redirect": lambda first: bool(record_of(first).challenge) and not record_of(first).challenged,
    "capture": lambda first: first.intended is State.AUTHORIZED,
    "nothing": lambda first: first.amount == 0,
    "no-decimals": lambda first: first.currency == "JPY",
    "three-decimals": lambda first: first.currency == "BHD",
}
"""What started a schedule."""
_WITH_TERMS: Final[dict[str, Callable[[CardAttempt], bool]]] = {
    "token": lambda attempt: bool(attempt.form.get("card_token")),
    "wallet": lambda attempt: bool(attempt.form.get("payment_token")),
    "challenge": lambda attempt: _goes_to(attempt) is State.CHALLENGED,
    "redirect": lambda attempt: _goes_to(attempt) is State.REDIRECTED,
    "capture": lambda attempt: attempt.form.get("auth") == "Y",
    "nothing": lambda attempt: amount_of(attempt.form.get("order_amount", "")) == 0,
}
"""The kinds that name day and amount of the charges, by what is sent."""


def _goes_to(attempt: CardAttempt) -> State | None:
    number, month, year = (attempt.form.get(f"card_{name}", "") for name in ("number", "exp_month", "exp_year"))
    return attempt.behaviour.outcome(number, month, year).challenge


def _over_like(is_one: Is, seen: Callable[[Subscription], Subscription]) -> Change:
    """Whether a schedule is over for its payer is judged as if the payer's charges were others."""

    def change(design: Design) -> Design:
        inner = design.schedules.is_over
        return design.in_schedules(is_over=lambda one: inner(seen(one) if is_one(one.initial) else one))

    return change


def _countless(is_one: Is) -> Change:
    return _over_like(is_one, lambda one: replace(one, made=0))


def _never_ended(is_one: Is) -> Change:
    return _over_like(is_one, lambda one: replace(one, ended=False))


def _never_charged(is_one: Is) -> Change:
    def change(design: Design) -> Design:
        inner = design.schedules.may_charge
        return design.in_schedules(may_charge=lambda one: inner(one) and not is_one(one.initial))

    return change


def _half(text: str) -> str:
    return str((Decimal(text) / 2).quantize(Decimal(text)))


def _of_another_amount(is_one: Is) -> Change:
    """The schedule charges the first amount in place of its own, and half of it where there is none."""

    def change(design: Design) -> Design:
        inner = design.card.scheduled_amount

        def amount(initial: Payment) -> str:
            if not is_one(initial):
                return inner(initial)
            return initial.amount_text if record_of(initial).schedule_amount else _half(initial.amount_text)

        return design.in_card(scheduled_amount=amount)

    return change


def _start_forgotten(is_one: Callable[[CardAttempt], bool]) -> Change:
    def act(perform: Perform, attempt: CardAttempt) -> Reply:
        if is_one(attempt):
            kept = {name: value for name, value in attempt.form.items() if name != "schedule_start_date"}
            attempt = replace(attempt, form=kept)
        return perform(attempt)

    return around(act, "SALE")


def _charged_unpaid(is_one: Is) -> Change:
    """A schedule begins with the request, and goes on for as long as the payment is one of these."""

    def change(design: Design) -> Design:
        begun: list[Subscription] = []
        inner = design.schedules.is_over

        def act(perform: Perform, attempt: CardAttempt) -> Reply:
            reply, gateway, account = perform(attempt), attempt.gateway, attempt.account
            trans_id = str(reply.body.get("trans_id", ""))
            payment = gateway.payments.find(account, trans_id) if account is not None and trans_id else None
            if payment is not None and attempt.schedule is not None and record_of(payment).recurring:
                # A payment that was paid at once is none of these when its first charge falls due.
                charge = lambda one: charge_by_schedule(gateway, one.initial)  # noqa: E731 - the type of a field
                begun.append(gateway.schedules.start(payment, attempt.schedule, None, charge))
            return reply

        def is_over(subscription: Subscription) -> bool:
            is_extra = any(one is subscription for one in begun)
            return inner(subscription) or (is_extra and not is_one(subscription.initial))

        return around(act, "SALE", "DEBIT")(design.in_schedules(is_over=is_over))

    return change


def _kept_while_paused(action: str) -> Change:
    def change(design: Design) -> Design:
        kept: set[str] = set()
        inner = design.schedules.is_over

        def act(perform: Perform, attempt: CardAttempt) -> Reply:
            if attempt.schedule is not None and attempt.schedule.paused:
                kept.add(attempt.form.get("recurring_token", ""))
            return perform(attempt)

        def is_over(one: Subscription) -> bool:
            goes_on = one.initial.action == action and one.initial.recurring_token in kept
            return inner(replace(one, ended=False) if goes_on else one)

        return around(act, "DESCHEDULE")(design.in_schedules(is_over=is_over))

    return change


def _descheduled_by_all(perform: Perform, attempt: CardAttempt) -> Reply:
    identifier, schedules = attempt.form.get("schedule_id", ""), attempt.gateway.schedules
    for account in ACCOUNTS:
        schedule = schedules.find(account, identifier) if attempt.schedule is not None else None
        if schedule is not None and schedule is not attempt.schedule:
            schedules.end(schedule, attempt.form.get("recurring_token", ""))
    return perform(attempt)


def _revived(perform: Perform, attempt: CardAttempt) -> Reply:
    account, identifier = attempt.account, attempt.form.get("schedule_id", "").lower()
    old = attempt.gateway.schedules.of(account, identifier) if account is not None else None
    reply = perform(attempt)
    if old is not None and not reply.is_error:
        old.deleted = False
    return reply


def _is(action: str, state: State, name: str = "") -> Is:
    """Distinguish a payment of an action in a state, which the payer was sent away for in some way, or in none."""
    away = {"challenge": State.CHALLENGED, "redirect": State.REDIRECTED}.get(name)

    def is_one(payment: Payment) -> bool:
        record = record_of(payment)
        went = (State.CHALLENGED if record.challenged else State.REDIRECTED) if record.challenge else None
        return payment.action == action and payment.state is state and went is away

    return is_one


_UNPAID: Final = {
    "sale-that-is-declined": _is("SALE", State.DECLINED),
    "debit-that-is-declined": _is("DEBIT", State.DECLINED),
    "sale-whose-challenge-fails": _is("SALE", State.DECLINED, "challenge"),
    "debit-whose-challenge-fails": _is("DEBIT", State.DECLINED, "challenge"),
    "sale-declined-after-a-redirect": _is("SALE", State.DECLINED, "redirect"),
    "sale-whose-challenge-nobody-takes": _is("SALE", State.CHALLENGED, "challenge"),
    "debit-whose-challenge-nobody-takes": _is("DEBIT", State.CHALLENGED, "challenge"),
    "sale-whose-redirect-nobody-follows": _is("SALE", State.REDIRECTED, "redirect"),
}


def _of_kind(name: str, requirement: str, what: str, change: Change) -> Fault:
    needs_new = name in {"debit", "challenged-debit", "nothing"}
    return breaks(
        requirement, f"{what} (started by: {name.replace('-', ' ')}).", change, since=_NEW if needs_new else None
    )


_OF_EVERY_KIND: Final[tuple[tuple[str, str, str, Callable[[Is], Change]], ...]] = (
    ("schedule-of-{}-charges-nobody", "S2C-SCP-05", "A schedule charges nobody", _never_charged),
    ("schedule-of-{}-never-ends", "S2C-SCP-06", "payments_count ends no schedule (line 298)", _countless),
    (
        "descheduled-payer-of-{}-charged",
        "S2C-SCH-54",
        "DESCHEDULE says SUCCESS and ends nothing (line 361)",
        _never_ended,
    ),
)
"""Faults of what started a schedule: name, requirement, what is wrong, and the change."""

FAULTS: Final = faults(
    {
        **{
            slug.format(name): _of_kind(name, requirement, what, change(is_one))
            for slug, requirement, what, change in _OF_EVERY_KIND
            for name, is_one in _KINDS.items()
        },
        **{
            f"schedule-of-{name}-charges-another-amount": breaks(
                "S2C-SCP-14",
                f"A schedule charges another amount than was said (line 63; started by: {name.replace('-', ' ')}).",
                _of_another_amount(is_one),
                since=_NEW,
            )
            for name, is_one in _KINDS.items()
        },
        **{
            f"schedule-start-date-of-{name}-forgotten": breaks(
                "S2C-SCP-10",
                f"schedule_start_date counts for nothing (line 62; named by: {name}).",
                _start_forgotten(is_one),
                since=_NEW,
            )
            for name, is_one in _WITH_TERMS.items()
        },
        **{
            f"schedule-charges-payer-of-{name}": breaks(
                "S2C-SCP-21",
                f"A schedule charges the payer of a {name.replace('-', ' ')} (line 60).",
                _charged_unpaid(is_one),
                since=_NEW if name.startswith("debit") else None,
            )
            for name, is_one in _UNPAID.items()
        },
        **{
            f"deschedule-of-paused-{action.lower()}-has-no-effect": breaks(
                "S2C-SCH-54",
                f"DESCHEDULE of a paused schedule says SUCCESS, and RUN charges the payer of a {action} (line 361).",
                _kept_while_paused(action),
                since=_NEW if action == "DEBIT" else None,
            )
            for action in ("SALE", "DEBIT")
        },
        "deschedule-reaches-namesake-of-another": breaks(
            "S2C-SCH-56",
            "DESCHEDULE takes a payer off another merchant's schedule that has the same id (line 361).",
            around(_descheduled_by_all, "DESCHEDULE"),
        ),
        "schedule-created-again-charges-old-payers": breaks(
            "S2C-SCP-07",
            "CREATE_SCHEDULE with the id of a deleted schedule lets that one charge again (line 360).",
            around(_revived, "CREATE_SCHEDULE"),
        ),
    }
)
