"""Variations of Checkout callbacks, and of Hosted Payment Fields."""

import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from emulator.changes import s2s_card
from emulator.changes.checkout import NOTICES, adding, answering
from emulator.changes.hosted_fields import hosted
from emulator.design import Change, Design, all_of
from emulator.engine.callbacks.notice import Fields, Notice, Value
from emulator.protocols.checkout.session import Attempt, check_duplicate
from emulator.rules.model import Rule
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Refusal
from emulator.wire.values import Object

_PAYMENT: Final = Kind.HOSTED_PAYMENT
_OF_SCHEME: Final = frozenset({"threeDSServerTransID", "dsTransID", "acsTransID", "eci", "xid"})
_NO_TOKEN: Final = Refusal(_PAYMENT, "Access denied.", status=403)


def _twice(notice: Notice) -> list[Notice]:
    return [notice, notice]


def _reversed(notice: Notice) -> list[Notice]:
    return [replace(notice, fields=dict(reversed(notice.fields.items())))]


def _more(fields: Fields) -> Fields:
    return {"pan_type": "fpan", **fields, "exchange_rate": "1", "exchange_currency": "USD", "consent_id": "7"}


def _declined_by_word(fields: Fields) -> Fields:
    """Line 288 shows no word of status; without one for a failure nobody is promised a reason."""
    if fields.get("status") != "fail":
        return fields
    return {name: value for name, value in fields.items() if name != "reason"} | {"status": "undefined"}


def _address_once(fields: Fields) -> Fields:
    return {name: value for name, value in fields.items() if name != "payer_ip" or "customer_ip" not in fields}


def _without_scheme(fields: Fields) -> Fields:
    return {name: value for name, value in fields.items() if name not in _OF_SCHEME}


def _short_mask(fields: Fields) -> Fields:
    card = str(fields.get("card", ""))
    return fields | {"card": card.replace("******", "****")} if card else fields


def _of_schedule(order_number: Callable[[Notice], str]) -> Change:
    """Callbacks of scheduled charges name neither the chain's token nor its first payment, which nobody promised."""

    def changed(notice: Notice) -> Iterator[Notice]:
        if not (notice.payment.schedule_id and notice.payment.chain):
            yield notice
            return
        kept = {name: value for name, value in notice.fields.items() if not name.startswith("recurring_")}
        yield replace(notice, fields=kept | {"order_number": order_number(notice), "type": "recurring"})

    return NOTICES.changed(changed)


def _nested_extended(fields: Fields) -> Fields:
    nested = fields.get("extended_data")
    names = nested if isinstance(nested, dict) else {}
    return {name: value for name, value in fields.items() if name not in names}


def _as_json(fields: Mapping[str, Value]) -> tuple[str, bytes]:
    return "application/json", json.dumps(dict(fields)).encode()


def _json_of_checkout(design: Design) -> Design:
    encode = design.callbacks.encode

    def encoded(fields: Mapping[str, Value]) -> tuple[str, bytes]:
        return _as_json(fields) if "order_number" in fields else encode(fields)

    return design.in_callbacks(encode=encoded)


def _again(*seconds: float) -> Change:
    return lambda design: design.in_callbacks(again=seconds)


def _every_second_payment(notice: Notice) -> float:
    return 0.4 if int(notice.payment.id[-1], 16) % 2 else 0.0


def _opaque_token() -> str:
    return secrets.token_hex(40)


def _without_hash_row(rule: Rule) -> Rule | None:
    return None if rule.path == "hash" and rule.keyword in {"required", "notBlank"} else rule


def _params_as_object(body: Object) -> Object:
    return body | {"redirect_params": {}} if "redirect_params" in body else body


def _no_params(body: Object) -> Object:
    return {name: value for name, value in body.items() if name != "redirect_params"}


def _no_redirect_of_success(body: Object) -> Object:
    success = body.get("result") == "success"
    return {name: value for name, value in body.items() if name != "redirect_url" or not success}


def _payment_duplicate(attempt: Attempt) -> Refusal | None:
    refusal = check_duplicate(attempt)
    return Refusal(Kind.DUPLICATE, "order_id: Duplicate payment.") if refusal else None


def _hosted_duplicates(design: Design) -> Design:
    stages = design.hosted_fields.stages
    return design.in_hosted_fields(
        stages=tuple(_payment_duplicate if one is check_duplicate else one for one in stages)
    )


