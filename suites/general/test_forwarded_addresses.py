"""An allowlist goes by who asks, not by whom a header names: anybody can write one."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable

import pytest

from contract.errors import IP_NOT_ALLOWED
from fixtures.judging.matchers import Answer, answer_of, carries_message
from fixtures.judging.must import must_hold
from fixtures.judging.verdicts import inconclusive, not_applicable
from fixtures.payer.addresses import parts_of
from fixtures.profile import Account
from fixtures.requirement import requirement
from fixtures.run import Run
from fixtures.run.serving import must_serve
from fixtures.wire.exchange import Reply

HEADERS: dict[str, Callable[[str], str]] = {
    "X-Forwarded-For": str,
    "X-Real-IP": str,
    "Forwarded": lambda address: f"for={address}",
}
"""By header, how it names the address for which somebody else asks."""


def asked(protocol: str, run: Run) -> Reply:
    """Ask as the account that has an allowlist on which this machine is not."""
    match protocol:
        case "checkout":
            return run.checkout_merchant("ip_allowlist").create_session(run.session_requests.baseline("purchase"))
        case "s2s_card":
            return run.s2s_card_merchant("ip_allowlist").post(run.sale_requests.baseline("sale"))
        case _:
            return run.s2s_apm_merchant("ip_allowlist").post(run.apm_requests.baseline("sale"))


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize(
    "protocol",
    [
        pytest.param("checkout", marks=requirement("CHK-SIG-18")),
        pytest.param("s2s_card", marks=requirement("S2C-REQ-13")),
        pytest.param("s2s_apm", marks=requirement("APM-REQ-15")),
    ],
)
def test_header_that_names_an_allowed_address_opens_no_allowlist(protocol: str, header: str, run: Run) -> None:
    must_serve(run, protocol)
    address = _allowed(run.profile.account("ip_allowlist", protocol))
    plain = asked(protocol, run)
    if not carries_message(plain, IP_NOT_ALLOWED.message or ""):
        not_applicable(f"the request is not refused for its address, which other checks judge: {plain.summary}")

    with run.transport.also_sending({header: HEADERS[header](address)}):
        reply = asked(protocol, run)

    answer = answer_of(reply)
    if answer in {Answer.NONE, Answer.PUT_OFF}:
        inconclusive(f"the request with {header} is not answered: {reply.summary}", decides="a target that answers it")
    if answer is not Answer.REFUSED and _may_take_this_machine_for_its_proxy(run, protocol):
        inconclusive(
            f"the target goes by {header}, and may take this machine for its proxy, as both are in one network: "
            f"{reply.summary}",
            decides="a target at a public address",
        )
    expected = "the refusal that a request without the header gets"
    must_hold(answer is Answer.REFUSED, expected, reply, f"With {header} it is not refused.")


def _allowed(account: Account | None) -> str:
    if account is None or account.allowed_ip is None:
        inconclusive("no address on an allowlist is known", decides="allowed_ip of the account with ip_allowlist")
    return account.allowed_ip


def _may_take_this_machine_for_its_proxy(run: Run, protocol: str) -> bool:
    """Whether the target may: servers trust such headers of what runs beside them, where a proxy usually stands."""
    if run.embedded is not None:
        return False
    host = parts_of(run.address(protocol)).hostname or ""
    try:
        found = {address[0] for *_, address in socket.getaddrinfo(host, None)}
    except OSError:
        return True
    return not all(ipaddress.ip_address(str(address).partition("%")[0]).is_global for address in found)
