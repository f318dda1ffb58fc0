"""The request to take a step apart into questions, queries and requirements."""

from __future__ import annotations

from frasier.llm import DecomposeInputs, Purpose, Request, Section, Tier, bullets, fenced, list_section
from frasier.llm.reply_schemas import DecomposeReply
from frasier.prompts.step_sections import assignment_sections, material_sections

VERSION = 6

_TASK = """\
Before working, take the assignment apart. questions: two to four questions whose answers make up the result. queries:
two to four search queries in the words and the language that the sources would use. requirements: what the result must
contain so that its reader can act on it, such as a figure, a date, a table of certain columns, or a named risk."""


def decompose_request(inputs: DecomposeInputs, *, system: str) -> Request:
    sections = [
        *assignment_sections(inputs.brief),
        *material_sections(inputs.brief, ()),
        fenced("Documents at hand", "source", bullets(inputs.source_titles)),
        list_section("What worked before on similar tasks", inputs.hints),
        list_section("Why earlier versions were sent back", inputs.feedback),
        Section(title="Task", text=_TASK, fixed=True),
    ]
    return Request(
        purpose=Purpose.DECOMPOSE,
        version=VERSION,
        tier=Tier.T1,
        inputs=inputs,
        system=system,
        sections=tuple(sections),
        reply_type=DecomposeReply,
        max_output_tokens=1_200,
    )
