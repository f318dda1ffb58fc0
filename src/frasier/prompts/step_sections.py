"""The sections that all prompts of a step have in common, in one order, so that providers' prompt caches serve them.

A prompt begins with what stays the same for the whole step: the assignment, what the siblings do, the colleagues'
results. The sources follow, which are the same from the draft on. What is asked of them stands last.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from frasier.llm import (
    OutlinedSection,
    Passage,
    Section,
    StepBrief,
    WrittenSection,
    colleague_sections,
    defuse,
    fenced,
    list_section,
    one_line,
    skill_sections,
    source_sections,
)
from frasier.prompts.kind_rules import kind_sections

_SKILLS = 1
_COLLEAGUES = 4
_SOURCES = 4


def assignment_sections(brief: StepBrief) -> list[Section]:
    """Build the sections with which every prompt of a step begins; none of them is cut."""
    sections = [
        Section(title="The founder's directive", text=brief.directive, fixed=True),
        *founder_sections(brief.answers, brief.amendments),
        Section(title="The assignment", text=defuse(brief.task), fixed=True),
        list_section("It is accepted when", brief.acceptance, fixed=True),
        list_section("What colleagues do beside it", brief.siblings, fixed=True),
        *_reported("What colleagues note on the results that they hand over", _notes(brief)),
        *_reported("What is missing: say so where your reader needs it", brief.missing),
        Section(title="The reader", text=defuse(brief.reader), fixed=True),
        *kind_sections(brief.kind, brief.form, brief.columns),
    ]
    return [replace(section, shared=True) for section in sections]


def _notes(brief: StepBrief) -> list[str]:
    """List the notes on the results that a step builds on, each with the result that it is about."""
    return [
        f"{predecessor.title} ({predecessor.agent}): {note}"
        for predecessor in brief.predecessors
        for note in predecessor.notes
    ]


def _reported(title: str, reports: Sequence[str]) -> list[Section]:
    """Build a section with reports on other work, fenced, as they may quote a source; none without reports."""
    text = "\n".join(f"- {' '.join(report.split())}" for report in reports)
    return [replace(fenced(title, "memory", text), fixed=True)] if reports else []


def founder_sections(answers: Sequence[str], amendments: Sequence[str]) -> list[Section]:
    """Build the sections with what the founder said since the directive: the answers to questions about it, and the
    changes of it. Either is empty without any.
    """
    return [
        list_section("What the founder answered", answers, fixed=True),
        list_section(
            "What the founder changed since; the newest stands last and holds", amendments, fixed=True
        ),
    ]


def material_sections(
    brief: StepBrief,
    passages: Sequence[Passage],
    *others: tuple[int, Sequence[Section]],
    outline: Sequence[OutlinedSection] = (),
) -> list[Section]:
    """Build the sections of skills, colleagues' results and sources, and the `others` with their weights, which share
    the room.

    Each group divides its weight equally among its sections. With an `outline`, the prompts of all sections of a paper
    begin alike up to it, and each has sources of its own.
    """
    skills = [replace(section, shared=True) for section in skill_sections(brief.skills)]
    colleagues = [replace(section, shared=True) for section in colleague_sections(brief.predecessors)]
    sources = [replace(section, shared=not outline) for section in source_sections(passages)]
    groups: list[tuple[int, Sequence[Section]]] = [
        (_SKILLS, skills),
        (_COLLEAGUES, colleagues),
        (1, outline_sections(outline)),
        (_SOURCES, sources),
        *others,
    ]
    common = math.lcm(*(len(sections) for _, sections in groups if sections))
    return [
        replace(section, weight=weight * common // len(sections))
        for weight, sections in groups
        for section in sections
    ]


def outline_sections(outline: Sequence[OutlinedSection]) -> list[Section]:
    """Build the section with the outline of a paper; it is never cut."""
    lines = [
        f"{number}. {one_line(section.heading)} (about {section.words:,} words): {one_line(section.covers)}"
        for number, section in enumerate(outline, start=1)
    ]
    if not lines:
        return []
    return [Section(title="The outline of the paper", text="\n".join(lines), fixed=True, shared=True)]


def written_sections(sections: Sequence[WrittenSection]) -> list[Section]:
    """Build a section for each text of a paper, as it has been written; a long one keeps its beginning and end."""
    return [
        fenced(
            f"Section {section.number} of the paper",
            "draft",
            section.text,
            section=section.number,
            heading=section.heading,
        )
        for section in sections
    ]
