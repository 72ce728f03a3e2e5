"""The card on the hosted page: number, expiry date, security code."""

from __future__ import annotations

import pytest

from fixtures.cases.cards import with_check_digit, with_wrong_check_digit
from fixtures.deferred import waits
from fixtures.judging.verdicts import inconclusive, note_reading
from fixtures.protocols.hosted_page.entered import Entered
from fixtures.protocols.hosted_page.must import (
    is_refused_alike,
    may_say_by_script,
    must_be_seen,
    must_call,
    must_not_call,
    must_refuse_entry,
    must_see,
    must_take,
)
from fixtures.protocols.hosted_page.page import HostedPages, is_at
from fixtures.protocols.hosted_page.today import now_of
from fixtures.protocols.hosted_page.wrong_cards import INVALID_CARD, INVALID_CODE, START
from fixtures.requirement import requirement
from fixtures.wire.clock import Clock
from fixtures.wire.months import month_from, month_past, month_to_come

EXPIRED = ("expired", "no longer valid", "out of date", "in the past", "has lapsed")
"""How an error may say in English that a card is expired; the contract gives no words."""
TWO_MONTHS = 62 * 86_400.0
BY_LENGTH = {
    "14": "3056930902590",
    "15": "37144963539843",
    "17": "6759649826438453",
    "18": "67596498264384531",
    "19": START[:18],
}
"""Numbers without their check digit, each of a brand that has cards of that length."""


OF_CODE_LENGTH = {3: "411111111111111", 4: BY_LENGTH["15"]}
"""Numbers without their check digit, of a brand whose security codes have that length."""


@pytest.fixture
def refused_number(pages: HostedPages) -> Entered:
    """A card number that the page must refuse: its length cannot be right."""
    return pages.changed("card", card_number=with_check_digit(START[:12]))


@requirement("HPP-CRD-01")
def test_redirect_url_leads_to_a_page_that_takes_a_card(pages: HostedPages) -> None:
    session = pages.session()
    page = pages.seen(session, pages.asks_for_card)
    if not pages.asks_for_card(page):
        pages.must_get_on(session)

    must_see(pages.asks_for_card(page), "a page that asks for a card number", page, "Nothing takes one.")
    pages.proven("card")


@requirement("HPP-CRD-02")
@pytest.mark.parametrize("number", [with_check_digit(begun) for begun in BY_LENGTH.values()], ids=BY_LENGTH)
def test_number_of_any_length_that_cards_have_is_not_called_invalid(
    pages: HostedPages, refused_number: Entered, number: str
) -> None:
    must_not_call(pages.changed("card", card_number=number), INVALID_CARD, refused_number)


@requirement("HPP-CRD-03")
@pytest.mark.parametrize("digits", [13, 20])
def test_number_with_a_digit_too_few_or_too_many_is_refused(pages: HostedPages, digits: int) -> None:
    must_call(pages, INVALID_CARD, card_number=with_check_digit(START[: digits - 1]))


@requirement("HPP-CRD-04")
@pytest.mark.parametrize("digits", [14, 16, 17, 19])
def test_number_that_fails_the_luhn_check_is_refused(pages: HostedPages, digits: int) -> None:
    must_call(pages, INVALID_CARD, card_number=with_wrong_check_digit(START[: digits - 1]))


@requirement("HPP-CRD-05")
def test_number_with_letters_is_refused(pages: HostedPages) -> None:
    must_call(pages, INVALID_CARD, card_number="4111abcd1111efgh")


@requirement("HPP-CRD-06")
def test_payment_without_card_number_is_refused(pages: HostedPages) -> None:
    must_refuse_entry(pages.changed("card", card_number=""))


@requirement("HPP-EXP-01")
def test_expiry_date_is_taken_as_month_and_two_digits_of_the_year(pages: HostedPages) -> None:
    month, _, year = pages.entry()["expiry"].partition("/")
    entered = pages.unproven("card", expiry=f"{month}-{year[-2:]}")

    if entered.is_refused:
        _must_pay_otherwise(pages, expiry=f"{month}-{year}")
    must_take(entered)


@requirement("HPP-EXP-02")
def test_card_that_expired_last_month_is_called_expired(pages: HostedPages, clock: Clock) -> None:
    expiry = month_past(now_of(pages, clock))
    entered = pages.changed("card", expiry=expiry)
    if may_say_by_script(entered, *EXPIRED):
        entered = pages.with_scripts().changed("card", expiry=expiry)

    must_refuse_entry(entered)
    if entered.was_not_let or _is_called_expired(entered):
        return
    must_be_seen(entered, *EXPIRED)
    page = entered.page
    if page is not None and (not entered.messages or entered.says(INVALID_CARD) or entered.says(INVALID_CODE)):
        must_see(None, "an error that the card is expired", page, "The entry is not taken, but for another reason.")
    inconclusive(
        f"whether the error shows that the card is expired is for a person to say: {entered.story}",
        decides='an error in English that says "expired"',
    )


