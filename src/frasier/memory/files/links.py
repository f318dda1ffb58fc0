"""Draw the edges that files state. References are matched exactly or not at all.

Unresolved references are stored, and retried whenever files are read.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from frasier.kernel.errors import Refused
from frasier.kernel.ids import parse_id
from frasier.kernel.text import shorten
from frasier.memory.access import Caller
from frasier.memory.files.metadata import Link, LinkKind
from frasier.memory.graph.link import link_memories, unlink_memories
from frasier.memory.graph.types import EdgeOrigin, Relation
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.files")

# The relation of each kind of link, and whether the file's memory is the source of the edge.
_MEANING = {
    LinkKind.CAUSED_BY: (Relation.CAUSED, False),
    LinkKind.SUPERSEDES: (Relation.SUPERSEDES, True),
    LinkKind.DERIVED_FROM: (Relation.DERIVED_FROM, True),
    LinkKind.BLOCKS: (Relation.ENABLED, False),
    LinkKind.RELATED_TO: (Relation.SUPPORTS, True),
    LinkKind.CONTRADICTS: (Relation.CONTRADICTS, True),
}

_Ends = tuple[UUID, UUID, Relation]


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The origin of links: a memory, and the path and root of its file, against which paths are resolved."""

    memory_id: UUID
    path: str
    root: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkReport:
    """The result of drawing links: the number of new edges, the unresolved links, and the refusals."""

    drawn: int = 0
    unresolved: tuple[Link, ...] = ()
    warnings: tuple[str, ...] = ()


async def renew_links(tx: Tx, caller: Caller, origin: Origin, links: Sequence[Link]) -> LinkReport:
    """Replace the edges that the file drew by those that it states now; edges of others are unchanged."""
    stated = [(origin, link_) for link_ in links]
    targets = await _look_up(tx, caller, stated)
    expected = {
        _ends_of(origin, link_, to): link_ for (_, link_), to in zip(stated, targets, strict=True) if to
    }
    drawing = _Drawing(tx=tx, caller=_author(caller, origin.memory_id))
    existing = await _sql.all(tx, "edges_of_file", memory_id=origin.memory_id)
    for row in existing:
        ends = (row["source_id"], row["target_id"], Relation(row["relation"]))
        if (
            row["created_by"] == drawing.caller.name
            and row["origin"] == EdgeOrigin.FILE
            and ends not in expected
        ):
            await drawing.remove(row["id"])
    known = {(row["source_id"], row["target_id"], Relation(row["relation"])) for row in existing}
    refused = [
        link_ for ends, link_ in expected.items() if ends not in known and not await drawing.draw(ends, link_)
    ]
    unresolved = (*(link_ for (_, link_), to in zip(stated, targets, strict=True) if to is None), *refused)
    await _sql.run(tx, "delete_unresolved_links", memory_id=origin.memory_id)
    await _sql.run(
        tx,
        "store_unresolved_links",
        memory_id=origin.memory_id,
        relations=[link_.kind for link_ in unresolved],
        references=[link_.reference for link_ in unresolved],
    )
    return LinkReport(drawn=drawing.drawn, unresolved=unresolved, warnings=tuple(drawing.warnings))


async def retry_links(tx: Tx, caller: Caller) -> LinkReport:
    """Retry every unresolved reference of the caller's scopes.

    The founder's credential is never used here: an edge that needs it is drawn when the founder indexes the file.
    """
    rows = await _sql.all(tx, "unresolved_links", scopes=list(caller.scopes))
    stated = [
        (
            Origin(memory_id=row["memory_id"], path=row["path"], root=row["root"]),
            Link(kind=LinkKind(row["relation"]), reference=row["reference"]),
        )
        for row in rows
    ]
    targets = await _look_up(tx, caller, stated)
    drawn = 0
    unresolved: list[Link] = []
    for (origin, link_), to in zip(stated, targets, strict=True):
        drawing = _Drawing(tx=tx, caller=replace(_author(caller, origin.memory_id), founder=False))
        if to is not None and await drawing.draw(_ends_of(origin, link_, to), link_):
            drawn += drawing.drawn
            await _sql.run(
                tx,
                "delete_resolved_link",
                memory_id=origin.memory_id,
                relation=link_.kind,
                reference=link_.reference,
            )
        else:
            unresolved.append(link_)
    return LinkReport(drawn=drawn, unresolved=tuple(unresolved))


