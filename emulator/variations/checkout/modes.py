"""Variations of what is held: by accounts that only hold (line 27), and of a purchase of nothing (line 71)."""

from dataclasses import replace
from typing import Final

from emulator.changes.checkout_sessions import first
from emulator.changes.stages import refusal_if
from emulator.design import Design, all_of
from emulator.engine.payments import State
from emulator.protocols.checkout.session import Attempt, SessionStage, check_fields
from emulator.protocols.hosted_page.session import PageSession
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Kind, Refusal

_SELLS_NOTHING: Final = Refusal(Kind.FIELDS, INVALID_DATA, violations=(("auth", "This value is not valid."),))


def _is_purchase_of_dms(attempt: Attempt) -> bool:
    account = attempt.account
    return account is not None and account.mode == "DMS" and attempt.body.get("operation") == "purchase"


def _sells(attempt: Attempt) -> bool:
    return _is_purchase_of_dms(attempt) and attempt.body.get("auth") is False


def _looked_at_as_held(look: SessionStage) -> SessionStage:
    def held(attempt: Attempt) -> Refusal | None:
        if _is_purchase_of_dms(attempt) and "auth" not in attempt.body:
            return look(replace(attempt, body={**attempt.body, "auth": True}))
        return look(attempt)

    return held


def _holds(design: Design) -> Design:
    stages = (_looked_at_as_held(one) if one is check_fields else one for one in design.session.stages)
    return design.in_session(stages=tuple(stages))


def _nothing_is_over(design: Design) -> Design:
    """An authorization of nothing is a check of the card (line 71): nothing is held that could be captured."""
    inner = design.checkout.intended

    def intended(session: PageSession) -> State:
        return State.SETTLED if not session.amount.strip("0.") else inner(session)

    return design.in_checkout(intended=intended)


VARIATIONS: Final = (
    Variation(
        "checkout-authorizations-of-nothing-settle",
        "An authorization of nothing is over at once, and settled.",
        _nothing_is_over,
    ),
    Variation(
        "dms-holds-every-purchase",
        "Accounts of mode DMS take every purchase for an authorization, also of nothing; auth=false is invalid.",
        all_of(_holds, first(refusal_if(_sells, _SELLS_NOTHING))),
    ),
)
