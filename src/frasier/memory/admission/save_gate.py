"""The gate, which decides how to save a new memory that resembles existing ones. Pure.

    the same content again                  → reinforced: counted on the existing memory
    ≥ 0.90, denies all of one's own         → superseded: saved, and the old one is retired
    ≥ 0.90, says all of one's own and more  → updated in place; the old wording is kept as a version
    ≥ 0.70, or one word is another          → linked: saved, with edges to up to three related memories
    otherwise                               → created

It errs towards keeping both. Only the author's own memory is ever changed or retired, and never one that is binding or
stored in a file. If the new one states something else (see differences) or leaves a word out, both are kept, because a
new value cannot be distinguished from another thing; a contradiction retires nothing that it neither denies word for
word nor restates (see denial); and a memory that adds anything is not "the same". Nor is one of another time or of
another speaker.

A contradiction is compared without the words that contradict each other, so that "no longer" does not keep a short
sentence from being linked to what it denies, or from replacing it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from frasier.kernel.tokenizer import tokenize, words_and_terms
from frasier.kernel.utc import in_utc
from frasier.memory.admission.contradiction import find_contradiction, subject_terms
from frasier.memory.admission.denial import denies
from frasier.memory.admission.differences import differing_statements, left_out_words
from frasier.memory.admission.key_words import differing_facts, facts_of
from frasier.memory.admission.similarity import term_similarity
from frasier.memory.graph.types import Relation
from frasier.memory.scopes import FOUNDER_SCOPE
from frasier.memory.types import (
    OCCASION,
    REPEATABLE,
    VALIDITY,
    ImportanceTier,
    MemoryAttributes,
    MemoryKind,
    NewMemory,
)
from frasier.memory.validation import is_binding

SAME = 0.95
ALIKE = 0.90
RELATED = 0.70
RELATED_MAX = 3
_NAMED_MAX = 5
_SHARED_MIN = 2  # terms of texts that differ in one

_EXTENDED = "Your own memory already says this; its labels and phrases were extended."
_RANK = {tier: rank for rank, tier in enumerate(reversed(ImportanceTier))}


class GateAction(StrEnum):
    """The gate's action for a saved memory."""

    CREATED = "created"
    LINKED = "linked"
    UPDATED = "updated"
    SUPERSEDED = "superseded"
    REINFORCED = "reinforced"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExistingMemory(MemoryAttributes):
    """An existing memory to compare with. `author` saved it, if no agent did; `version` detects a change.

    `over` is true if its validity has ended.
    """

    id: UUID
    author: str | None = None
    from_file: bool = False
    over: bool = False
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A memory that the new one is linked to. `pair` names the opposites if they contradict each other.

    `differing` tells in what else the new one differs from a memory that says nearly the same: the words of that and,
    after an arrow, its own.
    """

    id: UUID
    similarity: float
    relation: Relation
    pair: str = ""
    differing: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """The gate's verdict. `existing` is the memory to reinforce, update or retire, else the nearest one, if any.

    `similarity` (0 to 1) is that of `existing`. `differing` is what prevented an update: numbers, names and the like.
    """

    action: GateAction
    reason: str
    existing: ExistingMemory | None = None
    similarity: float = 0.0
    contradiction: str = ""
    related: tuple[Related, ...] = ()
    differing: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    candidate: ExistingMemory
    similarity: float
    pair: str
    subject_similarity: float  # that of the texts without what contradicts; 0 if nothing does

    @property
    def relatedness(self) -> float:
        return max(self.similarity, self.subject_similarity)


def decide(
    new: NewMemory,
    candidates: Sequence[ExistingMemory],
    *,
    author: str | None = None,
    founder: bool = False,
    gate: bool = True,
) -> Admission:
    """Decide how to save `new` of `author`, given the memories of its scope that may resemble it.

    Without `gate` only duplicates by the schema are merged: the same content of the same kind and agent.
    """
    if new.kind in REPEATABLE:
        return Admission(action=GateAction.CREATED, reason="Memories of this kind may repeat.")
    twin = next((candidate for candidate in candidates if _is_twin(new, candidate)), None)
    if twin is not None:
        return _repeated(new, twin, own=_is_own(new, twin, author=author, founder=founder))
    if not gate or new.thread is not None:
        return Admission(action=GateAction.CREATED, reason="Saved without a comparison.")
    compared = _compare(new, candidates)
    for match in compared:
        if match.relatedness >= ALIKE and (
            admission := _replaced(new, match, author=author, founder=founder)
        ):
            return admission
    return _beside(new, compared)


def is_compared(new: NewMemory) -> bool:
    """Return whether the gate compares a memory: not turns, markers, passages and parts of a thread."""
    return new.kind not in REPEATABLE and new.thread is None


def _is_twin(new: NewMemory, candidate: ExistingMemory) -> bool:
    """Return whether the schema treats both as one memory."""
    return (
        candidate.content == new.content
        and (candidate.scope, candidate.kind, candidate.agent_id) == (new.scope, new.kind, new.agent_id)
        and all(_moment(getattr(new, name)) == _moment(getattr(candidate, name)) for name in OCCASION)
        and not candidate.from_file
    )


def _repeated(new: NewMemory, twin: ExistingMemory, *, own: bool) -> Admission:
    """Return the verdict for identical content; new labels and phrases are added to the author's own memory."""
    if own and not _another_window(new, twin) and not twin.over and not _says_no_more(new, twin):
        return Admission(action=GateAction.UPDATED, reason=_EXTENDED, existing=twin, similarity=1.0)
    reason = "An existing memory has exactly this content."
    return Admission(action=GateAction.REINFORCED, reason=reason, existing=twin, similarity=1.0)


