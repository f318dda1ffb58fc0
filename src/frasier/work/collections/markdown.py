"""The text of a step that examined every document: how many, which rows, and which documents failed. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from frasier.kernel.humanize import plural
from frasier.llm import one_line
from frasier.llm.reply_schemas import RowCondition, TablePlan
from frasier.org.missions import ResultTable, TableRow
from frasier.work.collections.rows import units_sorted_apart

ROWS_SHOWN = 200
"""The rows that stand in the text; the files beside it have all."""
GAPS_SHOWN = 200
"""The documents that the text names because they could not be examined."""
NOT_COMPARED = (
    "Each row says what its own document says; it is marked where another one surely revokes it, other changes were not"
    " examined."
)

_OPERATORS = {
    "is": "is",
    "is_not": "is not",
    "contains": "contains",
    "at_least": "is at least",
    "at_most": "is at most",
    "is_known": "is stated",
}


def table_markdown(title: str, plan: TablePlan, table: ResultTable) -> str:
    """Write the text: the answer first, then the rows, each with its source, then what could not be examined."""
    return "\n".join(_lines(title, plan, table)) + "\n"


def row_markdown(row: TableRow) -> str:
    """Write a row with the source that it stands in, and the one that revokes it."""
    mark = f" (revoked by [{row.revoked_by}])" if row.revoked_by is not None else ""
    return f"| {' | '.join(_cell(cell.value) or '–' for cell in row.cells)} | [{row.source}]{mark} |"


def _lines(title: str, plan: TablePlan, table: ResultTable) -> Iterator[str]:
    yield f"# {one_line(title)}\n"
    yield f"> {table.coverage}; {_kept(plan, table)}."
    for gap in table.gaps[:GAPS_SHOWN]:
        yield f">\n> {one_line(gap)}"
    if len(table.gaps) > GAPS_SHOWN:
        yield f">\n> And {len(table.gaps) - GAPS_SHOWN:,} more."
    if empty := "; ".join(_empty_cells(table)):
        yield f">\n> Empty, because nothing sure was found: {empty}."
    if len({row.source for row in table.rows}) > 1:
        yield f">\n> {NOT_COMPARED}"
    yield ""
    if table.rows:
        yield f"| {' | '.join([*map(_cell, table.columns), 'source'])} |"
        numbers = {column.name for column in plan.columns if column.kind == "number"}
        yield "".join("|--:" if name in numbers else "|---" for name in table.columns) + "|---|"
        for row in table.rows[:ROWS_SHOWN]:
            yield row_markdown(row)
        if len(table.rows) > ROWS_SHOWN:
            yield f"\n> The first {ROWS_SHOWN} of {len(table.rows):,} rows; the files beside this text have all."
    else:
        yield f"> No document {'meets the conditions' if plan.conditions else 'has a value for any column'}."


def _empty_cells(table: ResultTable) -> Iterator[str]:
    for at, name in enumerate(table.columns):
        if count := sum(not row.cells[at].value for row in table.rows):
            yield f"{one_line(name)} in {count:,} of {plural(len(table.rows), 'row')}"


def _kept(plan: TablePlan, table: ResultTable) -> str:
    rows = plural(len(table.rows), "row")
    conditions = " and ".join(_condition(condition) for condition in plan.conditions)
    ordered = f", ordered by {one_line(plan.sort_by)}" if plan.sort_by else ""
    if units := units_sorted_apart(plan, table.rows):
        ordered += f" within each unit ({', '.join(units)}), as none was converted"
    return f"{rows}{f' where {conditions}' if conditions else ''}{ordered}"


def _condition(condition: RowCondition) -> str:
    value = f" “{one_line(condition.value)}”" if condition.operator != "is_known" else ""
    return f"{one_line(condition.column)} {_OPERATORS[condition.operator]}{value}"


def _cell(text: str) -> str:
    return one_line(text).replace("|", "\\|").replace("[", "(").replace("]", ")")
