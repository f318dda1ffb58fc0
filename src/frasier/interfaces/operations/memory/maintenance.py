"""Looking after the memory: files, counts, health, consolidation, and vectors that failed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from frasier.interfaces.operations import (
    CliOption,
    Layer,
    NoInput,
    OperationContext,
    OperationInput,
    Output,
    Progress,
    Reads,
    Result,
    declare,
)
from frasier.interfaces.operations.memory.fields import ScopeField
from frasier.interfaces.operations.memory.file_tiers import FileProposal, UnreadFile, tier_answer
from frasier.interfaces.operations.memory.surface import SurfacedOutput, surface
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput
from frasier.kernel.humanize import plural
from frasier.memory import (
    ConsolidatedFact,
    FileProblem,
    FileWarning,
    ImportanceTier,
    LeftOut,
    PrunedEpisode,
    ScanProgress,
    TierProposal,
    answer_tier_proposal,
    checkpoint_before,
    consolidate,
    find_tier_proposal,
    graph_stats,
    memory_stats,
    tier_proposals,
    unread_edits,
)
from frasier.store import Tx

_SURFACED_TOKENS = 300
_SHOWN = 50
_HINTED = 5


class ScanInput(OperationInput):
    folder: Annotated[
        str | None,
        CliOption(argument="FOLDER", help="A memory folder or one in it; all if not said.", reads=Reads.PATH),
    ] = Field(None, max_length=500, description="Default: every memory folder")
    scope: ScopeField = None
    force: bool = Field(False, description="Read every file, also within a minute of the last scan")


class ScanOutput(SurfacedOutput):
    """The numbers of files by what a scan of the folders did with them, and what it has to say of single ones."""

    indexed: int
    updated: int
    unchanged: int
    failed: int
    removed: int
    moved: int
    links_drawn: int
    folders: tuple[str, ...]
    errors: tuple[FileProblem, ...] = ()
    warnings: tuple[FileWarning, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    asking: tuple[FileProposal, ...] = ()
    unresolved_links: int = 0


class _FileCount:
    """The files of several folders, counted on from one to the next: progress never goes back."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._done = 0

    def of_a_folder(self) -> Callable[[ScanProgress], Awaitable[None]] | None:
        """Return the progress of the next folder's scan; None where nobody waits."""
        progress, before = self._progress, self._done
        if progress is None:
            return None

        async def report_step(step: ScanProgress) -> None:
            self._done = before + step.done
            await progress(self._done, before + step.total)

        return report_step


async def _scan(context: OperationContext, request: ScanInput) -> Result[ScanOutput]:
    engine = context.memory
    folders = [Path(request.folder)] if request.folder else list(engine.files.roots.paths)
    if not folders:
        raise InvalidInput(
            "No memory folder is configured.",
            number="E014",
            kept="Nothing was scanned.",
            hint="Set FRASIER_MEMORY__ROOTS to the folders from which files become memories.",
        )
    count = _FileCount(context.progress)
    reports = [
        await engine.files.scan(
            context.caller,
            folder,
            scope=request.scope,
            force=request.force,
            progress=count.of_a_folder(),
        )
        for folder in folders
    ]
    counted = ("indexed", "updated", "unchanged", "failed", "removed", "moved", "links_drawn")
    totals = {name: sum(getattr(report, name) for report in reports) for name in counted}
    surfaced = await surface(context, tokens=_SURFACED_TOKENS)
    return Result(
        summary=", ".join(f"{count} {name}" for name, count in totals.items() if count)
        or "No file is there.",
        data=ScanOutput.of(
            surfaced,
            **totals,
            folders=[report.folder for report in reports],
            errors=[error for report in reports for error in report.errors][:_SHOWN],
            warnings=[warning for report in reports for warning in report.warnings][:_SHOWN],
            left_out=[path for report in reports for path in report.left_out][:_SHOWN],
            asking=[FileProposal.of_proposal(proposal) for report in reports for proposal in report.asking][
                :_SHOWN
            ],
            unresolved_links=sum(report.unresolved for report in reports),
        ),
        hints=(
            *(
                hint
                for report in reports
                for proposal in report.asking[:_HINTED]
                for hint in _hints_of(proposal)
            ),
            *("Files that failed are tried again at the next scan." for _ in range(min(totals["failed"], 1))),
        ),
    )


