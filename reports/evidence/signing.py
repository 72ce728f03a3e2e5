"""The signature of a recorded request as an expression of Python, to be made anew with the password of whoever asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from reports.evidence.formulas import CARD, PASSWORD, formula_of
from reports.findings.bodies import asked_of_target
from reports.findings.places import operation_of
from reports.model import Exchange

MD5 = "hashlib.md5"
_CARD_SIGNED = "(CARD[:6] + CARD[-4:])"
_OF_ANOTHER_REQUEST = frozenset({"payer_email"})
"""Fields that a formula draws from the first request of a payment."""

Expression = Callable[[str], str]
"""Gives the expression of a field of the request; of one that it lacks, of an earlier request."""


def hash_expression(exchange: Exchange, value_of: Expression, digest: str = "DIGEST") -> str:
    """Return an expression for the hash of a request; empty where no formula is known or the request has no hash.

    Args:
        exchange: the request.
        value_of: gives the expressions that it is made of; ``PASSWORD`` and ``CARD`` are names of their own.
        digest: what the inner digest is called, a function of the module ``hashlib``.
    """
    fields = asked_of_target(exchange)
    formula = formula_of(exchange.protocol, operation_of(exchange), frozenset(fields))
    if not formula or "hash" not in fields:
        return ""
    upper, _, plain = formula.partition("|")
    joined = f"({_joined(upper, fields, value_of)}).upper()"
    if plain:
        joined = f"{joined} + {_joined(plain, fields, value_of)}"
    inner = f"{digest}(({joined}).encode()).hexdigest()"
    return f"hashlib.sha1({inner}.encode()).hexdigest()" if exchange.protocol == "Checkout" else inner


def _joined(terms: str, fields: Mapping[str, str], value_of: Expression) -> str:
    pieces = []
    for term in terms.split():
        name = term.removeprefix("-")
        if name == CARD:
            expression = _CARD_SIGNED
        elif name == PASSWORD:
            expression = PASSWORD
        elif name in fields or name in _OF_ANOTHER_REQUEST:
            expression = value_of(name)
        else:
            continue
        pieces.append(f"{expression}[::-1]" if term.startswith("-") else expression)
    return " + ".join(pieces) or '""'
