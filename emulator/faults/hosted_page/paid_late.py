"""Faults of sessions that are paid after they expired, by other means than the number of a card."""

from collections.abc import Callable, Mapping
from typing import Final

from emulator.design import Change
from emulator.faults.model import breaks, faults
from emulator.protocols.hosted_page.session import PageSession


def _is_of_wallet(_session: PageSession, form: Mapping[str, str]) -> bool:
    return form.get("action") == "wallet"


def _has_stored_card(session: PageSession, _form: Mapping[str, str]) -> bool:
    return bool(session.tokens)


def _is_of_another_method(session: PageSession, _form: Mapping[str, str]) -> bool:
    return bool(session.methods) and "card" not in session.methods


def _paid_late(takes: Callable[[PageSession, Mapping[str, str]], bool]) -> Change:
    return lambda design: design.in_page(takes_late=takes)


_LATE: Final[Mapping[str, Callable[[PageSession, Mapping[str, str]], bool]]] = {
    "wallet": _is_of_wallet,
    "stored-card": _has_stored_card,
    "another-method": _is_of_another_method,
}

FAULTS: Final = faults(
    {
        f"expired-session-paid-by-{slug}": breaks(
            "CHK-LIF-03",
            f"The form of an expired session still pays by {slug.replace('-', ' ')}.",
            _paid_late(takes),
        )
        for slug, takes in _LATE.items()
    }
)
