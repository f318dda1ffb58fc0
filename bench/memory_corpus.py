"""Synthetic memories of any number: words as rare as in real texts, and vectors grouped by topics.

Everything follows from the seed and the place of a memory, so that any stretch can be made again at any time.
A text has 40 to 80 words: three in ten of its topic, the others of a Zipf-Mandelbrot distribution in which the most
frequent word stands in about 12 % of all texts. A vector is its topic's with a spread of its own, in 64 directions
of the 384, and noise in all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

STRETCH = 5_000
DIMENSION = 384
QUERY_WORDS = 5

_SEED = 20_260
_WORDS = 50_000
_ZIPF_OFFSET = 47.0
_WORDS_MIN, _WORDS_MAX = 40, 80
_TOPICS, _TOPIC_WORDS, _TOPIC_SHARE = 800, 300, 0.3
_TOPIC_WORDS_FROM = 200  # more frequent words belong to no topic
_LATENT, _SPREAD, _NOISE = 64, 0.6, 0.02
_ASKED_AWAY = 0.3
_ASKED_STRETCHES = 12


@dataclass(frozen=True, slots=True)
class Stretch:
    """Memories from `start` on. `words` are places in the vocabulary, -1 beyond the end of a text."""

    start: int
    words: NDArray[np.int32]
    vectors: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True, slots=True)
class Questions:
    """Five words of a text each, and a vector near that text's."""

    texts: list[str]
    vectors: NDArray[np.float32]


class Corpus:
    """`size` memories."""

    def __init__(self, size: int) -> None:
        self.size = size

    @cached_property
    def vocabulary(self) -> NDArray[np.object_]:
        """Words that can be spoken, the most frequent first; none is a stop word."""
        syllables = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aiou"]
        many = len(syllables)
        numbers = np.random.default_rng(_SEED).choice(many**3, _WORDS, replace=False)
        return np.array(
            ["".join(syllables[number // many**place % many] for place in range(3)) for number in numbers],
            dtype=object,
        )

    def stretches(self) -> Iterator[Stretch]:
        for start in range(0, self.size, STRETCH):
            yield self.stretch(start)

    def stretch(self, start: int) -> Stretch:
        return self._made(start, min(STRETCH, self.size - start))

    def beyond(self, count: int) -> Stretch:
        """Memories that are not among the others, to be saved later."""
        return self._made(self.size + STRETCH, count)

    def text(self, words: NDArray[np.int32]) -> str:
        return " ".join(self.vocabulary[words[words >= 0]])

    def questions(self, count: int, *, seed: int) -> Questions:
        """Mixed five-term queries: the words of each are drawn from one text, frequent and rare as they come."""
        rng = np.random.default_rng((_SEED, seed))
        starts = np.arange(0, self.size, STRETCH)
        chosen = rng.choice(starts, min(_ASKED_STRETCHES, len(starts)), replace=False)
        texts, vectors = [], []
        for part, start in enumerate(chosen):
            stretch = self.stretch(int(start))
            for place in rng.integers(0, len(stretch), len(range(part, count, len(chosen)))):
                held = stretch.words[place]
                words = rng.choice(np.unique(held[held >= 0]), QUERY_WORDS, replace=False)
                texts.append(" ".join(self.vocabulary[words]))
                away = rng.standard_normal(_LATENT).astype(np.float32) * _ASKED_AWAY @ self._directions
                vectors.append(_unit(stretch.vectors[place] * np.sqrt(_LATENT) + away))
        return Questions(texts, np.array(vectors, np.float32))

    def _made(self, start: int, count: int) -> Stretch:
        rng = np.random.default_rng((_SEED, 1, start))
        topics = rng.integers(0, _TOPICS, count)
        words = np.searchsorted(self._frequencies, rng.random((count, _WORDS_MAX))).astype(np.int32)
        of_topic = self._topic_words[topics[:, None], rng.integers(0, _TOPIC_WORDS, (count, _WORDS_MAX))]
        words = np.where(rng.random((count, _WORDS_MAX)) < _TOPIC_SHARE, of_topic, words)
        lengths = rng.integers(_WORDS_MIN, _WORDS_MAX + 1, count)
        words[np.arange(_WORDS_MAX) >= lengths[:, None]] = -1
        latent = self._topics[topics] + _SPREAD * rng.standard_normal((count, _LATENT)).astype(np.float32)
        noise = _NOISE * np.sqrt(_LATENT) * rng.standard_normal((count, DIMENSION)).astype(np.float32)
        return Stretch(start, words, _unit(latent @ self._directions + noise))

    @cached_property
    def _frequencies(self) -> NDArray[np.float64]:
        summed = np.cumsum(1 / (np.arange(_WORDS) + 1 + _ZIPF_OFFSET))
        return summed / summed[-1]

    @cached_property
    def _topic_words(self) -> NDArray[np.int32]:
        rng = np.random.default_rng((_SEED, 2))
        return rng.integers(_TOPIC_WORDS_FROM, _WORDS, (_TOPICS, _TOPIC_WORDS)).astype(np.int32)

    @cached_property
    def _topics(self) -> NDArray[np.float32]:
        return np.random.default_rng((_SEED, 3)).standard_normal((_TOPICS, _LATENT)).astype(np.float32)

    @cached_property
    def _directions(self) -> NDArray[np.float32]:
        drawn = np.random.default_rng((_SEED, 4)).standard_normal((DIMENSION, _LATENT))
        return np.linalg.qr(drawn)[0].T.astype(np.float32)


def exact_nearest(corpus: Corpus, vectors: NDArray[np.float32], count: int) -> list[set[int]]:
    """The places of the `count` memories whose vectors are truly nearest to each of `vectors`."""
    best = np.full((len(vectors), 0), 0.0, np.float32)
    places = np.full((len(vectors), 0), 0)
    for stretch in corpus.stretches():
        found = vectors @ stretch.vectors.T
        best = np.hstack([best, found])
        places = np.hstack([places, np.broadcast_to(np.arange(len(stretch)) + stretch.start, found.shape)])
        kept = np.argsort(-best, axis=1)[:, :count]
        best, places = np.take_along_axis(best, kept, 1), np.take_along_axis(places, kept, 1)
    return [set(map(int, row)) for row in places]


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)
