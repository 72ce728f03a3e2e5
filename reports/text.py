"""Makes text of a target harmless: bounded, and without characters that steer a terminal, a page or a reader."""

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
_BLANKS = re.compile(r"[ \t\n\r\f\v]+")
_WORD = re.compile(r"\w+")
_LATIN = re.compile(r"[A-Za-z0-9]")
_LOOK_ALIKE = re.compile(
    "[\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0423\u0417"
    "\u0430\u0435\u043e\u0440\u0441\u0445\u0443\u0455\u0456\u0458\u0501\u051b\u051d\u04bb\u04cf"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u03bd"
    "\U0001d400-\U0001d7ff]"
)
"""Letters of other scripts that look like those of ASCII: a word that has both is none of either language."""
_FULL_WIDTH = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]|(?<=[A-Za-z0-9])[\uff01-\uff5e](?=[A-Za-z0-9])")
"""Digits and letters as wide as a sign of Chinese, and what stands between such of ASCII."""
_ESCAPED = re.compile(r"[\\`*\[\]<|~$&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^[#>]")
"""What Markdown would act on inside a line or at the beginning of a cell or list item, and nothing more."""
_LINKS = re.compile(r":(?=//)|(?<=www)\.|@|\{(?=[{%#])")
"""What becomes a link, a mention or a template by itself: Markdown has no escape for it."""
WORD_JOINER = "\u2060"
"""Shown as nothing; it keeps what stands before it from joining what follows."""


def visible(text: str, limit: int | None = None) -> str:
    """Return text in which every character that a reader cannot see is written out, cut to a number of characters.

    These are the hidden ones, blanks that are none of ASCII, and what looks like ASCII beside it: a failure that shows
    a full-width digit as itself shows no error at all. Line ends and tabs stay.
    """
    cut = text if limit is None or len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"
    distinct = cut if cut.isascii() else _WORD.sub(_as_ascii, _FULL_WIDTH.sub(_code_of, cut))
    return _SUSPECT.sub(_written_out, distinct.replace("\r\n", "\n"))


def _as_ascii(match: re.Match[str]) -> str:
    """Write out what looks like ASCII, or is a digit as well, in a word that has letters or digits of ASCII."""
    word = match[0]
    if word.isascii() or _LATIN.search(word) is None:
        return word
    return "".join(
        _code_of(sign) if _LOOK_ALIKE.match(sign) or (sign.isdecimal() and not sign.isascii()) else sign
        for sign in word
    )


def _code_of(match: re.Match[str] | str) -> str:
    """Return a character as JSON and Python write it, so that a request that is shown stays the same."""
    code = ord(match[0])
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _written_out(match: re.Match[str]) -> str:
    character = match[0]
    if character != " " and unicodedata.category(character) == "Zs":
        return _code_of(character)
    if character in _KEPT or unicodedata.category(character) not in _HIDDEN:
        return character
    return f"\\x{ord(character):02x}" if ord(character) <= 0xFF else _code_of(character)


def one_line(text: str, limit: int) -> str:
    """Return harmless text on one line, cut to a number of characters."""
    return visible(_BLANKS.sub(" ", text[: 4 * limit]).strip(" "), limit)


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
