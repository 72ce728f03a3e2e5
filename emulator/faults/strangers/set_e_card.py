"""Faults of S2S CARD: what one order or chain does to another, and currencies, hours and caches (fifth set).

Numbers of lines are those of the interface description.
"""

from dataclasses import replace
from typing import Final, cast

from emulator.accounts import Account
from emulator.changes.s2s_card import NOTICES, around, instead, signed_by
from emulator.design import Design
from emulator.engine.callbacks.notice import Notice
from emulator.engine.payments import Payment, Protocol, State
from emulator.engine.signing import FormValues
from emulator.faults.model import breaks, faults
from emulator.protocols.s2s_card.behaviour import CardAttempt, Perform
from emulator.protocols.s2s_card.payment_record import record_of
from emulator.protocols.s2s_card.stages import find_initial, find_order
from emulator.rules.currencies import EXPONENTS
from emulator.rules.model import Check, Context, JsonObject, Rule
from emulator.wire.front import Arrival
from emulator.wire.replies import INVALID_DATA, Kind, Refusal, Reply

_NEW: Final = "6.7.0"
_REMEMBERED_SECONDS: Final = 60.0
_BAD_AMOUNT: Final = Refusal(Kind.CARD_FIELDS, INVALID_DATA, violations=(("order_amount", "This value is not valid."),))


# --- access ---


def _forwarded(design: Design) -> Design:
    """Whoever says that a request was forwarded for an address is taken for that address."""
    said: list[str] = []

    def front(arrival: Arrival) -> Arrival:
        said[:] = [arrival.header("x-forwarded-for").partition(",")[0].strip()]
        return arrival

    inner = design.access.address_allowed

    def allowed(account: Account, client: str) -> bool:
        return inner(account, (said[0] if said else "") or client)

    return design.behind(front).in_access(address_allowed=allowed)


# --- amounts ---


def _yen_without_decimals(perform: Perform, attempt: CardAttempt) -> Reply:
    amount, initial = attempt.form.get("order_amount", ""), attempt.payment
    currency = attempt.form.get("order_currency") or (initial.currency if initial is not None else "")
    if not amount or EXPONENTS.get(currency) != 0:
        return perform(attempt)
    if "." in amount:
        return attempt.gateway.answers.refuse(_BAD_AMOUNT)
    return perform(replace(attempt, form={**attempt.form, "order_amount": f"{amount}.00"}))


def _two_of_four_decimals(row: Rule) -> Rule:
    if row.path != "order_amount" or row.keyword != "decimals":
        return row
    check = cast("Check", row.bound)

    def changed(value: object, parent: JsonObject, context: Context) -> bool:
        four = EXPONENTS.get(str(parent.get("order_currency"))) == 4
        return check(value, parent, context) or (four and len(str(value).partition(".")[2]) == 2)

    return replace(row, bound=changed)


# --- chains ---


def _by_any_of_chain(attempt: CardAttempt) -> Refusal | None:
    """A charge of a chain stands for the payment that started it."""
    refusal, account, form = find_initial(attempt), attempt.account, attempt.form
    if refusal is None or account is None:
        return refusal
    book = attempt.gateway.payments
    charge = book.find(account, form.get("recurring_first_trans_id", ""))
    initial = book.find(account, charge.chain) if charge is not None and charge.chain else None
    if initial is None or initial.action != "SALE" or initial.recurring_token != form.get("recurring_token", ""):
        return refusal
    attempt.payment = initial
    return None


def _challenged_start(notice: Notice) -> bool:
    return notice.event == "SALE" and record_of(notice.payment).challenged


# --- what is done to payments ---


def _initial_voided(perform: Perform, attempt: CardAttempt) -> Reply:
    """The void of a charge is carried out upon the payment that its chain began with."""
    payment = attempt.payment
    if payment is None or not payment.chain or payment.state is not State.SETTLED:
        return perform(attempt)
    initial = attempt.gateway.payments.find(payment.account, payment.chain)
    if initial is None or initial.state is not State.SETTLED:
        return perform(attempt)
    reply = perform(replace(attempt, payment=initial))
    if reply.is_error:
        return reply
    return replace(reply, body=reply.body | {"order_id": payment.order_number, "trans_id": payment.trans_id})


def _way_back_escaped(design: Design) -> Design:
    inner = design.card.way_back

    def way_back(payment: Payment) -> str:
        address = inner(payment)
        return address.replace("&", "&amp;") if payment.action == "DEBIT" else address

    return design.in_card(way_back=way_back)


