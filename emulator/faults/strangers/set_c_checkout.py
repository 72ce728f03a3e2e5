"""Faults of Checkout, its page included: one operation, one value or one state of many (third set).

Numbers of lines are those of the interface description.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, cast

from emulator.changes import checkout_sessions as sessions
from emulator.changes.checkout import NOTICES, around, by_payment, looking_up
from emulator.changes.hosted_page import checking
from emulator.design import Design
from emulator.engine.callbacks.notice import Notice, Value
from emulator.engine.payments import Payment, State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.behaviour import NO_TRANSACTION, PostAttempt
from emulator.protocols.checkout.callback_bodies import as_value
from emulator.protocols.checkout.payment_record import record_of
from emulator.protocols.checkout.session import Attempt, check_duplicate, minutes_open
from emulator.protocols.hosted_page.entries import Answer
from emulator.protocols.hosted_page.forms.country_names import STATES
from emulator.protocols.hosted_page.forms.rules import (
    Check,
    PageContext,
    expiry_of,
    month_and_year,
    not_expired,
    state_of_country,
    two_words,
)
from emulator.protocols.hosted_page.languages import Wishes
from emulator.protocols.hosted_page.outcomes import Declined, Outcome
from emulator.protocols.hosted_page.session import PageSession
from emulator.rules.model import Check as RowCheck
from emulator.rules.model import Context, JsonObject, Rule
from emulator.wire.replies import Refusal, Reply
from emulator.wire.values import Object

_NEW: Final = "6.7.0"
_LONGEST: Final = 32
_DECEMBER: Final = 12


# --- the page ---


def _month_after_december(value: str, context: PageContext) -> bool:
    """The month after the twelfth is taken for the first of the year after, which lasts until its end."""
    if not_expired(value, context) or not month_and_year(value, context):
        return True
    month, year = expiry_of(value)
    return month == _DECEMBER and (context.today.year, context.today.month) == (year + 1, 1)


def _words_by_hyphen(value: str, context: PageContext) -> bool:
    return two_words(value.replace("-", " "), context)


def _name_in_bytes(design: Design) -> Design:
    def changed(check: Check) -> Check:
        return lambda value, context: check(value, context) and len(value.encode()) <= _LONGEST

    rules = (
        replace(rule, check=changed(rule.check)) if rule.field == "cardholder" and rule.requirement else rule
        for rule in design.page.rules
    )
    return design.in_page(rules=tuple(rules))


def _state_of_any(value: str, context: PageContext) -> bool:
    return state_of_country(value, context) or any(value in states for states in STATES.values())


def _bare_after_challenge(design: Design) -> Design:
    inner = design.page.outcome

    def outcome(before: object, after: Outcome) -> Outcome:
        made = inner(before, after)
        return replace(made, parameters={}) if isinstance(before, Answer) and isinstance(made, Declined) else made

    return design.in_page(outcome=outcome)


def _escaped_twice(design: Design) -> Design:
    inner = design.checkout.return_parameters

    def parameters(gateway: object, payment: Payment, method: str) -> dict[str, str]:
        found = dict(inner(gateway, payment, method))  # type: ignore[arg-type]
        return found | {"order_id": found["order_id"].replace("/", "%2F").replace("&", "%26")}

    return design.in_checkout(return_parameters=parameters)


def _english_is_no_wish(design: Design) -> Design:
    inner = design.page.language

    def language(wishes: Wishes) -> str:
        return inner(replace(wishes, checkout_language="") if wishes.checkout_language == "en" else wishes)

    return design.in_page(language=language)


# --- sessions ---


def _lasting(body: JsonObject) -> float:
    return 60 if body.get("operation") == "debit" else minutes_open(body)


def _by_operation(design: Design) -> Design:
    """The operation is part of the key of the window."""
    opened: dict[tuple[str, str], object] = {}

    def note(attempt: Attempt) -> None:
        opened[attempt.key, attempt.number] = attempt.body.get("operation")

    def check(attempt: Attempt) -> Refusal | None:
        known = opened.get((attempt.key, attempt.number))
        return check_duplicate(attempt) if known in {None, attempt.body.get("operation")} else None

    return sessions.last(note)(sessions.instead(check_duplicate, check)(design))


def _colon_to_at(row: Rule) -> Rule:
    if row.path != "order.number" or row.keyword != "pattern":
        return row
    return replace(row, bound=str(row.bound).replace(":;@", ":-@"))


def _zero_with_auth_named(row: Rule) -> Rule:
    if row.path != "order.amount" or row.keyword != "positive":
        return row
    check = cast("RowCheck", row.bound)

    def changed(value: object, parent: JsonObject, context: Context) -> bool:
        named = context.body | {"auth": True} if "auth" in context.body else context.body  # type: ignore[operator]
        return check(value, parent, replace(context, body=named))

    return replace(row, bound=changed)


def _settled_with_chain(design: Design) -> Design:
    inner = design.checkout.intended

    def intended(session: PageSession) -> State:
        asks_both = session.asks("auth") and session.asks("recurring_init")
        mode = session.account.mode if session.account else ""
        return State.SETTLED if asks_both and mode != "DMS" else inner(session)

    return design.in_checkout(intended=intended)


def _caller_of_debit(design: Design) -> Design:
    inner = design.hosted_fields.payer_address
    return design.in_hosted_fields(
        payer_address=lambda attempt: attempt.client if attempt.body.get("operation") == "debit" else inner(attempt)
    )


# --- what follows ---


def _rounded(value: object) -> object:
    if isinstance(value, dict):
        return {name: _rounded(below) for name, below in cast("Object", value).items()}
    if isinstance(value, list):
        return [_rounded(below) for below in cast("list[object]", value)]
    return int(float(value)) if isinstance(value, int) and not isinstance(value, bool) else value


def _as_double(notice: Notice) -> list[Notice]:
    if "custom_data" not in notice.fields:
        return [notice]
    custom = as_value(_rounded(dict(record_of(notice.payment).custom_data)))
    return [replace(notice, fields={**notice.fields, "custom_data": custom})]


def _merged(design: Design) -> Design:
    """What came with the first payment of a chain is filled up with what comes with a charge."""
    firsts: dict[str, Value] = {}

    def changed(notice: Notice) -> list[Notice]:
        given = notice.fields.get("custom_data")
        first = firsts.get(notice.payment.chain)
        if not notice.payment.chain and given is not None:
            firsts[notice.payment.id] = given
        if notice.event != "recurring" or not isinstance(first, dict) or not isinstance(given, dict):
            return [notice]
        return [replace(notice, fields={**notice.fields, "custom_data": {**first, **given}})]

    return NOTICES.changed(changed)(design)


def _without_declined(attempt: PostAttempt, reply: Reply) -> Reply:
    if by_payment(attempt) or reply.listed is None or len(reply.listed) < 2:
        return reply
    return replace(reply, listed=tuple(one for one in reply.listed if one.get("status") != "decline"))


def _no_expiry_of_token(attempt: PostAttempt, reply: Reply) -> Reply:
    account = attempt.account
    payment = attempt.gateway.payments.find(account, str(reply.body.get("payment_id"))) if account else None
    if payment is None or not record_of(payment).sent_token:
        return reply
    return replace(reply, body={name: one for name, one in reply.body.items() if name != "card_expiration_date"})


def _voided_unknown(handler: Callable[[PostAttempt], Reply], attempt: PostAttempt) -> Reply:
    if attempt.payment is not None and attempt.payment.state is State.VOIDED:
        return attempt.gateway.answers.refuse(NO_TRANSACTION)
    return handler(attempt)


def _empty_order_passes(row: Rule) -> Rule:
    if row.path != "order" or row.keyword != "refused":
        return row
    return replace(row, bound=lambda value, _parent, _context: bool(value))


FAULTS: Final = faults(
    {
        "page-december-card-valid-in-january": breaks(
            "HPP-EXP-02",
            "A card that expired in December is accepted throughout the January after (line 121).",
            checking(not_expired, _month_after_december),
        ),
        "page-name-limit-in-bytes": breaks(
            "HPP-NAM-01",
            "The 32 characters of the name on the card are counted in bytes of UTF-8 (line 123).",
            _name_in_bytes,
        ),
        "page-state-of-another-country-accepted": breaks(
            "HPP-ADR-04",
            "The page takes a state of any list, whichever of the five countries was chosen (line 125).",
            checking(state_of_country, _state_of_any),
        ),
        "cancel-after-failed-challenge-bare": breaks(
            "CHK-URL-05",
            "Nothing is appended to cancel_url where the last decline was a failed challenge (line 418).",
            _bare_after_challenge,
        ),
        "return-order-id-escaped-twice": breaks(
            "CHK-URL-04",
            "A slash or ampersand in order_id of return addresses is escaped twice (line 418).",
            _escaped_twice,
        ),
        "page-language-english-as-no-wish": breaks(
            "HPP-LNG-03",
            "A checkout_language of en counts as not given, and the browser's language wins (line 48).",
            _english_is_no_wish,
        ),
        "session-expiry-not-of-debits": breaks(
            "CHK-LIF-02",
            "Debit sessions last 60 minutes whatever session_expiry says (line 47).",
            lambda design: design.in_session(minutes_open=_lasting),
        ),
        "duplicate-by-operation": breaks(
            "CHK-DUP-07",
            "A session of another operation with the same order number within 15 seconds is opened (line 438).",
            _by_operation,
        ),
        "order-number-from-colon-to-at": breaks(
            "CHK-ORD-04",
            "order.number takes all characters between colon and at sign, such as < = > ? (line 77).",
            lambda design: design.with_rows(_colon_to_at),
        ),
        "zero-amount-accepted-with-auth-false": breaks(
            "CHK-ORD-19",
            "A plain purchase of nothing is accepted where auth is sent, be it false (line 71).",
            lambda design: design.with_rows(_zero_with_auth_named),
            since=_NEW,
        ),
        "auth-with-recurring-init-settles": breaks(
            "CHK-CAP-01",
            "A purchase with auth that initializes a chain, too, is settled at once (line 59).",
            _settled_with_chain,
            since=_NEW,
        ),
        "hosted-customer-ip-not-of-debits": breaks(
            "HPF-CIP-01",
            "The customer.ip of a session token for a debit is ignored: the caller's address is reported (line 99).",
            _caller_of_debit,
            since=_NEW,
        ),
        "charge-custom-data-merged-with-first": breaks(
            "CBK-ATT-16",
            "Callbacks of a secondary sale add the custom_data of the initializing payment (line 420).",
            _merged,
            since=_NEW,
        ),
        "look-up-list-without-declined": breaks(
            "CHK-STA-08",
            "Lists of a look-up by order leave declined payments out (line 344).",
            looking_up(_without_declined),
            since=_NEW,
        ),
        "look-up-of-token-payment-without-expiry": breaks(
            "CHK-STA-33",
            "A look-up by payment_id lacks card_expiration_date where a card_token paid (line 344).",
            looking_up(_no_expiry_of_token),
            since=_NEW,
        ),
        "capture-of-voided-as-unknown": breaks(
            "CHK-CAP-06",
            "The capture of a voided payment is refused as an unknown transaction, not with 208003 (line 455).",
            around(_voided_unknown, "capture"),
            since="6.6.3",
        ),
        "card-credit-empty-order-object-accepted": breaks(
            "CHK-CRD-10",
            "A card credit with an empty nested order object is accepted (line 271).",
            lambda design: design.with_checkout_rows("card_credit", _empty_order_passes),
        ),
    }
)
UNNOTICED: Final = faults(
    {
        "page-hyphenated-name-as-two-words": breaks(
            "HPP-NAM-02",
            "A name on the card of one word passes where it has a hyphen (line 123).",
            checking(two_words, _words_by_hyphen),
        ),
        "custom-data-numbers-as-doubles": breaks(
            "CBK-ATT-13",
            "Whole numbers above 2 to the power of 53 in custom_data come back rounded (line 55).",
            NOTICES.changed(_as_double),
        ),
    }
)
"""The contract lets a gateway do so: see `docs/proof.md`. They cannot be started."""