def _beside(new: NewMemory, compared: Sequence[_Compared]) -> Admission:
    """Return the verdict to save a memory of its own, linked to related ones."""
    near = [match for match in compared if _is_near(new, match)][:RELATED_MAX]
    if not near:
        nearest = compared[0] if compared else None
        return Admission(
            action=GateAction.CREATED,
            reason="No similar memory exists.",
            similarity=nearest.similarity if nearest else 0.0,
        )
    nearest = near[0]
    related = tuple(_related(new, match) for match in near)
    differing = related[0].differing
    return Admission(
        action=GateAction.LINKED,
        reason=_why_beside(new, nearest, differing),
        existing=nearest.candidate,
        similarity=nearest.similarity,
        contradiction=nearest.pair,
        related=related,
        differing=differing,
    )


def _is_near(new: NewMemory, match: _Compared) -> bool:
    """Return whether the texts resemble each other: also short ones that differ in one word at the same place."""
    if match.relatedness >= RELATED:
        return True
    mine, theirs = tokenize(new.content), tokenize(match.candidate.content)
    same = sum(here == there for here, there in zip(mine, theirs, strict=False))
    return len(mine) == len(theirs) == same + 1 and same >= _SHARED_MIN


def _difference(new: str, old: str) -> str:
    """Return the words of `old` that alone set the texts apart, an arrow, and those of `new`; empty if others do."""
    replaced, instead = _set_apart_by(new, old), _set_apart_by(old, new)
    sides = (replaced, instead - replaced) if replaced else ()
    return " → ".join(", ".join(sorted(words)[:_NAMED_MAX]) for words in sides if words)


def _set_apart_by(new: str, old: str) -> frozenset[str]:
    """Return the differences that are the only reason why the texts are not nearly the same, in words of `old`."""
    differing = differing_statements(old, new) or left_out_words(old, new)
    if not differing:
        return differing
    apart = {term for word in differing_facts(old, new) for term in (word, *tokenize(word))}
    mine, theirs = ([term for term in tokenize(text) if term not in apart] for text in (new, old))
    if term_similarity(mine, theirs) < ALIKE:
        return frozenset()
    words = {term: word for word, term in words_and_terms(old)}
    return frozenset(words.get(name, name) for name in differing)


def _compare(new: NewMemory, candidates: Sequence[ExistingMemory]) -> list[_Compared]:
    """Return the candidates with their similarity, nearest first, one's own before others'."""
    terms = tokenize(new.content)
    compared: list[_Compared] = []
    for candidate in candidates:
        if candidate.kind in REPEATABLE or candidate.scope != new.scope:
            continue
        alike = (
            1.0 if candidate.content == new.content else term_similarity(terms, tokenize(candidate.content))
        )
        of_subject = _subject_similarity(terms, candidate)
        comparable = alike >= RELATED or of_subject >= ALIKE
        opposed = find_contradiction(new.content, candidate.content) if comparable else None
        compared.append(
            _Compared(
                candidate=candidate,
                similarity=alike,
                pair=opposed.pair if opposed else "",
                subject_similarity=of_subject if opposed else 0.0,
            )
        )

    def nearness(match: _Compared) -> tuple[float, bool, bool, UUID]:
        same_kind = match.candidate.kind is new.kind
        return -match.similarity, not same_kind, match.candidate.agent_id != new.agent_id, match.candidate.id

    return sorted(compared, key=nearness)


def _subject_similarity(terms: Sequence[str], candidate: ExistingMemory) -> float:
    return term_similarity(subject_terms(terms), subject_terms(tokenize(candidate.content)))


