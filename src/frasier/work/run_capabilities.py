"""Capabilities of runs: the one that each purpose of a model needs, and the refusal of all that a run has not."""

from __future__ import annotations

from collections.abc import Mapping

from frasier.kernel.errors import CapabilityRefused
from frasier.llm import Purpose
from frasier.org.people import Capability, CapabilityTable, get_agent
from frasier.store import Tx, append_event
from frasier.workflow import SYSTEM, Task

CAPABILITY_OF_PURPOSE: Mapping[Purpose, Capability | None] = {
    Purpose.PLAN: Capability.PLAN_MISSIONS,
    Purpose.STEER: Capability.PLAN_MISSIONS,
    Purpose.DECOMPOSE: Capability.WRITE_DELIVERABLES,
    Purpose.GAPS: Capability.WRITE_DELIVERABLES,
    Purpose.SYNTHESIZE: Capability.WRITE_DELIVERABLES,
    Purpose.REVISE: Capability.WRITE_DELIVERABLES,
    Purpose.OUTLINE: Capability.WRITE_DELIVERABLES,
    Purpose.SECTION: Capability.WRITE_DELIVERABLES,
    Purpose.COHERENCE: Capability.WRITE_DELIVERABLES,
    Purpose.EXTRACT: Capability.WRITE_DELIVERABLES,
    Purpose.CRITIQUE: Capability.JUDGE_WORK,
    Purpose.JUDGE: Capability.JUDGE_WORK,
    Purpose.REVIEW: Capability.JUDGE_WORK,
    Purpose.COMPARE: Capability.JUDGE_WORK,
    Purpose.EVALUATE: Capability.JUDGE_WORK,
    Purpose.CLASSIFY: Capability.ANSWER_FOUNDER,
    Purpose.TALK: Capability.ANSWER_FOUNDER,
    Purpose.ASK: Capability.ANSWER_FOUNDER,
    Purpose.PERSONA: Capability.WRITE_PERSONAS,
    Purpose.UPSKILL: Capability.WRITE_PERSONAS,
    Purpose.METHOD: Capability.WRITE_PERSONAS,
    Purpose.ROUTINE_TURN: Capability.SPEAK_IN_ROUTINES,
    Purpose.ROUTINE_OUTCOME: Capability.SPEAK_IN_ROUTINES,
    Purpose.IMPROVE: Capability.PROPOSE_IMPROVEMENTS,
    Purpose.SELF_TEST: None,
}
"""The capability without which a run may not ask a model for a purpose; None where everybody may."""


async def capabilities_of_run(tx: Tx, task: Task, table: CapabilityTable) -> frozenset[Capability]:
    """Return what the run of a task may do by its assignee and its process; nothing without an assignee."""
    if task.assignee is None:
        return frozenset()
    return table.of_run(await get_agent(tx, task.assignee), task.process)


async def record_refusal(tx: Tx, task: Task, capability: Capability) -> None:
    """Record that a run asked for what it may not have, as an event of its mission."""
    await append_event(
        tx,
        stream=task.group_id,
        kind="capability.refused",
        actor=str(SYSTEM),
        payload={
            "task": str(task.id),
            "title": task.title,
            "process": task.process,
            "agent": str(task.assignee or ""),
            "capability": str(capability),
        },
    )


def refusal_of(task: Task, capability: Capability) -> CapabilityRefused:
    """Return the error for a run that asked for what it may not have."""
    return CapabilityRefused(
        f"{task.title!r} may not {capability.replace('_', ' ')}: the role, the process {task.process} or a skill"
        " does not allow it.",
        kept="What was stored before is kept.",
        hint="See what the agent may do, and give the work to somebody who may.",
        facts={"capability": str(capability), "process": task.process},
    )
