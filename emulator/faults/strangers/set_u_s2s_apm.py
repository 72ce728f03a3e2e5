"""Faults of another author that the suite did not notice at first (set U), and others of their classes: S2S APM."""

from collections.abc import Callable
from typing import Final

from emulator.changes.s2s_apm import around, instead
from emulator.design import Change
from emulator.engine.moves import Move
from emulator.engine.payments import Protocol, State
from emulator.faults.model import Fault, breaks, faults
from emulator.protocols.s2s_apm.behaviour import ApmAttempt, ApmGateway, ApmHandler, ApmHashTest, accepts_hash
from emulator.protocols.s2s_apm.signatures import Recipe, of_payout, of_release, of_sale
from emulator.protocols.s2s_apm.stages import check_duplicate
from emulator.rules.s2s_apm.brands import SALES, Outcome
from emulator.wire.replies import Refusal, Reply

_NEW: Final = "6.7.0"
_LATEST: Final = 200


def _also_signed(action: str, recipe: Recipe) -> Change:
    """An action is signed by the recipe of another as well."""

    def accepts(test: ApmHashTest) -> bool:
        return accepts_hash(test) or (test.action == action and test.follows(recipe))

    return lambda design: design.in_apm(accepts_hash=accepts)


def _like_a_release(action: str, requirement: str, since: str | None) -> Fault:
    return breaks(
        requirement,
        f"{action} may be signed like CREDITVOID, too (lines 405 and 407).",
        _also_signed(action, of_release),
        since=since,
    )


def _void_of_held_later(act: Callable[[ApmHandler, ApmAttempt, ApmGateway], Reply]) -> Change:
    """VOID of what was held on an earlier day is answered by ``act``."""

    def later(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        payment = attempt.payment
        is_held = payment is not None and payment.state is State.AUTHORIZED
        is_later = payment is not None and payment.created.date() != gateway.clock.now().date()
        return act(handler, attempt, gateway) if is_held and is_later else handler(attempt, gateway)

    return around(later, "VOID")


def _released(_handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    return gateway.apm.handlers["CREDITVOID"](attempt, gateway)


def _refused_and_released(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
    reply = handler(attempt, gateway)
    if attempt.payment is not None:
        gateway.moves.make(attempt.payment, Move.RELEASE, None, gateway.clock.now())
    return reply


def _free_once(state: State, outcome: Outcome) -> Change:
    """The order id of a sale that ended so, once its payer or bank had decided, is not taken any more."""

    def check(attempt: ApmAttempt) -> Refusal | None:
        gateway, order = attempt.gateway, attempt.form.get("order_id", "")
        for payment in gateway.payments.latest(_LATEST):
            is_of_order = payment.protocol is Protocol.S2S_APM and payment.order_number == order
            identifier = str(payment.request.get("identifier", ""))
            decided = gateway.apm.sale_outcome(SALES.get(payment.brand, ""), identifier)
            if is_of_order and payment.state is state and decided is outcome:
                return None
        return check_duplicate(attempt)

    return instead(check_duplicate, check, "SALE")


def _settling_in(currency: str) -> Change:
    """A sale with auth=Y settles at once in a currency."""

    def act(handler: ApmHandler, attempt: ApmAttempt, gateway: ApmGateway) -> Reply:
        if attempt.form.get("order_currency") == currency and attempt.form.get("auth") == "Y":
            attempt.form = {**attempt.form, "auth": "N"}
        return handler(attempt, gateway)

    return around(act, "SALE")


_DECIDED: Final = (
    ("paid-at-the-bank", State.SETTLED, Outcome.REDIRECTED),
    ("refused-at-the-bank", State.DECLINED, Outcome.REDIRECTED),
    ("executed-by-qr", State.SETTLED, Outcome.QR_CODE),
    ("rejected-by-qr", State.DECLINED, Outcome.QR_CODE),
)
FAULTS: Final = faults(
    {
        **{
            f"u-apm-order-id-free-once-{name}": breaks(
                "APM-REQ-11",
                f"An order id can be used again at once, its payment {name.replace('-', ' ')} (lines 437 and 472).",
                _free_once(state, outcome),
            )
            for name, state, outcome in _DECIDED
        },
        "u-apm-capture-signed-like-release-too": _like_a_release("CAPTURE", "APM-SIG-01", _NEW),
        "u-apm-void-signed-like-release-too": _like_a_release("VOID", "APM-SIG-02", None),
        "u-apm-status-signed-like-release-too": _like_a_release("GET_TRANS_STATUS", "APM-SIG-03", None),
        "u-apm-sale-signed-like-payout-too": breaks(
            "APM-SIG-05",
            "SALE may be signed like CREDIT2VIRTUAL, too (line 407).",
            _also_signed("SALE", of_payout),
        ),
        "u-apm-payout-signed-like-sale-too": breaks(
            "APM-SIG-09",
            "CREDIT2VIRTUAL may be signed like SALE, too (line 407).",
            _also_signed("CREDIT2VIRTUAL", of_sale),
        ),
        "u-apm-held-voided-on-later-days": breaks(
            "APM-VOI-04",
            "VOID of an authorization of an earlier day releases it (line 318).",
            _void_of_held_later(_released),
            since=_NEW,
        ),
        "u-apm-held-released-by-refused-void-on-later-days": breaks(
            "APM-VOI-05",
            "VOID of an authorization of an earlier day is refused, and releases it (line 318).",
            _void_of_held_later(_refused_and_released),
            since=_NEW,
        ),
        **{
            f"u-apm-nothing-held-in-{currency.lower()}": breaks(
                "APM-AUT-01",
                f"A SALE with auth=Y in {currency} is settled at once (line 369).",
                _settling_in(currency),
                since=_NEW,
            )
            for currency in ("JPY", "BHD")
        },
    }
)
