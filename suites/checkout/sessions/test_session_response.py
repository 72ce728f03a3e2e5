"""The shape of what comes back: on success, and on every kind of refusal."""

from __future__ import annotations

from contract.errors import HASH_NOT_VALID, REQUEST_DATA_INVALID
from fixtures.judging.error_fields import Named, error_items, named_in
from fixtures.judging.expectations import Finding
from fixtures.judging.must import must, must_accept, must_agree, must_refuse
from fixtures.judging.verdicts import inconclusive, note_reading
from fixtures.payer.addresses import parts_of
from fixtures.protocols.checkout.merchant import NO_HASH, CheckoutMerchant
from fixtures.protocols.checkout.requests import SessionRequests
from fixtures.requirement import requirement
from fixtures.wire.exchange import Reply

MISSING = "success_url"
UNTOUCHED = "cancel_url"


def refused_for_its_data(checkout: CheckoutMerchant, session_request: SessionRequests) -> Reply:
    # It is not signed: what a missing value adds to the signature is not stated.
    return checkout.create_session(session_request().without(MISSING))


@requirement("CHK-RSP-01")
def test_open_session_has_a_redirect_url(checkout: CheckoutMerchant, unproven_session: SessionRequests) -> None:
    reply = checkout.create_session(unproven_session())

    must_accept(reply)
    address = reply.object.get("redirect_url")
    if not (isinstance(address, str) and address):
        must(Finding("an object with redirect_url", reply.summary, "redirect_url is missing, empty or no text."))


@requirement("CHK-RSP-02")
def test_redirect_url_is_absolute(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    address = redirect_url(checkout.create_session(session_request()))

    parts = parts_of(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        must(Finding("an absolute http or https address", repr(address), "A payer cannot be sent there."))


@requirement("CHK-RSP-09")
def test_every_session_has_an_address_of_its_own(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    addresses = [redirect_url(checkout.create_session(session_request())) for _ in range(12)]

    if twice := [address for address in addresses if addresses.count(address) > 1]:
        must(Finding("an address for each session", f"{twice[0]!r} twice", "Two payers would meet on one page."))


@requirement("CHK-RSP-10")
def test_success_is_json(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    reply = checkout.create_session(session_request())

    must_accept(reply)
    content_type = reply.headers.get("content-type", "")
    if "json" not in content_type.lower():
        must(Finding("a JSON content type", repr(content_type), "Clients choose their parser by it."))


@requirement("CHK-RSP-03")
def test_validation_failure_has_status_400(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    reply = refused_for_its_data(checkout, session_request)

    must_refuse(reply)
    must_agree(reply, REQUEST_DATA_INVALID, "status")


@requirement("CHK-RSP-04")
def test_validation_failure_carries_errors(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    reply = refused_for_its_data(checkout, session_request)

    must_refuse(reply)
    if not error_items(reply):
        must(Finding("errors, an array that is not empty", reply.summary, "Merchants cannot see what is wrong."))


@requirement("CHK-RSP-05")
def test_refusals_carry_result_error(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    signed = checkout.sign(session_request())
    replies = [refused_for_its_data(checkout, session_request), checkout.send_session(signed.with_("hash", NO_HASH))]

    for reply in replies:
        must_refuse(reply)
        must_agree(reply, REQUEST_DATA_INVALID, "result")


@requirement("CHK-RSP-06")
def test_validation_failure_has_the_pair_of_invalid_data(
    checkout: CheckoutMerchant, session_request: SessionRequests
) -> None:
    reply = refused_for_its_data(checkout, session_request)

    must_refuse(reply)
    must_agree(reply, REQUEST_DATA_INVALID, "error_code", "error_message")


@requirement("CHK-RSP-07")
def test_wrong_signature_has_its_pair(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    reply = checkout.send_session(checkout.sign(session_request()).with_("hash", NO_HASH))

    must_refuse(reply)
    must_agree(reply, HASH_NOT_VALID, "status", "error_code", "error_message")


@requirement("CHK-RSP-08")
def test_item_of_errors_names_its_field(checkout: CheckoutMerchant, session_request: SessionRequests) -> None:
    reply = refused_for_its_data(checkout, session_request)

    must_refuse(reply)
    if not error_items(reply):
        inconclusive("there are no items of errors that could name a field", decides="a refusal that carries errors")
    if named_in(reply, MISSING) is not Named.THIS:
        must(Finding(f"an item of errors that names {MISSING}", reply.summary, "No item names it."))
    if named_in(reply, UNTOUCHED) is Named.THIS:
        must(Finding(f"items of errors that name {MISSING} alone", reply.summary, f"They name {UNTOUCHED} as well."))
    note_reading("CHK-RSP-08", "text" if isinstance(reply.object["errors"][0], str) else "object")


def redirect_url(reply: Reply) -> str:
    must_accept(reply)
    address = reply.object.get("redirect_url")
    if not isinstance(address, str):
        inconclusive("there is no redirect_url to look at", decides="a target that answers with redirect_url")
    return address
