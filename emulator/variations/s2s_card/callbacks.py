"""Variations of which callback of S2S CARD says what: lines 309 and 427 show neither words nor events of all."""

from dataclasses import replace
from typing import Final

from emulator.changes.s2s_card import NOTICES, leaving_out
from emulator.design import all_of
from emulator.engine.callbacks.notice import Notice
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.variations.model import Variation

_ARN: Final = "74537604221222123456789"
_OF_OUTCOMES: Final = ("result", "type", "recurring_token", "decline_reason", "first_recurring_date")
_OF_3DS: Final = (
    "threeDSServerTransID",
    "dsTransID",
    "acsTransID",
    "xid",
    "transStatus",
    "transStatusReason",
    "eci",
    "protocolVersion",
    "authenticationFlow",
)


def _bare_pending_first(notice: Notice) -> tuple[Notice, ...]:
    """What has not come out yet is said by one word: it has no result, no type, and nothing that comes of it."""
    is_over = notice.fields.get("status") in ("SETTLED", "DECLINED")
    if not is_over or notice.event in ("VOID", "CREDITVOID"):
        return (notice,)
    known = {name: value for name, value in notice.fields.items() if name not in _OF_OUTCOMES}
    return (replace(notice, fields={**known, "status": "PENDING"}), notice)


def _three_ds_with_the_challenge(notice: Notice) -> tuple[Notice, ...]:
    """Attributes of 3DS come with the callback of the challenge, and not again with that of the outcome."""
    if notice.fields.get("result") == "REDIRECT":
        return (notice,)
    return (replace(notice, fields={name: one for name, one in notice.fields.items() if name not in _OF_3DS}),)


def _with_an_arn(notice: Notice) -> tuple[Notice, ...]:
    return (replace(notice, fields={**notice.fields, "ARN": _ARN}),) if "ARN" in notice.fields else (notice,)


def _stores_no_card(notice: Notice) -> bool:
    record = record_of(notice.payment)
    return not (record.by_token or record.wants_token or record.recurring)


VARIATIONS: Final = (
    Variation(
        "card-some-discriminators",
        "The mapping adds one discriminator to callbacks and look-ups, and neither of the others.",
        all_of(
            NOTICES.without("source", "sequence"),
            *(
                leaving_out(name, "GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS")
                for name in ("source", "sequence")
            ),
        ),
    ),
    Variation(
        "card-sequence-of-cards-on-file-alone",
        "A payment that neither stores a card nor is made with a stored one has an initiator, and is in no sequence.",
        NOTICES.lacking(_stores_no_card, "sequence"),
    ),
    Variation(
        "card-arn-in-callbacks-alone",
        "The mapping adds the ARN to callbacks, and not to look-ups (line 288); there is one at once.",
        all_of(
            leaving_out("ARN", "GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS"),
            NOTICES.changed(_with_an_arn),
        ),
    ),
    Variation(
        "card-callbacks-bare-pending-first",
        "A callback of S2S CARD says PENDING, and nothing of an outcome, before one reports it.",
        NOTICES.changed(_bare_pending_first),
    ),
    Variation(
        "card-callbacks-three-ds-in-challenge",
        "Attributes of 3DS come with the challenge, and not again with the outcome.",
        NOTICES.changed(_three_ds_with_the_challenge),
    ),
)
