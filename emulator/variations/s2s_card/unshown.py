"""Variations of S2S CARD: what the contract does not show, done otherwise than public documents have it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.s2s_card import NOTICES, answering, first, leaving_out, signed_by
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.payments import Protocol
from emulator.engine.signing import FormValues
from emulator.protocols.s2s_card.behaviour import ActionBehaviour, CardAttempt
from emulator.protocols.s2s_card.messages.answers import named
from emulator.protocols.s2s_card.payment_behaviour import read_form
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.variations.model import Variation
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object

_NAMED_BY: Final = {
    **dict.fromkeys(("CAPTURE", "VOID", "CREDITVOID", "RETRY", "GET_TRANS_STATUS", "GET_TRANS_DETAILS"), "trans_id"),
    "GET_TRANS_STATUS_BY_ORDER": "order_id",
    "RECURRING_SALE": "recurring_first_trans_id",
    "RECURRING_DEBIT": "recurring_first_trans_id",
}
_OPERATIONS: Final = ("CAPTURE", "VOID", "CREDITVOID")
_LOOK_UPS_WITHOUT_ARN: Final = leaving_out("ARN", "GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS")
_NOT_DONE: Final = "Declined by processing"


def _trimmed(body: bytes, content_type: str) -> dict[str, str]:
    return {name: value.strip() for name, value in read_form(body, content_type).items()}


def _without_amount(perform: Callable[[CardAttempt], Reply]) -> Callable[[CardAttempt], Reply]:
    """Line 356 names trans_id only: an amount is a parameter that the action does not know."""

    def performed(attempt: CardAttempt) -> Reply:
        attempt.form = {name: value for name, value in attempt.form.items() if name != "amount"}
        return perform(attempt)

    return performed


def _of_the_whole(behaviour: ActionBehaviour) -> ActionBehaviour:
    rows = tuple(row for row in behaviour.rows if row.path != "amount")
    return replace(behaviour, rows=rows, perform=_without_amount(behaviour.perform))


def _declined(behaviour: ActionBehaviour) -> ActionBehaviour:
    """What cannot be done and has no error of its own is declined, as the acquirer would say."""

    def performed(attempt: CardAttempt) -> Reply:
        reply, payment = behaviour.perform(attempt), attempt.payment
        named_by_contract = reply.body.get("error_code") in {208003, 208005} or "Refund" in str(reply.body)
        if not reply.is_error or payment is None or reply.kind is not Kind.STATE or named_by_contract:
            return reply
        body = named(payment, attempt.action, "DECLINED", payment.status) | {"decline_reason": _NOT_DONE}
        return Reply(Kind.CARD_ACTION, 200, body)

    return replace(behaviour, perform=performed)


def _statusless(body: Object) -> Object:
    return {name: value for name, value in body.items() if name != "status"}


def _by_token_alone(attempt: CardAttempt) -> str:
    return "" if attempt.form.get("card_number") else attempt.form.get("card_token", "")


def _by_card_of_token(attempt: CardAttempt, values: FormValues) -> FormValues:
    """Lines 395 and 404: Formula 1 signs a SALE, and nobody says what of it where the card is named by a token."""
    token, account = _by_token_alone(attempt), attempt.account
    card = attempt.gateway.vault.card(account, token) if token and account is not None else None
    return values if card is None else replace(values, instrument=card.fragment)


def _by_end_of_token(attempt: CardAttempt, values: FormValues) -> FormValues:
    token = _by_token_alone(attempt)
    return replace(values, instrument=token[-4:]) if token else values


def _signature_first(attempt: CardAttempt) -> Refusal | None:
    """Whoever does not know of which payment a request speaks cannot find its signature right."""
    named_by = _NAMED_BY.get(attempt.action)
    return attempt.gateway.access.wrong_hash if named_by and not attempt.form.get(named_by) else None


def _pending_first(notice: Notice) -> list[Notice]:
    if notice.payment.protocol is not Protocol.S2S_CARD or notice.fields.get("status") != "SETTLED":
        return [notice]
    if notice.event in ("VOID", "CREDITVOID"):
        return [notice]
    waiting: Fields = {"ARN": ""} if "ARN" in notice.fields else {}
    return [replace(notice, fields={**notice.fields, **waiting, "status": "PENDING"}), notice]


def _scheme_only(fields: Fields) -> Fields:
    return {name: value for name, value in fields.items() if name not in ("authenticationFlow", "transStatus")}


def _one_of_the_browser(fields: Fields) -> Fields:
    kept = "browser_user_agent"
    return {name: value for name, value in fields.items() if name == kept or not name.startswith("browser_")}


def _agent_of_the_asker(notice: Notice) -> list[Notice]:
    if not record_of(notice.payment).browser or "browser_user_agent" not in notice.fields:
        return [notice]
    agent = str(notice.payment.request.get("browser_user_agent") or "merchant/1.0")
    return [replace(notice, fields={**notice.fields, "browser_user_agent": agent})]


VARIATIONS: Final = (
    Variation(
        "card-callbacks-without-first-date",
        "The mapping adds no first_recurring_date to callbacks.",
        NOTICES.without("first_recurring_date"),
    ),
    Variation(
        "card-answers-without-first-date",
        "Neither answers nor look-ups of S2S CARD show first_recurring_date.",
        leaving_out("first_recurring_date"),
    ),
    Variation(
        "card-callbacks-user-agent-of-the-sale",
        "Callbacks of S2S CARD show the user agent of the client that sent the SALE, whoever passes the challenge.",
        NOTICES.changed(_agent_of_the_asker),
    ),
    Variation(
        "card-token-signed-as-its-card",
        "A SALE or DEBIT by card token is signed with the digits of the card that it stands for.",
        signed_by(_by_card_of_token, "SALE", "DEBIT"),
    ),
    Variation(
        "payout-token-signed-as-its-card",
        "A CREDIT2CARD by card token is signed with the digits of the card that it stands for.",
        signed_by(_by_card_of_token, "CREDIT2CARD"),
    ),
    Variation(
        "card-token-signed-by-a-formula-of-its-own",
        "A SALE or DEBIT by card token is signed with the end of the token, as no other action is.",
        signed_by(_by_end_of_token, "SALE", "DEBIT"),
    ),
    Variation(
        "card-values-trimmed",
        "Blanks around the values of a form are dropped.",
        lambda design: design.in_card(read_body=_trimmed),
    ),
    Variation(
        "card-operations-of-the-whole",
        "CAPTURE and CREDITVOID know trans_id only, and are always of the whole.",
        lambda design: design.in_posts(_of_the_whole, "CAPTURE", "CREDITVOID"),
    ),
    Variation(
        "card-operations-declined",
        "An operation that cannot be done and has no error of its own is answered as declined.",
        lambda design: design.in_posts(_declined, *_OPERATIONS),
    ),
    Variation(
        "card-details-without-status",
        "GET_TRANS_DETAILS shows what happened to a payment, and no status.",
        answering(_statusless, "GET_TRANS_DETAILS"),
    ),
    Variation(
        "card-signature-before-fields",
        "Actions on payments find a signature wrong where nothing says of which payment they speak.",
        first(_signature_first),
    ),
    Variation(
        "card-callbacks-pending-first",
        "A callback reports a payment as pending before one reports it as settled.",
        lambda design: design.in_callbacks(before=(*design.callbacks.before, _pending_first)),
    ),
    Variation(
        "card-callbacks-three-ds-of-the-scheme-only",
        "Callbacks of S2S CARD have the ids of 3DS, and neither transStatus nor authenticationFlow.",
        NOTICES.fields(_scheme_only),
    ),
    Variation(
        "card-arn-never-known",
        "No account is given an ARN in S2S CARD: it stays empty in callbacks, and look-ups leave it out.",
        lambda design: _LOOK_UPS_WITHOUT_ARN(NOTICES.saying("ARN", "")(design)),
    ),
    Variation(
        "card-callbacks-user-agent-only",
        "Callbacks of S2S CARD have of the browser its user agent only.",
        NOTICES.fields(_one_of_the_browser),
    ),
)
