"""Faults of Checkout callbacks: delivery and signature."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from html import escape
from typing import Final
from uuid import uuid4

from emulator.callbacks import signatures
from emulator.callbacks.notice import Notice, Value
from emulator.callbacks.sender import Sign
from emulator.callbacks.signatures import checkout
from emulator.design import Change, Design
from emulator.faults.checkout_ways import CALLBACKS, telling, untold
from emulator.faults.model import Fault
from emulator.payments.model import Protocol, State
from emulator.signing import Digest, ascii_upper, hex_digest, session_hash, sha1_hex

_SIGNED: Final = ("id", "order_number", "order_amount", "order_currency", "order_description")
_ON_EVERY: Final = ("CHK-*", "CBK-*", "HPF-*")


def _afterwards(change: Callable[[Notice], Iterator[Notice]]) -> Change:
    """Notices of Checkout payments are changed after they were signed."""

    def changed(notice: Notice) -> list[Notice]:
        return list(change(notice)) if notice.payment.protocol is Protocol.CHECKOUT else [notice]

    return lambda design: design.in_callbacks(after=(*design.callbacks.after, changed))


def _signed(sign: Sign) -> Change:
    return lambda design: design.in_callbacks(signs={**design.callbacks.signs, Protocol.CHECKOUT: sign})


def _hash_as(change: Callable[[str], str]) -> Change:
    return _signed(lambda notice: change(checkout(notice)))


def _made(text: str, digest: Digest) -> str:
    return sha1_hex(hex_digest(digest, text))


def _values(notice: Notice, names: tuple[str, ...] = _SIGNED) -> str:
    return "".join(signatures.text_of(notice.fields, name) for name in names)


def _covering(*names: str) -> Change:
    def sign(notice: Notice) -> str:
        account = notice.payment.account
        return _made(ascii_upper(_values(notice, names) + account.password), account.hash)

    return _signed(sign)


def _without_password(notice: Notice) -> str:
    return _made(ascii_upper(_values(notice)), notice.payment.account.hash)


def _as_sent(notice: Notice) -> str:
    account = notice.payment.account
    return sha1_hex(hex_digest(account.hash, _values(notice) + account.password))


def _multibyte(notice: Notice) -> str:
    account = notice.payment.account
    return session_hash((_values(notice) + account.password).upper(), account.hash)


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


def _untold_to_all(applies: Callable[[Notice], bool]) -> Change:
    def changed(notice: Notice) -> list[Notice]:
        return [] if applies(notice) else [notice]

    return lambda design: design.in_callbacks(before=(*design.callbacks.before, changed))


def _settled(notice: Notice) -> bool:
    return notice.payment.state is State.SETTLED and notice.event == "sale"


def _as_xml(design: Design) -> Design:
    def encoded(fields: Mapping[str, Value]) -> tuple[str, bytes]:
        told = "".join(f"<{name}>{escape(value)}</{name}>" for name, value in fields.items() if isinstance(value, str))
        return "application/xml", f"<callback>{told}</callback>".encode()

    return design.in_callbacks(encode=encoded)


def _nested_dropped(notice: Notice) -> Iterator[Notice]:
    yield replace(notice, fields={name: value for name, value in notice.fields.items() if isinstance(value, str)})


def _of_another(design: Design) -> Design:
    """What is delivered again tells of another payment."""
    seen: set[bytes] = set()
    encode = design.callbacks.encode

    def encoded(fields: Mapping[str, Value]) -> tuple[str, bytes]:
        kind, body = encode(fields)
        if body in seen:
            return encode({**fields, "id": str(uuid4()), "trans_id": str(uuid4())})
        seen.add(body)
        return kind, body

    return design.in_callbacks(encode=encoded)


FAULTS: Final = (
    Fault(
        "checkout-callback-none",
        ("CBK-DEL-01",),
        "Checkout payments are not notified.",
        untold(lambda _notice: True),
        _ON_EVERY,
    ),
    Fault(
        "checkout-callback-of-settled-missing",
        ("CBK-DEL-01",),
        "Settled purchases are not notified.",
        untold(_settled),
        _ON_EVERY,
    ),
    Fault(
        "callback-of-declined-missing",
        ("CBK-DEL-04",),
        "Declined payments are not notified.",
        _untold_to_all(_declined),
        ("CBK-*", "CHK-*", "S2C-*", "APM-*"),
    ),
    Fault("callback-as-xml", ("CBK-DEL-05",), "Callbacks are posted as XML.", _as_xml, ("*",)),
    Fault(
        "callback-never-again",
        ("CBK-DEL-06", "CBK-DEL-07"),
        "What was not taken is not delivered again.",
        lambda design: design.in_callbacks(again=()),
        CALLBACKS,
    ),
    Fault(
        "callback-again-of-another",
        ("CBK-DEL-08",),
        "What is delivered again names another payment.",
        _of_another,
        CALLBACKS,
    ),
    Fault(
        "callback-only-200-counts",
        ("CBK-DEL-09",),
        "Only HTTP 200 takes a callback.",
        lambda design: design.in_callbacks(accepted=lambda status: status == 200),
        CALLBACKS,
    ),
    Fault(
        "checkout-callback-without-hash", ("CBK-SIG-01",), "Callbacks have no hash.", _afterwards(_no_hash), _ON_EVERY
    ),
    Fault(
        "checkout-callback-upper-hash",
        ("CBK-SIG-02",),
        "The hash is in capitals.",
        _hash_as(str.upper),
        ("CBK-SIG-*", "CHK-*", "HPF-*", "CBK-DEL-08"),
    ),
    Fault(
        "checkout-callback-no-outer-sha1",
        ("CBK-SIG-02", "CBK-SIG-03"),
        "The outer SHA1 is missing.",
        _signed(_no_outer_sha1),
        _ON_EVERY,
    ),
    *(
        Fault(
            f"checkout-callback-{name.replace('_', '-')}-unsigned",
            ("CBK-SIG-03",),
            f"The hash does not cover {name}.",
            _covering(*(one for one in _SIGNED if one != name)),
            _ON_EVERY,
        )
        for name in _SIGNED
    ),
    Fault(
        "checkout-callback-without-password",
        ("CBK-SIG-03",),
        "The hash covers no password.",
        _signed(_without_password),
        _ON_EVERY,
    ),
    Fault(
        "checkout-callback-not-upper-cased",
        ("CBK-SIG-03",),
        "The text is not upper-cased.",
        _signed(_as_sent),
        _ON_EVERY,
    ),
    Fault(
        "checkout-callback-always-md5",
        ("CBK-SIG-04",),
        "SHA256 has no effect on callbacks.",
        _signed(_always_md5),
        CALLBACKS,
    ),
    Fault(
        "checkout-callback-all-sha256",
        ("CBK-SIG-04",),
        "With SHA256 the outer digest is SHA256, too.",
        _signed(_all_sha256),
        CALLBACKS,
    ),
    Fault(
        "checkout-callback-multibyte",
        ("CBK-SIG-05",),
        "Letters outside ASCII are upper-cased.",
        _signed(_multibyte),
        CALLBACKS,
    ),
    Fault(
        "checkout-callback-body-signed",
        ("CBK-SIG-03", "CBK-SIG-06"),
        "The hash covers the body.",
        _signed(_of_body),
        _ON_EVERY,
    ),
    Fault(
        "checkout-callback-changed-after-signing",
        ("CBK-SIG-06",),
        "A value is changed after signing.",
        _afterwards(_changed_later),
        _ON_EVERY,
    ),
    Fault(
        "checkout-callback-nested-dropped",
        ("CBK-ATT-13", "CBK-ATT-14", "CBK-ATT-15", "CBK-ATT-16"),
        "custom_data does not come back.",
        telling(_nested_dropped),
        CALLBACKS,
    ),
)
