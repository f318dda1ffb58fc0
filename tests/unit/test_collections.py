"""Documents are packed without loss, cells must stand in their documents, and rows are filtered by their values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frasier.kernel.source_units import SourceText
from frasier.kernel.text import estimate_tokens
from frasier.llm.reply_schemas import ExtractedCell, ExtractedRow, RowCondition, TableColumn, TablePlan
from frasier.org.missions import ResultTable, TableCell, TableRow
from frasier.work.collections.markdown import ROWS_SHOWN, table_markdown
from frasier.work.collections.packing import DocumentPart, PackingLimits, divide_document, pack_documents
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


@given(
    texts=texts,
    tokens=st.integers(120, 900),
    rows=st.integers(1, 9),
    together=st.integers(1, 5),
    several=st.booleans(),
)
def test_every_word_of_every_document_is_in_some_request_and_none_is_too_long(
    texts, tokens, rows, together, several
):
    documents = [SourceText(number=n, title=f"d{n}", text=text) for n, text in enumerate(texts, start=1)]
    limits = PackingLimits(tokens_max=tokens, rows_max=rows, documents_max=together)
    requests = pack_documents(documents, limits, several_rows=several)
    for request in requests:
        assert 1 <= len(request) <= together
        assert sum(estimate_tokens(part.text) for part in request) <= tokens
        assert len(request) == 1 or sum(part.rows for part in request) <= rows
    packed = [part for request in requests for part in request]
    for document in documents:
        parts = [part for part in packed if part.number == document.number]
        assert " ".join(part.text for part in parts).split() == document.text.split()
        for part in parts:
            assert document.text[part.start : part.start + len(part.text)] == part.text
    if len({part.number for part in packed}) == len(packed):
        assert len(packed) == len(documents)


def _part(document: SourceText) -> DocumentPart:
    return DocumentPart(number=document.number, title=document.title, text=document.text)


def _read(**cells: tuple[str, str]) -> tuple[TableRow, ...] | str:
    row = ExtractedRow(
        document=4, cells=[ExtractedCell(column=name, value=v, quotation=q) for name, (v, q) in cells.items()]
    )
    return read_rows(TablePlan(columns=COLUMNS), [row], _part(OFFER), OFFER)


def test_a_cell_that_its_document_carries_is_read_and_the_others_are_empty():
    (row,) = _read(
        price=("48.50 EUR", "a valve for 48.50 EUR net"), until=("2026-09-30", "ends on 30 September 2026")
    )
    assert [cell.value for cell in row.cells] == ["", "48.50 EUR", "2026-09-30", ""]
    assert row.source == 4
    assert [cell.place for cell in row.cells] == ["", "line 1", "line 2", ""]


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
    assert read_rows(TablePlan(columns=COLUMNS), [], _part(OFFER), OFFER) == "the reply has no row for it"


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


def _joined(*parts: list[TableRow], several_rows: bool = False, continues: bool = False):
    numbered = [
        (DocumentPart(number=1, title="", text=str(n), start=n, continues=continues and n > 0), rows)
        for n, rows in enumerate(parts)
    ]
    return join_parts(numbered, several_rows=several_rows)


def test_the_parts_of_a_long_document_become_one_row_unless_one_has_several():
    first, second = _row(1, "Zephyr", "", "", ""), _row(1, "Zephyr", "48.50 EUR", "", "")
    empty = _row(1, "", "", "", "")
    (joined,) = _joined([first], [empty], [second])
    assert [cell.value for cell in joined.cells] == ["Zephyr", "48.50 EUR", "", ""]
    (both,) = _joined([first], [_row(1, "Boreas", "", "", "")])
    assert both.cells[0].value == "Zephyr; Boreas"
    assert len(_joined([first, second], [empty])) == 2
    assert _joined([empty], [empty]) == (empty,)


def test_the_entries_of_the_parts_of_a_document_stay_apart_but_for_one_that_is_cut():
    whole, begun, rest = (
        _row(1, "Notos", "9 EUR", "", ""),
        _row(1, "Zephyr", "", "", ""),
        _row(1, "", "48.50 EUR", "", ""),
    )
    apart = _joined([whole], [_row(1, "Boreas", "", "", "")], several_rows=True)
    assert [row.cells[0].value for row in apart] == ["Notos", "Boreas"]
    cut = _joined([whole, begun], [rest, whole], several_rows=True, continues=True)
    assert [[cell.value for cell in row.cells[:2]] for row in cut] == [
        ["Notos", "9 EUR"],
        ["Zephyr", "48.50 EUR"],
        ["Notos", "9 EUR"],
    ]
    assert len(_joined([whole], [begun], several_rows=True, continues=True)) == 2, "two names, two entries"


def test_an_entry_that_is_written_twice_counts_once_unless_its_words_stand_twice():
    document = SourceText(
        number=4, title="Log", text="pump; 3 EUR; open\nvalve; 4 EUR; open\npump; 3 EUR; open"
    )
    plan = TablePlan(entry="a sale", columns=[TableColumn(name="line", asks="The line", kind="text")])

    def row(quotation: str) -> ExtractedRow:
        cell = ExtractedCell(column="line", value=quotation, quotation=quotation)
        return ExtractedRow(document=4, cells=[cell])

    rows = [row("pump; 3 EUR; open"), row("valve; 4 EUR; open"), row("valve; 4 EUR; open")]
    rows += [row("pump; 3 EUR; open")] * 2
    read = read_rows(plan, rows, _part(document), document)
    assert [(one.cells[0].value, one.cells[0].place) for one in read] == [
        ("pump; 3 EUR; open", "line 1"),
        ("valve; 4 EUR; open", "row 1, line 2"),
        ("pump; 3 EUR; open", "row 2, line 3"),
    ]


def test_a_part_begins_where_an_entry_does_and_is_told_what_it_stands_under():
    entries = [f"### Entry {n}\n\nName: pump {n}\nPrice: {n} EUR\nUntil: 2026-09-30" for n in range(40)]
    table = "\n".join(["| name | price |", "|---|---|", *(f"| pump {n} | {n} EUR |" for n in range(60))])
    text = "\n\n".join(["# Register", *entries, "## Prices", table])
    limits = PackingLimits(tokens_max=300, rows_max=12, documents_max=4)
    parts = divide_document(SourceText(number=1, title="R", text=text), limits, several_rows=True)
    assert len(parts) > 8
    for part in parts:
        assert not part.continues
        assert part.text.startswith(("#", "|"))
        assert part.text.count("Name:") == part.text.count("Until:")
        assert part.text.count("| pump") + part.text.count("Name:") <= limits.rows_max
    assert parts[-1].heading == "Register > Prices > columns: name | price"
    assert "a later part, under Register > Prices" in parts[-1].passage.title


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


def test_entries_that_quote_their_common_heading_are_told_apart_by_their_own_words():
    document = SourceText(number=4, title="Log", text="Bookings of 2024-05-12\n- Room A\n- Room A\n- Room B")
    columns = [
        TableColumn(name="day", asks="The day", kind="date"),
        TableColumn(name="room", asks="The room", kind="text"),
    ]

    def row(room: str) -> ExtractedRow:
        day = ExtractedCell(column="day", value="2024-05-12", quotation="2024-05-12")
        return ExtractedRow(document=4, cells=[day, ExtractedCell(column="room", value=room, quotation=room)])

    rows = [row("Room A"), row("Room A"), row("Room B")]
    read = read_rows(TablePlan(entry="a booking", columns=columns), rows, _part(document), document)
    assert [one.cells[1].value for one in read] == ["Room A", "Room A", "Room B"]
