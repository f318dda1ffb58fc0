"""The words by which a text says that something no longer holds, in eight languages. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from frasier.kernel.language_words import load_words
from frasier.kernel.sentences import split_sentences

_CUE = load_words(__package__)["revoked"].pattern()


def says_revoked(text: str) -> bool:
    """Whether a text may say that something no longer holds."""
    return _CUE.search(text) is not None


def revoking_sentences(text: str) -> str:
    """Return the sentences that say so, each with its neighbours, which may name what they are about."""
    sentences = [sentence for line in text.splitlines() for sentence in split_sentences(line)]
    return " ".join(_with_neighbours(sentences))


def _with_neighbours(sentences: list[str]) -> Iterator[str]:
    cued = {at for at, sentence in enumerate(sentences) if _CUE.search(sentence)}
    for at, sentence in enumerate(sentences):
        if cued & {at - 1, at, at + 1}:
            yield sentence
