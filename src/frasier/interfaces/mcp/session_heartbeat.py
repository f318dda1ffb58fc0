"""Heartbeat of the sessions that this process serves, so that none is taken for interrupted."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial

from frasier.memory import MemoryEngine, Upkeep, beat_sessions

_INTERVAL_S = 30.0
_MAX_SESSIONS = 1_000


class LiveSessions:
    """The latest thousand sessions that were used through this server."""

    def __init__(self) -> None:
        self._ids: OrderedDict[str, None] = OrderedDict()

    def note(self, session_id: str | None) -> None:
        """Record that the session is in use."""
        if session_id is None:
            return
        self._ids[session_id] = None
        self._ids.move_to_end(session_id)
        if len(self._ids) > _MAX_SESSIONS:
            self._ids.popitem(last=False)

    async def beat(self, engine: MemoryEngine) -> None:
        """Renew the heartbeat of every session; drop those that were completed or now belong to another process."""
        if not self._ids:
            return
        session_ids = set(self._ids)
        served = await engine.in_transaction(beat_sessions, session_ids)
        for session_id in session_ids - served:
            self._ids.pop(session_id, None)

    def job(self, engine: MemoryEngine) -> Upkeep:
        """Return the periodic heartbeat as an upkeep job."""
        return "session-beats", _INTERVAL_S, partial(self.beat, engine)
