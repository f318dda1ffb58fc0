"""Talk runs: the chief of staff understands a message, answers it, records its rules, or starts its work."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.ids import new_id
from frasier.kernel.text import digest, shorten
from frasier.llm import TalkInputs
from frasier.llm.reply_schemas import ClassifyReply
from frasier.memory import SHARED_SCOPE, Memory, MemoryKind
from frasier.org.people import roster
from frasier.org.planning import (
    CONFIDENCE_MIN,
    FounderMessage,
    MissionStatus,
    NewMission,
    PlanningSettings,
    add_stated_directives,
    answer_message,
    confirm_directives,
    list_missions,
    read_message,
    separate_rules,
    start_mission,
    start_simple_mission,
)
from frasier.prompts import classify_request, talk_request
from frasier.store import Tx
from frasier.work.deep_work.context import LeftOutRule, system_prompt
from frasier.work.run_lease import Run
from frasier.work.run_memory import lessons_for, remember
from frasier.work.run_outcomes import Done, RunOutcome
from frasier.work.settings import Capabilities
from frasier.workflow import FOUNDER, move

_MEMORIES = 6
_NO_MEANS = (
    "I have no model, no documents and no web search to work with, so I started nothing. Give me "
    "documents, a model with OPENROUTER_API_KEY, or a search with FRASIER_WEB__SEARCH."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkContext:
    """The inputs of an answer, gathered once."""

    message: FounderMessage
    system: str
    memories: tuple[str, ...]
    state: tuple[str, ...]
    rules_left_out: tuple[LeftOutRule, ...] = ()


class TalkRuns:
    """Runs of the process `talk`. Missions that they start are published below `destination`."""

    process = "talk"

    def __init__(self, *, means: Capabilities, destination: Path, planning: PlanningSettings) -> None:
        self._means = means
        self._destination = destination
        self._planning = planning

    async def run(self, run: Run) -> RunOutcome:
        context = await run.checkpoint(
            "context", (run.task.id, run.task.round), TalkContext, lambda: self._gather(run)
        )

        async def classify() -> ClassifyReply:
            request = classify_request(context.message.text, system=context.system)
            return await run.ask_for(ClassifyReply, request, "classify")

        understood = await run.checkpoint("classify", (context,), ClassifyReply, classify)
        if understood.classification == "casual" and understood.confidence >= CONFIDENCE_MIN:
            inputs = TalkInputs(message=context.message.text, memories=context.memories, state=context.state)
            reply = await run.ask(talk_request(inputs, system=context.system), "talk")
            await self._finish(run, context.message, understood, reply.text.strip())
        else:
            await self._finish(run, context.message, understood, None)
        return Done()

    async def _gather(self, run: Run) -> TalkContext:
        async with run.database.transaction() as tx:
            message = await read_message(tx, run.task.id)
        memories = await remember(
            run.memory,
            shorten(message.text, 2_000),
            scopes=(SHARED_SCOPE,),
            kinds=frozenset({MemoryKind.CONVERSATION, MemoryKind.DECISION, MemoryKind.OBSERVATION}),
            limit=_MEMORIES + 1,
            rehearsed=run.gateway.is_rehearsal,
        )
        said_before = [m for m in memories if m.provenance.get("message") != str(message.id)]
        lessons = await lessons_for(
            run.memory, run.assignee_id, message.text, rehearsal=run.gateway.is_rehearsal
        )
        async with run.database.transaction() as tx:
            prompt = await system_prompt(run, tx, run.assignee_id, lessons=lessons)
            return TalkContext(
                message=message,
                system=prompt.text,
                memories=tuple(f"{m.title}: {shorten(m.content, 300)}" for m in said_before[:_MEMORIES]),
                state=await _state(tx),
                rules_left_out=prompt.rules_left_out,
            )

    async def _finish(
        self, run: Run, message: FounderMessage, understood: ClassifyReply, reply: str | None
    ) -> None:
        """Record the rules of the message, start its work or give the `reply`, and answer: one transaction."""
        parts = separate_rules(message.text, understood)
        async with run.fenced() as tx:
            rules, no_room = await add_stated_directives(tx, parts.rules, message_id=message.id)
            recorded = await confirm_directives(tx, rules) if rules else []
            lines = [*recorded, *no_room, *parts.notices]
            advice = [_withdraw(rule) for rule in rules]
            if no_room or len(recorded) > len(rules):
                advice.append(Advice("directive.list", to="see the standing rules"))
            advice += parts.advice
            mission_id = None
            if reply is not None:
                lines.append(reply)
            elif parts.rest is not None:
                started, mission_id = await self._start(tx, parts.rest, understood)
                lines.append(started)
                advice.append(_follow(mission_id))
            answer = "\n\n".join(lines)
            await answer_message(
                tx,
                message,
                understood,
                answer=answer,
                mission_id=mission_id,
                directives=[rule.id for rule in rules],
                advice=advice,
                rehearsal=run.gateway.is_rehearsal,
            )
            await move(
                tx,
                run.task.id,
                "finish",
                actor=run.worker,
                attempt=run.attempt,
                note=f"understood as {understood.classification}",
                fields={"result_digest": digest(answer), "result_size": len(answer.encode())},
            )

    async def _start(self, tx: Tx, directive: str, understood: ClassifyReply) -> tuple[str, UUID | None]:
        if self._means.rehearsal and not self._means.web_search:
            return _NO_MEANS, None
        new = NewMission(
            id=new_id(),
            directive=directive,
            destination=str(self._destination),
            rehearsal=self._means.rehearsal,
            web_search=self._means.web_search,
        )
        if understood.classification == "full_project" and understood.confidence >= CONFIDENCE_MIN:
            mission = await start_mission(tx, new, actor=FOUNDER)
            what = "I plan it as a project and share it out"
        else:
            bounds = (self._planning.sources_per_step, self._planning.queries_per_step)
            research = bounds if self._means.web_search else (0, 0)
            mission = await start_simple_mission(
                tx, new, roster=await roster(tx), actor=FOUNDER, research=research
            )
            what = "I gave it to a colleague"
        return f"Understood: {mission.title}. {what}.", mission.id


def _withdraw(rule: Memory) -> Advice:
    return Advice("directive.withdraw", to="withdraw the rule", directive=str(rule.id)[-8:])


def _follow(mission_id: UUID | None) -> Advice:
    if mission_id is None:
        return Advice("mission.start", to="give documents", sources="DIR")
    return Advice("mission.show", to="follow it", mission=str(mission_id)[-8:])


async def _state(tx: Tx) -> tuple[str, ...]:
    """Summarise the state of the organisation, a line each, for questions about itself."""
    missions = await list_missions(tx, limit=8)
    people = ", ".join(f"{agent.name} ({agent.title})" for agent in await roster(tx))
    running = [m for m in missions if not m.status.ended]
    lines = [f"My colleagues: {people}.", f"Missions in progress: {len(running)}."]
    lines += [
        f"Mission {m.title!r} is {m.status}"
        + (f", delivered to {m.delivered_path}." if m.status is MissionStatus.DELIVERED else ".")
        for m in missions
    ]
    return tuple(lines)
