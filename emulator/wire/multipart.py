"""Bodies of multipart/form-data, which form clients of many languages send unasked."""

from email import policy
from email.parser import BytesParser
from typing import Final

from emulator.wire.bodies import RefusedError, wrong_media_type

TYPE: Final = "multipart/form-data"
_MOST: Final = 500


def is_multipart(content_type: str) -> bool:
    """Return whether a body is one, by its content type."""
    return content_type.partition(";")[0].strip().lower() == TYPE


def read_parts(body: bytes, content_type: str) -> dict[str, str]:
    """The fields of a body; raises RefusedError for what has no named parts, too many, or two of one name."""
    head = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1", "replace")
    message = BytesParser(policy=policy.HTTP).parsebytes(head + body)
    parts = list(message.iter_parts()) if message.is_multipart() else []
    fields: dict[str, str] = {}
    for part in parts:
        name, content = part.get_param("name", header="content-disposition"), part.get_payload(decode=True)
        if not isinstance(name, str) or not isinstance(content, bytes) or name in fields:
            raise _unreadable()
        fields[name] = content.decode("utf-8", "replace")
    if not 0 < len(fields) <= _MOST:
        raise _unreadable()
    return fields


def _unreadable() -> RefusedError:
    return wrong_media_type(f"{TYPE} with named parts")
