"""Announcements to the founder, made once each, through the outbox."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from frasier.board import FounderNotification
from frasier.kernel.advice import Advice
from frasier.store import EffectCount, EffectState, Tx, count_effects, enqueue_effect, latest_effects

ANNOUNCE = "announce"
"""The kind of effect that tells the founder something."""


NOT_URGENT = ("delivered", "cleared")
"""The kinds of announcements that ask nothing of the founder."""

REMINDER = "reminder"
"""The kind of an announcement that repeats what waits; it stands while the question waits that has waited longest."""


async def announce(
    tx: Tx,
    *,
    mission_id: UUID,
    kind: str,
    key: str,
    text: str,
    advice: Sequence[Advice] = (),
    path: str | None = None,
) -> None:
    """Request an announcement; the same `kind` and `key` again changes nothing. Channels render the advice."""
    await enqueue_effect(
        tx,
        kind=ANNOUNCE,
        key=_key(kind, key),
        stream=mission_id,
        payload={"kind": kind, "mission": str(mission_id), "text": text, "path": path}
        | ({"advice": [item.as_dict() for item in advice]} if advice else {}),
    )


async def notify_founder(tx: Tx, news: FounderNotification) -> None:
    """Announce the news of a board."""
    await announce(
        tx, mission_id=news.about, kind=news.kind, key=news.key, text=news.text, advice=news.advice
    )


async def standing_announcements(
    tx: Tx, waiting: Mapping[str, Collection[object]], *, limit: int
) -> list[EffectState]:
    """Return the newest announcements, oldest first. Those of the kinds in `waiting` concern passing states: they are
    included while their subject still waits, whose ids `waiting` holds.
    """
    return await latest_effects(
        tx,
        kind=ANNOUNCE,
        limit=limit,
        passing=[_key(kind, "") for kind in waiting],
        standing=[_key(kind, about) for kind, ids in waiting.items() for about in ids],
    )


async def was_announced(tx: Tx, kind: str, *, days: int) -> bool:
    """Return whether anything of a kind was announced in the last days."""
    return bool(await count_effects(tx, kind=ANNOUNCE, prefixes=[_key(kind, "")], days=days, newest=1))


async def announcement_digest(tx: Tx, *, days: int, newest: int) -> dict[str, EffectCount]:
    """Count the announcements of the last days that ask nothing of the founder, by kind, with the newest of each."""
    counts = await count_effects(
        tx, kind=ANNOUNCE, prefixes=[_key(kind, "") for kind in NOT_URGENT], days=days, newest=newest
    )
    return {kind: count for count in counts for kind in NOT_URGENT if count.prefix == _key(kind, "")}


def _key(kind: str, key: object) -> str:
    return f"{ANNOUNCE}:{kind}:{key}"
