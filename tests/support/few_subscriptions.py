"""A run whose subscriptions start only what a check asks for first and is compared with: there are sixty others."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from fixtures.judging.verdicts import inconclusive
from fixtures.protocols.s2s_card.subscription_plans import CONTROL
from fixtures.protocols.s2s_card.subscriptions import Course, Subscriptions
from fixtures.run import Run

COMPARED: tuple[str, ...] = (CONTROL, "usual", "counted", "not delayed")
"""What shows that the target charges at all, and when."""


@dataclass
class FewSubscriptions(Subscriptions):
    """Subscriptions of few plans."""

    _first: str = field(default="", init=False)

    def course(self, name: str, *, or_today: bool = False) -> Course:
        """Return what became of a subscription; the check ends when it was not started with the first one."""
        if not self._first:
            self._first = name
            self.plans = {each: plan for each, plan in self.plans.items() if each in (*COMPARED, name)}
        elif name not in self.plans:
            inconclusive(f"{name} was not started", decides="all subscriptions")
        return super().course(name, or_today=or_today)


class RunOfFew(Run):
    """A run whose S2S CARD subscriptions are few."""

    @cached_property
    def subscriptions(self) -> FewSubscriptions:
        """S2S CARD subscriptions of the main account, as far as the first check asks for them."""
        callbacks = self.callbacks if self.receiver else None
        return FewSubscriptions(
            self.payments,
            self.clock,
            callbacks,
            self.s2s_card_merchant,
            holding=lambda: self.card_accounts.holding.payments,
        )
