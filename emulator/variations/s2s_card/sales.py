"""Variations of S2S CARD: names of actions, and how sales are checked and answered."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.design import Change, Design
from emulator.engine.payments import State
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardHashTest, accepts_hash
from emulator.protocols.s2s_card.messages.action_names import ALIASES, is_known
from emulator.protocols.s2s_card.sandbox_cards import CARD, Outcome, outcome_of
from emulator.protocols.s2s_card.stages import PAYMENT_STAGES, check_fields, check_signature
from emulator.protocols.s2s_card.stages import check_duplicate as check_sale_duplicate
from emulator.protocols.shared import check_merchant
from emulator.rules.model import Rule
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply

_MISSING_ACTION: Final = Refusal(
    Kind.SALE_FIELDS, INVALID_DATA, violations=(("action", "This value should not be blank."),)
)
_DUPLICATE_ITEM: Final = Refusal(Kind.DUPLICATE, INVALID_DATA, violations=(("order_id", "Duplicate payment."),))
_BEFORE_FIELDS: Final = (check_merchant, check_signature)


def _take_sale(attempt: CardAttempt) -> Refusal | None:
    gateway, form = attempt.gateway, attempt.form
    if form.get("order_id"):
        gateway.take_order(form)
    return None


_SALES_COUNTED: Final = (
    PAYMENT_STAGES[0],
    check_sale_duplicate,
    _take_sale,
    *(stage for stage in PAYMENT_STAGES[1:] if stage is not check_sale_duplicate),
)


def _present_where_stored(perform: Callable[[CardAttempt], Reply]) -> Callable[[CardAttempt], Reply]:
    """Line 17 speaks of cards on file: a payment that neither stores one nor is made with one has nothing to mark."""

    def performed(attempt: CardAttempt) -> Reply:
        form = attempt.form
        if not (form.get("card_token") or "Y" in (form.get("req_token"), form.get("recurring_init"))):
            attempt.form = {name: value for name, value in form.items() if name != "payer_present"}
        return perform(attempt)

    return performed


def _sale_either_case(test: CardHashTest) -> bool:
    return accepts_hash(replace(test, given=test.given.lower()))


def _no_long_names(name: str, release: str) -> bool:
    return is_known(name, release) and name not in ALIASES


def _hash_required(design: Design) -> Design:
    rows = (Rule("hash", "required"), Rule("hash", "notBlank"))
    return design.in_sale(rows=(*design.sale.rows, *rows))


def _signature_first(design: Design) -> Design:
    others = tuple(stage for stage in design.sale.stages if stage not in _BEFORE_FIELDS)
    place = others.index(check_fields)
    return design.in_sale(stages=(*others[:place], *_BEFORE_FIELDS, *others[place:]))


def _of_one_number(number: str, month: str, year: str) -> Outcome:
    """Challenge the payer with every other card that pays: of those that get payouts no line says how they pay."""
    found = outcome_of(number, month, year)
    is_paid_at_once = found.approved and found.challenge is None
    return replace(found, challenge=State.CHALLENGED) if is_paid_at_once and number != CARD else found


def _errors(change: Callable[[list[object]], list[object]]) -> Change:
    def changed(reply: Reply) -> Reply:
        errors = reply.body.get("errors")
        if reply.kind is not Kind.SALE_FIELDS or not isinstance(errors, list):
            return reply
        return replace(reply, body=reply.body | {"errors": change(errors)})

    return lambda design: design.filtering(changed)


def _in_one(errors: list[object]) -> list[object]:
    texts = [str(item.get("error_message")) for item in errors if isinstance(item, dict)]
    return [{"error_code": 100000, "error_message": " ".join(texts)}]


VARIATIONS: Final = (
    Variation(
        "card-of-payouts-is-challenged",
        "A payer with the card that gets payouts is challenged.",
        lambda design: design.in_sale(outcome=_of_one_number),
    ),
    Variation(
        "sale-errors-one-at-a-time",
        "Of several missing fields the first is reported.",
        _errors(lambda found: found[:1]),
    ),
    Variation("sale-errors-in-one-item", "All missing fields are reported in one item of errors.", _errors(_in_one)),
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
        "payout-cities-40",
        "The city of payer and payee has 40 characters in CARD2CARD and CREDIT2CARD as well.",
        lambda design: design.with_post_rows(
            lambda row: (
                replace(row, bound=40)
                if row.path in ("payer_city", "payee_city") and row.keyword == "maxLength"
                else row
            ),
            "CARD2CARD",
            "CREDIT2CARD",
        ),
    ),
    Variation(
        "payer-state-short-everywhere",
        "payer_state takes 32 characters, whatever the country.",
        lambda design: design.in_sale(rows=(*design.sale.rows, Rule("payer_state", "maxLength", 32))),
    ),
    Variation(
        "schedule-names-short",
        "PAUSE_SCHEDULE and RUN_SCHEDULE are no actions.",
        lambda design: design.in_actions(known=_no_long_names),
    ),
    Variation(
        "sale-hash-in-either-case",
        "The hash of a sale may be written in upper case.",
        lambda design: design.in_sale(accepts_hash=_sale_either_case),
    ),
    Variation(
        "payer-present-means-cards-on-file",
        "Only payments that store a card, or are made with one that is stored, are marked as those by a card on file.",
        lambda design: design.in_posts(
            lambda behaviour: replace(behaviour, perform=_present_where_stored(behaviour.perform)), "SALE", "DEBIT"
        ),
    ),
    Variation("sale-hash-required", "A sale without hash is refused as invalid data.", _hash_required),
    Variation(
        "sale-signature-before-fields", "The signature of a sale is checked before its fields.", _signature_first
    ),
)
