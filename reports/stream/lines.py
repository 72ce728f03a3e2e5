"""The result stream ``results.jsonl``: written line by line while the run goes on, and read back as a :class:`Run`.

A run that is killed leaves a stream without footer, perhaps with a torn last line. Both are read, as incomplete.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self, TextIO

from pydantic import ValidationError

from reports.model import SCHEMA, Check, Evidence, Exchange, Footer, Header, Json, Lifecycle, Move, Record, Run, Verdict
from reports.stream.chain import FIRST_LINK, chained
from reports.stream.in_use import hold
from reports.text import bounded

STREAM_FILE = "results.jsonl"
MAX_EXCHANGES = 40
"""How many exchanges of a check are kept: the first few and the last."""
_FIRST_KEPT = 5
_TEXT_BYTES = 16 * 1024
_HEADER_BYTES = 4 * 1024
_MAX_HEADERS = 100


class StreamError(Exception):
    """A result stream cannot be used; the message names file and line and says what to do."""


class StreamWriter:
    """Writes a result stream; every line is on the disk before the next check ends.

    Args:
        file: where to; overwritten.
        header: the first line.
    """

    def __init__(self, file: Path, header: Header) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._out: TextIO = file.open("w", encoding="ascii", newline="\n")
        hold(self._out)
        self._names: Counter[str] = Counter()
        self._sampled: set[str] = set()
        self._evidence = 0
        self._link = FIRST_LINK
        self._write(header)

    def __enter__(self) -> Self:
        """Use it as a context that closes the file."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the file."""
        self.close()

    def check(self, check: Check, exchanges: Iterable[Exchange] = ()) -> Check:
        """Write a check, and its exchanges where they are wanted as evidence.

        Exchanges are kept of every check that did not pass, and of the first pass of each requirement.

        Returns:
            The check as it was written: bounded, with its evidence, and distinguished from another of the same id.
        """
        self._names[check.id] += 1
        changes: dict[str, Json] = dict(_bounded_texts(check))
        if self._names[check.id] > 1:
            changes["id"] = f"{check.id} ({self._names[check.id]})"
        kept = tuple(exchanges) if self._is_wanted(check) else ()
        if kept:
            self._evidence += 1
            changes["evidence"] = (f"e{self._evidence}",)
        written = check.model_copy(update=changes)
        if kept:
            self._write(_evidence(written.evidence[0], written.id, kept))
        self._write(written)
        return written

    def lifecycle(self, moves: Iterable[tuple[Move, Sequence[Exchange]]]) -> None:
        """Write what happened to the payments of the run, each move with the exchanges that show it."""
        written = []
        for move, exchanges in moves:
            self._evidence += 1
            name = f"e{self._evidence}"
            self._write(_evidence(name, move.check, tuple(exchanges)))
            written.append(move.model_copy(update={"evidence": name}))
        if written:
            self._write(Lifecycle(moves=tuple(written)))

    def footer(self, footer: Footer) -> None:
        """Write the last line."""
        self._write(footer)

    def close(self) -> None:
        """Close the file."""
        self._out.close()

    def _is_wanted(self, check: Check) -> bool:
        if check.verdict is not Verdict.PASS:
            return True
        shown = {f"{followed.requirement} {followed.reading}" for followed in check.readings}
        new = {*check.requirements, *shown} - self._sampled
        self._sampled |= new
        return bool(new)

    def _write(self, record: Record) -> None:
        line, self._link = chained(record.model_dump_json(by_alias=True, ensure_ascii=True), self._link)
        self._out.write(line + "\n")
        self._out.flush()


def _bounded_texts(check: Check) -> Mapping[str, Json]:
    texts = {name: bounded(getattr(check, name), _TEXT_BYTES)[0] for name in ("title", "reason", "decides")}
    if check.failure is None:
        return texts
    texts = check.failure.model_dump(include={"expected", "texts", "explanation", "reproduce"})
    failure = {name: bounded(text, _TEXT_BYTES)[0] for name, text in texts.items()}
    return {**texts, "failure": check.failure.model_copy(update=failure)}


