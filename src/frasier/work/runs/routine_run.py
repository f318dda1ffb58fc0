"""Routine runs: colleagues speak in turn, and one of them puts it into an outcome, within a cap and a time limit.

A routine always ends: what goes wrong in it is the reason why it has no outcome, and whatever waits for it goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.errors import FrasierError, LeaseLost, Stale, StoreError
from frasier.kernel.fault_points import fault_point
from frasier.kernel.text import shorten
from frasier.llm import RoutineOutcomeInputs, RoutineTurnInputs, SpokenTurn, spend_of_mission
from frasier.llm.reply_schemas import RoutineOutcomeReply, RoutineTurnReply
from frasier.memory import Memory
from frasier.org.execution import RoutineResult, conclude_routine
from frasier.org.governance import (
    OUTCOMES_OF,
    AutonomySettings,
    Routine,
    RoutineOutcome,
    RoutineRules,
    add_turn,
    begin_routine,
    get_routine,
    money_for_routine,
    rules_in_force,
    seconds_left,
)
from frasier.org.people import Capability
from frasier.prompts import routine_outcome_request, routine_turn_request
from frasier.store import Tx
from frasier.work.finish_run import finish_run
from frasier.work.run_lease import Run
from frasier.work.run_outcomes import Done, RunOutcome
from frasier.work.runs.routine_context import RoutineContext, Speaker, gather_routine

_FAILED_RUNS_MAX = 2
_REASON_CHARS = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class _Begun:
    """A routine that has begun, with the rules in force and the seconds that it has left."""

    routine: Routine
    rules: RoutineRules
    seconds: float


class RoutineRuns:
    """Runs of the processes `routine` and `stand_up`."""

    def __init__(self, process: str, autonomy: AutonomySettings) -> None:
        self.process = process
        self._autonomy = autonomy

    async def run(self, run: Run) -> RunOutcome:
        begun = await self._begin(run)
        if begun.routine.ended_at is not None:
            await self._finish(run, begun.routine.result)
            return Done()
        result = await self._hold(run, begun)
        async with run.fenced(Capability.SPEAK_IN_ROUTINES) as tx:
            effect = await conclude_routine(tx, begun.routine, result, autonomy=self._autonomy)
            text = f"{result.outcome}: {result.text} {effect}"
            await finish_run(tx, run, text, note=shorten(text.strip(), _REASON_CHARS))
            fault_point("routine.before_commit")
        fault_point("routine.committed")
        return Done()

    async def _begin(self, run: Run) -> _Begun:
        """Give the routine its cap and time limit, once; without money its cap is 0."""
        async with run.fenced() as tx:
            rules = await rules_in_force(tx, RoutineRules)
            routine = await get_routine(tx, run.task.id)
            if routine.began_at is None:
                cap = await _money(tx, run, rules, routine)
                routine = await begin_routine(tx, routine.task_id, cap_usd_micros=cap, minutes=rules.minutes)
            seconds = await seconds_left(tx, routine.task_id)
        fault_point("routine.began")
        run.cap_usd_micros = routine.cap_usd_micros
        return _Begun(routine=routine, rules=rules, seconds=seconds)

    async def _hold(self, run: Run, begun: _Begun) -> RoutineResult:
        """Let colleagues speak and one of them conclude; whatever fails is a result without an outcome."""
        if not begun.routine.cap_usd_micros:
            return _nothing("The budget of team routines, or their share of the mission's, is used up.")
        over = f"It was not over within {begun.rules.minutes:g} minutes."
        if begun.seconds <= 0:
            return _nothing(over)
        if run.task.failures >= _FAILED_RUNS_MAX:
            return _nothing(f"Its runs failed: {run.task.fields.get('reason', '')}")
        try:
            async with asyncio.timeout(begun.seconds):
                return await self._talk(run, begun)
        except TimeoutError:
            return _nothing(over)
        except (LeaseLost, StoreError, Stale):
            raise
        except FrasierError as error:
            return _nothing(error.message)

    async def _talk(self, run: Run, begun: _Begun) -> RoutineResult:
        routine = begun.routine
        used: dict[UUID, Sequence[Memory]] = {}
        context = await run.checkpoint(
            "context",
            (run.task.id, run.task.round),
            RoutineContext,
            lambda: gather_routine(run, routine, speakers_max=begun.rules.speakers, used=used),
            alongside=run.note_memories(used) if routine.mission_id else None,
        )
        if context.closer is None:
            return _nothing(f"It was not needed: {context.needless}.")
        said: list[SpokenTurn] = []
        for number, speaker in enumerate(context.speakers, start=1):
            turn = await self._turn(run, routine, context, speaker, number, tuple(said))
            said.append(SpokenTurn(name=speaker.name, text=turn.said))
        return await self._conclude(run, routine, context, context.closer, tuple(said))

    async def _turn(
        self,
        run: Run,
        routine: Routine,
        context: RoutineContext,
        speaker: Speaker,
        number: int,
        before: tuple[SpokenTurn, ...],
    ) -> RoutineTurnReply:
        inputs = RoutineTurnInputs(
            kind=routine.kind,
            subject=context.subject,
            part=speaker.part,
            deliverable=context.deliverable,
            said=before,
        )
        phase = f"turn-{number}"

        async def ask() -> RoutineTurnReply:
            request = routine_turn_request(inputs, system=speaker.system, tier=context.tier)
            return await run.ask_for(RoutineTurnReply, request, phase, agent_id=speaker.agent_id)

        async def keep(tx: Tx, turn: RoutineTurnReply) -> None:
            await add_turn(tx, routine.task_id, number, speaker.agent_id, turn.said)

        return await run.checkpoint(
            phase,
            (inputs, speaker.system),
            RoutineTurnReply,
            ask,
            alongside=keep,
            describe=lambda turn: f"{speaker.name}: {turn.said}",
        )

    async def _conclude(
        self,
        run: Run,
        routine: Routine,
        context: RoutineContext,
        closer: Speaker,
        turns: tuple[SpokenTurn, ...],
    ) -> RoutineResult:
        permitted = tuple(sorted(OUTCOMES_OF[routine.kind]))
        inputs = RoutineOutcomeInputs(
            kind=routine.kind, subject=context.subject, outcomes=permitted, part=closer.part, said=turns
        )

        async def ask() -> RoutineOutcomeReply:
            request = routine_outcome_request(inputs, system=closer.system, tier=context.tier)
            return await run.ask_for(RoutineOutcomeReply, request, "outcome", agent_id=closer.agent_id)

        reply = await run.checkpoint("outcome", (inputs, closer.system), RoutineOutcomeReply, ask)
        return read_outcome(routine, reply)

    async def _finish(self, run: Run, note: str) -> None:
        async with run.fenced() as tx:
            await finish_run(tx, run, note, note=shorten(note.strip(), _REASON_CHARS))


def routine_runs(autonomy: AutonomySettings) -> tuple[RoutineRuns, RoutineRuns]:
    """Make the runs of routines of missions and of stand-ups."""
    return RoutineRuns("routine", autonomy), RoutineRuns("stand_up", autonomy)


def read_outcome(routine: Routine, reply: RoutineOutcomeReply) -> RoutineResult:
    """Return the outcome that a reply names; none where a routine of its kind can have no such outcome. Pure."""
    outcome = RoutineOutcome(reply.outcome)
    if outcome not in OUTCOMES_OF[routine.kind]:
        return _nothing(f"It ended with a {outcome}, which no {routine.kind.replace('_', '-')} has.")
    if outcome is RoutineOutcome.DECISION and not reply.stands:
        return _nothing("It named no verdict that stands.")
    return RoutineResult(outcome=outcome, text=reply.text, stands=reply.stands)


def _nothing(reason: str) -> RoutineResult:
    return RoutineResult(outcome=RoutineOutcome.NONE, text=shorten(reason, _REASON_CHARS))


async def _money(tx: Tx, run: Run, rules: RoutineRules, routine: Routine) -> int:
    if routine.mission_id is None:
        return await money_for_routine(tx, rules)
    spend = await spend_of_mission(tx, routine.mission_id)
    own = spend.budget_usd_micros
    return await money_for_routine(
        tx,
        rules,
        mission_id=routine.mission_id,
        mission_usd_micros=run.gateway.mission_usd_micros if own is None else own,
    )
