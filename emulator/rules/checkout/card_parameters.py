"""Rows of the parameter sets under parameters.card, the extended set included."""

from typing import Final

from emulator.rules.checkout.type_codes import coded_rows
from emulator.rules.conditions import sibling
from emulator.rules.model import Rule

_CARD: Final = "parameters.card"
_INSTALLMENTS: Final = ("bnrg_installm_def", "bnrg_installm_months", "bnrg_installm_plan")
_TAX_DOCUMENT: Final = ("document_type", "document_number", "social_name", "fiscal_country")
_SHIPPING_CONTACT: Final = (
    "customer_phone",
    "customer_telnocc",
    "shipping_street1",
    "shipping_city",
    "shipping_state",
    "shipping_postcode",
    "shipping_country",
)
_DEBIT_PARTIES: Final = (
    "payer_identity_type",
    "payer_identity_id",
    "payer_identity_country",
    "payer_identity_exp_date",
    "payer_nationality",
    "payer_country_of_birth",
    "payee_first_name",
    "payee_last_name",
    "payee_middle_name",
    "payee_address",
    "payee_city",
    "payee_state",
    "payee_country",
    "payee_zip",
    "payee_phone",
    "payee_birth_date",
    "payee_identity_type",
    "payee_identity_id",
    "payee_identity_country",
    "payee_identity_exp_date",
    "payee_nationality",
    "payee_country_of_birth",
)
_INSTALLMENT_IDS: Final = {
    "bnrg_installm_def": ("CHK-PRM-02", "CHK-PRM-03"),
    "bnrg_installm_months": ("CHK-PRM-04", "CHK-PRM-05"),
    "bnrg_installm_plan": ("CHK-PRM-06", "CHK-PRM-07"),
}
_INSTALLMENTS_ACCEPTED: Final = {"bnrg_installm_plan": "CHK-PRM-08"}
_TAX_IDS: Final = dict(zip(_TAX_DOCUMENT, ("CHK-PRM-10", "CHK-PRM-11", "CHK-PRM-12", "CHK-PRM-13"), strict=True))


def _plan(value: object, _parent: object, _context: object) -> bool:
    return value == "07"


_SETS: Final = (
    Rule(_CARD, "type", "object"),
    *(
        row
        for name, (shape, presence) in _INSTALLMENT_IDS.items()
        for row in (
            Rule(f"{_CARD}.{name}", "required", requirement=presence, when=sibling(*_INSTALLMENTS)),
            Rule(f"{_CARD}.{name}", "type", "numeric"),
            Rule(
                f"{_CARD}.{name}",
                "length",
                (2,),
                requirement=shape,
                accepts=_INSTALLMENTS_ACCEPTED.get(name, ""),
            ),
            Rule(f"{_CARD}.{name}", "pattern", "[0-9]*", requirement=shape),
        )
    ),
    Rule(f"{_CARD}.bnrg_installm_plan", "accepted", _plan, requirement="CHK-PRM-08", tag="07"),
    Rule(f"{_CARD}.bnrg_installm_def", "accepted", requirement="CHK-PRM-01"),
    *(
        row
        for name, presence in _TAX_IDS.items()
        for row in (
            Rule(f"{_CARD}.{name}", "required", requirement=presence, when=sibling(*_TAX_DOCUMENT)),
            Rule(f"{_CARD}.{name}", "type", "string"),
            Rule(f"{_CARD}.{name}", "notBlank"),
        )
    ),
    Rule(f"{_CARD}.document_type", "enum", ("cpf",), requirement="CHK-PRM-09"),
    Rule(f"{_CARD}.fiscal_country", "format", "country", requirement="CHK-PRM-14"),
    Rule(f"{_CARD}.social_name", "accepted", requirement="CHK-PRM-21"),
    Rule(f"{_CARD}.descriptor", "type", "string", requirement="CHK-PRM-22"),
    Rule(f"{_CARD}.descriptor", "maxLength", 20, requirement="CHK-PRM-15"),
    *(Rule(f"{_CARD}.{name}", "type", "numeric") for name in _SHIPPING_CONTACT),
    Rule(f"{_CARD}.customer_telnocc", "accepted", requirement="CHK-PRM-16"),
    Rule(
        f"{_CARD}.shipping_street1",
        "optional",
        requirement="CHK-PRM-16",
        when=sibling(*_SHIPPING_CONTACT),
    ),
    Rule(f"{_CARD}.shipping_postcode", "pattern", "[0-9]*", requirement="CHK-PRM-23", tag="digits"),
    Rule(f"{_CARD}.shipping_postcode", "maxLength", 9, requirement="CHK-PRM-17"),
    Rule(f"{_CARD}.shipping_country", "pattern", "[0-9]*", requirement="CHK-PRM-23", tag="digits"),
    Rule(f"{_CARD}.shipping_country", "length", (3,), requirement="CHK-PRM-18"),
    *(Rule(f"{_CARD}.{name}", "type", "string") for name in _DEBIT_PARTIES),
    Rule(f"{_CARD}.payer_country_of_birth", "accepted", requirement="CHK-PRM-19"),
    Rule(f"{_CARD}.payee_middle_name", "optional", requirement="CHK-PRM-19", when=sibling(*_DEBIT_PARTIES)),
    Rule(
        f"{_CARD}.document_number",
        "optional",
        requirement="CHK-PRM-20",
        when=sibling(*_INSTALLMENTS),
        tag="installments",
    ),
)

