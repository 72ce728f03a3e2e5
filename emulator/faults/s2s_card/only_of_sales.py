"""Faults of S2S CARD: what holds of a plain SALE, and not of the other ways in which cards are charged."""

from collections.abc import Callable
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.s2s_card import last, post, unless
from emulator.changes.stages import refusal_if
from emulator.design import Change, all_of
from emulator.engine.duplicates import WindowRule
from emulator.engine.payments import Payment, Protocol, State
from emulator.engine.schedules import Schedule
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardStage
from emulator.protocols.s2s_card.stages import check_deprecated, check_duplicate
from emulator.rules.currencies import EXPONENTS
from emulator.wire.replies import INVALID_DATA, Kind, Refusal


def _after(is_so: Callable[[Payment], bool]) -> Callable[[CardAttempt], bool]:
    """The last payment of the order that is asked for again is like that."""

    def applies(attempt: CardAttempt) -> bool:
        account, number = attempt.account, attempt.form.get("order_id", "")
        found = attempt.gateway.payments.of_order(account, number) if account is not None else []
        earlier = next((one for one in found if one.protocol is Protocol.S2S_CARD), None)
        return earlier is not None and is_so(earlier)

    return applies


def _of(action: str) -> Callable[[Payment], bool]:
    return lambda payment: payment.action == action


_BESIDES_SALES: Final = {
    "DEBIT": "S2C-DUP-02",
    "RECURRING_SALE": "S2C-DUP-03",
    "RECURRING_DEBIT": "S2C-DUP-03",
    "CREDIT2CARD": "S2C-DUP-04",
    "CARD2CARD": "S2C-DUP-05",
}
_PAIRS: Final = (
    ("SALE", "RECURRING_DEBIT", "S2C-DUP-03"),
    ("RECURRING_DEBIT", "SALE", "S2C-DUP-01"),
    *(
        (first, second, requirement)
        for second, requirement in _BESIDES_SALES.items()
        for first in _BESIDES_SALES
        if first != second
    ),
)
"""An action, the one after it that takes its order id, and the requirement that this breaks."""


_STATES: Final = (
    ("SALE", "redirected", State.REDIRECTED),
    ("DEBIT", "declined", State.DECLINED),
    ("DEBIT", "challenged", State.CHALLENGED),
    ("DEBIT", "redirected", State.REDIRECTED),
    ("RECURRING_SALE", "declined", State.DECLINED),
    ("CREDIT2CARD", "declined", State.DECLINED),
    ("CREDIT2CARD", "open", State.PREPARED),
    ("CARD2CARD", "declined", State.DECLINED),
)
"""An action, and a state of its payment in which the order id is free to the same action."""


def _in_state(state: State) -> Callable[[Payment], bool]:
    return lambda payment: payment.state is state


def _slug(action: str) -> str:
    return action.lower().replace("_", "-")


_DUPLICATES: Final = faults(
    {
        "recurring-debit-duplicate-window-closed": breaks(
            "S2C-DUP-03",
            "The window of RECURRING_DEBIT is closed at once.",
            post("RECURRING_DEBIT", window=WindowRule(seconds=0.0)),
        ),
        **{
            f"{_slug(second)}-taken-after-{_slug(first)}": breaks(
                requirement,
                f"{second} takes the order id of a {first}.",
                unless(check_duplicate, _after(_of(first)), second),
            )
            for first, second, requirement in _PAIRS
        },
        **{
            f"{_slug(action)}-taken-after-{name}": breaks(
                "S2C-DUP-11" if action == "SALE" else _BESIDES_SALES[action],
                f"The order id of a {action} that is {name} is free.",
                unless(check_duplicate, _after(_in_state(state)), action),
            )
            for action, name, state in _STATES
        },
        **{
            f"sale-taken-after-{name}": breaks(
                "S2C-DUP-01",
                f"The order id of a payment that was {name} is free.",
                unless(check_duplicate, _after(_in_state(state)), "SALE"),
            )
            for name, state in (("voided", State.VOIDED), ("refunded", State.REFUNDED))
        },
        "sale-taken-after-challenge": breaks(
            "S2C-DUP-11",
            "The order id of a sale whose payer is still challenged is free.",
            unless(check_duplicate, _after(lambda payment: payment.state is State.CHALLENGED), "SALE"),
        ),
        "sale-taken-after-schedule": breaks(
            "S2C-DUP-01",
            "The order id of a sale that started a schedule is free.",
            unless(check_duplicate, _after(lambda payment: bool(payment.schedule_id)), "SALE"),
        ),
        "sale-taken-after-wallet": breaks(
            "S2C-DUP-01",
            "The order id of a sale by wallet is free.",
            unless(check_duplicate, _after(lambda payment: payment.card is None), "SALE"),
        ),
    },
    since="6.7.0",
)
_REFUSED: Final = Refusal(Kind.STATE, "This is not possible now.")
_WRONG_HASH: Final = Refusal(Kind.SIGNATURE, "Hash is not valid")
_NO_ORDER: Final = Refusal(Kind.NOT_FOUND, "Order does not exist.", code=101000)
_BAD_AMOUNT: Final = Refusal(Kind.CARD_FIELDS, INVALID_DATA, violations=(("amount", "This value is not valid."),))


