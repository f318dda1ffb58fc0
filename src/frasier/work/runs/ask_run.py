"""The answer to a question about a mission: from its evidence, and checked like a deliverable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from frasier.llm import Citations, Verification
from frasier.memory import Memory
from frasier.org.conversation import FounderMessage, MessageAnswer
from frasier.org.people import Capability
from frasier.prompts import ask_request
from frasier.work.conversation.finish import finish_answer
from frasier.work.conversation.mission_evidence import MissionEvidence, gather_evidence
from frasier.work.conversation.turns import earlier_turns
from frasier.work.deep_work.context import LeftOutRule, system_prompt
from frasier.work.deep_work.versions import citation_gaps, doubtful_in
from frasier.work.reply_markdown import conventional_markdown
from frasier.work.research.mission_sources import sources_of
from frasier.work.run_lease import Run
from frasier.work.run_memory import lessons_for
from frasier.work.run_outcomes import Done, RunOutcome
from frasier.work.verification.citations import check_citations, with_sources
from frasier.work.verification.verify import mark_doubtful, verify_text


@dataclass(frozen=True, slots=True, kw_only=True)
class AskContext:
    """The inputs of an answer about a mission, gathered once."""

    message: FounderMessage
    evidence: MissionEvidence
    system: str
    rules_left_out: tuple[LeftOutRule, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedAnswer:
    """An answer with the citations and the verdicts that were computed over it."""

    text: str
    citations: Citations
    verification: Verification

    @property
    def faults(self) -> tuple[str, ...]:
        """The faults that the answer has to be corrected in, a sentence each."""
        doubts = (f"“{one.text}”: {'; '.join(one.findings)}" for one in doubtful_in(self.verification))
        return (*citation_gaps(self.citations), *doubts)


async def answer_question(run: Run, message: FounderMessage) -> RunOutcome:
    """Answer a question about a mission. One with faults is asked for once more; what is doubtful then is marked."""
    used: dict[UUID, Sequence[Memory]] = {}
    context = await run.checkpoint(
        "context",
        (run.task.id, run.task.round),
        AskContext,
        lambda: _gather(run, message, used),
        alongside=run.note_memories(used, mission_id=message.about),
    )
    answer = await _ask(run, context, "ask", draft=None)
    if answer.faults and not run.gateway.is_rehearsal:
        again = await _ask(run, context, "ask-2", draft=answer)
        answer = min((again, answer), key=lambda one: len(one.faults))
    await _finish(run, context, answer)
    return Done()


async def _gather(run: Run, message: FounderMessage, used: dict[UUID, Sequence[Memory]]) -> AskContext:
    mission_id = message.about
    turns = await earlier_turns(run, message, about_mission=mission_id)
    evidence = await gather_evidence(run, mission_id, message.text, turns.last)
    lessons = await lessons_for(
        await run.memory(), run.assignee_id, message.text, rehearsal=run.gateway.is_rehearsal
    )
    async with run.database.transaction() as tx:
        prompt = await system_prompt(run, tx, run.assignee_id, work=message.text, lessons=lessons)
        used[run.assignee_id] = prompt.memories
    return AskContext(
        message=message, evidence=evidence, system=prompt.text, rules_left_out=prompt.rules_left_out
    )


async def _ask(run: Run, context: AskContext, phase: str, *, draft: CheckedAnswer | None) -> CheckedAnswer:
    inputs = context.evidence.inputs
    if draft is not None:
        inputs = replace(inputs, draft=draft.text, faults=draft.faults)

    async def compute() -> CheckedAnswer:
        reply = await run.ask(ask_request(inputs, system=context.system), phase)
        text = reply.text.strip()
        if not run.gateway.is_rehearsal:
            text = conventional_markdown(text, context.evidence.known).strip()
        return CheckedAnswer(
            text=text,
            citations=check_citations(text, context.evidence.known),
            verification=await verify_text(run.database, context.message.about, text),
        )

    return await run.checkpoint(phase, (context, inputs), CheckedAnswer, compute)


async def _finish(run: Run, context: AskContext, answer: CheckedAnswer) -> None:
    async with run.fenced(Capability.ANSWER_FOUNDER) as tx:
        sources = await sources_of(tx, context.message.about)
        marked = mark_doubtful(answer.text, answer.verification.statements)
        text = with_sources(marked, [(one.number, one.name, one.uri) for one in sources]).strip()
        stored = MessageAnswer(
            text=text, rehearsal=run.gateway.is_rehearsal, verification=answer.verification
        )
        await finish_answer(run, tx, context.message, stored, note=answer.verification.headline)
