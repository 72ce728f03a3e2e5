"""The languages of the page: which one is chosen, and the texts of each."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent / "texts"
# Codes of the contract that share a table, and what browsers call the languages whose code is the contract's own.
_TABLE: Final = {"zho": "zh"}
_BROWSER_NAMES: Final = {"uk": "ua", "nb": "no", "nn": "no"}
_TAGS: Final = {"ua": "uk", "zh": "zh-Hans", "zho": "zh-Hans"}
LANGUAGES: Final = ("fr", "en", "es", "de", "kk", "ru", "ar", "zh", "az", "ua", "no", "zho")
DEFAULT: Final = "en"


@dataclass(frozen=True, slots=True)
class Wishes:
    """Where a language can come from, as sent; empty where nothing was. ``is_posted``: what the payer entered came.

    ``operation`` is that of the session, of which so many attempts were declined before; ``waits``: for an answer
    of the payer's, or of a bank. ``own_form``: the session asks for a form of the merchant's. ``closed``: its time is
    over.
    """

    checkout_language: str = ""
    billing_language: str = ""
    accept_language: str = ""
    is_posted: bool = False
    operation: str = ""
    declines: int = 0
    waits: bool = False
    own_form: bool = False
    closed: bool = False


def supported(code: str) -> str:
    """The language that a code or a tag such as ``de-AT`` means, or nothing."""
    primary = code.strip().lower().replace("_", "-").partition("-")[0]
    found = _BROWSER_NAMES.get(primary, primary)
    return found if found in LANGUAGES else ""


def preferred(header: str) -> tuple[str, ...]:
    """The languages of an Accept-Language header that the page has, the most wanted first."""
    weighted: list[tuple[float, str]] = []
    for part in header.split(",")[:50]:
        tag, _, weight = part.partition(";")
        try:
            quality = float(weight.strip().removeprefix("q=")) if weight.strip() else 1.0
        except ValueError:
            quality = 0.0
        if quality > 0:
            weighted.append((-quality, supported(tag)))
    return tuple(code for _, code in sorted(weighted, key=lambda pair: pair[0]) if code)


def choose(wishes: Wishes) -> str:
    """The language of the page: the session's, the billing address's, the browser's, English."""
    candidates = (
        supported(wishes.checkout_language),
        supported(wishes.billing_language),
        *preferred(wishes.accept_language),
    )
    return next(filter(None, candidates), DEFAULT)


def tag(language: str) -> str:
    """The language as HTML names it."""
    return _TAGS.get(language, language)


def direction(language: str) -> str:
    """The direction of writing."""
    return "rtl" if language == "ar" else "ltr"


@cache
def texts(language: str) -> Mapping[str, str]:
    """All texts of the page in a language."""
    with (_FOLDER / f"{_TABLE.get(language, language)}.toml").open("rb") as file:
        return tomllib.load(file)
