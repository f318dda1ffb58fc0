"""The post-mortem of a mission as it was stored at its end, or computed anew where later facts have come."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import cache
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter

from frasier.kernel.text import fingerprint
from frasier.org.improvement import NewPostMortem, StoredPostMortem, stored_post_mortem
from frasier.org.missions import Mission, MissionStatus, find_mission, get_mission
from frasier.overview.post_mortem.compute import post_mortem_of, read_facts
from frasier.overview.post_mortem.records import LaterFacts, PostMortem, PostMortemFacts
from frasier.store import Tx

_ENDED = {status for status in MissionStatus if status.ended} | {MissionStatus.COMPLETED}
_NAMES = {
    "founder_verdicts": "verdicts of the founder",
    "corrections": "results that the founder had corrected",
    "evaluations": "evaluations",
    "model_calls": "calls of models that were settled",
}


async def compute_post_mortem(tx: Tx, mission_id: UUID) -> NewPostMortem | None:
    """Compute the post-mortem of a mission as it is stored; None while the mission or a call of it goes on."""
    view = await post_mortem_of(tx, await get_mission(tx, mission_id))
    if view.telemetry.ended_at is None or not view.telemetry.is_settled:
        return None
    return NewPostMortem(
        mission_id=mission_id,
        ended_at=view.telemetry.ended_at,
        shape=_shape(),
        document=_adapter().dump_python(view, mode="json"),
    )


async def read_post_mortem(tx: Tx, name: str) -> PostMortem:
    """Read the post-mortem of a mission; of one that goes on, what can be said until now."""
    return await known_post_mortem(tx, await find_mission(tx, name))


async def known_post_mortem(tx: Tx, mission: Mission) -> PostMortem:
    """Return the stored post-mortem of a mission, with the facts of now where some have come since."""
    stored = await stored_post_mortem(tx, mission.id) if mission.status in _ENDED else None
    if stored is None or stored.stored_at < mission.updated_at:
        return await post_mortem_of(tx, mission)
    view = _read(stored)
    later = _later(view.facts, await read_facts(tx, mission.id)) if view else ()
    if view is None or later:
        view = await post_mortem_of(tx, mission)
    return replace(view, stored_at=stored.stored_at, later=later)


def _read(stored: StoredPostMortem) -> PostMortem | None:
    """Return a stored post-mortem; None if another version of the program stored it."""
    return _adapter().validate_python(stored.document) if stored.shape == _shape() else None


def _later(before: PostMortemFacts, now: PostMortemFacts) -> tuple[LaterFacts, ...]:
    known, present = asdict(before), asdict(now)
    return tuple(
        LaterFacts(name=_NAMES[name], count=present[name] - count)
        for name, count in known.items()
        if present[name] != count
    )


@cache
def _adapter() -> TypeAdapter[PostMortem]:
    return TypeAdapter(PostMortem)


@cache
def _shape() -> str:
    """Return the name of the form of a document, which changes with its fields."""
    schema: dict[str, Any] = _adapter().json_schema(mode="serialization")
    return fingerprint(schema)
