"""Faults of Checkout callbacks: what the settings of an account add."""

from typing import Final

from emulator.changes.checkout import NOTICES
from emulator.changes.notices import of_payments, without_fields
from emulator.design import Change, all_of
from emulator.engine.callbacks.notice import Fields
from emulator.engine.payments import State
from emulator.faults.model import breaks, faults
from emulator.protocols.checkout.account_options import BROWSER_ATTRIBUTES

_NEW: Final = "6.7.0"
_THREE_DS: Final = ("threeDSServerTransID", "dsTransID", "acsTransID", "eci", "protocolVersion", "transStatus")
_FLOW: Final = "authenticationFlow"
_COF: Final = ("initiator", "source", "sequence")


def _always(members: Fields, *events: str) -> Change:
    return NOTICES.fields(lambda fields: {**members, **fields}, *events)


_UNASKED: Final[tuple[tuple[str, Fields, str], ...]] = (
    ("52", {"brand": "VISA"}, _NEW),
    ("53", {"checkout_payment_method": "card"}, _NEW),
    ("54", {"extended_data": {"connector_name": "emulator"}}, "6.6.2"),
    ("55", {"transStatus": "Y", "authenticationFlow": "Frictionless"}, _NEW),
    ("56", {"browser_user_agent": "Mozilla/5.0"}, _NEW),
)
_ARN: Final = {"32": of_payments("purchase", State.SETTLED), "33": of_payments("purchase", State.AUTHORIZED)}

FAULTS: Final = faults(
    {
        **{
            f"arn-missing-{number}": breaks(
                f"CBK-ATT-{number}",
                "ARN is left out while there is none.",
                NOTICES.lacking(applies, "ARN"),
                since=_NEW,
            )
            for number, applies in _ARN.items()
        },
        "arn-dash": breaks(
            "CBK-ATT-32 CBK-ATT-33 CBK-ATT-34 CBK-ATT-35",
            "ARN is a dash while there is none.",
            NOTICES.mapped("ARN", lambda text: text or "-"),
            since=_NEW,
        ),
        "without-rrn": breaks(
            "CBK-ATT-36",
            "rrn is missing.",
            all_of(
                NOTICES.without("rrn"),
                NOTICES.where(
                    lambda _notice: True,
                    lambda fields: {
                        name: without_fields("rrn")(dict(value))
                        if isinstance(value, dict) and name == "extended_data"
                        else value
                        for name, value in fields.items()
                    },
                ),
            ),
        ),
        "without-cof": breaks(
            ("CBK-ATT-38", "CBK-ATT-39", "CBK-ATT-40"),
            "No discriminator is reported.",
            NOTICES.without(*_COF),
            since=_NEW,
        ),
        **{
            f"{name}-always": breaks(
                "CBK-ATT-41", f"{name} is reported unasked.", _always({name: "recurring"}), since=_NEW
            )
            for name in _COF
        },
        **{
            f"{next(iter(members)).replace('_', '-').lower()}-unasked": breaks(
                f"CBK-ATT-{number}", f"{' and '.join(members)} is reported unasked.", _always(members), since=since
            )
            for number, members, since in _UNASKED
        },
        **{
            f"other-payer-{name}": breaks(
                "CBK-ATT-42",
                f"payer_{name} is another one.",
                NOTICES.mapped(f"payer_{name}", lambda text: f"{text}x"),
                since=_NEW,
            )
            for name in ("first_name", "email", "country")
        },
        "without-payer": breaks(
            "CBK-ATT-42",
            "Nothing of the payer is reported.",
            NOTICES.fields(
                lambda fields: {name: value for name, value in fields.items() if not name.startswith("payer_")}
            ),
            since=_NEW,
        ),
        "payer-always": breaks(
            "CBK-ATT-43", "The payer is reported unasked.", _always({"payer_email": "payer@example.com"}), since=_NEW
        ),
        "without-three-ds-data": breaks(
            ("CBK-ATT-44", "CBK-ATT-45", "CBK-ATT-46"),
            "Nothing of 3DS is reported.",
            all_of(*(NOTICES.without(name) for name in (*_THREE_DS, _FLOW))),
            since=_NEW,
        ),
        "trans-status-reversed": breaks(
            "CBK-ATT-45",
            "transStatus says the contrary.",
            NOTICES.mapped("transStatus", lambda text: {"Y": "N", "N": "Y"}.get(text, text)),
            since=_NEW,
        ),
        "without-browser-data": breaks(
            "CBK-ATT-49",
            "Nothing of the browser is reported.",
            NOTICES.without(*BROWSER_ATTRIBUTES),
            since=_NEW,
        ),
        "other-screen": breaks(
            "CBK-ATT-50",
            "The screen is another one.",
            all_of(
                NOTICES.saying("browser_screen_height", "1"),
                NOTICES.saying("browser_screen_width", "1"),
                NOTICES.saying("browser_color_depth", "1"),
                NOTICES.saying("browser_timezone_offset", "1"),
                NOTICES.mapped("browser_java_enabled", lambda text: {"false": "true"}.get(text, "false")),
            ),
            since=_NEW,
        ),
    },
    prefix="checkout-callback-",
)
