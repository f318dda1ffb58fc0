"""Models that fail for a reason that may pass, and are asked again without the founder."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.board import any_worker_is_up, anybody_works
from frasier.llm import FAILURE_ADVICE
from frasier.store import Statements, Tx

_sql = Statements("frasier.overview")

_OUTAGE_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTrouble:
    """A service whose models fail since a moment, `last_at` the last time, the cause as it says it, and what to do if
    that lasts.
    """

    provider: str
    code: str
    cause: str
    advice: str
    since: datetime
    last_at: datetime

    @property
    def is_outage(self) -> bool:
        """Whether it failed again after a while: one failure, or several at once, a retry mends."""
        return (self.last_at - self.since).total_seconds() >= _OUTAGE_S


async def read_model_troubles(tx: Tx, mission_id: UUID | None = None) -> tuple[ModelTrouble, ...]:
    """Read the troubles of all open missions, or of one: each cause once, however many steps it delays.

    None while nobody works: then no service is asked again.
    """
    if not await (anybody_works(tx, mission_id) if mission_id else any_worker_is_up(tx)):
        return ()
    rows = await _sql.all(tx, "model_troubles", mission_id=mission_id, codes=list(FAILURE_ADVICE))
    return tuple(ModelTrouble(**row, advice=FAILURE_ADVICE[row["code"]]) for row in rows)
