"""The frozen inputs of a past step: what its author was given for the first version, by the checkpoints of its run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter

from frasier.llm import Passage, SkillMethod, SynthesizeInputs
from frasier.llm.reply_schemas import DecomposeReply
from frasier.org.people import Agent, Persona, persona_versions, render_persona
from frasier.org.skills import SkillVersion, render_skills
from frasier.store import Statements, Tx
from frasier.work.deep_work.context import StepContext

_sql = Statements("frasier.work")
_CONTEXT: TypeAdapter[StepContext] = TypeAdapter(StepContext)
_PASSAGES: TypeAdapter[tuple[Passage, ...]] = TypeAdapter(tuple[Passage, ...])


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenInputs:
    """The inputs that the author of a step was given. `system` is the system message, as loaded without the persona."""

    context: StepContext
    inputs: SynthesizeInputs
    system: str

    def with_persona(self, agent: Agent, persona: Persona) -> FrozenInputs:
        """Return the inputs with a persona at the head of the system message."""
        return replace(self, system=render_persona(agent, persona) + self.system)

    def with_method(self, before: SkillVersion, after: SkillVersion) -> FrozenInputs | None:
        """Return the inputs with another version of a skill's texts; None where the step was not given the first."""
        brief = self.inputs.brief
        skills = tuple(
            SkillMethod(skill=after.skill, version=after.version, text=after.long)
            if (one.skill, one.version) == (before.skill, before.version)
            else one
            for one in brief.skills
        )
        if skills == brief.skills:
            return None
        return replace(
            self,
            inputs=replace(self.inputs, brief=replace(brief, skills=skills)),
            system=self.system.replace(render_skills([before])[0], render_skills([after])[0]),
        )


async def load_frozen_inputs(tx: Tx, agent: Agent, step_id: UUID) -> FrozenInputs | None:
    """Load the inputs of the first version of a step; None for work that is not written in one reply by `agent`."""
    rows = await _sql.all(tx, "checkpoints_until_text", task_id=step_id)
    outputs: dict[str, Any] = {}
    for row in rows:
        if row["phase"] == "context":
            outputs = {}
        outputs[row["phase"]] = row["output"]
    if "synthesize" not in outputs or "context" not in outputs:
        return None
    context = _CONTEXT.validate_python(outputs["context"])
    research = [output for phase, output in outputs.items() if phase.startswith("research")]
    rest = _behind_persona(
        context.system, agent, [one.persona for one in await persona_versions(tx, agent.id)]
    )
    if rest is None or not research:
        return None
    plan = DecomposeReply.model_validate(
        outputs.get("decompose")
        or {"questions": [context.title], "queries": [context.title], "requirements": []}
    )
    inputs = SynthesizeInputs(
        brief=context.brief,
        questions=tuple(plan.questions),
        passages=_PASSAGES.validate_python(research[-1]["passages"]),
        requirements=tuple(plan.requirements),
    )
    return FrozenInputs(context=context, inputs=inputs, system=rest)


def _behind_persona(system: str, agent: Agent, personas: Sequence[Persona]) -> str | None:
    """Return a system message without the persona at its head; None where none of these stands there."""
    heads = [render_persona(agent, persona) for persona in personas]
    return next((system[len(head) :] for head in heads if system.startswith(head)), None)
