"""Faults of S2S APM sales: what the answer reports."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.changes.s2s_apm import answering
from emulator.design import Change, Design
from emulator.faults.model import breaks, faults
from emulator.rules.s2s_apm.brands import Outcome, sale_outcome
from emulator.wire.replies import Kind
from emulator.wire.values import Object

_SALE: Final = Kind.APM_SALE


def _outcome(change: Callable[[Outcome], Outcome]) -> Change:
    return lambda design: design.in_apm(
        sale_outcome=lambda family, identifier: change(sale_outcome(family, identifier))
    )


def _becoming(wanted: Outcome, instead: Outcome) -> Change:
    return _outcome(lambda outcome: instead if outcome is wanted else outcome)


def _without_if(status: str, name: str) -> Change:
    def change(body: Object) -> Object:
        return {key: value for key, value in body.items() if key != name or body.get("status") != status}

    return answering(change, _SALE)


def _minor_units(body: Object) -> Object:
    return body | {"amount": str(body.get("amount", "")).replace(".", "")}


def _same_id(design: Design) -> Design:
    first_id: list[object] = []

    def change(body: Object) -> Object:
        first_id.append(body.get("trans_id"))
        return body | {"trans_id": first_id[0]}

    return answering(change, _SALE)(design)


def _digits(body: Object) -> Object:
    return body | {"trans_id": str(int(str(body["trans_id"]).replace("-", ""), 16))}


def _iso_date(body: Object) -> Object:
    return body | {"trans_date": str(body.get("trans_date", "")).replace(" ", "T") + "Z"}


def _params_as_text(body: Object) -> Object:
    return body | {"redirect_params": "token=1"} if "redirect_method" in body else body


FAULTS: Final = faults(
    {
        "apm-sale-declined-status-400": breaks(
            "APM-ANS-04",
            "A declined sale is answered with HTTP 400.",
            lambda design: design.filtering(
                lambda reply: (
                    replace(reply, status=400)
                    if reply.body.get("status") == "DECLINED" and reply.kind is _SALE
                    else reply
                )
            ),
        ),
        "apm-sale-declined-without-reason": breaks(
            "APM-ANS-04", "A declined sale has no decline_reason.", _without_if("DECLINED", "decline_reason")
        ),
        "apm-redirect-params-text": breaks("APM-ANS-06", "redirect_params is text.", answering(_params_as_text, _SALE)),
        "apm-payer-sent-elsewhere": breaks(
            "APM-ANS-07",
            "The payer is sent to another address.",
            lambda design: design.in_apm(way_back=lambda _url: "https://gateway.example/done"),
        ),
        "apm-sale-amount-in-minor-units": breaks(
            "APM-ANS-08", "An amount is answered in minor units.", answering(_minor_units, _SALE)
        ),
        "apm-trans-id-repeated": breaks("APM-ANS-09", "Every sale has the same trans_id.", _same_id),
        "apm-trans-id-of-digits": breaks("APM-ANS-09", "trans_id is made of digits.", answering(_digits, _SALE)),
        "apm-trans-date-iso": breaks("APM-ANS-10", "trans_date is an ISO date-time.", answering(_iso_date, _SALE)),
        "apm-result-lower-case": breaks(
            "APM-ANS-11",
            "result of a sale is in lower case.",
            answering(lambda body: body | {"result": str(body.get("result", "")).lower()}, _SALE),
        ),
        "apm-coins-settled-at-once": breaks(
            "APM-ANS-13", "A crypto sale is settled at once.", _becoming(Outcome.CRYPTO, Outcome.PAID)
        ),
        "apm-declined-pays": breaks(
            "APM-ANS-04 APM-STA-03", "What should be declined is paid.", _becoming(Outcome.DECLINED, Outcome.PAID)
        ),
        "apm-redirect-pays-at-once": breaks(
            "APM-ANS-05 APM-STA-05",
            "Nobody is sent elsewhere: the payment is settled at once.",
            _becoming(Outcome.REDIRECTED, Outcome.PAID),
        ),
    }
)
