"""Faults of Checkout, its hosted page and hosted fields that come of one word changed, unnoticed at first."""

import json
from dataclasses import replace
from typing import Final

from emulator.changes import checkout, checkout_sessions
from emulator.changes.rows import any_scheduled_decimals
from emulator.changes.stages import breakdown_if
from emulator.design import Change, Design
from emulator.engine.moves import Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout import card_credits, recurring
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.checkout.captures_and_refunds import refuses_refund
from emulator.protocols.checkout.lookups import payment_object
from emulator.protocols.checkout.session import Attempt, check_schedule
from emulator.protocols.hosted_page.forms.offered_fields import Values
from emulator.protocols.hosted_page.forms.rules import PageRule, given
from emulator.protocols.hosted_page.returns import End
from emulator.protocols.hosted_page.session import PageSession
from emulator.rules.keywords import DECIMAL
from emulator.rules.model import JsonObject, Rule
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object, child

_GIVEN_BACK: Final = {"refund": "CHK-RFD-05", "void": "CHK-RFD-13"}

_WITH_AMOUNTS: Final = (
    ("capture", "GEN-ERR-10", "6.6.3"),
    ("refund", "GEN-ERR-10", None),
    ("recurring", "GEN-ERR-10 CHK-REC-20", None),
    ("card_credit", "GEN-ERR-10 CHK-CRD-24", None),
)
_SETS: Final = (
    ("bnrg_installm_def", "bnrg_installm_months bnrg_installm_plan", "CHK-PRM-05 CHK-PRM-07"),
    ("bnrg_installm_months", "bnrg_installm_def bnrg_installm_plan", "CHK-PRM-03 CHK-PRM-07"),
    ("bnrg_installm_plan", "bnrg_installm_def bnrg_installm_months", "CHK-PRM-03 CHK-PRM-05"),
    ("social_name", "document_type document_number fiscal_country", "CHK-PRM-10 CHK-PRM-11 CHK-PRM-13"),
)
_TWO_DIGITS: Final = {
    "bnrg_installm_def": "CHK-PRM-02",
    "bnrg_installm_months": "CHK-PRM-04",
    "bnrg_installm_plan": "CHK-PRM-06",
}
_UNSEEN: Final = (
    ("debit", "url_target", "CHK-SES-24 CHK-SES-79", None),
    ("debit", "req_token", "CHK-SES-49", None),
    ("debit", "card_token", "CHK-SES-53", None),
    ("debit", "recurring_init", "CHK-SES-61", "6.7.0"),
    ("debit", "methods", "CHK-SES-46", None),
    ("credit", "card_token", "CHK-SES-53", "6.7.0"),
    ("credit", "methods", "CHK-SES-46", None),
    ("credit", "custom_data", "CHK-SES-43", "6.7.0"),
    ("credit", "error_url", "CHK-SES-20 CHK-SES-21 CHK-SES-79", None),
    ("transfer", "cancel_url", "CHK-SES-16 CHK-SES-17 CHK-SES-79", None),
    ("transfer", "session_expiry", "CHK-SES-26 CHK-SES-27", None),
)
"""Operations and a field whose rules they do not look at, what that breaks, and since when they have the field."""


def _declined_first(attempt: PostAttempt, number: object) -> Payment | None:
    """The first attempt at an order, where it was declined."""
    account = attempt.account
    found = attempt.gateway.payments.of_order(account, str(number)) if account else []
    own = [payment for payment in found if payment.protocol is Protocol.CHECKOUT]
    return own[-1] if own and own[-1].state is State.DECLINED else None


def _find_declined(attempt: PostAttempt) -> Refusal | None:
    """A card credit is about the attempt at its order that was declined, where there is one."""
    attempt.payment = _declined_first(attempt, attempt.body.get("order_id"))
    return card_credits.find_refunded(attempt) if attempt.payment is None else refuses_refund(attempt, attempt.payment)


def _refuse_after_a_decline(attempt: PostAttempt) -> Refusal | None:
    payment = attempt.payment
    is_meant = payment is not None and _declined_first(attempt, payment.order_number) is not None
    return attempt.operation.refusals[Obstacle.WRONG_STATE] if is_meant else None


def _shows_the_decline(attempt: PostAttempt, reply: Reply) -> Reply:
    payment = _declined_first(attempt, attempt.body.get("order_id"))
    is_meant = payment is not None and not checkout.by_payment(attempt) and reply.listed is None
    return replace(reply, body=payment_object(attempt.gateway, payment)) if is_meant and payment else reply


