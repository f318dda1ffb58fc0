"""Provenance of a deliverable: who did what with which model, from which sources, at what cost, reviewed by whom."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from frasier.llm import CallRecord, Verification, calls_of_mission
from frasier.org.execution import unsettled_of
from frasier.org.governance import Review, review_note, reviews_of_steps
from frasier.org.missions import (
    Deliverable,
    LeftOutStep,
    Mission,
    MissionAmounts,
    MissionStep,
    PlanState,
    StoredPlan,
    UsedMemory,
    deliverables_of,
    get_mission,
    left_out_of,
    plans_of,
    steps_of,
    used_memories,
)
from frasier.org.people import Agent, roster
from frasier.overview import actual_amounts, estimate_view, rests_of, seconds_of_rest, seconds_of_waiting
from frasier.store import Tx
from frasier.work import OmittedRule, Source, copies_in, other_notes, rules_left_out, sources_of
from frasier.workflow import Task, dependencies_of, tasks_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Dossier:
    """Everything that is stored about a mission, read in one transaction.

    `plan` is the accepted one, and `taken` what it took until the first result was approved. `waited_s` are the seconds
    in which planning waited for the founder, `rested_s` those in which the mission was paused or had ended before.
    """

    mission: Mission
    steps: Sequence[MissionStep]
    tasks: dict[UUID, Task]
    needs: dict[UUID, tuple[UUID, ...]]
    deliverables: dict[UUID, list[Deliverable]]
    reviews: dict[UUID, list[Review]]
    agents: dict[UUID, Agent]
    sources: Sequence[Source]
    calls: Sequence[CallRecord]
    plans: Sequence[StoredPlan]
    plan: StoredPlan | None
    taken: MissionAmounts | None
    left_out: Sequence[LeftOutStep]
    unsettled: Sequence[str]
    rules_left_out: Sequence[OmittedRule]
    memories: Sequence[UsedMemory]
    waited_s: float
    rested_s: float

    @property
    def final(self) -> tuple[MissionStep, Deliverable] | None:
        """The final step and its approved version, or its newest while none is; None without a version."""
        for step in self.steps:
            if step.is_final and (versions := self.deliverables.get(step.task_id)):
                approved = [one for one in versions if one.id == self.mission.final_deliverable]
                return step, (approved or versions)[-1]
        return None

    def review_note(self, version: Deliverable) -> str:
        """Say who reviewed a version, or why QA alone did."""
        names = {agent_id: agent.name for agent_id, agent in self.agents.items()}
        return review_note(self.reviews.get(version.task_id, ()), names, version=version.id)


async def read_dossier(tx: Tx, mission_id: UUID) -> Dossier:
    mission = await get_mission(tx, mission_id)
    steps = await steps_of(tx, mission_id)
    ids = [step.task_id for step in steps]
    deliverables: dict[UUID, list[Deliverable]] = {}
    for deliverable in await deliverables_of(tx, ids):
        deliverables.setdefault(deliverable.task_id, []).append(deliverable)
    reviews: dict[UUID, list[Review]] = {}
    for review in await reviews_of_steps(tx, ids):
        reviews.setdefault(review.step_id, []).append(review)
    edges = await dependencies_of(tx, mission_id)
    tasks = await tasks_of(tx, mission_id)
    plans = await plans_of(tx, mission_id)
    plan = next((plan for plan in plans if plan.state is PlanState.ACCEPTED), None)
    until = mission.completed_at or datetime.now(UTC)
    return Dossier(
        mission=mission,
        steps=steps,
        tasks={task.id: task for task in tasks},
        needs={
            task_id: tuple(edge.depends_on for edge in needed if edge.depends_on in ids)
            for task_id, needed in edges.items()
        },
        deliverables=deliverables,
        reviews=reviews,
        agents={agent.id: agent for agent in await roster(tx, active_only=False)},
        sources=await sources_of(tx, mission_id),
        calls=await calls_of_mission(tx, mission_id),
        plans=plans,
        plan=plan,
        taken=await actual_amounts(tx, mission, plan) if plan else None,
        left_out=await left_out_of(tx, mission_id),
        unsettled=await unsettled_of(tx, mission),
        rules_left_out=await rules_left_out(tx, tasks),
        memories=await used_memories(tx, mission_id),
        waited_s=await seconds_of_waiting(
            tx, [task.id for task in tasks if task.process == "planning"], until
        ),
        rested_s=seconds_of_rest(await rests_of(tx, mission_id), mission.created_at, until),
    )


def provenance(dossier: Dossier, files: Mapping[str, bytes]) -> dict[str, Any]:
    """The contents of `provenance.json`; `files` are those of the deliverable.

    Costs are US dollars, durations seconds, hashes SHA-256.
    """
    mission = dossier.mission
    final = dossier.final
    return {
        "format": "frasier-provenance-1",
        "mission": {
            "id": str(mission.id),
            "title": mission.title,
            "directive": mission.directive,
            "rehearsal": mission.rehearsal,
            "started_at": mission.created_at.isoformat(),
            "completed_at": mission.completed_at.isoformat() if mission.completed_at else None,
            "duration_s": _duration(dossier),
            "waited_for_founder_s": round(dossier.waited_s, 2),
            "web_search": mission.web_search,
            "skipped_sources": mission.skipped_sources,
        },
        "deliverable": _deliverable(*final, files, review=dossier.review_note(final[1])) if final else None,
        "degraded": any(versions[-1].degraded for versions in dossier.deliverables.values()),
        "cost": _cost(dossier.calls),
        "plan": _plan(dossier),
        "left_out": [
            {"step": step.key, "title": step.title, "reason": step.reason} for step in dossier.left_out
        ],
        "unsettled": list(dossier.unsettled),
        "standing_rules_left_out": [
            {"directive": str(rule.directive), "text": rule.text, "tasks": list(rule.tasks)}
            for rule in dossier.rules_left_out
        ],
        "steps": [_step(dossier, step) for step in dossier.steps],
        "agents": [
            {"id": str(agent.id), "name": agent.name, "role": agent.role, "title": agent.title}
            for agent in dossier.agents.values()
            if agent.id in _involved(dossier)
        ],
        "sources": [_source(dossier, source) for source in dossier.sources],
        "memories": _memories(dossier),
    }


def _memories(dossier: Dossier) -> list[dict[str, Any]]:
    """List the memories that prompts were given, each with the tasks that used it and what became of their work."""
    by_id: dict[UUID, dict[str, Any]] = {}
    for used in dossier.memories:
        entry = by_id.setdefault(
            used.memory_id,
            {
                "id": str(used.memory_id),
                "kind": used.kind,
                "title": used.title,
                "content": used.content,
                "used_by": [],
            },
        )
        task = dossier.tasks.get(used.task_id)
        entry["used_by"].append(
            {
                # Questions about the mission are tasks of the conversation.
                "task": task.slug if task else "conversation",
                "agent": dossier.agents[used.agent_id].name,
                "outcome": used.outcome,
            }
        )
    return list(by_id.values())


def _plan(dossier: Dossier) -> dict[str, Any]:
    """The plan's versions and origin, its estimate, and what the mission took until its result was approved."""
    accepted = dossier.plan
    plan = {
        "versions": len(dossier.plans),
        "refused": [plan.issues for plan in dossier.plans if plan.issues],
        "origin": accepted.origin if accepted else None,
        "complexity": accepted.depth if accepted else None,
        "digest": accepted.digest if accepted else None,
    }
    if accepted is None or accepted.estimate is None:
        return plan
    view = estimate_view(accepted.estimate, dossier.taken)
    return plan | {
        "estimate": {
            name: asdict(getattr(view, name)) | {"within": getattr(view, name).within}
            for name in ("calls", "tokens", "usd", "seconds")
        }
    }


