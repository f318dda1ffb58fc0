"""The deep-work pipeline: from the context of a step to a draft that passes its author's critique."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from frasier.llm import (
    Citations,
    CritiqueInputs,
    DecomposeInputs,
    Reply,
    ReviseInputs,
    SynthesizeInputs,
    Verification,
)
from frasier.llm.reply_schemas import CritiqueReply, DecomposeReply
from frasier.org.planning import Draft
from frasier.work.deep_work.context import StepContext
from frasier.work.deep_work.prompts import (
    critique_request,
    decompose_request,
    revise_request,
    synthesize_request,
)
from frasier.work.deep_work.research_phase import Findings, Research
from frasier.work.run_lease import Run
from frasier.work.settings import PipelineSettings
from frasier.work.verification.citations import check_citations
from frasier.work.verification.verify import mark_doubtful, verify_text

# Greetings and the like need a single answer.
_SINGLE_SHOT = re.compile(r"^(?:greet|respond to|acknowledge|thank|confirm)\b", re.IGNORECASE)
_SINGLE_SHOT_CHARS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A version of the text, as a phase stores it."""

    reply: Reply
    citations: Citations
    verification: Verification


@dataclass(frozen=True, slots=True, kw_only=True)
class _Version:
    """A version with the critique of it."""

    written: Written
    critique: CritiqueReply

    @property
    def rank(self) -> tuple[bool, int, float]:
        """Order versions: citations that hold, then the fewest doubtful statements, then the critique."""
        written = self.written
        return not _citation_gaps(written.citations), -written.verification.doubtful, self.critique.mean


class DeepWork:
    """The phases of one step. Each is a checkpoint, so that a run can be taken over anywhere."""

    def __init__(
        self, run: Run, context: StepContext, *, research: Research, settings: PipelineSettings
    ) -> None:
        self._run = run
        self._context = context
        self._research = research
        self._settings = settings

    async def write(self) -> Draft:
        """Write the step's draft. Raises a ProviderError or BudgetExceeded if no model writes one."""
        context = self._context
        if _SINGLE_SHOT.match(context.title) and len(context.task) < _SINGLE_SHOT_CHARS:
            plan = DecomposeReply(questions=[context.title], queries=[context.title], requirements=[])
        else:
            plan = await self._decompose()
        questions = tuple(plan.questions)
        findings = await self._research.gather(self._run, context, plan)
        known = {passage.number for passage in findings.passages} | set(context.inherited)
        written = await self._synthesize(questions, findings, known)
        critique = await self._critique(written, questions, findings, turn=0)
        versions = [_Version(written=written, critique=critique)]
        for turn in range(1, self._settings.revisions_max + 1):
            if not self._must_revise(critique, written):
                break
            written = await self._revise(written, critique, questions, findings, known, turn=turn)
            critique = await self._critique(written, questions, findings, turn=turn)
            versions.append(_Version(written=written, critique=critique))
        # Of equal ones the last.
        best = max(reversed(versions), key=lambda version: version.rank)
        return Draft.of(
            _marked(best.written),
            citations=best.written.citations,
            verification=best.written.verification,
            critique=best.critique,
            questions=questions,
            degraded=findings.degraded,
        )

    async def _decompose(self) -> DecomposeReply:
        context = self._context
        inputs = DecomposeInputs(
            directive=context.directive,
            task=context.task,
            acceptance=context.acceptance,
            source_titles=context.source_titles,
            hints=context.hints,
            feedback=context.feedback,
        )

        async def compute() -> DecomposeReply:
            request = decompose_request(inputs, system=context.system)
            return await self._run.ask_for(DecomposeReply, request, "decompose")

        return await self._run.checkpoint("decompose", (context,), DecomposeReply, compute)

    async def _synthesize(self, questions: tuple[str, ...], findings: Findings, known: set[int]) -> Written:
        context = self._context
        inputs = SynthesizeInputs(
            directive=context.directive,
            task=context.task,
            role=context.role,
            questions=questions,
            passages=findings.passages,
            predecessors=context.predecessors,
            acceptance=context.acceptance,
            feedback=context.feedback,
        )

        async def compute() -> Written:
            request = synthesize_request(inputs, system=context.system, tier=context.tier)
            reply = await self._run.ask(request, "synthesize")
            return await self._written(reply, known)

        return await self._run.checkpoint("synthesize", (context, inputs), Written, compute)

    async def _critique(
        self, written: Written, questions: tuple[str, ...], findings: Findings, *, turn: int
    ) -> CritiqueReply:
        context = self._context
        inputs = CritiqueInputs(
            task=context.task,
            questions=questions,
            draft=written.reply.text,
            citations=written.citations,
            verification=written.verification,
            passages=findings.passages,
            acceptance=context.acceptance,
        )
        phase = f"critique-{turn}" if turn else "critique"

        async def compute() -> CritiqueReply:
            request = critique_request(inputs, system=context.system)
            return await self._run.ask_for(CritiqueReply, request, phase)

        return await self._run.checkpoint(phase, (inputs,), CritiqueReply, compute)

    async def _revise(
        self,
        written: Written,
        critique: CritiqueReply,
        questions: tuple[str, ...],
        findings: Findings,
        known: set[int],
        *,
        turn: int,
    ) -> Written:
        context = self._context
        inputs = ReviseInputs(
            directive=context.directive,
            task=context.task,
            role=context.role,
            questions=questions,
            passages=findings.passages,
            draft=written.reply.text,
            verification=written.verification,
            gaps=(*_citation_gaps(written.citations), *critique.gaps),
            predecessors=context.predecessors,
            feedback=context.feedback,
        )
        phase = f"revise-{turn}"

        async def compute() -> Written:
            request = revise_request(inputs, system=context.system, tier=context.tier)
            reply = await self._run.ask(request, phase)
            return await self._written(reply, known)

        return await self._run.checkpoint(phase, (inputs,), Written, compute)

    async def _written(self, reply: Reply, known: set[int]) -> Written:
        return Written(
            reply=reply,
            citations=check_citations(reply.text, known),
            verification=await verify_text(self._run.database, self._context.mission_id, reply.text),
        )

    def _must_revise(self, critique: CritiqueReply, written: Written) -> bool:
        if _citation_gaps(written.citations) or written.verification.doubtful:
            return True
        return critique.lowest < self._settings.dimension_min or critique.mean < self._settings.mean_min


def _marked(written: Written) -> Reply:
    """The reply with a mark behind each doubtful statement."""
    reply = written.reply
    return replace(reply, text=mark_doubtful(reply.text, written.verification.statements))


def _citation_gaps(citations: Citations) -> tuple[str, ...]:
    """List the defects of the citations that must be fixed regardless of the critique."""
    gaps = []
    if citations.unknown:
        numbers = ", ".join(f"[{number}]" for number in citations.unknown)
        gaps.append(f"{numbers} are no sources of this mission: cite what was read, or drop the claim.")
    if citations.quotable and not citations.cited:
        gaps.append(
            "No claim cites a source: every claim must end with the number of the source that says so."
        )
    return tuple(gaps)
