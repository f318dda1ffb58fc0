"""Improvement proposals as they are stored, for tests of whoever shows and decides them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from frasier.kernel.ids import new_id
from frasier.org.governance import CitedFigure, ImprovementKind, NewImprovement, add_improvement, add_reading
from frasier.store import Tx
from frasier.workflow import FOUNDER


async def proposed_improvement(
    tx: Tx,
    *,
    kind: ImprovementKind = ImprovementKind.POLICY,
    target: str = "trials",
    rules: Mapping[str, Any] | None = None,
    title: str = "Decide trials by a smaller chance",
    mission: UUID | None = None,
) -> str:
    """Store a proposal that waits for the founder; return its id."""
    task_id = new_id()
    await add_reading(tx, task_id, cap_usd_micros=500_000, actor=FOUNDER)
    stored = await add_improvement(
        tx,
        task_id,
        1,
        NewImprovement(
            kind=kind,
            target=target,
            title=title,
            change="Set alpha of trials to a hundredth.",
            rules={"alpha": 0.01} if rules is None else rules,
            why="Versions without effect were kept.",
            figures=(
                CitedFigure(mission=mission or new_id(), title="Compare the teas", name="retries", value=3),
            ),
        ),
    )
    return str(stored.id)
