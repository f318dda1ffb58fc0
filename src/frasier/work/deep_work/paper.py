"""The phases of a paper: outline, sections with their own passages, one reading of the whole, rewriting."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from frasier.kernel.humanize import plural
from frasier.llm import (
    CoherenceInputs,
    OutlinedSection,
    OutlineInputs,
    Passage,
    Reply,
    ResultForm,
    SectionInputs,
    Verification,
    WrittenSection,
)
from frasier.llm.reply_schemas import CoherenceReply, OutlineReply
from frasier.org.missions import find_faults
from frasier.prompts import coherence_request, outline_request, section_request
from frasier.store import Tx, append_event
from frasier.work.deep_work.context import StepContext
from frasier.work.deep_work.kind_checks import find_length_faults
from frasier.work.deep_work.paper_size import PaperSize
from frasier.work.deep_work.paper_text import PaperText, assemble, section_body
from frasier.work.deep_work.research_phase import Findings, Research
from frasier.work.deep_work.versions import (
    DraftVersion,
    Material,
    VersionChecks,
    Written,
    citation_gaps,
    doubtful_in,
)
from frasier.work.run_lease import Run
from frasier.work.settings import PipelineSettings
from frasier.work.verification.citations import check_citations


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outline:
    """The outline of the paper, with the queries of each section."""

    title: str
    sections: tuple[OutlinedSection, ...]
    queries: tuple[tuple[str, ...], ...]
    requirements: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """A section as it was written, with the inputs that it was written from."""

    inputs: SectionInputs
    reply: Reply

    @property
    def written(self) -> WrittenSection:
        heading = self.inputs.section.heading
        return WrittenSection(number=self.inputs.number, heading=heading, text=section_body(self.reply.text))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sections:
    """The replies that a version of the paper is made of, in the order of its sections."""

    replies: tuple[Reply, ...]


class PaperWork:
    """The phases of a step whose text is too long for one reply. Each is a checkpoint, as each section is."""

    def __init__(
        self,
        run: Run,
        context: StepContext,
        size: PaperSize,
        *,
        research: Research,
        settings: PipelineSettings,
    ) -> None:
        self._run = run
        self._context = context
        self._size = size
        self._research = research
        self._settings = settings
        self._checks = VersionChecks(run, context, settings)

    async def write(self, material: Material) -> DraftVersion:
        """Write the paper and rewrite the sections that its one reading, or a computed check, finds at fault."""
        outline = await self._outline(material)
        drafts: dict[int, _Draft] = {}
        # The opening is written last, when it is known what it opens.
        for number in (*range(2, len(outline.sections) + 1), 1):
            drafts[number] = await self._write_section(outline, number, drafts, material)
        if self._context.feedback:
            drafts = await self._version(len(self._context.feedback) - 1, drafts)
        known = material.known | {p.number for draft in drafts.values() for p in draft.inputs.passages}
        written = await self._assemble(outline, drafts, known, "assembly", earlier=Verification())
        reading = await self._read(outline, drafts, written, material)
        if self._settings.revisions_max:
            drafts, written = await self._rewrite(outline, drafts, written, reading, known)
        await self._version(len(self._context.feedback), drafts)
        return DraftVersion(written=written, critique=reading.critique)

    async def _version(self, number: int, drafts: dict[int, _Draft]) -> dict[int, _Draft]:
        """Keep the sections of a version, counted from 0; return those that are kept of it, if there are any.

        A version that was sent back is what its successor goes on from, with all that was rewritten in it.
        """

        async def compute() -> _Sections:
            return _Sections(replies=tuple(drafts[section].reply for section in sorted(drafts)))

        key = (self._run.task.round, self._context.brief, self._size)
        kept = await self._run.checkpoint(f"version-{number}", key, _Sections, compute)
        return {
            section: replace(draft, reply=reply)
            for (section, draft), reply in zip(sorted(drafts.items()), kept.replies, strict=True)
        }

    async def _outline(self, material: Material) -> _Outline:
        context, size = self._context, self._size
        inputs = OutlineInputs(
            brief=context.brief,
            questions=tuple(material.plan.questions),
            passages=material.findings.passages,
            sections_min=size.sections_min,
            sections_max=size.sections_max,
            section_words_max=size.section_words_max,
            requirements=tuple(material.plan.requirements),
        )

        async def compute() -> _Outline:
            request = outline_request(inputs, system=context.system, tier=context.tier)
            reply = await self._run.ask_for(OutlineReply, request, "outline")
            return _Outline(
                title=" ".join(reply.title.strip("# ").split()),
                sections=size.fit(reply.sections),
                queries=tuple(tuple(section.queries) for section in reply.sections),
                requirements=inputs.requirements,
            )

        # A version that was sent back keeps its outline, and with it every section that is not rewritten.
        key = (self._run.task.round, context.brief, size)
        return await self._run.checkpoint("outline", key, _Outline, compute, alongside=self._announce)

    async def _announce(self, tx: Tx, outline: _Outline) -> None:
        """Record what the paper will take before it is written."""
        sections = len(outline.sections)
        calls = self._size.calls_max(
            sections, judged=self._checks.judges, revised=self._settings.revisions_max > 0
        )
        await append_event(
            tx,
            stream=self._context.mission_id,
            kind="step.outlined",
            actor=str(self._run.worker),
            payload={
                "step": self._context.key,
                "words": self._size.words,
                "sections": sections,
                "calls_max": calls,
            },
        )

    async def _write_section(
        self, outline: _Outline, number: int, drafts: Mapping[int, _Draft], material: Material
    ) -> _Draft:
        context = self._context
        inputs = SectionInputs(
            brief=context.brief,
            outline=outline.sections,
            number=number,
            passages=await self._passages(outline, number, material),
            written=_neighbours(number, drafts),
            requirements=outline.requirements,
        )
        return await self._ask(inputs, f"section-{number}")

    async def _passages(self, outline: _Outline, number: int, material: Material) -> tuple[Passage, ...]:
        """Search what the mission has read for a section; one without hits has the passages of the whole."""
        queries = (*outline.queries[number - 1], outline.sections[number - 1].heading)

        async def compute() -> Findings:
            return await self._research.search_again(self._run, self._context, queries)

        phase = f"passages-{number}"
        key = (self._run.task.round, self._context.brief, queries)
        found = await self._run.checkpoint(phase, key, Findings, compute)
        return found.passages or material.findings.passages

    async def _ask(self, inputs: SectionInputs, phase: str) -> _Draft:
        context = self._context

        async def compute() -> Reply:
            request = section_request(
                inputs, system=context.system, tier=context.tier, find_faults=find_faults
            )
            known = {*(passage.number for passage in inputs.passages), *context.inherited}
            return await self._checks.ask(request, phase, known=known)

        reply = await self._run.checkpoint(
            phase,
            (self._run.task.round, inputs),
            Reply,
            compute,
            describe=lambda reply: (
                f"wrote {plural(len(reply.text.split()), 'word')}: {inputs.section.heading}"
            ),
        )
        return _Draft(inputs=inputs, reply=reply)

    async def _assemble(
        self,
        outline: _Outline,
        drafts: Mapping[int, _Draft],
        known: frozenset[int],
        phase: str,
        *,
        earlier: Verification,
    ) -> Written:
        """Put the sections together, and check the whole."""
        reply = _joined(_text_of(outline, drafts), [drafts[number].reply for number in sorted(drafts)])

        async def compute() -> Written:
            return await self._checks.check(reply, known=known, earlier=earlier, phase=phase)

        return await self._run.checkpoint(
            phase, (self._run.task.round, reply, sorted(known)), Written, compute
        )

    async def _read(
        self, outline: _Outline, drafts: Mapping[int, _Draft], written: Written, material: Material
    ) -> CoherenceReply:
        """Have the critic read the whole once."""
        context = self._context
        inputs = CoherenceInputs(
            # The paper is in need of the room that colleagues' results would take.
            brief=replace(context.brief, predecessors=()),
            outline=outline.sections,
            sections=tuple(drafts[number].written for number in sorted(drafts)),
            citations=written.citations,
            verification=written.verification,
            questions=tuple(material.plan.questions),
            requirements=tuple(material.plan.requirements),
            faults=written.kind_faults,
            feedback=context.feedback,
        )

        async def compute() -> CoherenceReply:
            critic = context.critic
            request = coherence_request(inputs, system=critic.system, tier=context.tier)
            return await self._run.ask_for(CoherenceReply, request, "coherence", agent_id=critic.agent_id)

        return await self._run.checkpoint("coherence", (inputs,), CoherenceReply, compute)

    async def _rewrite(
        self,
        outline: _Outline,
        drafts: Mapping[int, _Draft],
        written: Written,
        reading: CoherenceReply,
        known: frozenset[int],
    ) -> tuple[dict[int, _Draft], Written]:
        """Rewrite the sections with notes, faults or doubtful statements, and keep what got better by it."""
        statements = _text_of(outline, drafts).by_section(written.verification.statements)
        rewritten = dict(drafts)
        # The opening comes last again, when it is known what the others say now.
        for number in (*range(2, len(drafts) + 1), 1):
            draft = drafts[number]
            notes = [note.note for note in reading.notes if note.section == number]
            if number == 1 and not any(note.section in drafts for note in reading.notes):
                # What was sent back never goes out again as it was.
                notes += self._context.feedback
            gaps = (*notes, *self._faults_of(draft, known))
            doubtful = doubtful_in(statements[number])
            if not gaps and not doubtful:
                continue
            inputs = replace(
                draft.inputs,
                draft=draft.written.text,
                gaps=gaps,
                verification=Verification(statements=tuple(doubtful)),
                written=_neighbours(number, rewritten),
            )
            rewritten[number] = await self._ask(inputs, f"rewrite-{number}")
        if rewritten == drafts:
            return rewritten, written
        earlier = written.verification
        after = await self._assemble(outline, rewritten, known, "assembly-2", earlier=earlier)
        kept = await asyncio.to_thread(
            self._keep_better, outline, (drafts, written), (rewritten, after), known
        )
        if kept == rewritten:
            return kept, after
        judged = Verification(statements=(*earlier.statements, *after.verification.statements))
        return kept, await self._assemble(outline, kept, known, "assembly-3", earlier=judged)

    def _keep_better(
        self,
        outline: _Outline,
        before: tuple[Mapping[int, _Draft], Written],
        after: tuple[Mapping[int, _Draft], Written],
        known: frozenset[int],
    ) -> dict[int, _Draft]:
        """Choose for each section the version with fewer doubtful statements and faults; of equal ones the later."""

        def flaws(version: tuple[Mapping[int, _Draft], Written]) -> dict[int, tuple[int, int]]:
            drafts, written = version
            found = _text_of(outline, drafts).by_section(written.verification.statements)
            return {
                number: (len(doubtful_in(found[number])), len(self._faults_of(draft, known)))
                for number, draft in drafts.items()
            }

        flaws_before, flaws_after = flaws(before), flaws(after)
        return {
            number: (before if flaws_before[number] < flaws_after[number] else after)[0][number]
            for number in after[0]
        }

    def _faults_of(self, draft: _Draft, known: frozenset[int]) -> tuple[str, ...]:
        """List the computed faults of one section: its citations and its length."""
        text = draft.written.text
        gaps = citation_gaps(check_citations(text, known))
        if self._run.gateway.is_rehearsal:
            return gaps
        form = ResultForm(words=draft.inputs.section.words)
        return (*gaps, *find_length_faults(replace(self._context.brief, form=form), text))


def _neighbours(number: int, drafts: Mapping[int, _Draft]) -> tuple[WrittenSection, ...]:
    """Return the sections that an author has to know: the one before; for the opening, all others."""
    numbers = [other for other in sorted(drafts) if other == number - 1 or (number == 1 and other != 1)]
    # The opening is not known to the second section when it is written, and need not be when it is rewritten.
    return tuple(drafts[other].written for other in numbers if other != 1)


def _text_of(outline: _Outline, drafts: Mapping[int, _Draft]) -> PaperText:
    return assemble(outline.title, [drafts[number].written for number in sorted(drafts)])


def _joined(paper: PaperText, replies: Sequence[Reply]) -> Reply:
    """Return the replies of all sections as one, with the text of the paper."""
    return replace(
        replies[0],
        text=paper.text,
        tier_served=min(reply.tier_served for reply in replies),
        tokens_in=sum(reply.tokens_in for reply in replies),
        tokens_out=sum(reply.tokens_out for reply in replies),
        cost_usd_micros=sum(reply.cost_usd_micros for reply in replies),
        duration_ms=sum(reply.duration_ms for reply in replies),
        degraded=any(reply.degraded for reply in replies),
        reused=all(reply.reused for reply in replies),
        notes=tuple(dict.fromkeys(note for reply in replies for note in reply.notes)),
    )
