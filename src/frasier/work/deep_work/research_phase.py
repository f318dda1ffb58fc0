"""The research phase: queries over the mission's sources, the web where it is allowed, and earlier deliverables,
in rounds, until the questions are answered or the bounds are reached.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from frasier.kernel.errors import CapabilityRefused
from frasier.kernel.humanize import plural
from frasier.kernel.text import estimate_tokens
from frasier.llm import GapsInputs, Passage, Tier
from frasier.llm.reply_schemas import DecomposeReply, GapsReply
from frasier.prompts import gaps_request
from frasier.store import Tx
from frasier.work.deep_work.context import StepContext
from frasier.work.research.earlier_work import find_earlier_work
from frasier.work.research.mission_sources import (
    SourceKind,
    add_source,
    find_passages,
    revoking_passages,
    sources_of,
    whole_sources,
)
from frasier.work.research.passage_selection import select_passages
from frasier.work.research.supersession import Companions, SourceHead, index_supersessions
from frasier.work.run_activity import describe_passages, describe_queries
from frasier.work.run_lease import Run
from frasier.work.run_web import PagesRead
from frasier.work.settings import PipelineSettings

_SUFFICIENT_SOURCES = 3
_REHEARSAL_CHARS_MAX = 600_000
_FULL_SHARE = 0.95  # of the room for passages: the next one would hardly fit


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The passages for a step. `notes` list what could not be read; `degraded` says that it mattered.

    `productive` are the queries that found one of the passages. `too_large` says why the step is too large for one
    worker; empty if it is not.
    """

    passages: tuple[Passage, ...]
    queries: tuple[str, ...]
    rounds: int
    productive: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    degraded: bool = False
    too_large: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Round:
    """The stored result of one round."""

    passages: tuple[Passage, ...]
    productive: tuple[str, ...]
    notes: tuple[str, ...]
    pages_read: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gaps:
    """The queries for the gaps after a round; none if its passages suffice."""

    queries: tuple[str, ...]
    too_large: bool = False


