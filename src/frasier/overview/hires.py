"""Hires: why each colleague was hired, who decided it, for which mission, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.humanize import person
from frasier.org.staffing import HirePersona, HireState
from frasier.store import Statements, Tx

_sql = Statements("frasier.overview")
_HIRES_MAX = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class HireView:
    """A hire. `why` names the rule by which it was made or has to be decided, `decided_by` who did: the policy or the
    founder. `mission` asked first.

    `writing_usd` is what the persona cost in `writing_calls`; `work_usd` what the calls of the colleague cost since.
    """

    agent: UUID
    key: str
    name: str
    title: str
    status: str
    state: HireState
    reason: str
    why: str
    decided_by: str
    mission: UUID | None
    mission_title: str | None
    proposed_at: datetime
    decided_at: datetime | None
    persona: HirePersona
    persona_version: int
    expected_usd: float
    writing_usd: float
    writing_calls: int
    work_usd: float

    @property
    def decision(self) -> str:
        """The decision about it: by whom, and by which rule."""
        match self.state:
            case HireState.PROPOSED:
                return f"waits for the founder: {self.why}"
            case HireState.REFUSED:
                return f"refused by {self.decided_by}; asked because {self.why}"
            case _:
                left = ", has retired" if self.state is HireState.ENDED else ""
                return f"hired by {self.decided_by}: {self.why}{left}"

    @property
    def persona_state(self) -> str:
        """The state of the persona in words."""
        match self.persona:
            case HirePersona.FIRST:
                return "only the first persona yet"
            case HirePersona.REFUSED:
                return "the first persona, because what was written was refused"
            case _:
                return "researched persona"


async def read_hires(
    tx: Tx, *, agent: UUID | None = None, mission: UUID | None = None, limit: int = _HIRES_MAX
) -> tuple[HireView, ...]:
    """Read the hires, newest first: of an agent, of those that a mission asked for or waited for, or all."""
    rows = await _sql.all(tx, "hires", agent=agent, mission=mission, limit=limit)
    return tuple(
        HireView(
            agent=row["agent"],
            key=row["key"],
            name=row["name"],
            title=row["title"],
            status=row["status"],
            state=HireState(row["state"]),
            reason=row["reason"],
            why=row["why"],
            decided_by=_decider(row["decided_by"]),
            mission=row["mission"],
            mission_title=row["mission_title"],
            proposed_at=row["proposed_at"],
            decided_at=row["decided_at"],
            persona=HirePersona(row["persona"]),
            persona_version=row["persona_version"],
            expected_usd=row["expected_usd_micros"] / 1_000_000,
            writing_usd=row["writing_usd_micros"] / 1_000_000,
            writing_calls=row["writing_calls"],
            work_usd=row["work_usd_micros"] / 1_000_000,
        )
        for row in rows
    )


def _decider(actor: str | None) -> str:
    if not actor:
        return ""
    kind, _, name = actor.partition(":")
    return f"the policy {name}" if kind == "policy" else person(actor)
