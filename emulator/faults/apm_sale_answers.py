"""Faults of S2S APM sales: what the answer tells."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.design import Change, Design
from emulator.faults.apm import EVERYTHING, answering, leaving_out, saying
from emulator.faults.model import Fault
from emulator.replies import Kind
from emulator.s2s_apm.brands import Outcome, sale_outcome

_SALE: Final = Kind.APM_SALE


def _outcome(change: Callable[[Outcome], Outcome]) -> Change:
    return lambda design: design.in_apm(
        sale_outcome=lambda family, identifier: change(sale_outcome(family, identifier))
    )


def _becoming(wanted: Outcome, instead: Outcome) -> Change:
    return _outcome(lambda outcome: instead if outcome is wanted else outcome)


def _if_status(told: str, **members: object) -> Change:
    return answering(lambda body: body | members if body.get("status") == told else body, _SALE)


def _without_if(status: str, name: str) -> Change:
    def change(body: dict[str, object]) -> Mapping[str, object]:
        return {key: value for key, value in body.items() if key != name or body.get("status") != status}

    return answering(change, _SALE)


def _minor_units(body: dict[str, object]) -> Mapping[str, object]:
    return body | {"amount": str(body.get("amount", "")).replace(".", "")}


def _same_id(design: Design) -> Design:
    first_id: list[object] = []

    def change(body: dict[str, object]) -> Mapping[str, object]:
        first_id.append(body.get("trans_id"))
        return body | {"trans_id": first_id[0]}

    return answering(change, _SALE)(design)


def _digits(body: dict[str, object]) -> Mapping[str, object]:
    return body | {"trans_id": str(int(str(body["trans_id"]).replace("-", ""), 16))}


def _iso_date(body: dict[str, object]) -> Mapping[str, object]:
    return body | {"trans_date": str(body.get("trans_date", "")).replace(" ", "T") + "Z"}


def _params_as_text(body: dict[str, object]) -> Mapping[str, object]:
    return body | {"redirect_params": "token=1"} if "redirect_method" in body else body


FAULTS: Final = (
    Fault(
        "apm-sale-without-order-id", ("APM-ANS-01",), "A sale's answer has no order_id.", leaving_out("order_id", _SALE)
    ),
    Fault(
        "apm-sale-other-action",
        ("APM-ANS-01",),
        "A sale's answer names another action.",
        saying("action", "sale", _SALE),
    ),
    Fault(
        "apm-sale-paid-accepted",
        ("APM-ANS-02",),
        "A paid sale is answered with ACCEPTED.",
        _if_status("SETTLED", result="ACCEPTED"),
        EVERYTHING,
    ),
    Fault(
        "apm-sale-paid-status-prepare",
        ("APM-ANS-02",),
        "A paid sale is answered with status PREPARE.",
        _if_status("SETTLED", status="PREPARE"),
        EVERYTHING,
    ),
    Fault(
        "apm-sale-held-status-settled",
        ("APM-ANS-03",),
        "An authorization is answered with status SETTLED.",
        _if_status("PENDING", status="SETTLED"),
        EVERYTHING,
        since="6.7.0",
    ),
    Fault(
        "apm-sale-held-undefined",
        ("APM-ANS-03",),
        "An authorization is answered with result UNDEFINED.",
        _if_status("PENDING", result="UNDEFINED"),
        EVERYTHING,
        since="6.7.0",
    ),
    Fault(
        "apm-sale-declined-status-400",
        ("APM-ANS-04",),
        "A declined sale is answered with HTTP 400.",
        lambda design: design.filtering(
            lambda reply: (
                replace(reply, status=400) if reply.body.get("status") == "DECLINED" and reply.kind is _SALE else reply
            )
        ),
        EVERYTHING,
    ),
    Fault(
        "apm-sale-declined-without-reason",
        ("APM-ANS-04",),
        "A declined sale has no decline_reason.",
        _without_if("DECLINED", "decline_reason"),
    ),
    Fault(
        "apm-sale-declined-result-success",
        ("APM-ANS-04",),
        "A declined sale is answered with SUCCESS.",
        _if_status("DECLINED", result="SUCCESS"),
        ("APM-*",),
    ),
    Fault(
        "apm-redirect-without-url",
        ("APM-ANS-05",),
        "A redirect has no redirect_url.",
        leaving_out("redirect_url", _SALE),
        ("APM-ANS-07", "APM-QRC-*", "APM-STA-05", "APM-VOI-10"),
    ),
    Fault(
        "apm-redirect-status-prepare",
        ("APM-ANS-05",),
        "A redirect is answered with status PREPARE.",
        _if_status("REDIRECT", status="PREPARE"),
        ("APM-*",),
    ),
    Fault(
        "apm-redirect-method-put", ("APM-ANS-06",), "redirect_method is PUT.", saying("redirect_method", "PUT", _SALE)
    ),
    Fault(
        "apm-redirect-params-text",
        ("APM-ANS-06",),
        "redirect_params is text.",
        answering(_params_as_text, _SALE),
        ("APM-QRC-*",),
    ),
    Fault(
        "apm-payer-sent-elsewhere",
        ("APM-ANS-07",),
        "The payer is sent to another address.",
        lambda design: design.in_apm(way_back=lambda _url: "https://gateway.example/done"),
    ),
    Fault(
        "apm-sale-amount-in-minor-units",
        ("APM-ANS-08",),
        "An amount is answered in minor units.",
        answering(_minor_units, _SALE),
    ),
    Fault(
        "apm-sale-without-currency", ("APM-ANS-08",), "A sale's answer has no currency.", leaving_out("currency", _SALE)
    ),
    Fault("apm-sale-other-currency", ("APM-ANS-08",), "A sale's answer is in EUR.", saying("currency", "EUR", _SALE)),
    Fault("apm-trans-id-repeated", ("APM-ANS-09",), "Every sale has the same trans_id.", _same_id, EVERYTHING),
    Fault(
        "apm-trans-id-of-digits",
        ("APM-ANS-09",),
        "trans_id is made of digits.",
        answering(_digits, _SALE),
        EVERYTHING,
    ),
    Fault("apm-trans-date-iso", ("APM-ANS-10",), "trans_date is an ISO date-time.", answering(_iso_date, _SALE)),
    Fault(
        "apm-result-unheard-of",
        ("APM-ANS-11",),
        "result of a declined sale is FAILED.",
        _if_status("DECLINED", result="FAILED"),
        ("APM-*",),
    ),
    Fault(
        "apm-result-lower-case",
        ("APM-ANS-11",),
        "result of a sale is in lower case.",
        answering(lambda body: body | {"result": str(body.get("result", "")).lower()}, _SALE),
        EVERYTHING,
    ),
    Fault(
        "apm-status-unheard-of",
        ("APM-ANS-12",),
        "status of a declined sale is REFUSED.",
        _if_status("DECLINED", status="REFUSED"),
        ("APM-*",),
    ),
    Fault(
        "apm-status-paid-unheard-of",
        ("APM-ANS-12",),
        "status of a paid sale is COMPLETED.",
        _if_status("SETTLED", status="COMPLETED"),
        EVERYTHING,
    ),
    Fault(
        "apm-coins-without-address",
        ("APM-ANS-13",),
        "A crypto sale has no crypto_address.",
        leaving_out("crypto_address", _SALE),
    ),
    Fault(
        "apm-coins-settled-at-once",
        ("APM-ANS-13",),
        "A crypto sale is settled at once.",
        _becoming(Outcome.CRYPTO, Outcome.PAID),
        ("APM-*",),
    ),
    Fault(
        "apm-declined-pays",
        ("APM-ANS-04", "APM-STA-03"),
        "What should be declined is paid.",
        _becoming(Outcome.DECLINED, Outcome.PAID),
        EVERYTHING,
    ),
    Fault(
        "apm-redirect-pays-at-once",
        ("APM-ANS-05", "APM-STA-05"),
        "Nobody is sent elsewhere: the payment is settled at once.",
        _becoming(Outcome.REDIRECTED, Outcome.PAID),
        ("APM-ANS-*", "APM-STA-*", "APM-VOI-10", "CBK-*"),
    ),
)
