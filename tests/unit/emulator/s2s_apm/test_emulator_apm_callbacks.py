"""What the reference gateway reports to merchants of S2S APM payments."""

from __future__ import annotations

from emulator.engine.callbacks.notice import Notice
from emulator.protocols.s2s_apm.callback_bodies import date_of
from tests.unit.emulator.probes.apm_probe import apm_payout, apm_sale, made, on_payment, send
from tests.unit.emulator.probes.probe import BY_NAME, Gateway


class Recorder:
    """Takes the place of what sends callbacks."""

    def __init__(self, gateway: Gateway) -> None:
        self.notices: list[Notice] = []
        gateway.app.state.gateway.callbacks = self

    def notify(self, notice: Notice) -> None:
        self.notices.append(notice)

    def reported(self) -> list[tuple[object, ...]]:
        return [tuple(notice.fields.get(name) for name in ("action", "result", "status")) for notice in self.notices]


def test_everything_that_happens_to_a_payment_is_notified() -> None:
    gateway = Gateway()
    recorder = Recorder(gateway)
    held = made(gateway, apm_sale(auth="Y"))
    send(gateway, on_payment("CAPTURE", held))
    send(gateway, on_payment("CREDITVOID", held, amount="4.00"))
    send(gateway, on_payment("CREDITVOID", held, amount="6.00"))
    released = made(gateway, apm_sale(auth="Y"))
    send(gateway, on_payment("CREDITVOID", released))
    paid = made(gateway, apm_sale())
    send(gateway, on_payment("VOID", paid))

    assert recorder.reported() == [
        ("SALE", "SUCCESS", "PENDING"),
        ("CAPTURE", "SUCCESS", "SETTLED"),
        ("CREDITVOID", "SUCCESS", "SETTLED"),
        ("CREDITVOID", "SUCCESS", "REFUND"),
        ("SALE", "SUCCESS", "PENDING"),
        ("CREDITVOID", "SUCCESS", "REVERSAL"),
        ("SALE", "SUCCESS", "SETTLED"),
        ("VOID", "SUCCESS", "VOID"),
    ]


def test_outcomes_of_sales_and_payouts_are_notified() -> None:
    gateway = Gateway(control=True)
    recorder = Recorder(gateway)
    for address in ("fail@gmail.com", "undefined@gmail.com"):
        made(gateway, apm_sale(identifier=address))
        made(gateway, apm_payout(parameters__customer_email=address))
    gateway.advance(31)

    assert recorder.reported() == [
        ("SALE", "DECLINED", "DECLINED"),
        ("CREDIT2VIRTUAL", "DECLINED", "DECLINED"),
        ("SALE", "UNDEFINED", "PREPARE"),
        ("CREDIT2VIRTUAL", "UNDEFINED", "PREPARE"),
        ("SALE", "SUCCESS", "SETTLED"),
        ("CREDIT2VIRTUAL", "SUCCESS", "SETTLED"),
    ]
    assert recorder.notices[0].fields["decline_reason"]
    assert [notice.fields.get("type") for notice in recorder.notices[:2]] == [None, "credit"]


def test_custom_data_and_options_of_the_account_come_back() -> None:
    gateway = Gateway()
    recorder = Recorder(gateway)
    made(gateway, apm_sale(BY_NAME["options"], custom_data__a="1", custom_data__b__c="2", payer_city="Berlin"))
    made(gateway, apm_sale(payer_city="Berlin"))

    first, second = (notice.fields for notice in recorder.notices)
    assert first["custom_data"] == {"a": "1", "b": {"c": "2"}}
    assert (first["payer_city"], "payer_city" in second) == ("Berlin", False)
    assert first["ARN"] == ""
    assert first["rrn"]
    assert first["trans_date"] <= date_of(gateway.app.state.gateway)  # type: ignore[operator]
