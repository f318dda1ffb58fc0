"""Look up the links that a move will be asked for, outside of any transaction, and record the results."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from frasier.board.evidence.links import LinkChecker
from frasier.board.evidence.records import record_evidence
from frasier.store import Database
from frasier.workflow import Actor, FieldKind, Task, check_attempt, get_task


async def gather_links(
    database: Database,
    checker: LinkChecker,
    task: Task,
    fields: Mapping[str, Any],
    *,
    actor: Actor,
    attempt: int | None = None,
) -> None:
    """Look up every link among `fields`, and record the results for the task.

    Raises LeaseLost, recording nothing, if `attempt` does not hold the task any more when that is done.
    """
    links = sorted(_links(task, fields))
    if not links:
        return
    results = await asyncio.gather(*(checker.check(link) for link in links))
    async with database.transaction() as tx:
        now = await get_task(tx, task.id)
        await check_attempt(tx, now, attempt)
        for link, result in zip(links, results, strict=True):
            await record_evidence(
                tx,
                now.id,
                now.attempt,
                kind="link",
                subject=link,
                holds=result.resolves,
                digest=result.digest,
                facts={"why": result.why} if result.why else {},
                by=str(actor),
            )


def _links(task: Task, fields: Mapping[str, Any]) -> set[str]:
    kinds = {field.name for field in task.definition.fields.values() if field.kind is FieldKind.LINK}
    return {
        value.strip()
        for name, value in fields.items()
        if name in kinds and isinstance(value, str) and value.strip()
    }
