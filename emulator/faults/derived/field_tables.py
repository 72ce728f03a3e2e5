"""The faults of the field tables: each row that restates a requirement, broken in every way that its rule can be."""

from collections.abc import Iterator
from typing import Final

from emulator.design import APM_ROWS, Design
from emulator.faults.derived.rows import RowChange, derived
from emulator.faults.model import Fault
from emulator.protocols.s2s_card.messages.action_table import POSTS
from emulator.rules.checkout.hosted_fields import PAYMENT, TOKEN
from emulator.rules.checkout.payments import ROWS
from emulator.rules.checkout.session import SESSION
from emulator.rules.model import Rule


def _of_checkout(name: str, rows: tuple[Rule, ...]) -> Iterator[Fault]:
    def change_rows(design: Design, change: RowChange) -> Design:
        return design.with_checkout_rows(name, change)

    return derived(rows, change_rows, f"checkout-{name}.")


def _of_card(action: str, rows: tuple[Rule, ...]) -> Iterator[Fault]:
    def change_rows(design: Design, change: RowChange) -> Design:
        return design.with_post_rows(change, action)

    return derived(rows, change_rows, f"{action.lower().replace('_', '-')}.")


def _of_apm(action: str, rows: tuple[Rule, ...]) -> Iterator[Fault]:
    def change_rows(design: Design, change: RowChange) -> Design:
        return design.with_apm_rows(action, change)

    return derived(rows, change_rows, f"apm.{action.lower().replace('_', '-')}.")


FAULTS: Final = (
    *derived(SESSION, Design.with_rows),
    *(fault for action, one in POSTS.items() for fault in _of_card(action, one.rows)),
    *(fault for action, rows in APM_ROWS.items() for fault in _of_apm(action, rows)),
    *(fault for name, rows in ROWS.items() for fault in _of_checkout(name, rows)),
    *derived((row for row in TOKEN if row.requirement.startswith("HPF-")), Design.with_token_rows, "hosted-token."),
    *derived(PAYMENT, Design.with_hosted_payment_rows, "hosted-payment."),
)
