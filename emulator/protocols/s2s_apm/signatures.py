"""What the actions of S2S APM are signed with. Texts are reversed and upper-cased byte by byte."""

import hashlib
from collections.abc import Callable, Mapping
from typing import Final

from emulator.accounts import Account

Form = Mapping[str, str]
Recipe = Callable[[Form, str], bytes]
"""What the digest is made of, from the form and the password."""


def as_bytes(text: str) -> bytes:
    """A text in UTF-8."""
    return text.encode("utf-8", "surrogatepass")


def values(form: Form, *names: str) -> bytes:
    """The fields ``names`` as sent, joined; missing ones count as empty."""
    return as_bytes("".join(form.get(name, "") for name in names))


def of_sale(form: Form, password: str) -> bytes:
    """Identifier, order and password, reversed and upper-cased as one."""
    signed = values(form, "identifier", "order_id", "order_amount", "order_currency")
    return (signed + as_bytes(password))[::-1].upper()


def of_release(form: Form, password: str) -> bytes:
    """The trans_id and the password, reversed and upper-cased as one: CREDITVOID."""
    return (values(form, "trans_id") + as_bytes(password))[::-1].upper()


def of_transaction(form: Form, password: str) -> bytes:
    """The reversed trans_id upper-cased, then the password as it is: CAPTURE, VOID and GET_TRANS_STATUS."""
    return values(form, "trans_id")[::-1].upper() + as_bytes(password)


def of_payout(form: Form, password: str) -> bytes:
    """The reversed order upper-cased, then the password as it is: CREDIT2VIRTUAL."""
    return values(form, "order_id", "order_amount", "order_currency")[::-1].upper() + as_bytes(password)


RECIPES: Final[Mapping[str, Recipe]] = {
    "SALE": of_sale,
    "CAPTURE": of_transaction,
    "CREDITVOID": of_release,
    "VOID": of_transaction,
    "GET_TRANS_STATUS": of_transaction,
    "CREDIT2VIRTUAL": of_payout,
}


def by_option(account: Account, data: bytes) -> str:
    """Lower-case hex digest of ``data``, MD5 or SHA256 by the option of the account."""
    return hashlib.new(account.hash, data, usedforsecurity=False).hexdigest()
