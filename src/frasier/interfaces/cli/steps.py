"""`frasier steps show`: one step with everything that was made, said and paid for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from frasier.interfaces.cli.opening import JsonOption, command_group, in_transaction

if TYPE_CHECKING:
    from uuid import UUID

    from frasier.interfaces.cli.present import Page
    from frasier.interfaces.services import Services
    from frasier.llm import CallRecord
    from frasier.memory import Memory
    from frasier.org.governance import Review
    from frasier.org.planning import Deliverable, MissionStep
    from frasier.store import Tx
    from frasier.workflow import Task

steps = command_group("Steps: what a mission is made of.")

_MARKERS = 100

StepArgument = Annotated[str, typer.Argument(help="MISSION/KEY, or a step's id, its beginning or end.")]
VersionOption = Annotated[
    int | None,
    typer.Option("--version", "-v", min=1, help="Print the text of this version, with its sources."),
]


@steps.callback()
def _only_a_group() -> None:
    """Makes `show` a command of its own, although it is the only one."""


@steps.command()
def show(
    context: typer.Context, step: StepArgument, version: VersionOption = None, as_json: JsonOption = False
) -> None:
    """Show a step. Instruction, acceptance, versions, reviews, calls, phases, blocks; or a version's text."""
    from frasier.interfaces.cli.present import print_json
    from frasier.interfaces.cli.step_page import draw_step

    async def read(_services: Services, tx: Tx) -> dict[str, Any]:
        return await (_read_step(tx, step) if version is None else _read_version(tx, step, version))

    document = in_transaction(context, read)
    if as_json:
        print_json(document)
    elif version is None:
        draw_step(document).show()
    else:
        _draw_version(document).show()


async def _find(tx: Tx, text: str) -> tuple[MissionStep, Task]:
    from frasier.interfaces.cli.naming import named_task
    from frasier.kernel.errors import InvalidInput
    from frasier.org.planning import get_step

    task = await named_task(tx, text)
    if task.process != "mission_step":
        raise InvalidInput(
            f"{task.slug} is no step but a task of the process {task.process}.",
            hint=f"`frasier missions show {str(task.group_id)[-8:]}` shows the steps of its mission.",
        )
    return await get_step(tx, task.id), task


async def _read_version(tx: Tx, text: str, version: int) -> dict[str, Any]:
    from frasier.kernel.errors import NotFound
    from frasier.org.planning import deliverables_of
    from frasier.work import sources_of, with_sources

    step, task = await _find(tx, text)
    versions = {made.version: made for made in await deliverables_of(tx, [task.id])}
    if version not in versions:
        known = ", ".join(map(str, versions)) or "none yet"
        raise NotFound(f"The step {step.key} has no version {version}.", hint=f"There is: {known}.")
    sources = [(source.number, source.title, source.uri) for source in await sources_of(tx, step.mission_id)]
    made = versions[version]
    return {
        "step": step.task_id,
        "key": step.key,
        "version": version,
        "sha256": made.digest,
        "rehearsal": made.rehearsal,
        "degraded": made.degraded,
        "text": with_sources(made.content, sources),
    }


def _draw_version(document: dict[str, Any]) -> Page:
    from frasier.interfaces.cli.present import Page

    page = Page()
    page.markdown(document["text"])
    return page


async def _read_step(tx: Tx, text: str) -> dict[str, Any]:
    from frasier.board import blocked_tasks
    from frasier.interfaces.cli.waiting import blocked_as_dict
    from frasier.llm import calls_of_task
    from frasier.memory import markers_of
    from frasier.org.governance import reviews_of_steps
    from frasier.org.people import roster
    from frasier.org.planning import deliverables_of, get_mission
    from frasier.work import phases_of, rules_left_out
    from frasier.workflow import dependencies_of, tasks_of

    step, task = await _find(tx, text)
    mission = await get_mission(tx, step.mission_id)
    names = {agent.id: agent.name for agent in await roster(tx, active_only=False)}
    keys = {other.id: other.slug for other in await tasks_of(tx, step.mission_id)}
    edges = (await dependencies_of(tx, step.mission_id)).get(task.id, ())
    reviews = await reviews_of_steps(tx, [task.id])
    calls = await calls_of_task(tx, task.id)
    blocks = [blocked for blocked in await blocked_tasks(tx, step.mission_id) if blocked.id == task.id]
    return {
        "step": task.id,
        "mission": mission.id,
        "mission_title": mission.title,
        "key": step.key,
        "title": step.title,
        "status": task.status,
        "agent": names.get(step.agent_id, "?"),
        "role": step.role,
        "tier": step.tier,
        "is_final": step.is_final,
        "instruction": step.instruction,
        "acceptance": step.acceptance,
        "needs": sorted(keys[edge.depends_on] for edge in edges),
        "strikes": task.strikes,
        "attempt": task.attempt,
        "failed_runs": task.failures,
        "failure": task.failure,
        "worker": task.lease_owner,
        "block": blocked_as_dict(blocks[0]) if blocks else None,
        "phases": (await phases_of(tx, [task.id])).get(task.id, []),
        "rules_left_out": await rules_left_out(tx, [task]),
        "markers": [_marker(marker) for marker in reversed(await markers_of(tx, task.id, limit=_MARKERS))],
        "versions": [_version(made, reviews, names) for made in await deliverables_of(tx, [task.id])],
        "calls": [_call(call) for call in calls],
        "cost_usd": sum(call.cost_usd_micros for call in calls) / 1_000_000,
    }


def _version(made: Deliverable, reviews: list[Review], names: dict[UUID, str]) -> dict[str, Any]:
    return {
        "version": made.version,
        "created_at": made.created_at,
        "chars": len(made.content),
        "sha256": made.digest,
        "critique_mean": made.critique_mean,
        "critique": made.critique,
        "citation_score": round(made.citations.score, 3),
        "cites": list(made.citations.cited),
        "unknown_citations": list(made.citations.unknown),
        "tier_asked": made.tier_asked,
        "tier_served": made.tier_served,
        "model": made.model,
        "degraded": made.degraded,
        "rehearsal": made.rehearsal,
        "reviews": [
            {
                "kind": review.kind,
                "by": names.get(review.reviewer, "?") if review.reviewer else "policy",
                "verdict": review.state,
                "overall": review.overall,
                "scores": review.scores,
                "feedback": review.feedback,
                "reviewed_at": review.reviewed_at,
            }
            for review in reviews
            if review.deliverable_id == made.id
        ],
    }


def _marker(marker: Memory) -> dict[str, Any]:
    return {"marker": marker.id, "at": marker.created_at, "text": marker.content}


def _call(call: CallRecord) -> dict[str, Any]:
    return {
        "call": call.id,
        "attempt": call.attempt,
        "phase": call.phase,
        "purpose": call.purpose,
        "tier_asked": call.tier_asked,
        "tier_served": call.tier_served,
        "model": call.model,
        "state": call.state,
        "degraded": call.degraded,
        "cost_usd": call.cost_usd_micros / 1_000_000,
        "tokens_in": call.tokens_in,
        "tokens_out": call.tokens_out,
        "duration_ms": call.duration_ms,
        "error": call.error,
        "started_at": call.started_at,
    }
