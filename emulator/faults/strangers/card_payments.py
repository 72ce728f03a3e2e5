"""Faults of S2S CARD payments that show in one action or currency, for a rare field, or after another post.

Numbers of lines are those of the interface description.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, cast

from emulator.changes.interleaving import IN_FLIGHT_SECONDS
from emulator.changes.s2s_card import answering, instead, last, signed_by, unless
from emulator.changes.stages import refusal_if
from emulator.design import Change, all_of
from emulator.engine.payments import Protocol, State
from emulator.engine.signing import FormValues
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.protocols.s2s_card.stages import check_duplicate, check_signature, find_initial
from emulator.rules.amounts import is_zero, well_formed
from emulator.rules.model import Check, Context, JsonObject, Rule
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object

_NEW: Final = "6.7.0"
_AWAY: Final = (State.CHALLENGED, State.REDIRECTED)
_NO_ZIP: Final = Refusal(Kind.SALE_FIELDS, INVALID_DATA, violations=(("payer_zip", "This value should not be blank."),))
_NO_CITY: Final = Refusal(
    Kind.CARD_FIELDS, INVALID_DATA, violations=(("payer_city", "This value should not be blank."),)
)


# --- order ids ---


def _free_after_challenge(attempt: CardAttempt) -> Refusal | None:
    account, number = attempt.account, attempt.form.get("order_id", "")
    earlier = attempt.gateway.payments.of_order(account, number) if account else []
    returned = [one for one in earlier if record_of(one).challenged and one.state not in _AWAY]
    return None if returned else check_duplicate(attempt)


def _in_flight(attempt: CardAttempt) -> Refusal | None:
    form, now = attempt.form, attempt.gateway.clock.seconds()
    age = attempt.gateway.order_window(attempt.action).age(form.get("client_key", ""), form.get("order_id", ""), now)
    return None if age is not None and age < IN_FLIGHT_SECONDS * 0.9 else check_duplicate(attempt)


def _slowly(reply: Reply) -> Reply:
    return replace(reply, delay=IN_FLIGHT_SECONDS) if reply.kind is Kind.SALE and not reply.is_error else reply


# --- signatures ---


def _sends_custom_data(attempt: CardAttempt) -> bool:
    return any(name.startswith("custom_data[") for name in attempt.form)


def _sends_currency(attempt: CardAttempt) -> bool:
    return bool(attempt.form.get("order_currency"))


def _plus_as_blank(_attempt: CardAttempt, values: FormValues) -> FormValues:
    return replace(values, email=values.email.replace("+", " "))


def _payers_address(attempt: CardAttempt, values: FormValues) -> FormValues:
    payment = attempt.payment
    is_payout = payment is not None and payment.action == "CREDIT2CARD"
    return replace(values, email=payment.payer.get("payer_email", "")) if payment and is_payout else values


# --- amounts ---


def _checking(path: str, keyword: str, make: Callable[[Check], Check]) -> Change:
    """A rule of SALE whose check is what ``make`` makes of it."""

    def changed(row: Rule) -> Rule:
        is_it = row.path == path and row.keyword == keyword
        return replace(row, bound=make(cast("Check", row.bound))) if is_it else row

    return lambda design: design.with_post_rows(changed, "SALE")


def _or_by_token(check: Check) -> Check:
    def changed(value: object, parent: JsonObject, context: Context) -> bool:
        return check(value, parent, context) or (bool(parent.get("card_token")) and is_zero(str(value)))

    return changed


def _or_centavos(check: Check) -> Check:
    def changed(value: object, parent: JsonObject, context: Context) -> bool:
        in_pesos = parent.get("order_currency") == "CLP" and well_formed(str(value), "USD", context.amounts)
        return check(value, parent, context) or in_pesos

    return changed


def _but_no_dinars(check: Check) -> Check:
    def changed(value: object, parent: JsonObject, context: Context) -> bool:
        return value != "0.000" and check(value, parent, context)

    return changed


def _cents_of_dinars(body: Object) -> Object:
    amount = str(body.get("amount", ""))
    return body | {"amount": amount[:-1]} if len(amount.partition(".")[2]) == 3 else body


# --- the payer's address ---


def _american_without_zip(attempt: CardAttempt) -> bool:
    return attempt.form.get("payer_country") == "US" and not attempt.form.get("payer_zip")


def _without_city(attempt: CardAttempt) -> bool:
    return not attempt.form.get("payer_city")


# --- chains ---


def _token_in_any_case(attempt: CardAttempt) -> Refusal | None:
    form = {**attempt.form, "recurring_token": attempt.form.get("recurring_token", "").lower()}
    seen = replace(attempt, form=form)
    refusal = find_initial(seen)
    attempt.payment = seen.payment
    return refusal


def _dinars_padded(attempt: CardAttempt) -> None:
    currency = attempt.form.get("order_currency") or (attempt.payment.currency if attempt.payment else "")
    amount = attempt.form.get("order_amount", "")
    if currency in {"BHD", "KWD"} and len(amount.partition(".")[2]) == 2:
        attempt.form = {**attempt.form, "order_amount": f"{amount}0"}


def _latest_of_payer(attempt: CardAttempt) -> None:
    """The newest authorization of the payer is taken for the one that was named."""
    named = attempt.payment
    if named is None or not named.email or named.state is not State.AUTHORIZED:
        return
    for payment in attempt.gateway.payments.latest(500):
        same = payment.protocol is Protocol.S2S_CARD and payment.account is named.account
        if same and payment.email == named.email and payment.state is State.AUTHORIZED:
            attempt.payment = payment
            return


FAULTS: Final = faults(
    {
        "sales-at-once-both-made": breaks(
            "S2C-DUP-10",
            "Of two SALEs with one order id that are posted at the same time both are made (line 437).",
            all_of(instead(check_duplicate, _in_flight, "SALE"), lambda design: design.filtering(_slowly)),
        ),
        "debit-city-still-required": breaks(
            "S2C-DEB-04",
            "payer_city is still required on DEBIT (line 363).",
            last(refusal_if(_without_city, _NO_CITY), "DEBIT"),
            since=_NEW,
        ),
        "order-id-free-after-challenge": breaks(
            "S2C-DUP-01",
            "Once the payer has come back from a challenge, the order id is free within the 15 seconds (line 437).",
            instead(check_duplicate, _free_after_challenge, "SALE"),
        ),
        "sale-unsigned-with-custom-data": breaks(
            "S2C-SIG-38",
            "Hashes of SALE are not looked at where custom_data are sent (line 407).",
            unless(check_signature, _sends_custom_data, "SALE"),
        ),
        "recurring-sale-unsigned-with-currency": breaks(
            "S2C-SIG-38",
            "Hashes of RECURRING_SALE are not looked at where order_currency is sent (line 407).",
            unless(check_signature, _sends_currency, "RECURRING_SALE"),
        ),
        "capture-hash-plus-of-email-as-blank": breaks(
            "S2C-SIG-08",
            "CAPTURE takes a plus in the payer's e-mail address for a blank, and refuses the right hash (line 396).",
            signed_by(_plus_as_blank, "CAPTURE"),
        ),
        "sale-of-nothing-by-token-accepted": breaks(
            "S2C-AMT-04",
            "A plain SALE of nothing is accepted where it is made by card_token (line 352).",
            _checking("order_amount", "positive", _or_by_token),
            since=_NEW,
        ),
        "sale-in-chilean-pesos-with-cents-accepted": breaks(
            "S2C-SAL-13",
            "Of all currencies without minor unit CLP takes decimals that are not zero (line 86).",
            _checking("order_amount", "decimals", _or_centavos),
        ),
        "zero-start-of-chain-in-dinars-refused": breaks(
            "S2C-AMT-05 S2C-AMT-06",
            "0.000 is refused where a chain is initialized or an authorization asked for (line 352).",
            _checking("order_amount", "positive", _but_no_dinars),
            since=_NEW,
        ),
        "capture-answer-of-dinars-in-cents": breaks(
            "S2C-CAP-05",
            "The answer to CAPTURE cuts amounts of three decimals to two (line 88).",
            answering(_cents_of_dinars, "CAPTURE"),
        ),
        "sale-zip-required-in-us": breaks(
            "S2C-SAL-40",
            "payer_zip is still required where payer_country is US (line 363).",
            last(refusal_if(_american_without_zip, _NO_ZIP), "SALE"),
            since=_NEW,
        ),
        "card-capture-of-payers-latest": breaks(
            "S2C-CAP-02",
            "CAPTURE settles the newest authorization of the payer, not the one of trans_id (line 356).",
            last(_latest_of_payer, "CAPTURE"),
        ),
        "recurring-sale-of-dinars-padded": breaks(
            "S2C-SAL-14",
            "RECURRING_SALE takes two decimals of BHD and KWD, and adds a zero (line 88).",
            last(_dinars_padded, "RECURRING_SALE"),
        ),
    }
)
UNNOTICED: Final = faults(
    {
        "payout-details-signed-with-email": breaks(
            "S2C-SIG-15",
            "GET_TRANS_DETAILS of a payout is signed with the payer_email of its CREDIT2CARD (line 397).",
            signed_by(_payers_address, "GET_TRANS_DETAILS"),
        ),
        "recurring-token-in-capitals-accepted": breaks(
            "S2C-REC-14",
            "A recurring_token in capitals, which belongs to no chain, is charged (line 445).",
            instead(find_initial, _token_in_any_case, "RECURRING_SALE"),
        ),
    }
)
"""Nothing notices these yet, or the contract lets a gateway do so: see `docs/proof.md`. They cannot be started."""
