"""The merchant's own form, in place of the usual page."""

from __future__ import annotations

from fixtures.judging.verdicts import inconclusive
from fixtures.payer import Page
from fixtures.protocols.hosted_page.must import must_see
from fixtures.protocols.hosted_page.page import HostedPages
from fixtures.requirement import requirement


@requirement("HPP-ASK-13")
def test_form_id_opens_the_merchant_s_own_form(pages: HostedPages) -> None:
    shown = pages.walked(pages.session(form_id=pages.profile.test_data.form_id))
    if not shown:
        inconclusive("no page is shown that could be the merchant's form", decides="a target that shows its page")
    if is_usual_form(pages, shown) and not pages.payer.reads_scripts and any(page.has_scripts for page in shown):
        # Of what scripts draw, the source of every form may be the same.
        pages = pages.with_scripts()
        shown = pages.walked(pages.session(form_id=pages.profile.test_data.form_id))
    is_usual = is_usual_form(pages, shown)

    must_see(not is_usual, "another form than the usual one", shown[-1], "It is the usual form.")


def is_usual_form(pages: HostedPages, shown: tuple[Page, ...]) -> bool:
    """Return whether pages have the elements of those without form_id, and all that two of these have in common."""
    usual, again = (pages.walked(pages.session()) for _ in range(2))
    if outlines(usual) != outlines(again):
        inconclusive("two pages of like sessions differ", decides="a page that looks the same for like sessions")
    return outlines(shown) == outlines(usual) and looks(usual) & looks(again) <= looks(shown)


def looks(pages: tuple[Page, ...]) -> set[str]:
    """Return the words of some pages, their styles, and the addresses of their pictures and style sheets."""
    documents = [document for page in pages for document in page.documents]
    styled = {str(tag) for document in documents for tag in document.soup.select("style, link, img, [style]")}
    return styled | {text for document in documents for text in document.soup.stripped_strings}


def outline(page: Page) -> list[tuple[str, str, str]]:
    """Return the elements of a page with their ids and classes: what looks alike has the same."""
    tags = page.soup.find_all(True)
    return [(tag.name, str(tag.get("id", "")), str(tag.get("class", ""))) for tag in tags]


def outlines(pages: tuple[Page, ...]) -> list[list[tuple[str, str, str]]]:
    """Return the outlines of pages that follow each other, with those of their frames."""
    return [outline(document) for page in pages for document in page.documents]
