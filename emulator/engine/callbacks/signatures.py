"""How callbacks are signed, per protocol. Texts are reversed and upper-cased byte by byte, as the platform does."""

import hashlib
from collections.abc import Mapping

from emulator.engine.callbacks.notice import Fields, Notice, Value
from emulator.engine.signing import ascii_upper, hex_digest, sha1_hex

PAYOUT = "CREDIT2CARD"
_VIRTUAL_PAYOUT = "CREDIT2VIRTUAL"


def backwards(text: str) -> bytes:
    """The UTF-8 bytes of a text in reverse order."""
    return text.encode("utf-8", "surrogatepass")[::-1]


def digest(notice: Notice, data: bytes) -> str:
    """Lower-case hex digest of ``data``, by the option of the account."""
    return hashlib.new(notice.payment.account.hash, data, usedforsecurity=False).hexdigest()


def text_of(fields: Fields, name: str) -> str:
    """A flat field as text; empty where there is none."""
    value = fields.get(name, "")
    return value if isinstance(value, str) else ""


def checkout(notice: Notice) -> str:
    """SHA1 of the digest of id, order and password, letters a to z upper-cased."""
    names = ("id", "order_number", "order_amount", "order_currency", "order_description")
    signed = "".join(text_of(notice.fields, name) for name in names) + notice.payment.account.password
    return sha1_hex(hex_digest(notice.payment.account.hash, ascii_upper(signed)))


def s2s_card(notice: Notice) -> str:
    """Formula 2 with the digits of the card on file; Formula 6, without e-mail address, for a payout."""
    payment = notice.payment
    email = "" if notice.event == PAYOUT else payment.email
    fragment = payment.card.fragment if payment.card else ""
    signed = backwards(email) + f"{payment.account.password}{payment.trans_id}".encode() + backwards(fragment)
    return digest(notice, signed.upper())


def s2s_apm(notice: Notice) -> str:
    """Every value reversed by itself, sorted by name at each level, then the password, all upper-cased.

    A payout has its short form: reversed trans_id, order_id and status, upper-cased, then the password as it is.
    """
    password = notice.payment.account.password.encode()
    if notice.event == _VIRTUAL_PAYOUT:
        names = ("trans_id", "order_id", "status")
        return digest(notice, backwards("".join(text_of(notice.fields, name) for name in names)).upper() + password)
    return digest(notice, (sorted_leaves(notice.fields) + password).upper())


def sorted_leaves(value: Value) -> bytes:
    """All values but the hash, each reversed, sorted by name at each level."""
    if isinstance(value, str):
        return backwards(value)
    if isinstance(value, Mapping):
        return b"".join(sorted_leaves(value[name]) for name in sorted(value, key=_sort_key) if name != "hash")
    return b"".join(sorted_leaves(item) for item in value)


def _sort_key(name: str) -> tuple[int, int, str]:
    return (0, int(name), "") if name.isdecimal() else (1, 0, name)
