"""Variations of the page of a bank: what it asks of its payer before they can decide, and how long they can."""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from emulator.changes.s2s_apm import around
from emulator.design import Design
from emulator.engine.payments import State
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.variations.model import Variation
from emulator.wire.replies import Reply

USER: Final = "ada"
PHRASE: Final = "correct-horse-battery"
TAN: Final = "481516"
_NEVER: Final = 1e12
_LOGIN: Final = """{word}<form method="post" autocomplete="off">
<p><label for="u">User name</label><input id="u" name="login_name"></p>
<p><label for="p">Password</label><input id="p" name="login_password" type="password"></p>
<button name="leave" value="yes">Cancel</button>
<button name="go" value="login">Log in</button>
</form>"""
_TAN: Final = """{word}<form method="post" autocomplete="off">
<input type="hidden" name="ticket" value="{ticket}">
<p><label for="t">TAN of your list</label><input id="t" name="tan"></p>
<button name="challenge" value="fail">Reject</button>
<button name="challenge" value="pass">Approve</button>
</form>"""

_ANY_CODE: Final = """<form method="post" autocomplete="off">
<p><label for="c">Code of the message to your phone</label><input id="c" name="otp" autocomplete="one-time-code"></p>
<button name="challenge" value="pass">Confirm</button>
</form>"""

_SURE: Final = """<p>Are you sure?</p>
<form method="post" autocomplete="off">
<input type="hidden" name="sure" value="yes">
<button name="challenge" value="pass" data-challenge="pass">Pay</button>
<button name="challenge" value="fail" data-challenge="fail">Refuse</button>
</form>"""


def _ticket(token: str) -> str:
    return hashlib.sha256(f"{token} is logged in".encode()).hexdigest()


def _login_and_tan(token: str, posted: Mapping[str, str]) -> str:
    ticket = _ticket(token)
    if posted.get("ticket") == ticket:
        is_decided = posted.get("challenge") == "fail" or posted.get("tan") == TAN
        return "" if is_decided else _TAN.format(ticket=ticket, word="<p>That is not the TAN.</p>")
    if (posted.get("login_name"), posted.get("login_password")) == (USER, PHRASE):
        return _TAN.format(ticket=ticket, word="")
    return _LOGIN.format(word="<p>User name or password is wrong.</p>" if posted.get("login_name") else "")


def _with_a_login(design: Design) -> Design:
    return design.in_apm(bank_asks=_login_and_tan)


def _with_any_code(design: Design) -> Design:
    """No line says which codes the page of a method refuses in a sandbox."""
    return design.in_apm(bank_asks=lambda _token, posted: "" if posted.get("otp") else _ANY_CODE)


def _asking_twice(design: Design) -> Design:
    """No line says how many pages of the bank there are."""
    return design.in_apm(bank_asks=lambda _token, posted: _SURE if posted and "sure" not in posted else "")


def _left_open_when_expired(design: Design) -> Design:
    """Line 235 does not say what becomes of a payment whose code expires, but that the code does."""
    seconds = design.apm.qr_seconds

    def selling(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        reply = handler(attempt, gateway)
        account, trans_id = attempt.account, str(reply.body.get("trans_id", ""))
        payment = gateway.payments.find(account, trans_id) if account is not None and trans_id else None

        def expire() -> None:
            if payment is not None and payment.state is State.REDIRECTED:
                payment.state = State.AWAITING_BANK

        if payment is not None and "qr_code" in str(reply.body.get("redirect_params", "")):
            gateway.agenda.after(seconds, expire)
        return reply

    return around(selling, "SALE")(design.in_apm(qr_seconds=_NEVER))


def _addresses_as_codes(design: Design) -> Design:
    """Line 235 does not say what a code holds: a phone may open it as an address."""

    def selling(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        reply = handler(attempt, gateway)
        params = reply.body.get("redirect_params")
        if not (isinstance(params, Mapping) and "qr_code" in params):
            return reply
        code = base64.b64encode(str(reply.body.get("redirect_url", "")).encode()).decode("ascii")
        return replace(reply, body={**reply.body, "redirect_params": {**params, "qr_code": code}})

    return around(selling, "SALE")(design)


VARIATIONS: Final = (
    Variation(
        "apm-qr-code-is-an-address",
        "A QR code is the Base64 of the address at which its payer decides.",
        _addresses_as_codes,
    ),
    Variation(
        "apm-bank-with-a-login",
        "The bank's page asks for a user name and a password, and then for a TAN beside approving and rejecting.",
        _with_a_login,
    ),
    Variation(
        "apm-bank-that-takes-any-code",
        "The bank's page asks for a code and has nothing that refuses; any code pays.",
        _with_any_code,
    ),
    Variation(
        "apm-bank-asks-whether-its-payer-is-sure",
        "The bank's page takes what its payer decides once they have decided a second time.",
        _asking_twice,
    ),
    Variation(
        "apm-qr-payments-stay-open-when-expired",
        "A payment whose code has expired stays PENDING, and nobody can approve it any more.",
        _left_open_when_expired,
    ),
)
