"""The request for the next version of a colleague's persona."""

from __future__ import annotations

from collections.abc import Sequence

from frasier.llm import (
    Purpose,
    RejectedWork,
    Request,
    Section,
    Tier,
    UpskillInputs,
    defuse,
    fenced,
    list_section,
    source_sections,
)
from frasier.llm.reply_schemas import UpskillReply

VERSION = 1

_TASK = """\
Write the next version of this colleague's persona, in the second person ("You …"). It begins every request that they
will be given, so each sentence must change how the work is done. It will be tried on work that you are not shown,
against the version in force, and stays only if it helps. Rules:
- Find what the rejections have in common and what the craft does about it; change the method and the standards there.
- Keep what has nothing to do with it word for word: a trial can only tell what few changes do.
- Write how the work is done in general; name no task, document or figure of the rejected work.
- identity and soul stay as they are unless the cause lies there. sources: what the craft rests on, only what exists.
- Nothing about scores, reviews, trials or other agents.
- hypothesis: in one sentence what will be seen to change in the work, such as "fewer rejections for missing prices".
Each part has 80 to 2,000 characters."""


def upskill_request(inputs: UpskillInputs, *, system: str) -> Request:
    """Build the request for a persona's next version; `system` is the chief of staff's own prompt."""
    persona = (inputs.identity, inputs.soul, inputs.method, inputs.standards)
    sections = (
        Section(
            title="The colleague",
            text=f"{inputs.name}, {defuse(inputs.title)} ({inputs.role})",
            fixed=True,
        ),
        Section(title="Why their persona is revised", text=defuse(inputs.reason), fixed=True),
        list_section("The persona in force: identity, soul, method, standards", persona, fixed=True),
        list_section("What it says that the craft rests on", inputs.sources),
        Section(title="Their scores", text=inputs.scores, fixed=True),
        *rejected_sections(inputs.rejected),
        *source_sections(inputs.found),
        Section(title="Task", text=_TASK, fixed=True),
        list_section("What you wrote last was refused because", inputs.faults, fixed=True),
    )
    return Request(
        purpose=Purpose.UPSKILL,
        version=VERSION,
        tier=Tier.T2,
        inputs=inputs,
        system=system,
        sections=sections,
        reply_type=UpskillReply,
        max_output_tokens=3_500,
    )


def rejected_sections(rejected: Sequence[RejectedWork]) -> list[Section]:
    """Return the sections that show rejected work: each task with its feedback, and the text as it begins."""
    sections = []
    for number, work in enumerate(rejected, start=1):
        sections += [
            list_section(
                f"Rejected work {number}: its task, and what its reviewers said", (work.task, work.feedback)
            ),
            fenced(f"Rejected work {number}, as it begins", "deliverable", work.text),
        ]
    return sections
