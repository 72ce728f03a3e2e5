"""Faults of sales that show on odd values only: characters that nobody tries, and what is beyond a cut."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final
from urllib.parse import unquote

from emulator.changes.s2s_card import also_hashed, first
from emulator.changes.stages import breakdown_if
from emulator.design import Change
from emulator.engine.signing import FormValues, formula_1
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardHashTest
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply

_MOST: Final = 1024
_NUMBER: Final = re.compile(r"0e[0-9]+")


def _sale_breaks_on(pattern: str, name: str) -> Change:
    expression = re.compile(pattern)

    return first(breakdown_if(lambda attempt: expression.search(attempt.form.get(name, "")) is not None), "SALE")


def _sale_refused_with(applies: Callable[[CardAttempt], str]) -> Change:
    def stage(attempt: CardAttempt) -> Refusal | None:
        text = applies(attempt)
        return Refusal(Kind.SALE_FIELDS, text, violations=(("order", text),)) if text else None

    return first(stage, "SALE")


def _email_cut(test: CardHashTest) -> bool:
    return len(test.values.email) > 40 and re.fullmatch("[0-9a-f]{32,64}", test.given) is not None


def _email_end_dropped(test: CardHashTest) -> bool:
    name, _, host = test.values.email.partition("@")
    values = FormValues(f"{name}1@{host}", test.values.instrument)
    return test.given == formula_1(test.account.password, test.account.hash, values)


def _sale_in_bytes(attempt: CardAttempt) -> str:
    description = attempt.form.get("order_description", "")
    is_long = len(description.encode("utf-8", "replace")) > _MOST >= len(description)
    return INVALID_DATA if is_long else ""


def _sale_amount_like(pattern: str) -> Change:
    expression = re.compile(pattern, re.DOTALL)
    return lambda design: design.with_sale_rows(
        lambda row: (
            replace(row, when=lambda _context, parent: expression.fullmatch(str(parent.get("order_amount"))) is None)
            if row.path == "order_amount"
            else row
        )
    )


def _order_id_decoded(reply: Reply) -> Reply:
    if reply.kind is not Kind.SALE:
        return reply
    return replace(reply, body=reply.body | {"order_id": unquote(str(reply.body.get("order_id")))})


def _card_repeated(attempt: CardAttempt) -> str:
    odd = not attempt.form.get("payer_phone", "").isascii()
    return f"{INVALID_DATA} ({attempt.form.get('card_number')})" if odd else ""


FAULTS: Final = faults(
    {
        "sale-description-nul-breaks": breaks(
            "GEN-ERR-11",
            "A NUL in the description of a sale is a server error.",
            _sale_breaks_on("\x00", "order_description"),
            rare=True,
        ),
        "sale-name-combining-breaks": breaks(
            "GEN-ERR-11",
            "Combining signs in the payer's name are a server error.",
            _sale_breaks_on("[\u0300-\u036f]", "payer_first_name"),
            rare=True,
        ),
        "sale-hash-of-email-start": breaks(
            "S2C-SIG-44", "Long e-mail addresses are not signed.", also_hashed(_email_cut, "SALE"), rare=True
        ),
        "sale-hash-of-nearly-the-email": breaks(
            "S2C-SIG-44",
            "A hash over an address with a digit more is taken too.",
            also_hashed(_email_end_dropped, "SALE"),
            rare=True,
        ),
        "sale-hash-compared-as-number": breaks(
            "S2C-SIG-52",
            "Digits behind 0e equal every hash of a sale that is read as a number.",
            also_hashed(lambda test: _NUMBER.fullmatch(test.given) is not None, "SALE"),
            rare=True,
        ),
        "sale-description-most-in-bytes": breaks(
            "S2C-SAL-10",
            "The longest description of a sale is counted in bytes.",
            _sale_refused_with(_sale_in_bytes),
            rare=True,
        ),
        "sale-amount-many-decimals-accepted": breaks(
            "S2C-SAL-12",
            "Amounts of sales with seven decimals and more are rounded.",
            _sale_amount_like(r"[0-9]+\.[0-9]{7,}"),
            rare=True,
        ),
        "sale-order-id-decoded": breaks(
            "S2C-ANS-01",
            "Percent escapes in order ids are decoded in the answer.",
            lambda design: design.filtering(_order_id_decoded),
            rare=True,
        ),
        "sale-card-number-repeated": breaks(
            "GEN-ERR-13",
            "The refusal of a phone number beyond ASCII repeats the card number.",
            _sale_refused_with(_card_repeated),
            rare=True,
        ),
    }
)
