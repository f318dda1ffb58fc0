"""If-Match as a condition that is checked in the transaction of the change."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias
from uuid import UUID

from frasier.interfaces.http.entity_tags import changed_meanwhile, entity_tag, matches
from frasier.interfaces.operations import AnyOperation, OperationContext, as_json, run_operation
from frasier.interfaces.resources import Resource
from frasier.memory import lock_memory
from frasier.org.missions import lock_mission
from frasier.org.skills import lock_newest_package, lock_skill
from frasier.store import Precondition, Tx
from frasier.workflow import lock_task

_Lock: TypeAlias = Callable[[Tx, Mapping[str, Any]], Awaitable[object]]

_LOCKS: Mapping[str, _Lock] = {
    "memory_get": lambda tx, data: lock_memory(tx, UUID(data["id"])),
    "task_get": lambda tx, data: lock_task(tx, UUID(data["id"])),
    "mission_get": lambda tx, data: lock_mission(tx, UUID(data["mission"]["progress"]["mission_id"])),
    "skill_get": lambda tx, data: lock_skill(tx, data["skill"]["text"]["skill"]),
    "skill_package": lambda tx, data: lock_newest_package(tx, data["package"]["summary"]["skill"]),
}
"""The lock for each operation whose answer has an entity tag, by what it answered."""


def if_match(
    condition: Sequence[str],
    item: Resource,
    operation: AnyOperation,
    context: OperationContext,
    arguments: Mapping[str, Any],
) -> Precondition:
    """Return the condition that the resource `item`, read by `operation`, has one of the tags of a header If-Match."""
    lock = _LOCKS[item.operation]
    reading = replace(context, counts_use=False)

    async def read() -> Mapping[str, Any]:
        data: Mapping[str, Any] = as_json((await run_operation(operation, reading, arguments)).data)
        return data

    async def read_locked(tx: Tx) -> str:
        await lock(tx, await read())
        return entity_tag(item, await read()) or ""

    return Precondition(
        read_locked=read_locked, holds=lambda tag: matches(condition, tag), error=changed_meanwhile
    )
