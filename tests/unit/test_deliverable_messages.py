"""The messages of a deliverable: each in every language, and what is stored in English is read back from it."""

from __future__ import annotations

import itertools
import re
import string
from dataclasses import replace

import pytest

from frasier.interfaces.deliverable_rendering.messages import (
    ENGLISH,
    Messages,
    messages_by_name,
)
from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.language_words import LANGUAGE_CODES
from frasier.kernel.source_places import describe_place
from frasier.llm import CheckedStatement, ResultForm, StepBrief, Verification
from frasier.llm.providers.rehearsal import chat_reply, mission_answer
from frasier.llm.providers.rehearsal.cues import CUES, FIGURES_AND_DATES
from frasier.llm.providers.rehearsal.found_answers import NEEDS_UNDERSTANDING
from frasier.llm.providers.rehearsal.open_points import NOTHING_CERTAIN, NOTHING_FOUND, SILENT, read_note
from frasier.llm.providers.rehearsal.page import BESIDES, CitedPage, Group
from frasier.llm.reply_schemas import TableColumn, TablePlan
from frasier.org.missions import ResultTable, TableCell, TableRow
from frasier.org.planning import Steered
from frasier.work.collections.markdown import table_markdown
from frasier.work.deep_work.kind_checks import find_kind_faults
from frasier.work.runs import talk_run
from frasier.work.runs.steer_run import tell_change
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
    groups=(
        Group(
            heading=BESIDES,
            lines=(
                "- **A**: Undecided – Die Frist endet am 4. Mai. [1]",
                "- **A**: Undecided – revoked by [2] – Die Frist endet am 3. Mai. [1]",
                "- **B**: Superseded by [2] – Die Frist endet am 2. Mai. [1]",
                "- **B**: Ort: Bonn; Frist: 1. Mai (revoked by [2]) [1]",
                "- Sum of “Preis”: 1 + 2 = 3; left out: one row (Bonn), without a value [1]",
                "- **B**: Count: all 4 rows (Bonn, Köln, Bonn, Ulm): 3 different (Bonn, Köln, Ulm) [1]",
                "- Latest “Frist”: 4. Mai (Ulm) [1]",
            ),
        ),
    ),
    missing=(
        f"{NOTHING_CERTAIN}“Frist” without doubt; it needs understanding. See “{BESIDES}”.",
        f"{NOTHING_FOUND}“Preis”.",
        f"{NOTHING_FOUND}“Preis”, after “Frist”: no statement on it has a value of this kind (amount of money).",
        read_note(["B", "C"], f"{SILENT}“Frist”"),
        read_note([], f"{SILENT}“Frist”", 7),
        "No source has the words “bald”; whether they apply to “Frist” needs understanding.",
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
    assert f"- **A**: {messages.text('mark_undecided')} Die Frist endet am 4. Mai. [1]" in translated
    assert not re.search(r"\b(?:[Rr]evoked|Superseded|rows?|without|sources:|amount of money)\b", translated)
    assert ENGLISH.rehearsal(REHEARSED) == REHEARSED


def test_the_labels_of_a_rehearsal_are_told_and_its_quotations_are_not() -> None:
    translated = Messages("de").rehearsal(REHEARSED)
    for line in (
        "- **A**: Unentschieden – widerrufen durch [2] – Die Frist endet am 3. Mai. [1]",
        "- **B**: Überholt durch [2] – Die Frist endet am 2. Mai. [1]",
        "- **B**: Ort: Bonn; Frist: 1. Mai (widerrufen durch [2]) [1]",
        "- Summe „Preis“: 1 + 2 = 3; weggelassen, weil ohne Wert: eine Zeile (Bonn) [1]",
        "- **B**: Anzahl: alle 4 Zeilen (Bonn, Köln, Bonn, Ulm): 3 verschiedene (Bonn, Köln, Ulm) [1]",
        "- Letztes „Frist“: 4. Mai (Ulm) [1]",
        "> - 7 Quellen: gelesen, aber nichts gefunden zu „Frist“.",
    ):
        assert line in translated
    assert "„Preis“, nach „Frist“" in translated
    assert "(Geldbetrag)" in translated
    quoted = "- Count: 4; Highest: 3 rows; note: all 4 rows, without a value [1]"
    assert Messages("de").rehearsal(quoted) == quoted


def test_every_kind_of_value_has_a_name_in_each_language() -> None:
    names = {cue.name for cue in CUES if cue.has_value} | {FIGURES_AND_DATES.name, "number or code"}
    assert {f"kind_{name.replace(' ', '_')}" for name in names} <= set(messages_by_name())


ANSWERS = (
    mission_answer._LABEL,
    mission_answer._NOTHING,
    mission_answer._LEFT_OUT_ONE,
    mission_answer._LEFT_OUT.format(count=3),
    "> doubtful: Die Frist endet am 4. Mai.",
    "## Sources",
    chat_reply._LABEL,
    chat_reply._NOTHING,
    "Where things stand:",
    "From offer.pdf:",
    "What is remembered:",
    "- Missions in progress: 2.",
    "- Mission 'Fristen' is in_progress.",
    "- Mission 'Fristen' is delivered to /home/jana/fristen.",
    "Understood: Fristen. I gave it to a colleague.",
    "I could not read scan.pdf",
    talk_run._NO_MEANS,
    tell_change(
        "Rehearsal: no model is configured. No step is about that alone.",
        Steered(removed={}, changed={}, added={}, untouched={}),
    ),
)


@pytest.mark.parametrize("code", OTHERS)
def test_what_an_answer_says_itself_is_in_the_language_of_the_message(code: str) -> None:
    messages = Messages(code)
    for text in ANSWERS:
        for line, english in zip(messages.answer(text).split("\n"), text.split("\n"), strict=True):
            told_alike = code == "fr" and english == "## Sources"
            assert line != english or not english or told_alike
        assert ENGLISH.answer(text) == text
    assert messages.answer("Die Frist endet am 4. Mai.") == "Die Frist endet am 4. Mai."
    computed = messages.answer("> verified: Preise: Sum of “Preis”: 1 + 2 = 3")
    assert computed.endswith(messages.text("computed_sum", column="Preis") + ": 1 + 2 = 3")


@pytest.mark.parametrize("code", OTHERS)
def test_what_stands_around_the_rows_of_a_table_is_told_in_each_language(code: str) -> None:
    plan = TablePlan(columns=[TableColumn(name="Preis", asks="Preis", kind="text")])
    cell = TableCell(value="3 €", quotation="3 €", place="")
    empty = TableCell(value="", quotation="", place="")
    rows = tuple(TableRow(source=at, cells=(one,)) for at, one in enumerate((cell, empty), 1))
    for table in (
        ResultTable(columns=("Preis",), rows=rows, documents=4, failed=("x (broken)",), silent=("y",)),
        ResultTable(columns=("Preis",), rows=rows[:1], documents=1),
        ResultTable(columns=("Preis",), rows=(), documents=1),
    ):
        written = table_markdown("Preise", plan, table)
        told = Messages(code).rehearsal(written)
        for line, english in zip(told.splitlines(), written.splitlines(), strict=True):
            is_kept = english in {"# Preise", "", ">"} or english.startswith(("|---", "| 3 €", "| –"))
            assert line != english or is_kept or (code == "fr" and english.endswith("source |"))
        assert "row" not in told
