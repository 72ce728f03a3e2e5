"""What the reference gateway reports to merchants of S2S APM payments beside outcomes."""

from __future__ import annotations

from emulator.engine.callbacks.notice import Notice
from emulator.protocols.s2s_apm.callback_bodies import date_of
from tests.unit.emulator.probes.apm_probe import apm_sale, made
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
