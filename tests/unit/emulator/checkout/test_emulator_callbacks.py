"""Delivery of callbacks: once each, in order for a payment, again where one was not taken, to one address."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from emulator.accounts import ACCOUNTS
from emulator.design import Design
from emulator.engine.agenda import Agenda
from emulator.engine.callbacks.notice import Notice, flattened
from emulator.engine.callbacks.posting import NotPostedError, Poster
from emulator.engine.callbacks.sender import Callbacks, CallbackSettings
from emulator.engine.clock import Clock
from emulator.engine.payments import Payment, Protocol, State
from tests.unit.emulator.probes.taking import TakingPoster


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

    def __call__(self, body: str) -> int:
        self.bodies.append(body)
        return self.statuses.pop(0) if self.statuses else 200


def deliver(merchant: Merchant, notify: Callable[[Callbacks, Clock, Agenda], Awaitable[None]]) -> None:
    async def run() -> None:
        clock = Clock()
        agenda = Agenda(clock)
        settings = CallbackSettings(signs={Protocol.S2S_CARD: lambda _: "h"}, again=(60.0, 120.0))
        callbacks = Callbacks(settings, agenda, "http://merchant.example/callback")
        callbacks._poster = TakingPoster(take=merchant)
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


@asynccontextmanager
async def listening(*answers: bytes) -> AsyncIterator[tuple[str, list[int]]]:
    """A merchant who gives these answers; yields the address, and of which connection each request was."""
    left, seen = list(answers), []
    count = itertools.count(1)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = next(count)
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while left:
                head = await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(int(re.findall(rb"Content-Length: ([0-9]+)", head)[0]))
                seen.append(number)
                writer.write(left.pop(0))
                await writer.drain()
                if b"close" in head or not left:
                    break
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/callback?to=me", seen


def posted(*answers: bytes) -> tuple[list[int], list[int]]:
    """Post once for each answer; return the statuses, 0 where there is none, and the connections."""

    async def run() -> tuple[list[int], list[int]]:
        poster, statuses = Poster(), []
        async with listening(*answers) as (address, seen):
            for _ in answers:
                try:
                    statuses.append(await poster.post(address, "text/plain", b"body"))
                except NotPostedError:
                    statuses.append(0)
            await poster.aclose()
        return statuses, seen

    return asyncio.run(run())


def test_connection_is_used_again_as_long_as_the_merchant_keeps_it() -> None:
    kept = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK"
    closed = b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"

    statuses, connections = posted(kept, kept, closed, chunked, b"HTTP/1.0 404 Not Found\r\n\r\n", kept)

    assert statuses == [200, 200, 503, 200, 404, 200]
    assert connections == [1, 1, 1, 2, 3, 4]


@pytest.mark.parametrize("answer", [b"", b"gibberish\r\n\r\n", b"HTTP/1.1 2", b"x" * 100_000])
def test_what_is_no_answer_takes_no_callback(answer: bytes) -> None:
    assert posted(answer)[0] == [0]


def test_callback_to_nobody_is_not_taken() -> None:
    async def run() -> None:
        async with listening() as (address, _):
            pass
        await Poster().post(address, "text/plain", b"")

    with pytest.raises(NotPostedError):
        asyncio.run(run())
