"""The change of a mission's result by its last revision, in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

from frasier.kernel.humanize import plural
from frasier.org.governance import Review, ReviewKind, reviews_of_steps
from frasier.org.missions import Deliverable, Mission, deliverables_of, get_deliverable
from frasier.store import Tx
from frasier.work import version_differences


async def read_change(tx: Tx, mission: Mission) -> str:
    """Say how the result of a mission differs from the one that was accepted before it; empty for a first one."""
    if mission.final_deliverable is None:
        return ""
    final = await get_deliverable(tx, mission.final_deliverable)
    if final.version == 1:
        return ""
    versions = await deliverables_of(tx, [final.task_id])
    before = _accepted_before(final, versions, await reviews_of_steps(tx, [final.task_id]))
    return describe_change(before, final) if before else ""


def _accepted_before(
    final: Deliverable, versions: Sequence[Deliverable], reviews: Sequence[Review]
) -> Deliverable | None:
    """Return the newest earlier version that its reviewers approved; the founder may have judged it otherwise since."""
    given = [review for review in reviews if review.kind is not ReviewKind.FOUNDER]
    approved = {review.deliverable_id for review in given if review.state == "approved"}
    rejected = {review.deliverable_id for review in given if review.state == "rejected"}
    earlier = [one for one in versions if one.version < final.version and one.id in approved - rejected]
    return max(earlier, key=lambda one: one.version, default=None)


def describe_change(before: Deliverable, after: Deliverable) -> str:
    """Say in lines what one version changed in another."""
    differences = version_differences(before.content, after.content).splitlines()
    gone = sum(line.startswith("−") for line in differences)
    new = len(differences) - gone
    if before.digest == after.digest:
        changed = "nothing was changed"
    elif not differences:
        changed = "only spaces and empty lines were changed"
    else:
        changed = f"{plural(gone, 'line')} gone, {new} new"
    return f"Version {after.version}: {changed} since version {before.version}."
