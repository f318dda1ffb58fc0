"""The messages of a deliverable: each in every language, and what is stored in English is read back from it."""

from __future__ import annotations

import itertools
import string
from dataclasses import replace

import pytest

from frasier.interfaces.deliverable_rendering.messages import (
    ENGLISH,
    LANGUAGE_CODES,
    Messages,
    messages_by_name,
)
from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.source_places import describe_place
from frasier.llm import CheckedStatement, ResultForm, StepBrief, Verification
from frasier.llm.providers.rehearsal.found_answers import NEEDS_UNDERSTANDING
from frasier.llm.providers.rehearsal.open_points import NOTHING_CERTAIN, NOTHING_FOUND, SILENT, read_note
from frasier.llm.providers.rehearsal.page import BESIDES, CitedPage, Group
from frasier.org.planning import ResultTable
from frasier.work.deep_work.kind_checks import find_kind_faults
from frasier.work.verification import judgement, verify
from frasier.work.verification.citations import with_sources, without_source_lists
from frasier.work.verification.findings import Finding, FindingKind

CODES = sorted(LANGUAGE_CODES.values())
OTHERS = [code for code in CODES if code != "en"]


def placeholders(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name)


@pytest.mark.parametrize("name", messages_by_name())
def test_a_message_has_every_language_with_the_same_placeholders(name: str) -> None:
    message = messages_by_name()[name]
    assert sorted(message) == CODES
    assert all(text.strip() == text and text for text in message.values())
    assert {tuple(placeholders(text)) for text in message.values()} == {tuple(placeholders(message["en"]))}


def test_the_english_tally_is_that_of_the_verification() -> None:
    verdicts = ("verified", "doubtful", "unchecked", "conclusion", "removed")
    for counts in itertools.product((0, 1, 2), repeat=len(verdicts)):
        verification = Verification(
            statements=tuple(
                CheckedStatement(text="a", markdown="a", verdict=verdict)
                for verdict, count in zip(verdicts, counts, strict=True)
                for _ in range(count)
            )
        )
        assert ENGLISH.headline(verification) == verification.tally


@pytest.mark.parametrize("code", OTHERS)
def test_every_reason_against_a_statement_is_read_back_from_its_english_form(code: str) -> None:
    messages = Messages(code)
    findings = [verify._reason(Finding(kind=kind, text="12.34 EUR")) for kind in FindingKind]
    findings += [form.format(words="12.34 EUR\nonly") for form in judgement._REASONS.values()]
    for finding in findings:
        reworded = messages.stored(finding)
        assert reworded != finding
        assert ("12.34 EUR" in reworded) == ("12.34 EUR" in finding)
    assert messages.stored("something else") == "something else"


def lacking(text: str, kind: DeliverableKind, **form: object) -> list[str]:
    brief = StepBrief(
        directive="",
        task="",
        kind=kind,
        form=ResultForm(**form),  # type: ignore[arg-type]
    )
    return find_kind_faults(brief, text)


GERMAN = "Der Kaffee wird mit Wasser von 94 Grad gebrüht, und er ist nicht für alle. " * 30


@pytest.mark.parametrize("code", OTHERS)
def test_whatever_a_result_may_lack_is_read_back_from_its_english_form(code: str) -> None:
    sentences = [
        *lacking(GERMAN, DeliverableKind.COMPARISON, words=10, language="English"),
        *lacking("", DeliverableKind.DECISION_PAPER),
        *lacking("", DeliverableKind.PLAN),
        *lacking(GERMAN, DeliverableKind.ANSWER),
        *lacking("> a", DeliverableKind.CONTENT),
        "Its parts do not fit together everywhere after 2 versions. Nora still finds: A and B.",
    ]
    assert len(sentences) == 8
    assert all(Messages(code).stored(sentence) != sentence for sentence in sentences)


