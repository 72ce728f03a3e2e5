"""Faults of S2S CARD: look-ups and details."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.s2s_card import answering, first, instead, last, leaving_out, post, without
from emulator.changes.s2s_card_moves import unknown_as
from emulator.changes.stages import breakdown_if
from emulator.design import Change, Design, all_of
from emulator.engine.payments import STATUS, Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.messages.lookups import status
from emulator.protocols.s2s_card.stages import check_signature, find_order
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object

_A_WHILE: Final = timedelta(seconds=3)
_STATUS: Final = ("GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER")
_LOOKUPS: Final = (*_STATUS, "GET_TRANS_DETAILS")
_TRANSACTION: Final = Refusal(Kind.NOT_FOUND, "Transaction does not exist.", code=101000)


def _word(before: str, after: str) -> Change:
    return answering(lambda body: body | {"status": after} if body.get("status") == before else body, *_LOOKUPS)


def _by_status(body: Object) -> Object:
    return body | {"result": "DECLINED"} if body.get("status") == "DECLINED" else body


def _reason_always(body: Object) -> Object:
    return {"decline_reason": "Declined by processing", **body}


def _adding(name: str, value: object, *actions: str) -> Change:
    return answering(lambda body: {name: value, **body}, *actions)


def _settling(attempt: CardAttempt) -> Refusal | None:
    """An authorization that is looked up a while after it was made is settled."""
    payment, now = attempt.payment, attempt.gateway.clock.now()
    if payment is not None and payment.state is State.AUTHORIZED and now - payment.created > _A_WHILE:
        payment.state, payment.captured = State.SETTLED, payment.amount
    return None


def _turning(attempt: CardAttempt) -> Refusal | None:
    """Every second look-up of a settled payment reports it as undecided."""
    payment = attempt.payment
    if payment is not None and payment.state in {State.SETTLED, State.PREPARED}:
        payment.state = State.PREPARED if payment.extras.get("looked at") else payment.state
        payment.extras["looked at"] = True
    return None


def _stale(attempt: CardAttempt) -> Reply:
    """A payment that was changed is reported as it was before."""
    reply, payment = status(attempt), attempt.payment
    changed = payment is not None and payment.state in {State.VOIDED, State.REFUNDED, State.RELEASED}
    if payment is None or not (changed or (payment.state is State.SETTLED and payment.intended is State.AUTHORIZED)):
        return reply
    return replace(reply, body=reply.body | {"status": STATUS[payment.intended]})


def _oldest(attempt: CardAttempt) -> Refusal | None:
    refusal = find_order(attempt)
    if refusal is None and attempt.account is not None:
        payments = attempt.gateway.payments.of_order(attempt.account, attempt.form.get("order_id", ""))
        attempt.payment = [one for one in payments if one.protocol is Protocol.S2S_CARD][-1]
    return refusal


def _of_anybody(attempt: CardAttempt) -> Refusal | None:
    number = attempt.form.get("order_id", "")
    found = [payment for account in ACCOUNTS for payment in attempt.gateway.payments.of_order(account, number)]
    others = [payment for payment in found if not _is_own(attempt, payment)]
    attempt.payment = next(iter(others or found), None)
    return find_order(attempt) if attempt.payment is None else None


def _is_own(attempt: CardAttempt, payment: Payment) -> bool:
    return attempt.account is not None and payment.account.key == attempt.account.key


def _has_size(attempt: CardAttempt) -> bool:
    return "size" in attempt.form


def _unmasked(body: Object) -> Object:
    return body | {"card": str(body["card"]).replace("******", "111111")} if "card" in body else body


def _other_mask(body: Object) -> Object:
    return body | {"card": "X" * 12 + str(body["card"])[-4:]} if "card" in body else body


def _steps(change: Callable[[list[object]], list[object]]) -> Change:
    def changed(body: Object) -> Object:
        steps = body.get("transactions")
        return body | {"transactions": change(steps)} if isinstance(steps, list) else body

    return answering(changed, "GET_TRANS_DETAILS")


def _without_member(name: str) -> Change:
    return _steps(
        lambda steps: [
            {key: value for key, value in step.items() if key != name} for step in steps if isinstance(step, dict)
        ]
    )


def _no_captures(steps: list[object]) -> list[object]:
    return [step for step in steps if isinstance(step, dict) and step.get("type") != "CAPTURE"]


def _with_token(attempt: CardAttempt) -> Reply:
    reply = status(attempt)
    token = attempt.payment.card_token if attempt.payment is not None else ""
    return replace(reply, body=reply.body | {"card_token": token or "e" * 64, "card_cvv2": "123"})


def _arn_never(design: Design) -> Design:
    return leaving_out("ARN", *_LOOKUPS)(design)


FAULTS: Final = faults(
    {
        **{
            f"look-up-without-{name.replace('_', '-')}": breaks(
                "S2C-STA-33", f"GET_TRANS_STATUS lacks {name}.", leaving_out(name, "GET_TRANS_STATUS")
            )
            for name in ("order_id", "trans_id")
        },
        "look-up-without-status": breaks(
            "S2C-STA-01", "GET_TRANS_STATUS lacks status.", leaving_out("status", "GET_TRANS_STATUS")
        ),
        **{
            f"details-without-{name}": breaks(
                "S2C-STA-26", f"GET_TRANS_DETAILS lacks {name}.", leaving_out(name, "GET_TRANS_DETAILS")
            )
            for name in ("status", "amount", "currency", "name", "mail", "ip")
        },
        **{
            f"details-steps-without-{name}": breaks(
                "S2C-STA-28", f"The steps of GET_TRANS_DETAILS lack {name}.", _without_member(name)
            )
            for name in ("type", "status", "date", "amount")
        },
        "look-up-paid": breaks("S2C-STA-02", "A paid sale is reported as PAID.", _word("SETTLED", "PAID")),
        "look-up-failed": breaks("S2C-STA-03", "A declined sale is reported as FAILED.", _word("DECLINED", "FAILED")),
        "look-up-held": breaks("S2C-STA-04", "An authorization is reported as HELD.", _word("PENDING", "HELD")),
        "look-up-settles": breaks(
            "S2C-STA-05", "An authorization settles by itself after a while.", last(_settling, *_LOOKUPS)
        ),
        "look-up-result-of-payment": breaks(
            "S2C-STA-06", "The result of a look-up is that of the payment.", answering(_by_status, *_LOOKUPS)
        ),
        "look-up-always-with-reason": breaks(
            "S2C-STA-07", "Every look-up has a reason for a decline.", answering(_reason_always, *_LOOKUPS)
        ),
        **{
            f"look-up-without-{name.replace('_', '-')}": breaks(
                requirement, f"Look-ups lack {name}.", leaving_out(name, *_LOOKUPS)
            )
            for name, requirement in (
                ("recurring_token", "S2C-STA-08"),
                ("schedule_id", "S2C-STA-09"),
                ("digital_wallet", "S2C-STA-10"),
            )
        },
        "look-up-changes": breaks(
            "S2C-STA-11",
            "A settled payment that is looked up again is reported as undecided.",
            last(_turning, *_LOOKUPS),
        ),
        "look-up-stale": breaks(
            "S2C-CAP-02 S2C-VOI-02 S2C-CVD-02",
            "A payment that was changed is reported as it was before.",
            post(*_STATUS, perform=_stale),
        ),
        "look-up-with-empty-arn": breaks(
            "S2C-STA-12",
            "Look-ups carry ARN empty while there is none.",
            _adding("ARN", "", *_LOOKUPS),
            since="6.7.0",
        ),
        "look-up-without-arn": breaks("S2C-STA-13", "Look-ups never carry ARN.", _arn_never, since="6.7.0"),
        **{
            f"{action.lower().replace('_', '-')}-unknown-server-error": breaks(
                requirement,
                f"{action} of an unknown id is refused with the code of a later release.",
                unknown_as(action, _TRANSACTION),
                until="6.6.5",
            )
            for action, requirement in (
                ("GET_TRANS_STATUS", "S2C-STA-17"),
                ("GET_TRANS_STATUS_BY_ORDER", "S2C-STA-22"),
            )
        },
        "order-look-up-oldest": breaks(
            "S2C-STA-20",
            "GET_TRANS_STATUS_BY_ORDER reports the oldest payment of an order.",
            instead(find_order, _oldest, "GET_TRANS_STATUS_BY_ORDER"),
        ),
        "order-look-up-of-anybodys": breaks(
            "S2C-STA-24",
            "GET_TRANS_STATUS_BY_ORDER reports orders of other merchants.",
            all_of(
                instead(find_order, _of_anybody, "GET_TRANS_STATUS_BY_ORDER"),
                without(check_signature, "GET_TRANS_STATUS_BY_ORDER"),
            ),
        ),
        "order-look-up-size-server-error": breaks(
            "S2C-STA-25",
            "size on GET_TRANS_STATUS_BY_ORDER is a server error.",
            first(breakdown_if(_has_size), "GET_TRANS_STATUS_BY_ORDER"),
            since="6.7.0",
        ),
        "details-card-unmasked": breaks(
            "S2C-STA-27",
            "GET_TRANS_DETAILS shows the whole card number.",
            answering(_unmasked, "GET_TRANS_DETAILS"),
        ),
        "details-card-last-four": breaks(
            "S2C-STA-27",
            "GET_TRANS_DETAILS shows the last four digits only.",
            answering(_other_mask, "GET_TRANS_DETAILS"),
        ),
        "details-without-steps": breaks("S2C-STA-28", "GET_TRANS_DETAILS lists nothing.", _steps(lambda _: [])),
        "details-without-captures": breaks("S2C-STA-29", "GET_TRANS_DETAILS lists no captures.", _steps(_no_captures)),
        "look-up-show-secrets": breaks(
            "S2C-STA-32",
            "GET_TRANS_STATUS reports a token and a security code.",
            post("GET_TRANS_STATUS", perform=_with_token),
        ),
        "look-up-unmasked": breaks(
            "S2C-STA-32 GEN-KEY-03", "Look-ups show whole card numbers.", answering(_unmasked, *_LOOKUPS)
        ),
    }
)
