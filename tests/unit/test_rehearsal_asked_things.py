"""Questions for the number of a thing, for what is or is not the case, and for what two sources say alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from frasier.interfaces.cli import demo
from frasier.llm import Passage
from frasier.llm.providers.rehearsal.corpus import corpus_of
from frasier.llm.providers.rehearsal.found_answers import Finder
from frasier.llm.providers.rehearsal.needs import need_of
from support.rehearsed_mission import final_document, passages_of


def answers(question: str, *texts: str) -> list[str]:
    """The statements that answer a question over documents with these texts."""
    passages = tuple(
        Passage(number=number, title=f"paper {number}", text=text, file=f"{number}.txt")
        for number, text in enumerate(texts, 1)
    )
    found = Finder.of(need_of(question), corpus_of(passages)).answer(lines=20, taken=[])
    return [line.removeprefix("- ").rpartition("**: ")[2] for line in found.lines]


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("What is the order number?", "Purchase order KX-771\n\nOrder date: 01.04.2026\nOrder value: 100,00 EUR\n", "Purchase order KX-771"),
        ("What is the order number?", "Order: 90441\nOrder value: 100,00 EUR\n", "Order: 90441"),
        ("What is the invoice number of each invoice?", "Invoice 2026-004\n\nInvoice total: 195.00 EUR\n", "Invoice 2026-004"),
        ("Wie lautet die Bestellnummer?", "Wir danken für Ihren Auftrag und liefern wie folgt.\n\nBestellung KX-771\n\nBestellwert: 100,00 EUR\n", "Bestellung KX-771"),
        ("Quel est le numéro de commande ?", "Commande n° KX-771\n\nTotal de la commande : 100,00 EUR\n", "Commande n° KX-771"),
    ],
)  # fmt: skip
def test_the_number_of_a_thing_is_its_code_and_no_amount(question: str, text: str, answer: str) -> None:
    assert answers(question, text) == [f"{answer} [1]"]


def test_the_number_of_several_is_a_count() -> None:
    assert answers("What is the number of guests?", "Guests: 41\n") == ["Guests: 41 [1]"]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How high is the fee?", "The fee is 40 EUR for each child."),
        ("How heavy is one pallet?", "One pallet weighs 480 kg."),
        ("Wie hoch ist die Kaution?", "Die Kaution beträgt 900 EUR."),
        ("Hoe hoog is de huur?", "De huur is 900 EUR per maand."),
    ],
)
def test_the_size_that_a_question_asks_for_is_no_word_of_its_answer(question: str, text: str) -> None:
    assert answers(question, f"{text}\n") == [f"{text} [1]"]


def test_what_is_not_the_case_is_asked_of_the_sources() -> None:
    offer = "We come on 4 May 2026.\n\nPacking is included in the price.\n\nNot included is the lift for the piano.\n"
    passages = (Passage(number=1, title="offer", text=offer, file="offer.txt"),)
    for question, answer, other in (
        ("What is not included?", "Not included is the lift", "Packing is included"),
        ("What is included?", "Packing is included", "Not included is the lift"),
    ):
        text = final_document(question, passages)
        assert f"\n- {answer}" in text
        assert f"Undecided – {other}" in text
        assert "Main points" not in text


def test_a_later_source_that_gives_the_same_value_contests_nothing() -> None:
    lease = "Lease of 3 January 2026\n\nThe monthly rent is 4,350.00 EUR plus 620.00 EUR service charges.\n"
    minutes = "Minutes, {} February 2026\n\n- The room is rented from 1 April 2026 for {} EUR a month.\n"
    question = "What is the monthly rent?"
    assert any(
        "The monthly rent is 4,350.00" in one for one in answers(question, lease, minutes.format(5, "4,350"))
    )
    assert not any(
        "The monthly rent is" in one for one in answers(question, lease, minutes.format(5, "4,500"))
    )
    claimed = minutes.format(5, "4,350").replace("The room is", "Ines would like the room to be")
    assert not any("The monthly rent is" in one for one in answers(question, lease, claimed))


def test_a_sentence_that_tells_what_a_change_led_to_contests_nothing() -> None:
    licence = (
        "Since 2013 the library comes under the Affero licence, or under a commercial licence of its maker."
    )
    effect = "The change moved {} to other makers, as the Affero licence covers networks, too."
    asked = "Which licence does the library come under?"
    assert f"{licence} [1]" in answers(asked, f"{licence} {effect.format('several projects')}\n")
    assert f"{licence} [1]" not in answers(asked, f"{licence} {effect.format('the library')}\n")


def test_the_table_of_the_demo_tells_the_licence_of_each_system() -> None:
    example = Path(demo.__file__).parent / "demo_mission"
    directive = (example / "directive.txt").read_text("utf-8").strip()
    text = final_document(directive, passages_of(example / "sources"))
    rows = [line for line in text.splitlines() if line.startswith("| ") and "Licences" not in line]
    licences = {name: licence for name, licence, _ in (row.strip("| ").split(" | ") for row in rows)}
    assert len(licences) == 6
    assert "version 3 of the GNU Affero General Public License" in licences["Berkeley DB"]
    assert all(
        any(word in one for word in ("icence", "icense", "public domain")) for one in licences.values()
    )
