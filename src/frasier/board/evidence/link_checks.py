"""What a move will be asked for is looked up before it, outside of any transaction, and recorded."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from frasier.board.evidence import LinkChecker, record_evidence
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
    """Looks up every link among `fields`, and records for the task what was found.

    Raises LeaseLost, and records nothing, where `attempt` does not hold the task any more when that is done.
    """
    links = sorted(_links(task, fields))
    if not links:
        return
    found = await asyncio.gather(*(checker.check(link) for link in links))
    async with database.transaction() as tx:
        now = await get_task(tx, task.id)
        await check_attempt(tx, now, attempt)
        for link, seen in zip(links, found, strict=True):
            await record_evidence(
                tx,
                now.id,
                now.attempt,
                kind="link",
                subject=link,
                holds=seen.resolves,
                digest=seen.digest,
                found={"why": seen.why} if seen.why else {},
                by=str(actor),
            )


def _links(task: Task, fields: Mapping[str, Any]) -> set[str]:
    kinds = {field.name for field in task.definition.fields.values() if field.kind is FieldKind.LINK}
    return {
        value.strip()
        for name, value in fields.items()
        if name in kinds and isinstance(value, str) and value.strip()
    }
