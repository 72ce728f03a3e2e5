"""Variations of what is held: by accounts that only hold (line 27), and of a purchase of nothing (line 71)."""

from dataclasses import replace
from typing import Final, cast

from emulator.changes.checkout_sessions import first, last
from emulator.changes.stages import refusal_if
from emulator.design import Design, all_of
from emulator.engine.payments import State
from emulator.protocols.checkout.session import Attempt, SessionStage, check_fields
from emulator.protocols.hosted_page.session import PageSession, family
from emulator.rules.currencies import CRYPTO
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Kind, Refusal
from emulator.wire.values import Object

_SELLS_NOTHING: Final = Refusal(Kind.FIELDS, INVALID_DATA, violations=(("auth", "This value is not valid."),))

_HOLDS_NOTHING: Final = Refusal(Kind.ACTION, "Payment action not supported", code=204005)


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


def _may_be_held(method: str) -> bool:
    return family(method) in ("card", "wallet")


def _of_others(body: Object) -> bool:
    """Whether a purchase to be held names neither cards nor wallets, or is one in crypto."""
    methods, order = body.get("methods"), body.get("order")
    if body.get("operation") != "purchase" or body.get("auth") is not True:
        return False
    in_crypto = isinstance(order, dict) and order.get("currency") in CRYPTO
    named = [str(one) for one in cast("list[object]", methods)] if isinstance(methods, list) else []
    return in_crypto or (bool(named) and not any(map(_may_be_held, named)))


def _cards_alone(design: Design) -> Design:
    """Line 27 has authorizations, and no line has every method hold."""
    inner, offered = design.checkout.intended, design.page.offered

    def intended(session: PageSession) -> State:
        methods = session.methods or ((session.currency,) if session.currency in CRYPTO else ())
        is_other = bool(methods) and not any(map(_may_be_held, methods))
        return State.SETTLED if is_other else inner(session)

    def offering(session: PageSession) -> tuple[str, ...]:
        every = offered(session)
        return tuple(filter(_may_be_held, every)) if session.asks("auth") else every

    return design.in_checkout(intended=intended).in_page(offered=offering)


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
        "held-by-cards-and-wallets-alone",
        "Only cards and wallets hold: a purchase by other methods is immediate, and refused where it asks for auth.",
        all_of(_cards_alone, last(refusal_if(lambda attempt: _of_others(attempt.body), _HOLDS_NOTHING))),
    ),
    Variation(
        "dms-holds-every-purchase",
        "Accounts of mode DMS take every purchase for an authorization, also of nothing; auth=false is invalid.",
        all_of(_holds, first(refusal_if(_sells, _SELLS_NOTHING))),
    ),
)
