"""The deep-work pipeline: from the context of a step to a draft that passes its author's critique."""

from __future__ import annotations

import re
from dataclasses import replace

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.kernel.errors import AllProvidersFailed
from frasier.kernel.humanize import plural
from frasier.kernel.text import shorten
from frasier.llm import (
    CheckedStatement,
    CritiqueInputs,
    DecomposeInputs,
    Reply,
    Request,
    ReviseInputs,
    SynthesizeInputs,
    Verification,
)
from frasier.llm.reply_schemas import CritiqueReply, DecomposeReply
from frasier.org.missions import Draft, begin_step_learning, find_faults, get_step
from frasier.prompts import (
    REPLY_TOKENS,
    critique_request,
    decompose_request,
    revise_request,
    synthesize_request,
)
from frasier.store import Tx
from frasier.work.deep_work.context import StepContext
from frasier.work.deep_work.paper import PaperWork
from frasier.work.deep_work.paper_size import size_of_paper
from frasier.work.deep_work.research_phase import Research
from frasier.work.deep_work.versions import (
    DraftVersion,
    Material,
    VersionChecks,
    Written,
    citation_gaps,
    doubtful_in,
)
from frasier.work.deep_work.written_table import read_table
from frasier.work.run_activity import describe_critique, describe_questions, describe_text
from frasier.work.run_lease import Run
from frasier.work.run_outcomes import GivenUp, TooLarge
from frasier.work.settings import PipelineSettings
from frasier.work.verification.findings import StatementVerdict
from frasier.work.verification.removal import remove_statements
from frasier.work.verification.verify import mark_doubtful

# Greetings and the like need a single answer.
_SINGLE_SHOT = re.compile(r"^(?:greet|respond to|acknowledge|thank|confirm)\b", re.IGNORECASE)
_SINGLE_SHOT_CHARS = 100
# Kinds whose readers see no marks: what no source carries is removed.
_EXAMPLES = 3
_WITHOUT_MARKS = (DeliverableKind.CONTENT, DeliverableKind.DATA)
_REMOVALS_MAX = 3  # removing a citation may leave its neighbour without one
_REMOVED_SHARE_MAX = 1 / 3


