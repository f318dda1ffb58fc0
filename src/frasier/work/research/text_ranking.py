"""The ranking of the passages of given texts by the words of a query, where a search over all finds others. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from frasier.kernel.language import content_stems, words_of
from frasier.kernel.source_units import SourceText
from frasier.llm import Passage
from frasier.work.research.documents.chunks import passages

_SATURATION = 1.2


def rank_texts(texts: Sequence[SourceText], query: str) -> list[Passage]:
    """Rank the passages of texts that share a word with the query, best first: rare and repeated words count most."""
    wanted = {text.language: frozenset(content_stems(words_of(query), text.language)) for text in texts}
    counted = [
        (
            Passage(number=text.number, title=text.title, text=chunk.text),
            Counter(
                stem
                for stem in content_stems(words_of(f"{chunk.heading} {chunk.text}"), text.language)
                if stem in wanted[text.language]
            ),
        )
        for text in texts
        for chunk in passages(text.text)
    ]
    frequencies = Counter(stem for _, counts in counted for stem in counts)

    def score(counts: Counter[str]) -> float:
        return sum(
            math.log(1 + len(counted) / frequencies[stem]) * count / (count + _SATURATION)
            for stem, count in counts.items()
        )

    ranked = sorted(((score(counts), passage) for passage, counts in counted), key=lambda one: -one[0])
    return [passage for value, passage in ranked if value]
