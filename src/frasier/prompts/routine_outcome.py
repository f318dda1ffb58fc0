"""The request for the one outcome of a team routine."""

from __future__ import annotations

from frasier.llm import Purpose, Request, RoutineOutcomeInputs, Section, Tier, defuse, list_section
from frasier.llm.reply_schemas import RoutineOutcomeReply
from frasier.prompts.routine_sections import said_sections

VERSION = 1

_TASKS = {
    "stand_up": """\
Name the one thing of this stand-up that the founder should know or decide, in one or two sentences. It is a blocker
where something keeps a colleague from their work and only the founder can settle it; else it is a proposal of what to
do next, as a directive that could be given as it stands.""",
    "brainstorm": """\
Put what your colleagues proposed into one proposal for the plan of this mission, in at most 100 words: the parts of the
work, what must be found out first, and the mistake to avoid. Choose; do not list everything.""",
    "debate": """\
Decide which of the two verdicts stands, the higher or the lower one, by what the text says and not by who spoke last.
You make no third verdict. Say in one or two sentences what decided it; the author reads it.""",
    "mentoring": """\
Say in one sentence what you will do differently in such work from now on, so that it helps you where you read it beside
another task. It is kept as your lesson.""",
}


def routine_outcome_request(inputs: RoutineOutcomeInputs, *, system: str, tier: Tier) -> Request:
    """Build the request for the outcome, in the name of the colleague who ends the routine."""
    kind = inputs.kind.replace("_", "-")
    sections = (
        Section(title=f"A {kind} of your team", text=defuse(inputs.subject), fixed=True),
        list_section("What was known before", inputs.part),
        *said_sections(inputs.said),
        Section(
            title="Task",
            text=f"{_TASKS[inputs.kind]}\noutcome is one of: {', '.join(inputs.outcomes)}.",
            fixed=True,
        ),
    )
    return Request(
        purpose=Purpose.ROUTINE_OUTCOME,
        version=VERSION,
        tier=tier,
        inputs=inputs,
        system=system,
        sections=sections,
        reply_type=RoutineOutcomeReply,
        max_output_tokens=400,
    )
