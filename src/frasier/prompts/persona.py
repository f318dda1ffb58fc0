"""The request for the persona of a new colleague."""

from __future__ import annotations

from frasier.llm import PersonaInputs, Purpose, Request, Section, Tier, defuse, list_section, source_sections
from frasier.llm.reply_schemas import PersonaReply

VERSION = 1

_TASK = """\
Write the persona of this colleague, in the second person ("You …"), from what the trade really does. It begins every
request that they will ever be given, so each sentence must change how the work is done. Rules:
- identity: which expert it is, for whom and on what ground; that they do the work and hand over its result.
- soul: how such a person thinks, what they distrust, how they speak to the reader.
- method: the steps that the best of this trade take, in order, with the standards, laws, models or sources by name that
  they check first; what they never skip.
- standards: what a reviewer of the trade would send back; which figures, dates, units and reservations it needs.
- sources: what the craft rests on (statutes, standards, handbooks, registers), as they are cited in the trade; only
  ones that exist. None rather than one that you are not sure of.
- No biography, no invented employer, no praise, no list of tools, and nothing about scores, reviews or other agents.
- It must differ from the colleagues who are here; none of them has this trade.
Each part has 80 to 2,000 characters."""


def persona_request(inputs: PersonaInputs, *, system: str) -> Request:
    """Build the request for a persona; `system` is the chief of staff's own prompt."""
    sections = (
        Section(
            title="The new colleague",
            text=f"{inputs.name}, {defuse(inputs.title)} ({inputs.role})",
            fixed=True,
        ),
        Section(title="Why they are hired", text=defuse(inputs.reason), fixed=True),
        Section(title="The founder's directive", text=inputs.directive),
        list_section("The work that waits for them", inputs.tasks),
        list_section("Who works here", inputs.colleagues),
        *source_sections(inputs.found),
        list_section("The persona that they have until then, of their role and no trade", inputs.first),
        Section(title="Task", text=_TASK, fixed=True),
        list_section("What you wrote last was refused because", inputs.faults, fixed=True),
    )
    return Request(
        purpose=Purpose.PERSONA,
        version=VERSION,
        tier=Tier.T2,
        inputs=inputs,
        system=system,
        sections=sections,
        reply_type=PersonaReply,
        max_output_tokens=3_000,
    )