def _breaks_on_words(attempt: PostAttempt) -> bool:
    """An amount that is no number."""
    body, order = attempt.body, attempt.body.get("order")
    amounts = (body.get("amount"), body.get("order_amount"), order.get("amount") if isinstance(order, dict) else None)
    return any(isinstance(amount, str) and DECIMAL.fullmatch(amount) is None for amount in amounts)


def _unseen_by(name: str, others: frozenset[str]) -> Change:
    """Of a set of card parameters ``others`` are not missed where nothing of it but ``name`` was given."""

    def alone(parent: JsonObject) -> bool:
        return name in parent and not others & parent.keys()

    def changed(row: Rule) -> Rule:
        is_meant = row.keyword == "required" and row.path.rpartition(".")[2] in others
        before = row.when
        if not is_meant or before is None:
            return row
        return replace(row, when=lambda context, parent: not alone(parent) and before(context, parent))

    return lambda design: design.with_rows(changed)


def _of_any_kind(*names: str) -> Change:
    """Parameters of a method are not looked at for what they are."""

    def kept(row: Rule) -> Rule | None:
        is_meant = row.keyword == "type" and row.path.rpartition(".")[2] in names
        return None if is_meant and row.path.startswith("parameters.") else row

    return lambda design: design.with_rows(kept)


def _blank_as_given(name: str) -> Change:
    """A card parameter that is blank is not looked at."""

    def seen(body: Object) -> Object:
        value = child(body, "parameters", "card", name)
        is_blank = isinstance(value, str) and not value.strip()
        return checkout_sessions.put(body, "01", "parameters", "card", name) if is_blank else body

    return checkout_sessions.rules_see(seen)


def _breaks_where_empty(field: str) -> Change:
    """A field of the page that is left empty is a server error: there is no text for what is wrong with it."""

    def changed(rule: PageRule) -> PageRule:
        return replace(rule, message="no such text") if rule.field == field and rule.check is given else rule

    return lambda design: design.in_page(rules=tuple(map(changed, design.page.rules)))


def _breaks_on_error(*, with_address: bool) -> Change:
    """Who would be sent to error_url, or shown the default page where there is none, meets a server error."""

    def change(design: Design) -> Design:
        inner = design.page.destination

        def destination(session: PageSession, end: End) -> str:
            address = inner(session, end)
            if end == "error" and bool(address) is with_address:
                raise LookupError(end)
            return address

        return design.in_page(destination=destination)

    return change


def _hosted_payment_without_errors(design: Design) -> Design:
    """The payment of a session of hosted fields is refused as invalid data without saying what is invalid."""

    def filtered(reply: Reply) -> Reply:
        if reply.kind is not Kind.HOSTED_FIELDS or '"name' not in json.dumps(reply.body.get("errors")):
            return reply
        return replace(reply, body={name: value for name, value in reply.body.items() if name != "errors"})

    return design.filtering(filtered)


def _breaks_where_asked(field: str) -> Change:
    """A page that asks for a field is a server error."""

    def change(design: Design) -> Design:
        inner = design.page.asked

        def asked(session: PageSession, method: str, values: Values) -> tuple[str, ...]:
            names = inner(session, method, values)
            if field in names:
                raise LookupError(field)
            return names

        return design.in_page(asked=asked)

    return change


def _any_schedule_id(row: Rule) -> Rule | None:
    return None if (row.path, row.keyword) == ("schedule_id", "format") else row


def _asks_for_nobodys_schedule(attempt: Attempt) -> bool:
    return check_schedule(attempt) is not None


def _unseen_on(operation: str, field: str) -> Change:
    """The rules of a field are not looked at where a session is for an operation."""

    def seen(body: Object) -> Object:
        is_meant = body.get("operation") == operation
        return {name: value for name, value in body.items() if not (is_meant and name == field)}

    return checkout_sessions.rules_see(seen)


