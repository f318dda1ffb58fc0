"""The request to write a step's result."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from frasier.llm import Purpose, Request, Section, SynthesizeInputs, Tier, list_section
from frasier.prompts.kind_rules import writing_rules
from frasier.prompts.step_sections import assignment_sections, material_sections
from frasier.prompts.writing_rules import REPLY_TOKENS

VERSION = 7


def synthesize_request(
    inputs: SynthesizeInputs, *, system: str, tier: Tier, find_faults: Callable[[str], Sequence[str]]
) -> Request:
    """Build the request for a draft; a reply in which `find_faults` finds something is asked for again."""
    sections = [
        *assignment_sections(inputs.brief),
        *material_sections(inputs.brief, inputs.passages),
        list_section("Questions to answer", inputs.questions, fixed=True),
        list_section("What the result must contain", inputs.requirements, fixed=True),
        list_section("Why earlier versions were sent back: do better", inputs.feedback),
        Section(title="How to write", text=writing_rules(inputs.brief.kind), fixed=True),
    ]
    return Request(
        purpose=Purpose.SYNTHESIZE,
        version=VERSION,
        tier=tier,
        inputs=inputs,
        system=system,
        sections=tuple(sections),
        find_faults=find_faults,
        max_output_tokens=REPLY_TOKENS,
    )
