"""The script that puts the fields into the merchant's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixtures.judging.expectations import Finding
from fixtures.judging.must import must_hold
from fixtures.judging.verdicts import Nonconformance, inconclusive
from fixtures.payer import Page
from fixtures.payer.addresses import joined, parts_of
from fixtures.payer.fields import asks, unknown_fields
from fixtures.payer.http import MAX_HOPS, REDIRECTS
from fixtures.protocols.hosted_fields import HostedFields
from fixtures.requirement import requirement
from fixtures.wire.exchange import Reply

if TYPE_CHECKING:
    from fixtures.payer.chromium.browser import BrowserPayer

CARD = ("card_number", "expiry", "security_code")


@requirement("HPF-FLD-01")
def test_script_is_delivered(fields: HostedFields) -> None:
    path = fields.dialect.hosted_fields_script
    wanted = f"a script at {path}, which is hosted_fields_script in [dialect] of the profile"
    reply = delivered(fields, fields.base + path)
    is_script = "javascript" in reply.headers.get("content-type", "") or "ecmascript" in reply.headers.get(
        "content-type", ""
    )

    must_hold(reply.status == 200 and reply.body, wanted, reply, "Nothing is delivered.")
    must_hold(is_script, wanted, reply, "A browser runs no script of another content type.")


def delivered(fields: HostedFields, address: str) -> Reply:
    """Return what a browser gets that loads a script: it may be sent on to the script of a version."""
    for _ in range(MAX_HOPS):
        reply = fields.merchant.transport.send(
            "GET", address, headers={}, content=b"", protocol="Checkout", note="script"
        )
        location = reply.headers.get("location")
        if reply.status not in REDIRECTS or not location:
            return reply
        address = joined(address, location)
        if parts_of(address).netloc != parts_of(fields.base).netloc:
            inconclusive(
                f"the script is on another host, which the suite asks nothing: {address}",
                decides="hosted_fields_script in [dialect] of the profile, on the host of the target",
            )
    return reply


LOADS = 3
"""How often the merchant's page is loaded while it shows no frames: a script may be slower than a busy browser."""


def shown(fields: HostedFields, token: str, payer: BrowserPayer) -> Page:
    """Return the merchant's page with the frames of the service, if it gets any."""
    for _ in range(LOADS):
        shop = payer.show(fields.base, fields.shop(token))
        if shop.page is not None and shop.page.frames:
            break
    if shop.page is None:
        inconclusive(f"the merchant's page is not shown: {shop.summary}", decides="hosted_fields_init in [dialect]")
    return shop.page


@requirement("HPF-FLD-02")
def test_card_expiry_and_code_are_fields_of_the_service(fields: HostedFields, browser_payer: BrowserPayer) -> None:
    token = fields.token(fields.request())
    page = shown(fields, token, browser_payer)
    frames, alone = page.frames, page.without_frames
    there = [what for what in CARD if any(asks(page, what, browser_payer.selectors) for page in frames)]
    outside = [what for what in CARD if asks(alone, what, browser_payer.selectors)]
    if not there and not outside:
        # The contract shows no call that starts the script, and no place for its fields.
        said = f"; it says: {browser_payer.complaints[0]}" if browser_payer.complaints else ""
        inconclusive(
            f"the target's script shows no fields in frames of the hosts that the profile names{said}",
            decides="hosted_fields_init in [dialect] of the profile, and hosts in [payer] if the frames have others",
        )
    missing = sorted({*CARD} - {*there})
    if missing and any(unknown_fields(page, browser_payer.selectors) for page in frames):
        # No line says how a field is called, in its frame or around it.
        inconclusive(
            f"the frames of the service have fields of which nothing says what they take, perhaps {', '.join(missing)}",
            decides="names, labels or titles of the frames that say it, such as placeholders in hosted_fields_init in "
            "[dialect] of the profile",
        )
    if missing:
        expected = "fields of the service for number, expiry and code in the merchant's page"
        received = f"{len(frames)} frames of the service, which take {', '.join(there) or 'nothing of a card'}"
        explanation = "These are in the merchant's own page." if outside else f"There is none for {missing}."
        raise Nonconformance(Finding(expected, received, explanation))
