"""The format of a snapshot: gzip over lines of JSON, written and read piece by piece.

The first line tells the format, its version and the vector spaces; each further line is one row, with what it
`is`; the last says how many there were of each, so that a snapshot that lost its end is known as damaged.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Iterable, Mapping
from typing import Any, TypeAlias

from frasier.kernel.advice import Advice
from frasier.kernel.errors import StoreError

FORMAT = "frasier-memory"
VERSION = 1

Record: TypeAlias = dict[str, Any]

_GZIP = 31  # zlib's code for the gzip container, which has a checksum
_LEVEL = 3  # higher ones take twice the time for a tenth of the size
_BATCH_ROWS = 500
_BATCH_CHARS = 1_000_000
_PIECE = 1024 * 1024


class SnapshotWriter:
    """Takes lines and keeps them compressed. `size` is exact after each call."""

    def __init__(self) -> None:
        self._gzip = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
        self.data = bytearray()
        self.counts: Counter[str] = Counter()

    @property
    def size(self) -> int:
        return len(self.data)

    def begin(self, **header: Any) -> None:
        self._write([json.dumps({"format": FORMAT, "version": VERSION, **header})])

    def add(self, kind: str, lines: Iterable[str]) -> None:
        """Adds rows of one kind, each as the JSON of an object without `is`."""
        marked = [f'{{"is":"{kind}",{line[1:]}' for line in lines]
        self.counts[kind] += len(marked)
        self._write(marked)

    def room_for(self, lines: Iterable[str], most: int) -> bool:
        """Whether `lines` and the end fit into `most` bytes for certain: compressing adds a thousandth at worst."""
        chars = sum(len(line) + 32 for line in lines)  # rows of numbers and base64: one byte a character
        return self.size + chars + chars // 1000 + 1024 <= most

    def end(self, **remarks: Any) -> None:
        self._write([json.dumps({"is": "end", "counts": self.counts, **remarks})])
        self.data += self._gzip.flush()

    def _write(self, lines: list[str]) -> None:
        self.data += self._gzip.compress("".join(f"{line}\n" for line in lines).encode())
        self.data += self._gzip.flush(zlib.Z_SYNC_FLUSH)


def damaged(why: str) -> StoreError:
    """The error for a snapshot that is not what was written."""
    return StoreError(
        f"The checkpoint is damaged: {why}.",
        kept="Nothing was changed.",
        hint="Restore another checkpoint.",
        advice=Advice("checkpoint.list", to="see those that there are"),
        number="E061",
    )


async def read_batches(pieces: AsyncIterable[bytes]) -> AsyncGenerator[tuple[str, list[Record]], None]:
    """The rows of a snapshot, some at a time and of one kind each; "begin" and "end" come with their one record.

    Raises StoreError (E061) at the first thing that is wrong; what came before it was as it was written.
    """
    counts: Counter[str] = Counter()
    kind, chars = "", 0
    batch: list[Record] = []
    async for line in _lines(pieces):
        record = _record(line, first=not kind)
        if batch and (record["is"] != kind or len(batch) == _BATCH_ROWS or chars > _BATCH_CHARS):
            yield kind, batch
            batch, chars = [], 0
        if kind == "end":
            raise damaged("something follows its end")
        kind = record.pop("is")
        counts[kind] += 1
        batch.append(record)
        chars += len(line)
    if kind != "end":
        raise damaged("its end is missing")
    _check_counts(batch[0].get("counts"), counts)
    yield kind, batch


def _record(line: bytes, *, first: bool) -> Record:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise damaged("a line of it is no JSON") from error
    if first:
        if not isinstance(record, dict) or (record.get("format"), record.get("version")) != (FORMAT, VERSION):
            raise damaged("it has a format that this version does not know")
        record["is"] = "begin"
    if not isinstance(record, dict) or not isinstance(record.get("is"), str):
        raise damaged("a line of it is no row")
    return record


def _check_counts(told: object, counts: Mapping[str, int]) -> None:
    found = {kind: count for kind, count in counts.items() if kind not in {"begin", "end"}}
    if not isinstance(told, dict) or {kind: count for kind, count in told.items() if count} != found:
        raise damaged("rows of it are missing")


async def _lines(pieces: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    rest = b""
    async for text in _unpacked(pieces):
        *lines, rest = (rest + text).split(b"\n")
        for line in lines:
            yield line
    if rest:
        raise damaged("its last line is cut off")


async def _unpacked(pieces: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    gzip = zlib.decompressobj(_GZIP)
    async for piece in pieces:
        left, text = piece, b""
        while left or len(text) == _PIECE:  # a full piece may have more behind it
            try:
                text = gzip.decompress(left, _PIECE)
            except zlib.error as error:
                raise damaged("it cannot be unpacked") from error
            yield text
            left = gzip.unconsumed_tail
        if gzip.unused_data:
            raise damaged("something follows its end")
    if not gzip.eof:
        raise damaged("its end is missing")
