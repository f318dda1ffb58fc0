"""The request to understand a message of the founder."""

from __future__ import annotations

from frasier.kernel.text import estimate_tokens
from frasier.llm import ClassifyInputs, Purpose, Request, Section, Tier, list_section
from frasier.llm.reply_schemas import ClassifyReply
from frasier.prompts.conversation_sections import turn_sections

VERSION = 3

_TASK = """\
The founder wrote the message above. What is it? casual: talk, thanks, a question about the organisation itself, or one
that the conversation so far or its attachments answer. simple_task: one person could do it in one sitting.
full_project: it needs several pieces of work. standing_rule: it asks for no result, and only says how all work shall be
done from now on, such as "Always state prices net." A wish for one result is a task however it is worded, such as "I
want you to write a poem." rules: every sentence that binds all future work, word for word as the founder wrote it, also
beside a task; empty where there is none, and where a wording holds for this task only. confidence is 0 to 1; reasoning
is one sentence."""


def classify_request(inputs: ClassifyInputs, *, system: str) -> Request:
    """Build the request for a classification; of the attachments only their names are shown."""
    return Request(
        purpose=Purpose.CLASSIFY,
        version=VERSION,
        tier=Tier.T1,
        inputs=inputs,
        system=system,
        sections=(
            *turn_sections(inputs.turns),
            list_section("What is attached to the message", inputs.attached),
            Section(title="The founder's message", text=inputs.message, fixed=True),
            Section(title="Task", text=_TASK, fixed=True),
        ),
        reply_type=ClassifyReply,
        # The rules are quoted word for word.
        max_output_tokens=900 + estimate_tokens(inputs.message),
    )
