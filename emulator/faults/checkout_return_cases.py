"""Faults of return parameters that show after a decline or a challenge only."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from emulator.checkout.paying import return_parameters
from emulator.checkout.record import record_of
from emulator.design import Change
from emulator.faults.checkout_ways import ANY
from emulator.faults.model import Fault
from emulator.hosted_page.outcomes import Parameters
from emulator.payments.model import Payment, State

if TYPE_CHECKING:
    from emulator.gateway import Gateway

_RETURNS: Final = ("CHK-URL-*", "HPF-*")


def _declined(payment: Payment) -> bool:
    return payment.state is State.DECLINED


def _challenged(payment: Payment) -> bool:
    return record_of(payment).challenged


def _reversed(name: str, applies: Callable[[Payment], bool]) -> Change:
    def changed(gateway: "Gateway", payment: Payment, method: str) -> Parameters:
        parameters = return_parameters(gateway, payment, method)
        return {**parameters, name: parameters[name][::-1]} if applies(payment) else parameters

    return lambda design: design.in_checkout(return_parameters=changed)


def _cases(name: str, requirement: str, summary: str, related: tuple[str, ...]) -> tuple[Fault, ...]:
    slug = name.replace("_", "-")
    return (
        Fault(
            f"return-declined-other-{slug}",
            (requirement,),
            f"After a decline {summary}.",
            _reversed(name, _declined),
            related,
        ),
        Fault(
            f"return-challenged-other-{slug}",
            (requirement,),
            f"After a challenge {summary}.",
            _reversed(name, _challenged),
            related,
        ),
    )


FAULTS: Final = (
    *_cases("payment_id", "CHK-STA-21", "payment_id is that of no payment", ANY),
    *_cases("order_id", "CHK-URL-04", "order_id is another one", _RETURNS),
    *_cases("hash", "CHK-URL-07", "the hash is wrong", _RETURNS),
)