def _whole_after_refusal(attempt: CardAttempt) -> Refusal | None:
    """A capture that is about to be refused counts as one of the whole amount."""
    payment = attempt.payment
    if payment is not None and payment.state is State.SETTLED and not payment.refunded:
        payment.captured = payment.amount
    return None


def _then_nothing(state: State, noticed: str, refused: str) -> Change:
    """Once ``noticed`` was asked of a payment in a state, ``refused`` is."""

    def note(attempt: CardAttempt) -> Refusal | None:
        if attempt.payment is not None and attempt.payment.state is state:
            attempt.payment.extras["refused before"] = True
        return None

    def is_noted(attempt: CardAttempt) -> bool:
        return attempt.payment is not None and "refused before" in attempt.payment.extras

    return all_of(last(note, noticed), last(refusal_if(is_noted, _REFUSED), refused))


def _amounts_of(decimals: Callable[[int], bool]) -> CardStage:
    """A stage that takes no amounts of currencies of so many decimals, in whatever form they are."""

    def is_one(attempt: CardAttempt) -> bool:
        exponent = EXPONENTS.get(attempt.payment.currency) if attempt.payment is not None else None
        return bool(attempt.form.get("amount")) and exponent is not None and decimals(exponent)

    return refusal_if(is_one, _BAD_AMOUNT)


_CHANGES: Final = faults(
    {
        "capture-refused-captures-the-rest": breaks(
            "S2C-CVD-05",
            "A second capture is refused, and all that was held can be given back.",
            last(_whole_after_refusal, "CAPTURE"),
        ),
        **{
            f"{_slug(refused)}-refused-after-{_slug(noticed)}": breaks(
                requirement,
                f"Once {noticed} was refused of a payment, {refused} is as well.",
                _then_nothing(state, noticed, refused),
            )
            for state, noticed, refused, requirement in (
                (State.AUTHORIZED, "VOID", "CAPTURE", "S2C-CAP-01"),
                (State.AUTHORIZED, "CREDITVOID", "CAPTURE", "S2C-CAP-01"),
                (State.SETTLED, "CAPTURE", "VOID", "S2C-VOI-01"),
                (State.SETTLED, "RETRY", "VOID", "S2C-VOI-01"),
                (State.SETTLED, "CAPTURE", "CREDITVOID", "S2C-CVD-02"),
            )
        },
        **{
            f"{_slug(action)}-of-part-{name}-refused": breaks(
                requirement,
                f"{action} takes no amount in a currency of {name.replace('-', ' ')}.",
                last(_amounts_of(decimals), action),
            )
            for action, requirement in (("CAPTURE", "S2C-CAP-05"), ("CREDITVOID", "S2C-CVD-03"))
            for name, decimals in (
                ("three-decimals", lambda exponent: exponent == 3),
                ("no-decimals", lambda exponent: exponent == 0),
            )
        },
    }
)


def _no_card(attempt: CardAttempt) -> bool:
    return attempt.payment is not None and attempt.payment.card is None


