"""Bulk loading of a synthetic corpus by COPY: saving it one by one would take hours.

The stored rows are those that the product would store; the postings of each chunk are compared with the product's own.
A fifth of the memories are parts of documents of twenty, every second one is linked to an earlier one, three in ten
have been used, and they were saved over the last sixty days. The indexes on postings are built at the end, so they
lack the gaps that years of saving leave.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, LiteralString

import numpy as np
import psycopg
from numpy.typing import NDArray

from bench.memory_corpus import DIMENSION, Chunk, Corpus
from frasier.kernel.ids import new_id
from frasier.kernel.tokenizer import tokenize
from frasier.memory.postings import TermKeys
from frasier.memory.types import MemoryAttributes, MemoryKind, NewMemory
from frasier.memory.vectors.keys import scope_key

SCOPE = "bench"

# The kinds of ten consecutive memories.
_KINDS = np.array(
    [MemoryKind.OBSERVATION] * 4
    + [MemoryKind.LESSON] * 2
    + [MemoryKind.DECISION, MemoryKind.APPROACH]
    + [MemoryKind.PASSAGE] * 2
)
_TYPES = ("episodic", "declarative", "procedural", "semantic", "working")
_DOCUMENT = 20
_DAYS = 60
_TOKENS = (20, 26)  # range of the number of token states of a memory
_STATE_BYTES = 128
_SIGNATURE = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_END = (-1).to_bytes(2, "big", signed=True)

_COPY_ITEMS = """
copy memory_items (id, num, kind, scope, content, content_hash, indexed, length, term_keys, memory_type, thread,
                   triggers, last_seen_at, created_at) from stdin
"""
_COPY_TERMS = "copy memory_terms (term_key, memory_num, tf, dl) from stdin (format binary)"
_COPY_VECTORS = (
    "copy memory_vectors (space_id, memory_num, part, scope_key, embedding) from stdin (format binary)"
)
_COPY_STATES = "copy memory_token_states (space_id, memory_num, part, states) from stdin (format binary)"

_LINKS = """
insert into memory_edges (id, source_id, target_id, relation, strength, origin, extractor)
select gen_random_uuid(), later.id, earlier.id,
    (array['caused', 'enabled', 'derived_from', 'supports'])[1 + later.num % 4], 0.5, 'auto', 'bench'
