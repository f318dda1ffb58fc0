"""A rehearsed paper: a section for each question and source, made of quotes, and a reading with computed scores."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from frasier.kernel.text import shorten
from frasier.llm.prompt_inputs import (
    CoherenceInputs,
    CritiqueInputs,
    OutlineInputs,
    SectionInputs,
    SynthesizeInputs,
)
from frasier.llm.providers.rehearsal.critique import critique
from frasier.llm.providers.rehearsal.needs import need_of
from frasier.llm.providers.rehearsal.outline import titles_of
from frasier.llm.providers.rehearsal.page import LABEL, plain
from frasier.llm.providers.rehearsal.questions import OVERVIEW, main_question
from frasier.llm.providers.rehearsal.synthesize import synthesize
from frasier.llm.providers.rehearsal.task_wording import directive_title
from frasier.llm.reply_schemas import CoherenceReply, OutlineReply, SectionPlan

_TITLE_CHARS_MAX = 150
_HEADING_CHARS_MAX = 110
_OPENING = "Main points"
_TITLE = re.compile(r"\A# .*\n+")


def outline(inputs: OutlineInputs) -> OutlineReply:
    """An opening, then a section for each question and each source, as many as are needed at least."""
    headings = {_OPENING: OVERVIEW}
    for heading, question in _subjects(inputs):
        if len(headings) == max(inputs.sections_min, len(inputs.questions) + 1):
            break
        headings.setdefault(shorten(plain(heading), _HEADING_CHARS_MAX), question)
    words = min(inputs.section_words_max, max(1, inputs.brief.form.words // len(headings)))
    title = plain(directive_title(inputs.brief.directive, _TITLE_CHARS_MAX))
    return OutlineReply(
        title=title if len(title) >= 3 else "Findings",
        sections=[
            SectionPlan(heading=heading, covers=question, words=words, queries=[question])
            for heading, question in list(headings.items())[: inputs.sections_max]
        ],
    )


def _subjects(inputs: OutlineInputs) -> Iterator[tuple[str, str]]:
    """Headings with the questions that their sections answer; without end."""
    for question in inputs.questions:
        yield need_of(question).label, question
    for title in titles_of(inputs.passages).values():
        yield title, main_question(title)
    for number in count(1):
        yield f"Further statements {number}", f"What else do the sources say ({number})?"


def section(inputs: SectionInputs, tokens_max: int) -> str:
    """Quotes that answer what the section covers; of a draft, the lines that are not doubtful."""
    if inputs.draft:
        doubtful = [one.markdown for one in inputs.verification.statements]
        lines = inputs.draft.splitlines()
        kept = [line for line in lines if not any(statement in line for statement in doubtful)]
        return "\n".join(kept) if any(line.strip() for line in kept) else LABEL
    text = synthesize(
        SynthesizeInputs(
            brief=replace(inputs.brief, predecessors=()),
            questions=(inputs.section.covers,),
            passages=inputs.passages,
        ),
        tokens_max,
    )
    return _TITLE.sub("", text) if inputs.number == 1 else _TITLE.sub("", text).replace(f"{LABEL}\n\n", "")


def coherence(inputs: CoherenceInputs) -> CoherenceReply:
    """The scores of a critique over the whole, and no notes: nothing is understood here."""
    whole = critique(
        CritiqueInputs(
            brief=inputs.brief,
            questions=inputs.questions,
            draft="\n\n".join(f"## {one.heading}\n\n{one.text}" for one in inputs.sections),
            citations=inputs.citations,
            verification=inputs.verification,
            passages=(),
            requirements=inputs.requirements,
        )
    )
    return CoherenceReply(notes=[], **whole.model_dump(exclude={"gaps"}))
