"""Documents are packed without loss, cells must stand in their documents, and rows are filtered by their values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel.source_units import SourceText
from frasier.kernel.text import estimate_tokens
from frasier.llm.reply_schemas import ExtractedCell, ExtractedRow, RowCondition, TableColumn, TablePlan
from frasier.org.planning import ResultTable, TableCell, TableRow
from frasier.work.collections.markdown import ROWS_SHOWN, table_markdown
from frasier.work.collections.packing import pack_documents
from frasier.work.collections.rows import join_parts, keep_and_sort, read_rows

COLUMNS = [
    TableColumn(name="name", asks="Whose offer is it?", kind="text"),
    TableColumn(name="price", asks="What does a valve cost?", kind="number"),
    TableColumn(name="until", asks="Until when is it valid?", kind="date"),
    TableColumn(name="net", asks="Is the price net?", kind="yes_no"),
]
OFFER = SourceText(
    number=4,
    title="Offer",
    text="Zephyr sells a valve for 48.50 EUR net.\nThe offer ends on 30 September 2026.\n",
)
texts = st.lists(st.text(alphabet="ab \n", max_size=3_000), max_size=12)


@given(texts=texts, tokens=st.integers(60, 900), together=st.integers(1, 5))
def test_every_word_of_every_document_is_in_some_request_and_none_is_too_long(texts, tokens, together):
    documents = [SourceText(number=n, title=f"d{n}", text=text) for n, text in enumerate(texts, start=1)]
    requests = pack_documents(documents, tokens_max=tokens, documents_max=together)
    for request in requests:
        assert 1 <= len(request) <= together
        assert sum(estimate_tokens(passage.text) for passage in request) <= tokens
    packed = [passage for request in requests for passage in request]
    assert [passage.number for passage in packed] == sorted(passage.number for passage in packed)
    for document in documents:
        parts = [passage.text for passage in packed if passage.number == document.number]
        assert " ".join(parts).split() == document.text.split()
    if len({passage.number for passage in packed}) == len(packed):
        assert len(packed) == len(documents)


def _read(**cells: tuple[str, str]) -> tuple[TableRow, ...] | str:
    row = ExtractedRow(
        document=4, cells=[ExtractedCell(column=name, value=v, quotation=q) for name, (v, q) in cells.items()]
    )
    return read_rows(TablePlan(columns=COLUMNS), [row], OFFER)


def test_a_cell_that_its_document_carries_is_read_and_the_others_are_empty():
    (row,) = _read(
        price=("48.50 EUR", "a valve for 48.50 EUR net"), until=("2026-09-30", "ends on 30 September 2026")
    )
    assert [cell.value for cell in row.cells] == ["", "48.50 EUR", "2026-09-30", ""]
    assert row.source == 4


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"price": ("48.50 EUR", "")}, "the words quoted for “price” do not stand in it"),
        (
            {"price": ("12.34 EUR", "It costs 12.34 EUR only")},
            "the words quoted for “price” do not stand in it",
        ),
        (
            {"price": ("12.34 EUR", "a valve for 48.50 EUR")},
            "the number of “price” is not in the words quoted for it",
        ),
        (
            {"until": ("2026-10-30", "ends on 30 September 2026")},
            "the date of “until” is not in the words quoted",
        ),
        ({"colour": ("red", "Zephyr sells")}, "a column “colour”, which was not asked for"),
    ],
)
def test_a_cell_that_its_document_does_not_carry_makes_the_reply_unusable(cells, reason):
    assert reason in _read(**cells)


def test_a_document_without_a_row_was_not_examined():
    assert read_rows(TablePlan(columns=COLUMNS), [], OFFER) == "the reply has no row for it"


def _row(source: int, *values: str) -> TableRow:
    return TableRow(source=source, cells=tuple(TableCell(value=value, quotation=value) for value in values))


ROWS = [
    _row(1, "Zephyr", "48.50 EUR", "2026-09-30", "yes"),
    _row(2, "Boreas", "1.250,00 EUR", "31 December 2025", "no"),
    _row(3, "Notos", "", "", ""),
    _row(4, "Euros", "40 EUR", "2027", "Yes."),
]


@pytest.mark.parametrize(
    ("column", "operator", "value", "kept"),
    [
        ("price", "at_most", "50 EUR", [1, 4]),
        ("price", "at_least", "1,000", [2]),
        ("until", "at_least", "1 January 2026", [1, 4]),
        ("net", "is", "yes", [1, 4]),
        ("net", "is_not", "yes", [2]),
        ("name", "is", "boreas", [2]),
        ("name", "contains", "OS", [3, 4]),
        ("price", "is_known", "", [1, 2, 4]),
        ("price", "at_most", "cheap", []),
    ],
)
def test_rows_are_kept_by_their_values(column, operator, value, kept):
    condition = RowCondition(column=column, operator=operator, value=value)
    plan = TablePlan(columns=COLUMNS, conditions=[condition])
    assert [row.source for row in keep_and_sort(plan, ROWS)] == kept


@pytest.mark.parametrize(
    ("sort_by", "descending", "order"),
    [
        ("price", False, [4, 1, 2, 3]),
        ("price", True, [2, 1, 4, 3]),
        ("until", False, [2, 1, 4, 3]),
        ("name", False, [2, 4, 3, 1]),
        ("", False, [1, 2, 3, 4]),
    ],
)
def test_rows_are_sorted_by_value_and_unknown_ones_stand_last(sort_by, descending, order):
    plan = TablePlan(columns=COLUMNS, sort_by=sort_by, descending=descending)
    assert [row.source for row in keep_and_sort(plan, ROWS)] == order


def test_the_parts_of_a_long_document_become_one_row_unless_one_has_several():
    first, second = _row(1, "Zephyr", "", "", ""), _row(1, "Zephyr", "48.50 EUR", "", "")
    (joined,) = join_parts([[first], [_row(1, "", "", "", "")], [second]])
    assert [cell.value for cell in joined.cells] == ["Zephyr", "48.50 EUR", "", ""]
    (both,) = join_parts([[first], [_row(1, "Boreas", "", "", "")]])
    assert both.cells[0].value == "Zephyr; Boreas"
    assert len(join_parts([[first, second], [_row(1, "", "", "", "")]])) == 2


def test_the_text_says_how_many_and_shows_what_fits():
    plan = TablePlan(
        columns=COLUMNS[:1],
        conditions=[RowCondition(column="name", operator="contains", value="o | p")],
        sort_by="name",
    )
    rows = tuple(_row(number, f"no | {number} [{number}]") for number in range(1, ROWS_SHOWN + 6))
    table = ResultTable(columns=("name",), rows=rows, documents=1_300, failed=("Draft [7] (it is empty)",))
    text = table_markdown("Offers", plan, table)
    assert (
        "> 1,299 of 1,300 documents examined; 205 rows where name contains “o | p”, ordered by name." in text
    )
    assert "> Could not be examined: Draft [7] (it is empty)." in text
    assert "| no \\| 3 (3) | [3] |" in text
    assert text.count("\n| no") == ROWS_SHOWN
    assert "> The first 200 of 205 rows; the files beside this text have all." in text
    assert "> No document meets the conditions." in table_markdown(
        "Offers", plan, ResultTable(columns=("name",), rows=(), documents=3)
    )
