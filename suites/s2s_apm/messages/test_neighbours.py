"""Values close to a valid one are refused: what a lenient reader would take for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from fixtures.cases.neighbours import KINDS
from fixtures.judging.baselines import Baselines
from fixtures.judging.must import must_refuse
from fixtures.protocols.must import must_keep_blanks
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.must import must_not_pay_out
from fixtures.protocols.s2s_apm.payments import ApmPayments
from fixtures.protocols.s2s_apm.requests import ApmRequests, operation
from fixtures.protocols.s2s_apm.return_address import where_the_payer_returns
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
    """

    baseline: str
    field: str
    kind: str
    requirement: str
    value: str = ""


ROWS = (
    Row("sale", "action", "name", "APM-ACT-01"),
    Row("sale", "order_amount", "amount", "APM-SAL-14", "10.00"),
    Row("sale", "order_currency", "code", "APM-SAL-19", "USD"),
    Row("sale", "payer_birth_date", "date", "APM-SAL-24", "1990-12-10"),
    Row("sale", "payer_country", "code", "APM-SAL-27", "DE"),
    Row("sale", "payer_email", "email", "APM-SAL-30", "payer@example.com"),
    Row("sale", "payer_ip", "address", "APM-SAL-31", "192.0.2.7"),
    Row("sale", "return_url", "link", "APM-SAL-33", "https://merchant.example/back"),
    Row("method:crypto_wallet", "parameters[network_type]", "word", "APM-MTH-03", "eth"),
    Row("method:crypto_wallet", "parameters[bech32]", "boolean", "APM-MTH-05", "true"),
    Row("method:product_data", "parameters[product_quantity]", "count", "APM-MTH-24", "12"),
    Row("credit2virtual", "order_amount", "amount", "APM-C2V-33"),
    Row("credit2virtual", "parameters[mobile_money_operator]", "word", "APM-C2V-27"),
    Row("credit2virtual", "parameters[mobile_number]", "phone", "APM-C2V-30"),
)
SAMPLE = "sample-1.00"
OPEN = {
    ("method:crypto_wallet", "parameters[network_type]"): ("abbreviation",),
    # Line 248 shows the form of an operator and is silent about its case.
    ("credit2virtual", "parameters[mobile_money_operator]"): ("capitals", "capitalised"),
    # Both are numbers, and positive ones.
    ("credit2virtual", "order_amount"): ("plus", "exponent"),
}
"""Outsiders that the contract may be read to allow, by the valid request and the field."""


def cases() -> Iterator[object]:
    for row in ROWS:
        for name in KINDS[row.kind](row.value or SAMPLE):
            if name not in OPEN.get((row.baseline, row.field), ()):
                yield pytest.param(
                    row, name, id=f"{row.baseline}-{row.field}-{name}", marks=requirement(row.requirement)
                )


@pytest.mark.parametrize(("row", "outsider"), list(cases()))
def test_value_close_to_a_valid_one_is_refused(
    row: Row, outsider: str, payments: ApmPayments, apm: Baselines[FormRequest], unproven: ApmRequests
) -> None:
    must_keep_blanks(payments.merchant, outsider)
    request = apm(row.baseline)
    valid = row.value or request.get(row.field) or SAMPLE
    written = KINDS[row.kind](valid)[outsider]

    if row.baseline == "credit2virtual":
        must_not_pay_out(payments, request.with_(row.field, written))
        return
    reply = payments.merchant.post(request.with_(row.field, written))
    if row.field == "return_url":
        reply = where_the_payer_returns(reply, payments, unproven, lambda sale: sale.with_(row.field, written))
    must_refuse(reply)


@requirement("APM-MTH-03")
@pytest.mark.parametrize("network", ["ethereum", "trc20", "ERC20", "bsc"])
def test_other_name_of_a_network_is_refused(network: str, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest]) -> None:
    must_refuse(s2s_apm.post(apm("method:crypto_wallet").with_("parameters[network_type]", network)))


@requirement("APM-STA-10")
@pytest.mark.parametrize("outsider", KINDS["name"](SAMPLE))
def test_look_up_by_a_trans_id_with_marks_around_it_is_refused(
    outsider: str, s2s_apm: S2SApmMerchant, payments: ApmPayments
) -> None:
    must_keep_blanks(payments.merchant, outsider)
    trans_id = KINDS["name"](payments.shared("settled").trans_id)[outsider]

    must_refuse(s2s_apm.post(operation("GET_TRANS_STATUS", trans_id)))


@requirement("APM-STA-10")
def test_look_up_by_the_order_id_is_refused(s2s_apm: S2SApmMerchant, payments: ApmPayments) -> None:
    must_refuse(s2s_apm.post(operation("GET_TRANS_STATUS", payments.shared("settled").order_id)))
