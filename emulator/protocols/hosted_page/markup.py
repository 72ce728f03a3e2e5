"""How the page is made: names, order and wording, which the contract leaves open."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final


def as_it_is(text: str) -> str:
    """No change."""
    return text


def one_step(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """All fields on one page."""
    return (names,)


def usual_order(names: tuple[str, ...]) -> tuple[str, ...]:
    """The order in which the fields are asked for."""
    return names


def usual_words(_language: str, _key: str, text: str) -> str:
    """The texts of the tables."""
    return text


def amount_first(amount: str, currency: str) -> str:
    """The amount as sent, then the currency."""
    return f"{amount} {currency}"


def same_address(here: str) -> str:
    """Forms are sent to the address of the page."""
    return here


@dataclass(frozen=True, slots=True)
class Markup:
    """Names and looks of a page.

    ``kinds`` are other kinds of inputs by the names of their fields, such as a text where a list is usual.
    ``steps`` deals the fields to pages that follow each other, ``hidden`` are further fields of the form, and
    ``hints`` says whether the browser is given the rules as well. ``script`` makes the script of the page.
    ``sure`` is the page that asks whether the payer really wants to leave; empty: nobody is asked.
    ``qr_address`` is where a QR is shown, made of the address of the page.
    """

    kinds: Mapping[str, str] = field(default_factory=dict)
    input_name: Callable[[str], str] = as_it_is
    element_id: Callable[[str], str] = as_it_is
    words: Callable[[str, str, str], str] = usual_words
    order: Callable[[tuple[str, ...]], tuple[str, ...]] = usual_order
    steps: Callable[[tuple[str, ...]], tuple[tuple[str, ...], ...]] = one_step
    hidden: Mapping[str, str] = field(default_factory=dict)
    post_address: Callable[[str], str] = same_address
    amount: Callable[[str, str], str] = amount_first
    error_status: int = 200
    hints: bool = True
    template: str = "form.html"
    challenge: str = "challenge.html"
    qr: str = "qr.html"
    qr_address: Callable[[str], str] = same_address
    returning: str = "return.html"
    sure: str = ""
    script: Callable[[str], str] = as_it_is


STANDARD: Final = Markup()


# The element ids that a merchant's own payment form has.
_OF_CUSTOM_FORM: Final = {
    "card_number": "payer_card",
    "expiry": "payer_expiryDate",
    "cvv": "payer_cvv",
    "cardholder": "payer_name",
    "zip": "payer_zip",
    "city": "payer_city",
    "phone": "payer_phone",
    "email": "payer_email",
    "state": "payer_state",
    "address": "payer_address",
    "country": "payer_country",
}


def custom_form_id(name: str) -> str:
    """The element id of a field in a merchant's own form."""
    return _OF_CUSTOM_FORM.get(name, f"payer_{name}")
