"""Faults of S2S CARD payments: which amounts are taken, what is held, and what the sandbox's words are."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.accounts import Account
from emulator.changes.s2s_card import answering, first, leaving_out
from emulator.changes.stages import breakdown_if, refusal_if
from emulator.design import Change, Design, all_of
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.rules.amounts import is_zero
from emulator.rules.model import Rule
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.wire.values import Object

_ZERO: Final = Refusal(Kind.CARD_FIELDS, "amount: This value should be greater than 0.")
_OTHER_ZERO: Final = Refusal(Kind.CARD_FIELDS, INVALID_DATA, violations=(("order_amount", "Too little."),))
_MODE: Final = Refusal(Kind.CARD_FIELDS, "Payment mode not supported", code=204003)
_PLAIN: Final = ("SALE", "DEBIT")


def _intending(intended: Callable[[Account, str], State]) -> Change:
    return lambda design: design.in_card(intended=intended)


def _held(auth: str, *values: str) -> State:
    return State.AUTHORIZED if auth in values else State.SETTLED


def _any_value(design: Design) -> Design:
    changed = design.with_sale_rows(lambda row: None if (row.path, row.keyword) == ("auth", "enum") else row)
    return changed.in_card(intended=lambda _account, auth: State.SETTLED if auth in {"", "N"} else State.AUTHORIZED)


def _zero(attempt: CardAttempt) -> bool:
    amount = attempt.form.get("order_amount", "")
    return bool(amount) and is_zero(amount)


def _zero_with(name: str) -> Callable[[CardAttempt], bool]:
    return lambda attempt: _zero(attempt) and attempt.form.get(name) == "Y"


def _plain_zero(attempt: CardAttempt) -> bool:
    return _zero(attempt) and "Y" not in {attempt.form.get("auth"), attempt.form.get("recurring_init")}


def _zero_or_more(row: Rule) -> Rule:
    if (row.path, row.keyword) != ("order_amount", "positive"):
        return row
    return replace(row, bound=lambda value, _parent, _context: not str(value).startswith("-"))


def _zero_taken(*actions: str) -> Change:
    return lambda design: design.with_post_rows(_zero_or_more, *actions)


def _zero_when(*names: str) -> Change:
    return lambda design: replace(design, amounts=replace(design.amounts, zero_when=names))


def _any_provider(row: Rule) -> Rule:
    if (row.path, row.keyword) != ("order_amount", "positive"):
        return row
    return replace(row, bound=lambda value, parent, _context: _more(str(value)) or "Y" in _flags(parent))


def _more(amount: str) -> bool:
    return not is_zero(amount) and not amount.startswith("-")


def _flags(parent: object) -> set[object]:
    return {parent.get("auth"), parent.get("recurring_init")} if isinstance(parent, dict) else set()


def _of_mode(mode: str, auth: bool) -> Callable[[CardAttempt], bool]:  # noqa: FBT001 - named at each call
    def applies(attempt: CardAttempt) -> bool:
        asked = attempt.form.get("auth") == "Y"
        return attempt.account is not None and attempt.account.mode == mode and asked is auth

    return applies


def _declined_status(reply: Reply) -> Reply:
    return replace(reply, status=400) if reply.body.get("result") == "DECLINED" else reply


def _cents(body: Object) -> Object:
    return body | {"amount": str(body.get("amount", "")).replace(".", "")}


def _iso(body: Object) -> Object:
    return body | {"trans_date": str(body.get("trans_date", "")).replace(" ", "T") + "Z"}


def _numbers(body: Object) -> Object:
    return body | {"amount": float(str(body["amount"]))} if "amount" in body else body


def _nulls(body: Object) -> Object:
    return {"decline_reason": None, "recurring_token": None, "card_token": None, **body}


def _lower(body: Object) -> Object:
    return body | {"currency": str(body.get("currency", "")).lower()}


FAULTS: Final = faults(
    {
        "auth-ignored": breaks(
            "S2C-AMT-01", "auth=Y settles at once.", _intending(lambda _account, _auth: State.SETTLED)
        ),
        "auth-n-holds": breaks(
            "S2C-AMT-02", "auth=N holds the amount.", _intending(lambda _account, auth: _held(auth, "Y", "N"))
        ),
        "plain-sale-holds": breaks(
            "S2C-AMT-02",
            "A sale without auth holds the amount.",
            _intending(lambda _account, auth: _held(auth, "Y", "")),
        ),
        "auth-any-value-holds": breaks("S2C-AMT-03", "Every value of auth but N holds the amount.", _any_value),
        "zero-sale-accepted": breaks("S2C-AMT-04", "A plain sale of nothing is accepted.", _zero_taken("SALE")),
        "zero-sale-other-text": breaks(
            "S2C-AMT-04",
            "A plain sale of nothing is refused in other words.",
            first(refusal_if(_plain_zero, _OTHER_ZERO), "SALE"),
        ),
        "zero-authorization-refused": breaks(
            "S2C-AMT-05",
            "An authorization of nothing is refused.",
            first(refusal_if(_zero_with("auth"), _ZERO), "SALE"),
            since="6.7.0",
        ),
        "zero-chain-refused": breaks(
            "S2C-AMT-06",
            "A chain that starts with nothing is refused.",
            first(refusal_if(_zero_with("recurring_init"), _ZERO), "SALE"),
            since="6.7.0",
        ),
        "zero-whatever-the-provider": breaks(
            "S2C-AMT-07",
            "Nobody looks whether the provider takes zero amounts.",
            lambda design: design.with_sale_rows(_any_provider),
            since="6.7.0",
        ),
        "zero-authorization-early": breaks(
            "S2C-AMT-08",
            "An authorization of nothing is accepted before its release.",
            _zero_when("auth", "recurring_init"),
            until="6.6.5",
        ),
        "zero-debit-chain-refused": breaks(
            "S2C-AMT-09",
            "A chain of debits that starts with nothing is refused.",
            first(refusal_if(_zero_with("recurring_init"), _ZERO), "DEBIT"),
            since="6.7.0",
        ),
        "zero-debit-accepted": breaks("S2C-AMT-10", "A plain debit of nothing is accepted.", _zero_taken("DEBIT")),
        "authorizations-refused": breaks(
            "S2C-AMT-13",
            "An account without payment mode serves no authorizations.",
            first(refusal_if(lambda attempt: attempt.form.get("auth") == "Y", _MODE), "SALE"),
        ),
        "sms-authorization-server-error": breaks(
            "S2C-AMT-14",
            "An authorization of an SMS account is a server error.",
            first(breakdown_if(_of_mode("SMS", auth=True)), "SALE"),
        ),
        "dms-sale-server-error": breaks(
            "S2C-AMT-15",
            "A plain sale of a DMS account is a server error.",
            first(breakdown_if(_of_mode("DMS", auth=False)), "SALE"),
        ),
        **{
            f"sale-answer-without-{name.replace('_', '-')}": breaks(
                requirement, f"The answer to a sale lacks {name}.", leaving_out(name, "SALE")
            )
            for name, requirement in (
                ("action", "S2C-ANS-01"),
                ("order_id", "S2C-ANS-01"),
                ("trans_id", "S2C-ANS-01"),
                ("trans_date", "S2C-ANS-06"),
                ("amount", "S2C-ANS-06"),
                ("currency", "S2C-ANS-06"),
                ("descriptor", "S2C-ANS-07"),
                ("decline_reason", "S2C-ANS-05"),
            )
        },
        "declined-answer-status-400": breaks(
            "S2C-ANS-04",
            "A declined payment is answered with HTTP 400.",
            lambda design: design.filtering(_declined_status),
        ),
        "sale-answer-in-cents": breaks("S2C-ANS-08", "The amount is answered in cents.", answering(_cents, "SALE")),
        "sale-answer-currency-small": breaks(
            "S2C-ANS-08", "The currency is answered in small letters.", answering(_lower, "SALE")
        ),
        "sale-answer-trans-id-of-nothing": breaks(
            "S2C-STA-01",
            "The answer names another trans_id than the one under which the payment is kept.",
            answering(lambda body: body | {"trans_id": f"T{body.get('trans_id')}"}, "SALE"),
        ),
        "sale-answer-iso-date": breaks("S2C-ANS-10", "trans_date is written with T and Z.", answering(_iso, "SALE")),
        "sale-answer-amount-number": breaks(
            "S2C-ANS-13", "The amount is answered as a number.", answering(_numbers, "SALE")
        ),
        "sale-answer-nulls": breaks("S2C-ANS-14", "Members without value are null.", answering(_nulls, "SALE")),
        "zero-sale-and-debit-server-error": breaks(
            "S2C-AMT-04 S2C-AMT-10",
            "A payment of nothing is a server error.",
            first(breakdown_if(_plain_zero), *_PLAIN),
        ),
        "recurring-zero-other-text": breaks(
            "S2C-AMT-12",
            "A RECURRING_SALE of nothing is refused in other words.",
            all_of(first(refusal_if(_zero, _OTHER_ZERO), "RECURRING_SALE")),
        ),
    }
)
