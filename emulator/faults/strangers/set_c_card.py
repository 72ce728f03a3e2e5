"""Faults of S2S CARD: one action, one instrument or one state of many (third set).

Numbers of lines are those of the interface description.
"""

from dataclasses import replace
from typing import Final, cast

from emulator.accounts import ACCOUNTS, Account
from emulator.changes.s2s_card import NOTICES, answering, around, instead, signed_by, unless, without
from emulator.design import Design
from emulator.engine.callbacks.notice import Notice
from emulator.engine.callbacks.signatures import backwards, digest
from emulator.engine.moves import Obstacle
from emulator.engine.payments import Payment, Protocol, State
from emulator.engine.signing import FormValues
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import ActionBehaviour, CardAttempt, Perform
from emulator.protocols.s2s_card.captures_and_refunds import CAPTURE_REFUSALS
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.protocols.s2s_card.stages import (
    check_duplicate,
    check_schedule_id,
    check_signature,
    find_initial,
    find_payment,
)
from emulator.protocols.shared import check_environment
from emulator.rules.conditions import sibling
from emulator.rules.currencies import EXPONENTS
from emulator.rules.model import Check, Context, JsonObject, Rule
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object

_NEW: Final = "6.7.0"
_NOT_FOUND: Final = Refusal(Kind.NOT_FOUND, "Payment not found.")
_NO_TRANSACTION: Final = Refusal(Kind.NOT_FOUND, "Transaction does not exist.", code=101000)
_NOT_CORRECT: Final = Refusal(Kind.NOT_FOUND, "This value is not correct.")


# --- refusals ---


def _no_debit_before(attempt: CardAttempt) -> bool:
    found = attempt.gateway.payments.of_order(cast("Account", attempt.account), attempt.form.get("order_id", ""))
    return bool(found) and found[0].action != "DEBIT"


def _released_unknown(perform: Perform, attempt: CardAttempt) -> Reply:
    if attempt.payment is not None and attempt.payment.state is State.RELEASED:
        return attempt.gateway.answers.refuse(_NOT_FOUND)
    return perform(attempt)


def _declined_as_capture(perform: Perform, attempt: CardAttempt) -> Reply:
    if attempt.payment is not None and attempt.payment.state is State.DECLINED:
        return attempt.gateway.answers.refuse(CAPTURE_REFUSALS[Obstacle.WRONG_STATE])
    return perform(attempt)


def _pair_of_payer(attempt: CardAttempt) -> Refusal | None:
    """The token is looked for among all chains of the payer of the initial payment."""
    refusal, account = find_initial(attempt), attempt.account
    if refusal is None or account is None:
        return refusal
    found = attempt.gateway.payments.find(account, attempt.form.get("recurring_first_trans_id", ""))
    token = attempt.form.get("recurring_token", "")
    if found is None or not found.recurring_token or not token or found.action != "SALE":
        return refusal
    others = (one for one in attempt.gateway.payments.latest(200) if one.account.key == account.key)
    if not any(one.recurring_token == token and one.email == found.email for one in others):
        return refusal
    attempt.payment = found
    return None


def _of_other_protocol(attempt: CardAttempt) -> Refusal | None:
    refusal = find_payment(attempt)
    if refusal is None or attempt.account is None:
        return refusal
    found = attempt.gateway.payments.find(attempt.account, attempt.form.get("trans_id", ""))
    return _NO_TRANSACTION if found is not None and found.protocol is Protocol.S2S_APM else refusal


def _of_others(attempt: CardAttempt) -> Refusal | None:
    refusal = find_payment(attempt)
    if refusal is None:
        return None
    book, wanted = attempt.gateway.payments, attempt.form.get("trans_id", "")
    return _NOT_CORRECT if any(book.find(account, wanted) for account in ACCOUNTS) else refusal


def _locked(design: Design) -> Design:
    """A payment that somebody forged a VOID of is not voided any more."""
    forged: set[str] = set()

    def check(attempt: CardAttempt) -> Refusal | None:
        trans_id = attempt.form.get("trans_id", "")
        refusal = check_signature(attempt)
        if refusal is not None:
            forged.add(trans_id)
        return attempt.gateway.access.wrong_hash if trans_id in forged else refusal

    return instead(check_signature, check, "VOID")(design)


