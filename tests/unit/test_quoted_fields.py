"""A cell has the value of another field only where that is sure: by the kinds that the names say, or by a field beside it."""

from __future__ import annotations

import pytest

from frasier.kernel.source_units import SourceText
from frasier.llm.reply_schemas import ExtractedCell, ExtractedRow, TableColumn, TablePlan
from frasier.work.collections.packing import DocumentPart
from frasier.work.collections.rows import read_rows

INVOICE = "Invoice 2026-001\n\nCustomer: Beta GmbH\nInvoice date: 02.02.2026\nTotal amount: 97.50 EUR\nDue date: 02.03.2026\n"
OFFER = "Item: Chair Ergo; Supplier: Krueger Ltd; Net price (EUR): 1.249,50; Delivery: 15.03.2026"
GERMAN = "Rechnungsdatum: 02.02.2026\nKunde: Beta GmbH\nFälligkeit: 02.03.2026\n"
CONTACTS = "Company: Alba; Name: Ada Fennimore; Phone: 030 123"


def flaw_of(
    text: str, name: str, value: str, quotation: str, *, asks: str = "", entry: str = "", kind: str = "text"
) -> str:
    """Return why a cell is refused; empty if it is read."""
    column = TableColumn(name=name, asks=asks or name, kind=kind)
    row = ExtractedRow(document=1, cells=[ExtractedCell(column=name, value=value, quotation=quotation)])
    part = DocumentPart(number=1, title="A", text=text)
    source = SourceText(number=1, title="A", text=text)
    read = read_rows(TablePlan(columns=[column], entry=entry), [row], part, source)
    return read if isinstance(read, str) else ""


@pytest.mark.parametrize(
    ("text", "name", "value", "quotation", "other"),
    [
        (INVOICE, "invoice number", "02.02.2026", "Invoice date: 02.02.2026", "Invoice date"),
        (INVOICE, "invoice number", "2026-02-02", "Invoice date: 02.02.2026", "Invoice date"),
        (INVOICE, "invoice number", "02.02.2026", "02.02.2026", "Invoice date"),
        (INVOICE, "invoice date", "02.03.2026", "Due date: 02.03.2026", "Due date"),
        (INVOICE, "customer", "97.50 EUR", "Total amount: 97.50 EUR", "Total amount"),
        (GERMAN, "Rechnungsnummer", "02.02.2026", "Rechnungsdatum: 02.02.2026", "Rechnungsdatum"),
        (OFFER, "price", "Krueger Ltd", OFFER, "Supplier"),
        (OFFER, "supplier", "Chair Ergo", "Item: Chair Ergo", "Item"),
    ],
)
def test_the_value_of_another_field_is_refused(text, name, value, quotation, other) -> None:
    assert flaw_of(text, name, value, quotation) == f"the value of “{name}” is that of “{other}”"


@pytest.mark.parametrize(
    ("text", "name", "value", "quotation"),
    [
        (INVOICE, "invoice number", "2026-001", "Invoice 2026-001"),
        (INVOICE, "client", "Beta GmbH", "Customer: Beta GmbH"),
        (INVOICE, "payment deadline", "2026-03-02", "Due date: 02.03.2026"),
        (INVOICE, "price", "97.50 EUR", "Total amount: 97.50 EUR"),
        (GERMAN, "due date", "2026-03-02", "Fälligkeit: 02.03.2026"),
        (OFFER, "price", "1.249,50", OFFER),
        (OFFER, "product", "Chair Ergo", OFFER),
        ("Note: the price is 5 EUR\nPrice: ask us", "price", "5 EUR", "the price is 5 EUR"),
        ("Updated: 2026-01-01, number 55", "invoice number", "55", "number 55"),
        ("Seats: 12\nAmount: 12", "number of seats", "12", "Amount: 12"),
    ],
)
def test_synonyms_other_languages_and_prose_prove_nothing(text, name, value, quotation) -> None:
    assert flaw_of(text, name, value, quotation) == ""


def test_what_a_column_asks_for_may_have_another_name() -> None:
    asks = "Which company is it?"
    assert flaw_of(CONTACTS, "name", "Alba", CONTACTS)
    assert flaw_of(CONTACTS, "name", "Alba", CONTACTS, asks=asks) == ""


def test_the_lines_of_a_document_with_several_entries_are_no_record() -> None:
    text = "Customer: Beta GmbH\n\nClient: Alba"
    assert flaw_of(text, "customer", "Alba", "Client: Alba")
    assert flaw_of(text, "customer", "Alba", "Client: Alba", entry="a customer") == ""
