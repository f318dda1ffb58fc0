"""Which sessions this process serves: it beats for them, so that nobody takes them for interrupted."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial

from frasier.memory import MemoryEngine, Upkeep, beat_sessions

_EVERY_S = 30.0
_KEPT = 1_000


class LiveSessions:
    """The sessions that were used through this server, the latest thousand."""

    def __init__(self) -> None:
        self._ids: OrderedDict[str, None] = OrderedDict()

    def note(self, session_id: str | None) -> None:
        """Remembers that the session is in use."""
        if session_id is None:
            return
        self._ids[session_id] = None
        self._ids.move_to_end(session_id)
        if len(self._ids) > _KEPT:
            self._ids.popitem(last=False)

    async def beat(self, engine: MemoryEngine) -> None:
        """Says that they are served; forgets those that were completed or belong to another process by now."""
        if not self._ids:
            return
        asked = set(self._ids)
        ours = await engine.in_transaction(beat_sessions, asked)
        for session_id in asked - ours:
            self._ids.pop(session_id, None)

    def job(self, engine: MemoryEngine) -> Upkeep:
        """The beating, for whoever keeps time."""
        return "session-beats", _EVERY_S, partial(self.beat, engine)
