"""The picture of an instant QR payment: a PNG with the looks of a code. No scanner reads it; nobody pays with it."""

import base64
import hashlib
import struct
import zlib
from collections.abc import Iterator
from typing import Final

_MODULES: Final = 29
_EYE: Final = 7
_SCALE: Final = 4
_CORNERS: Final = ((0, 0), (0, _MODULES - _EYE), (_MODULES - _EYE, 0))


def picture(text: str) -> str:
    """A PNG in Base64 whose pattern depends on ``text``."""
    size, bits = _MODULES * _SCALE, _bits(text)
    rows = b"".join(_line(bits, row) * _SCALE for row in range(_MODULES))
    header = struct.pack(">IIBBBBB", size, size, 8, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(_chunks(chunks))).decode("ascii")


def _chunks(chunks: tuple[tuple[bytes, bytes], ...]) -> Iterator[bytes]:
    for name, data in chunks:
        yield struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _line(bits: int, row: int) -> bytes:
    return b"\0" + b"".join((b"\0" if _dark(bits, row, column) else b"\xff") * _SCALE for column in range(_MODULES))


def _dark(bits: int, row: int, column: int) -> bool:
    for top, left in _CORNERS:
        down, right = row - top, column - left
        if 0 <= down < _EYE and 0 <= right < _EYE:
            ring = min(down, right, _EYE - 1 - down, _EYE - 1 - right)
            return ring != 1
    return bool(bits >> (row * _MODULES + column) & 1)


def _bits(text: str) -> int:
    return int.from_bytes(
        hashlib.shake_128(text.encode("utf-8", "surrogatepass")).digest(_MODULES * _MODULES // 8 + 1), "big"
    )
