"""Variations of S2S CARD: names of actions, and how sales are checked and answered."""

from dataclasses import replace
from typing import Final

from emulator.design import Change, Design
from emulator.forms.attempt import check_merchant
from emulator.replies import INVALID_DATA, Filter, Kind, Refusal, Reply
from emulator.rules.model import Rule
from emulator.s2s_card.sale import (
    SALE_STAGES,
    SaleAttempt,
    SaleHashTest,
    accepts_sale_hash,
    check_fields,
    check_signature,
)
from emulator.s2s_card.sale import check_duplicate as check_sale_duplicate
from emulator.variations.model import Variation

_MISSING_ACTION: Final = Refusal(
    Kind.SALE_FIELDS, INVALID_DATA, violations=(("action", "This value should not be blank."),)
)
_DUPLICATE_ITEM: Final = Refusal(Kind.DUPLICATE, INVALID_DATA, violations=(("order_id", "Duplicate payment."),))
_BEFORE_FIELDS: Final = (check_merchant, check_signature)


def _take_sale(attempt: SaleAttempt) -> Refusal | None:
    gateway, form = attempt.gateway, attempt.form
    if form.get("order_id"):
        gateway.sale_window.take(form.get("client_key", ""), form["order_id"], gateway.clock.seconds())
    return None


_SALES_COUNTED: Final = (
    SALE_STAGES[0],
    check_sale_duplicate,
    _take_sale,
    *(stage for stage in SALE_STAGES[1:] if stage is not check_sale_duplicate),
)


def _sale_either_case(test: SaleHashTest) -> bool:
    return accepts_sale_hash(replace(test, given=test.given.lower()))


def _long_schedule_names(name: str) -> str:
    return {"PAUSE_SCHEDULE": "PAUSE", "RUN_SCHEDULE": "RUN"}.get(name, name)


def _hash_required(design: Design) -> Design:
    rows = (Rule("hash", "required"), Rule("hash", "notBlank"))
    return replace(design, sale_rows=(*design.sale_rows, *rows))


def _signature_first(design: Design) -> Design:
    others = tuple(stage for stage in design.sale.stages if stage not in _BEFORE_FIELDS)
    place = others.index(check_fields)
    return design.in_sale(stages=(*others[:place], *_BEFORE_FIELDS, *others[place:]))


def _of_sales(change: Filter) -> Change:
    def filtered(reply: Reply) -> Reply:
        return change(reply) if reply.kind is Kind.SALE else reply

    return lambda design: design.filtering(filtered)


def _digits_only(reply: Reply) -> Reply:
    return replace(reply, body=reply.body | {"trans_id": str(int(str(reply.body["trans_id"]).replace("-", ""), 16))})


def _amount_as_number(reply: Reply) -> Reply:
    return replace(reply, body=reply.body | {"amount": float(str(reply.body["amount"]))})


VARIATIONS: Final = (
    Variation(
        "missing-action-is-invalid-data",
        "A post without action is refused as invalid data.",
        lambda design: design.in_actions(missing=_MISSING_ACTION),
    ),
    Variation(
        "sale-duplicate-in-errors",
        "A repeated sale is reported in errors.",
        lambda design: design.in_sale(duplicate=_DUPLICATE_ITEM),
    ),
    Variation(
        "refused-sales-count",
        "A sale that is refused takes its order id.",
        lambda design: design.in_sale(stages=_SALES_COUNTED),
    ),
    Variation(
        "expired-card-declined",
        "A card that expired is declined, not refused.",
        lambda design: design.in_sale(refuses_expired=False),
    ),
    Variation(
        "payer-city-32",
        "payer_city takes 32 characters.",
        lambda design: design.with_sale_rows(
            lambda row: replace(row, bound=32) if (row.path, row.keyword) == ("payer_city", "maxLength") else row
        ),
    ),
    Variation(
        "schedule-names-long",
        "PAUSE_SCHEDULE and RUN_SCHEDULE are known as well.",
        lambda design: replace(design, actions=replace(design.actions, read_name=_long_schedule_names)),
    ),
    Variation(
        "sale-hash-in-either-case",
        "The hash of a sale may be written in upper case.",
        lambda design: design.in_sale(accepts_hash=_sale_either_case),
    ),
    Variation("sale-hash-required", "A sale without hash is refused as invalid data.", _hash_required),
    Variation(
        "sale-signature-before-fields", "The signature of a sale is checked before its fields.", _signature_first
    ),
    Variation("sale-trans-id-digits", "trans_id is made of digits.", _of_sales(_digits_only)),
    Variation("sale-amount-number", "The amount of a sale is answered as a number.", _of_sales(_amount_as_number)),
)
