"""Skills of third parties: add, scan, approve and quarantine them, and show what the gates said."""

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
from frasier.interfaces.operations.organisation.given_files import check_at_machine
from frasier.interfaces.operations.organisation.services import declare_founders, services_of
from frasier.kernel.advice import Advice
from frasier.kernel.errors import NotAllowed
from frasier.kernel.humanize import plural
from frasier.org.skills import (
    PackageState,
    approve_package,
    files_of,
    get_package,
    parse_package,
    quarantine_skill,
    record_scan,
    store_package,
)
from frasier.overview import PackagePage, PackageSummary, read_skill_package, read_skill_packages
from frasier.workflow import FOUNDER

PackageName = Annotated[
    str,
    Field(max_length=80, description="The name of a skill of a third party"),
    CliOption(argument="SKILL"),
]


class SkillAddInput(StorableInput):
    """The source of a skill."""

    source: Annotated[str, CliOption(argument="SOURCE")] = Field(
        max_length=1_000,
        description="A folder with a SKILL.md, or URL@COMMIT, or URL@COMMIT#FOLDER; a folder only at the machine",
    )
    agents: Annotated[tuple[str, ...], CliOption(flags=("--agent",))] = Field(
        (), max_length=50, description="Those who are given the skill once it is approved, by id or name"
    )


class PackageInput(StorableInput):
    """The name of a skill of a third party."""

    skill: PackageName


class SkillApproveInput(PackageInput):
    """The founder's review: answers to the seven questions about the files with a hash."""

    hash: str = Field(
        max_length=64, description="The hash of the files that were reviewed, or its first 12 digits"
    )
    answers: dict[str, str] = Field(
        max_length=20, description='For each question "clear: …" or "found: …", with what was looked at'
    )


class SkillQuarantineInput(PackageInput):
    """The reason for which a skill is taken out of use."""

    why: str = Field("the founder's word", min_length=1, max_length=1_000, description="Why; it is kept")


class PackageListOutput(Output):
    """The skills of third parties."""

    packages: tuple[PackageSummary, ...]


class PackageOutput(Output):
    """A skill of a third party."""

    package: PackagePage


async def _add(context: OperationContext, request: SkillAddInput) -> Result[PackageOutput]:
    services = services_of(context)
    if "://" not in request.source:
        check_at_machine(context, "folders")
    package, folder = await services.skill_vetting.read(request.source)

    stored = await services.in_transaction(
        store_package,
        package,
        source=folder or request.source,
        folder=folder,
        agents=request.agents,
        actor=FOUNDER,
    )
    return (
        await _scanned(context, stored.skill)
        if stored.state == "added"
        else await _show(context, stored.skill)
    )


async def _scan(context: OperationContext, request: PackageInput) -> Result[PackageOutput]:
    return await _scanned(context, request.skill)


async def _scanned(context: OperationContext, skill: str) -> Result[PackageOutput]:
    services = services_of(context)
    stored = await services.in_transaction(get_package, skill)
    files = await services.in_transaction(files_of, stored)
    results = await services.skill_vetting.scan(parse_package(files))
    await services.in_transaction(record_scan, stored, results, actor=FOUNDER)
    return await _show(context, skill)


async def _approve(context: OperationContext, request: SkillApproveInput) -> Result[PackageOutput]:
    if not context.at_machine:
        raise NotAllowed(
            "Only the founder at the machine can approve a skill of a third party.",
            kept="Nothing was approved.",
            hint="The review is a person's, and is not asked of programs.",
        )
    await services_of(context).in_transaction(
        approve_package, request.skill, request.hash, request.answers, actor=FOUNDER
    )
    return await _show(context, request.skill)


async def _quarantine(context: OperationContext, request: SkillQuarantineInput) -> Result[PackageOutput]:
    await services_of(context).in_transaction(quarantine_skill, request.skill, why=request.why, actor=FOUNDER)
    return await _show(context, request.skill)


async def _list(context: OperationContext, _request: NoInput) -> Result[PackageListOutput]:
    packages = await services_of(context).in_transaction(read_skill_packages)
    return Result(
        summary=f"{plural(len(packages), 'skill')} of third parties.",
        data=PackageListOutput(packages=packages),
    )


async def _get(context: OperationContext, request: PackageInput) -> Result[PackageOutput]:
    return await _show(context, request.skill)


async def _show(context: OperationContext, skill: str) -> Result[PackageOutput]:
    page = await services_of(context).in_transaction(read_skill_package, skill)
    summary = page.summary
    used = f" {plural(len(page.work), 'task')} used it." if page.work else ""
    hints = (
        (Advice("skill.approve", to="review it and answer the seven questions", skill=summary.skill),)
        if summary.state is PackageState.SCANNED
        else ()
    )
    return Result(
        summary=f"The skill {summary.skill} is {summary.state}: {summary.why or 'it waits for a scan.'}{used}",
        data=PackageOutput(package=page),
        hints=hints,
    )


ADD = declare_founders(
    _add,
    name="skill_add",
    title="Add a skill of a third party",
    layer=Layer.SURGICAL,
    about="Read a SKILL.md folder without running anything of it, pin its hash, and scan it. It is not active.",
    idempotent=True,
)
SCAN = declare_founders(
    _scan,
    name="skill_scan",
    title="Scan a skill of a third party",
    layer=Layer.SURGICAL,
    about="Run the gates of a machine over the stored files of a skill again; a flag quarantines it.",
)
APPROVE = declare_founders(
    _approve,
    name="skill_approve",
    title="Approve a skill of a third party",
    layer=Layer.SURGICAL,
    about="Record the founder's review of the files with a hash; the skill is active if nothing was found.",
)
QUARANTINE = declare_founders(
    _quarantine,
    name="skill_quarantine",
    title="Quarantine a skill of a third party",
    layer=Layer.SURGICAL,
    about="Give a skill of a third party to no prompt from now on; the work that used it is named.",
    destructive=True,
    idempotent=True,
)
PACKAGES = declare_founders(
    _list,
    name="skill_packages",
    title="List skills of third parties",
    layer=Layer.DISCOVERY,
    about="The skills of third parties with their state, and what each gate said.",
    read_only=True,
)
PACKAGE = declare_founders(
    _get,
    name="skill_package",
    title="Show a skill of a third party",
    layer=Layer.DETAIL,
    about="One skill of a third party: its text and files, all findings of the gates, and the work that used it.",
    read_only=True,
)
