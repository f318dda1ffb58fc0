"""The request for what one colleague says in a team routine."""

from __future__ import annotations

from dataclasses import replace

from frasier.llm import Purpose, Request, RoutineTurnInputs, Section, Tier, defuse, fenced, list_section
from frasier.llm.reply_schemas import RoutineTurnReply
from frasier.prompts.routine_sections import said_sections

VERSION = 1

_TASKS = {
    "stand_up": """\
Say in at most 80 words what you have finished, what comes next, and what keeps you from it. Name only what is listed
as yours; where nothing keeps you, say so.""",
    "brainstorm": """\
Propose in at most 120 words how this should be done: what must be found out first, which parts it has, in which order,
and what usually goes wrong with such work. Say what your trade knows of it. Do not repeat a colleague; add, or say why
they are wrong. Do none of the work itself.""",
    "debate": """\
You and a colleague judged this version, and differ by more than a point. Say in at most 120 words which statement or
gap of the text decides it, quote it, and whether your verdict still stands now that you know theirs. You may say that
the other is right.""",
    "mentoring": """\
A colleague's work was sent back. Say to them in at most 120 words what you would do differently next time, and how one
of your trade checks it before handing over. Speak of the way of working, not of this text alone.""",
}


def routine_turn_request(inputs: RoutineTurnInputs, *, system: str, tier: Tier) -> Request:
    """Build the request for what the colleague of that system message says."""
    kind = inputs.kind.replace("_", "-")
    sections = (
        Section(title=f"A {kind} of your team", text=defuse(inputs.subject), fixed=True),
        list_section("What you bring to it", inputs.part),
        replace(fenced("The version that it is about", "deliverable", inputs.deliverable), weight=3),
        *said_sections(inputs.said),
        Section(title="Task", text=_TASKS[inputs.kind], fixed=True),
    )
    return Request(
        purpose=Purpose.ROUTINE_TURN,
        version=VERSION,
        tier=tier,
        inputs=inputs,
        system=system,
        sections=sections,
        reply_type=RoutineTurnReply,
        max_output_tokens=500,
    )
