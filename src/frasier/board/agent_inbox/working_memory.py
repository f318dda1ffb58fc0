"""An agent's working memory: its own note of where it stands, replaced as a whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb

from frasier.kernel.errors import InvalidInput
from frasier.store import Statements, Tx
from frasier.workflow import Actor

_sql = Statements("frasier.board.agent_inbox")

BYTES_MAX = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingMemory:
    """The note of an agent, and the time it was written."""

    state: Mapping[str, Any]
    updated_at: datetime


async def write_working_memory(tx: Tx, state: Mapping[str, Any], *, actor: Actor) -> WorkingMemory:
    """Replace the agent's note. Raises InvalidInput if it is too large or not JSON."""
    try:
        text = json.dumps(state, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise InvalidInput(
            "The working memory is not valid JSON.",
            kept="The last note is kept.",
            hint="Leave out NaN, infinity and numbers of thousands of digits.",
        ) from error
    if len(text.encode("utf-8", "replace")) > BYTES_MAX or "\\u0000" in json.dumps(text):
        raise InvalidInput(
            f"A working memory must be JSON of at most {BYTES_MAX:,} bytes, without NUL.",
            kept="The last note is kept.",
            hint="Write only where you stand; save what will matter later as memories.",
        )
    clean = json.loads(text.encode("utf-8", "replace").decode())
    row = await _sql.one(tx, "write_working_memory", name=actor.name, state=Jsonb(clean))
    return WorkingMemory(**row)


async def read_working_memory(tx: Tx, actor: Actor) -> WorkingMemory | None:
    """Return the agent's last note; None if it never wrote one."""
    row = await _sql.maybe(tx, "read_working_memory", name=actor.name)
    return WorkingMemory(**row) if row else None


async def forget_working_memory(tx: Tx, *, actor: Actor) -> bool:
    """Delete the agent's note; return whether there was one."""
    return bool(await _sql.run(tx, "forget_working_memory", name=actor.name))
