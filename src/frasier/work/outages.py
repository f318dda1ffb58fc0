"""Outages of services: how long one lasts, and which tasks try again before their delay is over."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from uuid import UUID

from frasier.kernel.errors import ProviderUnavailable
from frasier.kernel.humanize import ended
from frasier.llm import FAILURE_ADVICE, answers_since, last_answer_to, silent_service
from frasier.org.conversation import announce
from frasier.store import Statements, Tx
from frasier.work.failure_causes import services_of
from frasier.work.run_outcomes import NeedsFounder, RetryLater, WaitOut
from frasier.work.settings import WorkerSettings
from frasier.workflow import Task, delayed_tasks, end_delay

_sql = Statements("frasier.work")

ASKS_AFTER_S = 24 * 3600.0
"""The length of an outage after which the founder is asked."""

ASKS_ABOUT_SILENCE_AFTER_S = 120.0
"""The same where the service has never answered: that is a wrong address more often than an outage."""

_TELLS_AFTER_S = 600.0

_WAIT_MIN_S = 1.0
_GAP_MIN_S = 60.0
_DOUBLINGS_MAX = 20


async def wait_or_ask(tx: Tx, task: Task, outcome: WaitOut, settings: WorkerSettings) -> NeedsFounder | float:
    """Return the seconds until a task whose run met an outage is tried again, or the question to the founder where the
    outage has lasted very long, or the service has never answered. One of ten minutes is announced.

    The waits double from run to run; none is shorter than what the service asked for. The outage is over once a model
    has answered the task or the founder was asked, and does not last while nobody works on the task.
    """
    gap_max_s = 2 * max(settings.retry_max_s, _GAP_MIN_S)
    answered_at = await last_answer_to(tx, task.id)
    before = await _sql.one(tx, "outage_of", task_id=task.id, since=answered_at, gap_max_s=gap_max_s)
    runs, seconds = int(before["runs"]), float(before["seconds"])
    if seconds >= ASKS_ABOUT_SILENCE_AFTER_S and (question := await ask_about_silence(tx, outcome)):
        return question
    if seconds >= _TELLS_AFTER_S:
        await announce_failing_service(tx, task, outcome)
    if seconds >= ASKS_AFTER_S:
        return NeedsFounder(
            f"it has met an outage for {seconds / 3600:.0f} hours, in {runs + 1} runs; the last: {outcome.reason}",
            f"{outcome.action or 'Settle the cause.'} Then continue",
            cause_key=outcome.cause_key,
        )
    doubled_s = min(settings.retry_base_s * 2.0 ** min(runs, _DOUBLINGS_MAX), settings.retry_max_s)
    return max(doubled_s, outcome.after_s or 0.0, _WAIT_MIN_S)


async def ask_about_silence(tx: Tx, outcome: WaitOut | RetryLater) -> NeedsFounder | None:
    """Return the question about a service that failed and has never answered; None where it has, or is none."""
    services = services_of(outcome.cause_key)
    silence = await silent_service(tx, services) if services else ""
    if not silence:
        return None
    advice = outcome.action or FAILURE_ADVICE[ProviderUnavailable.code]
    return NeedsFounder(silence, f"{advice} Then continue", cause_key=outcome.cause_key)


async def announce_failing_service(tx: Tx, task: Task, outcome: WaitOut | RetryLater) -> None:
    """Tell the founder, once a day, of a service that keeps failing while work is tried again by itself."""
    if not services_of(outcome.cause_key):
        return
    advice = outcome.action or FAILURE_ADVICE[ProviderUnavailable.code]
    day = (await _sql.one(tx, "today"))["day"]
    await announce(
        tx,
        mission_id=task.group_id,
        kind="outage",
        key=f"{outcome.cause_key}:{day}",
        text=f"{ended(outcome.reason)} It is asked again by itself; if this lasts: {advice[:1].lower()}{advice[1:]}",
    )


async def end_outage_delays(
    tx: Tx,
    names: Sequence[str],
    *,
    rehearsal: bool,
    group_id: UUID | None,
    probe_s: float,
    except_groups: Collection[UUID] = (),
) -> None:
    """Let tasks of the processes `names` that an outage delays be claimed at once: all that waited before a model that
    failed them answered again; without such an answer one of them, if none of those that waited was tried for
    `probe_s`, to see whether it is over.

    Answers of the rehearsal end no outage of real models, and the other way round.
    """
    task_ids = await delayed_tasks(tx, names=names, group_id=group_id, except_groups=except_groups)
    waiting = (
        await _sql.all(tx, "waiting_for_service", task_ids=task_ids, probe_s=probe_s) if task_ids else []
    )
    if not waiting:
        return
    waiting_ids = [row["task_id"] for row in waiting]
    answered = await answers_since(tx, waiting_ids, since=waiting[0]["ended_at"], rehearsal=rehearsal)
    due = [
        row for row in waiting if row["task_id"] in answered and row["ended_at"] < answered[row["task_id"]]
    ]
    if not due and not waiting[0]["tried"]:
        due = waiting[:1]
    for task_id in sorted(row["task_id"] for row in due):
        await end_delay(tx, task_id)
