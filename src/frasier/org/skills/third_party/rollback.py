"""The rollback of a skill: of a third party's, only a version whose package is approved comes into force again."""

from __future__ import annotations

from frasier.kernel.advice import Advice
from frasier.kernel.errors import Refused
from frasier.org.skills.skill_versions import SkillOrigin, SkillVersion, put_version_in_force, skill_version
from frasier.org.skills.third_party.packages import PackageState, package_of_version
from frasier.store import Tx
from frasier.workflow import Actor


async def roll_back_skill(tx: Tx, skill: str, version: int, *, actor: Actor, why: str = "") -> SkillVersion:
    """Put an earlier version of a skill in force, and return it.

    Raises NotFound, and Refused for a version of a third party whose package is quarantined, replaced or not approved.
    """
    wanted = await skill_version(tx, skill, version)
    if wanted.origin is SkillOrigin.THIRD_PARTY:
        package = await package_of_version(tx, skill, version)
        if package is None or package.state is not PackageState.APPROVED:
            state = "gone" if package is None else str(package.state)
            raise Refused(
                f"Version {version} of {skill} is of a third party, and its package is {state}.",
                kept="The version in force stays.",
                hint="Add its files again, and have them scanned and approved.",
                advice=Advice("skill.package", to="see what the gates said", skill=skill),
            )
    return await put_version_in_force(tx, skill, version, actor=actor, why=why)
