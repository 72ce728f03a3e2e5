"""Faults of requests that are wrong in two ways: each is refused alone, and both together are taken."""

from typing import Final, TypeVar

from emulator.changes import checkout_sessions, s2s_apm, s2s_card
from emulator.design import all_of
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout import session
from emulator.protocols.s2s_apm import stages as apm_stages
from emulator.protocols.s2s_card import stages as card_stages
from emulator.protocols.shared import Stage
from emulator.wire.replies import Refusal

A = TypeVar("A")


def _taken_when_both_refuse(fields: Stage[A], signature: Stage[A]) -> Stage[A]:
    def stage(attempt: A) -> Refusal | None:
        refusals = [fields(attempt), signature(attempt)]
        return None if all(refusals) else next(filter(None, refusals), None)

    return stage


FAULTS: Final = faults(
    {
        "session-with-two-wrongs-taken": breaks(
            "GEN-ERR-26",
            "A session request with a wrong signature and a wrong field is taken.",
            all_of(
                checkout_sessions.instead(
                    session.check_signature, _taken_when_both_refuse(session.check_fields, session.check_signature)
                ),
                checkout_sessions.without(session.check_fields),
            ),
        ),
        "card-sale-with-two-wrongs-taken": breaks(
            "GEN-ERR-27",
            "A SALE of S2S CARD with a wrong signature and a wrong field is taken.",
            all_of(
                s2s_card.instead(
                    card_stages.check_signature,
                    _taken_when_both_refuse(card_stages.check_fields, card_stages.check_signature),
                    "SALE",
                ),
                s2s_card.without(card_stages.check_fields, "SALE"),
            ),
        ),
        "apm-sale-with-two-wrongs-taken": breaks(
            "GEN-ERR-28",
            "A SALE of S2S APM with a wrong signature and a wrong field is taken.",
            all_of(
                s2s_apm.instead(
                    apm_stages.check_signature,
                    _taken_when_both_refuse(apm_stages.check_fields, apm_stages.check_signature),
                    "SALE",
                ),
                s2s_apm.without(apm_stages.check_fields, "SALE"),
            ),
        ),
    }
)
