"""From the rows of a snapshot to the tables, in the snapshot's order, under the ids that are there now."""

from __future__ import annotations

import asyncio
import base64
import struct
from collections.abc import Awaitable, Callable
from datetime import datetime

from psycopg.types.json import Jsonb

from frasier.memory.checkpoints.removing import binds_everybody
from frasier.memory.checkpoints.snapshot import Record, damaged
from frasier.memory.postings import TermKeys
from frasier.store import Statements, Tx

_sql = Statements("frasier.memory.checkpoints")

_OWED_BATCH = 5_000

# Rows that hang on one memory come back with it, and not where it is there already.
_HANGING = {
    "version": "restore_versions",
    "trigger": "restore_triggers",
    "link": "restore_unresolved_links",
    "strength": "restore_strengths",
    "adjustment": "restore_adjustments",
}


class PuttingBack:
    """Puts back batch after batch. `added` are the memories that were missing, with their numbers."""

    def __init__(self, tx: Tx, *, founder: bool) -> None:
        self.added: dict[str, int] = {}
        self.present = 0
        self.withheld = 0
        self.edges = 0
        self.owed = 0
        self._tx = tx
        self._founder = founder
        self._standing_in: dict[str, str | None] = {}  # for each memory of the snapshot the one that is there
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

    async def put(self, kind: str, records: list[Record]) -> None:
        """Puts back rows of one kind. Raises StoreError (E061) for rows that no snapshot holds."""
        if statement := _HANGING.get(kind):
            await self._run(statement, [row for row in records if row.get("memory_id") in self.added])
        elif kind in self._kinds:
            await self._kinds[kind](records)
        else:
            raise damaged("it holds rows of an unknown kind")

    async def _begin(self, records: list[Record]) -> None:
        now = {
            (row["provider"], row["model"], row["dimension"]): row
            for row in await _sql.all(self._tx, "space_identities")
        }
        for then in records[0].get("spaces", []):
            space = now.get((then["provider"], then["model"], then["dimension"]))
            if space is not None:
                self._spaces[then["id"]] = space["id"]
                if space["projection"] is not None and space["projection"] == then["projection"]:
                    self._same_projection.add(then["id"])

    async def _items(self, records: list[Record]) -> None:
        """Those for which nothing stands in are added, where the caller may."""
        await self._look_up(records)
        missing = [row for row in records if self._standing_in[row["id"]] is None]
        allowed = [row for row in missing if self._founder or not binds_everybody(row["kind"], row["tier"])]
        given = await asyncio.to_thread(_with_postings, allowed)
        for row in await _sql.all(self._tx, "restore_items", records=Jsonb(given)) if given else []:
            memory_id = str(row["id"])
            self._standing_in[memory_id] = memory_id
            self.added[memory_id] = row["num"]
            self._nums.add(row["num"])
        collided = [row for row in allowed if row["id"] not in self.added]
        if collided:  # with each other, or with what somebody saved this moment
            await self._look_up(collided)
        if any(self._standing_in[row["id"]] is None for row in collided):
            raise damaged("a memory of it has the number of another")
        self.withheld += len(missing) - len(allowed)
        self.present += len(records) - len(missing) + len(collided)

    async def _look_up(self, records: list[Record]) -> None:
        """Notes for each memory of the snapshot which is there now: itself, one that stands in for it, or none."""
        wanted = [{name: row[name] for name in _IDENTITY} for row in records]
        for row in await _sql.all(self._tx, "standing_in", records=Jsonb(wanted)):
            self._standing_in[str(row["id"])] = None if row["there"] is None else str(row["there"])

    async def _edges(self, records: list[Record]) -> None:
        for row in records:
            row["source_id"], row["target_id"] = self._there(row["source_id"]), self._there(row["target_id"])
        self.edges += await self._run("restore_edges", records)

    async def _corrections(self, records: list[Record]) -> None:
        chosen = [row for row in records if row["original_id"] in self.added]
        for row in chosen:
            row["replacement_id"] = self._there(row["replacement_id"])
        await self._run("restore_corrections", chosen)

    async def _vectors(self, records: list[Record]) -> None:
        chosen = [row for row in records if row["num"] in self._nums and row["space"] in self._spaces]
        await asyncio.to_thread(_spell_vectors, chosen)
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
        """Owes what did not come back. Of a complete snapshot, states that are not in it never were."""
        without_states = [
            row["id"]
            for row in await _sql.all(self._tx, "space_identities")
            if row["projection"] is not None
            and not (records[0].get("complete") and row["id"] in self._with_states())
        ]
        nums = sorted(self._nums)
        for at in range(0, len(nums), _OWED_BATCH):
            batch = nums[at : at + _OWED_BATCH]
            self.owed += await _sql.run(self._tx, "owe_vectors", nums=batch, without_states=without_states)
            await _sql.run(self._tx, "reread_files", nums=batch)

    def _with_states(self) -> set[int]:
        return {self._spaces[then] for then in self._same_projection}

    def _there(self, memory_id: str | None) -> str | None:
        """The memory that is there for one of the snapshot, or for one outside of it that it refers to."""
        return memory_id if memory_id is None else self._standing_in.get(memory_id, memory_id)

    async def _run(self, statement: str, records: list[Record]) -> int:
        return await _sql.run(self._tx, statement, records=Jsonb(records)) if records else 0


_IDENTITY = ("id", "file_id", "content_hash", "scope", "kind", "agent_id")


def _with_postings(records: list[Record]) -> list[Record]:
    """The rows with the postings that saving them now would give them."""
    keys = TermKeys()
    given = []
    for row in records:
        postings = keys.postings(
            scope=row["scope"],
            title=row["title"],
            tags=row["tags"],
            content=row["content"],
            speaker=row["speaker"],
            occurred_at=row["occurred_at"] and datetime.fromisoformat(row["occurred_at"]),
        )
        given.append(
            row | {"length": postings.length, "term_keys": postings.keys, "frequencies": postings.frequencies}
        )
    return given


def _spell_vectors(records: list[Record]) -> None:
    """From the binary form of pgvector (two numbers of two bytes, then the halves) to its text."""
    for row in records:
        data = base64.b64decode(row["embedding"], validate=True)
        halves = struct.unpack(f">{len(data) // 2 - 2}e", data[4:])
        row["embedding"] = "[" + ",".join(map(repr, halves)) + "]"
