"""Ways to change the hosted page: what it checks, and what a payer brings back to the merchant."""

from collections.abc import Callable
from dataclasses import replace

from emulator.design import Change, Design
from emulator.engine.payments import Payment
from emulator.protocols.checkout.behaviour import CheckoutGateway
from emulator.protocols.hosted_page.forms.rules import Check
from emulator.protocols.hosted_page.outcomes import Parameters
from emulator.protocols.hosted_page.session import PageSession

Fits = Callable[[Payment], bool]


def checking(check: Check, other: Check) -> Change:
    """``other`` is checked in the place of ``check``."""

    def change(design: Design) -> Design:
        rules = (replace(rule, check=other) if rule.check is check else rule for rule in design.page.rules)
        return design.in_page(rules=tuple(rules))

    return change


def returning(change: Callable[[Payment, Parameters], Parameters]) -> Change:
    """Something else is added to the merchant's address."""

    def changed(design: Design) -> Design:
        inner = design.checkout.return_parameters

        def parameters(gateway: CheckoutGateway, payment: Payment, method: str) -> Parameters:
            return change(payment, inner(gateway, payment, method))

        return design.in_checkout(return_parameters=parameters)

    return changed


def returning_nothing(fits: Fits) -> Change:
    """Nothing is added to the merchant's address after payments that ``fits`` holds for."""
    return returning(lambda payment, found: {} if fits(payment) else found)


def returning_without(lost: str, fits: Fits) -> Change:
    """A parameter is not added to the merchant's address after payments that ``fits`` holds for."""
    return returning(
        lambda payment, found: {name: value for name, value in found.items() if name != lost or not fits(payment)}
    )


def without_override(session: PageSession) -> PageSession:
    """The session as if its account had no Override Link Target."""
    account = session.account
    return session if account is None else replace(session, account=replace(account, override_link_target=None))
