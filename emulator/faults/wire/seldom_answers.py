"""Faults that break in one rare answer what must hold for every answer: in a header, a look-up, a ninth refusal.

Checks of single answers do not come by all of these places; whoever watches every exchange of a run does.
"""

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import parse_qs

from emulator.accounts import ACCOUNTS
from emulator.design import Change, Design
from emulator.faults.model import breaks, faults
from emulator.wire.front import Arrival
from emulator.wire.replies import Kind, Reply, breakdown, compact

_PASSWORD: Final = ACCOUNTS[0].password


_OTHER_KEY: Final = ACCOUNTS[1].key


_NEW: Final = "6.7.0"


_EVERY: Final = 40


Rewrite = Callable[[Reply, Mapping[str, str]], Reply]


@dataclass(slots=True)
class _Posted:
    """The fields of the post that is being answered; the emulator answers one after the other."""

    fields: Mapping[str, str]


def _rewriting(rewrite: Rewrite, *kinds: Kind) -> Change:
    """Change answers of these kinds, knowing what was posted."""

    def change(design: Design) -> Design:
        posted = _Posted({})

        def front(arrival: Arrival) -> Arrival:
            posted.fields = {"path": arrival.path} | _fields(arrival.body)
            return arrival

        def rewritten(reply: Reply) -> Reply:
            return rewrite(reply, posted.fields) if not kinds or reply.kind in kinds else reply

        return design.behind(front).filtering(rewritten)

    return change


def _fields(body: bytes) -> dict[str, str]:
    text = body[:65_536].decode("utf-8", "replace")
    return {name: values[-1] for name, values in parse_qs(text, keep_blank_values=True, max_num_fields=None).items()}


def _of_action(action: str, rewrite: Rewrite) -> Rewrite:
    return lambda reply, posted: rewrite(reply, posted) if posted.get("action") == action else reply


def _at(path: str, rewrite: Rewrite) -> Rewrite:
    return lambda reply, posted: rewrite(reply, posted) if posted.get("path", "").endswith(path) else reply


def _refusals(rewrite: Rewrite) -> Rewrite:
    return lambda reply, posted: rewrite(reply, posted) if reply.is_error else reply


def _successes(rewrite: Rewrite) -> Rewrite:
    return lambda reply, posted: reply if reply.is_error else rewrite(reply, posted)


def _adding(members: Mapping[str, object]) -> Rewrite:
    return lambda reply, _: replace(reply, body=reply.body | dict(members))


def _changing(name: str, change: Callable[[object], object]) -> Rewrite:
    def rewrite(reply: Reply, _: Mapping[str, str]) -> Reply:
        return replace(reply, body=reply.body | {name: change(reply.body[name])}) if name in reply.body else reply

    return rewrite


def _lacking(name: str) -> Rewrite:
    return lambda reply, _: replace(reply, body={key: value for key, value in reply.body.items() if key != name})


def _status(status: int) -> Rewrite:
    return lambda reply, _: replace(reply, status=status)


def _header(name: str, value: str) -> Rewrite:
    return lambda reply, _: replace(reply, headers=(*reply.headers, (name, value)))


def _typed(content_type: str) -> Rewrite:
    return lambda reply, _: replace(reply, content_type=content_type)


def _text(change: Callable[[str], str]) -> Rewrite:
    return lambda reply, _: replace(reply, text=change(compact(reply.body)))


def _in_state(status: str, rewrite: Rewrite) -> Rewrite:
    return lambda reply, posted: rewrite(reply, posted) if reply.body.get("status") == status else reply


def _broken(_reply: Reply, _posted: Mapping[str, str]) -> Reply:
    return breakdown()


def _now_and_then(path: str, holding: bytes = b"", every: int = _EVERY) -> Change:
    """One answer in so many of an address, to posts that hold a text, is that of a worker that was just restarted."""

    def change(design: Design) -> Design:
        count = [0]

        def front(arrival: Arrival) -> Arrival | Reply:
            if not arrival.path.endswith(path) or holding not in arrival.body:
                return arrival
            count[0] += 1
            return arrival if count[0] % every else replace(breakdown(), status=502, text="Bad Gateway")

        return design.behind(front)

    return change


