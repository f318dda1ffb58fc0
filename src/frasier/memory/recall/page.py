"""The page of an answer: the best of a ranking, without what the session already has, within the token budget."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from psycopg.rows import DictRow

from frasier.kernel.humanize import plural
from frasier.kernel.text import shorten
from frasier.memory.access import Caller
from frasier.memory.graph.types import Relation
from frasier.memory.recall.candidates import NewerMemory
from frasier.memory.recall.excerpts import fold, places_of
from frasier.memory.recall.fusion import Arm
from frasier.memory.recall.ranking import Ranked, RankedMemory
from frasier.memory.recall.rendering import Counter, deliver
from frasier.memory.recall.request import RecallQuery
from frasier.memory.recall.types import Delivered, RecallAnswer, RecallHit, RecallRequest, Stub
from frasier.memory.sessions.dedupe import DeliveryCandidate, already_sent, fingerprint, mark_sent
from frasier.memory.sessions.lifecycle import open_session
from frasier.memory.sessions.types import SessionRules
from frasier.memory.types import Memory
from frasier.store import Statements, Tx, from_row

_sql = Statements("frasier.memory.recall")

BINDING_TOKENS = 2_000
_BINDING_MAX = 50
_LOOKAHEAD = 3
_OWED_COUNTED = 1_000
_UNKNOWN_SHOWN = 5
_EVIDENCE_CHARS_MAX = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ready:
    """A candidate with its memory and rendered text."""

    candidate: RankedMemory
    memory: Memory
    delivered: Delivered
    newer_note: str
    tokens: int  # of the text and the note
    fingerprint: bytes
    without_vector: bool

    @property
    def sendable(self) -> DeliveryCandidate:
        return DeliveryCandidate(memory_id=self.memory.id, fingerprint=self.fingerprint, tokens=self.tokens)


@dataclass(slots=True)
class _Page:
    """The page so far. `place` counts every candidate that could have been on the page."""

    limit: int
    budget: int | None
    ready: list[_Ready] = field(default_factory=list)
    seen: list[Stub] = field(default_factory=list)
    place: int = 0
    spent: int = 0
    saved: int = 0
    left_out: int = 0

    @property
    def full(self) -> bool:
        return len(self.ready) == self.limit or self.left_out == self.limit

    def take(self, entry: _Ready, *, sent: bool) -> None:
        """Add an entry to the page, unless the session has it or it exceeds the budget: a shorter one may still fit."""
        self.place += 1
        if sent:
            if self.place <= self.limit:
                self.seen.append(Stub(memory_id=entry.memory.id, title=entry.memory.title))
                self.saved += entry.tokens
        elif self.budget is not None and self.spent + entry.tokens > self.budget:
            self.left_out += 1
        else:
            self.ready.append(entry)
            self.spent += entry.tokens


async def answer(
    tx: Tx,
    caller: Caller,
    query: RecallQuery,
    request: RecallRequest,
    ranked: Ranked,
    *,
    counter: Counter,
    rules: SessionRules,
    dedupe: bool,
    cache_hit: bool,
    vectors: bool,
) -> RecallAnswer:
    """Return the best of the ranking that the session does not have yet, up to the requested number.

    With `vectors`, memories without a vector are counted.
    """
    session = request.session
    if session is not None:
        await open_session(tx, caller, session, scope=query.scopes[0], rules=rules)
    page = _Page(limit=request.limit, budget=request.max_tokens)
    # Binding memories are returned separately, and take no place of a hit however well they match.
    bound = await _binding_memories(tx, query) if request.binding else []
    binding = _fitting(bound, counter)
    binding_ids = {memory.id for memory in bound}
    similar = _similar_enough(ranked.candidates, request.min_similarity)
    remaining = tuple(candidate for candidate in similar if candidate.id not in binding_ids)
    withheld = session is not None and dedupe and not request.repeat
    # Counting tokens is slow, so more than the page is read only if the session may have some of it.
    reach = request.limit * (_LOOKAHEAD if withheld else 1)
    while remaining and not page.full:
        stretch, remaining = remaining[:reach], remaining[reach:]
        ready = await _load(tx, query, request, stretch, counter, ranked.words)
        sent: Mapping[bytes, datetime] = {}
        if session is not None and withheld:
            sent = await already_sent(tx, session, [entry.sendable for entry in ready], rules=rules)
        for entry in ready:
            if not page.full:
                page.take(entry, sent=entry.fingerprint in sent)
    if session is not None:
        sendable = [entry.sendable for entry in page.ready]
        await mark_sent(tx, session, sendable, asked_by=caller.name, rules=rules)
    hits = tuple(_hit(rank, entry, ranked, vectors=vectors) for rank, entry in enumerate(page.ready, start=1))
    owed = await _without_vector(tx, query) if vectors else 0
    return RecallAnswer(
        hits=hits,
        binding=binding,
        seen=tuple(page.seen),
        intent=ranked.intent,
        degraded=ranked.degraded,
        hints=_hints(request, ranked, hits, page, similar, owed),
        arms=ranked.arms,
        tokens=page.spent,
        tokens_saved=page.saved,
        left_out=page.left_out,
        cache_hit=cache_hit,
        reranked=ranked.reranked,
        without_vector=owed,
        took_ms={} if cache_hit else ranked.took_ms,
    )


def _similar_enough(
    candidates: Sequence[RankedMemory], min_similarity: float | None
) -> tuple[RankedMemory, ...]:
    """Return the candidates that are not known to be less similar than that."""
    if min_similarity is None:
        return tuple(candidates)
    return tuple(
        candidate
        for candidate in candidates
        if candidate.similarity_at_most is None or candidate.similarity_at_most >= min_similarity
    )


async def _load(
    tx: Tx,
    query: RecallQuery,
    request: RecallRequest,
    stretch: Sequence[RankedMemory],
    counter: Counter,
    words: Collection[str],
) -> list[_Ready]:
    """Load the memories of a stretch of the ranking that still exist, in order."""
    rows_found = await _sql.all(
        tx,
        "load_hits",
        nums=[candidate.num for candidate in stretch],
        scopes=list(query.scopes),
        earlier=query.as_of is not None,
    )
    rows: Mapping[int, DictRow] = {row["num"]: row for row in rows_found}
    ready = []
    for candidate in stretch:
        row = rows.get(candidate.num)
        if row is None:
            continue
        memory = from_row(Memory, row)
        delivered = deliver(memory, request.detail, request.anchors, counter, words)
        note = _newer_note(candidate.newer) if candidate.newer else ""
        ready.append(
            _Ready(
                candidate=candidate,
                memory=memory,
                delivered=delivered,
                newer_note=note,
                tokens=delivered.tokens + (counter.count(note) if note else 0),
                fingerprint=fingerprint(
                    row["content_hash"], anchors=delivered.anchors_found, detail=request.detail
                ),
                without_vector=row["without_vector"],
            )
        )
    return ready


async def _without_vector(tx: Tx, query: RecallQuery) -> int:
    row = await _sql.one(tx, "count_without_vector", scopes=list(query.scopes), limit=_OWED_COUNTED)
    return int(row["owed"])


async def _binding_memories(tx: Tx, query: RecallQuery) -> list[Memory]:
    """Load the constitutional memories, the most important first."""
    return await _sql.all_as(Memory, tx, "binding_memories", scopes=list(query.scopes), limit=_BINDING_MAX)


def _fitting(bound: Sequence[Memory], counter: Counter) -> tuple[Memory, ...]:
    """Return the binding memories, whole and in order, that fit their own budget."""
    chosen: list[Memory] = []
    left = BINDING_TOKENS
    for memory in bound:
        cost = counter.count(memory.content)
        if cost <= left:
            chosen.append(memory)
            left -= cost
    return tuple(chosen)


def _hit(rank: int, entry: _Ready, ranked: Ranked, *, vectors: bool) -> RecallHit:
    candidate = entry.candidate
    return RecallHit(
        memory=entry.memory,
        rank=rank,
        score=candidate.score,
        relevance=candidate.relevance,
        cosine=candidate.cosine,
        similarity=candidate.similarity,
        boost=candidate.boost,
        state=candidate.state,
        ranks=candidate.ranks,
        reason=_reason(entry, ranked),
        delivered=entry.delivered,
        without_vector=vectors and entry.without_vector,
        newer_id=candidate.newer.id if candidate.newer else None,
        newer_note=entry.newer_note,
    )


def _newer_note(newer: NewerMemory) -> str:
    evidence = shorten(newer.evidence, _EVIDENCE_CHARS_MAX)
    if newer.relation is Relation.CONTRADICTS:
        return f"A newer memory contradicts this one{f' ({evidence})' if evidence else ''}."
    return f"A newer memory says nearly the same, but differs in {evidence}."


_ARM_WORDS = {
    Arm.LEXICAL: "words",
    Arm.VECTOR: "meaning",
    Arm.CONTEXT: "what was said around it",
    Arm.GRAPH: "a link to another hit",
    Arm.TRIGGER: "a trigger phrase",
}


def _reason(entry: _Ready, ranked: Ranked) -> str:
    """Explain the hit: the arms that found it, the shared words, and its boosts."""
    candidate = entry.candidate
    if not candidate.ranks:
        return "saved or used most recently"
    arms = ", ".join(f"{_ARM_WORDS[arm]} (#{rank})" for arm, rank in candidate.ranks.items())
    parts = [f"found by {arms}"]
    if candidate.triggers:
        parts.append("called by " + ", ".join(f"“{phrase}”" for phrase in candidate.triggers))
    if shared := _shared(entry.memory.content, ranked.words):
        parts.append("shares " + ", ".join(shared[:8]))
    if candidate.boost.usage > 1:
        parts.append("used before")
    if candidate.boost.retrievability < 1:
        parts.append(f"{candidate.state}, {candidate.boost.retrievability:.0%} retained")
    return "; ".join(parts)


def _shared(content: str, words: Collection[str]) -> list[str]:
    """Return the words of a query that a text has as words of its own, in any form. To tokenize the text is slower."""
    folded = fold(content)
    return sorted(word for word in words if next(places_of(word, folded), None) is not None)


def _hints(
    request: RecallRequest,
    ranked: Ranked,
    hits: Sequence[RecallHit],
    page: _Page,
    similar: Sequence[RankedMemory],
    owed: int,
) -> tuple[str, ...]:
    hints = [f"Also looked for {guess}." for guess in ranked.guessed]
    if not ranked.candidates:
        longer = " a longer time," if request.occurred_from or request.occurred_before else ""
        hints.append(f"Try other words,{longer} more scopes, or kinds that are left out by default.")
    elif not hits and page.seen and not page.left_out:
        hints.append("Every match was already sent in this session; use repeat to get it again.")
    if hits and ranked.unknown_words:
        named = ", ".join(f"“{word}”" for word in ranked.unknown_words[:_UNKNOWN_SHOWN])
        word = "word" if len(ranked.unknown_words) == 1 else "words"
        hints.append(f"No memory of the searched scopes has the {word} {named}.")
    if page.left_out:
        hints.append(
            f"{plural(page.left_out, 'match', 'matches')} did not fit into {request.max_tokens} tokens. Allow more, or"
            " ask for less detail."
        )
    if owed:
        at_least = "At least " if owed == _OWED_COUNTED else ""
        hints.append(
            f"{at_least}{plural(owed, 'memory', 'memories')} of the searched scopes"
            f" {'has' if owed == 1 else 'have'} no vector yet and can be found by words only. Processes that serve"
            " the memory make the vectors in the background."
        )
    missing = sorted({anchor for hit in hits for anchor in hit.delivered.anchors_missing})
    if missing:
        hints.append(f"Some memories have no section {', '.join(missing)}: their beginning is shown instead.")
    return (*hints, *_similarity_hints(request, ranked.candidates, similar))


def _similarity_hints(
    request: RecallRequest, candidates: Sequence[RankedMemory], similar: Sequence[RankedMemory]
) -> tuple[str, ...]:
    """Tell how many candidates a minimum left out, or that none could be compared with it."""
    least = request.min_similarity
    if least is None or not candidates:
        return ()
    if all(candidate.similarity is None for candidate in candidates):
        return ("No similarity was compared, so min_similarity has left nothing out.",)
    fewer = len(candidates) - len(similar)
    if not fewer:
        return ()
    return (
        f"{plural(fewer, 'match', 'matches')} less similar than {least:g} {'is' if fewer == 1 else 'are'} left out.",
    )
