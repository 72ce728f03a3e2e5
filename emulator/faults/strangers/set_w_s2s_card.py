"""Faults of a stranger's engineer that the suite did not notice at first (set W), and others of their classes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final, cast

from emulator.accounts import Account
from emulator.changes.notices import About
from emulator.changes.s2s_card import NOTICES, around, last, unless
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Payment, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.protocols.s2s_card.stages import check_duplicate, find_payment
from emulator.rules.amounts import is_zero
from emulator.rules.model import Check, Context, JsonObject, Rule
from emulator.wire.replies import Kind, Refusal, Reply

_NEW: Final = "6.7.0"
_NO_VOID: Final = Refusal(Kind.STATE, "Void is not allowed.")
_NO_RELEASE: Final = Refusal(Kind.STATE, "Not acceptable to request the reversal.", code=208008)
_STORED: Final = 512
"""Characters of an address that are kept."""
_ZEROS: Final = ("0", "0.00")
_MEANT: Final[Mapping[str, tuple[str, State, str]]] = {
    "REVERSAL": ("CREDITVOID", State.AUTHORIZED, "S2C-ACT-06"),
    "REVERSE": ("CREDITVOID", State.AUTHORIZED, "S2C-ACT-07"),
    "REFUND": ("CREDITVOID", State.SETTLED, "S2C-ACT-04"),
    "CHARGEBACK": ("CREDITVOID", State.SETTLED, "S2C-ACT-08"),
    "void": ("VOID", State.SETTLED, "S2C-ACT-02"),
    "Capture": ("CAPTURE", State.AUTHORIZED, "S2C-ACT-03"),
}
"""Names that are no action: what they are taken for, of a payment in which state, and what that breaks."""
_SCHEDULES: Final[Mapping[str, tuple[str, str]]] = {
    "STOP_SCHEDULE": ("DELETE_SCHEDULE", "S2C-ACT-10"),
    "GET_SCHEDULE": ("SCHEDULE_INFO", "S2C-ACT-13"),
}
"""The same of schedules that are there."""


def _takes_no_refunds(account: Account) -> bool:
    return not account.refunds


def _takes_them_in_its_portal(account: Account) -> bool:
    return account.connector_refunds_only


def _refusing_with(refusal: Refusal, applies: Callable[[Account], bool], action: str, state: State) -> Change:
    """An action is refused of payments in a state of some accounts."""

    def stage(attempt: CardAttempt) -> Refusal | None:
        payment = attempt.payment
        return refusal if payment is not None and payment.state is state and applies(payment.account) else None

    return last(stage, action)


def _delays_after(mode: str) -> Change:
    """An update of the delay of the first payment writes the retired delays as well."""

    def act(perform: Perform, attempt: CardAttempt) -> Reply:
        reply, schedule = perform(attempt), attempt.schedule
        if schedule is not None and attempt.form.get("delayed_first_payment") == mode:
            schedule.terms["delays"] = "0" if mode == "none" else "1"
        return reply

    return around(act, "UPDATE_SCHEDULE")


def _way_back_cut(action: str) -> Change:
    def change(design: Design) -> Design:
        inner = design.card.way_back

        def way_back(payment: Payment) -> str:
            address = inner(payment)
            return address[:_STORED] if payment.action == action else address

        return design.in_card(way_back=way_back)

    return change


def _is_retried(action: str) -> About:
    def applies(notice: Notice) -> bool:
        payment = notice.payment
        return payment.action == action and any(step.type == "retry" for step in payment.transactions)

    return applies


def _first_was_given_back_in_part(attempt: CardAttempt) -> Refusal | None:
    first = attempt.payment
    return attempt.behaviour.unknown if first is not None and first.refunded > 0 else None


def _free_once(state: State) -> Change:
    """The order id of a payment is free once the payment is in a state."""

    def is_free(attempt: CardAttempt) -> bool:
        account, gateway = attempt.account, attempt.gateway
        payments = gateway.payments.of_order(account, attempt.form.get("order_id", "")) if account else []
        return any(payment.state is state for payment in payments)

    return unless(check_duplicate, is_free, "SALE")


def _only_usual_zeros(flag: str) -> Change:
    """Of a SALE with a flag, zero is known with two decimals alone."""

    def changed(row: Rule) -> Rule:
        if (row.path, row.keyword) != ("order_amount", "positive"):
            return row
        check = cast("Check", row.bound)

        def bound(value: object, parent: JsonObject, context: Context) -> bool:
            is_refused = parent.get(flag) == "Y" and is_zero(str(value)) and value not in _ZEROS
            return not is_refused and check(value, parent, context)

        return replace(row, bound=bound)

    return lambda design: design.with_sale_rows(changed)


def _also_named(name: str, action: str, applies: Callable[[CardAttempt], bool]) -> Change:
    """A name that is no action is one where something holds of what the post speaks of."""

    def is_unknown(attempt: CardAttempt) -> Refusal | None:
        return None if applies(attempt) else attempt.gateway.actions.unknown

    def change(design: Design) -> Design:
        known, behaviour = design.actions.known, design.posts[action]
        named = replace(behaviour, stages=(is_unknown, *behaviour.stages))
        also = design.in_actions(known=lambda other, release: other == name or known(other, release))
        return replace(also, posts={**design.posts, name: named})

    return change


def _of_payments(state: State) -> Callable[[CardAttempt], bool]:
    def applies(attempt: CardAttempt) -> bool:
        find_payment(attempt)
        return attempt.payment is not None and attempt.payment.state is state

    return applies


def _of_a_schedule(attempt: CardAttempt) -> bool:
    account, schedule_id = attempt.account, attempt.form.get("schedule_id", "")
    return account is not None and attempt.gateway.schedules.find(account, schedule_id) is not None


FAULTS: Final = faults(
    {
        **{
            f"w-no-void-where-{name}": breaks(
                "S2C-VOI-01",
                f"VOID of a SETTLED payment is refused where {what} (line 318).",
                _refusing_with(_NO_VOID, applies, "VOID", State.SETTLED),
            )
            for name, what, applies in (
                ("no-refunds", "the MID allows no refunds", _takes_no_refunds),
                ("refunds-in-the-portal", "refunds are made in the portal of the connector", _takes_them_in_its_portal),
            )
        },
        "w-no-release-where-no-refunds": breaks(
            "S2C-CVD-06",
            "CREDITVOID of an authorization is refused where the MID allows no refunds (line 356).",
            _refusing_with(_NO_RELEASE, _takes_no_refunds, "CREDITVOID", State.AUTHORIZED),
        ),
        **{
            f"w-delays-back-after-an-update-to-{mode.replace('_', '-')}": breaks(
                "S2C-SCH-48",
                f"SCHEDULE_INFO has delays after UPDATE_SCHEDULE with delayed_first_payment={mode} (line 303).",
                _delays_after(mode),
                since=_NEW,
            )
            for mode in ("none", "by_interval", "to_day_of_week", "to_day_of_month")
        },
        **{
            f"w-way-back-of-a-{action.lower()}-cut": breaks(
                "S2C-TDS-05",
                f"After the challenge of a {action} the payer is sent to the first 512 characters of term_url_3ds.",
                _way_back_cut(action),
            )
            for action in ("SALE", "DEBIT")
        },
        "w-no-token-of-a-recurring-debit-once-it-is-retried": breaks(
            "CBK-S2C-24",
            "The callback of a RECURRING_DEBIT that RETRY settled lacks card_token (line 419).",
            NOTICES.lacking(_is_retried("RECURRING_DEBIT"), "card_token"),
            since=_NEW,
        ),
        "w-chain-ends-with-a-part-of-its-first-payment": breaks(
            "S2C-REC-30",
            "RECURRING_SALE is refused once a part of the first payment was given back (lines 353 and 445).",
            last(_first_was_given_back_in_part, "RECURRING_SALE"),
        ),
        **{
            f"w-order-id-free-once-{name}": breaks(
                "S2C-DUP-01",
                f"The order id of a payment that was {name} is taken again within 15 seconds (lines 437 and 472).",
                _free_once(state),
            )
            for name, state in (("voided", State.VOIDED), ("released", State.RELEASED))
        },
        **{
            f"w-zero-with-other-decimals-refused-with-{flag.replace('_', '-')}": breaks(
                requirement,
                f"Zero in a currency with three decimals is refused to a SALE with {flag}=Y (line 352).",
                _only_usual_zeros(flag),
                since=_NEW,
            )
            for flag, requirement in (("auth", "S2C-AMT-05"), ("recurring_init", "S2C-AMT-06"))
        },
        **{
            f"w-{name.lower()}-of-a-payment-is-{action.lower()}": breaks(
                requirement,
                f"{name} of a payment that is {state.name} is carried out as {action} (line 363).",
                _also_named(name, action, _of_payments(state)),
            )
            for name, (action, state, requirement) in _MEANT.items()
        },
        **{
            f"w-{name.lower().replace('_', '-')}-of-a-schedule-that-is-there": breaks(
                requirement,
                f"{name} of a schedule that is there is carried out as {action} (line 363).",
                _also_named(name, action, _of_a_schedule),
            )
            for name, (action, requirement) in _SCHEDULES.items()
        },
    }
)
