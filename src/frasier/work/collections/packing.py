"""The packing of documents into requests: several small ones together, a long one in parts. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from frasier.kernel.source_units import SourceText
from frasier.kernel.text import estimate_tokens
from frasier.llm import Passage

_FENCE_TOKENS = 40


def pack_documents(
    documents: Sequence[SourceText], *, tokens_max: int, documents_max: int
) -> list[tuple[Passage, ...]]:
    """Pack documents, in their order, into requests of at most `tokens_max` tokens and `documents_max` documents.

    A document that is longer alone is split at its line breaks into parts, each a request of its own.
    """
    packed: list[tuple[Passage, ...]] = []
    together: list[Passage] = []
    room = 0
    for document in documents:
        tokens = estimate_tokens(document.text) + _FENCE_TOKENS
        if tokens > tokens_max:
            packed += [(part,) for part in _parts(document, tokens_max - _FENCE_TOKENS)]
            continue
        if together and (tokens > room or len(together) == documents_max):
            packed.append(tuple(together))
            together = []
        if not together:
            room = tokens_max
        together.append(_whole(document))
        room -= tokens
    return [*packed, *([tuple(together)] if together else [])]


def _whole(document: SourceText) -> Passage:
    return Passage(number=document.number, title=document.title, text=document.text)


def _parts(document: SourceText, tokens_max: int) -> Iterator[Passage]:
    held: list[str] = []
    room = tokens_max
    for line in _lines(document.text, tokens_max):
        tokens = estimate_tokens(line) + 1
        if held and tokens > room:
            yield Passage(number=document.number, title=document.title, text="\n".join(held))
            held, room = [], tokens_max
        held.append(line)
        room -= tokens
    yield Passage(number=document.number, title=document.title, text="\n".join(held))


def _lines(text: str, tokens_max: int) -> Iterator[str]:
    """The lines of a text; one that no request holds is cut between its words."""
    for line in text.splitlines():
        if estimate_tokens(line) < tokens_max:
            yield line
            continue
        words = line.split(" ")
        step = max(1, tokens_max // 3)
        yield from (" ".join(words[start : start + step]) for start in range(0, len(words), step))
