"""New missions: a directive is checked, given a title and stored, before anything is planned."""

from __future__ import annotations

import re
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.errors import InvalidInput
from frasier.kernel.humanize import plural
from frasier.kernel.limits import DIRECTIVE_CHARS_MAX, DIRECTIVE_CHARS_MIN
from frasier.kernel.mission_depth import MissionDepth
from frasier.kernel.text import shorten, strip_control, strip_deceiving
from frasier.llm import set_mission_budget
from frasier.org.missions.missions import Mission
from frasier.store import Statements, Tx, append_event, from_row, parameters_of
from frasier.workflow import Actor

_sql = Statements("frasier.org.missions")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMission:
    """A mission to start.

    `destination` is the folder that will hold the deliverable's folder. `budget_usd_micros` overrides the cap.
    `skipped_sources` are the unreadable sources, with reasons. `kind` and `depth` leave the planner no choice.
    `with_earlier` makes results of earlier missions sources beside the documents; without documents they always are.
    With `asks_plan` the plan waits for the founder's approval; with `may_ask` the planner may ask one question.
    """

    id: UUID
    directive: str
    destination: str
    rehearsal: bool
    web_search: bool = False
    source_count: int = 0
    skipped_sources: tuple[str, ...] = ()
    budget_usd_micros: int | None = None
    kind: DeliverableKind | None = None
    depth: MissionDepth | None = None
    with_earlier: bool = False
    asks_plan: bool = False
    may_ask: bool = True


def check_directive(text: str) -> str:
    """Validate a directive; return it as it will be stored, or raise InvalidInput."""
    directive = strip_control(text).strip()
    if len(directive) < DIRECTIVE_CHARS_MIN or not re.search(r"\w{2,}", directive):
        raise InvalidInput(
            f"The directive has {plural(len(directive), 'character')}; that is too short to work on.",
            kept="Nothing was started.",
            hint="Describe the result that you want in a sentence.",
        )
    if len(directive) > DIRECTIVE_CHARS_MAX:
        raise InvalidInput(
            f"The directive has {len(directive):,} characters; the most is {DIRECTIVE_CHARS_MAX:,}.",
            kept="Nothing was started.",
            hint="Put the material into files, and name their folder as a source.",
            advice=Advice("mission.start", to="name it", sources="DIR"),
        )
    return directive


def title_of(directive: str) -> str:
    """Derive a directive's title: its first sentence without links, at most 120 characters, capitalised."""
    plain = strip_deceiving(re.sub(r"https?://\S+", "", directive))
    plain = re.sub(r"\s+", " ", plain).strip(" -–—:;,")
    first = re.split(r"(?<=[.!?])(?<!\d\.)\s", plain, maxsplit=1)[0]  # "bis zum 1. Juni"
    chosen = (first if len(first) > 10 else plain).rstrip(".!") or "Untitled mission"
    return shorten(chosen[0].upper() + chosen[1:], 120)


async def insert_mission(tx: Tx, new: NewMission, *, actor: Actor) -> Mission:
    """Store a mission that is not planned yet."""
    directive = check_directive(new.directive)
    row = await _sql.one(
        tx,
        "insert_mission",
        title=title_of(directive),
        **parameters_of(new) | {"directive": directive, "skipped_sources": list(new.skipped_sources)},
    )
    mission = from_row(Mission, row)
    if new.budget_usd_micros is not None:
        await set_mission_budget(tx, mission.id, new.budget_usd_micros)
    await append_event(
        tx,
        stream=mission.id,
        kind="mission.started",
        actor=str(actor),
        payload={"title": mission.title, "sources": mission.source_count, "rehearsal": mission.rehearsal},
    )
    return mission
