"""Faults of session rules that take a neighbour of what they allow: another case, blanks, a synonym, a digit more."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from emulator.changes.checkout_sessions import put, rules_see
from emulator.design import Change
from emulator.faults.model import Fault, breaks, faults
from emulator.wire.values import Object, child

_FULL_WIDTH: Final = str.maketrans("".join(map(chr, range(0xFF10, 0xFF1A))), "0123456789")
Seen = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class _AsSeen:
    """The rules see the value of a field as ``seen`` makes it."""

    path: str
    seen: Seen

    def __call__(self, body: Object) -> Object:
        names = self.path.split(".")
        value = child(body, *names)
        return put(body, self.seen(value), *names) if isinstance(value, str) else body


def _seeing(path: str, seen: Seen) -> Change:
    return rules_see(_AsSeen(path, seen))


def _word(**others: str) -> Seen:
    return lambda text: others.get(text, text)


def _without(pattern: str) -> Seen:
    return lambda text: re.sub(pattern, "", text)


def _one_newline_less(text: str) -> str:
    return text.removesuffix("\n")


def _fault(requirement: str, path: str, summary: str, seen: Seen, since: str | None = None) -> Fault:
    return breaks(requirement, f"{path}: {summary}", _seeing(path, seen), since=since)


FAULTS: Final = faults(
    {
        "operation-capitals": _fault("CHK-SES-04", "operation", "PURCHASE is taken.", str.lower),
        "operation-blanks": _fault("CHK-SES-04", "operation", "blanks around it are taken.", str.strip),
        "operation-sale": _fault("CHK-SES-04", "operation", "sale is taken.", _word(sale="purchase")),
        "operation-payout": _fault("CHK-SES-04", "operation", "payout is taken.", _word(payout="credit")),
        "url-target-bare": _fault(
            "CHK-SES-24", "url_target", "self is taken.", _word(self="_self", top="_top", parent="_parent")
        ),
        "url-target-new": _fault("CHK-SES-24", "url_target", "_new is taken.", _word(_new="_blank")),
        "language-region": _fault(
            "CHK-SES-29", "checkout_language", "en-US is taken.", lambda text: text.partition("-")[0]
        ),
        "language-three-letters": _fault(
            "CHK-SES-29", "checkout_language", "eng and deu are taken.", _word(eng="en", deu="de", fra="fr")
        ),
        "language-neighbour": _fault(
            "CHK-SES-29", "checkout_language", "it and uk are taken.", _word(it="es", uk="ua", pt="es", pl="de")
        ),
        "number-newline": _fault("CHK-ORD-04", "order.number", "a newline at its end is taken.", _one_newline_less),
        "number-underscore": _fault("CHK-ORD-04", "order.number", "an underscore is taken.", _without("_")),
        "number-blank": _fault("CHK-ORD-04", "order.number", "a blank within it is taken.", _without("(?<=.) (?=.)")),
        "number-angle-brackets": _fault("CHK-ORD-04", "order.number", "< and > are taken.", _without("[<>]")),
        "number-backslash": _fault("CHK-ORD-04", "order.number", "a backslash is taken.", _without(r"\\")),
        "amount-plus": _fault("CHK-ORD-08", "order.amount", "a plus is taken.", lambda text: text.removeprefix("+")),
        "amount-blank": _fault("CHK-ORD-08", "order.amount", "blanks around it are taken.", str.strip),
        "amount-newline": _fault("CHK-ORD-08", "order.amount", "a newline at its end is taken.", _one_newline_less),
        "amount-full-width": _fault(
            "CHK-ORD-08", "order.amount", "full-width digits are taken.", lambda text: text.translate(_FULL_WIDTH)
        ),
        "amount-thousands": _fault(
            "CHK-ORD-08", "order.amount", "separators of thousands are taken.", _without("(?<=\\d),(?=\\d{3})")
        ),
        "amount-exponent": _fault(
            "CHK-ORD-08", "order.amount", "1e1 is taken.", _word(**{"1e1": "10.00", "1e2": "100.00"})
        ),
        "amount-underscore": _fault("CHK-ORD-08", "order.amount", "1_0.00 is taken.", _without("(?<=\\d)_(?=\\d)")),
        "email-two-at-signs": _fault(
            "CHK-CUS-04", "customer.email", "two at signs are taken.", lambda text: text.replace("@@", "@")
        ),
        "email-blank": _fault("CHK-CUS-04", "customer.email", "a blank is taken.", _without(" ")),
        "birth-date-no-such-day": _fault(
            "CHK-CUS-06",
            "customer.birth_date",
            "30 February is taken.",
            lambda text: re.sub("-02-3[01]$", "-02-28", text),
        ),
        "birth-date-one-digit": _fault(
            "CHK-CUS-06",
            "customer.birth_date",
            "months and days of one digit are taken.",
            lambda text: re.sub("-([1-9])(?=-|$)", r"-0\1", text),
        ),
        "birth-date-with-time": _fault(
            "CHK-CUS-06", "customer.birth_date", "a time behind it is taken.", lambda text: text.partition("T")[0]
        ),
        "country-three-letters": _fault(
            "CHK-BIL-01", "billing_address.country", "DEU is taken.", _word(DEU="DE", USA="US", GBR="GB")
        ),
        "country-name": _fault(
            "CHK-BIL-01", "billing_address.country", "names are taken.", _word(Germany="DE", Deutschland="DE")
        ),
        "phone-dots": _fault("CHK-BIL-08", "billing_address.phone", "dots and slashes are taken.", _without("[./]")),
        "phone-extension": _fault(
            "CHK-BIL-08", "billing_address.phone", "an extension is taken.", _without("x[0-9]+$")
        ),
        "phone-full-width": _fault(
            "CHK-BIL-08",
            "billing_address.phone",
            "full-width digits are taken.",
            lambda text: text.translate(_FULL_WIDTH),
        ),
        "start-date-no-such-day": _fault(
            "CHK-SES-67",
            "schedule_start_date",
            "30 February is taken.",
            lambda text: re.sub("-02-3[01]$", "-02-28", text),
            since="6.7.0",
        ),
        "form-id-one-more": _fault("CHK-SES-76", "form_id", "one digit more is taken.", lambda text: text[:36]),
    },
    prefix="session-takes-",
)
