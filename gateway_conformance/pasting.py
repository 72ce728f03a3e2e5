"""What ``gateway-conformance init`` takes besides single answers: tables that are pasted, and settings by name."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from fixtures.cases.currencies import USUAL_EXPONENT, exponent_of
from fixtures.profile.draft import Answers
from fixtures.profile.pasted import (
    NOT_GIVEN,
    NUMBER,
    SHORTEST,
    PastedAccount,
    PastedCard,
    PastedError,
    accounts_in,
    brands_beside,
    cards_in,
    channels_by_protocol,
    chosen_values,
    code_beside,
    identifiers_beside,
    is_another_mid,
    left_out,
    methods_in,
    named_apart,
    operators_in,
    routed,
    unread_code_beside,
    unread_expiries,
    unread_in,
)
from fixtures.profile.test_data import Cards
from gateway_conformance.by_name import setting_in
from gateway_conformance.codes_of_cards import CHALLENGE_CODE, codes_of, further_codes

STANDARD_INPUT = Path("-")
CURRENCY = ("test_data", "currencies", "exponent_2")
CHANNEL = ("test_data", "channel_id")
IDENTIFIERS: Final = ("test_data", "further_identifiers")
OF_PRODUCTION: Final = re.compile(r"(?<![a-z])live(?![a-z])|production", re.IGNORECASE)
"""How an account is called whose key is refused in a sandbox, whatever its password."""
USUAL = "USD"
"""The currency in which most checks pay where the profile names no other."""


@dataclass(frozen=True)
class Pasted:
    """What was given besides single answers.

    Attributes:
        accounts: of the tables and options, in order.
        cards: likewise.
        settings: of the profile, by table and name.
        open: what of a table was not read, in lines.
    """

    accounts: tuple[PastedAccount, ...] = ()
    cards: tuple[PastedCard, ...] = ()
    settings: tuple[tuple[tuple[str, ...], Any], ...] = ()
    open: tuple[str, ...] = ()

    def main(self, key: str | None) -> PastedAccount | None:
        """Return the account of a key; where none is given, the one that a table begins with.

        Of several MIDs of that key it is the one without a channel: the requests of the main account name none.
        """
        usable = [one for one in self.accounts if not one.settings.get("live") and not one.settings.get("only_for")]
        first = next((account for account in usable if key in (None, account.key)), None)
        twins = (one for one in usable if first is not None and one.key == first.key)
        return next((one for one in twins if "channel_id" not in one.settings), first)

    def mains(self, served: Iterable[str], key: str | None, keys: Mapping[str, str]) -> dict[str, PastedAccount]:
        """Return the main account of each protocol: the main row where it serves it, else the first row that does.

        One with the key or the merchant of the main row comes before the others, a row whose cell of protocols was not
        read behind those that name the protocol, and one that takes no currency of the main row, in one of which most
        checks pay, behind those that do; one that a channel is for comes last.

        Args:
            served: the protocols.
            key: of the main account, as somebody gives it; ``None``: the first row is the main one.
            keys: by protocol, where somebody gives another.
        """
        first = self.main(key)
        if first is None:
            return {}

        def unlike(account: PastedAccount) -> tuple[bool, ...]:
            unlike_first = (account is not first, not _are_one((account, first)), account.owner != first.owner)
            taken = [each.settings.get("currencies") for each in (first, account)]
            takes_none = None not in taken and set(taken[0] or ()).isdisjoint(taken[1] or ())
            of_a_channel = "channel_id" in account.settings
            return (*unlike_first, "protocols" not in account.settings, takes_none, of_a_channel)

        serving = {
            name: [
                account
                for account in self.accounts
                if (account.key == keys[name] if name in keys else account.serves(name))
                and (name in keys or not account.settings.get("only_for"))
            ]
            for name in served
        }
        return {name: min(rows, key=unlike) for name, rows in serving.items() if rows}

    @property
    def paying(self) -> PastedCard | None:
        """The card that simply pays, by the words of its row; the first where none says so."""
        named = (card for card in self.cards if card.outcome == "success")
        wordy = (card for card in self.cards if card.seems_to_pay)
        unnamed = [card for card in self.cards if not card.outcome]
        plain = (card for card in unnamed if not card.seems_otherwise)
        return next(named, None) or next(wordy, None) or next(plain, None) or next(iter(unnamed), None)

    def added_to(self, answers: Answers) -> Answers:
        """Return answers with the tables; main accounts and paying card stand there already."""
        paying = self.paying
        is_paying = paying is not None and paying.number == answers.card
        mains = self.mains(answers.endpoints, answers.key, answers.keys)
        others = [
            account
            for account in self.accounts
            if account not in mains.values() and (account.key != answers.key or _is_a_twin(account, mains.values()))
        ]
        differing = {name: account for name, account in mains.items() if account.key != answers.key}
        own = {protocol: _said_of_main(account) for protocol, account in mains.items()}
        common = _common_to(own.values()) if _are_one(mains.values()) else {}
        return replace(
            answers,
            keys={**{name: account.key for name, account in differing.items()}, **answers.keys},
            passwords={**{name: account.password for name, account in differing.items()}, **answers.passwords},
            own={name: {key: said[key] for key in said if key not in common} for name, said in own.items()},
            accounts=named_apart(others),
            cards=tuple(card for card in self.cards if card is not paying or not is_paying),
            expiry=(paying.expiry if paying and is_paying else "") or answers.expiry,
            settings=(
                *((("account", name), value) for name, value in common.items()),
                *_currency_of(mains.values(), self.settings),
                *self.settings,
            ),
        )


def _are_one(accounts: Collection[PastedAccount]) -> bool:
    """Return whether rows are of one account: by its key, or as parts of a row with a key for each protocol."""
    parts = {account.part_of for account in accounts}
    return len({account.key for account in accounts}) == 1 or (len(parts) == 1 and "" not in parts)


def _is_a_twin(account: PastedAccount, mains: Iterable[PastedAccount]) -> bool:
    """Return whether a row with the key of the main account is of another MID, which is an account of its own."""
    alike = [main for main in mains if main.key == account.key]
    return bool(alike) and all(is_another_mid(main, account) for main in alike)


def _said_of_main(account: PastedAccount) -> dict[str, Any]:
    """Return what a row says of the main account, without what is true of every main account."""
    return {
        name: value for name, value in account.settings.items() if name not in ("protocols", "merchant", "only_for")
    }


def _common_to(tables: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the settings that hold in every protocol; which currencies a key takes is said of the key."""
    first, *others = [*tables] or [{}]
    return {
        name: value
        for name, value in first.items()
        if name != "currencies" and all(name in each and each[name] == value for each in others)
    }


