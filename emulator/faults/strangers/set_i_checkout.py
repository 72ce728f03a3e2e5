"""Faults of Checkout and of hosted fields by another author that the suite did not notice at first (set I)."""

from collections import Counter
from dataclasses import replace
from typing import Final

from emulator.changes import hosted_fields
from emulator.changes.checkout_sessions import unless
from emulator.design import Change, Design, all_of
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import CheckoutGateway, Instrument
from emulator.protocols.checkout.session import Attempt, check_tokens
from emulator.protocols.hosted_fields.behaviour import HostedAttempt
from emulator.protocols.hosted_fields.sessions import HostedSession
from emulator.protocols.hosted_page.entries import Entry, TokenEntry
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.shared import check_environment
from emulator.wire.replies import Refusal
from emulator.wire.values import child


def _tokens_unseen_on(operation: str) -> Change:
    """Tokens are not looked up for an operation, and whoever's they are, they pay."""

    def applies(attempt: Attempt) -> bool:
        return attempt.body.get("operation") == operation

    def pays(design: Design) -> Design:
        inner = design.checkout.instrument

        def instrument(gateway: CheckoutGateway, session: PageSession, entry: Entry) -> Instrument:
            found = inner(gateway, session, entry)
            is_meant = session.operation == operation and isinstance(entry, TokenEntry) and found.card is None
            return replace(found, approved=True) if is_meant else found

        return design.in_checkout(instrument=instrument)

    return all_of(unless(check_tokens, applies), pays)


def _allowed_by_the_payer(design: Design) -> Design:
    """The allowlist is compared with the address that the request names, where it names one."""

    def checked(attempt: HostedAttempt) -> Refusal | None:
        named = child(attempt.body, "customer", "ip")
        return check_environment(replace(attempt, client=named) if isinstance(named, str) and named else attempt)

    return hosted_fields.instead(check_environment, checked)(design)


def _address_for_one_attempt(design: Design) -> Design:
    """The payer's address is forgotten with the first attempt."""
    attempts: Counter[str] = Counter()
    inner = design.hosted_fields.has_card

    def has_card(session: HostedSession) -> bool:
        attempts[session.token] += 1
        if attempts[session.token] > 1:
            session.client = ""
        return inner(session)

    return design.in_hosted_fields(has_card=has_card)


FAULTS: Final = faults(
    {
        **{
            f"tokens-unseen-on-a-{operation}": breaks(
                "CHK-TOK-06",
                f"A {operation} is made with a card_token of nobody or of another merchant (lines 58 and 454).",
                _tokens_unseen_on(operation),
                since=since,
            )
            for operation, since in (("credit", "6.7.0"), ("debit", None))
        },
        "hosted-customer-ip-lost-after-a-decline": breaks(
            "HPF-CIP-01",
            "The callback of a second attempt on a session has no customer_ip (line 99).",
            _address_for_one_attempt,
            since="6.7.0",
        ),
        "hosted-token-allowlist-of-payers": breaks(
            "HPF-TKN-15",
            "The session-token endpoint compares its allowlist with customer.ip in place of its caller (line 99).",
            _allowed_by_the_payer,
        ),
        "hosted-token-without-allowlist": breaks(
            "HPF-TKN-15",
            "The session-token endpoint takes requests from any address.",
            hosted_fields.without(check_environment),
        ),
    }
)
