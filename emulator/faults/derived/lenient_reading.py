"""Faults of fields that are tidied up before they are looked at, from ``lenient_reading.toml``."""

import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final, Literal

from pydantic import ConfigDict, TypeAdapter

from emulator.changes import s2s_apm, s2s_card
from emulator.faults.model import breaks, faults

Tidy = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of the file; its head says what each value means."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    protocol: Literal["s2s_card", "s2s_apm"]
    of: tuple[str, ...]
    field: str
    reads: str | tuple[tuple[str, str], ...]
    breaks: str
    summary: str
    since: str | None = None


def _any_number(text: str) -> str:
    try:
        return f"{float(text):.2f}"
    except ValueError:
        return text


_WAYS: Final[Mapping[str, Tidy]] = {
    "any number": _any_number,
    "any digits": lambda text: unicodedata.normalize("NFKC", text),
    "lower case": str.lower,
}


def _tidy(reads: str | tuple[tuple[str, str], ...]) -> Tidy:
    if isinstance(reads, str):
        return _WAYS[reads]

    def tidy(text: str) -> str:
        for pattern, instead in reads:
            text = re.sub(pattern, instead, text, flags=re.DOTALL)
        return text

    return tidy


_READING: Final = {"s2s_card": s2s_card.reading, "s2s_apm": s2s_apm.reading}
_ROWS: Final = TypeAdapter(dict[str, _Row]).validate_python(
    tomllib.loads((Path(__file__).parent / "lenient_reading.toml").read_text(encoding="utf-8"))
)

FAULTS: Final = faults(
    {
        name: breaks(
            row.breaks, row.summary, _READING[row.protocol](row.field, _tidy(row.reads), row.of), since=row.since
        )
        for name, row in _ROWS.items()
    }
)
