"""Web research: search, fetch politely, and store pages as numbered sources of the mission."""

from __future__ import annotations

from collections.abc import Sequence

from frasier.kernel.errors import CapabilityRefused, ProviderError, SourceError
from frasier.org.people import Capability
from frasier.work.research.mission_sources import SourceKind, add_source
from frasier.work.research.web import Fetcher, SearchProvider, UrlLedger, WebPage, links_in
from frasier.work.run_lease import Run
from frasier.work.run_web import Assignment, PagesRead

_PAGE_CHARS_MIN = 500  # less is a cookie banner or an error, not a source


class PageReader:
    """A reader of pages for a step. Models choose words to search for, never an address.

    Without a `search` only the links of the directive are read.
    """

    def __init__(self, *, search: SearchProvider | None, fetcher: Fetcher, per_query: int) -> None:
        self._search = search
        self._fetcher = fetcher
        self._per_query = per_query

    async def read(
        self, run: Run, assignment: Assignment, queries: Sequence[str], *, limit: int
    ) -> PagesRead:
        """Read at most `limit` pages: the directive's links first, then the results of `queries`.

        A run that may fetch but not search reads the links alone.
        """
        notes: list[str] = []
        ledger = UrlLedger()
        candidates = list(links_in(assignment.directive))
        ledger.allow(candidates, "the directive")
        if self._search and await _may_search(run, notes):
            candidates += await self._search_for(run, self._search, queries, ledger, notes)
        tried = 0
        for url in dict.fromkeys(candidates):
            if tried >= limit:
                notes.append(f"{limit} pages were read; the others found were not.")
                break
            tried += 1
            await run.report("research", f"reads {url}")
            try:
                page = await self._fetcher.fetch(url, ledger)
            except SourceError as error:
                notes.append(error.message)
                continue
            await self._keep(run, assignment, page, notes)
        return PagesRead(pages=tried, notes=tuple(notes))

    async def _search_for(
        self, run: Run, search: SearchProvider, queries: Sequence[str], ledger: UrlLedger, notes: list[str]
    ) -> list[str]:
        urls: list[str] = []
        for query in queries:
            await run.report("research", f"searches the web: {query}")
            try:
                hits = await search.search(query, self._per_query)
            except ProviderError as error:
                notes.append(f"The search for {query!r} failed: {error.message}")
                continue
            ledger.allow([hit.url for hit in hits], f"search: {query}")
            urls += [hit.url for hit in hits[: self._per_query]]
        return urls

    async def search(self, query: str) -> int:
        """Search for one page; return the number of results. Raises a ProviderError."""
        return len(await self._search.search(query, 1)) if self._search else 0

    async def close(self) -> None:
        """Close the connections to the search service; the fetcher belongs to its creator."""
        if self._search:
            await self._search.aclose()

    async def _keep(self, run: Run, assignment: Assignment, page: WebPage, notes: list[str]) -> None:
        if len(page.text) < _PAGE_CHARS_MIN:
            notes.append(f"{page.final_url} has only {len(page.text)} characters of text.")
            return
        async with run.fenced() as tx:
            await add_source(
                tx,
                assignment.mission_id,
                kind=SourceKind.WEB,
                uri=page.final_url,
                title=page.title or page.final_url,
                sha256=page.sha256,
                text=page.text,
                notes=page.notes,
                marks=page.marks,
            )


async def _may_search(run: Run, notes: list[str]) -> bool:
    try:
        await run.require(Capability.SEARCH_WEB)
    except CapabilityRefused as refused:
        notes.append(refused.message)
        return False
    return True