def _hints_of(proposal: TierProposal) -> tuple[str | Advice, ...]:
    return (
        f"{proposal.path} asks to be {proposal.tier}, and is normal until the founder confirms that.",
        Advice("memory.confirm", to="confirm it", id=str(proposal.id)),
    )


class ConfirmInput(OperationInput):
    id: Annotated[
        str | None,
        CliOption(argument="ID", help="The request to answer; without it, list the files that ask."),
    ] = Field(None, min_length=8, max_length=60, description="Which; default: only list the files that ask")
    refuse: Annotated[bool, CliOption(help="Keep the file normal, and do not ask again.")] = Field(
        False, description="It stays normal, and is not asked about again"
    )


class ConfirmOutput(Output):
    """The files that wait, in `asking` and `unread`; or, where one was answered, just that one."""

    asking: tuple[FileProposal, ...] | None = None
    unread: tuple[UnreadFile, ...] = ()
    id: UUID | None = None
    path: str = ""
    tier: ImportanceTier | None = None
    title: str = ""
    memory: UUID | None = None
    asked_at: datetime | None = None
    outdated: bool = False


async def _confirm(context: OperationContext, request: ConfirmInput) -> Result[ConfirmOutput]:
    engine, caller = context.memory, context.caller
    if request.id is None:
        asking = await engine.in_transaction(tier_proposals, caller)
        unread = await engine.in_transaction(unread_edits, caller)
        return Result(
            summary=f"{plural(len(asking), 'file')} waiting for the founder to confirm a tier."
            if asking
            else "No file asks to be more than normal.",
            data=ConfirmOutput(
                asking=tuple(FileProposal.of_proposal(proposal) for proposal in asking),
                unread=tuple(UnreadFile.of_edit(edit) for edit in unread),
            ),
            hints=(
                "Unread files were changed; a scan by the founder reads them.",
                Advice("memory.scan", to="read them", force=True),
            )
            if unread
            else (),
        )
    caller.require_founder("decide how important a file is")
    proposal = await engine.in_transaction(find_tier_proposal, caller, request.id)
    await engine.in_transaction(answer_tier_proposal, caller, proposal, confirm=not request.refuse)
    return Result(
        summary=tier_answer(proposal, confirm=not request.refuse),
        data=ConfirmOutput.of(FileProposal.of_proposal(proposal)),
    )


class StatsOutput(Output):
    """The numbers of memories, in all and by their properties, and of the links between them."""

    total: int
    archived: int
    deprecated: int
    without_vector: int
    by_scope: dict[str, int]
    by_kind: dict[str, int]
    by_tier: dict[str, int]
    by_type: dict[str, int]
    edges: int
    linked_percent: float


async def _stats(context: OperationContext, _request: NoInput) -> Result[StatsOutput]:
    stats = await context.memory.in_transaction(memory_stats, context.caller)
    graph = await context.memory.in_transaction(graph_stats, context.caller)
    return Result(
        summary=f"{plural(stats.total, 'memory', 'memories')} in {plural(len(stats.by_scope), 'scope')}.",
        data=StatsOutput.of(stats, edges=graph.edges, linked_percent=round(graph.coverage.percent, 1)),
    )


class HealthOutput(Output):
    """Whether the memory works, and the state of its parts; see EngineHealth."""

    status: Literal["healthy", "degraded"]
    encoder: str
    circuit: str
    pending: int
    retry: int
    failed: int
    oldest_pending_s: float
    overdue: bool
    building: str
    store: str
    rerank_off: bool
    trouble: tuple[str, ...]


