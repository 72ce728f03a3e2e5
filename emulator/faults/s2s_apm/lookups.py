"""Faults of S2S APM look-ups, and of instant QR payments."""

import base64
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.s2s_apm import answering, around, finding_nothing, instead
from emulator.changes.s2s_apm_payments import SINCE_AUTH, of_anybody
from emulator.design import Change, Design
from emulator.engine.moves import Move
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler
from emulator.protocols.s2s_apm.stages import find_payment
from emulator.rules.s2s_apm.brands import BANK_REPORTS
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object

_STATUS: Final = Kind.APM_STATUS
_SALE: Final = Kind.APM_SALE


def _reported(states: tuple[State, ...], word: str) -> Change:
    """Payments in ``states`` are reported as ``word``."""

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        reply = handler(attempt, gateway)
        stands = attempt.payment is not None and attempt.payment.state in states
        return replace(reply, body=reply.body | {"status": word}) if stands else reply

    return around(act, "GET_TRANS_STATUS")


def _pending_if_captured(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply = handler(attempt, gateway)
    steps = attempt.payment.transactions if attempt.payment is not None else []
    captured = bool(steps) and steps[-1].type == Move.CAPTURE.value
    return replace(reply, body=reply.body | {"status": "PENDING"}) if captured else reply


def _result_of_payment(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply = handler(attempt, gateway)
    declined = attempt.payment is not None and attempt.payment.state is State.DECLINED
    return replace(reply, body=reply.body | {"result": "DECLINED"}) if declined else reply


def _changing_its_mind(design: Design) -> Design:
    asked: dict[str, int] = {}

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        reply = handler(attempt, gateway)
        trans_id = attempt.form.get("trans_id", "")
        asked[trans_id] = asked.get(trans_id, 0) + 1
        again = asked[trans_id] > 1 and reply.body.get("status") == "SETTLED"
        return replace(reply, body=reply.body | {"status": "REFUND"}) if again else reply

    return around(act, "GET_TRANS_STATUS")(design)


def _payments_only(attempt: ApmAttempt) -> Refusal | None:
    refusal = find_payment(attempt)
    payout = attempt.payment is not None and attempt.payment.action == "CREDIT2VIRTUAL"
    return attempt.gateway.apm.not_found[attempt.action] if payout else refusal


def _reason_always(body: Object) -> Object:
    return {"decline_reason": "Approved", **body}


def _with_params(change: Callable[[str], object]) -> Change:
    def changed(body: Object) -> Object:
        params = body.get("redirect_params")
        code = params.get("qr_code") if isinstance(params, dict) else None
        return body | {"redirect_params": change(code)} if isinstance(code, str) else body

    return answering(changed, _SALE)


def _no_code(_code: str) -> object:
    return {}


def _web_address(_code: str) -> object:
    return {"qr_code": "https://gateway.example/qr/1.png"}


def _noise_in_code(_code: str) -> object:
    return {"qr_code": base64.b64encode(bytes(range(0x80, 0xA0))).decode("ascii")}


def _code_beside(body: Object) -> Object:
    params = body.get("redirect_params")
    code = params.get("qr_code") if isinstance(params, dict) else None
    return body | {"redirect_params": {}, "qr_code": code} if code else body


def _bank_says(**words: Move) -> Change:
    return lambda design: design.in_apm(bank_words={**design.apm.bank_words, **words})


def _bank_silent(*unheard: str) -> Change:
    return lambda design: design.in_apm(
        bank_words={word: move for word, move in design.apm.bank_words.items() if word not in unheard}
    )


_NEVER: Final = 1e12


def _unscanned(payment: Payment) -> bool:
    return payment.state in {State.REDIRECTED, State.AWAITING_BANK} and payment.brand == "instant-qr"


def _settled_when_expired(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    payment = attempt.payment
    if payment is not None and _unscanned(payment):
        age = (gateway.clock.now() - payment.created).total_seconds()
        payment.state = State.SETTLED if age > gateway.apm.qr_seconds else payment.state
    return handler(attempt, gateway)


def _early(word: str) -> Change:
    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        reply = handler(attempt, gateway)
        waits = attempt.payment is not None and _unscanned(attempt.payment)
        return replace(reply, body=reply.body | {"status": word}) if waits else reply

    return around(act, "GET_TRANS_STATUS")


_UNKNOWN: Final = Refusal(Kind.NOT_FOUND, "", status=200)
_WORDS: Final = tuple(BANK_REPORTS.values())


def _found(is_it: Callable[[Payment, str], bool]) -> Change:
    """Look-ups find a payment of the merchant by a looser comparison."""

    def stage(attempt: ApmAttempt) -> Refusal | None:
        refusal = find_payment(attempt)
        wanted = attempt.form.get("trans_id", "")
        for payment in attempt.gateway.payments.all() if refusal is not None else ():
            own = payment.account is attempt.account and payment.protocol is Protocol.S2S_APM
            if own and wanted and is_it(payment, wanted):
                attempt.payment = payment
                return None
        return refusal

    return instead(find_payment, stage, "GET_TRANS_STATUS")


_LOOK_UPS: Final = faults(
    {
        "apm-trans-id-with-blanks-found": breaks(
            "APM-STA-10",
            "Blanks around a trans_id are cut off.",
            _found(lambda payment, wanted: payment.trans_id == wanted.strip()),
        ),
        "apm-payment-found-by-its-order": breaks(
            "APM-STA-10",
            "A payment is found by its order id as well.",
            _found(lambda payment, wanted: payment.order_number == wanted),
        ),
        "apm-status-paid": breaks(
            "APM-STA-02", "A paid sale is reported as PAID.", _reported((State.SETTLED,), "PAID")
        ),
        "apm-status-settled-pending": breaks(
            "APM-STA-02", "A paid sale is reported as PENDING.", _reported((State.SETTLED,), "PENDING")
        ),
        "apm-status-declined-settled": breaks(
            "APM-STA-03", "A declined sale is reported as SETTLED.", _reported((State.DECLINED,), "SETTLED")
        ),
        "apm-status-held-authorized": breaks(
            "APM-STA-04",
            "An authorization is reported as AUTHORIZED.",
            _reported((State.AUTHORIZED,), "AUTHORIZED"),
            since=SINCE_AUTH,
        ),
        "apm-status-captured-pending": breaks(
            "APM-CAP-02",
            "A captured payment is reported as PENDING.",
            around(_pending_if_captured, "GET_TRANS_STATUS"),
            since=SINCE_AUTH,
        ),
        "apm-status-redirected-settled": breaks(
            "APM-STA-05",
            "A payment is reported as SETTLED before the payer came back.",
            _reported((State.REDIRECTED,), "SETTLED"),
        ),
        "apm-status-redirected-declined": breaks(
            "APM-STA-05",
            "A payment is reported as DECLINED before the payer came back.",
            _reported((State.REDIRECTED,), "DECLINED"),
        ),
        "apm-status-result-of-payment": breaks(
            "APM-STA-06",
            "The look-up of a declined payment has result DECLINED.",
            around(_result_of_payment, "GET_TRANS_STATUS"),
        ),
        "apm-status-reason-always": breaks(
            "APM-STA-07", "Every look-up has a decline_reason.", answering(_reason_always, _STATUS)
        ),
        "apm-status-changes-by-asking": breaks(
            "APM-STA-08", "The second look-up of a settled payment says REFUND.", _changing_its_mind
        ),
        "apm-status-empty-arn": breaks(
            "APM-STA-09",
            "Look-ups carry an empty ARN.",
            answering(lambda body: body | {"arn": ""}, _STATUS),
            since=SINCE_AUTH,
        ),
        "apm-status-empty-arn-in-capitals": breaks(
            "APM-STA-09",
            "Look-ups carry an empty ARN, in capitals.",
            answering(lambda body: body | {"ARN": ""}, _STATUS),
            since=SINCE_AUTH,
        ),
        "apm-status-unknown-served": breaks(
            "APM-STA-10", "An unknown payment is looked up.", finding_nothing("GET_TRANS_STATUS", _UNKNOWN)
        ),
        "apm-status-of-other-merchant": breaks(
            "APM-STA-12",
            "Other merchants' payments are reported.",
            instead(find_payment, of_anybody, "GET_TRANS_STATUS"),
        ),
        "apm-status-of-payouts-missing": breaks(
            "APM-STA-13", "Payouts cannot be looked up.", instead(find_payment, _payments_only, "GET_TRANS_STATUS")
        ),
    }
)
_CODES: Final = faults(
    {
        "apm-qr-code-missing": breaks("APM-QRC-01", "There is no qr_code.", _with_params(_no_code)),
        "apm-qr-code-outside-params": breaks(
            "APM-QRC-01", "qr_code stands beside redirect_params.", answering(_code_beside, _SALE)
        ),
        "apm-qr-code-address": breaks("APM-QRC-02", "qr_code is an address.", _with_params(_web_address)),
        "apm-qr-code-noise": breaks("APM-QRC-03", "qr_code is neither image nor text.", _with_params(_noise_in_code)),
        "apm-qr-settled-early": breaks("APM-QRC-04", "A code settles before it is scanned.", _early("SETTLED")),
        "apm-qr-declined-early": breaks("APM-QRC-04", "A code is declined at once.", _early("DECLINED")),
        "apm-qr-executed-declined": breaks("APM-QRC-05", "ACSC declines.", _bank_says(ACSC=Move.DECLINE)),
        "apm-qr-executed-unheard": breaks("APM-QRC-05", "ACSC is not understood.", _bank_silent("ACSC")),
        "apm-qr-rejected-settles": breaks("APM-QRC-06", "RJCT settles.", _bank_says(RJCT=Move.APPROVE)),
        "apm-qr-rejected-unheard": breaks("APM-QRC-06", "RJCT is not understood.", _bank_silent("RJCT")),
        "apm-qr-pending-settles": breaks(
            "APM-QRC-07", "What the bank has not decided settles.", _bank_says(**{_WORDS[2]: Move.APPROVE})
        ),
        "apm-qr-pending-prepare": breaks(
            "APM-QRC-07",
            "What the bank has not decided is reported as PREPARE.",
            _reported((State.AWAITING_BANK,), "PREPARE"),
        ),
        "apm-qr-never-expires": breaks(
            "APM-QRC-09",
            "A code can be paid however late it is scanned.",
            lambda design: design.in_apm(qr_seconds=_NEVER),
        ),
        "apm-qr-expires-after-hours": breaks(
            "APM-QRC-09", "A code is valid for three hours.", lambda design: design.in_apm(qr_seconds=3 * 3600.0)
        ),
        "apm-qr-expired-settles": breaks(
            "APM-QRC-08",
            "A code that nobody scanned settles after its minute.",
            around(_settled_when_expired, "GET_TRANS_STATUS"),
        ),
    }
)
FAULTS: Final = (*_LOOK_UPS, *_CODES)
