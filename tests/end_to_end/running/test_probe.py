"""From nothing to a profile: init asks, probe finds out. The gateway is one that the suite did not start itself."""

from __future__ import annotations

import socket
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fixtures.payer.chromium.installed import program
from fixtures.plugin import DEFAULT_TARGET
from fixtures.profile import load_profile
from fixtures.profile.draft import Answers
from fixtures.wire.embedded import EmbeddedGateway
from gateway_conformance import profiles

WRONG_CARD = "4111111111111112"
"""Its check digit is wrong, so that nothing is paid with it."""


@dataclass(frozen=True)
class Target:
    """A gateway to profile: its address, that of its clock, and the port to which it posts callbacks."""

    url: str
    clock: str
    port: int


@contextmanager
def gateway(*, variations: tuple[str, ...] = (), faults: tuple[str, ...] = ()) -> Iterator[Target]:
    """Start a gateway that posts callbacks to a port of this machine."""
    with started(variations=variations, faults=faults) as (running, port):
        yield Target(running.url, running.control_url, port)


@contextmanager
def started(
    *, variations: tuple[str, ...] = (), faults: tuple[str, ...] = (), release: str = "6.7.0"
) -> Iterator[tuple[EmbeddedGateway, int]]:
    """Start a gateway likewise; give what is known of it and the port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/"
    running = EmbeddedGateway.start(release=release, variations=variations, faults=faults, callback_url=url)
    try:
        yield running, port
    finally:
        running.stop()


def probed(
    tmp_path: Path,
    target: Target,
    *,
    account: str = "main",
    more: str = "",
    card: str = "",
    waits: bool = False,
) -> dict[str, Any]:
    """Write a first profile with few answers and more lines, probe, and return what is in the profile then.

    ``waits``: the clock is not said to be movable, so that half a minute passes.
    """
    known = load_profile(DEFAULT_TARGET)
    main = known.credentials.checkout if account == "main" else known.accounts[account]
    paying = known.test_data.cards.success
    assert main is not None
    assert paying is not None
    answers = Answers(
        name="a gateway never seen",
        environment="sandbox",
        release="6.7.0",
        endpoints={"checkout": target.url, "s2s_card": target.url, "s2s_apm": f"{target.url}/apm"},
        key=main.key,
        password=main.password.reveal(),
        card=card or paying.number.reveal(),
        expiry=paying.expiry,
    )
    file = tmp_path / "gateway.toml"
    assert profiles.init(file, answers) == 0
    with file.open("a", encoding="utf-8") as profile:
        profile.write(f'\n[callbacks]\nlisten = "127.0.0.1:{target.port}"\n{more}')
        if not waits:
            profile.write(f'\n[run]\nclock = "{target.clock}"\n')
    assert profiles.probe(file) == 0
    return tomllib.loads(file.read_text(encoding="utf-8"))


def test_eight_answers_let_most_requirements_be_decided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with gateway() as target:
        profile = probed(tmp_path, target, waits=True)

    said = capsys.readouterr().out
    decidable = int(next(line for line in said.splitlines() if line.startswith("decidable: ")).split()[1])
    requests = int(next(line for line in said.splitlines() if line.endswith("requests were sent")).split()[0])
    offered = {name for name, value in profile["capabilities"].items() if value}
    assert decidable > 1100
    assert requests < 250
    assert profile["capabilities"]["method_crypto_wallet"] == ["checkout", "s2s_apm"]
    assert {"hosted_page", "callbacks", "status_lookup", "schedules", "refund_endpoint", "debit", "tokens"} <= offered
    assert profile["account"]["mid_mode"] == "SMS/DMS"
    # Each protocol shows its own options.
    assert profile["account"]["brand"] == {"checkout": True, "s2s_card": True}
    assert profile["test_data"]["apm"]["success"]["brand"] == "vcard"
    assert profile["test_data"]["currencies"]["exponent_0"] == "JPY"
    assert "open: clock: no address is given" in said
    assert load_profile(tmp_path / "gateway.toml")


def test_what_a_gateway_does_not_offer_is_not_declared(tmp_path: Path) -> None:
    with gateway() as target:
        profile = probed(tmp_path, target, account="no_zero_amount")

    assert profile["capabilities"]["zero_amount"] is False


def test_digest_of_the_account_is_found(tmp_path: Path) -> None:
    with gateway() as target:
        profile = probed(tmp_path, target, account="sha256")

    found = {name: account.get("hash") for name, account in profile["credentials"].items()}
    # Without a brand nothing is asked of S2S APM, which has an option of its own.
    assert found == {"checkout": "sha256", "s2s_card": "sha256", "s2s_apm": None}


def test_account_for_payouts_need_not_transfer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    account = load_profile(DEFAULT_TARGET).accounts["soft_declines"]
    more = (
        f'[accounts.out]\nkey = "{account.key}"\npassword = "{account.password.reveal()}"\nonly_for = ["payouts"]\n'
        'protocols = ["s2s_card"]\n'
    )
    with gateway(variations=("payouts-and-wallets-share-accounts",)) as target:
        profile = probed(tmp_path, target, more=more)

    said = capsys.readouterr().out
    assert profile["capabilities"]["card2card"] is True
    assert profile["capabilities"]["credit2card"] is True
    assert "a CARD2CARD: HTTP 200 (asked by the main account; [accounts.out], " in said
    # What it is not for is not asked of it, and says nothing.
    assert "accounts.out:" not in said
    assert "unroutable_action" not in profile["accounts"]["out"]


def test_modes_of_channels_are_found(tmp_path: Path) -> None:
    main = load_profile(DEFAULT_TARGET).credentials.checkout
    assert main is not None
    secrets = f'key = "{main.key}"\npassword = "{main.password.reveal()}"\n'
    more = f'[accounts.sms]\n{secrets}channel_id = "main"\n[accounts.dms]\n{secrets}channel_id = "channel-16-chars"\n'
    with gateway(variations=("channels-decide-the-mode",)) as target:
        profile = probed(tmp_path, target, more=more)

    assert profile["account"]["mid_mode"] == "SMS/DMS"
    assert {name: account["mid_mode"] for name, account in profile["accounts"].items()} == {"sms": "SMS", "dms": "DMS"}


def test_currency_of_the_account_is_found(tmp_path: Path) -> None:
    with gateway(variations=("further-account-in-another-currency",)) as target:
        profile = probed(tmp_path, target, account="sha256")

    assert profile["test_data"]["currencies"]["exponent_2"] == "EUR"
    assert profile["credentials"]["s2s_card"]["hash"] == "sha256"
    assert profile["capabilities"]["hosted_page"] is True


def test_currencies_that_the_main_account_leaves_to_another_one_are_found(tmp_path: Path) -> None:
    account = load_profile(DEFAULT_TARGET).accounts["sms"]
    more = f'[accounts.yen]\nkey = "{account.key}"\npassword = "{account.password.reveal()}"\n'
    few = ("main-account-is-of-few-currencies", "further-accounts-in-one-currency-each")
    with gateway(variations=few) as target:
        profile = probed(tmp_path, target, more=more)

    assert profile["accounts"]["yen"]["currencies"] == ["JPY"]
    for protocol in ("checkout", "s2s_card"):
        assert "JPY" not in profile["credentials"][protocol]["currencies"]
        taken = {"USD", *profile["test_data"]["currencies"].values()} - {"JPY"}
        assert taken <= {*profile["credentials"][protocol]["currencies"]}


@pytest.mark.parametrize("more", [(), ("page-method-first",)], ids=["first page", "after the method"])
def test_fields_with_other_ids_are_found(more: tuple[str, ...], tmp_path: Path) -> None:
    with gateway(variations=("form-other-ids", *more)) as target:
        profile = probed(tmp_path, target)

    assert profile["capabilities"]["hosted_page"] is True
    assert profile["payer"]["selectors"]["card_number"]


def test_formula_of_an_action_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pays = '[payer.selectors]\nsubmit = "button[name=action][value=pay]"\n'
    with gateway(faults=("debit-signed-without-card",)) as target:
        profile = probed(tmp_path, target, more=pays)

    assert list(profile["dialect"]["formulas"]) == ["DEBIT"]
    assert profile["capabilities"]["debit"] is True
    # The page that asks for nothing shows the code once the button is pressed.
    assert profile["capabilities"]["instant_qr"] is True
    assert "signed by its usual formula it is refused" in capsys.readouterr().out


def test_what_a_token_and_a_session_are_named_and_signed_by_is_found(tmp_path: Path) -> None:
    variations = ("payout-token-signed-as-its-card", "hosted-token-in-the-payment")
    with gateway(variations=variations) as target:
        profile = probed(tmp_path, target)

    assert profile["dialect"]["formulas"] == {"CREDIT2CARD": "formula_5"}
    assert profile["dialect"]["processing_token_member"] == "session_token"


def test_formula_of_look_ups_of_s2s_apm_is_found(tmp_path: Path) -> None:
    known = load_profile(DEFAULT_TARGET).test_data.apm.success
    assert known is not None
    brand = f'\n[test_data.apm.success]\nbrand = "{known.brand}"\nidentifier = "{known.identifier}"\n'
    with gateway(faults=("apm-status-signed-like-release",)) as target:
        profile = probed(tmp_path, target, more=brand)

    assert profile["dialect"]["apm_formulas"]["GET_TRANS_STATUS"] == "CREDITVOID"


@pytest.mark.parametrize(("account", "mode"), [("sms", "SMS"), ("dms", "DMS")])
def test_mode_of_the_account_is_found(account: str, mode: str, tmp_path: Path) -> None:
    with gateway() as target:
        profile = probed(tmp_path, target, account=account)

    assert profile["account"]["mid_mode"] == mode


def test_gateway_that_is_not_there_ends_with_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answers = Answers(
        name="nobody",
        environment="sandbox",
        release="6.7.0",
        endpoints={"checkout": "http://127.0.0.1:9"},
        key="key-1",
        password="a-password-of-its-own",
    )
    file = tmp_path / "gateway.toml"
    assert profiles.init(file, answers) == 0
    before = file.read_text(encoding="utf-8")

    assert profiles.probe(file) == 3

    assert file.read_text(encoding="utf-8") == before
    assert "checkout: a valid request is not accepted" in capsys.readouterr().out


def test_card_parameters_that_are_taken_whatever_they_are_are_not_offered(tmp_path: Path) -> None:
    with gateway(faults=("parameters.card.bnrg_installm_plan.pattern.ignored",)) as target:
        profile = probed(tmp_path, target)

    assert "card_set_installments" not in profile["capabilities"]
    assert "# open: card_set_installments: " in (tmp_path / "gateway.toml").read_text(encoding="utf-8")
    assert profile["capabilities"]["card_set_tax_document"] == ["checkout"]


def test_what_the_gateway_has_forgotten_is_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stale = 'schedule_id = "00000000-0000-4000-8000-00000000dead"\ncard_token = "' + "e" * 64 + '"\n'
    file = tmp_path / "gateway.toml"
    with gateway() as target:
        probed(tmp_path, target)
        text = file.read_text(encoding="utf-8")
        kept = [line for line in text.splitlines() if not line.startswith(("schedule_id =", "card_token ="))]
        file.write_text("\n".join(kept).replace("[test_data]\n", f"[test_data]\n{stale}", 1), encoding="utf-8")
        assert profiles.probe(file) == 0

    data = tomllib.loads(file.read_text(encoding="utf-8"))["test_data"]
    assert data["schedule_id"] != "00000000-0000-4000-8000-00000000dead"
    assert data["card_token"] != "e" * 64
    assert data["card_token"] not in capsys.readouterr().out


def test_what_follows_a_payment_is_asked_for_where_nobody_could_pay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with gateway() as target:
        profile = probed(tmp_path, target, card=WRONG_CARD, more="wait_seconds = 4\n")

    said = capsys.readouterr().out
    assert "hosted_page" not in profile["capabilities"]
    assert "open: hosted_page: not looked at, as no payment on the hosted page came about" in said
    assert "open: callbacks:" not in said
    offered = {name for name, value in profile["capabilities"].items() if value}
    assert {"callbacks", "status_lookup", "refund_endpoint", "void_endpoint", "retry_endpoint"} <= offered


def test_retry_that_is_refused_of_a_settled_payment_alone_is_left_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with gateway(variations=("retry-of-settled-unsupported",)) as target:
        profile = probed(tmp_path, target)

    assert "retry_endpoint" not in profile["capabilities"]
    assert "recurring_decline in [test_data.cards]" in capsys.readouterr().out


def test_what_comes_later_or_ends_otherwise_is_not_written_as_off(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    decline = '[test_data.cards.decline]\nnumber = "4111111111111111"\nexpiry = "02/2038"\n'
    with gateway(variations=("checkout-callbacks-pending-first", "page-shows-a-final-decline")) as target:
        profile = probed(tmp_path, target, more=decline)

    assert profile["account"]["brand"]["checkout"] is True
    assert "max_declines" not in profile["account"]
    assert "open: max_declines: after 1 of them" in capsys.readouterr().out
    assert profile["capabilities"]["tokens"] is True


@pytest.mark.skipif(program() is None, reason="there is no Chromium on this machine")
def test_page_that_scripts_send_is_probed_by_the_payer_of_the_profile(tmp_path: Path) -> None:
    with gateway(variations=("page-sent-by-script",)) as target:
        profile = probed(tmp_path, target, more='[payer]\nby = "browser"\n')

    assert profile["capabilities"]["hosted_page"] is True
    # Nobody presses what only a script hears beside a QR: what was not seen is not said to be missing.
    assert "instant_qr" not in profile["capabilities"]
