"""Variations that sign by formulas of their own what the interface description shows no formula for.

Lines 389 to 406 show those of session requests, card credits, three actions of S2S APM and the callbacks of S2S APM, of
which they leave open where the password goes.
"""

from typing import Final

from emulator.accounts import Account
from emulator.changes import checkout, s2s_apm, s2s_card
from emulator.design import Design, all_of
from emulator.engine.callbacks.notice import Notice
from emulator.engine.callbacks.signatures import backwards, digest, sorted_leaves, text_of
from emulator.engine.payments import Payment
from emulator.engine.signing import Digest, FormValues, bytes_digest, equal, hex_digest, sha1_hex
from emulator.protocols.checkout.behaviour import CheckoutGateway, PostAttempt
from emulator.protocols.hosted_page.outcomes import Parameters
from emulator.protocols.s2s_apm.behaviour import ApmHashTest, accepts_hash
from emulator.protocols.s2s_apm.signatures import Form, Recipe, as_bytes, values
from emulator.variations.model import Variation

_OPERATIONS: Final = ("status", "capture", "refund", "void", "retry", "recurring")


# --- S2S CARD ---


def _of_card(password: str, algorithm: Digest, signed: FormValues) -> str:
    """The reversed password and the id upper-cased, then e-mail address and card or token as they are."""
    upper = backwards(password) + as_bytes(signed.middle)
    return bytes_digest(algorithm, upper.upper() + as_bytes(signed.email + signed.instrument))


def _card_callback(notice: Notice) -> str:
    payment = notice.payment
    fragment = payment.card.fragment if payment.card else ""
    return digest(
        notice, (as_bytes(payment.trans_id) + backwards(fragment)).upper() + as_bytes(payment.account.password)
    )


# --- S2S APM ---


def _of_sale(form: Form, password: str) -> bytes:
    upper = values(form, "order_id") + values(form, "order_amount", "order_currency")[::-1]
    return upper.upper() + values(form, "identifier") + as_bytes(password)


def _of_release(form: Form, password: str) -> bytes:
    return (as_bytes(password) + values(form, "trans_id")).upper()


def _of_payout(form: Form, password: str) -> bytes:
    upper = as_bytes(password) + values(form, "order_id", "order_amount")[::-1]
    return upper.upper() + values(form, "order_currency")


_OF_APM: Final[dict[str, Recipe]] = {"SALE": _of_sale, "CREDITVOID": _of_release, "CREDIT2VIRTUAL": _of_payout}


def _accepts_own(test: ApmHashTest) -> bool:
    return test.follows(_OF_APM[test.action]) if test.action in _OF_APM else accepts_hash(test)


def _apm_callback(notice: Notice) -> str:
    return digest(notice, (backwards(notice.payment.account.password) + sorted_leaves(notice.fields)).upper())


# --- Checkout ---


def _accepts_operation(attempt: PostAttempt, account: Account) -> bool:
    text = account.password[::-1].upper() + attempt.operation.signed(attempt.body)
    return equal(str(attempt.body.get("hash")), sha1_hex(hex_digest(account.hash, text)))


def _checkout_callback(notice: Notice) -> str:
    fields, account = notice.fields, notice.payment.account
    upper = (text_of(fields, "order_number") + text_of(fields, "order_amount"))[::-1] + text_of(fields, "id")
    text = upper.upper() + text_of(fields, "order_description") + account.password
    return sha1_hex(hex_digest(account.hash, text))


def _returned(design: Design) -> Design:
    made = design.checkout.return_parameters

    def parameters(gateway: CheckoutGateway, payment: Payment, method: str) -> Parameters:
        text = f"{payment.id}{payment.trans_id}{payment.order_number}".upper() + payment.account.password
        signed = sha1_hex(hex_digest(payment.account.hash, text))
        return {**made(gateway, payment, method), "hash": signed}

    return design.in_checkout(return_parameters=parameters)


VARIATIONS: Final = (
    Variation(
        "card-formulas-of-its-own",
        "S2S CARD signs all actions and callbacks by formulas of its own.",
        all_of(s2s_card.post(formula=_of_card), s2s_card.NOTICES.signed(_card_callback)),
    ),
    Variation(
        "apm-formulas-of-its-own",
        "S2S APM signs SALE, CREDITVOID and CREDIT2VIRTUAL by formulas of its own, callbacks with the password first.",
        all_of(lambda design: design.in_apm(accepts_hash=_accepts_own), s2s_apm.NOTICES.signed(_apm_callback)),
    ),
    Variation(
        "checkout-formulas-of-its-own",
        "Checkout signs what follows a session, callbacks and return addresses by formulas of its own.",
        all_of(
            checkout.operation(*_OPERATIONS, accepts_hash=_accepts_operation),
            checkout.NOTICES.signed(_checkout_callback),
            _returned,
        ),
    ),
)
