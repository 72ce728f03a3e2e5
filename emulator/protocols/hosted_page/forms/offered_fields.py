"""What the page offers and asks: methods, and the fields of a method."""

from collections.abc import Iterator, Mapping
from typing import Final

from emulator.accounts import CHANNELS, METHODS
from emulator.protocols.hosted_page.forms.country_names import STATES
from emulator.protocols.hosted_page.forms.fields import ADDRESS, FIELDS
from emulator.protocols.hosted_page.session import PageSession, family
from emulator.releases import order_of

Values = Mapping[str, str]

# What a family of methods needs of the payer.
_NEEDS: Final[dict[str, tuple[str, ...]]] = {
    "local_document": ("email", "document_type", "document_number", "country"),
    "member_id": ("member_id",),
    "personal_id": ("personal_id", "birth_date"),
    "bank_account": ("email",),
}
# What it needs besides, by billing country.
_NEEDS_IN: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("local_document", "BR"): ("person_type",),
    ("local_document", "CO"): ("bank", "person_type"),
    ("local_document", "PE"): ("bank",),
}
_PAID_OUT: Final = "credit"
_PAYS: Final = frozenset({"purchase", "debit"})


def offered(session: PageSession) -> tuple[str, ...]:
    """The methods that the page offers: those of the request, else those of the account's pre-routing rules.

    A channel leaves those that its MID supports.
    """
    account = session.account
    wanted = session.methods or (account.pre_routing if account else ())
    supported = CHANNELS.get(session.given("channel_id"), frozenset(METHODS))
    known = (method for method in dict.fromkeys(wanted) if method in METHODS and method in supported)
    return tuple(method for method in known if session.operation in _PAYS or not is_wallet(method))


def is_wallet(method: str) -> bool:
    """Whether a method is a wallet, which is a button and asks for nothing."""
    return family(method) == "wallet"


def country_of(session: PageSession, values: Values) -> str:
    """The billing country: the request's, else the one that the payer chose."""
    return session.given("billing_address", "country") or values.get("country", "")


def collects_state(session: PageSession, country: str) -> bool:
    """Whether the page collects a state for a country, or may once the payer names one."""
    return not country or country in STATES or states_are_free(session)


def states_are_free(session: PageSession) -> bool:
    """Whether the state of a country without a list is a free text, as it was before release 6.7.0."""
    return order_of(session.release) < order_of("6.7.0")


def asked(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
    """The fields that the payer is asked for: what the method needs and the request left out."""
    needed = dict.fromkeys(_needed(session, method, values))
    return tuple(name for name in needed if not is_given(session, method, name))


def is_given(session: PageSession, method: str, name: str) -> bool:
    """Whether the request gives the field."""
    path = FIELDS[name].path
    if name == "cardholder" and session.operation == _PAID_OUT and session.given("payee", "name"):
        return True
    return bool(path) and bool(session.given(*(part or method for part in path)))


def _needed(session: PageSession, method: str, values: Values) -> Iterator[str]:
    if session.payer_enters_amount:
        yield "amount"
    if is_wallet(method):
        return
    country = country_of(session, values)
    kind = family(method)
    if kind == "card":
        yield from _of_card(session, country)
    elif kind == "national_id":
        yield "bank_curp" if country == "MX" else "bank_cuil"
    yield from _NEEDS.get(kind, ())
    yield from _NEEDS_IN.get((kind, country), ())


def _of_card(session: PageSession, country: str) -> Iterator[str]:
    paid_out = session.operation == _PAID_OUT
    if session.tokens:
        yield "expiry" if paid_out else "cvv"
    else:
        yield from ("card_number", "expiry")
        if not paid_out:
            yield "cvv"
        yield "cardholder"
    if session.account is not None and session.account.payer_required and not paid_out:
        yield "email"
    if session.account is not None and session.account.payer_address_required and not paid_out:
        yield from (name for name in ADDRESS if name != "state" or collects_state(session, country))
