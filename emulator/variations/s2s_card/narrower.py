"""Variations of S2S CARD: gateways that take no more than the contract names."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.s2s_card import first, instead, post
from emulator.design import Design
from emulator.engine.duplicates import WindowRule
from emulator.engine.payments import Protocol
from emulator.protocols.s2s_card.behaviour import ActionBehaviour, CardAttempt
from emulator.protocols.s2s_card.messages.action_table import PAYMENTS
from emulator.protocols.s2s_card.stages import find_order
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply

_OTHER_CURRENCY: Final = Refusal(
    Kind.CARD_FIELDS, INVALID_DATA, violations=(("order_currency", "This is not the currency of the first payment."),)
)
_OTHER_CURRENCY_AND_AMOUNT: Final = replace(
    _OTHER_CURRENCY,
    violations=(("order_amount", "This value is not valid for the currency."), *_OTHER_CURRENCY.violations),
)
_TARGETS: Final = ("_blank", "_self", "_parent", "_top")
_NO_TARGET: Final = Refusal(
    Kind.CARD_FIELDS, INVALID_DATA, violations=(("term_url_target", "This value is not valid."),)
)
_LATEST: Final = 500
_NO_CHAIN: Final = Refusal(
    Kind.CARD_FIELDS, INVALID_DATA, violations=(("recurring_init", "This does not go with auth."),)
)
_OPENINGS: Final = ("SALE", "DEBIT", "CARD2CARD")


def _in_its_currency(perform: Callable[[CardAttempt], Reply], refusal: Refusal) -> Callable[[CardAttempt], Reply]:
    def performed(attempt: CardAttempt) -> Reply:
        asked, initial = attempt.form.get("order_currency"), attempt.payment
        if asked and initial is not None and asked != initial.currency:
            return attempt.gateway.answers.refuse(refusal)
        return perform(attempt)

    return performed


def _chain_in_its_currency(behaviour: ActionBehaviour) -> ActionBehaviour:
    return replace(behaviour, perform=_in_its_currency(behaviour.perform, _OTHER_CURRENCY))


def _chain_in_its_currency_and_amount(behaviour: ActionBehaviour) -> ActionBehaviour:
    return replace(behaviour, perform=_in_its_currency(behaviour.perform, _OTHER_CURRENCY_AND_AMOUNT))


def _by_wallet(attempt: CardAttempt) -> Refusal | None:
    is_by_card = attempt.form.get("card_number") or attempt.form.get("card_token")
    return attempt.gateway.actions.unsupported if attempt.form.get("payment_token") and not is_by_card else None


def _another_target(attempt: CardAttempt) -> Refusal | None:
    return _NO_TARGET if attempt.form.get("term_url_target", "_top") not in _TARGETS else None


def _hold_of_a_chain(attempt: CardAttempt) -> Refusal | None:
    """Line 352 says "or"."""
    is_both = attempt.form.get("auth") == "Y" == attempt.form.get("recurring_init")
    return _NO_CHAIN if is_both else None


def _no_day_of_month(attempt: CardAttempt) -> Refusal | None:
    """Lines 299 to 305 have no such field; what is not known is not looked at."""
    attempt.form = {name: value for name, value in attempt.form.items() if name != "day_of_month"}
    return None


def _find_order_in_any_case(attempt: CardAttempt) -> Refusal | None:
    refusal = find_order(attempt)
    wanted = attempt.form.get("order_id", "").casefold()
    for payment in attempt.gateway.payments.latest(_LATEST) if refusal is not None else ():
        same = payment.protocol is Protocol.S2S_CARD and payment.account is attempt.account
        if same and payment.order_number.casefold() == wanted:
            attempt.payment, refusal = payment, None
    return refusal


def _orders_in_any_case(design: Design) -> Design:
    finding = instead(find_order, _find_order_in_any_case, "GET_TRANS_STATUS_BY_ORDER")
    window = WindowRule(key=lambda key, number: (key, number.casefold()))
    return finding(post(*PAYMENTS, window=window)(design))


VARIATIONS: Final = (
    Variation(
        "card-order-ids-in-any-case",
        "Order ids are compared without regard to case, as many databases do; no line speaks of it.",
        _orders_in_any_case,
    ),
    Variation(
        "card-chain-keeps-its-currency",
        "A chain is charged in the currency of its first payment, and in no other.",
        lambda design: design.in_posts(_chain_in_its_currency, "RECURRING_SALE", "RECURRING_DEBIT"),
    ),
    Variation(
        "card-chain-keeps-its-currency-and-decimals",
        "A charge in another currency is refused, and its amount is called wrong for that of the chain as well.",
        lambda design: design.in_posts(_chain_in_its_currency_and_amount, "RECURRING_SALE", "RECURRING_DEBIT"),
    ),
    Variation("debit-takes-no-wallet", "Wallet tokens pay by SALE only, as line 18 says.", first(_by_wallet, "DEBIT")),
    Variation(
        "card-link-targets-of-the-contract",
        "term_url_target takes the four words of line 496, and no names of frames.",
        first(_another_target, *_OPENINGS),
    ),
    Variation(
        "card-authorization-starts-no-chain",
        "auth and recurring_init exclude each other.",
        first(_hold_of_a_chain, "SALE"),
    ),
    Variation(
        "schedule-without-day-of-month",
        "Schedules do not know day_of_month, which the contract does not have.",
        first(_no_day_of_month, "CREATE_SCHEDULE", "UPDATE_SCHEDULE"),
    ),
)
