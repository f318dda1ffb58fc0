"""Improvement proposals: who reads the post-mortems, what becomes of a decision, and what followed it."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.errors import Refused
from frasier.kernel.ids import new_id
from frasier.kernel.text import shorten
from frasier.org.governance import (
    Improvement,
    ImprovementKind,
    ImprovementState,
    MissionMeasurements,
    ProposalRules,
    ReadFigures,
    add_reading,
    decide_about_improvement,
    figures_named,
    find_improvement,
    find_loosening,
    last_reading,
    list_improvements,
    note_measured,
    read_policy,
    rules_in_force,
    set_policy,
)
from frasier.org.improvement.upskilling import upskill_by_founder
from frasier.org.people import Agent, AgentKind, Role, roster
from frasier.store import Tx
from frasier.workflow import FOUNDER, SYSTEM, Actor, NewTask, create_tasks, get_task

_MEASURED_MAX = 50
_REASON_CHARS = 2_000
_MICROS = 1_000_000


async def begin_reading(tx: Tx, *, actor: Actor = FOUNDER) -> UUID:
    """Have a colleague read the newest post-mortems and propose improvements; return the task, also where one is open.

    Raises Refused where the policy has it switched off, and where nobody can do it.
    """
    rules = await rules_in_force(tx, ProposalRules)
    if not rules.on:
        raise Refused(
            "Improvement proposals are switched off.",
            kept="Nothing is read.",
            advice=Advice("policy.set", to="switch them on", subject="proposals", rules="on=true"),
        )
    last = await last_reading(tx)
    if last is not None and not (await get_task(tx, last.task_id)).terminal:
        return last.task_id
    reader = await _reader(tx)
    task_id = new_id()
    task = NewTask(
        id=task_id,
        process="improvement",
        slug="improvement",
        title="Propose improvements from post-mortems",
        group_id=task_id,
        assignee=reader.id,
    )
    await create_tasks(tx, [task], actor=actor)
    await add_reading(tx, task_id, cap_usd_micros=round(rules.each_up_to_usd * _MICROS), actor=actor)
    return task_id


async def keep_up_improvements(tx: Tx, read_figures: ReadFigures) -> None:
    """Note what followed accepted improvements, and begin a reading where the policy says that it is due."""
    rules = await rules_in_force(tx, ProposalRules)
    accepted = await list_improvements(tx, state=ImprovementState.ACCEPTED, limit=_MEASURED_MAX)
    if not accepted and not (rules.on and rules.after_missions):
        return
    missions = await read_figures(tx, max(rules.after_missions, rules.missions_read))
    await measure_improvements(tx, missions)
    if not rules.on or not rules.after_missions:
        return
    last = await last_reading(tx)
    new = [one for one in missions if last is None or one.ended_at > last.created_at]
    if len(new) >= rules.after_missions:
        await begin_reading(tx, actor=SYSTEM)


async def measure_improvements(tx: Tx, missions: Sequence[MissionMeasurements]) -> int:
    """Note the figures of the missions that ended after each accepted improvement; return how many were noted."""
    noted = 0
    for improvement in await list_improvements(tx, state=ImprovementState.ACCEPTED, limit=_MEASURED_MAX):
        names = figures_named(improvement)
        for one in missions:
            if improvement.decided_at is None or one.ended_at <= improvement.decided_at:
                continue
            figures = {name: one.figures[name] for name in names if name in one.figures}
            noted += await note_measured(
                tx, improvement, mission=one.mission, title=one.title, figures=figures
            )
    return noted


async def accept_improvement(tx: Tx, name: str, *, why: str = "") -> Improvement:
    """Accept an improvement at the founder's word, and do what an existing way can do of it.

    A policy has its next version, a persona is revised and tried; of a skill or a prompt the decision is stored. Raises
    NotFound, and Refused for one that was decided before or that loosens something by what is in force now.
    """
    improvement = await _undecided(tx, name)
    now = (await read_policy(tx, improvement.target)).rules if _is_policy(improvement) else None
    if faults := find_loosening(
        improvement.kind, improvement.target, improvement.change, improvement.rules, now
    ):
        raise Refused(
            f"It would loosen something by what is in force now: {' '.join(faults)}",
            kept="The proposal waits as before.",
            advice=Advice("proposal.refuse", to="refuse it", proposal=str(improvement.id)[-8:]),
        )
    effect = await _carry_out(tx, improvement)
    reason = shorten(" ".join(why.split()), _REASON_CHARS)
    return await decide_about_improvement(
        tx, improvement, ImprovementState.ACCEPTED, actor=FOUNDER, reason=reason, effect=effect
    )


async def refuse_improvement(tx: Tx, name: str, *, why: str = "") -> Improvement:
    """Refuse an improvement at the founder's word. Raises NotFound, and Refused for one that was decided before."""
    improvement = await _undecided(tx, name)
    reason = shorten(" ".join(why.split()), _REASON_CHARS)
    return await decide_about_improvement(
        tx, improvement, ImprovementState.REFUSED, actor=FOUNDER, reason=reason
    )


async def _undecided(tx: Tx, name: str) -> Improvement:
    improvement = await find_improvement(tx, name, lock=True)
    if improvement.state is not ImprovementState.PROPOSED:
        raise Refused(
            f"The proposal {improvement.title!r} is {improvement.state} already.",
            kept="Nothing was changed.",
            advice=Advice("proposal.show", to="look at it", proposal=str(improvement.id)[-8:]),
        )
    return improvement


async def _carry_out(tx: Tx, improvement: Improvement) -> str:
    match improvement.kind:
        case ImprovementKind.POLICY:
            changed = await set_policy(
                tx, improvement.target, improvement.rules, actor=FOUNDER, why=f"Proposal: {improvement.title}"
            )
            return f"The policy {improvement.target} has version {changed.version}."
        case ImprovementKind.PERSONA:
            why = f"{improvement.title}: {improvement.change}"
            trial = await upskill_by_founder(tx, improvement.target, why=why)
            return f"A new version of the persona is written and tried (trial {str(trial.id)[-8:]})."
        case _:
            return "The decision is stored; nothing is changed by itself."


def _is_policy(improvement: Improvement) -> bool:
    return improvement.kind is ImprovementKind.POLICY


async def _reader(tx: Tx) -> Agent:
    """Return the agent of the role knowledge who reads: the first of the roster."""
    for agent in await roster(tx):
        if agent.role is Role.KNOWLEDGE and agent.kind is not AgentKind.CHIEF_OF_STAFF:
            return agent
    raise Refused(
        "Nobody with the role knowledge is active, so nobody can read the post-mortems.",
        kept="Nothing is read.",
        hint="Wake or hire such a colleague.",
    )
