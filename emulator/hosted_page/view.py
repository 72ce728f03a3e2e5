"""Pages as HTML. Everything that is put into a template is escaped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from emulator.hosted_page.asking import Values, country_of, is_wallet, states_are_free
from emulator.hosted_page.conduct import PageConduct
from emulator.hosted_page.fields import BANKS, FIELDS, PERSON_TYPES, Field
from emulator.hosted_page.languages import direction, tag, texts
from emulator.hosted_page.markup import Markup, custom_form_id
from emulator.hosted_page.places import COUNTRY_NAMES, STATES
from emulator.hosted_page.session import PageSession, family

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
class Scene:
    """What every page knows: the session, its language, its address, and how pages are made."""

    conduct: PageConduct
    language: str
    here: str
    session: PageSession | None = None

    @property
    def markup(self) -> Markup:
        """How the page is made; a merchant's own form has its own ids."""
        markup = self.conduct.markup
        if self.session is not None and self.conduct.custom_form(self.session):
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


def render(scene: Scene, template: str, **values: object) -> str:
    """The page that ``template`` makes of ``values``."""
    session = scene.session
    vat = session.vat if session else None
    common: dict[str, object] = {
        "t": scene.text,
        "lang": tag(scene.language),
        "dir": direction(scene.language),
        "action": scene.markup.post_address(scene.here),
        "facts": scene.conduct.facts(session) if session else {},
        "amount": scene.amount,
        "free_states": session is not None and states_are_free(session),
        "vat": vat,
        "session": session,
        "form_id": scene.conduct.custom_form(session) if session else "",
    }
    return _environment().get_template(template).render(common | values)


def inputs(
    scene: Scene, method: str, names: Sequence[str], values: Values, errors: Mapping[str, str]
) -> list[tuple[str, list[Input]]]:
    """The inputs by section, in the order of the page."""
    ordered = scene.markup.order(tuple(names))
    made = [_input(scene, FIELDS[name], method, values, errors) for name in ordered]
    sections = dict.fromkeys((*_SECTIONS,), "") if list(ordered) == list(names) else {}
    order = dict.fromkeys([*sections, *(one.field.section for one in made)])
    grouped = ((section, [one for one in made if one.field.section == section]) for section in order)
    return [(section, below) for section, below in grouped if below]


def _input(scene: Scene, field: Field, method: str, values: Values, errors: Mapping[str, str]) -> Input:
    session = scene.session
    country = country_of(session, values) if session else ""
    kind, choices, groups = _choices(scene, field, country)
    key = errors.get(field.name)
    decimals = session.decimals if session else 2
    label = scene.text(field.name)
    return Input(
        field=field,
        kind=kind,
        name=scene.markup.input_name(field.name),
        id=scene.markup.element_id(field.name),
        label=label,
        hint=scene.text("expiry_hint") if field.name == "expiry" else "",
        value="" if field.secret else values.get(field.name, ""),
        error=scene.text(key, label=label, decimals=decimals) if key else "",
        choices=choices,
        groups=groups,
        required=field.name != "state" and bool(method),
    )


def _choices(scene: Scene, field: Field, country: str) -> tuple[str, Choices, Sequence[tuple[str, Choices]]]:
    if field.name == "state":
        return _states(country, free=scene.session is not None and states_are_free(scene.session))
    lists: dict[str, Choices] = {
        "country": sorted(COUNTRY_NAMES.items(), key=lambda item: item[1]),
        "bank": tuple(BANKS.items()),
        "person_type": [(name, scene.text(name)) for name in PERSON_TYPES],
    }
    kind = scene.markup.kinds.get(field.name, field.kind)
    return kind, lists.get(field.name, ()), ()


def _states(country: str, *, free: bool) -> tuple[str, Choices, Sequence[tuple[str, Choices]]]:
    if country in STATES:
        return "states", tuple(STATES[country].items()), ()
    if country or free:
        return "text", (), ()
    return "states", (), [(COUNTRY_NAMES[code], tuple(names.items())) for code, names in STATES.items()]


def methods(scene: Scene, offered: Sequence[str], chosen: str) -> list[tuple[str, str, bool]]:
    """Identifier and name of every method that is no wallet, and whether it is the chosen one."""
    return [(method, scene.method_name(method), method == chosen) for method in offered if not is_wallet(method)]


def wallets(scene: Scene, offered: Sequence[str]) -> list[tuple[str, str]]:
    """Identifier and name of every wallet."""
    return [(method, scene.method_name(method)) for method in offered if is_wallet(method)]
