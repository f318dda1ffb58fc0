"""An agent's working memory: where it stands, in its own words, replaced as a whole."""

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
    """What the agent wrote, and when."""

    state: Mapping[str, Any]
    updated_at: datetime


async def write_working_memory(tx: Tx, state: Mapping[str, Any], *, actor: Actor) -> WorkingMemory:
    """Replaces what the agent wrote before. Raises InvalidInput for what is too large or no JSON."""
    try:
        text = json.dumps(state, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise InvalidInput(
            "The working memory is no JSON.",
            kept="What was there is kept.",
            hint="NaN, infinity and numbers of thousands of digits are none: leave them out.",
        ) from error
    if len(text.encode("utf-8", "replace")) > BYTES_MAX or "\\u0000" in json.dumps(text):
        raise InvalidInput(
            f"A working memory must be JSON of at most {BYTES_MAX:,} bytes, without NUL.",
            kept="What was there is kept.",
            hint="Write where you stand, not all that you have; save what will matter later as memories.",
        )
    clean = json.loads(text.encode("utf-8", "replace").decode())
    row = await _sql.one(tx, "write_working_memory", name=actor.name, state=Jsonb(clean))
    return WorkingMemory(**row)


async def read_working_memory(tx: Tx, actor: Actor) -> WorkingMemory | None:
    """What the agent wrote last; None where it never did."""
    row = await _sql.maybe(tx, "read_working_memory", name=actor.name)
    return WorkingMemory(**row) if row else None


async def forget_working_memory(tx: Tx, *, actor: Actor) -> bool:
    """Empties it; whether there was anything."""
    return bool(await _sql.run(tx, "forget_working_memory", name=actor.name))
