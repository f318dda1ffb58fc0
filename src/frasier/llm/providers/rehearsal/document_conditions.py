"""Conditions on whole documents, such as "licensed under GPL version 3": whether one meets them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from frasier.kernel.cell_values import yes_or_no
from frasier.llm.providers.rehearsal.evidence import SourceStatement
from frasier.llm.providers.rehearsal.needs import Need, need_of
from frasier.llm.providers.rehearsal.stems import is_kin

_ALTERNATIVES = re.compile(r"[\w-]*\s*\((?P<listed>[^()]*(?:,|\bor\b|\boder\b|\bou\b|\bo\b|\bof\b)[^()]*)\)")
_BETWEEN = re.compile(r"\s*,\s*(?:or\s+)?|\s+(?:or|and|oder|und|ou|et|o|y|of|en|e)\s+")
_CAPITALISED = re.compile(r"\b[A-Z][\w-]*(?:\s+[A-Z][\w-]*)+")


def verdict_on(condition: str, evidence: Sequence[SourceStatement]) -> tuple[str, str] | None:
    """Return "yes" or "no" with the words that decide it, or None where no statement of a document decides.

    A field that is named by a word of the condition decides it either way, another statement only if it has all words.
    """
    need, alternatives = _read(condition)
    no: SourceStatement | None = None
    for one in evidence:
        verdict = _verdict(need, alternatives, one)
        if verdict:
            return "yes", _quotation(one)
        no = one if verdict is False and no is None else no
    return ("no", _quotation(no)) if no else None


@lru_cache(maxsize=256)
def _read(condition: str) -> tuple[Need, frozenset[str]]:
    """The words and values of a condition, and what its brackets list in place of the word before them."""
    match = _ALTERNATIVES.search(condition)
    if match is None:
        return need_of(condition), frozenset()
    listed = frozenset(part.strip() for part in _BETWEEN.split(match["listed"]) if part.strip())
    return need_of(condition[: match.start()] + condition[match.end() :]), listed


def _verdict(need: Need, alternatives: frozenset[str], statement: SourceStatement) -> bool | None:
    acronyms = acronyms_in(statement.text)
    terms = need.spoken_terms(statement)
    met = [
        term in statement.stems or term in acronyms or any(is_kin(term, h) for h in statement.head_stems)
        for term in terms
    ]
    is_named = statement.kind.is_data and any(
        is_kin(term, head) for term in terms for head in statement.head_stems
    )
    values = [condition.met_by(statement.unit, terms, statement.language) for condition in need.conditions]
    if alternatives:
        has_one = any(
            re.search(rf"\b{re.escape(name)}\b", statement.text) or name.lower() in acronyms
            for name in alternatives
        )
        values.append(has_one if has_one or is_named else None)
    decided = _yes_or_no(terms, statement)
    if decided is not None and all(met) and not values:
        return decided
    if all(met) and all(values):
        return True if values or len(terms) > 1 else None
    return False if (is_named and not all(met)) or (False in values and (is_named or all(met))) else None


def _yes_or_no(terms: Sequence[str], statement: SourceStatement) -> bool | None:
    """The yes or no of a field that is named by a word of the condition, as "available: no" is."""
    cells = (
        cell
        for cell in statement.unit.fields
        if any(is_kin(term, head) for term in terms for head in statement.stems_of(cell.head))
    )
    return next((answer for cell in cells if (answer := yes_or_no(cell.text)) is not None), None)


def acronyms_in(text: str) -> frozenset[str]:
    """Return the acronyms of the names in a text, in lower case: "gpl" of "GNU General Public License"."""
    return frozenset(
        "".join(word[0] for word in name.split() if not word.isupper()).lower()
        for name in _CAPITALISED.findall(text)
    )


def _quotation(statement: SourceStatement) -> str:
    return (
        statement.text
        if not statement.unit.cells
        else max((cell.text for cell in statement.unit.cells), key=len)
    )
