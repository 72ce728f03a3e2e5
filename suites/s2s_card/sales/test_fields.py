"""Every field rule of every action: at and beyond each limit, missing, of another shape, malformed.

The rules are rows of ``contract/openapi/s2s_card.yaml``; a row that is added there is checked here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import pytest

from contract.catalogue import load_catalogue
from contract.errors import HASH_NOT_VALID, REQUEST_DATA_INVALID, UUID_NOT_VALID, load_errors
from contract.fields import component, fields_of, load_document
from fixtures.cases.field_cases import FieldCase, cases_of
from fixtures.judging.baselines import Baselines
from fixtures.judging.matchers import Answer, answer_of, carries_message
from fixtures.judging.must import must_accept_value, must_refuse, must_reject, must_reject_with_any
from fixtures.judging.other_limits import keeps_the_contracts
from fixtures.judging.together import Send, sending
from fixtures.judging.verdicts import not_applicable, note_reading
from fixtures.protocols.s2s_card.amounts import must_read_amounts
from fixtures.protocols.s2s_card.merchant import PAYING_CARD, S2SCardMerchant
from fixtures.protocols.s2s_card.schedules import must_be_refused_in_creation, must_keep_day_of_month
from fixtures.requirement import must_concern, must_exist, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

TABLES = {
    "SALE": "SaleRequest",
    "DEBIT": "DebitRequest",
    "RECURRING_SALE": "RecurringSaleRequest",
    "RECURRING_DEBIT": "RecurringDebitRequest",
    "CARD2CARD": "Card2CardRequest",
    "CREDIT2CARD": "Credit2CardRequest",
    "CAPTURE": "CaptureRequest",
    "VOID": "VoidRequest",
    "CREDITVOID": "CreditVoidRequest",
    "GET_TRANS_STATUS": "GetTransStatusRequest",
    "GET_TRANS_DETAILS": "GetTransDetailsRequest",
    "GET_TRANS_STATUS_BY_ORDER": "GetTransStatusByOrderRequest",
    "CREATE_SCHEDULE": "CreateScheduleRequest",
    "UPDATE_SCHEDULE": "UpdateScheduleRequest",
    "DELETE_SCHEDULE": "DeleteScheduleRequest",
    "SCHEDULE_INFO": "ScheduleInfoRequest",
    "PAUSE": "PauseRequest",
    "RUN": "RunRequest",
    "DESCHEDULE": "DescheduleRequest",
}
BY_ORDER = "get_trans_status_by_order"
ADDRESS = ("payer_address", "payer_country", "payer_city", "payer_zip")
"""Whether these may be left out is a setting of the account; there are checks of their own for it."""
NAMES_THE_PAYMENT = ("trans_id", "recurring_first_trans_id")
"""Without them nobody knows with whose card the request is to be signed: its signature may be found wrong first."""
OF_PROFILE: Mapping[str, Callable[[Run], str]] = {"currency": lambda run: run.sale_requests.currency}
"""Values that no table can give: a chain is charged in the currency that it was started in."""
OF_UPDATES = "S2C-SCH-34"
"""Says of an update what is said of the creation of a schedule."""
PAID_WITH = ("card_number", "card_token", "payment_token")
"""One of them must be there; of a request that has none any may be called missing."""


def has_a_check_of_its_own(action: str, case: FieldCase) -> bool:
    is_made_up = case.requirement == "S2C-SCH-13"
    return is_made_up or (action == "SALE" and case.keyword == "optional" and case.field.leaf in ADDRESS)


def cases() -> Iterator[tuple[str, FieldCase]]:
    document = load_document("s2s_card")
    for action, schema in TABLES.items():
        for field in fields_of(document, schema, baseline=component(document, schema)["x-baseline"]):
            for case in cases_of(field):
                if not has_a_check_of_its_own(action, case):
                    yield action, case


def each(accepted: bool) -> pytest.MarkDecorator:
    chosen = [(action, case) for action, case in cases() if case.accepted is accepted]
    return pytest.mark.parametrize(
        "case",
        [pytest.param(case, id=f"{action}-{case.id}", marks=requirement(case.requirement)) for action, case in chosen],
    )


@each(accepted=True)
def test_field_within_its_rule_is_accepted(
    case: FieldCase,
    s2s_card: S2SCardMerchant,
    card_actions: Baselines[FormRequest],
    together: Callable[[Reply, Send], Reply],
    run: Run,
) -> None:
    must_exist_yet(case, run)
    baseline = card_actions.reply_to(case.field.baseline)
    send = sending(
        lambda: card_actions.like_asked(case.field.baseline),
        lambda request, one: changed(request, one, run),
        s2s_card.post,
    )

    reply = together(baseline, send)
    if keeps_the_contracts(case, [reply], lambda text: send([replace(case, value=text)])):
        note_reading(case.requirement, "of-the-contract")
        return
    must_accept_value(reply, case.field.name, baseline)


@each(accepted=False)
def test_field_outside_its_rule_is_refused(
    case: FieldCase, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], run: Run
) -> None:
    must_exist_yet(case, run)
    if case.field.leaf == "amount":
        must_read_amounts(run.card_accounts.holding.payments, case.field.baseline)

    request = changed(card_actions(case.field.baseline), case, run)
    reply = s2s_card.post(request)

    if "x-shown-by" in case.field.schema and answer_of(reply) is Answer.ACCEPTED:
        must_keep_day_of_month(run.payments.schedules)
    if case.requirement == OF_UPDATES and answer_of(reply) is Answer.ACCEPTED:
        must_be_refused_in_creation(request, s2s_card)

    def again(text: str) -> Reply:
        return s2s_card.post(changed(card_actions(case.field.baseline), replace(case, value=text), run))

    if keeps_the_contracts(case, [reply], again):
        note_reading(case.requirement, "of-the-contract")
        return
    if case.field.baseline == "deschedule" and case.errors and not carries_message(reply, UUID_NOT_VALID.message or ""):
        must_read_the_schedule(run)
    if case.errors == "any":
        must_refuse(reply)
    elif case.removed and (case.field.leaf in NAMES_THE_PAYMENT or case.field.baseline == BY_ORDER):
        must_reject_with_any(reply, (REQUEST_DATA_INVALID, HASH_NOT_VALID), field=case.field.name)
    else:
        pair = load_errors()[case.errors] if case.errors else REQUEST_DATA_INVALID
        must_reject(reply, pair, field=names_of(case))
        if case.errors and load_catalogue()[case.requirement].readings:
            note_reading(case.requirement, carries_message(reply, pair.message or "") or "message")


def must_exist_yet(case: FieldCase, run: Run) -> None:
    """End the check unless field and action came with the target's release or an earlier one."""
    must_exist(case.field, run.release)
    if case.field.baseline.startswith("update_schedule"):
        must_concern([load_catalogue()["S2C-SCH-31"]], run.profile, run.release)


