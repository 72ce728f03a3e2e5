"""Faults of S2S CARD: look-ups that tell of another payment or another time, and schedules that are not kept apart."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from emulator.accounts import Account
from emulator.callbacks.notice import Notice
from emulator.design import Change, Design
from emulator.faults.model import Fault
from emulator.faults.posts import ANY, all_of, answering, instead, leaving_out, post, telling
from emulator.payments.model import STATUS, Payment, Protocol, State
from emulator.payments.schedules import Schedule
from emulator.replies import Kind, Refusal, Reply
from emulator.s2s_card import lookups, scheduling
from emulator.s2s_card.conduct import CardAttempt, Perform
from emulator.s2s_card.posts import POSTS
from emulator.s2s_card.record import record_of
from emulator.s2s_card.stages import check_deprecated
from emulator.values import Object

_LOOKED_UP: Final = ("S2C-STA-*", "S2C-VOI-*", "S2C-CVD-*", "S2C-CAP-*")
_SCHEDULES: Final = ("S2C-SCH-*", "S2C-SCP-*", "S2C-SIG-*", "GEN-*")


def _telling(action: str, tell: Callable[[Payment, Object], Object]) -> Change:
    """What a look-up answers is changed by the payment that it is about."""
    perform: Perform = POSTS[action].perform

    def performed(attempt: CardAttempt) -> Reply:
        reply = perform(attempt)
        return reply if attempt.payment is None else replace(reply, body=reply.body | tell(attempt.payment, reply.body))

    return post(action, perform=performed)


def _stale_in(state: State) -> Callable[[Payment, Object], Object]:
    return lambda payment, _body: {"status": STATUS[payment.intended]} if payment.state is state else {}


def _pending_if_captured(payment: Payment, _body: Object) -> Object:
    captured = payment.state is State.SETTLED and payment.intended is State.AUTHORIZED
    return {"status": "PENDING"} if captured else {}


def _amount_if(applies: Callable[[Payment], bool]) -> Callable[[Payment, Object], Object]:
    return lambda payment, _body: {"amount": "1.23"} if applies(payment) else {}


def _other_card(payment: Payment, _body: Object) -> Object:
    return {"card": "555555******4444"} if record_of(payment).by_token else {}


def _without_step(kind: str) -> Callable[[Payment, Object], Object]:
    def tell(_payment: Payment, body: Object) -> Object:
        steps = body.get("transactions")
        return {"transactions": [step for step in steps if step.get("type") != kind]} if isinstance(steps, list) else {}

    return tell


def _whole_captured(payment: Payment, body: Object) -> Object:
    steps = body.get("transactions")
    if not isinstance(steps, list):
        return {}
    whole = [step | {"amount": payment.amount_text} if step.get("type") == "CAPTURE" else step for step in steps]
    return {"transactions": whole}


def _settled_if_declined(action: str) -> Callable[[Payment, Object], Object]:
    return lambda payment, _body: (
        {"status": "SETTLED"} if payment.action == action and payment.state is State.DECLINED else {}
    )


def _of_the_last(attempt: CardAttempt) -> Reply:
    reply = lookups.status(attempt)
    return replace(reply, body=reply.body | {"status": attempt.gateway.payments.latest(1)[0].status})


def _small_order(body: Object) -> Object:
    return body | {"order_id": str(body["order_id"]).lower()} if "order_id" in body else body


Deed = Callable[[CardAttempt, Schedule], None]


def _to_all_schedules(action: str, deed: Deed) -> Change:
    """What is done to one schedule of a merchant is done to every one that was created."""

    def change(design: Design) -> Design:
        created: list[Schedule] = []
        create, perform = design.posts["CREATE_SCHEDULE"].perform, design.posts[action].perform

        def creating(attempt: CardAttempt) -> Reply:
            reply = create(attempt)
            identifier = str(reply.body.get("schedule_id", ""))
            found = attempt.gateway.schedules.find(attempt.account, identifier) if attempt.account else None
            created.extend([found] if found is not None else [])
            return reply

        def performing(attempt: CardAttempt) -> Reply:
            reply = perform(attempt)
            for schedule in created:
                if attempt.account is not None and schedule.owner == attempt.account.key:
                    deed(attempt, schedule)
            return reply

        return all_of(post("CREATE_SCHEDULE", perform=creating), post(action, perform=performing))(design)

    return change


def _pause(_attempt: CardAttempt, schedule: Schedule) -> None:
    schedule.paused = True


def _delete(_attempt: CardAttempt, schedule: Schedule) -> None:
    schedule.deleted = True


def _update(attempt: CardAttempt, schedule: Schedule) -> None:
    schedule.terms.update(_sent(attempt))


def _sent(attempt: CardAttempt) -> dict[str, str]:
    return {name: attempt.form[name] for name in scheduling.TERMS if attempt.form.get(name)}


def _success(attempt: CardAttempt) -> Reply:
    return Reply(Kind.SCHEDULE, 200, {"action": attempt.action, "result": "SUCCESS"})


def _runs_without_charging(attempt: CardAttempt) -> Reply:
    if attempt.schedule is not None:
        attempt.schedule.paused = False
    return _success(attempt)


def _one_parameter(attempt: CardAttempt) -> Reply:
    if attempt.schedule is not None:
        attempt.schedule.terms.update(dict(list(_sent(attempt).items())[:1]))
    return _success(attempt)


def _zero_delays(attempt: CardAttempt) -> Refusal | None:
    return None if attempt.form.get("delays") == "0" else check_deprecated(attempt)


def _scheduled_amount_at_once(attempt: CardAttempt) -> Reply:
    amount = attempt.form.get("payment_schedule_amount")
    if amount:
        attempt.form = {**attempt.form, "order_amount": amount}
    return POSTS["SALE"].perform(attempt)


def _other_currency(notice: Notice) -> Iterator[Notice]:
    scheduled = notice.payment.protocol is Protocol.S2S_CARD and notice.payment.chain and notice.payment.schedule_id
    yield replace(notice, fields={**notice.fields, "currency": "XTS"}) if scheduled else notice


def _same_frame(design: Design) -> Design:
    inner = design.card.link_target

    def target(account: Account, wanted: str, release: str) -> str:
        return inner(account, "_self" if wanted == "_blank" else wanted, release)

    return design.in_card(link_target=target)


def _declines_nothing(attempt: CardAttempt) -> Reply:
    """Amounts of zero are taken and then declined."""
    reply = POSTS["SALE"].perform(attempt)
    nothing = attempt.form.get("order_amount", "").strip("0.") == ""
    return replace(reply, body=reply.body | {"result": "DECLINED", "status": "DECLINED"}) if nothing else reply


def _fault(name: str, requirement: str, summary: str, change: Change, related: tuple[str, ...] = _LOOKED_UP) -> Fault:
    return Fault(name, (requirement,), summary, change, related, since="6.7.0")


FAULTS: Final = (
    *(
        _fault(
            f"{slug}-stale-after-{done}",
            requirement,
            f"{action} tells a payment as it was before it was {done}.",
            _telling(action, _stale_in(state)),
        )
        for slug, action in (("order-look-up", "GET_TRANS_STATUS_BY_ORDER"), ("details", "GET_TRANS_DETAILS"))
        for done, state, requirement in (
            ("voided", State.VOIDED, "S2C-VOI-02"),
            ("refunded", State.REFUNDED, "S2C-CVD-02"),
            ("released", State.RELEASED, "S2C-CVD-06"),
        )
    ),
    _fault(
        "order-look-up-stale-after-captured",
        "S2C-CAP-02",
        "GET_TRANS_STATUS_BY_ORDER tells a captured payment as PENDING.",
        _telling("GET_TRANS_STATUS_BY_ORDER", _pending_if_captured),
    ),
    _fault(
        "look-up-of-the-last",
        "S2C-STA-02",
        "GET_TRANS_STATUS tells the status of the payment that was made last.",
        post("GET_TRANS_STATUS", perform=_of_the_last),
        ANY,
    ),
    *(
        _fault(
            f"declined-{slug}-told-as-settled",
            requirement,
            f"A declined {action} is told as SETTLED.",
            _telling("GET_TRANS_STATUS", _settled_if_declined(action)),
            ANY,
        )
        for slug, action, requirement in (("debit", "DEBIT", "S2C-DEB-08"), ("payout", "CREDIT2CARD", "S2C-PAY-12"))
    ),
    _fault(
        "details-amount-of-debit",
        "S2C-STA-26",
        "GET_TRANS_DETAILS tells another amount of what is no sale.",
        _telling("GET_TRANS_DETAILS", _amount_if(lambda payment: payment.action != "SALE" and not payment.chain)),
    ),
    _fault(
        "details-amount-of-recurring-sale",
        "S2C-STA-26",
        "GET_TRANS_DETAILS tells another amount of recurring payments.",
        _telling("GET_TRANS_DETAILS", _amount_if(lambda payment: bool(payment.chain))),
    ),
    _fault(
        "details-card-of-token",
        "S2C-STA-27",
        "GET_TRANS_DETAILS tells another card of payments by token.",
        _telling("GET_TRANS_DETAILS", _other_card),
    ),
    *(
        _fault(
            f"details-without-{kind.lower()}",
            "S2C-STA-28",
            f"GET_TRANS_DETAILS does not list a {kind}.",
            _telling("GET_TRANS_DETAILS", _without_step(kind)),
        )
        for kind in ("VOID", "REFUND")
    ),
    _fault(
        "details-capture-whole",
        "S2C-CAP-05",
        "GET_TRANS_DETAILS lists the capture of a part as one of the whole.",
        _telling("GET_TRANS_DETAILS", _whole_captured),
    ),
    *(
        _fault(
            f"{slug}-of-settled-with-empty-arn",
            "S2C-STA-12",
            f"{action} of a settled payment tells ARN empty.",
            answering(lambda body: {"ARN": "", **body} if body.get("status") == "SETTLED" else body, action),
        )
        for slug, action in (("look-up", "GET_TRANS_STATUS"), ("details", "GET_TRANS_DETAILS"))
    ),
    _fault("answers-small-order", "S2C-ANS-01", "order_id is answered in small letters.", answering(_small_order), ANY),
    _fault(
        "declined-debit-without-reason",
        "S2C-DEB-08",
        "A declined debit is answered without decline_reason.",
        leaving_out(("decline_reason",), "DEBIT"),
        ("S2C-DEB-*",),
    ),
    _fault(
        "zero-authorization-declined",
        "S2C-AMT-05",
        "Authorizations of nothing are declined.",
        post("SALE", perform=_declines_nothing),
        ("S2C-AMT-*",),
    ),
    _fault("link-target-blank-ignored", "S2C-TDS-13", "_blank counts as _self.", _same_frame, ()),
    *(
        _fault(
            f"{action.lower().replace('_', '-')}-of-all",
            requirement,
            f"{action} of one schedule does it to all.",
            _to_all_schedules(action, deed),
            _SCHEDULES,
        )
        for action, requirement, deed in (
            ("PAUSE", "S2C-SCH-50", _pause),
            ("DELETE_SCHEDULE", "S2C-SCH-43", _delete),
            ("UPDATE_SCHEDULE", "S2C-SCH-32", _update),
        )
    ),
    _fault(
        "run-charges-nobody",
        "S2C-SCH-53",
        "A schedule that was paused charges nobody any more.",
        post("RUN", perform=_runs_without_charging),
        _SCHEDULES,
    ),
    _fault(
        "update-schedule-one-parameter",
        "S2C-SCH-31",
        "UPDATE_SCHEDULE changes the first of several parameters only.",
        post("UPDATE_SCHEDULE", perform=_one_parameter),
        _SCHEDULES,
    ),
    *(
        _fault(
            f"{action.lower().replace('_', '-')}-zero-delays",
            requirement,
            f"{action} takes delays of 0.",
            instead(check_deprecated, _zero_delays, action),
            ("GEN-*",),
        )
        for action, requirement in (("CREATE_SCHEDULE", "S2C-SCH-16"), ("UPDATE_SCHEDULE", "S2C-SCH-17"))
    ),
    _fault(
        "schedule-amount-at-once",
        "S2C-SCP-14",
        "The sale itself is of payment_schedule_amount.",
        post("SALE", perform=_scheduled_amount_at_once),
        _SCHEDULES,
    ),
    _fault(
        "scheduled-charges-other-currency",
        "S2C-SCP-14",
        "Schedules charge in another currency.",
        telling(_other_currency),
        ("CBK-*",),
    ),
)