async def _health(context: OperationContext, _request: NoInput) -> Result[HealthOutput]:
    health = await context.memory.health()
    return Result(
        summary="; ".join(health.trouble) or "Healthy.",
        data=HealthOutput.of(health, status="degraded" if health.trouble else "healthy"),
        hints=(Advice("memory.retry", to="try those again that failed"),)
        if health.failed or health.retry
        else (),
        degraded="; ".join(health.trouble),
    )


class ConsolidateInput(OperationInput):
    apply: Annotated[bool, CliOption(help="Do it; without it you are only told.")] = Field(
        False, description="Without it you are told what would be done"
    )


class ConsolidateOutput(Output):
    """The changes made, if `applied`, else those that would be; see ConsolidationReport."""

    applied: bool
    replayed: int
    facts: tuple[ConsolidatedFact, ...]
    pruned: tuple[PrunedEpisode, ...]
    strengthened: tuple[UUID, ...]
    checkpoint: UUID | None


async def _consolidate(context: OperationContext, request: ConsolidateInput) -> Result[ConsolidateOutput]:
    caller = context.caller

    async def checkpoint(tx: Tx, before: str) -> UUID:
        return (await checkpoint_before(tx, caller, before)).id

    report = await context.memory.in_transaction(
        consolidate, caller, apply=request.apply, checkpoint=checkpoint
    )
    did = "were" if report.applied else "would be"
    return Result(
        summary=f"{len(report.facts)} facts {did} drawn from {report.replayed} episodes,"
        f" {len(report.pruned)} archived, {len(report.strengthened)} strengthened.",
        data=ConsolidateOutput.of(report),
        hints=("Call again with apply to do it.",) if report.changes and not report.applied else (),
    )


class RetryInput(OperationInput):
    scope: Annotated[
        ScopeField, CliOption(flags=("--scope", "-s"), help="Only this scope; all of yours if not said.")
    ] = Field(None, description="Default: all of your scopes")


class RetryOutput(Output):
    """The number of vectors that are tried again."""

    due: int


async def _retry(context: OperationContext, request: RetryInput) -> Result[RetryOutput]:
    due = await context.memory.retry_embeddings(context.caller, request.scope)
    return Result(
        summary=f"Tried again now: {plural(due, 'vector')}." if due else "No vector waits after a failure.",
        data=RetryOutput(due=due),
    )


INDEX_SCAN = declare(
    _scan,
    name="memory_index_scan",
    title="Scan memory folders",
    layer=Layer.DETAIL,
    about="Bring the Markdown files of the memory folders and their memories into step.",
    idempotent=True,
)
CONFIRM = declare(
    _confirm,
    name="memory_confirm",
    title="Confirm a file's tier",
    layer=Layer.DETAIL,
    about="List files that ask to be more than normal; for the founder, confirm or refuse one.",
)
STATS = declare(
    _stats,
    name="memory_stats",
    title="How much is remembered",
    layer=Layer.DISCOVERY,
    about="The number of memories by scope, kind, tier and type.",
    read_only=True,
)
HEALTH = declare(
    _health,
    name="memory_health",
    title="Health",
    layer=Layer.DISCOVERY,
    about="Whether the memory works: encoder, vectors that are owed, store, what is wrong.",
    read_only=True,
)
CONSOLIDATE = declare(
    _consolidate,
    name="memory_consolidate",
    title="Consolidate",
    layer=Layer.DETAIL,
    about="Draw lasting facts from old episodes and archive what they cover. Only tells, unless apply.",
)
RETRY_EMBEDDINGS = declare(
    _retry,
    name="memory_retry_embeddings",
    title="Try vectors again",
    layer=Layer.DETAIL,
    about="Try at once to make the vectors that failed.",
    idempotent=True,
)