def _deliverable(
    step: MissionStep, version: Deliverable, files: Mapping[str, bytes], *, review: str
) -> dict[str, Any]:
    return {
        "review": review,
        "sha256": version.digest,
        "version": version.version,
        "step": step.key,
        "kind": step.kind,
        "files": [
            {"name": name, "sha256": hashlib.sha256(content).hexdigest()} for name, content in files.items()
        ],
    }


def _source(dossier: Dossier, source: Source) -> dict[str, Any]:
    return {
        "number": source.number,
        "kind": source.kind,
        "title": source.name,
        "uri": source.uri,
        "sha256": source.sha256,
        "chars": source.chars,
        "read_at": source.read_at.isoformat(),
        "cited_by": [
            step.key
            for step in dossier.steps
            if (versions := dossier.deliverables.get(step.task_id))
            and source.number in versions[-1].citations.cited
        ],
        "notes": list(other_notes(source.notes)),
        "copies": list(copies_in(source.notes)),
    }


def _step(dossier: Dossier, step: MissionStep) -> dict[str, Any]:
    task = dossier.tasks[step.task_id]
    keys = {other.task_id: other.key for other in dossier.steps}
    calls = [call for call in dossier.calls if call.task_id == step.task_id]
    return {
        "key": step.key,
        "title": step.title,
        "agent": dossier.agents[step.agent_id].name,
        "role": step.role,
        "status": task.status,
        "failure": task.failure,
        "depends_on": [keys[needed] for needed in dossier.needs.get(step.task_id, ()) if needed in keys],
        "tier": step.tier,
        "is_final": step.is_final,
        "acceptance": step.acceptance,
        "duration_s": _seconds(task.created_at, task.ended_at),
        "cost": _cost(calls),
        "versions": [_version(dossier, version) for version in dossier.deliverables.get(step.task_id, ())],
    }


