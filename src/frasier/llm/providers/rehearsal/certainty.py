"""Statements that are no answer for certain: claims, questions, instructions, denied values, other things of the same
kind ("well 3" for "well 4"), and answers that rival each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeAlias

from frasier.kernel.cell_values import yes_or_no
from frasier.kernel.language import language_of
from frasier.kernel.source_units import SourceUnit
from frasier.llm.providers.rehearsal.cues import PEOPLE, PERSON
from frasier.llm.providers.rehearsal.evidence import SourceStatement, parts_with_values, without_values
from frasier.llm.providers.rehearsal.named_rows import names
from frasier.llm.providers.rehearsal.needs import Need
from frasier.llm.providers.rehearsal.questions import is_facet
from frasier.llm.providers.rehearsal.quotable import instructs_reader
from frasier.llm.providers.rehearsal.stems import is_plural, stem, words
from frasier.llm.providers.rehearsal.words import CLAIMED, DENIED, EACH, PLANNED, WANTED, WORDS

_DESIGNATED = re.compile(
    r"(?<![\w-])([^\W\d_]{3,})(?:\W{1,3}| [nN][or°]\.? ?)(\d{1,3}|[A-Z]|[IVX]{1,4})(?![\w:,.-]?\w|\s?[%€$£°])"
)
_Values: TypeAlias = frozenset[tuple[str, object]]
_PAST = WORDS["past"].pattern()
_DATE, _WORDS, _NO_UNIT = "date", "words", ""
_NAMED = frozenset({_DATE, _WORDS})


def is_uncertain(need: Need, statement: SourceStatement) -> bool:
    """Return whether a statement that meets a need is no answer for certain, whatever others say."""
    return (
        statement.asks
        or (not statement.kind.is_data and CLAIMED.search(statement.text) is not None)
        or (need.has_kind and not need.negated and not statement.kind.is_data and _denies(statement.text))
        or is_of_other_thing(need.question, statement)
        or need.leaves_open(statement)
        or instructs_reader(statement.text)
        or _is_only_planned(need.question, statement)
        or _says_the_contrary(need, statement)
        or _repeats_condition(need, statement)
    )


def _repeats_condition(need: Need, statement: SourceStatement) -> bool:
    """Return whether a statement wants what a condition asks for in its own words, and does not say who meets it."""
    text = statement.text.casefold()
    is_repeated = any(condition.text.casefold() in text for condition in need.conditions)
    return is_repeated and bool(WANTED.search(text)) and not WANTED.search(need.question)


def _says_the_contrary(need: Need, statement: SourceStatement) -> bool:
    """Return whether a sentence says what the question denies, or denies the one word that it asks for."""
    if statement.kind.is_data:
        return False
    said = list(words(statement.text))
    stems = [stem(word, statement.language) for word in said]
    if need.negated:
        return stem(need.negated[0], statement.language) in stems and not _denies(statement.text)
    terms = need.spoken_terms(statement)
    return len(terms) == 1 and any(
        one == terms[0] and _denies(before) for before, one in zip(said, stems[1:], strict=False)
    )


def _is_only_planned(question: str, statement: SourceStatement) -> bool:
    """Return whether a question asks for what was, and a sentence tells what was planned."""
    is_plan = not statement.kind.is_data and PLANNED.search(statement.text)
    return bool(is_plan and _PAST.search(question) and not PLANNED.search(question))


def _denies(text: str) -> bool:
    return DENIED.search(text) is not None


def is_of_other_thing(question: str, statement: SourceStatement) -> bool:
    """Return whether a statement, or what it stands under, is of another thing of a kind: of well 3, not of well 4."""
    asked = _designated(question)
    for noun in asked:
        for text in (statement.text, " ".join((*statement.unit.path, statement.beside)), statement.about):
            if own := _designated(text).get(noun):
                if own.isdisjoint(asked[noun]):
                    return True
                break
    return False


@lru_cache(maxsize=4_096)
def _designated(text: str) -> dict[str, frozenset[str]]:
    """Return the numbers and letters by which a text tells things of a kind apart, by the word for the kind."""
    found: dict[str, set[str]] = {}
    for noun, name in _DESIGNATED.findall(without_values(text)):
        found.setdefault(noun.casefold(), set()).add(name)
    return {noun: frozenset(own) for noun, own in found.items()}


def rivals(need: Need, statements: Sequence[SourceStatement]) -> frozenset[int]:
    """Return the statements, by their order, of which another one gives another value of what is asked for.

    A question for several things has several answers.
    """
    if is_facet(need.question) or _asks_for_several(need, statements):
        return frozenset()
    answers = [(one, frozenset(_answers(need, one))) for one in statements]
    return frozenset(
        one.order
        for one, own in answers
        for other, others in answers
        if other is not one
        and not _are_of_several(need, one, other)
        and (_differ(own, others) or _is_said_otherwise(one, other))
    )


def _are_of_several(need: Need, first: SourceStatement, second: SourceStatement) -> bool:
    """Return whether two fields belong to two of the things that a question asks for: "the offers"."""
    return first.number != second.number and all(map(need.asks_for_each_source, (first, second)))


def _is_said_otherwise(first: SourceStatement, second: SourceStatement) -> bool:
    """Return whether two sentences differ in their values alone: "pump set to 40 l/min" and "to 35 l/min"."""
    is_text = not first.kind.is_data and not second.kind.is_data
    return is_text and first.subject_stems == second.subject_stems and _differ(first.values, second.values)


def _asks_for_several(need: Need, statements: Sequence[SourceStatement]) -> bool:
    """Return whether a question asks for several things: "which boats", "each"; a condition may select several, too.

    The name of a field as it stands in it is no plural: "welcher Preis".
    """
    if EACH.search(need.question):
        return True
    if need.thing:
        names_ = {word for one in statements for cell in one.unit.fields for word in words(cell.head)}
        return is_plural(need.thing, language_of(need.question)) and need.thing not in names_
    return bool(need.conditions) and not need.is_question


def _differ(own: _Values, others: _Values) -> bool:
    """Return whether two answers give values of one kind, and each one that the other has not."""
    mine, theirs = own - others, others - own
    return any(kind == other or _NO_UNIT in {kind, other} - _NAMED for kind, _ in mine for other, _ in theirs)


def _answers(need: Need, statement: SourceStatement) -> Iterator[tuple[str, object]]:
    """Yield what a statement answers a need with: the values under a name that is asked for, else those of the kind."""
    unit = statement.unit
    if need.cue is PEOPLE and (persons := PERSON.findall(statement.text)):
        yield from ((_WORDS, name) for name in persons)
        return
    asked = {*need.words, *need.asked}
    named = [cell for cell in unit.fields if any(names(word, cell.head) for word in asked)]
    for cell in named:
        part = replace(unit, text=cell.text, cells=(cell,) if unit.cells else ())
        values = list(_values(part))
        yield from values
        if not values and cell.text and yes_or_no(cell.text) is None:
            yield _WORDS, tuple(words(cell.text))
    if named or need.cue is None or need.cue.has_value is None:
        return
    for part in filter(need.cue.has_value, parts_with_values(unit)):
        yield from _values(part)


def _values(unit: SourceUnit) -> Iterator[tuple[str, object]]:
    yield from ((one.dimension, one.base_values[0]) for one in unit.quantities)
    yield from ((_DATE, one.readings[0]) for one in unit.dates)