def _evidence(name: str, check: str, exchanges: tuple[Exchange, ...]) -> Evidence:
    omitted = max(0, len(exchanges) - MAX_EXCHANGES)
    if omitted:
        exchanges = (*exchanges[:_FIRST_KEPT], *exchanges[_FIRST_KEPT - MAX_EXCHANGES :])
    return Evidence(id=name, check=check, exchanges=tuple(map(_bounded_exchange, exchanges)), omitted=omitted)


def _bounded_exchange(exchange: Exchange) -> Exchange:
    request_body, request_cut = bounded(exchange.request_body)
    response_body, response_cut = bounded(exchange.response_body)
    return exchange.model_copy(
        update={
            "url": bounded(exchange.url, _TEXT_BYTES)[0],
            "note": bounded(exchange.note, _TEXT_BYTES)[0],
            "request_headers": _bounded_headers(exchange.request_headers),
            "request_body": request_body,
            "response_headers": _bounded_headers(exchange.response_headers),
            "response_body": response_body,
            "truncated": exchange.truncated or request_cut or response_cut,
        }
    )


def _bounded_headers(headers: Mapping[str, str]) -> dict[str, str]:
    first = list(headers.items())[:_MAX_HEADERS]
    return {bounded(name, _HEADER_BYTES)[0]: bounded(value, _HEADER_BYTES)[0] for name, value in first}


_KINDS: Mapping[Json, type[Record]] = MappingProxyType(
    {"header": Header, "check": Check, "evidence": Evidence, "lifecycle": Lifecycle, "footer": Footer}
)


def read_stream(file: Path) -> Run:
    """Read a result stream.

    Returns:
        The run; without footer, or torn, where it was killed.

    Raises:
        StreamError: the file cannot be read, is no result stream, has another schema, has a check twice, or goes on
            behind its footer.
    """
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as error:
        raise StreamError(f"{file}: cannot be read: {error.strerror}") from error
    records, torn = _records(file, lines)
    header, footer = _ends(file, records)
    checks = tuple(record for record in records if isinstance(record, Check))
    twice = [name for name, times in Counter(check.id for check in checks).items() if times > 1]
    if twice:
        raise StreamError(f"{file}: has {len(twice)} checks more than once, first {twice[0]}; make the run again")
    evidence = {record.id: record for record in records if isinstance(record, Evidence)}
    moves = tuple(move for record in records if isinstance(record, Lifecycle) for move in record.moves)
    return Run(header=header, checks=checks, evidence=evidence, moves=moves, footer=footer, torn=torn)


def _records(file: Path, lines: list[str]) -> tuple[list[Record], bool]:
    last = lines.pop()
    records = [_record(f"{file}: line {number}", line) for number, line in enumerate(lines, start=1)]
    if not last:
        return records, False
    try:
        return [*records, _record(f"{file}: line {len(lines) + 1}", last)], False
    except StreamError:
        return records, True


def _record(place: str, line: str) -> Record:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise StreamError(f"{place} is not JSON; is it a {STREAM_FILE}?") from error
    kind = _KINDS.get(value.get("kind")) if isinstance(value, dict) else None
    if kind is None:
        raise StreamError(f"{place} is no line of a result stream; is it a {STREAM_FILE}?")
    if kind is Header and value.get("schema") != SCHEMA:
        raise StreamError(
            f"{place}: the stream has schema {value.get('schema')!r} and this version reads schema {SCHEMA}; "
            "use the version of the suite that wrote it"
        )
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        found = error.errors()[0]
        raise StreamError(f"{place}: {'.'.join(map(str, found['loc']))}: {found['msg']}") from error


def _ends(file: Path, records: list[Record]) -> tuple[Header, Footer | None]:
    headers = [record for record in records if isinstance(record, Header)]
    footers = [record for record in records if isinstance(record, Footer)]
    if len(headers) != 1 or records[0] is not headers[0]:
        raise StreamError(f"{file}: a stream begins with its header and has one only, found {len(headers)}")
    if footers and (len(footers) != 1 or records[-1] is not footers[0]):
        raise StreamError(f"{file}: the footer is not the last line; do not join streams by hand, use merge")
    return headers[0], footers[0] if footers else None
