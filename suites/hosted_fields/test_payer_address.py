"""The payer's address in callbacks of payments with hosted fields."""

from __future__ import annotations

import ipaddress
from contextlib import suppress
from dataclasses import replace

import pytest

from fixtures.callbacks import Callback, CallbackWatch
from fixtures.judging.expectations import Finding
from fixtures.judging.verdicts import Inconclusive, Nonconformance, inconclusive, not_applicable
from fixtures.protocols.callbacks import with_status
from fixtures.protocols.checkout.callbacks import about_order, outcome_of
from fixtures.protocols.hosted_fields import HostedFields
from fixtures.protocols.modes import statuses_that_may_be_paid
from fixtures.protocols.processing import is_success
from fixtures.requirement import must_offer, requirement


@requirement("HPF-CIP-01")
@pytest.mark.parametrize("given", ["", "2001:db8::1234:5678:9abc"], ids=["of the profile", "version 6"])
def test_customer_ip_comes_back_in_the_callback(given: str, fields: HostedFields, callbacks: CallbackWatch) -> None:
    address = given or fields.profile.test_data.payer.ip
    callback = callback_with(fields, callbacks, address)

    must_have_payer_address(callback, address)


@requirement("HPF-CIP-02")
def test_without_customer_ip_the_caller_s_address_comes_back(fields: HostedFields, callbacks: CallbackWatch) -> None:
    # An address that was given for the session before is none of this one.
    customer = dict(fields.request().get("customer"))
    fields.token(fields.request(customer={**customer, "ip": fields.profile.test_data.payer.ip}))
    given = callback_with(fields, callbacks, None).get("customer_ip") or ""
    expected = "customer_ip, the address that called the token endpoint"
    try:
        address = plain(ipaddress.ip_address(given))
    except ValueError:
        finding = Finding(expected, f"customer_ip {given!r}", "This is no address.")
        raise Nonconformance(finding) from None
    if not callbacks.is_near:
        inconclusive(
            f"customer_ip is {address}; under which address the target sees this machine is not known",
            decides="a target on this machine",
        )
    if any(address in network for network in OF_CONTAINERS):
        inconclusive(
            f"customer_ip is {address}, under which a container, or a proxy before it, may see this machine",
            decides="a target on this machine that is called without anything in between",
        )
    if not address.is_loopback:
        raise Nonconformance(Finding(expected, f"customer_ip {given!r}", "The token endpoint was called from here."))


@requirement("HPF-CIP-01")
def test_customer_ip_of_a_debit_comes_back_in_the_callback(fields: HostedFields, callbacks: CallbackWatch) -> None:
    must_offer(fields.profile, ("capability:debit",), "checkout")
    address = fields.profile.test_data.payer.ip

    must_have_payer_address(callback_with(fields, callbacks, address, operation="debit"), address)


@requirement("HPF-CIP-01")
def test_customer_ip_comes_back_after_a_declined_attempt(fields: HostedFields, callbacks: CallbackWatch) -> None:
    must_offer(fields.profile, ("test_data:cards.decline",))
    fields.proven()
    address = fields.profile.test_data.payer.ip
    declined = fields.paid("decline", customer={**fields.request().get("customer"), "ip": address})
    # A target may refuse the card once the session has failed.
    with suppress(Inconclusive):
        fields.send_card(declined.token, fields.payments.card("success"))
    again = replace(declined, reply=fields.pay("purchase", declined.token))
    if not is_success(again.reply):
        not_applicable(
            f"a session that was declined is not paid after that, which the contract leaves open: {again.reply.summary}"
        )
    statuses = statuses_that_may_be_paid(fields.payments.merchant.identity)
    made = with_status(about_order(str(again.request.get("order.number"))), *statuses)

    must_have_payer_address(callbacks.expect(made, "the callback of the second attempt"), address)


def callback_with(
    fields: HostedFields, callbacks: CallbackWatch, address: str | None, *, operation: str = "purchase"
) -> Callback:
    """Return the callback of a payment whose token request gave an address, or none."""
    fields.proven()
    customer = dict(fields.request().get("customer"))
    payment = fields.paid("success", operation, customer=customer if address is None else {**customer, "ip": address})
    return outcome_of(fields.as_payment(payment), callbacks)


def must_have_payer_address(callback: Callback, address: str) -> None:
    """customer_ip of the callback is that address."""
    if not is_same(callback.get("customer_ip") or "", address):
        received = f"customer_ip {callback.get('customer_ip')!r}"
        raise Nonconformance(Finding(f"a callback with customer_ip {address}", received, "It is not that address."))


OF_CONTAINERS = tuple(map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")))
"""Where a bridge before a container has its address."""
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def plain(address: Address) -> Address:
    """Return an address as it is; one of IPv4 that a listener for both writes as one of IPv6 is the one of IPv4."""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def is_same(received: str, sent: str) -> bool:
    """Return whether two texts are one address, in whatever spelling."""
    try:
        return plain(ipaddress.ip_address(received)) == plain(ipaddress.ip_address(sent))
    except ValueError:
        return received == sent
