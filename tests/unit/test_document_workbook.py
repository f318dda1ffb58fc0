"""Workbooks as sources: which rows and names are read, how values are shown, and what is named as left out."""

from datetime import date

import pytest
from xlsxwriter import Workbook

from frasier.work.research.documents.read_folders import read_sources
from frasier.work.research.documents.types import DocumentLimits, Media
from support.document_files import make_xlsx, make_zip, replace_in_docx

PRICES = [["Item", "Supplier", "Price"], ["Chair", "Krueger", 1249.5], ["Desk", "Sitwell", 489]]


@pytest.fixture
def read(tmp_path):
    def read_one(content, name: str = "a.xlsx", limits: DocumentLimits | None = None):
        data = content if isinstance(content, bytes) else make_xlsx(content)
        (tmp_path / name).write_bytes(data)
        scan = read_sources([tmp_path / name], limits)
        return scan.documents[0] if scan.documents else scan.problems[0].reason

    return read_one


def write(sheet, rows, top=0, left=0):
    for at, row in enumerate(rows, start=top):
        sheet.write_row(at, left, row)


def lines(document):
    return document.text.split("\n")[2:]


def test_each_visible_sheet_is_a_table_under_its_name(read):
    def fill(book):
        write(book.add_worksheet("Prices"), PRICES)
        write(book.add_worksheet("Stock"), [["Item", "Pieces"], ["Chair", 12]])
        hidden = book.add_worksheet("Margins")
        write(hidden, [["Item", "Margin"], ["Chair", 0.4]])
        hidden.hide()
        book.add_worksheet("Empty")

    document = read(fill)
    assert document.text == (
        "## Prices\n\nItem: Chair; Supplier: Krueger; Price: 1249.5\nItem: Desk; Supplier: Sitwell; Price: 489\n\n"
        "## Stock\n\nItem: Chair; Pieces: 12"
    )
    assert (document.title, document.media) == ("a", Media.XLSX)
    assert document.notes == ("hidden sheets were left out: “Margins”",)


def test_titles_and_empty_rows_and_columns_do_not_shift_the_names(read):
    def fill(book):
        sheet = book.add_worksheet()
        sheet.write("B2", "Price list 2026")
        write(sheet, PRICES, top=3, left=1)
        sheet.write_blank("H20", None, book.add_format({"bold": True}))
        sheet.write("B9", "Lamp")
        sheet.write("D9", 30)

    assert lines(read(fill)) == [
        "Price list 2026",
        "Item: Chair; Supplier: Krueger; Price: 1249.5",
        "Item: Desk; Supplier: Sitwell; Price: 489",
        "Item: Lamp; Price: 30",
    ]


def test_names_after_an_empty_row_begin_another_table(read):
    def fill(book):
        sheet = book.add_worksheet()
        write(sheet, PRICES)
        write(sheet, [["Room", "Floor", "Seats"], ["Elm", "Second", 8]], top=4)

    assert lines(read(fill))[-1] == "Room: Elm; Floor: Second; Seats: 8"


def test_years_and_days_can_name_columns(read):
    def fill(book):
        write(book.add_worksheet(), [["Region", 2025, 2026], ["North", 5, 7]])

    assert lines(read(fill)) == ["Region: North; 2025: 5; 2026: 7"]


def test_columns_without_names_are_numbered(read):
    def fill(book):
        write(book.add_worksheet(), [["", "Q1", "Q2"], ["North", 5, 7]])

    assert lines(read(fill)) == ["column 1: North; Q1: 5; Q2: 7"]


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("General", 0.1 + 0.2, "0.3"),
        ("General", 12345678901, "12345678901"),
        ("General", 0.0000001, "0.0000001"),
        ("0%", 0.125, "13%"),
        ("0.0%", 0.1445, "14.5%"),
        ("0.00", 1e300, "1" + "0" * 300),
        ("0.0%", 0.125, "12.5%"),
        ("#,##0.00", 1234.5, "1234.50"),
        ("0.##", 2.5, "2.5"),
        ("00000", 1067, "01067"),
        ("#,##0.00 €", 1234.5, "1234.50 €"),
        ('#,##0.00\\ "EUR"', -3, "-3.00 EUR"),
        ("[$CHF-807] #,##0.00", 20, "CHF 20.00"),
        ("[$$-409]#,##0;[Red]-[$$-409]#,##0", 5, "$5"),
        ('_-* #,##0.00\\ "€"_-;-* #,##0.00\\ "€"_-', 7, "7.00 €"),
        ('0.0" kg"', 2.25, "2.3 kg"),
        ("0.00E+00", 1500, "1500"),
        ("# ?/?", 0.5, "0.5"),
        ("#,##0,", 1500000, "1500000"),
        ('#,##0,"K"', 1234567, "1234567"),
        ('0.0,,"M"', 1234567, "1234567"),
        ('0.0"%"', 12.5, "12.5%"),
        ("0.0\\%", 12.5, "12.5%"),
        ("dd.mm.yyyy", 46174, "2026-06-01"),
        ("m/d/yy", 46174, "2026-06-01"),
        ("[$-407]d. mmmm yyyy;@", 46174, "2026-06-01"),
        ("mmm yyyy", 46174, "2026-06"),
        ("yyyy", 46174, "2026"),
        ("dd.mm.yyyy hh:mm", 46174.4375, "2026-06-01 10:30"),
        ("hh:mm", 0.4375, "10:30"),
        ("[h]:mm", 1.5, "36:00"),
        ("d.m.yyyy", 1, "1900-01-01"),
    ],
)
def test_numbers_are_shown_by_their_formats_and_dates_as_iso(read, code, value, shown):
    def fill(book):
        sheet = book.add_worksheet()
        write(sheet, [["Name", "Value"], ["x"]])
        sheet.write_number(1, 1, value, book.add_format({"num_format": code}))

    assert lines(read(fill)) == [f"Name: x; Value: {shown}"]


