"""Card credit: paying out to the card behind a token, by flat fields and a signature of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from contract.errors import CARD_TOKEN_INVALID, HASH_NOT_VALID, ORDER_DUPLICATE, REQUEST_DATA_INVALID, SESSION_DUPLICATE
from contract.fields import component, fields_of, load_document
from fixtures.callbacks import CallbackWatch
from fixtures.cases.field_cases import FieldCase, cases_of
from fixtures.deferred import deferred
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import (
    must_accept,
    must_accept_signature,
    must_be_object,
    must_carry,
    must_hold,
    must_refuse,
    must_reject,
    must_reject_hash,
    must_reject_with_one_of,
)
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.judging.verdicts import not_applicable
from fixtures.protocols.accounts import WHO_GIVES_BACK
from fixtures.protocols.checkout.callbacks import must_name_payee, of_payout
from fixtures.protocols.checkout.foreign_tokens import in_a_credit, in_a_session, token_that_is_taken
from fixtures.protocols.checkout.must import must_know_the_token, order_in
from fixtures.protocols.checkout.operations import OperationRequest, status_of_order
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.refunds import must_be_about, refund_by_credit, with_token_of
from fixtures.protocols.checkout.to_refund import payment_to_refund
from fixtures.protocols.duplicates import OUTSIDE, must_come_first
from fixtures.protocols.other_currencies import in_another
from fixtures.protocols.payments import unreached
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.signing.deviations import WRONG_ORDER, Deviation, other_password, with_value, wrong_signature
from fixtures.signing.recipe import Recipe
from fixtures.wire.exchange import Reply
from fixtures.wire.hostile import is_amount

PaymentsOf = Callable[[str], CheckoutPayments]

LENGTHS = ("minLength", "maxLength")
TEXTS = (
    *("order_id", "order_amount", "order_currency", "order_description"),
    *("card_token", "payee_first_name", "payee_last_name"),
)


def in_order(*places: int) -> Deviation:
    """Join the four fields in another order; the password stays the last."""

    def change(recipe: Recipe) -> Recipe:
        *fields, password = recipe.terms
        return replace(recipe, terms=(*(fields[place] for place in places), password))

    return Deviation(f"in-order-{''.join(map(str, places))}", "the fields are joined in another order", change)


ORDERS = (in_order(1, 0, 2, 3), in_order(0, 2, 1, 3), in_order(0, 1, 3, 2), in_order(3, 2, 1, 0))
OF_ANY_TOKEN = {"invalid-data": REQUEST_DATA_INVALID, "token-not-found": CARD_TOKEN_INVALID}


def cases() -> Iterator[FieldCase]:
    document = load_document("checkout")
    schema = "CardCreditRequest"
    for field in fields_of(document, schema, baseline=component(document, schema)["x-baseline"]):
        yield from cases_of(field)


def each(*, accepted: bool) -> pytest.MarkDecorator:
    chosen = [case for case in cases() if case.accepted is accepted]
    return pytest.mark.parametrize(
        "case", [pytest.param(case, id=case.id, marks=requirement(case.requirement)) for case in chosen]
    )


@pytest.fixture
def credit(paid: CheckoutPayments) -> OperationRequest:
    """A card credit, after the target was seen to accept one like it."""
    paid.shared("credited")
    return paid.operations.card_credit()


def changed(credit: OperationRequest, case: FieldCase) -> OperationRequest:
    return credit.without(case.field.path) if case.removed else credit.with_(case.field.path, case.value)


@requirement("CHK-CRD-01")
def test_card_credit_with_all_fields_is_accepted(paid: CheckoutPayments) -> None:
    must_accept(paid.merchant.post(paid.operations.card_credit()))


@requirement("CHK-CRD-01")
def test_card_credit_to_the_card_of_a_payment_is_accepted(paid: CheckoutPayments, credit: OperationRequest) -> None:
    must_offer(paid.profile, ("capability:tokens",))
    token = paid.card_token(paid.fresh("tokenized"))

    reply = paid.merchant.post(credit.with_("card_token", token))

    # Whether a card that paid is paid out to, and when, is open: that its token is one of the merchant's is not.
    must_know_the_token(reply)
    if answer_of(reply) is Answer.REFUSED:
        not_applicable(f"the card of a payment gets no credit here, which no line promises: {reply.summary}")
    must_be_about(reply, credit)


@requirement("CHK-CRD-02")
def test_card_credit_is_answered_with_an_object(paid: CheckoutPayments) -> None:
    reply = paid.merchant.post(paid.operations.card_credit())

    if answer_of(reply) is Answer.REFUSED:
        unreached(f"the target refuses the valid card credit, which a check of its own asks for: {reply.summary}")
    must_be_object(reply)
    must_accept(reply)


def optional_names(credit: OperationRequest) -> OperationRequest:
    return credit.with_("payee_first_name", "Grace").with_("payee_last_name", "Hopper")


@each(accepted=True)
def test_field_within_its_rule_is_accepted(case: FieldCase, paid: CheckoutPayments, credit: OperationRequest) -> None:
    # Whether one name may come without the other is not stated: both come, or neither.
    request = credit if case.removed else changed(optional_names(credit), case)

    must_accept(paid.merchant.post(request))


@each(accepted=False)
def test_field_outside_its_rule_is_refused(case: FieldCase, paid: CheckoutPayments, credit: OperationRequest) -> None:
    reply = paid.merchant.post(changed(credit, case))

    if case.keyword in LENGTHS:
        must_reject_with_one_of(reply, case.requirement, OF_ANY_TOKEN, field=case.field.name)
    else:
        must_reject(reply, REQUEST_DATA_INVALID, field=case.field.name)


@requirement("CHK-CRD-03")
def test_card_credit_without_key_is_refused(paid: CheckoutPayments, credit: OperationRequest) -> None:
    signed = paid.merchant.sign_operation(credit).without("merchant_key")

    must_reject(paid.merchant.send_operation(signed), REQUEST_DATA_INVALID, field="merchant_key")


@requirement("CHK-CRD-09")
def test_card_credit_without_hash_is_refused(paid: CheckoutPayments, credit: OperationRequest) -> None:
    reply = paid.merchant.send_operation(paid.merchant.sign_operation(credit).without("hash"))

    readings = {"invalid-data": REQUEST_DATA_INVALID, "hash-not-valid": HASH_NOT_VALID}
    must_reject_with_one_of(reply, "CHK-CRD-09", readings, field="hash")


@requirement("CHK-CRD-25")
@pytest.mark.parametrize("value", [{"value": "x"}, [["x"]]], ids=["an-object", "an-array"])
@pytest.mark.parametrize("name", TEXTS)
def test_text_of_a_card_credit_that_is_an_object_or_an_array_is_refused(
    name: str, value: object, paid: CheckoutPayments, credit: OperationRequest
) -> None:
    must_refuse(paid.merchant.post(credit.with_(name, value)))


@requirement("CHK-CRD-10")
@pytest.mark.parametrize("order", [{}, {"number": "1"}], ids=["empty", "of a number"])
def test_card_credit_with_an_order_object_beside_its_fields_is_refused(
    order: dict[str, str], paid: CheckoutPayments, credit: OperationRequest
) -> None:
    signed = paid.merchant.sign_operation(credit)

    must_reject(paid.merchant.send_operation(signed.with_("order", order)), REQUEST_DATA_INVALID)


@requirement("CHK-CRD-10")
def test_card_credit_with_an_order_object_is_refused(paid: CheckoutPayments, credit: OperationRequest) -> None:
    signed = paid.merchant.sign_operation(credit)
    names = ("amount", "currency", "description")
    order = {"number": credit.get("order_id"), **{name: credit.get(f"order_{name}") for name in names}}
    nested = signed.with_("order", order).without("order_id")
    for name in names:
        nested = nested.without(f"order_{name}")

    must_reject(paid.merchant.send_operation(nested), REQUEST_DATA_INVALID)


@requirement("CHK-CRD-12")
@pytest.mark.parametrize("token", ["f" * 64, "0" * 64], ids=["fs", "zeros"])
def test_unknown_token_is_refused(token: str, paid: CheckoutPayments, credit: OperationRequest) -> None:
    must_reject(paid.merchant.post(credit.with_("card_token", token)), CARD_TOKEN_INVALID)


def paid_to_be_credited(run: Run) -> CheckoutPayment:
    """Return a payment that a card credit gives back where it names that payment, and a card of the merchant's."""
    with where_it_comes_about("a card credit that names a payment"):
        return payment_to_refund("settled", "", run)


