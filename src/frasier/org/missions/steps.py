"""Steps: the subject, assignee and acceptance criteria of a mission's tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.errors import NotFound
from frasier.llm import ResultForm, Tier
from frasier.org.people import Role
from frasier.org.staffing import Workload
from frasier.store import Statements, Tx, from_row, parameters_of
from frasier.workflow import Actor, dependencies_of, get_task

if TYPE_CHECKING:
    from frasier.llm.reply_schemas import TablePlan
    from frasier.org.staffing import AcceptedWork

_sql = Statements("frasier.org.missions")
_LAST_GIVEN = 40

STEP_LENGTH = 2
"""The length of a step among the tasks of its mission: its work and its reviews, which are given at the same time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionStep:
    """A mission step. Its state is its task's; `task_id` names both.

    `documents` are the numbers of the sources that it reads, all if empty; with columns in `table` it examines each.
    `table_plan` is its stored form. The final step has the `kind` of the deliverable, its `reader`, its length in
    `words` (0 if none is wanted), its `format` and its `language`. `edition` counts the assignments that it has had;
    one that was `removed` is not wanted any more. `subject` is the field that whoever judges the result must know.
    """

    task_id: UUID
    mission_id: UUID
    key: str
    title: str
    instruction: str
    acceptance: list[str]
    role: Role
    agent_id: UUID
    tier: Tier
    is_final: bool
    sources_needed: int
    queries_needed: int
    documents: tuple[int, ...] = ()
    table_plan: dict[str, Any] = field(default_factory=dict)
    kind: DeliverableKind | None = None
    reader: str = ""
    words: int = 0
    format: str = ""
    language: str = ""
    edition: int = 1
    removed: bool = False
    subject: str = ""

    @property
    def form(self) -> ResultForm:
        return ResultForm(words=self.words, format=self.format, language=self.language)

    @property
    def researches(self) -> bool:
        """Whether the step reads sources of its own, besides the results of its predecessors."""
        return self.sources_needed > 0 or self.queries_needed > 0

    @property
    def table(self) -> TablePlan:
        from frasier.llm.reply_schemas import TablePlan  # noqa: PLC0415 (commands that list steps need no schemas)

        return TablePlan.model_validate(self.table_plan)


async def insert_step(tx: Tx, step: MissionStep) -> None:
    stored = {"documents": list(step.documents), "table_plan": Jsonb(step.table_plan)}
    await _sql.run(tx, "insert_step", **parameters_of(step) | stored)


async def lock_step(tx: Tx, task_id: UUID) -> None:
    """Let no other transaction that locks the step go on until this one ends."""
    await _sql.maybe(tx, "lock_step", task_id=task_id)


async def change_step(tx: Tx, step: MissionStep) -> None:
    """Store the title, instruction and acceptance criteria of a step as its next edition."""
    await _sql.run(
        tx,
        "change_step",
        task_id=step.task_id,
        title=step.title,
        instruction=step.instruction,
        acceptance=step.acceptance,
    )


async def give_step(tx: Tx, task_id: UUID, agent_id: UUID, *, actor: Actor) -> None:
    """Give a step that has not ended to another agent, who does it from the next attempt on."""
    from frasier.workflow import reassign  # noqa: PLC0415 (views change no task)

    await _sql.run(tx, "give_step", task_id=task_id, agent_id=agent_id)
    await reassign(tx, task_id, agent_id, actor=actor)


async def remove_step(tx: Tx, task_id: UUID) -> None:
    """Mark a step as one that is not wanted any more."""
    await _sql.run(tx, "remove_step", task_id=task_id)


async def get_step(tx: Tx, task_id: UUID) -> MissionStep:
    """Return the step of a task; raise NotFound."""
    row = await _sql.maybe(tx, "get_step", task_id=task_id)
    if row is None:
        raise NotFound(f"There is no step {task_id}.")
    return from_row(MissionStep, row)


async def steps_of(tx: Tx, mission_id: UUID) -> list[MissionStep]:
    """Return the steps of a mission in order of creation."""
    return await _sql.all_as(MissionStep, tx, "steps_of", mission_id=mission_id)


async def open_steps_of(tx: Tx, agent_id: UUID) -> list[MissionStep]:
    """Return the steps of an agent that have not ended, of all missions."""
    steps = await _sql.all_as(MissionStep, tx, "open_steps_of", agent_id=agent_id)
    return [step for step in steps if not (await get_task(tx, step.task_id)).terminal]


async def newest_steps_of(tx: Tx, agent_id: UUID, *, limit: int) -> list[MissionStep]:
    """Return the newest steps of an agent, of all missions, the newest first."""
    return await _sql.all_as(MissionStep, tx, "newest_steps_of", agent_id=agent_id, limit=limit)


async def read_workload(tx: Tx) -> Workload:
    """Read the open steps of each agent and who was given the last ones, for the distribution of new work."""
    return Workload(
        open={row["agent_id"]: row["open"] for row in await _sql.all(tx, "open_steps_by_agent")},
        recent=[row["agent_id"] for row in await _sql.all(tx, "last_given", limit=_LAST_GIVEN)],
    )


async def accepted_works(tx: Tx, agent_ids: Sequence[UUID], *, limit: int) -> dict[UUID, list[AcceptedWork]]:
    """Return the accepted steps of each agent among its newest `limit` ones, the newest first."""
    from frasier.org.staffing import AcceptedWork  # noqa: PLC0415 (views choose no reviewers)

    works: dict[UUID, list[AcceptedWork]] = {}
    for row in await _sql.all(tx, "accepted_works", agent_ids=list(agent_ids), limit=limit):
        works.setdefault(row["agent_id"], []).append(AcceptedWork(text=row["text"], score=row["score"]))
    return works


async def authors_of(tx: Tx, step: MissionStep) -> frozenset[UUID]:
    """Return everybody who wrote a part of a step's result: of its versions, and of the steps that it is built from."""
    rows = await _sql.all(tx, "authors_of", task_ids=list(await built_from(tx, step)))
    return frozenset(row["agent"] for row in rows)


async def built_from(tx: Tx, step: MissionStep) -> frozenset[UUID]:
    """Return a step with all that it is built from, directly or through others."""
    edges = await dependencies_of(tx, step.mission_id)
    found: set[UUID] = set()
    waiting = [step.task_id]
    while waiting:
        task_id = waiting.pop()
        if task_id not in found:
            found.add(task_id)
            waiting += [edge.depends_on for edge in edges.get(task_id, ())]
    return frozenset(found)
