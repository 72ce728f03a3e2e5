"""Lifecycles of payments that nobody wrote down, judged by a ledger that is kept beside the target."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from fixtures.cases.order_numbers import OrderNumbers
from fixtures.deferred import waits
from fixtures.generated.campaign import Campaign
from fixtures.generated.lifecycles.context import Context
from fixtures.generated.lifecycles.drawing import THEMES
from fixtures.generated.lifecycles.drivers.checkout import CheckoutDriver
from fixtures.generated.lifecycles.drivers.driver import Driver
from fixtures.generated.lifecycles.drivers.s2s_apm import ApmDriver
from fixtures.generated.lifecycles.drivers.s2s_card import CardDriver
from fixtures.generated.lifecycles.play import Play
from fixtures.generated.lifecycles.script import Script
from fixtures.generated.lifecycles.settlement import Settlement
from fixtures.generated.lifecycles.shrinking import smaller
from fixtures.generated.oracles import Problem
from fixtures.judging.verdicts import Inconclusive, inconclusive
from fixtures.protocols.checkout import amounts
from fixtures.protocols.s2s_apm.parts import must_take_amounts
from fixtures.protocols.s2s_card.amounts import must_read_amounts
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.wire.polling import Misses

pytestmark = pytest.mark.fuzz

DriverOf = Callable[[Run, OrderNumbers], Driver]
GATE_SECONDS = 90.0
"""The number of scripts ends a check; the time only where a target is very slow."""
OF_AMOUNTS = {"capture": "capability:dms", "creditvoid": "capability:creditvoid_refunds"}
"""Requests of S2S whose amount may not be read, and the capability without which none is made."""
MAKING = "test data that the target makes payments with"
DECIDED_BY = {
    "checkout": f"{MAKING}, and a page that is a form over HTTP: the payers of these lifecycles use no browser"
}
LATE = waits(0.0)
"""These lifecycles move the clock by days: they come after everything that counts in seconds."""


def must_read_amounts_of_captures(run: Run) -> None:
    """Sums are known of a target that reads amounts; one that makes no authorization captures none."""
    with suppress(Inconclusive):
        amounts.must_read_amounts(run.checkout_payments_of(holds=True))


def offered(run: Run, protocol: str) -> list[str]:
    """Return the requests with an amount that lifecycles of an S2S protocol make."""
    return [name for name, need in OF_AMOUNTS.items() if run.profile.lacks(need, protocol) is None]


def play(campaign: Campaign, run: Run, theme: str, driver_of: DriverOf, protocol: str, *, examples: int) -> None:
    misses, payments = Misses(), 0
    campaign.gate_seconds, campaign.shrinking_cases, campaign.shrinking_seconds = GATE_SECONDS, 150, 10.0
    campaign.smaller = smaller

    def examine(script: Script) -> Iterator[Problem]:
        nonlocal payments
        driver = driver_of(run, campaign.sender.numbers)
        context = Context(run, driver, Settlement(run, driver, misses), campaign.noted)
        yield from Play(context).problems(script)
        payments += len(context.tracks)

    campaign.hunt(THEMES[theme].scripts(protocol), examples=examples, examine=examine)
    if not payments:
        inconclusive("no payment of any lifecycle came about", decides=DECIDED_BY.get(protocol, MAKING))


@requirement("S2C-STA-11")
@pytest.mark.parametrize(
    ("theme", "examples"),
    [
        pytest.param("money", 100, id="money"),
        pytest.param("two merchants", 60, id="two-merchants"),
        pytest.param("chains", 50, id="chains"),
        pytest.param("challenges", 30, id="challenges"),
        pytest.param("at once", 30, id="at-once"),
        pytest.param("days", 30, id="days", marks=LATE),
        pytest.param("schedules", 8, id="schedules", marks=LATE),
    ],
)
def test_card_lifecycle_agrees_with_the_ledger(theme: str, examples: int, campaign: Campaign, run: Run) -> None:
    # Parts are captured and given back in every theme: their sums are known of a target that reads amounts only.
    must_read_amounts(run.payments, *offered(run, "s2s_card"))
    play(campaign, run, theme, CardDriver, "s2s_card", examples=examples)


@requirement("APM-STA-08")
@pytest.mark.parametrize(
    ("theme", "examples"),
    [
        pytest.param("money", 70, id="money"),
        pytest.param("two merchants", 40, id="two-merchants"),
        pytest.param("at once", 20, id="at-once"),
        pytest.param("days", 10, id="days", marks=LATE),
    ],
)
def test_apm_lifecycle_agrees_with_the_ledger(theme: str, examples: int, campaign: Campaign, run: Run) -> None:
    with suppress(Inconclusive):
        must_take_amounts(run.apm.payments, *map(str.upper, offered(run, "s2s_apm")))
    play(campaign, run, theme, ApmDriver, "s2s_apm", examples=examples)


@requirement("CHK-STA-16")
@pytest.mark.parametrize(
    ("theme", "examples"),
    [
        pytest.param("checkout money", 80, id="money"),
        pytest.param("checkout merchants", 40, id="two-merchants"),
        pytest.param("checkout chains", 25, id="chains"),
        pytest.param("checkout challenges", 15, id="challenges"),
        pytest.param("checkout at once", 30, id="at-once"),
        pytest.param("checkout days", 10, id="days", marks=LATE),
    ],
)
def test_checkout_lifecycle_agrees_with_the_ledger(theme: str, examples: int, campaign: Campaign, run: Run) -> None:
    if run.profile.lacks("capability:dms", "checkout") is None:
        must_read_amounts_of_captures(run)
    if run.profile.lacks("capability:refund_endpoint", "checkout") is None:
        with suppress(Inconclusive):
            amounts.must_read_amounts_of_refunds(run.checkout_payments)
    play(campaign, run, theme, CheckoutDriver, "checkout", examples=examples)
