"""Variations of the hosted page: how it is built and worded, which the contract leaves open."""

import unicodedata
import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.accounts import Account
from emulator.design import Change, Design
from emulator.engine.signing import ascii_upper, hex_digest, sha1_hex
from emulator.protocols.hosted_page.forms.fields import FIELDS
from emulator.protocols.hosted_page.forms.offered_fields import Values, asked
from emulator.protocols.hosted_page.forms.rules import PageContext, PageRule, known_country, length, name_signs
from emulator.protocols.hosted_page.languages import choose
from emulator.protocols.hosted_page.returns import End, destination, return_address
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.hosted_page.view import MONTH_AND_SHORT_YEAR, MONTH_AND_YEAR
from emulator.variations.model import Variation

_NAMES: Final = {"card_number": "pan", "expiry": "exp", "cvv": "csc", "cardholder": "holder", "zip": "postcode"}
_LABELS: Final = {
    "card_number": "Number of your card",
    "expiry": "Valid thru",
    "expiry_hint": "MM/YY",
    "cvv": "CVC",
    "cardholder": "Cardholder name",
    "city": "Town",
    "zip": "Postal code",
    "pay": "Complete payment of",
    "cancel": "Back to the shop",
}
_BILINGUAL: Final = {
    "pay": "Zapłać / Pay",
    "cancel": "Anuluj / Cancel",
    "retry": "Nowy kod / Get a new code",
    "continue": "Dalej / Continue",
    "zip": "Kod / Zip code",
    "address": "Ulica / Street",
    "m_card": "Karta / Card",
}
_MESSAGES: Final = {
    "invalid_card": "Invalid card.",
    "expired": "Sorry, this card has expired",
    "invalid_cvv": "Invalid security code.",
    "invalid_name": "Two words, please.",
    "required": "Fill in: {label}",
    "invalid": "{label} does not look right",
    "invalid_expiry": "When does the card expire?",
    "declined": "Your bank refuses this payment.",
}


def _markup(**changes: object) -> Change:
    def change(design: Design) -> Design:
        return design.in_page(markup=replace(design.page.markup, **changes))  # type: ignore[arg-type]

    return change


def _saying(texts: Mapping[str, str]) -> Callable[[str, str, str], str]:
    return lambda language, key, text: texts.get(key, text) if language == "en" else text


def _bracketed(name: str) -> str:
    return f"payment[{_NAMES.get(name, name)}]"


def _grouped(name: str) -> str:
    section = FIELDS[name].section if name in FIELDS else "details"
    return f"{section}[{_NAMES.get(name, name) if name != 'zip' else name}]"


def _cardholder_first(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: name not in {"cardholder", "country"}))


