"""From a posted form to values, and from valid values to an entry."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from emulator.protocols.hosted_page.entries import CardEntry, Entry, MethodEntry, TokenEntry
from emulator.protocols.hosted_page.forms.offered_fields import Values
from emulator.protocols.hosted_page.forms.rules import expiry_of
from emulator.protocols.hosted_page.session import PageSession, family

_OF_CARD: Final = frozenset({"card_number", "expiry", "cvv", "cardholder"})
_BLANKS: Final = str.maketrans("", "", " \u00a0")


def read(form: Mapping[str, str], names: Iterable[str], input_name: Callable[[str], str]) -> dict[str, str]:
    """The values of the fields ``names``: without blanks around them, and card numbers without any."""
    values = {name: form.get(input_name(name), "").strip() for name in names}
    if "card_number" in values:
        values["card_number"] = values["card_number"].translate(_BLANKS)
    parts = [form.get(f"{input_name('expiry')}_{part}") for part in ("month", "year")]
    if "expiry" in values and None not in parts:
        values["expiry"] = "-".join(str(part).strip()[-2:] for part in parts)
    if "country" in values:
        values["country"] = values["country"].upper()
    return values


def entry_of(session: PageSession, method: str, values: Values, *, token: str = "", wallet: str = "") -> Entry:
    """The entry that valid values make; ``token`` is the stored card that was chosen."""
    details = {name: value for name, value in values.items() if name not in _OF_CARD and value}
    if session.payer_enters_amount and "amount" in details:
        whole, _, cents = details["amount"].partition(".")
        details["amount"] = f"{whole}.{cents.ljust(max(session.decimals, 2), '0')}"
    if family(method) != "card":
        return MethodEntry(method, details, wallet)
    month, year = expiry_of(values["expiry"]) if values.get("expiry") else (None, None)
    code = values.get("cvv", "")
    if session.tokens:
        return TokenEntry(token, month, year, code, details)
    holder = values.get("cardholder") or session.given("customer", "name")
    return CardEntry(values.get("card_number", ""), month or 0, year or 0, code, holder, details)