def _began_with_nothing(attempt: CardAttempt) -> bool:
    return attempt.payment is not None and attempt.payment.amount == 0


def _no_chain_by_token(attempt: CardAttempt) -> Refusal | None:
    if attempt.form.get("card_token"):
        attempt.form = {name: value for name, value in attempt.form.items() if name != "recurring_init"}
    return None


def _of_recurring_debit(attempt: CardAttempt) -> bool:
    return attempt.payment is not None and attempt.payment.action == "RECURRING_DEBIT"


def _forget_the_payer(attempt: CardAttempt) -> Refusal | None:
    if attempt.payment is not None and attempt.payment.action == "DEBIT":
        attempt.payment.payer = {}
    return None


def _elsewhere_as_well(change: Callable[[CardAttempt, Schedule], None]) -> CardStage:
    """A stage that changes the schedules of other merchants that have the same id."""

    def stage(attempt: CardAttempt) -> Refusal | None:
        for account in ACCOUNTS:
            schedule = attempt.gateway.schedules.find(account, attempt.form.get("schedule_id", ""))
            if schedule is not None and schedule is not attempt.schedule:
                change(attempt, schedule)
        return None

    return stage


def _rename(attempt: CardAttempt, schedule: Schedule) -> None:
    schedule.terms["name"] = attempt.form.get("name", "")


def _pause(_attempt: CardAttempt, schedule: Schedule) -> None:
    schedule.paused = True


def _run(_attempt: CardAttempt, schedule: Schedule) -> None:
    schedule.paused = False


_WALLETS_AND_CHAINS: Final = faults(
    {
        **{
            f"{_slug(action)}-of-wallet-unsigned": breaks(
                "S2C-SIG-31",
                f"The right hash of a {action} of a wallet payment is refused.",
                last(refusal_if(_no_card, _WRONG_HASH), action),
            )
            for action in ("CAPTURE", "VOID", "CREDITVOID")
        },
        **{
            f"{_slug(action)}-of-wallet-refused": breaks(
                requirement, f"{action} of a wallet payment is refused.", last(refusal_if(_no_card, _REFUSED), action)
            )
            for action, requirement in (("CAPTURE", "S2C-CAP-01"), ("VOID", "S2C-VOI-01"), ("CREDITVOID", "S2C-CVD-02"))
        },
        "chain-of-nothing-refused": breaks(
            "S2C-REC-05",
            "A chain that began with an amount of zero cannot be charged.",
            last(refusal_if(_began_with_nothing, _REFUSED), "RECURRING_SALE"),
        ),
        "chain-by-token-ignored": breaks(
            "S2C-REC-01", "A sale by token starts no chain.", last(_no_chain_by_token, "SALE")
        ),
        "recurring-debit-not-found-by-order": breaks(
            "S2C-STA-20",
            "The order of a RECURRING_DEBIT is not found.",
            last(refusal_if(_of_recurring_debit, _NO_ORDER), "GET_TRANS_STATUS_BY_ORDER"),
        ),
        **{
            f"{_slug(action)}-takes-delays-beside-the-new": breaks(
                requirement,
                f"{action} takes delays beside delayed_first_payment.",
                unless(check_deprecated, lambda attempt: "delayed_first_payment" in attempt.form, action),
            )
            for action, requirement in (("CREATE_SCHEDULE", "S2C-SCH-16"), ("UPDATE_SCHEDULE", "S2C-SCH-17"))
        },
        "look-up-of-debit-without-payer": breaks(
            "S2C-COF-06",
            "Look-ups of a DEBIT lack the payer.",
            last(_forget_the_payer, "GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER"),
        ),
        **{
            f"{_slug(action)}-of-other-merchants-as-well": breaks(
                "S2C-SCH-56",
                f"{action} reaches the schedules of other merchants that have the same id.",
                last(_elsewhere_as_well(change), action),
            )
            for action, change in (("UPDATE_SCHEDULE", _rename), ("PAUSE", _pause), ("RUN", _run))
        },
    },
    since="6.7.0",
)
FAULTS: Final = (*_DUPLICATES, *_CHANGES, *_WALLETS_AND_CHAINS)
