"""The request to answer a message of the founder."""

from __future__ import annotations

from frasier.llm import Purpose, Request, Section, TalkInputs, Tier

VERSION = 2

_TASK = """\
Answer the founder's message in a few plain sentences, in its language. Use only what you know from the lines above;
where you do not know, say so. Promise no times that people would keep."""


def talk_request(inputs: TalkInputs, *, system: str) -> Request:
    known = "\n".join(f"- {line}" for line in (*inputs.state, *inputs.memories))
    return Request(
        purpose=Purpose.TALK,
        version=VERSION,
        tier=Tier.T1,
        inputs=inputs,
        system=system,
        sections=(
            Section(title="What you know", text=known or "- nothing that bears on it"),
            Section(title="The founder's message", text=inputs.message, fixed=True),
            Section(title="Task", text=_TASK, fixed=True),
        ),
        max_output_tokens=800,
    )
