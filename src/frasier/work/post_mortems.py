"""The recorder of post-mortems: stores that of each mission that has ended, and delays none."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from uuid import UUID

from frasier.kernel.errors import StoreError
from frasier.kernel.logging_setup import get_logger
from frasier.org.improvement import NewPostMortem, missions_without_post_mortem, store_post_mortem
from frasier.store import InTransaction, Tx

log = get_logger()

_STORED_MAX = 10
"""Post-mortems of one turn; other jobs wait for it."""

ComputePostMortem = Callable[[Tx, UUID], Awaitable[NewPostMortem | None]]
"""Computes the post-mortem of a mission; None while a call of it is in flight."""


class PostMortemRecorder:
    """Stores post-mortems. It can be repeated and cancelled at any time: each is one transaction of its own."""

    def __init__(self, in_transaction: InTransaction, compute: ComputePostMortem) -> None:
        self._in_transaction = in_transaction
        self._compute = compute

    async def record_new(self) -> int:
        """Store the post-mortems that are missing, the latest first and at most ten; return their number.

        One that cannot be computed is logged and tried again at the next turn; the others are stored.
        """
        stored = 0
        for mission_id in await self._in_transaction(missions_without_post_mortem):
            if stored == _STORED_MAX:
                break
            try:
                stored += await self._in_transaction(self._record, mission_id)
            except StoreError:
                raise
            except Exception:
                log.exception("post_mortem.failed", mission=str(mission_id))
        return stored

    async def _record(self, tx: Tx, mission_id: UUID) -> int:
        new = await self._compute(tx, mission_id)
        if new is None:
            return 0
        await store_post_mortem(tx, new)
        return 1
