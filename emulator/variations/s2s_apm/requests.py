"""Variations of S2S APM: how posts are read, checked and refused."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from emulator.changes.s2s_apm import NOTICES, json_form, reading_bodies, signature_before_fields
from emulator.design import Change, Design, all_of
from emulator.engine.callbacks.notice import Notice
from emulator.engine.duplicates import WindowRule
from emulator.engine.payments import Protocol
from emulator.protocols.s2s_apm.behaviour import FORM, ApmHashTest, Reader, accepts_hash, is_known
from emulator.rules.amounts import well_formed
from emulator.rules.model import Context, JsonObject, Rule
from emulator.rules.s2s_apm.brands import IDENTIFIERS, Outcome
from emulator.variations.model import Variation
from emulator.wire import multipart
from emulator.wire.replies import INVALID_DATA, Kind, Refusal

_BLANK: Final = "This value should not be blank."
_TRANSACTIONS: Final = ("CAPTURE", "CREDITVOID", "VOID", "GET_TRANS_STATUS")
_CONDITIONAL: Final = ("document_number", "document_type", "memberId", "personal_id", "product_name")


def _refused_as_data(field: str, text: str) -> Refusal:
    return Refusal(Kind.APM_FIELDS, INVALID_DATA, violations=((field, text),))


def _unknown_payment(message: str, code: int) -> Change:
    refusal = Refusal(Kind.NOT_FOUND, message, code=code)
    return lambda design: design.in_apm(not_found=dict.fromkeys(_TRANSACTIONS, refusal))


def _adding(action: str, *rows: Rule) -> Change:
    return lambda design: replace(design, apm_rows={**design.apm_rows, action: (*design.apm_rows[action], *rows)})


def _demanded(row: Rule) -> Rule:
    name = row.path.rpartition(".")[2]
    return (
        replace(row, keyword="required", text=_BLANK)
        if (name in _CONDITIONAL and row.keyword == "handledWithout")
        else row
    )


def _trimming(reader: Reader) -> Reader:
    def read(body: bytes, content_type: str) -> Mapping[str, str]:
        return {name: value.strip() for name, value in reader(body, content_type).items()}

    return read


def _trimmed(design: Design) -> Design:
    return design.in_apm(readers={name: _trimming(reader) for name, reader in design.apm.readers.items()})


def _requests_by_md5(design: Design) -> Design:
    accepts = design.apm.accepts_hash

    def by_md5(test: ApmHashTest) -> bool:
        return accepts(replace(test, account=replace(test.account, hash="md5")))

    return design.in_apm(accepts_hash=by_md5)


def _operations_by_md5(*, only: bool) -> Change:
    """Line 405 says MD5 of three actions, and nothing of an option: those are taken with it, or with nothing else."""

    def change(design: Design) -> Design:
        accepts = design.apm.accepts_hash

        def taken(test: ApmHashTest) -> bool:
            by_md5 = accepts(replace(test, account=replace(test.account, hash="md5")))
            if test.action not in ("CAPTURE", "VOID", "GET_TRANS_STATUS"):
                return accepts(test)
            return by_md5 or (not only and accepts(test))

        return design.in_apm(accepts_hash=taken)

    return change


def _callbacks_by_md5(design: Design) -> Design:
    sign = design.callbacks.signs[Protocol.S2S_APM]

    def by_md5(notice: Notice) -> str:
        account = replace(notice.payment.account, hash="md5")
        return sign(replace(notice, payment=replace(notice.payment, account=account)))

    return NOTICES.signed(by_md5)(design)


def _zero_fraction(value: object, parent: JsonObject, context: Context) -> bool:
    currency = parent.get("order_currency")
    if not isinstance(value, str) or ("." not in value and currency in {"XOF", "XAF"}):
        return True
    return well_formed(value, currency, context.amounts)


def _zero_fraction_taken(design: Design) -> Design:
    return design.with_apm_rows(
        "CREDIT2VIRTUAL", lambda row: replace(row, bound=_zero_fraction) if row.keyword == "decimals" else row
    )


def _forms_only(design: Design) -> Design:
    readers = {kind: read for kind, read in design.apm.readers.items() if kind != multipart.TYPE}
    return design.in_apm(readers=readers)


def _any_kind(design: Design) -> Design:
    form = design.apm.readers[FORM]
    json_read = reading_bodies("application/json", lambda body, _content_type: json_form(body))
    text_read = reading_bodies("text/plain", lambda body, content_type: json_form(body) or form(body, content_type))
    return all_of(json_read, text_read)(design)


def _either_case(test: ApmHashTest) -> bool:
    return accepts_hash(replace(test, given=test.given.lower()))


def _signature_first(design: Design) -> Design:
    return design.in_apm(
        stages={action: signature_before_fields(passed) for action, passed in design.apm.stages.items()}
    )


def _hash_required(design: Design) -> Design:
    for action in design.apm_rows:
        design = _adding(action, Rule("hash", "required"), Rule("hash", "notBlank"))(design)
    return design


def _refunds_before(name: str, release: str) -> bool:
    return name == "CREDITVOID" or is_known(name, release)


def _sends_the_payer_away(_context: Context, parent: JsonObject) -> bool:
    return IDENTIFIERS.get(str(parent.get("identifier"))) is Outcome.REDIRECTED


def _of_payers_sent_away(row: Rule) -> Rule:
    return replace(row, when=_sends_the_payer_away) if row.path == "return_url" else row


VARIATIONS: Final = (
    Variation("apm-values-trimmed", "Blanks around the values of a form are dropped.", _trimmed),
    Variation(
        "apm-return-url-of-redirects-alone",
        "S2S APM looks at return_url only where the payer is sent to a page.",
        lambda design: design.with_apm_rows("SALE", _of_payers_sent_away),
    ),
    Variation(
        "apm-unknown-action-is-invalid-data",
        "S2S APM refuses an action that it does not have as invalid data.",
        lambda design: design.in_apm(
            unknown=_refused_as_data("action", "The value you selected is not a valid choice."),
            missing=_refused_as_data("action", _BLANK),
        ),
    ),
    Variation(
        "apm-unknown-action-is-unsupported",
        "S2S APM refuses an action that it does not have with 204005.",
        lambda design: design.in_apm(unknown=design.apm.unroutable, missing=design.apm.unroutable),
    ),
    Variation(
        "apm-unknown-payment-is-transaction",
        "Every S2S APM action on an unknown payment says that the transaction does not exist.",
        _unknown_payment("Transaction does not exist.", 101000),
    ),
    Variation(
        "apm-unknown-payment-is-transaction-100000",
        "The same, with the code of payments.",
        _unknown_payment("Transaction does not exist.", 100000),
    ),
    Variation(
        "apm-unknown-payment-is-payment",
        "Every S2S APM action on an unknown payment says that the payment was not found.",
        _unknown_payment("Payment not found.", 100000),
    ),
    Variation(
        "apm-unknown-payment-other-pair",
        "S2S APM has a code of its own for unknown payments.",
        _unknown_payment("Payment is not found.", 208001),
    ),
    Variation(
        "apm-conditional-parameters-required",
        "Parameters that a method may collect are required.",
        lambda design: design.with_apm_rows("SALE", _demanded),
    ),
    Variation("apm-payout-zero-fraction", "Amounts in XOF and XAF may be written with .00.", _zero_fraction_taken),
    Variation("apm-json-read", "Bodies of JSON and of plain text are served like forms.", _any_kind),
    Variation("apm-multipart-refused", "A body of multipart/form-data is refused.", _forms_only),
    Variation(
        "apm-order-used-once",
        "An order id of S2S APM is never taken again.",
        lambda design: design.in_apm(window=WindowRule(kept_for_good=True)),
    ),
    Variation(
        "apm-duplicate-in-errors",
        "A repeated order id is reported in errors.",
        lambda design: design.in_apm(
            duplicate=Refusal(Kind.DUPLICATE, INVALID_DATA, violations=(("order_id", "Duplicate payment."),))
        ),
    ),
    Variation(
        "apm-hash-in-either-case",
        "The hash of S2S APM may be written in upper case.",
        lambda design: design.in_apm(accepts_hash=_either_case),
    ),
    Variation(
        "apm-requests-stay-md5",
        "With the SHA256 option requests of S2S APM stay MD5: the option is about callbacks.",
        _requests_by_md5,
    ),
    Variation(
        "apm-without-sha256",
        "The SHA256 option is one of other mappings: requests and callbacks of S2S APM stay MD5.",
        all_of(_requests_by_md5, _callbacks_by_md5),
    ),
    Variation(
        "apm-operations-stay-md5",
        "With the SHA256 option CAPTURE, VOID and GET_TRANS_STATUS stay MD5.",
        _operations_by_md5(only=True),
    ),
    Variation(
        "apm-operations-by-md5-as-well",
        "With the SHA256 option MD5 is taken of CAPTURE, VOID and GET_TRANS_STATUS as well.",
        _operations_by_md5(only=False),
    ),
    Variation(
        "apm-zip-of-10-characters",
        "payer_zip of S2S APM takes 10 characters, as zip does in Checkout.",
        lambda design: design.with_apm_rows(
            "SALE",
            lambda row: replace(row, bound=10) if (row.path, row.keyword) == ("payer_zip", "maxLength") else row,
        ),
    ),
    Variation("apm-hash-required", "A post to S2S APM without hash is refused as invalid data.", _hash_required),
    Variation("apm-signature-before-fields", "S2S APM checks the signature before the fields.", _signature_first),
    Variation(
        "apm-unknown-brand-in-errors",
        "An unknown brand is refused as invalid data.",
        lambda design: design.in_apm(
            unknown_brand=_refused_as_data("brand", "The value you selected is not a valid choice.")
        ),
    ),
    Variation(
        "apm-creditvoid-before-authorizations",
        "CREDITVOID gives payments back before there are authorizations.",
        lambda design: design.in_apm(known=_refunds_before),
    ),
)
