"""Faults of S2S CARD: payers who are sent to the issuer, and their way back."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.accounts import Account
from emulator.design import Change, Design
from emulator.faults.model import Fault
from emulator.faults.posts import ANY, answering, leaving_out
from emulator.payments.model import Payment, State
from emulator.payments.moves import Move
from emulator.values import Object

_OF_3DS: Final = ("S2C-TDS-*", "S2C-CAP-13", "S2C-VOI-08", "CBK-S2C-03", "CBK-S2C-17")


def _when(name: str, value: str, change: Callable[[Object], Object], *actions: str) -> Change:
    return answering(lambda body: change(body) if body.get(name) == value else body, *actions)


def _back(change: Callable[[str], str]) -> Change:
    """The payer is sent back elsewhere."""

    def filtered(design: Design) -> Design:
        return design.in_card(way_back=lambda payment: change(design.card.way_back(payment)))

    return filtered


def _target(target: Callable[[Account, str, str], str]) -> Change:
    return lambda design: design.in_card(link_target=target)


def _passing(passes: Callable[[Payment, str], bool]) -> Change:
    return lambda design: design.in_card(passes=passes)


def _settles_debits_only(payment: Payment, choice: str) -> bool:
    return payment.action != "DEBIT" and payment.approves and choice == "pass"


def _never(_payment: Payment, _choice: str) -> bool:
    return False


def _anyway(_payment: Payment, _choice: str) -> bool:
    return True


def _approval_settles(design: Design) -> Design:
    inner = design.moves.carry_out

    def carry_out(payment: Payment, move: Move, amount: object, after: State) -> None:
        challenged = payment.state is State.CHALLENGED
        inner(payment, move, amount, after)  # type: ignore[arg-type]
        if challenged and move is Move.APPROVE:
            payment.state = State.SETTLED

    return replace(design, moves=replace(design.moves, carry_out=carry_out))


def _always_redirected(body: Object) -> Object:
    if body.get("result") != "SUCCESS":
        return body
    return body | {"redirect_url": "https://gateway.example/3ds", "redirect_method": "GET", "redirect_params": []}


def _flat(body: Object) -> Object:
    return body | {"redirect_params": "PaReq=1&MD=2"} if "redirect_params" in body else body


FAULTS: Final = (
    Fault(
        "challenge-answer-success",
        ("S2C-TDS-01",),
        "A sale that needs the challenge has the result SUCCESS.",
        _when("status", "3DS", lambda body: body | {"result": "SUCCESS"}, "SALE"),
        _OF_3DS,
    ),
    Fault(
        "challenge-answer-redirect",
        ("S2C-TDS-01",),
        "A sale that needs the challenge has the status REDIRECT.",
        _when("status", "3DS", lambda body: body | {"status": "REDIRECT"}, "SALE"),
        _OF_3DS,
    ),
    *(
        Fault(
            f"challenge-answer-without-{name.replace('_', '-')}",
            ("S2C-TDS-02",),
            f"The answer to a sale with 3DS lacks {name}.",
            leaving_out((name,), "SALE"),
            (*_OF_3DS, "S2C-TDS-11"),
        )
        for name in ("redirect_url", "redirect_method")
    ),
    Fault(
        "challenge-method-small",
        ("S2C-TDS-03",),
        "redirect_method is FORM.",
        answering(lambda body: body | {"redirect_method": "FORM"} if "redirect_method" in body else body),
        _OF_3DS,
    ),
    Fault("challenge-parameters-text", ("S2C-TDS-04",), "redirect_params is a text.", answering(_flat), _OF_3DS),
    Fault(
        "challenge-ends-elsewhere",
        ("S2C-TDS-05",),
        "After the challenge the payer is sent elsewhere.",
        _back(lambda _: "https://gateway.example/done"),
        ("S2C-TDS-11", "S2C-TDS-14"),
    ),
    Fault(
        "challenge-never-passed",
        ("S2C-TDS-06",),
        "A payer who passes the challenge is declined.",
        _passing(_never),
        (*_OF_3DS, "CBK-*"),
    ),
    Fault(
        "challenge-always-passed",
        ("S2C-TDS-07",),
        "A payer who fails the challenge pays.",
        _passing(_anyway),
        ("CBK-*",),
    ),
    Fault(
        "challenge-settles-authorization",
        ("S2C-TDS-08",),
        "An authorization settles with the challenge.",
        _approval_settles,
        ("CHK-*",),
    ),
    Fault(
        "challenge-told-as-settled",
        ("S2C-TDS-09",),
        "A payment in the challenge is told as SETTLED by look-ups.",
        _when("status", "3DS", lambda body: body | {"status": "SETTLED"}, "GET_TRANS_STATUS"),
        _OF_3DS,
    ),
    Fault(
        "redirect-without-challenge",
        ("S2C-TDS-10",),
        "A sale that is paid is answered with an address for the payer.",
        answering(_always_redirected, "SALE"),
        ("S2C-ANS-*",),
    ),
    Fault(
        "redirect-told-as-challenge",
        ("S2C-TDS-11",),
        "A redirect that is no 3DS has the status 3DS.",
        _when("status", "REDIRECT", lambda body: body | {"status": "3DS"}, "SALE"),
    ),
    Fault(
        "link-target-not-overridden",
        ("S2C-TDS-12",),
        "The link target of the account has no effect.",
        _target(lambda _account, wanted, _release: wanted or "_top"),
        since="6.7.0",
    ),
    Fault(
        "link-target-ignored",
        ("S2C-TDS-13",),
        "term_url_target has no effect.",
        _target(lambda account, _wanted, _release: account.override_link_target or "_top"),
    ),
    Fault(
        "challenged-debit-declined",
        ("S2C-TDS-14",),
        "A debit whose payer passes the challenge is declined.",
        _passing(_settles_debits_only),
    ),
    Fault(
        "challenged-debit-answer-pending",
        ("S2C-TDS-14",),
        "A debit that needs the challenge is answered as SUCCESS.",
        _when("status", "3DS", lambda body: body | {"result": "SUCCESS", "status": "SETTLED"}, "DEBIT"),
        ANY,
    ),
)
