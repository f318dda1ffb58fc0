"""Directions of change: where a statement says that something rose and its source that it fell, or the reverse. Pure.

Only words of change count. What is higher or lower than something else may be told from either side.
"""

from __future__ import annotations

from frasier.kernel.dates import masked_dates
from frasier.kernel.source_units import SourceUnit
from frasier.work.verification.clauses import Clause, ClauseAligner, clause_stems, split_clauses
from frasier.work.verification.comparison import Comparison
from frasier.work.verification.polarity_words import NEGATIONS, WordList

_ALIGNED = 0.6  # of the weight of a clause, with its numbers and dates

RISING = WordList(
    {
        "english": r"rais(?:e[sd]?|ing)|increas\w+|ris(?:es?|en|ing)|rose|gr(?:ew|ow(?:s|n|ing|th)?)|climb\w+"
        r"|w[eo]nt up|gone up",
        "german": r"erhöh\w+|steig\w+|stieg\w*|gestiegen\w*|angehoben\w*|anheb\w+|zugenommen\w*|zunahm(?:en)?"
        r"|wuchs\w*|gewachsen\w*|wachs\w+|anstieg\w*|verteuer\w+|aufgestockt\w*",
        "french": r"augment\w+|hauss\w+|majorée?s?|accru\w*|accroi\w+",
        "spanish": r"aument\w+|sub(?:e|en|ió|ieron|ida|ido|ir)|increment\w+|crec\w+",
        "italian": r"aument\w+|sal(?:ì|ito|ita|iti|ite|gono)|cresc\w+|alzat\w+|rialz\w+",
        "dutch": r"verhoog\w*|verhog\w*|stijg\w*|steeg|stegen|gestegen|toegenomen|groei\w*",
        "portuguese": r"aument\w+|sub(?:iu|iram|ida|ido|ir)|cresc\w+",
    }
)
FALLING = WordList(
    {
        "english": r"lower(?:s|ed|ing)|decreas\w+|reduc\w+|fall(?:s|en|ing)?|fell|drop(?:s|ped|ping)?|declin\w+"
        r"|cut(?:s|ting)?|s[aiu]nk\w*|shr[aiu]nk\w*|w[eo]nt down|gone down",
        "german": r"gesenkt\w*|senk(?:t|te|en|ten|ung\w*)|sink\w*|sank\w*|gesunken\w*|reduzier\w+|verringer\w+"
        r"|verminder\w+|gefallen\w*|fiel(?:en)?|ermäßig\w+|herab(?:ge)?setz\w*|rückgang\w*|abgenommen\w*"
        r"|verbillig\w+|gekürzt\w*|kürzung\w*",
        "french": r"baiss\w+|diminu\w+|rédui\w+|réduction\w*|abaiss\w+|recul\w+|chut\w+|minorée?s?",
        "spanish": r"reduj\w+|reduc\w+|baj(?:an|ó|aron|ada|ado|ar)|dismin\w+|descen\w+|cayó|cayeron|ca[ií]d[ao]s?"
        r"|rebaj\w+",
        "italian": r"diminu\w+|ridott\w+|riduc\w+|riduzion\w+|ridusse\w*|cal(?:o|a|ò|at[oaie]|are)|scen\w+|sces[oaie]"
        r"|abbassat\w+|ribass\w+",
        "dutch": r"verlaag\w*|verlag\w*|daal\w*|dal(?:en|ing\w*)|gedaald\w*|verminder\w*|afgenomen|gekrompen",
        "portuguese": r"reduz\w+|reduç\w+|diminu\w+|caiu|caíram|ca[ií]d[ao]s?|baix(?:ou|aram|ad[ao]s?)",
    }
)


class Directions:
    """Compares a statement with its sources in which way something changed."""

    def __init__(self, comparison: Comparison, aligner: ClauseAligner) -> None:
        self._comparison = comparison
        self._aligner = aligner

    def turned(self) -> SourceUnit | None:
        """Return the unit nearest to a clause that says of the same facts that it changed the other way.

        What a statement computes is the author's own, also the way in which it goes.
        """
        if self._comparison.calculations or not all(self._comparison.holding.values()):
            return None
        for clause in self._aligner.clauses:
            rises = _direction(clause.text, self._comparison.language)
            if rises is None or not self._has_facts(clause):
                continue
            alignment = self._aligner.align(clause)
            if alignment.share < _ALIGNED:
                continue
            near = {unit: self._direction_of(unit, clause) for unit in alignment.units}
            if rises not in near.values() and near[alignment.units[0]] is (not rises):
                return alignment.units[0]
        return None

    def _has_facts(self, clause: Clause) -> bool:
        numbers = [one.start for one in self._comparison.quantities]
        dates = [one.start for one in self._comparison.dates]
        return any(clause.start <= start < clause.end for start in (*numbers, *dates))

    def _direction_of(self, unit: SourceUnit, clause: Clause) -> bool | None:
        """The direction of what a unit that has all numbers of a clause says in most of its words."""
        numbers = [one for one in self._comparison.quantities if clause.start <= one.start < clause.end]
        if not all(unit in self._comparison.holding[one.start] for one in numbers):
            return None
        language = unit.language or self._comparison.language
        stems = set(clause_stems(clause.text, self._comparison.language))
        shared: dict[float, list[str]] = {}
        for part in split_clauses(masked_dates(unit.text, unit.dates), language):
            weight = self._aligner.weight(stems.intersection(clause_stems(part.text, language)))
            shared.setdefault(weight, []).append(part.text)
        return _direction(" ".join(shared[max(shared)]), language) if shared else None


def _direction(text: str, language: str | None) -> bool | None:
    """Return whether a text says that something rises; None where it says neither, both, or denies it."""
    rises, falls = RISING.is_in(text, language), FALLING.is_in(text, language)
    return None if rises == falls or NEGATIONS.is_in(text, language) else rises
