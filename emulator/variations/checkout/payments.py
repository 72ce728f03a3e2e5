"""Variations of Checkout payments: look-ups, answers, refusals and states that the contract leaves open."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, cast

from emulator.accounts import Account
from emulator.changes.checkout import (
    Handler,
    adding,
    answering,
    around,
    by_payment,
    first,
    instead,
    operation,
    without_row,
    worded,
)
from emulator.changes.checkout_sessions import instead as instead_in_session
from emulator.changes.checkout_sessions import last as last_in_session
from emulator.changes.stages import refusal_if
from emulator.design import Change, Design
from emulator.protocols.checkout import charging, recurring
from emulator.protocols.checkout.behaviour import CheckoutGateway, Instrument, Operation, PostAttempt, PostStage
from emulator.protocols.checkout.instruments import by_entry
from emulator.protocols.checkout.lookups import payment_object
from emulator.protocols.checkout.requests import check_fields, check_signature
from emulator.protocols.checkout.session import Attempt, SessionAttempt, check_tokens
from emulator.protocols.hosted_page.entries import TokenEntry
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.shared import check_merchant
from emulator.rules.checkout.payments import SIZE_TEXT, size_of
from emulator.rules.model import Rule
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object

_STATUS: Final = Kind.CHECKOUT_STATUS
_FIELDS: Final = Kind.CHECKOUT_FIELDS
_STATE: Final = Kind.STATE
_ANSWERS: Final = (
    _STATUS,
    Kind.CHECKOUT_CAPTURE,
    Kind.CHECKOUT_VOID,
    Kind.CHECKOUT_REFUND,
    Kind.CHECKOUT_RETRY,
    Kind.CHECKOUT_RECURRING,
    Kind.CHECKOUT_CREDIT,
)
_PAYMENT_NOT_FOUND: Final = Refusal(Kind.NOT_FOUND, "Payment not found.")
_NO_PAYMENT: Final = Refusal(Kind.NOT_FOUND, "Payment does not exist.", code=101000)
_DUPLICATE: Final = Refusal(Kind.DUPLICATE, "Duplicate request.", code="400")
_NO_AUTHORIZATION: Final = Refusal(_STATE, "Payment type is not supported.", code=204003)


def _invalid(path: str, text: str = "This value is not valid.") -> Refusal:
    return Refusal(_FIELDS, INVALID_DATA, violations=((path, text),))


def _sized(attempt: PostAttempt) -> bool:
    return attempt.body.get("size") is not None


def _both(attempt: PostAttempt) -> bool:
    return by_payment(attempt) and attempt.body.get("order_id") is not None


def _text_size(attempt: PostAttempt) -> bool:
    return isinstance(attempt.body.get("size"), str)


def _array_with_size(handler: Handler, attempt: PostAttempt) -> Reply:
    reply = handler(attempt)
    wrapped = by_payment(attempt) and _sized(attempt) and not reply.is_error
    return replace(reply, listed=(reply.body,)) if wrapped else reply


def _order_decides(handler: Handler, attempt: PostAttempt) -> Reply:
    if _both(attempt):
        attempt.body = {name: value for name, value in attempt.body.items() if name != "payment_id"}
    return handler(attempt)


def _listed(change: Callable[[tuple[Object, ...]], tuple[Object, ...]]) -> Change:
    def act(handler: Handler, attempt: PostAttempt) -> Reply:
        reply = handler(attempt)
        return reply if reply.listed is None else replace(reply, listed=change(reply.listed))

    return around(act, "status")


def _in_no_order(listed: tuple[Object, ...]) -> tuple[Object, ...]:
    return (*listed[1::2], *listed[::2])


def _size_in_item(attempt: PostAttempt) -> Refusal | None:
    refusal = check_fields(attempt)
    return replace(refusal, message=INVALID_DATA) if refusal and refusal.message == SIZE_TEXT else refusal


def _status_as(change: Callable[[str], str], *kinds: Kind) -> Change:
    def changed(body: Object) -> Object:
        return body | {"status": change(str(body["status"]))} if "status" in body else body

    return answering(changed, *kinds)


def _misspelt(body: Object) -> Object:
    return {"shedule_id" if name == "schedule_id" else name: value for name, value in body.items()}


def _terse(body: Object) -> Object:
    return {name: value for name, value in body.items() if name in {"payment_id", "result"}}


def _still_open(body: Object) -> Object:
    return {name: value for name, value in body.items() if name != "reason"} | {"status": "pending"}


def _voids(change: Callable[[Object], Object]) -> Change:
    return answering(change, Kind.CHECKOUT_VOID)


def _failed_void(handler: Handler, attempt: PostAttempt) -> Reply:
    reply = handler(attempt)
    payment = attempt.payment
    if not reply.is_error or payment is None:
        return reply
    reported = payment_object(attempt.gateway, payment)
    body = {"status": "FAIL", "payment_status": reported["status"], "reason": "Void is not allowed."}
    return Reply(Kind.CHECKOUT_VOID, 200, body | {name: reported[name] for name in ("payment_id", "date", "order")})


def _repeated_as_request(design: Design) -> Design:
    return design.in_checkout(duplicate=_DUPLICATE)


def _hash_last(rule: Rule) -> Rule | None:
    return None if rule.path == "hash" and rule.keyword == "required" else rule


def _missing_hash_is_wrong(design: Design) -> Design:
    for name in design.checkout.operations:
        design = design.with_checkout_rows(name, _hash_last)
    return design


def _swapped(one: PostStage, other: PostStage, name: str) -> Change:
    def changed(served: Operation) -> Operation:
        places = {one: other, other: one}
        return replace(served, stages=tuple(places.get(stage, stage) for stage in served.stages))

    return lambda design: design.in_operations(changed, name)


def _signature_first(design: Design) -> Design:
    def changed(one: Operation) -> Operation:
        others = [stage for stage in one.stages if stage not in {check_merchant, check_signature}]
        return replace(one, stages=(others[0], check_merchant, check_signature, *others[1:]))

    # A card credit has to be refused for what is missing.
    return design.in_operations(changed, *(name for name in design.checkout.operations if name != "card_credit"))


def _mode_refuses(mode: str, *, authorize: bool) -> Change:
    def stage(attempt: Attempt) -> Refusal | None:
        of_mode = attempt.account is not None and attempt.account.mode == mode
        asked = attempt.body.get("operation") == "purchase" and (attempt.body.get("auth") is True) is authorize
        return _NO_AUTHORIZATION if of_mode and asked else None

    return last_in_session(stage)


def _no_zero_in_one_message(attempt: Attempt) -> Refusal | None:
    is_of_it = attempt.account is not None and not attempt.account.zero_amount
    return _NO_AUTHORIZATION if is_of_it and attempt.body.get("auth") is True else None


def _first_token_only(attempt: Attempt) -> Refusal | None:
    tokens = attempt.body.get("card_token")
    seen = cast("list[object]", tokens)[:1] if isinstance(tokens, list) else tokens
    return check_tokens(replace(attempt, body={**attempt.body, "card_token": seen}))


def _tokens_found_out_late(design: Design) -> Design:
    return design.in_session(stages=tuple(one for one in design.session.stages if one is not check_tokens))


def _reasons(design: Design) -> Design:
    def instrument(*parts: object) -> Instrument:
        found = by_entry(*parts)  # type: ignore[arg-type]
        return replace(found, reason="Insufficient funds", message=found.message or "Insufficient funds")

    return design.in_checkout(instrument=instrument)


def _size_of_text(attempt: PostAttempt) -> bool:
    return _text_size(attempt) and size_of(attempt.body["size"]) is not None


def _paid_out(attempt: SessionAttempt[CheckoutGateway], account: Account, token: str) -> str:
    gateway = attempt.gateway
    session = PageSession("", attempt.body, account, gateway.release, gateway.clock.now())
    instrument = gateway.checkout.instrument(gateway, session, TokenEntry(token))
    payment = charging.new_payment(gateway, session, instrument, holder="", details={})
    gateway.payments.add(payment)
    charging.decide(gateway, payment, approved=instrument.approved)
    return payment.id


def _credits_without_page(design: Design) -> Design:
    paid: list[str] = []

    def stage(attempt: SessionAttempt[CheckoutGateway]) -> None:
        tokens = attempt.body.get("card_token")
        if attempt.account and attempt.body.get("operation") == "credit" and isinstance(tokens, list):
            paid.append(_paid_out(attempt, attempt.account, str(tokens[0])))

    def reported(reply: Reply) -> Reply:
        opened = reply.kind is Kind.SESSION and not reply.is_error
        return replace(reply, body={"payment_id": paid.pop(), "result": "accepted"}) if opened and paid else reply

    return design.in_session(stages=(*design.session.stages, stage)).filtering(reported)


def _status_in_capitals(body: Object) -> Object:
    """What is only taken on has no status yet."""
    kept = {name: value for name, value in body.items() if name != "payment_status"}
    return kept | {"status": "VOID"} if kept != body else body


VARIATIONS: Final = (
    Variation(
        "look-up-size-as-text-refused",
        "size has to be a JSON number.",
        first(refusal_if(_size_of_text, _invalid("size")), "status"),
    ),
    Variation(
        "look-up-size-with-payment-refused",
        "size beside payment_id is invalid data.",
        first(refusal_if(lambda attempt: by_payment(attempt) and _sized(attempt), _invalid("size")), "status"),
    ),
    Variation(
        "look-up-size-with-payment-listed",
        "size beside payment_id answers an array.",
        around(_array_with_size, "status"),
    ),
    Variation(
        "look-up-both-refused",
        "Both identifiers together are invalid data.",
        first(refusal_if(_both, _invalid("order_id")), "status"),
    ),
    Variation("look-up-order-decides", "Of both identifiers order_id decides.", around(_order_decides, "status")),
    Variation(
        "look-up-oldest-first", "The oldest of the listed payments stands first.", _listed(lambda listed: listed[::-1])
    ),
    Variation("look-up-in-no-order", "Listed payments stand in no order.", _listed(_in_no_order)),
    Variation(
        "look-up-size-in-item",
        "The text on size stands in an item of errors.",
        instead(check_fields, _size_in_item, "status"),
    ),
    Variation("look-up-upper-case", "Look-ups report the status in capitals.", _status_as(str.upper, _STATUS)),
    Variation(
        "look-up-declined",
        "Look-ups say declined.",
        _status_as(lambda word: f"{word}d" if word == "decline" else word, _STATUS),
    ),
    Variation(
        "look-up-participles",
        "Look-ups say refunded and voided.",
        _status_as(lambda word: {"refund": "refunded", "void": "voided"}.get(word, word), _STATUS),
    ),
    Variation(
        "no-zero-in-one-message",
        "Who takes no amounts of zero takes no authorizations in Checkout either.",
        last_in_session(_no_zero_in_one_message),
    ),
    Variation("look-up-shedule-id", "schedule_id is misspelt in look-ups.", answering(_misspelt, _STATUS)),
    Variation(
        "checkout-answers-say-more",
        "Answers have further members.",
        adding({"version": "7", "links": [], "trace": {}}, *_ANSWERS),
    ),
    Variation(
        "checkout-capture-terse",
        "A capture is answered with payment_id and result only.",
        answering(_terse, Kind.CHECKOUT_CAPTURE),
    ),
    Variation(
        "checkout-capture-success",
        "The result of a capture is SUCCESS.",
        answering(lambda body: body | {"result": "SUCCESS", "status": "SETTLED"}, Kind.CHECKOUT_CAPTURE),
    ),
    Variation(
        "checkout-capture-unknown-payment",
        "The capture of an unknown payment is refused as payment.",
        operation("capture", not_found=_PAYMENT_NOT_FOUND),
    ),
    Variation(
        "checkout-capture-unknown-as-status",
        "The capture of an unknown payment is refused as by a look-up.",
        operation("capture", not_found=_NO_PAYMENT),
    ),
    Variation(
        "checkout-unknown-101000",
        "Voids, refunds and retries of unknown payments are refused with 101000.",
        operation("void", "refund", "retry", not_found=_NO_PAYMENT),
    ),
    Variation(
        "checkout-void-in-capitals",
        "A void is answered with VOID.",
        _voids(_status_in_capitals),
    ),
    Variation(
        "checkout-void-says-success",
        "A void is answered with SUCCESS.",
        _voids(lambda body: body | {"status": "SUCCESS"} if "payment_status" in body else body),
    ),
    Variation(
        "checkout-void-fails-with-200",
        "A void that is not possible is answered with HTTP 200 and FAIL.",
        around(_failed_void, "void"),
    ),
    Variation(
        "checkout-void-other-text",
        "A void that is not possible is refused with 208005.",
        worded("void", WRONG_STATE=Refusal(_STATE, "Void is not possible", code=208005)),
    ),
    Variation(
        "checkout-refund-state-as-not-allowed",
        "A refund in the wrong state says: Refund is not allowed.",
        worded("refund", WRONG_STATE=Refusal(_STATE, "Refund is not allowed")),
    ),
    Variation(
        "checkout-charge-decline",
        "A declined charge is answered with decline.",
        _status_as(lambda word: "decline" if word == "declined" else word, Kind.CHECKOUT_RECURRING),
    ),
    Variation(
        "checkout-charge-open", "Charges are answered as pending.", answering(_still_open, Kind.CHECKOUT_RECURRING)
    ),
    Variation(
        "checkout-charge-in-capitals",
        "Charges are answered in capitals.",
        _status_as(str.upper, Kind.CHECKOUT_RECURRING),
    ),
    Variation(
        "checkout-charge-without-customer",
        "Charges are answered without customer.",
        answering(
            lambda body: {name: value for name, value in body.items() if name != "customer"}, Kind.CHECKOUT_RECURRING
        ),
    ),
    Variation(
        "checkout-repeated-as-request", "A repeated charge or credit is refused as a session is.", _repeated_as_request
    ),
    Variation(
        "checkout-credit-terse",
        "A card credit is answered with payment_id and result only.",
        answering(_terse, Kind.CHECKOUT_CREDIT),
    ),
    Variation(
        "checkout-credit-token-length",
        "Tokens of another length are refused as unknown.",
        without_row("card_credit", "card_token", "length"),
    ),
    Variation("checkout-missing-hash-is-wrong", "A missing hash is refused as a wrong one.", _missing_hash_is_wrong),
    Variation("checkout-signature-first", "The hash is checked before the fields.", _signature_first),
    Variation(
        "checkout-duplicates-first",
        "Repeated charges are found before wrong amounts.",
        _swapped(recurring.check_amount, recurring.check_duplicate, "recurring"),
    ),
    Variation("sms-refuses-auth", "Accounts of mode SMS refuse auth.", _mode_refuses("SMS", authorize=True)),
    Variation(
        "dms-refuses-plain", "Accounts of mode DMS refuse plain purchases.", _mode_refuses("DMS", authorize=False)
    ),
    Variation(
        "first-of-several-tokens-looked-up",
        "Of several card tokens of a session only the first one has to exist.",
        instead_in_session(check_tokens, _first_token_only),
    ),
    Variation(
        "tokens-found-out-late", "A foreign card token is found out when the payer pays.", _tokens_found_out_late
    ),
    Variation("credits-without-page", "A credit by token is paid out without a page.", _credits_without_page),
    Variation("decline-reason-other", "Declines have another reason.", _reasons),
)
