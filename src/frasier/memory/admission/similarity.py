"""Lexical similarity of two texts, from 0 to 1. Pure.

    similarity = 2 · shared terms / (terms of a + terms of b)       (Dice, with multiplicity)

over the terms of the product's tokenizer, so inflection, case, accents and stop words make no difference. In two
texts of n terms one different word costs 1/n, as in the cosine for which the thresholds of the gate were made; Jaccard
would count it twice. Terms are not weighted by rarity: that changes with every save, and a threshold must mean the same
in a scope of three memories and of three million. The rare words that matter, numbers and names, have a rule of their
own (facts).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from frasier.kernel.tokenizer import tokenize

_NEARLY = 0.999  # the same terms in another order are not the same


def similarity(a: str, b: str) -> float:
    """Compare two texts: 1.0 only if both have the same terms in the same order, 0.0 if they share none."""
    return term_similarity(tokenize(a), tokenize(b))


def term_similarity(a: Sequence[str], b: Sequence[str]) -> float:
    """Do what `similarity` does, for tokenized texts. Texts without terms have similarity 0."""
    if not a or not b:
        return 0.0
    if a == b:
        return 1.0
    shared = sum((Counter(a) & Counter(b)).values())
    return min(_NEARLY, 2 * shared / (len(a) + len(b)))


def least_length(terms: int, threshold: float) -> int:
    """Return the minimum length in terms of a text with similarity `threshold` to one of `terms`."""
    return int(terms * threshold / (2 - threshold))


def greatest_length(terms: int, threshold: float) -> int:
    """Return the maximum length in terms of a text with similarity `threshold` to one of `terms`."""
    return int(terms * (2 - threshold) / threshold) + 1
