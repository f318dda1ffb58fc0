"""The evidence of a mission on a question: its result, statements with their passages, sources, and the work on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.language import content_stems, language_of, words_of
from frasier.llm import (
    AskInputs,
    CheckedStatement,
    ConversationTurn,
    Passage,
    Predecessor,
    Tier,
    Verification,
)
from frasier.org.missions import Deliverable, Mission, MissionStep, deliverables_of, get_mission, steps_of
from frasier.org.people import roster
from frasier.store import Tx
from frasier.work.conversation.named_sources import named_sources
from frasier.work.research.documents.chunks import passages
from frasier.work.research.mission_sources import find_passages, source_texts, sources_of
from frasier.work.research.passage_selection import select_passages
from frasier.work.run_lease import Run
from frasier.work.verification.verify import without_marks
from frasier.workflow import tasks_of

_STATEMENTS_MAX = 30
_PASSAGES_MAX = 40
_PASSAGES_SHARE = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionEvidence:
    """The inputs of an answer about a mission, and the numbers of the sources that it may cite."""

    inputs: AskInputs
    known: tuple[int, ...]


async def gather_evidence(
    run: Run, mission_id: UUID, question: str, turns: tuple[ConversationTurn, ...]
) -> MissionEvidence:
    """Gather what bears on the question: of the sources that it names everything that is said and cited."""
    async with run.database.transaction() as tx:
        mission = await get_mission(tx, mission_id)
        versions = await _results(tx, mission)
        names = {agent.id: agent.name for agent in await roster(tx, active_only=False)}
        steps = await _steps(tx, mission, names)
        sources = await sources_of(tx, mission_id)
    known = {source.number for source in sources}
    named = set(named_sources(question, sources))
    verification = Verification(
        statements=tuple(one for _, version in versions for one in version.verification.statements)
    )
    return MissionEvidence(
        inputs=AskInputs(
            question=question,
            directive=mission.directive,
            results=tuple(
                Predecessor(
                    title=step.title,
                    agent=names.get(step.agent_id, "somebody"),
                    text=without_marks(version.content),
                )
                for step, version in versions
            ),
            statements=_relevant(verification.statements, named, question),
            headline=verification.headline,
            passages=await _passages(run, mission_id, question, named),
            named=tuple(sorted(named)),
            steps=steps,
            turns=turns,
        ),
        known=tuple(sorted(known)),
    )


async def _results(tx: Tx, mission: Mission) -> list[tuple[MissionStep, Deliverable]]:
    """Return the newest version of the final result, or while there is none those of the other steps."""
    steps = await steps_of(tx, mission.id)
    newest = {one.task_id: one for one in await deliverables_of(tx, [step.task_id for step in steps])}
    made = [(step, newest[step.task_id]) for step in steps if step.task_id in newest]
    return [(step, version) for step, version in made if step.is_final] or made


async def _steps(tx: Tx, mission: Mission, names: Mapping[UUID, str]) -> tuple[str, ...]:
    """Tell of each step who does it and how far it is."""
    tasks = {task.id: task for task in await tasks_of(tx, mission.id)}
    return (
        f"The mission is {mission.status}.",
        *(
            f"{step.key}: {step.title}, by {names.get(step.agent_id, 'somebody')}, is {tasks[step.task_id].status}"
            for step in await steps_of(tx, mission.id)
        ),
    )


def _relevant(
    statements: Sequence[CheckedStatement], numbers: set[int], question: str
) -> tuple[CheckedStatement, ...]:
    """Return the statements that cite a source that the question names, then those that share most words with it."""
    language = language_of(question)
    wanted = set(content_stems(words_of(question), language))

    def closeness(statement: CheckedStatement) -> tuple[bool, int]:
        shared = wanted & set(content_stems(words_of(statement.text), language))
        return bool(numbers & set(statement.cited)), len(shared)

    return tuple(sorted(statements, key=closeness, reverse=True)[:_STATEMENTS_MAX])


async def _passages(run: Run, mission_id: UUID, question: str, numbers: set[int]) -> tuple[Passage, ...]:
    """Return the passages that answer the question; of the sources that it names the first ones, too."""
    async with run.database.transaction() as tx:
        of_named = [
            Passage(number=text.number, title=text.title, text=chunk.text)
            for text in await source_texts(tx, mission_id, numbers)
            for chunk in passages(text.text)
        ]
    found = await find_passages(await run.source_index(), mission_id, question, limit=_PASSAGES_MAX)
    tokens = int(run.gateway.route(Tier.T2).context_tokens * _PASSAGES_SHARE)
    return select_passages([of_named, found], limit=_PASSAGES_MAX, tokens_max=tokens, per_source=5)
