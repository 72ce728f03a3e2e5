"""Variations of the ways back to the merchant that are forms: a GET form carries the query of an address in its fields.

A browser drops the query of the address of such a form, so that a name which comes twice needs two fields.
"""

from dataclasses import replace
from html import escape
from typing import Final
from urllib.parse import parse_qsl

from emulator.design import Design
from emulator.variations.model import Variation

_SENDING: Final = """
for (const form of document.querySelectorAll("form[data-sends-itself]")) form.submit();
"""
_DOCUMENT: Final = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Back to the shop</title></head>
<body>
<form method="get" action="{place}">
{fields}
<noscript><button>Go on</button></noscript>
</form>
<script>document.forms[0].submit()</script>
</body>
</html>
"""
_FIELD: Final = '<input type="hidden" name="{name}" value="{value}">'


def _form_back(address: str) -> str:
    """A document whose form sends itself to an address, with the pairs of its query as fields."""
    rest, mark, fragment = address.partition("#")
    place, _, query = rest.partition("?")
    pairs = parse_qsl(query, keep_blank_values=True)
    fields = "\n".join(_FIELD.format(name=escape(name), value=escape(value)) for name, value in pairs)
    return _DOCUMENT.format(place=escape(place + mark + fragment), fields=fields)


def _sent_by_itself(design: Design) -> Design:
    markup = replace(
        design.page.markup, returning="return_by_form_that_sends_itself.html", script=lambda text: text + _SENDING
    )
    return design.in_page(by_link=lambda _session, _fetch_destination: True, markup=markup)


def _posted(design: Design) -> Design:
    markup = replace(design.page.markup, returning="return_by_posted_form.html")
    return design.in_page(by_link=lambda _session, _fetch_destination: True, markup=markup)


VARIATIONS: Final = (
    Variation(
        "page-returns-by-a-form-that-sends-itself",
        "The payer returns by a GET form whose hidden fields are the query of the address, and which sends itself "
        "where it stays in its window.",
        _sent_by_itself,
    ),
    Variation(
        "page-returns-by-a-posted-form",
        "The payer returns by a POST form to the address with its query.",
        _posted,
    ),
    Variation(
        "card-issuer-returns-by-a-form",
        "The issuer sends the payer back by a GET form whose hidden fields are the query of term_url_3ds.",
        lambda design: design.in_card(page_back=_form_back),
    ),
    Variation(
        "apm-bank-returns-by-a-form",
        "The bank sends the payer back by a GET form whose hidden fields are the query of return_url.",
        lambda design: design.in_apm(page_back=_form_back),
    ),
)
