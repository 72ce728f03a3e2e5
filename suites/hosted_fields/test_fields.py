"""The script that puts the fields into the merchant's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fixtures.judging.expectations import Finding
from fixtures.judging.must import must_hold
from fixtures.judging.verdicts import Nonconformance, inconclusive, note_reading
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
"""How often the merchant's page is loaded while it shows no fields: a script may be slower than a busy browser."""


def shown(fields: HostedFields, token: str, payer: BrowserPayer) -> Page:
    """Return the merchant's page with the fields of the service, if it gets any: its own page has none."""
    for _ in range(LOADS):
        shop = payer.show(fields.base, fields.shop(token))
        if shop.page is not None and (shop.page.frames or any(form.asked for form in shop.page.forms)):
            break
    if shop.page is None:
        inconclusive(f"the merchant's page is not shown: {shop.summary}", decides="hosted_fields_init in [dialect]")
    return shop.page


@requirement("HPF-FLD-02")
def test_card_expiry_and_code_are_fields_of_the_service(fields: HostedFields, browser_payer: BrowserPayer) -> None:
    token, selectors = fields.token(fields.request()), browser_payer.selectors
    page = shown(fields, token, browser_payer)
    frames, alone = page.frames, page.without_frames
    framed = [what for what in CARD if any(asks(frame, what, selectors) for frame in frames)]
    plain = [what for what in CARD if what not in framed and asks(alone, what, selectors)]
    if not framed and not plain:
        # The contract shows no call that starts the script, and no place for its fields.
        said = f"; it says: {browser_payer.complaints[0]}" if browser_payer.complaints else ""
        inconclusive(
            f"the target's script shows no fields on the page, nor in frames of the hosts that the profile names{said}",
            decides="hosted_fields_init in [dialect] of the profile, and hosts in [payer] if the frames have others",
        )
    missing = sorted({*CARD} - {*framed, *plain})
    if missing and any(unknown_fields(one, selectors) for one in (*frames, alone)):
        # No line says how a field is called, in its frame or around it.
        inconclusive(
            f"the service shows fields of which nothing says what they take, perhaps {', '.join(missing)}",
            decides="names, labels or titles of the frames that say it, such as placeholders in hosted_fields_init in "
            "[dialect] of the profile",
        )
    if missing:
        expected = "fields of the service for number, expiry and code in the merchant's page"
        received = f"{len(frames)} frames of the service, and fields that take {', '.join((*framed, *plain))}"
        raise Nonconformance(Finding(expected, received, f"There is none for {', '.join(missing)}."))
    # Line 14 has them inside the merchant's page, and says nothing of how the service puts them there.
    note_reading("HPF-FLD-02", "in-the-page" if plain else "in-frames")
