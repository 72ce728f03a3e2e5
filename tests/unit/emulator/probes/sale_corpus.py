"""Sales that together touch everything of S2S CARD that is not a field rule."""

import hashlib
from collections.abc import Callable

from emulator.accounts import Account
from emulator.protocols.s2s_card.messages.action_names import REJECTED
from tests.unit.emulator.probes.probe import BY_NAME, MAIN, Json, sale_form


def _digest(text: str, algorithm: str) -> str:
    return hashlib.new(algorithm, text.encode()).hexdigest()


def _hashed(change: Callable[[str, str, str], str], account: Account = MAIN) -> dict[str, str]:
    """A sale whose hash is ``change`` of email address, password and card fragment."""
    form = sale_form(account)
    number = form["card_number"]
    return form | {"hash": change(form["payer_email"], account.password, number[:6] + number[-4:])}


def _joined(email: str, password: str, fragment: str) -> str:
    return email[::-1] + password + fragment[::-1]


def _digits_of_19() -> dict[str, str]:
    return sale_form(card_number="4111111111119876508")


_NO_CARD: Json = dict.fromkeys(("card_number", "card_exp_month", "card_exp_year", "card_cvv2"), "")


def _by_token() -> dict[str, str]:
    token = MAIN.card_tokens[1]
    text = _joined("doe@example.com", MAIN.password, token).upper()
    return sale_form(**_NO_CARD, card_token=token, hash=_digest(text, "md5"))


def _by_wallet() -> dict[str, str]:
    text = _joined("doe@example.com", MAIN.password, "").upper()
    return sale_form(**_NO_CARD, payment_token="{}", digital_wallet="googlepay", hash=_digest(text, "md5"))


SALES = (
    *(sale_form() | {"action": name} for name in REJECTED),
    *(sale_form() | {"action": name} for name in ("sale", "Sale", "refund", "Refund", "UNHEARD_OF", "PAUSE_SCHEDULE")),
    *(sale_form() | {"action": name} for name in ("CAPTURE", "RECURRING_DEBIT", "UPDATE_SCHEDULE")),
    {name: value for name, value in sale_form().items() if name != "action"},
    {name: value for name, value in sale_form().items() if name != "hash"},
    sale_form(BY_NAME["sha256"]),
    sale_form(hash="0" * 32),
    sale_form(hash="0" * 32, payer_ip="nowhere"),
    sale_form(card_exp_year="2020"),
    sale_form(card_number="4601541833776519", card_exp_year="2020"),
    sale_form(payer_ip="", payer_phone=""),
    sale_form(payer_city="x" * 40),
    _hashed(lambda email, password, fragment: _digest(_joined(email, password, fragment).upper(), "md5").upper()),
    _hashed(lambda email, password, fragment: _digest(_joined(email, password, fragment).upper(), "md5")[:20]),
    _hashed(lambda email, password, fragment: _digest(_joined(email, password, fragment).upper(), "sha256")),
    _hashed(lambda email, password, fragment: _digest(_joined(email, password, fragment), "md5")),
    _hashed(lambda email, password, fragment: _digest((password + email[::-1] + fragment[::-1]).upper(), "md5")),
    _hashed(lambda email, _password, fragment: _digest(_joined(email, MAIN.key, fragment).upper(), "md5")),
    _hashed(lambda email, password, fragment: _digest((email + password + fragment).upper(), "md5")),
    _hashed(
        lambda email, password, fragment: _digest(_digest(_joined(email, password, fragment).upper(), "md5"), "sha1")
    ),
    _hashed(
        lambda email, password, fragment: _digest(_joined(email, password, fragment).upper(), "md5"), BY_NAME["sha256"]
    ),
    sale_form(payer_country="DE", payer_state="x" * 40),
    sale_form(payer_email="John.Doe@merchant.example"),
    sale_form() | {"custom_data[a][b]": "1"},
    sale_form() | {"parameters[descriptor]": "1"},
    _digits_of_19(),
    _by_token(),
    _by_wallet(),
)
