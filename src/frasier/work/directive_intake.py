"""The intake of directives, validated in full before anything is stored or paid for."""

from __future__ import annotations

import asyncio
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from frasier.kernel.advice import Advice
from frasier.kernel.copy_fields import copy_fields
from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.errors import InvalidInput, NothingToWorkWith
from frasier.kernel.ids import new_id
from frasier.kernel.mission_depth import MissionDepth
from frasier.kernel.text import shorten
from frasier.org.conversation import FOUNDER_SPEAKS, save_turn
from frasier.org.missions import Mission, NewMission, check_directive
from frasier.org.planning import start_mission
from frasier.store import Database
from frasier.work.research.documents.copies import without_copies
from frasier.work.research.documents.read_folders import read_sources
from frasier.work.research.documents.types import Document, Problem
from frasier.work.research.mission_sources import add_documents
from frasier.work.research.web import links_in
from frasier.work.settings import AvailableMeans

_PROBLEMS_SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Directive:
    """A directive of the founder. `sources` are folders or files to work from; with them the web stays off unless
    `web` asks for it, so that local text cannot leak into queries. The planner chooses what is None, kind or depth.
    `with_earlier` makes results of earlier missions sources beside those. With `asks_plan` the plan waits for the
    founder's approval; with `may_ask` the planner may ask one question.
    """

    text: str
    destination: Path
    sources: tuple[Path, ...] = ()
    web: bool = False
    skip_unreadable: bool = False
    budget_usd_micros: int | None = None
    kind: DeliverableKind | None = None
    depth: MissionDepth | None = None
    with_earlier: bool = False
    asks_plan: bool = False
    may_ask: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedMission:
    """A started mission, and the scan of its sources."""

    mission: Mission
    documents: int
    passages: int
    skipped: tuple[Problem, ...]


async def take_directive(database: Database, directive: Directive, means: AvailableMeans) -> StartedMission:
    """Start a mission, with its documents numbered and indexed, in one transaction.

    Raises InvalidInput for an unusable directive, source or destination, and NothingToWorkWith if there is neither a
    model, nor a source, nor a search. Then nothing was stored.
    """
    text = check_directive(directive.text)
    await asyncio.to_thread(check_destination, directive.destination)
    reaches_web = means.web_search or bool(links_in(text))
    uses_web = reaches_web and (directive.web or not directive.sources)
    if directive.web and not reaches_web:
        raise InvalidInput(
            "The web was requested, but no search is configured and the directive contains no link.",
            kept="Nothing was started.",
            hint="Set FRASIER_WEB__SEARCH=brave with FRASIER_WEB__SEARCH_KEY, or searxng with FRASIER_WEB__SEARCH_URL.",
        )
    if means.rehearsal and not directive.sources and not uses_web:
        raise NothingToWorkWith(
            "There is no model, no source and no web search, so there is nothing to answer from.",
            kept="Nothing was started, and nothing was invented.",
            hint="Name documents as sources; or set a model with OPENROUTER_API_KEY (or FRASIER_LLM__BASE_URL "
            "for a local one); or set a search with FRASIER_WEB__SEARCH=brave or searxng.",
            advice=Advice("mission.start", to="name documents", sources="DIR"),
        )
    documents, skipped = await asyncio.to_thread(_read, directive)
    mission = copy_fields(
        NewMission,
        directive,
        id=new_id(),
        directive=text,
        destination=str(directive.destination.expanduser().resolve()),
        rehearsal=means.rehearsal,
        web_search=uses_web,
        source_count=len(documents),
        skipped_sources=tuple(f"{problem.path}: {problem.reason}" for problem in skipped),
    )
    async with database.transaction() as tx:
        started = await start_mission(tx, mission)
        await save_turn(tx, text, speaker=FOUNDER_SPEAKS, mission_id=started.id)
        indexed = await add_documents(tx, started.id, documents)
    return StartedMission(mission=started, documents=len(documents), passages=indexed, skipped=skipped)


def _read(directive: Directive) -> tuple[tuple[Document, ...], tuple[Problem, ...]]:
    if not directive.sources:
        return (), ()
    for root in directive.sources:
        if not root.exists():
            raise InvalidInput(
                f"There is no {root}.", kept="Nothing was started.", hint="Check the names of the sources."
            )
    scan = read_sources(directive.sources)
    if scan.problems and not directive.skip_unreadable:
        listed = " ".join(f"{problem.path}: {problem.reason}" for problem in scan.problems[:_PROBLEMS_SHOWN])
        more = (
            f" And {len(scan.problems) - _PROBLEMS_SHOWN} more."
            if len(scan.problems) > _PROBLEMS_SHOWN
            else ""
        )
        raise InvalidInput(
            f"{len(scan.problems)} of the sources cannot be read. {listed}{more}",
            kept="Nothing was started.",
            hint="Fix or remove them, or start without them.",
            advice=Advice("mission.start", to="start without them", sources="DIR", skip_unreadable=True),
        )
    if not scan.documents:
        places = ", ".join(shorten(str(root), 80) for root in directive.sources)
        raise InvalidInput(
            f"There is nothing to read in {places}.",
            kept="Nothing was started.",
            hint="Markdown, text, HTML, PDF, CSV, XLSX, DOCX and e-mails are read; hidden files are not.",
        )
    return without_copies(scan.documents), scan.problems


def check_destination(destination: Path) -> None:
    """Raise InvalidInput if the final folder could not be written; checked before the work, not after it."""
    place = destination.expanduser().resolve()
    existing = next(path for path in (place, *place.parents) if path.exists())
    try:
        if not existing.is_dir():
            raise NotADirectoryError(20, os.strerror(20), str(existing))
        with tempfile.TemporaryDirectory(prefix=".frasier-", dir=existing):
            pass
    except OSError as error:
        raise InvalidInput(
            f"{place} cannot be written: {error.strerror}.",
            kept="Nothing was started.",
            hint="Name another place.",
            advice=Advice("mission.start", to="name it", out="DIR"),
        ) from error