# --- fields ---


def _zero_with_init_named(row: Rule) -> Rule:
    if row.path != "order_amount" or row.keyword != "positive":
        return row
    check = cast("Check", row.bound)

    def changed(value: object, parent: JsonObject, context: Context) -> bool:
        named = {**parent, "recurring_init": "Y"} if parent.get("recurring_init") else parent
        return check(value, named, context)

    return replace(row, bound=changed)


def _country_with_wallet(behaviour: ActionBehaviour) -> ActionBehaviour:
    row = Rule("payer_country", "required", when=sibling("payment_token"))
    return replace(behaviour, rows=(*behaviour.rows, row))


# --- answers ---


def _own_target(perform: Perform, attempt: CardAttempt) -> Reply:
    reply = perform(attempt)
    found = attempt.gateway.payments.of_order(cast("Account", attempt.account), attempt.form.get("order_id", ""))
    if found and not reply.is_error:
        record_of(found[0]).link_target = attempt.form.get("term_url_target") or "_top"
    return reply


def _charge_without_card(perform: Perform, attempt: CardAttempt) -> Reply:
    reply = perform(attempt)
    if attempt.payment is None or attempt.payment.action != "RECURRING_SALE":
        return reply
    hidden = {"card", "card_expiration_date"}
    return replace(reply, body={name: value for name, value in reply.body.items() if name not in hidden})


def _no_leading_zero(body: Object) -> Object:
    expiry = body.get("card_expiration_date")
    return body | {"card_expiration_date": expiry.lstrip("0")} if isinstance(expiry, str) else body


def _whole_yen(body: Object) -> Object:
    amount = str(body.get("amount", ""))
    whole = EXPONENTS.get(str(body.get("currency"))) == 0
    return body | {"amount": amount.partition(".")[0]} if whole and amount else body


def _way_back(design: Design) -> Design:
    inner = design.card.way_back

    def way_back(payment: Payment) -> str:
        address = inner(payment)
        return address.partition("?")[0] if payment.state is State.DECLINED else address

    return design.in_card(way_back=way_back)


# --- signatures and callbacks ---


def _wallet_without_fragment(attempt: CardAttempt, values: FormValues) -> FormValues:
    by_wallet = attempt.payment is not None and bool(record_of(attempt.payment).wallet)
    return replace(values, instrument="") if by_wallet else values


def _token_without_fragment(design: Design) -> Design:
    inner = design.callbacks.signs[Protocol.S2S_CARD]

    def sign(notice: Notice) -> str:
        payment = notice.payment
        if not record_of(payment).by_token:
            return inner(notice)
        known = f"{payment.account.password}{payment.trans_id}".encode()
        return digest(notice, (backwards(payment.email) + known).upper())

    return NOTICES.signed(sign)(design)


def _redirected_debit(notice: Notice) -> bool:
    return notice.event == "REDIRECT" and notice.payment.action == "DEBIT"


def _sale_by_wallet(notice: Notice) -> bool:
    return notice.event == "SALE" and bool(record_of(notice.payment).wallet)


