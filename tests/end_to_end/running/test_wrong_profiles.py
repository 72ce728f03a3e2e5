"""A profile that cannot be used: status 2, the file, the key and what is allowed, whatever is wrong with it.

``gateway-conformance check`` and ``run`` read it in the same way; each row goes through the first, a few through both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from gateway_conformance.profiles import check
from tests.end_to_end.runs import run, sandbox

LARGE = 50 << 20
SECRET = "hunter2-hunter2-hunter2"


def _with(old: str, new: str) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")

    return change


def _and(added: str) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        file.write_text(file.read_text(encoding="utf-8") + added, encoding="utf-8")

    return change


def _directory(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _sparse(file: Path) -> None:
    with file.open("wb") as out:
        out.truncate(LARGE)


ADDRESS = 'checkout = "http://127.0.0.1:9"'
WRONG: Mapping[str, tuple[Callable[[Path], object], tuple[str, ...]]] = MappingProxyType(
    {
        "missing": (Path.unlink, ("cannot be read", "path of a profile")),
        "directory": (_directory, ("cannot be read", "path of a profile")),
        "empty": (lambda file: file.write_text(""), ("target", "missing")),
        "binary": (lambda file: file.write_bytes(bytes(range(256)) * 40), ("UTF-8",)),
        "utf-16": (lambda file: file.write_bytes("[target]".encode("utf-16")), ("UTF-8",)),
        "large": (_sparse, ("larger than", "path of a profile")),
        "no-toml": (lambda file: file.write_text("{'target': 1}"), ("is not TOML", "line 1")),
        "deep": (lambda file: file.write_text("a = " + "[" * 50_000), ("nested too deep",)),
        "key-twice": (_and('\n[target]\nname = "again"\n'), ("is not TOML",)),
        "table-as-text": (_with("[target]", 'targe = "x"\n[target_]'), ("target",)),
        "name-as-number": (_with('name = "somewhere"', "name = 7"), ("target.name",)),
        "name-empty": (_with('name = "somewhere"', 'name = ""'), ("target.name",)),
        "environment": (_with('"sandbox"', '"sandpit"'), ("target.environment", "'staging'")),
        "release": (_with('"sandbox"', '"sandbox"\nrelease = "0.1"'), ("target.release", "6.7.0")),
        "unknown-table": (_and('\n[endpoint]\ncheckout = "x"\n'), ("endpoint", "did you mean endpoints")),
        "unknown-key": (_with("timeout_seconds", "timeout"), ("run.timeout", "did you mean timeout_seconds")),
        "seconds-as-text": (
            _with("seconds = 2", 'seconds = "soon"'),
            ("run.timeout_seconds", "valid number"),
        ),
        "seconds-of-nothing": (_with("timeout_seconds = 2", "timeout_seconds = 0"), ("run.timeout_seconds", "greater")),
        "seconds-nan": (_with("timeout_seconds = 2", "timeout_seconds = nan"), ("run.timeout_seconds",)),
        "seconds-infinite": (_with("timeout_seconds = 2", "time_budget_seconds = inf"), ("run.time_budget_seconds",)),
        "address-without-scheme": (_with(ADDRESS, 'checkout = "box.example"'), ("endpoints.checkout", "http://")),
        "address-of-ftp": (_with(ADDRESS, 'checkout = "ftp://box.example"'), ("endpoints.checkout", "https://")),
        "address-ipv6-open": (_with(ADDRESS, 'checkout = "http://[::1"'), ("endpoints.checkout", "not an address")),
        "address-with-port-70000": (_with(ADDRESS, 'checkout = "http://a:70000"'), ("endpoints.checkout",)),
        "address-with-credentials": (
            _with(ADDRESS, f'checkout = "http://u:{SECRET}@a.example"'),
            ("endpoints.checkout", "user or a password"),
        ),
        "address-with-fragment": (
            _with(ADDRESS, 'checkout = "http://a/#x"'),
            ("endpoints.checkout", "fragment"),
        ),
        "address-as-list": (_with(ADDRESS, 'checkout = ["http://a.example"]'), ("endpoints.checkout",)),
        "variable-unset": (
            _with('"a-password-of-its-own"', '"env:NOBODY_SETS_THIS"'),
            ("credentials.checkout.password", "NOBODY_SETS_THIS is not set", "export"),
        ),
        "file-missing": (
            _with('"a-password-of-its-own"', '"file:nowhere/password"'),
            ("credentials.checkout.password", "nowhere/password cannot be read"),
        ),
        "file-is-a-directory": (
            _with('"a-password-of-its-own"', '"file:."'),
            ("credentials.checkout.password", "cannot be read"),
        ),
        "password-short": (_with("a-password-of-its-own", "short"), ("credentials.checkout.password", "6 characters")),
        "credentials-missing": (_with("[credentials.checkout]", "[credentials.s2s_apm]"), ("credentials.checkout",)),
        "no-endpoint": (_with(ADDRESS, ""), ("endpoints",)),
        "card-number": (
            _and(f'\n[test_data.cards.success]\nnumber = "{SECRET}"\nexpiry = "01/2038"\nsecurity_code = "123"\n'),
            ("test_data.cards.success.number", "digits"),
        ),
        "expiry": (
            _and('\n[test_data.cards.success]\nnumber = "4111111111111111"\nexpiry = "2038-01"\nsecurity_code = "1"\n'),
            ("test_data.cards.success.expiry", "MM/YYYY", "security_code"),
        ),
        "listen": (_and('\n[callbacks]\nlisten = "127.0.0.1"\n'), ("callbacks.listen", "HOST:PORT")),
        "none-and-public": (
            _and('\n[callbacks]\nnone = true\npublic_url = "https://a.example"\n'),
            ("callbacks", "none = true"),
        ),
        "emulator-elsewhere": (_and("\n[emulator]\nstart = true\n"), ("emulator",)),
        "parallel": (_with("timeout_seconds = 2", "parallel_requests = 65"), ("parallel",)),
        "gap-without-day": (_and('\n[[gap]]\nneed = "callbacks"\nreason = "x"\nowner = "y"\n'), ("gap",)),
        "gap-with-two-subjects": (
            _and(
                '\n[[gap]]\nneed = "capability:dms"\nrequirements = "nothing"\nreason = "x"\nowner = "y"\n'
                'until = "2099-01-01"\n'
            ),
            ("gap",),
        ),
        "policy": (_and('\n[gate]\npolicy = "lenient"\n'), ("gate.policy", "contract")),
        "production": (_with('"sandbox"', '"production"'), ("target.environment", "--production")),
    }
)


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    return sandbox(tmp_path, "http://127.0.0.1:9")


@pytest.mark.parametrize("name", WRONG)
def test_wrong_profile_ends_with_2_and_says_what_is_allowed(
    name: str, profile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil, says = WRONG[name]
    spoil(profile)

    assert check(profile) == 2

    said = capsys.readouterr()
    assert str(profile) in said.err
    for words in says:
        assert words in said.err
    assert len(said.err) < 5_000
    assert SECRET not in said.err


@pytest.mark.parametrize("name", ["directory", "large", "variable-unset", "address-with-credentials"])
def test_run_with_a_wrong_profile_says_the_same(name: str, profile: Path, tmp_path: Path) -> None:
    spoil, says = WRONG[name]
    spoil(profile)

    ended = run(tmp_path / "out", f"--target={profile}")

    assert ended.status == 2, ended.said
    assert all(words in ended.said for words in says), ended.said
    assert "Traceback" not in ended.said
    assert not (tmp_path / "out").exists()


def test_profile_that_is_right_is_none_of_them(profile: Path) -> None:
    assert check(profile) == 0
