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
