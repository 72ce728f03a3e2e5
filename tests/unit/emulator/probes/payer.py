"""A payer who fills in the page in this process, by what the page itself says, and without scripts."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urlencode

from tests.unit.emulator.probes.probe import MAIN, Gateway, Json, session_request

SUCCESS = "https://merchant.example/success"
CANCEL = "https://merchant.example/cancel"
EXPIRY = "https://merchant.example/expiry"
ERROR = "https://merchant.example/error"
BY_AUTOCOMPLETE = {
    "cc-number": "card_number",
    "cc-exp": "expiry",
    "cc-csc": "cvv",
    "cc-name": "cardholder",
    "country": "country",
    "address-level1": "state",
    "address-level2": "city",
    "street-address": "address",
    "postal-code": "zip",
    "tel": "phone",
    "email": "email",
    "bday": "birth_date",
}
VALID = {
    "amount": "12.50",
    "card_number": "4111 1111 1111 1111",
    "expiry": "01-38",
    "cvv": "123",
    "cardholder": "Jean-Luc O\u2019Brien",
    "country": "DE",
    "state": "",
    "city": "Berlin",
    "address": "Street 1",
    "zip": "10115",
    "phone": "+49 30 1",
    "email": "payer@example.com",
    "birth_date": "1980-02-29",
    "document_type": "cpf",
    "document_number": "123",
    "member_id": "7",
    "personal_id": "8",
    "bank_cuil": "9",
    "bank_curp": "10",
    "bank": "1007",
    "person_type": "individual",
}


@dataclass
class Form:
    action: str
    inputs: list[dict[str, str]] = field(default_factory=list)
    buttons: list[dict[str, str]] = field(default_factory=list)


class Page(HTMLParser):
    """What a page says: forms, images, links, errors and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.labels: dict[str, str] = {}
        self.errors: list[str] = []
        self.words: list[str] = []
        self.options: dict[str, list[str]] = {}
        self._for = self._select = ""
        self._in_error = self._in_form = False
        self.feed(text)
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.append((tag, found))
        match tag:
            case "form":
                self.forms.append(Form(found.get("action", "")))
                self._in_form = True
            case "input" | "select" if self._in_form:
                self.forms[-1].inputs.append(found)
                self._select = found["name"]
            case "option":
                self.options.setdefault(self._select, []).append(found["value"])
            case "button" if self._in_form:
                self.forms[-1].buttons.append(found)
            case "label":
                self._for = found.get("for", "")
            case "p":
                self._in_error = found.get("class") == "error"

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._in_form = False
        if tag == "p":
            self._in_error = False
        if tag == "label":
            self._for = ""

    def handle_data(self, data: str) -> None:
        self.words.append(data)
        if self._for:
            self.labels[self._for] = self.labels.get(self._for, "") + data.strip()
        if self._in_error:
            self.errors.append(data.strip())

    def form(self, action: str) -> Form | None:
        """The form with a button of that action."""
        return next((form for form in self.forms if any(one.get("value") == action for one in form.buttons)), None)

    @property
    def entry(self) -> Form | None:
        return self.form("pay")

    @property
    def asked(self) -> set[str]:
        """The fields that the payer is asked for."""
        return {known(one) for one in self.entry.inputs if one.get("type") != "hidden"} if self.entry else set()

    def attribute(self, tag: str, name: str) -> list[str]:
        return [found[name] for one, found in self.tags if one == tag and name in found]


def known(field_: dict[str, str]) -> str:
    """Which field an input is."""
    by_hint = BY_AUTOCOMPLETE.get(field_.get("autocomplete", ""))
    return by_hint or re.sub(r"payment\[(.*)\]", r"\1", field_["name"])


class Payer:
    """Opens a session and walks along its page."""

    def __init__(
        self, gateway: Gateway, account: object = MAIN, headers: dict[str, str] | None = None, **changes: object
    ) -> None:
        self.gateway = gateway
        self.headers = headers or {}
        request: Json = {
            "customer": ...,
            "billing_address": ...,
            "success_url": SUCCESS + "?order=1",
            "cancel_url": CANCEL,
            "expiry_url": EXPIRY,
            "error_url": ERROR,
        }
        answer = gateway.session(session_request(account, **(request | changes)))  # type: ignore[arg-type]
        assert answer.opened, answer.raw
        self._arrive(answer.body["redirect_url"])

    @classmethod
    def sent_to(cls, gateway: Gateway, address: str) -> "Payer":
        """A payer whom a merchant sends to a page; the session is the merchant's own."""
        payer = cls.__new__(cls)
        payer.gateway, payer.headers = gateway, {}
        payer._arrive(address)
        return payer

    def _arrive(self, address: str) -> None:
        self.path = address.partition(":8000")[2]
        self.location = ""
        self.visit()

    def visit(self) -> "Payer":
        """Open the page."""
        self.location = ""
        self._take("GET", self.path)
        return self

    def _take(self, method: str, path: str, body: bytes = b"") -> None:
        for _ in range(4):
            bare, _, query = path.partition("?")
            kind = "application/x-www-form-urlencoded" if method == "POST" else ""
            answer = self.gateway.send(method, bare, body, kind, query.encode(), self.headers)
            self.status = answer.status
            self.answer_headers = {name.decode(): value.decode() for name, value in answer.headers}
            if answer.status != 303:
                self.raw = answer.raw.decode()
                self.page = Page(self.raw)
                refreshes = [one for tag, one in self.page.tags if tag == "meta" and one.get("http-equiv") == "refresh"]
                self.location = refreshes[0]["content"].partition("url=")[2] if refreshes else ""
                return
            target = self.answer_headers["location"]
            if not target.startswith("/"):
                self.location = target
                return
            method, path, body = "GET", target, b""
        raise AssertionError("the page redirects for ever")

    def press(self, action: str, **more: str) -> "Payer":
        """Send the form that has a button of that action, with its hidden fields."""
        form = self.page.form(action)
        assert form is not None, f"no button {action}"
        button = next(one for one in form.buttons if one.get("value") == action)
        values = {one["name"]: one.get("value", "") for one in form.inputs if one.get("type") == "hidden"}
        self._take("POST", form.action, urlencode({**values, button["name"]: action, **more}).encode())
        return self

    def post(self, **values: str) -> "Payer":
        """Send values that no form of the page was asked for."""
        self._take("POST", self.path, urlencode(values).encode())
        return self

    def enter(self, **changes: str | None) -> "Payer":
        """Fill in every step of the form; a change of None leaves a field out."""
        values = VALID | changes
        for _ in range(3):
            form = self.page.entry
            assert form is not None, self.page.text
            filled = {}
            for one in form.inputs:
                if one.get("type") == "hidden" or (one.get("type") == "radio" and "checked" not in one):
                    continue
                value = values.get(known(one), one.get("value", ""))
                if value is not None:
                    filled[one["name"]] = value
            if "card_token" in changes:
                filled |= {one["name"]: str(changes["card_token"]) for one in form.inputs if one.get("type") == "radio"}
            before = self.page.asked
            self.press("pay", **filled)
            if self.location or self.page.errors or self.page.asked == before or not self.page.entry:
                break
        return self

    @property
    def paid(self) -> bool:
        return self.location.startswith(SUCCESS)

    @property
    def refused(self) -> bool:
        return not self.location and bool(self.page.errors)
