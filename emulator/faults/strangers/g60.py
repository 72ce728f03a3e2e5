"""Faults that a stranger's gateway showed to be missed: on pages of the target and of its issuer, and in callbacks."""

from dataclasses import replace
from typing import Final

from emulator.accounts import Account
from emulator.design import Change, Design
from emulator.faults.model import breaks, faults
from emulator.protocols.hosted_page.entries import Answer, CardEntry, Entry
from emulator.protocols.hosted_page.forms.rules import PageRule, length
from emulator.protocols.hosted_page.outcomes import Approved, Declined, Outcome

_SHORTEST: Final = 14
_LONGEST_CODE: Final = 4


def _is_wrong(entry: Entry | Answer) -> bool:
    return isinstance(entry, CardEntry) and (len(entry.number) < _SHORTEST or len(entry.code) > _LONGEST_CODE)


def _declined_for(requirement: str, least: int, most: int) -> Change:
    """The page takes what is too short or too long, the issuer declines it, and a decline leads to cancel_url."""

    def loosened(rule: PageRule) -> PageRule:
        is_meant = rule.requirement == requirement
        return replace(rule, check=length(least, most)) if is_meant else rule

    def change(design: Design) -> Design:
        inner = design.page.outcome

        def outcome(because: Entry | Answer, found: Outcome) -> Outcome:
            made = inner(because, found)
            return Declined(made.parameters) if _is_wrong(because) and isinstance(made, Approved) else made

        rules = tuple(map(loosened, design.page.rules))
        markup = replace(design.page.markup, hints=False)
        return design.in_page(rules=rules, outcome=outcome, markup=markup, declines_allowed=lambda _account: 1)

    return change


def _named_unless_self(_account: Account, wanted: str, _release: str) -> str:
    return "" if wanted == "_self" else wanted or "_top"


FAULTS: Final = faults(
    {
        "link-target-not-overridden-and-self-unnamed": breaks(
            "S2C-TDS-12",
            "The link target of the account has no effect, and where the merchant wants _self the page names none.",
            lambda design: design.in_card(link_target=_named_unless_self),
            since="6.7.0",
        ),
        "page-card-13-left-to-the-issuer": breaks(
            "HPP-CRD-03",
            "Cards of 13 digits pass the page; the issuer declines them, which leads to cancel_url.",
            _declined_for("HPP-CRD-03", 13, 19),
        ),
        "page-code-of-five-left-to-the-issuer": breaks(
            "HPP-CVV-02",
            "Security codes of 5 pass the page; the issuer declines them, which leads to cancel_url.",
            _declined_for("HPP-CVV-02", 1, 5),
        ),
    }
)
