"""Tables of accounts and cards as a portal shows them are all that has to be given: the rest is found out.

Two gateways are profiled with nothing but addresses and their tables, in which no row says what is special about it.
What is written by hand is counted: the options of one command, and lines of the profile that no command wrote.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from typer.testing import CliRunner

from contract.model import Release
from fixtures.forecast import forecast
from fixtures.plugin import DEFAULT_TARGET
from fixtures.profile import load_profile
from gateway_conformance import profiles
from gateway_conformance.command import app
from tests.end_to_end.running.test_probe import started

MOST_BY_HAND: Final = 10
KNOWN: Final = load_profile(DEFAULT_TARGET)
LATEST: Final = Release("6.7.0")


@dataclass(frozen=True)
class Probed:
    """A gateway that was profiled.

    Attributes:
        options: of ``init``, one for each thing that somebody had to look up.
        first: lines that ``init`` wrote.
        profile: what is in the profile after ``probe``.
        said: what ``probe`` printed.
        decidable: requirements that a run could decide.
    """

    options: int
    first: list[str]
    profile: dict[str, Any]
    said: str
    decidable: int
    text: str

    @property
    def by_hand(self) -> int:
        """Options, and lines of the profile that neither command wrote."""
        wrote = {line.partition(" #")[0].strip() for line in self.first}
        others = [
            line
            for line in self.text.splitlines()
            if line.strip() and line.partition(" #")[0].strip() not in wrote and not self._is_explained(line)
        ]
        return self.options + len(others)

    @staticmethod
    def _is_explained(line: str) -> bool:
        # What probe writes has its evidence beside it; headers and the rows of one value belong to that.
        return "#" in line or re.fullmatch(r"\[.*\]|\s+\{.*\},|\]", line) is not None


def accounts(*, of_merchants: bool) -> str:
    """Return the accounts as a table of Markdown, without a word of what each is for, or of nothing but whose it is."""
    main = KNOWN.credentials.checkout
    assert main is not None
    rows = [("main", main), *((f"shop {number}", each) for number, each in enumerate(KNOWN.accounts.values(), 2))]
    head = "| Account | Key | Password |" + " Merchant |" * of_merchants
    table = "".join(
        f"| {name} | `{each.key}` | {each.password.reveal()} |" + f" {each.merchant} |" * of_merchants + "\n"
        for name, each in rows
    )
    return f"Accounts of the sandbox\n\n{head}\n{'|---' * head.count(' |')}|\n{table}"


def cards() -> str:
    """Return the cards as CSV: the first pays, of the others only number and expiry are said."""
    data = KNOWN.test_data.cards
    others = (data.decline, data.capture_decline, data.three_ds_success, data.three_ds_decline)
    rows = [data.success, *others, data.payout_success, data.payout_decline]
    return "number,expiry\n" + "".join(f"{card.number.reveal()},{card.expiry}\n" for card in rows if card)


def profiled(
    tmp_path: Path,
    variations: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    *,
    release: str = "6.7.0",
    of_merchants: bool = True,
) -> Probed:
    """Profile a gateway as its tester would, with two tables and a few options."""
    (tmp_path / "accounts.md").write_text(accounts(of_merchants=of_merchants), encoding="utf-8")
    (tmp_path / "cards.csv").write_text(cards(), encoding="utf-8")
    file = tmp_path / "gateway.toml"
    with started(variations=variations, release=release) as (running, port):
        url = running.url
        options = [
            f"--checkout={url}",
            f"--s2s-card={url}",
            f"--s2s-apm={url}/apm",
            f"--accounts={tmp_path / 'accounts.md'}",
            f"--cards={tmp_path / 'cards.csv'}",
            f"--callbacks=127.0.0.1:{port}",
            "--set=test_data.channel_id=main",
            f"--set=run.clock={running.control_url}",
            # Only payments on file would show it.
            "--set=account.cof_fields=false",
        ]
        assert CliRunner().invoke(app, ["init", str(file), *options]).exit_code == 0
        first = file.read_text(encoding="utf-8").splitlines()
        capsys.readouterr()
        assert profiles.probe(file) == 0
    profile = load_profile(file)
    return Probed(
        options=len(options),
        first=first,
        profile=tomllib.loads(file.read_text(encoding="utf-8")),
        said=capsys.readouterr().out,
        decidable=len(forecast(profile, Release(profile.target.release)).decidable),
        text=file.read_text(encoding="utf-8"),
    )


def test_a_gateway_is_profiled_with_ten_lines_by_hand_and_no_secret_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = profiled(tmp_path, (), capsys)

    by_its_makers = len(forecast(KNOWN, LATEST).decidable)
    assert found.by_hand <= MOST_BY_HAND
    # That an account is given an ARN shows only days later: until somebody says so, what needs it is not counted.
    # So does parallel_requests in [run], which only somebody who knows the gateway can allow.
    assert found.decidable > 0.88 * by_its_makers
    special = {name: set(table) - {"key", "password"} for name, table in found.profile["accounts"].items()}
    said = [each for table in found.profile["accounts"].values() for each in table.items()]
    # An option of a protocol mapping is said by protocol.
    kinds = {
        (setting, one) for setting, value in said for one in (value.values() if isinstance(value, dict) else [value])
    }
    assert {
        ("live", True),
        ("ip_allowlist", True),
        ("hash", "sha256"),
        ("refunds", False),
        ("connector_refunds_only", True),
        ("mid_mode", "SMS"),
        ("mid_mode", "DMS"),
        ("merchant", "second"),
        ("zero_amount", False),
        ("brand", False),
    } <= kinds
    assert all(special.values())
    assert found.profile["account"]["max_declines"] == KNOWN.account_settings.max_declines
    assert found.profile["test_data"]["refund_reference"] == "order_id"
    outcomes = found.profile["test_data"]["cards"]
    assert {name: card["expiry"] for name, card in outcomes.items()} == {
        name: card.expiry for name in outcomes if (card := KNOWN.test_data.cards.get(name)) is not None
    }
    assert set(outcomes) >= {"success", "decline", "capture_decline", "three_ds_success", "three_ds_decline"}
    secrets = [each.password.reveal() for each in KNOWN.accounts.values()]
    secrets += [card["number"] for card in outcomes.values()]
    assert [secret for secret in secrets if secret in found.said] == []


def test_another_gateway_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    others = ("form-other-ids", "apm-trans-id-of-digits", "checkout-callbacks-as-json", "page-challenge-by-pin")

    found = profiled(tmp_path, others, capsys, release="6.6.5")

    assert found.by_hand <= MOST_BY_HAND
    assert found.profile["target"]["release"] == "6.6.5"
    older = KNOWN.model_copy(update={"target": KNOWN.target.model_copy(update={"release": "6.6.5"})})
    assert found.decidable > 0.8 * len(forecast(older, Release("6.6.5")).decidable)


def test_a_key_of_another_protocol_shows_nothing_of_its_account(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = profiled(tmp_path, ("keys-are-of-one-protocol",), capsys, of_merchants=False)

    accounts_of = found.profile["accounts"]
    names = {KNOWN.accounts[name].key: name for name in KNOWN.accounts}
    only = {names[each["key"]]: each["protocols"] for each in accounts_of.values() if "protocols" in each}
    assert only == {
        "second": ["s2s_card"],
        "sha256": ["s2s_card"],
        "sms": ["checkout"],
        "no_zero_amount": ["checkout"],
        "dms": ["s2s_apm"],
        "options": ["s2s_apm"],
    }
    assert "protocols below" not in found.said
    assert not [each for each in accounts_of.values() if "unroutable_action" in each]
    assert found.profile["capabilities"]["dms"] is True
    # Each account keeps its payments to itself here, and nobody said whose it is.
    assert not [each for each in accounts_of.values() if "merchant" in each]
    assert "second_card_token" not in found.profile["test_data"]
    assert "write merchant = 'second' below [accounts.<name>]" in found.said


def test_what_the_payer_of_a_brand_presses_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = profiled(tmp_path, ("apm-payers-decide-on-the-page",), capsys)

    apm = found.profile["test_data"]["apm"]
    assert apm["success"]["press"] == 'button[name="challenge"][value="pass"]'
    assert apm["decline"]["press"] == 'button[name="challenge"][value="fail"]'
    assert found.profile["capabilities"]["dms"] is True
    assert found.decidable > 0.89 * len(forecast(KNOWN, LATEST).decidable)


def test_currency_of_a_further_account_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = profiled(tmp_path, ("further-account-in-another-currency",), capsys)

    sha256 = KNOWN.accounts["sha256"].key
    assert {each["key"]: each["currencies"] for each in found.profile["accounts"].values() if "currencies" in each} == {
        sha256: ["EUR"]
    }


def test_account_that_starts_no_recurring_may_take_zero(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = profiled(tmp_path, ("further-account-starts-no-recurring",), capsys)

    takes_none = {each["key"] for each in found.profile["accounts"].values() if each.get("zero_amount") is False}
    assert takes_none == {KNOWN.accounts["no_zero_amount"].key}


def test_accounts_of_another_currency_are_looked_at_in_that(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = profiled(tmp_path, ("further-accounts-in-one-currency-each",), capsys)

    accounts = {each["key"]: each for each in found.profile["accounts"].values()}
    said = {name: accounts[KNOWN.accounts[name].key] for name in ("no_refunds", "no_zero_amount", "sms", "dms")}
    assert said["no_refunds"]["currencies"] == ["PLN"]
    assert said["no_refunds"]["refunds"] is False
    assert said["no_zero_amount"]["currencies"] == ["JPY"]
    assert said["no_zero_amount"]["zero_amount"] is False
    assert {name: said[name].get("mid_mode") for name in ("sms", "dms")} == {"sms": "SMS", "dms": "DMS"}