class Research:
    """A gatherer of passages for one step."""

    def __init__(self, *, settings: PipelineSettings) -> None:
        self._settings = settings

    async def gather(self, run: Run, context: StepContext, plan: DecomposeReply) -> Findings:
        """Gather passages on the plan's questions from the mission's sources; for a step without sources of its own,
        from those that its predecessors cite.
        """
        queries = tuple(dict.fromkeys([*plan.queries, *plan.questions, context.title]))[
            : self._settings.queries_max
        ]
        if not context.researches:
            return await self._inherited(run, context, queries)
        notes: list[str] = []
        earlier_queries: list[str] = []
        passages: tuple[Passage, ...] = ()
        productive: tuple[str, ...] = ()
        pages_left = self._settings.pages_max
        rounds = 0
        says_too_large = False
        while queries and rounds < self._settings.rounds_max:
            rounds += 1
            earlier_queries += queries
            round_result = await self._round(
                run, context, tuple(earlier_queries), queries, rounds, pages_left
            )
            passages, productive = round_result.passages, round_result.productive
            pages_left -= round_result.pages_read
            notes += round_result.notes
            gaps = await self._find_gaps(run, context, plan, round_result.passages, rounds)
            queries = tuple(query for query in gaps.queries if query not in earlier_queries)
            says_too_large = gaps.too_large
            if says_too_large:
                break
        return Findings(
            passages=passages,
            queries=tuple(earlier_queries),
            productive=productive,
            rounds=rounds,
            notes=tuple(notes),
            degraded=bool(notes) and len({passage.number for passage in passages}) < _SUFFICIENT_SOURCES,
            too_large=_why_too_large(
                says_too_large, len(queries), rounds, is_full=self._is_full(run, passages)
            ),
        )

    def _is_full(self, run: Run, passages: Sequence[Passage]) -> bool:
        """Whether the passages take all the room that there is for them."""
        room = run.gateway.route(Tier.T1).context_tokens * self._settings.passages_share
        taken = sum(estimate_tokens(passage.text) for passage in passages)
        return len(passages) >= self._settings.passages_max or taken >= _FULL_SHARE * room

    async def search_again(self, run: Run, context: StepContext, queries: tuple[str, ...]) -> Findings:
        """Search what the step may read and the mission has read so far; nothing new is fetched."""
        only = (context.documents or None) if context.researches else context.inherited
        rankings = await self._passages(run, context, queries, only=only)
        passages = await self._select(run, context, queries, rankings, only=only)
        return Findings(
            passages=passages, queries=queries, productive=_productive(queries, rankings, passages), rounds=1
        )

    async def of_revision(self, run: Run, context: StepContext, queries: tuple[str, ...]) -> Findings:
        """Search all that the mission has read, for what a new version asks for and for what the text answers."""

        async def compute() -> Findings:
            rankings = await self._passages(run, context, queries)
            passages = await self._select(run, context, queries, rankings, only=None)
            return Findings(passages=passages, queries=queries, rounds=1)

        return await run.checkpoint("research", (context, queries), Findings, compute)

    async def _inherited(self, run: Run, context: StepContext, queries: tuple[str, ...]) -> Findings:
        async def compute() -> Findings:
            return await self.search_again(run, context, queries)

        return await run.checkpoint(
            "research",
            (context, queries),
            Findings,
            compute,
            describe=lambda findings: describe_passages(findings.passages),
        )

    async def _round(
        self,
        run: Run,
        context: StepContext,
        earlier_queries: tuple[str, ...],
        new_queries: tuple[str, ...],
        number: int,
        pages_left: int,
    ) -> _Round:
        """Search the sources, and store the result before the gap analysis is paid for: a repeated search may find
        other passages, and so change the question.
        """

        async def compute() -> _Round:
            notes: tuple[str, ...] = ()
            pages_read = 0
            if context.web_search:
                read = await _read_web(run, context, new_queries, limit=pages_left)
                notes, pages_read = read.notes, read.pages
            passages, productive = await self._local(run, context, earlier_queries)
            return _Round(passages=passages, productive=productive, notes=notes, pages_read=pages_read)

        return await run.checkpoint(
            f"research-{number}",
            (context, earlier_queries),
            _Round,
            compute,
            describe=lambda done: describe_passages(done.passages, pages=done.pages_read),
        )

    async def _local(
        self, run: Run, context: StepContext, queries: Sequence[str]
    ) -> tuple[tuple[Passage, ...], tuple[str, ...]]:
        """Search everything the mission has read, after adopting the deliverables of earlier missions.

        Returns the passages, and the queries that found one of them.
        """
        only: Collection[int] | None = context.documents or None
        if context.uses_earlier_results:
            async with run.fenced() as tx:
                await _adopt_earlier_work(tx, context, queries, rehearsed=run.gateway.is_rehearsal)
                if only is not None:
                    only = {*only, *await _adopted(tx, context)}
        rankings = await self._passages(run, context, queries, only=only)
        if not any(rankings):
            # No source answers. The beginnings of the sources are still shown, so that the result can say that they
            # are silent instead of having read nothing.
            async with run.database.transaction() as tx:
                sources = await sources_of(tx, context.mission_id)
            rankings = [
                [
                    Passage(number=source.number, title=source.title, text=source.opening)
                    for source in sources
                    if source.opening and (only is None or source.number in only)
                ]
            ]
            return await self._select(run, context, queries, rankings, only=only), ()
        passages = await self._select(run, context, queries, rankings, only=only)
        return passages, _productive(queries, rankings, passages)

    async def _passages(
        self,
        run: Run,
        context: StepContext,
        queries: Sequence[str],
        *,
        only: Collection[int] | None = None,
    ) -> list[list[Passage]]:
        """Return the passages for each query, in their order."""
        limit = self._settings.passages_max
        index = await run.source_index()
        return [
            await find_passages(index, context.mission_id, query, limit=limit, only=only) for query in queries
        ]

    async def _find_gaps(
        self, run: Run, context: StepContext, plan: DecomposeReply, passages: tuple[Passage, ...], number: int
    ) -> _Gaps:
        inputs = GapsInputs(brief=context.brief, questions=tuple(plan.questions), passages=passages)
        phase = f"gaps-{number}"

        async def compute() -> _Gaps:
            reply = await run.ask_for(GapsReply, gaps_request(inputs, system=context.system), phase)
            return _Gaps(queries=() if reply.sufficient else tuple(reply.queries), too_large=reply.too_large)

        return await run.checkpoint(
            phase, (context, inputs), _Gaps, compute, describe=lambda gaps: describe_queries(gaps.queries)
        )

    async def _select(
        self,
        run: Run,
        context: StepContext,
        queries: Sequence[str],
        rankings: Sequence[Sequence[Passage]],
        *,
        only: Collection[int] | None,
    ) -> tuple[Passage, ...]:
        """Select the passages for the prompts, those that supersede each other together.

        The rehearsal reads whole sources: it has no context to fill.
        """
        superseding, companions = await self._supersessions(run, context, queries, rankings, only=only)
        # T1 reads the passages, too: when it looks for gaps, and as the critic.
        tokens = run.gateway.route(Tier.T1).context_tokens
        selected = select_passages(
            [*rankings, superseding],
            limit=self._settings.passages_max,
            tokens_max=int(tokens * self._settings.passages_share),
            per_source=self._settings.passages_per_source,
            companions=companions,
        )
        if not run.gateway.is_rehearsal:
            return selected
        async with run.database.transaction() as tx:
            whole = await whole_sources(
                tx,
                context.mission_id,
                first={passage.number for passage in selected},
                only=only,
                chars_max=_REHEARSAL_CHARS_MAX,
            )
        numbers = {passage.number for passage in whole}
        rest = (passage for passage in selected if passage.number not in numbers)
        return tuple(sorted([*whole, *rest], key=lambda passage: passage.number))

    async def _supersessions(
        self,
        run: Run,
        context: StepContext,
        queries: Sequence[str],
        rankings: Sequence[Sequence[Passage]],
        *,
        only: Collection[int] | None,
    ) -> tuple[list[Passage], Companions]:
        """Return the passages that supersede others on the step's subject, best first, and what is read together.

        A revocation may stand in a document that the step was not given.
        """
        async with run.database.transaction() as tx:
            sources = await sources_of(tx, context.mission_id)
            revoking = await revoking_passages(tx, context.mission_id)

        def compute() -> tuple[list[Passage], Companions]:
            heads = tuple(
                SourceHead(number=source.number, title=source.title, uri=source.uri, opening=source.opening)
                for source in sources
            )
            index = index_supersessions(heads, tuple(revoking))
            best = {head.number: head.passage for head in heads if head.opening}
            for passage in reversed([one for one in chain.from_iterable(zip_longest(*rankings)) if one]):
                best[passage.number] = passage
            ranked = index.rank("\n".join([context.title, *queries]))
            return (
                [passage for passage in ranked if only is None or passage.number in only],
                Companions(supersessions=index.supersessions, best=best),
            )

        # Thousands of sources take seconds, in which the lease must be renewed.
        return await asyncio.to_thread(compute)


