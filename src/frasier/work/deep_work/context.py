"""The context of a step's run: gathered once and stored as the first checkpoint, so that a run that is taken over
repeats exactly the same questions, and nothing is paid for twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.text import shorten
from frasier.llm import (
    Citations,
    ColumnToFill,
    Predecessor,
    ResultForm,
    SkillMethod,
    StepBrief,
    Tier,
    Verification,
    one_line,
)
from frasier.llm.reply_schemas import TablePlan
from frasier.memory import (
    FOUNDER_SCOPE,
    SHARED_SCOPE,
    Memory,
    MemoryKind,
    agent_scope,
    constitutional_facts,
    fit_directives,
    recent_of_agent,
)
from frasier.org.conversation import amendments_of, answers_of
from frasier.org.execution import ReviewerSearch, feedback_on
from frasier.org.governance import ReviewKind
from frasier.org.missions import (
    REHEARSAL,
    Mission,
    MissionStep,
    accepted_deliverables,
    deliverables_of,
    get_mission,
    get_step,
    handover_notes_of,
    missing_for,
    steps_of,
)
from frasier.org.people import Agent, Capability, get_agent, persona_of, render_persona, roster
from frasier.org.skills import capabilities_withheld, render_skills
from frasier.prompts import SystemParts, date_line, render_system
from frasier.store import Tx
from frasier.work.research.mission_sources import sources_of
from frasier.work.run_lease import Run
from frasier.work.run_memory import approaches_to, lessons_for
from frasier.work.run_skills import skills_for
from frasier.work.verification.verify import without_marks
from frasier.workflow import dependencies_of

_MEMORIES = 10
_RULE_CHARS = 300
_ABOUT_CHARS = 1_000
_REVISED_AT_ONCE_WORDS = 2_000
_FOUNDER_READS = "The founder, who gave the directive."
_READS_ALONE = "Whoever reads this result reads it alone, and has not seen the others."
_COLLEAGUE_READS = (
    "A colleague, who builds on this result and needs its figures, names, dates and sources whole."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutRule:
    """A standing rule that did not fit into a run's prompts, as it was then."""

    directive: UUID
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemPrompt:
    """The system message of a run's requests, and the day that it names.

    The run's context records the omitted rules; `memories` are those that it was made from, `methods` those of the
    skills that the work needs; `withheld` are the capabilities that these take from who uses them.
    """

    text: str
    today: str
    rules_left_out: tuple[LeftOutRule, ...]
    memories: tuple[Memory, ...] = ()
    methods: tuple[SkillMethod, ...] = ()
    withheld: tuple[Capability, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Critic:
    """The agent who criticises the drafts, with the system message of the requests in their name."""

    agent_id: UUID
    system: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """The version that a new one is made from, by the founder's `wish`, with the questions that it answers."""

    wish: str
    draft: str
    citations: Citations
    verification: Verification
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepContext:
    """The inputs of all phases of one attempt at a step. With a `revision` it makes a new version of what it has."""

    mission_id: UUID
    key: str
    title: str
    brief: StepBrief
    tier: Tier
    researches: bool
    web_search: bool
    has_documents: bool
    uses_earlier_results: bool
    system: str
    critic: Critic
    today: str
    inherited: tuple[int, ...]
    documents: tuple[int, ...]
    table: TablePlan
    source_titles: tuple[str, ...]
    hints: tuple[str, ...]
    feedback: tuple[str, ...]
    withheld: tuple[Capability, ...] = ()
    rules_left_out: tuple[LeftOutRule, ...] = ()
    revision: Revision | None = None

    @property
    def examines_documents(self) -> bool:
        """Whether the step's table is filled from every document; data from elsewhere are written instead."""
        is_written = self.brief.kind is DeliverableKind.DATA and (
            bool(self.brief.predecessors) or not self.has_documents
        )
        return bool(self.table.columns) and not is_written and self.revision is None

    @property
    def directive(self) -> str:
        return self.brief.directive

    @property
    def at_hand(self) -> tuple[str, ...]:
        """The texts that the author is given beside the sources: approaches, and colleagues' results."""
        return (*self.hints, *(predecessor.text for predecessor in self.brief.predecessors))


async def gather_context(run: Run, used: dict[UUID, Sequence[Memory]]) -> StepContext:
    """Gather the context of the next attempt at the run's step from the database, in transactions of its own.

    The memories that its prompts are given are added to `used`, by the agent in whose name they are made.
    """
    async with run.database.transaction() as tx:
        step = await get_step(tx, run.task.id)
        critic = await _critic_of(tx, step)
        mission = await get_mission(tx, step.mission_id)
    about = f"{_task_of(step)}\n{shorten(mission.directive, _ABOUT_CHARS)}"
    lessons = await lessons_for(await run.memory(), step.agent_id, about, rehearsal=run.gateway.is_rehearsal)
    lessons_of_critic = await lessons_for(
        await run.memory(), critic.id, about, rehearsal=run.gateway.is_rehearsal
    )
    approaches = await approaches_to(
        await run.memory(), step.agent_id, _task_of(step), rehearsal=run.gateway.is_rehearsal
    )
    async with run.database.transaction() as tx:
        prompt = await system_prompt(
            run, tx, step.agent_id, work=_task_of(step), lessons=lessons, in_full=True
        )
        of_critic = await system_prompt(run, tx, critic.id, work=_task_of(step), lessons=lessons_of_critic)
        used[step.agent_id] = [*prompt.memories, *approaches]
        used[critic.id] = [*used.get(critic.id, ()), *of_critic.memories]
        return await _context_of(
            tx, step, approaches, prompt, Critic(agent_id=critic.id, system=of_critic.text)
        )


async def _critic_of(tx: Tx, step: MissionStep) -> Agent:
    """Choose another agent than the author, as for a review of the craft; the author where nobody else is there."""
    critic = (await ReviewerSearch.of(tx, step)).choose(ReviewKind.QA).reviewer
    return critic or await get_agent(tx, step.agent_id)


def _task_of(step: MissionStep) -> str:
    return f"{step.title}\n{step.instruction}"


async def _context_of(
    tx: Tx, step: MissionStep, approaches: Sequence[Memory], prompt: SystemPrompt, critic: Critic
) -> StepContext:
    mission = await get_mission(tx, step.mission_id)
    predecessors, inherited = await predecessors_of(tx, step)
    sources = await sources_of(tx, mission.id)
    amendments = await amendments_of(tx, mission.id)
    revision = await _revision_of(tx, mission, step, amendments)
    return StepContext(
        mission_id=mission.id,
        key=step.key,
        title=step.title,
        brief=StepBrief(
            directive=mission.directive,
            task=_task_of(step),
            answers=await answers_of(tx, mission.id),
            amendments=amendments,
            acceptance=tuple(step.acceptance),
            siblings=await _siblings(tx, step),
            reader=reader_of(step),
            predecessors=predecessors,
            missing=await missing_for(tx, step),
            kind=step.kind,
            form=_form_of(step, revision),
            columns=_columns_of(step),
            skills=prompt.methods,
        ),
        tier=step.tier,
        researches=step.researches,
        web_search=mission.web_search,
        withheld=prompt.withheld,
        has_documents=mission.source_count > 0,
        uses_earlier_results=mission.uses_earlier_results,
        system=prompt.text,
        critic=critic,
        today=prompt.today,
        inherited=inherited,
        documents=step.documents,
        table=step.table,
        source_titles=tuple(source.title for source in sources[:60]),
        hints=tuple(shorten(approach.content, 400) for approach in approaches),
        feedback=await feedback_on(tx, step.task_id),
        rules_left_out=prompt.rules_left_out,
        revision=revision,
    )


async def _revision_of(
    tx: Tx, mission: Mission, step: MissionStep, amendments: Sequence[str]
) -> Revision | None:
    """Return the newest version of the final step of a mission that had a result before; None for other work."""
    if mission.final_deliverable is None or not step.is_final or not amendments:
        return None
    newest = (await deliverables_of(tx, [step.task_id]))[-1]
    return Revision(
        wish=amendments[-1],
        draft=without_marks(newest.content),
        citations=newest.citations,
        verification=newest.verification,
        questions=tuple(newest.questions) or (step.title,),
    )


def _form_of(step: MissionStep, revision: Revision | None) -> ResultForm:
    """Return the form of a step's result. The length that was planned does not bind a new version; one that is too long
    for a reply keeps about the length that it has.
    """
    if revision is None:
        return step.form
    words = len(revision.draft.split())
    return replace(step.form, words=words if words > _REVISED_AT_ONCE_WORDS else 0)


def reader_of(step: MissionStep) -> str:
    """Return who reads a step's result: those whom the plan names, the founder by default, or colleagues."""
    return f"{step.reader or _FOUNDER_READS} {_READS_ALONE}" if step.is_final else _COLLEAGUE_READS


def _columns_of(step: MissionStep) -> tuple[ColumnToFill, ...]:
    """Return the columns of the data that a step makes."""
    if step.kind is not DeliverableKind.DATA:
        return ()
    return tuple(
        ColumnToFill(name=column.name, asks=column.asks, kind=column.kind) for column in step.table.columns
    )


async def _siblings(tx: Tx, step: MissionStep) -> tuple[str, ...]:
    """Return what the other steps of the mission do, and who does them."""
    others = [
        other
        for other in await steps_of(tx, step.mission_id)
        if other.task_id != step.task_id and not other.removed
    ]
    names = {agent.id: agent.name for agent in await roster(tx, active_only=False)}
    return tuple(f"{other.title} ({names[other.agent_id]})" for other in others)


async def system_prompt(
    run: Run, tx: Tx, agent_id: UUID, *, work: str, lessons: Sequence[Memory], in_full: bool = False
) -> SystemPrompt:
    """Build an agent's system message for work that is described by `work`; the `lessons` come from lessons_for, which
    also recalls decisions. The run is noted to use the skills that it is given, with their methods where `in_full`.
    """
    agent = await get_agent(tx, agent_id)
    directives = await fit_directives(tx)
    facts = await constitutional_facts(tx, (FOUNDER_SCOPE, SHARED_SCOPE, agent_scope(agent_id)))
    learned = {
        kind: tuple(shorten(one_line(m.content), 300) for m in lessons if m.kind is kind)
        for kind in (MemoryKind.LESSON, MemoryKind.DECISION)
    }
    # What was learned without a model is no experience for one.
    without = None if run.gateway.is_rehearsal else REHEARSAL
    recent = await recent_of_agent(tx, agent_id, {MemoryKind.TASK}, _MEMORIES, without=without)
    today = date_line(await run.founder_time(tx))
    skills = await skills_for(run, tx, agent_id, work, in_full=in_full)
    text = render_system(
        SystemParts(
            persona=render_persona(agent, await persona_of(tx, agent_id)),
            rules=tuple(directive.content for directive in directives.included),
            recent_work=tuple(
                f"{m.created_at:%Y-%m-%d} {one_line(m.title)}: {shorten(one_line(m.content), 160)}"
                for m in recent
            ),
            lessons=learned[MemoryKind.LESSON],
            decisions=learned[MemoryKind.DECISION],
            facts=tuple(fact.content for fact in facts),
            skills=render_skills(skills.short),
            today=today,
        )
    )
    left_out = tuple(
        LeftOutRule(directive=directive.id, text=shorten(one_line(directive.content), _RULE_CHARS))
        for directive in directives.left_out
    )
    return SystemPrompt(
        text=text,
        today=today,
        rules_left_out=left_out,
        memories=(*facts, *lessons, *recent),
        methods=tuple(
            SkillMethod(skill=one.skill, version=one.version, text=one.long) for one in skills.long
        ),
        withheld=await capabilities_withheld(tx, skills.long),
    )


async def predecessors_of(tx: Tx, step: MissionStep) -> tuple[tuple[Predecessor, ...], tuple[int, ...]]:
    """Return the accepted results that a step builds on, and the numbers of the sources that they cite."""
    needed = [edge.depends_on for edge in (await dependencies_of(tx, step.mission_id)).get(step.task_id, ())]
    accepted = await accepted_deliverables(tx, needed)
    by_id = {other.task_id: other for other in await steps_of(tx, step.mission_id)}
    notes = await handover_notes_of(tx, [deliverable.id for deliverable in accepted.values()])
    predecessors = []
    numbers: set[int] = set()
    for task_id in needed:
        if (deliverable := accepted.get(task_id)) is None:
            continue
        author = await get_agent(tx, by_id[task_id].agent_id)
        predecessors.append(
            Predecessor(
                title=by_id[task_id].title,
                agent=author.name,
                text=deliverable.content,
                notes=notes[deliverable.id].lines if deliverable.id in notes else (),
            )
        )
        numbers.update(deliverable.citations.cited)
    return tuple(predecessors), tuple(sorted(numbers))