def _remembering(shown: Callable[[str], str], name: str, rewritten: Callable[[Rewrite], Rewrite]) -> Change:
    """Show what an earlier post had in a field, written in another way."""
    last = [""]

    def rewrite(reply: Reply, _: Mapping[str, str]) -> Reply:
        return replace(reply, body=reply.body | {"source_data": shown(last[0])}) if last[0] else reply

    def noted(reply: Reply, posted: Mapping[str, str]) -> Reply:
        last[0] = posted.get(name, "") or last[0]
        return rewritten(rewrite)(reply, posted)

    return _rewriting(noted)


def _mixed_up(design: Design) -> Design:
    """Answers to another merchant name the payment that was answered before."""
    last = [""]

    def rewrite(reply: Reply, posted: Mapping[str, str]) -> Reply:
        if posted.get("client_key") == _OTHER_KEY and last[0]:
            return replace(reply, body=reply.body | {"previous_trans_id": last[0]})
        if "client_key" in posted and "trans_id" in reply.body and posted["client_key"] != _OTHER_KEY:
            last[0] = str(reply.body["trans_id"])
        return reply

    return _rewriting(_successes(rewrite))(design)


def _unmasked(value: object) -> object:
    text = str(value)
    return f"{text[:6]}427***{text[-2:]}77" if len(text) > 10 else value


