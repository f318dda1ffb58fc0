"""From the names in a text to the memories that are meant: by id, by path, by title or label; exactly, or not."""

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

# How sure each sort of name makes an edge: never more than a half, as nobody confirmed it.
STRENGTH_BY_ID = 0.5
STRENGTH_BY_TITLE = 0.4
STRENGTH_BY_LABEL = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """The one memory that a reference names, and how strong an edge that makes."""

    memory_id: UUID
    strength: float


@dataclass(slots=True)
class Names:
    """What the names of some texts stand for, looked up together."""

    by_id: dict[UUID, str] = field(default_factory=dict)
    by_path: dict[str, DictRow] = field(default_factory=dict)
    by_title: dict[tuple[str, str, bool], DictRow] = field(default_factory=dict)

    def meant(self, reference: Reference, scope: str) -> Meant | None:
        """What `reference` in a text of `scope` means; None where nothing bears the name, or several do.

        The longest name that anything bears decides: where several memories bear it, a shorter one is not
        tried. Only the text's own scope and the shared one are looked at, its own first.
        """
        for name in reference.names:
            if (found := self._exact(name, scope)) is not None:
                return found
            for whole, strength in ((True, STRENGTH_BY_TITLE), (False, STRENGTH_BY_LABEL)):
                if not _tells(name, whole=whole, quoted=reference.quoted):
                    continue
                for looked_at in dict.fromkeys((scope, SHARED_SCOPE)):
                    row = self.by_title.get((name, looked_at, whole))
                    if row is not None:
                        memory_id = row["memory_id"]
                        return Meant(memory_id=memory_id, strength=strength) if memory_id else None
        return None

    def _exact(self, name: str, scope: str) -> Meant | None:
        memory_id = _id_in(name)
        if memory_id is not None and self.by_id.get(memory_id) in {scope, SHARED_SCOPE}:
            return Meant(memory_id=memory_id, strength=STRENGTH_BY_ID)
        row = self.by_path.get(name)
        if row is not None and row["scope"] in {scope, SHARED_SCOPE}:
            return Meant(memory_id=row["memory_id"], strength=STRENGTH_BY_ID)
        return None


async def look_up(tx: Tx, references: Iterable[Reference], scopes: Collection[str]) -> Names:
    """Finds whatever the names of `references` may stand for in `scopes` and the shared one."""
    names = sorted({name for reference in references for name in reference.names})
    found = Names()
    if not names:
        return found
    looked_at = sorted({*scopes, SHARED_SCOPE})
    ids = [memory_id for name in names if (memory_id := _id_in(name))]
    if ids:
        rows = await _sql.all(tx, "memories_of_ids", ids=ids, scopes=looked_at)
        found.by_id = {row["id"]: row["scope"] for row in rows}
    paths = [name for name in names if name.startswith("/")]
    if paths:
        rows = await _sql.all(tx, "memories_of_paths", paths=paths, scopes=looked_at)
        found.by_path = {row["path"]: row for row in rows}
    found.by_title = await _titled(tx, names, looked_at)
    return found


async def _titled(tx: Tx, names: Sequence[str], scopes: list[str]) -> dict[tuple[str, str, bool], DictRow]:
    rows = await _sql.all(tx, "memories_of_names", names=list(names), scopes=scopes)
    return {(names[row["nth"] - 1], row["scope"], row["whole"]): row for row in rows}


def _id_in(name: str) -> UUID | None:
    return parse_id(name) if len(name) == _ID_CHARS else None


def _tells(name: str, *, whole: bool, quoted: bool) -> bool:
    """Whether a name can only be meant as one: a label with a number; a title of words, a number, or in marks."""
    numbered = any(character.isdigit() for character in name)
    return numbered or (whole and (quoted or " " in name))
