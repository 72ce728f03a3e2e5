"""Signatures of the endpoints that follow a session: what each covers, and every way to make it wrong."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest

from contract.errors import HASH_NOT_VALID, IP_NOT_ALLOWED, USE_TEST_KEY
from fixtures.judging.claims import words_speak_of
from fixtures.judging.must import must_accept, must_refuse, must_reject, must_reject_hash
from fixtures.protocols.accounts import must_be_two_merchants, must_be_without_sha256
from fixtures.protocols.checkout.merchant import NO_HASH
from fixtures.protocols.checkout.must import must_have_status
from fixtures.protocols.checkout.operations import OperationRequest
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.copies import NAMES, until_found
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.signing.deviations import (
    CHECKOUT_DEVIATIONS,
    SPOILT,
    Deviation,
    key_as_password,
    other_password,
    with_value,
    without,
    wrong_signature,
)
from fixtures.signing.recipe import Digest
from fixtures.wire.exchange import Reply

PaymentsOf = Callable[[str], CheckoutPayments]
Build = Callable[[CheckoutPayments], OperationRequest]
RequestOf = Callable[[str], tuple[CheckoutPayments, OperationRequest]]


def of_payment(paid: CheckoutPayments) -> OperationRequest:
    return paid.shared("settled").look_up()


def of_order(paid: CheckoutPayments) -> OperationRequest:
    payment = paid.shared("settled")
    paid.carry_out(payment.look_up_order())
    return payment.look_up_order()


def capture(paid: CheckoutPayments) -> OperationRequest:
    paid.shared("captured")
    return paid.spare("authorized").capture()


def refund(paid: CheckoutPayments) -> OperationRequest:
    paid.shared("refunded")
    return paid.spare("settled").refund()


def void(paid: CheckoutPayments) -> OperationRequest:
    paid.shared("voided")
    return paid.spare("settled").void()


def retry(paid: CheckoutPayments) -> OperationRequest:
    paid.shared("retried")
    return paid.spare("softly_declined").retry()


def recurring(paid: CheckoutPayments) -> OperationRequest:
    paid.shared("secondary")
    return paid.operations.charge(paid.chain("initial"))


def card_credit(paid: CheckoutPayments) -> OperationRequest:
    paid.shared("credited")
    return paid.operations.card_credit()


RECIPES: dict[str, tuple[Build, str, tuple[str, ...]]] = {
    "status-by-payment": (of_payment, "CHK-STA-31", ("payment_id or order_id",)),
    "status-by-order": (of_order, "CHK-STA-32", ("payment_id or order_id",)),
    "capture": (capture, "CHK-CAP-10", ("payment_id", "amount")),
    "refund": (refund, "CHK-RFD-06", ("payment_id", "amount")),
    "void": (void, "CHK-RFD-14", ("payment_id",)),
    "retry": (retry, "CHK-RFD-21", ("payment_id",)),
    "recurring": (
        recurring,
        "CHK-REC-12",
        ("recurring_init_trans_id", "recurring_token", "order.number", "order.amount", "order.description"),
    ),
    "card_credit": (card_credit, "CHK-CRD-17", ("order_id", "order_amount", "order_currency", "order_description")),
}
"""What is signed, by which requirement, over which values. The recipe is that of the session request throughout."""

REFUSED = {
    "status-by-payment": "CHK-STA-30",
    "status-by-order": "CHK-STA-30",
    "capture": "CHK-CAP-09",
    "refund": "CHK-RFD-06",
    "void": "CHK-RFD-14",
    "retry": "CHK-RFD-21",
    "recurring": "CHK-REC-11",
    "card_credit": "CHK-CRD-18",
}
"""The requirement that a wrong signature is refused."""
ON_ANOTHER_ACCOUNT = {"retry": "declining_recurring"}
NEEDS = {
    "refund": ("capability:refund_endpoint",),
    "void": ("capability:void_endpoint",),
    "retry": ("capability:retry_endpoint",),
    "capture": ("capability:dms",),
}
"""What a target must offer for a request to be one of it: asked before an account for it is."""


@pytest.fixture
def request_of(paid: CheckoutPayments, paid_by: PaymentsOf) -> RequestOf:
    """Gives a valid request by name, and whose it is, once the target accepted one like it."""

    def build(name: str) -> tuple[CheckoutPayments, OperationRequest]:
        must_offer(paid.profile, NEEDS.get(name, ()), "checkout")
        owner = paid_by(ON_ANOTHER_ACCOUNT[name]) if name in ON_ANOTHER_ACCOUNT else paid
        request = RECIPES[name][0](owner)
        # Before 6.7.0 an authorization is a matter of the account, and its payments belong to another one.
        return owner.of(owner.spare("authorized").merchant) if name == "capture" else owner, request

    return build


def sent(owner: CheckoutPayments, request: OperationRequest) -> Reply:
    """Send what ought to be refused; a spare payment that it changed serves no other check."""
    merchant = owner.merchant
    reply = until_found(
        map(request.get, NAMES), merchant.transport, lambda note: merchant.send_operation(request, note=note)
    )
    if "payment_id" in request.body and request.operation != "status":
        owner.states.drop_spares_unless_refused(reply)
    return reply


def must_refuse_hash(owner: CheckoutPayments, request: OperationRequest, signature: str) -> None:
    signed = owner.merchant.sign_operation(request)
    must_reject_hash(sent(owner, signed.with_("hash", signature)), signature, signed.get("hash"))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=requirement(claimed)) for name, (_, claimed, _) in RECIPES.items()]
)
def test_request_signed_by_the_recipe_is_accepted(name: str, paid: CheckoutPayments, paid_by: PaymentsOf) -> None:
    must_offer(paid.profile, NEEDS.get(name, ()), "checkout")
    owner = paid_by(ON_ANOTHER_ACCOUNT[name]) if name in ON_ANOTHER_ACCOUNT else paid
    states = {"capture": "authorized", "refund": "settled", "void": "settled", "retry": "softly_declined"}
    if name in states:
        payment = owner.fresh(states[name])
        made = {"capture": payment.capture, "refund": payment.refund, "void": payment.void, "retry": payment.retry}
        must_accept(payment.merchant.post(made[name]()))
        return
    if name == "recurring":
        request = owner.operations.charge(owner.chain("initial"))
    else:
        request = owner.operations.card_credit() if name == "card_credit" else RECIPES[name][0](owner)

    must_accept(owner.merchant.post(request))


@pytest.mark.parametrize("deviation", CHECKOUT_DEVIATIONS, ids=lambda deviation: deviation.name)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=requirement(claimed)) for name, (_, claimed, _) in RECIPES.items()]
)
def test_wrongly_made_signature_is_refused(name: str, deviation: Deviation, request_of: RequestOf) -> None:
    owner, request = request_of(name)

    must_refuse_hash(owner, request, wrong_signature(owner.merchant.recipe(request), deviation))


@pytest.mark.parametrize(
    ("name", "term"),
    [
        pytest.param(name, term, marks=requirement(claimed, *(("CHK-CRD-16",) if name == "card_credit" else ())))
        for name, (_, claimed, terms) in RECIPES.items()
        for term in terms
    ],
)
def test_signature_over_another_value_is_refused(name: str, term: str, request_of: RequestOf) -> None:
    owner, request = request_of(name)
    recipe = owner.merchant.recipe(request)

    must_refuse_hash(owner, request, wrong_signature(recipe, with_value(term, "another")))
    if len(RECIPES[name][2]) > 1:
        must_refuse_hash(owner, request, wrong_signature(recipe, without(term)))


@pytest.mark.parametrize("signature", [NO_HASH, "f" * 40], ids=["zeros", "fs"])
@pytest.mark.parametrize("name", [pytest.param(name, marks=requirement(claimed)) for name, claimed in REFUSED.items()])
def test_signature_of_nothing_is_refused(name: str, signature: str, request_of: RequestOf) -> None:
    must_refuse_hash(*request_of(name), signature)


@pytest.mark.parametrize("name", [pytest.param(name, marks=requirement(claimed)) for name, claimed in REFUSED.items()])
def test_signature_with_another_last_digit_is_refused(name: str, request_of: RequestOf) -> None:
    owner, request = request_of(name)

    must_refuse_hash(owner, request, SPOILT["other-end"](owner.merchant.recipe(request).sign()))


@pytest.mark.parametrize("name", [pytest.param(name, marks=requirement(claimed)) for name, claimed in REFUSED.items()])
def test_signature_with_the_key_as_password_is_refused(name: str, request_of: RequestOf) -> None:
    owner, request = request_of(name)
    recipe = owner.merchant.recipe(request)

    must_refuse_hash(owner, request, wrong_signature(recipe, key_as_password(owner.merchant.identity.key)))


@pytest.mark.parametrize("name", [pytest.param(name, marks=requirement(claimed)) for name, claimed in REFUSED.items()])
def test_signature_with_the_password_of_another_merchant_is_refused(
    name: str, request_of: RequestOf, paid_by: PaymentsOf
) -> None:
    theirs = paid_by("second_merchant").merchant.identity
    owner, request = request_of(name)
    must_be_two_merchants(owner.merchant.identity, theirs)
    wrong = wrong_signature(owner.merchant.recipe(request), other_password(theirs.password.reveal()))

    must_refuse_hash(owner, request, wrong)


@pytest.mark.parametrize("name", [pytest.param(name, marks=requirement(claimed)) for name, claimed in REFUSED.items()])
def test_empty_signature_is_refused(name: str, request_of: RequestOf) -> None:
    owner, request = request_of(name)

    must_refuse(sent(owner, owner.merchant.sign_operation(request).with_("hash", "")))


@requirement("CHK-SIG-16")
@pytest.mark.parametrize("name", [pytest.param(name, marks=requirement(claimed)) for name, claimed in REFUSED.items()])
def test_signature_with_sha256_is_refused_without_the_option(name: str, request_of: RequestOf, run: Run) -> None:
    owner, request = request_of(name)
    must_be_without_sha256(owner.merchant.identity, run.checkout.identity)

    with words_speak_of(REFUSED[name]):
        must_refuse_hash(owner, request, owner.merchant.with_digest(Digest.SHA256).recipe(request).sign())


@requirement("CHK-SES-11")
@pytest.mark.parametrize("name", RECIPES)
def test_merchant_key_of_nobody_is_refused(name: str, request_of: RequestOf) -> None:
    owner, request = request_of(name)

    must_refuse(sent(owner, owner.merchant.sign_operation(request).with_("merchant_key", str(uuid.uuid4()))))


@requirement("CHK-SIG-17")
@pytest.mark.parametrize("name", RECIPES)
def test_live_key_is_refused(name: str, request_of: RequestOf, paid_by: PaymentsOf) -> None:
    of_production = paid_by("live_key").merchant
    _, request = request_of(name)

    must_reject(of_production.post(request), USE_TEST_KEY)


@requirement("GEN-IPL-01")
@pytest.mark.parametrize("name", RECIPES)
def test_request_from_an_address_that_is_not_allowed_is_refused(
    name: str, request_of: RequestOf, paid_by: PaymentsOf
) -> None:
    guarded = paid_by("ip_allowlist").merchant
    _, request = request_of(name)

    must_reject(guarded.post(request), IP_NOT_ALLOWED)


@pytest.mark.parametrize(
    ("name", "state", "word", "needs"),
    [
        pytest.param("capture", "authorized", "PENDING", "dms", marks=requirement("CHK-CAP-09")),
        pytest.param("refund", "settled", "SETTLED", "refund_endpoint", marks=requirement("CHK-RFD-06")),
        pytest.param("void", "settled", "SETTLED", "void_endpoint", marks=requirement("CHK-RFD-14")),
    ],
)
def test_request_with_a_wrong_signature_is_not_carried_out(
    name: str, state: str, word: str, needs: str, paid: CheckoutPayments
) -> None:
    must_offer(paid.profile, (f"capability:{needs}", "capability:status_lookup"))
    payment = paid.fresh(state)
    made = {"capture": payment.capture, "refund": payment.refund, "void": payment.void}

    must_refuse(payment.merchant.post(made[name]().with_("hash", NO_HASH)))

    must_have_status(paid, payment, word)


@requirement("CHK-STA-32")
def test_size_is_not_signed(paid: CheckoutPayments) -> None:
    payment = paid.shared("settled")
    paid.carry_out(payment.look_up_order())
    request = payment.look_up_order(1)
    with_size = with_value("payment_id or order_id", f"{payment.number}1").change(paid.merchant.recipe(request))

    must_accept(paid.merchant.post(request))
    must_reject(paid.merchant.post(request.with_("hash", with_size.sign())), HASH_NOT_VALID)


@requirement("CHK-STA-30")
def test_signature_of_nothing_is_refused_with_a_size(paid: CheckoutPayments) -> None:
    payment = paid.shared("settled")
    paid.carry_out(payment.look_up_order(1))

    must_reject(paid.merchant.post(payment.look_up_order(1).with_("hash", NO_HASH)), HASH_NOT_VALID)
