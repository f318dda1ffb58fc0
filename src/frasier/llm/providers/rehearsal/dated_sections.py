"""Dated or numbered sections of one source, such as a change log: a later one changes what an earlier one says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from frasier.kernel.dates import find_dates
from frasier.llm.providers.rehearsal.evidence import ReadSource, SourceStatement
from frasier.llm.providers.rehearsal.quotable import Kind

_VERSION = re.compile(r"(?<![\w.])v?(\d+(?:\.\d+)+)(?![\w.])")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SHARED_MIN = 2
_SHARE_MIN = 0.6

_Age = tuple[int, ...]


def earlier_entries(source: ReadSource) -> Iterator[SourceStatement]:
    """Yield the statements of dated sections of which a later one says almost the same with other numbers."""
    dated = [
        (age, one)
        for one in source.evidence
        if one.kind not in {Kind.RECORD, Kind.CODE} and one.subject_stems and (age := _age(one))
    ]
    for age, one in dated:
        if any(
            len(age) == len(later) and age < later and _is_other_value(one, other) for later, other in dated
        ):
            yield one


def _age(statement: SourceStatement) -> _Age:
    """The day of the innermost heading that has one, else its version; empty without either."""
    for heading in reversed(statement.unit.path):
        for date in find_dates(heading):
            reading = date.readings[0]
            if reading.year and reading.month:
                return reading.year, reading.month, reading.day or 0
        if match := _VERSION.search(heading):
            return (0, *map(int, match[1].split(".")))[:4]
    return ()


def _is_other_value(earlier: SourceStatement, later: SourceStatement) -> bool:
    shared = earlier.subject_stems & later.subject_stems
    is_same = len(shared) >= _SHARED_MIN and len(shared) >= _SHARE_MIN * len(earlier.subject_stems)
    numbers = set(_NUMBER.findall(earlier.text))
    return is_same and bool(numbers) and numbers != set(_NUMBER.findall(later.text))
