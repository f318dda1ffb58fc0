"""The request for improvements of the organisation, from the figures of post-mortems."""

from __future__ import annotations

from frasier.llm import ImproveInputs, MeasuredMission, Purpose, Request, Section, Tier, fenced, list_section
from frasier.llm.reply_schemas import ImproveReply

VERSION = 1

_TASK = """\
Propose at most {at_most} changes that the figures speak for; none is a good answer. The founder decides about each.
Rules:
- Rest each proposal on figures of at least one mission above: give mission, name and value exactly as they stand there.
  In why, use no other number than those.
- kind and target: "persona" with the key of a colleague, "skill" or "prompt" with its name, or "policy" with its
  subject and the rules that change (yes is 1, no is 0).
- change: what shall be written or done differently, so that it can be carried out as it stands.
- Nothing that loosens a gate, a cap or a review: no higher limit, no lower threshold, no fewer checks. Rules refuse it.
- Do not repeat what was proposed before."""


def improve_request(inputs: ImproveInputs, *, system: str) -> Request:
    """Build the request for improvements, in the name of the colleague of that system message."""
    sections = (
        *(_measured(mission) for mission in inputs.missions),
        list_section("Colleagues, by key", inputs.colleagues),
        list_section("Skills", inputs.skills),
        list_section("Prompts", inputs.prompts),
        list_section("Policies, with their rules in force", inputs.policies, fixed=True),
        fenced("What was proposed before", "memory", "\n".join(inputs.earlier)),
        Section(title="Task", text=_TASK.format(at_most=inputs.at_most), fixed=True),
    )
    return Request(
        purpose=Purpose.IMPROVE,
        version=VERSION,
        tier=Tier.T2,
        inputs=inputs,
        system=system,
        sections=sections,
        reply_type=ImproveReply,
        max_output_tokens=2_500,
    )


def _measured(mission: MeasuredMission) -> Section:
    lines = [mission.title, *(f"{name} = {value:g}" for name, value in mission.figures), *mission.findings]
    return fenced(f"Post-mortem of {mission.key}", "memory", "\n".join(lines), mission=mission.key)
