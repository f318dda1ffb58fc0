"""The projection of the encoder's token states to the shorter ones that are stored.

Its directions are the principal ones of the encoder's own states over its vocabulary: fitted to the model, not to a
collection of texts.
"""

from __future__ import annotations

import io
import random
from importlib.resources import files
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from frasier.kernel.errors import ProviderRejected
from frasier.memory.embedding.types import STATE_WIDTH

if TYPE_CHECKING:
    from frasier.memory.embedding.onnx_model import OnnxModel

Projection: TypeAlias = NDArray[np.float32]
"""Of shape (width of the encoder's states, STATE_WIDTH), its columns orthonormal."""

PACKAGED = "minilm_projection.npy"

_LINES = 1_000
_WORDS_A_LINE = 6
_LETTERS_MIN = 4
_WORD_MARKS = "▁Ġ"  # marks of the beginning of a word in other tokenizers


def fit_projection(model: OnnxModel) -> Projection:
    """Compute the first STATE_WIDTH principal directions (uncentred) of the states over random lines of known words.

    Narrower states are kept whole and padded with zeros to STATE_WIDTH.
    """
    by_number = sorted(model.tokenizer.get_vocab().items(), key=lambda item: item[1])
    words = [word.lstrip(_WORD_MARKS) for word, _ in by_number]
    words = [word for word in dict.fromkeys(words) if word.isalpha() and len(word) >= _LETTERS_MIN]
    drawn = random.Random(0).sample(words, min(_LINES * _WORDS_A_LINE, len(words)))
    lines = [" ".join(drawn[at : at + _WORDS_A_LINE]) for at in range(0, len(drawn), _WORDS_A_LINE)] or [
        "word"
    ]
    gram = np.zeros((model.width, model.width))
    for states in model.states([model.read(line).ids for line in lines]):
        wide = states.astype(np.float64)
        gram += wide.T @ wide
    directions = np.linalg.eigh(gram)[1][:, ::-1][:, :STATE_WIDTH]
    # A direction and its opposite are equivalent; the sign is fixed.
    largest = np.take_along_axis(directions, np.abs(directions).argmax(axis=0)[None], axis=0)
    projection = np.zeros((model.width, STATE_WIDTH), np.float32)
    projection[:, : directions.shape[1]] = directions * np.sign(largest)
    return projection


def packaged_projection() -> Projection:
    """Load the projection of the packaged encoder, made by scripts/state_projection.py."""
    raw = files("frasier.memory.embedding").joinpath(PACKAGED).read_bytes()
    loaded: NDArray[np.float16] = np.load(io.BytesIO(raw), allow_pickle=False)
    return loaded.astype(np.float32)


def to_bytes(projection: Projection) -> bytes:
    """Serialise as little-endian float32, row by row: the same on every machine."""
    return projection.astype("<f4").tobytes()


def from_bytes(raw: bytes, *, width: int) -> Projection:
    """Deserialise a projection; raise ProviderRejected if `raw` does not fit states of `width`."""
    if len(raw) != width * STATE_WIDTH * 4:
        raise ProviderRejected(
            f"The stored projection has {len(raw)} bytes and does not fit states of width {width}.",
            provider="local",
            number="E052",
        )
    return np.frombuffer(raw, "<f4").reshape(width, STATE_WIDTH).astype(np.float32)
