"""For each requirement of the hosted page a probe that tells whether a gateway keeps it."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from unittest.mock import patch

from emulator.accounts import FORM_ID
from emulator.checkout.paying import CheckoutPayments
from emulator.hosted_page.entries import Entry
from emulator.hosted_page.languages import texts
from emulator.hosted_page.outcomes import Approved
from tests.emulator.payer import ADDRESS, CANCEL, EXPIRY, VALID, Payer
from tests.emulator.probe import BY_NAME, MAIN, Gateway

Probe = Callable[[Gateway], bool]
ASKS_ADDRESS = BY_NAME["payer_address_required"]
_TAGS = {"ua": "uk", "zh": "zh-Hans", "zho": "zh-Hans"}


def _with_luhn(start: str) -> str:
    for digit in "0123456789":
        number = start + digit
        doubled = (2 * int(one) if place % 2 else int(one) for place, one in enumerate(reversed(number)))
        if sum(one - 9 if one > 9 else one for one in doubled) % 10 == 0:
            return number
    raise AssertionError


def _month(ahead: int) -> str:
    now = datetime.now(UTC)
    year, month = divmod(now.year * 12 + now.month - 1 + ahead, 12)
    return f"{month + 1:02}-{year % 100:02}"


def accepts(account: object = MAIN, **values: str) -> Probe:
    return lambda gateway: Payer(gateway, account).enter(**values).paid


def refuses(message: str = "", account: object = MAIN, **values: str | None) -> Probe:
    def probe(gateway: Gateway) -> bool:
        payer = Payer(gateway, account).enter(**values)
        return payer.refused and any(message.lower() in error.lower() for error in payer.page.errors)

    return probe


def all_of(*probes: Probe) -> Probe:
    return lambda gateway: all(probe(gateway) for probe in probes)


def _field(field: str) -> dict[str, Probe]:
    return {
        "required": refuses(account=ASKS_ADDRESS, **{field: ""}),
        "length": all_of(
            accepts(ASKS_ADDRESS, **{field: "1" * 32}), refuses(account=ASKS_ADDRESS, **{field: "1" * 33})
        ),
    }


def asks(*fields: str, account: object = MAIN, **changes: object) -> Probe:
    """Every step together asks for the fields; the payer who leaves one out does not pay."""

    def probe(gateway: Gateway) -> bool:
        for field in fields:
            payer = Payer(gateway, account, None, **changes)
            if payer.enter(**{field: ""}).paid or not payer.page.errors:
                return False
        return True

    return probe


def _paid_amount(gateway: Gateway) -> bool:
    entries: list[Entry] = []

    def pay(_self: object, _session: object, entry: Entry) -> Approved:
        entries.append(entry)
        return Approved()

    with patch.object(CheckoutPayments, "pay", pay):
        Payer(gateway, operation="transfer", order={"amount": "-1"}, payee={"name": "Jane Roe"}).enter(amount="12.5")
    return [entry.details.get("amount") for entry in entries] == ["12.50"]


def _transfer_shows_empty_amount(gateway: Gateway) -> bool:
    payer = Payer(gateway, operation="transfer", order={"amount": "-1"}, payee={"name": "Jane Roe"})
    return "-1 USD" not in payer.page.text and payer.enter(amount="").refused


def _states_listed(gateway: Gateway) -> bool:
    def listed(country: str) -> int:
        address = {"country": country, "city": "Reno", "address": "Street 1", "zip": "89501", "phone": "1"}
        payer = Payer(gateway, ASKS_ADDRESS, billing_address=address)
        return len([value for options in payer.page.options.values() for value in options if value])

    return all(listed(country) > 5 for country in ("US", "CA", "AU", "JP", "IN"))


def _no_state_elsewhere(gateway: Gateway) -> bool:
    address = {"country": "DE", "city": ..., "address": "Street 1", "zip": "10115", "phone": "1"}
    payer = Payer(gateway, ASKS_ADDRESS, billing_address=address)
    return "state" not in payer.page.asked and payer.post(state="Bavaria", **VALID_BARE).status != 500


VALID_BARE = {"action": "pay"}


def _does_not_ask_again(gateway: Gateway) -> bool:
    given = {"country": "DE", "city": "Berlin", "address": "Street 1", "zip": "10115", "phone": "1"}
    payer = Payer(gateway, ASKS_ADDRESS, customer={"name": "John Doe"}, billing_address=given)
    return not payer.page.asked & (ADDRESS | {"cardholder"}) and payer.enter().paid


def _speaks(code: str, **more: object) -> Probe:
    def probe(gateway: Gateway) -> bool:
        payer = Payer(gateway, headers={"accept-language": "fr,es;q=0.5"}, checkout_language=code, **more)
        return payer.page.lang == _TAGS.get(code, code) and (code == "en" or texts(code)["cancel"] in payer.page.text)

    return probe


def _decline_is_told(gateway: Gateway) -> bool:
    payer = Payer(gateway)
    for _ in range(5):
        if payer.location or not payer.page.entry:
            break
        payer.enter(expiry="02-38")
        if payer.paid:
            return False
    return payer.location.startswith(CANCEL)


def _challenged(gateway: Gateway) -> bool:
    payer = Payer(gateway).enter(expiry="05-38")
    return not payer.location and payer.press("confirm").paid


def _failed_challenge(gateway: Gateway) -> bool:
    return not Payer(gateway).enter(expiry="05-38").press("fail").paid and (
        not Payer(gateway).enter(expiry="06-38").press("confirm").paid
    )


def _qr(gateway: Gateway) -> Payer:
    return Payer(gateway, methods=["instant-qr"], order={"amount": "17.00", "description": "Blue kite"}).enter()


def _qr_shown(gateway: Gateway) -> bool:
    payer = _qr(gateway)
    images = payer.page.attribute("img", "src")
    told = ("17", "Blue kite", "n-")
    return bool(images) and images[0].startswith("data:image/png") and all(one in payer.page.text for one in told)


def _qr_expires(gateway: Gateway) -> bool:
    payer = _qr(gateway)
    if not payer.page.attribute("img", "src"):
        return False
    gateway.advance(50)
    before = bool(payer.visit().page.attribute("img", "src"))
    gateway.advance(11)
    return before and not payer.visit().page.attribute("img", "src")


def _closed_when_expired(gateway: Gateway) -> bool:
    payer = Payer(gateway, session_expiry=1)
    filled = payer.page.entry is not None
    gateway.advance(61)
    payer.visit()
    sent_away = payer.location.startswith(EXPIRY)
    payer.post(action="pay", **{name: value for name, value in VALID.items() if value})
    return filled and sent_away and payer.location.startswith(EXPIRY)


def _closed_when_paid(gateway: Gateway) -> bool:
    payer = Payer(gateway).enter()
    return payer.paid and payer.visit().page.entry is None


def _shows_order(key: str, text: str, **changes: object) -> Probe:
    return lambda gateway: text in Payer(gateway, **{key: changes or text}).page.text  # type: ignore[arg-type]


def _methods_restricted(gateway: Gateway) -> bool:
    only_card = Payer(gateway, methods=["card"])
    two = Payer(gateway, methods=["instant-qr", "bank-account"])
    return (
        not only_card.page.form("wallet")
        and not only_card.page.form("instant-qr")
        and (two.page.form("bank-account") is not None and two.page.form("card") is None)
    )


def _framed(gateway: Gateway) -> bool:
    headers = Payer(gateway).answer_headers
    return "x-frame-options" not in headers and "frame-ancestors" not in headers["content-security-policy"]


def _token_page(gateway: Gateway) -> bool:
    payer = Payer(gateway, card_token=list(MAIN.card_tokens[:1]))
    return not payer.page.asked & {"card_number", "expiry"} and payer.enter().paid


def _credit_by_token(unwanted: Iterable[str]) -> Probe:
    def probe(gateway: Gateway) -> bool:
        asked = Payer(gateway, operation="credit", card_token=list(MAIN.card_tokens[:1])).page.asked
        return not asked & set(unwanted)

    return probe


def _tokens_to_choose(gateway: Gateway) -> bool:
    payer = Payer(gateway, card_token=list(MAIN.card_tokens))
    choices = [one for one in payer.page.entry.inputs if one.get("type") == "radio"] if payer.page.entry else []
    return len(choices) == 2 and payer.enter(card_token="1").paid


def _custom_form(gateway: Gateway) -> bool:
    payer = Payer(gateway, form_id=FORM_ID)
    return "payer_card" in payer.page.attribute("input", "id") and payer.enter().paid


def _server_checks(gateway: Gateway) -> bool:
    wrong = {"card_number": "4111111111111112", "cvv": "12345", "cardholder": "John", "city": "x" * 33}
    return all(refuses(account=ASKS_ADDRESS, **{name: value})(gateway) for name, value in wrong.items())


def _browser_loses(gateway: Gateway) -> bool:
    payer = Payer(gateway, headers={"accept-language": "de-AT,de;q=0.9,en;q=0.5"}, checkout_language="es")
    return payer.page.lang == "es"


def _retry_after_decline(gateway: Gateway) -> bool:
    return Payer(gateway).enter(expiry="02-38").enter().paid


def _wallet(gateway: Gateway) -> bool:
    payer = Payer(gateway)
    return payer.page.form("wallet") is not None and payer.press("wallet").paid


CITY, LINE, ZIP, PHONE = (_field(name) for name in ("city", "address", "zip", "phone"))
KEPT: dict[str, Probe] = {
    "HPP-CRD-01": accepts(),
    "HPP-CRD-02": all_of(accepts(card_number=_with_luhn("4" * 13)), accepts(card_number=_with_luhn("4" * 18))),
    "HPP-CRD-03": all_of(
        refuses("Invalid card", card_number=_with_luhn("4" * 12)),
        refuses("Invalid card", card_number=_with_luhn("4" * 19)),
    ),
    "HPP-CRD-04": refuses("Invalid card", card_number="4111111111111112"),
    "HPP-CRD-05": refuses("Invalid card", card_number="411111111111111x"),
    "HPP-CRD-06": all_of(refuses(card_number=""), refuses(card_number=None)),
    "HPP-EXP-01": accepts(expiry="01-38"),
    "HPP-EXP-02": all_of(refuses("expired", expiry=_month(-1)), refuses("expired", expiry="12-20")),
    "HPP-EXP-03": all_of(accepts(expiry=_month(1)), accepts(expiry=_month(14))),
    "HPP-EXP-04": accepts(expiry=_month(0)),
    "HPP-EXP-05": all_of(refuses(expiry="13-38"), refuses(expiry="ab-cd"), refuses(expiry="0138x")),
    "HPP-CVV-01": all_of(accepts(cvv="123"), accepts(cvv="1234")),
    "HPP-CVV-02": refuses("Invalid security code", cvv="12345"),
    "HPP-NAM-01": all_of(accepts(cardholder="John " + "x" * 27), refuses(cardholder="John " + "x" * 28)),
    "HPP-NAM-02": refuses(cardholder="John"),
    "HPP-NAM-03": all_of(
        accepts(cardholder="Anne-Marie Doe"), accepts(cardholder="Sean O'Neil"), accepts(cardholder="Žofie Müller")
    ),
    "HPP-NAM-04": refuses(cardholder=""),
    "HPP-ADR-01": refuses(account=ASKS_ADDRESS, country=""),
    "HPP-ADR-02": all_of(*(refuses(account=ASKS_ADDRESS, country=code) for code in ("DEU", "D", "12"))),
    "HPP-ADR-03": _states_listed,
    "HPP-ADR-04": all_of(
        accepts(ASKS_ADDRESS, country="US", state="NV"), refuses(account=ASKS_ADDRESS, country="US", state="XX")
    ),
    "HPP-ADR-05": _no_state_elsewhere,
    "HPP-ADR-06": lambda gateway: Payer(gateway, ASKS_ADDRESS).enter(country="DE", state="Bavaria").paid,
    "HPP-ADR-07": CITY["required"],
    "HPP-ADR-08": CITY["length"],
    "HPP-ADR-09": LINE["required"],
    "HPP-ADR-10": LINE["length"],
    "HPP-ADR-11": ZIP["required"],
    "HPP-ADR-12": ZIP["length"],
    "HPP-ADR-13": PHONE["required"],
    "HPP-ADR-14": PHONE["length"],
    "HPP-ASK-01": all_of(asks("email", methods=["local-document"]), asks("birth_date", methods=["personal-id"])),
    "HPP-ASK-02": asks(*ADDRESS, account=ASKS_ADDRESS),
    "HPP-ASK-03": _does_not_ask_again,
    "HPP-ASK-04": _methods_restricted,
    "HPP-ASK-06": lambda gateway: Payer(gateway, methods=["card"]).page.entry is not None,
    "HPP-ASK-07": asks("document_number", methods=["local-document"]),
    "HPP-ASK-08": asks("document_type", methods=["local-document"]),
    "HPP-ASK-09": asks("member_id", methods=["member-id"]),
    "HPP-ASK-10": asks("personal_id", methods=["personal-id"]),
    "HPP-ASK-11": all_of(
        asks("bank_cuil", methods=["national-id"]),
        asks("bank_curp", methods=["national-id"], billing_address={"country": "MX"}),
    ),
    "HPP-ASK-13": _custom_form,
    "HPP-ASK-14": _shows_order("crypto", "ERC20", network="ERC20"),
    "HPP-ASK-15": _shows_order("order", "Blue <kite>", description="Blue <kite>"),
    "HPP-ASK-16": _wallet,
    "HPP-ASK-17": _framed,
    "HPP-AMT-01": _transfer_shows_empty_amount,
    "HPP-AMT-02": _paid_amount,
    "HPP-TOK-01": _token_page,
    "HPP-TOK-02": _credit_by_token({"card_number", "cvv"}),
    "HPP-TOK-03": _credit_by_token(set(VALID) - {"expiry"}),
    "HPP-TOK-04": _tokens_to_choose,
    "HPP-LNG-01": all_of(*map(_speaks, ("fr", "en", "es", "de", "kk", "ru", "ar", "zh", "az", "ua", "no", "zho"))),
    "HPP-LNG-02": _speaks("es", billing_address={"language": "DE"}),
    "HPP-LNG-03": _browser_loses,
    "HPP-OUT-01": _decline_is_told,
    "HPP-OUT-02": _retry_after_decline,
    "HPP-OUT-03": _challenged,
    "HPP-OUT-04": _failed_challenge,
    "HPP-OUT-05": _qr_shown,
    "HPP-OUT-06": _qr_expires,
    "HPP-OUT-08": _closed_when_expired,
    "HPP-OUT-09": _closed_when_paid,
    "HPP-OUT-10": _server_checks,
}
