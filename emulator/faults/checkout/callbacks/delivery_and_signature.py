"""Faults of Checkout callbacks: delivery and signature."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from html import escape
from typing import Final
from urllib.parse import unquote_plus
from uuid import uuid4

from emulator.changes.checkout import NOTICES
from emulator.changes.notices import EVERY_NOTICE
from emulator.design import Change, Design
from emulator.engine.callbacks import signatures
from emulator.engine.callbacks.notice import Notice, Value
from emulator.engine.callbacks.signatures import checkout
from emulator.engine.payments import State
from emulator.engine.signing import Digest, ascii_upper, hex_digest, session_hash, sha1_hex
from emulator.faults.model import breaks, faults

_SIGNED: Final = ("id", "order_number", "order_amount", "order_currency", "order_description")


def _hash_as(change: Callable[[str], str]) -> Change:
    return NOTICES.signed(lambda notice: change(checkout(notice)))


def _made(text: str, digest: Digest) -> str:
    return sha1_hex(hex_digest(digest, text))


def _values(notice: Notice, names: tuple[str, ...] = _SIGNED) -> str:
    return "".join(signatures.text_of(notice.fields, name) for name in names)


def _covering(*names: str) -> Change:
    def sign(notice: Notice) -> str:
        account = notice.payment.account
        return _made(ascii_upper(_values(notice, names) + account.password), account.hash)

    return NOTICES.signed(sign)


def _without_password(notice: Notice) -> str:
    return _made(ascii_upper(_values(notice)), notice.payment.account.hash)


def _as_sent(notice: Notice) -> str:
    account = notice.payment.account
    return sha1_hex(hex_digest(account.hash, _values(notice) + account.password))


def _of_ascii_alone(notice: Notice) -> str:
    account = notice.payment.account
    kept = "".join(sign for sign in _values(notice) if sign.isascii())
    return session_hash(kept + account.password, account.hash)


def _always_md5(notice: Notice) -> str:
    return _made(ascii_upper(_values(notice) + notice.payment.account.password), "md5")


def _no_outer_sha1(notice: Notice) -> str:
    account = notice.payment.account
    return hex_digest(account.hash, ascii_upper(_values(notice) + account.password))


def _all_sha256(notice: Notice) -> str:
    account = notice.payment.account
    text = ascii_upper(_values(notice) + account.password)
    inner = hex_digest(account.hash, text)
    return sha1_hex(inner) if account.hash == "md5" else hex_digest("sha256", inner)


def _decoded_again(notice: Notice) -> str:
    account = notice.payment.account
    return _made(ascii_upper(unquote_plus(_values(notice)) + account.password), account.hash)


def _of_body(notice: Notice) -> str:
    account = notice.payment.account
    joined = "".join(f"{name}={value}" for name, value in notice.fields.items() if isinstance(value, str))
    return _made(ascii_upper(joined + account.password), account.hash)


def _no_hash(notice: Notice) -> Iterator[Notice]:
    yield replace(notice, fields={name: value for name, value in notice.fields.items() if name != "hash"})


def _changed_later(notice: Notice) -> Iterator[Notice]:
    fields = {**notice.fields, "order_description": f"{notice.fields.get('order_description', '')} "}
    yield replace(notice, fields=fields)


def _declined(notice: Notice) -> bool:
    return notice.payment.state is State.DECLINED


def _settled(notice: Notice) -> bool:
    return notice.payment.state is State.SETTLED and notice.event == "sale"


def _as_xml(design: Design) -> Design:
    def encoded(fields: Mapping[str, Value]) -> tuple[str, bytes]:
        elements = "".join(
            f"<{name}>{escape(value)}</{name}>" for name, value in fields.items() if isinstance(value, str)
        )
        return "application/xml", f"<callback>{elements}</callback>".encode()

    return design.in_callbacks(encode=encoded)


def _nested_dropped(notice: Notice) -> Iterator[Notice]:
    yield replace(notice, fields={name: value for name, value in notice.fields.items() if isinstance(value, str)})


def _of_another(design: Design) -> Design:
    """What is delivered again reports another payment."""
    seen: set[bytes] = set()
    encode = design.callbacks.encode

    def encoded(fields: Mapping[str, Value]) -> tuple[str, bytes]:
        kind, body = encode(fields)
        if body in seen:
            return encode({**fields, "id": str(uuid4()), "trans_id": str(uuid4())})
        seen.add(body)
        return kind, body

    return design.in_callbacks(encode=encoded)


FAULTS: Final = faults(
    {
        "checkout-callback-of-settled-missing": breaks(
            "CBK-DEL-01", "Settled purchases are not notified.", NOTICES.dropped(_settled)
        ),
        "callback-of-declined-missing": breaks(
            "CBK-DEL-04", "Declined payments are not notified.", EVERY_NOTICE.dropped(_declined)
        ),
        "callback-as-xml": breaks("CBK-DEL-05", "Callbacks are posted as XML.", _as_xml),
        "callback-never-again": breaks(
            "CBK-DEL-06 CBK-DEL-07",
            "What was not taken is not delivered again.",
            lambda design: design.in_callbacks(again=()),
        ),
        "callback-again-of-another": breaks(
            "CBK-DEL-08", "What is delivered again names another payment.", _of_another
        ),
        "callback-only-200-counts": breaks(
            "CBK-DEL-09",
            "Only HTTP 200 takes a callback.",
            lambda design: design.in_callbacks(accepted=lambda status: status == 200),
        ),
        "checkout-callback-without-hash": breaks(
            "CBK-SIG-01", "Callbacks have no hash.", NOTICES.changed_when_signed(_no_hash)
        ),
        "checkout-callback-upper-hash": breaks("CBK-SIG-02", "The hash is in capitals.", _hash_as(str.upper)),
        "checkout-callback-no-outer-sha1": breaks(
            "CBK-SIG-02 CBK-SIG-03", "The outer SHA1 is missing.", NOTICES.signed(_no_outer_sha1)
        ),
        **{
            f"checkout-callback-{name.replace('_', '-')}-unsigned": breaks(
                "CBK-SIG-03", f"The hash does not cover {name}.", _covering(*(one for one in _SIGNED if one != name))
            )
            for name in _SIGNED
        },
        "checkout-callback-without-password": breaks(
            "CBK-SIG-03", "The hash covers no password.", NOTICES.signed(_without_password)
        ),
        "checkout-callback-not-upper-cased": breaks(
            "CBK-SIG-03", "The text is not upper-cased.", NOTICES.signed(_as_sent)
        ),
        "checkout-callback-always-md5": breaks(
            "CBK-SIG-04", "SHA256 has no effect on callbacks.", NOTICES.signed(_always_md5)
        ),
        "checkout-callback-all-sha256": breaks(
            "CBK-SIG-04", "With SHA256 the outer digest is SHA256, too.", NOTICES.signed(_all_sha256)
        ),
        "checkout-callback-signed-over-ascii-alone": breaks(
            "CBK-SIG-05", "Letters outside ASCII are not signed.", NOTICES.signed(_of_ascii_alone)
        ),
        "checkout-callback-signed-over-decoded-values": breaks(
            "CBK-SIG-06", "Values are decoded once more before they are signed.", NOTICES.signed(_decoded_again)
        ),
        "checkout-callback-body-signed": breaks("CBK-SIG-03", "The hash covers the body.", NOTICES.signed(_of_body)),
        "checkout-callback-changed-after-signing": breaks(
            "CBK-SIG-03", "A value is changed after signing.", NOTICES.changed_when_signed(_changed_later)
        ),
        "checkout-callback-nested-dropped": breaks(
            "CBK-ATT-13 CBK-ATT-14 CBK-ATT-15 CBK-ATT-16",
            "custom_data does not come back.",
            NOTICES.changed(_nested_dropped),
        ),
    }
)
