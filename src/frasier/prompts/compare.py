"""The request to compare two results for the same task, of which nothing else is said."""

from __future__ import annotations

from dataclasses import replace

from frasier.llm import (
    ComparedText,
    CompareInputs,
    Purpose,
    Request,
    Section,
    Tier,
    defuse,
    fenced,
    list_section,
    verification_sections,
)
from frasier.llm.reply_schemas import CompareReply
from frasier.prompts.kind_rules import kind_sections
from frasier.prompts.score_scale import SCORE_SCALE
from frasier.prompts.step_sections import founder_sections

VERSION = 1

COMPARE_REPLY_TOKENS = 800
"""The most tokens of a comparison."""

_TASK = f"""\
Two colleagues did the same task from the same sources. Score each result by itself on five criteria: relevance (does it
do the task), depth, actionability, accuracy (is every statement carried by what it cites), executive_quality (could the
reader read it as it is). Their order means nothing. Use half points: where one is better in something, its score says
so. reason names the difference that decided, in one sentence.

{SCORE_SCALE}"""


def compare_request(inputs: CompareInputs, *, system: str) -> Request:
    """Build the request for a comparison; `system` is the judge's own prompt."""
    sections = (
        Section(title="The founder's directive", text=inputs.directive, fixed=True),
        *founder_sections(inputs.answers, inputs.amendments),
        Section(title="What both had to do", text=defuse(inputs.task), fixed=True),
        list_section("Acceptance criteria", inputs.acceptance, fixed=True),
        Section(title="The reader", text=defuse(inputs.reader), fixed=True),
        *kind_sections(inputs.kind, inputs.form, ()),
        *_text_sections("first", inputs.first),
        *_text_sections("second", inputs.second),
        Section(title="Task", text=_TASK, fixed=True),
    )
    return Request(
        purpose=Purpose.COMPARE,
        version=VERSION,
        tier=Tier.T2,
        inputs=inputs,
        system=system,
        sections=sections,
        reply_type=CompareReply,
        max_output_tokens=COMPARE_REPLY_TOKENS,
    )


def _text_sections(place: str, compared: ComparedText) -> list[Section]:
    verification = compared.verification
    return [
        replace(fenced(f"The {place} result", "deliverable", compared.text), weight=4),
        Section(title=f"Computed over the {place} result", text=f"{verification.headline}.", fixed=True),
        *(
            replace(section, title=f"{section.title} in the {place} result", weight=2)
            for section in verification_sections(verification, doubtful_only=True)
        ),
    ]