@dataclass(slots=True)
class _Drawing:
    """The drawing and removal of edges in the name of one file, and collects the refusals as warnings."""

    tx: Tx
    caller: Caller
    drawn: int = 0
    warnings: list[str] = field(default_factory=list)

    async def draw(self, ends: _Ends, link_: Link) -> bool:
        source_id, target_id, relation = ends
        evidence = f"{link_.kind}: {link_.reference}"
        try:
            linked = await link_memories(
                self.tx,
                self.caller,
                source_id,
                target_id,
                relation,
                evidence=evidence,
                origin=EdgeOrigin.FILE,
            )
        except Refused as refused:
            self.warnings.append(f"The link {shorten(evidence, 120)} was not drawn: {refused.message}")
            return False
        self.drawn += linked.created
        return True

    async def remove(self, edge_id: UUID) -> None:
        try:
            await unlink_memories(self.tx, self.caller, edge_id)
        except Refused as refused:
            self.warnings.append(f"A link that the file no longer states was not removed: {refused.message}")


def _author(caller: Caller, memory_id: UUID) -> Caller:
    """The caller in the name of a file, which marks the edges that the file drew."""
    return replace(caller, name=f"file {memory_id}")


def _ends_of(origin: Origin, link_: Link, to: UUID) -> _Ends:
    relation, outgoing = _MEANING[link_.kind]
    return (origin.memory_id, to, relation) if outgoing else (to, origin.memory_id, relation)


async def _look_up(tx: Tx, caller: Caller, stated: Sequence[tuple[Origin, Link]]) -> list[UUID | None]:
    """Resolve each reference by id, by path relative to the file or its root, or by unique title."""
    if not stated:
        return []
    scopes = list(caller.scopes)
    references = {link_.reference for _, link_ in stated}
    ids = {memory_id for reference in references if (memory_id := parse_id(reference))}
    known_ids = {row["id"] for row in await _sql.all(tx, "memories_of_ids", ids=list(ids), scopes=scopes)}
    paths = sorted({path for origin, link_ in stated for path in candidate_paths(origin, link_.reference)})
    rows = await _sql.all(tx, "memories_of_paths", paths=paths, scopes=scopes)
    by_path = {row["path"]: row["id"] for row in rows}
    rows = await _sql.all(tx, "memories_of_titles", titles=sorted(references), scopes=scopes)
    by_title = {row["title"]: row["id"] for row in rows}
    return [_resolved(origin, link_.reference, known_ids, by_path, by_title) for origin, link_ in stated]


def _resolved(
    origin: Origin,
    reference: str,
    ids: Iterable[UUID],
    by_path: Mapping[str, UUID],
    by_title: Mapping[str, UUID],
) -> UUID | None:
    memory_id = parse_id(reference)
    if memory_id is not None:
        return memory_id if memory_id in ids else None
    for path in candidate_paths(origin, reference):
        if path in by_path:
            return by_path[path]
    return by_title.get(reference)


def candidate_paths(origin: Origin, reference: str) -> list[str]:
    """The absolute paths that a reference may stand for, likeliest first; they are compared, never opened."""
    if not origin.path or "\0" in reference:
        return []
    if reference.startswith("/"):
        return [posixpath.normpath(reference)]
    return [
        posixpath.normpath(posixpath.join(base, reference))
        for base in (posixpath.dirname(origin.path), origin.root)
    ]