@requirement("CHK-CRD-12")
@deferred(after=OUTSIDE, start=paid_to_be_credited)
def test_unknown_token_is_refused_as_well_where_the_credit_names_a_payment(
    ready: CheckoutPayment, paid: CheckoutPayments
) -> None:
    must_refuse(paid.merchant.post(refund_by_credit(ready, paid).with_("card_token", "e" * 64)))


@requirement("CHK-CRD-21")
@deferred(after=OUTSIDE, start=paid_to_be_credited)
def test_token_of_another_merchant_is_refused_as_well_where_the_credit_names_a_payment(
    ready: CheckoutPayment, paid: CheckoutPayments, paid_by: PaymentsOf
) -> None:
    with where_it_comes_about("a token with which another merchant is paid"):
        known = paid.profile.test_data.second_card_token
        token = token_that_is_taken(paid_by("second_merchant"), known, in_a_session)

    must_refuse(paid.merchant.post(refund_by_credit(ready, paid).with_("card_token", token)))


@requirement("CHK-CRD-14")
def test_payee_may_be_named(paid: CheckoutPayments, credit: OperationRequest) -> None:
    must_accept(paid.merchant.post(optional_names(credit)))


@requirement("CHK-CRD-16")
def test_signature_covers_the_flat_fields_as_they_are_sent(paid: CheckoutPayments, credit: OperationRequest) -> None:
    must_accept(paid.merchant.post(credit.with_("order_description", "Lower and UPPER case, 1 & 2")))


