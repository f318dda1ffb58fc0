"""The staffing of a plan: who does each step, whom the house has for a trade, and who has to be hired."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from uuid import UUID

from frasier.llm.reply_schemas import PlannedStep, PlanReply
from frasier.org.missions import Mission, MissionStep, give_step, read_workload, steps_of
from frasier.org.people import Agent, AgentStatus, Role, get_agent, roster
from frasier.org.skills import Expertise, read_expertise, title_key
from frasier.org.staffing import (
    WantedColleague,
    Workload,
    affinity_to_team,
    choose_agent,
    find_colleague,
    hire,
    read_all_affinities,
)
from frasier.store import Tx
from frasier.workflow import Actor, tasks_of

_ABSENT = {AgentStatus.DORMANT, AgentStatus.RETIRED}


async def propose_staffing(tx: Tx, plan: PlanReply, roster: Sequence[Agent]) -> dict[str, UUID]:
    """Give each step of a plan to an agent; a step whose trade nobody has is left out. Nothing is stored."""
    colleagues = await read_expertise(tx, roster)
    load = await read_workload(tx)
    affinities = await read_all_affinities(tx)
    staffing: dict[str, UUID] = {}
    for planned in plan.steps:
        close = affinity_to_team(affinities, set(staffing.values()))
        agent = _agent_for(planned, colleagues, load, close)
        if agent is not None:
            load.give(agent.id)
            staffing[planned.key] = agent.id
    return staffing


async def staff_steps(
    tx: Tx,
    mission: Mission,
    steps: Sequence[PlannedStep],
    staffing: Mapping[str, UUID],
    roster: Sequence[Agent],
    *,
    hire_usd_micros: int,
) -> dict[str, Agent]:
    """Return the agent of each step: the proposed one, another where that one has left meanwhile, and for a trade that
    nobody has a colleague who is hired, or proposed to the founder, in this transaction.
    """
    active = {agent.id: agent for agent in roster}
    colleagues = await read_expertise(tx, roster)
    load = await read_workload(tx)
    affinities = await read_all_affinities(tx)
    agents: dict[str, Agent] = {}
    for planned in steps:
        agent = active.get(staffing[planned.key]) if planned.key in staffing else None
        close = affinity_to_team(affinities, {one.id for one in agents.values()})
        agent = agent or _agent_for(planned, colleagues, load, close)
        if agent is None:
            wanted = WantedColleague(
                title=planned.expert.strip(),
                role=Role(planned.role),
                reason=planned.expert_reason.strip() or f"the step {planned.title!r} needs the trade",
                expected_usd_micros=hire_usd_micros,
            )
            agent = await hire(tx, wanted, mission_id=mission.id)
            if agent.status is AgentStatus.DORMANT:
                # Whoever has the trade rests at the founder's word; a colleague of the role stands in.
                agent = _of_role(wanted.role, _work_of(planned), colleagues, load)
        load.give(agent.id)
        agents[planned.key] = agent
    return agents


async def hand_over(tx: Tx, steps: Sequence[MissionStep], *, actor: Actor) -> None:
    """Give steps that have not ended to active agents of their roles, as new work is given."""
    everybody = await read_expertise(tx, await roster(tx))
    load = await read_workload(tx)
    for step in steps:
        heir = _of_role(step.role, f"{step.title}\n{step.instruction}", everybody, load)
        load.give(heir.id)
        await give_step(tx, step.task_id, heir.id, actor=actor)


async def hand_over_of_absent(tx: Tx, mission_id: UUID, *, actor: Actor) -> None:
    """Give the open steps of a mission whose agents rest or have left to others, as when it is taken up again."""
    open_ids = {task.id for task in await tasks_of(tx, mission_id) if not task.terminal}
    steps = [
        step
        for step in await steps_of(tx, mission_id)
        if step.task_id in open_ids and (await get_agent(tx, step.agent_id)).status in _ABSENT
    ]
    await hand_over(tx, steps, actor=actor)


def hires_needed(plan: PlanReply, staffing: Collection[str]) -> int:
    """Count the trades of the steps that nobody in `staffing` does."""
    return len({title_key(step.expert) for step in plan.steps if step.key not in staffing})


def count_authors(plan: PlanReply, staffing: Mapping[str, UUID]) -> int:
    """Count who does the steps, with those who have to be hired for the ones that nobody in `staffing` does."""
    return len({*staffing.values()}) + hires_needed(plan, staffing)


def named_colleague(name: str, roster: Sequence[Agent]) -> Agent | None:
    """Return the agent whose key or name a plan gives; None for nobody. The rules of plans admit no chief of staff."""
    wanted = name.strip().casefold()
    return next(
        (
            agent
            for agent in roster
            if wanted in {agent.key, agent.name.casefold()} and agent.status is AgentStatus.ACTIVE
        ),
        None,
    )


def _agent_for(
    planned: PlannedStep,
    colleagues: Sequence[Expertise],
    load: Workload,
    affinity: Mapping[UUID, float],
) -> Agent | None:
    """Choose the agent of a step; None where its trade has to be hired."""
    roster = [one.agent for one in colleagues]
    if planned.colleague and (named := named_colleague(planned.colleague, roster)):
        return named
    role = Role(planned.role)
    work = _work_of(planned)
    if not planned.expert.strip():
        return _of_role(role, work, colleagues, load, affinity)
    return find_colleague(
        planned.expert,
        role,
        colleagues,
        load=load.open,
        levels=_levels(work, colleagues),
        recent=load.recent,
        affinity=affinity,
    )


def _of_role(
    role: Role,
    work: str,
    colleagues: Sequence[Expertise],
    load: Workload,
    affinity: Mapping[UUID, float] = MappingProxyType({}),
) -> Agent:
    return choose_agent(
        [one.agent for one in colleagues],
        role,
        load=load.open,
        levels=_levels(work, colleagues),
        recent=load.recent,
        affinity=affinity,
    )


def _work_of(planned: PlannedStep) -> str:
    return f"{planned.title}\n{planned.task}"


def _levels(work: str, colleagues: Sequence[Expertise]) -> dict[UUID, int]:
    return {one.agent.id: one.level_in(work) for one in colleagues}
