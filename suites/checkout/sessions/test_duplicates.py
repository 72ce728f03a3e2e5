"""The duplicate window: 15 seconds for the same merchant key and order number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from contract.errors import ORDER_DUPLICATE, SESSION_DUPLICATE
from fixtures.cases.order_numbers import LONGEST
from fixtures.deferred import deferred, waits
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import (
    must_accept,
    must_answer_properly,
    must_have_accepted,
    must_refuse,
    must_reject,
    must_reject_with_one_of,
)
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import inconclusive
from fixtures.protocols.checkout.merchant import CheckoutMerchant
from fixtures.protocols.checkout.requests import SessionRequests
from fixtures.protocols.duplicates import (
    INSIDE,
    KINDS_OF_UNLIKE,
    OUTSIDE,
    WINDOW_SECONDS,
    must_come_first,
    must_come_first_of_all,
    reply_to_repetition,
    unlike_numbers,
)
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.wire.clock import Clock
from fixtures.wire.requests import JsonRequest

TAKEN_BY_BOTH = "an account of another merchant that takes what the main account takes"
DUPLICATE_WITH_ANY_CODE = replace(SESSION_DUPLICATE, code=None)


def an_opened_session(run: Run) -> JsonRequest:
    session = run.session_requests()
    must_come_first(run.checkout.create_session(session))
    return session


@requirement("CHK-DUP-01")
def test_repeated_session_is_refused(
    checkout: CheckoutMerchant, clock: Clock, session_request: SessionRequests
) -> None:
    session = session_request()

    must_reject(reply_to_repetition(checkout.create_session, clock, session, session), DUPLICATE_WITH_ANY_CODE)


@requirement("CHK-DUP-01")
def test_repeated_number_is_refused_whatever_else_changed(
    checkout: CheckoutMerchant, clock: Clock, session_request: SessionRequests
) -> None:
    session = session_request()
    changed = session.with_("order.amount", "11.00")

    must_reject(reply_to_repetition(checkout.create_session, clock, session, changed), DUPLICATE_WITH_ANY_CODE)


@requirement("CHK-DUP-07")
def test_number_of_a_purchase_is_repeated_by_a_debit(
    checkout: CheckoutMerchant, clock: Clock, session_request: SessionRequests, sessions: Baselines[JsonRequest]
) -> None:
    first = session_request()
    second = sessions("debit").with_("order.number", first.get("order.number"))

    must_reject(reply_to_repetition(checkout.create_session, clock, first, second), DUPLICATE_WITH_ANY_CODE)


@requirement("CHK-DUP-07")
@pytest.mark.parametrize("operation", ["credit", "transfer"])
def test_number_of_a_purchase_is_repeated_by_a_payout(
    operation: str,
    checkout: CheckoutMerchant,
    clock: Clock,
    session_request: SessionRequests,
    sessions: Baselines[JsonRequest],
) -> None:
    first = session_request()
    second = sessions(operation).with_("order.number", first.get("order.number"))
    # What the merchant has an account for alone goes out by another key, and lines 438 and 472 speak of one.
    with where_it_comes_about("one key that opens both"):
        checkout.must_send_as_one(first, second)

    must_reject(reply_to_repetition(checkout.create_session, clock, first, second), DUPLICATE_WITH_ANY_CODE)


@requirement("CHK-DUP-01")
def test_repeated_number_is_refused_though_another_came_between(
    checkout: CheckoutMerchant, clock: Clock, session_request: SessionRequests
) -> None:
    session, between = session_request(), session_request()
    started = clock.now()
    must_come_first(checkout.create_session(session))
    must_come_first(checkout.create_session(between))

    reply = checkout.create_session(session)

    if clock.now() - started >= WINDOW_SECONDS:
        inconclusive("three requests took longer than the window", decides="a target that answers faster")
    must_reject(reply, DUPLICATE_WITH_ANY_CODE)


@requirement("CHK-DUP-02")
def test_code_of_a_repeated_session_is_a_text(
    checkout: CheckoutMerchant, clock: Clock, session_request: SessionRequests
) -> None:
    session = session_request()

    must_reject(reply_to_repetition(checkout.create_session, clock, session, session), SESSION_DUPLICATE)


@requirement("CHK-DUP-03")
@waits(INSIDE)
def test_window_is_still_closed_shortly_before_its_end(
    checkout: CheckoutMerchant, clock: Clock, session_request: SessionRequests
) -> None:
    session = session_request()

    must_refuse(reply_to_repetition(checkout.create_session, clock, session, session, at=INSIDE))


@requirement("CHK-DUP-04")
@deferred(after=OUTSIDE, start=an_opened_session)
def test_number_may_be_used_again_or_never_after_the_window(checkout: CheckoutMerchant, ready: JsonRequest) -> None:
    reply = checkout.create_session(ready)

    must_answer_properly(reply, "CHK-DUP-04", accepted="accepted", refused="refused")
    if answer_of(reply) is Answer.REFUSED:
        pairs = {"refused": ORDER_DUPLICATE, "window-never-ends": SESSION_DUPLICATE}
        must_reject_with_one_of(reply, "CHK-DUP-04", pairs, field="order.number")


@requirement("CHK-DUP-05")
def test_same_number_of_another_merchant_is_no_duplicate(
    checkout: CheckoutMerchant, checkout_merchant: Callable[[str], CheckoutMerchant], session_request: SessionRequests
) -> None:
    session = session_request()
    must_come_first(checkout.create_session(session))

    other = checkout_merchant("second_merchant")
    reply = other.create_session(session)
    if answer_of(reply) is Answer.REFUSED:
        must_have_accepted(other.create_session(session_request()), decides=TAKEN_BY_BOTH)
    must_accept(reply)


@requirement("CHK-DUP-06")
@pytest.mark.parametrize("kind", KINDS_OF_UNLIKE)
def test_number_that_is_nearly_the_same_is_no_duplicate(
    kind: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    session = session_request()

    first, second = unlike_numbers(kind, session_request.numbers)
    must_come_first_of_all(checkout.create_session(session.with_("order.number", first)))

    must_accept(checkout.create_session(session.with_("order.number", second)))


@requirement("CHK-DUP-06")
def test_number_with_the_same_long_beginning_is_no_duplicate(
    checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    session = session_request()

    first, second = session_request.numbers.alike(LONGEST)
    must_come_first_of_all(checkout.create_session(session.with_("order.number", first)))

    must_accept(checkout.create_session(session.with_("order.number", second)))


@requirement("CHK-DUP-06")
def test_another_number_of_the_same_merchant_is_no_duplicate(
    checkout: CheckoutMerchant, unproven_session: SessionRequests
) -> None:
    must_come_first_of_all(checkout.create_session(unproven_session()))

    must_accept(checkout.create_session(unproven_session()))
