"""Variations of S2S CARD: how its actions refuse, and what the contract leaves open in what they do."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.accounts import Account
from emulator.design import Change, Design
from emulator.engine.payments import Payment, State
from emulator.protocols.s2s_card import captures_and_refunds, schedules
from emulator.protocols.s2s_card.behaviour import ActionBehaviour, CardAttempt, CardStage
from emulator.protocols.s2s_card.messages import callback_bodies
from emulator.protocols.s2s_card.messages.action_table import PAYMENTS
from emulator.protocols.s2s_card.messages.answers import named, now
from emulator.protocols.s2s_card.stages import check_deprecated, check_schedule_id
from emulator.rules.conditions import both, not_, sibling
from emulator.rules.model import Rule
from emulator.variations.model import Variation
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object

_TRANSACTION: Final = Refusal(Kind.NOT_FOUND, "Transaction does not exist.", code=101000)
_PAYMENT: Final = Refusal(Kind.NOT_FOUND, "Payment not found")
_MODE: Final = Refusal(Kind.CARD_FIELDS, "Payment mode not supported", code=204003)
_DUPLICATE_ITEM: Final = Refusal(Kind.DUPLICATE, INVALID_DATA, violations=(("order_id", "Duplicate payment."),))
_UUID_ITEM: Final = Refusal(Kind.SCHEDULE, INVALID_DATA, violations=(("schedule_id", "This is not a valid UUID."),))
_DEPRECATED_ITEM: Final = Refusal(Kind.SCHEDULE, INVALID_DATA, violations=(("delays", "Parameter is deprecated."),))
_STRAY: Final = Refusal(Kind.SCHEDULE, INVALID_DATA, violations=(("delayed_first_payment", "This does not fit."),))
_NO_WALLET: Final = Refusal(Kind.CARD_FIELDS, INVALID_DATA, violations=(("payment_token", "This is no token."),))
_COMPANIONS: Final = {
    "first_payment_interval_length": "by_interval",
    "first_payment_interval_unit": "by_interval",
    "first_payment_day_of_week": "to_day_of_week",
    "first_payment_day_of_month": "to_day_of_month",
}


def _post(*actions: str, **changes: object) -> Change:
    def changed(behaviour: ActionBehaviour) -> ActionBehaviour:
        return replace(behaviour, **changes)  # type: ignore[arg-type]

    return lambda design: design.in_posts(changed, *actions)


def _first(stage: CardStage, *actions: str) -> Change:
    return lambda design: design.in_posts(lambda one: replace(one, stages=(stage, *one.stages)), *actions)


def _instead(stage: CardStage, other: CardStage) -> Change:
    def changed(behaviour: ActionBehaviour) -> ActionBehaviour:
        return replace(behaviour, stages=tuple(other if one is stage else one for one in behaviour.stages))

    return lambda design: design.in_posts(changed)


def _as_item(stage: CardStage, item: Refusal) -> Change:
    return _instead(stage, lambda attempt: item if stage(attempt) else None)


def _without_row(path: str, keyword: str, *actions: str) -> Change:
    def change(row: Rule) -> Rule | None:
        return None if (row.path, row.keyword) == (path, keyword) else row

    return lambda design: design.with_post_rows(change, *actions)


def _code_with_token(row: Rule) -> Rule:
    changed = replace(row, when=not_(sibling("payment_token")))
    return changed if (row.path, row.keyword) == ("card_cvv2", "required") else row


def _any_case(row: Rule) -> Rule:
    return replace(row, bound=("Y", "N", "y", "n")) if (row.path, row.keyword) == ("auth", "enum") else row


def _auth_in_any_case(design: Design) -> Design:
    inner = design.card.intended
    return design.with_post_rows(_any_case, "SALE").in_card(
        intended=lambda account, auth: inner(account, auth.upper()),
    )


def _token_alone(row: Rule) -> Rule | None:
    return None if (row.path, row.keyword) == ("digital_wallet", "required") else row


def _wallet_beside_card_ignored(row: Rule) -> Rule:
    changed = replace(row, when=both(sibling("digital_wallet"), not_(sibling("card_number"))))
    return changed if (row.path, row.keyword) == ("payment_token", "required") else row


def _other_mode(attempt: CardAttempt) -> Refusal | None:
    account, auth = attempt.account, attempt.form.get("auth") == "Y"
    wrong = account is not None and ((account.mode == "SMS" and auth) or (account.mode == "DMS" and not auth))
    return _MODE if wrong else None


def _no_zero_in_one_message(attempt: CardAttempt) -> Refusal | None:
    is_of_it = attempt.account is not None and not attempt.account.zero_amount
    return _MODE if is_of_it and attempt.form.get("auth") == "Y" else None


def _no_wallet(attempt: CardAttempt) -> Refusal | None:
    token, account = attempt.form.get("payment_token", ""), attempt.account
    if not token or account is None:
        return None
    return None if attempt.gateway.card.is_wallet_token(account, token) else _NO_WALLET


def _paid_undecrypted(design: Design) -> Design:
    decrypts = design.card.is_wallet_token
    return design.in_card(
        is_wallet_token=lambda account, token: account.wallet_flow != "card" or decrypts(account, token)
    )


def _zero_in_message(reply: Reply) -> Reply:
    """Nothing but the message says that an amount of nothing is wrong."""
    errors = reply.body.get("errors")
    if reply.kind not in {Kind.SALE_FIELDS, Kind.CARD_FIELDS} or not isinstance(errors, list) or len(errors) != 1:
        return reply
    item: object = errors[0]
    text = str(item.get("error_message")) if isinstance(item, dict) else ""
    if not text.startswith("amount: This value should be greater than 0"):
        return reply
    body: Object = {name: value for name, value in reply.body.items() if name != "errors"}
    return replace(reply, body=body | {"error_message": text})


def _cancelled(attempt: CardAttempt) -> Reply:
    """A void of an authorization cancels it."""
    payment = attempt.payment
    if payment is None or payment.state is not State.AUTHORIZED:
        return captures_and_refunds.void(attempt)
    payment.state = State.VOIDED
    callback_bodies.notify_void(attempt.gateway, payment)
    return _voided(attempt, payment, "SUCCESS")


def _declined_later(attempt: CardAttempt) -> Reply:
    """A void on a later day is declined, not refused."""
    payment, gateway = attempt.payment, attempt.gateway
    late = payment is not None and gateway.card.day_is_over(payment, gateway.clock.now())
    if payment is None or not late or payment.state is not State.SETTLED:
        return captures_and_refunds.void(attempt)
    reply = _voided(attempt, payment, "DECLINED")
    return replace(reply, body=reply.body | {"decline_reason": "The day is over"})


def _retried_unless_settled(attempt: CardAttempt) -> Reply:
    payment = attempt.payment
    if payment is None or payment.state is not State.SETTLED:
        return captures_and_refunds.retry(attempt)
    return Reply(Kind.CARD_ACTION, 200, named(payment, "RETRY", "ACCEPTED"))


def _voided(attempt: CardAttempt, payment: Payment, result: str) -> Reply:
    body = named(payment, "VOID", result, payment.status) | {"trans_date": now(attempt.gateway)}
    return Reply(Kind.CARD_ACTION, 200, body)


def _declined_refund(attempt: CardAttempt) -> Reply:
    """A refund of too much is accepted at first and declined by the callback."""
    reply, payment = captures_and_refunds.creditvoid(attempt), attempt.payment
    if payment is None or reply.body.get("error_code") not in {208006, 208009}:
        return reply
    callback_bodies.notify_refused_creditvoid(attempt.gateway, payment)
    return Reply(Kind.CARD_ACTION, 200, named(payment, "CREDITVOID", "ACCEPTED"))


def _again(perform: Callable[[CardAttempt], Reply]) -> Callable[[CardAttempt], Reply]:
    """What is done already succeeds without effect."""

    def performed(attempt: CardAttempt) -> Reply:
        reply = perform(attempt)
        done: Object = {"action": attempt.action, "result": "SUCCESS"}
        return Reply(Kind.SCHEDULE, 200, done) if reply.is_error else reply

    return performed


def _defaulted(design: Design) -> Design:
    def change(row: Rule) -> Rule | None:
        return None if row.path in _COMPANIONS and row.keyword == "required" else row

    return design.with_post_rows(change, "CREATE_SCHEDULE", "UPDATE_SCHEDULE")


def _stray(attempt: CardAttempt) -> Refusal | None:
    mode = attempt.form.get("delayed_first_payment", "none")
    return _STRAY if any(name in attempt.form and mode != of for name, of in _COMPANIONS.items()) else None


def _hash_required(behaviour: ActionBehaviour) -> ActionBehaviour:
    return replace(behaviour, rows=(*behaviour.rows, Rule("hash", "required"), Rule("hash", "notBlank")))


def _control_character(attempt: CardAttempt) -> Refusal | None:
    """A reader of forms that turns away control characters wherever they stand."""
    wrong = tuple((name, "This value is not valid.") for name, value in attempt.form.items() if not _is_plain(value))
    return Refusal(Kind.CARD_FIELDS, INVALID_DATA, violations=wrong) if wrong else None


def _is_plain(value: str) -> bool:
    return not any(letter < " " or letter == "\x7f" for letter in value)


def _without_auth(attempt: CardAttempt) -> Refusal | None:
    attempt.form = {name: value for name, value in attempt.form.items() if name != "auth"}
    return None


def _top_by_a_new_window(design: Design) -> Design:
    inner = design.card.link_target

    def target(account: Account, wanted: str, release: str) -> str:
        found = inner(account, wanted, release)
        return "_blank" if found == "_top" else found

    return design.in_card(link_target=target)


VARIATIONS: Final = (
    Variation(
        "card-wallet-token-alone",
        "payment_token is enough; digital_wallet may be left out.",
        lambda design: design.with_post_rows(_token_alone, "SALE", "DEBIT"),
    ),
    Variation(
        "recurring-sale-knows-no-auth",
        "RECURRING_SALE does not read auth, which line 353 does not list, and charges at once.",
        _first(_without_auth, "RECURRING_SALE"),
    ),
    Variation(
        "card-control-characters-refused-first",
        "What holds a control character is invalid data, whatever field of S2S CARD it is.",
        _first(_control_character),
    ),
    Variation(
        "card-duplicates-in-errors",
        "A repeated S2S CARD payment is reported in errors.",
        _post(*PAYMENTS, duplicate=_DUPLICATE_ITEM, used_before=_DUPLICATE_ITEM),
    ),
    Variation(
        "card-uuid-in-errors", "An id that is no UUID is reported in errors.", _as_item(check_schedule_id, _UUID_ITEM)
    ),
    Variation(
        "card-deprecated-in-errors", "delays is reported in errors.", _as_item(check_deprecated, _DEPRECATED_ITEM)
    ),
    Variation(
        "card-zero-in-message",
        "The text of an amount of nothing stands in error_message, and there are no errors.",
        lambda design: design.filtering(_zero_in_message),
    ),
    Variation(
        "retry-unknown-as-transaction",
        "RETRY of an unknown id is refused like one of a transaction.",
        _post("RETRY", unknown=_TRANSACTION),
    ),
    Variation(
        "details-unknown-as-payment",
        "GET_TRANS_DETAILS of an unknown id is refused like one of a payment.",
        _post("GET_TRANS_DETAILS", unknown=_PAYMENT),
    ),
    Variation(
        "card-mode-refused", "A payment of the other mode than the account's is refused.", _first(_other_mode, "SALE")
    ),
    Variation(
        "card-no-zero-in-one-message",
        "Who takes no amounts of zero takes no authorizations in S2S CARD either.",
        _first(_no_zero_in_one_message, "SALE"),
    ),
    Variation("auth-other-is-no", "A value of auth beside Y and N is N.", _without_row("auth", "enum", "SALE")),
    Variation(
        "req-token-other-is-no", "A value of req_token beside Y and N is N.", _without_row("req_token", "enum", "SALE")
    ),
    Variation(
        "recurring-init-other-is-no",
        "A value of recurring_init beside Y and N is N.",
        _without_row("recurring_init", "enum", "SALE", "DEBIT"),
    ),
    Variation(
        "card-token-needs-code",
        "With a card token the security code is required.",
        lambda design: design.with_post_rows(_code_with_token, "SALE", "DEBIT"),
    ),
    Variation(
        "card-token-any-length",
        "A token of another length is refused as unknown.",
        _without_row("card_token", "length", "SALE", "DEBIT"),
    ),
    Variation(
        "wallet-token-refused",
        "A payment_token that is none is refused, not declined.",
        _first(_no_wallet, "SALE", "DEBIT"),
    ),
    Variation("auth-in-any-case", "auth takes Y and N in small letters, too.", _auth_in_any_case),
    Variation(
        "wallet-beside-card-ignored",
        "digital_wallet beside the data of a card is not looked at.",
        lambda design: design.with_post_rows(_wallet_beside_card_ignored, "SALE", "DEBIT"),
    ),
    Variation("void-cancels-authorization", "An authorization can be voided.", _post("VOID", perform=_cancelled)),
    Variation(
        "void-on-any-day",
        "A settled payment can be voided on any day.",
        lambda design: design.in_card(day_is_over=lambda _payment, _now: False),
    ),
    Variation(
        "retry-of-settled-without-effect",
        "RETRY of a settled payment is accepted and changes nothing.",
        _post("RETRY", perform=_retried_unless_settled),
    ),
    Variation(
        "wallet-token-not-decrypted",
        "In the virtual flow every text pays like a wallet token: nobody decrypts it.",
        _paid_undecrypted,
    ),
    Variation(
        "challenge-returns-from-top-by-a-new-window",
        "Where term_url_target is _top, the page of the challenge goes on in a new window, wherever it stands.",
        _top_by_a_new_window,
    ),
    Variation("void-declined-later", "A void on a later day is declined.", _post("VOID", perform=_declined_later)),
    Variation(
        "creditvoid-declined-later",
        "A refund of too much is accepted and then declined.",
        _post("CREDITVOID", perform=_declined_refund),
    ),
    Variation(
        "creditvoid-takes-a-second",
        "What CREDITVOID and RETRY accept is carried out a little later.",
        lambda design: design.in_card(outcome_after=0.4),
    ),
    Variation(
        "pause-again", "PAUSE of a paused schedule has no effect.", _post("PAUSE", perform=_again(schedules.pause))
    ),
    Variation("run-again", "RUN of a running schedule has no effect.", _post("RUN", perform=_again(schedules.run))),
    Variation("schedule-delay-defaulted", "Companions of delayed_first_payment may be left out.", _defaulted),
    Variation(
        "schedule-stray-companions-refused",
        "A companion of another mode of delayed_first_payment is refused.",
        _first(_stray, "CREATE_SCHEDULE", "UPDATE_SCHEDULE"),
    ),
    Variation(
        "card-hash-required",
        "A post without hash is refused as invalid data.",
        lambda design: design.in_posts(_hash_required),
    ),
)
