"""Ways to change S2S APM: stages, handlers and answers."""

from collections.abc import Callable, Mapping
from typing import Final

from emulator.changes.answers import AnswerBodies
from emulator.changes.notices import Notices
from emulator.changes.stages import Stages, StagesChange
from emulator.design import Change, Design
from emulator.engine.payments import Payment, Protocol
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler, ApmStage
from emulator.protocols.s2s_apm.stages import check_fields, check_signature
from emulator.protocols.shared import check_merchant
from emulator.rules.s2s_apm.brands import Outcome, payout_outcome
from emulator.wire.nested_forms import nested
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import MalformedError, read_json, text_of

ON_TRANSACTIONS: Final = ("CAPTURE", "CREDITVOID", "VOID", "GET_TRANS_STATUS")
ANSWERED: Final = (
    Kind.APM_SALE,
    Kind.APM_CAPTURE,
    Kind.APM_CREDITVOID,
    Kind.APM_VOID,
    Kind.APM_STATUS,
    Kind.APM_PAYOUT,
)
Around = Callable[[ApmHandler, ApmAttempt, ApmGateway], Reply]


def _reach(design: Design, change: StagesChange[ApmAttempt], actions: tuple[str, ...]) -> Design:
    return design.in_apm(
        stages={
            action: change(stages) if not actions or action in actions else stages
            for action, stages in design.apm.stages.items()
        }
    )


_STAGES: Final[Stages[ApmAttempt]] = Stages(_reach)
without, instead, unless, refused_as = _STAGES.without, _STAGES.instead, _STAGES.unless, _STAGES.refused_as
first, last = _STAGES.first, _STAGES.last
_ANSWERS: Final[AnswerBodies[Kind]] = AnswerBodies(lambda reply, kinds: reply.kind in kinds)
answering, leaving_out, saying = _ANSWERS.changed, _ANSWERS.without, _ANSWERS.saying
answering_where, saying_where = _ANSWERS.where, _ANSWERS.saying_where
NOTICES: Final = Notices(Protocol.S2S_APM)


def around(act: Around, *actions: str) -> Change:
    """``act`` answers in the place of the handlers of ``actions``; it is given the handler that it replaces."""

    def wrapped(handler: ApmHandler) -> ApmHandler:
        return lambda attempt, gateway: act(handler, attempt, gateway)

    return lambda design: design.in_apm(
        handlers={
            action: wrapped(handler) if action in actions else handler
            for action, handler in design.apm.handlers.items()
        }
    )


def payment_made(attempt: ApmAttempt, gateway: ApmGateway, reply: Reply) -> Payment | None:
    """The payment that a post made."""
    if reply.is_error or attempt.account is None:
        return None
    return gateway.payments.find(attempt.account, str(reply.body.get("trans_id")))


def payouts_open_first(design: Design) -> Design:
    """Payouts are answered as undecided, and decided a moment later."""

    def outcome(email: str) -> Outcome:
        found = payout_outcome(email)
        return Outcome.UNDEFINED if found is Outcome.PAID else found

    return design.in_apm(payout_outcome=outcome, settling=1.0)


def signature_before_fields(stages: tuple[ApmStage, ...]) -> tuple[ApmStage, ...]:
    """The stages of an action with that of the signature before that of the fields."""
    others = tuple(stage for stage in stages if stage not in {check_merchant, check_signature})
    # Another change may look at the fields by a stage of its own.
    place = others.index(check_fields) if check_fields in others else 0
    return (*others[:place], check_merchant, check_signature, *others[place:])


def finding_nothing(action: str, refusal: Refusal) -> Change:
    """What is said to a transaction that the merchant does not have."""
    return lambda design: design.in_apm(not_found={**design.apm.not_found, action: refusal})


def reading(name: str, tidy: Callable[[str], str], actions: tuple[str, ...]) -> Change:
    """The rules see a field tidied up; the signature is made of what was sent."""

    def stage(attempt: ApmAttempt) -> Refusal | None:
        sent, body = attempt.form, attempt.body
        value = sent.get(name)
        if value:
            attempt.form = {**sent, name: tidy(value)}
            attempt.body = nested(attempt.form)
        try:
            return check_fields(attempt)
        finally:
            attempt.form, attempt.body = sent, body

    return instead(check_fields, stage, *actions)


def reading_bodies(kind: str, read: Callable[[bytes, str], Mapping[str, str]]) -> Change:
    """Bodies of a media type are read like this."""
    return lambda design: design.in_apm(readers={**design.apm.readers, kind: read})


def json_form(body: bytes) -> dict[str, str]:
    """The members of a JSON object as fields of a form; none where the body is no such object."""
    try:
        value = read_json(body)
    except MalformedError:
        return {}
    return {name: text_of(item) for name, item in value.items()} if isinstance(value, dict) else {}
