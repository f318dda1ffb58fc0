"""The request to find what the passages found so far do not answer."""

from __future__ import annotations

from frasier.llm import GapsInputs, Purpose, Request, Section, Tier, list_section
from frasier.llm.reply_schemas import GapsReply
from frasier.prompts.step_sections import assignment_sections, material_sections

VERSION = 6

_TASK = """\
Do the passages answer the questions? sufficient is true when a careful expert could write the result from them.
Otherwise name the gaps and give queries that would fill them, in other words than before. too_large is true only when
the assignment asks for so much that several people should each do a part of it, whatever can still be read."""


def gaps_request(inputs: GapsInputs, *, system: str) -> Request:
    sections = [
        *assignment_sections(inputs.brief),
        *material_sections(inputs.brief, inputs.passages),
        list_section("Questions", inputs.questions, fixed=True),
        Section(title="Task", text=_TASK, fixed=True),
    ]
    return Request(
        purpose=Purpose.GAPS,
        version=VERSION,
        tier=Tier.T1,
        inputs=inputs,
        system=system,
        sections=tuple(sections),
        reply_type=GapsReply,
        max_output_tokens=1_000,
    )
