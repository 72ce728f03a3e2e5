"""Faults of S2S CARD: what is refused is done all the same, or is refused in one place and not in the next."""

from dataclasses import replace
from typing import Final

from emulator.changes.s2s_card import Applies, also_hashed, instead, last, post
from emulator.design import Change, Design, all_of
from emulator.engine.payments import Protocol, State
from emulator.engine.signing import equal
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt, CardHashTest, CardStage
from emulator.protocols.s2s_card.messages.action_table import POSTS
from emulator.protocols.s2s_card.stages import (
    check_duplicate,
    check_fields,
    check_schedule_id,
    check_signature,
    find_payment,
)
from emulator.protocols.shared import check_environment, check_merchant
from emulator.rules.keywords import FORMATS
from emulator.rules.model import BreakdownError
from emulator.wire.replies import Kind, Refusal

_TOO_MUCH: Final = Refusal(Kind.STATE, "Not acceptable to request the whole amount.", code=208004)
_NO_UUID: Final = Refusal(Kind.SCHEDULE, "This is not a valid UUID.")
_HALF: Final = 16
_WINDOW: Final = 15.0
_LOOKUPS: Final = ("GET_TRANS_STATUS", "GET_TRANS_DETAILS")
_LENGTH_OF_UUIDS: Final = 36


def _performed_despite_refusal(stage: CardStage) -> CardStage:
    """The stage refuses, and what was asked for is carried out nevertheless."""

    def refusing(attempt: CardAttempt) -> Refusal | None:
        refusal = stage(attempt)
        if refusal is not None:
            attempt.behaviour.perform(attempt)
        return refusal

    return refusing


def _performing(stage: CardStage, *actions: str) -> Change:
    return instead(stage, _performed_despite_refusal(stage), *actions)


def _skipping(stage: CardStage, applies: Applies) -> CardStage:
    return lambda attempt: None if applies(attempt) else stage(attempt)


def _unless(stage: CardStage, applies: Applies, *actions: str) -> Change:
    return instead(stage, _skipping(stage, applies), *actions)


def _half_right(test: CardHashTest) -> bool:
    right = test.formula(test.account.password, test.account.hash, test.values)
    return len(test.given) == len(right) and test.given[:_HALF] == right[:_HALF]


def _md5_only(test: CardHashTest) -> bool:
    return equal(test.given, test.formula(test.account.password, "md5", test.values))


def _md5_of_sha256(test: CardHashTest) -> bool:
    return test.account.hash == "sha256" and _md5_only(test)


def _duplicates_by_action(action: str) -> Change:
    def change(design: Design) -> Design:
        # Every gateway has a memory of its own.
        return instead(check_duplicate, _by_action({}), action)(design)

    return change


def _by_action(seen: dict[tuple[str, ...], float]) -> CardStage:
    """Each action remembers the order ids that it was sent, and not those of the others."""

    def stage(attempt: CardAttempt) -> Refusal | None:
        key = (attempt.action, attempt.form.get("client_key", ""), attempt.form.get("order_id", ""))
        now = attempt.gateway.clock.seconds()
        age = now - seen.get(key, now - _WINDOW)
        if age < _WINDOW:
            return attempt.behaviour.duplicate
        seen[key] = now
        return None

    return stage


def _after_decline(attempt: CardAttempt) -> bool:
    if attempt.account is None:
        return False
    payments = attempt.gateway.payments.of_order(attempt.account, attempt.form.get("order_id", ""))
    return bool(payments) and payments[0].state is State.DECLINED


def _guarded(attempt: CardAttempt) -> bool:
    return attempt.account is not None and bool(attempt.account.ip_allowlist)


def _live(attempt: CardAttempt) -> bool:
    return attempt.account is not None and attempt.account.live


def _of_owner(attempt: CardAttempt) -> Refusal | None:
    """Whoever a transaction belongs to is who asks."""
    for payment in attempt.gateway.payments.all():
        if payment.protocol is Protocol.S2S_CARD and payment.trans_id == attempt.form.get("trans_id"):
            attempt.payment, attempt.account = payment, payment.account
            return None
    return find_payment(attempt) if attempt.account is not None else attempt.behaviour.unknown