def _replaced(new: NewMemory, match: _Compared, *, author: str | None, founder: bool) -> Admission | None:
    """Return the verdict if `new` replaces a memory that is nearly the same, or None if both are kept."""
    old = match.candidate
    if old.kind is not new.kind or _another_occasion(new, old):
        return None
    own = _is_own(new, old, author=author, founder=founder)
    if match.pair:
        if own and _may_follow(new, old) and _is_denial(new, old):
            return _verdict(
                GateAction.SUPERSEDED,
                match,
                f"Contradicts your own memory ({match.pair}), which is retired.",
            )
        return None
    if _another_window(new, old):
        return None
    if differing_statements(old.content, new.content):
        return None
    adds_nothing = match.similarity >= SAME and not old.from_file and _says_no_more(new, old)
    if adds_nothing and (own or not _heavier(new, old)):
        return _verdict(GateAction.REINFORCED, match, "Says the same as a memory that is there.")
    if own and not left_out_words(old.content, new.content):
        reworded = "Rephrases your own memory, which is updated; its old wording is kept as a version."
        return _verdict(GateAction.UPDATED, match, _EXTENDED if old.content == new.content else reworded)
    return None


def _is_denial(new: NewMemory, old: ExistingMemory) -> bool:
    """Return whether `new` denies all that `old` states and does not restate, under no other title or labels."""
    if new.tags and old.tags and set(new.tags).isdisjoint(old.tags):
        return False
    same_title = (
        not new.title or not old.title or facts_of(new.title).sequence == facts_of(old.title).sequence
    )
    return (same_title or denies(old.title, new.title)) and denies(old.content, new.content)


def _verdict(action: GateAction, match: _Compared, reason: str) -> Admission:
    return Admission(
        action=action,
        reason=reason,
        existing=match.candidate,
        similarity=match.similarity,
        contradiction=match.pair,
    )


def _is_own(new: NewMemory, old: ExistingMemory, *, author: str | None, founder: bool) -> bool:
    """Return whether a save may change it: the author's own memory, neither binding nor stored in a file."""
    if old.from_file or is_binding(old.kind, old.tier):
        return False
    if old.scope == FOUNDER_SCOPE and not founder:
        return False
    if old.agent_id is None and new.agent_id is None:
        return author is not None and old.author == author
    return old.agent_id == new.agent_id


def _another_occasion(new: NewMemory, old: ExistingMemory) -> bool:
    """Return whether both state an occasion (a time, a person), or a task's memory its task, and these differ."""
    return _differ(new, old, (*OCCASION, "task_id") if new.kind is MemoryKind.TASK else OCCASION)


def _another_window(new: NewMemory, old: ExistingMemory) -> bool:
    """Return whether both state a start or end of validity, and these differ."""
    return _differ(new, old, VALIDITY)


def _differ(new: NewMemory, old: ExistingMemory, names: Iterable[str]) -> bool:
    pairs = ((getattr(new, name), getattr(old, name)) for name in names)
    return any(
        mine is not None and theirs is not None and _moment(mine) != _moment(theirs) for mine, theirs in pairs
    )


def _moment(value: object) -> object:
    """Return a time without a time zone as one in UTC, and any other value as it is."""
    return in_utc(value) if isinstance(value, datetime) else value


def _may_follow(new: NewMemory, old: ExistingMemory) -> bool:
    """Return whether `new` can retire `old`: not of a lower tier, not temporary, and not from an earlier time."""
    begins_earlier = new.valid_from and old.valid_from and in_utc(new.valid_from) < in_utc(old.valid_from)
    return _RANK[new.tier] >= _RANK[old.tier] and new.valid_until is None and not begins_earlier


def _says_no_more(new: NewMemory, old: ExistingMemory) -> bool:
    """Return whether `old` already has all words, triggers and times of `new`."""
    if any(getattr(new, name) is not None and getattr(old, name) is None for name in (*OCCASION, *VALIDITY)):
        return False
    if not set(new.triggers) <= set(old.triggers) or differing_facts(new.content, old.content):
        return False
    known_terms = {*tokenize(old.title), *tokenize(old.content), *tokenize(" ".join(old.tags))}
    return known_terms.issuperset(
        (*tokenize(new.title), *tokenize(new.content), *tokenize(" ".join(new.tags)))
    )


def _heavier(new: NewMemory, old: ExistingMemory) -> bool:
    return _RANK[new.tier] > _RANK[old.tier] or new.importance > old.importance


def _related(new: NewMemory, match: _Compared) -> Related:
    old = match.candidate
    return Related(
        id=old.id,
        similarity=match.similarity,
        relation=Relation.CONTRADICTS if match.pair else Relation.RESEMBLES,
        pair=match.pair,
        differing="" if match.pair else _difference(new.content, old.content),
    )


def _why_beside(new: NewMemory, nearest: _Compared, differing: str) -> str:
    if nearest.pair:
        return f"Contradicts an existing memory ({nearest.pair}); both are kept."
    if differing:
        return f"Differs from an existing memory in {differing}; both are kept."
    if nearest.similarity >= ALIKE and _another_occasion(new, nearest.candidate):
        return "Is of another time or speaker than an existing memory; both are kept."
    return "Resembles an existing memory, and is linked to it."
