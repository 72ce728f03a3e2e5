"""A stand-in for payments: it decides by the test cards and moves nothing."""

import hashlib
import uuid
from datetime import timedelta
from typing import Final

from emulator.hosted_page.entries import Answer, CardEntry, Entry, MethodEntry
from emulator.hosted_page.outcomes import Approved, Challenge, Declined, Outcome, Pending, ShowDetails, ShowQr, Stop
from emulator.hosted_page.session import PageSession, family
from emulator.signing import ascii_upper, hex_digest, sha1_hex

_UNKNOWN_BRAND: Final = "1111222233334444"
_BRAND_MESSAGE: Final = "Bad Request. Brand of card does not support."
# Month of expiry, in 2038: what the test card does.
_DECLINES: Final = 2
_CHALLENGES: Final = 5
_FAILS_CHALLENGE: Final = 6
_TEST_YEAR: Final = 2038
_CODE: Final = "123456"
_STOPS: Final[dict[str, Stop]] = {
    "local_document": "provider",
    "member_id": "provider",
    "personal_id": "provider",
    "product_data": "provider",
    "conversion": "provider",
    "trading_deposit": "provider",
    "trading_withdrawal": "provider",
    "instant_account": "app",
    "bank_account": "otp",
    "national_id": "otp",
}


class Sandbox:
    """Payments by the test cards."""

    def pay(self, session: PageSession, entry: Entry) -> Outcome:
        """Decide by number and expiry date of a card, and by the family of another method."""
        if isinstance(entry, MethodEntry):
            return _by_method(session, entry)
        if isinstance(entry, CardEntry) and entry.number == _UNKNOWN_BRAND:
            return Declined(_parameters(session), _BRAND_MESSAGE)
        month = entry.month if entry.year == _TEST_YEAR else None
        if month == _DECLINES:
            return Declined(_parameters(session))
        if month in {_CHALLENGES, _FAILS_CHALLENGE} and session.operation != "credit":
            return Challenge(f"{_payment_id(session)}:{month}")
        return Approved(_parameters(session))

    def proceed(self, session: PageSession, pending: Pending, answer: Answer) -> Outcome:
        """Approve what the payer confirms, unless the test card says otherwise."""
        if answer.said == "check":
            return pending
        if isinstance(pending, ShowQr) and session.now >= pending.closes:
            return _qr(session) if answer.said == "retry" else pending
        fails = isinstance(pending, Challenge) and pending.reference.endswith(f":{_FAILS_CHALLENGE}")
        wrong_code = isinstance(pending, Challenge) and pending.kind == "otp" and answer.code != _CODE
        if not answer.confirmed or fails or wrong_code:
            return Declined(_parameters(session))
        return Approved(_parameters(session))

    def stored_card(self, session: PageSession, token: str) -> str:  # noqa: ARG002 - the protocol's
        """A number that tells stored cards apart."""
        return f"•••• {int(hashlib.md5(token.encode(), usedforsecurity=False).hexdigest(), 16) % 10_000:04}"


def _by_method(session: PageSession, entry: MethodEntry) -> Outcome:
    kind = family(entry.method)
    if kind == "instant_qr":
        return _qr(session)
    if kind in {"crypto_wallet", "crypto_deposit"}:
        reference = _payment_id(session)
        address = hashlib.sha256(reference.encode()).hexdigest()[:34]
        return ShowDetails(reference, (("amount", f"{session.amount} {session.currency}"), ("address", address)))
    stop = _STOPS.get(kind)
    return Approved(_parameters(session)) if stop is None else Challenge(_payment_id(session), stop)


def _qr(session: PageSession) -> ShowQr:
    seconds = session.account.qr_seconds if session.account else 60
    content = f"{session.given('order', 'number')}|{session.amount}|{session.currency}"
    return ShowQr(_payment_id(session), content, session.now + timedelta(seconds=seconds))


def _payment_id(session: PageSession) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{session.token}{session.now.isoformat()}"))


def _parameters(session: PageSession) -> dict[str, str]:
    payment = _payment_id(session)
    account = session.account
    order = (session.given("order", name) for name in ("number", "amount", "currency", "description"))
    text = ascii_upper(payment + "".join(order) + (account.password if account else ""))
    signature = sha1_hex(hex_digest(account.hash if account else "md5", text))
    return {
        "payment_id": payment,
        "trans_id": payment,
        "order_id": session.given("order", "number"),
        "hash": signature,
    }
