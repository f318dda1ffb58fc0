"""Hires: a colleague of a trade that nobody in the house has, made by policy or proposed to the founder."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from frasier.kernel.errors import NotFound, Stale
from frasier.kernel.humanize import dollars
from frasier.kernel.text import shorten
from frasier.org.governance import HiringRules, policy_in_force
from frasier.org.people import (
    Agent,
    AgentStatus,
    Persona,
    Role,
    append_agent_event,
    founding_persona,
    founding_team,
    get_agent,
    insert_new_agent,
    lock_hiring,
    set_agent_status,
)
from frasier.org.skills import seed_skills, title_key
from frasier.store import Statements, Tx
from frasier.workflow import FOUNDER, Actor, ActorKind, get_task

_IDENTITY_CHARS = 3_000
_sql = Statements("frasier.org.staffing")
_TEST_KEY = "test: "
_POLICY = Actor(ActorKind.POLICY, "hiring")


class HireState(StrEnum):
    """The state of a hire; it has `ended` when its agent has retired."""

    PROPOSED = "proposed"
    MADE = "made"
    REFUSED = "refused"
    ENDED = "ended"


class HirePersona(StrEnum):
    """The persona of a hire: the first one, a researched one, or the first because what was written was refused."""

    FIRST = "first"
    RESEARCHED = "researched"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hire:
    """A hire. `why` names the rule by which it was made or has to be decided, `mission_id` who asked first."""

    agent_id: UUID
    title_key: str
    reason: str
    mission_id: UUID | None
    expected_usd_micros: int
    state: HireState
    why: str
    persona: HirePersona
    proposed_at: datetime
    decided_at: datetime | None
    decided_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedColleague:
    """A colleague who is wanted: the title and role of the trade, why, and what the hire is expected to cost."""

    title: str
    role: Role
    reason: str
    expected_usd_micros: int


async def hire(
    tx: Tx,
    colleague: WantedColleague,
    *,
    mission_id: UUID | None,
    by_founder: bool = False,
    is_test: bool = False,
) -> Agent:
    """Hire somebody of the wanted trade, or propose it where the policy asks the founder; return the agent, active or
    proposed.

    Two who want the same trade at once get the same agent. What the founder wants is made. A test identity has no
    trade: it is given no work, and nobody finds it in place of a colleague.
    """
    await lock_hiring(tx)
    key = f"{_TEST_KEY}{title_key(colleague.title)}" if is_test else title_key(colleague.title)
    if row := await _sql.maybe(tx, "open_hire", title_key=key):
        return await get_agent(tx, row["agent_id"])
    counted = await _sql.one(tx, "count_hires", mission_id=mission_id)
    policy = await policy_in_force(tx, HiringRules)
    asks = (
        ""
        if by_founder
        else reason_to_ask(
            policy.rules,
            colleague,
            of_mission=counted["of_mission"],
            of_month=counted["of_month"],
        )
    )
    allowed = f"its version {policy.version} allows it" if policy.version else "its defaults allow it"
    actor = FOUNDER if by_founder else _POLICY
    agent = await insert_new_agent(
        tx,
        role=colleague.role,
        title=colleague.title,
        team=founding_team(colleague.role),
        status=AgentStatus.PROPOSED if asks else AgentStatus.ACTIVE,
        persona=_first_persona(colleague.title, colleague.role, reason=colleague.reason),
        why="as hired",
        is_test=is_test,
    )
    await seed_skills(tx, agent)
    await _sql.one(
        tx,
        "insert_hire",
        agent_id=agent.id,
        title_key=key,
        reason=colleague.reason,
        mission_id=mission_id,
        expected_usd_micros=colleague.expected_usd_micros,
        state=HireState.PROPOSED if asks else HireState.MADE,
        why=asks or ("the founder wanted it" if by_founder else allowed),
        decided_by=None if asks else str(actor),
    )
    await _note(tx, agent, "agent.proposed" if asks else "agent.hired", actor, colleague.reason, mission_id)
    return agent


def reason_to_ask(rules: HiringRules, colleague: WantedColleague, *, of_mission: int, of_month: int) -> str:
    """Return why the founder has to decide about a hire; empty where the policy lets it be made. Pure."""
    usd = colleague.expected_usd_micros / 1_000_000
    if not rules.automatic:
        return "the policy hiring asks the founder about every hire"
    if usd > rules.automatic_up_to_usd:
        return f"it is expected to cost {dollars(usd)}, more than {dollars(rules.automatic_up_to_usd)}"
    if of_mission >= rules.per_mission:
        return f"the mission has hired {of_mission} already, of {rules.per_mission} that the policy allows"
    if of_month >= rules.per_month:
        return f"{of_month} were hired within 30 days, of {rules.per_month} that the policy allows"
    return ""


async def hire_of(tx: Tx, agent_id: UUID) -> Hire | None:
    """Return the hire of an agent; None for one of the founding agents."""
    return await _sql.maybe_as(Hire, tx, "hire_of", agent_id=agent_id)


async def decide_hire(tx: Tx, agent_id: UUID, *, approve: bool, actor: Actor) -> Agent:
    """Make or refuse a hire that is proposed; return the agent. Raises NotFound, and Stale where it was decided."""
    await lock_hiring(tx)
    existing = await hire_of(tx, agent_id)
    if existing is None:
        raise NotFound(f"There is no hire {agent_id}.")
    state = HireState.MADE if approve else HireState.REFUSED
    row = await _sql.maybe(tx, "decide_hire", agent_id=agent_id, state=state, decided_by=str(actor))
    if row is None:
        raise Stale(f"The hire was {existing.state} before.", kept="Nothing was changed.")
    await set_agent_status(tx, agent_id, AgentStatus.ACTIVE if approve else AgentStatus.RETIRED)
    agent = await get_agent(tx, agent_id)
    kind = "agent.hired" if approve else "agent.refused"
    await _note(tx, agent, kind, actor, existing.reason, existing.mission_id)
    return agent


async def was_refused(tx: Tx, title: str, *, mission_id: UUID) -> bool:
    """Whether the founder refused to hire somebody of that trade for a mission."""
    row = await _sql.maybe(tx, "refused_hire", title_key=title_key(title), mission_id=mission_id)
    return row is not None


async def take_writing(tx: Tx, agent_id: UUID, task_id: UUID) -> bool:
    """Let a task write the persona of a hire; False while another task that is at work does."""
    row = await _sql.maybe(tx, "hire_to_write", agent_id=agent_id)
    if row is None or row["writer"] == task_id:
        return True
    if row["writer"] is not None and (await get_task(tx, row["writer"])).status == "active":
        return False
    await _sql.run(tx, "set_hire_writer", agent_id=agent_id, writer=task_id)
    return True


async def set_hire_persona(tx: Tx, agent_id: UUID, persona: HirePersona) -> None:
    """Record what became of the persona of a hire."""
    await _sql.run(tx, "set_hire_persona", agent_id=agent_id, persona=persona)


async def end_hire(tx: Tx, agent_id: UUID, *, actor: Actor) -> None:
    """Record that a hired agent has retired, so that its trade can be hired again."""
    await _sql.run(tx, "end_hire", agent_id=agent_id, decided_by=str(actor))


async def _note(tx: Tx, agent: Agent, kind: str, actor: Actor, reason: str, mission_id: UUID | None) -> None:
    mission = str(mission_id) if mission_id else None
    await append_agent_event(tx, agent, kind, actor=str(actor), reason=reason, mission=mission)


def _first_persona(title: str, role: Role, *, reason: str) -> Persona:
    """Make a persona from the title, the reason, and the method and standards of the role's founding agent."""
    model = founding_persona(role)
    identity = (
        f"You are the expert: {title}. You do the work of your trade yourself and hand over its result, never advice on"
        f" how somebody else could do it. You were hired because: {reason}"
    )
    return Persona(
        identity=shorten(identity, _IDENTITY_CHARS),
        soul=model.soul,
        method=model.method,
        standards=model.standards,
    )
