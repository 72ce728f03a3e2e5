"""Faults of S2S CARD signatures that show in one action, one state or kind of payment, or with one option only."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.changes.s2s_card import Applies, also_hashed, unless
from emulator.design import Change
from emulator.engine.payments import Payment, State
from emulator.faults.model import Fault, breaks, faults
from emulator.faults.s2s_card.kinds import KINDS
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardHashTest
from emulator.protocols.s2s_card.messages.action_table import POSTS
from emulator.protocols.s2s_card.stages import check_signature

_SECOND: Final = hashlib.md5(b"emulator-second", usedforsecurity=False).hexdigest()
_LOOK_UPS: Final = ("GET_TRANS_STATUS", "GET_TRANS_DETAILS", "GET_TRANS_STATUS_BY_ORDER")
_SINCE: Final = {"RECURRING_DEBIT": "6.7.0", "UPDATE_SCHEDULE": "6.7.0"}
_STATES: Final[Mapping[str, State]] = {
    "declined": State.DECLINED,
    "authorized": State.AUTHORIZED,
    "released": State.RELEASED,
    "voided": State.VOIDED,
    "refunded": State.REFUNDED,
    "challenged": State.CHALLENGED,
    "redirected": State.REDIRECTED,
}
_OPTIONS: Final = {
    "sale-with-schedule": ("SALE", "schedule_id"),
    "sale-with-payer-present": ("SALE", "payer_present"),
    "debit-with-recurring-init": ("DEBIT", "recurring_init"),
    "debit-with-payer-present": ("DEBIT", "payer_present"),
}


def _slug(action: str) -> str:
    return action.lower().replace("_", "-")


def _lacking(part: str) -> Callable[[CardHashTest], bool]:
    """A hash that leaves one of the values out."""

    def accepts(test: CardHashTest) -> bool:
        values = replace(test.values, **{part: ""})
        return values != test.values and test.given == test.formula(test.account.password, test.account.hash, values)

    return accepts


def _of_second(test: CardHashTest) -> bool:
    return test.given == test.formula(_SECOND, test.account.hash, test.values)


def _is_begun(test: CardHashTest) -> bool:
    right = test.formula(test.account.password, test.account.hash, test.values)
    return len(test.given) >= 16 and right.startswith(test.given)


def _unsigned(is_one: Callable[[Payment], bool], *actions: str) -> Change:
    """The hash of actions is not looked at where they are about such a payment."""

    def applies(attempt: CardAttempt) -> bool:
        return attempt.payment is not None and is_one(attempt.payment)

    return unless(check_signature, applies, *actions)


def _in_state(state: State) -> Callable[[Payment], bool]:
    return lambda payment: payment.state is state


def _is_sent(name: str) -> Applies:
    return lambda attempt: bool(attempt.form.get(name))


def _is_unsigned(attempt: CardAttempt) -> bool:
    return "hash" not in attempt.form


def _of_actions() -> dict[str, Fault]:
    table: dict[str, Fault] = {}
    for action in POSTS:
        name, since = _slug(action), _SINCE.get(action)
        if action == "SALE":
            continue
        table[f"{name}-signed-by-another-merchant"] = breaks(
            "S2C-SIG-11" if action == "RETRY" else "S2C-SIG-58",
            f"The second merchant's password signs {action} for everybody.",
            also_hashed(_of_second, action),
            since=since,
        )
        if action != "RETRY":
            table[f"{name}-hash-begun"] = breaks(
                "S2C-SIG-52",
                f"The first digits of a hash are enough for {action}.",
                also_hashed(_is_begun, action),
                since=since,
            )
    return table


FAULTS: Final = faults(
    {
        **_of_actions(),
        **{
            f"look-up-of-{name}-unsigned": breaks(
                "S2C-SIG-38",
                f"The hash of a look-up of a payment that is {name} is not looked at.",
                _unsigned(_in_state(state), *_LOOK_UPS),
            )
            for name, state in _STATES.items()
        },
        **{
            f"retry-signed-without-{part}": breaks(
                "S2C-SIG-11",
                f"A hash of RETRY that leaves {part} out is taken, too.",
                also_hashed(_lacking(part), "RETRY"),
            )
            for part in ("email", "instrument", "middle")
        },
        "retry-hash-missing-accepted": breaks(
            "S2C-SIG-11", "RETRY without hash is served.", unless(check_signature, _is_unsigned, "RETRY")
        ),
        "look-up-of-card2card-unsigned": breaks(
            "S2C-SIG-38",
            "The hash of a look-up of a transfer is not looked at.",
            _unsigned(lambda payment: payment.action == "CARD2CARD", *_LOOK_UPS),
        ),
        **{
            f"{_slug(action)}-of-{name}-unsigned": breaks(
                "S2C-SIG-38",
                f"The hash of {action} of a payment of the kind {name} is not looked at.",
                _unsigned(kind, action),
                since="6.7.0",
            )
            for name, kind in KINDS.items()
            for action in ("VOID", "CREDITVOID", "GET_TRANS_STATUS")
            if name not in {"with-schedule", "redirected"}
        },
        **{
            f"capture-of-{name}-unsigned": breaks(
                "S2C-SIG-38",
                f"The hash of CAPTURE of a payment of the kind {name} is not looked at.",
                _unsigned(KINDS[name], "CAPTURE"),
                since="6.7.0",
            )
            for name in ("challenged", "paid-by-token", "paid-by-wallet")
        },
        "creditvoid-of-authorized-unsigned": breaks(
            "S2C-SIG-38",
            "The hash of CREDITVOID of an authorization is not looked at.",
            _unsigned(_in_state(State.AUTHORIZED), "CREDITVOID"),
        ),
        **{
            f"{name}-unsigned": breaks(
                "S2C-SIG-38",
                f"The hash of a {action} with {field} is not looked at.",
                unless(check_signature, _is_sent(field), action),
                since="6.7.0",
            )
            for name, (action, field) in _OPTIONS.items()
        },
    },
    prefix="card-",
)
