"""What a visit shows, and what a posted form makes of it. After everything that changed, the browser is sent on."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

from emulator.protocols.hosted_page.entries import Answer, Entry
from emulator.protocols.hosted_page.forms.form_reading import entry_of, read
from emulator.protocols.hosted_page.forms.offered_fields import Values, country_of, is_wallet
from emulator.protocols.hosted_page.forms.rules import PageContext, violations
from emulator.protocols.hosted_page.outcomes import (
    Approved,
    Broken,
    Challenge,
    Declined,
    Elsewhere,
    Outcome,
    Payments,
    ShowDetails,
    ShowQr,
)
from emulator.protocols.hosted_page.qr import data_uri
from emulator.protocols.hosted_page.returns import End
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.hosted_page.view import View, inputs, methods, render, wallets
from emulator.protocols.hosted_page.visits import Visit

_STATUS: Final[dict[End, int]] = {"expired": 410}
_TEXTS: Final[dict[End, tuple[str, str]]] = {
    "paid": ("paid_title", "paid_text"),
    "declined": ("declined_title", "declined"),
    "cancelled": ("cancelled_title", "cancelled_text"),
    "expired": ("expired_title", "expired_text"),
    "error": ("error_title", "error_text"),
}
_PINS: Final = {"1234": "confirm", "0000": "fail"}
_ANSWERS: Final = frozenset({"confirm", "fail", "check", "retry", "code"})


@dataclass(frozen=True, slots=True)
class Shown:
    """A page, or the address that the browser is sent to."""

    text: str = ""
    status: int = 200
    location: str = ""


class Flow:
    """One request of a payer's browser."""

    def __init__(self, view: View, session: PageSession, visit: Visit, payments: Payments) -> None:
        self._view = view
        self._behaviour = view.behaviour
        self._session = session
        self._visit = visit
        self._payments = payments
        self._fetch_destination = ""

    def show(self, *, closed: bool, fetch_destination: str) -> Shown:
        """What the address shows now."""
        self._fetch_destination = fetch_destination
        end = self._behaviour.admits(self._visit, closed=closed)
        if end == "expired":
            return self._leave(end)
        if end is not None:
            return self._result(end)
        if self._visit.pending is not None:
            outcome = self._payments.proceed(self._session, self._visit.pending, Answer("check"))
            return self._pending() if outcome == self._visit.pending else self._decided(outcome, Answer("check"))
        return self._form({}, {})

    def take(self, form: Mapping[str, str], *, closed: bool, fetch_destination: str) -> Shown:
        """What a posted form leads to."""
        self._fetch_destination = fetch_destination
        closed = closed and not self._behaviour.takes_late(self._session, form)
        end = self._behaviour.admits(self._visit, closed=closed)
        if end is not None:
            return self._leave(end) if end == "expired" else self._result(end)
        action = form.get("action", "pay")
        if action == "cancel":
            asks_back = self._view.markup.sure if "sure" not in form else ""
            return Shown(render(self._view, asks_back)) if asks_back else self._leave("cancelled")
        if self._behaviour.is_stale(form, self._visit):
            return self._here()
        if self._visit.pending is not None:
            return self._answered(action, form)
        roads = {"choose": self._chosen, "wallet": self._by_wallet}
        return roads.get(action, self._entered)(form)

    def _here(self) -> Shown:
        return Shown(status=self._behaviour.leads_on, location=self._view.here)

    def _method(self) -> str:
        offered = self._behaviour.offered(self._session)
        if self._visit.method in offered:
            return self._visit.method
        return self._behaviour.first_method(offered)

    def _chosen(self, form: Mapping[str, str]) -> Shown:
        method = form.get("method", "")
        if method in self._behaviour.offered(self._session):
            self._visit.method = method
            self._visit.message = None
            self._visit.forget_entry()
        return self._here()

    def _by_wallet(self, form: Mapping[str, str]) -> Shown:
        method = form.get("method", "")
        if method not in self._behaviour.offered(self._session) or not is_wallet(method):
            return self._here()
        names = self._behaviour.asked(self._session, method, {})
        values = read(form, names, self._view.markup.input_name)
        errors = self._errors(names, values)
        if errors:
            return self._form(values, errors)
        return self._paid(entry_of(self._session, method, values, wallet=form.get("payment_token", "")))

    def _asked(self, method: str, values: Values) -> tuple[str, ...]:
        names = self._behaviour.asked(self._session, method, values)
        steps = self._view.markup.steps(names)
        return steps[min(self._visit.step, len(steps) - 1)]

    def _entered(self, form: Mapping[str, str]) -> Shown:
        method = self._method()
        if not method:
            return self._here()
        input_name = self._view.markup.input_name
        known = self._visit.values | read(form, ("country",) if input_name("country") in form else (), input_name)
        names = self._asked(method, known)
        values = self._behaviour.reads(self._session, read(form, names, input_name))
        errors = self._errors(names, known | dict(values))
        if errors:
            return self._form(values, errors, self._view.markup.error_status)
        every = self._behaviour.asked(self._session, method, known)
        if self._visit.step + 1 < len(self._view.markup.steps(every)):
            self._visit.keep(values)
            return self._here()
        token = self._token(form.get(input_name("card_token"), "0"))
        everything = {name: value for name, value in (known | dict(values)).items() if name in every}
        return self._paid(entry_of(self._session, method, everything, token=token))

    def _token(self, index: str) -> str:
        tokens = self._behaviour.stored_cards(self._session)
        place = int(index) if index.isascii() and index.isdigit() and len(index) < 4 else 0
        return tokens[place] if place < len(tokens) else next(iter(tokens), "")

    def _errors(self, names: tuple[str, ...], values: Values) -> Mapping[str, str]:
        session = self._session
        context = PageContext(
            session.now.date(),
            session.release,
            country_of(session, values),
            session.decimals,
            operation=session.operation,
            declines=session.declines,
        )
        return violations(self._behaviour.rules, names, values, context)

    def _paid(self, entry: Entry) -> Shown:
        self._visit.message = None
        return self._decided(self._payments.pay(self._session, entry), entry)

    def _answered(self, action: str, form: Mapping[str, str]) -> Shown:
        pending = self._visit.pending
        action = _PINS.get(form.get("pin", ""), action)
        if pending is None or action not in _ANSWERS:
            return self._here()
        answer = Answer("confirm" if action == "code" else action, form.get("code", "").strip())
        outcome = self._payments.proceed(self._session, pending, answer)
        return self._here() if outcome == pending else self._decided(outcome, answer)

    def _decided(self, decided: Outcome, because: Entry | Answer) -> Shown:
        outcome = self._behaviour.outcome(because, decided)
        visit = self._visit
        visit.forget_entry()
        visit.pending = None
        match outcome:
            case Approved(parameters) if not self._behaviour.ends(self._session, because):
                visit.parameters = parameters
                return self._leave("paid")
            case Approved(parameters):
                return self._ended("paid", parameters)
            case Broken(parameters):
                return self._ended("error", parameters)
            case Declined(parameters, message):
                visit.declines += 1
                visit.message, visit.parameters = message, parameters
                if visit.declines >= self._behaviour.declines_allowed(self._session.account):
                    return self._ended("declined", parameters)
            case Elsewhere(address):
                return Shown(status=self._behaviour.leads_on, location=self._behaviour.return_address(address, {}))
            case _:
                visit.pending = outcome
        return self._here()

    def _ended(self, end: End, parameters: Mapping[str, str]) -> Shown:
        self._visit.ended, self._visit.parameters = end, parameters
        return self._leave(end)

    def _address(self, end: End) -> str:
        address = self._behaviour.destination(self._session, end)
        return self._behaviour.return_address(address, self._visit.parameters) if address else ""

    def _leave(self, end: End) -> Shown:
        address = self._address(end)
        if not address:
            return self._result(end)
        leaving = self._behaviour.leaving(self._session)
        if self._behaviour.by_link(leaving, self._fetch_destination):
            window = self._behaviour.window(leaving)
            place, _, query = address.partition("?")
            query, mark, fragment = query.partition("#")
            text = render(
                self._view,
                self._view.markup.returning,
                end=end,
                address=address,
                place=place + mark + fragment,
                fields=parse_qsl(query, keep_blank_values=True),
                window=window,
            )
            return Shown(text, _STATUS.get(end, 200))
        return Shown(status=self._behaviour.leads_on, location=address)

    def _result(self, end: End) -> Shown:
        title, text = _TEXTS[end]
        address = self._address(end)
        message = self._visit.message if end == "declined" else None
        page = render(
            self._view,
            "result.html",
            end=end,
            title=self._view.text(title),
            text=message or self._view.text(text),
            address=address,
            window=self._behaviour.window_when_over(self._behaviour.leaving(self._session)),
            closes=end == "error" and not address,
        )
        return Shown(page, _STATUS.get(end, 200))

    def _pending(self) -> Shown:
        pending = self._visit.pending
        common = {"attempt": self._visit.attempt}
        match pending:
            case ShowQr() if (address := self._view.markup.qr_address(self._view.here)) != self._view.here:
                return Shown(status=self._behaviour.leads_on, location=address)
            case ShowQr(_, content, closes):
                left = int((closes - self._session.now).total_seconds())
                facts = self._behaviour.qr_facts(self._session)
                shown = {"image": data_uri(content), "content": b64encode(content.encode()).decode(), "left": left}
                page = render(self._view, self._view.markup.qr, facts=facts, **shown, **common)
            case ShowDetails(_, rows):
                page = render(self._view, "details.html", rows=rows, **common)
            case Challenge(_, kind):
                page = render(self._view, self._view.markup.challenge, kind=kind, **common)
            case _:
                return self._here()
        return Shown(page)

    def _form(self, values: Values, errors: Mapping[str, str], status: int = 200) -> Shown:
        behaviour, session, visit = self._behaviour, self._session, self._visit
        offered = behaviour.offered(session)
        if not offered:
            return self._ended("error", {})
        method = self._method()
        known = {**behaviour.prefills(session), **visit.values, **values}
        names = self._asked(method, known) if method else ()
        every = behaviour.asked(session, method, known) if method else ()
        page = render(
            self._view,
            self._view.markup.template,
            sections=inputs(self._view, method, names, known, errors),
            methods=methods(self._view, offered, method),
            wallets=wallets(self._view, offered),
            method=method,
            tokens=[self._payments.stored_card(session, token) for token in behaviour.stored_cards(session)]
            if method == "card"
            else [],
            hidden={**self._view.markup.hidden, "attempt": str(visit.attempt)},
            token_name=self._view.markup.input_name("card_token"),
            last_step=not method or visit.step + 1 >= len(self._view.markup.steps(every)),
            failed=bool(errors),
            declined=visit.message,
            back=lambda: self._address("cancelled"),
            left=behaviour.declines_allowed(session.account) - visit.declines,
            hints=self._view.markup.hints,
        )
        return Shown(page, status)