@requirement("CHK-CRD-16")
@pytest.mark.parametrize("between", ["\r\n", "  "], ids=["CR LF", "two blanks"])
def test_description_of_several_parts_is_signed_as_sent(
    between: str, paid: CheckoutPayments, credit: OperationRequest
) -> None:
    # Whether a description may have lines is another matter: its signature is over what was sent.
    must_accept_signature(paid.merchant.post(credit.with_("order_description", f"Two apples{between}and a pear")))


@requirement("CHK-CRD-16")
@pytest.mark.parametrize("kind", ["exponent_0", "exponent_3"])
def test_order_of_what_is_signed_is_the_same_in_every_currency(
    kind: str, paid: CheckoutPayments, credit: OperationRequest
) -> None:
    # A payout in that currency may be refused for much else, which says nothing of its signature.
    with where_it_comes_about("a card credit in another currency"):
        another = in_another(kind, paid.profile)
        who = paid.merchant.identity.paying_in(another.currency, holds=None)
        owner = paid.of(replace(paid.merchant, identity=who))
        ours = with_token_of(owner, credit).with_("order_currency", another.currency)

        must_accept_signature(owner.merchant.post(ours.with_("order_amount", another.little)))


@requirement("CHK-CRD-18")
@pytest.mark.parametrize(
    ("name", "signed"),
    [
        ("order_id", "another"),
        ("order_amount", "987654.32"),
        ("order_amount", "10"),
        ("order_currency", "XTS"),
        ("order_description", "Another gift"),
    ],
)
def test_signature_over_another_value_is_refused(
    name: str, signed: str, paid: CheckoutPayments, credit: OperationRequest
) -> None:
    must_refuse_signed_with(with_value(name, signed), paid, credit)


@requirement("CHK-CRD-19")
@pytest.mark.parametrize("deviation", [WRONG_ORDER, *ORDERS], ids=lambda deviation: deviation.name)
def test_signature_over_the_fields_in_another_order_is_refused(
    deviation: Deviation, paid: CheckoutPayments, credit: OperationRequest
) -> None:
    must_refuse_signed_with(deviation, paid, credit)


