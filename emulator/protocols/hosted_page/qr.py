"""QR codes as images: one size (version 5, 37 modules a side), lowest error correction, mask 0."""

import base64
import struct
import zlib
from collections.abc import Iterator
from functools import cache
from typing import Final

LONGEST: Final = 106
"""How many bytes fit."""
_SIZE: Final = 37
_DATA: Final = 108
_CORRECTION: Final = 26
_FORMAT: Final = 0b111011111000100
_QUIET: Final = 4
_SCALE: Final = 6

Modules = list[list[int | None]]


def png(content: str) -> bytes:
    """The code of a text, cut to what fits, as a PNG image."""
    rows = _modules(content)
    side = (_SIZE + 2 * _QUIET) * _SCALE
    quiet = b"\0" + b"\xff" * side
    image = quiet * (_QUIET * _SCALE)
    for row in rows:
        dots = b"".join((b"\0" if dark else b"\xff") * _SCALE for dark in row)
        margin = b"\xff" * (_QUIET * _SCALE)
        image += (b"\0" + margin + dots + margin) * _SCALE
    image += quiet * (_QUIET * _SCALE)
    header = struct.pack(">2I5B", side, side, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(image, 9)) + _chunk(b"IEND", b"")
    )


def data_uri(content: str) -> str:
    """The code of a text as an address that holds the image."""
    return "data:image/png;base64," + base64.b64encode(png(content)).decode("ascii")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _modules(content: str) -> list[list[int]]:
    modules: Modules = [[None] * _SIZE for _ in range(_SIZE)]
    _draw_patterns(modules)
    bits = _bits(_codewords(content.encode("utf-8", "replace")[:LONGEST]))
    for row, column in _path():
        if modules[row][column] is None:
            modules[row][column] = next(bits, 0) ^ ((row + column) % 2 == 0)
    return [[int(bool(module)) for module in row] for row in modules]


def _draw_patterns(modules: Modules) -> None:
    for top, left in ((0, 0), (0, _SIZE - 7), (_SIZE - 7, 0)):
        for row in range(-1, 8):
            for column in range(-1, 8):
                if 0 <= top + row < _SIZE and 0 <= left + column < _SIZE:
                    ring = max(abs(row - 3), abs(column - 3))
                    modules[top + row][left + column] = int(ring not in {2, 4})
    for place in range(8, _SIZE - 8):
        modules[6][place] = modules[place][6] = int(place % 2 == 0)
    for row in range(-2, 3):
        for column in range(-2, 3):
            modules[_SIZE - 7 + row][_SIZE - 7 + column] = int(max(abs(row), abs(column)) != 1)
    _draw_format(modules)


def _draw_format(modules: Modules) -> None:
    bits = [_FORMAT >> place & 1 for place in range(15)]
    for place in range(6):
        modules[place][8] = modules[8][_SIZE - 1 - place] = bits[place]
    for place in range(6, 8):
        modules[place + 1][8] = bits[place]
        modules[8][_SIZE - 1 - place] = bits[place]
    modules[8][7] = bits[8]
    for place in range(9, 15):
        modules[8][14 - place] = bits[place]
    for place in range(8, 15):
        modules[_SIZE - 15 + place][8] = bits[place]
    modules[_SIZE - 8][8] = 1


def _path() -> Iterator[tuple[int, int]]:
    upwards = True
    for right in (*range(_SIZE - 1, 6, -2), 5, 3, 1):
        for row in range(_SIZE - 1, -1, -1) if upwards else range(_SIZE):
            yield row, right
            yield row, right - 1
        upwards = not upwards


def _bits(codewords: bytes) -> Iterator[int]:
    return (codeword >> place & 1 for codeword in codewords for place in range(7, -1, -1))


def _codewords(content: bytes) -> bytes:
    text = "0100" + f"{len(content):08b}" + "".join(f"{byte:08b}" for byte in content) + "0000"
    data = bytes(int(text[start : start + 8], 2) for start in range(0, len(text), 8))
    data += (b"\xec\x11" * _DATA)[: _DATA - len(data)]
    return data + _remainder(data)


@cache
def _powers() -> tuple[list[int], list[int]]:
    powers, logarithms, value = [0] * 512, [0] * 256, 1
    for exponent in range(255):
        powers[exponent] = powers[exponent + 255] = value
        logarithms[value] = exponent
        value <<= 1
        if value > 255:
            value ^= 0x11D
    return powers, logarithms


def _times(left: int, right: int) -> int:
    powers, logarithms = _powers()
    return powers[logarithms[left] + logarithms[right]] if left and right else 0


def _remainder(data: bytes) -> bytes:
    powers, _ = _powers()
    generator = [1]
    for exponent in range(_CORRECTION):
        shifted = [*generator, 0]
        for place, factor in enumerate(generator):
            shifted[place + 1] ^= _times(factor, powers[exponent])
        generator = shifted
    rest = [0] * _CORRECTION
    for byte in data:
        factor = byte ^ rest[0]
        rest = [*rest[1:], 0]
        for place in range(_CORRECTION):
            rest[place] ^= _times(generator[place + 1], factor)
    return bytes(rest)
