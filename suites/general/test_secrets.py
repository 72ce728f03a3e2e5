"""What must be shown to nobody: full card numbers and security codes, in answers, callbacks and errors."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fixtures.callbacks import Callback
from fixtures.judging.expectations import Finding
from fixtures.judging.matchers import Answer, answer_of
from fixtures.judging.must import must
from fixtures.judging.verdicts import inconclusive
from fixtures.requirement import must_offer, requirement
from fixtures.run import Run
from fixtures.run.serving import must_serve
from fixtures.wire.exchange import Reply

SECURITY_CODE = "7395"
"""Four digits, so that they hardly stand in an answer by chance."""
CARD_NUMBER = "full card number"
REQUIRED_OF_A_SALE = ("order_amount", "payer_email", "term_url_3ds")


def must_not_show(digits: str, what: str, came: Sequence[Reply | Callback], where: str) -> None:
    """Nothing that came shows the digits; of what does, the failure quotes the beginning, without them."""
    alone = re.compile(rf"(?<![0-9]){digits}(?![0-9])")
    shows = next((one for one in came if alone.search(one.text)), None)
    if shows is not None:
        reply = shows if isinstance(shows, Reply) else None
        must(Finding(f"no {what} in any {where}", shows.summary, f"It shows the {what} that was sent."), reply)


def paying_card(run: Run) -> str:
    card = run.profile.test_data.cards.get("success")
    return card.number.reveal() if card else ""


def callbacks_of(order: str, run: Run) -> list[Callback]:
    """Return what callbacks report of an order; that one comes is another requirement."""

    def about(callback: Callback) -> bool:
        return order in (callback.get("order_id"), callback.get("order_number"))

    received = run.callbacks.any_of(about, seconds=run.callbacks.seconds)
    return received or inconclusive("no callback of the payment came", decides="a target that posts its callbacks")


@requirement("GEN-KEY-03")
def test_s2s_card_never_shows_the_full_card_number(run: Run) -> None:
    must_serve(run, "s2s_card")
    must_offer(run.profile, ("test_data:cards.success",))
    payment = run.payments.shared("settled")
    asked = [payment.status(), payment.status_by_order(), payment.details()]
    answers = [run.payments.merchant.post(request) for request in asked]

    must_not_show(paying_card(run), CARD_NUMBER, answers, "look-up")


@requirement("GEN-KEY-03")
def test_callback_of_a_sale_never_shows_the_full_card_number(run: Run) -> None:
    must_serve(run, "s2s_card")
    must_offer(run.profile, ("capability:callbacks", "test_data:cards.success"))

    must_not_show(paying_card(run), CARD_NUMBER, callbacks_of(run.payments.shared("settled").order_id, run), "callback")


@requirement("GEN-KEY-03")
def test_checkout_never_shows_the_full_card_number(run: Run) -> None:
    must_serve(run, "checkout")
    must_offer(run.profile, ("capability:hosted_page", "capability:status_lookup", "test_data:cards.success"))
    payment = run.checkout_payments.shared("settled")
    answers = [run.checkout.post(request) for request in (payment.look_up(), payment.look_up_order())]

    must_not_show(paying_card(run), CARD_NUMBER, answers, "look-up")


@requirement("GEN-KEY-03")
def test_callback_of_a_purchase_never_shows_the_full_card_number(run: Run) -> None:
    must_serve(run, "checkout")
    must_offer(run.profile, ("capability:callbacks", "capability:hosted_page", "test_data:cards.success"))

    must_not_show(
        paying_card(run), CARD_NUMBER, callbacks_of(run.checkout_payments.shared("settled").number, run), "callback"
    )


@requirement("GEN-ERR-13")
def test_refusal_of_a_sale_repeats_neither_card_number_nor_security_code(run: Run) -> None:
    must_serve(run, "s2s_card")
    sale = run.card_accounts.main.baselines("sale").with_("card_cvv2", SECURITY_CODE)

    replies = [run.s2s_card.post(sale.without(missing)) for missing in REQUIRED_OF_A_SALE]

    # Which of them a target requires is the subject of other checks.
    refused = [reply for reply in replies if answer_of(reply) is Answer.REFUSED]
    if not refused:
        inconclusive(
            f"the target refuses no SALE without {', '.join(REQUIRED_OF_A_SALE)}: {replies[-1].summary}",
            decides="a target that refuses one of them",
        )
    for reply in refused:
        must_not_show(str(sale.get("card_number")), CARD_NUMBER, [reply], "refusal")
        must_not_show(SECURITY_CODE, "security code", [reply], "refusal")


@requirement("GEN-ERR-13")
def test_refusal_of_a_card_number_does_not_repeat_it(run: Run) -> None:
    must_serve(run, "s2s_card")
    sale = run.card_accounts.main.baselines("sale")
    number = str(sale.get("card_number"))
    mistyped = number[:-1] + str((int(number[-1]) + 1) % 10)

    reply = run.s2s_card.post(sale.with_("card_number", mistyped))

    must_not_show(mistyped, CARD_NUMBER, [reply], "answer")
