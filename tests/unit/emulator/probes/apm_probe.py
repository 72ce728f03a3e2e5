"""Signed posts to S2S APM, with the signatures written down a second time on purpose."""

from __future__ import annotations

import hashlib
import itertools
import re
from urllib.parse import urlencode

from emulator.accounts import Account
from tests.unit.emulator.probes.probe import MAIN, Answer, Gateway

_NUMBERS = itertools.count(1)


def _digest(account: Account, text: str) -> str:
    return hashlib.new(account.hash, text.encode(), usedforsecurity=False).hexdigest()


def apm_hash(account: Account, form: dict[str, str]) -> str:
    """The signature of a post, by its action."""
    match form.get("action"):
        case "SALE":
            names = ("identifier", "order_id", "order_amount", "order_currency")
            return _digest(account, ("".join(form.get(n, "") for n in names) + account.password)[::-1].upper())
        case "CREDIT2VIRTUAL":
            order = ("order_id", "order_amount", "order_currency")
            return _digest(account, "".join(form.get(n, "") for n in order)[::-1].upper() + account.password)
        case "CREDITVOID":
            return _digest(account, (form.get("trans_id", "") + account.password)[::-1].upper())
        case _:
            return _digest(account, form.get("trans_id", "")[::-1].upper() + account.password)


def signed(account: Account, form: dict[str, str], changes: dict[str, str]) -> dict[str, str]:
    """``form`` with ``changes``; an empty change takes a field away. Signed unless ``hash`` is among them."""
    form = {name: value for name, value in (form | changes).items() if value}
    return form if "hash" in changes else form | {"hash": apm_hash(account, form)}


def apm_sale(account: Account = MAIN, **changes: str) -> dict[str, str]:
    """A valid sale with ``changes``; double underscores stand for brackets: ``parameters__crypto_type``."""
    form = {
        "action": "SALE",
        "client_key": account.key,
        "brand": "vcard",
        "order_id": f"a-{next(_NUMBERS)}",
        "order_amount": "10.00",
        "order_currency": "USD",
        "order_description": "Important gift",
        "identifier": "success@gmail.com",
        "payer_ip": "192.0.2.7",
        "return_url": "https://merchant.example/back?order=1",
    }
    return signed(account, form, _bracketed(changes))


def on_payment(action: str, trans_id: str, account: Account = MAIN, **changes: str) -> dict[str, str]:
    """A valid post that names a transaction, with ``changes``."""
    form = {"action": action, "client_key": account.key, "trans_id": trans_id}
    return signed(account, form, changes)


def _bracketed(changes: dict[str, str]) -> dict[str, str]:
    return {re.sub(r"__(\w+?)(?=__|$)", r"[\1]", name): value for name, value in changes.items()}


def send(gateway: Gateway, form: dict[str, str]) -> Answer:
    """Post a form to S2S APM."""
    return gateway.send("POST", "/apm/post", urlencode(form).encode(), "application/x-www-form-urlencoded")


def made(gateway: Gateway, form: dict[str, str]) -> str:
    """Post a form that makes a payment; return its trans_id."""
    answer = send(gateway, form)
    assert answer.status == 200, answer.raw
    return str(answer.body["trans_id"])


def status_of(gateway: Gateway, trans_id: str, account: Account = MAIN) -> str:
    """What a look-up says of a payment."""
    return str(send(gateway, on_payment("GET_TRANS_STATUS", trans_id, account)).body.get("status"))
