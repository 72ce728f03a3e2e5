"""Variations of which parameters are looked at: the contract lists those of methods and card sets for Checkout only.

What is said of payers, payees and orders is as long as public documents allow, and has to be sent as they say: the
contract says nothing of either.
"""

from dataclasses import replace
from typing import Final

from emulator.design import Design
from emulator.rules.model import JsonObject, Rule
from emulator.rules.s2s_apm.methods import ROWS
from emulator.variations.model import Variation

_LISTED: Final = frozenset(row.path for row in ROWS)
_OF_ORDERS: Final = ("order_id", "order_description", "identifier", "channel_id", "brand", "crypto_network")
_ADDRESSES: Final = ("return_url", "term_url_3ds", "term_url_target")
_TAX_DOCUMENT: Final = ("document_type", "document_number", "social_name", "fiscal_country")
_REQUIRED: Final = ("payer_first_name", "payer_last_name", "payer_email", "payer_phone", "payer_ip")


def _is_obligation(row: Rule) -> bool:
    return row.path in (*_REQUIRED, "return_url", "term_url_3ds") and row.keyword == "required"


def _is_limit(row: Rule) -> bool:
    if row.path in _ADDRESSES:
        return row.keyword in ("maxLength", "format")
    if not row.path.startswith(("payer_", "payee_")):
        return row.path in ("name", *_OF_ORDERS) and row.keyword == "maxLength"
    return not row.path.startswith(("payer_card", "payee_card")) and row.keyword in ("maxLength", "format", "pattern")


def _of_no_method(row: Rule) -> Rule | None:
    return None if row.path in _LISTED or _is_limit(row) or _is_obligation(row) else row


def _of_no_set(row: Rule) -> Rule | None:
    return None if row.path.startswith("parameters[") or _is_limit(row) or _is_obligation(row) else row


def _of_any_length(row: Rule) -> Rule | None:
    return None if row.keyword == "maxLength" else row


def _is_tax_document(parent: JsonObject) -> bool:
    return bool(parent.keys() & {"social_name", "fiscal_country"})


def _of_a_tax_document(row: Rule) -> Rule:
    """A number and a type are those of a local document (lines 219 and 220), where nothing else is sent."""
    is_meant = row.keyword == "required" and row.path.startswith("parameters.card.")
    before = row.when
    if not is_meant or before is None or row.path.rpartition(".")[2] not in _TAX_DOCUMENT:
        return row
    return replace(row, when=lambda context, parent: _is_tax_document(parent) and before(context, parent))


def _apm(design: Design) -> Design:
    return design.with_apm_rows("SALE", _of_no_method).with_apm_rows("CREDIT2VIRTUAL", _of_any_length)


def _card(design: Design) -> Design:
    return design.with_post_rows(_of_no_set)


VARIATIONS: Final = (
    Variation(
        "apm-without-parameter-lists",
        "S2S APM looks at no parameter of a method, and misses nothing and no length in what is said of the payer.",
        _apm,
    ),
    Variation(
        "card-without-parameter-lists",
        "S2S CARD looks at no set of card parameters, and misses nothing and no length in what is said of payers.",
        _card,
    ),
    Variation(
        "local-document-of-cards",
        "A document number of the card method is that of a local document, and no tax document that lacks the rest.",
        lambda design: design.with_rows(_of_a_tax_document),
    ),
)
