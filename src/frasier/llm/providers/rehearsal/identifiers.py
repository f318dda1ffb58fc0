"""Questions for the number or code of a thing, such as "the order number", and the statements that name one."""

from __future__ import annotations

import re
from functools import lru_cache

from frasier.kernel.source_units import SourceUnit
from frasier.llm.providers.rehearsal.cues import Cue
from frasier.llm.providers.rehearsal.evidence import without_values
from frasier.llm.providers.rehearsal.named_rows import akin
from frasier.llm.providers.rehearsal.stems import spelled, stem, words

_ASKED = re.compile(
    r"\b(?P<noun>[^\W\d_]{3,})\s+(?P<asked>numbers?)\b|(?<![^\W\d_])(?P<first>[^\W\d_]{4,}?)s?(?P<last>nummern?|nummers?)\b|"
    r"\b(?P<asked2>n[uú]m[eé]ros?)\s+(?:de\s+la\s+|de\s+l['’]|du\s+|del?\s+|d['’])(?P<noun2>[^\W\d_]{3,})",
    re.IGNORECASE,
)
# "The total number of guests" is a count.
_COUNTS = spelled(
    """
    the any each what which whole total exact overall maximum minimum average large small great high low highest lowest
    largest smallest greatest same current
    """
)
_NUMBER_WORDS = spelled("number numbers no nr num nummer nummern numéro numero número n id code")
_ENDING_MAX = 3  # of "Bestellung" in a question for the "Bestellnummer"
_LABEL = r"(?:(?:no|nr|num|number|nummer|n[uú]m[eé]ro)\b\.?|n°|#)?\s*:?\s*(?=[\w/.-]*\d{2})\w+(?:[/.-]\w+)*"


def identifier_asked_for(question: str) -> tuple[Cue, str, str] | None:
    """Return the kind of value of a question for the number of a thing, and its words for that and for the thing."""
    match = _ASKED.search(question)
    noun = (match["noun"] or match["first"] or match["noun2"]).lower() if match else ""
    if match is None or noun in _COUNTS:
        return None
    asked = (match["asked"] or match["asked2"] or match[0]).lower()
    return _cue(noun), asked, noun


@lru_cache(maxsize=64)
def _cue(noun: str) -> Cue:
    named = re.compile(rf"\b{re.escape(noun)}\w{{0,{_ENDING_MAX}}}\s+{_LABEL}", re.IGNORECASE)

    def has_value(unit: SourceUnit) -> bool:
        """Whether a field is named after the thing or its number alone, or a number stands behind the thing."""
        numbered = (cell for cell in unit.fields if any(map(str.isdigit, cell.text)))
        return any(_is_named(cell.head) for cell in numbered) or (
            not unit.cells and named.search(without_values(unit.text)) is not None
        )

    def _is_named(head: str) -> bool:
        own = [word for word in words(head.replace("_", " ")) if word not in _NUMBER_WORDS]
        return all(
            akin(word, noun) or (word.startswith(noun) and len(word) - len(noun) <= _ENDING_MAX)
            for word in own
        )

    return Cue(name="number or code", triggers=frozenset({stem(noun)}), query="number", has_value=has_value)
