"""The check of what a statement calls the cheapest or the most expensive, by the prices of a cited table. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from frasier.kernel.language import content_stems, words_of
from frasier.kernel.language_words import word_pattern
from frasier.kernel.number_mentions import NumberMention
from frasier.kernel.source_units import SourceUnit
from frasier.kernel.unit_names import unit_of
from frasier.work.verification.comparison import Comparison
from frasier.work.verification.findings import Finding, FindingKind
from frasier.work.verification.polarity_words import NEGATIONS
from frasier.work.verification.row_groups import Rows

_CHEAPEST = word_pattern(
    r"cheapest|least expensive|(?:günstigste|billigste|preiswerteste)[nmrs]?|l[ea]s? moins ch(?:er|ère)s?"
    r"|(?:el|la) más barat[oa]|(?:il|la) più economic[oa]|[oa] mais barat[oa]|goedkoopste"
)
_DEAREST = word_pattern(
    r"dearest|most expensive|teuerste[nmrs]?|l[ea]s? plus ch(?:er|ère)s?|(?:el|la) más car[oa]|(?:il|la) più car[oa]"
    r"|[oa] mais car[oa]|duurste"
)
_BESIDE_PRICE = frozenset({"time", "months"})  # a number of anything else may be what the price is for


class Superlatives:
    """Compares the row that a statement calls the cheapest or the most expensive with the other rows of its table."""

    def __init__(self, comparison: Comparison, tables: Sequence[Rows]) -> None:
        self._comparison = comparison
        self._tables = tables

    @cached_property
    def _named(self) -> tuple[re.Match[str], bool] | None:
        """The superlative that no cited source has, and whether it is that of the lowest price."""
        of = self._comparison
        texts = [source.text for source in of.cited.values()]
        for pattern in (_CHEAPEST, _DEAREST):
            match = pattern.search(of.text)
            if match and not any(pattern.search(text) for text in texts):
                return match, pattern is _CHEAPEST
        return None

    @property
    def are_undecided(self) -> bool:
        """Whether the statement has a superlative that no source has, and no table decides it."""
        return self._named is not None and not self._decided

    @property
    def are_right(self) -> bool:
        """Whether the tables decide what the statement says, which is no more than that, and agree."""
        return bool(self._decided) and not any(self.wrong())

    def wrong(self) -> Iterator[Finding]:
        """Yield the superlative with the row that has it instead of the named one."""
        for best, named in self._decided:
            if self._named and best is not named:
                yield Finding(kind=FindingKind.ELSEWHERE, text=self._named[0][0], against=best)

    @cached_property
    def _decided(self) -> list[tuple[SourceUnit, SourceUnit]]:
        """The row with the price and the row that the statement names, of each table with one price a row."""
        if self._named is None or NEGATIONS.is_in(self._comparison.text, self._comparison.language):
            return []
        sign = 1 if self._named[1] else -1
        decided = []
        for rows in self._tables:
            named = [unit for unit in rows if self._names(unit)]
            prices = _prices(rows)
            if len(named) == 1 and prices and self._says_no_more(named[0]):
                ranked = sorted(zip(prices, rows, strict=True), key=lambda one: sign * one[0].base_values[0])
                if ranked[0][0].base_values != ranked[1][0].base_values:
                    decided.append((ranked[0][1], named[0]))
        return decided

    def _names(self, unit: SourceUnit) -> bool:
        name = self._stems(unit.cells[0].text)
        return bool(name) and name <= self._comparison.stems.keys()

    def _says_no_more(self, unit: SourceUnit) -> bool:
        """Whether the statement has no words but the row's name, the superlative and what its table is called.

        Others may say of which rows it speaks ("of those with delivery").
        """
        assert self._named is not None
        heads = " ".join(cell.head for cell in unit.cells)
        own = self._stems(f"{self._named[0][0]} {unit.cells[0].text} {heads} {unit.context}")
        return self._comparison.stems.keys() <= own

    def _stems(self, text: str) -> set[str]:
        return set(content_stems(words_of(text), self._comparison.language))


def _prices(rows: Rows) -> list[NumberMention]:
    """The prices of the rows; none if there are several a row, in several currencies, or for several amounts."""
    prices = []
    for unit in rows:
        amounts = [one for one in unit.quantities if one.dimension.startswith("currency ")]
        others = {one.dimension for one in unit.quantities if one not in amounts}
        if len(amounts) != 1 or not others <= _BESIDE_PRICE or any(unit_of(cell.text) for cell in unit.cells):
            return []
        prices += amounts
    return prices if len({one.unit for one in prices}) == 1 else []
