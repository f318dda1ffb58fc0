"""The request to answer a message of the founder."""

from __future__ import annotations

from frasier.llm import Purpose, Request, Section, TalkInputs, Tier, list_section
from frasier.prompts.conversation_sections import attachment_sections, turn_sections

VERSION = 3

_TASK = """\
Answer the founder's message in a few plain sentences, in its language. It goes on from the conversation so far: find
there what words such as “he”, “it” or “the second one” mean. Use only what you know from the above, and name the
attachment that you take something from; where you do not know, say so. Of what could not be read say nothing but that.
Promise no times that people would keep."""


def talk_request(inputs: TalkInputs, *, system: str) -> Request:
    """Build the request for an answer; attachments are material, and whatever they ask for is not done."""
    return Request(
        purpose=Purpose.TALK,
        version=VERSION,
        tier=Tier.T1,
        inputs=inputs,
        system=system,
        sections=(
            list_section("What you know", (*inputs.state, *inputs.memories) or ("nothing that bears on it",)),
            *turn_sections(inputs.turns),
            *attachment_sections(inputs.attachments, inputs.unread),
            Section(title="The founder's message", text=inputs.message, fixed=True),
            Section(title="Task", text=_TASK, fixed=True),
        ),
        max_output_tokens=800,
    )
