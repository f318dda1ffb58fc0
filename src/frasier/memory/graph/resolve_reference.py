"""Resolve the names in a text to memories by id, path, title or label; only exact matches count."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from psycopg.rows import DictRow

from frasier.kernel.ids import parse_id
from frasier.memory.graph.cues import Reference
from frasier.memory.scopes import SHARED_SCOPE
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.graph")

_ID_CHARS = 36

# Strength of an edge by the sort of name: at most a half, since nobody confirmed the edge.
STRENGTH_BY_ID = 0.5
STRENGTH_BY_TITLE = 0.4
STRENGTH_BY_LABEL = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedReference:
    """The memory that a reference names, and the strength of the edge to it."""

    memory_id: UUID
    strength: float


@dataclass(slots=True)
class Names:
    """Look-up tables for the names of several texts, read together."""

    by_id: dict[UUID, str] = field(default_factory=dict)
    by_path: dict[str, DictRow] = field(default_factory=dict)
    by_title: dict[tuple[str, str, bool], DictRow] = field(default_factory=dict)

    def resolve(self, reference: Reference, scope: str) -> ResolvedReference | None:
        """Resolve `reference` in a text of `scope`; None if no memory has the name, or several do.

        The longest name that any memory has decides: if several memories share it, shorter names are not
        tried. Only the text's own scope and the shared one are searched, its own first.
        """
        for name in reference.names:
            if (exact := self._exact(name, scope)) is not None:
                return exact
            for whole, strength in ((True, STRENGTH_BY_TITLE), (False, STRENGTH_BY_LABEL)):
                if not _is_distinctive(name, whole=whole, quoted=reference.quoted):
                    continue
                for searched in dict.fromkeys((scope, SHARED_SCOPE)):
                    row = self.by_title.get((name, searched, whole))
                    if row is not None:
                        memory_id = row["memory_id"]
                        return (
                            ResolvedReference(memory_id=memory_id, strength=strength) if memory_id else None
                        )
        return None

    def _exact(self, name: str, scope: str) -> ResolvedReference | None:
        memory_id = _id_in(name)
        if memory_id is not None and self.by_id.get(memory_id) in {scope, SHARED_SCOPE}:
            return ResolvedReference(memory_id=memory_id, strength=STRENGTH_BY_ID)
        row = self.by_path.get(name)
        if row is not None and row["scope"] in {scope, SHARED_SCOPE}:
            return ResolvedReference(memory_id=row["memory_id"], strength=STRENGTH_BY_ID)
        return None


async def look_up(tx: Tx, references: Iterable[Reference], scopes: Collection[str]) -> Names:
    """Look up all names of `references` in `scopes` and the shared one."""
    names = sorted({name for reference in references for name in reference.names})
    resolved = Names()
    if not names:
        return resolved
    searched = sorted({*scopes, SHARED_SCOPE})
    ids = [memory_id for name in names if (memory_id := _id_in(name))]
    if ids:
        rows = await _sql.all(tx, "memories_of_ids", ids=ids, scopes=searched)
        resolved.by_id = {row["id"]: row["scope"] for row in rows}
    paths = [name for name in names if name.startswith("/")]
    if paths:
        rows = await _sql.all(tx, "memories_of_paths", paths=paths, scopes=searched)
        resolved.by_path = {row["path"]: row for row in rows}
    resolved.by_title = await _titled(tx, names, searched)
    return resolved


async def _titled(tx: Tx, names: Sequence[str], scopes: list[str]) -> dict[tuple[str, str, bool], DictRow]:
    rows = await _sql.all(tx, "memories_of_names", names=list(names), scopes=scopes)
    return {(names[row["nth"] - 1], row["scope"], row["whole"]): row for row in rows}


def _id_in(name: str) -> UUID | None:
    return parse_id(name) if len(name) == _ID_CHARS else None


def _is_distinctive(name: str, *, whole: bool, quoted: bool) -> bool:
    """Whether a name is unlikely to match by chance: it has a number, or is a quoted or multi-word title."""
    numbered = any(character.isdigit() for character in name)
    return numbered or (whole and (quoted or " " in name))