def _version(dossier: Dossier, version: Deliverable) -> dict[str, Any]:
    return {
        "version": version.version,
        "file": f"steps/{dossier.tasks[version.task_id].slug}/v{version.version}.md",
        "sha256": version.digest,
        "tier_asked": version.tier_asked,
        "tier_served": version.tier_served,
        "provider": version.provider,
        "model": version.model,
        "degraded": version.degraded,
        "rehearsal": version.rehearsal,
        "citation_score": round(version.citations.score, 3),
        "cites": list(version.citations.cited),
        "verification": _verification(version.verification),
        "table": asdict(version.table) if version.table else None,
        "unknown_citations": list(version.citations.unknown),
        "critique": version.critique,
        "created_at": version.created_at.isoformat(),
        "reviews": [
            {
                "kind": review.kind,
                "by": dossier.agents[review.reviewer].name if review.reviewer else review.by_whom,
                "verdict": review.state,
                "degraded": review.degraded,
                "overall": review.overall,
                "scores": review.scores,
                "feedback": review.feedback,
                "choice": review.choice,
                "passages": review.passages,
                "invented_quotations": review.invented,
                "changes": review.changes,
            }
            for review in dossier.reviews.get(version.task_id, ())
            if review.deliverable_id == version.id
        ],
    }


def _verification(verification: Verification) -> dict[str, Any]:
    """The verdict on every statement, with the passages that it was compared with."""
    return {
        **verification.counts,
        "lacks": list(verification.lacks),
        "verdicts": [asdict(statement) for statement in verification.statements],
    }


def _involved(dossier: Dossier) -> set[UUID]:
    authors = {step.agent_id for step in dossier.steps}
    assignees = {task.assignee for task in dossier.tasks.values() if task.assignee}
    reviewers = {
        review.reviewer for reviews in dossier.reviews.values() for review in reviews if review.reviewer
    }
    return authors | assignees | reviewers


def _cost(calls: Sequence[CallRecord]) -> dict[str, Any]:
    return {
        "usd": sum(call.cost_usd_micros for call in calls) / 1_000_000,
        "calls": len(calls),
        "tokens_in": sum(call.tokens_in or 0 for call in calls),
        "tokens_out": sum(call.tokens_out or 0 for call in calls),
        "tokens_cached": sum(call.tokens_cached for call in calls),
        "outcome_unknown": sum(call.state == "unknown" for call in calls),
    }


def _duration(dossier: Dossier) -> float | None:
    """Return the seconds until the result was approved, without those in which planning waited for the founder, or the
    mission rested.
    """
    mission = dossier.mission
    whole = _seconds(mission.created_at, mission.completed_at)
    return None if whole is None else round(whole - dossier.waited_s - dossier.rested_s, 2)


def _seconds(start: Any, end: Any) -> float | None:
    return round((end - start).total_seconds(), 2) if end else None
