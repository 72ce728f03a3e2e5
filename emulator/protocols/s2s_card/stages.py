"""The stages that posts pass: each of them may refuse the post."""

from typing import Final

from emulator.engine.payments import Payment, Protocol, State
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardHashTest, CardStage
from emulator.protocols.shared import check_environment, check_merchant, note_wrong_hash
from emulator.rules.keywords import FORMATS
from emulator.rules.model import Context
from emulator.wire.replies import INVALID_DATA, Kind, Refusal

_CHAIN_STATES: Final = (State.SETTLED, State.AUTHORIZED)
_INITIAL_ACTION: Final = {"RECURRING_SALE": "SALE", "RECURRING_DEBIT": "DEBIT"}
_NO_UUID: Final = Refusal(Kind.SCHEDULE, "This is not a valid UUID.")
_DEPRECATED: Final = Refusal(Kind.SCHEDULE, "Parameter is deprecated.")
_NO_SCHEDULE: Final = Refusal(Kind.SCHEDULE, "Schedule not found")
_PAUSED: Final = Refusal(Kind.SCHEDULE, "The schedule is paused.")


def _fields_kind(attempt: CardAttempt) -> Kind:
    return Kind.SALE_FIELDS if attempt.action == "SALE" else Kind.CARD_FIELDS


def check_fields(attempt: CardAttempt) -> Refusal | None:
    """Refuse what breaks a field rule; every field that does is named."""
    gateway, form, behaviour = attempt.gateway, attempt.form, attempt.behaviour
    table = gateway.post_table(attempt.action)
    found = table.violations(Context(form, attempt.account, gateway.amounts, gateway.release))
    prefix = "payer_" if attempt.action == "CARD2CARD" else ""
    dated = form.get(f"{prefix}card_exp_month", ""), form.get(f"{prefix}card_exp_year", "")
    if behaviour.refuses_expired and not found and all(dated) and behaviour.expired(*dated, gateway.clock.now().date()):
        found = [(f"{prefix}card_exp_year", "The card is expired.")]
    return Refusal(_fields_kind(attempt), INVALID_DATA, violations=tuple(found)) if found else None


def check_signature(attempt: CardAttempt) -> Refusal | None:
    """Refuse a post that is not signed with the merchant's password."""
    if attempt.account is None:
        return None
    behaviour = attempt.behaviour
    test = CardHashTest(attempt.form.get("hash", ""), attempt.account, behaviour.values(attempt), behaviour.formula)
    if behaviour.accepts_hash(test):
        return None
    note_wrong_hash(attempt.account, attempt.action, behaviour.formula.__doc__)
    return attempt.gateway.access.wrong_hash


def check_duplicate(attempt: CardAttempt) -> Refusal | None:
    """Refuse an order that the merchant posted within the window, by whatever action."""
    gateway, form, behaviour = attempt.gateway, attempt.form, attempt.behaviour
    window = gateway.order_window(attempt.action)
    age = window.age(form.get("client_key", ""), form.get("order_id", ""), gateway.clock.seconds())
    if age is None:
        return None
    return behaviour.duplicate if age < behaviour.window.seconds else behaviour.used_before


def check_token(attempt: CardAttempt) -> Refusal | None:
    """Refuse a card token that is not the merchant's."""
    form, access = attempt.form, attempt.gateway.access
    token = form.get("card_token", "")
    if attempt.account is None or not token or form.get("card_number"):
        return None
    known = access.token_known(attempt.account, token) or attempt.gateway.vault.card(attempt.account, token)
    return None if known else access.wrong_token


def check_routing(attempt: CardAttempt) -> Refusal | None:
    """Refuse an action that the merchant's routing cannot carry out."""
    account = attempt.account
    unroutable = account is not None and attempt.action in account.unroutable
    return attempt.gateway.actions.unsupported if unroutable else None


def _own(attempt: CardAttempt, identifier: str) -> Payment | None:
    if attempt.account is None:
        return None
    found = attempt.gateway.payments.find(attempt.account, identifier)
    return found if found is not None and found.protocol is Protocol.S2S_CARD else None