from memory_items later join memory_items earlier on earlier.num = later.num - 1 - later.num % 97
where later.num % 2 = 0 and earlier.num < later.num
"""
_USAGE = """
insert into memory_strengths (memory_id, stability, use_count, accessed_at)
select id, 3, 1 + num % 12, now() - make_interval(days => (num % 20)::int) from memory_items where num % 10 < 3
"""
_TRIGGERS = """
insert into memory_triggers (scope, phrase, memory_id)
select scope, lower(triggers[1]), id from memory_items where triggers <> '{}'
"""


@dataclass(frozen=True, slots=True)
class _BinaryRows:
    """Encoder of rows of fixed width in the binary format of COPY."""

    columns: tuple[tuple[str, str, int], ...]

    def to_bytes(self, count: int, **values: Any) -> bytes:
        dtype_fields: list[tuple[Any, ...]] = [("fields", ">i2")]
        for name, kind, width in self.columns:
            dtype_fields += [(f"size_{name}", ">i4"), (name, kind, (width,)) if width > 1 else (name, kind)]
        rows = np.zeros(count, np.dtype(dtype_fields))
        rows["fields"] = len(self.columns)
        for name, _, _ in self.columns:
            rows[f"size_{name}"] = rows.dtype[name].itemsize
            rows[name] = values[name]
        return rows.tobytes()


_TERM_ROWS = _BinaryRows((("key", ">i8", 1), ("num", ">i8", 1), ("tf", ">i2", 1), ("dl", ">i2", 1)))
_VECTOR_ROWS = _BinaryRows(
    (
        ("space", ">i2", 1),
        ("num", ">i8", 1),
        ("part", ">i2", 1),
        ("scope", ">i8", 1),
        ("vector", ">u2", DIMENSION + 2),
    )
)


def load(owner_url: str, corpus: Corpus, *, space: int) -> None:
    """Store the corpus with vectors and token states in the given space, without building the vector index."""
    loader = _Loader(corpus, space)
    with psycopg.connect(owner_url) as connection:
        connection.execute("set maintenance_work_mem = '1GB'")
        connection.execute("alter table memory_terms drop constraint memory_terms_pkey")
        for chunk in corpus.chunks():
            loader.store(connection, chunk)
        connection.execute("alter table memory_terms add primary key (term_key, memory_num) include (tf, dl)")
        for statement in (_LINKS, _USAGE, _TRIGGERS):
            connection.execute(statement)
        connection.execute("select setval(pg_get_serial_sequence('memory_items', 'num'), %s)", [corpus.size])
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("vacuum analyze")


class _Loader:
    def __init__(self, corpus: Corpus, space: int) -> None:
        self._corpus = corpus
        self._space = space
        self._now = datetime.now(UTC)

    @cached_property
    def _keys(self) -> NDArray[np.int64]:
        """The term key of each word of the vocabulary."""
        keys = TermKeys()
        terms = [tokenize(word) for word in self._corpus.vocabulary]
        assert all(len(tokens) == 1 for tokens in terms), "a word of the corpus is not exactly one term"
        assert len({term for (term,) in terms}) == len(terms), "two words of the corpus have the same term"
        return np.array([keys.key(SCOPE, term) for (term,) in terms], np.int64)

    def store(self, connection: psycopg.Connection, chunk: Chunk) -> None:
        nums = np.arange(len(chunk)) + chunk.start + 1
        positions, words, frequencies = _postings(chunk.words)
        lengths = (chunk.words >= 0).sum(1)
        keys = self._keys[words]
        self._check_postings(chunk, keys[positions == 0], frequencies[positions == 0])
        split = np.split(keys, np.searchsorted(positions, np.arange(1, len(chunk))))
        with connection.cursor() as cursor, cursor.copy(_COPY_ITEMS) as copy:
            for position, num in enumerate(nums):
                copy.write_row(
                    self._item(int(num), chunk.words[position], int(lengths[position]), split[position])
                )
        terms = _TERM_ROWS.to_bytes(
            len(keys), key=keys, num=nums[positions], tf=frequencies, dl=lengths[positions]
        )
        _send(connection, _COPY_TERMS, [terms])
        _send(connection, _COPY_VECTORS, [self._vectors(nums, chunk.vectors)])
        _send(connection, _COPY_STATES, self._states(nums))

    def _check_postings(self, chunk: Chunk, keys: NDArray[np.int64], frequencies: NDArray[np.int64]) -> None:
        """Check that the first memory of a chunk has the postings that the product makes."""
        text = self._corpus.text(chunk.words[0])
        memory = NewMemory(kind=MemoryKind.PASSAGE, scope=SCOPE, content=text)
        attributes = {field.name: getattr(memory, field.name) for field in fields(MemoryAttributes)}
        expected = TermKeys().postings(attributes)
        actual = dict(zip(keys.tolist(), frequencies.tolist(), strict=True))
        assert actual == dict(zip(expected.keys, expected.frequencies, strict=True)), "different postings"

    def _item(
        self, num: int, words: NDArray[np.int32], length: int, keys: NDArray[np.int64]
    ) -> tuple[Any, ...]:
        content = self._corpus.text(words)
        kind = _KINDS[num % len(_KINDS)]
        saved = self._now - timedelta(days=num * 7919 % _DAYS, seconds=num % 86_400)
        return (
            new_id(),
            num,
            str(kind),
            SCOPE,
            content,
            hashlib.sha256(content.encode()).digest(),
            True,
            length,
            keys.tolist(),
            _TYPES[num % len(_TYPES)],
            f"document {num // (_DOCUMENT * 5)}" if kind == MemoryKind.PASSAGE else None,
            [content.partition(" ")[0]] if num % 50 == 0 else [],
            saved,
            saved,
        )

    def _vectors(self, nums: NDArray[np.int64], vectors: NDArray[np.float32]) -> bytes:
        values = np.zeros((len(nums), DIMENSION + 2), ">u2")
        values[:, 0] = DIMENSION
        values[:, 2:] = vectors.astype(">f2").view(">u2")
        keys = np.array([scope_key(SCOPE, kind) for kind in _KINDS])
        return _VECTOR_ROWS.to_bytes(
            len(nums), space=self._space, num=nums, part=0, scope=keys[nums % len(_KINDS)], vector=values
        )

    def _states(self, nums: NDArray[np.int64]) -> Iterator[bytes]:
        """Yield random token states: the duration of a comparison does not depend on their values."""
        rng = np.random.default_rng(int(nums[0]))
        tokens = rng.integers(*_TOKENS, len(nums))
        for count in range(*_TOKENS):
            selected = nums[tokens == count]
            width = count * _STATE_BYTES
            rows = _BinaryRows(
                (("space", ">i2", 1), ("num", ">i8", 1), ("part", ">i2", 1), ("states", "u1", width))
            )
            states = rng.integers(0, 256, (len(selected), width), np.uint8)
            yield rows.to_bytes(len(selected), space=self._space, num=selected, part=0, states=states)


def _postings(
    words: NDArray[np.int32],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return sorted arrays: the position of a text in the chunk, a word of it, and the number of its occurrences."""
    vocabulary_size = int(words.max()) + 1
    positions, columns = np.nonzero(words >= 0)
    pairs, frequencies = np.unique(
        positions * vocabulary_size + words[positions, columns], return_counts=True
    )
    return pairs // vocabulary_size, pairs % vocabulary_size, frequencies


def _send(connection: psycopg.Connection, statement: LiteralString, chunks: Iterable[bytes]) -> None:
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.write(_SIGNATURE)
        for chunk in chunks:
            copy.write(chunk)
        copy.write(_END)
