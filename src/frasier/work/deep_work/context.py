"""The context of a step's run: gathered once and stored as the first checkpoint, so that a run that is taken over
repeats exactly the same questions, and nothing is paid for twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.text import shorten
from frasier.llm import FENCE_RULE, Predecessor, Tier, fenced_text, one_line
from frasier.memory import Memory, MemoryKind, fit_directives, recent_of_agent
from frasier.org.people import get_agent, persona_of, render_persona
from frasier.org.planning import (
    MissionStep,
    accepted_deliverables,
    feedback_on,
    get_mission,
    get_step,
    steps_of,
)
from frasier.org.skills import render_skills, skills_of
from frasier.store import Tx
from frasier.work.research.mission_sources import sources_of
from frasier.work.run_lease import Run
from frasier.work.run_memory import approaches_to, lessons_for
from frasier.workflow import dependencies_of

_MEMORIES = 10
_RULE_CHARS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutRule:
    """A standing rule that did not fit into a run's prompts, as it was then."""

    directive: UUID
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemPrompt:
    """The system message of a run's requests. The run's context records the omitted rules."""

    text: str
    rules_left_out: tuple[LeftOutRule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepContext:
    """The inputs of all phases of one attempt at a step."""

    mission_id: UUID
    directive: str
    key: str
    title: str
    task: str
    role: str
    tier: Tier
    acceptance: tuple[str, ...]
    researches: bool
    web_search: bool
    has_documents: bool
    system: str
    predecessors: tuple[Predecessor, ...]
    inherited: tuple[int, ...]
    source_titles: tuple[str, ...]
    hints: tuple[str, ...]
    feedback: tuple[str, ...]
    rules_left_out: tuple[LeftOutRule, ...] = ()


async def gather_context(run: Run) -> StepContext:
    """Gather the context of the next attempt at the run's step from the database, in transactions of its own."""
    async with run.database.transaction() as tx:
        step = await get_step(tx, run.task.id)
    lessons = await lessons_for(run.memory, step.agent_id, _task_of(step))
    approaches = await approaches_to(
        run.memory, step.agent_id, _task_of(step), rehearsal=run.gateway.is_rehearsal
    )
    async with run.database.transaction() as tx:
        return await _context_of(tx, step, lessons, approaches)


def _task_of(step: MissionStep) -> str:
    return f"{step.title}\n{step.instruction}"


async def _context_of(
    tx: Tx, step: MissionStep, lessons: Sequence[Memory], approaches: Sequence[Memory]
) -> StepContext:
    mission = await get_mission(tx, step.mission_id)
    predecessors, inherited = await _predecessors(tx, step)
    sources = await sources_of(tx, mission.id)
    prompt = await system_prompt(tx, step.agent_id, lessons=lessons)
    return StepContext(
        mission_id=mission.id,
        directive=mission.directive,
        key=step.key,
        title=step.title,
        task=_task_of(step),
        role=step.role,
        tier=step.tier,
        acceptance=tuple(step.acceptance),
        researches=step.researches,
        web_search=mission.web_search,
        has_documents=mission.source_count > 0,
        system=prompt.text,
        predecessors=predecessors,
        inherited=inherited,
        source_titles=tuple(source.title for source in sources[:60]),
        hints=tuple(shorten(approach.content, 400) for approach in approaches),
        feedback=await feedback_on(tx, step.task_id),
        rules_left_out=prompt.rules_left_out,
    )


async def system_prompt(tx: Tx, agent_id: UUID, *, lessons: Sequence[Memory]) -> SystemPrompt:
    """Build an agent's system prompt: persona, standing rules, memory, lessons, skills, and the fence rule.

    The `lessons` come from lessons_for.
    """
    agent = await get_agent(tx, agent_id)
    parts = [render_persona(agent, await persona_of(tx, agent_id))]
    directives = await fit_directives(tx)
    if directives.included:
        rules = "\n".join(f"- {directive.content}" for directive in directives.included)
        parts.append(f"The founder always wants:\n{rules}")
    recent = await recent_of_agent(tx, agent_id, frozenset({MemoryKind.TASK}), _MEMORIES)
    if recent:
        lines = "\n".join(
            f"- {m.created_at:%Y-%m-%d} {one_line(m.title)}: {shorten(one_line(m.content), 160)}"
            for m in recent
        )
        parts.append(f"Your own recent work, as it begins:\n{fenced_text('memory', lines)}")
    if lessons:
        learned = "\n".join(f"- {shorten(one_line(m.content), 300)}" for m in lessons)
        parts.append(f"What you learned:\n{learned}")
    parts.extend([f"Your skills:\n{render_skills(await skills_of(tx, agent_id))}", FENCE_RULE])
    left_out = tuple(
        LeftOutRule(directive=directive.id, text=shorten(one_line(directive.content), _RULE_CHARS))
        for directive in directives.left_out
    )
    return SystemPrompt(text="\n\n".join(parts), rules_left_out=left_out)


async def _predecessors(tx: Tx, step: MissionStep) -> tuple[tuple[Predecessor, ...], tuple[int, ...]]:
    """Return the accepted results that a step builds on, and the numbers of the sources that they cite."""
    needed = [edge.depends_on for edge in (await dependencies_of(tx, step.mission_id)).get(step.task_id, ())]
    accepted = await accepted_deliverables(tx, needed)
    by_id = {other.task_id: other for other in await steps_of(tx, step.mission_id)}
    predecessors = []
    numbers: set[int] = set()
    for task_id in needed:
        if (deliverable := accepted.get(task_id)) is None:
            continue
        author = await get_agent(tx, by_id[task_id].agent_id)
        predecessors.append(
            Predecessor(title=by_id[task_id].title, agent=author.name, text=deliverable.content)
        )
        numbers.update(deliverable.citations.cited)
    return tuple(predecessors), tuple(sorted(numbers))
