"""Read the methods of skills, compare their versions, and put an earlier one in force again."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    NoInput,
    OperationContext,
    Output,
    Result,
    StorableInput,
)
from frasier.interfaces.operations.organisation.services import Limit, Note, declare_founders, services_of
from frasier.kernel.humanize import plural
from frasier.org.skills import roll_back_skill
from frasier.overview import (
    SkillDiff,
    SkillPage,
    SkillSummary,
    SkillText,
    read_skill,
    read_skill_diff,
    read_skill_history,
    read_skills,
)
from frasier.workflow import FOUNDER

SkillName = Annotated[
    str,
    Field(max_length=80, description="The name of a skill, such as deep_research"),
    CliOption(argument="SKILL"),
]
SkillVersionNumber = Annotated[int | None, Field(ge=1, le=2**31 - 1)]


class SkillListOutput(Output):
    """The skills that have a method in force."""

    skills: tuple[SkillSummary, ...]


class SkillInput(StorableInput):
    """The name of a skill."""

    skill: SkillName


class SkillGetInput(SkillInput):
    """The version that is wanted."""

    version: SkillVersionNumber = Field(None, description="A version; the one in force by default")
    uses: Limit = 5


class SkillOutput(Output):
    """A version of a skill, who has the skill, and the last runs that were given that version."""

    skill: SkillPage


class SkillHistoryOutput(Output):
    """The versions of a skill, newest first."""

    versions: tuple[SkillText, ...]


class SkillDiffInput(SkillInput):
    """The versions that are compared."""

    old: Annotated[SkillVersionNumber, CliOption(flags=("--from",))] = Field(
        None, description="The version that is compared; the one before the other by default"
    )
    new: Annotated[SkillVersionNumber, CliOption(flags=("--to",))] = Field(
        None, description="The version that it is compared with; the newest by default"
    )


class SkillDiffOutput(Output):
    """The difference between two versions."""

    diff: SkillDiff


class SkillRollbackInput(SkillInput):
    """The version that is put in force again."""

    version: Annotated[int, CliOption(argument="VERSION")] = Field(
        ge=1, le=2**31 - 1, description="The version that is put in force"
    )
    why: Note = "the founder's word"


async def _list(context: OperationContext, _request: NoInput) -> Result[SkillListOutput]:
    skills = await services_of(context).in_transaction(read_skills)
    return Result(summary=f"{plural(len(skills), 'skill')}.", data=SkillListOutput(skills=skills))


async def _get(context: OperationContext, request: SkillGetInput) -> Result[SkillOutput]:
    page = await services_of(context).in_transaction(
        read_skill, request.skill, version=request.version, uses=request.uses
    )
    return Result(summary=_headline(page.text), data=SkillOutput(skill=page))


async def _history(context: OperationContext, request: SkillInput) -> Result[SkillHistoryOutput]:
    versions = await services_of(context).in_transaction(read_skill_history, request.skill)
    return Result(
        summary=f"{plural(len(versions), 'version')} of {request.skill}.",
        data=SkillHistoryOutput(versions=versions),
    )


async def _diff(context: OperationContext, request: SkillDiffInput) -> Result[SkillDiffOutput]:
    diff = await services_of(context).in_transaction(
        read_skill_diff, request.skill, old=request.old, new=request.new
    )
    same = "" if diff.lines else " They are the same."
    return Result(
        summary=f"Version {diff.old} of {diff.skill} compared with version {diff.new}.{same}",
        data=SkillDiffOutput(diff=diff),
    )


async def _rollback(context: OperationContext, request: SkillRollbackInput) -> Result[SkillOutput]:
    services = services_of(context)
    await services.in_transaction(
        roll_back_skill, request.skill, request.version, actor=FOUNDER, why=request.why
    )
    page = await services.in_transaction(read_skill, request.skill, version=request.version, uses=5)
    return Result(summary=_headline(page.text), data=SkillOutput(skill=page))


def _headline(text: SkillText) -> str:
    return (
        f"The skill {text.skill}, version {text.version}, {'in force' if text.in_force else 'not in force'}."
    )


LIST = declare_founders(
    _list,
    name="skill_list",
    title="List skills",
    layer=Layer.DISCOVERY,
    about="The skills with the method in force of each, who has them, and accepted works with them.",
    read_only=True,
)
GET = declare_founders(
    _get,
    name="skill_get",
    title="Show a skill",
    layer=Layer.DETAIL,
    about="One skill: both texts of its method, their provenance, who has it, and the runs that were given it.",
    read_only=True,
)
HISTORY = declare_founders(
    _history,
    name="skill_history",
    title="Show a skill's history",
    layer=Layer.DETAIL,
    about="The versions of a skill: who wrote each, when, why and from what.",
    read_only=True,
)
DIFF = declare_founders(
    _diff,
    name="skill_diff",
    title="Compare versions of a skill",
    layer=Layer.DETAIL,
    about="The lines in which two versions of a skill differ.",
    read_only=True,
)
ROLLBACK = declare_founders(
    _rollback,
    name="skill_rollback",
    title="Put a version of a skill in force",
    layer=Layer.SURGICAL,
    about="Put another version of a skill in force; prompts are given it from the next run on.",
    idempotent=True,
)
