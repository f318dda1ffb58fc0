"""The research phase: queries over the mission's sources, the web where it is allowed, and earlier deliverables,
in rounds, until the questions are answered or the bounds are reached.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from frasier.llm import GapsInputs, Passage
from frasier.llm.replies import DecomposeReply, GapsReply
from frasier.memory import MemoryKind, Query, recall, tokenize
from frasier.org.planning import EARLIER_WORK
from frasier.store import Tx
from frasier.work.pipeline.context import StepContext
from frasier.work.pipeline.requests import gaps_request
from frasier.work.research.pages import PageReader
from frasier.work.research.selection import select_passages
from frasier.work.research.sources import SourceKind, add_source, find_passages, sources_of
from frasier.work.run import Run
from frasier.work.settings import PipelineSettings

_EARLIER_HITS = 4
_EARLIER_COVERAGE = 0.6  # of a query's words; what shares fewer is about something else
_SUFFICIENT_SOURCES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a step has to work with. `notes` tell what could not be read; `degraded` that it mattered."""

    passages: tuple[Passage, ...]
    queries: tuple[str, ...]
    rounds: int
    notes: tuple[str, ...] = ()
    degraded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round:
    """One round as it is stored: what was found, and what the gap analysis wants next."""

    passages: tuple[Passage, ...]
    notes: tuple[str, ...]
    pages_read: int
    next_queries: tuple[str, ...]


class Research:
    """Gathers passages for one step. `pages` reads the web for missions that may use it."""

    def __init__(self, *, settings: PipelineSettings, pages: PageReader) -> None:
        self._settings = settings
        self._pages = pages

    async def gather(self, run: Run, context: StepContext, plan: DecomposeReply) -> Findings:
        """What the mission's sources say on the plan's questions; for a step that reads no sources of its own,
        what the sources that its predecessors cite say on them.
        """
        queries = tuple(dict.fromkeys([*plan.queries, *plan.questions, context.title]))[
            : self._settings.queries_max
        ]
        if not context.researches:
            return await self._inherited(run, context, queries)
        notes: list[str] = []
        asked: list[str] = []
        passages: tuple[Passage, ...] = ()
        pages_left = self._settings.pages_max
        rounds = 0
        while queries and rounds < self._settings.rounds_max:
            rounds += 1
            asked += queries
            found = await self._round(run, context, plan, tuple(asked), queries, rounds, pages_left)
            passages, pages_left = found.passages, pages_left - found.pages_read
            notes += found.notes
            queries = tuple(query for query in found.next_queries if query not in asked)
        return Findings(
            passages=passages,
            queries=tuple(asked),
            rounds=rounds,
            notes=tuple(notes),
            degraded=bool(notes) and len({passage.number for passage in passages}) < _SUFFICIENT_SOURCES,
        )

    async def _inherited(self, run: Run, context: StepContext, queries: tuple[str, ...]) -> Findings:
        async def compute() -> Findings:
            async with run.database.transaction() as tx:
                found = [
                    await find_passages(
                        tx,
                        context.mission_id,
                        query,
                        limit=self._settings.passages_max,
                        only=context.inherited,
                    )
                    for query in queries
                ]
            return Findings(passages=self._select(found), queries=queries, rounds=1)

        return await run.checkpoint("research", (context, queries), Findings, compute)

    async def _round(
        self,
        run: Run,
        context: StepContext,
        plan: DecomposeReply,
        asked: tuple[str, ...],
        new_queries: tuple[str, ...],
        number: int,
        pages_left: int,
    ) -> _Round:
        phase = f"research-{number}"

        async def compute() -> _Round:
            notes: tuple[str, ...] = ()
            pages_read = 0
            if context.web_search:
                read = await self._pages.read(run, context, new_queries, most=pages_left)
                notes, pages_read = read.notes, read.pages
            passages = await self._local(run, context, asked)
            gaps = await self._find_gaps(run, context, plan, passages, phase)
            return _Round(passages=passages, notes=notes, pages_read=pages_read, next_queries=gaps)

        return await run.checkpoint(phase, (context, asked), _Round, compute)

    async def _local(self, run: Run, context: StepContext, queries: Sequence[str]) -> tuple[Passage, ...]:
        """Passages from everything the mission has read, after adopting what earlier missions found out."""
        async with run.fenced() as tx:
            # Where the founder named the documents, those are the sources, and nothing else slips in.
            if not context.has_documents:
                await _adopt_earlier_work(tx, context, queries)
            found = [
                await find_passages(tx, context.mission_id, query, limit=self._settings.passages_max)
                for query in queries
            ]
            if not any(found):
                # No word of the queries is in any source. What the sources are about must still be seen, so that
                # the result can say that they are silent instead of having read nothing.
                sources = await sources_of(tx, context.mission_id)
                found = [
                    [Passage(number=s.number, title=s.title, text=s.opening) for s in sources if s.opening]
                ]
        return self._select(found)

    async def _find_gaps(
        self, run: Run, context: StepContext, plan: DecomposeReply, passages: tuple[Passage, ...], phase: str
    ) -> tuple[str, ...]:
        """Queries that would fill what is missing; none where the passages suffice."""
        inputs = GapsInputs(task=context.task, questions=tuple(plan.questions), passages=passages)
        reply = await run.ask_for(GapsReply, gaps_request(inputs, system=context.system), phase)
        return () if reply.sufficient else tuple(reply.queries)

    def _select(self, found: Sequence[Sequence[Passage]]) -> tuple[Passage, ...]:
        return select_passages(
            found, most=self._settings.passages_max, per_source=self._settings.passages_per_source
        )


async def _adopt_earlier_work(tx: Tx, context: StepContext, queries: Sequence[str]) -> None:
    """Makes earlier missions' deliverables that fit into numbered sources of this mission."""
    for query in queries:
        hits = await recall(
            tx,
            Query(
                text=query, scopes=(EARLIER_WORK,), kinds=frozenset({MemoryKind.PASSAGE}), limit=_EARLIER_HITS
            ),
        )
        for hit in hits:
            origin = str(hit.memory.provenance["mission"])
            covered = len(set(hit.reasons)) / max(len(set(tokenize(query))), 1)
            if origin == str(context.mission_id) or covered < _EARLIER_COVERAGE:
                continue
            text = hit.memory.content
            await add_source(
                tx,
                context.mission_id,
                kind=SourceKind.DELIVERABLE,
                uri=f"frasier:mission/{origin}#{hit.memory.id}",
                title=f"Earlier mission: {hit.memory.title}",
                sha256=hashlib.sha256(text.encode()).hexdigest(),
                text=text,
            )
