"""Faults of S2S CARD: callbacks that report another outcome than the payment has, and those that never come."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.s2s_card import NOTICES
from emulator.design import Change
from emulator.engine.callbacks import signatures
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.payment_record import record_of

_SETTLED, _DECLINED = State.SETTLED, State.DECLINED

About = Callable[[Notice], bool]


def _is(*events: str, state: State | None = None, challenged: bool | None = None) -> About:
    """Notices of some events, of payments in a state, of payments that were challenged."""

    def applies(notice: Notice) -> bool:
        return (
            (not events or notice.event in events)
            and (state is None or notice.payment.state is state)
            and (challenged is None or record_of(notice.payment).challenged is challenged)
        )

    return applies


def _forged(applies: About) -> Change:
    def sign(notice: Notice) -> str:
        return "0" * 32 if applies(notice) else signatures.s2s_card(notice)

    return NOTICES.signed(sign)


def _by_the_main_account(notice: Notice) -> str:
    account = notice.payment.account
    if account.name != "second":
        return signatures.s2s_card(notice)
    return signatures.s2s_card(replace(notice, payment=replace(notice.payment, account=ACCOUNTS[0])))


def _hundredfold(fields: Fields) -> Fields:
    amount = fields.get("amount")
    return {**fields, "amount": amount.replace(".", "")} if isinstance(amount, str) else fields


def _any_expiry(fields: Fields) -> Fields:
    return {**fields, "card_expiration_date": "11/2031"} if "card_expiration_date" in fields else fields


def _any_flow(fields: Fields) -> Fields:
    return {**fields, "authenticationFlow": "Challenge"} if "authenticationFlow" in fields else fields


_REPORTED_AS_DECLINED: Final = ("DEBIT", "CARD2CARD", "CREDIT2CARD", "RECURRING_SALE", "RECURRING_DEBIT")
_OPERATIONS: Final = (("CAPTURE", "CBK-S2C-05"), ("VOID", "CBK-S2C-07"), ("CREDITVOID", "CBK-S2C-06"))


FAULTS: Final = faults(
    {
        **{
            f"{action.lower()}-reported-as-declined": breaks(
                requirement,
                f"{action} is reported with result DECLINED.",
                NOTICES.saying_where(_is(action), result="DECLINED"),
            )
            for action, requirement in _OPERATIONS
        },
        **{
            f"{action.lower()}-reported-as-before": breaks(
                requirement,
                f"{action} is reported with the status that the payment had before.",
                NOTICES.saying_where(_is(action), status="PENDING" if action == "CAPTURE" else "SETTLED"),
            )
            for action, requirement in _OPERATIONS
        },
        **{
            f"{action.lower()}-reported-of-another-order": breaks(
                requirement,
                f"{action} is reported with another order id.",
                NOTICES.saying_where(_is(action), order_id="another"),
            )
            for action, requirement in _OPERATIONS
        },
        **{
            f"{action.lower().replace('_', '-')}-reported-as-declined": breaks(
                "CBK-DEL-02",
                f"{action} that settled is reported as declined.",
                NOTICES.saying_where(_is(action, state=_SETTLED), result="DECLINED", status="DECLINED"),
            )
            for action in _REPORTED_AS_DECLINED
        },
        "release-reported-with-wrong-hash": breaks(
            "CBK-S2C-20",
            "The callback of a release is not signed rightly.",
            _forged(_is("CREDITVOID", state=State.RELEASED)),
        ),
        "challenge-outcome-with-wrong-hash": breaks(
            "CBK-S2C-03",
            "The callback of a passed challenge is not signed rightly.",
            _forged(_is(state=_SETTLED, challenged=True)),
        ),
        "frictionless-reported-as-challenge": breaks(
            "CBK-S2C-17",
            "Every payment is reported as one that was challenged.",
            NOTICES.where(_is(challenged=False), _any_flow),
        ),
        "declined-payout-with-wrong-hash": breaks(
            "CBK-S2C-19",
            "The callback of a declined payout is not signed rightly.",
            _forged(_is("CREDIT2CARD", state=_DECLINED)),
        ),
        "declined-debit-with-wrong-hash": breaks(
            "CBK-DEL-04",
            "The callback of a declined debit is not signed rightly.",
            _forged(_is("DEBIT", state=_DECLINED)),
        ),
        "recurring-debit-with-wrong-hash": breaks(
            "CBK-SIG-09",
            "The callback of a recurring debit is not signed rightly.",
            _forged(_is("RECURRING_DEBIT")),
        ),
        "custom-data-with-wrong-hash": breaks(
            "CBK-S2C-13",
            "A callback with custom_data is not signed rightly.",
            _forged(lambda notice: "custom_data" in notice.fields),
        ),
        "second-merchant-signed-by-main": breaks(
            "CBK-SIG-09",
            "Callbacks of the second merchant are signed with the password of the first.",
            NOTICES.signed(_by_the_main_account),
        ),
        "callback-amount-hundredfold": breaks(
            "CBK-S2C-23", "Amounts are reported in minor units.", NOTICES.where(_is(), _hundredfold)
        ),
        "debit-expiry-other": breaks(
            "CBK-S2C-12", "card_expiration_date is that of another card.", NOTICES.where(_is(), _any_expiry)
        ),
    },
    since="6.7.0",
)
