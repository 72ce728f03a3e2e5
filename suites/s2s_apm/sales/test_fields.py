"""Every field rule of the S2S APM actions: below, at and above each limit, missing, of another form.

The rules are rows of ``contract/openapi/s2s_apm.yaml``; a row that is added there is checked here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from contract.errors import REQUEST_DATA_INVALID, error_pair
from fixtures.cases.field_cases import FieldCase, cases_of
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must_accept_value, must_refuse, must_reject
from fixtures.judging.other_limits import keeps_the_contracts
from fixtures.judging.together import Send, sending
from fixtures.judging.verdicts import not_applicable, note_reading
from fixtures.protocols.s2s_apm.merchant import S2SApmMerchant
from fixtures.protocols.s2s_apm.must import must_not_pay_out
from fixtures.protocols.s2s_apm.requests import (
    FAMILY_FIELDS,
    OPERATION_FIELDS,
    PAYOUT_FIELDS,
    SALE_FIELDS,
    form_name,
    with_value,
)
from fixtures.protocols.s2s_apm.return_address import where_the_payer_returns
from fixtures.requirement import must_exist, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

PAYOUT = "credit2virtual"
ROWS = (*SALE_FIELDS, *FAMILY_FIELDS, *OPERATION_FIELDS, *PAYOUT_FIELDS)
CASES = tuple(case for row in ROWS for case in cases_of(row))


def each(accepted: bool) -> pytest.MarkDecorator:
    chosen = [case for case in CASES if case.accepted is accepted]
    return pytest.mark.parametrize(
        "case",
        [
            pytest.param(case, id=f"{case.field.baseline}-{case.id}", marks=requirement(case.requirement))
            for case in chosen
        ],
    )


@each(accepted=True)
def test_field_within_its_rule_is_accepted(
    case: FieldCase,
    s2s_apm: S2SApmMerchant,
    apm: Baselines[FormRequest],
    together: Callable[[Reply, Send], Reply],
    run: Run,
) -> None:
    must_exist(case.field, run.release)
    baseline = apm.reply_to(case.field.baseline)
    send = sending(
        lambda: apm.like_asked(case.field.baseline), lambda request, one: changed(request, one, run), s2s_apm.post
    )

    reply = together(baseline, send)
    if keeps_the_contracts(case, [reply], lambda text: send([replace(case, value=text)])):
        note_reading(case.requirement, "of-the-contract")
        return
    must_accept_value(reply, case.field.name, baseline)


@each(accepted=False)
def test_field_outside_its_rule_is_refused(
    case: FieldCase, s2s_apm: S2SApmMerchant, apm: Baselines[FormRequest], run: Run
) -> None:
    must_exist(case.field, run.release)

    request = changed(apm(case.field.baseline), case, run)
    if case.field.schema.get("x-once-read"):
        must_read_identifiers(run)
    if case.errors == "any" and case.field.baseline == PAYOUT:
        must_not_pay_out(run.apm.payments, request)
        return
    reply = s2s_apm.post(request)
    if case.field.name == "return_url":
        spoilt = partial(changed, case=case, run=run)
        reply = where_the_payer_returns(reply, run.apm.payments, run.apm_requests, spoilt)

    def again(text: str) -> Reply:
        return s2s_apm.post(changed(apm(case.field.baseline), replace(case, value=text), run))

    if keeps_the_contracts(case, [reply], again):
        note_reading(case.requirement, "of-the-contract")
        return
    if case.errors == "any":
        must_refuse(reply)
    else:
        pair = error_pair(case.errors) if case.errors else REQUEST_DATA_INVALID
        must_reject(reply, pair, field=(case.field.name, case.field.leaf))


def must_read_identifiers(run: Run) -> None:
    """End the check unless the target is known to read identifier: no line of the contract names that field."""
    named = run.profile.test_data.apm
    if any(one is not None and one.identifier for one in (named.success, named.decline, named.redirect)):
        return
    sale = run.apm_requests.baseline("sale")
    without = sale if sale.get("identifier") is None else sale.without("identifier")
    if answer_of(run.apm.merchant.post(without)) is Answer.ACCEPTED:
        not_applicable(
            "the target takes a SALE without identifier, and no payment of [test_data.apm] has one: it need not read it"
        )


def changed(request: FormRequest, case: FieldCase, run: Run) -> FormRequest:
    name = form_name(case.field)
    if case.removed:
        return request.without(name)
    return with_value(request, name, value_of(case, run))


def value_of(case: FieldCase, run: Run) -> str:
    if not (case.field.schema.get("x-unique") and case.value):
        return case.value  # type: ignore[no-any-return]
    return run.apm_requests.numbers.of_length(len(case.value))
