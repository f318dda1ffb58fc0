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
    directive = "List supplier, price and delivery date of every offer"
    records, _ = run_data(frasier, tmp_path / "offers", directive, {"offers.csv": OFFERS})
    assert [list(record.values()) for record in records] == [
        ["Krueger Ltd", "1.249,50", "15.03.2026"],
        ["Sitwell Inc", "489,00", "22.03.2026"],
        ["Krueger Ltd", "-", "open"],
    ]
