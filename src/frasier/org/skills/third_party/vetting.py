"""The way of a skill from its addition to its approval: what the gates said decides, and nothing goes round them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotAllowed, Stale
from frasier.kernel.text import shorten
from frasier.org.skills.skill_versions import (
    SHORT_CHARS_MAX,
    SkillOrigin,
    SkillProvenance,
    add_skill_version,
    put_version_in_force,
)
from frasier.org.skills.third_party.gates import GateOutcome, GateResult, VettingGate, not_run
from frasier.org.skills.third_party.human_review import read_answers, review_result
from frasier.org.skills.third_party.package import parse_package
from frasier.org.skills.third_party.packages import (
    PackageState,
    StoredPackage,
    add_gates,
    approved_package,
    files_of,
    gates_of,
    get_package,
    give_skill,
    is_as_pinned,
    lock_package,
    quarantine,
    set_state,
)
from frasier.store import Tx
from frasier.workflow import Actor

_DIGEST_CHARS_MIN = 12
_CHANGED = "The stored files no longer have the hash that was pinned."


async def record_scan(
    tx: Tx, package: StoredPackage, results: Sequence[GateResult], *, actor: Actor
) -> StoredPackage:
    """Store what the gates of a machine said of a package, and return it in the state that follows.

    A flag, or a gate that gave no verdict, quarantines it. Whatever was quarantined needs a new review.
    """
    now = await lock_package(tx, package.id)
    await add_gates(tx, now, results, actor=actor)
    refused = [result for result in results if result.refuses]
    if not await is_as_pinned(tx, now):
        await quarantine(tx, now, why=_CHANGED, actor=actor)
    elif refused:
        await quarantine(
            tx, now, why=f"Refused by {', '.join(_reason_of(one) for one in refused)}.", actor=actor
        )
    elif now.state in {PackageState.ADDED, PackageState.QUARANTINED}:
        await set_state(tx, now, PackageState.SCANNED, why="No gate that ran flagged it.", actor=actor)
    return await lock_package(tx, package.id)


async def approve_package(
    tx: Tx, skill: str, digest: str, answers: Mapping[str, str], *, actor: Actor
) -> StoredPackage:
    """Record the founder's review of the files with a hash, and make the skill active if nothing was found.

    Raises NotAllowed where the gates do not permit it, Stale where another hash was reviewed, and InvalidInput for a
    review that leaves a question open. Returns the package, quarantined if something was found.
    """
    review = read_answers(answers)
    package = await lock_package(tx, (await get_package(tx, skill)).id)
    _check_digest(package, digest)
    if package.state is not PackageState.SCANNED:
        raise _not_allowed(f"{package.skill} is {package.state}: {package.why or 'it was not scanned yet'}")
    gates = await current_gates(tx, package)
    # A review of before is replaced by this one.
    of_machines = [one for gate, one in gates.items() if gate is not VettingGate.REVIEW]
    if gates[VettingGate.RULES].outcome is not GateOutcome.PASSED or any(one.refuses for one in of_machines):
        raise _not_allowed(f"The gates of {package.skill} do not permit it")
    if not await is_as_pinned(tx, package):
        await quarantine(tx, package, why=_CHANGED, actor=actor)
        return await lock_package(tx, package.id)
    result = review_result(review, digest=package.digest, actor=str(actor))
    await add_gates(tx, package, [result], actor=actor)
    if result.refuses:
        found = ", ".join(key for key, answer in review.items() if not answer.clear)
        await quarantine(tx, package, why=f"The review found: {found}.", actor=actor)
    else:
        missing = [
            gate
            for gate, one in gates.items()
            if one.outcome is GateOutcome.NOT_RUN and gate != VettingGate.REVIEW
        ]
        await _put_in_force(tx, package, missing, actor=actor)
    return await lock_package(tx, package.id)


async def current_gates(tx: Tx, package: StoredPackage) -> dict[VettingGate, GateResult]:
    """Return the result of each of the four gates for the files as they are pinned; one that never ran says so."""
    found = await gates_of(tx, package)
    return {
        gate: found[gate]
        if gate in found and found[gate].digest == package.digest
        else not_run(gate, package.digest, "It has not been begun.")
        for gate in VettingGate
    }


async def _put_in_force(
    tx: Tx, package: StoredPackage, missing: Sequence[VettingGate], *, actor: Actor
) -> None:
    content = parse_package(await files_of(tx, package))
    without = f" Gates that did not run: {', '.join(missing)}." if missing else ""
    why = f"Vetted as a skill of a third party.{without}"
    provenance = SkillProvenance(origin=SkillOrigin.THIRD_PARTY, source=package.source, digest=package.digest)
    short = shorten(content.description, SHORT_CHARS_MAX)
    version = await add_skill_version(tx, package.skill, short, content.method, provenance, actor, why)
    if (before := await approved_package(tx, package.skill)) is not None:
        await set_state(tx, before, PackageState.REPLACED, why="A later one was approved.", actor=actor)
    await set_state(tx, package, PackageState.APPROVED, why=why, actor=actor, version=version.version)
    await put_version_in_force(tx, package.skill, version.version, actor=actor, why=why)
    await give_skill(tx, package)


def _check_digest(package: StoredPackage, digest: str) -> None:
    if len(digest) < _DIGEST_CHARS_MIN or not package.digest.startswith(digest.lower()):
        raise Stale(
            f"The review is of other files: those of {package.skill} have the hash {package.digest[:16]}.",
            kept="Nothing was approved.",
            advice=Advice("skill.package", to="read what is there now", skill=package.skill),
        )


def _not_allowed(reason: str) -> NotAllowed:
    return NotAllowed(
        f"{reason.rstrip('.')}.",
        kept="Nothing was approved.",
        hint="Only a skill that was scanned without a flag can be.",
    )


def _reason_of(result: GateResult) -> str:
    flags = [finding for finding in result.findings if finding.level == "flag"]
    first = f": {flags[0].path}:{flags[0].line} {flags[0].rule}" if flags else f": {result.detail}"
    return f"{result.gate} ({result.outcome}{shorten(first, 200)})"
