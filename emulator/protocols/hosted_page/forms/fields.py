"""The fields that the page can ask for."""

from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["text", "tel", "email", "date", "choice"]
Section = Literal["card", "details", "address"]


@dataclass(frozen=True, slots=True)
class Field:
    """A field: how browsers fill it in, where the request gives it, and whether it is ever written back.

    ``path`` is the place of the value in the session request; an empty part stands for the method's identifier.
    ``typing`` is how many characters an input takes, which is more than a rule allows where blanks are dropped.
    """

    name: str
    section: Section
    path: tuple[str, ...] = ()
    kind: Kind = "text"
    autocomplete: str = "off"
    inputmode: str = ""
    typing: int | None = None
    secret: bool = False
    half: bool = False


_ALL: Final = (
    Field("amount", "details", inputmode="decimal", typing=20),
    Field("card_number", "card", autocomplete="cc-number", inputmode="numeric", typing=23, secret=True),
    Field("expiry", "card", autocomplete="cc-exp", inputmode="numeric", typing=7, half=True),
    Field("cvv", "card", autocomplete="cc-csc", inputmode="numeric", typing=4, secret=True, half=True),
    Field("cardholder", "card", ("customer", "name"), autocomplete="cc-name", typing=32),
    Field("email", "details", ("customer", "email"), kind="email", autocomplete="email", inputmode="email"),
    Field("birth_date", "details", ("customer", "birth_date"), kind="date", autocomplete="bday"),
    Field("document_type", "details", ("parameters", "", "document_type"), typing=32, half=True),
    Field("document_number", "details", ("parameters", "", "document_number"), typing=32, half=True),
    Field("member_id", "details", ("parameters", "", "memberId"), typing=64),
    Field("personal_id", "details", ("parameters", "", "personal_id"), typing=64),
    Field("bank_cuil", "details", ("parameters", "", "bank_cuil"), inputmode="numeric", typing=32),
    Field("bank_curp", "details", ("parameters", "", "bank_curp"), typing=32),
    Field("bank_code", "details", ("parameters", "", "bank_code"), typing=32),
    Field("bank_account_number", "details", ("parameters", "", "bank_account_number"), typing=64),
    Field("upi_id", "details", ("parameters", "", "upi_id"), typing=64),
    Field("country", "address", ("billing_address", "country"), kind="choice", autocomplete="country"),
    Field("state", "address", ("billing_address", "state"), kind="choice", autocomplete="address-level1"),
    Field("city", "address", ("billing_address", "city"), autocomplete="address-level2", typing=32, half=True),
    Field("zip", "address", ("billing_address", "zip"), autocomplete="postal-code", typing=32, half=True),
    Field("address", "address", ("billing_address", "address"), autocomplete="street-address", typing=32),
    Field("phone", "address", ("billing_address", "phone"), kind="tel", autocomplete="tel", inputmode="tel", typing=32),
    Field("bank", "details", kind="choice"),
    Field("person_type", "details", kind="choice"),
)
FIELDS: Final = {field.name: field for field in _ALL}
ADDRESS: Final = tuple(field.name for field in _ALL if field.section == "address")
BANKS: Final = {"1007": "Bancolombia", "1051": "Davivienda", "1013": "BBVA"}
PERSON_TYPES: Final = ("individual", "company")