# Names, type code and requirement of each row of the extended set.
_SHIPPING: Final = (
    ("street1 street2", "AN100", "CHK-SHP-01"),
    ("houseNumber1 houseNumber2", "AN100", "CHK-SHP-02"),
    ("city", "AN80", "CHK-SHP-03"),
    ("state", "AN50", "CHK-SHP-04"),
    ("postcode", "AN16", "CHK-SHP-05"),
    ("country", "country", "CHK-SHP-06"),
    ("method", "AN30", "CHK-SHP-07"),
    ("cost", "N13", "CHK-SHP-08"),
    ("comment", "AN160", "CHK-SHP-09"),
    ("expectedDate", "AN10", "CHK-SHP-10"),
    ("logisticsProvider trackingNumber returnTrackingNumber normalized validationStatus", "AN255", "CHK-SHP-11"),
    ("warehouse", "AN100", "CHK-SHP-12"),
    ("preference", "AN21", "CHK-SHP-13"),
    ("middleName", "AN", "CHK-SHP-14"),
    ("companyName", "AN60", "CHK-SHP-15"),
    ("phone workPhone mobile", "AN25", "CHK-SHP-16"),
    ("email", "AN128", "CHK-SHP-17"),
    ("type", "return|shipment", "CHK-SHP-18"),
)
_ITEMS: Final = (
    ("name merchantItemId type", "AN255", "CHK-CRT-01"),
    ("quantity", "N5", "CHK-CRT-02"),
    ("currency", "A3", "CHK-CRT-03"),
    ("description", "AN2048", "CHK-CRT-04"),
    ("price totalAmount taxAmount totalTaxAmount discount", "N13", "CHK-CRT-05"),
    ("tax", "AN6", "CHK-CRT-06"),
    ("taxCategory", "AN2", "CHK-CRT-07"),
    ("shipping", "N10.N2", "CHK-CRT-08"),
    (
        "sku originalPrice giftMessage shippingMethod shippingInstructions shippingTrackingNumber sellerId",
        "AN255",
        "CHK-CRT-09",
    ),
    ("commodityCode", "N8", "CHK-CRT-10"),
    ("commodityDescription", "AN50", "CHK-CRT-11"),
    ("quantityUnit", "M|CM|KG|G|COUNT", "CHK-CRT-12"),
    ("productUrl imageUrl", "url", "CHK-CRT-13"),
    ("totalDiscountAmount", "N10.N2", "CHK-CRT-14"),
    ("productCode partNumber vatReferenceNumber", "AN30", "CHK-CRT-15"),
    ("itemNumber", "N3", "CHK-CRT-16"),
    ("deliveryDate", "AN10", "CHK-CRT-17"),
    ("recipient.salutation", "AN5", "CHK-CRT-18"),
    ("recipient.firstName recipient.lastName", "AN48", "CHK-CRT-19"),
    ("recipient.middleName", "AN50", "CHK-CRT-20"),
    ("recipient.apartment recipient.street recipient.address", "AN100", "CHK-CRT-21"),
    ("recipient.city", "AN80", "CHK-CRT-22"),
    ("recipient.state", "AN50", "CHK-CRT-23"),
    ("recipient.postcode", "AN16", "CHK-CRT-24"),
    ("recipient.country", "A2orN3", "CHK-CRT-25"),
    ("recipient.phone", "N25", "CHK-CRT-26"),
    ("recipient.email", "AN128", "CHK-CRT-27"),
)
_PAYMENTS: Final = (
    ("name", "AN255", "CHK-CPM-01"),
    ("type", "GIFTCARD|PROMOTION", "CHK-CPM-02"),
    ("amount", "N10.N2", "CHK-CPM-03"),
    ("currency", "A3", "CHK-CPM-04"),
    ("status", "pending|authorized|captured", "CHK-CPM-05"),
    ("brand", "AN255", "CHK-CPM-06"),
    ("primary", "boolean", "CHK-CPM-07"),
)
_SELLERS: Final = (("id", "AN255", "CHK-MKT-01"), ("amount", "N13", "CHK-MKT-02"))


