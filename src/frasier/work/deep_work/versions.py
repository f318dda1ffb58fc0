"""The versions of a text, with what was computed and judged of each."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from frasier.llm import CheckedStatement, Citations, Reply, Request, Verification
from frasier.llm.reply_schemas import CritiqueReply, DecomposeReply
from frasier.work.deep_work.context import StepContext
from frasier.work.deep_work.kind_checks import find_kind_faults
from frasier.work.deep_work.research_phase import Findings
from frasier.work.reply_markdown import conventional_markdown
from frasier.work.run_lease import Run
from frasier.work.settings import PipelineSettings
from frasier.work.verification.citations import check_citations
from frasier.work.verification.findings import StatementVerdict
from frasier.work.verification.judgement import judge_statements
from frasier.work.verification.verify import verify_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The material that a step is written from. `known` are the numbers of the sources that it may cite."""

    plan: DecomposeReply
    findings: Findings
    known: frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A version of the text, as a phase stores it. `kind_faults` are those that it has as a result of its kind."""

    reply: Reply
    citations: Citations
    verification: Verification
    kind_faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftVersion:
    """A version with the critique of it."""

    written: Written
    critique: CritiqueReply

    @property
    def rank(self) -> tuple[bool, int, int, float]:
        """Order versions: citations that hold, the fewest doubtful statements and faults, the best critique."""
        written = self.written
        return (
            not citation_gaps(written.citations),
            -written.verification.doubtful,
            -len(written.kind_faults),
            self.critique.mean,
        )


class VersionChecks:
    """The checks of the versions of a step's text: citations, statements, and the rules of its kind and form."""

    def __init__(self, run: Run, context: StepContext, settings: PipelineSettings) -> None:
        self._run = run
        self._context = context
        self.judges = settings.judge and not run.gateway.is_rehearsal

    async def ask(self, request: Request, phase: str, *, known: Collection[int]) -> Reply:
        """Ask for a text; return it in conventional Markdown."""
        reply = await self._run.ask(request, phase)
        # The rehearsal writes so itself, and quotes what it reads as it stands.
        if self._run.gateway.is_rehearsal:
            return reply
        return replace(reply, text=conventional_markdown(reply.text, known))

    async def check(
        self, reply: Reply, *, known: frozenset[int], earlier: Verification, phase: str
    ) -> Written:
        """Check a text; what was judged in the `earlier` version is not judged again."""
        verification = await self.verify(reply.text, earlier=earlier, phase=phase)
        return self.written(reply, verification, known)

    def written(self, reply: Reply, verification: Verification, known: frozenset[int]) -> Written:
        """Return a verified text with the check of its citations and what it lacks."""
        faults = self.find_kind_faults(reply.text)
        return Written(
            reply=reply,
            citations=check_citations(reply.text, known),
            verification=replace(verification, lacks=faults),
            kind_faults=faults,
        )

    async def verify(self, text: str, *, earlier: Verification, phase: str) -> Verification:
        verification = await verify_text(self._run.database, self._context.mission_id, text)
        if self.judges:
            today = self._context.today
            phase = f"judge-{phase}"
            verification = await judge_statements(
                self._run, verification, earlier=earlier, today=today, phase=phase
            )
        return verification

    def find_kind_faults(self, text: str) -> tuple[str, ...]:
        # What stands in for a model knows no kinds.
        is_rehearsal = self._run.gateway.is_rehearsal
        return () if is_rehearsal else tuple(find_kind_faults(self._context.brief, text))


def doubtful_in(verification: Verification) -> list[CheckedStatement]:
    return [one for one in verification.statements if one.verdict == StatementVerdict.DOUBTFUL]


def citation_gaps(citations: Citations) -> tuple[str, ...]:
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
