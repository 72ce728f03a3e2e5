"""Merchant accounts and test data of the reference gateway. All of them are public test values."""

import hashlib
from dataclasses import asdict, dataclass
from typing import Final, Literal

# A token that reads differently backwards: signatures reverse it.
ASYMMETRIC_TOKEN: Final = "0123456789abcdef" * 4
SCHEDULE_ID: Final = "5c4ed01e-0000-4000-8000-000000000001"
SCHEDULE_DELAYED: Final = "5c4ed01e-0000-4000-8000-000000000002"
FORM_ID: Final = "f0120000-0000-4000-8000-000000000001"


@dataclass(frozen=True, slots=True)
class Account:
    """A merchant account and the settings of its MID and protocol mapping.

    ``maximum_declines`` is after how many declines the hosted page sends the payer away; ``wallet_flow`` says whether
    wallet tokens are decrypted;
    ``unroutable`` are actions that routing cannot carry out. The settings from ``status_card_data`` on say what
    look-ups, callbacks and return addresses carry.
    """

    name: str
    key: str
    hash: Literal["md5", "sha256"] = "md5"
    mode: Literal["SMS", "DMS", "SMS/DMS"] = "SMS/DMS"
    live: bool = False
    refunds: bool = True
    zero_amount: bool = True
    payer_address_required: bool = False
    customer_name_validation: bool = True
    ip_allowlist: tuple[str, ...] = ()
    card_tokens: tuple[str, ...] = ()
    pre_routing: tuple[str, ...] = ("card", "googlepay", "applepay")
    maximum_declines: int = 3
    override_link_target: Literal["_blank", "_self", "_parent", "_top"] | None = None
    vat_rate: str = "20"
    qr_seconds: int = 60
    connector_refunds_only: bool = False
    declines_recurring: bool = False
    card_on_file: bool = False
    payer_required: bool = False
    wallet_flow: Literal["card", "virtual"] = "virtual"
    unroutable: tuple[str, ...] = ()
    status_card_data: bool = True
    additional_parameters: bool = True
    checkout_payment_method: bool = True
    extended_data: bool = True
    three_ds_data: bool = True
    browser_data: bool = True
    brand: bool = True
    arn: bool = True
    payer_fields: bool = False
    cof_fields: bool = False

    @property
    def password(self) -> str:
        """The signing secret: 32 lower-case hex digits that anybody can compute from the name."""
        return hashlib.md5(f"emulator-{self.name}".encode(), usedforsecurity=False).hexdigest()


def _key(number: int) -> str:
    return f"10000000-0000-4000-8000-{number:012x}"


ACCOUNTS: Final = (
    Account("main", _key(1), card_tokens=("a" * 64, ASYMMETRIC_TOKEN)),
    Account("second", _key(2), card_tokens=("b" * 64,)),
    Account("sha256", _key(3), hash="sha256"),
    Account("no_refunds", _key(4), refunds=False),
    Account("ip_allowlist", _key(5), ip_allowlist=("192.0.2.10",)),
    Account("live_key", _key(6), live=True),
    Account("payer_address_required", _key(7), payer_address_required=True),
    Account("sms", _key(8), mode="SMS"),
    Account("dms", _key(9), mode="DMS"),
    Account("no_zero_amount", _key(10), zero_amount=False),
    Account("options", _key(11), payer_fields=True, cof_fields=True, card_on_file=True, status_card_data=False),
    Account("link_target", _key(12), override_link_target="_top"),
    Account("declines", _key(13), maximum_declines=2),
    Account("connector_refunds", _key(14), connector_refunds_only=True),
    Account("soft_declines", _key(15), declines_recurring=True),
    Account("unroutable", _key(16), unroutable=("CARD2CARD",)),
    Account("payer_required", _key(17), payer_required=True),
    Account("wallet_cards", _key(18), wallet_flow="card"),
    Account(
        "bare",
        _key(19),
        additional_parameters=False,
        checkout_payment_method=False,
        extended_data=False,
        three_ds_data=False,
        browser_data=False,
        brand=False,
    ),
)
BY_KEY: Final = {account.key: account for account in ACCOUNTS}

# Which method belongs to which family of method-specific parameters.
METHODS: Final = {
    "card": "card",
    "googlepay": "wallet",
    "applepay": "wallet",
    "crypto-btg": "crypto_wallet",
    "local-document": "local_document",
    "member-id": "member_id",
    "personal-id": "personal_id",
    "bank-account": "bank_account",
    "instant-account": "instant_account",
    "crypto-deposit": "crypto_deposit",
    "trading-deposit": "trading_deposit",
    "trading-withdrawal": "trading_withdrawal",
    "conversion": "conversion",
    "product-instalments": "product_data",
    "national-id": "national_id",
    "instant-qr": "instant_qr",
}
CHANNELS: Final = {
    "main": frozenset(METHODS),
    "channel-16-chars": frozenset({"card", "googlepay", "applepay"}),
}
FORMS: Final = frozenset({FORM_ID})


def listing() -> list[dict[str, object]]:
    """Every account with its password and settings, ready to be printed as JSON."""
    return [{**asdict(account), "password": account.password} for account in ACCOUNTS]