class DeepWork:
    """The phases of one step. Each is a checkpoint, so that a run can be taken over anywhere."""

    def __init__(
        self,
        run: Run,
        context: StepContext,
        *,
        research: Research,
        settings: PipelineSettings,
        may_split: bool = False,
    ) -> None:
        self._may_split = may_split
        self._run = run
        self._context = context
        self._research = research
        self._settings = settings
        self._checks = VersionChecks(run, context, settings)

    async def write(self) -> Draft | GivenUp | TooLarge:
        """Write the step's draft. Raises a ProviderError or BudgetExceeded if no model writes one.

        A piece whose readers see no marks is given up if nothing is left of it without its doubtful statements. A step
        that may be split is not written if it proves too large.
        """
        material = await self._gather_material()
        if self._may_split and material.findings.too_large:
            return TooLarge(material.findings.too_large)
        try:
            return await self._write(material)
        except AllProvidersFailed as error:
            # A final text that is long is a paper, with a reply for each section.
            if not (self._may_split and error.cut_off and self._context.brief.kind is None):
                raise
            return TooLarge("no reply had room for its text: each was cut off.")

    async def _write(self, material: Material) -> Draft | GivenUp:
        context = self._context
        plan, findings = material.plan, material.findings
        route = self._run.gateway.route(context.tier)
        size = size_of_paper(context.brief, reply_tokens=route.reply_tokens(REPLY_TOKENS))
        if size is None:
            best = await self._write_at_once(material)
        else:
            paper = PaperWork(self._run, context, size, research=self._research, settings=self._settings)
            best = await paper.write(material)
        written = best.written
        if context.brief.kind in _WITHOUT_MARKS:
            written = await self._remove_doubts(written, material)
            if reason := _why_not_published(written):
                return GivenUp(reason)
        table = None
        if context.brief.kind is DeliverableKind.DATA:
            if written.kind_faults:
                return GivenUp(f"The data do not meet their schema: {' '.join(written.kind_faults)}")
            table = read_table(written.reply.text, context.brief.columns, written.verification)
        return Draft.of(
            _marked(written),
            citations=written.citations,
            verification=written.verification,
            critique=best.critique,
            questions=tuple(plan.questions),
            queries=findings.productive,
            degraded=findings.degraded,
            table=table,
        )

    async def _gather_material(self) -> Material:
        """Return what the text is written from; a new version from what was read before, with nothing paid for it."""
        context = self._context
        revision = context.revision
        if revision is not None:
            questions = list(revision.questions)
            plan = DecomposeReply.model_construct(questions=questions, queries=[], requirements=[])
            findings = await self._research.of_revision(self._run, context, (revision.wish, *questions))
        else:
            if _SINGLE_SHOT.match(context.title) and len(context.brief.task) < _SINGLE_SHOT_CHARS:
                plan = DecomposeReply(questions=[context.title], queries=[context.title], requirements=[])
            else:
                plan = await self._decompose()
            findings = await self._research.gather(self._run, context, plan)
        known = {passage.number for passage in findings.passages} | set(context.inherited)
        if revision is not None:
            known |= set(revision.citations.cited)
        return Material(plan=plan, findings=findings, known=frozenset(known))

    async def _write_at_once(self, material: Material) -> DraftVersion:
        """Write the text in one reply, and revise it while its critique asks for it; return the best version."""
        written = await self._first_version(material)
        critique = await self._critique(written, material, turn=0)
        versions = [DraftVersion(written=written, critique=critique)]
        for turn in range(1, self._settings.revisions_max + 1):
            if not self._must_revise(critique, written):
                break
            gaps = (*citation_gaps(written.citations), *written.kind_faults, *critique.gaps)
            written = await self._revise(written.reply.text, written.verification, gaps, material, turn=turn)
            critique = await self._critique(written, material, turn=turn)
            versions.append(DraftVersion(written=written, critique=critique))
        # Of equal ones the last.
        return max(reversed(versions), key=lambda version: version.rank)

    async def _decompose(self) -> DecomposeReply:
        context = self._context
        inputs = DecomposeInputs(
            brief=context.brief,
            source_titles=context.source_titles,
            hints=context.hints,
            feedback=context.feedback,
        )

        async def compute() -> DecomposeReply:
            request = decompose_request(inputs, system=context.system)
            return await self._run.ask_for(DecomposeReply, request, "decompose")

        return await self._run.checkpoint(
            "decompose",
            (context,),
            DecomposeReply,
            compute,
            alongside=self._begin_learning,
            describe=describe_questions,
        )

    async def _begin_learning(self, tx: Tx, plan: DecomposeReply) -> None:
        await begin_step_learning(
            tx,
            await get_step(tx, self._run.task.id),
            plan.questions,
            round_number=self._run.task.round,
            at_hand=self._context.at_hand,
            has_inputs=self._context.has_documents or bool(self._context.brief.predecessors),
        )

    async def _first_version(self, material: Material) -> Written:
        """Write the text, or rewrite the version that the founder wants another of."""
        revision = self._context.revision
        if revision is None:
            return await self._synthesize(material)
        wish = f"The founder wants: {revision.wish}"
        return await self._revise(revision.draft, revision.verification, (wish,), material, turn=0)

    async def _synthesize(self, material: Material) -> Written:
        context = self._context
        inputs = SynthesizeInputs(
            brief=context.brief,
            questions=tuple(material.plan.questions),
            passages=material.findings.passages,
            requirements=tuple(material.plan.requirements),
            feedback=context.feedback,
        )

        async def compute() -> Written:
            request = synthesize_request(
                inputs, system=context.system, tier=context.tier, find_faults=find_faults
            )
            return await self._written(request, "synthesize", material, earlier=Verification())

        return await self._run.checkpoint(
            "synthesize", (context, inputs), Written, compute, describe=_describe
        )

    async def _critique(self, written: Written, material: Material, *, turn: int) -> CritiqueReply:
        context = self._context
        inputs = CritiqueInputs(
            brief=context.brief,
            questions=tuple(material.plan.questions),
            draft=written.reply.text,
            citations=written.citations,
            verification=written.verification,
            passages=material.findings.passages,
            requirements=tuple(material.plan.requirements),
        )
        phase = f"critique-{turn}" if turn else "critique"

        async def compute() -> CritiqueReply:
            critic = context.critic
            request = critique_request(inputs, system=critic.system)
            return await self._run.ask_for(CritiqueReply, request, phase, agent_id=critic.agent_id)

        return await self._run.checkpoint(
            phase, (inputs,), CritiqueReply, compute, describe=describe_critique
        )

    async def _revise(
        self, draft: str, verification: Verification, gaps: tuple[str, ...], material: Material, *, turn: int
    ) -> Written:
        context = self._context
        inputs = ReviseInputs(
            brief=context.brief,
            questions=tuple(material.plan.questions),
            passages=material.findings.passages,
            draft=draft,
            verification=verification,
            gaps=gaps,
            requirements=tuple(material.plan.requirements),
            feedback=context.feedback,
        )
        phase = f"revise-{turn}"

        async def compute() -> Written:
            request = revise_request(
                inputs, system=context.system, tier=context.tier, find_faults=find_faults
            )
            return await self._written(request, phase, material, earlier=verification)

        return await self._run.checkpoint(phase, (inputs,), Written, compute, describe=_describe)

    async def _written(
        self, request: Request, phase: str, material: Material, *, earlier: Verification
    ) -> Written:
        reply = await self._checks.ask(request, phase, known=material.known)
        return await self._checks.check(reply, known=material.known, earlier=earlier, phase=phase)

    async def _remove_doubts(self, written: Written, material: Material) -> Written:
        """Take the doubtful statements out of a text, and verify what is left."""

        async def compute() -> Written:
            text, verification = written.reply.text, written.verification
            removed: list[CheckedStatement] = []
            for turn in range(1, _REMOVALS_MAX + 1):
                if not (doubtful := doubtful_in(verification)):
                    break
                text = remove_statements(text, verification.statements, doubtful)
                removed += [replace(one, verdict=StatementVerdict.REMOVED.value) for one in doubtful]
                verification = await self._checks.verify(text, earlier=verification, phase=f"removal-{turn}")
            return self._checks.written(
                replace(written.reply, text=text),
                Verification(statements=(*verification.statements, *removed)),
                material.known,
            )

        return await self._run.checkpoint("removal", (written,), Written, compute)

    def _must_revise(self, critique: CritiqueReply, written: Written) -> bool:
        if citation_gaps(written.citations) or written.verification.doubtful or written.kind_faults:
            return True
        return critique.lowest < self._settings.dimension_min or critique.mean < self._settings.mean_min


def _why_not_published(written: Written) -> str:
    """Return why a text cannot be published without its doubtful statements; empty if it can."""
    verification = written.verification
    lost = [one for one in verification.statements if one.verdict == StatementVerdict.REMOVED]
    lost += doubtful_in(verification)
    if not lost:
        return ""
    is_whole = not verification.doubtful and not find_faults(written.reply.text)
    if is_whole and len(lost) <= _REMOVED_SHARE_MAX * len(verification.statements):
        return ""
    by_reason: dict[str, list[str]] = {}
    for one in lost[:_EXAMPLES]:
        by_reason.setdefault(", ".join(one.findings), []).append(f"“{shorten(one.text, 120)}”")
    examples = "; ".join(f"{', '.join(texts)} ({reason})" for reason, texts in by_reason.items())
    count = f"{len(lost)} of its {plural(len(verification.statements), 'statement')}"
    return f"The piece is not published: no source carries {count}, and too little is left without them: {examples}"


def _describe(written: Written) -> str:
    return describe_text(written.reply.text, written.verification.headline)


def _marked(written: Written) -> Reply:
    """The reply with a mark behind each doubtful statement."""
    reply = written.reply
    return replace(reply, text=mark_doubtful(reply.text, written.verification.statements))
