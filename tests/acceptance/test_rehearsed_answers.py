"""What a newcomer asks of own files without a model: `frasier run` answers by the rows, fields and sentences of them."""

from __future__ import annotations

import csv
import json
from email.message import EmailMessage
from pathlib import Path

from xlsxwriter import Workbook

from support.cli import FrasierProgram
from support.document_files import make_pdf, make_xlsx

OFFERS = """Item;Supplier;Net price (EUR);Delivery
Chair;Krueger;1.249,50;15.03.2026
Desk;Krueger;489,00;22.03.2026
Chair;Sitwell;1.199,90;30.04.2026
Desk 160;Sitwell;512,75;01.07.2026
Pedestal;Krueger;-;open
Lamp;Cheapo;n/a;02.05.2026
"""


def answered(frasier: FrasierProgram, question: str, source: Path, kind: str = "answer") -> str:
    """The text that the program prints for a question."""
    return frasier("run", question, "--sources", str(source), "--as", kind).out


def test_rows_under_a_condition_are_counted_with_those_that_leave_it_open(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    (tmp_path / "offers.csv").write_text(OFFERS, "utf-8")
    text = answered(frasier, "How many items can be delivered before June 2026?", tmp_path / "offers.csv")
    listed = "4 rows (Chair, Desk, Chair, Lamp): 3 different (Chair, Desk, Lamp)"
    assert f"- Count: {listed}; left out: one row (Pedestal), without a value [1]\n" in text
    assert "nothing in it meets" not in text
    assert "[doubtful]" not in text


def test_the_number_of_each_order_is_its_code(frasier: FrasierProgram, tmp_path: Path) -> None:
    folder = tmp_path / "orders"
    folder.mkdir()
    for number in (771, 772):
        text = f"Order PO-{number}\n\nOrder date: 01.04.2026\nOrder value: {number},00 EUR\n"
        (folder / f"po{number}.txt").write_text(text, "utf-8")
    text = answered(frasier, "What is the order number of each document?", folder)
    assert "- **po771**: Order PO-771 [1]\n- **po772**: Order PO-772 [2]\n" in text
    assert "- **po771**: Order value" not in text


def test_an_answer_about_a_mission_marks_what_was_superseded(frasier: FrasierProgram, tmp_path: Path) -> None:
    folder = tmp_path / "mails"
    folder.mkdir()
    mail = "From: Jana <jana@example.org>\nTo: Tom <tom@example.org>\nSubject: Move\nDate: {}\n\n{}\n"
    first = "the move takes place on 13 April 2026. The vans are booked."
    second = (
        "correction: the move takes place on 27 April 2026, not on 13 April.\n\nOn 9 Feb 2026, Jana wrote:\n"
    )
    (folder / "1.eml").write_text(mail.format("Mon, 9 Feb 2026 17:40:00 +0100", first), "utf-8")
    (folder / "2.eml").write_text(
        mail.format("Tue, 10 Feb 2026 09:12:00 +0100", f"{second}> {first}"), "utf-8"
    )
    answered(frasier, "Summarise the vans and the move", folder)
    lines = frasier("ask", "last", "When does the move take place?").out.splitlines()
    revoked = [line for line in lines if "on 13 April 2026" in line]
    assert revoked
    assert all("uperseded by" in line for line in revoked), revoked
    assert any("correction: the move takes place on 27 April 2026" in line for line in lines)


def test_a_mission_of_which_no_source_meets_the_condition_is_delivered(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    folder = tmp_path / "invoices"
    folder.mkdir()
    for number in range(1, 9):
        text = f"Invoice 2026-00{number}\n\nCustomer: Beta Ltd\nTotal amount: {number}00.00 EUR\n"
        (folder / f"invoice-{number}.txt").write_text(text, "utf-8")
    text = answered(frasier, "Which invoices have a total amount above 2,500 EUR?", folder)
    assert "> - 8 sources: read, and nothing in it meets “above 2,500 EUR”." in text
    assert text.count("Compared – Total amount: ") == 8
    assert "Undecided" not in text
    assert "is not answered" not in text


def test_a_paper_that_answers_nothing_says_so_first(frasier: FrasierProgram, tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    lease = (
        "Lease of the warehouse in Leith\n\nThe rent is 4,200 GBP a month. The roof was repaired in 2024.\n"
    )
    (folder / "lease.txt").write_text(lease, "utf-8")
    question = "Should we buy a second warehouse in Glasgow or extend the one in Leith?"
    text = answered(frasier, question, folder, "decision paper")
    beginning, _, quoted = text.partition("## What the sources do not say")
    assert "> **What was asked is not answered.**" in beginning
    assert "Undecided – The rent is 4,200 GBP a month. [1]" in quoted


def test_an_encoded_mail_is_answered_from_with_its_attachment_and_what_is_not_read_is_named(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    mail = EmailMessage()
    mail["From"] = "Jürgen Öhlmann <j@example.org>"
    mail["To"] = "einkauf@example.org"
    mail["Date"] = "Mon, 01 Jun 2026 10:00:00 +0200"
    mail["Subject"] = "Preiserhöhung für Kühlanlagen"
    text = "Der Preis der Kühlanlage steigt ab 1. Juli 2026 auf 12.400,00 EUR netto.\n"
    history = "\n----- Ursprüngliche Nachricht -----\nDer Preis ist 9.000,00 EUR netto.\n"
    mail.set_content(text + history, cte="base64")
    rows = "Gerät;Preis der Wartung\nKühlanlage;310,00 EUR\n"
    mail.add_attachment(rows, subtype="csv", filename="Wartung für 2026.csv")
    mail.add_attachment(b"\x89PNG\r\n\x1a\n\x00", maintype="image", subtype="png", filename="logo.png")
    (tmp_path / "a.eml").write_bytes(bytes(mail))
    answer = answered(frasier, "Welche Preise gelten und ab wann?", tmp_path / "a.eml")
    assert f"{text.strip()} [1]" in answer
    assert "Preis der Wartung: 310,00 EUR" in answer
    assert "9.000,00" not in answer
    assert "- [1] Preiserhöhung für Kühlanlagen — a.eml" in answer
    assert "a.eml: the attachment logo.png was not read: it is a PNG image" in answer


def test_the_rows_of_a_workbook_are_counted_like_those_of_csv_and_hidden_sheets_are_named(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    def fill(book: Workbook) -> None:
        sheet, margins = book.add_worksheet("Offers"), book.add_worksheet("Margins")
        margins.hide()
        sheet.write("A1", "Offers of spring")
        for at, row in enumerate(csv.reader(OFFERS.splitlines(), delimiter=";"), start=2):
            sheet.write_row(at, 0, row)

    (tmp_path / "offers.xlsx").write_bytes(make_xlsx(fill))
    text = answered(frasier, "How many items can be delivered before June 2026?", tmp_path / "offers.xlsx")
    listed = "4 rows (Chair, Desk, Chair, Lamp): 3 different (Chair, Desk, Lamp)"
    assert f"- Count: {listed}; left out: one row (Pedestal), without a value [1]\n" in text
    assert "offers.xlsx: hidden sheets were left out: “Margins”" in text


def test_a_file_named_as_a_copy_is_read_once_and_the_same_terms_twice_stay_two(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    folder = tmp_path / "offers"
    (folder / "archive").mkdir(parents=True)
    for name in ("offers.csv", "copy of offers.csv", "archive/offers (1).csv"):
        (folder / name).write_text(
            "Item;Price (EUR);Ordered\nChair;120;yes\nDesk;340;no\nLamp;17;no\n", "utf-8"
        )
    for name in ("terms.txt", "warranty.txt"):
        (folder / name).write_text("The warranty of each chair lasts five years.\n", "utf-8")
    ended = frasier.json("run", "Sum of Price (EUR)", "--sources", str(folder))
    delivered = Path(ended["deliverable"]).parent
    text = (delivered / "deliverable.md").read_text("utf-8")
    assert text.count("120 + 340 + 17 = 477 [1]") == 1, "two tables with the same rows answered nothing"
    assert "- [1] offers — offers.csv\n" in text
    assert "> Verified 4 of 4 statements." in text
    assert "not cited (2 of 3): terms.txt, warranty.txt" in text
    copies = "(2): archive/offers (1).csv = offers.csv; copy of offers.csv = offers.csv"
    assert f"> The same as another file, so read and cited once {copies}" in text
    assert copies in (delivered / "deliverable.html").read_text("utf-8")
    provenance = json.loads((delivered / "provenance.json").read_text("utf-8"))
    assert [source["copies"] for source in provenance["sources"]] == [
        ["archive/offers (1).csv", "copy of offers.csv"],
        [],
        [],
    ]


def test_a_rehearsal_speaks_the_language_of_the_directive(frasier: FrasierProgram, tmp_path: Path) -> None:
    folder = tmp_path / "vertrag"
    folder.mkdir()
    (folder / "vertrag.md").write_text(
        "# Vertrag\n\nDie Miete der Halle ist am dritten Werktag fällig.\n", "utf-8"
    )
    (folder / "scan.pdf").write_bytes(make_pdf(""))
    ended = frasier.json(
        "run", "Wer trägt die Kosten für die Reinigung?", "--sources", str(folder), "--skip-unreadable"
    )
    delivered = Path(ended["deliverable"]).parent
    for form in ("deliverable.md", "deliverable.html"):
        text = (delivered / form).read_text("utf-8")
        assert "Probelauf: Es wurde kein Modell verwendet." in text
        assert "Was gefragt war, ist nicht beantwortet." in text
        assert "Unentschieden – Die Miete der Halle ist am dritten Werktag fällig." in text
        assert "scan.pdf: Die Datei hat keine Textebene" in text
        assert "Rehearsal" not in text
        assert "Undecided" not in text


def test_labels_notes_and_answers_are_in_the_language_of_the_question(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    folder = tmp_path / "einkauf"
    folder.mkdir()
    offer = "# Angebot A-101\n\nDatum: 12. Februar 2026\n\nWir bieten Ihnen die Mühle zum Preis von 1.250,00 € an.\n"
    (folder / "angebot.md").write_text(offer, "utf-8")
    (folder / "brief.md").write_text(
        "Datum: 9. März 2026\n\nhiermit widerrufen wir unser Angebot A-101.\n", "utf-8"
    )
    (folder / "rechnungen.csv").write_text(
        "Rechnung;Betrag;Bezahlt\nR-1;596;ja\nR-2;222;ja\nR-3;186;nein\n", "utf-8"
    )
    text = answered(frasier, "Welcher Preis gilt? Wie hoch ist die Summe der Beträge?", folder)
    assert "– widerrufen durch [2] – Wir bieten Ihnen die Mühle" in text
    assert "[zweifelhaft]" not in text
    assert not {"Revoked", "Rehearsal:", "sources:"} & set(text.split())
    assert "Summe „Betrag“: 596 + 222 + 186 = 1004 [" in text
    said = frasier("ask", "last", "Welche Beträge sind es?").out
    assert said.startswith("> Probelauf: Es ist kein Modell eingerichtet, also zitiert diese Antwort")
    assert "> belegt: " in said
    said = frasier("say", "Hallo, wie geht es dir?").out
    assert "Wie die Dinge stehen:" in said
    assert "geliefert nach" in said
    assert "Wie die Dinge stehen:" in frasier("say", "Wer bist du?").out


def test_what_stands_above_a_table_names_none_of_its_columns(frasier: FrasierProgram, tmp_path: Path) -> None:
    above = [["Project", "Harrow Bay"], ["Contact", "Moira Sinclair"], ["Budget days", "46"]]
    rows = [
        ["Date", "Consultant", "Days"],
        ["2026-03-06", "Priya Nandakumar", "4"],
        ["2026-03-13", "Callum Reid", "5"],
    ]
    text = "\n".join(";".join(row) for row in (["Timesheet"], *above, *rows))
    (tmp_path / "hours.csv").write_text(text, "utf-8")
    answer = answered(
        frasier, "Who is the contact, and how many days has Callum Reid?", tmp_path / "hours.csv"
    )
    assert "Contact: Moira Sinclair" in answer
    assert "Date: 2026-03-13; Consultant: Callum Reid; Days: 5" in answer


def test_what_things_are_compared_by_is_answered_of_each(frasier: FrasierProgram, tmp_path: Path) -> None:
    offers = tmp_path / "offers"
    offers.mkdir()
    prices = {"Brodie": "£412,000", "Clyde": "£388,500", "Orkney": "£397,000"}
    for weeks, (yard, price) in enumerate(prices.items(), start=9):
        text = f"# Offer of {yard}\n\nPrice: {price}\nDuration: {weeks} weeks\n"
        (offers / f"offer-{yard}.md").write_text(text, "utf-8")
    asked = "Compare the offers: price and duration."
    table = answered(frasier, asked, offers, "comparison").split("## Comparison by source")[1]
    for weeks, (yard, price) in enumerate(prices.items(), start=9):
        assert (
            f"| Offer of {yard} | Price: {price} [{weeks - 8}] | Duration: {weeks} weeks [{weeks - 8}] |"
            in table
        )
    withdrawal = (
        f"# Withdrawal\n\nWe withdraw the offer of Brodie. The price of {prices['Brodie']} no longer holds.\n"
    )
    (offers / "withdrawal.md").write_text(withdrawal, "utf-8")
    compared = answered(frasier, asked, offers, "comparison").split("## Nearest quotations")[0]
    assert prices["Brodie"] not in compared


def test_a_mission_over_documents_without_anything_to_quote_says_what_was_searched(
    frasier: FrasierProgram, tmp_path: Path
) -> None:
    for name, day in (("Notiz", 3), ("Protokoll", 4)):
        (tmp_path / f"{name.lower()}.md").write_text(f"# {name}\n\nDatum: {day}. Mai 2026\n", "utf-8")
    text = answered(frasier, "Wer hat 1987 die Orgel repariert?", tmp_path)
    assert "> **Nichts beantwortet, was gefragt wurde.** Durchsuchte Quellen: 2.\n> [1, 2]\n" in text
    assert "- [1] Notiz — notiz.md\n- [2] Protokoll — protokoll.md\n" in text
    assert "Zu „Wer hat 1987 die Orgel repariert?“ wurde nichts gefunden" in text
