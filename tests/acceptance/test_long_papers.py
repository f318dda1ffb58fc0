"""A text that is too long for one reply: outlined, written section by section, read once, rewritten where it must be."""

from __future__ import annotations

import asyncio
import re
import subprocess
from pathlib import Path

import docx
import psycopg
import pytest
from pypdf import PdfReader

from frasier.interfaces.cli.waiting import questions_of
from frasier.llm import Caps
from frasier.org.missions import MissionStatus
from frasier.store import Database
from support.cli import FrasierProgram
from support.long_paper import TOPICS, WORDS, PaperModel, outline_of, topic_documents
from support.model_responder import (
    Prompt,
    read_prompt,
    reviewed,
    section_number,
    section_text,
    section_words,
)
from support.model_server import ModelServer, ScriptedAnswer
from support.organisation import carry_out, organisation, write_documents
from support.programs import needs_program
from support.written_paper import CONTEXT, YEARS, Paper, paper_settings, write_paper

INVENTED = "Espresso of harvest 1911 was brewed with water of 12 degrees. [5]"


def outline(_: Prompt) -> ScriptedAnswer:
    return ScriptedAnswer.json(outline_of())


def outlined(prompt: Prompt) -> list[str]:
    """The headings of the outline that a prompt holds."""
    return re.findall(r"^\d+\. (.+?) \(about", prompt.sections["The outline of the paper"], re.MULTILINE)


