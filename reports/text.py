"""Makes text of a target harmless: bounded, and without characters that steer a terminal, a page or a parser."""

from __future__ import annotations

import re
import unicodedata

from reports.model import Json

BODY_BYTES = 64 * 1024
"""How much of a body is kept as evidence."""
_KEPT = "\n\t"
# Cc: control, Cf: format (bidirectional overrides, zero width), Cs: lone surrogates, Co/Cn: private and unassigned.
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_SUSPECT = re.compile(r"[^\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff]")
_ESCAPED = re.compile(r"[\\`*\[\]<|~$&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^[#>]")
"""What Markdown would act on inside a line or at the beginning of a cell or list item, and nothing more."""
_LINKS = re.compile(r":(?=//)|(?<=www)\.|@|\{(?=[{%#])")
"""What becomes a link, a mention or a template by itself: Markdown has no escape for it."""
WORD_JOINER = "\u2060"
"""Shown as nothing; it keeps what stands before it from joining what follows."""


def visible(text: str, limit: int | None = None) -> str:
    """Return text in which every hidden character is written out as its code, cut to a number of characters.

    Line ends and tabs stay.
    """
    cut = text if limit is None or len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"
    return _SUSPECT.sub(_written_out, cut.replace("\r\n", "\n"))


def _written_out(match: re.Match[str]) -> str:
    character = match[0]
    if character in _KEPT or unicodedata.category(character) not in _HIDDEN:
        return character
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def one_line(text: str, limit: int) -> str:
    """Return harmless text on one line, cut to a number of characters."""
    return visible(" ".join(text[: 4 * limit].split()), limit)


def markdown(text: str, limit: int = 500) -> str:
    """Return text that shows as itself in Markdown, inside a table cell as well.

    What is markup has a backslash, so that the source stays readable; addresses and mentions become no links.
    """
    escaped = _ESCAPED.sub(lambda match: f"\\{match[0]}", one_line(text, limit))
    return _LINKS.sub(lambda match: f"{match[0]}{WORD_JOINER}", escaped)


def bounded(text: str, size: int = BODY_BYTES) -> tuple[str, bool]:
    """Cut text to a number of bytes of UTF-8; say whether something was cut off."""
    if len(text) * 4 <= size:
        return text, False
    encoded = text.encode("utf-8", errors="surrogatepass")
    if len(encoded) <= size:
        return text, False
    return encoded[:size].decode("utf-8", errors="ignore"), True


def encodable(value: Json) -> Json:
    """Return plain JSON types in which lone surrogates, which no file can hold, are replaced."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", errors="replace").decode("utf-8")
    if isinstance(value, dict):
        return {encodable(name): encodable(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [encodable(member) for member in value]
    return value
