"""Restore snapshot rows in the snapshot's order, remapping ids to existing memories."""

from __future__ import annotations

import asyncio
import base64
import struct
from collections.abc import Awaitable, Callable
from datetime import datetime

from psycopg.types.json import Jsonb

from frasier.memory.postings import TermKeys
from frasier.memory.save import occasion_hash
from frasier.memory.snapshots.file_format import Record, damaged
from frasier.memory.validation import is_binding
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.snapshots")

_QUEUE_BATCH = 5_000

# Rows that belong to one memory are restored with it, and not if the memory exists already.
_DEPENDENT = {
    "version": "restore_versions",
    "trigger": "restore_triggers",
    "link": "restore_unresolved_links",
    "strength": "restore_strengths",
    "adjustment": "restore_adjustments",
}


class SnapshotRestorer:
    """Restores the batches of a snapshot.

    `added` maps the ids of memories that were missing to their numbers; `changed` are the ids of those that exist and
    say something else now.
    """

    def __init__(self, tx: Tx, *, founder: bool) -> None:
        self.added: dict[str, int] = {}
        self.present = 0
        self.changed: set[str] = set()
        self.withheld = 0
        self.edges = 0
        self.owed = 0
        self._tx = tx
        self._founder = founder
        self._existing: dict[
            str, str | None
        ] = {}  # by id in the snapshot: the id of the memory that exists now
        self._nums: set[int] = set()
        self._spaces: dict[int, int] = {}
        self._same_projection: set[int] = set()
        self._kinds: dict[str, Callable[[list[Record]], Awaitable[None]]] = {
            "begin": self._begin,
            "item": self._items,
            "edge": self._edges,
            "correction": self._corrections,
            "vector": self._vectors,
            "states": self._states,
            "end": self._end,
        }

    async def restore(self, kind: str, records: list[Record]) -> None:
        """Restore rows of one kind. Raises StoreError (E061) for an unknown kind."""
        if statement := _DEPENDENT.get(kind):
            await self._run(statement, [row for row in records if row.get("memory_id") in self.added])
        elif kind in self._kinds:
            await self._kinds[kind](records)
        else:
            raise damaged("it contains rows of an unknown kind")

    async def _begin(self, records: list[Record]) -> None:
        spaces = {
            (row["provider"], row["model"], row["dimension"]): row
            for row in await _sql.all(self._tx, "space_identities")
        }
        for then in records[0].get("spaces", []):
            space = spaces.get((then["provider"], then["model"], then["dimension"]))
            if space is not None:
                self._spaces[then["id"]] = space["id"]
                if space["projection"] is not None and space["projection"] == then["projection"]:
                    self._same_projection.add(then["id"])

    async def _items(self, records: list[Record]) -> None:
        """Add the memories that have no existing equivalent and that the caller may restore."""
        for row in records:
            row["content_hash"] = _identity_hash(row)
        await self._find_existing(records)
        missing = [row for row in records if self._existing[row["id"]] is None]
        allowed = [row for row in missing if self._founder or not is_binding(row["kind"], row["tier"])]
        posted = await asyncio.to_thread(_with_postings, allowed)
        for row in await _sql.all(self._tx, "restore_items", records=Jsonb(posted)) if posted else []:
            memory_id = str(row["id"])
            self._existing[memory_id] = memory_id
            self.added[memory_id] = row["num"]
            self._nums.add(row["num"])
        collided = [row for row in allowed if row["id"] not in self.added]
        if collided:  # with each other, or with a memory that was saved concurrently
            await self._find_existing(collided)
        if any(self._existing[row["id"]] is None for row in collided):
            raise damaged("a memory in it has the number of another memory")
        self.withheld += len(missing) - len(allowed)
        self.present += len(records) - len(missing) + len(collided)

    async def _find_existing(self, records: list[Record]) -> None:
        """Record the existing equivalent of each memory: itself, another with its file or content, or none."""
        identities = [{name: row[name] for name in _IDENTITY} for row in records]
        for row in await _sql.all(self._tx, "find_existing", records=Jsonb(identities)):
            existing_id = row["existing_id"]
            self._existing[str(row["id"])] = None if existing_id is None else str(existing_id)
            if row["changed"]:
                self.changed.add(str(existing_id))

    async def _edges(self, records: list[Record]) -> None:
        for row in records:
            row["source_id"], row["target_id"] = (
                self._existing_id(row["source_id"]),
                self._existing_id(row["target_id"]),
            )
        self.edges += await self._run("restore_edges", records)

    async def _corrections(self, records: list[Record]) -> None:
        chosen = [row for row in records if row["original_id"] in self.added]
        for row in chosen:
            row["replacement_id"] = self._existing_id(row["replacement_id"])
        await self._run("restore_corrections", chosen)

    async def _vectors(self, records: list[Record]) -> None:
        chosen = [row for row in records if row["num"] in self._nums and row["space"] in self._spaces]
        await asyncio.to_thread(_encode_vectors, chosen)
        for row in chosen:
            row["space"] = self._spaces[row["space"]]
        await self._run("restore_vectors", chosen)

    async def _states(self, records: list[Record]) -> None:
        chosen = [
            row for row in records if row["num"] in self._nums and row["space"] in self._same_projection
        ]
        for row in chosen:
            row["space"] = self._spaces[row["space"]]
        await self._run("restore_token_states", chosen)

    async def _end(self, records: list[Record]) -> None:
        """Queue the missing vectors. In a complete snapshot, absent token states never existed."""
        without_states = [
            row["id"]
            for row in await _sql.all(self._tx, "space_identities")
            if row["projection"] is not None
            and not (records[0].get("complete") and row["id"] in self._with_states())
        ]
        nums = sorted(self._nums)
        for at in range(0, len(nums), _QUEUE_BATCH):
            batch = nums[at : at + _QUEUE_BATCH]
            self.owed += await _sql.run(
                self._tx, "queue_missing_vectors", nums=batch, without_states=without_states
            )
            await _sql.run(self._tx, "mark_files_unread", nums=batch)

    def _with_states(self) -> set[int]:
        return {self._spaces[then] for then in self._same_projection}

    def _existing_id(self, memory_id: str | None) -> str | None:
        """The id of the existing memory for an id in the snapshot; ids of memories outside it are unchanged."""
        return memory_id if memory_id is None else self._existing.get(memory_id, memory_id)

    async def _run(self, statement: str, records: list[Record]) -> int:
        return await _sql.run(self._tx, statement, records=Jsonb(records)) if records else 0


