"""Faults of S2S CARD: debits, recurring payments, retries, transfers and payouts."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from emulator.accounts import ACCOUNTS
from emulator.changes.s2s_card import answering, answering_where, first, instead, last, leaving_out, refused_as
from emulator.changes.s2s_card_moves import finding_others, leading_to, unknown_as
from emulator.changes.stages import breakdown_if, refusal_if
from emulator.design import Change, Design
from emulator.engine.moves import Move
from emulator.engine.payments import Payment, State
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.protocols.s2s_card.stages import check_token, find_initial, find_payment
from emulator.wire.replies import INVALID_DATA, Kind, Refusal
from emulator.wire.values import Object

_REFUSED: Final = Refusal(Kind.CARD_FIELDS, INVALID_DATA, violations=(("form", "This was not expected."),))
_UNSUPPORTED: Final = Refusal(Kind.NOWHERE, "Route or parameters is not supported", code=0, status=404)
_OTHER_PAIR: Final = Refusal(Kind.NOT_FOUND, "Payment not found.")
_NO_SCHEDULE: Final = Refusal(Kind.SCHEDULE, "Schedule not found")
_NO_CARD: Final = Refusal(Kind.WRONG_CARD, "Card is not known.")


def _always(_attempt: CardAttempt) -> bool:
    return True


def _has(name: str) -> Callable[[CardAttempt], bool]:
    return lambda attempt: any(field == name or field.startswith(f"{name}[") for field in attempt.form)


def _odd_start(attempt: CardAttempt) -> bool:
    return attempt.form.get("recurring_init", "N") not in {"Y", "N"}


def _chain_of(
    owner: Callable[[CardAttempt, Payment], bool],
    token: Callable[[CardAttempt, Payment], bool],
    *actions: str,
) -> Change:
    """Further payments go by another look at the pair of ids."""

    def find(attempt: CardAttempt) -> Refusal | None:
        wanted = attempt.form.get("recurring_first_trans_id", "")
        for account in ACCOUNTS:
            found = attempt.gateway.payments.find(account, wanted)
            if found is not None and owner(attempt, found) and token(attempt, found) and found.recurring_token:
                attempt.payment = found
                return None
        return find_initial(attempt)

    return instead(find_initial, find, *(actions or ("RECURRING_SALE", "RECURRING_DEBIT")))


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


def _succeeds(body: Object) -> Object:
    declined = body.get("result") == "DECLINED"
    return body | {"result": "SUCCESS", "status": "SETTLED"} if declined else body


def _of_a_chain(attempt: CardAttempt) -> bool:
    return attempt.payment is not None and attempt.payment.action == "RECURRING_SALE"


def _lose_currency(attempt: CardAttempt) -> Refusal | None:
    attempt.form = {name: value for name, value in attempt.form.items() if name != "order_currency"}
    return None


def _any_retried(design: Design) -> Design:
    def soft(attempt: CardAttempt) -> Refusal | None:
        payment = attempt.payment
        if payment is not None and payment.state is State.SETTLED:
            record_of(payment).soft = True
        return None

    allowed = last(soft, "RETRY")(design)
    return replace(allowed, moves=allowed.moves.allowing((State.SETTLED, Move.RETRY, State.SETTLED)))


_DEBITS: Final = faults(
    {
        "debit-refused": breaks("S2C-DEB-01", "Every debit is refused.", first(refusal_if(_always, _REFUSED), "DEBIT")),
        **{
            f"debit-answer-without-{name.replace('_', '-')}": breaks(
                "S2C-DEB-05", f"The answer to a debit lacks {name}.", leaving_out(name, "DEBIT")
            )
            for name in ("status", "trans_id", "order_id", "amount")
        },
        "debit-starts-no-schedule": breaks(
            "S2C-DEB-07",
            "A debit may not name a schedule.",
            first(refusal_if(_has("schedule_id"), _NO_SCHEDULE), "DEBIT"),
            since="6.7.0",
        ),
        "declined-debit-settled": breaks(
            "S2C-DEB-08", "A declined debit is answered as paid.", answering(_succeeds, "DEBIT")
        ),
    }
)
_CHAINS: Final = faults(
    {
        "chain-unasked": breaks(
            "S2C-REC-02",
            "Every sale that is paid answers a recurring token.",
            answering_where("result", "SUCCESS", _token_added, "SALE"),
        ),
        "chain-of-declined": breaks(
            "S2C-REC-03",
            "A declined sale answers a recurring token.",
            answering_where("result", "DECLINED", _token_added, "SALE"),
        ),
        "recurring-init-odd-server-error": breaks(
            "S2C-REC-04",
            "A value of recurring_init beside Y and N is a server error.",
            first(breakdown_if(_odd_start), "SALE"),
        ),
        "recurring-sale-refused": breaks(
            "S2C-REC-05", "Every RECURRING_SALE is refused.", last(refusal_if(_always, _OTHER_PAIR), "RECURRING_SALE")
        ),
        "recurring-pairs-mixed": breaks(
            "S2C-REC-13", "The token of one chain serves with the payment of another.", _chain_of(_own, _known_token)
        ),
        "recurring-pair-other-text": breaks(
            "S2C-REC-13 S2C-REC-14",
            "A pair that does not match is refused in other words.",
            unknown_as("RECURRING_SALE", _OTHER_PAIR),
        ),
        "recurring-token-unheard": breaks(
            "S2C-REC-14", "A token that nobody was given charges.", _chain_of(_own, _unknown_token)
        ),
        "recurring-of-another-merchant": breaks(
            "S2C-REC-15",
            "The chain of another merchant can be charged.",
            _chain_of(lambda attempt, payment: not _own(attempt, payment), _same_token),
        ),
        "debit-chain-of-another-merchant": breaks(
            "S2C-REC-15",
            "The chain of another merchant's DEBIT can be charged.",
            _chain_of(lambda attempt, payment: not _own(attempt, payment), _same_token, "RECURRING_DEBIT"),
            since="6.7.0",
        ),
        "retry-of-another-merchant": breaks(
            "S2C-REC-27", "RETRY reaches payments of other merchants.", finding_others("RETRY")
        ),
        "recurring-custom-data-refused": breaks(
            "S2C-REC-16",
            "RECURRING_SALE refuses custom_data.",
            first(refusal_if(_has("custom_data"), _REFUSED), "RECURRING_SALE"),
            since="6.7.0",
        ),
        **{
            f"{action.lower().replace('_', '-')}-answer-without-{name.replace('_', '-')}": breaks(
                requirement, f"The answer to {action} lacks {name}.", leaving_out(name, action), since=since
            )
            for action, requirement, since in (
                ("RECURRING_SALE", "S2C-REC-18", None),
                ("RECURRING_DEBIT", "S2C-REC-23", "6.7.0"),
            )
            for name in ("action", "order_id", "trans_id", "result", "status")
        },
        "recurring-auth-not-captured": breaks(
            "S2C-REC-19",
            "What RECURRING_SALE with auth=Y holds cannot be captured.",
            last(refusal_if(_of_a_chain, _OTHER_PAIR), "CAPTURE"),
        ),
        "recurring-debit-refused": breaks(
            "S2C-REC-20",
            "Every RECURRING_DEBIT is refused.",
            last(refusal_if(_always, _OTHER_PAIR), "RECURRING_DEBIT"),
            since="6.7.0",
        ),
        "recurring-debit-pairs-mixed": breaks(
            "S2C-REC-22",
            "A recurring debit takes every token.",
            _chain_of(_own, lambda attempt, payment: not _same_token(attempt, payment)),
            since="6.7.0",
        ),
    }
)
_CURRENCIES: Final = faults(
    {
        "chain-currency-ignored": breaks(
            "S2C-REC-29",
            "RECURRING_SALE charges in the currency of the first payment.",
            first(_lose_currency, "RECURRING_SALE"),
        ),
    }
)
_RETRIES: Final = faults(
    {
        "retry-of-settled": breaks("S2C-REC-26", "A settled payment is retried.", _any_retried),
        "retry-unknown-server-error": breaks(
            "S2C-REC-27",
            "RETRY of an unknown payment is a server error.",
            instead(find_payment, breakdown_if(lambda attempt: find_payment(attempt) is not None), "RETRY"),
        ),
        "retry-never-ends": breaks(
            "S2C-REC-28", "A retried payment stays undecided.", leading_to(Move.RETRY, State.PREPARED)
        ),
    }
)
_PAYOUTS: Final = faults(
    {
        "card2card-refused": breaks(
            "S2C-PAY-01", "Every CARD2CARD is refused.", last(refusal_if(_always, _UNSUPPORTED), "CARD2CARD")
        ),
        "card2card-answer-pending": breaks(
            "S2C-PAY-04",
            "A CARD2CARD that is paid is answered as PENDING.",
            answering(
                lambda body: body | {"status": "PENDING"} if body.get("status") == "SETTLED" else body, "CARD2CARD"
            ),
        ),
        "declined-card2card-settled": breaks(
            "S2C-PAY-05", "A declined CARD2CARD is answered as paid.", answering(_succeeds, "CARD2CARD")
        ),
        "credit2card-refused": breaks(
            "S2C-PAY-06", "Every CREDIT2CARD is refused.", last(refusal_if(_always, _UNSUPPORTED), "CREDIT2CARD")
        ),
        "credit2card-by-token-refused": breaks(
            "S2C-PAY-09", "CREDIT2CARD takes no token.", last(refusal_if(_has("card_token"), _REFUSED), "CREDIT2CARD")
        ),
        "credit2card-unknown-token-other-code": breaks(
            "S2C-PAY-10",
            "A token of no card is refused with 100000 by CREDIT2CARD.",
            refused_as(_NO_CARD, check_token, "CREDIT2CARD"),
        ),
        **{
            f"credit2card-answer-without-{name.replace('_', '-')}": breaks(
                "S2C-PAY-11", f"The answer to a payout lacks {name}.", leaving_out(name, "CREDIT2CARD")
            )
            for name in ("action", "result", "status", "order_id", "trans_id", "trans_date")
        },
        "declined-payout-settled": breaks(
            "S2C-PAY-12", "A declined payout is answered as paid.", answering(_succeeds, "CREDIT2CARD")
        ),
        "payout-not-found": breaks(
            "S2C-PAY-13",
            "A payout cannot be looked up.",
            instead(
                find_payment,
                lambda attempt: (
                    find_payment(attempt)
                    or (
                        attempt.behaviour.unknown
                        if attempt.payment is not None and attempt.payment.action == "CREDIT2CARD"
                        else None
                    )
                ),
                "GET_TRANS_STATUS",
            ),
        ),
    }
)
FAULTS: Final = (*_DEBITS, *_CHAINS, *_CURRENCIES, *_RETRIES, *_PAYOUTS)
