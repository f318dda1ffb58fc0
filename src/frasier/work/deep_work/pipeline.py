"""The deep-work pipeline: from the context of a step to a draft that passes its author's critique."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from frasier.llm import (
    Citations,
    CritiqueInputs,
    DecomposeInputs,
    Reply,
    Request,
    ReviseInputs,
    SynthesizeInputs,
    Verification,
)
from frasier.llm.reply_schemas import CritiqueReply, DecomposeReply
from frasier.org.planning import Draft, find_faults
from frasier.prompts import (
    critique_request,
    decompose_request,
    revise_request,
    synthesize_request,
)
from frasier.work.deep_work.context import StepContext
from frasier.work.deep_work.research_phase import Findings, Research
from frasier.work.run_lease import Run
from frasier.work.settings import PipelineSettings
from frasier.work.verification.citations import check_citations
from frasier.work.verification.judgement import judge_statements
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
class _Material:
    """The material that a step is written from. `known` are the numbers of the sources that it may cite."""

    plan: DecomposeReply
    findings: Findings
    known: frozenset[int]


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
        if _SINGLE_SHOT.match(context.title) and len(context.brief.task) < _SINGLE_SHOT_CHARS:
            plan = DecomposeReply(questions=[context.title], queries=[context.title], requirements=[])
        else:
            plan = await self._decompose()
        findings = await self._research.gather(self._run, context, plan)
        material = _Material(
            plan=plan,
            findings=findings,
            known=frozenset({passage.number for passage in findings.passages} | set(context.inherited)),
        )
        written = await self._synthesize(material)
        critique = await self._critique(written, material, turn=0)
        versions = [_Version(written=written, critique=critique)]
        for turn in range(1, self._settings.revisions_max + 1):
            if not self._must_revise(critique, written):
                break
            written = await self._revise(written, critique, material, turn=turn)
            critique = await self._critique(written, material, turn=turn)
            versions.append(_Version(written=written, critique=critique))
        # Of equal ones the last.
        best = max(reversed(versions), key=lambda version: version.rank)
        return Draft.of(
            _marked(best.written),
            citations=best.written.citations,
            verification=best.written.verification,
            critique=best.critique,
            questions=tuple(plan.questions),
            degraded=findings.degraded,
        )

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

        return await self._run.checkpoint("decompose", (context,), DecomposeReply, compute)

    async def _synthesize(self, material: _Material) -> Written:
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

        return await self._run.checkpoint("synthesize", (context, inputs), Written, compute)

    async def _critique(self, written: Written, material: _Material, *, turn: int) -> CritiqueReply:
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

        return await self._run.checkpoint(phase, (inputs,), CritiqueReply, compute)

    async def _revise(
        self, written: Written, critique: CritiqueReply, material: _Material, *, turn: int
    ) -> Written:
        context = self._context
        inputs = ReviseInputs(
            brief=context.brief,
            questions=tuple(material.plan.questions),
            passages=material.findings.passages,
            draft=written.reply.text,
            verification=written.verification,
            gaps=(*_citation_gaps(written.citations), *critique.gaps),
            requirements=tuple(material.plan.requirements),
            feedback=context.feedback,
        )
        phase = f"revise-{turn}"

        async def compute() -> Written:
            request = revise_request(
                inputs, system=context.system, tier=context.tier, find_faults=find_faults
            )
            return await self._written(request, phase, material, earlier=written.verification)

        return await self._run.checkpoint(phase, (inputs,), Written, compute)

    async def _written(
        self, request: Request, phase: str, material: _Material, *, earlier: Verification
    ) -> Written:
        """Ask for a text and verify it; what was judged in the `earlier` version is not judged again."""
        run = self._run
        reply = await run.ask(request, phase)
        verification = await verify_text(run.database, self._context.mission_id, reply.text)
        if self._settings.judge and not run.gateway.is_rehearsal:
            verification = await judge_statements(
                run, verification, earlier=earlier, today=self._context.today, phase=f"judge-{phase}"
            )
        return Written(
            reply=reply,
            citations=check_citations(reply.text, material.known),
            verification=verification,
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