@pytest.fixture(scope="module")
async def paper(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Paper:
    """A paper that the tests only read: writing it takes longer than all that they look at."""
    return await write_paper(database.url, tmp_path_factory.mktemp("paper"), PaperModel(outline=outline))


def sections_of(text: str) -> dict[str, str]:
    """The texts of the sections of a paper, by heading, without its list of sources."""
    _, *parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return {
        heading: body for heading, body in zip(parts[::2], parts[1::2], strict=True) if heading != "Sources"
    }


async def test_twenty_thousand_words_are_complete_and_each_section_keeps_to_its_own_budget(
    paper: Paper, capsys: pytest.CaptureFixture[str]
) -> None:
    assert paper.progress.status is MissionStatus.DELIVERED, questions_of(paper.progress)
    sections = sections_of(paper.text)
    assert list(sections) == ["Summary", *TOPICS], "in the order of the outline"
    words = {heading: len(text.split()) for heading, text in sections.items()}
    assert 0.97 * WORDS <= sum(words.values()) <= 1.05 * WORDS
    assert paper.text.startswith("# Drinks of a century\n\n## Summary\n")

    asked = paper.asked("section")
    assert [section_number(prompt) for prompt in asked] == [*range(2, len(sections) + 1), 1], (
        "the opening last"
    )
    for prompt in asked:
        heading, budget = outlined(prompt)[section_number(prompt) - 1], section_words(prompt)
        assert budget <= 2_000
        assert 0.95 * budget <= words[heading] <= 1.05 * budget, heading
        assert prompt.body["max_tokens"] <= max(600, 3 * budget) + 1_500, "room for it and hidden reasoning"
    for prompt in paper.prompts:
        assert prompt.tokens + prompt.body["max_tokens"] <= CONTEXT[prompt.model], prompt.purpose
    assert sum(section_words(prompt) for prompt in asked) == pytest.approx(WORDS, rel=0.01)
    assert not any("cut off" in str(prompt.body["messages"][-1]) for prompt in paper.prompts), (
        "nothing was cut"
    )
    _are_told_the_outline_their_own_passages_and_their_neighbours(paper)
    _is_estimated_and_booked(paper)
    document = docx.Document(str(paper.folder / "deliverable.docx"))
    headings = [one.text for one in document.paragraphs if str(one.style.name) == "Heading 1"]
    assert headings[: 1 + len(TOPICS)] == ["Summary", *TOPICS]
    assert sum(len(one.text.split()) for one in document.paragraphs) >= WORDS
    with capsys.disabled():
        read, written = (sum(call[name] for call in paper.calls) for name in ("tokens_in", "tokens_out"))
        cost = sum(call["cost_usd_micros"] for call in paper.calls) / 1_000_000
        print(
            f"a paper of {WORDS:,} words: {len(paper.calls)} calls, {read:,} tokens in, {written:,} out, ${cost:.2f}"
        )


def _are_told_the_outline_their_own_passages_and_their_neighbours(paper: Paper) -> None:
    (first, *_, opening) = asked = paper.asked("section")
    for prompt in asked[:-1]:
        topic = outlined(prompt)[section_number(prompt) - 1]
        assert (
            f"You write section {section_number(prompt)} of the paper, “{topic}”" in prompt.sections["Task"]
        )
        assert f"All tastings of {topic}." in prompt.sections["The outline of the paper"]
        counts = {source.attributes["title"]: source.text.count("of harvest") for source in prompt.sources}
        others = [counts.get(other, 0) for other in TOPICS if other != topic]
        assert counts[topic] > 0.9 * YEARS, "what there is on its own subject"
        assert sum(others) / len(others) < 0.6 * YEARS
    before = [[draft.attributes["heading"] for draft in prompt.named("draft")] for prompt in asked]
    assert before[0] == []
    assert before[1:-1] == [[topic] for topic in TOPICS[:-1]], "the section before"
    assert before[-1] == list(TOPICS), "and the opening has all others"
    assert "“[… characters left out …]”" not in opening.sections["Task"]
    assert "This is the opening" in opening.sections["Task"]
    assert "This is the opening" not in first.sections["Task"]
    (reading,) = paper.asked("coherence")
    assert [draft.attributes["heading"] for draft in reading.named("draft")] == ["Summary", *TOPICS]
    assert all("characters left out" not in draft.text for draft in reading.named("draft")), (
        "whole where it fits"
    )
    assert reading.model != "m1"
    assert all("Today is " in prompt.body["messages"][0]["content"] for prompt in paper.prompts)


def _is_estimated_and_booked(paper: Paper) -> None:
    (event,) = paper.events
    estimate = event["payload"]
    assert (estimate["words"], estimate["sections"]) == (WORDS, 1 + len(TOPICS))
    # The outline, each section and its rewriting, the reading, and a judge for each 1,200 words, twice.
    assert estimate["calls_max"] == 2 + 2 * 13 + 2 * 17
    of_paper = [
        call
        for call in paper.calls
        if call["phase"].startswith(("outline", "section", "coherence", "rewrite", "judge-assembly"))
    ]
    assert len(of_paper) <= estimate["calls_max"]
    for call in of_paper:
        assert call["reserved_usd_micros"] > 0
        assert call["cost_usd_micros"] <= call["reserved_usd_micros"]


async def test_its_word_document_is_converted_by_libreoffice(paper: Paper, tmp_path: Path) -> None:
    soffice = needs_program("soffice")
    profile = (tmp_path / "profile").as_uri()
    command = [soffice, "--headless", f"-env:UserInstallation={profile}", "--convert-to", "pdf"]
    command += ["--outdir", tmp_path, paper.folder / "deliverable.docx"]
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
    assert (tmp_path / "deliverable.pdf").is_file(), done.stderr
    reader = PdfReader(tmp_path / "deliverable.pdf")
    printed = " ".join(" ".join(page.extract_text() for page in reader.pages).split())
    assert len(printed.split()) >= WORDS
    for topic in TOPICS:
        assert f"{topic} of harvest 1900 was brewed" in printed


def noted(*notes: tuple[int, str], lesson: str = "") -> ScriptedAnswer:
    scores = dict.fromkeys(("completeness", "accuracy", "actionability", "depth"), 4)
    named = [{"section": number, "note": note} for number, note in notes]
    return ScriptedAnswer.json({**scores, "notes": named, "lesson": lesson})


async def test_only_sections_with_notes_or_doubtful_statements_are_rewritten(
    database_url: str, tmp_path: Path
) -> None:
    """Section 3 has a note, section 6 an invented figure that its rewriting drops, section 8 a rewriting that adds one."""

    def section(prompt: Prompt) -> ScriptedAnswer:
        number, is_rewritten = section_number(prompt), "Your draft" in prompt.sections
        text = section_text(prompt, section_words(prompt))
        if number == 3 and is_rewritten:
            text = f"### Rewritten\n\n{text}"
        if (number == 6 and not is_rewritten) or (number == 8 and is_rewritten):
            text += f"\n{INVENTED}\n"
        return ScriptedAnswer(content=f"## A heading of its own\n\n{text}")

    model = PaperModel(
        words=7_000,
        outline=lambda _: ScriptedAnswer.json(outline_of(words=500)),
        section=section,
        coherence=lambda _: noted(
            (3, "It repeats section 2."), (8, "Its end is missing."), (60, "Nothing."), lesson=LESSON
        ),
    )
    paper = await write_paper(database_url, tmp_path, model)
    assert paper.progress.status is MissionStatus.DELIVERED, questions_of(paper.progress)
    (reading,) = paper.asked("coherence")
    assert "12 degrees" in "".join(fence.text for fence in reading.named("statements"))
    rewritten = {
        section_number(prompt): prompt for prompt in paper.asked("section") if "Your draft" in prompt.sections
    }
    assert list(rewritten) == [3, 6, 8]
    assert "It repeats section 2." in rewritten[3].sections["Gaps to close"]
    assert "Gaps to close" not in rewritten[6].sections
    (statements,) = rewritten[6].named("statements")
    assert "12 degrees" in statements.text
    sections = list(sections_of(paper.text).values())
    assert "### Rewritten" in sections[2]
    assert "12 degrees" not in sections[5], "the rewritten one is kept"
    assert "12 degrees" not in sections[7], "a rewriting that adds a doubt is not"
    assert "A heading of its own" not in paper.text
    assert "[doubtful]" not in paper.text
    judged = [call["phase"] for call in paper.calls if re.match(r"judge-assembly-[23]-", call["phase"])]
    assert judged == [], "no statement is judged twice"
    with psycopg.connect(database_url) as connection:
        lessons = connection.execute(
            "select a.scope = 'agent:' || a.agent_id from memory_items a where kind = 'lesson' and content = %s",
            [LESSON],
        ).fetchall()
    assert lessons == [(True,)], "the reading of the whole teaches its author"


LESSON = "Each section of a paper says what no other says."
MISSING = "The paper does not say which drink is the cheapest."


def rejecting_model(*first_notes: tuple[int, str], rewritten: int) -> PaperModel:
    """A model whose reviewers send the paper back until so many sections are rewritten; its critic has first notes."""

    def section(prompt: Prompt) -> ScriptedAnswer:
        text = section_text(prompt, section_words(prompt))
        return ScriptedAnswer(content=f"### Rewritten\n\n{text}" if "Your draft" in prompt.sections else text)

    def coherence(prompt: Prompt) -> ScriptedAnswer:
        sent_back = prompt.sections.get("Why reviewers sent earlier versions back", "")
        return noted((4, "Say which drink is cheapest.")) if MISSING in sent_back else noted(*first_notes)

    def review(prompt: Prompt) -> ScriptedAnswer:
        is_good = prompt.named("deliverable")[0].text.count("### Rewritten") == rewritten
        return reviewed(prompt, approves=is_good, feedback="Good." if is_good else MISSING)

    return PaperModel(
        words=7_000,
        outline=lambda _: ScriptedAnswer.json(outline_of(words=500)),
        section=section,
        coherence=coherence,
        review=review,
    )


async def test_a_paper_that_is_sent_back_keeps_the_sections_that_need_no_change(
    database_url: str, tmp_path: Path
) -> None:
    paper = await write_paper(database_url, tmp_path, rejecting_model(rewritten=1))
    assert paper.progress.status is MissionStatus.DELIVERED, questions_of(paper.progress)
    assert len(paper.asked("outline")) == 1
    assert len(paper.asked("coherence")) == 2
    asked = [(section_number(prompt), "Your draft" in prompt.sections) for prompt in paper.asked("section")]
    assert asked == [*((number, False) for number in (*range(2, 14), 1)), (4, True)]
    assert "### Rewritten" in list(sections_of(paper.text).values())[3]


async def test_what_was_rewritten_in_a_version_that_is_sent_back_stays_so_in_the_next(
    database_url: str, tmp_path: Path
) -> None:
    model = rejecting_model((2, "Begin with the water."), rewritten=2)
    paper = await write_paper(database_url, tmp_path, model)
    assert paper.progress.status is MissionStatus.DELIVERED, questions_of(paper.progress)
    readings = ["### Rewritten" in str(prompt.body) for prompt in paper.asked("coherence")]
    assert readings == [False, True], "the second version begins from what was rewritten in the first"
    sections = list(sections_of(paper.text).values())
    assert [number for number, text in enumerate(sections, 1) if "### Rewritten" in text] == [2, 4]


async def test_a_cap_stops_a_paper_between_sections_and_nothing_paid_is_asked_again(
    database_url: str, tmp_path: Path
) -> None:
    documents = write_documents(tmp_path / "drinks", topic_documents())
    model = PaperModel(words=7_000, outline=lambda _: ScriptedAnswer.json(outline_of(words=500)))
    with ModelServer(model) as server:
        llm = paper_settings(server, caps=Caps(task_calls=7))
        async with organisation(database_url, tmp_path / "home", llm=llm) as services:
            stopped = await carry_out(services, documents)
        assert stopped.waits_for_founder
        assert [read_prompt(p.body).purpose for p in server.log].count("section") == 4
    assert len({str(request.body) for request in server.log}) == len(server.log)


def test_a_rehearsed_paper_takes_the_same_way(frasier: FrasierProgram, tmp_path: Path) -> None:
    sources = str(write_documents(tmp_path / "drinks", topic_documents()))
    directive = "Compare the water and the points of taste of these drinks in 7,000 words"
    ended = frasier.json("run", directive, "--sources", sources)
    step = frasier.json("steps", "show", "last/final")
    assert step["words"] == 7_000
    assert [phase for phase in step["phases"] if phase.startswith(("outline", "section"))] == [
        "outline",
        *(f"section-{number}" for number in (2, 3, 4, 1)),
    ]
    assert "Length: about 7,000 words" in frasier("steps", "show", "last/final").out
    text = (Path(str(ended["folder"])) / "deliverable.md").read_text("utf-8")
    assert text.count("Rehearsal: no model was used.") == 1
    assert "## Main points" in text
    again = frasier.json("run", directive, "--sources", sources, "--out", str(tmp_path / "again"))
    assert (Path(str(again["folder"])) / "deliverable.md").read_text("utf-8") == text
