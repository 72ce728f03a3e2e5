"""The delivery of callbacks: again when the merchant did not take one, not again when it did.

How often and when a callback is delivered again is not stated. On a real clock a minute is waited, together with all
else that ripens; on a clock that can be moved, a day.
"""

from __future__ import annotations

from functools import partial

import pytest

from fixtures.callbacks import Answer, Callback
from fixtures.callbacks.inbox import Wanted
from fixtures.expectations import Finding
from fixtures.judging import must, must_accept
from fixtures.requirement import must_offer, requirement
from fixtures.ripening import ripens
from fixtures.run import Run
from fixtures.s2s_apm_callbacks import about_order, must_verify
from fixtures.verdicts import inconclusive

A_MINUTE_AND_MORE = 65.0
A_DAY = 86_400.0
BRIEFLY = 0.2
SECONDS_BETWEEN_DOUBLES = 5.0
MORE_THAN_COME = 99
PATIENCE_SECONDS = (BRIEFLY, 0.5, 2.0)
"""The target may notice a refusal only after its clock was moved: then it is moved again."""
NEEDS = ("capability:s2s_apm", "capability:callbacks")


def sale_answered(run: Run, answer: Answer) -> Wanted:
    """Pay, let the first callback be answered so, and return what picks the callbacks of that sale."""
    must_offer(run.profile, NEEDS)
    sale = run.apm_baselines("sale")
    wanted = about_order(sale.get("order_id") or "")
    run.callbacks.answer(wanted, answer)
    must_accept(run.s2s_apm.post(sale))
    return wanted


def answered(status: int | None) -> pytest.MarkDecorator:
    return ripens(after=A_MINUTE_AND_MORE, sow=partial(sale_answered, answer=Answer(status)))


def taken(run: Run, *, status: int, body: str) -> tuple[Wanted, Wanted]:
    """Return what picks the callbacks of a sale that was refused once, and of one that was taken so."""
    return sale_answered(run, Answer(500)), sale_answered(run, Answer(status, body))


def must_come_again(wanted: Wanted, run: Run) -> list[Callback]:
    """The callback is delivered a second time; return all deliveries, the oldest first."""
    first = run.callbacks.expect(wanted, "the callback of the SALE")
    for seconds in (BRIEFLY,) if run.clock.waits else PATIENCE_SECONDS:
        if not run.clock.waits:
            run.clock.elapse(A_DAY)
        found = run.callbacks.inbox.wait(wanted, seconds=seconds, count=2)
        if len(found) > 1:
            return found
    if run.clock.waits:
        inconclusive(
            f"the callback was not delivered again within {A_MINUTE_AND_MORE:g} s, and how soon is not stated",
            decides="the address at which the target's clock is moved, as clock in [run] of the profile",
        )
    must(Finding("the callback is delivered again", first.summary, "It was not taken and never came again."))
    return [first]


@requirement("CBK-DEL-06")
@pytest.mark.parametrize("status", [pytest.param(status, marks=answered(status)) for status in (500, 404, 302)])
def test_refused_callback_is_delivered_again(status: int, run: Run, ripe: Wanted) -> None:
    del status
    must_come_again(ripe, run)


@requirement("CBK-DEL-07")
@answered(None)
def test_callback_that_the_merchant_hung_up_on_is_delivered_again(run: Run, ripe: Wanted) -> None:
    must_come_again(ripe, run)


@requirement("CBK-DEL-08")
@answered(503)
def test_callback_that_comes_again_tells_of_the_same_payment(run: Run, ripe: Wanted) -> None:
    first, *_, again = must_come_again(ripe, run)

    for name in ("trans_id", "order_id", "status", "result"):
        if first.get(name) != again.get(name):
            must(Finding(f"{name} {first.get(name)!r} again", again.summary, f"It is {again.get(name)!r} now."))
    must_verify(again, run.s2s_apm.identity)


@requirement("CBK-DEL-09")
@pytest.mark.parametrize(
    ("status", "body"),
    [
        pytest.param(status, body, marks=ripens(after=A_MINUTE_AND_MORE, sow=partial(taken, status=status, body=body)))
        for status, body in ((200, ""), (202, "taken"), (204, ""))
    ],
)
def test_any_success_takes_a_callback(status: int, body: str, run: Run, ripe: tuple[Wanted, Wanted]) -> None:
    refused_once, taken_at_once = ripe
    if run.clock.waits:
        must_come_again(refused_once, run)
        came_again = spread(taken_at_once, run) > SECONDS_BETWEEN_DOUBLES
    else:
        came_again = comes_after_a_day(sale_answered(run, Answer(status, body)), run)

    if came_again:
        expected = f"a callback that was answered with HTTP {status} is delivered"
        must(Finding(expected, "it was delivered again later", "The answer was not taken for a success."))


def spread(wanted: Wanted, run: Run) -> float:
    """Return the seconds between the first and the last delivery."""
    run.callbacks.expect(wanted, "the callback of the SALE")
    found = run.callbacks.arrived(wanted)
    return found[-1].received_at - found[0].received_at


def comes_after_a_day(wanted: Wanted, run: Run) -> bool:
    run.callbacks.expect(wanted, "the callback of the SALE")
    # Some targets send every callback twice at once, which is no second delivery.
    at_once = run.callbacks.inbox.wait(wanted, seconds=BRIEFLY, count=MORE_THAN_COME)
    run.clock.elapse(A_DAY)
    return len(run.callbacks.inbox.wait(wanted, seconds=BRIEFLY, count=len(at_once) + 1)) > len(at_once)
