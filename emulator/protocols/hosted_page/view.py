"""Pages as HTML. Everything that is put into a template is escaped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from emulator.protocols.hosted_page.behaviour import PageBehaviour
from emulator.protocols.hosted_page.forms.country_names import COUNTRY_NAMES, STATES
from emulator.protocols.hosted_page.forms.fields import BANKS, FIELDS, PERSON_TYPES, Field
from emulator.protocols.hosted_page.forms.offered_fields import Values, country_of, is_wallet, states_are_free
from emulator.protocols.hosted_page.languages import direction, tag, texts
from emulator.protocols.hosted_page.markup import Markup, custom_form_id
from emulator.protocols.hosted_page.session import PageSession, family

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES: Final = Path(__file__).parent / "templates"
_SECTIONS: Final = ("card", "details", "address")
_METHOD_NAMES: Final = {
    "googlepay": "Google Pay",
    "applepay": "Apple Pay",
}
_FAMILY_TEXTS: Final = {
    "card": "m_card",
    "crypto_wallet": "m_crypto",
    "crypto_deposit": "m_crypto",
    "bank_account": "m_bank",
    "instant_qr": "m_qr",
    "product_data": "m_instalments",
}
Choices = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Input:
    """One input as the template shows it."""

    field: Field
    kind: str
    name: str
    id: str
    label: str
    hint: str
    value: str
    error: str
    choices: Choices
    groups: Sequence[tuple[str, Choices]]
    required: bool


@dataclass(frozen=True, slots=True)
class View:
    """What every page knows: the session, its language, its address, and how pages are made."""

    behaviour: PageBehaviour
    language: str
    here: str
    session: PageSession | None = None

    @property
    def markup(self) -> Markup:
        """How the page is made; a merchant's own form has its own ids."""
        markup = self.behaviour.markup
        if self.session is not None and self.behaviour.custom_form(self.session):
            return replace(markup, element_id=custom_form_id, template="custom.html")
        return markup

    def text(self, key: str, **values: object) -> str:
        """A text of the page in its language."""
        found = self.markup.words(self.language, key, texts(self.language)[key])
        return found.format(**values) if values else found

    def amount(self, amount: str) -> str:
        """An amount of the session's currency, as it is shown."""
        return self.markup.amount(amount, self.session.currency) if self.session and amount else ""

    def method_name(self, method: str) -> str:
        """What a method is called."""
        if method in _METHOD_NAMES:
            return _METHOD_NAMES[method]
        key = _FAMILY_TEXTS.get(family(method))
        return self.text(key) if key else f"{self.text('m_online')} · {method}"


MONTH_AND_YEAR: Final = "month and year"
"""The kind of a date that is chosen from two lists."""
MONTH_AND_SHORT_YEAR: Final = "month and short year"
"""The kind of a date that is typed into two fields of two digits each."""


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 - only a page needs it

    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def render(view: View, template: str, **values: object) -> str:
    """The page that ``template`` makes of ``values``."""
    session = view.session
    vat = session.vat if session else None
    common: dict[str, object] = {
        "t": view.text,
        "lang": tag(view.language),
        "dir": direction(view.language),
        "action": view.markup.post_address(view.here),
        "here": view.here,
        "facts": view.behaviour.facts(session) if session else {},
        "amount": view.amount,
        "free_states": session is not None and states_are_free(session),
        "vat": vat,
        "session": session,
        "form_id": view.behaviour.custom_form(session) if session else "",
    }
    return _environment().get_template(template).render(common | values)


def inputs(
    view: View, method: str, names: Sequence[str], values: Values, errors: Mapping[str, str]
) -> list[tuple[str, list[Input]]]:
    """The inputs by section, in the order of the page."""
    ordered = view.markup.order(tuple(names))
    made = [_input(view, FIELDS[name], method, values, errors) for name in ordered]
    sections = dict.fromkeys((*_SECTIONS,), "") if list(ordered) == list(names) else {}
    order = dict.fromkeys([*sections, *(one.field.section for one in made)])
    grouped = ((section, [one for one in made if one.field.section == section]) for section in order)
    return [(section, below) for section, below in grouped if below]


def _input(view: View, field: Field, method: str, values: Values, errors: Mapping[str, str]) -> Input:
    session = view.session
    country = country_of(session, values) if session else ""
    kind, choices, groups = _choices(view, field, country)
    key = errors.get(field.name)
    decimals = session.decimals if session else 2
    label = view.text(field.name)
    return Input(
        field=field,
        kind=kind,
        name=view.markup.input_name(field.name),
        id=view.markup.element_id(field.name),
        label=label,
        hint=view.text("expiry_hint") if field.name == "expiry" else "",
        value="" if field.secret else values.get(field.name, ""),
        error=view.text(key, label=label, decimals=decimals) if key else "",
        choices=choices,
        groups=groups,
        required=field.name != "state" and bool(method),
    )


def _choices(view: View, field: Field, country: str) -> tuple[str, Choices, Sequence[tuple[str, Choices]]]:
    if field.name == "state":
        return _states(country, free=view.session is not None and states_are_free(view.session))
    lists: dict[str, Choices] = {
        "country": sorted(COUNTRY_NAMES.items(), key=lambda item: item[1]),
        "bank": tuple(BANKS.items()),
        "person_type": [(name, view.text(name)) for name in PERSON_TYPES],
    }
    kind = view.markup.kinds.get(field.name, field.kind)
    if kind == MONTH_AND_YEAR and view.session is not None:
        first = view.session.now.year - 1
        return kind, [(str(year), str(year)) for year in range(first, first + 26)], ()
    return kind, lists.get(field.name, ()), ()


def _states(country: str, *, free: bool) -> tuple[str, Choices, Sequence[tuple[str, Choices]]]:
    if country in STATES:
        return "states", tuple(STATES[country].items()), ()
    if country or free:
        return "text", (), ()
    return "states", (), [(COUNTRY_NAMES[code], tuple(names.items())) for code, names in STATES.items()]


def methods(view: View, offered: Sequence[str], chosen: str) -> list[tuple[str, str, bool]]:
    """Identifier and name of every method that is no wallet, and whether it is the chosen one."""
    return [(method, view.method_name(method), method == chosen) for method in offered if not is_wallet(method)]


def wallets(view: View, offered: Sequence[str]) -> list[tuple[str, str]]:
    """Identifier and name of every wallet."""
    return [(method, view.method_name(method)) for method in offered if is_wallet(method)]