def _card_last(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    card = tuple(name for name in names if FIELDS[name].section == "card")
    others = tuple(name for name in names if name not in card)
    return tuple(step for step in (others, card) if step) or ((),)


def _below(here: str) -> str:
    path, mark, query = here.partition("?")
    return here if path.endswith(("/", "/submit")) else f"{path}/submit{mark}{query}"


def _with_ids_on_leaving(session: PageSession, end: End) -> str:
    """Ids are allotted with the session, so that who leaves returns with all four parameters as well."""
    address = destination(session, end)
    if end != "cancelled" or not address or session.account is None:
        return address
    payment_id = str(uuid.uuid5(uuid.NAMESPACE_URL, session.token))
    ids = payment_id, str(uuid.uuid5(uuid.NAMESPACE_URL, payment_id))
    return _with_return_parameters(address, session, session.account, ids)


def _with_empty_ids_on_leaving(session: PageSession, end: End) -> str:
    """Who leaves before anything was paid returns with all four parameters, and the ids of no payment are empty."""
    address = destination(session, end)
    if end != "cancelled" or not address or session.account is None or "payment_id" in address:
        return address
    return _with_return_parameters(address, session, session.account, ("", ""))


def _with_return_parameters(address: str, session: PageSession, account: Account, ids: tuple[str, str]) -> str:
    order = {name: session.given("order", name) for name in ("number", "amount", "currency", "description")}
    payment_id, trans_id = ids
    text = ascii_upper(payment_id + "".join(order.values()) + account.password)
    named = {"payment_id": payment_id, "trans_id": trans_id}
    signed = {"order_id": order["number"], "hash": sha1_hex(hex_digest(account.hash, text))}
    return return_address(address, named | signed)


def _network_of_chosen_method(design: Design) -> Design:
    shown = design.page.facts

    def facts(session: PageSession) -> dict[str, str]:
        known = dict(shown(session))
        return known if len(session.methods) == 1 else {**known, "network": ""}

    return design.in_page(facts=facts)


def _code_of_three(design: Design) -> Design:
    rule = PageRule("cvv", length(3, 4), "invalid_cvv")
    return design.in_page(rules=(*design.page.rules, rule))


def _composed_letters_only(value: str, context: PageContext) -> bool:
    return name_signs(value, context) and not any(unicodedata.combining(sign) for sign in value)


def _of_composed_letters(design: Design) -> Design:
    def changed(rule: PageRule) -> PageRule:
        return replace(rule, check=_composed_letters_only) if rule.check is name_signs else rule

    return design.in_page(rules=tuple(map(changed, design.page.rules)))


def _country_nearby(value: str, context: PageContext) -> bool:
    return known_country(value, context) and value not in {"AE", "BR", "GB", "HK", "MX", "SG"}


def _of_few_countries(design: Design) -> Design:
    rules = (
        replace(rule, check=_country_nearby) if rule.check is known_country else rule for rule in design.page.rules
    )
    return design.in_page(rules=tuple(rules))


def _informing_who_sends_it_late(design: Design) -> Design:
    inner = design.page.destination

    def informed(session: PageSession, end: End) -> str:
        return "" if end == "expired" and session.is_posted else inner(session, end)

    return design.in_page(destination=informed)


def _sending_on_once(design: Design) -> Design:
    inner = design.page.destination
    sent: set[str] = set()

    def once(session: PageSession, end: End) -> str:
        if end != "expired":
            return inner(session, end)
        if session.token in sent:
            return ""
        sent.add(session.token)
        return inner(session, end)

    return design.in_page(destination=once)


def _with_the_holder(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
    names = asked(session, method, values)
    return (*names, "cardholder") if "card_number" in names and "cardholder" not in names else names


def _stored_cards_alone(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
    """A card on file brings along whatever is known of its payer."""
    is_on_file = method == "card" and bool(session.tokens) and session.operation != "credit"
    return () if is_on_file and not session.payer_enters_amount else asked(session, method, values)


VARIATIONS: Final = (
    Variation(
        "page-stored-cards-ask-for-nothing",
        "A payer with cards on file chooses one, and is asked for nothing else.",
        lambda design: design.in_page(asked=_stored_cards_alone),
    ),
    Variation(
        "page-shows-the-name-that-it-knows",
        "Beside a card number always stands a field for the name of its holder, with what the request gave in it.",
        lambda design: design.in_page(
            asked=_with_the_holder, prefills=lambda session: {"cardholder": session.given("customer", "name")}
        ),
    ),
    Variation("form-other-names", "The fields have other names.", _markup(input_name=_bracketed)),
    Variation("form-other-ids", "The fields have other ids.", _markup(element_id=lambda name: f"f-{name}-1")),
    Variation("form-other-labels", "The fields have other labels.", _markup(words=_saying(_LABELS))),
    Variation("form-other-messages", "The messages are worded otherwise.", _markup(words=_saying(_MESSAGES))),
    Variation("form-other-order", "The fields stand in another order.", _markup(order=_cardholder_first)),
    Variation("form-reversed", "The fields stand in reverse order.", _markup(order=lambda names: names[::-1])),
    Variation("form-in-two-steps", "The card is asked for after everything else.", _markup(steps=_card_last)),
    Variation(
        "form-hidden-fields",
        "The form carries further hidden fields.",
        _markup(hidden={"csrf": "f00d", "browser_timezone": "", "lang[]": "en"}),
    ),
    Variation(
        "form-names-in-groups",
        "Names of fields begin with their part of the form, and nothing says to browsers what they take.",
        _markup(input_name=_grouped, hints=False),
    ),
    Variation("page-in-two-languages", "The page speaks two languages at once.", _markup(words=_saying(_BILINGUAL))),
    Variation("form-sent-elsewhere", "Forms are sent to an address of their own.", _markup(post_address=_below)),
    Variation("form-without-hints", "The browser does not know the rules.", _markup(hints=False)),
    Variation("form-errors-422", "A form with errors is answered with HTTP 422.", _markup(error_status=422)),
    Variation("form-country-typed", "The country is typed in.", _markup(kinds={"country": "text"})),
    Variation(
        "form-expiry-from-two-lists",
        "Month and year of the card's expiry are chosen from two lists.",
        _markup(kinds={"expiry": MONTH_AND_YEAR}),
    ),
    Variation(
        "form-expiry-in-two-short-fields",
        "Month and year of the card's expiry are typed into two fields of two digits each.",
        _markup(kinds={"expiry": MONTH_AND_SHORT_YEAR}),
    ),
    Variation(
        "form-amount-with-comma",
        "Amounts are written with a comma.",
        _markup(amount=lambda amount, currency: f"{amount.replace('.', ',')} {currency}"),
    ),
    Variation(
        "form-currency-first",
        "The currency stands before the amount.",
        _markup(amount=lambda amount, currency: f"{currency} {amount}"),
    ),
    Variation(
        "form-returns-by-page",
        "The payer returns by a page that leads on by itself.",
        lambda design: design.in_page(by_link=lambda _session, _fetch_destination: True),
    ),
    Variation(
        "return-with-ids-on-leaving",
        "A payer who leaves at once returns with all four return parameters.",
        lambda design: design.in_page(destination=_with_ids_on_leaving),
    ),
    Variation(
        "return-with-empty-ids-on-leaving",
        "Who leaves before anything was paid returns with all four return parameters, and the ids are empty.",
        lambda design: design.in_page(destination=_with_empty_ids_on_leaving),
    ),
    Variation(
        "page-network-once-chosen",
        "The network is shown once the crypto method is chosen.",
        _network_of_chosen_method,
    ),
    Variation(
        "form-name-of-composed-letters",
        "A diacritic in the name on the card is one sign with its letter, as keyboards write it.",
        _of_composed_letters,
    ),
    Variation("page-of-few-countries", "The page takes addresses of some countries only.", _of_few_countries),
    Variation(
        "page-informs-who-sends-it-late",
        "Who sends the form of an expired session is informed of that, and sent to expiry_url by looking at it again.",
        _informing_who_sends_it_late,
    ),
    Variation(
        "page-of-expired-session-sends-on-once",
        "Who opens an expired session is sent to expiry_url once, and sees afterwards that it is closed.",
        _sending_on_once,
    ),
    Variation(
        "page-heeds-no-billing-language",
        "The language of the billing address has no effect on that of the page.",
        lambda design: design.in_page(language=lambda wishes: choose(replace(wishes, billing_language=""))),
    ),
    Variation("form-code-of-three", "A security code has 3 characters at least.", _code_of_three),
)