_OF_ANSWERS: Final = {
    "password-in-payout-header": breaks(
        "GEN-KEY-02",
        "The answer to a mobile-money payout has the password in a header, in Base64.",
        _rewriting(_header("x-trace", base64.b64encode(_PASSWORD.encode()).decode()), Kind.APM_PAYOUT),
    ),
    "password-in-schedule-info": breaks(
        "GEN-KEY-02",
        "SCHEDULE_INFO repeats the reversed text that was signed, password included.",
        _rewriting(_of_action("SCHEDULE_INFO", _successes(_adding({"signed": _PASSWORD[::-1].upper()})))),
    ),
    "card-number-in-details": breaks(
        "GEN-KEY-03",
        "GET_TRANS_DETAILS shows the last card number that was sent, in groups of four.",
        _remembering(
            lambda number: " ".join(number[at : at + 4] for at in range(0, len(number), 4)),
            "card_number",
            lambda rewrite: _of_action("GET_TRANS_DETAILS", _successes(rewrite)),
        ),
    ),
    "card-number-in-void-answer": breaks(
        "GEN-KEY-03",
        "The answer to VOID holds the last card number that was sent, in Base64.",
        _remembering(
            lambda number: base64.b64encode(number.encode()).decode(),
            "card_number",
            lambda rewrite: _of_action("VOID", _successes(rewrite)),
        ),
    ),
    "security-code-in-debit-refusal": breaks(
        "GEN-ERR-13",
        "Refusals of a DEBIT repeat the security code under its name.",
        _rewriting(
            _of_action(
                "DEBIT",
                _refusals(lambda reply, posted: _adding({"data": {"cvv": posted.get("card_cvv2", "")}})(reply, posted)),
            )
        ),
    ),
    "security-code-in-credit-lookup": breaks(
        "GEN-KEY-05",
        "GET_TRANS_STATUS_BY_ORDER shows the last security code that was sent.",
        _remembering(
            lambda code: f"cvv2={code}", "card_cvv2", lambda rewrite: _of_action("GET_TRANS_STATUS_BY_ORDER", rewrite)
        ),
    ),
    "payment-of-another-merchant": breaks(
        "GEN-KEY-06", "Answers to another merchant of S2S name the payment that was answered before.", _mixed_up
    ),
    "server-error-on-some-look-ups": breaks(
        "GEN-ERR-11",
        "One S2S CARD look-up in twelve is a server error.",
        _now_and_then("/post", b"GET_TRANS_STATUS", 12),
    ),
    "server-error-on-look-up-of-void": breaks(
        "GEN-ERR-12",
        "A look-up of a voided S2S APM payment is a server error.",
        _rewriting(_in_state("VOID", _broken), Kind.APM_STATUS),
    ),
    "bad-gateway-on-look-ups": breaks(
        "GEN-ERR-10", "One Checkout look-up in forty is answered with 502.", _now_and_then("/payment/status")
    ),
    "hash-refusal-of-secondary-charge-401": breaks(
        "GEN-ERR-25",
        "A wrong hash on a Checkout secondary charge is refused with HTTP 401.",
        _rewriting(_at("/payment/recurring", _status(401)), Kind.SIGNATURE),
    ),
    "errors-missing-in-refused-capture": breaks(
        "CHK-RSP-04",
        "The capture endpoint refuses invalid data without errors.",
        _rewriting(_at("/payment/capture", _refusals(_lacking("errors")))),
    ),
    "errors-empty-in-refused-debit": breaks(
        "GEN-ERR-05",
        "DEBIT refuses invalid data with empty errors.",
        _rewriting(_of_action("DEBIT", _refusals(_changing("errors", lambda _errors: [])))),
    ),
    "errors-missing-in-refused-payout": breaks(
        "GEN-ERR-06",
        "CREDIT2VIRTUAL refuses invalid data without errors.",
        _rewriting(_of_action("CREDIT2VIRTUAL", _refusals(_lacking("errors")))),
    ),
    "not-found-code-of-retry": breaks(
        "GEN-ERR-25",
        "An unknown payment is refused on the retry endpoint with its message and the code as text.",
        _rewriting(_at("/payment/retry", _refusals(_changing("error_code", str)))),
    ),
    "result-in-lower-case-on-details": breaks(
        "GEN-ERR-02",
        "Refusals of GET_TRANS_DETAILS have result error in lower case.",
        _rewriting(_of_action("GET_TRANS_DETAILS", _refusals(_changing("result", lambda value: str(value).lower())))),
    ),
    "refusal-without-code-on-apm-void": breaks(
        "GEN-ERR-03",
        "Refusals of an S2S APM VOID carry no error_code.",
        _rewriting(_of_action("VOID", _refusals(_lacking("error_code"))), Kind.STATE, Kind.APM_FIELDS),
    ),
    "refusal-without-result-on-void": breaks(
        "CHK-RSP-05",
        "Refusals of the Checkout void endpoint carry no result.",
        _rewriting(_at("/payment/void", _refusals(_lacking("result")))),
    ),
    "nan-in-details": breaks(
        "S2C-REQ-10",
        "GET_TRANS_DETAILS writes a number that is none.",
        _rewriting(_of_action("GET_TRANS_DETAILS", _successes(_text(lambda text: f'{text[:-1]},"fee":NaN}}')))),
    ),
    "member-twice-in-capture": breaks(
        "GEN-BOD-01",
        "The answer to a Checkout capture has a member twice.",
        _rewriting(_text(lambda text: f'{text[:-1]},"result":"success","result":"undefined"}}'), Kind.CHECKOUT_CAPTURE),
    ),
    "charset-of-schedules": breaks(
        "GEN-BOD-02",
        "Answers about schedules say that they are written in UTF-16, and are not.",
        _rewriting(_successes(_typed("application/json; charset=utf-16")), Kind.SCHEDULE),
    ),
    "refund-answer-as-html": breaks(
        "CHK-RSP-10",
        "The JSON of the answer to a Checkout refund is said to be HTML.",
        _rewriting(_successes(_typed("text/html; charset=utf-8")), Kind.CHECKOUT_REFUND),
    ),
    "card-less-masked-in-details": breaks(
        "GEN-VAL-01",
        "GET_TRANS_DETAILS shows three digits more of the card.",
        _rewriting(_of_action("GET_TRANS_DETAILS", _successes(_changing("card", _unmasked)))),
    ),
    "order-of-refunded-payment": breaks(
        "GEN-AGR-01",
        "A look-up of a refunded S2S CARD payment shows another order_id.",
        _rewriting(_in_state("REFUND", _changing("order_id", lambda value: f"{value}-R")), Kind.CARD_ACTION),
    ),
}

FAULTS: Final = faults(_OF_ANSWERS, prefix="seldom-")
