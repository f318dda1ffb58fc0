"""Talk runs: the chief of staff understands a message, answers it, records its rules, or starts its work."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from frasier.kernel.advice import Advice
from frasier.kernel.ids import new_id
from frasier.llm import ClassifyInputs, ConversationTurn, Passage, TalkInputs, Tier
from frasier.llm.reply_schemas import ClassifyReply
from frasier.memory import Memory
from frasier.org.conversation import (
    CONFIDENCE_MIN,
    Attachment,
    FounderMessage,
    MessageAnswer,
    MessageIntent,
    add_attachments,
    add_stated_directives,
    attachments_of,
    confirm_directives,
    read_message,
    separate_rules,
)
from frasier.org.missions import MissionStatus, NewMission, insert_mission, list_missions
from frasier.org.people import Capability, roster
from frasier.org.planning import EstimatePlan, PlanningSettings, begin_simple_mission, start_mission
from frasier.prompts import classify_request, talk_request
from frasier.store import Tx
from frasier.work.conversation.attachments import (
    add_as_sources,
    fit_attachments,
    read_links,
    readable,
    unreadable,
)
from frasier.work.conversation.finish import finish_answer
from frasier.work.conversation.turns import earlier_turns
from frasier.work.deep_work.context import LeftOutRule, system_prompt
from frasier.work.run_lease import Run
from frasier.work.run_memory import lessons_for
from frasier.work.run_outcomes import Done, RunOutcome
from frasier.work.runs.ask_run import answer_question
from frasier.work.runs.steer_run import steer_mission_by
from frasier.work.settings import AvailableMeans
from frasier.workflow import FOUNDER

_ATTACHMENTS_SHARE = 0.4
_NO_MEANS = (
    "I have no model, no documents and no web search to work with, so I started nothing. Give me "
    "documents, a model with OPENROUTER_API_KEY, or a search with FRASIER_WEB__SEARCH."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinksRead:
    """The links of a message, read or not."""

    links: tuple[Attachment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkContext:
    """The inputs of an answer, gathered once. `attachments` are those that the request has room for."""

    message: FounderMessage
    system: str
    turns: tuple[ConversationTurn, ...]
    memories: tuple[str, ...]
    state: tuple[str, ...]
    attachments: tuple[Passage, ...] = ()
    unread: tuple[str, ...] = ()
    rules_left_out: tuple[LeftOutRule, ...] = ()


class TalkRuns:
    """Runs of the process `talk`. Missions that they start are published below `destination`; `estimate` tells what
    those and the missions that are changed will take.
    """

    process = "talk"

    def __init__(
        self,
        *,
        means: AvailableMeans,
        destination: Path,
        planning: PlanningSettings,
        estimate: EstimatePlan,
    ) -> None:
        self._means = means
        self._estimate = estimate
        self._destination = destination
        self._planning = planning

    async def run(self, run: Run) -> RunOutcome:
        async with run.database.transaction() as tx:
            message = await read_message(tx, run.task.id)
        match message.intent:
            case MessageIntent.ASK:
                return await answer_question(run, message)
            case MessageIntent.STEER:
                return await steer_mission_by(run, message, self._planning, estimate=self._estimate)
            case _:
                return await self._answer(run, message)

    async def _answer(self, run: Run, message: FounderMessage) -> RunOutcome:
        await self._read_links(run, message)
        context = await run.checkpoint(
            "context", (run.task.id, run.task.round), TalkContext, lambda: self._gather(run, message)
        )

        async def classify() -> ClassifyReply:
            inputs = ClassifyInputs(
                message=context.message.text,
                turns=context.turns,
                attached=tuple(f"{one.file}: {one.title}" for one in context.attachments),
            )
            return await run.ask_for(
                ClassifyReply, classify_request(inputs, system=context.system), "classify"
            )

        understood = await run.checkpoint("classify", (context,), ClassifyReply, classify)
        if understood.classification == "casual" and understood.confidence >= CONFIDENCE_MIN:
            inputs = TalkInputs(
                message=context.message.text,
                turns=context.turns,
                memories=context.memories,
                state=context.state,
                attachments=context.attachments,
                unread=context.unread,
            )
            reply = await run.ask(talk_request(inputs, system=context.system), "talk")
            await self._finish(run, context, understood, reply.text.strip())
        else:
            await self._finish(run, context, understood, None)
        return Done()

    async def _read_links(self, run: Run, message: FounderMessage) -> None:
        """Read the links of the message once, and store them beside its files."""

        async def read() -> LinksRead:
            links = await read_links(run, message.text)
            return LinksRead(links=tuple(links))

        async def keep(tx: Tx, value: LinksRead) -> None:
            await add_attachments(tx, message.id, value.links)

        await run.checkpoint("links", (message.text, run.task.round), LinksRead, read, alongside=keep)

    async def _gather(self, run: Run, message: FounderMessage) -> TalkContext:
        async with run.database.transaction() as tx:
            attachments = await attachments_of(tx, message.id)
        turns = await earlier_turns(run, message)
        lessons = await lessons_for(
            await run.memory(), run.assignee_id, message.text, rehearsal=run.gateway.is_rehearsal
        )
        tokens = int(run.gateway.route(Tier.T1).context_tokens * _ATTACHMENTS_SHARE)
        fitting = await asyncio.to_thread(fit_attachments, attachments, message.text, tokens)
        async with run.database.transaction() as tx:
            prompt = await system_prompt(run, tx, run.assignee_id, work=message.text, lessons=lessons)
            return TalkContext(
                message=message,
                system=prompt.text,
                turns=turns.last,
                memories=turns.related,
                state=await _state(tx),
                attachments=fitting,
                unread=unreadable(attachments),
                rules_left_out=prompt.rules_left_out,
            )

    async def _finish(
        self, run: Run, context: TalkContext, understood: ClassifyReply, reply: str | None
    ) -> None:
        """Record the rules of the message, start its work or give the `reply`, and answer: one transaction."""
        message = context.message
        parts = separate_rules(message.text, understood)
        async with run.fenced(Capability.ANSWER_FOUNDER) as tx:
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
                started, mission_id = await self._start(tx, parts.rest, understood, message.id)
                lines.append(started)
                advice.append(_follow(mission_id))
            lines += [f"I could not read {line}" for line in context.unread]
            answer = MessageAnswer(
                text="\n\n".join(lines),
                rehearsal=run.gateway.is_rehearsal,
                understood=understood,
                mission_id=mission_id,
                directives=[rule.id for rule in rules],
                advice=advice,
            )
            await finish_answer(run, tx, message, answer, note=f"understood as {understood.classification}")

    async def _start(
        self, tx: Tx, directive: str, understood: ClassifyReply, message_id: UUID
    ) -> tuple[str, UUID | None]:
        """Start the work that a message asks for, from its attachments where it has any, as documents are."""
        documents = readable(await attachments_of(tx, message_id))
        if self._means.rehearsal and not self._means.web_search and not documents:
            return _NO_MEANS, None
        new = NewMission(
            id=new_id(),
            directive=directive,
            destination=str(self._destination),
            rehearsal=self._means.rehearsal,
            web_search=self._means.web_search and not documents,
            source_count=len(documents),
        )
        if understood.classification == "full_project" and understood.confidence >= CONFIDENCE_MIN:
            mission = await start_mission(tx, new, actor=FOUNDER)
            await add_as_sources(tx, mission.id, documents)
            what = "I plan it as a project and share it out"
        else:
            bounds = (self._planning.sources_per_step, self._planning.queries_per_step)
            mission = await insert_mission(tx, new, actor=FOUNDER)
            await add_as_sources(tx, mission.id, documents)
            waits = await begin_simple_mission(
                tx,
                mission,
                roster=await roster(tx),
                actor=FOUNDER,
                research=bounds if new.web_search or documents else (0, 0),
                estimate=self._estimate,
                settings=self._planning,
            )
            what = "I show you what it takes before it begins" if waits else "I gave it to a colleague"
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
        + (f" to {m.delivered_path}." if m.status is MissionStatus.DELIVERED else ".")
        for m in missions
    ]
    return tuple(lines)
