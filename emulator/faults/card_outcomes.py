"""Faults of S2S CARD: callbacks that tell another outcome than the payment has, and those that never come."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.callbacks import signatures
from emulator.callbacks.notice import Fields, Notice
from emulator.design import Change, Design
from emulator.faults.model import Fault
from emulator.faults.posts import telling, untold
from emulator.payments.model import Protocol, State
from emulator.s2s_card.record import record_of

_ANY: Final = ("S2C-SCH-*", "S2C-SCP-*", "CBK-*")
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


def _told(applies: About, change: Callable[[Fields], Fields]) -> Change:
    def changed(notice: Notice) -> Iterator[Notice]:
        concerned = notice.payment.protocol is Protocol.S2S_CARD and applies(notice)
        yield replace(notice, fields=change(notice.fields)) if concerned else notice

    return telling(changed)


def _saying(applies: About, **fields: str) -> Change:
    return _told(applies, lambda told: {**told, **fields})


def _lacking(applies: About, name: str) -> Change:
    return _told(applies, lambda told: {key: value for key, value in told.items() if key != name})


def _untold(applies: About) -> Change:
    def changed(notice: Notice) -> Iterator[Notice]:
        if notice.payment.protocol is not Protocol.S2S_CARD or not applies(notice):
            yield notice

    return telling(changed)


def _forged(applies: About) -> Change:
    def sign(notice: Notice) -> str:
        return "0" * 32 if applies(notice) else signatures.s2s_card(notice)

    return _signing(sign)


def _signing(sign: Callable[[Notice], str]) -> Change:
    def change(design: Design) -> Design:
        return design.in_callbacks(signs={**design.callbacks.signs, Protocol.S2S_CARD: sign})

    return change


def _by_the_main_account(notice: Notice) -> str:
    account = notice.payment.account
    if account.name != "second":
        return signatures.s2s_card(notice)
    return signatures.s2s_card(replace(notice, payment=replace(notice.payment, account=ACCOUNTS[0])))


def _hundredfold(told: Fields) -> Fields:
    amount = told.get("amount")
    return {**told, "amount": amount.replace(".", "")} if isinstance(amount, str) else told


def _any_expiry(told: Fields) -> Fields:
    return {**told, "card_expiration_date": "11/2031"} if "card_expiration_date" in told else told


def _any_flow(told: Fields) -> Fields:
    return {**told, "authenticationFlow": "Challenge"} if "authenticationFlow" in told else told


def _fault(name: str, requirement: str, summary: str, change: Change) -> Fault:
    return Fault(name, (requirement,), summary, change, _ANY, since="6.7.0")


_TOLD_AS_DECLINED: Final = ("DEBIT", "CARD2CARD", "CREDIT2CARD", "RECURRING_SALE", "RECURRING_DEBIT")
_OPERATIONS: Final = (("CAPTURE", "CBK-S2C-05"), ("VOID", "CBK-S2C-07"), ("CREDITVOID", "CBK-S2C-06"))


def _of_operations() -> Iterator[Fault]:
    for action, requirement in _OPERATIONS:
        slug = action.lower()
        state = "PENDING" if action == "CAPTURE" else "SETTLED"
        yield _fault(
            f"{slug}-told-as-declined",
            requirement,
            f"{action} is told with result DECLINED.",
            _saying(_is(action), result="DECLINED"),
        )
        yield _fault(
            f"{slug}-told-as-before",
            requirement,
            f"{action} is told with the status that the payment had before.",
            _saying(_is(action), status=state),
        )
        yield _fault(
            f"{slug}-told-of-another-order",
            requirement,
            f"{action} is told with another order id.",
            _saying(_is(action), order_id="another"),
        )


FAULTS: Final = (
    *_of_operations(),
    *(
        _fault(
            f"{action.lower().replace('_', '-')}-told-as-declined",
            "CBK-DEL-02",
            f"{action} that settled is told as declined.",
            _saying(_is(action, state=_SETTLED), result="DECLINED", status="DECLINED"),
        )
        for action in _TOLD_AS_DECLINED
    ),
    _fault("recurring-debit-untold", "CBK-DEL-02", "RECURRING_DEBIT is not told.", untold("RECURRING_DEBIT")),
    _fault(
        "authorization-told-as-settled",
        "CBK-S2C-21",
        "An authorization is told as SETTLED.",
        _saying(_is("SALE", state=State.AUTHORIZED), status="SETTLED"),
    ),
    _fault(
        "release-told-as-pending",
        "CBK-S2C-20",
        "A release is told as PENDING.",
        _saying(_is("CREDITVOID", state=State.RELEASED), status="PENDING"),
    ),
    _fault(
        "release-told-with-wrong-hash",
        "CBK-S2C-20",
        "The callback of a release is not signed rightly.",
        _forged(_is("CREDITVOID", state=State.RELEASED)),
    ),
    _fault(
        "failed-challenge-untold",
        "CBK-S2C-22",
        "A failed challenge is not told.",
        _untold(_is(state=_DECLINED, challenged=True)),
    ),
    _fault(
        "failed-challenge-told-as-settled",
        "CBK-S2C-22",
        "A failed challenge is told as SETTLED.",
        _saying(_is(state=_DECLINED, challenged=True), result="SUCCESS", status="SETTLED"),
    ),
    _fault(
        "failed-challenge-told-as-passed",
        "CBK-S2C-22",
        "transStatus of a failed challenge is Y.",
        _saying(_is(state=_DECLINED, challenged=True), transStatus="Y"),
    ),
    _fault(
        "challenge-outcome-with-wrong-hash",
        "CBK-S2C-03",
        "The callback of a passed challenge is not signed rightly.",
        _forged(_is(state=_SETTLED, challenged=True)),
    ),
    _fault(
        "frictionless-told-as-challenge",
        "CBK-S2C-17",
        "Every payment is told as one that was challenged.",
        _told(_is(challenged=False), _any_flow),
    ),
    _fault(
        "declined-payout-untold",
        "CBK-S2C-19",
        "A declined payout is not told.",
        _untold(_is("CREDIT2CARD", state=_DECLINED)),
    ),
    _fault(
        "declined-payout-untyped",
        "CBK-S2C-19",
        "A declined payout is told without type.",
        _lacking(_is("CREDIT2CARD", state=_DECLINED), "type"),
    ),
    _fault(
        "declined-payout-with-wrong-hash",
        "CBK-S2C-19",
        "The callback of a declined payout is not signed rightly.",
        _forged(_is("CREDIT2CARD", state=_DECLINED)),
    ),
    _fault(
        "declined-debit-with-wrong-hash",
        "CBK-DEL-04",
        "The callback of a declined debit is not signed rightly.",
        _forged(_is("DEBIT", state=_DECLINED)),
    ),
    _fault(
        "recurring-debit-with-wrong-hash",
        "CBK-SIG-09",
        "The callback of a recurring debit is not signed rightly.",
        _forged(_is("RECURRING_DEBIT")),
    ),
    _fault(
        "custom-data-with-wrong-hash",
        "CBK-S2C-13",
        "A callback with custom_data is not signed rightly.",
        _forged(lambda notice: "custom_data" in notice.fields),
    ),
    _fault(
        "second-merchant-signed-by-main",
        "CBK-SIG-09",
        "Callbacks of the second merchant are signed with the password of the first.",
        _signing(_by_the_main_account),
    ),
    _fault(
        "callback-amount-hundredfold",
        "CBK-S2C-23",
        "Amounts are told in minor units.",
        _told(_is(), _hundredfold),
    ),
    _fault(
        "callback-currency-other",
        "CBK-S2C-23",
        "The currency is told as XTS whatever it is.",
        _told(_is(), lambda told: {**told, "currency": "XTS"} if "currency" in told else told),
    ),
    _fault(
        "debit-expiry-other",
        "CBK-S2C-12",
        "card_expiration_date is that of another card.",
        _told(_is(), _any_expiry),
    ),
    _fault(
        "recurring-debit-without-token",
        "CBK-S2C-24",
        "The callback of a recurring debit lacks card_token.",
        _lacking(_is("RECURRING_DEBIT"), "card_token"),
    ),
    _fault(
        "refunded-debit-without-token",
        "CBK-S2C-24",
        "The callback of a refund of a debit lacks card_token.",
        _lacking(lambda notice: notice.event == "CREDITVOID" and notice.payment.action == "DEBIT", "card_token"),
    ),
    _fault(
        "authorization-without-arn",
        "CBK-S2C-16",
        "The callback of an authorization lacks ARN.",
        _lacking(_is("SALE", state=State.AUTHORIZED), "ARN"),
    ),
    _fault(
        "recurring-sale-without-arn",
        "CBK-S2C-16",
        "The callback of a RECURRING_SALE lacks ARN.",
        _lacking(_is("RECURRING_SALE"), "ARN"),
    ),
)
