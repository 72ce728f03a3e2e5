"""Look-ups and changes of what does not exist: each is refused with the code of its entity, however it is signed."""

from __future__ import annotations

import uuid

import pytest

from contract.errors import (
    ORDER_DOES_NOT_EXIST,
    PAYMENT_NOT_FOUND,
    REQUEST_DATA_INVALID,
    STATUS_IDENTIFIER_INVALID_BEFORE_6_7,
    TRANSACTION_DOES_NOT_EXIST,
    ErrorPair,
)
from fixtures.judging.expectations import refusal_with
from fixtures.judging.matchers import is_accepted, same_message
from fixtures.judging.must import must_accept, must_be_one_of, must_hold, must_refuse, must_reject, must_reject_stating
from fixtures.judging.verdicts import not_applicable, note_reading
from fixtures.protocols.s2s_card.merchant import S2SCardMerchant
from fixtures.protocols.s2s_card.payments import Payments
from fixtures.protocols.s2s_card.requests import SaleRequests
from fixtures.protocols.s2s_card.unknown_ids import asked_about_nothing
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.wire.requests import FormRequest

SIGNED = pytest.mark.parametrize("signed_with", ["email-and-card", "email", "nothing-of-a-payment"])
"""Signatures that a gateway could hold a request about nothing against: none of them may matter."""


def about_nothing(action: str, signed_with: str, requests: SaleRequests) -> FormRequest:
    """Return a request about an id that nothing has, signed with some values or with none."""
    sale = requests.baseline("sale")
    known = {"payer_email": sale.signed("payer_email"), "card_number": sale.signed("card_number")}
    unsent = {"email-and-card": known, "email": {"payer_email": known["payer_email"]}, "nothing-of-a-payment": {}}
    by_order = action == "GET_TRANS_STATUS_BY_ORDER"
    identifier = {"order_id": requests.numbers.next()} if by_order else {"trans_id": str(uuid.uuid1())}
    return FormRequest({"action": action, **identifier}, unsent[signed_with])


NOT_FOUND: tuple[tuple[str, str, ErrorPair], ...] = (
    ("GET_TRANS_STATUS", "S2C-STA-16", TRANSACTION_DOES_NOT_EXIST),
    ("GET_TRANS_STATUS_BY_ORDER", "S2C-STA-21", ORDER_DOES_NOT_EXIST),
    ("CAPTURE", "S2C-CAP-15", TRANSACTION_DOES_NOT_EXIST),
    ("VOID", "S2C-VOI-12", PAYMENT_NOT_FOUND),
    ("CREDITVOID", "S2C-CVD-14", PAYMENT_NOT_FOUND),
)


@pytest.mark.parametrize(
    ("action", "pair"),
    [pytest.param(action, pair, id=action, marks=requirement(claimed)) for action, claimed, pair in NOT_FOUND],
)
@SIGNED
def test_unknown_id_is_not_found(
    signed_with: str, action: str, pair: ErrorPair, payments: Payments, unproven_sale: SaleRequests
) -> None:
    must_reject(
        asked_about_nothing(about_nothing(action, signed_with, unproven_sale), payments.merchant, payments), pair
    )


@pytest.mark.parametrize(
    ("action", "pair"),
    [
        pytest.param(action, pair, id=action, marks=requirement(claimed))
        for action, claimed, pair in NOT_FOUND
        if action in ("CAPTURE", "CREDITVOID")
    ],
)
def test_unknown_id_is_not_found_with_an_amount(
    action: str, pair: ErrorPair, payments: Payments, unproven_sale: SaleRequests
) -> None:
    request = about_nothing(action, "email-and-card", unproven_sale).with_("amount", unproven_sale.usual)

    reply = asked_about_nothing(request, payments.merchant, payments)

    if refusal_with(reply, REQUEST_DATA_INVALID, ("amount",)) is None:
        not_applicable(f"{action} knows no amount here, as lines 356 and 363 allow: {reply.summary}")
    must_reject(reply, pair)