def find_payment(attempt: CardAttempt) -> Refusal | None:
    """Look for the payment of trans_id, or refuse it as unknown."""
    attempt.payment = _own(attempt, attempt.form.get("trans_id", ""))
    return attempt.behaviour.unknown if attempt.payment is None else None


def find_order(attempt: CardAttempt) -> Refusal | None:
    """Look for the newest payment of order_id, or refuse it as unknown."""
    if attempt.account is not None:
        payments = attempt.gateway.payments.of_order(attempt.account, attempt.form.get("order_id", ""))
        attempt.payment = next((one for one in payments if one.protocol is Protocol.S2S_CARD), None)
    return attempt.behaviour.unknown if attempt.payment is None else None


def find_initial(attempt: CardAttempt) -> Refusal | None:
    """Look for the payment that started the chain; refuse a pair that does not belong together."""
    form = attempt.form
    found = _own(attempt, form.get("recurring_first_trans_id", ""))
    matches = (
        found is not None
        and found.recurring_token == form.get("recurring_token", "")
        and found.action == _INITIAL_ACTION[attempt.action]
        and found.state in _CHAIN_STATES
    )
    attempt.payment = found if matches else None
    return None if matches else attempt.behaviour.unknown


def check_schedule_id(attempt: CardAttempt) -> Refusal | None:
    """Refuse an id that is no UUID, before anybody looks whether there is such a schedule."""
    identifier = attempt.form.get("schedule_id", "")
    return _NO_UUID if identifier and not FORMATS["uuid"](identifier) else None


def check_deprecated(attempt: CardAttempt) -> Refusal | None:
    """Refuse the parameter that delayed_first_payment took the place of."""
    return _DEPRECATED if "delays" in attempt.form and attempt.gateway.release >= "6.7.0" else None


def find_schedule(attempt: CardAttempt) -> Refusal | None:
    """Look for the schedule of schedule_id, or refuse it as unknown."""
    if attempt.account is not None:
        attempt.schedule = attempt.gateway.schedules.find(attempt.account, attempt.form.get("schedule_id", ""))
    return _NO_SCHEDULE if attempt.schedule is None else None


def find_chosen_schedule(attempt: CardAttempt) -> Refusal | None:
    """Look for the schedule that a payment is to start, where it names one; a paused one is not started."""
    if not attempt.form.get("schedule_id"):
        return None
    refusal = find_schedule(attempt)
    if refusal is None and attempt.schedule is not None and attempt.schedule.paused:
        return _PAUSED
    return refusal


PAYMENT_STAGES: Final[tuple[CardStage, ...]] = (
    check_environment,
    check_schedule_id,
    check_fields,
    check_merchant,
    check_signature,
    check_routing,
    check_duplicate,
    check_token,
    find_chosen_schedule,
)
CHAIN_STAGES: Final[tuple[CardStage, ...]] = (
    check_environment,
    check_fields,
    check_merchant,
    find_initial,
    check_signature,
    check_routing,
    check_duplicate,
)
PAYOUT_STAGES: Final[tuple[CardStage, ...]] = (
    check_environment,
    check_fields,
    check_merchant,
    check_signature,
    check_routing,
    check_duplicate,
    check_token,
)
OPERATION_STAGES: Final[tuple[CardStage, ...]] = (
    check_environment,
    check_fields,
    check_merchant,
    find_payment,
    check_signature,
    check_routing,
)
ORDER_STAGES: Final[tuple[CardStage, ...]] = tuple(
    find_order if stage is find_payment else stage for stage in OPERATION_STAGES
)
NEW_SCHEDULE_STAGES: Final[tuple[CardStage, ...]] = (
    check_environment,
    check_deprecated,
    check_schedule_id,
    check_fields,
    check_merchant,
    check_signature,
)
SCHEDULE_STAGES: Final[tuple[CardStage, ...]] = (
    check_environment,
    check_deprecated,
    check_schedule_id,
    check_fields,
    check_merchant,
    find_schedule,
    check_signature,
)
