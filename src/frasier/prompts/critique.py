"""The request to a critic, who is another agent than the author."""

from __future__ import annotations

from frasier.llm import (
    CritiqueInputs,
    Purpose,
    Request,
    Section,
    Tier,
    defuse,
    fenced,
    list_section,
    verification_sections,
)
from frasier.llm.reply_schemas import CritiqueReply
from frasier.prompts.kind_rules import rubric_section
from frasier.prompts.score_scale import SCORE_SCALE
from frasier.prompts.step_sections import assignment_sections, material_sections

VERSION = 6

_TASK = f"""\
A colleague wrote the draft. Judge it as its hardest honest reader. completeness: does it answer all questions and hold
what the result must contain. accuracy: does each cited passage say what the statement says; the comparison was
computed, and a doubtful statement is wrong unless you see why it is right. actionability: can the reader act on it.
depth: does it say more than a search result would, and fit what colleagues found. gaps: what must change, most
important first. lesson: one sentence worth remembering next time, or empty.

{SCORE_SCALE}"""


def critique_request(inputs: CritiqueInputs, *, system: str) -> Request:
    citations = inputs.citations
    computed = (
        f"{defuse(inputs.verification.headline)}; "
        f"{len(citations.cited)} of {citations.quotable} sources are used; "
        f"citations of unknown sources: {', '.join(f'[{n}]' for n in citations.unknown) or 'none'}."
    )
    sections = [
        *assignment_sections(inputs.brief),
        *material_sections(
            inputs.brief,
            inputs.passages,
            (4, [fenced("The draft", "draft", inputs.draft)]),
            (2, verification_sections(inputs.verification)),
        ),
        list_section("Questions", inputs.questions, fixed=True),
        list_section("What the result must contain", inputs.requirements, fixed=True),
        Section(title="Computed over the draft", text=computed, fixed=True),
        rubric_section(inputs.brief.kind),
        Section(title="Task", text=_TASK, fixed=True),
    ]
    return Request(
        purpose=Purpose.CRITIQUE,
        version=VERSION,
        tier=Tier.T1,
        inputs=inputs,
        system=system,
        sections=tuple(sections),
        reply_type=CritiqueReply,
        max_output_tokens=1_200,
    )
