"""The tables of a rehearsal from the command line: each cell has the value that its column asks for, or is counted."""

from __future__ import annotations

import json
from pathlib import Path

from support.cli import FrasierProgram
from support.organisation import write_documents

OFFERS = """\
Item;Supplier;Net price (EUR);Quantity;Delivery
Chair Ergo;Krueger Ltd;1.249,50;12;15.03.2026
Desk 160;Sitwell Inc;489,00;8;22.03.2026
Pedestal;Krueger Ltd;-;6;open
TOTAL;;3.531,10;78;
"""
ORDERS = {
    f"po{at}.txt": f"Purchase order PO-77{at}\n\nSupplier: S{at} Ltd\nOrder date: 0{at}.04.2026\n"
    f"Order value: {at}00,00 EUR\n"
    for at in (1, 2, 3)
}


def run_data(
    frasier: FrasierProgram, folder: Path, directive: str, documents: dict[str, str]
) -> tuple[list[dict[str, object]], str]:
    """Return the records of a data deliverable without their sources, and its text."""
    sources = str(write_documents(folder, documents))
    ended = frasier.json("run", directive, "--sources", sources, "--as", "data")
    published = Path(ended["folder"])
    records = json.loads((published / "deliverable.json").read_text("utf-8"))
    for record in records:
        del record["source"], record["source_title"]
    return records, (published / "deliverable.md").read_text("utf-8")


def test_the_number_of_a_document_stands_in_its_first_line_and_is_not_its_date(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    directive = "List order number, supplier and order value of every document"
    records, _ = run_data(frasier, tmp_path / "po", directive, ORDERS)
    assert [list(record.values()) for record in records] == [
        [f"PO-77{at}", f"S{at} Ltd", f"{at}00,00 EUR"] for at in (1, 2, 3)
    ]
    unnumbered = {name: text.partition("\n")[2] for name, text in ORDERS.items()}
    records, text = run_data(frasier, tmp_path / "unnumbered", directive, unnumbered)
    assert {record["order number"] for record in records} == {None}
    assert "> Empty, because nothing sure was found: order number in 3 of 3 rows." in text


def test_a_row_without_a_value_does_not_shift_the_columns(frasier: FrasierProgram, tmp_path: Path) -> None:
    directive = "List all items with supplier, price and delivery date"
    records, text = run_data(frasier, tmp_path / "offers", directive, {"offers.csv": OFFERS})
    assert list(records[0]) == ["items", "supplier", "price", "delivery date"]
    assert [list(record.values()) for record in records] == [
        ["Chair Ergo", "Krueger Ltd", "1.249,50", "15.03.2026"],
        ["Desk 160", "Sitwell Inc", "489,00", "22.03.2026"],
        ["Pedestal", "Krueger Ltd", "-", "open"],
    ]
    assert "Empty, because" not in text


def test_a_table_without_any_value_has_no_row_and_names_the_columns_of_the_file(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    prices = "Artikel;Lieferant;Preis netto (EUR)\nStuhl;Krüger GmbH;1.249,50\nTisch;Sitzwerk AG;489,00\n"
    directive = "List all vehicles with mileage"
    records, text = run_data(frasier, tmp_path / "prices", directive, {"prices.csv": prices})
    assert records == []
    assert "> 1 of 1 document examined; 0 rows." in text
    named = "prices [1] (it has Artikel, Lieferant, Preis netto (EUR))"
    assert f"> None of the columns was found in {named}." in text
    assert "> No document has a value for any column." in text


def test_rows_behind_a_quotation_mark_that_is_never_closed_are_rows(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    directive, warning = "List name, amount", "a quotation mark is never closed in line 3"
    documents = {"odd.csv": 'name;amount\nA;1,5\n"B;2,5\nC;3,0\n'}
    records, text = run_data(frasier, tmp_path / "odd", directive, documents)
    assert [list(record.values()) for record in records] == [["A", "1,5"], ["B", "2,5"], ["C", "3,0"]]
    assert f"> Examined as far as they could be read: odd [1] ({warning}" in text
    ended = frasier.json("run", "What is the amount?", "--sources", str(tmp_path / "odd"), "--as", "answer")
    answer = (Path(ended["folder"]) / "deliverable.md").read_text("utf-8")
    assert f"Read as far as possible (1): odd.csv: {warning}" in answer


def test_invoices_kept_as_forms_of_web_pages_have_a_row_each(frasier: FrasierProgram, tmp_path: Path) -> None:
    amounts = ("71.433,00", "76.233,00", "72.292,50", "8.492,00", "56.059,95")
    fields = [
        (
            ("Lieferant", f"Köhler {at} KG"),
            ("Rechnungsbetrag", f"{amount} EUR"),
            ("Fällig am", f"0{at}.03.2026"),
        )
        for at, amount in enumerate(amounts, start=1)
    ]
    texts = {
        f"rechnung {at}.txt": "\n".join(map(": ".join, rows)) for at, rows in enumerate(fields[:2], start=1)
    }
    pages = {
        f"rechnung {at}.html": "<table>"
        + "".join(f"<tr><td>{name}</td><td>{value}</td></tr>" for name, value in rows)
        + "</table>"
        for at, rows in enumerate(fields[2:], start=3)
    }
    directive = "Liste alle Rechnungen mit Lieferant, Rechnungsbetrag und Fällig am"
    records, text = run_data(frasier, tmp_path / "forms", directive, texts | pages)
    assert "> 5 von 5 Dokumenten untersucht; 5 Zeilen." in text
    assert [list(record.values())[1:] for record in records] == [
        [value for _, value in rows] for rows in fields
    ]


def test_what_another_document_takes_back_is_marked_in_its_row_and_stands_last(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    offers = {
        f"{name}.txt": f"Offer from {name.title()}\nDate: {day} May 2026\n\nPrice: {price} EUR\nWarranty: 24 months\n"
        for name, day, price in (("brightwater", 3, 1200), ("calder", 4, 980), ("dunmore", 5, 1450))
    }
    letter = (
        "Calder\nDate: 20 May 2026\n\nWe hereby withdraw our offer of 4 May 2026 with its price of 980 EUR.\n"
    )
    directive = "List price and warranty of each offer"
    records, text = run_data(frasier, tmp_path / "offers", directive, {**offers, "calder-letter.txt": letter})
    # Source 2 is the letter.
    assert [(record["price"], record["revoked_by"]) for record in records] == [
        ("1200 EUR", None),
        ("1450 EUR", None),
        ("980 EUR", 2),
        ("980 EUR", 2),
    ]
    assert "| 980 EUR | 24 months | [3] (revoked by [2]) |" in text
    records, text = run_data(frasier, tmp_path / "holding", directive, offers)
    assert [record["price"] for record in records] == ["1200 EUR", "980 EUR", "1450 EUR"]
    assert "revoked_by" not in records[0]
    assert "revoked by" not in text
