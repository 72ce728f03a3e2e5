"""Faults of S2S APM signatures that show in one action, one kind of sale or one digit only."""

from collections.abc import Callable
from typing import Final

from emulator.changes.s2s_apm import unless
from emulator.design import Change
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmHashTest, accepts_hash
from emulator.protocols.s2s_apm.signatures import RECIPES, by_option, of_payout, of_sale
from emulator.protocols.s2s_apm.stages import check_signature

_SALE_PARTS: Final = {
    "identifier": "APM-SIG-17",
    "order_id": "APM-SIG-18",
    "order_amount": "APM-SIG-19",
    "order_currency": "APM-SIG-20",
}
_Test = Callable[[ApmHashTest], bool]


def _accepting(accepts: _Test) -> Change:
    return lambda design: design.in_apm(accepts_hash=accepts)


def _also(applies: _Test) -> Change:
    """Posts that ``applies`` holds for need no right hash."""
    return _accepting(lambda test: accepts_hash(test) or applies(test))


def _without(action: str, name: str) -> _Test:
    recipe = of_sale if action == "SALE" else of_payout

    def accepts(test: ApmHashTest) -> bool:
        form = {key: value for key, value in test.form.items() if key != name}
        return test.action == action and test.is_of(recipe(form, test.account.password))

    return accepts


def _all_but_the_last_digit(test: ApmHashTest) -> bool:
    right = by_option(test.account, RECIPES[test.action](test.form, test.account.password))
    return len(test.given) == len(right) and test.given[:-1] == right[:-1]


def _look_ups_of(*states: State) -> Change:
    def applies(attempt: ApmAttempt) -> bool:
        account, gateway = attempt.account, attempt.gateway
        payment = gateway.payments.find(account, attempt.form.get("trans_id", "")) if account else None
        return payment is not None and payment.state in states

    return unless(check_signature, applies, "GET_TRANS_STATUS")


_STATES: Final = {
    "declined": State.DECLINED,
    "redirected": State.REDIRECTED,
    "voided": State.VOIDED,
    "authorized": State.AUTHORIZED,
    "released": State.RELEASED,
    "refunded": State.REFUNDED,
}

FAULTS: Final = faults(
    {
        **{
            f"apm-look-up-of-{name}-unsigned": breaks(
                "APM-SIG-10",
                f"The hash of a look-up of a payment that is {name} is not looked at.",
                _look_ups_of(state),
                since="6.7.0" if name in {"authorized", "released", "refunded"} else None,
            )
            for name, state in _STATES.items()
        },
        "apm-authorization-hash-ignored": breaks(
            "APM-SIG-10",
            "The hash of a SALE with auth=Y is not looked at.",
            _also(lambda test: test.action == "SALE" and test.form.get("auth") == "Y"),
        ),
        "apm-hash-ignored-where-amount-is": breaks(
            "APM-SIG-10",
            "The hash of CAPTURE and CREDITVOID with an amount is not looked at.",
            _also(lambda test: test.action in {"CAPTURE", "CREDITVOID"} and "amount" in test.form),
            since="6.7.0",
        ),
        "apm-coins-hash-ignored": breaks(
            "APM-SIG-07 APM-SIG-10",
            "The hash of a crypto SALE is not looked at.",
            _also(lambda test: test.action == "SALE" and "crypto" in test.form.get("brand", "")),
        ),
        "apm-coins-without-amount-hash-ignored": breaks(
            "APM-SIG-07",
            "The hash of a SALE without amount is not looked at.",
            _also(lambda test: test.action == "SALE" and "order_amount" not in test.form),
        ),
        "apm-hash-ignored-without-identifier": breaks(
            "APM-SIG-06",
            "The hash of a SALE without identifier is not looked at.",
            _also(lambda test: test.action == "SALE" and "identifier" not in test.form),
        ),
        "apm-qr-hash-ignored": breaks(
            "APM-SIG-10",
            "The hash of a SALE by instant QR is not looked at.",
            _also(lambda test: test.action == "SALE" and test.form.get("brand") == "instant-qr"),
        ),
        "apm-hash-last-digit-ignored": breaks(
            "APM-SIG-10", "The last digit of a hash is not compared.", _also(_all_but_the_last_digit)
        ),
        **{
            f"apm-sale-{name.replace('_', '-')}-unsigned": breaks(
                requirement, f"A hash of SALE without {name} is accepted.", _also(_without("SALE", name))
            )
            for name, requirement in _SALE_PARTS.items()
        },
        **{
            f"apm-payout-{name.replace('_', '-')}-unsigned": breaks(
                "APM-C2V-38",
                f"A hash of CREDIT2VIRTUAL without {name} is accepted.",
                _also(_without("CREDIT2VIRTUAL", name)),
            )
            for name in tuple(_SALE_PARTS)[1:]
        },
    }
)
