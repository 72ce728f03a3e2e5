"""Which mutants are tried: a seeded sample of what matters to merchants and payers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from tests.mutants.mutations import Mutation, mutations_of

EMULATOR = Path(__file__).parents[2] / "emulator"
NOT_OF_THE_GATEWAY: Mapping[str, str] = {
    "faults": "a gateway without faults never enters them",
    "variations": "nor these",
    "changes": "faults and variations are made of them",
    "accounts.py": "the merchants that it is tried with; a profile describes them",
    "__main__.py": "the command line",
    "serving.py": "listening, which is the server's",
    "settings.py": "what the command line sets",
    "registry.py": "finds faults and variations",
    "wire/control.py": "control of the clock, which only tests have",
    "wire/front.py": "what stands in front of it: only faults and variations do",
    "wire/start_page.py": "the page with which a person starts",
    "protocols/hosted_page/qr.py": "draws a picture; no requirement says what is read from it",
    "protocols/s2s_apm/qr.py": "the same",
    "offers.py": "tables of the start page",
}
"""Files and rooms that no requirement speaks of, with the reason."""
ROW_FOR_FAULTS = r"\bRule\( ?[^,]*, \"(accepted|optional|handled|handledWithout)\""
LEFT_ALONE: Mapping[str, str] = {
    r"^[\"']?[A-Z0-9]{2,4}-[A-Z0-9]{2,4}-[0-9]{2}[\"']?$": "the id of a requirement: faults are derived by it",
    ROW_FOR_FAULTS: "a row of which nothing but faults is derived",
    r"^\"(utf-8|latin-1|ascii|idna|replace|surrogatepass)\"$": "an encoding, whose name Python reads with a ~ as well",
    r"^@?dataclass\(": "how Python keeps a value",
    r"^(_LOG\.|note_wrong_hash\()": "a line of the log",
}
"""Pieces of code that no requirement speaks of, with the reason."""
ONLY_FOR_FAULTS: Mapping[str, str] = {
    "rules/checkout/session.py": r"_(app_scheme|equal|query|contains|any_true|any_false|several|not_two_decimals_zero"
    r"|nested|is_number|leap_day|huge)",
    "rules/checkout/addresses.py": r"_upper_case|_LAX",
    "rules/checkout/card_parameters.py": r"_(text|plan)",
    "rules/checkout/hosted_fields.py": r"_debit",
    "rules/s2s_apm/sale.py": r"_(names_frame|is)(\..*)?|_SHOWS_EMPTINESS|_LAX|_OPTIONAL_PAYER|_FAULTS_OF_LIMIT",
    "rules/s2s_card/sale.py": r"_ipv6|_REFUSED_EMPTY|_LAX",
    "rules/s2s_card/actions.py": r"_LAX|_UNSURE_LIMITS|_DEBIT_REQUIRED",
    "rules/s2s_apm/payout.py": r"_LAX|_FAULTS_OF_LIMIT",
    "rules/compiler.py": r"_(refused|breakdown|absence_breaks|always)(\..*)?",
    "rules/model.py": r"Rule\.label",
    "wire/values.py": r"_(is_number|any_boolean|any_integer|numeric)|CONVERTING",
    "wire/replies.py": r"breakdown|Answers\.adding|Reply\.is_error",
    "design.py": r"Design\.((with|in)_\w+|adding_rows|filtering|behind|sale)(\..*)?|all_of(\..*)?",
    "engine/moves.py": r"MoveRules\.(allowing|forbidding)",
    "engine/payment_book.py": r"PaymentBook\.(issued|latest|all|lose)",
    "app.py": r"design_of|_middleware|public_address|_Answering\.(failed|_health|_start|_clock)",
}
"""Functions and values, as patterns by file, that a gateway without faults and variations never uses, or that serve a
person who starts it."""
FAULT_ARGUMENTS = ("requirement", "accepts", "tag", "hidden_by", "faults")
"""Arguments of rows of which nothing but faults is derived."""
PROTOCOLS = ("checkout", "hosted_page", "hosted_fields", "s2s_card", "s2s_apm")
SHARED = "shared"


@dataclass(frozen=True)
class Mutant:
    """One mutation of one file.

    Attributes:
        file: relative to the emulator.
        mutation: what is done to it.
    """

    file: str
    mutation: Mutation

    @property
    def name(self) -> str:
        """How it is called in results: it stays the same when lines move."""
        return f"{self.file}:{self.mutation.name}"

    @property
    def lasting_name(self) -> str:
        """How it is called in lists that are kept: it stays the same when the file moves within its protocol."""
        return f"{self.protocol}: {self.mutation.name}"

    @property
    def module(self) -> str:
        """The module that it changes."""
        return module_of(self.file)

    @property
    def protocol(self) -> str:
        """The protocol that its file serves; ``shared`` where it serves several."""
        return next((room for room in PROTOCOLS if room in (*Path(self.file).parts, Path(self.file).stem)), SHARED)


def module_of(file: str) -> str:
    """Return the name of the module that a file of the emulator holds."""
    parts = ("emulator", *Path(file).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def files() -> list[str]:
    """Return the files of the gateway of which there are mutants, relative to the emulator."""
    every = (file.relative_to(EMULATOR).as_posix() for file in sorted(EMULATOR.rglob("*.py")))
    return [file for file in every if not any(file == out or file.startswith(f"{out}/") for out in NOT_OF_THE_GATEWAY)]


def mutants() -> list[Mutant]:
    """Return every mutant of the gateway, in the order of its files."""
    return [
        Mutant(file, mutation)
        for file in files()
        for mutation in mutations_of((EMULATOR / file).read_text(encoding="utf-8"))
        if _is_seen_from_outside(file, mutation)
    ]


def _is_seen_from_outside(file: str, mutation: Mutation) -> bool:
    if file in ONLY_FOR_FAULTS and re.fullmatch(ONLY_FOR_FAULTS[file], mutation.owner):
        return False
    pieces = (mutation.was, mutation.within)
    unseen = any(re.search(pattern, piece) for pattern in LEFT_ALONE for piece in pieces)
    unseen = unseen or re.match(ROW_FOR_FAULTS, mutation.where.about) is not None
    return not unseen and mutation.where.argument not in FAULT_ARGUMENTS


def sampled(every: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """Return a sample: so many of them, or all where there are fewer.

    Each mutant has its place by its own name, so that others may come and go and the sample stays.
    """
    return sorted(every, key=lambda mutant: sha256(f"{seed} {mutant.lasting_name}".encode()).digest())[:count]