def _text(value: object, _parent: object, _context: object) -> bool:
    return isinstance(value, str) and not value.isalnum()


_EXTENDED: Final = (
    Rule(f"{_CARD}.shipping", "type", "object"),
    *coded_rows(f"{_CARD}.shipping", _SHIPPING),
    Rule(f"{_CARD}.cart", "type", "object"),
    Rule(f"{_CARD}.cart.items", "type", "array"),
    Rule(f"{_CARD}.cart.items[]", "type", "object"),
    Rule(f"{_CARD}.cart.items[].recipient", "type", "object"),
    *coded_rows(f"{_CARD}.cart.items[]", _ITEMS),
    Rule(f"{_CARD}.cart.payments", "type", "array"),
    Rule(f"{_CARD}.cart.payments[]", "type", "object"),
    *coded_rows(f"{_CARD}.cart.payments[]", _PAYMENTS),
    Rule(f"{_CARD}.marketPlace", "type", "object"),
    Rule(f"{_CARD}.marketPlace.sellers", "type", "array"),
    Rule(f"{_CARD}.marketPlace.sellers[]", "type", "object"),
    *coded_rows(f"{_CARD}.marketPlace.sellers[]", _SELLERS),
    Rule(f"{_CARD}.shipping", "accepted", requirement="CHK-EXT-01"),
    Rule(f"{_CARD}.cart", "accepted", requirement="CHK-EXT-01"),
    Rule(f"{_CARD}.marketPlace", "accepted", requirement="CHK-EXT-01"),
    *(
        Rule(f"{_CARD}.{path}", "handled", _text, requirement="CHK-EXT-02", tag="punctuation")
        for path in ("shipping.street1", "shipping.comment", "cart.items[].description", "cart.items[].name")
    ),
    Rule(f"{_CARD}.shipping.houseNumber1", "optional", requirement="CHK-EXT-03"),
    Rule(f"{_CARD}.cart.items[].giftMessage", "optional", requirement="CHK-EXT-03"),
)

CARD_PARAMETERS: Final = (*_SETS, *_EXTENDED)
