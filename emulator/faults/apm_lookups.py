"""Faults of S2S APM look-ups, and of instant QR payments."""

import base64
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from emulator.design import Change, Design
from emulator.faults.apm import EVERYTHING, answering, around, finding_nothing, instead, leaving_out, saying
from emulator.faults.apm_payments import SINCE_AUTH, of_anybody
from emulator.faults.model import Fault
from emulator.payments.model import Payment, State
from emulator.payments.moves import Move
from emulator.replies import Kind, Refusal, Reply
from emulator.s2s_apm.brands import BANK_REPORTS
from emulator.s2s_apm.conduct import ApmAttempt, ApmHandler
from emulator.s2s_apm.stages import find_payment

if TYPE_CHECKING:
    from emulator.gateway import Gateway

_STATUS: Final = Kind.APM_STATUS
_SALE: Final = Kind.APM_SALE
_ON_LOOK_UPS: Final = ("APM-*", "CBK-*")
_ON_CODES: Final = ("APM-QRC-*",)


def _told(states: tuple[State, ...], word: str) -> Change:
    """Payments in ``states`` are told as ``word``."""

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: "Gateway") -> Reply:
        reply = handler(attempt, gateway)
        stands = attempt.payment is not None and attempt.payment.state in states
        return replace(reply, body=reply.body | {"status": word}) if stands else reply

    return around(act, "GET_TRANS_STATUS")


def _captured_told(handler: ApmHandler, attempt: ApmAttempt, gateway: "Gateway") -> Reply:
    reply = handler(attempt, gateway)
    steps = attempt.payment.transactions if attempt.payment is not None else []
    captured = bool(steps) and steps[-1].type == Move.CAPTURE.value
    return replace(reply, body=reply.body | {"status": "PENDING"}) if captured else reply


def _result_of_payment(handler: ApmHandler, attempt: ApmAttempt, gateway: "Gateway") -> Reply:
    reply = handler(attempt, gateway)
    declined = attempt.payment is not None and attempt.payment.state is State.DECLINED
    return replace(reply, body=reply.body | {"result": "DECLINED"}) if declined else reply


def _changing_its_mind(design: Design) -> Design:
    asked: dict[str, int] = {}

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: "Gateway") -> Reply:
        reply = handler(attempt, gateway)
        trans_id = attempt.form.get("trans_id", "")
        asked[trans_id] = asked.get(trans_id, 0) + 1
        again = asked[trans_id] > 1 and reply.body.get("status") == "SETTLED"
        return replace(reply, body=reply.body | {"status": "REFUND"}) if again else reply

    return around(act, "GET_TRANS_STATUS")(design)


def _payments_only(attempt: ApmAttempt) -> Refusal | None:
    refusal = find_payment(attempt)
    payout = attempt.payment is not None and attempt.payment.action == "CREDIT2VIRTUAL"
    return attempt.gateway.design.apm.not_found[attempt.action] if payout else refusal


def _reason_always(body: dict[str, object]) -> Mapping[str, object]:
    return {"decline_reason": "Approved", **body}


def _with_params(change: Callable[[str], object]) -> Change:
    def changed(body: dict[str, object]) -> Mapping[str, object]:
        params = body.get("redirect_params")
        code = params.get("qr_code") if isinstance(params, dict) else None
        return body | {"redirect_params": change(code)} if isinstance(code, str) else body

    return answering(changed, _SALE)


def _no_code(_code: str) -> object:
    return {}


def _web_address(_code: str) -> object:
    return {"qr_code": "https://gateway.example/qr/1.png"}


def _text_in_code(_code: str) -> object:
    return {"qr_code": base64.b64encode(b"order 1, 10.00 USD").decode("ascii")}


def _code_beside(body: dict[str, object]) -> Mapping[str, object]:
    params = body.get("redirect_params")
    code = params.get("qr_code") if isinstance(params, dict) else None
    return body | {"redirect_params": {}, "qr_code": code} if code else body


def _bank_says(**words: Move) -> Change:
    return lambda design: design.in_apm(bank_words={**design.apm.bank_words, **words})


