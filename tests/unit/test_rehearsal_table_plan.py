"""A list of what each document of a collection is about is planned as a table, which a rehearsal can fill."""

from __future__ import annotations

import pytest

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.llm import ColumnToFill, ExtractInputs, Passage, PlanInputs
from frasier.llm.providers.rehearsal.document_conditions import acronyms_in
from frasier.llm.providers.rehearsal.extract import extract
from frasier.llm.providers.rehearsal.plan import plan
from frasier.llm.reply_schemas import PlanReply

DIRECTIVE = "List every package licensed under GPL version 3 with its version."
TEXTS = (
    "alder 1.2.0\nSPDX-License-Identifier: GPL-3.0-only\n",
    "birch 2.0.1\nLicensed under the GNU General Public License, version 3.\n",
    "cedar 0.9.4\nSPDX-License-Identifier: MIT\n",
    "dogwood 4.1.0\nLicense: GPL-2.0-only\n",
    "elder 3.3.3\nLicense: GNU Lesser General Public License version 3\n",
    "fir 1.0.0\nA small library. Issues are welcome.\n",
)
DOCUMENTS = tuple(Passage(number=n, title="LICENSE", text=text) for n, text in enumerate(TEXTS, 1))


def planned(
    directive: str, documents: tuple[Passage, ...] = DOCUMENTS, kind: DeliverableKind | None = None
) -> PlanReply:
    return plan(
        PlanInputs(
            directive=directive,
            kind=kind,
            roles=(),
            outline=documents,
            web_search=False,
            max_steps=8,
            max_parallel=4,
            max_queries_per_step=4,
            max_sources_per_step=8,
        )
    )


def test_a_list_of_all_documents_is_one_step_with_a_table() -> None:
    [step] = planned(DIRECTIVE).steps
    names = [column.name for column in step.table.columns]
    assert names == ["package", "version", "licensed under GPL version 3"]
    assert [(one.column, one.operator, one.value) for one in step.table.conditions] == [
        (names[2], "is_not", "no")
    ]


def test_the_columns_are_filled_and_each_condition_is_decided_or_said_to_be_open() -> None:
    [step] = planned(DIRECTIVE).steps
    columns = tuple(ColumnToFill(name=c.name, asks=c.asks, kind=c.kind) for c in step.table.columns)
    rows = extract(ExtractInputs(columns=columns, documents=DOCUMENTS, today="2026-11-24")).rows
    assert [[cell.value for cell in row.cells] for row in rows] == [
        ["alder 1.2.0", "1.2.0", "yes"],
        ["birch 2.0.1", "2.0.1", "yes"],
        ["cedar 0.9.4", "0.9.4", "no"],
        ["dogwood 4.1.0", "4.1.0", "no"],
        ["elder 3.3.3", "3.3.3", "no"],
        ["fir 1.0.0", "1.0.0", "undecided"],
    ]
    assert all(
        cell.quotation in passage.text
        for passage, row in zip(DOCUMENTS, rows, strict=True)
        for cell in row.cells
    )


@pytest.mark.parametrize(
    "directive",
    [
        "Which package has the most restrictive licence?",
        "List every package, and explain how they differ.",
        "List every mushroom with its season.",
    ],
)
def test_other_directives_and_other_things_make_no_table(directive: str) -> None:
    assert not any(step.table.columns for step in planned(directive).steps)


def test_documents_with_many_entries_make_no_table() -> None:
    log = "2026-05-03 oil changed\n2026-06-01 pressure test: 6.1 bar, passed\n2026-06-20 pressure test: 5.2 bar, failed\n"
    logs = tuple(Passage(number=n, title=f"plant {n}", text=log) for n in range(1, 9))
    assert not any(
        step.table.columns for step in planned("List every failed pressure test with its date.", logs).steps
    )


def test_an_acronym_stands_for_all_capitalised_words_of_a_name() -> None:
    assert "gpl" in acronyms_in("under the GNU General Public License, version 3")
    assert "lgpl" in acronyms_in("the GNU Lesser General Public License")
    assert "gpl" not in acronyms_in("the GNU Lesser General Public License")


def test_a_yes_or_no_that_the_thing_names_is_a_condition() -> None:
    documents = tuple(
        Passage(number=n, title=f"pump {n}", text=f"Pump: P-{n}\nPrice: {n}00 EUR\nAvailable: {answer}\n")
        for n, answer in enumerate(("yes", "no", "yes", "no", "yes"), 1)
    )
    [step] = planned("List all available pumps with their price.", documents).steps
    assert [(one.column, one.operator, one.value) for one in step.table.conditions] == [
        ("available", "is_not", "no")
    ]
    columns = tuple(ColumnToFill(name=c.name, asks=c.asks, kind=c.kind) for c in step.table.columns)
    rows = extract(ExtractInputs(columns=columns, documents=documents, today="2026-11-24")).rows
    assert [row.cells[-1].value for row in rows] == ["yes", "no", "yes", "no", "yes"]


@pytest.mark.parametrize(
    ("directive", "columns"),
    [
        ("List item, supplier, net price and delivery of every offer", "item|supplier|net price|delivery"),
        ("For each offer: item, supplier, price", "item|supplier|price"),
        ("Item, Supplier and Delivery of each row", "Item|Supplier|Delivery"),
        ("List name, amount", "name|amount"),
        ("List name and price of each", "name|price"),
        ("List delivery date and delivery", "delivery date|delivery"),
        ("List the items and their delivery dates.", "items|delivery dates"),
        ("List all items with supplier, price and delivery date", "items|supplier|price|delivery date"),
        ("List all items with price", "items|price"),
        ("Liste alle Artikel mit Lieferant und Preis", "Artikel|Lieferant|Preis"),
        ("Create a table with item, supplier, price", "item|supplier|price"),
        ("1. Item\n2. Supplier\n3. Price", "Item|Supplier|Price"),
        ("List all offers with a price above 500 EUR", "offers with a price above 500 EUR"),
    ],
)
def test_data_has_every_column_that_is_asked_for(directive: str, columns: str) -> None:
    offers = Passage(number=1, title="offers", text="Item: Desk; Supplier: Alba; Price: 3\n")
    [step] = planned(directive, (offers,), DeliverableKind.DATA).steps
    assert [column.name for column in step.table.columns] == columns.split("|")


def test_a_list_of_what_documents_are_about_names_each_and_its_number() -> None:
    invoices = tuple(
        Passage(
            number=n,
            title="invoice",
            text=f"Invoice 2026-00{n}\n\nInvoice date: 0{n}.02.2026\nCustomer: C{n}\n",
        )
        for n in range(1, 7)
    )
    directive = "List all invoices with invoice number, customer and number of invoices"
    [step] = planned(directive, invoices, DeliverableKind.DATA).steps
    asked = tuple(ColumnToFill(name=c.name, asks=c.asks, kind=c.kind) for c in step.table.columns)
    assert not step.table.conditions
    rows = extract(ExtractInputs(columns=asked, documents=invoices[:1], today="2026-11-24")).rows
    assert [(cell.column, cell.value) for cell in rows[0].cells] == [
        ("invoices", "Invoice 2026-001"),
        ("invoice number", "2026-001"),
        ("customer", "C1"),
    ]
