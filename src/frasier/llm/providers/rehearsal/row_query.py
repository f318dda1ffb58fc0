"""One query over the rows of a table: filter, then the highest, the latest, a sum or a count, with the rows cited.

It answers only what is plain: every word of the question asks for the operation, names a column, is a value of one, or
is what the table is about; the table is read whole; and no other statement speaks of a change to one of its rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from frasier.kernel.cell_values import is_unstated
from frasier.kernel.language import function_words
from frasier.kernel.language_words import word_pattern
from frasier.kernel.quantities import units_in
from frasier.kernel.records import Cell
from frasier.kernel.source_units import SourceUnit
from frasier.kernel.unit_names import MeasureUnit
from frasier.llm.providers.rehearsal.conditions import ValueCondition
from frasier.llm.providers.rehearsal.corpus import Corpus
from frasier.llm.providers.rehearsal.evidence import ReadSource, SourceStatement
from frasier.llm.providers.rehearsal.named_rows import akin, named_cells, names
from frasier.llm.providers.rehearsal.needs import LIGHT_WORDS, Need, is_negation
from frasier.llm.providers.rehearsal.operation_words import (
    EXCEPTS,
    OperationMention,
    RowOperation,
    operation_in,
)
from frasier.llm.providers.rehearsal.quotable import Kind
from frasier.llm.providers.rehearsal.stems import spelled, words
from frasier.llm.providers.rehearsal.typed_columns import (
    DateColumn,
    NumberColumn,
    TypedColumn,
    YesNoColumn,
    typed_column,
)
from frasier.llm.providers.rehearsal.words import CHANGES, GONE, REPLACES, REVOKES, WORDS

_ROWS_MIN = 2
_ROWS_MAX = 24
_ROW = WORDS["rows"].words
_KEY_CHARS_MIN = 4
_FUNCTION_WORDS = function_words(None) | spelled(
    "whose many much viel viele wann hatte waren hoch hoog c'è ci"
)
_DENIES = word_pattern(f"{WORDS['denied'].alternatives}|{WORDS['wrong'].alternatives}")
_SUMMARY_ROW = re.compile(rf"\W*(?:{WORDS['summary_row'].alternatives})\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class ComputedAnswer:
    """The result of a query over the rows of a source, as lines with a row that each rests on."""

    lines: tuple[tuple[SourceStatement, str], ...]


@dataclass(frozen=True, kw_only=True)
class _Table:
    """The rows of a whole table without those that summarise others, and its columns that have one kind of value."""

    source: ReadSource
    rows: Sequence[SourceUnit]
    summaries: Sequence[SourceUnit]
    columns: Mapping[int, TypedColumn]

    @property
    def heads(self) -> Sequence[str]:
        return [cell.head for cell in self.rows[0].cells]


@dataclass(frozen=True, kw_only=True)
class _Query:
    """A query that a table can answer: the rows that are kept, and the columns whose values are taken.

    `named` is the column that tells what a count is of.
    """

    operation: RowOperation
    table: _Table
    selection: _Selection
    columns: Sequence[int]
    named: int | None = None

    @property
    def kept(self) -> Sequence[int]:
        return self.selection.kept


@dataclass(frozen=True, kw_only=True)
class _Selection:
    """The rows that meet all that a question says, and those that do if a value that they leave open does.

    `filters` are the columns that tell.
    """

    kept: Sequence[int]
    open: Sequence[int] = ()
    filters: Sequence[int] = ()

    def narrowed(self, at: int, verdicts: Mapping[int, bool | None]) -> _Selection:
        """Return it with one more column that tells; a row without a verdict leaves it open."""
        left = sorted({*self.open, *(n for n in self.kept if verdicts[n] is None)})
        return _Selection(
            kept=[n for n in self.kept if verdicts[n]],
            open=[n for n in left if verdicts[n] is not False],
            filters=(*self.filters, at),
        )


def compute(need: Need, corpus: Corpus) -> ComputedAnswer | None:
    """Compute what a need asks for; None unless exactly one table of the sources answers it plainly."""
    mention = operation_in(need.subject)
    if mention is None or EXCEPTS.search(need.subject):
        return None
    tables = [table for source in corpus.sources for table in _tables(source, corpus)]
    queries = [query for table in tables if (query := _query(need, mention, table))]
    if len(queries) != 1 or _is_contested(queries[0], need, corpus):
        return None
    return _carry_out(queries[0])


def _tables(source: ReadSource, corpus: Corpus) -> Iterator[_Table]:
    if not source.is_whole or any(one.order in corpus.outdated for one in source.evidence):
        return
    for rows in source.tables:
        summaries = [row for row in rows if is_totals_row(row)]
        heads = list(dict.fromkeys(cell.head for row in rows for cell in row.cells))
        is_list = any(len({cell.head for cell in row.cells}) < len(row.cells) for row in rows)
        summaries = [_aligned(row, heads) for row in summaries]
        own = [_aligned(row, heads) for row in rows if row.order not in {one.order for one in summaries}]
        if len(own) < _ROWS_MIN or is_list:
            continue
        columns = {at: column for at in range(len(heads)) if (column := typed_column(own, at))}
        yield _Table(source=source, rows=own, summaries=summaries, columns=columns)


def _aligned(row: SourceUnit, heads: Sequence[str]) -> SourceUnit:
    """Return a row with a cell for each column; a record leaves out those that are empty."""
    texts = {cell.head: cell.text for cell in row.cells}
    return replace(row, cells=tuple(Cell(head=head, text=texts.get(head, "")) for head in heads))


def _query(need: Need, mention: OperationMention, table: _Table) -> _Query | None:
    question = need.subject
    asked = question[: mention.start] + " " + question[mention.end :]
    again = operation_in(asked)
    if again is not None and again.operation is not RowOperation.COUNT:
        # "The highest maximum elevation" says it twice; "the sum of the highest" asks for two operations.
        if again.operation is not mention.operation:
            return None
        asked = asked[: again.start] + " " + asked[again.end :]
    for condition in need.conditions:
        asked = asked.replace(condition.text, " ", 1)
    values, asked = named_cells(table.rows, asked, without=table.columns)
    tokens = [word for word in words(asked) if len(word) > 1]
    content = [word for word in tokens if word not in _FUNCTION_WORDS | LIGHT_WORDS and not is_negation(word)]
    if not (content or values) or not all(_is_explained(word, table) for word in content):
        return None
    selection = _selection(need, table, values, tokens)
    columns = _asked_columns(mention, table, content)
    if not selection.kept or (mention.operation is not RowOperation.COUNT and not columns):
        return None
    query = _Query(operation=mention.operation, table=table, selection=selection, columns=columns)
    return query if mention.operation is not RowOperation.COUNT else _count_of(query, content)


def _is_explained(word: str, table: _Table) -> bool:
    """Return whether a word of the question names a column, its unit, a row, or what the table is about."""
    named = [*(one for head in table.heads for one in words(head.replace("_", " "))), *_about(table)]
    if word in _ROW or any(akin(word, other) for other in named):
        return True
    asked_units = set(units_in(word))
    return any(
        isinstance(column, NumberColumn) and column.unit in asked_units for column in table.columns.values()
    )


def _about(table: _Table) -> Iterator[str]:
    yield from words(
        f"{table.source.title} {table.source.file} {' '.join(table.rows[0].path)}".replace("_", " ")
    )


def _selection(
    need: Need, table: _Table, values: Mapping[int, set[str]], tokens: Sequence[str]
) -> _Selection:
    """The rows that meet all that the question says; none if a value that is no open one cannot be compared."""
    selection = _Selection(kept=range(len(table.rows)))
    for at, wanted in values.items():
        texts = [row.cells[at].text.casefold() for row in table.rows]
        selection = selection.narrowed(at, {n: text in wanted for n, text in enumerate(texts)})
    for at, column in table.columns.items():
        named = [place for place, token in enumerate(tokens) if names(token, column.head)]
        if not named or not isinstance(column, YesNoColumn):
            continue
        is_wanted = not any(is_negation(token) for token in tokens[max(0, named[0] - 3) : named[0]])
        answers = (column.values.get(n) for n in range(len(table.rows)))
        met = {n: None if answer is None else answer is is_wanted for n, answer in enumerate(answers)}
        selection = selection.narrowed(at, met)
    for condition in need.conditions:
        decided = _column_of(condition, table, [*tokens, *words(condition.text)])
        cells = [_cell(row, decided) for row in table.rows] if decided >= 0 else []
        verdicts = dict(enumerate(map(condition.test, cells)))
        if not cells or any(verdicts[n] is None and not is_unstated(cells[n].text) for n in selection.kept):
            return _Selection(kept=())
        selection = selection.narrowed(decided, verdicts)
    return selection


def _column_of(condition: ValueCondition, table: _Table, tokens: Sequence[str]) -> int:
    """The one column that a condition can be compared with, by the name of its column if there are several; else -1."""
    comparable = [
        at
        for at in range(len(table.heads))
        if any(condition.test(_cell(row, at)) is not None for row in table.rows)
    ]
    named = [at for at in comparable if any(names(token, table.heads[at]) for token in tokens)]
    columns = named or comparable
    return columns[0] if len(columns) == 1 else -1


def _cell(row: SourceUnit, at: int) -> SourceUnit:
    return replace(row, text=row.cells[at].text, cells=(row.cells[at],))


def _asked_columns(mention: OperationMention, table: _Table, content: Sequence[str]) -> Sequence[int]:
    """The columns that an operation takes its values from: those that the question names best."""
    kind = DateColumn if mention.operation.is_of_dates else NumberColumn
    fitting = {at: column for at, column in table.columns.items() if isinstance(column, kind)}
    if mention.dimensions:
        return [at for at, column in fitting.items() if _has_dimension(column, mention.dimensions)]
    scores = {at: _naming(column, content) for at, column in fitting.items()}
    best = max(scores.values(), default=0)
    if not best:
        # "The latest arrival" names the column, "the latest pass" does not: one column of days is meant.
        return list(fitting) if mention.operation.is_of_dates and len(fitting) == 1 else ()
    return [at for at, score in scores.items() if score == best]


def _naming(column: TypedColumn, content: Sequence[str]) -> int:
    unit = column.unit if isinstance(column, NumberColumn) else None
    return sum(
        names(word, column.head) or (unit is not None and unit in set(units_in(word))) for word in content
    )


def _has_dimension(column: TypedColumn, dimensions: Sequence[str]) -> bool:
    unit: MeasureUnit | None = column.unit if isinstance(column, NumberColumn) else None
    return unit is not None and unit.dimension.startswith(tuple(dimensions))


def _count_of(query: _Query, content: Sequence[str]) -> _Query | None:
    """The query of a count of rows; None if what it names is an amount, or stands in several columns."""
    named = [
        at
        for at, head in enumerate(query.table.heads)
        if at not in query.selection.filters and any(names(word, head) for word in content)
    ]
    texts = [query.table.rows[n].cells[at].text for at in named for n in query.kept]
    if len(named) > 1 or not all(any(map(str.isalpha, text)) for text in texts):
        return None
    return replace(query, named=next(iter(named), None))


def _is_contested(query: _Query, need: Need, corpus: Corpus) -> bool:
    """Return whether anything in the sources may change a row of the table, or the values that are taken."""
    rows = {row.order for row in query.table.rows}
    own = [one for one in query.table.source.evidence if one.unit.cells and one.unit.order in rows]
    if any(one.order in corpus.doubts or one.order in corpus.revocations for one in own):
        return True
    taken = [query.table.heads[at] for at in (*query.columns, *query.selection.filters)]
    if not taken:
        return any(corpus.contesting(one, need) for one in own)
    if any(corpus.speaking_of(one, one.stems_of(" ".join(taken))) for one in own):
        return True
    keys = {key for row in query.table.rows for cell in row.cells if (key := _key(cell.text))}
    return any(_may_change(one, keys, taken) for one in corpus.evidence if one.kind is not Kind.RECORD)


def _key(text: str) -> str:
    """The text of a cell, if it can name its row."""
    is_code = any(map(str.isdigit, text)) and any(map(str.isalpha, text))
    return text.casefold() if (len(text) >= _KEY_CHARS_MIN or is_code) and any(map(str.isalpha, text)) else ""


def _may_change(statement: SourceStatement, keys: set[str], heads: Sequence[str]) -> bool:
    text = statement.text
    is_change = any(pattern.search(text) for pattern in (REVOKES, REPLACES, GONE, CHANGES))
    if not is_change and not _DENIES.search(text):
        return False
    spoken = list(words(text))
    return any(re.search(rf"(?<!\w){re.escape(key)}(?!\w)", text.casefold()) for key in keys) or (
        is_change and any(names(word, head) for word in spoken for head in heads)
    )


def _carry_out(query: _Query) -> ComputedAnswer | None:
    statements = {one.unit.order: one for one in query.table.source.evidence if one.unit.cells}
    rows = [statements.get(query.table.rows[n].order) for n in query.kept]
    if any(one is None for one in rows):
        return None
    kept = dict(zip(query.kept, (one for one in rows if one is not None), strict=True))
    if query.operation.is_superlative:
        return _extremes(query, kept)
    line = _sum(query) if query.operation is RowOperation.SUM else _count(query)
    quoted = list(kept.values())[:_ROWS_MAX]
    return ComputedAnswer(lines=((quoted[0], line), *((one, one.text) for one in quoted))) if line else None


def _extremes(query: _Query, statements: Mapping[int, SourceStatement]) -> ComputedAnswer | None:
    """The rows with the highest or lowest value; several columns that are meant have to agree on them."""
    winners: set[tuple[int, ...]] = set()
    valued = _valued(query)
    for at in query.columns:
        values = query.table.columns[at].values
        ordered = sorted({values[n] for n in valued})
        extremes = ordered[-1 if query.operation.takes_last else 0 :][:1]
        winners.add(tuple(n for n in valued if values[n] in extremes))
    if len(winners) != 1 or not valued:
        return None
    [rows] = winners
    heads = ", ".join(f"“{query.table.heads[at]}”" for at in query.columns)
    cells = query.table.rows[rows[0]].cells
    texts = ", ".join(cells[at].text for at in query.columns)
    keys = ", ".join(dict.fromkeys(_keys(query.table, rows) or [cells[0].text]))
    line = f"{query.operation} {heads}: {texts} ({keys}){_left_out(query, valued)}"
    lines = ((statements[rows[0]], line), *((statements[n], statements[n].text) for n in rows))
    return ComputedAnswer(lines=lines)


def _valued(query: _Query) -> Sequence[int]:
    """The kept rows that have a value in each column that the values are taken from."""
    columns = [query.table.columns[at].values for at in query.columns]
    return [n for n in query.kept if all(n in values for values in columns)]


def _left_out(query: _Query, used: Sequence[int]) -> str:
    """Name the rows that would have counted but leave a value open; empty without any."""
    rows = sorted({*query.selection.open, *query.kept} - set(used))
    return f"; left out: {_counted(query, rows)}, without a value" if rows else ""


def _counted(query: _Query, rows: Sequence[int]) -> str:
    """The number of some rows with what names each, if they are not too many."""
    keys = _keys(query.table, rows, query.named) if len(rows) <= _ROWS_MAX else []
    number = "one row" if len(rows) == 1 else f"{len(rows)} rows"
    return f"{number} ({', '.join(keys)})" if keys else number


def _sum(query: _Query) -> str:
    """The sum of a column as a calculation; empty if several columns are meant, or a row of totals says otherwise."""
    column = query.table.columns[query.columns[0]]
    used = _valued(query)
    if len(query.columns) != 1 or not isinstance(column, NumberColumn) or not 0 < len(used) <= _ROWS_MAX:
        return ""
    value = sum((column.values[n] for n in used), Decimal(0))
    texts = [_number_text(query.table.rows[n].cells[query.columns[0]].text) for n in used]
    if len(query.kept) == len(query.table.rows) and _is_denied_by_totals(query, value):
        return ""
    mark = "," if any(re.search(r",\d{1,2}$", text) for text in texts) else "."
    result = str(value).replace(".", mark)
    return f"Sum of “{column.head}”: {' + '.join(texts)} = {result}{_left_out(query, used)}"


def _number_text(text: str) -> str:
    match = re.search(r"-?\d[\d.,'’]*", text)
    return match[0].rstrip(".,") if match else text


def _is_denied_by_totals(query: _Query, value: Decimal) -> bool:
    column = (
        typed_column([*query.table.summaries, *query.table.rows], query.columns[0])
        if query.table.summaries
        else None
    )
    if not isinstance(column, NumberColumn):
        return False
    return any(column.values.get(n, value) != value for n in range(len(query.table.summaries)))


def _count(query: _Query) -> str:
    """The number of rows, and of different values of what is counted; empty if two rows say the same."""
    table, rows = query.table, query.kept
    is_whole = len(rows) == len(table.rows)
    if len({tuple(cell.text for cell in table.rows[n].cells) for n in rows}) < len(rows):
        return ""
    if len(rows) > _ROWS_MAX and not is_whole:
        return ""
    line = f"Count: {'all ' if is_whole else ''}{_counted(query, rows)}"
    if query.named is not None:
        different = list(dict.fromkeys(table.rows[n].cells[query.named].text for n in rows))
        if len(different) < len(rows) and len(different) > _ROWS_MAX:
            return ""
        line += f": {len(different)} different ({', '.join(different)})" if len(different) < len(rows) else ""
    return f"{line}{_left_out(query, rows)}"


def _keys(table: _Table, rows: Sequence[int], named: int | None = None) -> list[str]:
    """The names of some rows: their cells of the column that is `named`, else of the first that tells them apart.

    Without one, of the first column of texts. Numbers are names in the first column, if they have no unit.
    """
    columns = [
        at for at in range(len(table.heads)) if at not in table.columns or (at == 0 and _is_numbering(table))
    ]
    cells = ([table.rows[n].cells[at].text for n in rows] for at in columns if named in {None, at})
    texts = [one for one in cells if all(one)]
    return next((one for one in texts if len(set(one)) == len(one)), texts[0] if texts else [])


def _is_numbering(table: _Table) -> bool:
    column = table.columns[0]
    return isinstance(column, NumberColumn) and column.unit is None


def is_totals_row(row: SourceUnit) -> bool:
    """Return whether a row sums up the others."""
    return any(_SUMMARY_ROW.match(cell.text) for cell in row.cells[:2])