# --- look-ups ---


def _without_email_once_refunded(attempt: CardAttempt, values: FormValues) -> FormValues:
    payment = attempt.payment
    return replace(values, email="") if payment is not None and payment.state is State.REFUNDED else values


def _same_number(attempt: CardAttempt) -> Refusal | None:
    """An order that is not found is looked for once more, by the value of its number."""
    refusal, wanted, account = find_order(attempt), attempt.form.get("order_id", ""), attempt.account
    if refusal is None or account is None or not (wanted.isascii() and wanted.isdigit()):
        return refusal
    for one in attempt.gateway.payments.latest(500):
        found = one.order_number
        own = one.protocol is Protocol.S2S_CARD and one.account.key == account.key
        if own and found.isascii() and found.isdigit() and int(found) == int(wanted):
            attempt.payment = one
            return None
    return refusal


def _unknown_remembered(design: Design) -> Design:
    unknown: dict[tuple[str, str], float] = {}

    def find(attempt: CardAttempt) -> Refusal | None:
        key = attempt.form.get("client_key", ""), attempt.form.get("order_id", "")
        now = attempt.gateway.clock.seconds()
        if key in unknown and now - unknown[key] < _REMEMBERED_SECONDS:
            return attempt.behaviour.unknown
        refusal = find_order(attempt)
        if refusal is not None:
            unknown[key] = now
        return refusal

    return instead(find_order, find, "GET_TRANS_STATUS_BY_ORDER")(design)


FAULTS: Final = faults(
    {
        "e-debit-of-four-decimals-takes-two": breaks(
            "S2C-SAL-15",
            "DEBIT takes amounts of two decimals in currencies with exponent 4 (line 89).",
            lambda design: design.with_post_rows(_two_of_four_decimals, "DEBIT"),
        ),
        "e-recurring-sale-by-trans-id-of-charge": breaks(
            "S2C-REC-13",
            "RECURRING_SALE takes the trans_id of any charge of the chain for recurring_first_trans_id (line 445).",
            instead(find_initial, _by_any_of_chain, "RECURRING_SALE"),
        ),
        "e-recurring-token-lost-in-challenge": breaks(
            "CBK-S2C-09",
            "The callback of an initializing SALE that settled after a 3DS challenge lacks recurring_token (line 60).",
            NOTICES.lacking(_challenged_start, "recurring_token"),
        ),
        "e-void-of-charge-takes-first-payment-back": breaks(
            "S2C-VOI-15",
            "VOID of a recurring payment takes back the first payment of its chain, and the charge stays SETTLED"
            " (line 356).",
            around(_initial_voided, "VOID"),
        ),
        "e-way-back-of-debit-escaped": breaks(
            "S2C-TDS-05",
            "The payer of a challenged DEBIT comes back to term_url_3ds with &amp; in the place of & (line 425).",
            _way_back_escaped,
        ),
        "e-look-up-hash-of-refunded-without-email": breaks(
            "S2C-SIG-12",
            "GET_TRANS_STATUS of a refunded payment wants a hash without the payer's e-mail address (line 396).",
            signed_by(_without_email_once_refunded, "GET_TRANS_STATUS"),
        ),
        "e-order-look-up-by-value-of-number": breaks(
            "S2C-STA-21",
            "GET_TRANS_STATUS_BY_ORDER of the unknown order 0123 finds the order 123 (line 449).",
            instead(find_order, _same_number, "GET_TRANS_STATUS_BY_ORDER"),
        ),
        "e-unknown-order-remembered": breaks(
            "S2C-STA-20",
            "GET_TRANS_STATUS_BY_ORDER does not find an order for a minute after it was asked for in vain (line 357).",
            _unknown_remembered,
        ),
        "e-allowlist-believes-forwarded-for": breaks(
            "S2C-REQ-13 CHK-SIG-18 APM-REQ-15",
            "The IP allowlist looks at the header X-Forwarded-For, which anybody can write (line 409).",
            _forwarded,
        ),
    }
)
UNNOTICED: Final = faults(
    {
        "e-recurring-debit-of-yen-wants-whole-units": breaks(
            "S2C-REC-20",
            "RECURRING_DEBIT refuses two decimals in currencies with exponent 0, and takes none (line 86).",
            around(_yen_without_decimals, "RECURRING_DEBIT"),
            since=_NEW,
        ),
    }
)
"""Nothing notices these yet, or the contract lets a gateway do so: see `docs/proof.md`. They cannot be started."""
