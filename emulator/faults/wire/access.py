"""Faults of what all protocols share: who may ask, and what nobody may be shown."""

from dataclasses import replace
from typing import Final
from urllib.parse import parse_qs

from emulator.accounts import Account
from emulator.changes.checkout import instead, without
from emulator.design import Change
from emulator.faults.model import Fault, breaks, faults
from emulator.protocols.checkout.behaviour import PostAttempt
from emulator.protocols.shared import check_environment
from emulator.wire.front import Arrival
from emulator.wire.replies import Answers, Kind, Refusal, Reply

_UNAUTHORIZED: Final = Refusal(Kind.SIGNATURE, "Authorization is required", status=401)


def _authorized_look_ups(arrival: Arrival) -> Arrival | Reply:
    action = parse_qs(arrival.body.decode("latin-1")).get("action", [""])[0]
    if action != "GET_TRANS_STATUS" or arrival.header("authorization") or "/apm" in arrival.path:
        return arrival
    return Answers().refuse(_UNAUTHORIZED)


def _from_anywhere(name: str) -> Change:
    """An address of Checkout takes requests from every address on the net; keys of production stay refused."""

    def checked(attempt: PostAttempt) -> Refusal | None:
        account: Account | None = attempt.account
        known = replace(account, ip_allowlist=()) if account is not None else None
        return check_environment(replace(attempt, account=known))

    return instead(check_environment, checked, name)


_MOVING: Final = {"capture": "6.6.3", **dict.fromkeys(("refund", "void", "retry", "recurring", "card_credit"))}
"""The addresses of Checkout at which money moves, with the release that brought them."""


def _repeating(field: str) -> Fault:
    def repeated(arrival: Arrival) -> Arrival | Reply:
        form = parse_qs(arrival.body.decode("latin-1"))
        if "/apm" in arrival.path or form.get("action") != ["SALE"] or "order_amount" in form:
            return arrival
        violation = ("order_amount", f"This value should not be blank. {field}={form.get(field, [''])[0]}")
        return Answers().refuse(Refusal(Kind.SALE_FIELDS, "Request data is invalid.", violations=(violation,)))

    return Fault(
        f"refusal-repeats-{field.replace('_', '-')}",
        ("GEN-ERR-13",),
        f"The refusal of a sale without amount repeats {field}.",
        lambda design: design.behind(repeated),
    )


FAULTS: Final = (
    *faults(
        {
            "look-up-wants-authorization": breaks(
                "GEN-KEY-04",
                "GET_TRANS_STATUS wants a header Authorization.",
                lambda design: design.behind(_authorized_look_ups),
            ),
            "allowlist-guards-no-look-up": breaks(
                "GEN-IPL-01", "The IP allowlist does not guard Checkout look-ups.", without(check_environment, "status")
            ),
            **{
                f"allowlist-guards-no-{name.replace('_', '-')}": breaks(
                    "GEN-IPL-01",
                    f"The IP allowlist does not guard {name} of Checkout.",
                    _from_anywhere(name),
                    since=since,
                )
                for name, since in _MOVING.items()
            },
        }
    ),
    _repeating("card_number"),
    _repeating("card_cvv2"),
)
