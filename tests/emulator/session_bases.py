"""Valid session requests of every kind, which together hold every field."""

from emulator.accounts import FORM_ID, SCHEDULE_ID
from tests.emulator.probe import Json

_CARD_SETS: Json = {
    "bnrg_installm_def": "00",
    "bnrg_installm_months": "12",
    "bnrg_installm_plan": "05",
    "document_type": "cpf",
    "document_number": "12345678900",
    "social_name": "John",
    "fiscal_country": "BR",
    "descriptor": "gift",
    "shipping_street1": "Street",
    "customer_telnocc": "1",
    "shipping_postcode": "12345",
    "shipping_country": "276",
    "payer_country_of_birth": "DE",
    "payee_middle_name": "Ann",
    "shipping": {"street1": "Street", "houseNumber1": "7", "country": "DE", "cost": "10", "comment": "soft"},
    "cart": {
        "items": [
            {"name": "gift", "description": "box", "giftMessage": "hi", "quantity": "1", "recipient": {"city": "Bonn"}}
        ],
        "payments": [{"name": "gift", "primary": True}],
    },
    "marketPlace": {"sellers": [{"id": "s1", "amount": "5"}]},
}
_METHODS: Json = {
    "crypto-btg": {"crypto_type": "BTG", "bech32": True, "network_type": "eth", "accountId": "a"},
    "local-document": {"document_number": "1", "document_type": "d"},
    "member-id": {"memberId": "m"},
    "personal-id": {"personal_id": "p"},
    "bank-account": {"bank_code": "B", "bank_account_number": "1"},
    "instant-account": {"upi_id": "u"},
    "crypto-deposit": {"cryptoCurrency": "BTC"},
    "trading-deposit": {"paymentGatewayName": "n", "paymentCurrency": "USD", "tradingAccountLogin": "l"},
    "trading-withdrawal": {"withdrawCurrency": "USD", "address": "a", "tradingAccountLogin": "l"},
    "conversion": {"toCurrency": "USD"},
    "product-instalments": {
        "product_reference_id": "r",
        "product_name": "n",
        "product_quantity": "1",
        "product_sku": "s",
        "product_category": "c",
        "product_url": "u",
        "product_image_url": "i",
        "product_type": "t",
    },
    "national-id": {"bank_cuil": "1", "bank_curp": "2"},
}
_ADDRESS: Json = {
    "country": "US",
    "state": "CA",
    "city": "Los Angeles",
    "address": "Street",
    "zip": "123456",
    "phone": "123",
    "house_number": "3",
    "district": "West",
    "phone_country_code": "1",
    "language": "en",
}
_FULL: Json = {
    "cancel_url": "https://merchant.example/cancel",
    "session_expiry": 60,
    "checkout_language": "en",
    "customer": {"name": "John Doe", "email": "doe@example.com", "birth_date": "1990-01-01"},
    "billing_address": _ADDRESS,
    "parameters": {"card": _CARD_SETS, **_METHODS},
    "crypto": {"network": "ERC20"},
    "form_id": FORM_ID,
}
_SCHEDULED: Json = {"recurring_init": True, "schedule_id": SCHEDULE_ID}
_DATED: Json = {"schedule_start_date": "2031-01-01", "payment_schedule_amount": "5.00"}
_PAYEE: Json = {"payee": {"name": "Zoe Doe", "email": "z@example.com"}, "payee_billing_address": _ADDRESS}

BASES: tuple[Json, ...] = (
    {
        **_FULL,
        **_SCHEDULED,
        **_DATED,
        "channel_id": "main",
        "methods": ["card"],
        "req_token": False,
        "custom_data": {"a": [1]},
    },
    {"operation": "purchase", "card_token": ["a" * 64], "req_token": True, "auth": True, "vat_calc": True},
    {"operation": "debit", "custom_data": {"a": "b"}, **_SCHEDULED},
    {
        "operation": "credit",
        "custom_data": {"a": "b"},
        "card_token": ["a" * 64],
        "payee_first_name": "Z",
        "payee_last_name": "D",
        **_PAYEE,
    },
    {"operation": "transfer", **_PAYEE},
    {"order": {"amount": ..., "currency": "BTC"}, "operation": "purchase"},
    {"schedule_id": SCHEDULE_ID},
    {"parameters": {"card": {"bnrg_installm_def": "00", "bnrg_installm_months": "12", "bnrg_installm_plan": "05"}}},
)
