"""Stored skills of third parties: their files, the results of their gates, and the state that follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput, NotFound
from frasier.kernel.hostile_text.findings import FindingLevel
from frasier.kernel.ids import new_id
from frasier.kernel.text import shorten
from frasier.org.people import find_agent
from frasier.org.skills.skill_versions import LONG_CHARS_MAX, withdraw_version
from frasier.org.skills.store import give_skill_to
from frasier.org.skills.third_party.gates import GateFinding, GateOutcome, GateResult, VettingGate
from frasier.org.skills.third_party.package import PackageFile, SkillPackage, digest_of
from frasier.store import Statements, Tx, append_event, from_row
from frasier.workflow import Actor

_sql = Statements("frasier.org.skills.third_party")
_WORK_NAMED_MAX = 100


class PackageState(StrEnum):
    """Added, scanned without a flag, approved by the founder, quarantined, or replaced by a later one."""

    ADDED = "added"
    SCANNED = "scanned"
    APPROVED = "approved"
    QUARANTINED = "quarantined"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPackage:
    """A stored skill of a third party. `digest` is the pinned hash of its files; `folder` is "" for a commit.

    `version` is the version of the skill that it became. `why` says what led to its state, and `changed_by` who.
    """

    id: UUID
    skill: str
    source: str
    folder: str
    digest: str
    agents: tuple[UUID, ...]
    state: PackageState
    why: str
    changed_by: str
    changed_at: datetime
    version: int | None
    added_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RunWithSkill:
    """A run whose prompts were given a version of a skill."""

    task_id: UUID
    attempt: int
    agent_id: UUID
    in_full: bool
    used_at: datetime


async def store_package(
    tx: Tx, package: SkillPackage, *, source: str, folder: str, agents: Sequence[str], actor: Actor
) -> StoredPackage:
    """Store a folder that was read, with the hash of its files, for some agents.

    The same files again add to the agents, who are named by id or name.

    Raises InvalidInput for a name that a skill of our own has, and for a text that no prompt has room for.
    """
    if (await _sql.one(tx, "is_known_otherwise", skill=package.skill))["known"]:
        raise InvalidInput(
            f"There is a skill {package.skill} already, which is not of a third party.",
            kept="Nothing was stored, and nothing of it was run.",
            hint="Give it another name in the head of its SKILL.md.",
        )
    if len(package.method) > LONG_CHARS_MAX:
        raise InvalidInput(
            f"The text of {package.name} has {len(package.method):,} characters.",
            kept="Nothing was stored, and nothing of it was run.",
            hint=f"No more than {LONG_CHARS_MAX:,} fit into a prompt; move details into further files.",
        )
    agent_ids = [(await find_agent(tx, name)).id for name in agents]
    row = await _sql.maybe(tx, "newest_package", skill=package.skill)
    if row is not None and row["digest"] == package.digest and row["source"] == source:
        stored = _package(await _sql.one(tx, "add_agents", id=row["id"], agents=agent_ids))
        if stored.state is PackageState.APPROVED:
            await give_skill(tx, stored)
        return stored
    identity = new_id()
    await _sql.run(
        tx,
        "insert_package",
        id=identity,
        skill=package.skill,
        source=source,
        folder=folder,
        digest=package.digest,
        agents=agent_ids,
        actor=str(actor),
    )
    await _sql.run(
        tx,
        "insert_files",
        package_id=identity,
        paths=[file.path for file in package.files],
        contents=[file.content for file in package.files],
    )
    facts = {"source": source, "files": len(package.files)}
    stored = await get_package(tx, package.skill)
    await _record(tx, stored, "added", actor, **facts)
    return stored


async def get_package(tx: Tx, skill: str) -> StoredPackage:
    """Return the newest package of a skill, by the name of either; raise NotFound."""
    row = await _sql.maybe(tx, "newest_package", skill=skill.replace("-", "_"))
    if row is None:
        raise NotFound(
            f"There is no skill {shorten(skill, 60)!r} of a third party.",
            kept="Nothing was changed.",
            advice=Advice("skill.packages", to="see those that were added"),
        )
    return _package(row)


async def list_packages(tx: Tx) -> list[StoredPackage]:
    """List the newest package of each skill, by name."""
    return [_package(row) for row in await _sql.all(tx, "newest_packages")]


async def package_of_version(tx: Tx, skill: str, version: int) -> StoredPackage | None:
    """Return the package that a version of a skill was made from, if it was."""
    row = await _sql.maybe(tx, "package_of_version", skill=skill, version=version)
    return None if row is None else _package(row)


async def approved_package(tx: Tx, skill: str) -> StoredPackage | None:
    """Return the package of a skill whose version may be in force."""
    row = await _sql.maybe(tx, "approved_package", skill=skill)
    return None if row is None else _package(row)


async def lock_package(tx: Tx, package_id: UUID) -> StoredPackage:
    """Lock a package until the end of the transaction, and return it as it is now."""
    return _package(await _sql.one(tx, "lock_package", id=package_id))


async def lock_newest_package(tx: Tx, skill: str) -> StoredPackage:
    """Lock the newest package of a skill until the end of the transaction, and return it; raise NotFound."""
    return await lock_package(tx, (await get_package(tx, skill)).id)


async def files_of(tx: Tx, package: StoredPackage) -> tuple[PackageFile, ...]:
    """Return the stored files of a package."""
    rows = await _sql.all(tx, "files_of_package", package_id=package.id)
    return tuple(PackageFile(path=row["path"], content=bytes(row["content"])) for row in rows)


async def is_as_pinned(tx: Tx, package: StoredPackage) -> bool:
    """Tell whether the stored files still have the hash that was pinned."""
    return digest_of(await files_of(tx, package)) == package.digest


async def add_gates(tx: Tx, package: StoredPackage, results: Iterable[GateResult], *, actor: Actor) -> None:
    """Store results of gates."""
    for result in results:
        await _sql.run(
            tx,
            "insert_gate",
            package_id=package.id,
            gate=result.gate,
            outcome=result.outcome,
            digest=result.digest,
            detail=result.detail,
            findings=Jsonb([finding.as_dict() for finding in result.findings]),
            actor=str(actor),
        )


async def gates_of(tx: Tx, package: StoredPackage) -> dict[VettingGate, GateResult]:
    """Return the newest result of each gate of a package; one that was never begun has none."""
    rows = await _sql.all(tx, "gates_of_package", package_id=package.id)
    return {VettingGate(row["gate"]): _gate(row) for row in rows}


async def set_state(
    tx: Tx, package: StoredPackage, state: PackageState, *, why: str, actor: Actor, version: int | None = None
) -> None:
    """Put a package into a state."""
    await _sql.run(
        tx,
        "set_state",
        id=package.id,
        state=state,
        why=shorten(why, 2_000),
        actor=str(actor),
        version=version,
    )
    await _record(tx, package, str(state), actor, why=shorten(why, 2_000))


async def quarantine(tx: Tx, package: StoredPackage, *, why: str, actor: Actor) -> list[RunWithSkill]:
    """Quarantine a package: no prompt is given its version from now on. Returns the runs that were given it.

    The event names their tasks, in the same transaction as the state.
    """
    runs = await runs_with(tx, package)
    if package.version is not None:
        await withdraw_version(tx, package.skill, package.version)
    await _sql.run(
        tx,
        "set_state",
        id=package.id,
        state=PackageState.QUARANTINED,
        why=shorten(why, 2_000),
        actor=str(actor),
        version=None,
    )
    tasks = list(dict.fromkeys(str(run.task_id) for run in runs))
    facts = {"why": shorten(why, 2_000), "tasks": tasks[:_WORK_NAMED_MAX], "tasks_in_all": len(tasks)}
    await _record(tx, package, "quarantined", actor, **facts)
    return runs


async def quarantine_skill(tx: Tx, skill: str, *, why: str, actor: Actor) -> None:
    """Quarantine the newest package of a skill. Raises NotFound."""
    await quarantine(tx, await get_package(tx, skill), why=why, actor=actor)


async def runs_with(tx: Tx, package: StoredPackage) -> list[RunWithSkill]:
    """Return the runs that were given the version which a package became."""
    if package.version is None:
        return []
    return await _sql.all_as(
        RunWithSkill, tx, "runs_with_version", skill=package.skill, version=package.version
    )


async def give_skill(tx: Tx, package: StoredPackage) -> None:
    """Give the skill of a package to its agents, who keep the level that they have in it."""
    await give_skill_to(tx, package.skill, package.agents)


async def _record(tx: Tx, package: StoredPackage, what: str, actor: Actor, **facts: Any) -> None:
    await append_event(
        tx,
        stream=package.id,
        kind=f"skill.{what}",
        actor=str(actor),
        payload={"skill": package.skill, "digest": package.digest, **facts},
    )


def _package(row: Any) -> StoredPackage:
    return from_row(
        StoredPackage, row | {"agents": tuple(row["agents"]), "state": PackageState(row["state"])}
    )


def _gate(row: Any) -> GateResult:
    return GateResult(
        gate=VettingGate(row["gate"]),
        outcome=GateOutcome(row["outcome"]),
        digest=row["digest"],
        detail=row["detail"],
        findings=tuple(
            GateFinding(**finding | {"level": FindingLevel(finding["level"])}) for finding in row["findings"]
        ),
        actor=row["actor"],
        at=row["at"],
    )
