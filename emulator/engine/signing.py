"""The signatures of requests: recipes, and the ways in which a gateway compares them.

A session recipe takes the password and the values of the order and yields the hash; a form formula takes the password
and the values that the formula names.
"""

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Digest = Literal["md5", "sha256"]


@dataclass(frozen=True, slots=True, repr=False)
class Order:
    """The signed values of a session request, exactly as sent; an amount of None was left out."""

    number: str
    amount: str | None
    currency: str
    description: str

    def concatenated(self) -> str:
        """The values in the order in which they are signed, without the password."""
        return f"{self.number}{self.amount or ''}{self.currency}{self.description}"


def hex_digest(algorithm: Digest, text: str) -> str:
    """Lower-case hex digest of ``text`` in UTF-8."""
    return hashlib.new(algorithm, text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def sha1_hex(text: str) -> str:
    """Lower-case hex SHA1 of ``text`` in UTF-8."""
    return hashlib.sha1(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def session_hash(text: str, digest: Digest = "md5") -> str:
    """The session signature of concatenated values and password: SHA1 of the hex digest of the upper-cased text."""
    return sha1_hex(hex_digest(digest, text.upper()))


def equal(left: str, right: str) -> bool:
    """Compare two signatures, taking the same time for every difference."""
    return hmac.compare_digest(left.encode("utf-8", "surrogatepass"), right.encode("utf-8", "surrogatepass"))


SessionRecipe = Callable[[str, Digest, Order], str]


def as_specified(password: str, digest: Digest, order: Order) -> str:
    """The session signature of the contract, with the digest of the account inside."""
    return session_hash(order.concatenated() + password, digest)


def literal_md5(password: str, _digest: Digest, order: Order) -> str:
    """The session signature as written: the inner digest is MD5 whatever the account says."""
    return session_hash(order.concatenated() + password)


def card_fragment(number: str) -> str:
    """First six and last four digits of a card number, which take part in form signatures."""
    return number[:6] + number[-4:]


def ascii_upper(text: str) -> str:
    """Upper-case the letters a to z and leave every other character as it is."""
    return "".join(chr(ord(sign) - 32) if "a" <= sign <= "z" else sign for sign in text)


@dataclass(frozen=True, slots=True, repr=False)
class FormValues:
    """What a form post is signed with.

    ``email`` is the payer's address, ``middle`` the id that follows the password, ``instrument`` the card fragment or
    the card token; each is empty where the formula has none.
    """

    email: str = ""
    instrument: str = ""
    middle: str = ""


FormFormula = Callable[[str, Digest, FormValues], str]


def bytes_digest(algorithm: Digest, data: bytes) -> str:
    """Lower-case hex digest of ``data``."""
    return hashlib.new(algorithm, data, usedforsecurity=False).hexdigest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def formula_1(password: str, digest: Digest, values: FormValues) -> str:
    """Formulas 1, 2, 5, 6, 7 and 8: reversed e-mail address, password, id, reversed card fragment or token.

    They differ in which of the parts there are. Texts are reversed byte by byte, and a to z are upper-cased.
    """
    joined = _bytes(values.email)[::-1] + _bytes(password + values.middle) + _bytes(values.instrument)[::-1]
    return bytes_digest(digest, joined.upper())


def formula_4(password: str, digest: Digest, values: FormValues) -> str:
    """Formulas 3 and 4: id of the schedule where there is one and password, joined and then reversed as one."""
    return bytes_digest(digest, _bytes(values.middle + password)[::-1].upper())
