"""Variations of the hosted page as others build it: several screens, frames, scripts, and banks that ask otherwise."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from emulator.design import Design
from emulator.protocols.hosted_page.behaviour import admits, as_read, headers
from emulator.protocols.hosted_page.entries import CardEntry
from emulator.protocols.hosted_page.forms.offered_fields import Values, is_wallet
from emulator.protocols.hosted_page.outcomes import Declined, Outcome
from emulator.protocols.hosted_page.returns import End, link_target
from emulator.protocols.hosted_page.session import PageSession
from emulator.protocols.hosted_page.visits import Visit
from emulator.variations.model import Variation

# Fields without names that stand in no form, and a button that only a script hears.
_COLLECTED_BY_SCRIPT: Final = """
(() => {
  const form = document.querySelector("form.entry");
  if (!form) return;
  const address = form.getAttribute("action");
  const page = document.createElement("div");
  page.append(...form.childNodes);
  form.replaceWith(page);
  for (const field of page.querySelectorAll("input:not([type=radio]), select")) {
    field.dataset.name = field.name;
    field.removeAttribute("name");
  }
  const button = page.querySelector("button.primary");
  button.type = "button";
  button.addEventListener("click", () => {
    const sent = document.createElement("form");
    sent.method = "post";
    sent.setAttribute("action", address);
    const add = (name, value) => {
      const input = document.createElement("input");
      Object.assign(input, { type: "hidden", name, value });
      sent.append(input);
    };
    for (const field of page.querySelectorAll("input, select")) {
      if (field.type !== "radio" || field.checked) add(field.dataset.name || field.name, field.value);
    }
    add("action", "pay");
    document.body.append(sent);
    sent.submit();
  });
})();
"""


_DRAWN: Final = """
for (const drawn of document.querySelectorAll("#drawn")) drawn.outerHTML = drawn.dataset.page;
"""


# Tiles that only a script hears: they choose a stored card, or show the form of a wallet, which is not there before.
_CHOSEN_BY_TILES: Final = """
(() => {
  const tile = (text, pressed) => {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: text });
    button.addEventListener("click", pressed);
    return button;
  };
  for (const label of document.querySelectorAll("form.entry label.token")) {
    const choice = label.querySelector("input");
    const chosen = document.createElement("input");
    Object.assign(chosen, { type: "hidden", name: choice.name });
    if (choice.checked) label.parentElement.prepend(Object.assign(chosen, { value: choice.value }));
    label.replaceWith(tile(label.textContent.trim(), (pressed) => {
      pressed.target.form.elements[choice.name].value = choice.value;
    }));
  }
  for (const form of document.querySelectorAll(".wallets form")) {
    form.elements.payment_token.type = "text";
    form.replaceWith(tile(form.textContent.trim(), (pressed) => pressed.target.replaceWith(form)));
  }
})();
"""


_FINAL: Final = "Your bank does not allow another try with this card."


def _final(because: object, outcome: Outcome) -> Outcome:
    if isinstance(because, CardEntry) and isinstance(outcome, Declined):
        return replace(outcome, message=_FINAL)
    return outcome


def _unless_final(visit: Visit, *, closed: bool) -> End | None:
    return "declined" if visit.message == _FINAL else admits(visit, closed=closed)


def _card_below(here: str) -> str:
    path, mark, query = here.partition("?")
    return here if path.endswith("/card") else f"{path}/card{mark}{query}"


def _frames_allowed(session: PageSession | None) -> Mapping[str, str]:
    usual = headers(session)
    return {**usual, "content-security-policy": f"{usual['content-security-policy']}; frame-src 'self'"}


def _cookie(session: PageSession) -> str:
    return f"payer-{session.token[:8]}"


def _with_a_cookie(session: PageSession | None) -> Mapping[str, str]:
    usual = headers(session)
    if session is None:
        return usual
    return {**usual, "set-cookie": f"{_cookie(session)}={session.token}; Path=/; HttpOnly; SameSite=Lax"}


def _of_whom_it_knows(session: PageSession, values: Values) -> Values:
    """Forget what somebody typed who did not open the page."""
    return as_read(session, values) if session.cookies.get(_cookie(session)) == session.token else {}


def _card_in_a_frame(design: Design) -> Design:
    markup = replace(design.page.markup, template="framed.html", post_address=_card_below)
    return design.in_page(markup=markup, headers=_frames_allowed)


def _left_after_the_method(design: Design) -> Design:
    template = "method_then_leave.html"
    return _method_first(design).in_page(markup=replace(design.page.markup, template=template))


def _method_first(design: Design) -> Design:
    def first(offered: tuple[str, ...]) -> str:
        methods = [method for method in offered if not is_wallet(method)]
        return methods[0] if len(methods) == 1 else ""

    return design.in_page(first_method=first)


def _reviewed(names: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Deal the fields to one page, and nothing to the page after it on which a card is confirmed."""
    return (names, ()) if "card_number" in names else (names,)


