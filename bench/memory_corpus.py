"""Synthetic corpus of memories of any size: words as rare as in real texts, and vectors clustered by topic.

Everything is derived from the seed and the position of a memory, so any chunk can be generated again at any time.
A text has 40 to 80 words: three in ten from its topic, the others from a Zipf-Mandelbrot distribution whose most
frequent word occurs in about 12 % of all texts. A vector is that of its topic with a spread in 64 of the 384
directions, and noise in all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

CHUNK_SIZE = 5_000
DIMENSION = 384
QUERY_WORDS = 5

_SEED = 20_260
_WORDS = 50_000
_ZIPF_OFFSET = 47.0
_WORDS_MIN, _WORDS_MAX = 40, 80
_TOPICS, _TOPIC_WORDS, _TOPIC_SHARE = 800, 300, 0.3
_TOPIC_WORDS_FROM = 200  # more frequent words belong to no topic
_LATENT, _SPREAD, _NOISE = 64, 0.6, 0.02
_QUESTION_NOISE = 0.3
_QUESTION_CHUNKS = 12


@dataclass(frozen=True, slots=True)
class Chunk:
    """The memories from position `start`. `words` are indexes into the vocabulary, -1 after the end of a text."""

    start: int
    words: NDArray[np.int32]
    vectors: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True, slots=True)
class Questions:
    """Questions: each has five words of one text, and a vector near that of the text."""

    texts: list[str]
    vectors: NDArray[np.float32]


class Corpus:
    """A corpus of `size` memories."""

    def __init__(self, size: int) -> None:
        self.size = size

    @cached_property
    def vocabulary(self) -> NDArray[np.object_]:
        """Pronounceable words, the most frequent first; none is a stop word."""
        syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aiou"]
        count = len(syllables)
        numbers = np.random.default_rng(_SEED).choice(count**3, _WORDS, replace=False)
        return np.array(
            [
                "".join(syllables[number // count**position % count] for position in range(3))
                for number in numbers
            ],
            dtype=object,
        )

    def chunks(self) -> Iterator[Chunk]:
        for start in range(0, self.size, CHUNK_SIZE):
            yield self.chunk(start)

    def chunk(self, start: int) -> Chunk:
        return self._generate(start, min(CHUNK_SIZE, self.size - start))

    def held_out(self, count: int) -> Chunk:
        """Return memories outside of the corpus, to be saved later."""
        return self._generate(self.size + CHUNK_SIZE, count)

    def text(self, words: NDArray[np.int32]) -> str:
        return " ".join(self.vocabulary[words[words >= 0]])

    def questions(self, count: int, *, seed: int) -> Questions:
        """Return five-term queries. The words of each are drawn from one text, whether frequent or rare."""
        rng = np.random.default_rng((_SEED, seed))
        starts = np.arange(0, self.size, CHUNK_SIZE)
        chosen_starts = rng.choice(starts, min(_QUESTION_CHUNKS, len(starts)), replace=False)
        texts, vectors = [], []
        for part, start in enumerate(chosen_starts):
            chunk = self.chunk(int(start))
            for position in rng.integers(0, len(chunk), len(range(part, count, len(chosen_starts)))):
                text_words = chunk.words[position]
                words = rng.choice(np.unique(text_words[text_words >= 0]), QUERY_WORDS, replace=False)
                texts.append(" ".join(self.vocabulary[words]))
                noise = rng.standard_normal(_LATENT).astype(np.float32) * _QUESTION_NOISE @ self._directions
                vectors.append(_unit(chunk.vectors[position] * np.sqrt(_LATENT) + noise))
        return Questions(texts, np.array(vectors, np.float32))

    def _generate(self, start: int, count: int) -> Chunk:
        rng = np.random.default_rng((_SEED, 1, start))
        topics = rng.integers(0, _TOPICS, count)
        words = np.searchsorted(self._frequencies, rng.random((count, _WORDS_MAX))).astype(np.int32)
        of_topic = self._topic_words[topics[:, None], rng.integers(0, _TOPIC_WORDS, (count, _WORDS_MAX))]
        words = np.where(rng.random((count, _WORDS_MAX)) < _TOPIC_SHARE, of_topic, words)
        lengths = rng.integers(_WORDS_MIN, _WORDS_MAX + 1, count)
        words[np.arange(_WORDS_MAX) >= lengths[:, None]] = -1
        latent = self._topics[topics] + _SPREAD * rng.standard_normal((count, _LATENT)).astype(np.float32)
        noise = _NOISE * np.sqrt(_LATENT) * rng.standard_normal((count, DIMENSION)).astype(np.float32)
        return Chunk(start, words, _unit(latent @ self._directions + noise))

    @cached_property
    def _frequencies(self) -> NDArray[np.float64]:
        cumulated = np.cumsum(1 / (np.arange(_WORDS) + 1 + _ZIPF_OFFSET))
        return cumulated / cumulated[-1]

    @cached_property
    def _topic_words(self) -> NDArray[np.int32]:
        rng = np.random.default_rng((_SEED, 2))
        return rng.integers(_TOPIC_WORDS_FROM, _WORDS, (_TOPICS, _TOPIC_WORDS)).astype(np.int32)

    @cached_property
    def _topics(self) -> NDArray[np.float32]:
        return np.random.default_rng((_SEED, 3)).standard_normal((_TOPICS, _LATENT)).astype(np.float32)

    @cached_property
    def _directions(self) -> NDArray[np.float32]:
        matrix = np.random.default_rng((_SEED, 4)).standard_normal((DIMENSION, _LATENT))
        return np.linalg.qr(matrix)[0].T.astype(np.float32)


def exact_nearest(corpus: Corpus, vectors: NDArray[np.float32], count: int) -> list[set[int]]:
    """Return the positions of the `count` memories that are exactly nearest to each of `vectors`."""
    best = np.full((len(vectors), 0), 0.0, np.float32)
    positions = np.full((len(vectors), 0), 0)
    for chunk in corpus.chunks():
        similarities = vectors @ chunk.vectors.T
        best = np.hstack([best, similarities])
        positions = np.hstack(
            [positions, np.broadcast_to(np.arange(len(chunk)) + chunk.start, similarities.shape)]
        )
        nearest = np.argsort(-best, axis=1)[:, :count]
        best, positions = np.take_along_axis(best, nearest, 1), np.take_along_axis(positions, nearest, 1)
    return [set(map(int, row)) for row in positions]


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)
