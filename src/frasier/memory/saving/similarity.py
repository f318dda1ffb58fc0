"""How much two texts say in the same words, from 0 to 1. Pure.

    similarity = 2 · shared terms / (terms of one + terms of the other)       (Dice, repeated terms counted)

over the terms of the one tokenizer, so inflection, case, accents and stop words make no difference. In two
texts of n terms one other word costs 1/n, as it costs the cosine that the thresholds of the gate were made for;
Jaccard would charge it twice. Terms are not weighted by how rare they are: that changes with every save, and a
threshold has to mean the same in a scope of three memories and of three million. The rare words that matter,
numbers and names, have a rule of their own (facts).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from frasier.kernel.tokens import tokenize

_NEARLY = 0.999  # the same terms in another order are not the same


def similarity(a: str, b: str) -> float:
    """Of two texts: 1.0 exactly where both give the same terms in the same order, 0.0 where they share none."""
    return term_similarity(tokenize(a), tokenize(b))


def term_similarity(a: Sequence[str], b: Sequence[str]) -> float:
    """Does what `similarity` does, of texts that are tokenized already. Two texts without terms are unlike."""
    if not a or not b:
        return 0.0
    if a == b:
        return 1.0
    shared = sum((Counter(a) & Counter(b)).values())
    return min(_NEARLY, 2 * shared / (len(a) + len(b)))


def least_length(terms: int, threshold: float) -> int:
    """A text must have that many terms to be as similar as `threshold` to one of `terms`."""
    return int(terms * threshold / (2 - threshold))


def greatest_length(terms: int, threshold: float) -> int:
    """A text may have at most that many terms to be as similar as `threshold` to one of `terms`."""
    return int(terms * (2 - threshold) / threshold) + 1