def _bank_silent(*unheard: str) -> Change:
    return lambda design: design.in_apm(
        bank_words={word: move for word, move in design.apm.bank_words.items() if word not in unheard}
    )


def _unscanned(payment: Payment) -> bool:
    return payment.state in {State.REDIRECTED, State.AWAITING_BANK} and payment.brand == "instant-qr"


def _settled_when_expired(handler: ApmHandler, attempt: ApmAttempt, gateway: "Gateway") -> Reply:
    payment = attempt.payment
    if payment is not None and _unscanned(payment):
        age = (gateway.clock.now() - payment.created).total_seconds()
        payment.state = State.SETTLED if age > gateway.design.apm.qr_seconds else payment.state
    return handler(attempt, gateway)


def _early(word: str) -> Change:
    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: "Gateway") -> Reply:
        reply = handler(attempt, gateway)
        waits = attempt.payment is not None and _unscanned(attempt.payment)
        return replace(reply, body=reply.body | {"status": word}) if waits else reply

    return around(act, "GET_TRANS_STATUS")


_UNKNOWN: Final = Refusal(Kind.NOT_FOUND, "", status=200)
_WORDS: Final = tuple(BANK_REPORTS.values())

_LOOK_UPS: Final = (
    Fault(
        "apm-status-left-out", ("APM-STA-01",), "A look-up has no status.", leaving_out("status", _STATUS), _ON_LOOK_UPS
    ),
    Fault(
        "apm-status-paid",
        ("APM-STA-02",),
        "A paid sale is told as PAID.",
        _told((State.SETTLED,), "PAID"),
        _ON_LOOK_UPS,
    ),
    Fault(
        "apm-status-settled-pending",
        ("APM-STA-02",),
        "A paid sale is told as PENDING.",
        _told((State.SETTLED,), "PENDING"),
        _ON_LOOK_UPS,
    ),
    Fault(
        "apm-status-declined-settled",
        ("APM-STA-03",),
        "A declined sale is told as SETTLED.",
        _told((State.DECLINED,), "SETTLED"),
        _ON_LOOK_UPS,
    ),
    Fault(
        "apm-status-held-authorized",
        ("APM-STA-04",),
        "An authorization is told as AUTHORIZED.",
        _told((State.AUTHORIZED,), "AUTHORIZED"),
        _ON_LOOK_UPS,
        since=SINCE_AUTH,
    ),
    Fault(
        "apm-status-captured-pending",
        ("APM-CAP-02",),
        "A captured payment is told as PENDING.",
        around(_captured_told, "GET_TRANS_STATUS"),
        ("APM-CAP-*", "APM-VOI-*"),
        since=SINCE_AUTH,
    ),
    Fault(
        "apm-status-redirected-settled",
        ("APM-STA-05",),
        "A payment is told as SETTLED before the payer came back.",
        _told((State.REDIRECTED,), "SETTLED"),
        ("APM-QRC-*", "APM-VOI-10"),
    ),
    Fault(
        "apm-status-redirected-declined",
        ("APM-STA-05",),
        "A payment is told as DECLINED before the payer came back.",
        _told((State.REDIRECTED,), "DECLINED"),
        ("APM-QRC-*", "APM-VOI-10"),
    ),
    Fault(
        "apm-status-result-of-payment",
        ("APM-STA-06",),
        "The look-up of a declined payment has result DECLINED.",
        around(_result_of_payment, "GET_TRANS_STATUS"),
        ("APM-STA-0?", "APM-CVD-09", "APM-CAP-06", "APM-VOI-07"),
    ),
    Fault(
        "apm-status-without-order-id",
        ("APM-STA-06",),
        "A look-up has no order_id.",
        leaving_out("order_id", _STATUS),
        ("APM-STA-*",),
    ),
    Fault(
        "apm-status-without-reason",
        ("APM-STA-07",),
        "The look-up of a declined payment has no decline_reason.",
        leaving_out("decline_reason", _STATUS),
    ),
    Fault(
        "apm-status-reason-always",
        ("APM-STA-07",),
        "Every look-up has a decline_reason.",
        answering(_reason_always, _STATUS),
    ),
    Fault(
        "apm-status-changes-by-asking",
        ("APM-STA-08",),
        "The second look-up of a settled payment says REFUND.",
        _changing_its_mind,
        _ON_LOOK_UPS,
    ),
    Fault(
        "apm-status-empty-arn",
        ("APM-STA-09",),
        "Look-ups carry an empty ARN.",
        answering(lambda body: body | {"arn": ""}, _STATUS),
        since=SINCE_AUTH,
    ),
    Fault(
        "apm-status-empty-arn-in-capitals",
        ("APM-STA-09",),
        "Look-ups carry an empty ARN, in capitals.",
        answering(lambda body: body | {"ARN": ""}, _STATUS),
        since=SINCE_AUTH,
    ),
    Fault(
        "apm-status-unknown-served",
        ("APM-STA-10",),
        "An unknown payment is looked up.",
        finding_nothing("GET_TRANS_STATUS", _UNKNOWN),
        ("APM-STA-12", "GEN-ERR-*"),
    ),
    Fault(
        "apm-status-of-other-merchant",
        ("APM-STA-12",),
        "Other merchants' payments are told.",
        instead(find_payment, of_anybody, "GET_TRANS_STATUS"),
    ),
    Fault(
        "apm-status-of-payouts-missing",
        ("APM-STA-13",),
        "Payouts cannot be looked up.",
        instead(find_payment, _payments_only, "GET_TRANS_STATUS"),
        ("APM-C2V-*", "CBK-*"),
    ),
    Fault(
        "apm-status-answers-fail",
        ("APM-STA-01", "APM-STA-06"),
        "Look-ups are answered with result ERROR.",
        saying("result", "ERROR", _STATUS),
        EVERYTHING,
    ),
)
_CODES: Final = (
    Fault("apm-qr-code-missing", ("APM-QRC-01",), "There is no qr_code.", _with_params(_no_code), _ON_CODES),
    Fault(
        "apm-qr-code-outside-params",
        ("APM-QRC-01",),
        "qr_code stands beside redirect_params.",
        answering(_code_beside, _SALE),
        _ON_CODES,
    ),
    Fault("apm-qr-code-address", ("APM-QRC-02",), "qr_code is an address.", _with_params(_web_address), _ON_CODES),
    Fault("apm-qr-code-text", ("APM-QRC-03",), "qr_code is a text in Base64.", _with_params(_text_in_code)),
    Fault(
        "apm-qr-settled-early", ("APM-QRC-04",), "A code settles before it is scanned.", _early("SETTLED"), _ON_CODES
    ),
    Fault("apm-qr-declined-early", ("APM-QRC-04",), "A code is declined at once.", _early("DECLINED"), _ON_CODES),
    Fault(
        "apm-qr-executed-declined",
        ("APM-QRC-05",),
        "ACSC declines.",
        _bank_says(ACSC=Move.DECLINE),
    ),
    Fault("apm-qr-executed-unheard", ("APM-QRC-05",), "ACSC is not understood.", _bank_silent("ACSC")),
    Fault("apm-qr-rejected-settles", ("APM-QRC-06",), "RJCT settles.", _bank_says(RJCT=Move.APPROVE)),
    Fault("apm-qr-rejected-unheard", ("APM-QRC-06",), "RJCT is not understood.", _bank_silent("RJCT")),
    Fault(
        "apm-qr-pending-settles",
        ("APM-QRC-07",),
        "What the bank has not decided settles.",
        _bank_says(**{_WORDS[2]: Move.APPROVE}),
        ("APM-QRC-04", "APM-QRC-08"),
    ),
    Fault(
        "apm-qr-pending-prepare",
        ("APM-QRC-07",),
        "What the bank has not decided is told as PREPARE.",
        _told((State.AWAITING_BANK,), "PREPARE"),
        ("APM-ANS-13",),
    ),
    Fault(
        "apm-qr-expired-settles",
        ("APM-QRC-08",),
        "A code that nobody scanned settles after its minute.",
        around(_settled_when_expired, "GET_TRANS_STATUS"),
    ),
)
FAULTS: Final = (*_LOOK_UPS, *_CODES)
