"""The site of the pages for people: it is built without a warning, and every link in it leads somewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

from tests.end_to_end.runs import ROOT

SECONDS = 900


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site")
    for words in (["tests.catalogue_pages"], ["mkdocs", "build", "--strict", "--site-dir", str(place)]):
        made = subprocess.run(
            [sys.executable, "-m", *words],
            cwd=ROOT,
            env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert made.returncode == 0, made.stdout + made.stderr
    return place


def test_every_page_is_on_the_site_and_every_link_leads_somewhere(site: Path) -> None:
    pages = {page: BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser") for page in site.rglob("*.html")}
    anchors = {page: {tag["id"] for tag in soup.find_all(id=True)} for page, soup in pages.items()}
    written = {source.stem for source in (ROOT / "docs").glob("*.md")} - {"index"}

    assert written <= {page.parent.name for page in pages}
    lost = []
    for page, soup in pages.items():
        if page.name == "404.html":
            continue
        for link in soup.find_all("a", href=True):
            to = urlsplit(str(link["href"]))
            if to.scheme or to.netloc:
                continue
            place = (page.parent / unquote(to.path)).resolve() if to.path else page
            place = place / "index.html" if place.is_dir() else place
            if not place.exists() or (to.fragment and place in anchors and unquote(to.fragment) not in anchors[place]):
                lost.append(f"{page.relative_to(site)}: {link['href']}")
    assert lost == []


def test_requirements_can_be_linked_to(site: Path) -> None:
    assert 'id="CHK-ORD-02"' in (site / "generated" / "checkout" / "index.html").read_text(encoding="utf-8")


def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    for page in site.glob("*/index.html"):
        soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
        fetched = [
            tag.get("src") or tag.get("href") for tag in soup.select("script[src], link[rel=stylesheet], img[src]")
        ]
        assert not [address for address in fetched if urlsplit(str(address)).netloc], page
