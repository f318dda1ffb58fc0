"""Text from outside as it is stored: with what PostgreSQL and terminals cannot bear taken out, and without secrets."""

from __future__ import annotations

import re

from frasier.kernel.text import strip_control
from frasier.memory.redaction import redact

# What strip_control takes out, and halves of surrogate pairs, which have no UTF-8.
_UNSTORABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def cleaned(text: str) -> tuple[str, int]:
    """`text` as it can be stored, and how many secrets were taken out of it."""
    if _UNSTORABLE.search(text):
        text = strip_control(_SURROGATES.sub("", text))
    return redact(text)
