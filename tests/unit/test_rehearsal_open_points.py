"""What a rehearsed document says of what it did not find."""

from __future__ import annotations

from frasier.llm import Passage
from support.rehearsed_mission import final_document


def document(question: str, **texts: str) -> str:
    """The document that answers a question from sources with these titles and texts."""
    return final_document(
        question,
        tuple(
            Passage(number=number, title=title, text=text, file=f"{title}.txt", is_whole=True)
            for number, (title, text) in enumerate(texts.items(), 1)
        ),
    )


KILN = "Item: kiln\nDelivery: 3 July 2026\n"
WHEEL = "Item: wheel\nDelivery: 4 May 2026\n"


def test_a_source_with_a_value_that_meets_a_condition_is_not_said_to_have_none() -> None:
    table = "item;maker;delivery\nkiln;Orr;03.07.2026\nwheel;Orr;04.05.2026\n"
    text = document("Which items of porcelain have a delivery before June 2026?", table=table, kiln=KILN)
    assert "table: read, and nothing in it meets" not in text
    assert "kiln: read, and nothing in it meets “before June 2026”" in text


def test_a_source_that_leaves_a_value_open_is_not_said_to_have_none() -> None:
    question = "Which items have a delivery before June 2026?"
    listed = "item;maker;delivery\nkiln;Orr;03.07.2026\nshelf;Orr;{}\n"
    text = document(question, wheel=WHEEL, open=listed.format("open"), late=listed.format("08.07.2026"))
    assert "late: read, and nothing in it meets “before June 2026”" in text
    assert "open: read, and nothing in it meets" not in text


def missing(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("> - ")]


def invoices(count: int) -> dict[str, str]:
    return {
        f"invoice-{number:02}": (
            f"Invoice 2026-{number:03}\n\nCustomer: Beta Ltd\nInvoice date: 02.02.2026\n"
            f"Total amount: {number}00.00 EUR\nDue date: 02.03.2026\n"
        )
        for number in range(1, count + 1)
    }


def test_what_was_compared_and_fails_is_no_nearest_quotation() -> None:
    text = document("Which invoices have a total amount above 1,050 EUR?", **invoices(12))
    assert text.count("- **invoice-") == 2
    assert "Undecided" not in text
    assert missing(text) == ["> - 10 sources: read, and nothing in it meets “above 1,050 EUR”."]


def test_values_of_which_none_meets_a_condition_are_quoted_as_compared() -> None:
    text = document("Which invoices have a total amount above 9,050 EUR?", **invoices(3))
    assert [line for line in text.splitlines() if line.startswith("- ")] == [
        f"- **invoice-{number:02}**: Compared – Total amount: {number}00.00 EUR [{number}]"
        for number in (1, 2, 3)
    ]
    assert "> - invoice-01, invoice-02, invoice-03: read, and nothing in it meets “above 9,050 EUR”." in text


def test_what_leaves_its_value_open_is_a_nearest_quotation() -> None:
    late = "item;maker;delivery\nkiln;Orr;03.07.2026\nshelf;Orr;open\nwheel;Orr;04.05.2026\n"
    text = document("Which items have a delivery before June 2026?", late=late)
    assert "- Undecided – item: shelf" in text
    assert "Undecided – item: kiln" not in text


def test_a_question_has_one_note_that_names_no_source_quoted_beside_it() -> None:
    texts = {
        f"paper-{number}": f"The shelf {number} of the hall is green and high.\n" for number in range(1, 5)
    }
    texts |= {"lamp": "The lamp in the hall costs what a lamp costs.\n", "roof": "Nobody was on the roof.\n"}
    text = document("What is the price of the lamp?", **texts)
    notes = missing(text)
    assert "- **lamp**: Undecided" in text
    assert len([note for note in notes if "Nothing" in note]) == 1
    assert len([note for note in notes if ": read, and nothing was found for" in note]) <= 1
    assert not any("lamp: read" in note or "lamp, " in note for note in notes)


def test_limits_that_nobody_asked_for_are_not_reported_missing() -> None:
    text = document("What is the fee for the lamp?", lamp="The lamp is lent for a fee of 9 EUR.\n")
    assert "9 EUR" in text
    assert missing(text) == []


def test_a_wish_that_repeats_a_condition_is_no_answer_to_it() -> None:
    text = document(
        "Which of these suppliers can deliver before June 2026?",
        offer="Supplier: Orr\nDelivery: 22 May 2026\n",
        note="Purchasing note\n\nNeeded: one pump, delivered before June 2026\n",
    )
    assert "- **offer**: Delivery: 22 May 2026 [1]" in text
    assert "- **note**: Needed" not in text
