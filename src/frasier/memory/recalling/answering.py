"""From a ranking to an answer: the page, without what the session has, within the budget of tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from psycopg.rows import DictRow

from frasier.kernel.wording import plural
from frasier.memory.access import Caller
from frasier.memory.recalling.delivering import Counter, deliver
from frasier.memory.recalling.fusion import Arm
from frasier.memory.recalling.ranking import Candidate, Ranked
from frasier.memory.recalling.request import Sought
from frasier.memory.recalling.types import Answer, Delivered, RecallHit, RecallRequest, Stub
from frasier.memory.rows import memory_of
from frasier.memory.sessions import (
    DeliveryCandidate,
    SessionRules,
    already_sent,
    fingerprint,
    mark_sent,
    open_session,
)
from frasier.memory.types import Memory
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.recalling")

BINDING_TOKENS = 2_000
_BINDING_MAX = 50
_LOOKAHEAD = 3
_OWED_COUNTED = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ready:
    """A candidate with its memory and what of it would be handed over."""

    candidate: Candidate
    memory: Memory
    delivered: Delivered
    fingerprint: bytes
    without_vector: bool

    @property
    def sendable(self) -> DeliveryCandidate:
        return DeliveryCandidate(
            memory_id=self.memory.id, fingerprint=self.fingerprint, tokens=self.delivered.tokens
        )


@dataclass(slots=True)
class _Page:
    """What is handed over so far. `place` counts every candidate that could have stood on the page."""

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
        return len(self.ready) == self.limit or self.left_out > 0

    def take(self, one: _Ready, *, sent: bool) -> None:
        """Puts it on the page, unless the session has it or it passes the budget."""
        self.place += 1
        if sent:
            if self.place <= self.limit:
                self.seen.append(Stub(memory_id=one.memory.id, title=one.memory.title))
                self.saved += one.delivered.tokens
        elif self.budget is not None and self.spent + one.delivered.tokens > self.budget:
            self.left_out += 1
        else:
            self.ready.append(one)
            self.spent += one.delivered.tokens


async def answer(
    tx: Tx,
    caller: Caller,
    sought: Sought,
    request: RecallRequest,
    ranked: Ranked,
    *,
    counter: Counter,
    rules: SessionRules,
    dedupe: bool,
    cache_hit: bool,
    vectors: bool,
) -> Answer:
    """The best of the ranking that the session does not have yet, as many as asked for wherever there are so many.

    With `vectors` it tells what has none yet.
    """
    session = request.session
    if session is not None:
        await open_session(tx, caller, session, scope=sought.scopes[0], rules=rules)
    page = _Page(limit=request.limit, budget=request.max_tokens)
    # What binds everybody is handed over by itself, and takes no place of a hit however well it matches.
    bound = await _bound(tx, sought) if request.binding else []
    binding = _fitting(bound, counter)
    given = {memory.id for memory in bound}
    remaining = tuple(candidate for candidate in ranked.candidates if candidate.id not in given)
    withheld = session is not None and dedupe and not request.repeat
    # Counting tokens is what costs, so what is beyond the page is read only where the session may have some of it.
    reach = request.limit * (_LOOKAHEAD if withheld else 1)
    while remaining and not page.full:
        stretch, remaining = remaining[:reach], remaining[reach:]
        ready = await _load(tx, sought, request, stretch, counter)
        sent: Mapping[bytes, datetime] = {}
        if session is not None and withheld:
            sent = await already_sent(tx, session, [one.sendable for one in ready], rules=rules)
        for one in ready:
            if not page.full:
                page.take(one, sent=one.fingerprint in sent)
    if session is not None:
        sendable = [one.sendable for one in page.ready]
        await mark_sent(tx, session, sendable, asked_by=caller.name, rules=rules)
    hits = tuple(_hit(rank, one, ranked, vectors=vectors) for rank, one in enumerate(page.ready, start=1))
    owed = await _without_vector(tx, sought) if vectors else 0
    return Answer(
        hits=hits,
        binding=binding,
        seen=tuple(page.seen),
        intent=ranked.intent,
        degraded=ranked.degraded,
        hints=_hints(request, ranked, hits, page.left_out, owed),
        arms=ranked.arms,
        tokens=page.spent,
        tokens_saved=page.saved,
        left_out=page.left_out,
        cache_hit=cache_hit,
        reranked=ranked.reranked,
        without_vector=owed,
        took_ms={} if cache_hit else ranked.took_ms,
    )


async def _load(
    tx: Tx, sought: Sought, request: RecallRequest, stretch: Sequence[Candidate], counter: Counter
) -> list[_Ready]:
    """What is still there of a stretch of the ranking, in its order."""
    found = await _sql.all(
        tx, "load_hits", nums=[candidate.num for candidate in stretch], scopes=list(sought.scopes)
    )
    rows: Mapping[int, DictRow] = {row["num"]: row for row in found}
    ready = []
    for candidate in stretch:
        row = rows.get(candidate.num)
        if row is None:
            continue
        memory = memory_of(row)
        delivered = deliver(memory, request.detail, request.anchors, counter)
        ready.append(
            _Ready(
                candidate=candidate,
                memory=memory,
                delivered=delivered,
                fingerprint=fingerprint(
                    row["content_hash"], anchors=delivered.anchors_found, detail=request.detail
                ),
                without_vector=row["without_vector"],
            )
        )
    return ready


async def _without_vector(tx: Tx, sought: Sought) -> int:
    row = await _sql.one(tx, "count_without_vector", scopes=list(sought.scopes), most=_OWED_COUNTED)
    return int(row["owed"])


async def _bound(tx: Tx, sought: Sought) -> list[Memory]:
    """What is constitutional, the weightiest first."""
    rows = await _sql.all(tx, "binding_memories", scopes=list(sought.scopes), limit=_BINDING_MAX)
    return [memory_of(row) for row in rows]


def _fitting(bound: Sequence[Memory], counter: Counter) -> tuple[Memory, ...]:
    """As much of it, whole and in its order, as its own budget holds."""
    chosen: list[Memory] = []
    left = BINDING_TOKENS
    for memory in bound:
        cost = counter.count(memory.content)
        if cost <= left:
            chosen.append(memory)
            left -= cost
    return tuple(chosen)


def _hit(rank: int, one: _Ready, ranked: Ranked, *, vectors: bool) -> RecallHit:
    candidate = one.candidate
    return RecallHit(
        memory=one.memory,
        rank=rank,
        score=candidate.score,
        relevance=candidate.relevance,
        worth=candidate.worth,
        state=candidate.state,
        ranks=candidate.ranks,
        reason=_reason(one, ranked),
        delivered=one.delivered,
        without_vector=vectors and one.without_vector,
    )


_ARM_WORDS = {
    Arm.LEXICAL: "words",
    Arm.VECTOR: "meaning",
    Arm.CONTEXT: "what was said around it",
    Arm.GRAPH: "a link to another hit",
    Arm.TRIGGER: "a trigger phrase",
}


def _reason(one: _Ready, ranked: Ranked) -> str:
    """Why this memory, in words: what found it, by which words, and what raised it."""
    candidate = one.candidate
    if not candidate.ranks:
        return "saved or used most recently"
    found = ", ".join(f"{_ARM_WORDS[arm]} (#{rank})" for arm, rank in candidate.ranks.items())
    parts = [f"found by {found}"]
    if candidate.triggers:
        parts.append("called by " + ", ".join(f"“{phrase}”" for phrase in candidate.triggers))
    lowered = one.memory.content.casefold()
    if shared := sorted(word for word in ranked.words if word in lowered):
        parts.append("shares " + ", ".join(shared[:8]))
    if candidate.worth.usage > 1:
        parts.append("used before")
    if candidate.worth.retrievability < 1:
        parts.append(f"{candidate.state}, {candidate.worth.retrievability:.0%} retained")
    return "; ".join(parts)


def _hints(
    request: RecallRequest, ranked: Ranked, hits: Sequence[RecallHit], left_out: int, owed: int
) -> tuple[str, ...]:
    hints = [f"Also looked for {guess}." for guess in ranked.guessed]
    if not ranked.candidates:
        hints.append("Nothing matches. Try other words, more scopes, or kinds that are left out by default.")
    elif not hits and not left_out:
        hints.append("Everything that matches was given in this session already; repeat gives it again.")
    if left_out:
        hints.append(f"More matches had no room in {request.max_tokens} tokens.")
    if owed:
        most = "At least " if owed == _OWED_COUNTED else ""
        hints.append(
            f"{most}{plural(owed, 'memory', 'memories')} here {'has' if owed == 1 else 'have'} no vector yet and can be"
            " found by words only. Processes that serve the memory make the vectors in the background."
        )
    missing = sorted({anchor for hit in hits for anchor in hit.delivered.anchors_missing})
    if missing:
        hints.append(f"No section {', '.join(missing)} in some memories: their beginning is given instead.")
    return tuple(hints)
