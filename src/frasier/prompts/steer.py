"""The request to the chief of staff to change what is not done yet of a mission that runs."""

from __future__ import annotations

from dataclasses import replace

from frasier.llm import Purpose, Request, Section, SteerInputs, StepOfMission, Tier, list_section, one_line
from frasier.llm.reply_schemas import SteerReply
from frasier.prompts.conversation_sections import turn_sections
from frasier.prompts.plan import document_sections
from frasier.prompts.step_sections import founder_sections

VERSION = 1

_TASK = """\
The founder wants the mission to go on differently. Change of the steps that can be changed what has to change for that,
and nothing else. Rules:
- removed: the keys of steps that are no longer wanted. What needs one of them needs what that one needed instead.
- changed: steps that stay, each with its whole title, task, acceptance and depends_on as they shall be from now on.
- added: new steps, as few as will do. A step reads at most {sources} sources and asks at most {queries} queries.
- Steps that are done or under review stay as they are, and so does what they made; where the final step must not use a
  part of it, its task says so.
- The final step stays the final one and builds on all others. At most {steps} steps, at most {parallel} at once; no
  step waits for itself, directly or through others.
- Where nothing has to change, the three are empty: all who work on are told the founder's words anyway.
- explanation: what changes, and why, in one or two sentences for the founder, in the language of these words."""


def steer_request(inputs: SteerInputs, *, system: str) -> Request:
    """Build the request for a change of a mission; `system` is the chief of staff's own prompt."""
    task = _TASK.format(
        sources=inputs.max_sources_per_step,
        queries=inputs.max_queries_per_step,
        steps=inputs.max_steps,
        parallel=inputs.max_parallel,
    )
    roles = (
        f"{role.role}: {role.agent}, {role.title} ({', '.join(role.skills[:6])})" for role in inputs.roles
    )
    can_search = f"Web search: {'yes' if inputs.web_search else 'no'}."
    sections = (
        Section(title="The founder's directive", text=inputs.directive, fixed=True),
        *founder_sections(inputs.answers, inputs.amendments),
        Section(title="The steps of the mission", text="\n".join(map(_step, inputs.steps)), fixed=True),
        list_section("Roles that are filled", roles, fixed=True),
        Section(title="What can be researched", text=can_search, fixed=True),
        *(replace(section, weight=2) for section in document_sections(inputs.documents)),
        *turn_sections(inputs.turns),
        Section(title="What the founder wants now", text=inputs.wish, fixed=True),
        Section(title="Task", text=task, fixed=True),
        list_section("Your last proposal was refused because", inputs.issues, fixed=True),
    )
    return Request(
        purpose=Purpose.STEER,
        version=VERSION,
        tier=Tier.T2,
        inputs=inputs,
        system=system,
        sections=sections,
        reply_type=SteerReply,
        max_output_tokens=6_000,
    )


def _step(step: StepOfMission) -> str:
    state = "can be changed" if step.can_change else "stays as it is"
    kind = ", the final step" if step.is_final else ""
    needs = f", needs {', '.join(step.needs)}" if step.needs else ""
    accepted = "; ".join(map(one_line, step.acceptance))
    return (
        f"- {step.key} ({step.role}, {step.agent}{kind}; {step.status}, {state}{needs}): {one_line(step.title)}\n"
        f"  Task: {one_line(step.task)}\n  Accepted when: {accepted}"
    )
