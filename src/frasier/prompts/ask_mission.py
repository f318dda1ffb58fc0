"""The request to answer a question of the founder about a mission, from its evidence alone."""

from __future__ import annotations

from dataclasses import replace

from frasier.llm import (
    AskInputs,
    Purpose,
    Request,
    Section,
    Tier,
    colleague_sections,
    fenced,
    list_section,
    source_sections,
    statement_sections,
)
from frasier.prompts.conversation_sections import turn_sections

VERSION = 1

_TASK = """\
Answer the founder's question about this mission in a few sentences, in its language, from the above alone. Every
sentence that says something of the subject ends with the number of the source that says so, such as [3]; quote the
words that decide. Where the question is why something stands in the result, quote the passage that it rests on, and say
whether it carries the statement. Behind what you say of how the work was done, or conclude yourself, stands
[conclusion]. What no source says, you do not know: say so, with [conclusion]. No headings."""


def ask_request(inputs: AskInputs, *, system: str) -> Request:
    """Build the request for an answer; with a `draft` for a better one, in which the faults are mended."""
    sections = (
        Section(title="The founder's directive", text=inputs.directive, fixed=True),
        *(replace(section, weight=3) for section in colleague_sections(inputs.results)),
        *statement_sections(f"Statements compared with what they cite. {inputs.headline}", inputs.statements),
        *source_sections(inputs.passages),
        list_section("How the work was done", inputs.steps),
        *turn_sections(inputs.turns),
        Section(title="The founder's question", text=inputs.question, fixed=True),
        list_section("The sources that it names", [f"[{number}]" for number in inputs.named], fixed=True),
        *([fenced("Your last answer", "draft", inputs.draft)] if inputs.draft else []),
        list_section("What is wrong with it", inputs.faults, fixed=True),
        Section(title="Task", text=_TASK, fixed=True),
    )
    return Request(
        purpose=Purpose.ASK,
        version=VERSION,
        tier=Tier.T2,
        inputs=inputs,
        system=system,
        sections=sections,
        max_output_tokens=1_200,
    )
