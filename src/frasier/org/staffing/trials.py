"""Trials of new personas and skills: what gave rise to each, its rules, its pairs, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from frasier.kernel.errors import NotFound, Stale
from frasier.kernel.ids import id_part
from frasier.org.governance import TrialRules
from frasier.store import Statements, Tx, from_row

_sql = Statements("frasier.org.staffing")
_MICROS = 1_000_000


class TrialTrigger(StrEnum):
    """A cause of an upskilling: the second strike of a step, falling scores, or the founder's word."""

    STRIKE = "strike"
    SCORES = "scores"
    FOUNDER = "founder"


class TrialState(StrEnum):
    """The state of a trial. It is `refused` where what was written did not pass the checks of a persona."""

    WRITING = "writing"
    PROPOSED = "proposed"
    RUNNING = "running"
    KEPT = "kept"
    NOT_KEPT = "not_kept"
    REFUSED = "refused"


class PairState(StrEnum):
    """The state of a pair; one that cannot be compared is void and counts for nothing."""

    OPEN = "open"
    COMPARED = "compared"
    VOID = "void"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A trial of the version `candidate` against `baseline`, by the rules as they were then: of an agent's persona, or
    of a `skill` that their work gave rise to.

    `task_id` writes the candidate from the `studied` steps. `outcome` and `report` say how it ended.
    """

    id: UUID
    agent_id: UUID
    trigger: TrialTrigger
    why: str
    studied: tuple[UUID, ...]
    task_id: UUID
    state: TrialState
    skill: str | None
    baseline: int
    candidate: int | None
    hypothesis: str
    max_pairs: int
    alpha: float
    minimum_effect: float
    cap_usd_micros: int
    days: int
    pair_usd_micros: int
    outcome: str | None
    report: str
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPair:
    """A step that both versions did, with the scores of what each wrote. `source` is held_back or following."""

    trial_id: UUID
    number: int
    step_id: UUID
    task_id: UUID
    source: str
    state: PairState
    before_score: float | None
    after_score: float | None
    judge: UUID | None
    note: str

    @property
    def difference(self) -> float | None:
        """The gain of the candidate, None before the pair is compared."""
        if self.before_score is None or self.after_score is None:
            return None
        return self.after_score - self.before_score


async def add_trial(
    tx: Tx,
    trial_id: UUID,
    *,
    agent_id: UUID,
    trigger: TrialTrigger,
    why: str,
    studied: Sequence[UUID],
    task_id: UUID,
    baseline: int,
    skill: str | None,
    rules: TrialRules,
) -> Trial:
    """Store an upskilling that begins, by the rules in force. The agent must have no open one."""
    await _sql.run(
        tx,
        "insert_trial",
        id=trial_id,
        agent_id=agent_id,
        trigger=trigger,
        why=why,
        studied=list(studied),
        task_id=task_id,
        baseline=baseline,
        skill=skill,
        max_pairs=rules.max_pairs,
        alpha=rules.alpha,
        minimum_effect=rules.minimum_effect,
        cap_usd_micros=round(rules.cap_usd * _MICROS),
        days=rules.days,
    )
    return await lock_trial(tx, trial_id)


async def lock_trial(tx: Tx, trial_id: UUID) -> Trial:
    """Return a trial, locked until the transaction ends; raise NotFound."""
    row = await _sql.maybe(tx, "lock_trial", id=trial_id)
    if row is None:
        raise NotFound(f"There is no trial {trial_id}.")
    return from_row(Trial, row)


async def trial_of_task(tx: Tx, task_id: UUID) -> Trial:
    """Return the trial whose candidate a task writes; raise NotFound."""
    row = await _sql.maybe(tx, "trial_of_task", task_id=task_id)
    if row is None:
        raise NotFound(f"There is no trial for task {task_id}.")
    return from_row(Trial, row)


async def open_trial_of(tx: Tx, agent_id: UUID) -> Trial | None:
    """Return the trial of an agent that has not ended, if there is one."""
    return await _sql.maybe_as(Trial, tx, "open_trial_of", agent_id=agent_id)


async def open_trial_of_skill(tx: Tx, skill: str) -> Trial | None:
    """Return the trial of a skill that has not ended, if there is one."""
    return await _sql.maybe_as(Trial, tx, "open_trial_of_skill", skill=skill)


async def kept_trial_of(tx: Tx, *, agent_id: UUID, skill: str | None) -> Trial | None:
    """Return the last trial whose version was kept, of a skill, or of the agent's persona without one."""
    return await _sql.maybe_as(Trial, tx, "kept_trial_of", agent_id=agent_id, skill=skill)


