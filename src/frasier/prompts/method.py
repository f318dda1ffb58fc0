"""The request for the next version of a skill."""

from __future__ import annotations

from frasier.llm import (
    MethodInputs,
    Purpose,
    Request,
    Section,
    Tier,
    defuse,
    fenced,
    list_section,
    source_sections,
)
from frasier.llm.reply_schemas import MethodReply
from frasier.prompts.upskill import rejected_sections

VERSION = 1

_TASK = """\
Write the next version of this skill: the method by which whoever needs it works. It will be tried on work that you are
not shown, against the version in force, and stays only if it helps. Rules:
- Find what the rejections have in common and what the craft does about it; change the steps and the mistakes there.
- Keep what has nothing to do with it word for word: a trial can only tell what few changes do.
- Write how such work is done in general, by anybody; name no task, document or figure of the rejected work.
- short: one or two sentences for every prompt of whoever has the skill. long: the whole method, as numbered steps, what
  the result needs, and usual mistakes; it is given to a step that needs it. Name only sources and tools that exist.
- Nothing about scores, reviews, trials or agents.
- hypothesis: in one sentence what will be seen to change in the work, such as "fewer rejections for missing prices".
short has at most 600 characters, long 200 to 8,000."""


def method_request(inputs: MethodInputs, *, system: str) -> Request:
    """Build the request for a skill's next version; `system` is the chief of staff's own prompt."""
    sections = (
        Section(title="The skill", text=f"{inputs.skill}, used by {defuse(inputs.title)}", fixed=True),
        Section(title="Why it is revised", text=defuse(inputs.reason), fixed=True),
        fenced("The short text in force", "skill", inputs.short),
        fenced("The long text in force", "skill", inputs.long),
        Section(title="Scores of work with it", text=inputs.scores, fixed=True),
        *rejected_sections(inputs.rejected),
        *source_sections(inputs.found),
        Section(title="Task", text=_TASK, fixed=True),
        list_section("What you wrote last was refused because", inputs.faults, fixed=True),
    )
    return Request(
        purpose=Purpose.METHOD,
        version=VERSION,
        tier=Tier.T2,
        inputs=inputs,
        system=system,
        sections=sections,
        reply_type=MethodReply,
        max_output_tokens=4_000,
    )
