"""Faults of Checkout callbacks: what the settings of an account add."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from emulator.callbacks.notice import Fields, Notice
from emulator.checkout.options import BROWSER_ATTRIBUTES
from emulator.design import Change
from emulator.faults.checkout_ways import CALLBACKS, all_of, field_as, telling, telling_no, told
from emulator.faults.model import Fault
from emulator.payments.model import State

_NEW: Final = "6.7.0"
_THREE_DS: Final = ("threeDSServerTransID", "dsTransID", "acsTransID", "eci", "protocolVersion")
_COF: Final = ("initiator", "source", "sequence")


def _where(applies: Callable[[Notice], bool], change: Callable[[Fields], Fields]) -> Change:
    def changed(notice: Notice) -> Iterator[Notice]:
        yield replace(notice, fields=change(notice.fields)) if applies(notice) else notice

    return telling(changed)


def _dropping(*names: str) -> Callable[[Fields], Fields]:
    return lambda fields: {name: value for name, value in fields.items() if name not in names}


def _always(members: Fields, *events: str) -> Change:
    return told(lambda fields: {**members, **fields}, *events)


def _of(action: str, *states: State) -> Callable[[Notice], bool]:
    return lambda notice: notice.payment.action == action and (not states or notice.payment.state in states)


def _mapped(name: str, change: Callable[[str], str], *events: str) -> Change:
    return told(lambda fields: fields | {name: change(str(fields[name]))} if name in fields else fields, *events)


def _fault(  # noqa: PLR0913, PLR0917 - the parts of a fault
    name: str, ids: str, summary: str, change: Change, related: tuple[str, ...] = CALLBACKS, since: str | None = None
) -> Fault:
    """A fault of callbacks; ``ids`` are numbers of CBK-ATT, or whole names."""
    requirements = tuple(one if "-" in one else f"CBK-ATT-{one}" for one in ids.split())
    return Fault(f"checkout-callback-{name}", requirements, summary, change, related, since)


_ARN: Final = {"32": _of("purchase", State.SETTLED), "33": _of("purchase", State.AUTHORIZED)}

FAULTS: Final = (
    _fault("without-brand", "30", "brand is missing.", telling_no("brand"), since=_NEW),
    _fault(
        "without-method", "31", "checkout_payment_method is missing.", telling_no("checkout_payment_method"), since=_NEW
    ),
    _fault(
        "method-empty", "31", "checkout_payment_method is empty.", field_as("checkout_payment_method", ""), since=_NEW
    ),
    *(
        _fault(
            f"arn-missing-{number}",
            number,
            "ARN is left out while there is none.",
            _where(applies, _dropping("ARN")),
            since=_NEW,
        )
        for number, applies in _ARN.items()
    ),
    _fault(
        "arn-missing-34", "34", "ARN is left out while there is none.", telling_no("ARN", of=("recurring",)), since=_NEW
    ),
    _fault(
        "arn-missing-35", "35", "ARN is left out while there is none.", telling_no("ARN", of=("refund",)), since=_NEW
    ),
    _fault(
        "arn-dash",
        "32 33 34 35",
        "ARN is a dash while there is none.",
        _mapped("ARN", lambda text: text or "-"),
        since=_NEW,
    ),
    _fault(
        "without-rrn",
        "36",
        "rrn is missing.",
        all_of(
            telling_no("rrn"),
            _where(
                lambda _notice: True,
                lambda fields: {
                    name: _dropping("rrn")(dict(value))
                    if isinstance(value, dict) and name == "extended_data"
                    else value
                    for name, value in fields.items()
                },
            ),
        ),
    ),
    _fault(
        "without-extended-data",
        "37",
        "extended_data is missing.",
        telling_no(
            "extended_data",
            "connector_name",
            "rrn",
            "approval_code",
            "gateway_id",
            "extra_gateway_id",
            "merchant_name",
            "mid_name",
            "issuer_country",
            "issuer_bank",
        ),
    ),
    *(
        _fault(f"without-{name}", number, f"{name} is missing.", telling_no(name), since=_NEW)
        for name, number in zip(_COF, ("38", "39", "40"), strict=True)
    ),
    *(
        _fault(f"{name}-always", "41", f"{name} is told unasked.", _always({name: "recurring"}), since=_NEW)
        for name in _COF
    ),
    *(
        _fault(f"without-payer-{name}", "42", f"payer_{name} is missing.", telling_no(f"payer_{name}"), since=_NEW)
        for name in ("first_name", "email", "country")
    ),
    _fault(
        "without-payer",
        "42",
        "Nothing of the payer is told.",
        told(lambda fields: {name: value for name, value in fields.items() if not name.startswith("payer_")}),
        since=_NEW,
    ),
    _fault(
        "payer-always", "43", "The payer is told unasked.", _always({"payer_email": "payer@example.com"}), since=_NEW
    ),
    *(_fault(f"without-{name}", "44", f"{name} is missing.", telling_no(name), since=_NEW) for name in _THREE_DS),
    _fault(
        "trans-status-reversed",
        "45",
        "transStatus says the contrary.",
        _mapped("transStatus", lambda text: {"Y": "N", "N": "Y"}.get(text, text)),
        since=_NEW,
    ),
    _fault(
        "trans-status-asked-as-passed",
        "45",
        "transStatus is Y while the payer is asked.",
        field_as("transStatus", "Y", "3ds"),
        since=_NEW,
    ),
    _fault(
        "always-frictionless",
        "46",
        "Every payment is frictionless.",
        field_as("authenticationFlow", "Frictionless"),
        since=_NEW,
    ),
    _fault(
        "always-challenge",
        "46",
        "Every payment is challenged.",
        field_as("authenticationFlow", "Challenge"),
        since=_NEW,
    ),
    _fault(
        "without-trans-status-reason",
        "47",
        "transStatusReason is missing.",
        telling_no("transStatusReason"),
        since=_NEW,
    ),
    *(
        _fault(f"without-{name.replace('_', '-')}", "49", f"{name} is missing.", telling_no(name), since=_NEW)
        for name in BROWSER_ATTRIBUTES
    ),
    _fault(
        "other-screen",
        "50",
        "The screen is another one.",
        all_of(
            field_as("browser_screen_height", "1"),
            field_as("browser_screen_width", "1"),
            field_as("browser_color_depth", "1"),
            field_as("browser_timezone_offset", "1"),
            _mapped("browser_java_enabled", lambda text: {"false": "true"}.get(text, "false")),
        ),
        since=_NEW,
    ),
    _fault(
        "other-user-agent",
        "51",
        "The user agent is another one.",
        field_as("browser_user_agent", "Mozilla/4.0"),
        since=_NEW,
    ),
    _fault("other-language", "51", "The language is another one.", field_as("browser_language", "tlh"), since=_NEW),
    _fault(
        "other-accept",
        "51",
        "The accepted types are others.",
        field_as("browser_accept_headers", "application/pdf"),
        since=_NEW,
    ),
)