@requirement("GEN-ERR-30")
@pytest.mark.parametrize("whose", ["of another merchant", "of S2S APM"])
def test_id_of_somebody_else_is_not_found_in_the_words_of_the_action(whose: str, run: Run) -> None:
    if whose == "of S2S APM":
        must_offer(run.profile, ("capability:s2s_apm",), "s2s_apm")
        trans_id = run.apm.payments.shared("settled").trans_id
    else:
        must_offer(run.profile, ("account:second_merchant",))
        trans_id = run.payments.of(run.s2s_card_merchant("second_merchant")).shared("settled").trans_id
    own = {action: pair for action, _, pair in NOT_FOUND if action != "GET_TRANS_STATUS_BY_ORDER"}
    others = {pair.message for pair in own.values()} | {STATUS_IDENTIFIER_INVALID_BEFORE_6_7.message}

    for action, pair in own.items():
        reply = run.s2s_card.post(FormRequest({"action": action, "trans_id": trans_id}))

        # How a request about it is signed is not shown, so that a refusal of the hash says nothing.
        is_other = any(same_message(reply.object.get("error_message"), one or "") for one in others - {pair.message})
        must_hold(not is_other, f"{action}, if it finds nothing, with {pair.message!r}", reply, "It says otherwise.")


@pytest.mark.parametrize(
    "action",
    [
        pytest.param("GET_TRANS_STATUS", marks=requirement("S2C-STA-16")),
        pytest.param("GET_TRANS_DETAILS", marks=requirement("S2C-STA-30")),
        pytest.param("CAPTURE", marks=requirement("S2C-CAP-15")),
        pytest.param("VOID", marks=requirement("S2C-VOI-12")),
        pytest.param("CREDITVOID", marks=requirement("S2C-CVD-14")),
    ],
)
def test_id_that_is_no_uuid_is_refused(action: str, s2s_card: S2SCardMerchant, unproven_sale: SaleRequests) -> None:
    # As invalid data or as unknown: the contract says neither for ids of transactions.
    must_refuse(s2s_card.post(about_nothing(action, "email-and-card", unproven_sale).with_("trans_id", "12345")))


@requirement("S2C-STA-21")
def test_order_id_with_zeros_in_front_is_that_of_no_order(payments: Payments) -> None:
    digits = str(uuid.uuid4().int)[:15]
    asked = payments.open(payments.requests.baseline("sale").with_("order_id", f"7{digits}")).status_by_order()
    payments.carry_out(asked)

    must_reject(payments.merchant.post(asked.with_("order_id", f"007{digits}")), ORDER_DOES_NOT_EXIST)


@requirement("S2C-STA-20")
def test_order_is_found_though_it_was_asked_for_before_it_was_there(payments: Payments) -> None:
    sale = payments.requests.baseline("sale")
    asked = payments.shared("settled").status_by_order().with_("order_id", sale.get("order_id") or "")
    must_refuse(payments.merchant.post(asked))
    payments.open(sale)

    must_accept(payments.polling.until(lambda: payments.merchant.post(asked), is_accepted))


@pytest.mark.parametrize(
    ("action", "claimed"),
    [
        pytest.param("GET_TRANS_STATUS", "S2C-STA-17", marks=requirement("S2C-STA-17")),
        pytest.param("GET_TRANS_STATUS_BY_ORDER", "S2C-STA-22", marks=requirement("S2C-STA-22")),
    ],
)
@SIGNED
def test_unknown_id_was_not_correct(
    signed_with: str, action: str, claimed: str, payments: Payments, unproven_sale: SaleRequests
) -> None:
    reply = asked_about_nothing(about_nothing(action, signed_with, unproven_sale), payments.merchant, payments)

    field = "order_id" if "ORDER" in action else "trans_id"
    must_reject_stating(reply, claimed, STATUS_IDENTIFIER_INVALID_BEFORE_6_7, field=field)


@requirement("S2C-CAP-16")
@SIGNED
def test_capture_of_an_unknown_payment_was_refused(
    signed_with: str, s2s_card: S2SCardMerchant, unproven_sale: SaleRequests
) -> None:
    must_refuse(s2s_card.post(about_nothing("CAPTURE", signed_with, unproven_sale)))


@requirement("S2C-STA-30")
@SIGNED
def test_details_of_an_unknown_payment_are_refused(
    signed_with: str, s2s_card: S2SCardMerchant, unproven_sale: SaleRequests
) -> None:
    reply = s2s_card.post(about_nothing("GET_TRANS_DETAILS", signed_with, unproven_sale))

    code = str(reply.object.get("error_code"))
    by_code = str(TRANSACTION_DOES_NOT_EXIST.code), str(PAYMENT_NOT_FOUND.code)
    must_refuse(reply)
    must_be_one_of(reply, "error_code", code, by_code)
    is_transaction = code == str(TRANSACTION_DOES_NOT_EXIST.code)
    note_reading("S2C-STA-30", "transaction" if is_transaction else "payment")