def _no_uuid(attempt: CardAttempt) -> Refusal | None:
    identifier = attempt.form.get("trans_id", "")
    if identifier and not FORMATS["uuid"](identifier):
        raise BreakdownError
    return None


def _by_length(attempt: CardAttempt) -> Refusal | None:
    identifier = attempt.form.get("schedule_id", "")
    return _NO_UUID if identifier and len(identifier) != _LENGTH_OF_UUIDS else None


def _negative(attempt: CardAttempt) -> bool:
    return attempt.form.get("order_amount", "").startswith("-")


def _parts_are_free(attempt: CardAttempt) -> Refusal | None:
    """A part is given back where the whole is not."""
    if attempt.payment is not None and attempt.form.get("amount"):
        account = attempt.payment.account
        attempt.payment.account = replace(account, refunds=True, connector_refunds_only=False)
    return None


def _names_the_whole(attempt: CardAttempt) -> Refusal | None:
    payment = attempt.payment
    return _TOO_MUCH if payment is not None and attempt.form.get("amount") == payment.amount_text else None


def _done_unsigned() -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Name, requirement and actions of what is done though the signature is wrong."""
    return (
        ("sale", "S2C-SIG-38", ("SALE",)),
        ("debit", "S2C-SIG-38", ("DEBIT",)),
        ("card2card", "S2C-SIG-38", ("CARD2CARD",)),
        ("credit2card", "S2C-SIG-38", ("CREDIT2CARD",)),
        ("recurring-sale", "S2C-SIG-38", ("RECURRING_SALE",)),
        ("capture", "S2C-SIG-38", ("CAPTURE",)),
        ("void", "S2C-SIG-38", ("VOID",)),
        ("creditvoid", "S2C-SIG-38", ("CREDITVOID",)),
        ("schedule-update", "S2C-SIG-50", ("UPDATE_SCHEDULE",)),
        ("schedule-deletion", "S2C-SIG-50", ("DELETE_SCHEDULE",)),
        ("pause", "S2C-SIG-50", ("PAUSE",)),
        ("run", "S2C-SIG-50", ("RUN",)),
    )


_PAYMENTS: Final[tuple[tuple[str, str], ...]] = (
    ("DEBIT", "S2C-DUP-02"),
    ("RECURRING_SALE", "S2C-DUP-03"),
    ("CREDIT2CARD", "S2C-DUP-04"),
    ("CARD2CARD", "S2C-DUP-05"),
)
_SHA256: Final = (
    ("payments", ("DEBIT", "CREDIT2CARD", "RECURRING_SALE")),
    ("operations", ("CAPTURE", "VOID", "CREDITVOID")),
    ("look-ups", ("GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS")),
    ("schedules", ("CREATE_SCHEDULE", "SCHEDULE_INFO")),
)
_UNGUARDED: Final = (
    ("debits", ("DEBIT",)),
    ("transfers", ("CARD2CARD", "CREDIT2CARD")),
    ("recurring-payments", ("RECURRING_SALE", "RECURRING_DEBIT")),
    ("pausing", ("PAUSE", "RUN")),
    ("schedule-updates", ("UPDATE_SCHEDULE",)),
    ("retries", ("RETRY",)),
)
_LIVE: Final = (
    ("transfers", ("CARD2CARD", "CREDIT2CARD")),
    ("schedules", ("CREATE_SCHEDULE",)),
    ("look-ups", _LOOKUPS),
)
_NOT_SALES: Final = tuple(action for action in POSTS if action != "SALE")

FAULTS: Final = faults(
    {
        **{
            f"{name}-done-unsigned": breaks(
                requirement,
                f"{', '.join(actions)} with a wrong signature is refused, and carried out all the same.",
                _performing(check_signature, *actions),
            )
            for name, requirement, actions in _done_unsigned()
        },
        "invalid-sale-made": breaks(
            "S2C-SAL-02", "A sale with invalid data is made.", _performing(check_fields, "SALE")
        ),
        "duplicate-sale-made": breaks(
            "S2C-DUP-01",
            "A duplicate is refused, and becomes a payment all the same.",
            _performing(check_duplicate, "SALE"),
        ),
        **{
            f"duplicate-{action.lower().replace('_', '-')}-by-action": breaks(
                requirement,
                f"{action} takes an order id that a SALE was just sent with.",
                _duplicates_by_action(action),
            )
            for action, requirement in _PAYMENTS
        },
        "duplicate-after-decline": breaks(
            "S2C-DUP-11", "The order id of a declined sale is free at once.", _unless(check_duplicate, _after_decline)
        ),
        "sale-hash-half-compared": breaks(
            "S2C-SIG-52", "Half of the hash is compared.", also_hashed(_half_right, "SALE")
        ),
        **{
            f"{action.lower()}-of-part-hash-unverified": breaks(
                "S2C-SIG-38",
                f"The hash of {action} is not looked at where an amount is sent.",
                _unless(check_signature, lambda attempt: bool(attempt.form.get("amount")), action),
            )
            for action in ("CAPTURE", "CREDITVOID")
        },
        "operation-hash-half-compared": breaks(
            "S2C-SIG-52", "Half of the hash is compared, but of sales the whole.", also_hashed(_half_right, *_NOT_SALES)
        ),
        **{
            f"sha256-{name}-signed-md5": breaks(
                "S2C-SIG-54",
                f"{', '.join(actions)} are signed with MD5 whatever the account says.",
                post(*actions, accepts_hash=_md5_only),
            )
            for name, actions in _SHA256
        },
        "sha256-payments-md5-as-well": breaks(
            "S2C-SIG-55",
            "An account with SHA256 may sign debits, payouts and schedules with MD5.",
            also_hashed(_md5_of_sha256, "DEBIT", "CREDIT2CARD", "CREATE_SCHEDULE"),
        ),
        **{
            f"allowlist-without-{name}": breaks(
                "S2C-REQ-13",
                f"{', '.join(actions)} are served from any address.",
                _unless(check_environment, _guarded, *actions),
            )
            for name, actions in _UNGUARDED
        },
        **{
            f"live-key-for-{name}": breaks(
                "S2C-REQ-12",
                f"{', '.join(actions)} take a key of production.",
                _unless(check_environment, _live, *actions),
            )
            for name, actions in _LIVE
        },
        "key-of-nobody-looks-up": breaks(
            "S2C-REQ-03",
            "Look-ups by trans_id do not look at the key.",
            all_of(
                instead(check_merchant, _skipping(check_merchant, lambda _: True), *_LOOKUPS),
                instead(find_payment, _of_owner, *_LOOKUPS),
            ),
        ),
        **{
            f"{action.lower().replace('_', '-')}-of-no-uuid-server-error": breaks(
                requirement,
                f"{action} with a trans_id that is no UUID is a server error.",
                instead(find_payment, lambda attempt: _no_uuid(attempt) or find_payment(attempt), action),
            )
            for action, requirement in (
                ("GET_TRANS_STATUS", "S2C-STA-16"),
                ("GET_TRANS_DETAILS", "S2C-STA-30"),
                ("CAPTURE", "S2C-CAP-15"),
                ("VOID", "S2C-VOI-12"),
                ("CREDITVOID", "S2C-CVD-14"),
            )
        },
        "schedule-id-by-length": breaks(
            "S2C-SCH-14", "What has the length of a UUID is taken for one.", instead(check_schedule_id, _by_length)
        ),
        "negative-authorization": breaks(
            "S2C-SAL-11",
            "A negative amount may be authorized.",
            _unless(check_fields, lambda attempt: attempt.form.get("auth") == "Y" and _negative(attempt), "SALE"),
        ),
        "negative-transfers": breaks(
            "S2C-AMT-11",
            "A negative amount may be paid out.",
            _unless(check_fields, _negative, "CARD2CARD", "CREDIT2CARD"),
        ),
        "negative-recurring-sale": breaks(
            "S2C-AMT-12", "A negative amount may be charged again.", _unless(check_fields, _negative, "RECURRING_SALE")
        ),
        "refund-of-part-without-refunds": breaks(
            "S2C-CVD-12", "An account without refunds gives parts back.", last(_parts_are_free, "CREDITVOID")
        ),
        "capture-of-named-whole-refused": breaks(
            "S2C-CAP-03", "A capture that names the whole amount is refused.", last(_names_the_whole, "CAPTURE")
        ),
        "refund-of-named-whole-refused": breaks(
            "S2C-CVD-02", "A refund that names the whole amount is refused.", last(_names_the_whole, "CREDITVOID")
        ),
    },
    since="6.7.0",
)
