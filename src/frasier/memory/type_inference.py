"""Inference of a memory's type when its author gave none. Pure, and linear in the length of the text read.

The strongest sign decides: an explicit type, the path of the file, a tier other than normal, the words, and finally
the kind of the memory. The normal tier decides nothing: it is the default.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from frasier.memory.types import ImportanceTier, MemoryKind, MemoryType, NewMemory, TypeSource

_CONTENT_CHARS_READ = 500  # the beginning shows what a text is

_CONFIDENCE = {
    TypeSource.EXPLICIT: 1.0,
    TypeSource.PATH: 0.8,
    TypeSource.TIER: 0.9,
    TypeSource.KEYWORDS: 0.7,
    TypeSource.DEFAULT: 0.5,
}

_OF_TIER = {
    ImportanceTier.CONSTITUTIONAL: MemoryType.META_COGNITIVE,
    ImportanceTier.CRITICAL: MemoryType.SEMANTIC,
    ImportanceTier.IMPORTANT: MemoryType.DECLARATIVE,
    ImportanceTier.TEMPORARY: MemoryType.WORKING,
    ImportanceTier.DEPRECATED: MemoryType.EPISODIC,
}

# Kinds that determine the type: a decision about the roadmap is a decision, not a plan. For the others, tasks and
# observations, the words decide, and the default is an episode.
_OF_KIND = {
    MemoryKind.LESSON: MemoryType.PROCEDURAL,
    MemoryKind.APPROACH: MemoryType.PROCEDURAL,
    MemoryKind.DECISION: MemoryType.SEMANTIC,
    MemoryKind.PASSAGE: MemoryType.DECLARATIVE,
    MemoryKind.DIRECTIVE: MemoryType.META_COGNITIVE,
    MemoryKind.CONVERSATION: MemoryType.EPISODIC,
    MemoryKind.MARKER: MemoryType.EPISODIC,
}

# Words in a row in the name of a file, or the whole name of a folder; "#" is any number. First match wins.
_PATHS = {
    MemoryType.WORKING: ("session state", "scratch", "scratchpad", "temp", "tmp"),
    MemoryType.META_COGNITIVE: (
        "constitutional", "constitution", "agents", "claude", "rule", "rules", "invariant", "invariants",
    ),
    MemoryType.SEMANTIC: (
        "architecture", "design doc", "design docs", "decision record", "decision records", "adr", "adr #", "adrs",
    ),
    MemoryType.AUTOBIOGRAPHICAL: (
        "changelog", "milestone", "milestones", "retrospective", "retrospectives", "postmortem", "postmortems",
        "post mortem",
    ),
    MemoryType.PROSPECTIVE: ("todo", "todos", "next steps", "backlog", "roadmap"),
    MemoryType.DECLARATIVE: (
        "implementation summary", "api ref", "api reference", "spec", "specification",
    ),
    MemoryType.PROCEDURAL: (
        "guide", "guides", "process", "processes", "runbook", "runbooks", "checklist", "checklists",
        "reference", "references", "how to", "howto",
    ),
    MemoryType.EPISODIC: ("session #", "debug log", "debug logs", "discovery"),
    MemoryType.IMPLICIT: ("pattern", "patterns", "workflow", "workflows", "habit", "habits"),
}  # fmt: skip
# These match only a whole file name: a "spec" or an "agent" inside a longer name says nothing.
_WHOLE_NAMES = frozenset({"agents", "claude", "spec", "specification", "adr", "reference", "temp", "tmp"})
_FILE_NAMES = frozenset({"agents", "claude", "spec"})  # and these are files, not folders
_FOLDERS_READ = 2  # where a whole project is kept says nothing about a file in it

_KEYWORDS = {
    MemoryType.WORKING: ("scratch", "work in progress", "wip", "for now", "temporarily"),
    MemoryType.EPISODIC: (
        "session", "meeting", "incident", "investigated", "debugged", "yesterday", "today", "happened",
    ),
    MemoryType.PROSPECTIVE: (
        "next step", "next steps", "todo", "to do", "backlog", "roadmap", "reminder", "follow up", "deadline",
        "planned",
    ),
    MemoryType.IMPLICIT: ("pattern", "patterns", "habit", "habits", "convention", "conventions", "idiom", "usually"),
    MemoryType.DECLARATIVE: (
        "api reference", "schema", "specification", "endpoint", "endpoints", "configuration", "parameters",
        "implementation summary",
    ),
    MemoryType.PROCEDURAL: (
        "how to", "step by step", "guide", "runbook", "checklist", "procedure", "instructions", "steps to",
    ),
    MemoryType.SEMANTIC: ("architecture", "design decision", "principle", "concept", "trade off", "definition"),
    MemoryType.AUTOBIOGRAPHICAL: (
        "milestone", "changelog", "retrospective", "postmortem", "post mortem", "release notes", "released",
    ),
    MemoryType.META_COGNITIVE: ("rule", "rules", "policy", "invariant", "constitution", "guardrail"),
}  # fmt: skip

_WORD = re.compile(r"[^\W_]+")
_PHRASE_WORDS_MAX = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class InferredType:
    """A type, its source, and a confidence (0 to 1)."""

    memory_type: MemoryType
    source: TypeSource
    confidence: float


def infer_type(new: NewMemory, *, path: str = "") -> InferredType:
    """Return the type of a memory: explicit, else from `path`, a tier other than normal, its kind or its words.

    `path` is that of the memory's file. Only the beginning of the content is read.
    """
    if new.memory_type is not None:
        return _inferred(new.memory_type, TypeSource.EXPLICIT)
    if by_path := _by_path(path):
        return _inferred(by_path, TypeSource.PATH)
    if by_tier := _OF_TIER.get(new.tier):
        return _inferred(by_tier, TypeSource.TIER)
    if by_kind := _OF_KIND.get(new.kind):
        return _inferred(by_kind, TypeSource.DEFAULT)
    if by_words := _by_keywords("\n".join((new.title, *new.triggers, new.content[:_CONTENT_CHARS_READ]))):
        return _inferred(by_words, TypeSource.KEYWORDS)
    return _inferred(MemoryType.EPISODIC, TypeSource.DEFAULT)


def _inferred(memory_type: MemoryType, source: TypeSource) -> InferredType:
    return InferredType(memory_type=memory_type, source=source, confidence=_CONFIDENCE[source])


def _by_path(path: str) -> MemoryType | None:
    """Return the type by the name of the file, else by the name of a folder, the innermost first."""
    *folders, name = path.replace("\\", "/").casefold().split("/")
    stem = name.rpartition(".")[0] or name
    words = _WORD.findall(stem)
    normalized = ["#" if word.isdecimal() else word for word in words]
    phrases = _phrases(normalized)
    whole = " ".join(normalized)
    for memory_type, patterns in _PATHS.items():
        if any(
            whole == pattern or (pattern in phrases and pattern not in _WHOLE_NAMES) for pattern in patterns
        ):
            return memory_type
    for folder in reversed(folders[-_FOLDERS_READ:]):
        name_words = " ".join(_WORD.findall(folder))
        for memory_type, patterns in _PATHS.items():
            if name_words in patterns and name_words not in _FILE_NAMES:
                return memory_type
    return None


def _by_keywords(text: str) -> MemoryType | None:
    """Return the type whose words are in `text`, longer ones counting for more; None if two are equally likely."""
    phrases = _phrases(_WORD.findall(text.casefold()))
    scores = {
        memory_type: sum(len(keyword) for keyword in keywords if keyword in phrases)
        for memory_type, keywords in _KEYWORDS.items()
    }
    first, second = sorted(scores, key=lambda memory_type: -scores[memory_type])[:2]
    return first if scores[first] > scores[second] else None


def _phrases(words: list[str]) -> set[str]:
    return {
        " ".join(words[at : at + size])
        for size in range(1, _PHRASE_WORDS_MAX + 1)
        for at in range(len(words) - size + 1)
    }
