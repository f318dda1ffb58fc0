"""The request to judge whether passages carry the statements that cite them: one for all statements of a draft."""

from __future__ import annotations

from frasier.llm import (
    FENCE_RULE,
    JudgeInputs,
    Purpose,
    Request,
    Section,
    Tier,
    fenced,
    one_line,
    passage_lines,
)
from frasier.llm.reply_schemas import JudgeReply

VERSION = 1

_SYSTEM = """\
You compare statements with passages, word for word. You know nothing but the passages, and you take no side.

{fence_rule}

Today is {today}."""

_TASK = """\
For each numbered statement: do the passages below it say what it says? supported: all of it. partly: a part of it
stands in no passage. not_supported: no passage says it, or one says otherwise. words: the words of the passage that
decide it, or of the statement that no passage has. What seems likely, or is known from elsewhere, supports nothing."""


def judge_request(inputs: JudgeInputs) -> Request:
    lines = []
    for number, statement in enumerate(inputs.statements, start=1):
        lines.append(f"Statement {number}: {one_line(statement.text)}")
        lines += passage_lines(statement.passages)
    return Request(
        purpose=Purpose.JUDGE,
        version=VERSION,
        tier=Tier.T1,
        inputs=inputs,
        system=_SYSTEM.format(fence_rule=FENCE_RULE, today=inputs.today),
        sections=(
            Section(title="Task", text=_TASK, fixed=True),
            fenced("Statements and passages", "statements", "\n".join(lines)),
        ),
        reply_type=JudgeReply,
        max_output_tokens=200 + 80 * len(inputs.statements),
        temperature=0.0,
    )
