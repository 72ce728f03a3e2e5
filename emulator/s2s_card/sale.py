"""The action SALE: a payment by card, card token or wallet token, answered at once."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from emulator.accounts import Account
from emulator.duplicates import WindowRule
from emulator.forms.attempt import FormAttempt, check_environment, check_merchant, first_refusal
from emulator.replies import INVALID_DATA, Kind, Refusal, Reply
from emulator.rules.model import Context
from emulator.s2s_card.cards import DECLINED, TOKEN_OUTCOME, Outcome, expired, outcome_of
from emulator.signing import SaleValues, card_fragment, equal, formula_1

if TYPE_CHECKING:
    from emulator.gateway import Gateway

_YES: Final = "Y"


SaleAttempt = FormAttempt


@dataclass(frozen=True, slots=True)
class SaleHashTest:
    """A hash that came with a sale, and what it is compared with."""

    given: str
    account: Account
    values: SaleValues


SaleStage = Callable[[SaleAttempt], Refusal | None]


def accepts_sale_hash(test: SaleHashTest) -> bool:
    """Tell whether the given hash is that of Formula 1, or of Formula 8 for a wallet token."""
    return equal(test.given, formula_1(test.account.password, test.account.hash, test.values))


_WINDOW: Final = WindowRule()
_DUPLICATE: Final = Refusal(Kind.DUPLICATE, "order_id: Duplicate payment.")


@dataclass(frozen=True, slots=True)
class SaleConduct:
    """Everything about sales that is not a field rule."""

    stages: tuple[SaleStage, ...]
    accepts_hash: Callable[[SaleHashTest], bool] = accepts_sale_hash
    fragment: Callable[[str], str] = card_fragment
    refuses_expired: bool = True
    expired: Callable[[str, str, date], bool] = expired
    window: WindowRule = _WINDOW
    duplicate: Refusal = _DUPLICATE
    used_before: Refusal = _DUPLICATE


def signed_values(form: Mapping[str, str], fragment: Callable[[str], str]) -> SaleValues:
    """What a sale is signed with: the card where card data are sent, else the card token, else nothing."""
    number = form.get("card_number")
    instrument = fragment(number) if number else form.get("card_token", "")
    return SaleValues(form.get("payer_email", ""), instrument)


def check_fields(attempt: SaleAttempt) -> Refusal | None:
    """Refuse what breaks a field rule; every field that does is named."""
    gateway, form = attempt.gateway, attempt.form
    design = gateway.design
    found = gateway.sale_table.violations(Context(form, attempt.account, design.amounts, design.release))
    dated = form.get("card_exp_month", ""), form.get("card_exp_year", "")
    if (
        design.sale.refuses_expired
        and not found
        and all(dated)
        and design.sale.expired(*dated, gateway.clock.now().date())
    ):
        found = [("card_exp_year", "The card is expired.")]
    return Refusal(Kind.SALE_FIELDS, INVALID_DATA, violations=tuple(found)) if found else None


def check_signature(attempt: SaleAttempt) -> Refusal | None:
    """Refuse a sale that is not signed with the merchant's password."""
    design = attempt.gateway.design
    if attempt.account is None:
        return None
    test = SaleHashTest(
        attempt.form.get("hash", ""), attempt.account, signed_values(attempt.form, design.sale.fragment)
    )
    return None if design.sale.accepts_hash(test) else design.session.wrong_hash


def check_duplicate(attempt: SaleAttempt) -> Refusal | None:
    """Refuse an order that the merchant posted within the window."""
    gateway, form = attempt.gateway, attempt.form
    age = gateway.sale_window.age(form.get("client_key", ""), form.get("order_id", ""), gateway.clock.seconds())
    if age is None:
        return None
    conduct = gateway.design.sale
    return conduct.duplicate if age < conduct.window.seconds else conduct.used_before


def check_token(attempt: SaleAttempt) -> Refusal | None:
    """Refuse a card token that is not the merchant's."""
    form, conduct = attempt.form, attempt.gateway.design.session
    token = form.get("card_token", "")
    if attempt.account is None or not token or form.get("card_number"):
        return None
    return None if conduct.token_known(attempt.account, token) else conduct.wrong_token


SALE_STAGES: Final[tuple[SaleStage, ...]] = (
    check_environment,
    check_fields,
    check_merchant,
    check_signature,
    check_duplicate,
    check_token,
)


def sale(gateway: "Gateway", form: Mapping[str, str], client: str) -> Reply:
    """Answer a sale."""
    conduct = gateway.design.sale
    attempt = SaleAttempt(gateway, form, client, gateway.design.session.find_account(form.get("client_key")))
    refusal = first_refusal(conduct.stages, attempt)
    if refusal is not None:
        return gateway.design.answers.refuse(refusal)
    gateway.sale_window.take(form.get("client_key", ""), form.get("order_id", ""), gateway.clock.seconds())
    return Reply(Kind.SALE, 200, _answer(gateway, form, _outcome(gateway, form)))


def _outcome(gateway: "Gateway", form: Mapping[str, str]) -> Outcome:
    number, month, year = (form.get(name, "") for name in ("card_number", "card_exp_month", "card_exp_year"))
    if not number:
        return TOKEN_OUTCOME
    if month and year and gateway.design.sale.expired(month, year, gateway.clock.now().date()):
        return DECLINED
    return outcome_of(number, month, year)


def _answer(gateway: "Gateway", form: Mapping[str, str], outcome: Outcome) -> dict[str, object]:
    authorization = form.get("auth") == _YES
    body: dict[str, object] = {
        "action": "SALE",
        "result": "SUCCESS" if outcome.approved else "DECLINED",
        "status": ("PENDING" if authorization else "SETTLED") if outcome.approved else "DECLINED",
        "order_id": form.get("order_id", ""),
        "trans_id": str(uuid.uuid4()),
        "trans_date": gateway.clock.now().strftime("%Y-%m-%d %H:%M:%S"),
        "descriptor": "emulator",
        "amount": form.get("order_amount", ""),
        "currency": form.get("order_currency", ""),
    }
    if not outcome.approved:
        return body | {"decline_reason": "Declined by processing"}
    if form.get("recurring_init") == _YES and outcome.recurring:
        body["recurring_token"] = str(uuid.uuid4())
        if form.get("schedule_id"):
            body["schedule_id"] = form["schedule_id"]
    if form.get("req_token") == _YES and not form.get("card_token"):
        body["card_token"] = uuid.uuid4().hex + uuid.uuid4().hex
    return body
