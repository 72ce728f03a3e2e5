"""Schedules of recurring payments, and the subscriptions that they charge, on the gateway's agenda."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Final

from emulator.accounts import ACCOUNTS, SCHEDULE_DELAYED, SCHEDULE_ID, Account
from emulator.engine.agenda import Agenda, Later, by_the_clock
from emulator.engine.calendar import Terms, anchor_day, first_due, following_due, number
from emulator.engine.payments import Payment

_KEPT: Final = 20_000
_ON_FILE: Final[Terms] = {
    "name": "Monthly",
    "interval_length": "1",
    "interval_unit": "month",
    "payments_count": "12",
    "delayed_first_payment": "none",
}
_DELAYED: Final[Terms] = {
    **_ON_FILE,
    "name": "Monthly, two weeks later",
    "delayed_first_payment": "by_interval",
    "first_payment_interval_length": "14",
    "first_payment_interval_unit": "day",
}


@dataclass(slots=True)
class Schedule:
    """A schedule: ``owner`` is the key of its merchant, ``terms`` what it says, by the names and values as given.

    ``created`` is ``None`` of one that was there from the start.
    """

    id: str
    owner: str
    terms: dict[str, str]
    created: datetime | None = None
    paused: bool = False
    deleted: bool = False


@dataclass(slots=True)
class Subscription:
    """A payer who is charged by a schedule: what started it, when the next charge is due, and how many were made.

    ``charge`` makes one payment. ``waiting`` says that a charge fell due while the schedule was paused.
    """

    initial: Payment
    schedule: Schedule
    due: datetime
    anchor: int
    charge: Callable[["Subscription"], None]
    made: int = 0
    waiting: bool = False
    ended: bool = False


OwnsSchedule = Callable[[Account, Schedule], bool]


def same_owner(account: Account, schedule: Schedule) -> bool:
    """A schedule belongs to the merchant who created it."""
    return schedule.owner == account.key


def may_charge(subscription: Subscription) -> bool:
    """Whether a charge that falls due is made."""
    return not subscription.schedule.paused


def is_over(subscription: Subscription) -> bool:
    """Whether no further charge follows: cancelled, or as many made as there should be; 0 stands for no end."""
    count = number(subscription.schedule.terms, "payments_count", 0)
    return subscription.ended or subscription.schedule.deleted or 0 < count <= subscription.made


@dataclass(frozen=True, slots=True)
class ScheduleRules:
    """When charges fall due, and which of them are made; faults replace them."""

    first_due: Callable[[Terms, datetime, date | None], datetime] = first_due
    following_due: Callable[[Terms, datetime, int], datetime] = following_due
    anchor_day: Callable[[Terms, datetime, datetime], int] = anchor_day
    may_charge: Callable[[Subscription], bool] = may_charge
    is_over: Callable[[Subscription], bool] = is_over
    owns: OwnsSchedule = same_owner
    later: Later = by_the_clock


@dataclass(slots=True)
class ScheduleBook:
    """The schedules of all merchants and their subscriptions."""

    agenda: Agenda
    behaviour: ScheduleRules
    _schedules: OrderedDict[tuple[str, str], Schedule] = field(default_factory=OrderedDict)
    _subscriptions: list[Subscription] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Give every account the schedules that are there from the start."""
        for account in ACCOUNTS:
            self.add(Schedule(SCHEDULE_ID, account.key, dict(_ON_FILE)))
            self.add(Schedule(SCHEDULE_DELAYED, account.key, dict(_DELAYED)))

    def add(self, schedule: Schedule) -> None:
        """Remember a schedule; the oldest are forgotten."""
        self._schedules[schedule.owner, schedule.id] = schedule
        if len(self._schedules) > _KEPT:
            self._schedules.popitem(last=False)

    def find(self, account: Account, identifier: str) -> Schedule | None:
        """The merchant's schedule with this id, in any spelling of its letters, unless it was deleted."""
        wanted = identifier.lower()
        own = self._schedules.get((account.key, wanted))
        for schedule in (own,) if own is not None else self._schedules.values():
            if schedule.id == wanted and not schedule.deleted and self.behaviour.owns(account, schedule):
                return schedule
        return None

    def of(self, account: Account, identifier: str) -> Schedule | None:
        """The schedule that the merchant has, or had, under an id."""
        return self._schedules.get((account.key, identifier))

    def start(
        self, initial: Payment, schedule: Schedule, day: date | None, charge: Callable[[Subscription], None]
    ) -> Subscription:
        """Let a schedule charge the payer of an initial payment; ``day`` is the first day where one was asked for."""
        now = self.agenda.clock.now()
        due = self.behaviour.first_due(schedule.terms, now, day)
        subscription = Subscription(initial, schedule, due, self.behaviour.anchor_day(schedule.terms, now, due), charge)
        self._subscriptions = [kept for kept in self._subscriptions[-_KEPT:] if not self.behaviour.is_over(kept)]
        self._subscriptions.append(subscription)
        self._await(subscription)
        return subscription

    def run(self, schedule: Schedule) -> None:
        """Let a paused schedule go on; charges that fell due meanwhile follow one interval from now."""
        schedule.paused = False
        for subscription in self._of(schedule):
            if subscription.waiting:
                subscription.waiting = False
                subscription.due = self.behaviour.following_due(
                    schedule.terms, self.agenda.clock.now(), subscription.anchor
                )
                self._await(subscription)

    def end(self, schedule: Schedule | None, recurring_token: str) -> bool:
        """End the subscription of a recurring token, to any schedule for None; report whether there was one."""
        found = [one for one in self._of(schedule) if one.initial.recurring_token == recurring_token]
        for subscription in found:
            subscription.ended = True
        return bool(found)

    def _of(self, schedule: Schedule | None) -> Iterator[Subscription]:
        running = (one for one in self._subscriptions if not self.behaviour.is_over(one))
        return (one for one in running if schedule is None or one.schedule is schedule)

    def _await(self, subscription: Subscription) -> None:
        seconds = (subscription.due - self.agenda.clock.now()).total_seconds()
        self.behaviour.later(self.agenda, seconds, lambda: self._fall_due(subscription))

    def _fall_due(self, subscription: Subscription) -> None:
        if self.behaviour.is_over(subscription):
            return
        if not self.behaviour.may_charge(subscription):
            subscription.waiting = True
            return
        subscription.made += 1
        subscription.charge(subscription)
        if not self.behaviour.is_over(subscription):
            subscription.due = self.behaviour.following_due(
                subscription.schedule.terms, subscription.due, subscription.anchor
            )
            self._await(subscription)
