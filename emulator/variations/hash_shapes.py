"""A variation of every protocol: a hash that cannot be one is invalid data before it is a wrong signature."""

import re
from typing import Final

from emulator.accounts import Account
from emulator.changes import checkout_sessions, s2s_apm, s2s_card
from emulator.design import all_of
from emulator.protocols.checkout.session import Attempt
from emulator.protocols.s2s_apm.behaviour import ApmAttempt
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Kind, Refusal

_DIGITS: Final = {"md5": 32, "sha256": 64}
_DIGITS_OF_CHECKOUT: Final = 40
_TEXT: Final = "This is no hash."


def _wrong_shape(given: object, digits: int, kind: Kind) -> Refusal | None:
    if not given or (isinstance(given, str) and re.fullmatch(rf"[0-9a-fA-F]{{{digits}}}", given)):
        return None
    return Refusal(kind, INVALID_DATA, violations=(("hash", _TEXT),))


def _in_a_form(given: str, account: Account | None, kind: Kind) -> Refusal | None:
    return None if account is None else _wrong_shape(given, _DIGITS[account.hash], kind)


def _of_card(attempt: CardAttempt) -> Refusal | None:
    return _in_a_form(attempt.form.get("hash", ""), attempt.account, Kind.CARD_FIELDS)


def _of_apm(attempt: ApmAttempt) -> Refusal | None:
    return _in_a_form(attempt.form.get("hash", ""), attempt.account, Kind.APM_FIELDS)


def _of_session(attempt: Attempt) -> Refusal | None:
    return _wrong_shape(attempt.body.get("hash"), _DIGITS_OF_CHECKOUT, Kind.FIELDS)


VARIATIONS: Final = (
    Variation(
        "hash-of-wrong-shape-is-invalid-data",
        "A hash that is not as long as its digest, or no hex, is refused as invalid data.",
        all_of(s2s_card.first(_of_card), s2s_apm.first(_of_apm), checkout_sessions.first(_of_session)),
    ),
)
