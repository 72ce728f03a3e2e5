"""Faults of Checkout by another author that the suite did not notice at first (set J)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Final

from emulator.changes import checkout
from emulator.changes.checkout import NOTICES
from emulator.changes.checkout_sessions import instead
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Payment, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout import card_credits
from emulator.protocols.checkout.behaviour import CheckoutGateway, Instrument, PostAttempt
from emulator.protocols.checkout.session import Attempt, check_tokens
from emulator.protocols.hosted_page.entries import Entry
from emulator.protocols.hosted_page.session import PageSession
from emulator.wire.replies import Refusal


def _earned_unknown_on(operation: str) -> Change:
    """Tokens that payments returned are unknown to sessions of an operation; those of the portal are known."""

    def check(attempt: Attempt) -> Refusal | None:
        account, access, tokens = attempt.account, attempt.gateway.access, attempt.body.get("card_token")
        if account is None or attempt.body.get("operation") != operation or not isinstance(tokens, list):
            return check_tokens(attempt)
        return None if all(access.token_known(account, str(token)) for token in tokens) else access.wrong_token

    return instead(check_tokens, check)


def _earned_unknown_to_card_credits(attempt: PostAttempt) -> Refusal | None:
    account, access, token = attempt.account, attempt.gateway.access, attempt.body.get("card_token")
    if account is None or access.token_known(account, str(token)):
        return None
    return access.wrong_token


def _not_held(pays: Callable[[Instrument], bool]) -> Change:
    """``auth`` is forgotten where the payer pays with some instruments."""

    def change(design: Design) -> Design:
        inner, intended = design.checkout.instrument, design.checkout.intended
        meant: set[str] = set()

        def instrument(gateway: CheckoutGateway, session: PageSession, entry: Entry) -> Instrument:
            found = inner(gateway, session, entry)
            if pays(found):
                meant.add(session.token)
            return found

        def leads_to(session: PageSession) -> State:
            return State.SETTLED if session.token in meant else intended(session)

        return design.in_checkout(instrument=instrument, intended=leads_to)

    return change


def _debits_start_by_interval(design: Design) -> Design:
    inner = design.checkout.first_day

    def first_day(payment: Payment) -> date | None:
        return inner(payment) if payment.action == "purchase" else None

    return design.in_checkout(first_day=first_day)


def _charged_in_cents(design: Design) -> Design:
    inner = design.checkout.scheduled_amount
    return design.in_checkout(scheduled_amount=lambda initial: f"{Decimal(inner(initial)):.2f}")


def _with_token_of_apple(notice: Notice) -> Iterator[Notice]:
    by_apple = notice.fields.get("digital_wallet") == "applepay"
    yield replace(notice, fields={"card_token": "c" * 64, **notice.fields}) if by_apple else notice


FAULTS: Final = faults(
    {
        "j-debit-ignores-its-start-date": breaks(
            "CHK-SCH-01",
            "A debit that names schedule_start_date is charged by the interval; purchases heed it (lines 61 and 62).",
            _debits_start_by_interval,
            since="6.7.0",
        ),
        "j-scheduled-amount-in-cents": breaks(
            "CHK-SCH-06",
            "What a schedule charges is rounded to two decimals: 10.245 KWD are charged as 10.24 (lines 63 and 88).",
            _charged_in_cents,
        ),
        **{
            f"j-earned-tokens-unknown-on-a-{operation}": breaks(
                requirement,
                f"A card_token that an earlier payment returned is refused on a {operation} session (line 58).",
                _earned_unknown_on(operation),
                since=since,
            )
            for operation, requirement, since in (
                ("purchase", "CHK-SES-51", None),
                ("debit", "CHK-SES-51", None),
                ("credit", "CHK-SES-55", "6.7.0"),
            )
        },
        "j-earned-tokens-unknown-to-card-credits": breaks(
            "CHK-CRD-01",
            "A card_token that an earlier payment returned is refused by the card credit (line 363).",
            checkout.instead(card_credits.check_token, _earned_unknown_to_card_credits, "card_credit"),
        ),
        "j-one-wallet-always-stored": breaks(
            "CHK-WAL-02",
            "A payment by one of both wallets returns a card_token in the virtual flow (line 18).",
            NOTICES.changed(_with_token_of_apple),
        ),
        "j-auth-forgotten-with-wallets": breaks(
            "CHK-CAP-15",
            "With auth a payment by wallet is settled at once in place of being held (line 59).",
            _not_held(lambda found: bool(found.wallet)),
            since="6.7.0",
        ),
        "j-auth-forgotten-with-tokens": breaks(
            "CHK-CAP-15",
            "With auth a payment by card_token is settled at once in place of being held (line 59).",
            _not_held(lambda found: bool(found.token)),
            since="6.7.0",
        ),
    }
)
