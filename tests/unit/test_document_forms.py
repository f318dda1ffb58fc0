"""Forms in documents: tables whose rows are a name and its value, and how they are told from other tables."""

import io

import docx
import pytest
from xlsxwriter import Workbook

from frasier.work.research.documents.read_folders import read_sources
from support.document_files import make_xlsx

FORM = (("Supplier", "Brown & Sons"), ("Amount", "1.234,50 EUR"), ("Due on", "03.03.2026"))
PRICES = (("Product", "Price"), ("Hose", "3.00 EUR"), ("Valve", "12.50 EUR"), ("Pump", "on request"))


@pytest.fixture
def read(tmp_path):
    def read_one(data: bytes, name: str) -> str:
        (tmp_path / name).write_bytes(data)
        return read_sources([tmp_path / name]).documents[0].text

    return read_one


def html_table(rows, name="td") -> bytes:
    lines = (f"<tr><{name}>{first}</{name}><td>{second}</td></tr>" for first, second in rows)
    return f"<html><body><h1>R-2</h1><table>{''.join(lines)}</table></body></html>".encode()


def docx_table(rows) -> bytes:
    document = docx.Document()
    table = document.add_table(rows=0, cols=2)
    for row in rows:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def xlsx_table(rows) -> bytes:
    def fill(book: Workbook) -> None:
        sheet = book.add_worksheet()
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)

    return make_xlsx(fill)


@pytest.mark.parametrize(
    ("name", "make"), [("a.html", html_table), ("a.docx", docx_table), ("a.xlsx", xlsx_table)]
)
def test_a_form_is_read_as_names_with_values(read, name, make):
    text = read(make(FORM), name)
    assert text.endswith("Supplier: Brown & Sons\nAmount: 1.234,50 EUR\nDue on: 03.03.2026")


@pytest.mark.parametrize(("name", "make"), [("a.html", html_table), ("a.docx", docx_table)])
@pytest.mark.parametrize(
    "rows",
    [
        PRICES,
        (("Country", "Capital"), ("France", "Paris"), ("Spain", "Madrid")),
        (("Cost centre", "2025"), ("Heating", "185000"), ("Water", "38000")),
        (("Step", "Date"), ("Order", "18.03.2026"), ("Approval", "30.09.2026")),
        (*FORM, ("Supplier", "Miller Ltd")),
    ],
)
def test_a_table_keeps_the_names_of_its_columns(read, name, make, rows):
    text = read(make(rows), name)
    assert f"| {rows[0][0]} | {rows[0][1]} |\n| --- | --- |\n| {rows[1][0]} | {rows[1][1]} |" in text


def test_a_page_says_itself_what_names_rows_and_what_names_columns(read):
    rows = (("Country", "France"), ("Capital", "Paris"))
    assert read(html_table(rows, name="th"), "a.html").endswith("Country: France\nCapital: Paris")
    marked = html_table(FORM).replace(b"<td>Brown & Sons</td>", b"<th>Brown</th>")
    assert "| Supplier | Brown |" in read(marked, "a.html")


def test_a_sheet_may_have_a_form_above_a_table(read):
    def fill(book: Workbook) -> None:
        sheet = book.add_worksheet("Order")
        rows = [("Supplier", "Brown"), ("Total", 19.5), ("Due", "3.3.2026"), (), *PRICES]
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)

    text = read(make_xlsx(fill), "a.xlsx")
    assert "Supplier: Brown\nTotal: 19.5\nDue: 3.3.2026\n" in text
    assert text.endswith("Product: Valve; Price: 12.50 EUR\nProduct: Pump; Price: on request")
