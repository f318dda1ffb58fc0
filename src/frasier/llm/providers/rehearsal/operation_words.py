"""The words of a question that ask for an operation over rows: a highest, a latest, a sum, a count."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from frasier.llm.providers.rehearsal.words import WORDS


class RowOperation(StrEnum):
    HIGHEST = "Highest"
    LOWEST = "Lowest"
    LATEST = "Latest"
    EARLIEST = "Earliest"
    SUM = "Sum of"
    COUNT = "Count"

    @property
    def is_superlative(self) -> bool:
        return self not in {RowOperation.SUM, RowOperation.COUNT}

    @property
    def is_of_dates(self) -> bool:
        return self in {RowOperation.LATEST, RowOperation.EARLIEST}

    @property
    def takes_last(self) -> bool:
        """Return whether it takes the end of ascending values."""
        return self in {RowOperation.HIGHEST, RowOperation.LATEST}


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationMention:
    """An operation with its wording in a question; `dimensions` are those of its column where its word implies them."""

    operation: RowOperation
    start: int
    end: int
    dimensions: tuple[str, ...] = ()


# A superlative, the dimensions that its words imply, and the words.
_SUPERLATIVES = r"""
Highest||highest|largest|biggest|greatest|most|maximum
Highest||höchste[nrsm]?|größte[nrsm]?|meisten?
Highest||plus (?:élevée?s?|haute?s?|grande?s?)|más (?:alt[oa]s?|grandes?|elevad[oa]s?)|mayor(?:es)?
Highest||hoogste?|grootste?|meeste
Highest||più (?:alt[oaie]|grand[ei]|elevat[oaie])|maggiore|massim[oa]|mais (?:alt[oa]s?|elevad[oa]s?)|maior(?:es)?
Lowest||lowest|smallest|fewest|minimum
Lowest||niedrigste[nrsm]?|kleinste[nrsm]?|geringste[nrsm]?|wenigsten?
Lowest||plus (?:basse?s?|bas|petite?s?|faibles?)|más (?:baj[oa]s?|pequeñ[oa]s?)|menor(?:es)?
Lowest||laagste?|kleinste?|minste
Lowest||più (?:bass[oaie]|piccol[oaie])|minim[oa]|mais (?:baix[oa]s?|pequen[oa]s?)
Highest|currency|most expensive|dearest|teuerste[nrsm]?|plus ch(?:er|ère)s?|más car[oa]s?|duurste?
Highest|currency|più car[oaie]|più costos[oaie]|mais car[oa]s?
Lowest|currency|cheapest|least expensive|billigste[nrsm]?|günstigste[nrsm]?
Lowest|currency|moins ch(?:er|ère)s?|más barat[oa]s?|goedkoopste?
Lowest|currency|più economic[oaie]|più economic(?:he|i)|meno car[oaie]|mais barat[oa]s?
Highest|mass|heaviest|schwerste[nrsm]?|plus lourde?s?|más pesad[oa]s?|zwaarste?|più pesant[ei]|mais pesad[oa]s?
Lowest|mass|lightest|leichteste[nrsm]?|plus lég(?:er|ère)s?|más liger[oa]s?|lichtste?|più legger[oaie]|mais leves?
Highest|time,months,length|longest|längste[nrsm]?|plus long(?:ue)?s?|más larg[oa]s?|langste?
Highest|time,months,length|più lung[oa]|più lungh[ei]|mais long[oa]s?
Lowest|time,months,length|shortest|kürzeste[nrsm]?|plus courte?s?|más cort[oa]s?|kortste?
Lowest|time,months,length|più cort[oaie]|più brev[ei]|mais curt[oa]s?
Latest||latest|last|newest|most recent(?:ly)?
Latest||letzte[nrsm]?|späteste[nrsm]?|neu(?:e)?ste[nrsm]?
Latest||derni(?:er|ère)s?|plus récente?s?|últim[oa]s?|más recientes?|laatste?|nieuwste|meest recente?
Latest||ultim[oaie]|più recent[ei]|últim[oa]s?|mais recentes?
Earliest||earliest|first|oldest|früheste[nrsm]?|erste[nrsm]?|älteste[nrsm]?
Earliest||premi(?:er|ère)s?|plus ancien(?:ne)?s?|primer[oa]?s?|más antigu[oa]s?|eerste?|vroegste?|oudste
Earliest||primo|prima(?! d(?:i|el\w*)\b)|primi|più vecchi[oaie]?|primeir[oa]s?|mais antig[oa]s?
"""
_SUM = WORDS["sums"].pattern()
_COUNT = re.compile(
    r"\b(?:how many|wie viele|wieviele|combien d(?:e\b|es\b|u\b|['’])|cuánt[oa]s|hoeveel|quant[ie]\b|quant[oa]s\b)",
    re.IGNORECASE,
)

EXCEPTS = WORDS["excepts"].pattern()


def _superlatives() -> list[tuple[RowOperation, tuple[str, ...], re.Pattern[str]]]:
    entries = (line.split("|", 2) for line in _SUPERLATIVES.strip().splitlines())
    return [
        (
            RowOperation(name),
            tuple(filter(None, dimensions.split(","))),
            re.compile(rf"\b(?:{words})(?!\w)", re.IGNORECASE),
        )
        for name, dimensions, words in entries
    ]


_READ_SUPERLATIVES = _superlatives()


def operation_in(question: str) -> OperationMention | None:
    """Return the one operation that a question asks for; None without any, or with several that differ."""
    found: list[OperationMention] = []
    for operation, dimensions, pattern in _READ_SUPERLATIVES:
        found += [
            OperationMention(operation=operation, start=m.start(), end=m.end(), dimensions=dimensions)
            for m in pattern.finditer(question)
        ]
    # "Most expensive" holds "most", which says nothing by itself.
    outer = [one for one in found if not any(_is_within(one, other) for other in found)]
    if outer:
        is_one = len({(one.operation, one.dimensions) for one in outer}) == 1
        return outer[0] if is_one or _is_repeated(outer) else None
    for operation, pattern in ((RowOperation.SUM, _SUM), (RowOperation.COUNT, _COUNT)):
        if match := pattern.search(question):
            return OperationMention(operation=operation, start=match.start(), end=match.end())
    return None


def asks_over_rows(question: str) -> tuple[bool, str]:
    """Return whether a question asks for what comes first or last of several things, and its word for a sum."""
    total = _SUM.search(question)
    is_superlative = any(pattern.search(question) for _, _, pattern in _READ_SUPERLATIVES)
    return is_superlative, total[0] if total else ""


def _is_within(mention: OperationMention, other: OperationMention) -> bool:
    is_longer = other.end - other.start > mention.end - mention.start
    return is_longer and other.start <= mention.start and mention.end <= other.end


def _is_repeated(mentions: list[OperationMention]) -> bool:
    """Return whether all say the same, as "highest" and "maximum" do of one column."""
    return len({one.operation for one in mentions}) == 1 and not any(one.dimensions for one in mentions)
