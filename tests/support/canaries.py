"""Canaries: secrets of a profile, the profile that refers to them, and the search for them in whatever a run leaves."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from fixtures.plugin import DEFAULT_TARGET
from fixtures.profile import load_profile
from tests.support.echoing_gateway import WAYS

SECURITY_CODE = "974"
VARIABLE = "CANARY_PASSWORD_"
LONGEST_RUN = 12
"""So many characters in a row of a password are half a secret."""
_CODE = re.compile(rf"(?:cv[vc]2?|security[_-]?code)[\"'\\]*\s*[:=,]\s*[\"'\\]*{SECURITY_CODE}(?![0-9])", re.IGNORECASE)
_PASSWORD = re.compile(r'password = "([0-9a-f]{32})"')


@dataclass(frozen=True)
class Canaries:
    """What must be found nowhere.

    Attributes:
        profile: refers to passwords by variables.
        variables: what they hold.
        secrets: all of the profile but security codes, which are too short to be looked for alone.
    """

    profile: Path
    variables: Mapping[str, str]
    secrets: tuple[str, ...]

    def found_in(self, text: str) -> list[str]:
        """Return which canaries stand in a text, in which way to write them, in one line or broken over several."""
        found = ["a security code"] if _CODE.search(text) else []
        for version in {text.lower(), re.sub(r"(?:\s|\\n|\n[A-Z]+>)+", "", text).lower()}:
            found += [
                f"{way} of secret {number} of {len(self.secrets)}"
                for number, secret in enumerate(self.secrets)
                for way, written in _written(secret)
                if written.lower() in version
            ]
        return found


def _written(secret: str) -> Iterator[tuple[str, str]]:
    for way, write in WAYS.items():
        yield way, write(secret)
    for offset in (1, 2):
        inside = base64.b64encode(b"\0" * offset + secret.encode()).decode()
        yield f"base64 at offset {offset}", inside[4:-4]
    if len(secret) == 32:
        # Passwords: also half of one is too much. Of cards the first six and the last four digits are shown.
        for start in range(0, len(secret) - LONGEST_RUN, 3):
            yield "a piece", secret[start : start + LONGEST_RUN]


def canaries(directory: Path, url: str, clock: str, port: int) -> Canaries:
    """Write the profile of a gateway that listens at an address, and say what is looked for.

    Args:
        directory: where the profile goes.
        url: of the gateway.
        clock: moves its clock.
        port: where callbacks are received.
    """
    text = DEFAULT_TARGET.read_text(encoding="utf-8").replace("[emulator]\nstart = true\n", "")
    passwords = list(dict.fromkeys(_PASSWORD.findall(text)))
    variables = {f"{VARIABLE}{number}": password for number, password in enumerate(passwords)}
    for name, password in variables.items():
        text = text.replace(f'password = "{password}"', f'password = "env:{name}"')
    text = text.replace('security_code = "123"', f'security_code = "{SECURITY_CODE}"')
    text = re.sub(r"^\[(run|callbacks)\]\n(?:[^\[\n].*\n)*", "", text, flags=re.MULTILINE)
    tables = f"""
[endpoints]
checkout = "{url}"
s2s_card = "{url}"
s2s_apm = "{url}/apm"
[run]
clock = "{clock}"
fuzz_requests = 0
[callbacks]
listen = "127.0.0.1:{port}"
"""
    file = directory / "canaries.toml"
    file.write_text(text.replace('environment = "emulator"', 'environment = "sandbox"') + tables, encoding="utf-8")
    profile = load_profile(file, environment=variables)
    return Canaries(file, variables, tuple(secret for secret in profile.secrets() if len(secret) > 8))
