"""``gateway-conformance init``, ``check`` and ``probe``: from nothing to a profile with which a run decides much."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from contract.model import Release
from fixtures.callbacks import ReceiverError
from fixtures.discovery import explore
from fixtures.discovery.notebook import CAPABILITIES
from fixtures.forecast import contradictions, forecast, lines_of
from fixtures.profile import Profile, ProfileError, load_profile
from fixtures.profile.draft import REFUSED_BY, Answers, Copied, Setting, first_profile, in_toml, with_settings
from fixtures.profile.model import PROTOCOLS
from fixtures.profile.twins import blurred
from fixtures.wire.clock import ClockError
from fixtures.wire.embedded import EmbeddedGatewayError

WRONG_USAGE: Final = 2
UNDECIDED: Final = 3
TEST_DATA: Final = "test_data"
FACTS: Final = ("languages", "refund_reference")
"""The settings of that table that are no choice."""
MOST_LINES: Final = 16
"""Lines of the forecast that a probe ends with."""


def check(file: Path, *, production: str | None = None) -> int:
    """Say what a run with a profile could decide, and send nothing.

    Returns:
        0, or 2 for a profile that cannot be used or contradicts itself.
    """
    profile = _read(file, production)
    if profile is None:
        return WRONG_USAGE
    found = forecast(profile, Release(profile.target.release))
    sys.stdout.writelines(f"{line}\n" for line in lines_of(found, profile))
    sys.stdout.writelines(f"note: {line}\n" for line in blurred(profile))
    wrong = list(contradictions(profile))
    sys.stderr.writelines(f"{file}: {line}\n" for line in wrong)
    return WRONG_USAGE if wrong else 0


def init(file: Path, answers: Answers, *, force: bool = False) -> int:
    """Write a first profile.

    Returns:
        0, or 2 when the file is there already or what was answered makes no profile.
    """
    if file.exists() and not force:
        sys.stderr.write(f"{file}: is there already; name another file, or give --force to write it anew\n")
        return WRONG_USAGE
    before = file.read_bytes() if file.exists() else None
    try:
        file.write_text(first_profile(answers), encoding="utf-8")
    except OSError as error:
        sys.stderr.write(f"{file}: cannot be written: {error.strerror}\n")
        return WRONG_USAGE
    # A password that is still to be set must not keep anybody from a profile; everything else is reported at once.
    if _read(file, answers.name, _StillToBeSet(os.environ)) is None:
        if before is None:
            file.unlink()
        else:
            file.write_bytes(before)
        refused = file.with_suffix(".refused.toml")
        refused.write_text(first_profile(answers), encoding="utf-8")
        sys.stderr.write(
            f"{file} is not written. Give the option again as it should be; or correct these lines in {refused}, which "
            "has all that was answered, and give it that name\n"
        )
        return WRONG_USAGE
    variable = answers.password.partition("env:")[2]
    first = f"export {variable}=…, then " if variable and variable not in os.environ else ""
    sys.stdout.write(f"{file} is written. Next: {first}gateway-conformance probe {file}\n")
    return 0


def probe(file: Path, *, production: str | None = None, show: bool = False) -> int:
    """Find out what a gateway offers, add it to its profile, and say what a run could decide then.

    Args:
        file: the profile.
        production: name of a production target that is allowed.
        show: print the profile and leave the file as it is.

    Returns:
        0; 2 for a profile that cannot be used; 3 when no protocol takes a valid request.
    """
    profile = _read(file, production)
    if profile is None:
        return WRONG_USAGE
    before = file.read_text(encoding="utf-8")
    known = tomllib.loads(before)
    place = file.with_suffix(".probed.toml")

    def improved(settings: Sequence[Setting]) -> Profile | None:
        place.write_text(with_settings(before, settings), encoding="utf-8")
        return _read(place, production)

    try:
        found = explore(profile, Release(profile.target.release), improved)
    except (EmbeddedGatewayError, ReceiverError, ClockError) as error:
        sys.stderr.write(f"{file}: {error}\n")
        place.unlink(missing_ok=True)
        return WRONG_USAGE
    better = improved(found.settings)
    written = place.read_text(encoding="utf-8")
    if show or better is None:
        sys.stdout.write(written)
        place.unlink()
    else:
        place.replace(file)
    now = tomllib.loads(written)
    sys.stdout.writelines(line for setting in found.settings for line in _said(known, now, setting))
    sys.stdout.writelines(f"open: {line}\n" for line in found.open)
    if refused := [each.name for each in found.settings if each.table == CAPABILITIES and each.value is False]:
        sys.stdout.write(
            f"not offered, as far as one refusal shows: {', '.join(refused)}; no run asks for it again: set true in "
            "[capabilities] what the target has\n"
        )
    sys.stdout.write(f"{found.requests} requests were sent\n")
    if better is not None:
        sys.stdout.writelines(f"{line}\n" for line in islice(_forecast_of(better), MOST_LINES))
        sys.stdout.write(f"All that is missing: gateway-conformance check {file}\n")
    answers = any(setting.table == CAPABILITIES and setting.name in PROTOCOLS for setting in found.settings)
    return 0 if answers else UNDECIDED


def _said(known: dict[str, Any], now: dict[str, Any], setting: Setting) -> Iterator[str]:
    """Say a setting in a line; nothing of one that is open, or that stands in the profile as it was found."""
    name = f"[{'.'.join(setting.table)}] {setting.name}"
    stands = _standing(known, setting)
    if stands and not setting.replaces and (extended := _standing(now, setting)) != stands:
        yield f"{name} = {in_toml(*extended)}  # with what was added: {setting.evidence}\n"
        return
    if setting.value is None or (stands and not setting.replaces and isinstance(setting.value, Copied)):
        return
    if stands and not setting.replaces:
        if _contradicts(stands[0], setting):
            yield f"{name} stays as it stands in the file; found otherwise: {setting.evidence}\n"
        return
    value = "(in the file)" if _is_for_the_file_only(setting) else in_toml(setting.value)
    yield f"{name} = {value}  # {setting.evidence}\n"


def agrees(stands: Any, found: Any) -> bool:  # noqa: ANN401 - of TOML
    """Return whether what stands in a profile and what was found say the same, each for all protocols or by protocol.

    What only one of them speaks of, the other does not contradict; a list names some of the protocols that were found.
    """
    if isinstance(stands, dict) and isinstance(found, dict):
        return all(agrees(stands[name], found[name]) for name in stands.keys() & found.keys())
    if isinstance(found, dict):
        return all(agrees(stands, value) for value in found.values())
    if isinstance(stands, dict):
        return all(agrees(value, found) for value in stands.values())
    if isinstance(stands, list):
        return found is True or (isinstance(found, list) and sorted(map(str, stands)) == sorted(map(str, found)))
    return bool(stands == found)


def _contradicts(stands: Any, setting: Setting) -> bool:  # noqa: ANN401 - of TOML
    """Return whether what was found shows that the file is wrong, and not only that there is another one as good.

    A gateway has several methods, cards and schedules; of the protocols of a list only those count that were asked.
    """
    if setting.table[0] == TEST_DATA and setting.name not in FACTS:
        return False
    if setting.table == CAPABILITIES and isinstance(stands, list):
        return not set(setting.refused_by).isdisjoint(stands) or not set(setting.taken_by).issubset(stands)
    return not (agrees(stands, setting.value) or _is_a_part_of(stands, setting))


def _is_a_part_of(stands: Any, setting: Setting) -> bool:  # noqa: ANN401 - of TOML
    """Return whether protocols were found to have what the file says of all, and none was found to refuse it."""
    return stands is True and isinstance(setting.value, list) and REFUSED_BY not in setting.evidence


def _is_for_the_file_only(setting: Setting) -> bool:
    """Return whether a value pays, or takes many lines."""
    is_token = "token" in setting.name and isinstance(setting.value, str)
    is_table = isinstance(setting.value, list) and any(isinstance(row, dict) for row in setting.value)
    return isinstance(setting.value, Copied) or is_token or is_table


def _forecast_of(profile: Profile) -> Iterator[str]:
    return lines_of(forecast(profile, Release(profile.target.release)), profile)


def _standing(profile: dict[str, Any], setting: Setting) -> list[Any]:
    """Return the value that a setting has in a profile; empty where it has none."""
    place: Any = profile
    for name in (*setting.table, setting.name):
        if not isinstance(place, dict) or name not in place:
            return []
        place = place[name]
    return [place]


class _StillToBeSet(dict[str, str]):
    """Variables, of which those that are not set yet have a text all the same."""

    def get(self, name: str, default: Any = None) -> Any:  # noqa: ANN401 - as the base class has it
        return super().get(name, default) or "still to be set"


def _read(file: Path, production: str | None, environment: Mapping[str, str] | None = None) -> Profile | None:
    try:
        return load_profile(file, allow_production=production, environment=environment)
    except ProfileError as error:
        sys.stderr.write(f"{error}\n")
        return None