@requirement("CHK-CRD-20")
def test_signature_with_the_password_of_another_account_is_refused(
    paid: CheckoutPayments, paid_by: PaymentsOf, credit: OperationRequest
) -> None:
    theirs = paid_by("second_merchant").merchant.identity.password.reveal()

    must_refuse_signed_with(other_password(theirs), paid, credit)


def must_refuse_signed_with(deviation: Deviation, paid: CheckoutPayments, credit: OperationRequest) -> None:
    signature = wrong_signature(paid.merchant.recipe(credit), deviation)

    right = paid.merchant.sign_operation(credit).get("hash")
    must_reject_hash(paid.merchant.post(credit.with_("hash", signature)), signature, right)


@requirement("CHK-CRD-21")
def test_token_of_another_merchant_is_refused(
    paid: CheckoutPayments, paid_by: PaymentsOf, credit: OperationRequest
) -> None:
    must_refuse(paid_by(WHO_GIVES_BACK).merchant.post(credit))

    known = paid.profile.test_data.second_card_token
    if known is not None:
        token = token_that_is_taken(paid_by(WHO_GIVES_BACK), known, in_a_credit)
        must_refuse(paid.merchant.post(credit.with_("card_token", token)))


@requirement("CHK-CRD-21")
def test_token_with_which_another_merchant_is_paid_is_refused(
    paid: CheckoutPayments, paid_by: PaymentsOf, credit: OperationRequest
) -> None:
    # Whoever that merchant is: nothing has to be given back by it.
    token = token_that_is_taken(paid_by("second_merchant"), paid.profile.test_data.second_card_token, in_a_session)

    must_refuse(paid.merchant.post(credit.with_("card_token", token)))


@requirement("CHK-CRD-01")
def test_order_id_of_another_merchant_is_no_duplicate(paid: CheckoutPayments, paid_by: PaymentsOf) -> None:
    theirs = paid_by(WHO_GIVES_BACK)
    token = token_that_is_taken(theirs, paid.profile.test_data.second_card_token, in_a_credit)
    theirs.carry_out(paid.operations.card_credit().with_("card_token", token))
    credit = paid.operations.card_credit()
    must_accept(paid.merchant.post(credit))

    must_accept(theirs.merchant.post(credit.with_("card_token", token)))


@requirement("CHK-CRD-22")
def test_repeated_order_id_is_refused(paid: CheckoutPayments, credit: OperationRequest) -> None:
    must_come_first(paid.merchant.post(credit))

    reply = paid.merchant.post(credit)

    readings = {"payment": ORDER_DUPLICATE, "request": SESSION_DUPLICATE}
    must_reject_with_one_of(reply, "CHK-CRD-22", readings, field="order_id")


@requirement("CHK-CRD-22")
def test_repeated_order_id_is_refused_though_the_amount_differs(
    paid: CheckoutPayments, credit: OperationRequest
) -> None:
    must_come_first(paid.merchant.post(credit))

    must_refuse(paid.merchant.post(credit.with_("order_amount", paid.operations.part)))


@requirement("CHK-CRD-23")
def test_payment_of_a_card_credit_is_found(paid: CheckoutPayments, credit: OperationRequest) -> None:
    must_accept(paid.merchant.post(credit))

    reply = found_by_order(paid, str(credit.get("order_id")))

    must_accept(reply)
    amount = order_in(reply.object).get("amount")
    must_carry(reply, "payment_id")
    is_same = amount is None or is_amount(amount, str(credit.get("order_amount")))
    must_hold(is_same, f"order.amount {credit.get('order_amount')}", reply, f"order.amount is {amount!r}.")


def found_by_order(paid: CheckoutPayments, number: str) -> Reply:
    paid.looked_up(number)
    return paid.merchant.post(status_of_order(number))


@requirement("CHK-CRD-15")
def test_named_payee_wins_over_the_name_of_the_token(
    paid: CheckoutPayments, credit: OperationRequest, callbacks: CallbackWatch
) -> None:
    reply = paid.merchant.post(optional_names(credit))
    must_accept(reply)
    must_be_about(reply, credit)

    callback = of_payout(str(credit.get("order_id")), callbacks)
    must_name_payee(callback, "Grace Hopper")
