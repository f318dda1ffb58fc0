"""Snapshot format: gzip-compressed JSON lines, written and read incrementally.

The first line gives the format, its version and the vector spaces; each further line is one row, whose kind is in
`is`; the last line gives the number of rows of each kind, so that truncation is detected.
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

_GZIP = 31  # zlib's window bits for the gzip container, which has a checksum
_LEVEL = 3  # higher levels take twice the time to save a tenth of the size
_BATCH_ROWS = 500
_BATCH_CHARS = 1_000_000
_PIECE = 1024 * 1024


class SnapshotWriter:
    """Compresses lines into `data`. `size` is exact after each call."""

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
        """Add rows of one kind, each as a JSON object without `is`."""
        marked = [f'{{"is":"{kind}",{line[1:]}' for line in lines]
        self.counts[kind] += len(marked)
        self._write(marked)

    def has_room(self, lines: Iterable[str], bytes_max: int) -> bool:
        """Whether `lines` and the end surely fit into `bytes_max`: compression adds a thousandth at worst."""
        chars = sum(len(line) + 32 for line in lines)  # numbers and base64: one byte per character
        return self.size + chars + chars // 1000 + 1024 <= bytes_max

    def end(self, **remarks: Any) -> None:
        self._write([json.dumps({"is": "end", "counts": self.counts, **remarks})])
        self.data += self._gzip.flush()

    def _write(self, lines: list[str]) -> None:
        self.data += self._gzip.compress("".join(f"{line}\n" for line in lines).encode())
        self.data += self._gzip.flush(zlib.Z_SYNC_FLUSH)


def damaged(why: str) -> StoreError:
    """The error for a snapshot that differs from what was written."""
    return StoreError(
        f"The checkpoint is damaged: {why}.",
        kept="Nothing was changed.",
        hint="Restore another checkpoint.",
        advice=Advice("checkpoint.list", to="see the existing ones"),
        number="E061",
    )


async def read_batches(pieces: AsyncIterable[bytes]) -> AsyncGenerator[tuple[str, list[Record]], None]:
    """Read the rows of a snapshot in batches of one kind; "begin" and "end" come with a single record.

    Raises StoreError (E061) at the first fault; the batches before it are intact.
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
            raise damaged("data follows its end")
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
        raise damaged("one of its lines is not JSON") from error
    if first:
        if not isinstance(record, dict) or (record.get("format"), record.get("version")) != (FORMAT, VERSION):
            raise damaged("this version does not support its format")
        record["is"] = "begin"
    if not isinstance(record, dict) or not isinstance(record.get("is"), str):
        raise damaged("one of its lines is not a row")
    return record


def _check_counts(expected: object, counts: Mapping[str, int]) -> None:
    rows = {kind: count for kind, count in counts.items() if kind not in {"begin", "end"}}
    if not isinstance(expected, dict) or {kind: count for kind, count in expected.items() if count} != rows:
        raise damaged("some of its rows are missing")


async def _lines(pieces: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    rest = b""
    async for text in _decompressed(pieces):
        *lines, rest = (rest + text).split(b"\n")
        for line in lines:
            yield line
    if rest:
        raise damaged("its last line is cut off")


async def _decompressed(pieces: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    gzip = zlib.decompressobj(_GZIP)
    async for piece in pieces:
        compressed, text = piece, b""
        while compressed or len(text) == _PIECE:  # after a full piece more output may be pending
            try:
                text = gzip.decompress(compressed, _PIECE)
            except zlib.error as error:
                raise damaged("it cannot be decompressed") from error
            yield text
            compressed = gzip.unconsumed_tail
        if gzip.unused_data:
            raise damaged("data follows its end")
    if not gzip.eof:
        raise damaged("its end is missing")
