"""Skills of third parties: their state, what each gate said, and the work that was given them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from frasier.org.people import roster
from frasier.org.skills import (
    GateFinding,
    GateOutcome,
    PackageState,
    StoredPackage,
    VettingGate,
    current_gates,
    files_of,
    get_package,
    list_packages,
    parse_package,
    runs_with,
    skills_in_force,
)
from frasier.store import Tx
from frasier.workflow import FOUNDER, get_task


@dataclass(frozen=True, slots=True, kw_only=True)
class GateView:
    """A gate: its outcome, in a sentence why, and its findings, those that refuse first."""

    gate: VettingGate
    outcome: GateOutcome
    detail: str
    findings: tuple[GateFinding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageSummary:
    """A skill of a third party as a line. `hash` is that of its files; `waits_for` is what the founder has to do."""

    skill: str
    state: PackageState
    source: str
    hash: str
    why: str
    version: int | None
    in_force: bool
    gates: tuple[GateView, ...]
    waits_for: str
    changed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkWithSkill:
    """A task whose prompts were given the version that a package became."""

    task: UUID
    title: str
    agent: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PackagePage:
    """A skill of a third party with its text, its files, who is given it, and the work that used it."""

    summary: PackageSummary
    description: str
    text: str
    tools: tuple[str, ...] | None
    files: tuple[str, ...]
    agents: tuple[str, ...]
    work: tuple[WorkWithSkill, ...]


async def read_skill_packages(tx: Tx) -> tuple[PackageSummary, ...]:
    """Read the newest package of each skill of a third party, by name."""
    return tuple([await _summary(tx, package) for package in await list_packages(tx)])


async def read_waiting_packages(tx: Tx) -> tuple[PackageSummary, ...]:
    """Read the packages that wait for the founder: to be scanned, reviewed, or looked at after they had been active."""
    return tuple(one for one in await read_skill_packages(tx) if one.waits_for)


async def read_skill_package(tx: Tx, skill: str) -> PackagePage:
    """Read the newest package of a skill. Raises NotFound."""
    package = await get_package(tx, skill)
    files = await files_of(tx, package)
    content = parse_package(files)
    names = {agent.id: agent.name for agent in await roster(tx, active_only=False)}
    work: dict[UUID, WorkWithSkill] = {}
    for run in await runs_with(tx, package):
        if run.task_id not in work:
            task = await get_task(tx, run.task_id)
            work[run.task_id] = WorkWithSkill(
                task=run.task_id, title=task.title, agent=names[run.agent_id], at=run.used_at
            )
    return PackagePage(
        summary=await _summary(tx, package),
        description=content.description,
        text=content.method,
        tools=content.tools,
        files=tuple(f"{file.path} ({len(file.content):,} bytes)" for file in files),
        agents=tuple(names[agent] for agent in package.agents if agent in names),
        work=tuple(work.values()),
    )


async def _summary(tx: Tx, package: StoredPackage) -> PackageSummary:
    gates = await current_gates(tx, package)
    in_force = [one.version for one in await skills_in_force(tx, [package.skill])]
    return PackageSummary(
        skill=package.skill,
        state=package.state,
        source=package.source,
        hash=package.digest,
        why=package.why,
        version=package.version,
        in_force=package.version in in_force,
        gates=tuple(
            GateView(gate=gate, outcome=one.outcome, detail=one.detail, findings=one.findings)
            for gate, one in gates.items()
        ),
        waits_for=_waits_for(package),
        changed_at=package.changed_at,
    )


def _waits_for(package: StoredPackage) -> str:
    if package.state is PackageState.ADDED:
        return "a scan"
    if package.state is PackageState.SCANNED:
        return "your review"
    was_active = package.state is PackageState.QUARANTINED and package.version is not None
    return "a look at the work that used it" if was_active and package.changed_by != str(FOUNDER) else ""
