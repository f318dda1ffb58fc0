"""The request to outline a paper, a result that is too long for one reply."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

from pydantic import Field, create_model

from frasier.llm import OutlineInputs, Purpose, Request, Section, Tier, list_section
from frasier.llm.reply_schemas import OutlineReply, SectionPlan
from frasier.prompts.kind_rules import writing_rules
from frasier.prompts.step_sections import assignment_sections, material_sections

VERSION = 3

_TASK = """\
The result is too long for one reply: it is written section by section, each in a reply of its own, with passages that
are searched for it alone. Outline it so that the sections make one paper, under the rules of writing below.
- sections: from {fewest} to {most}, of at most {words_max} words each, together about {words} words; in the order of
  reading.
- The first section is the opening: that with which this kind of result begins. It is written last, from the others.
- heading: short, in the language of the result, without a number.
- covers: what the section says, with the questions that it answers. No two sections cover the same; what is needed in
  several stands in one, and the others refer to it.
- queries: two to four search queries for its passages, in the words and the language that the sources would use.

The rules of writing, which hold for the whole paper:
"""


def outline_request(inputs: OutlineInputs, *, system: str, tier: Tier) -> Request:
    """Build the request for an outline whose sections fit into a reply each."""
    task = _TASK.format(
        fewest=inputs.sections_min,
        most=inputs.sections_max,
        words_max=f"{inputs.section_words_max:,}",
        words=f"{inputs.brief.form.words:,}",
    )
    sections = [
        *assignment_sections(inputs.brief),
        *material_sections(inputs.brief, inputs.passages),
        list_section("Questions to answer", inputs.questions, fixed=True),
        list_section("What the result must contain", inputs.requirements, fixed=True),
        Section(title="Task", text=task + writing_rules(inputs.brief.kind), fixed=True),
    ]
    return Request(
        purpose=Purpose.OUTLINE,
        version=VERSION,
        tier=tier,
        inputs=inputs,
        system=system,
        sections=tuple(sections),
        reply_type=outline_shape(inputs.sections_min, inputs.sections_max, inputs.section_words_max),
        max_output_tokens=500 + 250 * inputs.sections_max,
    )


@lru_cache(maxsize=64)
def outline_shape(sections_min: int, sections_max: int, words_max: int) -> type[OutlineReply]:
    """Return the reply type of an outline, bounded to sections that fit into a reply and together reach the length."""
    words: Any = Annotated[int, Field(ge=1, le=words_max)]
    section: Any = create_model("SectionPlan", __base__=SectionPlan, words=(words, ...))
    sections: Any = Annotated[list[section], Field(min_length=sections_min, max_length=sections_max)]
    return create_model("OutlineReply", __base__=OutlineReply, sections=(sections, ...))
