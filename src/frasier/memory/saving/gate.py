"""The gate: what becomes of a new memory that resembles those that are there. Pure.

    the same said again                     → reinforced: the one that is there counts it
    ≥ 0.90, the opposite of one's own       → superseded: saved, and the old one is retired
    ≥ 0.90, one's own, said anew            → updated in place; the old wording is kept as a version
    ≥ 0.70                                  → linked: saved beside the up to three that it is about
    otherwise                               → created

It errs towards keeping both. Only the author's own memory is ever changed or retired, and none that binds
everybody or that stands in a file; a number, date or name that would be gone keeps both, because nobody can tell a
new value from another thing; and whatever another memory does not say already is not "the same".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from uuid import UUID

from frasier.kernel.tokens import tokenize
from frasier.memory.graph import Relation
from frasier.memory.intake import FOUNDERS_TIERS
from frasier.memory.saving.contradiction import find_contradiction
from frasier.memory.saving.facts import differing_facts, lost_identities
from frasier.memory.saving.similarity import term_similarity
from frasier.memory.scopes import FOUNDER_SCOPE
from frasier.memory.types import ImportanceTier, MemoryKind, NewMemory

SAME = 0.95
ALIKE = 0.90
RELATED = 0.70
RELATED_MAX = 3

UNGATED = frozenset({MemoryKind.CONVERSATION, MemoryKind.MARKER, MemoryKind.PASSAGE})
"""A record of its moment, or a part of a document: the same again is another."""

_RANK = {tier: rank for rank, tier in enumerate(reversed(ImportanceTier))}


class Action(StrEnum):
    """What was done with a memory that somebody saved."""

    CREATED = "created"
    LINKED = "linked"
    UPDATED = "updated"
    SUPERSEDED = "superseded"
    REINFORCED = "reinforced"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory that is there. `author` is who saved it, where no agent did; `version` guards against a change.

    `over` says that it held until a time that is past.
    """

    id: UUID
    scope: str
    kind: MemoryKind
    content: str
    title: str = ""
    tags: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    tier: ImportanceTier = ImportanceTier.NORMAL
    importance: int = 5
    agent_id: UUID | None = None
    task_id: UUID | None = None
    author: str | None = None
    from_file: bool = False
    speaker: str | None = None
    occurred_at: datetime | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    over: bool = False
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A memory that the new one is linked to. `pair` names the opposites where they contradict each other."""

    id: UUID
    similarity: float
    relation: Relation
    pair: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """The verdict. `existing` is the memory that is reinforced, updated or retired, else the nearest one, if any.

    `similarity` (0 to 1) is that of `existing`. `differing` are the numbers, dates and names that kept it from being
    updated.
    """

    action: Action
    reason: str
    existing: Candidate | None = None
    similarity: float = 0.0
    contradiction: str = ""
    related: tuple[Related, ...] = ()
    differing: frozenset[str] = field(default_factory=frozenset)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    candidate: Candidate
    similarity: float
    pair: str


def decide(
    new: NewMemory,
    candidates: Sequence[Candidate],
    *,
    author: str | None = None,
    founder: bool = False,
    gate: bool = True,
) -> Admission:
    """What becomes of `new`, saved by `author`, given the memories of its scope that may resemble it.

    Without `gate` only what the schema holds for one memory is: the same content of the same kind and agent.
    """
    if new.kind in UNGATED:
        return Admission(action=Action.CREATED, reason="Memories of this kind may repeat.")
    twin = next((candidate for candidate in candidates if _is_twin(new, candidate)), None)
    if twin is not None:
        return _said_again(new, twin, own=_is_own(new, twin, author=author, founder=founder))
    if not gate or new.thread is not None:
        return Admission(action=Action.CREATED, reason="Saved without being compared.")
    compared = _compare(new, candidates)
    for one in compared:
        if one.similarity >= ALIKE and (admission := _takes_place(new, one, author=author, founder=founder)):
            return admission
    return _beside(new, compared)


def is_compared(new: NewMemory) -> bool:
    """Whether the gate looks for what resembles it: not for turns, markers, passages and what is part of a thread."""
    return new.kind not in UNGATED and new.thread is None


def _is_twin(new: NewMemory, candidate: Candidate) -> bool:
    """Whether the schema holds both for one memory."""
    return (
        candidate.content == new.content
        and (candidate.scope, candidate.kind, candidate.agent_id) == (new.scope, new.kind, new.agent_id)
        and not candidate.from_file
    )


def _said_again(new: NewMemory, twin: Candidate, *, own: bool) -> Admission:
    """The very same words; what is new beside them, labels and phrases, the author's own memory takes up."""
    another = _another_occasion(new, twin) or _another_window(new, twin)
    if own and not another and not twin.over and not _says_no_more(new, twin):
        reason = "Says what a memory of your own says, which takes up what is new beside the words."
        return Admission(action=Action.UPDATED, reason=reason, existing=twin, similarity=1.0)
    reason = "Says the very same as a memory that is there."
    return Admission(action=Action.REINFORCED, reason=reason, existing=twin, similarity=1.0)


def _beside(new: NewMemory, compared: Sequence[_Compared]) -> Admission:
    """Saved in its own right, with an edge to what it is about."""
    near = [one for one in compared if one.similarity >= RELATED][:RELATED_MAX]
    if not near:
        nearest = compared[0] if compared else None
        return Admission(
            action=Action.CREATED,
            reason="Nothing like it is there.",
            similarity=nearest.similarity if nearest else 0.0,
        )
    nearest = near[0]
    differing = _set_apart_by(new.content, nearest.candidate.content)
    return Admission(
        action=Action.LINKED,
        reason=_why_beside(nearest, differing),
        existing=nearest.candidate,
        similarity=nearest.similarity,
        contradiction=nearest.pair,
        related=tuple(_related(one) for one in near),
        differing=differing,
    )


