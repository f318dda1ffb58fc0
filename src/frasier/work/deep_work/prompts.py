"""The requests of the deep-work phases, rendered from their typed inputs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from frasier.llm import (
    CritiqueInputs,
    DecomposeInputs,
    GapsInputs,
    Purpose,
    Request,
    ReviseInputs,
    Section,
    SynthesizeInputs,
    Tier,
    bullets,
    colleague_sections,
    defuse,
    fenced,
    list_section,
    source_sections,
    verification_sections,
)
from frasier.llm.reply_schemas import CritiqueReply, DecomposeReply, GapsReply
from frasier.org.planning import find_faults

_DECOMPOSE = """\
Before working, take the task apart. questions: two to four questions whose answers make up the result. queries: two
to four search queries in the words that sources would use. requirements: what the result must contain."""

_GAPS = """\
Do the passages answer the questions? sufficient is true when a careful expert could write the result from them.
Otherwise name the gaps and give queries that would fill them, in other words than before."""

_WRITE = """\
You are the expert, and you do the work yourself: write the finished result in Markdown, not advice on how one could
make it. Rules:
- Every claim ends with the number of the source that says so, like [3], or [2, 5]. Numbers are those of the fences.
- Use only what the sources and your colleagues' results say. Where they are silent, say so in a line that begins
  with ">"; never fill a gap with an invention.
- Keep the citation numbers of your colleagues' results: they are the same sources.
- No list of sources at the end; it is added for you. No placeholders, no remarks about these rules."""

_CRITIQUE = """\
Judge the draft as its hardest honest reader. Scores from 1 to 5: 3 is good work, 4 excellent, 5 rare; most drafts
deserve 2.5 to 3. completeness: are all questions answered. accuracy: is every claim cited, and does the passage say
so; the comparison with the passages was computed, and a doubtful statement is wrong unless you see why it is right.
actionability: can the reader act on it. depth: does it say more than a search result would. gaps: what must
change, most important first. lesson: one sentence worth remembering next time, or empty."""

_REVISE = """\
Rewrite the draft so that the gaps are closed. Keep what is good. The rules for writing hold as before: every claim
cited by number, nothing invented, gaps in the sources said openly in a line that begins with ">". Correct a doubtful
statement from its source, cite the source that does say it, or drop it."""


def decompose_request(inputs: DecomposeInputs, *, system: str) -> Request:
    sections = [
        Section(title="Task", text=_DECOMPOSE, fixed=True),
        *_assignment(inputs.directive, inputs.task, inputs.acceptance),
        fenced("Documents at hand", "source", bullets(inputs.source_titles)),
        list_section("What worked before on similar tasks", inputs.hints),
        list_section("Why earlier versions were sent back", inputs.feedback),
    ]
    return Request(
        purpose=Purpose.DECOMPOSE,
        tier=Tier.T1,
        inputs=inputs,
        system=system,
        sections=tuple(sections),
        reply_type=DecomposeReply,
        max_output_tokens=1_200,
    )


def gaps_request(inputs: GapsInputs, *, system: str) -> Request:
    sections = [
        Section(title="Task", text=_GAPS, fixed=True),
        Section(title="The assignment", text=defuse(inputs.task), fixed=True),
        list_section("Questions", inputs.questions, fixed=True),
        *source_sections(inputs.passages),
    ]
    return Request(
        purpose=Purpose.GAPS,
        tier=Tier.T1,
        inputs=inputs,
        system=system,
        sections=tuple(sections),
        reply_type=GapsReply,
        max_output_tokens=1_000,
    )


def synthesize_request(inputs: SynthesizeInputs, *, system: str, tier: Tier) -> Request:
    sections = [
        Section(title="How to write", text=_WRITE, fixed=True),
        *_assignment(inputs.directive, inputs.task, inputs.acceptance),
        list_section("Questions to answer", inputs.questions, fixed=True),
        list_section("Why earlier versions were sent back: do better", inputs.feedback),
        *_share((4, colleague_sections(inputs.predecessors)), (4, source_sections(inputs.passages))),
    ]
    return Request(
        purpose=Purpose.SYNTHESIZE,
        tier=tier,
        inputs=inputs,
        system=system,
        sections=tuple(sections),
        find_faults=find_faults,
        max_output_tokens=6_000,
    )


def critique_request(inputs: CritiqueInputs, *, system: str) -> Request:
    citations = inputs.citations
    computed = (
        f"{inputs.verification.headline}; "
        f"{len(citations.cited)} of {citations.quotable} sources are used; "
        f"citations of unknown sources: {', '.join(f'[{n}]' for n in citations.unknown) or 'none'}."
    )
    sections = [
        Section(title="Task", text=_CRITIQUE, fixed=True),
        Section(title="The assignment", text=defuse(inputs.task), fixed=True),
        list_section("Acceptance criteria", inputs.acceptance, fixed=True),
        list_section("Questions", inputs.questions, fixed=True),
        Section(title="Computed over the draft", text=computed, fixed=True),
        *_share(
            (4, [fenced("The draft", "draft", inputs.draft)]),
            (2, verification_sections(inputs.verification)),
            (3, source_sections(inputs.passages)),
        ),
    ]
    return Request(
        purpose=Purpose.CRITIQUE,
        tier=Tier.T1,
        inputs=inputs,
        system=system,
        sections=tuple(sections),
        reply_type=CritiqueReply,
        max_output_tokens=1_200,
    )


def revise_request(inputs: ReviseInputs, *, system: str, tier: Tier) -> Request:
    sections = [
        Section(title="Task", text=_REVISE, fixed=True),
        *_assignment(inputs.directive, inputs.task, ()),
        list_section("Questions to answer", inputs.questions, fixed=True),
        list_section("Gaps to close", inputs.gaps, fixed=True),
        list_section("What reviewers said before", inputs.feedback),
        *_share(
            (6, [fenced("Your draft", "draft", inputs.draft)]),
            (2, verification_sections(inputs.verification, doubtful_only=True)),
            (3, colleague_sections(inputs.predecessors)),
            (4, source_sections(inputs.passages)),
        ),
    ]
    return Request(
        purpose=Purpose.REVISE,
        tier=tier,
        inputs=inputs,
        system=system,
        sections=tuple(sections),
        find_faults=find_faults,
        max_output_tokens=6_000,
    )


def _assignment(directive: str, task: str, acceptance: tuple[str, ...]) -> list[Section]:
    return [
        Section(title="The founder's directive", text=directive, fixed=True),
        Section(title="Your assignment", text=defuse(task), fixed=True),
        list_section("It is accepted when", acceptance, fixed=True),
    ]


def _share(*groups: tuple[int, Sequence[Section]]) -> list[Section]:
    """Flatten the groups of sections; each group divides its weight equally among its sections."""
    common = math.lcm(*(len(sections) for _, sections in groups if sections))
    return [
        replace(section, weight=weight * common // len(sections))
        for weight, sections in groups
        for section in sections
    ]
