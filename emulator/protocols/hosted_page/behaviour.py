"""How the page behaves, as one value: faults and variations replace its functions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from emulator.accounts import Account
from emulator.protocols.hosted_page.forms.offered_fields import Values, asked, is_wallet, offered
from emulator.protocols.hosted_page.forms.rules import PAGE_RULES, PageRule
from emulator.protocols.hosted_page.languages import Wishes, choose
from emulator.protocols.hosted_page.markup import STANDARD, Markup
from emulator.protocols.hosted_page.outcomes import Outcome, Parameters, Payments
from emulator.protocols.hosted_page.returns import (
    End,
    by_link,
    destination,
    link_target,
    origins,
    return_address,
    window_of_link,
)
from emulator.protocols.hosted_page.session import KeptSession, PageSession
from emulator.protocols.hosted_page.visits import Visit
from emulator.protocols.shared import SharedGateway
from emulator.wire.values import Object

_DEFAULT_DECLINES: Final = 3


def declines_allowed(account: Account | None) -> int:
    """How many declines end the session."""
    return account.maximum_declines if account else _DEFAULT_DECLINES


def admits(visit: Visit, *, closed: bool) -> End | None:
    """Why the page takes no payment any more, or None while it does."""
    return visit.ended or ("expired" if closed else None)


def takes_nothing(_session: PageSession, _form: Mapping[str, str]) -> bool:
    """No form counts that is sent when the session is over."""
    return False


def stored_cards(session: PageSession) -> tuple[str, ...]:
    """The stored cards that the payer may choose among."""
    return session.tokens


def first_method(offered: tuple[str, ...]) -> str:
    """The method that is chosen for the payer: the first one, wallets apart."""
    return next((method for method in offered if not is_wallet(method)), "")


def as_read(_session: PageSession, values: Values) -> Values:
    """The values as posted."""
    return values


def nothing_prefilled(_session: PageSession) -> Values:
    """Every field is empty when it is first shown."""
    return {}


def is_stale(form: Mapping[str, str], visit: Visit) -> bool:
    """The form was shown at an attempt that is over."""
    return form.get("attempt", str(visit.attempt)) != str(visit.attempt)


def as_decided(_before: object, outcome: Outcome) -> Outcome:
    """What payments decided."""
    return outcome


def once_paid(_session: PageSession, _because: object) -> bool:
    """Whatever was paid, and with what."""
    return True


def facts(session: PageSession) -> Mapping[str, str]:
    """What the page shows of the order."""
    return {
        "description": session.given("order", "description"),
        "order_number": session.given("order", "number"),
        "amount": session.amount,
        "network": session.given("crypto", "network"),
    }


def custom_form(session: PageSession) -> str:
    """The identifier of the merchant's own payment form, where the session asks for one."""
    return session.given("form_id")


def as_it_is(session: PageSession) -> PageSession:
    """No change."""
    return session


def headers(session: PageSession | None) -> Mapping[str, str]:
    """Headers of every page. Nothing forbids a frame: merchants show the page in one."""
    ends = " ".join(("'self'", *(origins(session) if session else ())))
    return {
        "content-security-policy": (
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
            f"form-action {ends}; base-uri 'none'"
        ),
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-robots-tag": "noindex, nofollow",
    }


@dataclass(frozen=True, slots=True)
class PageBehaviour:
    """Everything that the page does.

    ``leaving`` is the session as the ways back to the merchant see it; ``leads_on`` is the status of a redirect.

    ``window`` is that of the link which a payment ends with; ``window_when_over`` that of a page opened afterwards.

    ``takes_late`` says whether a form counts though the time of its session is over.

    ``lasts_anew``: each look at the page begins its time anew.

    ``ends`` says whether a payment that was made ends its session, of which an entry or an answer was the last.

    ``outcome`` sees every outcome together with what led to it, an entry or an answer; ``reads`` every form.
    """

    rules: tuple[PageRule, ...] = PAGE_RULES
    language: Callable[[Wishes], str] = choose
    offered: Callable[[PageSession], tuple[str, ...]] = offered
    asked: Callable[[PageSession, str, Values], tuple[str, ...]] = asked
    prefills: Callable[[PageSession], Values] = nothing_prefilled
    first_method: Callable[[tuple[str, ...]], str] = first_method
    stored_cards: Callable[[PageSession], tuple[str, ...]] = stored_cards
    reads: Callable[[PageSession, Values], Values] = as_read
    declines_allowed: Callable[[Account | None], int] = declines_allowed
    admits: Callable[..., End | None] = admits
    takes_late: Callable[[PageSession, Mapping[str, str]], bool] = takes_nothing
    is_stale: Callable[[Mapping[str, str], Visit], bool] = is_stale
    outcome: Callable[[object, Outcome], Outcome] = as_decided
    ends: Callable[[PageSession, object], bool] = once_paid
    destination: Callable[[PageSession, End], str] = destination
    return_address: Callable[[str, Parameters], str] = return_address
    window: Callable[[PageSession], str] = window_of_link
    leaving: Callable[[PageSession], PageSession] = as_it_is
    window_when_over: Callable[[PageSession], str] = link_target
    by_link: Callable[[PageSession, str], bool] = by_link
    facts: Callable[[PageSession], Mapping[str, str]] = facts
    qr_facts: Callable[[PageSession], Mapping[str, str]] = facts
    custom_form: Callable[[PageSession], str] = custom_form
    headers: Callable[[PageSession | None], Mapping[str, str]] = headers
    lasts_anew: bool = False
    markup: Markup = STANDARD
    leads_on: int = 303


class PageGateway(SharedGateway, Protocol):
    """What the hosted page needs of the gateway: ``page_payments`` are made of what payers entered."""

    page: PageBehaviour
    page_payments: Payments

    def kept_session(self, token: str) -> KeptSession | None:
        """The session that belongs to the token of a page, open or expired."""
        ...

    def keep_session(self, token: str, request: Object) -> None:
        """Keep a session open from now on."""
        ...


STANDARD_PAGE: Final = PageBehaviour()
