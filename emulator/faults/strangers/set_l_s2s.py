"""Faults of S2S by another author that the suite did not notice at first (set L), and others of their classes."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Final

from emulator.changes.s2s_apm import NOTICES, around
from emulator.changes.s2s_card import NOTICES as CARD_NOTICES
from emulator.changes.s2s_card import answering, instead, last, post
from emulator.changes.stages import refusal_if
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Notice, Value
from emulator.engine.callbacks.signatures import s2s_apm
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.captures_and_refunds import capture
from emulator.protocols.s2s_card.stages import check_token
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object

_NEW: Final = "6.7.0"
_EVENING: Final = 22  # o'clock in UTC
_NO_ZIP: Final = Refusal(Kind.CARD_FIELDS, INVALID_DATA, violations=(("payer_zip", "This value should not be blank."),))
_TAKEN_BACK: Final = {"refund": State.REFUNDED, "void": State.VOIDED}


def _hold_again(payment: Payment | None, state: State) -> None:
    """Of an authorization of which nothing is taken any more everything may be captured."""
    if payment is not None and payment.state is state and payment.intended is State.AUTHORIZED:
        payment.state, payment.refunded = State.AUTHORIZED, Decimal(0)


def _captured_anew(state: State) -> Change:
    def act(attempt: CardAttempt) -> Reply:
        _hold_again(attempt.payment, state)
        return capture(attempt)

    return post("CAPTURE", perform=act)


def _apm_captured_anew(state: State) -> Change:
    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        _hold_again(attempt.payment, state)
        return handler(attempt, gateway)

    return around(act, "CAPTURE")


def _one_token_per_card(design: Design) -> Design:
    """The token that a card is given takes the place of the one that it had."""
    newest: dict[tuple[str, str], str] = {}

    def note(notice: Notice) -> list[Notice]:
        card, token = notice.payment.card, notice.payment.card_token
        if card is not None and token:
            newest[notice.payment.account.key, card.fragment] = token
        return [notice]

    def check(attempt: CardAttempt) -> Refusal | None:
        account, access, token = attempt.account, attempt.gateway.access, attempt.form.get("card_token", "")
        if account is not None and token and not access.token_known(account, token):
            card = attempt.gateway.vault.card(account, token)
            if card is not None and newest.get((account.key, card.fragment), token) != token:
                return access.wrong_token
        return check_token(attempt)

    return instead(check_token, check, "SALE")(CARD_NOTICES.changed(note)(design))


def _without_zip(**asked: str) -> Change:
    """A SALE that asks for something needs the payer's address as before 6.7.0."""

    def applies(attempt: CardAttempt) -> bool:
        is_asked = all(attempt.form.get(name) == value for name, value in asked.items())
        return is_asked and not attempt.form.get("payer_zip")

    return last(refusal_if(applies, _NO_ZIP), "SALE")


def _with_data_of_the_first(action: str) -> Change:
    """The callback of a charge has custom data of the payment that started the chain beside its own."""

    def changed(design: Design) -> Design:
        first: dict[str, Value] = {}

        def change(notice: Notice) -> list[Notice]:
            data, chain = notice.fields.get("custom_data"), notice.payment.chain
            if data and not chain:
                first[notice.payment.id] = data
            before = first.get(chain)
            if notice.event != action or not isinstance(data, dict) or not isinstance(before, dict):
                return [notice]
            return [replace(notice, fields={**notice.fields, "custom_data": {**before, **data}})]

        return CARD_NOTICES.changed(change)(design)

    return changed


def _two_hours_further_east(fields: Object) -> Object:
    """From 22:00 UTC on the date of the first charge is that of the day after."""
    written, named = fields.get("trans_date"), fields.get("first_recurring_date")
    if not isinstance(written, str) or not isinstance(named, str) or datetime.fromisoformat(written).hour < _EVENING:
        return fields
    return fields | {"first_recurring_date": (date.fromisoformat(named) + timedelta(days=1)).isoformat()}


def _as_it_stands_under_the_old_hash(design: Design) -> Design:
    again = design.callbacks.repeat

    def repeat(notice: Notice) -> list[Notice]:
        if notice.payment.protocol is not Protocol.S2S_APM:
            return again(notice)
        return again(replace(notice, fields={**notice.fields, "status": notice.payment.status}))

    return design.in_callbacks(repeat=repeat)


def _leaving_zeros_out(fields: Mapping[str, Value]) -> dict[str, Value]:
    """Values that are 0, at any level, as languages leave them out that take them for nothing."""
    kept = {name: value for name, value in fields.items() if value != "0"}
    return {name: _leaving_zeros_out(value) if isinstance(value, Mapping) else value for name, value in kept.items()}


def _hashed_without_zeros(notice: Notice) -> str:
    return s2s_apm(replace(notice, fields=_leaving_zeros_out(notice.fields)))


FAULTS: Final = faults(
    {
        f"l-card-capture-after-a-{what}": breaks(
            "S2C-CAP-08",
            f"After the {what} of a captured authorization it is captured once more (lines 315 and 455).",
            _captured_anew(state),
        )
        for what, state in _TAKEN_BACK.items()
    }
    | {
        f"l-apm-capture-after-a-{what}": breaks(
            "APM-CAP-04",
            f"After the {what} of a captured authorization it is captured once more (lines 315 and 455).",
            _apm_captured_anew(state),
            since=_NEW,
        )
        for what, state in _TAKEN_BACK.items()
    }
    | {
        f"l-card-address-required-with-{name.replace('_', '-')}": breaks(
            "S2C-SAL-40",
            f"A SALE with {name}={value} still needs the payer's address (lines 363 and 496).",
            _without_zip(**{name: value}),
            since=_NEW,
        )
        for name, value in (("auth", "Y"), ("recurring_init", "Y"))
    }
    | {
        f"l-card-custom-data-of-{action.lower().replace('_', '-')}-merged": breaks(
            "CBK-S2C-14",
            f"The callback of a {action} adds the custom_data of the first payment (line 420).",
            _with_data_of_the_first(action),
            since=_NEW,
        )
        for action in ("RECURRING_SALE", "RECURRING_DEBIT")
    }
    | {
        "l-card-first-date-two-hours-further-east": breaks(
            "S2C-SCP-10",
            "From 22:00 UTC on first_recurring_date is the day after schedule_start_date (lines 62 and 288).",
            answering(_two_hours_further_east),
            since=_NEW,
        ),
        "l-card-one-token-per-card": breaks(
            "S2C-TOK-04",
            "A card_token is refused once the same card was given another one (lines 15 and 58).",
            _one_token_per_card,
        ),
        "l-apm-repeated-callback-in-present-words": breaks(
            "CBK-DEL-08",
            "A callback that comes again says the present status under the hash of the first time (line 406).",
            _as_it_stands_under_the_old_hash,
        ),
        "l-apm-callback-of-a-release-pending": breaks(
            "CBK-APM-05",
            "The callback of a release says SUCCESS, and PENDING as before it (line 316).",
            NOTICES.saying_where(
                lambda notice: notice.event == "CREDITVOID" and notice.payment.state is State.RELEASED, status="PENDING"
            ),
            since=_NEW,
        ),
        "l-apm-callback-hash-leaves-zeros-out": breaks(
            "CBK-SIG-15",
            "The hash of a callback leaves out values that are 0 (line 406).",
            NOTICES.signed(_hashed_without_zeros),
        ),
    }
)