def _currency_of(
    mains: Iterable[PastedAccount], settings: Iterable[tuple[tuple[str, ...], Any]]
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield the currency in which most checks pay, where the main accounts take some and not the usual one."""
    if any(path == CURRENCY for path, _ in settings):
        return
    lists = [account.settings["currencies"] for account in mains if "currencies" in account.settings]
    common = [name for name in (lists[0] if lists else ()) if all(name in names for names in lists)]
    found = next((name for name in common if exponent_of(name) == USUAL_EXPONENT), None)
    if found is not None and USUAL not in common:
        yield CURRENCY, found


def pasted(  # noqa: PLR0913 - the options of init
    *,
    accounts: Path | None,
    account: Sequence[str],
    cards: Path | None,
    card: Sequence[str],
    settings: Sequence[str],
    brands: Sequence[str] = (),
    operators: Path | None = None,
    methods: Path | None = None,
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
        operators: a table or a text that names operators of mobile money.
        methods: a table that names methods and their parameters.

    Raises:
        PastedError: something of it cannot be read.
    """
    portal = _text_of(accounts) if accounts else ""
    table = _text_of(cards) if cards else ""
    route = routed(accounts_in(portal) if accounts else (), f"{portal}\n{table}")
    rows = [*route.accounts, *map(_account, account)]
    channels = [(CHANNEL, found)] if (found := channels_by_protocol(portal) or route.channel) else []
    named = [*_cards(card), *(cards_in(table) if cards else ())]
    given = tuple(map(setting_in, settings))
    beside = code_beside(table) if not any(card.code for card in named) else ""
    codes = tuple(codes_of(named, given, beside))
    is_code_known = any(path == CHALLENGE_CODE for path, _ in (*given, *codes)) or any(card.code for card in named)
    unread_code = "" if is_code_known else unread_code_beside(table)
    fields = _brands(brands)
    of_operators = _text_of(operators) if operators else ""
    slugs = operators_in(of_operators)
    if operators and not slugs:
        raise PastedError("--operators: it names no operator as the contract does, such as mtn-gh")
    table_of_methods = _text_of(methods) if methods else ""
    of_methods = methods_in(table_of_methods)
    if methods and not of_methods.names:
        raise PastedError("--methods: no table in it has a first column of methods, brands or identifiers")
    lists: dict[str, Sequence[str]] = {
        "further_brands": list(dict.fromkeys([*fields, *of_methods.names, *brands_beside(of_operators)])),
        "further_operators": slugs,
    }
    further: list[tuple[tuple[str, ...], Any]] = [
        (("test_data", name), list(names)) for name, names in lists.items() if names
    ]
    identifiers = identifiers_beside(f"{portal}\n{table}\n{table_of_methods}\n{of_operators}")
    further += [((*IDENTIFIERS, outcome), value) for outcome, value in identifiers.items()]
    further += [(("test_data", "methods", family), name) for family, name in of_methods.families.items()]
    carried = [
        (("test_data", "apm", "fields", name, field), value)
        for name, own in fields.items()
        for field, value in own.items()
    ]
    return Pasted(
        accounts=tuple(rows),
        cards=tuple(named),
        settings=(*channels, *further, *given, *carried, *codes),
        open=(
            *_open_in(rows),
            *_unknown_in(rows),
            *_by_channel_alone(rows),
            *(f"accounts: {line}" for line in route.open),
            *(f"accounts: {line}" for line in (unread_in(portal) if accounts else ())),
            *(f"cards: a row has no card number: {row}" for row in left_out(table)),
            *(f"cards: not read, of which card it is true: {words}" for words in unread_expiries(table)),
            *(
                f"cards: {words}; write another one in [test_data.cards] if it is not right"
                for words in chosen_values(table)
            ),
            *(
                f"cards: {'.'.join(path)} is taken from a sentence beside the table; write another if it is not right"
                for path, code in codes
                if code == beside
            ),
            *further_codes(named, dict(codes)),
            *(
                [f"cards: the code of challenges was not read; write it as {'.'.join(CHALLENGE_CODE)}: {unread_code}"]
                if unread_code
                else []
            ),
        ),
    )


def _open_in(rows: Sequence[PastedAccount]) -> Iterator[str]:
    """Yield what is open of accounts, in one line where it is the same of several."""
    for line in dict.fromkeys(line for row in rows for line in row.open):
        yield f"accounts: {', '.join(row.name for row in rows if line in row.open)}: {line}"


def _unknown_in(rows: Iterable[PastedAccount]) -> Iterator[str]:
    """Yield what no setting is called like, in one line for all accounts."""
    if labels := dict.fromkeys(label for row in rows for label in row.unknown):
        yield f"accounts: no setting is called {', '.join(map(repr, labels))}; what stands there was not read"


def _by_channel_alone(rows: Sequence[PastedAccount]) -> Iterator[str]:
    """Yield the accounts of one key that all have a channel: none of them is known to be the default route."""
    for key in dict.fromkeys(row.key for row in rows):
        alike = [row for row in rows if row.key == key]
        if len({str(row.settings.get("channel_id")) for row in alike}) > 1 and all(
            "channel_id" in row.settings for row in alike
        ):
            yield (
                f"accounts: {', '.join(row.name for row in alike)} have one key and a channel each; requests of the "
                "main account name no channel, and which of them serves it then is not known: what is said of the "
                "main account must be true of that one"
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
    name, _, rest = text.partition("=") if "=" in text.partition(":")[0] else ("", "", text)
    # ``NAME=live=KEY``: which of them it is called by says what it is, too.
    kind, mark, named = rest.partition("=") if "=" in rest.partition(":")[0] else ("", "", rest)
    key, _, password = named.partition(":")
    is_live = OF_PRODUCTION.search(f"{name} {kind}") is not None
    if mark and not is_live:
        raise PastedError("--account: write NAME=KEY:PASSWORD, with no other = before the password")
    if key and is_live and len(password) < SHORTEST:
        return PastedAccount(name, key, NOT_GIVEN, {"live": True})
    if not key or not password:
        raise PastedError(
            "--account: write NAME=KEY:PASSWORD; the password may be env:NAME or file:PATH. A key of production "
            "needs none where it is called so: live=KEY"
        )
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
