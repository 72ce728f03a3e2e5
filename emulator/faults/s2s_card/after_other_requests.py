"""Faults of S2S CARD that come of what happened before: caches, rounding, refusals with effects, lost facts."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from emulator.changes.s2s_card import NOTICES, also_hashed, answering, around, last, post
from emulator.changes.stages import refusal_if
from emulator.design import Change, Design
from emulator.engine.callbacks.notice import Fields, Notice
from emulator.engine.duplicates import WindowRule
from emulator.engine.moves import Move
from emulator.engine.payments import Payment, Protocol, State
from emulator.engine.signing import FormValues, equal, formula_1
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardHashTest, Perform
from emulator.protocols.s2s_card.messages.action_table import PAYMENTS
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.wire.replies import Kind, Refusal, Reply
from emulator.wire.values import Object

_NOT_NOW: Final = Refusal(Kind.STATE, "This is not possible now.")
_LOOKUPS: Final = ("GET_TRANS_STATUS", "GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS")


def _moved(change: Callable[[Payment, Move, Decimal, State], tuple[Decimal, State]]) -> Change:
    """A move of an S2S CARD payment takes another amount, or leads elsewhere."""

    def changed(design: Design) -> Design:
        inner = design.moves.carry_out

        def carry_out(payment: Payment, move: Move, amount: Decimal, after: State) -> None:
            if payment.protocol is Protocol.S2S_CARD:
                amount, after = change(payment, move, amount, after)
            inner(payment, move, amount, after)

        return replace(design, moves=replace(design.moves, carry_out=carry_out))

    return changed


def _first_answered(member: str) -> Change:
    """A member of answers is cached per action: all later ones say what the first one said."""

    def change(design: Design) -> Design:
        seen: dict[str, object] = {}

        def cached(body: Object) -> Object:
            if member not in body:
                return body
            return body | {member: seen.setdefault(str(body.get("action")), body[member])}

        return answering(cached, "CAPTURE", "RECURRING_SALE", "RECURRING_DEBIT")(design)

    return change


def _amount_of_initial(perform: Perform, attempt: CardAttempt) -> Reply:
    reply, initial = perform(attempt), attempt.payment
    if reply.is_error or initial is None:
        return reply
    return replace(reply, body=reply.body | {"amount": initial.amount_text, "order_id": initial.order_number})


def _refusal_ends_it(perform: Perform, attempt: CardAttempt) -> Reply:
    reply, payment = perform(attempt), attempt.payment
    if reply.is_error and payment is not None and payment.state is State.AUTHORIZED:
        payment.state = State.RELEASED
    return reply


def _refusal_gives_back(perform: Perform, attempt: CardAttempt) -> Reply:
    reply, payment = perform(attempt), attempt.payment
    if reply.is_error and payment is not None and payment.state is State.SETTLED:
        payment.refunded = payment.captured
    return reply


def _chain_ends(perform: Perform, attempt: CardAttempt) -> Reply:
    reply, payment = perform(attempt), attempt.payment
    initial = attempt.gateway.payments.find(payment.account, payment.chain) if payment and payment.chain else None
    if initial is not None and not reply.is_error:
        initial.recurring_token = ""
    return reply


def _one_charge_a_chain(design: Design) -> Design:
    """A second charge of a chain within the window is taken for a duplicate."""

    def stage(attempt: CardAttempt) -> Refusal | None:
        initial, now = attempt.payment, attempt.gateway.clock.seconds()
        if initial is None:
            return None
        charged = initial.extras.get("charged")
        initial.extras["charged"] = now
        return (
            attempt.behaviour.duplicate if isinstance(charged, float) and now - charged < WindowRule().seconds else None
        )

    return last(stage, "RECURRING_SALE", "RECURRING_DEBIT")(design)


def _forgetful_of(member: str, at: State = State.CHALLENGED) -> Change:
    """What a SALE asked for is forgotten while the payer is away."""

    def act(perform: Perform, attempt: CardAttempt) -> Reply:
        reply = perform(attempt)
        for payment in (
            attempt.gateway.payments.of_order(attempt.account, attempt.form["order_id"]) if attempt.account else ()
        ):
            if payment.state is at:
                setattr(record_of(payment), member, {} if member == "custom_data" else False)
        return reply

    return around(act, "SALE", "DEBIT")


def _shortened(names: tuple[str, ...], length: int, *actions: str) -> Change:
    return answering(lambda body: body | {name: str(body[name])[:length] for name in names if name in body}, *actions)


def _hash_of(change: Callable[[FormValues], FormValues]) -> Callable[[CardHashTest], bool]:
    """Accept the hash over other values."""

    def accepts(test: CardHashTest) -> bool:
        account = test.account
        return equal(test.given, test.formula(account.password, account.hash, change(test.values)))

    return accepts


def _as_sale(test: CardHashTest) -> bool:
    values = FormValues(test.values.email, test.values.instrument)
    return equal(test.given, formula_1(test.account.password, test.account.hash, values))


def _unsigned_without_email(test: CardHashTest) -> bool:
    return not test.values.email


def _mangled(value: object) -> object:
    if isinstance(value, dict):
        return {name: _mangled(below) for name, below in value.items()}
    return value.encode().decode("latin-1") if isinstance(value, str) else value


def _mojibake(fields: Fields) -> Fields:
    return {name: _mangled(value) if name == "custom_data" else value for name, value in fields.items()}  # type: ignore[misc]


def _partial_as_whole(fields: Fields) -> Fields:
    return fields | {"status": "REFUND"} if fields.get("status") == "SETTLED" else fields


def _late_tokens(name: str) -> Change:
    """Callbacks of challenged payments lack a member once the payer is back."""

    def changed(notice: Notice) -> Iterator[Notice]:
        away = record_of(notice.payment).challenged and notice.payment.state is not State.CHALLENGED
        fields = {key: value for key, value in notice.fields.items() if key != name}
        yield replace(notice, fields=fields) if away and notice.payment.protocol is Protocol.S2S_CARD else notice

    return NOTICES.changed(changed)


def _email_of_the_last(design: Design) -> Design:
    """The signature of a callback is made with the payer of the callback before."""
    before = {"email": ""}
    signs = dict(design.callbacks.signs)
    inner = signs[Protocol.S2S_CARD]

    def sign(notice: Notice) -> str:
        payment, own = notice.payment, notice.payment.email
        payment.email, before["email"] = before["email"] or own, own
        try:
            return inner(notice)
        finally:
            payment.email = own

    return design.in_callbacks(signs=signs | {Protocol.S2S_CARD: sign})


def _is_debit(attempt: CardAttempt) -> bool:
    return attempt.payment is not None and attempt.payment.action == "DEBIT"


def _rounded(move: Move) -> Change:
    def change(_payment: Payment, made: Move, amount: Decimal, after: State) -> tuple[Decimal, State]:
        whole = amount.quantize(Decimal(1), ROUND_HALF_UP)
        return (whole if made is move else amount), after

    return _moved(change)


def _paid_after_all(payment: Payment, move: Move, amount: Decimal, after: State) -> tuple[Decimal, State]:
    fails = move is Move.DECLINE and payment.action == "DEBIT" and record_of(payment).challenged
    return amount, State.SETTLED if fails else after


def _was_redirected(payment: Payment) -> bool:
    record = record_of(payment)
    return bool(record.challenge) and not record.challenged


def _paid_after_a_redirect(payment: Payment, move: Move, amount: Decimal, after: State) -> tuple[Decimal, State]:
    fails = move is Move.DECLINE and _was_redirected(payment)
    return amount, State.SETTLED if fails else after


def _without_query(payment: Payment) -> str:
    return record_of(payment).term_url.partition("?")[0]


FAULTS: Final = faults(
    {
        "recurring-answer-of-the-initial-payment": breaks(
            "S2C-ANS-08 S2C-REC-18",
            "The answer to a recurring charge shows amount and order of the initial payment.",
            around(_amount_of_initial, "RECURRING_SALE"),
        ),
        "trans-id-of-charges-cached": breaks(
            "S2C-REC-18",
            "Every recurring charge is answered with the trans_id of the first.",
            _first_answered("trans_id"),
        ),
        "capture-amount-cached": breaks(
            "S2C-CAP-05", "Every capture is answered with the amount of the first.", _first_answered("amount")
        ),
        "refused-capture-releases": breaks(
            "S2C-CAP-06", "A capture that is refused releases the authorization.", around(_refusal_ends_it, "CAPTURE")
        ),
        "refused-void-releases": breaks(
            "S2C-VOI-06", "A void that is refused releases the authorization.", around(_refusal_ends_it, "VOID")
        ),
        "refused-release-releases": breaks(
            "S2C-CVD-07",
            "A partial release that is refused releases the authorization.",
            around(_refusal_ends_it, "CREDITVOID"),
        ),
        "refused-refund-spends": breaks(
            "S2C-CVD-05",
            "After a refund that is refused nothing can be given back.",
            around(_refusal_gives_back, "CREDITVOID"),
        ),
        "void-of-a-charge-ends-the-chain": breaks(
            "S2C-REC-05", "A chain ends when one of its charges is voided.", around(_chain_ends, "VOID")
        ),
        "refund-of-a-charge-ends-the-chain": breaks(
            "S2C-REC-05", "A chain ends when one of its charges is given back.", around(_chain_ends, "CREDITVOID")
        ),
        "second-charge-of-a-chain-is-a-duplicate": breaks(
            "S2C-DUP-08", "A second charge of a chain within 15 seconds is a duplicate.", _one_charge_a_chain
        ),
        "order-ids-cut-at-64-are-duplicates": breaks(
            "S2C-DUP-08",
            "Order ids that begin with the same 64 characters are duplicates of each other.",
            post(*PAYMENTS, window=WindowRule(key=lambda key, number: (key, number[:64]))),
        ),
        "order-id-cut-in-answers": breaks(
            "S2C-ANS-01", "Answers cut order_id at 64 characters.", _shortened(("order_id",), 64, "SALE", "DEBIT")
        ),
        "order-id-cut-in-look-ups": breaks(
            "S2C-STA-33", "Look-ups cut order_id at 64 characters.", _shortened(("order_id",), 64, *_LOOKUPS)
        ),
        "void-of-debit-refused": breaks(
            "S2C-VOI-01", "A settled debit cannot be voided.", last(refusal_if(_is_debit, _NOT_NOW), "VOID")
        ),
        "capture-rounded-to-units": breaks(
            "S2C-CAP-05", "A part is captured in whole units of the currency.", _rounded(Move.CAPTURE)
        ),
        "refund-rounded-to-units": breaks(
            "S2C-CVD-03", "A part is given back in whole units of the currency.", _rounded(Move.REFUND)
        ),
        "sale-hash-without-email": breaks(
            "S2C-SIG-44",
            "A SALE may be signed without the payer's email.",
            also_hashed(_hash_of(lambda values: replace(values, email="")), "SALE"),
        ),
        "look-up-hash-without-last-digits": breaks(
            "S2C-SIG-12",
            "A look-up may be signed with the first six digits alone.",
            also_hashed(_hash_of(lambda values: replace(values, instrument=values.instrument[:6])), "GET_TRANS_STATUS"),
        ),
        "recurring-hash-without-card": breaks(
            "S2C-SIG-51",
            "A recurring charge may be signed without the card.",
            also_hashed(_hash_of(lambda values: replace(values, instrument="")), "RECURRING_SALE"),
        ),
        "capture-hash-without-trans-id": breaks(
            "S2C-SIG-48", "A CAPTURE may be signed by the formula of a SALE.", also_hashed(_as_sale, "CAPTURE", "VOID")
        ),
        "unsigned-where-no-email-is-kept": breaks(
            "S2C-SIG-38",
            "Look-ups and voids of payments without payer email take any hash.",
            also_hashed(_unsigned_without_email, "GET_TRANS_STATUS", "VOID", "CREDITVOID"),
        ),
        "chain-forgotten-while-the-payer-is-away": breaks(
            "S2C-REC-01", "A SALE that was challenged starts no chain.", _forgetful_of("recurring")
        ),
        "token-forgotten-while-the-payer-is-away": breaks(
            "CBK-S2C-10", "A SALE that was challenged yields no card token.", _forgetful_of("wants_token")
        ),
        "custom-data-forgotten-while-the-payer-is-away": breaks(
            "CBK-S2C-13", "custom_data of a challenged SALE do not come back.", _forgetful_of("custom_data")
        ),
        "chain-forgotten-during-a-redirect": breaks(
            "S2C-REC-01", "A SALE that was redirected starts no chain.", _forgetful_of("recurring", State.REDIRECTED)
        ),
        "token-forgotten-during-a-redirect": breaks(
            "CBK-S2C-10",
            "A SALE that was redirected yields no card token.",
            _forgetful_of("wants_token", State.REDIRECTED),
        ),
        "custom-data-forgotten-during-a-redirect": breaks(
            "CBK-S2C-13",
            "custom_data of a redirected SALE do not come back.",
            _forgetful_of("custom_data", State.REDIRECTED),
        ),
        "redirected-payment-never-declined": breaks(
            "S2C-STA-03",
            "A payment that is declined after a redirect is SETTLED.",
            _moved(_paid_after_a_redirect),
        ),
        "settled-callback-after-redirect-without-chain": breaks(
            "CBK-S2C-09",
            "The callback of a SALE that was redirected lacks recurring_token.",
            NOTICES.lacking(lambda notice: _was_redirected(notice.payment), "recurring_token"),
        ),
        "debit-token-lost-after-challenge": breaks(
            "CBK-S2C-11", "After a challenge the callback of a DEBIT has no card_token.", _late_tokens("card_token")
        ),
        "card-lost-after-challenge": breaks(
            "CBK-SIG-08", "After a challenge the callback has no card.", _late_tokens("card")
        ),
        "failed-debit-challenge-pays": breaks(
            "S2C-TDS-14", "A DEBIT whose payer fails the challenge is SETTLED.", _moved(_paid_after_all)
        ),
        "way-back-without-query": breaks(
            "S2C-TDS-05",
            "The query of term_url_3ds is lost on the way back.",
            lambda design: design.in_card(way_back=_without_query),
        ),
        "custom-data-in-the-wrong-charset": breaks(
            "CBK-S2C-13", "custom_data come back in the wrong character set.", NOTICES.fields(_mojibake)
        ),
        "part-given-back-notified-as-the-whole": breaks(
            "CBK-S2C-06",
            "The callback of a partial CREDITVOID says REFUND.",
            NOTICES.fields(_partial_as_whole, "CREDITVOID"),
        ),
        "callbacks-signed-with-the-payer-before": breaks(
            "CBK-SIG-09", "A callback is signed with the email of the payment before.", _email_of_the_last
        ),
    }
)
