"""The delivery of callbacks: at once, in order, and again where a merchant did not take one."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from typing import Final

from emulator.engine.agenda import Agenda, Later, by_the_clock
from emulator.engine.callbacks.notice import Fields, Notice, Value, as_form
from emulator.engine.callbacks.posting import NotPostedError, Poster
from emulator.engine.payments import Protocol

_LOG: Final = logging.getLogger(__name__)
_LONGEST_END_SECONDS: Final = 5.0
_ACCEPTED: Final = range(200, 300)
_HALF_A_DAY: Final = 43_200.0

Sign = Callable[[Notice], str]
Change = Callable[[Notice], list[Notice]]
Encode = Callable[[Mapping[str, Value]], tuple[str, bytes]]


def _unsigned(_notice: Notice) -> str:
    message = "no protocol has said how its callbacks are signed"
    raise LookupError(message)


def as_it_was(notice: Notice) -> list[Notice]:
    """A notice that is delivered again is the same."""
    return [notice]


def _nothing(_notice: Notice) -> list[Notice]:
    return []


def _at_once(_notice: Notice) -> float:
    return 0.0


@dataclass(frozen=True, slots=True)
class CallbackSettings:
    """How notices become callbacks.

    ``before`` and ``after`` are what each notice goes through before and after it is signed: each returns the notices
    to go on with, so that one can drop, change, or repeat it. ``signs`` says per protocol how a notice is signed.
    ``delay`` and ``delay_of`` are seconds between a notice and its callback.
    ``again`` are the seconds after which a callback that was not taken is tried again, as ``repeat`` says; ``later``
    says of which clock. ``follow_up`` is what is reported half a day later.
    ``gives_up_after``: so many seconds of the clock after the first time it is not tried again.
    ``notes_after``: real seconds until an answer is noted.
    ``in_order``: the next callback of a payment is sent once the one before was taken, or given up.
    """

    signs: Mapping[Protocol, Sign] = field(default_factory=dict)
    before: tuple[Change, ...] = ()
    after: tuple[Change, ...] = ()
    encode: Encode = as_form
    again: tuple[float, ...] = (60.0, 120.0, 300.0, 900.0)
    repeat: Change = as_it_was
    later: Later = by_the_clock
    follow_up: Change = _nothing
    accepted: Callable[[int], bool] = _ACCEPTED.__contains__
    delay: float = 0.0
    delay_of: Callable[[Notice], float] = _at_once
    in_order: bool = False
    gives_up_after: float = inf
    notes_after: float = 0.0

    def finished(self, notice: Notice) -> list[Notice]:
        """What is sent for a notice."""
        unsigned = _through(self.before, [notice])
        sign = self.signs.get(notice.payment.protocol, _unsigned)
        signed = [replace(each, fields={**each.fields, "hash": sign(each)}) for each in unsigned]
        return _through(self.after, signed)


def _through(changes: tuple[Change, ...], notices: list[Notice]) -> list[Notice]:
    for change in changes:
        notices = [changed for notice in notices for changed in change(notice)]
    return notices


@dataclass(slots=True)
class Callbacks:
    """Sends callbacks to the merchants' address; those of one payment one after the other."""

    behaviour: CallbackSettings
    agenda: Agenda
    address: str | None
    _last: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _held: dict[str, list[Notice]] = field(default_factory=dict)
    _poster: Poster | None = None
    _loop: asyncio.AbstractEventLoop | None = None

    def close(self) -> None:
        """Send nothing more, and close the connections; may be called from another thread than the server's."""
        self.address = None
        if self._poster is not None and self._loop is not None:
            asyncio.run_coroutine_threadsafe(self._hang_up(self._poster), self._loop)
            self._poster = None

    @property
    def is_delivering(self) -> bool:
        """Whether a callback is under way, or waits for one that is."""
        return bool(self._last)

    async def settled(self) -> None:
        """Return once nothing is under way."""
        while self._last:
            await asyncio.wait(list(self._last.values()))
            # What forgets a task that is done comes next.
            await asyncio.sleep(0)

    async def _hang_up(self, poster: Poster) -> None:
        # What is under way may come to its end.
        under_way = list(self._last.values())
        if under_way:
            await asyncio.wait(under_way, timeout=_LONGEST_END_SECONDS)
        await poster.aclose()

    def notify(self, notice: Notice) -> None:
        """Send what is to be reported of a payment, soon; does nothing where no address is configured."""
        if self.address is not None:
            self._post_all(notice)
            for each in self.behaviour.follow_up(notice):
                self.behaviour.later(self.agenda, _HALF_A_DAY, partial(self._post_all, each))

    def _post_all(self, notice: Notice) -> None:
        for each in self.behaviour.finished(notice):
            self._post_soon(each)

    def _post_soon(self, notice: Notice) -> None:
        earlier = self._last.get(notice.payment.id)
        task = asyncio.get_running_loop().create_task(self._post(notice, earlier))
        self._last[notice.payment.id] = task
        task.add_done_callback(lambda done: self._forget(notice.payment.id, done))

    def _forget(self, payment: str, task: asyncio.Task[None]) -> None:
        if self._last.get(payment) is task:
            del self._last[payment]

    async def _post(self, notice: Notice, earlier: asyncio.Task[None] | None) -> None:
        if earlier is not None:
            await asyncio.wait([earlier])
        if delay := self.behaviour.delay + self.behaviour.delay_of(notice):
            await asyncio.sleep(delay)
        if notice.attempt == 1 and notice.payment.id in self._held:
            self._held[notice.payment.id].append(notice)
            return
        first = self.agenda.clock.seconds() if notice.since is None else notice.since
        notice = replace(notice, since=first)
        is_over = self.address is None or await self._delivered(notice.fields)
        if self.behaviour.notes_after:
            await asyncio.sleep(self.behaviour.notes_after)
        if not is_over and notice.attempt <= len(self.behaviour.again) and not self._is_too_old(first):
            if self.behaviour.in_order:
                self._held.setdefault(notice.payment.id, [])
            wait = self.behaviour.again[notice.attempt - 1]
            self.behaviour.later(self.agenda, wait, partial(self._post_again, notice))
            return
        for held in self._held.pop(notice.payment.id, ()):
            self._post_soon(held)

    def _is_too_old(self, first: float) -> bool:
        return self.agenda.clock.seconds() - first > self.behaviour.gives_up_after

    def _post_again(self, notice: Notice) -> None:
        if self._is_too_old(notice.since or 0.0):
            return
        for again in self.behaviour.repeat(replace(notice, attempt=notice.attempt + 1)):
            self._post_soon(again)

    async def _delivered(self, fields: Fields) -> bool:
        if self._poster is None:
            self._loop = asyncio.get_running_loop()
            self._poster = Poster()
        content_type, body = self.behaviour.encode(fields)
        try:
            status = await self._poster.post(str(self.address), content_type, body)
        except NotPostedError as error:
            _LOG.info("callback of order %r: %s does not take it: %s", fields.get("order_id"), self.address, error)
            return False
        taken = self.behaviour.accepted(status)
        if not taken:
            _LOG.info("callback of order %r: answered HTTP %s", fields.get("order_id"), status)
        return taken
