"""The words by which the rehearsal reads a text: `words.toml` says what each list stands for."""

from __future__ import annotations

import re

from frasier.kernel.language_words import load_words

WORDS = load_words(__package__)

REVOKES = WORDS["revokes"].pattern()
REPLACES = WORDS["replaces"].pattern()
ACTIVE = WORDS["replaces_what_follows"].pattern()
CHANGES = WORDS["changes"].pattern()
CORRECTION = WORDS["correction"].pattern()
PARTLY = WORDS["partly"].pattern()
CLAIMED = WORDS["claimed"].pattern()
DENIED = WORDS["denied"].pattern()
WAIVED = WORDS["waived"].pattern()
EACH = WORDS["each"].pattern()
LEAVES = WORDS["leaves"].pattern()
WANTED = WORDS["wanted"].pattern()
PLANNED = WORDS["planned"].pattern()

_IS = rf"\b(?:{WORDS['is'].alternatives})\b(?:\s+\w+){{0,3}}?\s+"
GONE = re.compile(
    r"(?:\bf[aä]ll(?:t|en)\b[^.;]*\baus|\bentf[aä]ll(?:t|en)|\bis off)(?!\w)|"
    rf"{_IS}(?:{WORDS['gone'].alternatives})(?!\w)",
    re.IGNORECASE,
)
REPLACEMENT = re.compile(rf"[,;:]?\s+(?:{WORDS['replacement'].alternatives})\b.*$", re.IGNORECASE)
DRAFT = re.compile(rf"(?<![^\W_])(?:{WORDS['draft'].alternatives})(?:[-_ ]?v?\d+)?(?![^\W_])", re.IGNORECASE)
OLD = re.compile(rf"(?<![^\W_])(?:{WORDS['old'].alternatives})(?![^\W_])", re.IGNORECASE)
POSSIBLE = re.compile(rf"\b(?:{WORDS['possible'].alternatives})\b(?:\s+\w+){{0,4}}\s*$", re.IGNORECASE)
