"""What holds for every request of the protocol: its paths, its methods, and that nothing breaks the server."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

import pytest

from fixtures.generated.case import Case
from fixtures.generated.operations import SESSION
from fixtures.generated.oracles import Known, problems_of
from fixtures.judging.expectations import Finding
from fixtures.judging.must import must, must_accept, must_be_a_client_error, must_not_break, must_refuse
from fixtures.judging.rare_cases import where_it_comes_about
from fixtures.protocols.checkout.merchant import CheckoutMerchant
from fixtures.protocols.checkout.operations import OperationRequest
from fixtures.protocols.checkout.payment import CheckoutPayment
from fixtures.protocols.checkout.payments import CheckoutPayments
from fixtures.protocols.checkout.requests import SessionRequests
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run

NESTED = b'{"order":' + b'{"a":' * 5_000 + b"1" + b"}" * 5_001
REQUESTS: Mapping[str, tuple[tuple[str, ...], str, Callable[[CheckoutPayments, CheckoutPayment], OperationRequest]]] = (
    MappingProxyType(
        {
            "look-up": (("capability:status_lookup",), "settled", lambda _paid, payment: payment.look_up()),
            "secondary-charge": (
                ("capability:recurring",),
                "secondary",
                lambda paid, _payment: paid.operations.charge(paid.chain("initial")),
            ),
            "card-credit": (
                ("capability:card_credit", "test_data:card_token"),
                "credited",
                lambda paid, _payment: paid.operations.card_credit(),
            ),
        }
    )
)
"""What requests about payments need, the payment that shows that they are taken, and how one is made."""
MALFORMED = [
    pytest.param(b"", id="empty"),
    pytest.param(b"{", id="broken-off"),
    pytest.param(b"[]", id="an-array"),
    pytest.param(b"null", id="null"),
    pytest.param(b"merchant_key=x&operation=purchase", id="a-form"),
    pytest.param(b"\xff\xfe\x00", id="not-utf-8"),
    pytest.param(NESTED, id="deeply-nested"),
]


@requirement("CHK-SES-02")
@pytest.mark.parametrize("content", MALFORMED)
def test_body_that_is_no_session_is_refused(
    content: bytes, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    del session_request  # asked for so that a target which refuses everything proves nothing here

    must_refuse(checkout.send_raw(content))


@requirement("GEN-ERR-10")
@pytest.mark.parametrize(
    "content",
    [
        *MALFORMED,
        pytest.param(b'{"order":{"amount":1e999,"number":-0}}', id="huge-number"),
        pytest.param(b'{"order":1,"order":2,"hash":null}', id="member-twice"),
        pytest.param(json.dumps({"order": {"description": "x" * 60_000}}).encode(), id="large"),
        pytest.param(
            json.dumps({"merchant_key": "\u0000\ud83d\ude00", "hash": "\u202e"}).encode(), id="odd-characters"
        ),
    ],
)
def test_malformed_request_is_no_reason_for_a_server_error(
    content: bytes, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    del session_request

    must_not_break(checkout.send_raw(content))


@requirement("GEN-ERR-10")
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("methods", []),
        ("methods", [{}]),
        ("methods", 5),
        ("card_token", [{}]),
        ("card_token", []),
        ("card_token", True),
        ("checkout_language", {}),
        ("parameters", {}),
        ("parameters.card", "text"),
        ("parameters.card.cart", "text"),
        ("parameters.card.cart.items", {"name": "x"}),
        ("parameters.card.cart.items", 5),
        ("parameters.card.cart.items", [5]),
        ("parameters.card.cart.payments", True),
        ("parameters.card.marketPlace", 5),
        ("parameters.card.marketPlace.sellers", True),
        ("parameters.card.shipping", []),
        ("crypto", "text"),
        ("custom_data", {}),
        ("billing_address", {}),
        ("customer", {}),
        ("payee", []),
        ("order.description", "\U0001f381 gift"),
        ("order.number", None),
        ("order.amount", "9" * 400),
    ],
    ids=str,
)
def test_odd_value_is_no_reason_for_a_server_error(
    path: str, value: object, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    must_not_break(checkout.create_session(session_request().with_(path, value)))


@requirement("GEN-ERR-23")
@pytest.mark.parametrize("content", MALFORMED)
def test_malformed_request_shows_nothing_of_the_inside(
    content: bytes, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    del session_request
    reply = checkout.send_raw(content)

    for problem in problems_of(Case(SESSION), reply, Known("")):
        if problem.requirement == "GEN-ERR-23":
            must(problem.finding, reply)


@requirement("GEN-ERR-19")
def test_unknown_path_is_a_client_error(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    signed = checkout.sign(session_request())

    reply = checkout.send_raw(signed.encoded(), url=f"{checkout.session_url}/no-such-path")

    must_be_a_client_error(reply)


@requirement("GEN-ERR-20")
@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_another_method_is_a_client_error(
    method: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    signed = checkout.sign(session_request())

    must_be_a_client_error(checkout.send_raw(signed.encoded(), method=method))


def naming(charset: str, merchant: CheckoutMerchant) -> CheckoutMerchant:
    """Return a merchant whose requests say in which charset they are."""
    return replace(merchant, content_type=f"application/json; charset={charset}")


@requirement("CHK-SES-86")
@pytest.mark.parametrize("charset", ["utf-8", "UTF-8"])
def test_charset_of_the_content_type_changes_nothing(
    charset: str, checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    must_accept(naming(charset, checkout).create_session(session_request()))


@requirement("CHK-SES-86")
@pytest.mark.parametrize("what", REQUESTS)
def test_charset_of_the_content_type_changes_nothing_on_requests_about_payments(
    what: str, run: Run, paid: CheckoutPayments
) -> None:
    needs, state, request_of = REQUESTS[what]
    must_offer(run.profile, needs, "checkout")
    with where_it_comes_about(f"a payment that is {state}"):
        payment = paid.shared(state)

    must_accept(naming("utf-8", payment.merchant).post(request_of(paid, payment)))


@requirement("GEN-ERR-21")
def test_unknown_member_is_ignored(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    must_accept(checkout.create_session(session_request(member_that_nobody_knows="x")))


@requirement("GEN-VER-01")
def test_session_path_carries_api_v1(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    must_accept(checkout.create_session(session_request()))

    if "/api/v1/" not in checkout.session_url:
        explanation = "session_path in [dialect] of the profile names another path."
        must(Finding("sessions at a path with /api/v1/", checkout.session_url, explanation))
