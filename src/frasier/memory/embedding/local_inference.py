"""The loaded local encoder: from documents and queries to vectors and token states. Loading this module is slow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from frasier.kernel.stopwords import STOP_WORDS
from frasier.memory.embedding.model_files import MODEL_SHA256
from frasier.memory.embedding.onnx_model import OnnxModel, States
from frasier.memory.embedding.projection import (
    fit_projection,
    from_bytes,
    packaged_projection,
    to_bytes,
)
from frasier.memory.embedding.text_windows import WHOLE_MAX, WITH_CONTEXT_MAX, in_front, windows
from frasier.memory.embedding.types import EncodedPart, EncodedQuery, TextToEncode, Vector

_TINY = 1e-12
_UNKNOWN = "[UNK]"


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of a document's wordpieces, and the context put before it."""

    pieces: list[int]
    before: list[int]


class Engine:
    """A model with its projection, loaded. Threads may share it."""

    def __init__(self, directory: Path | None, *, threads: int, projection: bytes | None = None) -> None:
        self._model = OnnxModel(directory, threads=threads)
        if projection is not None:
            self._projection = from_bytes(projection, width=self._model.width)
        elif self._model.sha256 == MODEL_SHA256:
            self._projection = packaged_projection()
        else:
            self._projection = fit_projection(self._model)
        vocabulary = self._model.tokenizer.get_vocab()
        self._silent = np.array(sorted(piece for word, piece in vocabulary.items() if _is_silent(word)))
        # A text of control characters only has no wordpiece, but it needs a vector.
        self._unknown = vocabulary.get(_UNKNOWN, 0)

    @property
    def width(self) -> int:
        """The dimension of the vectors."""
        return self._model.width

    def projection_bytes(self) -> bytes:
        """Return the projection as float32, row by row."""
        return to_bytes(self._projection)

    def encode(self, documents: Sequence[TextToEncode]) -> list[list[EncodedPart]]:
        """Return the parts of each document. The first is encoded a second time behind its context, if it has any."""
        parts = [self._parts(document) for document in documents]
        flat = [part for of_document in parts for part in of_document]
        led = [at for at, part in enumerate(flat) if part.before]
        rows = [part.pieces for part in flat] + [flat[at].before + flat[at].pieces for at in led]
        keep = [len(part.pieces) for part in flat] + [len(flat[at].pieces) for at in led]
        states = self._model.states(rows, keep)
        for nth, at in enumerate(led, start=len(flat)):
            states[at] = _normalised(states[at] + states[nth])
        encoded = iter(
            self._encoded(part.pieces, of_part) for part, of_part in zip(flat, states, strict=False)
        )
        return [[next(encoded) for _ in of_document] for of_document in parts]

    def encode_query(self, text: str) -> EncodedQuery:
        """Encode the first WHOLE_MAX wordpieces, each with a state, stop words included: they have a small weight."""
        read = self._model.read(text)
        pieces = read.ids[:WHOLE_MAX] or [self._unknown]
        spans: dict[int | None, tuple[int, int]] = {}
        for word, (begin, end) in zip(read.word_ids, read.offsets, strict=True):
            first, last = spans.get(word, (begin, end))
            spans[word] = (min(first, begin), max(last, end))
        words = [text[slice(*spans[word])].lower() for word in read.word_ids[:WHOLE_MAX]] or [""]
        [states] = self._model.states([pieces])
        projected = _normalised(states @ self._projection)
        vector = _mean(states)
        projected.flags.writeable = vector.flags.writeable = False  # many callers may be given the same
        return EncodedQuery(vector=vector, states=projected, words=tuple(words))

    def _parts(self, document: TextToEncode) -> list[_Part]:
        read = self._model.read(document.text)
        pieces = read.ids or [self._unknown]
        parts = [_Part(pieces[stretch], []) for stretch in windows(read.word_ids if read.ids else [None])]
        if document.context:
            room = WITH_CONTEXT_MAX - len(parts[0].pieces)
            before = in_front([self._model.read(turn).ids for turn in document.context], room)
            parts[0] = _Part(parts[0].pieces, before)
        return parts

    def _encoded(self, pieces: Sequence[int], states: States) -> EncodedPart:
        telling = ~np.isin(pieces, self._silent)
        kept = states[telling] if telling.any() else states
        return EncodedPart(vector=_mean(states), states=_quantised(kept @ self._projection))


def _is_silent(wordpiece: str) -> bool:
    return wordpiece in STOP_WORDS or not any(character.isalnum() for character in wordpiece)


def _normalised(states: NDArray[np.float32]) -> NDArray[np.float32]:
    scaled: NDArray[np.float32] = states / np.maximum(np.linalg.norm(states, axis=1, keepdims=True), _TINY)
    return scaled


def _mean(states: States) -> Vector:
    [vector] = _normalised(states.mean(axis=0, keepdims=True))
    return np.asarray(vector, np.float32)


def _quantised(states: NDArray[np.float32]) -> NDArray[np.int8]:
    """Scale each row so that its largest entry is ±127; the direction, all that the cosine needs, is kept."""
    scale = np.maximum(np.abs(states).max(axis=1, keepdims=True), _TINY) / 127
    rounded: NDArray[np.int8] = np.rint(states / scale).astype(np.int8)
    return rounded
