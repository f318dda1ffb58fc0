"""The request to understand a message of the founder."""

from __future__ import annotations

from frasier.kernel.text import estimate_tokens
from frasier.llm import ClassifyInputs, Purpose, Request, Section, Tier
from frasier.llm.reply_schemas import ClassifyReply

VERSION = 2

_TASK = """\
The founder wrote the message above. What is it? casual: talk, thanks, or a question about the organisation itself.
simple_task: one person could do it in one sitting. full_project: it needs several pieces of work. standing_rule: it
asks for no result, and only says how all work shall be done from now on, such as "Always state prices net." A wish for
one result is a task however it is worded, such as "I want you to write a poem." rules: every sentence that binds all
future work, word for word as the founder wrote it, also beside a task; empty where there is none, and where a wording
holds for this task only. confidence is 0 to 1; reasoning is one sentence."""


def classify_request(text: str, *, system: str) -> Request:
    return Request(
        purpose=Purpose.CLASSIFY,
        version=VERSION,
        tier=Tier.T1,
        inputs=ClassifyInputs(message=text),
        system=system,
        sections=(
            Section(title="The founder's message", text=text, fixed=True),
            Section(title="Task", text=_TASK, fixed=True),
        ),
        reply_type=ClassifyReply,
        # The rules are quoted word for word.
        max_output_tokens=900 + estimate_tokens(text),
    )
