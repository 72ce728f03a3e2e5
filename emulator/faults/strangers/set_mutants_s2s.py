"""Faults of the S2S protocols and of schedules that mutation of the emulator brought to light.

Numbers of lines are those of the interface description.
"""

from dataclasses import replace
from datetime import date, datetime
from typing import Final

from emulator.changes import checkout
from emulator.changes.notices import FieldsChange
from emulator.changes.rows import any_scheduled_decimals
from emulator.changes.s2s_card import NOTICES
from emulator.design import Change
from emulator.engine.calendar import Terms, first_due, number
from emulator.engine.callbacks.notice import Notice
from emulator.engine.schedules import Subscription, is_over
from emulator.faults.model import breaks, faults
from emulator.rules.model import Rule
from emulator.wire.replies import Kind, Refusal

_NEW: Final = "6.7.0"
_PORTAL_ONLY: Final = "Refund via API is not supported. Only from the connector admin portal."


# --- schedules ---


def _instead_of(name: str, values: dict[str, str], mode: str) -> Change:
    """Some values of a companion of delayed_first_payment count as other ones."""

    def due(terms: Terms, start: datetime, day: date | None) -> datetime:
        is_meant = terms.get("delayed_first_payment") == mode
        given = terms.get(name, "")
        return first_due({**terms, name: values.get(given, given)} if is_meant else terms, start, day)

    return lambda design: design.in_schedules(first_due=due)


def _endless(count: int) -> Change:
    """Schedules of so many payments have no end."""

    def over(subscription: Subscription) -> bool:
        schedule = subscription.schedule
        if number(schedule.terms, "payments_count", 0) != count:
            return is_over(subscription)
        endless = replace(schedule, terms={**schedule.terms, "payments_count": "0"})
        return is_over(replace(subscription, schedule=endless))

    return lambda design: design.in_schedules(is_over=over)


# --- callbacks ---


def _debit_of_another_brand(notice: Notice) -> bool:
    return notice.payment.action == "debit" and "Brand" in notice.payment.decline_reason


def _without_three_ds_data(notice: Notice) -> bool:
    return not notice.payment.account.three_ds_data


def _with(name: str, value: str) -> FieldsChange:
    return lambda fields: {**fields, name: value}


# --- amounts of nothing ---


def _in_other_words(row: Rule) -> Rule:
    """The row about an amount of nothing says something else."""
    is_meant = row.path in ("order_amount", "order.amount") and row.keyword == "positive"
    return replace(row, text="This value is not valid.") if is_meant else row


# --- refusals of S2S APM ---


def _apm_refusal(name: str, refusal: Refusal | None) -> Change:
    """A refund is refused otherwise, or not at all."""
    return lambda design: design.in_apm(**{name: refusal})


FAULTS: Final = faults(
    {
        **{
            f"m-schedule-takes-day-{taken}-for-the-next": breaks(
                "S2C-SCH-29",
                f"first_payment_day_of_week={taken} waits for the day of the week after that day (line 301).",
                _instead_of("first_payment_day_of_week", {taken: following, name: following}, "to_day_of_week"),
                since=_NEW,
            )
            for taken, name, following in (("1", "monday", "2"), ("4", "thursday", "5"), ("7", "sunday", "1"))
        },
        "m-schedule-days-of-the-week-two-late": breaks(
            "S2C-SCH-29",
            "first_payment_day_of_week waits for the second day after the one that it names (line 301).",
            _instead_of(
                "first_payment_day_of_week",
                {str(day): str((day + 1) % 7 + 1) for day in range(1, 8)},
                "to_day_of_week",
            ),
            since=_NEW,
        ),
        "m-schedule-first-interval-of-a-week-at-most": breaks(
            "S2C-SCH-28",
            "A first_payment_interval_length of more than seven days counts as seven (line 300).",
            _instead_of("first_payment_interval_length", {str(days): "7" for days in range(8, 100)}, "by_interval"),
            since=_NEW,
        ),
        **{
            f"m-schedule-of-{count}-payments-never-ends": breaks(
                "S2C-SCP-06", f"A schedule with payments_count={count} charges without end (line 298).", _endless(count)
            )
            for count in (1, 2)
        },
        "m-apm-refund-in-the-portal-by-another-code": breaks(
            "APM-CVD-15",
            "CREDITVOID is refused with 210003 where refunds are taken in the portal only (line 457).",
            _apm_refusal("connector_refunds", Refusal(Kind.STATE, _PORTAL_ONLY, code=210003)),
            since=_NEW,
        ),
        "m-apm-refund-in-the-portal-by-another-text": breaks(
            "APM-CVD-15",
            "CREDITVOID is refused with 210002 and another text where refunds are taken in the portal only (line 457).",
            _apm_refusal("connector_refunds", Refusal(Kind.STATE, "Refund is not allowed", code=210002)),
            since=_NEW,
        ),
        "m-apm-refund-not-allowed-by-another-code": breaks(
            "APM-CVD-14",
            "CREDITVOID of an account without refunds is refused with 208005 (line 439).",
            _apm_refusal("no_refunds", Refusal(Kind.STATE, "Refund is not allowed", code=208005)),
            since=_NEW,
        ),
        "m-apm-account-without-refunds-gives-back": breaks(
            "APM-CVD-14",
            "CREDITVOID of an account without refunds gives the payment back (line 439).",
            _apm_refusal("no_refunds", None),
            since=_NEW,
        ),
        "m-debit-of-nothing-in-other-words": breaks(
            "S2C-AMT-10",
            "A plain DEBIT of nothing is invalid data, and nothing says that the amount should be greater (line 447).",
            lambda design: design.with_post_rows(_in_other_words, "DEBIT"),
        ),
        "m-purchase-of-nothing-in-other-words": breaks(
            "CHK-ORD-19",
            "A purchase of nothing is invalid data, and nothing says that the amount should be greater (line 447).",
            lambda design: design.with_rows(_in_other_words),
        ),
        "m-card-callback-without-first-date": breaks(
            "CBK-S2C-29",
            "Callbacks of S2S CARD have no first_recurring_date (line 288).",
            NOTICES.without("first_recurring_date"),
            since=_NEW,
        ),
        "m-card-callback-with-another-first-date": breaks(
            "CBK-S2C-29",
            "first_recurring_date of callbacks of S2S CARD is another day than that of look-ups (line 288).",
            NOTICES.saying("first_recurring_date", "2030-01-31"),
            since=_NEW,
        ),
        "m-debit-of-another-brand-without-token": breaks(
            "CBK-ATT-21",
            "The callback of a Checkout debit that is declined for the brand of its card lacks card_token (line 419).",
            checkout.NOTICES.lacking(_debit_of_another_brand, "card_token"),
            since=_NEW,
        ),
        "m-card-schedule-of-any-decimals": breaks(
            "S2C-SCP-22",
            "A payment_schedule_amount of a SALE may have any number of decimals (lines 87 and 352).",
            lambda design: design.with_sale_rows(any_scheduled_decimals),
            since=_NEW,
        ),
        **{
            f"m-card-callback-with-{name.casefold()}-unasked": breaks(
                "CBK-S2C-26",
                f"Callbacks of S2S CARD carry {name}, though the mapping adds no 3DS data (line 417).",
                NOTICES.where(_without_three_ds_data, _with(name, value)),
                since=_NEW,
            )
            for name, value in (("transStatusReason", "01"), ("xid", "MDAwMDAwMDAwMDAwMDAwMDAwMDE="))
        },
    }
)
