"""Faults of S2S CARD: look-ups that report another payment or another time, and schedules that are not kept apart."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from emulator.accounts import Account
from emulator.changes.notices import EVERY_NOTICE
from emulator.changes.s2s_card import answering, instead, post
from emulator.design import Change, Design, all_of
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import STATUS, Payment, Protocol, State
from emulator.engine.schedules import Schedule
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card import schedules
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.protocols.s2s_card.messages import lookups
from emulator.protocols.s2s_card.messages.action_table import POSTS
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.protocols.s2s_card.stages import check_deprecated
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object


def _looking_up(action: str, change: Callable[[Payment, Object], Object]) -> Change:
    """What a look-up answers is changed by the payment that it is about."""
    perform: Perform = POSTS[action].perform

    def performed(attempt: CardAttempt) -> Reply:
        reply = perform(attempt)
        return (
            reply if attempt.payment is None else replace(reply, body=reply.body | change(attempt.payment, reply.body))
        )

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
    def change(_payment: Payment, body: Object) -> Object:
        steps = body.get("transactions")
        return {"transactions": [step for step in steps if step.get("type") != kind]} if isinstance(steps, list) else {}

    return change


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
    return {name: attempt.form[name] for name in schedules.TERMS if attempt.form.get(name)}


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


FAULTS: Final = faults(
    {
        **{
            f"{slug}-stale-after-{done}": breaks(
                requirement,
                f"{action} reports a payment as it was before it was {done}.",
                _looking_up(action, _stale_in(state)),
            )
            for slug, action in (("order-look-up", "GET_TRANS_STATUS_BY_ORDER"), ("details", "GET_TRANS_DETAILS"))
            for done, state, requirement in (
                ("voided", State.VOIDED, "S2C-VOI-02"),
                ("refunded", State.REFUNDED, "S2C-CVD-02"),
                ("released", State.RELEASED, "S2C-CVD-06"),
            )
        },
        "order-look-up-stale-after-captured": breaks(
            "S2C-CAP-02",
            "GET_TRANS_STATUS_BY_ORDER reports a captured payment as PENDING.",
            _looking_up("GET_TRANS_STATUS_BY_ORDER", _pending_if_captured),
        ),
        "look-up-of-the-last": breaks(
            "S2C-STA-02",
            "GET_TRANS_STATUS reports the status of the payment that was made last.",
            post("GET_TRANS_STATUS", perform=_of_the_last),
        ),
        **{
            f"declined-{slug}-reported-as-settled": breaks(
                requirement,
                f"A declined {action} is reported as SETTLED.",
                _looking_up("GET_TRANS_STATUS", _settled_if_declined(action)),
            )
            for slug, action, requirement in (("debit", "DEBIT", "S2C-DEB-08"), ("payout", "CREDIT2CARD", "S2C-PAY-12"))
        },
        "details-amount-of-debit": breaks(
            "S2C-STA-26",
            "GET_TRANS_DETAILS reports another amount of what is no sale.",
            _looking_up(
                "GET_TRANS_DETAILS", _amount_if(lambda payment: payment.action != "SALE" and not payment.chain)
            ),
        ),
        "details-amount-of-recurring-sale": breaks(
            "S2C-STA-26",
            "GET_TRANS_DETAILS reports another amount of recurring payments.",
            _looking_up("GET_TRANS_DETAILS", _amount_if(lambda payment: bool(payment.chain))),
        ),
        "details-card-of-token": breaks(
            "S2C-STA-27",
            "GET_TRANS_DETAILS reports another card of payments by token.",
            _looking_up("GET_TRANS_DETAILS", _other_card),
        ),
        **{
            f"details-without-{kind.lower()}": breaks(
                "S2C-STA-28",
                f"GET_TRANS_DETAILS does not list a {kind}.",
                _looking_up("GET_TRANS_DETAILS", _without_step(kind)),
            )
            for kind in ("VOID", "REFUND")
        },
        "details-capture-whole": breaks(
            "S2C-CAP-05",
            "GET_TRANS_DETAILS lists the capture of a part as one of the whole.",
            _looking_up("GET_TRANS_DETAILS", _whole_captured),
        ),
        **{
            f"{slug}-of-settled-with-empty-arn": breaks(
                "S2C-STA-12",
                f"{action} of a settled payment reports ARN empty.",
                answering(lambda body: {"ARN": "", **body} if body.get("status") == "SETTLED" else body, action),
            )
            for slug, action in (("look-up", "GET_TRANS_STATUS"), ("details", "GET_TRANS_DETAILS"))
        },
        "answers-small-order": breaks("S2C-ANS-01", "order_id is answered in small letters.", answering(_small_order)),
        "zero-authorization-declined": breaks(
            "S2C-AMT-05", "Authorizations of nothing are declined.", post("SALE", perform=_declines_nothing)
        ),
        "link-target-blank-ignored": breaks("S2C-TDS-13", "_blank counts as _self.", _same_frame),
        **{
            f"{action.lower().replace('_', '-')}-of-all": breaks(
                requirement, f"{action} of one schedule does it to all.", _to_all_schedules(action, deed)
            )
            for action, requirement, deed in (
                ("PAUSE", "S2C-SCH-50", _pause),
                ("DELETE_SCHEDULE", "S2C-SCH-43", _delete),
                ("UPDATE_SCHEDULE", "S2C-SCH-32", _update),
            )
        },
        "run-charges-nobody": breaks(
            "S2C-SCH-53",
            "A schedule that was paused charges nobody any more.",
            post("RUN", perform=_runs_without_charging),
        ),
        "update-schedule-one-parameter": breaks(
            "S2C-SCH-31",
            "UPDATE_SCHEDULE changes the first of several parameters only.",
            post("UPDATE_SCHEDULE", perform=_one_parameter),
        ),
        **{
            f"{action.lower().replace('_', '-')}-zero-delays": breaks(
                requirement, f"{action} takes delays of 0.", instead(check_deprecated, _zero_delays, action)
            )
            for action, requirement in (("CREATE_SCHEDULE", "S2C-SCH-16"), ("UPDATE_SCHEDULE", "S2C-SCH-17"))
        },
        "schedule-amount-at-once": breaks(
            "S2C-SCP-14",
            "The sale itself is of payment_schedule_amount.",
            post("SALE", perform=_scheduled_amount_at_once),
        ),
        "scheduled-charges-other-currency": breaks(
            "S2C-SCP-14", "Schedules charge in another currency.", EVERY_NOTICE.changed(_other_currency)
        ),
    },
    since="6.7.0",
)