def _at_a_bank(here: str) -> str:
    """The bank's address of a page has a secret of its own."""
    path = here.partition("?")[0]
    secret = hashlib.sha256(f"{path} at the bank".encode()).hexdigest()[:24]
    return here if "/bank/" in path else f"{path}/bank/{secret}"


VARIATIONS: Final = (
    Variation(
        "page-qr-as-text-at-a-bank",
        "A QR is a text, on a page of a bank with a secret address and two buttons that decide the payment.",
        lambda design: design.in_page(markup=replace(design.page.markup, qr="qr_at_bank.html", qr_address=_at_a_bank)),
    ),
    Variation(
        "page-reviewed-before-payment",
        "Between the card and the issuer the payer confirms what was entered, on a page with links back to the card.",
        lambda design: design.in_page(markup=replace(design.page.markup, template="reviewed.html", steps=_reviewed)),
    ),
    Variation("page-card-in-a-frame", "The card's form stands in a frame of the page.", _card_in_a_frame),
    Variation("page-method-first", "The payer chooses the method before anything is asked.", _method_first),
    Variation(
        "page-left-after-the-method",
        "The payer chooses the method first, and can leave the page after that.",
        _left_after_the_method,
    ),
    Variation(
        "page-method-stays",
        "The choice of the method stays on the page, be there one alone; what it needs is shown once the payer pays.",
        lambda design: design.in_page(markup=replace(design.page.markup, template="method_tabs.html")),
    ),
    Variation(
        "page-panels-of-other-methods",
        "The form of the card has a panel of another method, with fields that scripts hide until that is chosen.",
        lambda design: design.in_page(markup=replace(design.page.markup, template="panels_of_methods.html")),
    ),
    Variation(
        "page-decline-first",
        "A decline is shown on a page of its own, from which a link leads to another try.",
        lambda design: design.in_page(markup=replace(design.page.markup, template="declined_first.html")),
    ),
    Variation(
        "page-errors-on-a-screen-of-their-own",
        "What the page does not take is named on a page of its own, from which a link leads back to the fields.",
        lambda design: design.in_page(markup=replace(design.page.markup, template="refused_first.html", hints=False)),
    ),
    Variation(
        "page-with-languages-and-a-coupon",
        "The page has a list of languages and a search above its form, and the field of a coupon in it.",
        lambda design: design.in_page(markup=replace(design.page.markup, template="with_a_head.html")),
    ),
    Variation(
        "page-asks-who-first",
        "The first page asks who the payer is; cards and wallets are on the next one.",
        lambda design: design.in_page(markup=replace(design.page.markup, template="who_first.html")),
    ),
    Variation(
        "page-decline-with-two-links",
        "A decline is shown on a page of its own, with a link to another try and one back to the merchant.",
        lambda design: design.in_page(markup=replace(design.page.markup, template="declined_with_two_links.html")),
    ),
    Variation(
        "page-decline-with-continue",
        "A decline is shown on a page of its own, from which a button that says Continue leads to another try.",
        lambda design: design.in_page(markup=replace(design.page.markup, template="declined_with_continue.html")),
    ),
    Variation(
        "page-returns-by-button",
        "The payer returns by a page whose one button leads to the merchant.",
        lambda design: design.in_page(
            by_link=lambda _session, _fetch_destination: True,
            markup=replace(design.page.markup, returning="return_by_button.html"),
        ),
    ),
    Variation(
        "page-returns-after-a-pause",
        "The payer returns by a page with a link, which leads on by itself after three seconds.",
        lambda design: design.in_page(
            by_link=lambda _session, _fetch_destination: True,
            markup=replace(design.page.markup, returning="return_after_a_pause.html"),
        ),
    ),
    Variation(
        "page-continues-in-a-window-beside-the-form",
        "A link to the page itself that opens a new window stands above its form, which can be sent as well.",
        lambda design: design.in_page(
            window=link_target, markup=replace(design.page.markup, template="form_or_window.html")
        ),
    ),
    Variation(
        "page-continues-in-a-window-and-returns-by-page",
        "The same, and the payer returns by a page with a link in that window.",
        lambda design: design.in_page(
            window=link_target,
            by_link=lambda _session, _fetch_destination: True,
            markup=replace(design.page.markup, template="form_or_window.html"),
        ),
    ),
    Variation(
        "page-decline-to-methods",
        "After a decline the payer chooses the method again.",
        lambda design: design.in_page(markup=replace(design.page.markup, template="declined_to_methods.html")),
    ),
    Variation(
        "page-shows-a-final-decline",
        "A card that the issuer declines for good ends the session: the payer sees that, and a link to cancel_url.",
        lambda design: design.in_page(outcome=_final, admits=_unless_final),
    ),
    Variation(
        "page-left-by-a-final-decline",
        "The issuer declines every card for good, and each such decline leads to cancel_url, whatever the count.",
        lambda design: design.in_page(declines_allowed=lambda _account: 1),
    ),
    Variation(
        "page-challenge-by-choice",
        "At the challenge the payer chooses an answer and sends it.",
        lambda design: design.in_page(markup=replace(design.page.markup, challenge="challenge_by_choice.html")),
    ),
    Variation(
        "page-challenge-decided-by-card",
        "The page of a challenge has one button; the card decides the outcome.",
        lambda design: design.in_page(markup=replace(design.page.markup, challenge="challenge_by_card.html")),
    ),
    Variation(
        "page-challenge-of-an-issuer-with-one-button",
        "The page of a challenge carries the message of 3-D Secure and has one button; the card decides the outcome.",
        lambda design: design.in_page(markup=replace(design.page.markup, challenge="challenge_of_an_issuer.html")),
    ),
    Variation(
        "page-challenge-by-pin",
        "At the challenge the payer types a PIN.",
        lambda design: design.in_page(markup=replace(design.page.markup, challenge="challenge_by_pin.html")),
    ),
    Variation(
        "page-challenge-by-any-code",
        "At the challenge the payer types a PIN, and any will do; the card decides the outcome.",
        lambda design: design.in_page(markup=replace(design.page.markup, challenge="challenge_by_any_code.html")),
    ),
    Variation(
        "page-knows-payers-by-a-cookie",
        "The page takes no entry of somebody without the cookie that it gave when it was opened.",
        lambda design: design.in_page(headers=_with_a_cookie, reads=_of_whom_it_knows),
    ),
    Variation(
        "page-method-by-radio",
        "The payer chooses the method from a list in which none is chosen, and be it one alone that is no card.",
        lambda design: design.in_page(
            first_method=lambda offered: "card" if offered == ("card",) else "",
            markup=replace(design.page.markup, template="method_by_radio.html"),
        ),
    ),
    Variation(
        "page-method-by-radio-that-is-on",
        "The payer goes on from a list of methods in which the first is chosen, be it one alone.",
        lambda design: design.in_page(
            first_method=lambda _offered: "",
            markup=replace(design.page.markup, template="method_by_radio_that_is_on.html"),
        ),
    ),
    Variation(
        "page-methods-in-an-accordion",
        "The choices of the methods belong to no form; beside each stands the form of its method, hidden until then.",
        lambda design: design.in_page(markup=replace(design.page.markup, template="accordion.html")),
    ),
    Variation(
        "page-sent-by-script",
        "Where scripts run, they collect the fields, which stand in no form and have no names.",
        lambda design: design.in_page(
            markup=replace(design.page.markup, script=lambda text: text + _COLLECTED_BY_SCRIPT)
        ),
    ),
    Variation(
        "page-drawn-by-script",
        "The form is there only where scripts run.",
        lambda design: design.in_page(
            markup=replace(design.page.markup, template="drawn_by_script.html", script=lambda text: _DRAWN + text)
        ),
    ),
    Variation(
        "page-stored-cards-in-a-list",
        "Stored cards are chosen in a list, which says how each number ends.",
        lambda design: design.in_page(markup=replace(design.page.markup, template="stored_cards_in_list.html")),
    ),
    Variation(
        "page-stored-cards-with-labels-beside",
        "Stored cards are chosen by buttons whose labels stand beside them.",
        lambda design: design.in_page(markup=replace(design.page.markup, template="stored_cards_labelled.html")),
    ),
    Variation(
        "page-stored-cards-above-the-methods",
        "Stored cards are buttons of their own above the methods, of which the card asks for another one.",
        lambda design: design.in_page(markup=replace(design.page.markup, template="stored_cards_above_methods.html")),
    ),
    Variation(
        "page-stored-cards-in-a-table",
        "Each stored card has a row of a table, and beside its number a button that does not say it.",
        lambda design: design.in_page(markup=replace(design.page.markup, template="stored_cards_in_a_table.html")),
    ),
    Variation(
        "page-tiles-of-a-script",
        "Where scripts run, tiles choose a stored card, and show the form of a wallet.",
        lambda design: design.in_page(markup=replace(design.page.markup, script=lambda text: text + _CHOSEN_BY_TILES)),
    ),
)