def test_a_language_that_a_text_is_written_in_is_named_in_that_of_the_message() -> None:
    (told,) = lacking(GERMAN, DeliverableKind.REPORT, language="British English")
    assert told == "It is written in German; English is wanted."
    assert Messages("de").stored(told) == "Der Text ist auf Deutsch geschrieben; gewünscht ist Englisch."


@pytest.mark.parametrize("language", ["German", "Deutsch", "Danish", "German and English", ""])
def test_a_text_is_only_faulted_where_another_language_is_clearly_wanted(language: str) -> None:
    assert lacking(GERMAN, DeliverableKind.REPORT, language=language) == []


def test_a_text_is_not_faulted_for_its_language_once_the_founder_asked_for_changes() -> None:
    brief = StepBrief(
        directive="",
        task="",
        kind=DeliverableKind.REPORT,
        form=ResultForm(language="English"),
        amendments=("x",),
    )
    assert find_kind_faults(brief, GERMAN) == []
    answered = replace(
        brief, amendments=(), answers=("Of which year? The founder answered: As you think best.",)
    )
    assert find_kind_faults(answered, GERMAN) == ["It is written in German; English is wanted."]


def test_the_parts_of_a_place_are_told_in_the_language_of_the_text() -> None:
    german = Messages("de")
    place = describe_place((12, 14), row=3, path=("Fees, row 2", "Old"))
    assert german.place(place) == "Zeile 3 der Tabelle, Zeilen 12–14, unter Fees, row 2 › Old"
    assert ENGLISH.place(place) == place
    assert german.place("") == ""
    assert german.place("#fees, under Fees") == "#fees, unter Fees"


def test_what_tables_cover_is_told_as_they_tell_it_themselves() -> None:
    table = ResultTable(columns=("a",), rows=(), documents=3, failed=("x (broken)",), silent=("y", "z"))
    assert ENGLISH.coverage(table) == " ".join([f"{table.coverage}.", *table.gaps])
    assert Messages("de").coverage(table).startswith("2 von 3 Dokumenten untersucht. Konnten nicht")


@pytest.mark.parametrize("code", CODES)
def test_a_list_of_sources_under_its_heading_in_any_language_is_known_as_one(code: str) -> None:
    heading = Messages(code).text("sources")
    listed = with_sources("# A\n\nIt is so. [1]", [(1, "Tea", "tea.md")], heading=heading)
    assert f"## {heading}" in listed
    assert without_source_lists(listed) == "# A\n\nIt is so. [1]"


def test_a_quotation_stays_as_it_is() -> None:
    said = Messages("de").stored("the cited sources do not name “English”")
    assert "English" in said


REHEARSED = CitedPage(
    title="Fristen",
    groups=(Group(heading=BESIDES, lines=("- **A**: Undecided – Die Frist endet am 4. Mai. [1]",)),),
    missing=(
        f"{NOTHING_CERTAIN}“Frist” without doubt; it needs understanding. See “{BESIDES}”.",
        f"{NOTHING_FOUND}“Preis”.",
        read_note(["B", "C"], f"{SILENT}“Frist”"),
        f"{NEEDS_UNDERSTANDING}“Frist”. Quoted are statements that share its words.",
    ),
).render()


@pytest.mark.parametrize("code", OTHERS)
def test_what_a_rehearsal_says_itself_is_in_the_language_of_its_reader(code: str) -> None:
    messages = Messages(code)
    translated = messages.rehearsal(REHEARSED)
    quoted = {"# Fristen", ""}
    assert len(translated.splitlines()) == len(REHEARSED.splitlines())
    for line, english in zip(translated.splitlines(), REHEARSED.splitlines(), strict=True):
        assert line != english or english in quoted, "everything but the quotations"
    assert f"- **A**: {messages.text('mark_undecided')} – Die Frist endet am 4. Mai. [1]" in translated
    assert ENGLISH.rehearsal(REHEARSED) == REHEARSED
