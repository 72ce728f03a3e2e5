"""Faults that take digits of other scripts and keep them: nothing but the request that had them is judged by it."""

import unicodedata
from typing import Final

from emulator.changes.s2s_card import instead
from emulator.design import Change
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.stages import check_fields
from emulator.wire.replies import Refusal


def _read(text: str) -> str:
    return "".join(str(unicodedata.digit(one)) if one.isdecimal() else one for one in text)


def _kept(name: str) -> Change:
    """Its rules read any digit, and what is stored, signed and shown is the text that came."""

    def checked(attempt: CardAttempt) -> Refusal | None:
        sent = attempt.form
        attempt.form = {**sent, name: _read(sent[name])} if name in sent else sent
        try:
            return check_fields(attempt)
        finally:
            attempt.form = sent

    return instead(check_fields, checked, "SALE", "DEBIT")


FAULTS: Final = faults(
    {
        f"{name.replace('_', '-')}-kept-with-a-full-width-digit": breaks(
            f"{requirement} S2C-DEB-09",
            f"{name} may have full-width digits, and is kept as it came (line 288).",
            _kept(name),
        )
        for name, requirement in (("card_number", "S2C-SAL-18"), ("card_exp_year", "S2C-SAL-21"))
    }
)
