"""The estimator of plans: reads the sizes of documents, the prices and the ledger, and runs the formula."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from uuid import UUID

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.mission_depth import MissionDepth
from frasier.kernel.text import estimate_tokens
from frasier.llm import DocumentEntry, Gateway, ResultForm, StepBrief, Tier, spend_of_mission, usual_replies
from frasier.llm.reply_schemas import PlannedStep, PlanReply, TablePlan
from frasier.memory import fit_directives
from frasier.org.governance import AutonomySettings, CoherenceRules, DepthRules, rules_in_force
from frasier.org.missions import Mission, MissionAmounts, MissionEstimate
from frasier.org.planning import assigned_documents, final_step, tier_of
from frasier.prompts import REPLY_TOKENS
from frasier.store import Tx
from frasier.work.collections.estimate import (
    ExtractionEstimate,
    estimate_extraction,
    packing_limits,
    size_of,
)
from frasier.work.collections.table_work import columns_to_fill, documents_to_extract
from frasier.work.deep_work.depth_bounds import pipeline_bounds
from frasier.work.deep_work.paper_size import size_of_paper
from frasier.work.estimates.formula import Circumstances, ModelFacts, StepSize, estimate_mission
from frasier.work.estimates.hires import with_hires
from frasier.work.research.earlier_work import find_earlier_work
from frasier.work.research.mission_sources import document_entries, sources_of
from frasier.work.settings import PipelineSettings

_SYSTEM_TOKENS = 900  # a persona with what it remembers
_STEP_TOKENS = 250  # a step's task, its acceptance criteria and its siblings
_CALLS_MEASURED = 5  # the ledger tells what is usual from so many calls on


class PlanEstimator:
    """An estimator for the settings of this process; see EstimatePlan. `gateway` is made when it is first needed."""

    def __init__(
        self,
        gateway: Callable[[], Gateway],
        *,
        pipeline: PipelineSettings,
        autonomy: AutonomySettings,
        steps_at_once: int,
    ) -> None:
        self._gateway = gateway
        self._pipeline = pipeline
        self._autonomy = autonomy
        self._steps_at_once = steps_at_once

    async def __call__(
        self,
        tx: Tx,
        mission: Mission,
        plan: PlanReply,
        *,
        authors: int,
        done_keys: Collection[str] = (),
        hires: int = 0,
    ) -> MissionEstimate:
        """Estimate what the mission will take. Raises ConfigurationError if one of its models has no known price."""
        gateway, last = self._gateway(), final_step(plan)
        depth = MissionDepth(plan.complexity)
        pipeline = pipeline_bounds(self._pipeline, depth)
        documents = document_entries(await sources_of(tx, mission.id))
        kind = mission.kind or DeliverableKind(plan.kind)
        sizes = [
            await self._size(tx, mission, plan, step, documents, kind=kind if step.key == last else None)
            for step in plan.steps
        ]
        if depth is not MissionDepth.SIMPLE and (await rules_in_force(tx, CoherenceRules)).review:
            sizes = [replace(size, several_authors=size.is_final and authors > 1) for size in sizes]
        rules = sum(estimate_tokens(rule.content) for rule in (await fit_directives(tx)).included)
        spend = await spend_of_mission(tx, mission.id)
        circumstances = Circumstances(
            models=await self._models(tx, gateway, {Tier.T1, Tier.T2, *(size.tier for size in sizes)}),
            system_tokens=_SYSTEM_TOKENS + _STEP_TOKENS + rules + estimate_tokens(mission.directive),
            judged=self._pipeline.judge and not gateway.is_rehearsal,
            revisions_max=pipeline.revisions_max,
            rounds_max=pipeline.rounds_max,
            rejections_max=self._autonomy.strikes_max - 1,
            steps_at_once=self._steps_at_once,
            policy_approves=self._autonomy.enabled and depth is not MissionDepth.DEEP,
            spent=MissionAmounts(
                calls=spend.calls, tokens=spend.tokens, usd_micros=spend.spent_usd_micros, seconds=0.0
            ),
        )
        estimate = estimate_mission(sizes, circumstances, done_keys=done_keys)
        share = (await rules_in_force(tx, DepthRules)).share_of(depth)
        return replace(
            with_hires(estimate, circumstances, hires),
            budget_usd_micros=round(gateway.mission_usd_micros * share),
        )

    async def _models(self, tx: Tx, gateway: Gateway, tiers: set[Tier]) -> dict[Tier, ModelFacts]:
        names = {tier: gateway.route(tier).model for tier in tiers}
        usual = await usual_replies(tx, set(names.values()), calls_min=_CALLS_MEASURED)
        return {
            tier: ModelFacts(
                price=gateway.price_of(tier),
                immediate=gateway.is_rehearsal,
                usual={
                    one.purpose: (one.seconds, one.tokens_out) for one in usual if one.model == names[tier]
                },
            )
            for tier in tiers
        }

    async def _size(
        self,
        tx: Tx,
        mission: Mission,
        plan: PlanReply,
        step: PlannedStep,
        documents: Sequence[DocumentEntry],
        *,
        kind: DeliverableKind | None,
    ) -> StepSize:
        """Measure a step; the final one has the `kind` of the result."""
        gateway = self._gateway()
        tier = tier_of(step, is_final=kind is not None)
        numbers = assigned_documents(step, documents)
        earlier_chars = await self._earlier_chars(tx, mission, step)
        words = plan.words if kind else 0
        brief = StepBrief(directive="", task="", kind=kind, form=ResultForm(words=words))
        return StepSize(
            key=step.key,
            needs=tuple(dict.fromkeys(step.depends_on)),
            tier=tier,
            is_final=kind is not None,
            researches=step.sources_needed > 0 or step.queries_needed > 0,
            source_tokens=self._source_tokens(mission, documents, numbers, earlier_chars),
            words=words,
            is_answer=kind is DeliverableKind.ANSWER,
            extraction=await self._extraction(tx, mission.id, step.table, numbers)
            if _examines(step, kind, has_documents=mission.source_count > 0)
            else None,
            paper=size_of_paper(brief, reply_tokens=gateway.route(tier).reply_tokens(REPLY_TOKENS)),
        )

    async def _earlier_chars(self, tx: Tx, mission: Mission, step: PlannedStep) -> int:
        """Count the characters of results of earlier missions that match a step, if it may read them."""
        if not (mission.uses_earlier_results and (step.sources_needed or step.queries_needed)):
            return 0
        rehearsed = self._gateway().is_rehearsal
        passages = {
            passage.id: len(passage.content)
            for query in (step.title, mission.title)
            for passage in await find_earlier_work(tx, query, mission_id=mission.id, rehearsed=rehearsed)
        }
        return sum(passages.values())

    def _source_tokens(
        self, mission: Mission, documents: Sequence[DocumentEntry], numbers: Sequence[int], earlier_chars: int
    ) -> int:
        """Return the tokens of the passages that a step may be given; of the web as many as a request has room for."""
        room = int(self._gateway().route(Tier.T1).context_tokens * self._pipeline.passages_share)
        if mission.web_search:
            return room
        chars = sum(document.chars for document in documents if not numbers or document.number in numbers)
        return min(room, (chars + earlier_chars) // 4)

    async def _extraction(
        self, tx: Tx, mission_id: UUID, table: TablePlan, numbers: Sequence[int]
    ) -> ExtractionEstimate:
        gateway = self._gateway()
        route, columns = gateway.route(Tier.T1), columns_to_fill(table)
        texts = await documents_to_extract(
            tx, mission_id, table, numbers, model=route.model, rehearsal=gateway.is_rehearsal
        )
        limits = packing_limits(len(columns), route.context_tokens)

        def compute() -> ExtractionEstimate:
            sizes = [size_of(text, limits, several_rows=bool(table.entry)) for text in texts]
            return estimate_extraction(columns, sizes, limits, entry=table.entry)

        # Thousands of documents take seconds, in which the lease must be renewed.
        return await asyncio.to_thread(compute)


def _examines(step: PlannedStep, kind: DeliverableKind | None, *, has_documents: bool) -> bool:
    """Whether a step fills its table from every document; see StepContext.examines_documents."""
    is_written = kind is DeliverableKind.DATA and (bool(step.depends_on) or not has_documents)
    return bool(step.table.columns) and not is_written
