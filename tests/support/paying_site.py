"""A site of a few pages, by their paths, and a payer on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qs

from fixtures.payer import HttpPayer
from fixtures.payer.paying import Paying
from fixtures.profile.secret import Secret
from fixtures.profile.settings import Selectors
from fixtures.profile.test_data import Card, TestData
from fixtures.wire.exchange import Reply
from fixtures.wire.redaction import Redactor
from fixtures.wire.transport import Limits, Transport

START = "https://pay.example/start"
CARD = Card(number=Secret("4111111111111111"), expiry="01/2038", security_code=Secret("123"))
ASKS_CITY = '<form method="post" action="/card"><input name="city" autocomplete="address-level2"><button>Next</button>'
ASKS_CARD = (
    '<form method="post" action="/pay"><input name="pan" autocomplete="cc-number">'
    '<input type="radio" name="kept" value="1"><input type="radio" name="kept" value="2" checked>'
    '<input type="checkbox" name="news" value="yes"><button name="do" value="pay">Pay</button></form>'
)
CHALLENGE = '<form method="post" action="/done"><button data-challenge="pass">Yes</button></form>'
WALLET = (
    '<form method="post" action="/pay"><input type="hidden" name="payment_token" value="">'
    '<button name="do" value="wallet">Google Pay</button></form>'
)


@dataclass
class Site(Transport):
    answers: dict[str, list[Reply]]
    sent: list[tuple[str, dict[str, list[str]]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(Redactor(()), Limits())

    def send(self, method: str, url: str, **about: object) -> Reply:
        del method
        path = url.removeprefix("https://pay.example/")
        self.sent.append((path, parse_qs(about["content"].decode())))  # type: ignore[attr-defined]
        replies = self.answers[path]
        return replies.pop(0) if len(replies) > 1 else replies[0]


def html(body: str) -> Reply:
    return Reply(200, {"content-type": "text/html"}, f"<!doctype html><body>{body}</body>".encode())


def back() -> Reply:
    return Reply(303, {"location": "https://merchant.example/success?payment_id=7"})


def paying(**answers: list[Reply]) -> tuple[Paying, Site]:
    site = Site(answers)
    return Paying(HttpPayer(site, frozenset({"pay.example"}), Selectors()), TestData()), site
