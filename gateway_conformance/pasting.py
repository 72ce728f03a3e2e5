"""What ``gateway-conformance init`` takes besides single answers: tables that are pasted, and settings by name."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fixtures.profile.draft import Answers
from fixtures.profile.model import Profile
from fixtures.profile.pasted import (
    NUMBER,
    PastedAccount,
    PastedCard,
    PastedError,
    accounts_in,
    cards_in,
    named_apart,
)
from fixtures.profile.test_data import Cards

STANDARD_INPUT = Path("-")


@dataclass(frozen=True)
class Pasted:
    """What was given besides single answers.

    Attributes:
        accounts: of the tables and options, in order.
        cards: likewise.
        settings: of the profile, by table and name.
    """

    accounts: tuple[PastedAccount, ...] = ()
    cards: tuple[PastedCard, ...] = ()
    settings: tuple[tuple[tuple[str, ...], Any], ...] = ()

    @property
    def main(self) -> PastedAccount | None:
        """The account that a table begins with."""
        return self.accounts[0] if self.accounts else None

    @property
    def paying(self) -> PastedCard | None:
        """The card that simply pays, by the words of its row; the first where none says so."""
        named = (card for card in self.cards if card.outcome == "success")
        wordy = (card for card in self.cards if card.seems_to_pay)
        unnamed = (card for card in self.cards if not card.outcome)
        return next(named, None) or next(wordy, None) or next(unnamed, None)

    def added_to(self, answers: Answers) -> Answers:
        """Return answers with the tables; main account and paying card stand there already."""
        others = [account for account in self.accounts if account.key != answers.key]
        paying = self.paying
        is_paying = paying is not None and paying.number == answers.card
        own = next((account.settings for account in self.accounts if account.key == answers.key), {})
        return replace(
            answers,
            accounts=named_apart(others),
            cards=tuple(card for card in self.cards if card is not paying or not is_paying),
            expiry=(paying.expiry if paying and is_paying else "") or answers.expiry,
            settings=(*((("account", name), value) for name, value in own.items()), *self.settings),
        )


def pasted(  # noqa: PLR0913 - the options of init
    *,
    accounts: Path | None,
    account: Sequence[str],
    cards: Path | None,
    card: Sequence[str],
    settings: Sequence[str],
    brands: Sequence[str] = (),
) -> Pasted:
    """Read what was given.

    Args:
        accounts: a table of accounts; ``-``: standard input.
        account: accounts as ``NAME=KEY:PASSWORD``.
        cards: a table of cards.
        card: cards as ``NUMBER``, the first of which pays, or ``OUTCOME=NUMBER``, each with ``:MM/YYYY`` if need be.
        settings: of the profile as ``TABLE.NAME=VALUE``.
        brands: names that the gateway gives its methods, as ``NAME``, or ``NAME:FIELD=VALUE,FIELD=VALUE`` where a
            SALE by it carries more; several in one text are parted by commas.

    Raises:
        PastedError: something of it cannot be read.
    """
    rows = [*(accounts_in(_text_of(accounts)) if accounts else ()), *map(_account, account)]
    named = list(_cards(card))
    fields = _brands(brands)
    further = [(("test_data", "further_brands"), list(fields))] if fields else []
    carried = [
        (("test_data", "apm", "fields", name, field), value)
        for name, own in fields.items()
        for field, value in own.items()
    ]
    return Pasted(
        accounts=tuple(rows),
        cards=(*named, *(cards_in(_text_of(cards)) if cards else ())),
        settings=(*map(_setting, settings), *further, *carried),
    )


def _text_of(file: Path) -> str:
    if file == STANDARD_INPUT:
        return sys.stdin.read()
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise PastedError(f"{file}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise PastedError(f"{file}: is not UTF-8 text") from None


def _account(text: str) -> PastedAccount:
    name, _, rest = text.rpartition("=") if "=" in text.partition(":")[0] else ("", "", text)
    key, mark, password = rest.partition(":")
    if not key or not mark or not password:
        raise PastedError("--account: write NAME=KEY:PASSWORD; the password may be env:NAME or file:PATH")
    return PastedAccount(name or "account", key, password)


def _cards(texts: Iterable[str]) -> Iterator[PastedCard]:
    is_first = True
    for text in texts:
        outcome, _, rest = text.rpartition("=")
        number, _, expiry = rest.partition(":")
        if not NUMBER.fullmatch(number):
            raise PastedError("--card: write NUMBER or OUTCOME=NUMBER, with :MM/YYYY where the expiry matters")
        if outcome and outcome not in Cards.model_fields:
            raise PastedError(f"--card: there is no outcome {outcome}; one of {', '.join(Cards.model_fields)}")
        digits = "".join(filter(str.isdigit, number))
        yield PastedCard(digits, expiry, outcome or ("success" if is_first else ""))
        is_first = False


def _brands(texts: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return what is given of brands: by name, the fields that a SALE carries."""
    found: dict[str, dict[str, str]] = {}
    for text in texts:
        own: dict[str, str] | None = None
        for part in filter(None, (part.strip() for part in text.split(","))):
            said, mark, value = part.partition("=")
            name, colon, field = said.rpartition(":") if mark else (part.rstrip(":"), "", "")
            if colon or not mark:
                own = found.setdefault(name.strip(), {})
            if mark and (own is None or not field.strip() or not value.strip()):
                raise PastedError(f"--brand {text}: write NAME, or NAME:FIELD=VALUE,FIELD=VALUE")
            if mark and own is not None:
                own[field.strip()] = value.strip()
    return found


def _setting(text: str) -> tuple[tuple[str, ...], Any]:
    path, mark, value = text.partition("=")
    names = tuple(path.strip().split("."))
    if not mark or len(names) == 1 or not all(names):
        raise PastedError(f"--set {path}: write TABLE.NAME=VALUE, as in test_data.channel_id=main")
    try:
        written = tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return names, value
    # Codes and card numbers look like numbers, and are text.
    return names, value if isinstance(written, int | float) and _is_text(names) else written


def _is_text(names: Sequence[str]) -> bool:
    """Return whether a setting takes nothing but text, by the schema of profiles."""
    document = Profile.model_json_schema(by_alias=True)
    kinds: list[dict[str, Any]] = [document]
    for name in names:
        tables = (document["$defs"].get(kind.get("$ref", "").rpartition("/")[2], kind) for kind in kinds)
        found: dict[str, Any] = next(
            (table["properties"][name] for table in tables if name in table.get("properties", {})), {}
        )
        kinds = found.get("anyOf", [found])
    named = {kind.get("type") for kind in kinds}
    return "string" in named and not named.intersection(("integer", "number", "boolean"))
