"""The words of each language that negate, deny, limit or generalize: `words.toml` says what each list stands for."""

from __future__ import annotations

from frasier.kernel.language_words import load_words

_WORDS = load_words(__package__)

NEGATIONS = _WORDS["negations"]
WITHOUT = _WORDS["without"]
WITH = _WORDS["with"]
DENIALS = _WORDS["denials"]
SINCE = _WORDS["since"]
FORBIDDING = _WORDS["forbidding"]
LIMITS = _WORDS["limits"]
COMPARISONS = _WORDS["comparisons"]
UNTIL = _WORDS["until"]
EXCEEDING = _WORDS["exceeding"]
BOUNDS = _WORDS["bounds"]
RISING = _WORDS["rising"]
FALLING = _WORDS["falling"]
CONJUNCTIONS = _WORDS["conjunctions"]
