"""Names that a command may be given: of missions, of steps, and of what waits for the founder's answer."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from frasier.board import open_decisions
from frasier.org.governance import open_questions
from frasier.org.missions import find_mission, list_missions, steps_of
from frasier.store import Tx

_MISSIONS_MAX = 30
_ID_CHARS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedName:
    """A name as it may be typed, and a text that says what it names."""

    name: str
    about: str


async def read_mission_names(tx: Tx) -> tuple[OfferedName, ...]:
    """Read the ends of the ids of the newest missions; "last" is the newest."""
    newest = await list_missions(tx, limit=_MISSIONS_MAX)
    return (
        OfferedName(name="last", about="the newest mission"),
        *(OfferedName(name=_end_of(mission.id), about=mission.title) for mission in newest),
    )


async def read_step_names(tx: Tx, mission: str) -> tuple[OfferedName, ...]:
    """Read the steps of the mission that `mission` names, as MISSION/KEY. Raises NotFound."""
    steps = await steps_of(tx, (await find_mission(tx, mission)).id)
    return tuple(OfferedName(name=f"{mission}/{step.key}", about=step.title) for step in steps)


async def read_question_names(tx: Tx) -> tuple[OfferedName, ...]:
    """Read the ends of the ids of open questions and of boards' open decisions."""
    return (
        *(OfferedName(name=_end_of(one.id), about=one.question) for one in await open_questions(tx)),
        *(
            OfferedName(name=_end_of(one.id), about=f"{one.transition} of {one.place}")
            for one in await open_decisions(tx)
        ),
    )


def _end_of(identity: UUID) -> str:
    return str(identity)[-_ID_CHARS:]
