"""Memory: what the organisation knows, found again by words, by task, by agent, and directives always."""

from frasier.memory.indexing import index_pending, refresh_statistics
from frasier.memory.lookup import founder_directives, markers_of, recent_of_agent
from frasier.memory.save import save_directive, save_lesson, save_marker, save_memories, save_memory
from frasier.memory.scopes import FOUNDER_SCOPE, SHARED_SCOPE, agent_scope, mission_scope
from frasier.memory.search import QUERY_CHARS_MAX, lessons_for, recall
from frasier.memory.tokens import tokenize
from frasier.memory.types import ImportanceTier, Memory, MemoryKind, NewMemory, Query, Recalled

__all__ = [
    "FOUNDER_SCOPE",
    "QUERY_CHARS_MAX",
    "SHARED_SCOPE",
    "ImportanceTier",
    "Memory",
    "MemoryKind",
    "NewMemory",
    "Query",
    "Recalled",
    "agent_scope",
    "founder_directives",
    "index_pending",
    "lessons_for",
    "markers_of",
    "mission_scope",
    "recall",
    "recent_of_agent",
    "refresh_statistics",
    "save_directive",
    "save_lesson",
    "save_marker",
    "save_memories",
    "save_memory",
    "tokenize",
]
