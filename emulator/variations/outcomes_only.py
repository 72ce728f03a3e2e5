"""Variations of S2S that notify outcomes only: lines 309 and 427 show no callback before one, or after it, in full."""

from typing import Final

from emulator.changes import s2s_apm, s2s_card
from emulator.engine.callbacks.notice import Notice
from emulator.variations.model import Variation

_ON_THE_WAY: Final = ("REDIRECT", "INIT", "UNDEFINED")


def _is_on_the_way(notice: Notice) -> bool:
    return notice.fields.get("result") in _ON_THE_WAY


def _is_given_back(notice: Notice) -> bool:
    return notice.event in ("VOID", "CREDITVOID")


VARIATIONS: Final = (
    Variation(
        "card-callbacks-of-payments-only",
        "No VOID or CREDITVOID of S2S CARD is notified.",
        s2s_card.NOTICES.dropped(_is_given_back),
    ),
    Variation(
        "apm-callbacks-of-payments-only",
        "No VOID or CREDITVOID of S2S APM is notified.",
        s2s_apm.NOTICES.dropped(_is_given_back),
    ),
    Variation(
        "card-callbacks-of-outcomes-only",
        "No callback of S2S CARD comes before the outcome.",
        s2s_card.NOTICES.dropped(_is_on_the_way),
    ),
    Variation(
        "apm-callbacks-of-outcomes-only",
        "No callback of S2S APM comes before the outcome.",
        s2s_apm.NOTICES.dropped(_is_on_the_way),
    ),
)
