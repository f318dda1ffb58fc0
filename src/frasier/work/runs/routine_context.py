"""The context of a team routine: who speaks, in which order, with what, and who puts it into one outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.text import shorten
from frasier.kernel.tokenizer import tokenize
from frasier.llm import Tier
from frasier.memory import Memory
from frasier.org.execution import debated_work, feedback_on, happenings_since, waits_for_debate
from frasier.org.governance import (
    Review,
    Routine,
    RoutineKind,
    last_stand_up,
    reviews_of_version,
)
from frasier.org.missions import get_mission
from frasier.org.people import Agent, AgentKind, AgentStatus, get_agent, roster
from frasier.org.planning import disagreement, find_mentor
from frasier.org.skills import Expertise, read_expertise
from frasier.store import Tx
from frasier.work.deep_work.context import LeftOutRule, system_prompt
from frasier.work.run_lease import Run
from frasier.work.run_memory import lessons_for

_DIRECTIVE_CHARS = 4_000
_FEEDBACK_CHARS = 800
_KNOWN_MAX = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """A colleague who speaks, with what they bring, a line each, and the system message of their request."""

    agent_id: UUID
    name: str
    part: tuple[str, ...]
    system: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutineContext:
    """The inputs of a routine, gathered once. `closer` puts what the `speakers` said into its outcome.

    `needless` says why there is nothing to talk about any more; empty otherwise.
    """

    subject: str
    tier: Tier
    speakers: tuple[Speaker, ...]
    closer: Speaker | None
    deliverable: str = ""
    needless: str = ""
    rules_left_out: tuple[LeftOutRule, ...] = ()


async def gather_routine(
    run: Run, routine: Routine, *, speakers_max: int, used: dict[UUID, Sequence[Memory]]
) -> RoutineContext:
    """Gather the context of a routine; the memories that its prompts are given are added to `used`, by agent."""
    async with run.database.transaction() as tx:
        context = await _cast(tx, routine, run.assignee_id, speakers_max)
    if context.closer is None:
        return context
    left_out: dict[UUID, LeftOutRule] = {}
    prepared = []
    for speaker in (*context.speakers, context.closer):
        lessons = await lessons_for(
            await run.memory(), speaker.agent_id, context.subject, rehearsal=run.gateway.is_rehearsal
        )
        async with run.database.transaction() as tx:
            prompt = await system_prompt(run, tx, speaker.agent_id, lessons=lessons, work=context.subject)
        used[speaker.agent_id] = prompt.memories
        left_out |= {rule.directive: rule for rule in prompt.rules_left_out}
        prepared.append(
            Speaker(agent_id=speaker.agent_id, name=speaker.name, part=speaker.part, system=prompt.text)
        )
    return RoutineContext(
        subject=context.subject,
        tier=context.tier,
        speakers=tuple(prepared[:-1]),
        closer=prepared[-1],
        deliverable=context.deliverable,
        rules_left_out=tuple(left_out.values()),
    )


async def _cast(tx: Tx, routine: Routine, assignee: UUID, speakers_max: int) -> RoutineContext:
    closer = await get_agent(tx, assignee)
    match routine.kind:
        case RoutineKind.STAND_UP:
            return await _stand_up(tx, routine, closer, speakers_max)
        case RoutineKind.BRAINSTORM:
            return await _brainstorm(tx, routine, closer, speakers_max)
        case RoutineKind.DEBATE:
            return await _debate(tx, routine, closer)
        case RoutineKind.MENTORING:
            return await _mentoring(tx, routine, closer)


async def _stand_up(tx: Tx, routine: Routine, closer: Agent, speakers_max: int) -> RoutineContext:
    last = await last_stand_up(tx, routine.team, before=routine.created_at)
    happened = await happenings_since(tx, last.created_at if last else None, routine.team)
    people = {agent.id: agent for agent in await roster(tx, active_only=False)}
    parts: dict[UUID, list[str]] = {}
    for one in happened:
        parts.setdefault(one.agent_id, []).append(one.text)
    busiest = sorted(
        (
            people[agent_id]
            for agent_id in parts
            if people[agent_id].status is AgentStatus.ACTIVE and agent_id != closer.id
        ),
        key=lambda agent: (-len(parts[agent.id]), agent.key),
    )
    return RoutineContext(
        subject=routine.subject,
        tier=Tier.T1,
        speakers=tuple(_speaker(agent, parts[agent.id]) for agent in busiest[:speakers_max]),
        closer=_speaker(closer, [f"{people[one.agent_id].name}: {one.text}" for one in happened]),
    )


async def _brainstorm(tx: Tx, routine: Routine, closer: Agent, speakers_max: int) -> RoutineContext:
    if routine.mission_id is None:
        raise AssertionError("a brainstorm is about a mission")
    mission = await get_mission(tx, routine.mission_id)
    directive = [f"The founder's directive: {shorten(mission.directive, _DIRECTIVE_CHARS)}"]
    colleagues = await read_expertise(tx, await roster(tx))
    return RoutineContext(
        subject=routine.subject,
        tier=Tier.T1,
        speakers=tuple(
            _speaker(agent, directive)
            for agent in nearest_trades(mission.directive, colleagues)[:speakers_max]
        ),
        closer=_speaker(closer, directive),
    )


def nearest_trades(text: str, colleagues: Sequence[Expertise]) -> list[Agent]:
    """Return those who do steps, first those whose trades a text names most. Pure."""
    words = set(tokenize(text))
    able = [
        one
        for one in colleagues
        if one.agent.kind is not AgentKind.CHIEF_OF_STAFF and one.agent.status is AgentStatus.ACTIVE
    ]
    return [one.agent for one in sorted(able, key=lambda one: (-len(words & one.terms), one.agent.key))]


async def _debate(tx: Tx, routine: Routine, closer: Agent) -> RoutineContext:
    step, deliverable = await debated_work(tx, routine)
    disputed = disagreement(await reviews_of_version(tx, step.task_id, deliverable.id))
    if disputed is None or not await waits_for_debate(tx, step, deliverable):
        return _needless(routine, "the version waits for no verdict any more")
    named = [(await _reviewer_of(tx, review), review) for review in disputed]
    verdicts = [
        f"The {which} verdict: {agent.name} {review.state} it with {review.overall:.1f}: {_short(review.feedback)}"
        for which, (agent, review) in zip(("lower", "higher"), named, strict=True)
    ]
    computed = f"Computed over it: {deliverable.verification.headline}."
    return RoutineContext(
        subject=routine.subject,
        tier=Tier.T2,
        speakers=tuple(
            _speaker(agent, [f"You are {agent.name}, who gave one of these verdicts.", *verdicts, computed])
            for agent, _ in named
        ),
        closer=_speaker(closer, [*verdicts, computed]),
        deliverable=deliverable.content,
    )


async def _reviewer_of(tx: Tx, review: Review) -> Agent:
    if review.reviewer is None:
        raise AssertionError("only reviewers debate")
    return await get_agent(tx, review.reviewer)


async def _mentoring(tx: Tx, routine: Routine, author: Agent) -> RoutineContext:
    step, deliverable = await debated_work(tx, routine)
    mentor = await find_mentor(tx, step)
    if mentor is None or step.agent_id != author.id:
        return _needless(routine, "nobody is left to mentor or to be mentored")
    feedback = await feedback_on(tx, step.task_id)
    known = [
        f"The task was: {step.title}: {step.instruction}",
        *(f"It was sent back because: {_short(one)}" for one in feedback[-1:]),
    ]
    return RoutineContext(
        subject=routine.subject,
        tier=Tier.T1,
        speakers=(_speaker(mentor, [f"The author is {author.name}, {author.title}.", *known]),),
        closer=_speaker(author, known),
        deliverable=deliverable.content,
    )


def _needless(routine: Routine, why: str) -> RoutineContext:
    return RoutineContext(subject=routine.subject, tier=Tier.T1, speakers=(), closer=None, needless=why)


def _speaker(agent: Agent, part: Sequence[str]) -> Speaker:
    return Speaker(agent_id=agent.id, name=agent.name, part=tuple(part[-_KNOWN_MAX:]))


def _short(feedback: str | None) -> str:
    return shorten(" ".join((feedback or "").split()), _FEEDBACK_CHARS)
