"""The kinds of value that the name of a field or column says it has. Pure."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W\d_]+")
# German compounds end with such a word: "Rechnungsnummer".
_KINDS = {
    "date": re.compile(r"dates?|\w*datum|fechas?", re.IGNORECASE),
    "number": re.compile(
        r"numbers?|nos?|ids?|\w*nummern?|\w*nr|numéros?|n[uú]meros?|amounts?|montants?|importes?",
        re.IGNORECASE,
    ),
    "money": re.compile(
        r"prices?|costs?|fees?|amounts?|\w*preise?|\w*betrag|\w*kosten|prix|coûts?|montants?|precios?|costes?|importes?",
        re.IGNORECASE,
    ),
}


def kinds_named(name: str) -> frozenset[str]:
    """Return the kinds that words of a name say: "date", "number" or "money"; "amount" may be of two."""
    words = _WORD.findall(name)
    return frozenset(kind for kind, pattern in _KINDS.items() if any(map(pattern.fullmatch, words)))
