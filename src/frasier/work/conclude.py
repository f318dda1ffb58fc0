"""The move of a task by the outcome of its run: on, back, to the founder, or to its end."""

from __future__ import annotations

from frasier.org.execution import block_for_founder, fail_mission, settle_mission
from frasier.org.missions import MissionStatus, get_mission
from frasier.org.planning import mission_of
from frasier.work.outages import announce_failing_service, ask_about_silence, wait_or_ask
from frasier.work.run_lease import Run
from frasier.work.run_outcomes import Done, GivenUp, NeedsFounder, Paused, RetryLater, RunOutcome, WaitOut
from frasier.work.settings import WorkerSettings
from frasier.workflow import FAILED_RUNS_MAX, move


async def conclude(run: Run, outcome: RunOutcome, settings: WorkerSettings) -> RunOutcome:
    """Move the task of a run by its outcome. Return the outcome, or the question that it has become.

    Raises LeaseLost and TransitionRefused where the run does not hold its task any more.
    """
    match outcome:
        case Done():
            pass
        case Paused():
            await _release(run, "the mission is paused", after_s=0.0, failed=False)
        case RetryLater(reason=reason, after_s=0.0):
            await _release(run, reason, after_s=0.0, failed=False)
        case RetryLater():
            return await _retry(run, outcome, settings)
        case WaitOut():
            return await _wait_out(run, outcome, settings)
        case NeedsFounder():
            await _block(run, outcome)
        case GivenUp(reason=reason):
            await _give_up(run, reason)
    return outcome


async def _retry(run: Run, outcome: RetryLater, settings: WorkerSettings) -> RunOutcome:
    """Give a task back for another run, or block it for the founder where its runs are used up, or a service that it
    needs has never answered.
    """
    failures = run.task.failures + 1
    async with run.database.transaction() as tx:
        question = await ask_about_silence(tx, outcome)
        if question is None:
            await announce_failing_service(tx, run.task, outcome)
    if question:
        await _block(run, question)
        return question
    if failures < FAILED_RUNS_MAX:
        backoff_s = min(settings.retry_base_s * 2.0 ** (failures - 1), settings.retry_max_s)
        await _release(run, outcome.reason, after_s=outcome.after_s or backoff_s, failed=True)
        return outcome
    action = f"{outcome.action} Then continue" if outcome.action else "settle the cause, then continue"
    reason = f"{failures} runs failed; the last: {outcome.reason}"
    await _block(run, NeedsFounder(reason=reason, action=action, cause_key=outcome.cause_key))
    return outcome


async def _wait_out(run: Run, outcome: WaitOut, settings: WorkerSettings) -> RunOutcome:
    async with run.database.transaction() as tx:
        next_step = await wait_or_ask(tx, run.task, outcome, settings)
    if isinstance(next_step, NeedsFounder):
        await _block(run, next_step)
        return next_step
    await _release(run, outcome.reason, after_s=next_step, failed=False)
    return outcome


async def _block(run: Run, outcome: NeedsFounder) -> None:
    async with run.database.transaction() as tx:
        await block_for_founder(
            tx,
            run.task,
            reason=outcome.reason,
            action=outcome.action,
            advice=outcome.advice,
            actor=run.worker,
            attempt=run.attempt,
            asks=outcome.asks,
            cause_key=outcome.cause_key,
        )


async def _release(run: Run, reason: str, *, after_s: float, failed: bool) -> None:
    async with run.database.transaction() as tx:
        await move(
            tx,
            run.task.id,
            "release",
            actor=run.worker,
            attempt=run.attempt,
            fields={"reason": reason},
            delay_s=after_s,
            failed_run=failed,
        )


async def _give_up(run: Run, reason: str) -> None:
    async with run.database.transaction() as tx:
        await move(tx, run.task.id, "fail", actor=run.worker, attempt=run.attempt, fields={"reason": reason})
        mission_id = mission_of(run.task)
        if mission_id is None:
            return
        mission = await get_mission(tx, mission_id)
        if mission.status is MissionStatus.PLANNING:
            await fail_mission(tx, mission, reason=reason)
        else:
            await settle_mission(tx, mission.id)
