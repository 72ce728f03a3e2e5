"""Faults of S2S CARD: payers who are sent to the issuer, and their way back."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from emulator.accounts import Account
from emulator.changes.s2s_card import answering, leaving_out
from emulator.design import Change, Design
from emulator.engine.moves import Move
from emulator.engine.payments import Payment, Protocol, State
from emulator.faults.model import breaks, faults
from emulator.wire.values import Object

_ASKED_AGAIN: Final = """<form method="post">
<p>{question}</p><input type="hidden" name="again" value="{again}">
<button name="outcome" value="pass" data-challenge="pass">Confirm</button>
<button name="outcome" value="fail" data-challenge="fail">Fail</button>
</form>"""


def _asking_for_ever(_token: str, posted: Mapping[str, str]) -> str:
    again = "no" if posted.get("again") == "yes" else "yes"
    return _ASKED_AGAIN.format(again=again, question="Are you sure?" if again == "yes" else "Do you mean it?")


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


def _all_pass(_payment: Payment, _choice: str) -> bool:
    return True


def _approval_settles(away: State) -> Change:
    def change(design: Design) -> Design:
        inner = design.moves.carry_out

        def carry_out(payment: Payment, move: Move, amount: object, after: State) -> None:
            was_away = payment.state is away and payment.protocol is Protocol.S2S_CARD
            inner(payment, move, amount, after)  # type: ignore[arg-type]
            if was_away and move is Move.APPROVE:
                payment.state = State.SETTLED

        return replace(design, moves=replace(design.moves, carry_out=carry_out))

    return change


def _always_redirected(body: Object) -> Object:
    if body.get("result") != "SUCCESS":
        return body
    return body | {"redirect_url": "https://gateway.example/3ds", "redirect_method": "GET", "redirect_params": []}


def _flat(body: Object) -> Object:
    return body | {"redirect_params": "PaReq=1&MD=2"} if "redirect_params" in body else body


FAULTS: Final = faults(
    {
        **{
            f"challenge-answer-without-{name.replace('_', '-')}": breaks(
                "S2C-TDS-02", f"The answer to a sale with 3DS lacks {name}.", leaving_out(name, "SALE")
            )
            for name in ("redirect_url", "redirect_method")
        },
        "challenge-parameters-text": breaks("S2C-TDS-04", "redirect_params is a text.", answering(_flat)),
        "challenge-ends-elsewhere": breaks(
            "S2C-TDS-05",
            "After the challenge the payer is sent elsewhere.",
            _back(lambda _: "https://gateway.example/done"),
        ),
        "challenge-asks-for-ever": breaks(
            "S2C-TDS-05",
            "Whatever the payer answers, the page of the issuer asks again.",
            lambda design: design.in_card(issuer_asks=_asking_for_ever),
        ),
        "challenge-never-passed": breaks(
            "S2C-TDS-06", "A payer who passes the challenge is declined.", _passing(_never)
        ),
        "challenge-always-passed": breaks("S2C-TDS-07", "A payer who fails the challenge pays.", _passing(_all_pass)),
        "challenge-settles-authorization": breaks(
            "S2C-TDS-08", "An authorization settles with the challenge.", _approval_settles(State.CHALLENGED)
        ),
        "redirect-settles-authorization": breaks(
            "S2C-AMT-01", "An authorization settles with the redirect.", _approval_settles(State.REDIRECTED)
        ),
        "redirect-without-challenge": breaks(
            "S2C-TDS-10",
            "A sale that is paid is answered with an address for the payer.",
            answering(_always_redirected, "SALE"),
        ),
        "link-target-not-overridden": breaks(
            "S2C-TDS-12",
            "The link target of the account has no effect.",
            _target(lambda _account, wanted, _release: wanted or "_top"),
            since="6.7.0",
        ),
        "link-target-ignored": breaks(
            "S2C-TDS-13",
            "term_url_target has no effect.",
            _target(lambda account, _wanted, _release: account.override_link_target or "_top"),
        ),
        "challenged-debit-declined": breaks(
            "S2C-TDS-14", "A debit whose payer passes the challenge is declined.", _passing(_settles_debits_only)
        ),
    }
)
