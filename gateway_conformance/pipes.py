"""Output into a pipe whose reader has enough, such as ``head``: the rest is dropped, the exit status still counts."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

STREAMS: Final = ("stdout", "stderr")


class _Dropping(io.FileIO):
    """A file that takes what nobody reads any more."""

    def write(self, data: ReadableBuffer, /) -> int:
        try:
            return super().write(data) or 0
        except BrokenPipeError:
            return memoryview(data).nbytes


def survive_closed_pipes() -> None:
    """Let this process go on, and end with its own status, when whoever reads its output stops reading.

    Streams that somebody has replaced already, as pytest does while it captures, are left as they are.
    """
    for name in STREAMS:
        stream = getattr(sys, name)
        if stream is not getattr(sys, f"__{name}__") or not isinstance(stream, io.TextIOWrapper):
            continue
        stream.flush()
        raw = _Dropping(stream.fileno(), "w", closefd=False)
        quiet = io.TextIOWrapper(
            io.BufferedWriter(raw), stream.encoding, stream.errors, line_buffering=stream.line_buffering
        )
        setattr(sys, name, quiet)
