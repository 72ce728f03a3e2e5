"""A story of Checkout payments, told so that two gateways can be compared: what differs by nature is levelled."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from urllib.parse import parse_qsl, urlencode, urlsplit

from emulator.accounts import SCHEDULE_DELAYED, SCHEDULE_ID, Account
from tests.emulator.checkout_posts import CHALLENGED, DECLINED, FAILS_CHALLENGE, Merchant
from tests.emulator.payer import Payer
from tests.emulator.probe import BY_NAME, Answer, Gateway, Json, session_request

Story = list[object]
_LEVELLED = re.compile(
    r"[0-9a-f]{8}-[0-9a-f-]{27}|\b[0-9a-f]{40}\b|\b[0-9a-f]{63,64}\b|\d{4}-\d\d-\d\d[ +]\d\d:\d\d:\d\d|\b[npo]-\d+\b"
    r"|\b74[0-9a-f]{8}0+1\b|\b\d{6,12}\b|/pay/[\w-]{32}|challenges/[\w-]{32}|[A-Za-z0-9+/]{64}"
)
_SIGNED = ("id", "order_number", "order_amount", "order_currency", "order_description")
_FORM = "application/x-www-form-urlencoded"
_CARD = {"card_number": "4111111111111111", "cvv": "123"}
_BROWSER = {"accept": "text/html", "accept-language": "de-DE,de", "user-agent": "Payer/1.0"}


def levelled(value: object) -> str:
    """A value with ids, hashes, tokens and times made alike."""
    return _LEVELLED.sub("?", json.dumps(value, sort_keys=True))


def _ascii_digest(text: str, account: Account) -> str:
    upper = "".join(sign.upper() if sign.isascii() else sign for sign in text)
    inner = hashlib.new(account.hash, upper.encode(), usedforsecurity=False).hexdigest()
    return hashlib.sha1(inner.encode(), usedforsecurity=False).hexdigest()


def _verifies(told: dict[str, str], account: Account) -> bool:
    return told.get("hash") == _ascii_digest(
        "".join(told.get(name, "") for name in _SIGNED) + account.password, account
    )


def callbacks(merchant: Merchant) -> Story:
    """The callbacks, and whether their hashes verify and their ids find a payment."""
    told = merchant.callbacks()
    found = [merchant.status(one.get("id", "?")).get("status") for one in told if "id" in one]
    return [[*map(levelled, told)], [_verifies(one, merchant.account) for one in told], found]


def returned(payer: Payer, merchant: Merchant) -> Story:
    """Where a payer ended, with what, and whether the hash verifies."""
    merchant.back(payer)
    parameters = dict(parse_qsl(urlsplit(payer.location).query))
    same = [parameters.get("hash") == one.get("hash") for one in merchant.callbacks()[-1:]]
    return [levelled(payer.location), payer.status, same, levelled(payer.page.text)]


def _merchant(gateway: Gateway, account: str = "main") -> Merchant:
    return Merchant(BY_NAME[account], gateway)


def of_purchases(gateway: Gateway) -> Story:
    """Purchases that are paid, held, declined, challenged; by several accounts."""
    story: Story = []
    for name in ("main", "sha256", "options"):
        merchant = _merchant(gateway, name)
        order = {"description": "Important g\u00eeft"}
        customer = {"email": "payer@example.com"}
        story += returned(
            merchant.pay(order=order, customer=customer, headers=_BROWSER, custom_data={"a": {"b": "c"}}), merchant
        )
        payer = merchant.pay(CHALLENGED, auth=True, req_token=True, vat_calc=True, billing_address={"country": "DE"})
        story += returned(payer.press("confirm"), merchant)
        merchant.pay(FAILS_CHALLENGE).press("confirm")
        story += returned(merchant.pay(DECLINED).enter(expiry=DECLINED), merchant)
        story += callbacks(merchant)
    return story


def of_operations(gateway: Gateway) -> Story:
    """Captures, refunds, voids, debits, credits, chains and schedules."""
    merchant = _merchant(gateway)
    story: Story = []
    merchant.pay(auth=True)
    story.append(levelled(merchant.capture().body))
    merchant.pay()
    story.append(levelled(merchant.refund(amount="1.00").body))
    story.append(levelled(merchant.refund(amount="9.00").body))
    merchant.pay()
    story.append(levelled(merchant.void().body))
    merchant.pay(CHALLENGED, operation="debit", recurring_init=True, custom_data={"x": "y"}).press("confirm")
    merchant.pay(operation="debit", card_token=["a" * 64])
    merchant.pay(operation="debit", recurring_init=True)
    merchant.pay(operation="credit", payee={"name": "Ada Lovelace"}, custom_data={"x": "y"})
    merchant.pay(recurring_init=True, schedule_id=SCHEDULE_ID, custom_data={"x": "y"})
    first = merchant.last()
    chain = (first.get("recurring_init_trans_id", "?"), first.get("recurring_token", "?"))
    story.append(levelled(merchant.again(*chain, custom_data={"z": "1"}).body))
    merchant.pay(recurring_init=True, schedule_id=SCHEDULE_DELAYED, schedule_start_date="2037-01-01")
    story.append(levelled(merchant.credit(payee_first_name="Grace", payee_last_name="Hopper").body))
    return story + callbacks(merchant)


def of_ways_back(gateway: Gateway) -> Story:
    """Payers who leave, come too late, pay twice, or in another window."""
    merchant = _merchant(gateway)
    story: Story = []
    wishes: tuple[Json, ...] = ({}, {"cancel_url": ...}, {"url_target": "_top"})
    for wanted in wishes:
        story += _leaving(Payer(gateway, **wanted), merchant)
        paid = Payer(gateway, headers={"sec-fetch-dest": "iframe"}, **wanted).enter()
        story += [levelled(paid.raw), *returned(paid.visit(), merchant)]
    for minutes, expiry in ((1, "2"), (3, "2"), (45, None), (70, None)):
        late: Json = {} if expiry is None else {"session_expiry": int(expiry)}
        for more in ({}, {"expiry_url": ...}):
            wished: Json = late | more
            payer = Payer(gateway, **wished)
            gateway.advance(60 * minutes)
            story += [_tried(payer.visit), levelled(payer.location), payer.page.entry is not None]
    for name in ("link_target", "declines"):
        forced = BY_NAME[name]
        for target in (..., "_parent", "_self"):
            payer = Payer(gateway, forced, headers={"sec-fetch-dest": "iframe"}, url_target=target).enter()
            story += [levelled(payer.raw), levelled(payer.location)]
        payer = Payer(gateway, forced).enter(expiry=DECLINED)
        story += returned(payer.enter(expiry=DECLINED) if payer.page.entry else payer, merchant)
    return story


def _leaving(payer: Payer, merchant: Merchant) -> Story:
    broken = _tried(lambda: payer.press("cancel"))
    return [broken, *returned(payer, merchant)]


def _tried(action: Callable[[], object]) -> str:
    try:
        action()
    except LookupError:
        return "broken"
    return "fine"


def _opened(merchant: Merchant, **changes: object) -> Answer:
    wanted: Json = {"success_url": ..., "return_url": "https://merchant.example/back"} | changes
    request = {name: value for name, value in session_request(merchant.account, **wanted).items() if value != "none"}
    return merchant.gateway.send("POST", "/api/v1/session/token", json.dumps(request).encode(), "application/json")


def _answered(answer: Answer) -> Story:
    return [answer.status, levelled(answer.raw.decode())]


_PAYMENTS: tuple[tuple[str, str, Json], ...] = (
    ("purchase", "01/38", {}),
    ("debit", "01/38", {"ip": "192.0.2.9"}),
    ("purchase", "02/38", {}),
    ("purchase", "05/38", {}),
)


def of_hosted_fields(gateway: Gateway) -> Story:
    """Hosted fields: what is opened, refused, typed and paid."""
    merchant = _merchant(gateway)
    story: Story = []
    wrong: tuple[Json, ...] = (
        {"operation": "credit"},
        {"merchant_key": "none"},
        {"hash": "none"},
        {"hash": "0" * 40},
        {"return_url": ...},
        {"order": {"description": "x"}},
        {"order": {"amount": "1.2.3"}},
    )
    for changes in wrong:
        story += _answered(_opened(merchant, **changes))
    order = session_request()["order"]
    inner = "".join(str(order[name]) for name in ("number", "amount", "currency", "description"))
    story += _answered(_opened(merchant, order=order, hash=_inner(inner + merchant.account.password)))
    for operation, expiry, customer in _PAYMENTS:
        answer = _opened(merchant, operation=operation, customer={"name": "A B", **customer})
        token = str(answer.body.get("token", "?"))
        story += [answer.status, sorted(answer.body), token == "c2FtZQ==" * 8]
        for path in ("purchase", "debit") if operation == "debit" else ("debit", "purchase"):
            story += _answered(_processed(merchant, "", path)) + _answered(_processed(merchant, "?", path))
            story += _answered(_processed(merchant, token, path, name=...)) + _answered(
                _processed(merchant, token, path)
            )
        form = urlencode({"token": token, "expiry": expiry, **_CARD}).encode()
        story += _answered(gateway.send("POST", "/sdk/hosted-fields/card", form, _FORM))
        for path in ("purchase", "debit") if operation == "debit" else ("debit", "purchase"):
            reply = _processed(merchant, token, path)
            story += _answered(reply)
            if reply.status == 200:
                story.append(merchant.status(str(reply.body.get("public_id", "?"))).get("status"))
    late = str(_opened(merchant).body.get("token", "?"))
    gateway.send(
        "POST", "/sdk/hosted-fields/card", urlencode({"token": late, "expiry": "01/38", **_CARD}).encode(), _FORM
    )
    gateway.advance(3700)
    story += _answered(_processed(merchant, late, "purchase"))
    for path in ("/sdk/hosted-fields.js", "/sdk/hosted-fields/frames/expiry"):
        story += _answered(gateway.send("GET", path))
    return story + callbacks(merchant)


def _typed(gateway: Gateway, token: str, expiry: str) -> Answer:
    form = urlencode({"token": token, "expiry": expiry, **_CARD}).encode()
    return gateway.send("POST", "/sdk/hosted-fields/card", form, _FORM)


def _inner(text: str) -> str:
    return hashlib.md5(text.upper().encode(), usedforsecurity=False).hexdigest()


def _processed(merchant: Merchant, token: str, operation: str, **changes: object) -> Answer:
    body = {name: value for name, value in ({"name": "John Doe"} | changes).items() if value is not ...}
    path = f"/api/v1/processing/{operation}/card"
    headers = {"token": token} if token else {}
    return merchant.gateway.send("POST", path, json.dumps(body).encode(), "application/json", headers=headers)


STORIES = {
    "purchases": of_purchases,
    "operations": of_operations,
    "ways back": of_ways_back,
    "hosted fields": of_hosted_fields,
}