def must_read_the_schedule(run: Run) -> None:
    """End the check where DESCHEDULE goes by the recurring token alone: line 361 shows none of its parameters."""
    token = run.payments.fresh("with_schedule").recurring_token
    reply = run.payments.merchant.post(FormRequest({"action": "DESCHEDULE", "recurring_token": token}))
    if answer_of(reply) is Answer.ACCEPTED:
        not_applicable(f"DESCHEDULE does not read schedule_id, which line 361 does not show: {reply.summary}")


def names_of(case: FieldCase) -> tuple[str, ...]:
    if case.removed and case.field.name in PAID_WITH:
        return (case.field.name, *(name for name in PAID_WITH if name != case.field.name))
    if case.field.name.startswith(f"{PAYING_CARD}_"):
        # The contract does not show how a CARD2CARD names the card that pays.
        return (case.field.name, case.field.name.removeprefix("payer_"))
    return (case.field.name,)


def changed(request: FormRequest, case: FieldCase, run: Run) -> FormRequest:
    if case.removed:
        is_absent = case.accepted and case.field.leaf not in request.fields
        return request if is_absent else request.without(case.field.leaf)
    of_profile = OF_PROFILE.get(case.field.schema.get("x-of-profile", ""))
    value = of_profile(run) if of_profile else case.value
    if case.field.schema.get("x-unique") and isinstance(value, str):
        value = run.sale_requests.numbers.of_length(len(value))
    return request.with_nested(case.field.path, value)
