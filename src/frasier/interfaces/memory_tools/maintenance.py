"""Looking after the memory: files, counts, health, consolidation, and vectors that failed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import UUID

from pydantic import Field

from frasier.interfaces.memory_tools.fields import ScopeField
from frasier.interfaces.memory_tools.file_tiers import proposal_json, tier_answer, unread_edit_json
from frasier.interfaces.memory_tools.triggers import surface
from frasier.interfaces.tools import Layer, Progress, Reply, Surroundings, Tool, ToolInput, as_json, told
from frasier.kernel.advice import Advice
from frasier.kernel.errors import InvalidInput
from frasier.kernel.humanize import plural
from frasier.memory import (
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


class NoInput(ToolInput):
    pass


class ScanInput(ToolInput):
    folder: str | None = Field(None, max_length=500, description="Default: every memory folder")
    scope: ScopeField = None
    force: bool = Field(False, description="Read every file, also within a minute of the last scan")


class _Count:
    """The files of several folders, counted on from one to the next: what is told as done never goes back."""

    def __init__(self, tell: Progress | None) -> None:
        self._tell = tell
        self._done = 0

    def of_a_folder(self) -> Callable[[ScanProgress], Awaitable[None]] | None:
        """What the scan of the next folder tells; None where nobody waits."""
        tell, before = self._tell, self._done
        if tell is None:
            return None

        async def tell_step(step: ScanProgress) -> None:
            self._done = before + step.done
            await tell(self._done, before + step.total)

        return tell_step


async def _scan(around: Surroundings, given: ScanInput) -> Reply:
    engine = around.engine
    folders = [Path(given.folder)] if given.folder else list(engine.files.roots.paths)
    if not folders:
        raise InvalidInput(
            "No memory folder is configured.",
            number="E014",
            kept="Nothing was scanned.",
            hint="Set FRASIER_MEMORY__ROOTS to the folders from which files become memories.",
        )
    count = _Count(around.progress)
    reports = [
        await engine.files.scan(
            around.caller,
            folder,
            scope=given.scope,
            force=given.force,
            progress=count.of_a_folder(),
        )
        for folder in folders
    ]
    counted = ("indexed", "updated", "unchanged", "failed", "removed", "moved", "links_drawn")
    totals = {name: sum(getattr(report, name) for report in reports) for name in counted}
    surfaced = await surface(around, tokens=_SURFACED_TOKENS)
    return Reply(
        summary=", ".join(f"{count} {name}" for name, count in totals.items() if count)
        or "No file is there.",
        data=totals
        | told(
            folders=[report.folder for report in reports],
            errors=[as_json(error) for report in reports for error in report.errors][:_SHOWN],
            warnings=[as_json(warning) for report in reports for warning in report.warnings][:_SHOWN],
            left_out=[as_json(left) for report in reports for left in report.left_out][:_SHOWN],
            asking=[proposal_json(one) for report in reports for one in report.asking][:_SHOWN],
            unresolved_links=sum(report.unresolved for report in reports) or None,
        )
        | surfaced,
        hints=(
            *(hint for report in reports for one in report.asking[:_HINTED] for hint in _asks(one)),
            *("Files that failed are tried again at the next scan." for _ in range(min(totals["failed"], 1))),
        ),
    )


def _asks(proposal: TierProposal) -> tuple[str | Advice, ...]:
    return (
        f"{proposal.path} asks to be {proposal.tier}, and is normal until the founder confirms that.",
        Advice("memory.confirm", to="confirm it", id=str(proposal.id)),
    )


class ConfirmInput(ToolInput):
    id: str | None = Field(
        None, min_length=8, max_length=60, description="Which; default: only list the files that ask"
    )
    refuse: bool = Field(False, description="It stays normal, and is not asked about again")


async def _confirm(around: Surroundings, given: ConfirmInput) -> Reply:
    engine, caller = around.engine, around.caller
    if given.id is None:
        asking = await engine.in_transaction(tier_proposals, caller)
        unread = await engine.in_transaction(unread_edits, caller)
        return Reply(
            summary=f"{plural(len(asking), 'file')} waiting for the founder to confirm a tier."
            if asking
            else "No file asks to be more than normal.",
            data={"asking": [proposal_json(one) for one in asking]}
            | told(unread=[unread_edit_json(one) for one in unread]),
            hints=(
                "Unread files were changed; a scan by the founder reads them.",
                Advice("memory.scan", to="read them", force=True),
            )
            if unread
            else (),
        )
    caller.require_founder("decide how important a file is")
    proposal = await engine.in_transaction(find_tier_proposal, caller, given.id)
    await engine.in_transaction(answer_tier_proposal, caller, proposal, confirm=not given.refuse)
    return Reply(summary=tier_answer(proposal, confirm=not given.refuse), data=proposal_json(proposal))


async def _stats(around: Surroundings, _given: NoInput) -> Reply:
    stats = await around.engine.in_transaction(memory_stats, around.caller)
    graph = await around.engine.in_transaction(graph_stats, around.caller)
    return Reply(
        summary=f"{plural(stats.total, 'memory', 'memories')} in {plural(len(stats.by_scope), 'scope')}.",
        data=as_json(stats) | {"edges": graph.edges, "linked_percent": round(graph.coverage.percent, 1)},
    )


async def _health(around: Surroundings, _given: NoInput) -> Reply:
    health = await around.engine.health()
    return Reply(
        summary="; ".join(health.trouble) or "Healthy.",
        data={"status": "degraded" if health.trouble else "healthy"} | as_json(health),
        hints=(Advice("memory.retry", to="try those again that failed"),)
        if health.failed or health.retry
        else (),
        degraded="; ".join(health.trouble),
    )


class ConsolidateInput(ToolInput):
    apply: bool = Field(False, description="Without it you are told what would be done")


async def _consolidate(around: Surroundings, given: ConsolidateInput) -> Reply:
    caller = around.caller

    async def checkpoint(tx: Tx, before: str) -> UUID:
        return (await checkpoint_before(tx, caller, before)).id

    report = await around.engine.in_transaction(consolidate, caller, apply=given.apply, checkpoint=checkpoint)
    did = "were" if report.applied else "would be"
    data: dict[str, Any] = as_json(report)
    return Reply(
        summary=f"{len(report.facts)} facts {did} drawn from {report.replayed} episodes,"
        f" {len(report.pruned)} archived, {len(report.strengthened)} strengthened.",
        data=data,
        hints=("Call again with apply to do it.",) if report.changes and not report.applied else (),
    )


class RetryInput(ToolInput):
    scope: ScopeField = Field(None, description="Default: all of your scopes")


async def _retry(around: Surroundings, given: RetryInput) -> Reply:
    due = await around.engine.retry_embeddings(around.caller, given.scope)
    return Reply(
        summary=f"Tried again now: {plural(due, 'vector')}." if due else "No vector waits after a failure.",
        data={"due": due},
    )


UPKEEP = (
    Tool(
        name="memory_index_scan",
        title="Scan memory folders",
        layer=Layer.DETAIL,
        about="Bring the Markdown files of the memory folders and their memories into step.",
        input=ScanInput,
        run=_scan,
        idempotent=True,
    ),
    Tool(
        name="memory_confirm",
        title="Confirm a file's tier",
        layer=Layer.DETAIL,
        about="List files that ask to be more than normal; for the founder, confirm or refuse one.",
        input=ConfirmInput,
        run=_confirm,
    ),
    Tool(
        name="memory_stats",
        title="How much is remembered",
        layer=Layer.DISCOVERY,
        about="How many memories there are, by scope, kind, tier and type.",
        input=NoInput,
        run=_stats,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        name="memory_health",
        title="Health",
        layer=Layer.DISCOVERY,
        about="Whether the memory works: encoder, vectors that are owed, store, what is wrong.",
        input=NoInput,
        run=_health,
        read_only=True,
        idempotent=True,
    ),
    Tool(
        name="memory_consolidate",
        title="Consolidate",
        layer=Layer.DETAIL,
        about="Draw lasting facts from old episodes and archive what they cover. Only tells, unless apply.",
        input=ConsolidateInput,
        run=_consolidate,
    ),
    Tool(
        name="memory_retry_embeddings",
        title="Try vectors again",
        layer=Layer.DETAIL,
        about="Try at once to make the vectors that failed.",
        input=RetryInput,
        run=_retry,
        idempotent=True,
    ),
)
