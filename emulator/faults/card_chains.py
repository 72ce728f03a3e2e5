"""Faults of S2S CARD: debits, recurring payments, retries, transfers and payouts."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.design import Change, Design
from emulator.faults.model import Fault
from emulator.faults.posts import (
    ANY,
    answering,
    breaking,
    first,
    instead,
    lately,
    leaving_out,
    post,
    refusing,
    saying,
)
from emulator.payments.model import Payment, State
from emulator.payments.moves import Move
from emulator.replies import INVALID_DATA, Kind, Refusal
from emulator.s2s_card.conduct import CardAttempt
from emulator.s2s_card.record import record_of
from emulator.s2s_card.stages import check_token, find_initial, find_payment
from emulator.values import Object

_REFUSED: Final = Refusal(Kind.CARD_FIELDS, INVALID_DATA, violations=(("form", "This was not expected."),))
_OTHER_PAIR: Final = Refusal(Kind.NOT_FOUND, "Payment not found.")
_NO_SCHEDULE: Final = Refusal(Kind.SCHEDULE, "Schedule not found")
_NO_CARD: Final = Refusal(Kind.WRONG_CARD, "Card is not known.")
_STARTS: Final = ("S2C-REC-*", "S2C-SIG-*", "S2C-SCH-*", "S2C-SCP-*", "CBK-*", "S2C-STA-*", "S2C-VOI-15", "S2C-AMT-12")
_AGAIN: Final = (*_STARTS, "S2C-DUP-03")
_OF_PAYOUT: Final = ("S2C-ANS-*", "S2C-PAY-*", "S2C-SIG-*", "S2C-DUP-04", "CBK-*", "S2C-AMT-11")
_OF_TRANSFER: Final = ("S2C-ANS-*", "S2C-PAY-*", "S2C-SIG-05", "S2C-DUP-05", "S2C-AMT-11", "S2C-SIG-38")
_OF_RETRY: Final = ("S2C-REC-*", "S2C-SIG-11", "CBK-*")


def _always(_attempt: CardAttempt) -> bool:
    return True


def _has(name: str) -> Callable[[CardAttempt], bool]:
    return lambda attempt: any(field == name or field.startswith(f"{name}[") for field in attempt.form)


def _odd_start(attempt: CardAttempt) -> bool:
    return attempt.form.get("recurring_init", "N") not in {"Y", "N"}


def _chain_of(owner: Callable[[CardAttempt, Payment], bool], token: Callable[[CardAttempt, Payment], bool]) -> Change:
    """Further payments go by another look at the pair of ids."""

    def find(attempt: CardAttempt) -> Refusal | None:
        wanted = attempt.form.get("recurring_first_trans_id", "")
        for account in ACCOUNTS:
            found = attempt.gateway.payments.find(account, wanted)
            if found is not None and owner(attempt, found) and token(attempt, found) and found.recurring_token:
                attempt.payment = found
                return None
        return find_initial(attempt)

    return instead(find_initial, find, "RECURRING_SALE", "RECURRING_DEBIT")


def _own(attempt: CardAttempt, payment: Payment) -> bool:
    return attempt.account is not None and payment.account.key == attempt.account.key


def _same_token(attempt: CardAttempt, payment: Payment) -> bool:
    return payment.recurring_token == attempt.form.get("recurring_token")


def _known_token(attempt: CardAttempt, payment: Payment) -> bool:
    given = attempt.form.get("recurring_token", "")
    return given != payment.recurring_token and _issued(attempt, given)


def _issued(attempt: CardAttempt, token: str) -> bool:
    return attempt.account is not None and attempt.gateway.payments.issued(attempt.account, token)


def _unknown_token(attempt: CardAttempt, payment: Payment) -> bool:
    given = attempt.form.get("recurring_token", "")
    return given != payment.recurring_token and not _issued(attempt, given)


def _token_added(body: Object) -> Object:
    return {"recurring_token": "5c4ed01e-0000-4000-8000-00000000000f", **body}


def _added_when(result: str) -> Change:
    return answering(lambda body: _token_added(body) if body.get("result") == result else body, "SALE")


def _succeeds(body: Object) -> Object:
    declined = body.get("result") == "DECLINED"
    return body | {"result": "SUCCESS", "status": "SETTLED"} if declined else body


def _unknown_as(refusal: Refusal, *actions: str) -> Change:
    return post(*actions, unknown=refusal)


def _holds_ignored(attempt: CardAttempt) -> Refusal | None:
    attempt.form = {name: value for name, value in attempt.form.items() if name != "auth"}
    return None


def _any_retried(design: Design) -> Design:
    def soft(attempt: CardAttempt) -> Refusal | None:
        payment = attempt.payment
        if payment is not None and payment.state is State.SETTLED:
            record_of(payment).soft = True
        return None

    allowed = lately(soft, "RETRY")(design)
    return replace(allowed, moves=allowed.moves.allowing((State.SETTLED, Move.RETRY, State.SETTLED)))


def _retry_leads(state: State) -> Change:
    def change(design: Design) -> Design:
        before = design.moves.carry_out

        def carry_out(payment: Payment, move: Move, amount: object, after: State) -> None:
            before(payment, move, amount, after)  # type: ignore[arg-type]
            if move is Move.RETRY:
                payment.state = state

        return replace(design, moves=replace(design.moves, carry_out=carry_out))

    return change


_DEBITS: Final = (
    Fault(
        "debit-refused", ("S2C-DEB-01",), "Every debit is refused.", first(refusing(_always, _REFUSED), "DEBIT"), ANY
    ),
    Fault("debit-named-sale", ("S2C-DEB-05",), "A debit is answered as a SALE.", saying("action", "SALE", "DEBIT")),
    *(
        Fault(
            f"debit-answer-without-{name.replace('_', '-')}",
            ("S2C-DEB-05",),
            f"The answer to a debit lacks {name}.",
            leaving_out((name,), "DEBIT"),
            ANY,
        )
        for name in ("status", "trans_id", "order_id", "amount")
    ),
    Fault(
        "debit-starts-no-chain",
        ("S2C-DEB-06",),
        "A debit answers no recurring token.",
        leaving_out(("recurring_token",), "DEBIT"),
        _STARTS,
        since="6.7.0",
    ),
    Fault(
        "debit-starts-no-schedule",
        ("S2C-DEB-07",),
        "A debit may not name a schedule.",
        first(refusing(_has("schedule_id"), _NO_SCHEDULE), "DEBIT"),
        since="6.7.0",
    ),
    Fault(
        "declined-debit-settled",
        ("S2C-DEB-08",),
        "A declined debit is answered as paid.",
        answering(_succeeds, "DEBIT"),
    ),
)
_CHAINS: Final = (
    Fault(
        "chain-without-token",
        ("S2C-REC-01",),
        "A sale with recurring_init answers no recurring token.",
        leaving_out(("recurring_token",), "SALE"),
        _STARTS,
    ),
    Fault(
        "chain-unasked", ("S2C-REC-02",), "Every sale that is paid answers a recurring token.", _added_when("SUCCESS")
    ),
    Fault("chain-of-declined", ("S2C-REC-03",), "A declined sale answers a recurring token.", _added_when("DECLINED")),
    Fault(
        "recurring-init-odd-server-error",
        ("S2C-REC-04",),
        "A value of recurring_init beside Y and N is a server error.",
        first(breaking(_odd_start), "SALE"),
        ("GEN-ERR-11",),
    ),
    Fault(
        "recurring-sale-refused",
        ("S2C-REC-05",),
        "Every RECURRING_SALE is refused.",
        lately(refusing(_always, _OTHER_PAIR), "RECURRING_SALE"),
        ANY,
    ),
    Fault(
        "recurring-pairs-mixed",
        ("S2C-REC-13",),
        "The token of one chain serves with the payment of another.",
        _chain_of(_own, _known_token),
        ("S2C-REC-22",),
    ),
    Fault(
        "recurring-pair-other-text",
        ("S2C-REC-13", "S2C-REC-14"),
        "A pair that does not match is refused in other words.",
        _unknown_as(_OTHER_PAIR, "RECURRING_SALE"),
        ("S2C-REC-15",),
    ),
    Fault(
        "recurring-token-unheard",
        ("S2C-REC-14",),
        "A token that nobody was given charges.",
        _chain_of(_own, _unknown_token),
        ("S2C-REC-22",),
    ),
    Fault(
        "recurring-of-another-merchant",
        ("S2C-REC-15",),
        "The chain of another merchant can be charged.",
        _chain_of(lambda attempt, payment: not _own(attempt, payment), _same_token),
    ),
    Fault(
        "recurring-custom-data-refused",
        ("S2C-REC-16",),
        "RECURRING_SALE refuses custom_data.",
        first(refusing(_has("custom_data"), _REFUSED), "RECURRING_SALE"),
        ("CBK-S2C-14",),
        since="6.7.0",
    ),
    *(
        Fault(
            f"{action.lower().replace('_', '-')}-answer-without-{name.replace('_', '-')}",
            (requirement,),
            f"The answer to {action} lacks {name}.",
            leaving_out((name,), action),
            ANY,
            since=since,
        )
        for action, requirement, since in (
            ("RECURRING_SALE", "S2C-REC-18", None),
            ("RECURRING_DEBIT", "S2C-REC-23", "6.7.0"),
        )
        for name in ("action", "order_id", "trans_id", "result", "status")
    ),
    Fault(
        "recurring-auth-ignored",
        ("S2C-REC-19",),
        "RECURRING_SALE with auth=Y settles at once.",
        lately(_holds_ignored, "RECURRING_SALE"),
    ),
    Fault(
        "recurring-debit-refused",
        ("S2C-REC-20",),
        "Every RECURRING_DEBIT is refused.",
        lately(refusing(_always, _OTHER_PAIR), "RECURRING_DEBIT"),
        _AGAIN,
        since="6.7.0",
    ),
    Fault(
        "recurring-debit-pairs-mixed",
        ("S2C-REC-22",),
        "A recurring debit takes every token.",
        _chain_of(_own, lambda attempt, payment: not _same_token(attempt, payment)),
        ("S2C-REC-*",),
        since="6.7.0",
    ),
)
_RETRIES: Final = (
    Fault(
        "retry-answers-success",
        ("S2C-REC-24",),
        "RETRY is answered with SUCCESS.",
        saying("result", "SUCCESS", "RETRY"),
    ),
    Fault(
        "retry-answer-without-ids",
        ("S2C-REC-24",),
        "The answer to RETRY lacks order_id and trans_id.",
        leaving_out(("order_id", "trans_id"), "RETRY"),
    ),
    Fault("retry-of-settled", ("S2C-REC-26",), "A settled payment is retried.", _any_retried),
    Fault(
        "retry-unknown-server-error",
        ("S2C-REC-27",),
        "RETRY of an unknown payment is a server error.",
        instead(find_payment, breaking(lambda attempt: find_payment(attempt) is not None), "RETRY"),
        ("GEN-ERR-*", "S2C-REC-*"),
    ),
    Fault(
        "retry-never-ends",
        ("S2C-REC-28",),
        "A retried payment stays undecided.",
        _retry_leads(State.PREPARED),
        _OF_RETRY,
    ),
)
_PAYOUTS: Final = (
    Fault(
        "card2card-refused",
        ("S2C-PAY-01",),
        "Every CARD2CARD is refused.",
        lately(refusing(_always, _REFUSED), "CARD2CARD"),
        _OF_TRANSFER,
    ),
    Fault(
        "card2card-answer-pending",
        ("S2C-PAY-04",),
        "A CARD2CARD that is paid is answered as PENDING.",
        answering(lambda body: body | {"status": "PENDING"} if body.get("status") == "SETTLED" else body, "CARD2CARD"),
        _OF_TRANSFER,
    ),
    Fault(
        "declined-card2card-settled",
        ("S2C-PAY-05",),
        "A declined CARD2CARD is answered as paid.",
        answering(_succeeds, "CARD2CARD"),
    ),
    Fault(
        "credit2card-refused",
        ("S2C-PAY-06",),
        "Every CREDIT2CARD is refused.",
        lately(refusing(_always, _REFUSED), "CREDIT2CARD"),
        _OF_PAYOUT,
    ),
    Fault(
        "credit2card-by-token-refused",
        ("S2C-PAY-09",),
        "CREDIT2CARD takes no token.",
        lately(refusing(_has("card_token"), _REFUSED), "CREDIT2CARD"),
        ("S2C-SIG-21", "S2C-PAY-10"),
    ),
    Fault(
        "credit2card-unknown-token-other-code",
        ("S2C-PAY-10",),
        "A token of no card is refused with 100000 by CREDIT2CARD.",
        instead(check_token, lambda attempt: _NO_CARD if check_token(attempt) else None, "CREDIT2CARD"),
    ),
    *(
        Fault(
            f"credit2card-answer-without-{name.replace('_', '-')}",
            ("S2C-PAY-11",),
            f"The answer to a payout lacks {name}.",
            leaving_out((name,), "CREDIT2CARD"),
            _OF_PAYOUT,
        )
        for name in ("action", "result", "status", "order_id", "trans_id", "trans_date")
    ),
    Fault(
        "declined-payout-settled",
        ("S2C-PAY-12",),
        "A declined payout is answered as paid.",
        answering(_succeeds, "CREDIT2CARD"),
    ),
    Fault(
        "declined-payout-without-reason",
        ("S2C-PAY-12",),
        "A declined payout is answered without a reason.",
        leaving_out(("decline_reason",), "CREDIT2CARD"),
    ),
    Fault(
        "payout-not-found",
        ("S2C-PAY-13",),
        "A payout cannot be looked up.",
        instead(
            find_payment,
            lambda attempt: (
                find_payment(attempt)
                or (
                    attempt.conduct.unknown
                    if attempt.payment is not None and attempt.payment.action == "CREDIT2CARD"
                    else None
                )
            ),
            "GET_TRANS_STATUS",
        ),
        ("S2C-SIG-14", "S2C-PAY-12"),
    ),
)
FAULTS: Final = (*_DEBITS, *_CHAINS, *_RETRIES, *_PAYOUTS)
