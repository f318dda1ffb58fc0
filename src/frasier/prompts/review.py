"""The request to a reviewer."""

from __future__ import annotations

from dataclasses import replace

from frasier.llm import (
    Purpose,
    Request,
    ReviewInputs,
    Section,
    Tier,
    defuse,
    fenced,
    list_section,
    verification_sections,
)
from frasier.llm.reply_schemas import ReviewReply
from frasier.prompts.kind_rules import kind_sections, rubric_section
from frasier.prompts.score_scale import SCORE_SCALE
from frasier.prompts.step_sections import amendment_section

VERSION = 5

_TASK = f"""\
Review the deliverable as the last person between it and the founder. Score five criteria: relevance (does it do the
task and answer the questions), depth, actionability, accuracy (is every statement carried by what it cites),
executive_quality (could the founder read it as it is). Reject when any score is below 3. The statements were compared
with the passages that they cite; [doubtful] stands behind those that no passage carries, [conclusion] behind what the
author concludes. Where “[… characters left out …]” stands, you are shown less than there is. feedback says exactly what
must change, or what convinced you; quote the passage that you mean.

{SCORE_SCALE}"""

_TECHNICAL = """\
You review the craft only: structure, completeness against the acceptance criteria, professionalism, and the
citations. Leave the judgement of the subject to its experts, and score depth as 3 unless the text is plainly thin."""


def review_request(inputs: ReviewInputs, *, system: str, tier: Tier) -> Request:
    """Build the request for a verdict; `system` is the reviewer's own prompt."""
    citations = inputs.citations
    computed = (
        f"{inputs.verification.headline}; "
        f"{len(citations.cited)} of {citations.quotable} sources are cited; "
        f"unknown citations: {', '.join(f'[{n}]' for n in citations.unknown) or 'none'}."
    )
    sections = [
        Section(title="The founder's directive", text=inputs.directive, fixed=True),
        amendment_section(inputs.amendments),
        Section(title="What the author had to do", text=defuse(inputs.task), fixed=True),
        list_section("Acceptance criteria", inputs.acceptance, fixed=True),
        Section(title="The reader", text=defuse(inputs.reader), fixed=True),
        *kind_sections(inputs.kind, inputs.form, ()),
        list_section("The questions that it answers", inputs.questions, fixed=True),
        list_section("What earlier versions were sent back for", inputs.earlier_feedback),
        replace(fenced("The deliverable", "deliverable", inputs.deliverable), weight=4),
        *(replace(section, weight=3) for section in verification_sections(inputs.verification)),
        Section(title="Computed over the deliverable", text=computed, fixed=True),
        Section(title="Your scope", text=_TECHNICAL if inputs.scope == "technical" else "", fixed=True),
        rubric_section(inputs.kind),
        Section(title="Task", text=_TASK, fixed=True),
    ]
    return Request(
        purpose=Purpose.REVIEW,
        version=VERSION,
        tier=tier,
        inputs=inputs,
        system=system,
        sections=tuple(sections),
        reply_type=ReviewReply,
        max_output_tokens=1_500,
    )