def _set_apart_by(new: str, old: str) -> frozenset[str]:
    """The numbers, dates and names of `old` that alone keep the texts from being nearly the same."""
    lost = lost_identities(old, new)
    if not lost:
        return lost
    apart = differing_facts(old, new)
    mine, theirs = ([term for term in tokenize(text) if term not in apart] for text in (new, old))
    return lost if term_similarity(mine, theirs) >= ALIKE else frozenset()


def _compare(new: NewMemory, candidates: Sequence[Candidate]) -> list[_Compared]:
    """The candidates with their similarity, nearest first, one's own before another's."""
    terms = tokenize(new.content)
    compared: list[_Compared] = []
    for candidate in candidates:
        if candidate.kind in UNGATED or candidate.scope != new.scope:
            continue
        alike = (
            1.0 if candidate.content == new.content else term_similarity(terms, tokenize(candidate.content))
        )
        opposed = find_contradiction(new.content, candidate.content) if alike >= RELATED else None
        compared.append(
            _Compared(candidate=candidate, similarity=alike, pair=opposed.pair if opposed else "")
        )

    def nearness(one: _Compared) -> tuple[float, bool, bool, UUID]:
        same_kind = one.candidate.kind is new.kind
        return -one.similarity, not same_kind, one.candidate.agent_id != new.agent_id, one.candidate.id

    return sorted(compared, key=nearness)


def _takes_place(new: NewMemory, one: _Compared, *, author: str | None, founder: bool) -> Admission | None:
    """How `new` takes the place of a memory that is nearly the same, or None: both are kept."""
    old = one.candidate
    if old.kind is not new.kind or _another_occasion(new, old):
        return None
    own = _is_own(new, old, author=author, founder=founder)
    if one.pair:
        if own and _may_follow(new, old):
            return _touching(
                Action.SUPERSEDED,
                one,
                f"Says the opposite of a memory of your own ({one.pair}), which is retired.",
            )
        return None
    if _another_window(new, old):
        return None
    said_already = one.similarity >= SAME and not old.from_file and _says_no_more(new, old)
    if said_already and (own or not _heavier(new, old)):
        return _touching(Action.REINFORCED, one, "Says the same as a memory that is there.")
    if own and not lost_identities(old.content, new.content):
        return _touching(
            Action.UPDATED,
            one,
            "Says anew what a memory of your own says, which is replaced; its old wording is kept.",
        )
    return None


def _touching(action: Action, one: _Compared, reason: str) -> Admission:
    return Admission(
        action=action,
        reason=reason,
        existing=one.candidate,
        similarity=one.similarity,
        contradiction=one.pair,
    )


def _is_own(new: NewMemory, old: Candidate, *, author: str | None, founder: bool) -> bool:
    """Whether the author may have it changed by merely saving: its own, and nothing that binds or stands in a file."""
    if old.from_file or old.kind is MemoryKind.DIRECTIVE or old.tier in FOUNDERS_TIERS:
        return False
    if old.scope == FOUNDER_SCOPE and not founder:
        return False
    if old.agent_id is None and new.agent_id is None:
        return author is not None and old.author == author
    return old.agent_id == new.agent_id


def _another_occasion(new: NewMemory, old: Candidate) -> bool:
    """Whether both tell when, by whom or as the work of which task it was, and not the same."""
    pairs: list[tuple[object, object]] = [(new.occurred_at, old.occurred_at), (new.speaker, old.speaker)]
    if new.kind is MemoryKind.TASK:
        pairs.append((new.task_id, old.task_id))
    return any(mine is not None and theirs is not None and mine != theirs for mine, theirs in pairs)


def _another_window(new: NewMemory, old: Candidate) -> bool:
    """Whether both tell since when or until when it holds, and not the same."""
    pairs = [(new.valid_from, old.valid_from), (new.valid_until, old.valid_until)]
    return any(mine is not None and theirs is not None and mine != theirs for mine, theirs in pairs)


def _may_follow(new: NewMemory, old: Candidate) -> bool:
    """Whether `new` can end `old` for good: no lighter, not for a while only, and not from an earlier time."""
    begins_earlier = new.valid_from and old.valid_from and _aware(new.valid_from) < _aware(old.valid_from)
    return _RANK[new.tier] >= _RANK[old.tier] and new.valid_until is None and not begins_earlier


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _says_no_more(new: NewMemory, old: Candidate) -> bool:
    """Whether everything that `new` says, and is found by, is in `old` already."""
    tells_when = ("occurred_at", "valid_from", "valid_until", "speaker")
    if any(getattr(new, name) is not None and getattr(old, name) is None for name in tells_when):
        return False
    if not set(new.triggers) <= set(old.triggers) or differing_facts(new.content, old.content):
        return False
    said = {*tokenize(old.title), *tokenize(old.content), *tokenize(" ".join(old.tags))}
    return said.issuperset((*tokenize(new.title), *tokenize(new.content), *tokenize(" ".join(new.tags))))


def _heavier(new: NewMemory, old: Candidate) -> bool:
    return _RANK[new.tier] > _RANK[old.tier] or new.importance > old.importance


def _related(one: _Compared) -> Related:
    relation = Relation.CONTRADICTS if one.pair else Relation.SUPPORTS
    return Related(id=one.candidate.id, similarity=one.similarity, relation=relation, pair=one.pair)


def _why_beside(nearest: _Compared, differing: frozenset[str]) -> str:
    if nearest.pair:
        return f"Contradicts a memory that is there ({nearest.pair}); both are kept."
    if differing:
        return f"Differs from a memory that is there in {', '.join(sorted(differing)[:5])}; both are kept."
    return "Resembles what is there, and is linked to it."
