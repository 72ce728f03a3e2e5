"""Faults of S2S CARD: look-ups and details."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.design import Change, Design
from emulator.faults.model import Fault
from emulator.faults.moves import reaching_others, unknown_as, unknown_as_forged
from emulator.faults.posts import (
    ANY,
    all_of,
    answering,
    breaking,
    first,
    instead,
    lately,
    leaving_out,
    post,
    saying,
    without,
)
from emulator.payments.model import STATUS, Payment, Protocol, State
from emulator.replies import Kind, Refusal, Reply
from emulator.s2s_card.conduct import CardAttempt
from emulator.s2s_card.lookups import status
from emulator.s2s_card.stages import check_signature, find_order
from emulator.values import Object

_A_WHILE: Final = timedelta(seconds=3)
_STATUS: Final = ("GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER")
_LOOKUPS: Final = (*_STATUS, "GET_TRANS_DETAILS")
_WORDS: Final = ("S2C-*", "CBK-*")
_PAYMENT: Final = Refusal(Kind.NOT_FOUND, "Payment not found.")
_TRANSACTION: Final = Refusal(Kind.NOT_FOUND, "Transaction does not exist.", code=101000)
_OTHER_CODE: Final = Refusal(Kind.NOT_FOUND, "Transaction does not exist.")
_ORDER_OTHER_CODE: Final = Refusal(Kind.NOT_FOUND, "Order does not exist.")
_NOWHERE: Final = Refusal(Kind.NOT_FOUND, "Not found.", code=0, status=404)


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
    """Every second look-up of a settled payment tells it as undecided."""
    payment = attempt.payment
    if payment is not None and payment.state in {State.SETTLED, State.PREPARED}:
        payment.state = State.PREPARED if payment.extras.get("looked at") else payment.state
        payment.extras["looked at"] = True
    return None


def _stale(attempt: CardAttempt) -> Reply:
    """A payment that was changed is told as it was before."""
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
    return leaving_out(("ARN",), *_LOOKUPS)(design)


def _absent_members() -> Iterator[Fault]:
    for name in ("order_id", "trans_id", "status"):
        yield Fault(
            f"look-up-without-{name.replace('_', '-')}",
            ("S2C-STA-01",),
            f"GET_TRANS_STATUS lacks {name}.",
            leaving_out((name,), "GET_TRANS_STATUS"),
            ANY,
        )
    for name in ("status", "amount", "currency", "name", "mail", "ip"):
        yield Fault(
            f"details-without-{name}",
            ("S2C-STA-26",),
            f"GET_TRANS_DETAILS lacks {name}.",
            leaving_out((name,), "GET_TRANS_DETAILS"),
            ("S2C-*",),
        )
    for name in ("type", "status", "date", "amount"):
        yield Fault(
            f"details-steps-without-{name}",
            ("S2C-STA-28",),
            f"The steps of GET_TRANS_DETAILS lack {name}.",
            _without_member(name),
            ("S2C-STA-29",),
        )


def _unknown_ids() -> Iterator[Fault]:
    for action, requirement, refusals in (
        ("GET_TRANS_STATUS", "S2C-STA-16", (("payment", _PAYMENT), ("100000", _OTHER_CODE), ("404", _NOWHERE))),
        (
            "GET_TRANS_STATUS_BY_ORDER",
            "S2C-STA-21",
            (("payment", _PAYMENT), ("100000", _ORDER_OTHER_CODE), ("transaction", _TRANSACTION)),
        ),
        ("GET_TRANS_DETAILS", "S2C-STA-30", (("404", _NOWHERE),)),
    ):
        slug = action.lower().replace("_", "-")
        for name, refusal in refusals:
            yield Fault(
                f"{slug}-unknown-as-{name}",
                (requirement,),
                f"{action} of an unknown id is refused with {refusal.code}, {refusal.message}",
                unknown_as(action, refusal),
                ("GEN-ERR-08",),
                since="6.7.0",
            )
        if requirement != "S2C-STA-30":
            yield Fault(
                f"{slug}-unknown-hash-first",
                (requirement,),
                f"{action} of an unknown id is refused for its signature.",
                unknown_as_forged(action),
                since="6.7.0",
            )


FAULTS: Final = (
    *_absent_members(),
    *_unknown_ids(),
    Fault("look-up-paid", ("S2C-STA-02",), "A paid sale is told as PAID.", _word("SETTLED", "PAID"), _WORDS),
    Fault("look-up-failed", ("S2C-STA-03",), "A declined sale is told as FAILED.", _word("DECLINED", "FAILED"), _WORDS),
    Fault("look-up-held", ("S2C-STA-04",), "An authorization is told as HELD.", _word("PENDING", "HELD"), _WORDS),
    Fault(
        "look-up-settles",
        ("S2C-STA-05",),
        "An authorization settles by itself after a while.",
        lately(_settling, *_LOOKUPS),
        _WORDS,
    ),
    Fault(
        "look-up-result-of-payment",
        ("S2C-STA-06",),
        "The result of a look-up is that of the payment.",
        answering(_by_status, *_LOOKUPS),
        _WORDS,
    ),
    Fault(
        "look-up-without-reason",
        ("S2C-STA-07",),
        "A look-up of a declined payment has no reason.",
        leaving_out(("decline_reason",), *_LOOKUPS),
    ),
    Fault(
        "look-up-always-with-reason",
        ("S2C-STA-07",),
        "Every look-up has a reason for a decline.",
        answering(_reason_always, *_LOOKUPS),
    ),
    *(
        Fault(
            f"look-up-without-{name.replace('_', '-')}",
            (requirement,),
            f"Look-ups lack {name}.",
            leaving_out((name,), *_LOOKUPS),
            related,
        )
        for name, requirement, related in (
            ("recurring_token", "S2C-STA-08", ()),
            ("schedule_id", "S2C-STA-09", ("S2C-SCP-04",)),
            ("digital_wallet", "S2C-STA-10", ()),
        )
    ),
    Fault(
        "look-up-changes",
        ("S2C-STA-11",),
        "A settled payment that is looked up again is told as undecided.",
        lately(_turning, *_LOOKUPS),
        ANY,
    ),
    Fault(
        "look-up-stale",
        ("S2C-CAP-02", "S2C-VOI-02", "S2C-CVD-02"),
        "A payment that was changed is told as it was before.",
        post(*_STATUS, perform=_stale),
        ANY,
    ),
    Fault(
        "look-up-with-empty-arn",
        ("S2C-STA-12",),
        "Look-ups carry ARN empty while there is none.",
        _adding("ARN", "", *_LOOKUPS),
        ("S2C-ANS-14",),
        since="6.7.0",
    ),
    Fault("look-up-without-arn", ("S2C-STA-13",), "Look-ups never carry ARN.", _arn_never, since="6.7.0"),
    Fault(
        "look-up-without-card",
        ("S2C-STA-14",),
        "Look-ups carry no card.",
        leaving_out(("card", "card_expiration_date"), *_STATUS),
        ("S2C-WAL-06",),
        since="6.7.0",
    ),
    Fault(
        "look-up-without-expiry",
        ("S2C-STA-14",),
        "Look-ups carry no date of expiry.",
        leaving_out(("card_expiration_date",), *_LOOKUPS),
        since="6.7.0",
    ),
    Fault(
        "look-up-with-card-unasked",
        ("S2C-STA-15",),
        "Look-ups carry the card whatever the account says.",
        answering(lambda body: {"card": "411111******1111", "card_expiration_date": "01/2038", **body}, *_STATUS),
        ("S2C-WAL-05",),
        since="6.7.0",
    ),
    *(
        Fault(
            f"{action.lower().replace('_', '-')}-unknown-server-error",
            (requirement,),
            f"{action} of an unknown id is told with the code of a later release.",
            unknown_as(action, _TRANSACTION),
            until="6.6.5",
        )
        for action, requirement in (("GET_TRANS_STATUS", "S2C-STA-17"), ("GET_TRANS_STATUS_BY_ORDER", "S2C-STA-22"))
    ),
    Fault(
        "look-up-of-anybodys",
        ("S2C-STA-19",),
        "GET_TRANS_STATUS tells of payments of other merchants.",
        reaching_others("GET_TRANS_STATUS"),
        ("S2C-SIG-*", "GEN-*"),
    ),
    Fault(
        "order-look-up-oldest",
        ("S2C-STA-20",),
        "GET_TRANS_STATUS_BY_ORDER tells of the oldest payment of an order.",
        instead(find_order, _oldest, "GET_TRANS_STATUS_BY_ORDER"),
    ),
    Fault(
        "order-look-up-other-status",
        ("S2C-STA-20",),
        "GET_TRANS_STATUS_BY_ORDER always tells PREPARE.",
        saying("status", "PREPARE", "GET_TRANS_STATUS_BY_ORDER"),
        ("S2C-STA-*", "S2C-TDS-*", "S2C-CAP-*", "S2C-CVD-*", "S2C-VOI-*"),
    ),
    Fault(
        "order-look-up-of-anybodys",
        ("S2C-STA-24",),
        "GET_TRANS_STATUS_BY_ORDER tells of orders of other merchants.",
        all_of(
            instead(find_order, _of_anybody, "GET_TRANS_STATUS_BY_ORDER"),
            without(check_signature, "GET_TRANS_STATUS_BY_ORDER"),
        ),
        ("S2C-SIG-*", "GEN-*"),
    ),
    Fault(
        "order-look-up-size-server-error",
        ("S2C-STA-25",),
        "size on GET_TRANS_STATUS_BY_ORDER is a server error.",
        first(breaking(_has_size), "GET_TRANS_STATUS_BY_ORDER"),
        ("GEN-ERR-11",),
        since="6.7.0",
    ),
    Fault(
        "details-card-unmasked",
        ("S2C-STA-27",),
        "GET_TRANS_DETAILS shows the whole card number.",
        answering(_unmasked, "GET_TRANS_DETAILS"),
        ("S2C-STA-32", "GEN-KEY-03", "S2C-WAL-06"),
    ),
    Fault(
        "details-card-last-four",
        ("S2C-STA-27",),
        "GET_TRANS_DETAILS shows the last four digits only.",
        answering(_other_mask, "GET_TRANS_DETAILS"),
        ("S2C-WAL-06",),
    ),
    Fault("details-without-steps", ("S2C-STA-28",), "GET_TRANS_DETAILS lists nothing.", _steps(lambda _: []), _WORDS),
    Fault("details-without-captures", ("S2C-STA-29",), "GET_TRANS_DETAILS lists no captures.", _steps(_no_captures)),
    Fault(
        "look-up-tells-secrets",
        ("S2C-STA-32",),
        "GET_TRANS_STATUS tells a token and a security code.",
        post("GET_TRANS_STATUS", perform=_with_token),
        ("GEN-KEY-03",),
    ),
    Fault(
        "look-up-unmasked",
        ("S2C-STA-32", "GEN-KEY-03"),
        "Look-ups show whole card numbers.",
        answering(_unmasked, *_LOOKUPS),
        ("S2C-STA-*", "S2C-WAL-06"),
    ),
)
