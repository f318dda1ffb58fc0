"""Loading of a synthetic corpus by COPY, of a size that would take hours to save one by one.

What is stored is what the product would have stored: each stretch is held against the product's own postings. A fifth
are parts of documents of twenty, every second memory is linked to an earlier one, three in ten have been used, and
they were saved over the last sixty days. Indexes on postings are made at the end, hence without the gaps that years
of saving leave.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, LiteralString

import numpy as np
import psycopg
from numpy.typing import NDArray

from bench.memory_corpus import DIMENSION, Corpus, Stretch
from frasier.kernel.ids import new_id
from frasier.kernel.tokenizer import tokenize
from frasier.memory.postings import TermKeys
from frasier.memory.rows import attributes_of
from frasier.memory.types import MemoryKind, NewMemory
from frasier.memory.vectors.keys import scope_key

SCOPE = "bench"

# Of ten memories so many are of that kind, by their place.
_KINDS = np.array(
    [MemoryKind.OBSERVATION] * 4
    + [MemoryKind.LESSON] * 2
    + [MemoryKind.DECISION, MemoryKind.APPROACH]
    + [MemoryKind.PASSAGE] * 2
)
_TYPES = ("episodic", "declarative", "procedural", "semantic", "working")
_DOCUMENT = 20
_DAYS = 60
_TOKENS = (20, 26)  # that a memory of such a length keeps the states of: from, and below
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
_USES = """
insert into memory_strengths (memory_id, stability, use_count, accessed_at)
select id, 3, 1 + num % 12, now() - make_interval(days => (num % 20)::int) from memory_items where num % 10 < 3
"""
_TRIGGERS = """
insert into memory_triggers (scope, phrase, memory_id)
select scope, lower(triggers[1]), id from memory_items where triggers <> '{}'
"""


@dataclass(frozen=True, slots=True)
class _Rows:
    """The columns of a table of fixed width in the binary form of COPY."""

    columns: tuple[tuple[str, str, int], ...]

    def sent(self, count: int, **values: Any) -> bytes:
        fields: list[tuple[Any, ...]] = [("fields", ">i2")]
        for name, kind, width in self.columns:
            fields += [(f"size_{name}", ">i4"), (name, kind, (width,)) if width > 1 else (name, kind)]
        rows = np.zeros(count, np.dtype(fields))
        rows["fields"] = len(self.columns)
        for name, _, _ in self.columns:
            rows[f"size_{name}"] = rows.dtype[name].itemsize
            rows[name] = values[name]
        return rows.tobytes()


_TERM_ROWS = _Rows((("key", ">i8", 1), ("num", ">i8", 1), ("tf", ">i2", 1), ("dl", ">i2", 1)))
_VECTOR_ROWS = _Rows(
    (
        ("space", ">i2", 1),
        ("num", ">i8", 1),
        ("part", ">i2", 1),
        ("scope", ">i8", 1),
        ("vector", ">u2", DIMENSION + 2),
    )
)


def load(owner_url: str, corpus: Corpus, *, space: int) -> None:
    """Stores the whole corpus with vectors and token states in the given space; the index of vectors is not made."""
    loader = _Loader(corpus, space)
    with psycopg.connect(owner_url) as connection:
        connection.execute("set maintenance_work_mem = '1GB'")
        connection.execute("alter table memory_terms drop constraint memory_terms_pkey")
        for stretch in corpus.stretches():
            loader.store(connection, stretch)
        connection.execute("alter table memory_terms add primary key (term_key, memory_num) include (tf, dl)")
        for statement in (_LINKS, _USES, _TRIGGERS):
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
        """The key of each word of the vocabulary."""
        keys = TermKeys()
        terms = [tokenize(word) for word in self._corpus.vocabulary]
        assert all(len(found) == 1 for found in terms), "a word of the corpus is not one term"
        assert len({term for (term,) in terms}) == len(terms), "two words of the corpus are one term"
        return np.array([keys.key(SCOPE, term) for (term,) in terms], np.int64)

    def store(self, connection: psycopg.Connection, stretch: Stretch) -> None:
        nums = np.arange(len(stretch)) + stretch.start + 1
        places, words, frequencies = _postings(stretch.words)
        lengths = (stretch.words >= 0).sum(1)
        keys = self._keys[words]
        self._check(stretch, keys[places == 0], frequencies[places == 0])
        split = np.split(keys, np.searchsorted(places, np.arange(1, len(stretch))))
        with connection.cursor() as cursor, cursor.copy(_COPY_ITEMS) as copy:
            for place, num in enumerate(nums):
                copy.write_row(self._item(int(num), stretch.words[place], int(lengths[place]), split[place]))
        terms = _TERM_ROWS.sent(len(keys), key=keys, num=nums[places], tf=frequencies, dl=lengths[places])
        _send(connection, _COPY_TERMS, [terms])
        _send(connection, _COPY_VECTORS, [self._vectors(nums, stretch.vectors)])
        _send(connection, _COPY_STATES, self._states(nums))

    def _check(self, stretch: Stretch, keys: NDArray[np.int64], frequencies: NDArray[np.int64]) -> None:
        """The first memory of each stretch has the postings that the product makes."""
        text = self._corpus.text(stretch.words[0])
        memory = NewMemory(kind=MemoryKind.PASSAGE, scope=SCOPE, content=text)
        made = TermKeys().postings(attributes_of(memory))
        ours = dict(zip(keys.tolist(), frequencies.tolist(), strict=True))
        assert ours == dict(zip(made.keys, made.frequencies, strict=True)), "not the product's postings"

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
        sent = np.zeros((len(nums), DIMENSION + 2), ">u2")
        sent[:, 0] = DIMENSION
        sent[:, 2:] = vectors.astype(">f2").view(">u2")
        keys = np.array([scope_key(SCOPE, kind) for kind in _KINDS])
        return _VECTOR_ROWS.sent(
            len(nums), space=self._space, num=nums, part=0, scope=keys[nums % len(_KINDS)], vector=sent
        )

    def _states(self, nums: NDArray[np.int64]) -> Iterator[bytes]:
        """Random ones: how long they are compared does not depend on what they say."""
        rng = np.random.default_rng(int(nums[0]))
        tokens = rng.integers(*_TOKENS, len(nums))
        for count in range(*_TOKENS):
            of = nums[tokens == count]
            width = count * _STATE_BYTES
            rows = _Rows(
                (("space", ">i2", 1), ("num", ">i8", 1), ("part", ">i2", 1), ("states", "u1", width))
            )
            states = rng.integers(0, 256, (len(of), width), np.uint8)
            yield rows.sent(len(of), space=self._space, num=of, part=0, states=states)


def _postings(
    words: NDArray[np.int32],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The place of a text in the stretch, a word of it, and how often it stands there; sorted."""
    many = int(words.max()) + 1
    places, columns = np.nonzero(words >= 0)
    pairs, frequencies = np.unique(places * many + words[places, columns], return_counts=True)
    return pairs // many, pairs % many, frequencies


def _send(connection: psycopg.Connection, statement: LiteralString, pieces: Iterable[bytes]) -> None:
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.write(_SIGNATURE)
        for piece in pieces:
            copy.write(piece)
        copy.write(_END)
