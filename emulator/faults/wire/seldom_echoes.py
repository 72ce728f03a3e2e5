"""Faults by which what was asked for comes back otherwise in one rare place, or a payment is lost or made of nothing.

Whoever watches every exchange of a run notices them. Numbers of lines are those of the interface description.
"""

from dataclasses import replace
from typing import Final

from emulator.changes.notices import Notices
from emulator.changes.s2s_apm import instead as instead_of_apm
from emulator.changes.s2s_card import NOTICES, answering, instead
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.payments import Protocol
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt
from emulator.protocols.s2s_apm.stages import check_signature
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.stages import find_payment
from emulator.wire.replies import Refusal
from emulator.wire.values import Object

_NEW: Final = "6.7.0"
_OTHER_CARD: Final = "555555******4444"
_LAST_MONTH: Final = "12/2037"


def _other_card(fields: Fields) -> Fields:
    return fields | {"card": _OTHER_CARD} if "card" in fields else fields


def _other_expiry(body: Object) -> Object:
    return body | {"card_expiration_date": _LAST_MONTH} if body.get("card_expiration_date") else body


def _city_cut_off(notice: Notice) -> list[Notice]:
    city = notice.fields.get("payer_city")
    cut = {"payer_city": city[:4]} if isinstance(city, str) else {}
    return [replace(notice, fields={**notice.fields, **cut})]


def _not_once_voided(attempt: CardAttempt) -> Refusal | None:
    refusal = find_payment(attempt)
    is_void = attempt.payment is not None and attempt.payment.status == "VOID"
    return attempt.behaviour.unknown if is_void else refusal


def _settled(body: Object) -> Object:
    return body | {"status": "SETTLED"} if body.get("status") == "DECLINED" else body


def _after_the_fact(attempt: ApmAttempt) -> Refusal | None:
    """A SALE with a wrong hash is carried out, and refused all the same."""
    refusal, gateway = check_signature(attempt), attempt.gateway
    if refusal is not None and attempt.account is not None:
        gateway.apm.handlers["SALE"](attempt, gateway)
    return refusal


FAULTS: Final = faults(
    {
        "seldom-card-of-void-callback": breaks(
            "GEN-AGR-03", "The callback of a VOID shows another card (line 288).", NOTICES.fields(_other_card, "VOID")
        ),
        "seldom-expiry-date-of-details": breaks(
            "GEN-AGR-04",
            "GET_TRANS_DETAILS shows another expiry date (line 288).",
            answering(_other_expiry, "GET_TRANS_DETAILS"),
        ),
        "seldom-city-cut-off": breaks(
            "GEN-AGR-05",
            "payer_city of S2S APM callbacks is cut after four letters (line 288).",
            Notices(Protocol.S2S_APM).changed(_city_cut_off),
            since=_NEW,
        ),
        "seldom-voided-payment-not-found": breaks(
            "GEN-AGR-06",
            "GET_TRANS_STATUS does not find payments that were voided (line 357).",
            instead(find_payment, _not_once_voided, "GET_TRANS_STATUS"),
        ),
        "seldom-declined-payment-settled-by-order": breaks(
            "GEN-AGR-07",
            "GET_TRANS_STATUS_BY_ORDER reports declined payments as settled (line 309).",
            answering(_settled, "GET_TRANS_STATUS_BY_ORDER"),
        ),
        "seldom-refused-sale-done": breaks(
            "GEN-REF-01",
            "A SALE with a wrong hash is refused, and carried out all the same (line 407).",
            instead_of_apm(check_signature, _after_the_fact, "SALE"),
        ),
    }
)
