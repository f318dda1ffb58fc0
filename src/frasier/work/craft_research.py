"""Research about a trade: pages from the web, read through a mission that may use it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.errors import CapabilityRefused
from frasier.kernel.text import shorten
from frasier.llm import Passage
from frasier.org.missions import Mission
from frasier.org.people import Agent
from frasier.work.research.mission_sources import SourceKind, sources_of
from frasier.work.run_lease import Run

_PAGES = 3
_FOUND_CHARS = 2_500


@dataclass(frozen=True, slots=True, kw_only=True)
class CraftPages:
    """Passages about the trade from the web, with notes on pages that were not read."""

    passages: tuple[Passage, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Craft:
    """The assignment of web research about a trade: no address of the directive is read again."""

    mission_id: UUID
    directive: str = ""


async def read_craft(run: Run, agent: Agent, mission: Mission) -> CraftPages:
    """Read pages about an agent's trade, once a run; none for a mission that may not use the web."""

    async def read() -> CraftPages:
        if not mission.web_search:
            return CraftPages(passages=(), notes=())
        queries = (f"{agent.title} professional standards", f"{agent.title} working method checklist")
        try:
            pages = await run.pages()
        except CapabilityRefused as refused:
            return CraftPages(passages=(), notes=(refused.message,))
        found = await pages.read(run, _Craft(mission_id=mission.id), queries, limit=_PAGES)
        async with run.database.transaction() as tx:
            sources = [one for one in await sources_of(tx, mission.id) if one.kind is SourceKind.WEB]
        return CraftPages(
            passages=tuple(
                Passage(number=one.number, title=one.title, text=shorten(one.opening, _FOUND_CHARS))
                for one in sources[-_PAGES:]
            ),
            notes=found.notes,
        )

    return await run.checkpoint("craft", (agent.id, run.task.round), CraftPages, read)
