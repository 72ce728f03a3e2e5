"""Faults of the hosted page that show on a later form, on a later day, or with unusual names and numbers.

Numbers of lines are those of the interface description.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Final

from emulator.changes.hosted_page import checking
from emulator.design import Design
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import CheckoutGateway, Instrument
from emulator.protocols.hosted_page.entries import Entry, TokenEntry
from emulator.protocols.hosted_page.forms.offered_fields import Values
from emulator.protocols.hosted_page.forms.rules import PageContext, luhn, not_expired
from emulator.protocols.hosted_page.returns import End
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.hosted_page.visits import Visit


def _day_of_first_form(design: Design) -> Design:
    """The day is asked for once and remembered."""
    days: list[date] = []

    def check(value: str, context: PageContext) -> bool:
        days.append(context.today)
        return not_expired(value, replace(context, today=days[0]))

    return checking(not_expired, check)(design)


def _third_form_unchecked(design: Design) -> Design:
    """The check digit is looked at on the first two forms of a session."""
    forms: Counter[str] = Counter()
    latest: list[str] = [""]

    def reads(session: PageSession, values: Values) -> Values:
        forms[session.token] += 1
        latest[0] = session.token
        return values

    def check(value: str, context: PageContext) -> bool:
        return forms[latest[0]] > 2 or luhn(value, context)

    return checking(luhn, check)(design.in_page(reads=reads))


def _long_numbers_unchecked(value: str, context: PageContext) -> bool:
    return len(value) > 16 or luhn(value, context)


def _open_after_a_decline(visit: Visit, *, closed: bool) -> End | None:
    return visit.ended or ("expired" if closed and not visit.declines else None)


def _first_card_on_file(design: Design) -> Design:
    inner = design.checkout.instrument

    def instrument(gateway: CheckoutGateway, session: PageSession, entry: Entry) -> Instrument:
        chosen = replace(entry, token=session.tokens[0]) if isinstance(entry, TokenEntry) and session.tokens else entry
        return inner(gateway, session, chosen)

    return design.in_checkout(instrument=instrument)


Facts = Callable[[PageSession], Mapping[str, str]]


def _first_network(design: Design) -> Design:
    """The network of a currency is remembered from the first session that named one."""
    known: dict[str, str] = {}
    inner: Facts = design.page.facts

    def facts(session: PageSession) -> Mapping[str, str]:
        shown = dict(inner(session))
        if shown.get("network"):
            shown["network"] = known.setdefault(session.currency, shown["network"])
        return shown

    return design.in_page(facts=facts)


def _name_of_first_alone(design: Design) -> Design:
    """One of both names is enough to win over the name of the token."""
    inner = design.checkout.instrument

    def instrument(gateway: CheckoutGateway, session: PageSession, entry: Entry) -> Instrument:
        made = inner(gateway, session, entry)
        first, second = session.given("payee_first_name"), session.given("payee_last_name")
        if session.operation != "credit" or made.card is None or bool(first) == bool(second):
            return made
        return replace(made, card=replace(made.card, holder=first or second))

    return design.in_checkout(instrument=instrument)


FAULTS: Final = faults(
    {
        "page-card-of-third-form-unchecked": breaks(
            "HPP-CRD-04",
            "From the third form of a session on the check digit of the card is not looked at (line 120).",
            _third_form_unchecked,
        ),
        "page-check-digit-of-long-numbers-ignored": breaks(
            "HPP-CRD-04",
            "The check digit of card numbers with 17 to 19 digits is not looked at (line 120).",
            checking(luhn, _long_numbers_unchecked),
        ),
        "page-open-for-ever-after-a-decline": breaks(
            "CHK-LIF-02",
            "A session in which a payment was declined never expires (line 44).",
            lambda design: design.in_page(admits=_open_after_a_decline),
        ),
        "page-network-of-first-session": breaks(
            "HPP-ASK-14",
            "The network shown for a crypto currency is that of the first session that named one (line 68).",
            _first_network,
        ),
        "page-expiry-by-day-of-first-form": breaks(
            "HPP-EXP-02",
            "Expiry dates are compared with the day of the first form ever, so that expired cards pay (line 121).",
            _day_of_first_form,
        ),
        "page-pays-with-first-card-on-file": breaks(
            "HPP-TOK-04",
            "Whichever card on file the payer chooses, the first one is charged (line 58).",
            _first_card_on_file,
        ),
        "payee-by-one-of-both-names": breaks(
            "CHK-TOK-08",
            "payee_first_name or payee_last_name alone wins over the name of the card token (line 58).",
            _name_of_first_alone,
            since="6.7.0",
        ),
    }
)
UNNOTICED: Final = faults({})
"""Nothing notices these yet, or the contract lets a gateway do so: see `docs/proof.md`. They cannot be started."""
