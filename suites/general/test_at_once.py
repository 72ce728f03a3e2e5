"""Nothing is done twice because it was asked for twice at the same time: payments, payouts, and what changes them."""

from __future__ import annotations

import pytest

from fixtures.callbacks import CallbackWatch
from fixtures.callbacks.inbox import Naming
from fixtures.protocols.checkout import callbacks as of_checkout
from fixtures.protocols.s2s_apm import callbacks as of_apm
from fixtures.protocols.s2s_apm.requests import operation
from fixtures.protocols.s2s_card import callbacks as of_card
from fixtures.protocols.simultaneous import by_callbacks, must_happen_once
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run

DMS = ("capability:dms",)
BECOMES = {"capture": ("SETTLED", "CAPTURED"), "void": ("VOID", "REVERSAL"), "refund": ("REFUND", "REVERSAL")}
"""The statuses that a change leads to."""


def watch_of(run: Run) -> CallbackWatch | None:
    """Return what the target posts; ``None``: none can be received."""
    return run.callbacks if run.receiver else None


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("debit", marks=requirement("S2C-DUP-02")),
        pytest.param("recurring_sale", marks=requirement("S2C-DUP-03")),
        pytest.param("credit2card", marks=requirement("S2C-DUP-04")),
        pytest.param("card2card", marks=requirement("S2C-DUP-05")),
    ],
)
def test_card_payment_asked_for_several_times_at_once_is_made_once(name: str, run: Run) -> None:
    merchant = run.s2s_card
    signed = merchant.sign(run.card_accounts.main.baselines(name))

    must_happen_once(lambda: merchant.send(signed), run.profile, f"the {signed.get('action')}")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("sale", marks=requirement("APM-REQ-11")),
        pytest.param("credit2virtual", marks=requirement("APM-REQ-12")),
    ],
)
def test_apm_payment_asked_for_several_times_at_once_is_made_once(name: str, run: Run) -> None:
    merchant = run.apm.merchant
    signed = merchant.sign(run.apm.baselines(name))

    must_happen_once(lambda: merchant.send(signed), run.profile, f"the {signed.get('action')}")


@requirement("CHK-DUP-01")
def test_session_asked_for_several_times_at_once_is_opened_once(run: Run) -> None:
    session = run.checkout_payments.sessions("purchase")

    must_happen_once(lambda: run.checkout.create_session(session), run.profile, "the session")


@requirement("CHK-CRD-22")
def test_card_credit_asked_for_several_times_at_once_is_made_once(run: Run) -> None:
    paid = run.checkout_payments
    credit = paid.operations.card_credit()

    must_happen_once(lambda: paid.merchant.post(credit), run.profile, "the card credit")


@pytest.mark.parametrize(
    ("action", "state", "needs"),
    [
        pytest.param("CAPTURE", "authorized", DMS, marks=requirement("APM-CAP-04")),
        pytest.param("VOID", "settled", (), marks=requirement("APM-VOI-08")),
    ],
)
def test_change_of_an_apm_payment_asked_for_at_once_is_done_once(
    action: str, state: str, needs: tuple[str, ...], run: Run
) -> None:
    must_offer(run.profile, needs, "s2s_apm")
    account = run.apm_accounts.holding if needs else run.apm
    payment = account.payments.fresh(state)

    def once() -> Naming:
        other = account.payments.fresh(state)
        account.merchant.post(operation(action, other.trans_id))
        return of_apm.of_deed(other, action)

    signed = account.merchant.sign(operation(action, payment.trans_id))

    must_happen_once(
        lambda: account.merchant.send(signed),
        run.profile,
        f"the {action}",
        changes=payment.status,
        carried_out=by_callbacks(watch_of(run), of_apm.of_deed(payment, action), once, *BECOMES[action.casefold()]),
    )


@requirement("S2C-VOI-04")
def test_void_of_a_card_payment_asked_for_at_once_is_done_once(run: Run) -> None:
    # A CREDITVOID is answered before it is carried out, so that its answers say nothing of what was done.
    payment = run.payments.fresh("settled")

    def once() -> Naming:
        other = run.payments.fresh("settled")
        other.merchant.post(other.void())
        return of_card.of_deed(other, "VOID")

    signed = payment.merchant.sign(payment.void())

    must_happen_once(
        lambda: payment.merchant.send(signed),
        run.profile,
        "the VOID",
        changes="SETTLED",
        carried_out=by_callbacks(watch_of(run), of_card.of_deed(payment, "VOID"), once, *BECOMES["void"]),
    )


@pytest.mark.parametrize(
    ("action", "state", "needs"),
    [
        pytest.param("capture", "authorized", DMS, marks=requirement("CHK-CAP-05")),
        pytest.param("refund", "settled", ("capability:refund_endpoint",), marks=requirement("CHK-RFD-09")),
        pytest.param("void", "settled", ("capability:void_endpoint",), marks=requirement("CHK-RFD-18")),
    ],
)
def test_change_of_a_checkout_payment_asked_for_at_once_is_done_once(
    action: str, state: str, needs: tuple[str, ...], run: Run
) -> None:
    must_offer(run.profile, needs, "checkout")
    paid = run.checkout_payments_of(holds=state == "authorized")
    payment = paid.fresh(state)
    request = getattr(payment, action)()

    def once() -> Naming:
        other = paid.fresh(state)
        other.merchant.post(getattr(other, action)())
        return of_checkout.of_change(other, action)

    must_happen_once(
        lambda: payment.merchant.post(request),
        run.profile,
        f"the {action}",
        changes="PENDING" if state == "authorized" else "SETTLED",
        carried_out=by_callbacks(watch_of(run), of_checkout.of_change(payment, action), once, *BECOMES[action]),
    )
