"""Questions that wait for the founder, asked without a mission."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from frasier.interfaces.services import Services
from frasier.kernel.ids import new_id
from frasier.org.governance import ask_founder, open_questions
from frasier.store import Tx, append_event


async def ask(services: Services, text: str = "Shall we?", **changes: Any) -> str:
    """Ask a question of the founder; return its id."""
    asked: dict[str, Any] = {
        "kind": "escalation",
        "mission_id": None,
        "task_id": None,
        "question": text,
        "options": ["yes", "no"],
        "place": (str(new_id()),),
    }
    question = await services.in_transaction(_ask, **(asked | changes))
    assert question
    return str(question)


async def _ask(tx: Tx, **asked: Any) -> UUID | None:
    """Ask with an event, as the block that a question is about has one."""
    await append_event(tx, stream=new_id(), kind="task.blocked", actor="worker:test")
    return await ask_founder(tx, **asked)


async def is_open(services: Services, question: str) -> bool:
    return question in [str(one.id) for one in await services.in_transaction(open_questions)]
