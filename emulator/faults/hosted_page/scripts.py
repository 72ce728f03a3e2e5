"""Faults of the hosted page's script: the page is right as it is sent, and the script spoils it."""

from dataclasses import replace
from functools import partial
from typing import Final

from emulator.design import Change, Design
from emulator.faults.model import Fault

_ScriptFault = partial(Fault, scripted=True)

_HIDES: Final = """
for (const element of document.querySelectorAll("%s")) (element.closest(".field") || element).style.display = "none";
"""
_WITHOUT_STATES: Final = """
for (const slot of document.querySelectorAll("[data-states]")) slot.remove();
"""
_CUTS_NAME: Final = """
for (const name of document.querySelectorAll("[autocomplete=cc-name]")) name.maxLength = 31;
"""
_OBJECTS: Final = """
for (const field of document.querySelectorAll("[autocomplete=%s]")) field.form.addEventListener("submit", (event) => {
  if (!(%s).test(field.value)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const message = Object.assign(document.createElement("p"), { className: "error", textContent: "%s" });
  field.after(message);
}, true);
"""


def _with(script: str) -> Change:
    def change(design: Design) -> Design:
        before = design.page.markup.script
        return design.in_page(markup=replace(design.page.markup, script=lambda text: before(text) + script))

    return change


FAULTS: Final = (
    _ScriptFault(
        "page-script-hides-card",
        ("HPP-CRD-01",),
        "The script of the page hides the card number.",
        _with(_HIDES % "[autocomplete=cc-number]"),
    ),
    _ScriptFault(
        "page-script-hides-description",
        ("HPP-ASK-15",),
        "The script of the page hides the description.",
        _with(_HIDES % ".order-description"),
    ),
    _ScriptFault(
        "page-script-without-states", ("HPP-ADR-03",), "The script of the page lists no states.", _with(_WITHOUT_STATES)
    ),
    _ScriptFault(
        "page-script-cuts-name",
        ("HPP-NAM-01",),
        "The script of the page lets nobody type a name of 32.",
        _with(_CUTS_NAME),
    ),
    _ScriptFault(
        "page-script-refuses-hyphens",
        ("HPP-NAM-03",),
        "The script of the page keeps back names with a hyphen.",
        _with(_OBJECTS % ("cc-name", "/-/", "No hyphens, please.")),
    ),
    _ScriptFault(
        "page-script-refuses-long-cards",
        ("HPP-CRD-02",),
        "The script of the page calls cards of 19 digits invalid.",
        _with(_OBJECTS % ("cc-number", r"/^(\d *){17,}$/", "Invalid card")),
    ),
)
