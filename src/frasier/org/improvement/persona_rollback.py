"""The rollback of a persona by the founder: an earlier version comes into force again, and nothing is deleted."""

from __future__ import annotations

from frasier.kernel.errors import InvalidInput
from frasier.kernel.text import shorten, strip_control
from frasier.org.people import (
    Agent,
    append_agent_event,
    find_agent,
    get_agent,
    persona_history,
    put_persona_in_force,
)
from frasier.store import Tx
from frasier.workflow import FOUNDER

_WHY_CHARS_MAX = 1_000


async def roll_back_persona(tx: Tx, name: str, *, version: int | None = None, why: str = "") -> Agent:
    """Put an earlier version in force again: `version`, or the one that was in force before. Return the agent.

    Raises NotFound, Stale where that version is in force already, and InvalidInput where there was none before.
    """
    agent = await find_agent(tx, name)
    if version is None:
        version = await _version_before(tx, agent)
    because = shorten(" ".join(strip_control(why).split()), _WHY_CHARS_MAX) or "the founder wants it back"
    await put_persona_in_force(tx, agent.id, version, actor=str(FOUNDER), why=because)
    details = {"from": agent.persona_version, "to": version, "why": because}
    await append_agent_event(tx, agent, "persona.rolled_back", actor=str(FOUNDER), **details)
    return await get_agent(tx, agent.id)


async def _version_before(tx: Tx, agent: Agent) -> int:
    for act in await persona_history(tx, agent.id):
        if act.until is not None and act.version != agent.persona_version:
            return act.version
    raise InvalidInput(
        f"{agent.name} never had another version of their persona in force.", kept="Nothing was changed."
    )
