"""Ratios, shares, differences and products that a statement makes of the numbers beside them. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from decimal import Decimal
from functools import cached_property

from frasier.kernel.dates import masked_dates
from frasier.kernel.number_mentions import Bound, NumberMention
from frasier.kernel.worded_quantities import fractions_in
from frasier.work.verification.calculations import is_rounded
from frasier.work.verification.comparison import Comparison
from frasier.work.verification.derivations import follows_from, is_ratio
from frasier.work.verification.facts import is_year, states
from frasier.work.verification.findings import Finding, FindingKind
from frasier.work.verification.polarity_words import NEGATIONS

_TIMES_BEHIND = re.compile(r"\s?-?(?:times|mal|fach|fois|veces|volte|vezes|keer)\b", re.IGNORECASE)
_OF = (
    r"(?:\s[^\W\d_]+)?\s(?:out of|of|in|von|sur|de cada|em cada|de|su|van|op|em|dos|das)\s"
    r"(?:(?:its|the|den|les|las|los|de|elke)\s)?"
)
_OUT_OF = re.compile(_OF, re.IGNORECASE)
_ONE_OF = re.compile(rf"\b(?:one|ein\w{{0,2}}|un[eoa]?|een|één|um[a]?){_OF}$", re.IGNORECASE)
_NEARLY = re.compile(
    r"\b(?:nearly|almost|just under|close to|fast|knapp|beinahe|nahezu|presque|près d[eu]s?|quasi|casi|bijna|krap)"
    r"(?:\s(?:the|a|an|die|das|der|ein\w*|les?|la|un[ea]?|el|los|las|de|het|een|lo|il))?\s*$",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"[^\d().;]{0,60}\((?P<inside>[^()]+)\)")
_LISTED = re.compile(r"[^:;.()\d]{0,60}:\s")
_FROM = re.compile(r"[^.;()\d]{0,40}\b(?:from|von|de|des|da|dal|van)\s(?:[€$£]\s?)?", re.IGNORECASE)
_TO = re.compile(r"\s(?:to|auf|à|a|al|naar|para|bis)\s(?:[€$£]\s?)?", re.IGNORECASE)
_AGAINST = re.compile(
    r"\s(?:against|versus|vs\.?|compared (?:to|with)|instead of|gegen(?:über)?|statt|frente a|en lugar de|contre"
    r"|au lieu de|contro|invece di|tegen(?:over)?|in plaats van|contra|em vez de)\s(?:[€$£]\s?)?",
    re.IGNORECASE,
)
_MORE = (
    r"(?:more|less|fewer|above|below|over|under|higher|lower|short|mehr|weniger|über|unter|höher|niedriger|darüber|darunter"
    r"|de (?:plus|moins)|más|menos|più|meno|meer|minder|boven|onder|hoger|lager|mais|acima|abaixo)\b"
)
_MORE_BEHIND = re.compile(rf"\s?(?:[^\W\d_]+\s){{0,2}}{_MORE}", re.IGNORECASE)
_COMPARED = re.compile(
    rf"(?:\s[^\W\d_]+){{0,2}}(?:{_AGAINST.pattern}|{_TO.pattern}|\s(?:para|até)\s(?:[ao]s?\s)?)|\s?(?:→|->)\s?|,?\s(?:down|up)\sfrom\s(?:[€$£]\s?)?",
    re.IGNORECASE,
)
_DATE_BETWEEN = re.compile(
    r"\s[^\W\d_]+\s{4,}(?=,)"
)  # "€90 on 27 March, down from €120"; blanks for the date
_THAN = re.compile(  # "7 € menos do que os 512", "480, a fifth less than the 600"
    rf"(?P<before>[^.;:()\d]{{0,40}}?)\s?(?P<more>{_MORE})(?:\s[^\W\d_]+){{0,4}}\s", re.IGNORECASE
)
_TWO_WORDS = re.compile(r"\s?(?:[^\W\d_]+\s?){0,2}")
_LESS = re.compile(
    r"\b(?:less|fewer|below|under|lower|weniger|unter|niedriger|moins|menos|debajo|meno|minder|onder|lager|abaixo)\b",
    re.IGNORECASE,
)
_MEAN = re.compile(
    r"\b(?:average|mean|Mittel(?:wert)?|Durchschnitt|durchschnittlich|moyenne|media|promedio|média|gemiddelde?)\b",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[^.;()]{0,80}[,:–-]\s(?:[^\W\d_]+\s)?", re.DOTALL)
_PART = re.compile(r"[^.;()]{1,60}")
_BOTH = re.compile(
    r"\b(?:both|for the two|bei(?:de[nmr]?)|les deux|ambos|ambas|los dos|las dos|entramb[ie]|tutti e due|allebei)\b",
    re.IGNORECASE,
)
_PROPORTION_MAX = 10  # "four out of five": larger numbers are counts of their own
_HUNDRED = Decimal(100)
_RATIO, _ABOUT_RATIO = Decimal("0.04"), Decimal("0.1")  # the part by which a ratio in words may differ
_FEW = 3
_SMALL = 12  # what is no more is the sum of others by chance


class Shares:
    """Recomputes the shares of a statement from the numbers that it states beside them."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison

    @cached_property
    def proportions(self) -> Sequence[tuple[NumberMention, NumberMention]]:
        """The numbers of which one is said to be a part of the other: "156 of 198"."""
        of = self._comparison
        pairs = [
            (first, last)
            for first, last in itertools.pairwise(of.quantities)
            if last.values[0] and _OUT_OF.fullmatch(of.text[first.end : last.start])
        ]
        for last in of.quantities:
            if last.values[0] and (one := _ONE_OF.search(of.text[: last.start])):
                start = one.start()
                pairs.append((replace(last, start=start, values=(Decimal(1),), unit=None), last))
        return pairs

    def is_ratio_of(self, quantity: NumberMention, stated: Sequence[NumberMention]) -> bool:
        """Return whether one number is so many times or parts of another ("four times as long", "four out of five").

        Of the two one is `stated` beside it, or a unit has hardly any others.
        """
        if quantity.dimension not in {"", "percent", "points"} and not quantity.is_fraction:
            return False
        values = [
            first.values[0] / last.values[0]
            for first, last in self.proportions
            if quantity in (first, last) and max(first.values[0], last.values[0]) <= _PROPORTION_MAX
        ]
        of_pair = [first for first, last in self.proportions if quantity is last]
        if self.is_factor(quantity):
            values.append(quantity.values[0])
        if not values:
            return False
        near = self._comparison.operand_units
        pairs = [*itertools.permutations(stated, 2)]
        pairs += [
            pair
            for one in stated
            for unit in near
            for other in unit.quantities
            for pair in ((one, other), (other, one))
            if one.unit == other.unit
        ]
        pairs += [
            pair
            for unit in near
            if len(unit.quantities) <= _FEW
            for pair in itertools.permutations(unit.quantities, 2)
        ]
        percentages = [
            one
            for one in (*stated, *(one for unit in near for one in unit.quantities))
            if one.dimension == "percent"
        ]
        fractions = [one for unit in near for one in unit.quantities if one.is_fraction]
        return any(
            is_ratio(value, pairs, tolerance=self._tolerance(quantity))
            or any(
                -value * below <= one.values[0] / _HUNDRED - value <= value * above
                for one in percentages
                for below, above in (self._tolerance(first) for first in (quantity, *of_pair))
            )
            or any(abs(one.values[0] - value) <= value * _RATIO for one in fractions)
            for value in values
        )

    def is_factor(self, quantity: NumberMention) -> bool:
        """Return whether a number says how many times or which part something is of another."""
        return quantity.is_fraction or bool(_TIMES_BEHIND.match(self._comparison.text, quantity.end))

    def _tolerance(self, quantity: NumberMention) -> tuple[Decimal, Decimal]:
        """The parts by which a ratio may lie below and above the number: "nearly three times" are less than three."""
        if _NEARLY.search(self._comparison.text[: quantity.start]):
            return _ABOUT_RATIO, Decimal(0)
        if quantity.bound is Bound.AT_LEAST:
            return Decimal(0), 2 * _ABOUT_RATIO
        if quantity.bound is Bound.AT_MOST:
            return 2 * _ABOUT_RATIO, Decimal(0)
        about = _ABOUT_RATIO if quantity.bound is Bound.ABOUT else _RATIO
        return about, about

    def wrong_shares(self, operands: AbstractSet[int]) -> Iterator[Finding]:
        """Yield the factors and percentages that are not what the two numbers in brackets behind them give."""
        for quantity in self._comparison.quantities:
            pair = self._pair_behind(quantity)
            if not pair or not operands.isdisjoint([quantity.start, *(one.start for one in pair)]):
                continue  # a calculation is checked by itself
            is_share = quantity.dimension == "percent" and pair in self.proportions
            if (is_share and not follows_from(quantity, pair, ())) or (
                self.is_factor(quantity)
                and pair[0].unit == pair[1].unit
                and not is_ratio(
                    quantity.values[0], itertools.permutations(pair, 2), tolerance=self._tolerance(quantity)
                )
            ):
                yield Finding(kind=FindingKind.CALCULATION, text=quantity.text)

    def _pair_behind(self, quantity: NumberMention) -> tuple[NumberMention, NumberMention] | None:
        """The two numbers in the brackets that follow a number, without another number before them."""
        brackets = _BRACKETS.match(self._comparison.text, quantity.end)
        if brackets is None:
            return None
        inside = [
            one
            for one in self._comparison.quantities
            if brackets.start("inside") <= one.start < brackets.end()
        ]
        return (inside[0], inside[1]) if len(inside) == 2 else None

    def is_part_or_difference(self, quantity: NumberMention, beside: Sequence[NumberMention]) -> bool:
        """Return whether it is the sum or difference of two numbers beside it, or a stated fraction of one."""
        stated = [one for one in beside if not is_year(one)]
        alike = [one for one in beside if quantity.unit in {None, one.unit}]
        fractions = [one.values[0] for one in self._comparison.quantities if one.is_fraction]
        fractions += fractions_in(self._comparison.text)
        return any(
            (first.unit == second.unit or (quantity.unit is None and None in {first.unit, second.unit}))
            and (first.unit or second.unit or first.precision == second.precision)
            and not (is_year(first) and is_year(second))
            and is_rounded(first.values[0] + sign * second.values[0], quantity)
            for first, second in itertools.combinations(alike, 2)
            for sign in ((1, -1) if quantity.values[0] > _SMALL else (-1,))
        ) or any(
            is_rounded(one.values[0] * fraction, quantity)
            for one in stated
            for fraction in fractions
            if not one.is_fraction
        )

    def is_said_difference(self, quantity: NumberMention, beside: Sequence[NumberMention]) -> bool:
        """Return whether the statement says that it is the difference of two numbers beside it ("4 mm over 28")."""
        is_said = quantity.text[:1] in "+-−" or _MORE_BEHIND.match(self._comparison.text, quantity.end)
        return bool(is_said) and self.is_part_or_difference(quantity, beside)

    def is_compared(self, quantity: NumberMention, beside: Sequence[NumberMention]) -> bool:
        """Return whether the statement compares it with another number, whose place it need not share."""
        return self._is_compared_in_column(quantity) or self._is_compared_by_difference(quantity, beside)

    def _is_compared_by_difference(self, quantity: NumberMention, beside: Sequence[NumberMention]) -> bool:
        """Whether another number beside it is as much more or less than it as is said: "7 € less", "a fifth more"."""
        of = self._comparison
        said = next((one for one in reversed(of.quantities) if one.end <= quantity.start), None)
        if said is None or not quantity.values[0]:
            return False
        than = _THAN.fullmatch(of.text, said.end, quantity.start)
        if than is None:
            return False
        parts = [said.values[0]] if said.is_fraction else list(fractions_in(than["before"]))
        is_less = bool(_LESS.search(than["more"]))
        return bool(parts or _TWO_WORDS.fullmatch(than["before"])) and any(
            (one.values[0] < quantity.values[0]) == is_less
            and (one.unit == quantity.unit or None in {one.unit, quantity.unit})
            and _differs_by(said, parts[:1], one, quantity)
            for one in beside
            if one.start != said.start or parts
        )

    def is_difference_behind(self, quantity: NumberMention) -> bool:
        """Return whether it is the difference of two numbers behind it: "by 4 g (54 to 58)", "by 12, from 30 to 42"."""
        of = self._comparison
        if any(
            _AGAINST.fullmatch(of.text[first.end : last.start])
            and first.unit in {None, last.unit, quantity.unit}
            and is_rounded(abs(first.values[0] - last.values[0]), quantity)
            for first, last in itertools.pairwise(of.quantities)
            if first.start >= quantity.end and of.holding[first.start] and of.holding[last.start]
        ):
            return True  # "eight weeks shorter, 14 against 22"
        behind = [one for one in of.quantities if one.start >= quantity.end][:2]
        if len(behind) < 2:
            return False
        first, second = behind
        is_pair = self._pair_behind(quantity) == (first, second) or (
            _FROM.fullmatch(of.text[quantity.end : first.start])
            and _TO.fullmatch(of.text[first.end : second.start])
        )
        return (
            bool(is_pair)
            and first.unit == second.unit
            and all(of.holding[one.start] for one in behind)
            and is_rounded(abs(first.values[0] - second.values[0]), quantity)
        )

    def is_sum_of_listed(self, quantity: NumberMention) -> bool:
        """Return whether it is the sum of the numbers listed behind it: "1,444 €: hotel 774 (2 × 387), train 670"."""
        of = self._comparison
        behind = _LISTED.match(of.text, quantity.end)
        if behind is None:
            return False
        inside = [match.span() for match in re.finditer(r"\([^()]*\)", of.text)]
        listed = [
            one.values[0]
            for one in of.quantities
            if one.start >= behind.end()
            and one.unit in {None, quantity.unit}
            and not any(start <= one.start < end for start, end in inside)
        ]
        return any(
            is_rounded(sum(listed[:count], Decimal(0)), quantity) for count in range(2, len(listed) + 1)
        )

    def is_sum_of_parts(self, quantity: NumberMention) -> bool:
        """Return whether its parts follow, or it is one of them: "seven, three from A and four from B"."""
        of = self._comparison
        counts = [one for one in of.quantities if one.unit == quantity.unit and not is_year(one)]
        return any(
            whole.values[0] == sum(one.values[0] for one in counts[first + 1 : last])
            and _PARTS.fullmatch(of.text[whole.end : counts[first + 1].start])
            and all(
                _PART.fullmatch(of.text[a.end : b.start])
                for a, b in itertools.pairwise(counts[first + 1 : last])
            )
            for first, whole in enumerate(counts)
            for last in range(first + 3, len(counts) + 1)
            if quantity in counts[first:last]
            and (of.holding[whole.start] or all(of.holding[one.start] for one in counts[first + 1 : last]))
        )

    def is_for_both(self, quantity: NumberMention, beside: Sequence[NumberMention]) -> bool:
        """Return whether it is twice a number beside it, and the statement says that it is that of two."""
        of = self._comparison
        return bool(_BOTH.search(of.text)) and any(
            one.unit == quantity.unit and not is_year(one) and is_rounded(2 * one.values[0], quantity)
            for one in beside
        )

    def is_mean_of_stated(self, quantity: NumberMention) -> bool:
        """Return whether the statement says that it is the mean of two or more numbers in a row beside it."""
        of = self._comparison
        if not _MEAN.search(of.text):
            return False
        stated = [
            one.values[0]
            for one in of.quantities
            if of.holding[one.start] and one.unit in {None, quantity.unit} and not is_year(one)
        ]
        return any(
            is_rounded(sum(stated[first:last], Decimal(0)) / (last - first), quantity)
            for first, last in itertools.combinations(range(len(stated) + 1), 2)
            if last - first > 1
        )

    def is_stated_part(self, quantity: NumberMention) -> bool:
        """Return whether a unit has a number and a fraction of it that give the number: "a third of the 60 members"."""
        return any(
            is_rounded(one.values[0] * fraction.values[0], quantity)
            for unit in self._comparison.operand_units
            for fraction in unit.quantities
            if fraction.is_fraction
            for one in unit.quantities
            if one is not fraction and not is_year(one) and one.unit == quantity.unit
        )

    def is_worded_share(self, quantity: NumberMention) -> bool:
        """Return whether a unit near the statement has a percentage as a fraction: "a quarter of them" for 25 %."""
        return quantity.dimension == "percent" and any(
            is_rounded(fraction * _HUNDRED, quantity)
            for unit in self._comparison.operand_units
            for fraction in fractions_in(unit.text)
        )

    def is_complement(self, quantity: NumberMention) -> bool:
        """Return whether it is what another number of a unit leaves of all: "14 of the 588 never paid", of 574."""
        of = self._comparison
        return any(
            first is quantity and last.values[0] - one.values[0] == quantity.values[0]
            for first, last in self.proportions
            if NEGATIONS.is_in(of.text, of.language)
            for unit in of.holding.get(last.start, ())
            for one in unit.quantities
        )

    def _is_compared_in_column(self, quantity: NumberMention) -> bool:
        """Whether the statement compares it with another one of its column or its unit: "from 12 to 18"."""
        of = self._comparison
        at = of.quantities.index(quantity)
        text = masked_dates(of.text, of.dates)
        return any(
            _COMPARED.fullmatch(_DATE_BETWEEN.sub("", text[first.end : last.start]))
            and (
                not self._columns(first).isdisjoint(self._columns(last))
                or any(unit in of.holding[last.start] for unit in of.holding[first.start])
            )
            for first, last in itertools.pairwise(of.quantities[max(0, at - 1) : at + 2])
        )

    def _columns(self, quantity: NumberMention) -> set[tuple[int, int, str]]:
        """The columns of the tables that have a number."""
        return {
            (unit.number, unit.table, cell.head)
            for unit in self._comparison.holding[quantity.start]
            for cell, column in zip(unit.cells, unit.columns, strict=True)
            if any(states(one, quantity) for one in column)
        }

    def is_fraction_of(self, fraction: NumberMention, first: NumberMention, second: NumberMention) -> bool:
        """Return whether a fraction in words is the one that two numbers give: "61 of 91, two thirds"."""
        return fraction.is_fraction and is_ratio(
            fraction.values[0],
            itertools.permutations((first, second), 2),
            tolerance=self._tolerance(fraction),
        )

    def is_product(self, quantity: NumberMention) -> bool:
        """Return whether the two numbers in brackets behind it, which the sources have, give the number."""
        pair = self._pair_behind(quantity)
        return (
            pair is not None
            and all(self._comparison.holding[one.start] for one in pair)
            and follows_from(quantity, pair, ())
        )

    def is_in_percentage(self, quantity: NumberMention) -> bool:
        """Return whether the statement itself tells which percentage the number is of another, or the other of it."""
        return any(
            quantity in pair and follows_from(one, pair, ())
            for pair in self.proportions
            for one in self._comparison.quantities
            if one.dimension == "percent"
        )


def _differs_by(
    difference: NumberMention, parts: Sequence[Decimal], number: NumberMention, base: NumberMention
) -> bool:
    """Return whether a number differs from a base by another one, or by such a part of the base, if there is one."""
    value = abs(number.values[0] - base.values[0])
    if parts:
        return abs(value / base.values[0] - parts[0]) <= parts[0] * _ABOUT_RATIO
    if difference.dimension == "percent" != base.dimension:
        return is_rounded(value / base.values[0] * _HUNDRED, difference)
    return difference.unit in {None, base.unit, number.unit} and is_rounded(value, difference)