FAULTS: Final = faults(
    {
        "debit-after-sale-no-duplicate": breaks(
            "S2C-DUP-02",
            "A DEBIT with the order id of a SALE within 15 seconds is carried out (line 437).",
            unless(check_duplicate, _no_debit_before, "DEBIT"),
        ),
        "capture-of-released-not-found": breaks(
            "S2C-CAP-12",
            "CAPTURE of a released authorization is refused as an unknown payment, not with 208003 (line 455).",
            around(_released_unknown, "CAPTURE"),
        ),
        "creditvoid-of-declined-with-code-of-captures": breaks(
            "GEN-ERR-29",
            "CREDITVOID of a declined payment is refused with 208003 in the place of 208005 (line 456).",
            around(_declined_as_capture, "CREDITVOID"),
        ),
        "recurring-sale-pair-of-same-payer": breaks(
            "S2C-REC-13",
            "RECURRING_SALE takes the recurring_token of another chain of the same payer (line 445).",
            instead(find_initial, _pair_of_payer, "RECURRING_SALE"),
        ),
        "void-of-apm-payment-as-transaction": breaks(
            "GEN-ERR-30",
            "VOID of an id that S2S APM gave is refused as a transaction (101000), not as a payment (line 443).",
            instead(find_payment, _of_other_protocol, "VOID"),
        ),
        "status-of-anothers-payment-not-correct": breaks(
            "GEN-ERR-30",
            "GET_TRANS_STATUS of another merchant's trans_id is refused as it was before 6.7.0 (lines 450 and 451).",
            instead(find_payment, _of_others, "GET_TRANS_STATUS"),
            since=_NEW,
        ),
        "void-locked-after-wrong-hash": breaks(
            "S2C-SIG-38",
            "Once a VOID was refused for its hash, the right hash is refused for that payment, too (line 318).",
            _locked,
        ),
        "schedule-info-of-live-key-served": breaks(
            "S2C-REQ-12",
            "SCHEDULE_INFO is the one action that takes keys of production and any address (line 388).",
            without(check_environment, "SCHEDULE_INFO"),
        ),
        "run-of-no-uuid-as-unknown": breaks(
            "S2C-SCH-42",
            "RUN with a schedule_id that is no UUID is refused as an unknown schedule (line 441).",
            without(check_schedule_id, "RUN"),
        ),
        "zero-sale-with-recurring-init-n-accepted": breaks(
            "S2C-AMT-04",
            "A SALE of nothing is accepted where recurring_init is sent, be it N (line 352).",
            lambda design: design.with_sale_rows(_zero_with_init_named),
            since=_NEW,
        ),
        "wallet-sale-country-still-required": breaks(
            "S2C-SAL-40",
            "A SALE by payment_token still needs payer_country, as before 6.7.0 (lines 363 and 496).",
            lambda design: design.in_posts(_country_with_wallet, "SALE"),
            since=_NEW,
        ),
        "override-link-target-not-of-debits": breaks(
            "S2C-TDS-12",
            "The account's Override Link Target does not win over term_url_target of a DEBIT (line 496).",
            around(_own_target, "DEBIT"),
            since=_NEW,
        ),
        "way-back-of-declined-without-query": breaks(
            "S2C-TDS-05",
            "After a failed challenge the payer returns to term_url_3ds without its query (line 425).",
            _way_back,
        ),
        "status-of-charge-without-card": breaks(
            "S2C-STA-14",
            "GET_TRANS_STATUS of a RECURRING_SALE lacks card and card_expiration_date (line 496).",
            around(_charge_without_card, "GET_TRANS_STATUS"),
            since=_NEW,
        ),
        "details-expiry-without-leading-zero": breaks(
            "GEN-VAL-02",
            "GET_TRANS_DETAILS reports card_expiration_date without the leading zero of the month (line 288).",
            answering(_no_leading_zero, "GET_TRANS_DETAILS"),
            since=_NEW,
        ),
        "status-hash-of-decrypted-wallet-short": breaks(
            "S2C-SIG-33",
            "GET_TRANS_STATUS of a decrypted wallet payment is signed as if it had no card fragment (line 404).",
            signed_by(_wallet_without_fragment, "GET_TRANS_STATUS"),
        ),
        "callback-hash-of-token-without-fragment": breaks(
            "CBK-SIG-09",
            "Callbacks of payments by card_token are signed without the digits of the card (line 406).",
            _token_without_fragment,
        ),
        "debit-redirect-callback-without-token": breaks(
            "CBK-S2C-11",
            "The callback that the payer of a DEBIT was redirected lacks card_token (line 419).",
            NOTICES.lacking(_redirected_debit, "card_token"),
            since=_NEW,
        ),
        "wallet-sale-callback-without-arn": breaks(
            "CBK-S2C-16",
            "The callback of a SALE by wallet lacks ARN where it should be empty (line 422).",
            NOTICES.lacking(_sale_by_wallet, "ARN"),
            since=_NEW,
        ),
    }
)
UNNOTICED: Final = faults(
    {
        "capture-answer-of-yen-without-decimals": breaks(
            "S2C-CAP-05",
            "The answer to CAPTURE has no decimals in currencies without minor unit (line 86).",
            answering(_whole_yen, "CAPTURE"),
        ),
    }
)
"""The contract lets a gateway do so: see `docs/proof.md`. They cannot be started."""
