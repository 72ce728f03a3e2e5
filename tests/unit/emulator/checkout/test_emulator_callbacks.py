"""Delivery of callbacks: once each, in order for a payment, again where one was not taken, to one address."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from decimal import Decimal

import httpx
import pytest

from emulator.accounts import ACCOUNTS
from emulator.design import Design
from emulator.engine.agenda import Agenda
from emulator.engine.callbacks.notice import Notice, flattened
from emulator.engine.callbacks.sender import Callbacks, CallbackSettings
from emulator.engine.clock import Clock
from emulator.engine.payments import Payment, Protocol, State


def payment(number: str = "1") -> Payment:
    return Payment(
        protocol=Protocol.S2S_CARD,
        account=ACCOUNTS[0],
        action="SALE",
        order_number=number,
        amount=Decimal(10),
        amount_text="10.00",
        currency="USD",
        description="goods",
        created=datetime.now(UTC),
        state=State.SETTLED,
    )


class Merchant:
    def __init__(self, *statuses: int) -> None:
        self.statuses = list(statuses)
        self.bodies: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.bodies.append(request.content.decode())
        return httpx.Response(self.statuses.pop(0) if self.statuses else 200)


def deliver(merchant: Merchant, notify: Callable[[Callbacks, Clock, Agenda], Awaitable[None]]) -> None:
    async def run() -> None:
        clock = Clock()
        agenda = Agenda(clock)
        settings = CallbackSettings(signs={Protocol.S2S_CARD: lambda _: "h"}, again=(60.0, 120.0))
        callbacks = Callbacks(settings, agenda, "http://merchant.example/callback")
        callbacks._client = httpx.AsyncClient(transport=httpx.MockTransport(merchant))
        await notify(callbacks, clock, agenda)

    asyncio.run(run())


def test_callbacks_of_a_payment_come_in_order() -> None:
    merchant = Merchant()

    async def notify(callbacks: Callbacks, _clock: Clock, _agenda: Agenda) -> None:
        paid = payment()
        for status in ("3DS", "SETTLED"):
            callbacks.notify(Notice(paid, "SALE", {"status": status}))
        await callbacks.settled()

    deliver(merchant, notify)
    assert merchant.bodies == ["status=3DS&hash=h", "status=SETTLED&hash=h"]


def test_callback_that_is_not_taken_comes_again_on_the_clock() -> None:
    merchant = Merchant(500, 404)

    async def notify(callbacks: Callbacks, clock: Clock, agenda: Agenda) -> None:
        callbacks.notify(Notice(payment(), "SALE", {"status": "SETTLED"}))
        await callbacks.settled()
        assert len(merchant.bodies) == 1
        for seconds in (61, 121, 10_000):
            clock.advance(seconds)
            agenda.run_due()
            await callbacks.settled()

    deliver(merchant, notify)
    assert len(merchant.bodies) == 3


def test_nothing_is_sent_without_an_address() -> None:
    callbacks = Callbacks(Design().callbacks, Agenda(Clock()), None)

    callbacks.notify(Notice(payment(), "SALE"))


def test_agenda_runs_jobs_in_the_order_in_which_they_are_due() -> None:
    done: list[str] = []

    async def run() -> None:
        agenda = Agenda(Clock())
        agenda.after(20, lambda: done.append("late"))
        agenda.after(10, lambda: agenda.at(15, lambda: done.append("between")))
        agenda.after(10, lambda: done.append("early"))
        agenda.clock.advance(12)
        agenda.run_due()
        assert done == ["early"]
        agenda.clock.advance(10)
        agenda.run_due()

    asyncio.run(run())
    assert done == ["early", "between", "late"]


@pytest.mark.parametrize(
    ("fields", "pairs"),
    [
        ({"a": "1", "b": {"c": "2", "d": {"e": "3"}}}, [("a", "1"), ("b[c]", "2"), ("b[d][e]", "3")]),
        ({"a": ["x", "y"]}, [("a[0]", "x"), ("a[1]", "y")]),
    ],
)
def test_nested_fields_have_brackets(fields: dict[str, object], pairs: list[tuple[str, str]]) -> None:
    assert flattened(fields) == pairs  # type: ignore[arg-type]
