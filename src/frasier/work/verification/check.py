"""The computed check of statements: numbers, dates, names, quotations and words against what they cite. Pure.

1. The numbers, dates, names, identifiers and quotations of a statement must stand in the sources that it cites.
2. They must stand where these speak of the same: a price of another row is as wrong as an invented one, the name of
   another person as well (`placement`). A number that stands nowhere may follow from others (`derivations`).
3. The sentence that is nearest to the statement must agree in negations and in words such as all, only and never.
4. A statement of which the sources share no word, in their own language, is doubtful.

What none of these decides, such as a free paraphrase or a source in another language, is unchecked.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from frasier.kernel.dictionaries import is_common_word
from frasier.kernel.language import content_stems, function_words, language_of, words_of
from frasier.kernel.names import (
    NO_NAMES,
    capitalised_words,
    has_digit,
    identifiers_in,
    openings_in,
    quotations_in,
)
from frasier.kernel.number_words import LANGUAGES
from frasier.kernel.quantities import find_quantities
from frasier.kernel.source_units import Sources, SourceText, SourceUnit, words_and_numbers
from frasier.llm import CarryingPassage
from frasier.work.verification.calculations import Calculation
from frasier.work.verification.comparison import Comparison, is_german_noun
from frasier.work.verification.date_check import DateCheck
from frasier.work.verification.facts import (
    has_word,
    parts_of,
    quotes,
)
from frasier.work.verification.findings import (
    Finding,
    FindingKind,
    StatementCheck,
    StatementVerdict,
)
from frasier.work.verification.number_check import NumberCheck
from frasier.work.verification.placement import Placement
from frasier.work.verification.polarity_words import DENIALS, NEGATIONS
from frasier.work.verification.row_check import RowCheck
from frasier.work.verification.row_groups import RowGroups
from frasier.work.verification.said_before import NOTHING_BEFORE, SaidBefore
from frasier.work.verification.statements import Statement, StatementKind, says_something, split_statements
from frasier.work.verification.superlatives import Superlatives
from frasier.work.verification.word_check import WordCheck

_FACTS = {
    FindingKind.NUMBER,
    FindingKind.UNIT,
    FindingKind.DATE,
    FindingKind.NAME,
    FindingKind.IDENTIFIER,
    FindingKind.QUOTATION,
    FindingKind.CALCULATION,
}
_VERBATIM_WORDS_MIN = 5
_CELLS_MIN = 2
_PASSAGES = 6
_WORD_MIN = 3  # letters, of the words that tell the language of a statement
_WORDS_MIN = 3
_CLEAR_SHARE = 0.75
_SUM_OF = re.compile(
    r"^(?:[^:“”]{1,80}: )?(?:sum of|summe von|somme de|suma de|somma di|som van|soma de|suma) “(?P<column>[^“”]+)”: "
    r"[^:;“”]+$",
    re.IGNORECASE,
)
_BEGINNING = re.compile(r"(?:^|[.!?:])[ *|-]*$")  # of a statement, or behind its label
_LABEL = re.compile(r"^[^:]{1,40}:\s+")
_MARK = re.compile(r"^[^\W\d_]+ [–—] ")  # a word before a quotation, such as "Undecided – "


def check_text(
    markdown: str, sources: Sources, *, before: SaidBefore = NOTHING_BEFORE
) -> list[StatementCheck]:
    """Check each statement of a text, or of a part with what stands `before` it; what states nothing is left out."""
    language = _language_of_text(markdown, sources)
    checks: list[StatementCheck] = []
    for statement in split_statements(markdown):
        if says_something(statement) and _is_checked(statement):
            check = check_statement(statement, sources, language=language, before=before)
            checks.append(check)
            before = before.followed_by(check)
    return checks


def _language_of_text(markdown: str, sources: Sources) -> str | None:
    return language_of(markdown, [one.language for one in sources.by_number.values() if one.language])


def _is_checked(statement: Statement) -> bool:
    """A remark tells what the sources lack, a heading names its part: only their numbers and dates are statements."""
    if statement.kind in {StatementKind.HEADING, StatementKind.REMARK}:
        return bool(statement.cited)
    return True


def comparisons_of(markdown: str, sources: Sources) -> Iterator[Comparison]:
    """Yield the comparison of each statement of a text that cites known sources, with these."""
    language = _language_of_text(markdown, sources)
    for statement in split_statements(markdown):
        cited = [sources.by_number[number] for number in statement.cited if number in sources.by_number]
        if says_something(statement) and _is_checked(statement) and cited:
            yield _comparison(statement, cited, sources, language)


def check_statement(
    statement: Statement, sources: Sources, *, language: str | None, before: SaidBefore = NOTHING_BEFORE
) -> StatementCheck:
    """Check one statement of a text in `language` against the sources that it cites, and what was said `before`.

    A conclusion is the author's own; but its figures, dates and names must be those of some source of the text.
    """
    if statement.is_conclusion and not statement.is_cited:
        statement = replace(statement, cited=tuple(sources.by_number))
        if not statement.cited:
            return StatementCheck(statement=statement, verdict=StatementVerdict.CONCLUSION)
    cited = [sources.by_number[number] for number in statement.cited if number in sources.by_number]
    if not statement.cited:
        return StatementCheck(
            statement=statement,
            verdict=StatementVerdict.DOUBTFUL,
            findings=(Finding(kind=FindingKind.UNCITED, text=statement.text),),
        )
    if not cited:
        unknown = ", ".join(f"[{number}]" for number in statement.cited)
        return StatementCheck(
            statement=statement,
            verdict=StatementVerdict.DOUBTFUL,
            findings=(Finding(kind=FindingKind.UNKNOWN_SOURCE, text=unknown),),
        )
    return _StatementCheck(_comparison(statement, cited, sources, language, before)).check()


def _comparison(
    statement: Statement,
    cited: Sequence[SourceText],
    sources: Sources,
    language: str | None,
    before: SaidBefore = NOTHING_BEFORE,
) -> Comparison:
    likely = [language] if language else [one.language for one in cited if one.language]
    own = language_of(statement.text, likely) or next(iter(likely), None) or sources.language
    return Comparison(statement, cited, sources, _other_language(statement.text, own) or own, before)


def _other_language(text: str, language: str | None) -> str | None:
    """Return the language whose words a text has, where it has none of the `language` that is likely."""
    words = {word.casefold() for word in words_of(text) if len(word) >= _WORD_MIN and not word.isupper()}
    if (
        language is None
        or language not in LANGUAGES
        or len(words) < _WORDS_MIN
        or words & function_words(language)
    ):
        return None
    if _share_of_common(words, language) > 1 - _CLEAR_SHARE:
        return None
    others = [one for one in LANGUAGES if words & function_words(one)]
    best = max(others, key=lambda one: _share_of_common(words, one), default=None)
    return best if best and _share_of_common(words, best) >= _CLEAR_SHARE else None


def _share_of_common(words: Collection[str], language: str) -> float:
    return sum(is_common_word(word, language) for word in words) / len(words)


class _StatementCheck:
    """Checks one statement."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._placement = Placement(comparison)
        self._numbers = NumberCheck(comparison, self._placement)
        self._words = WordCheck(comparison)
        self._superlatives = Superlatives(comparison, RowGroups(comparison).tables)

    def check(self) -> StatementCheck:
        is_stated = self._is_verbatim or self._superlatives.are_right
        findings = list(self._missing_names() if is_stated else self._findings())
        is_carried = is_stated or self._is_sum_of_column
        verdict = StatementVerdict.VERIFIED if is_carried else self._words.verdict_by_words()
        if not is_carried and self._superlatives.are_undecided:
            verdict = StatementVerdict.UNCHECKED
        if self._comparison.statement.is_conclusion:
            verdict = StatementVerdict.CONCLUSION
            findings = [finding for finding in findings if finding.kind in _FACTS]
        if findings:
            verdict = StatementVerdict.DOUBTFUL
        return StatementCheck(
            statement=self._comparison.statement,
            verdict=verdict,
            findings=tuple(findings),
            passages=tuple(
                CarryingPassage(number=unit.number, location=unit.location, text=unit.text)
                for unit in self._passages(findings)
            ),
            computed=tuple(self._numbers.computed_numbers()),
            numbers=tuple(self._comparison.quantities),
            dates=tuple(self._comparison.dates),
        )

    def _passages(self, findings: Sequence[Finding]) -> Sequence[SourceUnit]:
        """The units that say otherwise, one with another value in the place of a wrong one, and those that carry it."""
        against = [finding.against for finding in findings if finding.against]
        contrasts = self._comparison.contrasts({finding.text for finding in findings})[:1]
        return list(dict.fromkeys([*against, *contrasts, *self._comparison.covering]))[:_PASSAGES]

    @cached_property
    def _is_verbatim(self) -> bool:
        """Whether a source has the statement word for word, behind a label such as "**SQLite**:" at most, or a whole
        sentence of it behind a mark, or the values of a row with their names.

        "It is false: …" and "Since 2031: …" are more than labels.
        """
        words = words_and_numbers(self._without(_LABEL))
        wanted = " ".join(words)
        if len(words) >= _VERBATIM_WORDS_MIN and any(
            f" {wanted} " in f" {source.words} " for source in self._comparison.cited.values()
        ):
            return True
        sentence = words_and_numbers(self._without(_MARK))
        if any(words_and_numbers(unit.text) == sentence for unit in self._comparison.units):
            return True
        return self._is_row()

    def _is_row(self) -> bool:
        """Whether the statement is no more than values of a row, each with the name of its column."""
        named = self._comparison.text
        texts = {" ".join(text.split()) for text in (named, _MARK.sub("", self._without(_LABEL)))}
        rows = [
            {" ".join(f"{cell.head}: {cell.text}".split()) for cell in unit.cells}
            for unit in self._comparison.units
            if unit.cells
        ]
        return any(
            len(parts := set(text.split("; "))) >= _CELLS_MIN and any(parts <= row for row in rows)
            for text in texts
        )

    @cached_property
    def _is_sum_of_column(self) -> bool:
        """Whether the statement is no more than the sum of values of a column, which it names as the source does."""
        of = self._comparison
        calculations = list(of.calculations)
        if len(calculations) != 1 or calculations[0].operators != {"+"} or calculations[0].result is None:
            return False
        [calculation] = calculations
        named = _SUM_OF.search(of.text)
        if named is None or not calculation.is_right:
            return False
        cells = [cell for unit in of.units for cell in unit.cells if cell.head == named["column"]]
        held = Counter(one.values[0] for cell in cells for one in find_quantities(cell.text))
        return Counter(one.values[0] for one in calculation.operands) <= held

    def _without(self, label: re.Pattern[str]) -> str:
        """Return the text behind a label that states nothing itself."""
        text = self._comparison.text
        match = label.match(text)
        return text[match.end() :] if match and not self._states_something(match[0]) else text

    def _states_something(self, label: str) -> bool:
        language = self._comparison.language
        return has_digit(label) or NEGATIONS.is_in(label, language) or DENIALS.is_in(label, language)

    def _findings(self) -> Iterator[Finding]:
        yield from self._numbers.missing_numbers()
        rows, apart = RowCheck(self._comparison), list(self._numbers.stated_apart())
        yield from rows.numbers_of_other_rows(apart)
        yield from rows.names_of_other_rows(list(self._numbers.stated_numbers()))
        yield from rows.numbers_of_other_columns(apart)
        yield from rows.names_of_other_cells()
        yield from DateCheck(self._comparison, self._placement).missing_dates()
        yield from self._numbers.wrong_shares()
        yield from self._superlatives.wrong()
        yield from self._missing_names()
        for quotation in quotations_in(self._comparison.text):
            if not any(quotes(source, quotation) for source in self._comparison.cited.values()):
                yield Finding(kind=FindingKind.QUOTATION, text=quotation)
        for calculation in self._comparison.calculations:
            outside = [
                one
                for one in self._comparison.quantities
                if one.start not in {used.start for used in calculation.operands}
            ]
            is_size = (
                calculation.operators in ({"*"}, {"+"})
                and self._is_in_one_unit(calculation)
                and not self._explains_amount(calculation)
            )
            if not calculation.is_right or (
                calculation.result is None
                and not (is_size or calculation.is_in_words)
                and not any(calculation.gives(one) for one in outside)
            ):
                yield Finding(kind=FindingKind.CALCULATION, text=calculation.text)
        if not self._comparison.is_foreign:
            yield from self._words.contradicted_words()
            if self._words.is_unrelated():
                yield Finding(kind=FindingKind.UNRELATED, text=self._comparison.text)
            elif addition := self._words.unrelated_addition():
                yield Finding(kind=FindingKind.UNRELATED, text=addition)

    def _is_in_one_unit(self, calculation: Calculation) -> bool:
        """Whether a unit of a source has all the operands, as of what is 60 × 90 cm, or costs 429 € + 2,500 €."""
        holding = self._comparison.holding
        first, *others = (holding[one.start] for one in calculation.operands)
        return any(all(unit in other for other in others) for unit in first)

    def _explains_amount(self, calculation: Calculation) -> bool:
        """Whether it stands in brackets behind an amount of money, and gives no size: "€6,800 (20,000 × 0.34)"."""
        first = calculation.operands[0].start
        return not any(one.dimension == "length" for one in calculation.operands) and any(
            one.dimension.startswith("currency ") and self._comparison.text[one.end : first].strip() == "("
            for one in self._comparison.quantities
            if one.end < first
        )

    def _missing_names(self) -> Iterator[Finding]:
        for name in self._comparison.names:
            is_translated = self._comparison.is_foreign and (
                name.isupper() or self._comparison.language == "german"
            )
            if not is_translated and not any(
                has_word(unit, part) for part in parts_of(name) for unit in self._comparison.units
            ):
                if not self._is_other_word(name):
                    yield Finding(kind=FindingKind.NAME, text=name)
            else:
                yield from self._misplaced_name(name)
        yield from self._unknown_words()
        for identifier in identifiers_in(self._comparison.plain):
            if not self._comparison.occurs(identifier):
                yield Finding(kind=FindingKind.IDENTIFIER, text=identifier)
            else:
                yield from self._misplaced_name(identifier)

    def _is_other_word(self, name: str) -> bool:
        """Whether a word with a capital that no source has is in another form there, or no name."""
        of = self._comparison
        before = of.text[: of.text.find(name)]
        if of.has_in_other_form(name):
            return True
        if not of.is_foreign and not of.vocabulary.isdisjoint(content_stems([name], of.language)):
            return True
        if of.language == "german":
            return is_german_noun(before, name) or of.is_compound_of_known(name)
        if not _BEGINNING.search(before):
            return False
        return is_common_word(name, of.language) or ("-" in name and self._has_known_parts(name))

    def _has_known_parts(self, word: str) -> bool:
        """Whether each part of a word with hyphens is one of the sources, or a compound of one: "No-showregel"."""
        of = self._comparison
        return all(
            part.casefold() in function_words(None) or of.is_known(part) or of.is_compound_of_known(part)
            for part in word.split("-")
        )

    def _unknown_words(self) -> Iterator[Finding]:
        """The words that begin a sentence, of German any with a capital, that no source and no dictionary has."""
        of = self._comparison
        if of.is_foreign:
            return
        words = openings_in(of.plain)
        if of.language == "german":
            words = itertools.chain(words, (word for word, _ in capitalised_words(of.plain)))
        for word in dict.fromkeys(words):
            is_named = word in of.names or word.casefold() in NO_NAMES
            is_compound = self._has_known_parts(word) if "-" in word else of.is_compound_of_known(word)
            if not (is_named or is_compound or of.is_known(word) or is_common_word(word, of.language)):
                yield Finding(kind=FindingKind.NAME, text=word)

    def _misplaced_name(self, name: str) -> Iterator[Finding]:
        if not self._comparison.is_foreign and (better := self._placement.contradiction_of_name(name)):
            yield Finding(kind=FindingKind.ELSEWHERE, text=name, against=better)