VARIATIONS: Final = (
    Variation("checkout-callbacks-twice", "Every Checkout callback comes twice.", NOTICES.changed(_twice)),
    Variation("checkout-callbacks-reversed", "Fields of callbacks stand in another order.", NOTICES.changed(_reversed)),
    Variation("checkout-callbacks-with-more", "Checkout callbacks have further fields.", NOTICES.fields(_more)),
    Variation(
        "checkout-callbacks-of-declines-without-fail",
        "Callbacks of what was declined have status undefined, and no reason.",
        NOTICES.fields(_declined_by_word),
    ),
    Variation("checkout-callbacks-as-json", "Checkout callbacks are posted as JSON.", _json_of_checkout),
    Variation(
        "checkout-callbacks-address-once",
        "Callbacks name the address of the payer's device as customer_ip alone.",
        NOTICES.fields(_address_once),
    ),
    Variation(
        "callbacks-three-ds-without-scheme",
        "Callbacks of Checkout and S2S CARD have of 3DS what the gateway knows, and nothing of the scheme.",
        all_of(NOTICES.fields(_without_scheme), s2s_card.NOTICES.fields(_without_scheme)),
    ),
    Variation(
        "checkout-callbacks-short-mask", "Four stars stand in the mask of the card.", NOTICES.fields(_short_mask)
    ),
    Variation(
        "checkout-callbacks-extended-nested",
        "The acquirer's data stand in extended_data.",
        NOTICES.fields(_nested_extended),
    ),
    Variation(
        "checkout-callbacks-without-customer",
        "Callbacks do not report customer_name and the like.",
        NOTICES.without("customer_name", "customer_email", "customer_country", "customer_city", "customer_address"),
    ),
    Variation("checkout-callbacks-without-date", "Callbacks do not report the date.", NOTICES.without("date")),
    Variation(
        "scheduled-charges-by-order-number",
        "Callbacks of scheduled charges carry an order number that is derived from the first one, and no token.",
        _of_schedule(lambda notice: f"{notice.payment.order_number}-{notice.payment.created:%Y%m%d}"),
    ),
    Variation(
        "scheduled-charges-by-schedule-id",
        "Callbacks of scheduled charges carry the schedule_id, and nothing else of their chain.",
        _of_schedule(lambda notice: f"scheduled-{notice.payment.id}"),
    ),
    Variation("callbacks-late", "Callbacks come a little later.", lambda design: design.in_callbacks(delay=0.15)),
    Variation(
        "callbacks-half-a-second-late",
        "Callbacks come half a second after the answer.",
        lambda design: design.in_callbacks(delay=0.5),
    ),
    Variation(
        "callbacks-of-later-payments-first",
        "Every second payment's callbacks come late, after those of payments that were made later.",
        lambda design: design.in_callbacks(delay_of=_every_second_payment),
    ),
    Variation("callbacks-again-soon", "Callbacks are delivered again after seconds.", _again(2.0, 4.0, 8.0, 16.0)),
    Variation("hosted-token-as-hex", "Session tokens are hex digits.", hosted(new_token=_opaque_token)),
    Variation(
        "hosted-token-says-more",
        "The answer with the token has further members.",
        adding({"expires_in": 3600}, Kind.HOSTED_SESSION),
    ),
    Variation(
        "hosted-missing-hash-is-wrong",
        "A missing hash is refused as a wrong one.",
        lambda design: design.with_token_rows(_without_hash_row),
    ),
    Variation(
        "hosted-no-token-403",
        "Without a valid token a payment is refused with HTTP 403.",
        hosted(no_token=_NO_TOKEN, wrong_token=_NO_TOKEN),
    ),
    Variation(
        "hosted-no-token-400",
        "Without the header a payment is refused with HTTP 400.",
        hosted(no_token=replace(_NO_TOKEN, status=400)),
    ),
    Variation(
        "hosted-redirect-params-object", "redirect_params are an object.", answering(_params_as_object, _PAYMENT)
    ),
    Variation("hosted-no-redirect-params", "redirect_params are left out.", answering(_no_params, _PAYMENT)),
    Variation(
        "hosted-success-without-address", "A success has no redirect_url.", answering(_no_redirect_of_success, _PAYMENT)
    ),
    Variation(
        "hosted-answers-say-more", "Payments are answered with further members.", adding({"status": "ok"}, _PAYMENT)
    ),
    Variation("hosted-duplicate-as-payment", "A repeated order is refused as a payment.", _hosted_duplicates),
)