def test_days_since_1904_are_read(tmp_path):
    with Workbook(tmp_path / "mac.xlsx", {"date_1904": True}) as book:
        sheet = book.add_worksheet()
        day = book.add_format({"num_format": "d.m.yyyy"})
        write(sheet, [["Name", "Day"], ["x"]])
        sheet.write_datetime(1, 1, date(2026, 6, 1), day)
    (document,) = read_sources([tmp_path / "mac.xlsx"]).documents
    assert lines(document) == ["Name: x; Day: 2026-06-01"]


def test_results_of_formulas_are_read_and_missing_ones_counted(read):
    def fill(book):
        sheet = book.add_worksheet("Sums")
        write(sheet, [["Name", "Sum", "Paid"], ["x"]])
        sheet.write_formula("B2", "=1+2", None, 3)
        sheet.write_boolean("C2", True)
        write(sheet, [["y"]], top=2)
        sheet.write_formula("B3", "=1/0", None, "#DIV/0!")

    data = make_xlsx(fill)
    assert lines(read(data)) == ["Name: x; Sum: 3; Paid: yes", "Name: y; Sum: #DIV/0!"]
    document = read(replace_in_docx(data, "xl/worksheets/sheet1.xml", b"<v>3</v>", b""))
    assert document.notes == (
        "sheet “Sums”: formulas without a stored result (open and save the workbook in a spreadsheet program): 1",
    )


def test_merged_cells_name_each_row_and_join_names_over_columns(read):
    def fill(book):
        sheet = book.add_worksheet()
        sheet.merge_range("A1:A2", "Supplier")
        sheet.merge_range("B1:C1", "Price")
        sheet.write_row("B2", ["net", "gross"])
        sheet.merge_range("A3:A4", "Krueger")
        sheet.write_row("B3", [10, 12])
        sheet.write_row("B4", [20, 24])

    assert lines(read(fill)) == [
        "Supplier: Krueger; Price net: 10; Price gross: 12",
        "Supplier: Krueger; Price net: 20; Price gross: 24",
    ]


def test_hidden_rows_and_columns_are_left_out_and_counted(read):
    def fill(book):
        sheet = book.add_worksheet("S")
        write(sheet, PRICES)
        sheet.set_row(1, None, None, {"hidden": True})
        sheet.set_column("B:B", None, None, {"hidden": True})

    document = read(fill)
    assert lines(document) == ["Item: Desk; Price: 489"]
    assert document.notes == ("sheet “S”: hidden rows left out: 1", "sheet “S”: hidden columns left out: 1")


def test_rows_beyond_the_limit_are_counted(read):
    def fill(book):
        write(book.add_worksheet("S"), [["Name", "Value"], *(["x", number] for number in range(9))])

    document = read(fill, limits=DocumentLimits(csv_rows_max=5))
    assert lines(document)[-1] == "Name: x; Value: 3"
    assert document.notes == ("sheet “S”: rows after the first 5 left out: 5",)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"plain words", "The file is not an XLSX file, in spite of its name."),
        (make_zip({"mimetype": b"x"}), "The file is not an XLSX file, in spite of its name."),
        (
            b"\xd0\xcf\x11\xe0" + bytes(20),
            "The file is protected by a password, or is not an XLSX file, in spite of its name.",
        ),
        (
            make_zip({"xl/workbook.xml": b"<!DOCTYPE x [<!ENTITY a 'b'>]><workbook/>"}),
            "The file defines XML entities, as an XLSX file never does.",
        ),
        (
            make_zip({"xl/workbook.xml": b"<workbook"}),
            "The file is damaged or of an unknown kind (XMLSyntaxError).",
        ),
        (
            make_zip({"xl/workbook.xml": b" " * 3_000_000}),
            "The file holds a part that is packed 1,0",
        ),
    ],
)
def test_what_is_no_workbook_is_named(read, content, reason):
    assert read(content).startswith(reason)


def test_a_workbook_without_cells_is_named(read):
    assert read(lambda book: book.add_worksheet()) == "The file holds no text in its visible sheets."


@pytest.mark.parametrize("gap", [0, 1], ids=["directly", "after an empty row"])
@pytest.mark.parametrize("named", [1, 2, 3])
def test_names_with_values_above_a_table_are_a_form(read, named, gap):
    form = [["Project", "Harrow Bay"], ["Contact", "Moira Sinclair"], ["Budget", 46]][:named]

    def fill(book):
        sheet = book.add_worksheet("Hours")
        write(sheet, form)
        write(sheet, PRICES, top=named + gap)

    assert lines(read(fill)) == [
        *[f"{name}: {value}" for name, value in form],
        "Item: Chair; Supplier: Krueger; Price: 1249.5",
        "Item: Desk; Supplier: Sitwell; Price: 489",
    ]