_IDENTITY = ("id", "file_id", "content_hash", "scope", "kind", "agent_id", "version")


def _identity_hash(row: Record) -> str:
    """Return the hash that saving the memory now would give it: earlier snapshots have other ones."""
    return rf"\x{occasion_hash(row['content'], _occurred_at(row), row['speaker']).hex()}"


def _occurred_at(row: Record) -> datetime | None:
    return datetime.fromisoformat(row["occurred_at"]) if row["occurred_at"] else None


def _with_postings(records: list[Record]) -> list[Record]:
    """Add to the rows the postings that saving them now would create."""
    keys = TermKeys()
    posted = []
    for row in records:
        postings = keys.postings(row | {"occurred_at": _occurred_at(row)})
        indexed = {"indexed": True, "length": postings.length, "term_keys": postings.keys}
        posted.append({"memory": row | indexed, "frequencies": postings.frequencies})
    return posted


def _encode_vectors(records: list[Record]) -> None:
    """Convert pgvector's binary form (two 2-byte integers, then half floats) to its text form, in place."""
    for row in records:
        data = base64.b64decode(row["embedding"], validate=True)
        halves = struct.unpack(f">{len(data) // 2 - 2}e", data[4:])
        row["embedding"] = "[" + ",".join(map(repr, halves)) + "]"
