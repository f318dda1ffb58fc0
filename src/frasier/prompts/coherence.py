"""The request to read a whole paper once, when all of its sections are written."""

from __future__ import annotations

from frasier.llm import CoherenceInputs, Purpose, Request, Section, Tier, list_section, verification_sections
from frasier.llm.reply_schemas import CoherenceReply
from frasier.prompts.kind_rules import rubric_section
from frasier.prompts.score_scale import SCORE_SCALE
from frasier.prompts.step_sections import (
    assignment_sections,
    material_sections,
    written_sections,
)

VERSION = 3

_TASK = f"""\
A colleague wrote the paper section by section. Read it as its hardest honest reader. notes: what must change in which
section, most important first, so that its author can do it without seeing this reading: the same told twice, and
where it shall stay; one section that contradicts another, with both wordings; a term that is used before it is
explained; what the outline or the assignment asks for and no section has; an opening that says other than the
sections do; what reviewers sent it back for, in each section that has to change for it. A section that is fine gets
no note. Where “[… characters left out …]” stands, you are shown less than there is, which is no fault. completeness:
does it answer all questions and hold what the result must contain. accuracy: a doubtful statement is wrong unless you
see why it is right. actionability: can the reader act on it. depth: does it say more than a search result would.
lesson: one sentence worth remembering next time, or empty.

{SCORE_SCALE}"""


def coherence_request(inputs: CoherenceInputs, *, system: str, tier: Tier) -> Request:
    """Build the request for notes by section. The paper is shown whole where it fits, else each section's ends."""
    citations = inputs.citations
    unknown = ", ".join(map(str, citations.unknown)) or "none"
    used = f"{len(citations.cited)} of {citations.quotable} sources are used"
    computed = f"{inputs.verification.tally}; {used}; citations of unknown sources: {unknown}."
    sections = [
        *assignment_sections(inputs.brief),
        *material_sections(
            inputs.brief,
            (),
            (8, written_sections(inputs.sections)),
            (1, verification_sections(inputs.verification, doubtful_only=True)),
            outline=inputs.outline,
        ),
        list_section("Questions", inputs.questions, fixed=True),
        list_section("What the result must contain", inputs.requirements, fixed=True),
        list_section("Why reviewers sent earlier versions back", inputs.feedback, fixed=True),
        list_section("Computed over the paper", (computed, *inputs.faults), fixed=True),
        rubric_section(inputs.brief.kind),
        Section(title="Task", text=_TASK, fixed=True),
    ]
    return Request(
        purpose=Purpose.COHERENCE,
        version=VERSION,
        tier=tier,
        inputs=inputs,
        system=system,
        sections=tuple(sections),
        reply_type=CoherenceReply,
        max_output_tokens=3_000,
    )
