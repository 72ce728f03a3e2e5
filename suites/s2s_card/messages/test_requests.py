"""How requests travel: content types, methods, order and encoding of parameters, who sends them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping
from urllib.parse import urlencode

import pytest

from contract.catalogue import load_catalogue
from contract.errors import (
    ACTION_NOT_SUPPORTED_ROUTE,
    HASH_NOT_VALID,
    IP_NOT_ALLOWED,
    PAYMENT_ACTION_NOT_SUPPORTED,
    REQUEST_DATA_INVALID,
    USE_TEST_KEY,
    ErrorPair,
)
from fixtures.judging.baselines import Baselines
from fixtures.judging.expectations import refusal_with
from fixtures.judging.matchers import Answer, answer_of, carries_message
from fixtures.judging.must import (
    must_accept,
    must_be_a_client_error,
    must_be_object,
    must_be_one_of,
    must_equal,
    must_refuse,
    must_reject,
    must_reject_with_one_of,
)
from fixtures.judging.verdicts import inconclusive, not_applicable, note_reading
from fixtures.profile import Profile
from fixtures.protocols.form import FORM, NO_HASH
from fixtures.protocols.s2s_card.actions import CardActions
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.must import must_have_made_no_payment
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.requests import SaleRequests
from fixtures.protocols.s2s_card.signed_actions import ACTIONS, OPTIONAL
from fixtures.protocols.s2s_card.unknown_ids import asked_about_nothing
from fixtures.requirement import must_concern, must_offer, requirement
from fixtures.run import Run
from fixtures.wire.exchange import Reply
from fixtures.wire.requests import FormRequest

MerchantOf = Callable[[str], S2SCardMerchant]
CLIENT_ERRORS = range(400, 500)
BOUNDARY = "conformance-boundary"

BASELINE_OF_ACTION = {
    "SALE": "sale",
    "DEBIT": "debit",
    "CARD2CARD": "card2card",
    "CREDIT2CARD": "credit2card",
    "RECURRING_SALE": "recurring_sale",
    "RECURRING_DEBIT": "recurring_debit",
    "CAPTURE": "capture",
    "VOID": "void",
    "CREDITVOID": "creditvoid",
    "GET_TRANS_STATUS": "get_trans_status",
    "GET_TRANS_STATUS_BY_ORDER": "get_trans_status_by_order",
    "GET_TRANS_DETAILS": "get_trans_details",
}


def multipart(fields: Mapping[str, str]) -> bytes:
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    return "".join([*parts, f"--{BOUNDARY}--\r\n"]).encode()


def must_be_served_or_turned_away(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], sale: FormRequest, reply: Reply
) -> None:
    """The sale is served as if its body were a form, or a client error is answered and there is no payment."""
    if answer_of(reply) is Answer.ACCEPTED:
        note_reading("S2C-REQ-04", "served")
        must_equal(reply, "order_id", sale.get("order_id") or "")
        return
    note_reading("S2C-REQ-04", "refused")
    must_be_turned_away(s2s_card, card_actions, sale, reply)


def must_be_turned_away(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], sale: FormRequest, reply: Reply
) -> None:
    """The answer is a client error, and no payment has the order id of the sale."""
    must_be_a_client_error(reply)
    card_actions.accepted("get_trans_status_by_order")
    must_have_made_no_payment(s2s_card, sale, reply)


@requirement("S2C-REQ-01", "S2C-SAL-01")
def test_form_post_of_a_sale_is_served(s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    must_accept(s2s_card.post(unproven_sale.baseline("sale")))


@requirement("S2C-REQ-02")
@pytest.mark.parametrize("empty", [False, True], ids=["missing", "empty"])
def test_absent_client_key_is_refused(
    empty: bool, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    signed = s2s_card.sign(card_actions("sale"))

    reply = s2s_card.send(signed.with_("client_key", "") if empty else signed.without("client_key"))

    must_refuse(reply)
    is_invalid_data = refusal_with(reply, REQUEST_DATA_INVALID, ("client_key",)) is None
    note_reading("S2C-REQ-02", "invalid-data" if is_invalid_data else "other")


@requirement("S2C-REQ-03")
@pytest.mark.parametrize("name", ["sale", *(name for name in ACTIONS if name not in OPTIONAL)])
def test_client_key_of_nobody_is_refused(
    name: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest], unproven_actions: CardActions
) -> None:
    card_actions.accepted(name)
    signed = s2s_card.sign(unproven_actions.to_be_refused(name))

    must_refuse(s2s_card.send(signed.with_("client_key", str(uuid.uuid4()))))


@requirement("S2C-REQ-03")
@pytest.mark.parametrize("name", ["sale", "debit", "get_trans_status"])
@pytest.mark.parametrize("around", [" {}", "{} ", "{}\n"], ids=["blank-before", "blank-behind", "newline-behind"])
def test_client_key_with_blanks_around_is_refused(
    around: str, name: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    if s2s_card.drops_blanks:
        not_applicable("the target drops blanks around all values of a form, which nothing in the contract forbids")
    signed = s2s_card.sign(card_actions(name))

    must_refuse(s2s_card.send(signed.with_("client_key", around.format(signed.get("client_key")))))


@requirement("S2C-REQ-04")
def test_json_body_is_served_or_makes_no_payment(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    sale = card_actions("sale")

    reply = s2s_card.send_raw(json.dumps(s2s_card.sign(sale).fields).encode(), "application/json")

    must_be_served_or_turned_away(s2s_card, card_actions, sale, reply)


@requirement("S2C-REQ-04")
def test_plain_text_body_is_served_or_makes_no_payment(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    sale = card_actions("sale")

    reply = s2s_card.send_raw(s2s_card.sign(sale).encoded(), "text/plain")

    must_be_served_or_turned_away(s2s_card, card_actions, sale, reply)


@requirement("S2C-REQ-05")
def test_multipart_body_is_served_or_refused(s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]) -> None:
    signed = s2s_card.sign(card_actions("sale"))

    reply = s2s_card.send_raw(multipart(signed.fields), f"multipart/form-data; boundary={BOUNDARY}")

    must_be_one_of(reply, "the answer", answer_of(reply), (Answer.ACCEPTED, Answer.REFUSED))
    note_reading("S2C-REQ-05", "served" if answer_of(reply) is Answer.ACCEPTED else "refused")


@requirement("S2C-REQ-06")
@pytest.mark.parametrize("charset", ["UTF-8", "utf-8"])
def test_charset_of_the_content_type_changes_nothing(
    charset: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    signed = s2s_card.sign(card_actions("sale"))

    must_accept(s2s_card.send_raw(signed.encoded(), f"{FORM}; charset={charset}"))


@requirement("S2C-REQ-07")
def test_get_is_refused_and_makes_no_payment(s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]) -> None:
    sale = card_actions("sale")
    query = urlencode(s2s_card.sign(sale).without("card_number", "card_cvv2").fields)

    reply = s2s_card.send_raw(b"", FORM, method="GET", query=query)

    must_be_turned_away(s2s_card, card_actions, sale, reply)


@requirement("S2C-REQ-07")
@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE"])
def test_another_method_is_refused_and_makes_no_payment(
    method: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    sale = card_actions("sale")

    reply = s2s_card.send_raw(s2s_card.sign(sale).encoded(), FORM, method=method)

    must_be_turned_away(s2s_card, card_actions, sale, reply)


@requirement("S2C-REQ-08")
def test_order_of_parameters_plays_no_part(s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]) -> None:
    signed = s2s_card.sign(card_actions("sale"))

    must_accept(s2s_card.send(FormRequest(dict(reversed(list(signed.fields.items()))))))


@requirement("S2C-REQ-09")
def test_unknown_parameter_is_ignored(s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]) -> None:
    must_accept(s2s_card.post(card_actions("sale").with_("x_unheard_of", "1")))


@requirement("S2C-REQ-10")
@pytest.mark.parametrize("kind", ["accepted", "wrong-hash", "invalid-data", "unknown-action", "look-up"])
def test_every_answer_is_a_json_object(
    kind: str, s2s_card: S2SCardMerchant, unproven_sale: SaleRequests, unproven_actions: CardActions
) -> None:
    sale = unproven_sale.baseline("sale")
    replies: Mapping[str, Callable[[], Reply]] = {
        "accepted": lambda: s2s_card.post(sale),
        "wrong-hash": lambda: s2s_card.send(s2s_card.sign(sale).with_("hash", NO_HASH)),
        "invalid-data": lambda: s2s_card.post(sale.without("order_amount")),
        "unknown-action": lambda: s2s_card.send(s2s_card.sign(sale).with_("action", "NO_SUCH_ACTION")),
        "look-up": lambda: s2s_card.post(unproven_actions.build("get_trans_status")),
    }

    reply = replies[kind]()

    must_be_object(reply)


@requirement("S2C-REQ-11")
@pytest.mark.parametrize("field", ["order_description", "payer_first_name", "payer_city"])
def test_text_outside_ascii_is_accepted(
    field: str, s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    must_accept(s2s_card.post(card_actions("sale").with_(field, "Żółć Größe 花")))


@requirement("S2C-REQ-12")
@pytest.mark.parametrize("name", ["sale", "debit", "card2card", "credit2card"])
def test_live_key_is_refused(name: str, s2s_card_merchant: MerchantOf, unproven_sale: SaleRequests) -> None:
    must_reject(s2s_card_merchant("live_key").post(unproven_sale.baseline(name)), USE_TEST_KEY)


GUARDED: Mapping[str, FormRequest] = {
    "GET_TRANS_STATUS": FormRequest({"trans_id": str(uuid.uuid4())}),
    "GET_TRANS_DETAILS": FormRequest({"trans_id": str(uuid.uuid4())}),
    "GET_TRANS_STATUS_BY_ORDER": FormRequest({"order_id": "no-such-order"}),
    "CAPTURE": FormRequest({"trans_id": str(uuid.uuid4())}),
    "VOID": FormRequest({"trans_id": str(uuid.uuid4())}),
    "CREDITVOID": FormRequest({"trans_id": str(uuid.uuid4())}),
    "RETRY": FormRequest({"trans_id": str(uuid.uuid4())}),
    "SCHEDULE_INFO": FormRequest({"schedule_id": str(uuid.uuid4())}),
    "DELETE_SCHEDULE": FormRequest({"schedule_id": str(uuid.uuid4())}),
    "UPDATE_SCHEDULE": FormRequest({"schedule_id": str(uuid.uuid4()), "name": "Monthly"}),
    "PAUSE": FormRequest({"schedule_id": str(uuid.uuid4())}),
    "RUN": FormRequest({"schedule_id": str(uuid.uuid4())}),
    "DESCHEDULE": FormRequest({"recurring_token": str(uuid.uuid4()), "schedule_id": str(uuid.uuid4())}),
    "CREATE_SCHEDULE": FormRequest(
        {"name": "Monthly", "interval_length": "1", "interval_unit": "month", "payments_count": "12"}
    ),
}
TURNED_AWAY: Mapping[str, ErrorPair] = {"ip_allowlist": IP_NOT_ALLOWED, "live_key": USE_TEST_KEY}
"""By what distinguishes an account, how its requests are refused."""
OF_SCHEDULES = ("SCHEDULE", "PAUSE", "RUN")


@requirement("S2C-REQ-13")
@pytest.mark.parametrize("name", ["sale", "debit", "card2card", "credit2card"])
def test_ip_allowlist_guards_payments(name: str, s2s_card_merchant: MerchantOf, unproven_sale: SaleRequests) -> None:
    must_reject(s2s_card_merchant("ip_allowlist").post(unproven_sale.baseline(name)), IP_NOT_ALLOWED)


@pytest.mark.parametrize(
    "setting",
    [
        pytest.param("ip_allowlist", marks=requirement("S2C-REQ-13")),
        pytest.param("live_key", marks=requirement("S2C-REQ-12")),
    ],
)
@pytest.mark.parametrize("name", ["recurring_sale", "recurring_debit"])
def test_recurring_payment_of_an_account_that_is_turned_away_is_refused(
    name: str, setting: str, s2s_card_merchant: MerchantOf, unproven_actions: CardActions, run: Run
) -> None:
    if name == "recurring_debit":
        must_concern([load_catalogue()["S2C-REC-20"]], run.profile, run.release)
    must_reject(s2s_card_merchant(setting).post(unproven_actions.build(name)), TURNED_AWAY[setting])


@requirement("S2C-REQ-13")
@pytest.mark.parametrize("action", GUARDED)
def test_ip_allowlist_guards_what_follows(action: str, s2s_card_merchant: MerchantOf, run: Run) -> None:
    must_reject(turned_away(action, s2s_card_merchant("ip_allowlist"), run), IP_NOT_ALLOWED)


@requirement("S2C-REQ-12")
@pytest.mark.parametrize("action", GUARDED)
def test_live_key_is_refused_whatever_follows(action: str, s2s_card_merchant: MerchantOf, run: Run) -> None:
    must_reject(turned_away(action, s2s_card_merchant("live_key"), run), USE_TEST_KEY)


def turned_away(action: str, merchant: S2SCardMerchant, run: Run) -> Reply:
    """Return the reply to an account that is turned away, whatever it asks for."""
    if any(word in action for word in OF_SCHEDULES):
        must_offer(run.profile, ("capability:schedules",))
    if action == "UPDATE_SCHEDULE":
        must_concern([load_catalogue()["S2C-SCH-32"]], run.profile, run.release)
    if action == "RETRY":
        must_offer(run.profile, ("capability:recurring",))
    request = FormRequest({"action": action, **GUARDED[action].fields})
    reply = asked_about_nothing(request, merchant, run.payments)
    if carries_message(reply, ACTION_NOT_SUPPORTED_ROUTE.message or ""):
        inconclusive(f"the target does not know the action: {reply.summary}", decides="a target that carries it out")
    return reply


@requirement("S2C-ACT-25")
def test_action_that_cannot_be_routed_is_refused(
    s2s_card_merchant: MerchantOf, profile: Profile, payments: Payments
) -> None:
    account = profile.account("unroutable_action", "s2s_card")
    action = str(account.unroutable_action) if account else ""
    if action not in BASELINE_OF_ACTION:
        inconclusive(
            f"no valid request of the action {action} is known",
            decides=f"unroutable_action of the account: one of {', '.join(BASELINE_OF_ACTION)}",
        )
    request = CardActions(payments.of(s2s_card_merchant("unroutable_action"))).build(BASELINE_OF_ACTION[action])

    must_reject(s2s_card_merchant("unroutable_action").post(request), PAYMENT_ACTION_NOT_SUPPORTED)


@requirement("S2C-ANS-16")
def test_missing_field_is_reported_before_a_wrong_signature_or_after_it(
    s2s_card: S2SCardMerchant, card_actions: Baselines[FormRequest]
) -> None:
    signed = s2s_card.sign(card_actions("sale")).without("order_amount").with_("hash", NO_HASH)

    reply = s2s_card.send(signed)

    readings = {"fields-first": REQUEST_DATA_INVALID, "hash-first": HASH_NOT_VALID}
    must_reject_with_one_of(reply, "S2C-ANS-16", readings, field="order_amount")
