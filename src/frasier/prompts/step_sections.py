"""The sections that all prompts of a step have in common, in one order, so that providers' prompt caches serve them.

A prompt begins with what stays the same for the whole step: the assignment, what the siblings do, the colleagues'
results. The sources follow, which are the same from the draft on. What is asked of them stands last.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from frasier.llm import Passage, Section, StepBrief, colleague_sections, defuse, list_section, source_sections
from frasier.prompts.kind_rules import kind_sections

_COLLEAGUES = 4
_SOURCES = 4


def assignment_sections(brief: StepBrief) -> list[Section]:
    """Build the sections with which every prompt of a step begins; none of them is cut."""
    sections = [
        Section(title="The founder's directive", text=brief.directive, fixed=True),
        Section(title="The assignment", text=defuse(brief.task), fixed=True),
        list_section("It is accepted when", brief.acceptance, fixed=True),
        list_section("What colleagues do beside it", brief.siblings, fixed=True),
        Section(title="The reader", text=defuse(brief.reader), fixed=True),
        *kind_sections(brief.kind, brief.form, brief.columns),
    ]
    return [replace(section, shared=True) for section in sections]


def material_sections(
    brief: StepBrief, passages: Sequence[Passage], *others: tuple[int, Sequence[Section]]
) -> list[Section]:
    """Build the sections of colleagues' results and sources, and the `others` with their weights, which share the room.

    Each group divides its weight equally among its sections.
    """
    groups: list[tuple[int, Sequence[Section]]] = [
        (_COLLEAGUES, [replace(section, shared=True) for section in colleague_sections(brief.predecessors)]),
        (_SOURCES, [replace(section, shared=True) for section in source_sections(passages)]),
        *others,
    ]
    common = math.lcm(*(len(sections) for _, sections in groups if sections))
    return [
        replace(section, weight=weight * common // len(sections))
        for weight, sections in groups
        for section in sections
    ]