FAULTS: Final = faults(
    {
        "mutants-credit-of-a-declined-attempt": breaks(
            "CHK-RFD-01",
            "An order whose first attempt was declined is not refunded by card credit, though it is paid (line 319).",
            checkout.instead(card_credits.find_refunded, _find_declined, "card_credit"),
        ),
        "mutants-capture-after-a-decline": breaks(
            "CHK-CAP-01",
            "An authorization is not captured where an attempt at its order was declined before (line 315).",
            checkout.last(_refuse_after_a_decline, "capture"),
            since="6.7.0",
        ),
        **{
            f"mutants-{name}-after-a-decline": breaks(
                requirement,
                f"There is no {name} of a payment where an attempt at its order was declined before.",
                checkout.last(_refuse_after_a_decline, name),
            )
            for name, requirement in _GIVEN_BACK.items()
        },
        "mutants-look-up-of-a-declined-attempt": breaks(
            "CHK-STA-04",
            "A look-up of an order shows the attempt that was declined first, and not the payment after it (line 344).",
            checkout.looking_up(_shows_the_decline),
        ),
        **{
            f"mutants-{name}-of-no-number": breaks(
                requirements,
                f"A {name} whose amount is no number is a server error.",
                checkout.first(breakdown_if(_breaks_on_words), name),
                since=since,
            )
            for name, requirements, since in _WITH_AMOUNTS
        },
        **{
            f"mutants-{field}-unseen-on-a-{operation}": breaks(
                requirements,
                f"The rules of {field} are looked at on a purchase and not on a {operation}.",
                _unseen_on(operation, field),
                since=since,
            )
            for operation, field, requirements, since in _UNSEEN
        },
        "mutants-schedule-of-no-uuid": breaks(
            "CHK-SES-85",
            "A session with a schedule_id that is no UUID is refused as one with an unknown schedule (line 441).",
            lambda design: design.with_rows(_any_schedule_id),
        ),
        "mutants-unknown-schedule": breaks(
            "GEN-ERR-10",
            "A session with a schedule that nobody has is a server error.",
            checkout_sessions.instead(check_schedule, breakdown_if(_asks_for_nobodys_schedule)),
        ),
        **{
            f"mutants-{name.replace('_', '-')}-alone": breaks(
                requirements,
                f"A set of card parameters of which only {name} is given is taken.",
                _unseen_by(name, frozenset(others.split())),
            )
            for name, others, requirements in _SETS
        },
        **{
            f"mutants-{name.replace('_', '-')}-blank": breaks(
                requirement, f"{name} may be blank, though it is numeric with 2 digits.", _blank_as_given(name)
            )
            for name, requirement in _TWO_DIGITS.items()
        },
        **{
            f"mutants-empty-{field.replace('_', '-')}": breaks(
                "GEN-ERR-10",
                f"A payer who leaves {field} empty on the page meets a server error.",
                _breaks_where_empty(field),
            )
            for field in ("cvv", "cardholder", "email", "zip")
        },
        "mutants-error-url-breaks": breaks(
            "GEN-ERR-10",
            "A payer whose session nothing can be paid in meets a server error in place of error_url (line 45).",
            _breaks_on_error(with_address=True),
        ),
        "mutants-default-error-page-breaks": breaks(
            "GEN-ERR-10",
            "A payer whose session nothing can be paid in and that has no error_url meets a server error (line 45).",
            _breaks_on_error(with_address=False),
        ),
        "mutants-hosted-payment-without-errors": breaks(
            "CHK-RSP-04",
            "A payment by hosted fields that is refused as invalid data has no errors (lines 431 and 436).",
            _hosted_payment_without_errors,
        ),
        "mutants-page-with-email-breaks": breaks(
            "GEN-ERR-10",
            "A page that asks for the payer's e-mail address is a server error.",
            _breaks_where_asked("email"),
        ),
        "mutants-charge-of-any-decimals": breaks(
            "CHK-REC-20",
            "A secondary charge takes an amount with other decimals than its currency has (line 87).",
            checkout.without(recurring.check_amount, "recurring"),
        ),
        **{
            f"mutants-{name.replace('_', '-')}-of-any-kind": breaks(
                "CHK-PRM-22", f"{name} may be an object (lines 230 and 231).", _of_any_kind(name)
            )
            for name in ("product_sku", "product_category", "product_url", "product_image_url", "product_type")
        },
        "mutants-national-id-of-any-kind": breaks(
            "CHK-PRM-22",
            "bank_cuil and bank_curp may be objects (line 231).",
            _of_any_kind("bank_cuil", "bank_curp"),
        ),
        "mutants-charge-with-custom-data-of-any-kind": breaks(
            "CHK-REC-21",
            "A secondary charge takes custom_data that are no object (lines 55 and 337).",
            checkout.without_row("recurring", "custom_data", "type"),
            since="6.7.0",
        ),
        **{
            f"mutants-credit-with-{name.replace('_', '-')}-of-any-kind": breaks(
                "CHK-CRD-25",
                f"A card credit takes an object as {name} (line 281).",
                checkout.without_row("card_credit", name, "type"),
            )
            for name in ("payee_first_name", "payee_last_name")
        },
        "mutants-schedule-of-any-decimals": breaks(
            "CHK-SES-87",
            "A payment_schedule_amount may have any number of decimals (lines 63 and 87).",
            lambda design: design.with_rows(any_scheduled_decimals),
            since="6.7.0",
        ),
        "mutants-credit-of-any-decimals": breaks(
            "CHK-CRD-24",
            "A card credit takes an amount with other decimals than its currency has (line 87).",
            checkout.without_row("card_credit", "order_amount", "decimals"),
        ),
    }
)