@requirement("HPP-EXP-03")
@pytest.mark.parametrize("months", [1, 12])
def test_card_that_expires_next_month_or_later_is_not_called_expired(
    pages: HostedPages, clock: Clock, months: int
) -> None:
    refused = pages.changed("card", expiry=month_past(now_of(pages, clock)))
    entered = pages.changed("card", expiry=month_to_come(now_of(pages, clock), months))

    must_not_call(entered, "expired", refused)


@requirement("HPP-EXP-03")
@pytest.mark.parametrize("month", ["January", "December"])
def test_card_that_expires_at_an_end_of_a_year_is_not_called_expired(
    pages: HostedPages, clock: Clock, month: str
) -> None:
    now = now_of(pages, clock)
    months = (1 - now.month if month == "January" else 12 - now.month) % 12 or 12
    refused = pages.changed("card", expiry=month_past(now))

    must_not_call(pages.changed("card", expiry=month_to_come(now, months)), "expired", refused)


@requirement("HPP-EXP-04")
def test_card_is_valid_in_the_month_that_it_names(pages: HostedPages, clock: Clock) -> None:
    now = now_of(pages, clock)
    refused = pages.changed("card", expiry=month_past(now))
    entered = pages.changed("card", expiry=month_from(now, 0))

    if entered.page is not None and is_refused_alike(entered, refused):
        note_reading("HPP-EXP-04", "before-month")
    else:
        must_not_call(entered, INVALID_CARD, refused)
        note_reading("HPP-EXP-04", "end-of-month")


@requirement("HPP-EXP-02")
@waits(0)
def test_card_that_was_valid_is_expired_in_a_later_month(pages: HostedPages, clock: Clock) -> None:
    if clock.waits:
        inconclusive("a month would have to pass", decides="clock in [run] of the profile")
    expiry = month_to_come(now_of(pages, clock), 1)
    pages.unproven("card", expiry=expiry)
    clock.elapse(TWO_MONTHS)

    # What the page knew of the day when it was opened before must not count.
    must_refuse_entry(pages.unproven("card", expiry=expiry))


@requirement("HPP-EXP-05")
@pytest.mark.parametrize("expiry", ["13-38", "00-38", "ab-cd", ""], ids=["month 13", "month 0", "letters", "nothing"])
def test_expiry_date_that_is_none_is_refused(pages: HostedPages, expiry: str) -> None:
    must_refuse_entry(pages.changed("card", expiry=expiry))


@requirement("HPP-CVV-01")
@pytest.mark.parametrize(("code", "other"), [("123", "1234"), ("1234", "123")])
def test_security_code_of_three_or_four_is_not_called_invalid(pages: HostedPages, code: str, other: str) -> None:
    refused = pages.unproven("card", security_code="12345")
    entered = pages.unproven("card", security_code=code)

    if entered.is_refused:
        _must_pay_otherwise(pages, security_code=other)
        # Line 122 says "up to 4": the brand of this card may have codes of the other length alone.
        number = with_check_digit(OF_CODE_LENGTH[len(code)])
        entered = pages.unproven("card", card_number=number, security_code=code)
    must_not_call(entered, INVALID_CODE, refused)


@requirement("HPP-CVV-01")
@pytest.mark.parametrize("begun", ["0", "01"], ids=["zeros", "a zero first"])
def test_security_code_that_begins_with_a_zero_is_not_called_invalid(pages: HostedPages, begun: str) -> None:
    refused = pages.unproven("card", security_code="12345")
    code = begun.ljust(len(pages.entry()["security_code"]), begun[-1])

    must_not_call(pages.changed("card", security_code=code), INVALID_CODE, refused)


@requirement("HPP-CVV-02")
def test_security_code_of_five_is_refused(pages: HostedPages) -> None:
    must_call(pages, INVALID_CODE, security_code="12345")


def _is_called_expired(entered: Entered) -> bool:
    return any(entered.says(words) for words in EXPIRED)


def _must_pay_otherwise(pages: HostedPages, **changes: str) -> None:
    """End the check unless another way to write it pays: then that is what the page insists on."""
    other = pages.unproven("card", **changes)
    if other.end is None or not is_at(other.end, str(other.session.get("success_url"))):
        inconclusive(
            f"the payer cannot pay with the test card however it is written: {other.story}",
            decides="a page that takes the card test_data.cards.success",
        )