async def _read_web(run: Run, context: StepContext, queries: Sequence[str], *, limit: int) -> PagesRead:
    """Read pages; of a run that may not, the reason is a note, and the step goes on with what it has."""
    try:
        pages = await run.pages()
    except CapabilityRefused as refused:
        return PagesRead(pages=0, notes=(refused.message,))
    return await pages.read(run, context, queries, limit=limit)


def _why_too_large(says_so: bool, gaps: int, rounds: int, *, is_full: bool) -> str:
    """Return why a step is too large for one worker, from what is still open after research; empty if it is not."""
    if says_so:
        return "whoever looked through its passages says that it asks for more than one text can answer."
    # Without a full prompt the sources are silent, and several workers would not find more.
    if not (gaps and is_full):
        return ""
    return (
        f"after {plural(rounds, 'round')} of research its passages take all the room that there is for them, and"
        f" {plural(gaps, 'gap')} {'is' if gaps == 1 else 'are'} open."
    )


def _productive(
    queries: Sequence[str], rankings: Sequence[Sequence[Passage]], passages: Sequence[Passage]
) -> tuple[str, ...]:
    """Return the queries that found one of the passages. A rehearsal reads whole sources, so sources are compared."""
    selected = {passage.number for passage in passages}
    return tuple(
        query
        for query, ranking in zip(queries, rankings, strict=True)
        if any(passage.number in selected for passage in ranking)
    )


async def _adopted(tx: Tx, context: StepContext) -> list[int]:
    """Return the numbers of the sources that are results of earlier missions."""
    sources = await sources_of(tx, context.mission_id)
    return [source.number for source in sources if source.kind == SourceKind.DELIVERABLE]


async def _adopt_earlier_work(
    tx: Tx, context: StepContext, queries: Sequence[str], *, rehearsed: bool
) -> None:
    """Turn matching deliverables of earlier missions into numbered sources of this mission."""
    for query in queries:
        for passage in await find_earlier_work(tx, query, mission_id=context.mission_id, rehearsed=rehearsed):
            origin, text = passage.provenance["mission"], passage.content
            await add_source(
                tx,
                context.mission_id,
                kind=SourceKind.DELIVERABLE,
                uri=f"frasier:mission/{origin}#{passage.id}",
                title=f"Earlier mission: {passage.title}",
                sha256=hashlib.sha256(text.encode()).hexdigest(),
                text=text,
            )
