"""The check at each load: a skill of a third party is given to a prompt only while it is what was approved."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from pathlib import Path
from uuid import UUID

from frasier.kernel.errors import InvalidInput
from frasier.kernel.text import strip_control
from frasier.org.people import Capability
from frasier.org.skills.skill_versions import SkillOrigin, SkillVersion, skill_version
from frasier.org.skills.third_party.package import digest_of, parse_package
from frasier.org.skills.third_party.packages import (
    PackageState,
    StoredPackage,
    files_of,
    package_of_version,
    quarantine,
)
from frasier.org.skills.third_party.read_folder import read_folder
from frasier.org.skills.used_skills import skills_used_by_task
from frasier.store import Tx
from frasier.workflow import SYSTEM

CAPABILITY_OF_TOOL = {"WebSearch": Capability.SEARCH_WEB, "WebFetch": Capability.FETCH_PAGES}
"""The tools that skills name for what agents here can do besides reading and writing what they are given."""


async def withhold_unvetted(
    tx: Tx, versions: Sequence[SkillVersion], *, held: Collection[str]
) -> list[SkillVersion]:
    """Return the versions that the prompts of an agent with the `held` skills may be given.

    One of a third party is only for those who hold it. If its files have changed since its approval, it is quarantined.
    """
    kept = []
    for version in versions:
        if version.origin is not SkillOrigin.THIRD_PARTY:
            kept.append(version)
            continue
        package = await package_of_version(tx, version.skill, version.version)
        if package is None or package.state is not PackageState.APPROVED or version.skill not in held:
            continue
        if (drift := await _drift_of(tx, package, version)) is None:
            kept.append(version)
        else:
            await quarantine(tx, package, why=drift, actor=SYSTEM)
    return kept


async def skills_withdrawn_from(tx: Tx, task_id: UUID) -> tuple[str, ...]:
    """Return the skills of third parties, with their versions, that a task was given and may not be given any more.

    One that has changed since its approval is quarantined, also where only a kept context still holds its text.
    """
    used = {(one.skill, one.version) for one in await skills_used_by_task(tx, task_id)}
    versions = [await skill_version(tx, skill, version) for skill, version in sorted(used)]
    theirs = [one for one in versions if one.origin is SkillOrigin.THIRD_PARTY]
    kept = await withhold_unvetted(tx, theirs, held={one.skill for one in theirs})
    return tuple(f"{one.skill}:{one.version}" for one in theirs if one not in kept)


async def capabilities_withheld(tx: Tx, versions: Sequence[SkillVersion]) -> tuple[Capability, ...]:
    """Return what these skills take from who uses them: those whose tools one that lists its tools leaves out."""
    withheld: set[Capability] = set()
    for version in versions:
        if version.origin is SkillOrigin.THIRD_PARTY:
            package = await package_of_version(tx, version.skill, version.version)
            tools = None if package is None else parse_package(await files_of(tx, package)).tools
            if tools is not None and "*" not in tools:
                withheld |= {one for tool, one in CAPABILITY_OF_TOOL.items() if tool not in tools}
    return tuple(sorted(withheld))


async def _drift_of(tx: Tx, package: StoredPackage, version: SkillVersion) -> str | None:
    """Return how a skill differs from what was approved; None if it does not."""
    files = await files_of(tx, package)
    if digest_of(files) != package.digest:
        return "The stored files no longer have the hash that was approved."
    if (
        version.source_digest != package.digest
        or version.long != strip_control(parse_package(files).method).strip()
    ):
        return "The text in force is not that of the files that were approved."
    return await asyncio.to_thread(_drift_of_folder, package) if package.folder else None


def _drift_of_folder(package: StoredPackage) -> str | None:
    folder = Path(package.folder)
    if not folder.is_dir():
        return None  # the stored copy is what was reviewed; a folder that is gone changes nothing of it
    try:
        now = digest_of(read_folder(folder))
    except InvalidInput as refused:
        return f"The folder {folder} has changed since the approval: {refused.message}"
    if now != package.digest:
        return f"The folder {folder} has changed since the approval: its hash is {now[:16]} now."
    return None
