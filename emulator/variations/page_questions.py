"""Variations of what the hosted page asks, and of what already stands on it."""

from dataclasses import replace
from typing import Final

from emulator.accounts import METHODS
from emulator.design import Change, Design
from emulator.protocols.hosted_page.forms.fields import FIELDS
from emulator.protocols.hosted_page.forms.offered_fields import Values, asked, is_given
from emulator.protocols.hosted_page.session import PageSession, family
from emulator.rules.model import Rule
from emulator.variations.model import Variation


def _without_phone(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
    return tuple(name for name in asked(session, method, values) if name != "phone")


_ADDRESS: Final = ("country", "city", "address", "zip", "phone")
_OF_METHODS: Final = {
    "local_document": ("document_type", "document_number", "email"),
    "member_id": ("member_id",),
    "personal_id": ("personal_id",),
    "national_id": ("bank_cuil",),
}


def _always(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
    names = asked(session, method, values)
    card = ("email",) if "card_number" in names else ()
    shown = tuple(name for name in (*card, *_OF_METHODS.get(family(method), ())) if name not in names)
    return (*names, *(name for name in shown if "bank_curp" not in names))


def _with_address(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
    names = asked(session, method, values)
    return (*names, *(name for name in _ADDRESS if "card_number" in names and name not in names))


def _known_address(session: PageSession) -> dict[str, str]:
    return {name: session.given(*(part or "card" for part in FIELDS[name].path)) for name in _ADDRESS}


def _with_the_country(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
    names = asked(session, method, values)
    is_on_file = method == "card" and session.tokens and session.operation != "credit"
    return (*names, *(["country"] if is_on_file and "country" not in names else []))


def _country_first(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    others = tuple(name for name in names if name != "country")
    return tuple(step for step in (tuple(name for name in names if name == "country"), others) if step) or ((),)


def _known_country(session: PageSession) -> dict[str, str]:
    return {"country": session.given("billing_address", "country")}


def _stored_cards_after_the_country(design: Design) -> Design:
    template = "stored_cards_after_the_country.html"
    markup = replace(design.page.markup, steps=_country_first, template=template)
    return design.in_page(asked=_with_the_country, prefills=_known_country, markup=markup)


def _what_is_known(session: PageSession) -> dict[str, str]:
    method = session.methods[0] if session.methods else "card"
    shown = dict.fromkeys(name for names in _OF_METHODS.values() for name in names)
    return {name: session.given(*(part or method for part in FIELDS[name].path)) for name in shown}


def _with(template: str) -> Change:
    return lambda design: design.in_page(markup=replace(design.page.markup, template=template))


_SAYING: Final = """
for (const said of document.querySelectorAll("p[hidden].error, p[hidden].notice")) said.hidden = false;
"""


def _saying_by_script(design: Design) -> Design:
    template = "said_by_script.html"
    return design.in_page(markup=replace(design.page.markup, template=template, script=lambda text: text + _SAYING))


def _with_fields_off(design: Design) -> Design:
    markup = replace(design.page.markup, template="stored_card_in_a_field.html", returning="return_with_form_off.html")
    return design.in_page(by_link=lambda _session, _fetch_destination: True, markup=markup)


def _card_first(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    card = tuple(name for name in names if name in ("card_number", "expiry", "cvv"))
    others = tuple(name for name in names if name not in card)
    return tuple(step for step in (card, others) if step) or ((),)


def _state_after_the_country(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    later = tuple(name for name in names if name in ("state", "card_number", "expiry", "cvv"))
    first = tuple(name for name in names if name not in later)
    return tuple(step for step in (first, later) if step) or ((),)


def _without_scripts(design: Design) -> Design:
    markup = replace(design.page.markup, steps=_state_after_the_country, script=lambda _text: "")
    return design.in_page(markup=markup)


_DRAWING: Final = """
for (const place of document.querySelectorAll("[data-code]")) {
  const image = document.createElement("img");
  Object.assign(image, { src: place.dataset.code, width: 270, height: 270 });
  place.append(image);
}
"""


def _with_qr_by_script(design: Design) -> Design:
    markup = design.page.markup
    return design.in_page(markup=replace(markup, qr="qr_by_script.html", script=lambda text: text + _DRAWING))


def _with_the_card_of_the_payee(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
    """Every method pays out to a card: lines 49 and 56 do not say what a method asks for."""
    names = asked(session, method, values)
    is_payout = session.operation == "credit" and not session.tokens and "card_number" not in names
    return (*names, "card_number") if is_payout else names


_OF_ACCOUNTS: Final = {"bank_account": ("bank_code", "bank_account_number"), "instant_account": ("upi_id",)}


def _accounts_on_the_page(design: Design) -> Design:
    """Line 235 collects extra fields on the page, a bank among them, that lines 223 to 225 ask the merchant for."""
    paths = {"parameters", *(f"parameters.{method}" for method, kind in METHODS.items() if kind in _OF_ACCOUNTS)}
    names = {name for names in _OF_ACCOUNTS.values() for name in names}

    def changed(row: Rule) -> Rule | None:
        before, _, leaf = row.path.rpartition(".")
        return None if row.keyword == "required" and before in paths and leaf in names else row

    def asking(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
        needed = _OF_ACCOUNTS.get(family(method), ())
        return (*asked(session, method, values), *(name for name in needed if not is_given(session, method, name)))

    return design.with_rows(changed).in_page(asked=asking)


VARIATIONS: Final = (
    Variation(
        "page-asks-for-the-account-at-the-bank",
        "The page asks for the bank's code and the account, or the instant account id, that a session does not give.",
        _accounts_on_the_page,
    ),
    Variation(
        "page-payouts-by-any-method-ask-for-a-card",
        "Methods that lead elsewhere when they pay ask for the payee's card when they pay out.",
        lambda design: design.in_page(asked=_with_the_card_of_the_payee),
    ),
    Variation(
        "page-always-shows-what-a-method-needs",
        "E-mail, document and other ids stand on the page whatever the request gave, with what it gave in them.",
        lambda design: design.in_page(asked=_always, prefills=_what_is_known),
    ),
    Variation(
        "page-always-shows-the-address",
        "The payer's address stands on the page of a card whatever the request gave, with what it gave in its fields.",
        lambda design: design.in_page(asked=_with_address, prefills=_known_address),
    ),
    Variation(
        "page-stored-cards-after-the-country",
        "A payer with cards on file is shown the country of the request in a list, and chooses a card after that.",
        _stored_cards_after_the_country,
    ),
    Variation(
        "page-errors-stand-in-a-style",
        "The words of all errors stand on the page from the beginning, hidden by their own style.",
        _with("errors_in_a_style.html"),
    ),
    Variation(
        "page-errors-stand-in-a-class",
        "The words of all errors stand on the page from the beginning, hidden by a stylesheet.",
        _with("errors_in_a_class.html"),
    ),
    Variation(
        "page-form-of-another-card-kept-back",
        "Beside a stored card the form of another one stands on the page, hidden by a stylesheet.",
        _with("another_card_kept_back.html"),
    ),
    Variation(
        "page-shows-fields-that-are-off",
        "An expired session shows its form greyed out, and a stored card its number in a field that is off.",
        _with_fields_off,
    ),
    Variation(
        "page-says-by-script",
        "What is wrong with an entry, and that a card was declined, is said by a script alone.",
        _saying_by_script,
    ),
    Variation(
        "form-with-the-card-first",
        "Number, expiry date and code are asked for first, and everything else on the page after them.",
        lambda design: design.in_page(markup=replace(design.page.markup, steps=_card_first)),
    ),
    Variation(
        "form-state-after-the-country",
        "A page without scripts asks for the state on the step after the country, with the card.",
        _without_scripts,
    ),
    Variation(
        "page-qr-drawn-by-script",
        "A script draws the QR, beside which the amount is set in parts and the order number stands in a field.",
        _with_qr_by_script,
    ),
    Variation(
        "page-asks-no-phone",
        "A page that needs the billing address asks for country, city, zip and address, and for no phone.",
        lambda design: design.in_page(asked=_without_phone),
    ),
)
