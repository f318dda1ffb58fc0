"""Memory: search with every arm's rank and every factor, and the list of what is remembered."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from frasier.interfaces.web.founder import FOUNDER
from frasier.interfaces.web.page import Fragment, PageContent, PageRequest, PageRoute
from frasier.kernel.errors import InvalidInput
from frasier.memory import (
    QUERY_CHARS_MAX,
    Arm,
    Detail,
    ImportanceTier,
    MemoryKind,
    MemoryState,
    RecallAnswer,
    RecallRequest,
    list_memories,
    memory_stats,
)

_PAGE = 25
_FOUND = 20
FACTORS = ("retrievability", "usage", "importance", "pattern", "citation")
"""The factors of a ranking boost, as they are multiplied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    """The filter of the page. `state` is the most faded one that is shown; None for all that can be recalled."""

    text: str
    kind: MemoryKind | None
    scope: str
    state: MemoryState | None
    tier: ImportanceTier | None
    offset: int

    @property
    def archived(self) -> bool:
        return self.state is MemoryState.ARCHIVED

    @property
    def kinds(self) -> frozenset[MemoryKind] | None:
        return frozenset({self.kind}) if self.kind else None

    @property
    def scopes(self) -> tuple[str, ...]:
        return (self.scope,) if self.scope else ()


async def _read(request: PageRequest) -> PageContent:
    services, chosen = request.services, _chosen(request)
    stats = await services.in_transaction(memory_stats, FOUNDER)
    query = {name: value for name, value in request.query.items() if value and name != "offset"}
    searches = bool(chosen.text) and not chosen.archived
    found = await _search(request, chosen) if searches else None
    page = None
    if not searches:
        page = await services.in_transaction(
            list_memories,
            FOUNDER,
            scopes=chosen.scopes,
            kinds=chosen.kinds,
            tier=chosen.tier,
            archived=chosen.archived,
            min_state=chosen.state or MemoryState.ARCHIVED,
            limit=_PAGE,
            offset=chosen.offset,
        )
    behind = chosen.offset + _PAGE
    values = {
        "found": found,
        "page_of": page,
        "arms": [arm for arm in Arm if found and any(arm in hit.ranks for hit in found.hits)],
        "factors": FACTORS,
        "older": _address(query, behind) if page and behind < page.total else "",
        "newer": _address(query, max(0, chosen.offset - _PAGE)) if chosen.offset else "",
        "text_unused": bool(chosen.text) and chosen.archived,
    }
    return PageContent(
        title="Memory",
        fragments=(
            Fragment(id="memory-counts", template="memory/counts.html", values={"stats": stats}),
            Fragment(id="memory-results", template="memory/results.html", values=values),
        ),
        values={
            "chosen": chosen,
            "kinds": [kind for kind in MemoryKind if kind is not MemoryKind.MARKER],
            "scopes": sorted(FOUNDER.scopes),
            "states": (MemoryState.HOT, MemoryState.WARM, MemoryState.COLD),
            "tiers": tuple(ImportanceTier),
        },
    )


def _chosen(request: PageRequest) -> _Chosen:
    query = {name: value.strip() for name, value in request.query.items()}
    offset = query.get("offset", "0")
    try:
        return _Chosen(
            text=query.get("q", "").replace("\x00", "")[:QUERY_CHARS_MAX],
            kind=MemoryKind(query["kind"]) if query.get("kind") else None,
            scope=query.get("scope", ""),
            state=MemoryState(query["state"]) if query.get("state") else None,
            tier=ImportanceTier(query["tier"]) if query.get("tier") else None,
            offset=min(int(offset), 1_000_000) if offset.isdecimal() and len(offset) < 8 else 0,
        )
    except ValueError as error:
        raise InvalidInput(
            "The filter names a kind, state or tier that there is not.",
            kept="Nothing was changed.",
            hint="Choose it on the page.",
        ) from error


async def _search(request: PageRequest, chosen: _Chosen) -> RecallAnswer:
    """Recall as an agent does, without that counting as an appearance."""
    return await request.services.memory.recall(
        FOUNDER,
        RecallRequest(
            text=chosen.text,
            scopes=chosen.scopes,
            kinds=chosen.kinds,
            limit=_FOUND,
            detail=Detail.COMPACT,
            min_state=chosen.state or MemoryState.DORMANT,
            binding=False,
            track=False,
        ),
    )


def _address(query: dict[str, str], offset: int) -> str:
    return f"/memory?{urlencode({**query, **({'offset': str(offset)} if offset else {})})}"


PAGES = (PageRoute(path="/memory", section="Memory", template="memory/page.html", read=_read),)
