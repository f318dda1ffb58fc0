"""Stored plans: every version of a mission's plan, with its origin, its state, its staffing and its estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.errors import Stale
from frasier.kernel.mission_depth import MissionDepth
from frasier.kernel.text import fingerprint
from frasier.org.missions.mission_estimate import MissionEstimate
from frasier.store import Statements, Tx

if TYPE_CHECKING:
    from frasier.llm.reply_schemas import PlanReply

_sql = Statements("frasier.org.missions")


class PlanState(StrEnum):
    """The state of a plan.

    `refused`: it breaks a rule. `proposed`: it waits for the founder. `approved`: the founder approved it, and its
    steps are not created yet. `accepted`: its steps exist. `rejected`: the founder refused it. `replaced`: it was
    edited, or changed while it was carried out.
    """

    REFUSED = "refused"
    PROPOSED = "proposed"
    APPROVED = "approved"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    REPLACED = "replaced"


class PlanOrigin(StrEnum):
    """The origin of a plan: the chief of staff, an edit of the founder's, the default where planning failed twice, or a
    simple task, which is given to one agent directly.
    """

    PLANNER = "planner"
    FOUNDER = "founder"
    DEFAULT = "default"
    DIRECT = "direct"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedPlan:
    """A plan that keeps the rules, with the agent of each step and what it may take. `digest` names plan and staffing
    as they are shown.
    """

    plan: PlanReply
    staffing: Mapping[str, UUID]
    estimate: MissionEstimate
    origin: PlanOrigin

    @property
    def digest(self) -> str:
        staffing = {key: str(agent) for key, agent in sorted(self.staffing.items())}
        return fingerprint(self.plan.model_dump(mode="json"), staffing)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPlan:
    """A version of a mission's plan; `plan` has the fields of a PlanReply. `issues` are the reasons if it was refused.

    `staffing` maps the keys of steps to agents. Plans stored before estimates were have none, nor a digest.
    """

    mission_id: UUID
    version: int
    plan: dict[str, Any]
    state: PlanState
    origin: PlanOrigin
    issues: list[str]
    staffing: Mapping[str, UUID]
    digest: str
    estimate: MissionEstimate | None
    created_at: datetime
    accepted_at: datetime | None

    @property
    def depth(self) -> MissionDepth:
        """The depth to which it is carried out; plans stored before depths were are standard."""
        return MissionDepth(self.plan.get("complexity", MissionDepth.STANDARD))

    @property
    def reply(self) -> PlanReply:
        from frasier.llm.reply_schemas import PlanReply  # noqa: PLC0415 (commands that list plans need no schemas)

        return PlanReply.model_validate(self.plan)


async def record_refused_plan(
    tx: Tx,
    mission_id: UUID,
    plan: PlanReply,
    *,
    issues: Sequence[str],
) -> None:
    """Store a version of the plan that breaks rules, with the reasons."""
    await _sql.run(
        tx,
        "insert_plan",
        mission_id=mission_id,
        plan=Jsonb(plan.model_dump()),
        issues=list(issues),
        state=PlanState.REFUSED,
        origin=PlanOrigin.PLANNER,
        staffing=Jsonb({}),
        digest="",
        estimate=None,
    )


async def record_plan(tx: Tx, mission_id: UUID, proposed: ProposedPlan, *, state: PlanState) -> StoredPlan:
    """Store a version of the plan that keeps the rules, proposed or accepted."""
    row = await _sql.one(
        tx,
        "insert_plan",
        mission_id=mission_id,
        plan=Jsonb(proposed.plan.model_dump()),
        issues=[],
        state=state,
        origin=proposed.origin,
        staffing=Jsonb({key: str(agent) for key, agent in proposed.staffing.items()}),
        digest=proposed.digest,
        estimate=Jsonb(proposed.estimate.as_dict()),
    )
    return _stored(row)


async def plans_of(tx: Tx, mission_id: UUID) -> list[StoredPlan]:
    """Return every version of a mission's plan, oldest first."""
    return [_stored(row) for row in await _sql.all(tx, "plans_of", mission_id=mission_id)]


async def current_plan(tx: Tx, mission_id: UUID) -> StoredPlan | None:
    """Return the plan that is proposed, approved or accepted; None if there is none."""
    row = await _sql.maybe(tx, "current_plan", mission_id=mission_id)
    return _stored(row) if row else None


async def set_plan_state(tx: Tx, plan: StoredPlan, state: PlanState) -> None:
    """Move a plan on from its known state; raise Stale if it was changed meanwhile."""
    moved = await _sql.run(
        tx,
        "set_plan_state",
        mission_id=plan.mission_id,
        version=plan.version,
        expected=plan.state,
        state=state,
    )
    if not moved:
        raise Stale("The plan was changed by somebody else first.", kept="Nothing was changed.")


def _stored(row: Mapping[str, Any]) -> StoredPlan:
    return StoredPlan(
        mission_id=row["mission_id"],
        version=row["version"],
        plan=row["plan"],
        state=PlanState(row["state"]),
        origin=PlanOrigin(row["origin"]),
        issues=row["issues"],
        staffing={key: UUID(agent) for key, agent in row["staffing"].items()},
        digest=row["digest"],
        estimate=MissionEstimate.from_dict(row["estimate"]) if row["estimate"] else None,
        created_at=row["created_at"],
        accepted_at=row["accepted_at"],
    )