async def trials_of(
    tx: Tx, agent_id: UUID | None = None, *, skill: str | None = None, limit: int
) -> list[Trial]:
    """Return the trials of an agent or of a skill, newest first; of everybody and everything with None."""
    return await _sql.all_as(Trial, tx, "trials_of", agent_id=agent_id, skill=skill, limit=limit)


async def find_trials(tx: Tx, text: str) -> list[Trial]:
    """Return the trials whose id begins or ends with `text`; none for a text that is no part of an id."""
    part = id_part(text)
    if part is None:
        return []
    return await _sql.all_as(Trial, tx, "find_trials", part=part)


async def overdue_trials(tx: Tx) -> list[Trial]:
    """Return the trials that are undecided after their days."""
    return await _sql.all_as(Trial, tx, "overdue_trials")


async def add_candidate(
    tx: Tx, trial_id: UUID, candidate: int, *, hypothesis: str, pair_usd_micros: int
) -> Trial:
    """Give a trial the version that it is about; it is proposed from then on."""
    await _sql.run(
        tx,
        "add_candidate",
        id=trial_id,
        candidate=candidate,
        hypothesis=hypothesis,
        pair_usd_micros=pair_usd_micros,
    )
    return await lock_trial(tx, trial_id)


async def start_trial(tx: Tx, trial_id: UUID) -> Trial:
    """Begin a trial that is proposed; raise Stale for another."""
    if not await _sql.run(tx, "start_trial", id=trial_id):
        raise Stale("This trial is not proposed any more.", kept="Nothing was changed.")
    return await lock_trial(tx, trial_id)


async def end_trial(tx: Tx, trial_id: UUID, state: TrialState, *, outcome: str, report: str) -> None:
    """End a trial, once; raise Stale for one that has ended."""
    if not await _sql.run(tx, "end_trial", id=trial_id, state=state, outcome=outcome, report=report):
        raise Stale("This trial has ended already.", kept="Nothing was changed.")


async def add_pairs(tx: Tx, trial_id: UUID, pairs: Sequence[tuple[UUID, UUID, str]], *, after: int) -> None:
    """Add pairs, each as its step, its task and its source, numbered behind `after`."""
    for number, (step_id, task_id, source) in enumerate(pairs, start=after + 1):
        await _sql.run(
            tx,
            "insert_pair",
            trial_id=trial_id,
            number=number,
            step_id=step_id,
            task_id=task_id,
            source=source,
        )


async def pairs_of(tx: Tx, trial_id: UUID) -> list[TrialPair]:
    """Return the pairs of a trial, in the order in which they were taken."""
    return await _sql.all_as(TrialPair, tx, "pairs_of", trial_id=trial_id)


async def pair_of_task(tx: Tx, task_id: UUID) -> TrialPair:
    """Return the pair of a task; raise NotFound."""
    row = await _sql.maybe(tx, "pair_of_task", task_id=task_id)
    if row is None:
        raise NotFound(f"There is no pair for task {task_id}.")
    return from_row(TrialPair, row)


async def store_comparison(
    tx: Tx, task_id: UUID, *, before: float, after: float, judge: UUID, note: str
) -> None:
    """Store the scores of a pair, once."""
    await _sql.run(
        tx, "store_comparison", task_id=task_id, before=before, after=after, judge=judge, note=note
    )


async def void_pair(tx: Tx, task_id: UUID, *, note: str) -> None:
    """Record that a pair cannot be compared, and why."""
    await _sql.run(tx, "void_pair", task_id=task_id, note=note)
