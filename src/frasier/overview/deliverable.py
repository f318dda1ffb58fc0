"""The result of a mission as it is read: its text, each statement with its verdict and passages, its sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.errors import NotFound
from frasier.llm import CarryingPassage, Verification
from frasier.org.missions import (
    Deliverable,
    Mission,
    MissionStep,
    accepted_deliverables,
    deliverables_of,
    find_mission,
    missing_for,
    steps_of,
)
from frasier.store import Tx
from frasier.work import (
    Source,
    locate_statements,
    numbers_cited,
    sources_of,
    without_marks,
    without_source_lists,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliverableStatement:
    """A statement of a text with its verdict, the reasons for that, and the passages that it was compared with.

    It stands from `start` to `end` in the text; both are None where it was removed from it.
    """

    number: int
    text: str
    verdict: str
    cited: tuple[int, ...]
    findings: tuple[str, ...]
    passages: tuple[CarryingPassage, ...]
    start: int | None
    end: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliverableSource:
    """A source of a mission under the number by which its texts cite it, and whether this one does."""

    number: int
    kind: str
    title: str
    uri: str
    read_at: datetime
    cited: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultVersion:
    """A version of a result without its text. `headline` says how many of its statements are verified."""

    version: int
    created_at: datetime
    sha256: str
    approved: bool
    degraded: bool
    headline: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliverableText:
    """The text of a version of a result and what it rests on.

    `text` is Markdown with the marks of its citations, without a list of sources. The counts are its statements by
    verdict; `unreadable` are documents that could not be read, `missing` are steps that were left out.
    """

    title: str
    kind: DeliverableKind | None
    language: str
    version: int
    created_at: datetime
    rehearsal: bool
    degraded: bool
    text: str
    headline: str
    verified: int
    doubtful: int
    unchecked: int
    statements: tuple[DeliverableStatement, ...]
    sources: tuple[DeliverableSource, ...]
    unreadable: tuple[str, ...]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliverablePage(DeliverableText):
    """A version of a result with its place. `versions` are all that there are, oldest first."""

    deliverable: UUID
    mission: UUID
    step: str
    approved: bool
    sha256: str
    versions: tuple[ResultVersion, ...]


async def read_deliverable(
    tx: Tx, name: str, *, step: str | None = None, version: int | None = None
) -> DeliverablePage:
    """Read the result of the mission `name`: the approved version, else the newest; or the `version` named.

    Of the `step` with that key, if it is named, else of the final one. Raises NotFound where there is none.
    """
    mission = await find_mission(tx, name)
    steps = [one for one in await steps_of(tx, mission.id) if not one.removed]
    chosen = next((one for one in steps if (one.key == step if step else one.is_final)), None)
    versions = await deliverables_of(tx, [chosen.task_id]) if chosen else []
    number = str(mission.id)[-8:]
    if chosen is None or not versions:
        raise NotFound(
            f"The step {step} has no result."
            if step
            else f"The mission {mission.title!r} has no result yet.",
            advice=Advice("mission.show", to="see how far it is", mission=number),
        )
    approved = await approved_version(tx, mission, chosen)
    return await page_of(tx, mission, chosen, versions, _choose(versions, approved, version), approved)


async def approved_version(tx: Tx, mission: Mission, step: MissionStep) -> UUID | None:
    """Return the version of a step that was approved, which that of a mission stays while a new one is made."""
    if step.is_final:
        return mission.final_deliverable
    accepted = (await accepted_deliverables(tx, [step.task_id])).get(step.task_id)
    return accepted.id if accepted else None


def _choose(versions: Sequence[Deliverable], approved: UUID | None, version: int | None) -> Deliverable:
    if version is None:
        return next((one for one in versions if one.id == approved), versions[-1])
    for one in versions:
        if one.version == version:
            return one
    known = ", ".join(str(one.version) for one in versions)
    raise NotFound(f"There is no version {version}.", hint=f"There is: {known}.")


async def page_of(
    tx: Tx,
    mission: Mission,
    step: MissionStep,
    versions: Sequence[Deliverable],
    version: Deliverable,
    approved: UUID | None,
) -> DeliverablePage:
    """Return a `version` of a step as it is read; `versions` are all that there are."""
    sources = await sources_of(tx, mission.id)
    text = without_marks(without_source_lists(version.content) if sources else version.content.rstrip())
    verification = version.verification
    return DeliverablePage(
        deliverable=version.id,
        mission=mission.id,
        title=mission.title if step.is_final else step.title,
        kind=step.kind,
        language=step.language,
        step=step.key,
        version=version.version,
        approved=version.id == approved,
        sha256=version.digest,
        created_at=version.created_at,
        rehearsal=version.rehearsal,
        degraded=version.degraded,
        text=text,
        headline=verification.headline,
        verified=verification.verified,
        doubtful=verification.doubtful,
        unchecked=verification.unchecked,
        statements=_statements(text, verification),
        sources=_sources(sources, text),
        unreadable=tuple(mission.skipped_sources),
        missing=await missing_for(tx, step),
        versions=tuple(
            ResultVersion(
                version=one.version,
                created_at=one.created_at,
                sha256=one.digest,
                approved=one.id == approved,
                degraded=one.degraded,
                headline=one.verification.headline,
            )
            for one in versions
        ),
    )


def _statements(text: str, verification: Verification) -> tuple[DeliverableStatement, ...]:
    places = {id(place.statement): place for place in locate_statements(text, verification.statements)}
    read = []
    for number, statement in enumerate(verification.statements, start=1):
        place = places.get(id(statement))
        read.append(
            DeliverableStatement(
                number=number,
                text=statement.text,
                verdict=statement.verdict,
                cited=statement.cited,
                findings=statement.findings,
                passages=statement.passages,
                start=place.start if place else None,
                end=place.end if place else None,
            )
        )
    return tuple(read)


def _sources(sources: Sequence[Source], text: str) -> tuple[DeliverableSource, ...]:
    cited = numbers_cited(text)
    return tuple(
        DeliverableSource(
            number=source.number,
            kind=source.kind,
            title=source.name,
            uri=source.uri,
            read_at=source.read_at,
            cited=source.number in cited,
        )
        for source in sources
    )
