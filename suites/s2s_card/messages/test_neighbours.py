"""Values close to a valid one are refused: what a lenient reader would take for it."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from contract.errors import REQUEST_DATA_INVALID, load_errors
from fixtures.cases.neighbours import KINDS
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_refuse, must_reject, must_reject_with_any
from fixtures.protocols.must import must_keep_blanks
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.schedules import must_be_refused_in_creation
from fixtures.requirement import requirement
from fixtures.wire.requests import FormRequest


@dataclass(frozen=True)
class Row:
    """A field of a valid request, and what kind of value it holds.

    Attributes:
        baseline: name of the valid request.
        field: the parameter.
        kind: names the outsiders.
        requirement: what one that is accepted breaks.
        value: the valid value that they are made of; empty: the one that the request has.
        errors: name of the error pair of the refusal; empty: any.
    """

    baseline: str
    field: str
    kind: str
    requirement: str
    value: str = ""
    errors: str = ""


ROWS = (
    Row("sale", "order_amount", "amount", "S2C-SAL-12", "10.00"),
    Row("debit", "order_amount", "amount", "S2C-DEB-09", "10.00"),
    Row("sale", "order_currency", "code", "S2C-SAL-16", "USD"),
    Row("debit", "order_currency", "code", "S2C-DEB-09", "USD"),
    Row("sale", "card_exp_month", "digits", "S2C-SAL-20", "01"),
    Row("debit", "card_exp_month", "digits", "S2C-DEB-09", "01"),
    Row("sale", "card_exp_year", "digits", "S2C-SAL-21", "2038"),
    Row("debit", "card_exp_year", "digits", "S2C-DEB-09", "2038"),
    Row("sale", "card_cvv2", "digits", "S2C-SAL-23", "1234"),
    Row("debit", "card_cvv2", "digits", "S2C-DEB-09", "1234"),
    Row("sale", "card_number", "digits", "S2C-SAL-18", "4111111111111111"),
    Row("debit", "card_number", "digits", "S2C-DEB-09", "4111111111111111"),
    Row("sale", "payer_birth_date", "date", "S2C-SAL-25", "1990-12-10"),
    Row("sale", "payer_country", "code", "S2C-SAL-28", "DE"),
    Row("sale", "payer_email", "email", "S2C-SAL-33", "payer@example.com"),
    Row("sale", "payer_ip", "address", "S2C-SAL-35", "192.0.2.7"),
    Row("debit", "payer_ip", "address", "S2C-DEB-09", "192.0.2.7"),
    Row("sale", "term_url_3ds", "link", "S2C-SAL-37", "https://merchant.example/3ds"),
    Row("create_schedule", "interval_unit", "word", "S2C-SCH-11", "day"),
    Row("create_schedule", "interval_length", "count", "S2C-SCH-08", "3"),
    Row("create_schedule", "payments_count", "count", "S2C-SCH-09", "12"),
    Row("create_schedule", "schedule_id", "uuid", "S2C-SCH-14", errors="UUID_NOT_VALID"),
    Row("create_schedule_by_interval", "delayed_first_payment", "word", "S2C-SCH-23", "by_interval"),
    Row("update_schedule", "interval_unit", "word", "S2C-SCH-34", "day"),
    Row("update_schedule", "interval_length", "count", "S2C-SCH-34", "3"),
    Row("update_schedule", "payments_count", "count", "S2C-SCH-34", "12"),
    Row("update_schedule", "schedule_id", "uuid", "S2C-SCH-40", errors="UUID_NOT_VALID"),
    Row("delete_schedule", "schedule_id", "uuid", "S2C-SCH-41", errors="UUID_NOT_VALID"),
    Row("schedule_info", "schedule_id", "uuid", "S2C-SCH-42", errors="UUID_NOT_VALID"),
)
SAMPLE = "5c4ed01e-0000-4000-8000-000000000001"
OPEN = {
    # A number may pass for one of fewer or more digits where its check digit allows it.
    "card_number": ("one-less", "one-more"),
    "card_cvv2": ("one-less",),
    # 00 and 13, three digits and five are refused, S2C-SAL-20 and -21 say. Month 1 and year 38 can be no others.
    "card_exp_month": ("one-less", "last-half"),
    "card_exp_year": ("last-half",),
    # Line 294 speaks of a valid UUID, and readers of UUIDs take these notations of one as well.
    "schedule_id": ("without-dashes", "braces", "urn"),
    # Line 299 names the words and is silent about their case.
    "delayed_first_payment": ("capitals", "capitalised"),
}
"""Outsiders that the contract may be read to allow, by the field."""


def cases() -> Iterator[object]:
    for row in ROWS:
        for name in KINDS[row.kind](row.value or SAMPLE):
            if name not in OPEN.get(row.field, ()):
                yield pytest.param(
                    row, name, id=f"{row.baseline}-{row.field}-{name}", marks=requirement(row.requirement)
                )


@pytest.mark.parametrize(("row", "outsider"), list(cases()))
def test_value_close_to_a_valid_one_is_refused(
    row: Row, outsider: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    must_keep_blanks(s2s_card, outsider)
    request = card_actions(row.baseline)
    valid = row.value or request.get(row.field) or str(uuid.uuid4())
    outside = KINDS[row.kind](valid)[outsider]

    changed = request.with_(row.field, outside)
    reply = s2s_card.post(changed)

    if row.requirement == "S2C-SCH-34" and answer_of(reply) is Answer.ACCEPTED:
        must_be_refused_in_creation(changed, s2s_card)
    if row.errors and not outside.isprintable():
        # A control character is wrongly shaped wherever it stands (line 436): who looks at that first need not ask on.
        must_reject_with_any(reply, (load_errors()[row.errors], REQUEST_DATA_INVALID), field=row.field)
    elif row.errors:
        must_reject(reply, load_errors()[row.errors])
    else:
        must_refuse(reply)
