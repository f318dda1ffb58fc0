"""The events of a mission as lines, for where there is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from frasier.interfaces.cli.icons import MARKS
from frasier.interfaces.cli.output import time_taken
from frasier.interfaces.cli.plan_page import plan_line
from frasier.interfaces.cli.refreshed_screen import BACK_NOTICE, lost_notice
from frasier.interfaces.cli.waiting import how_to_go_on, questions_of, trouble_text
from frasier.kernel.text import strip_control
from frasier.overview import MissionActivity, MissionProgress, StepProgress

_SILENT_S = 30.0  # a long reply takes as long
_STANDS = timedelta(seconds=2)


class MissionLines:
    """Lines on standard error: one when a step changes, when something was found, when a model fails, when the founder
    is needed, and when the database is lost; where it is to be `quiet`, only the last. `elsewhere` says that another
    process carries the mission out, or nobody does.
    """

    def __init__(self, *, quiet: bool, elsewhere: bool = False) -> None:
        self._quiet = quiet
        self._elsewhere = elsewhere
        self._idle = False
        self._silent: dict[str, float] = {}
        self._statuses: dict[str, str] = {}
        self._judged: set[UUID] = set()
        self._read: set[int] = set()
        self._waiting: set[str] = set()
        self._troubles: set[str] = set()
        self._is_lost = False
        self._plan = ""

    def lost(self, since: datetime) -> None:
        """Tell that the database has not answered since then, once."""
        if not self._is_lost:
            sys.stderr.write(f"{lost_notice(since)}\n")
            sys.stderr.flush()
        self._is_lost = True

    def show(self, progress: MissionProgress, activity: Sequence[MissionActivity]) -> None:
        """Write what is new."""
        if self._is_lost:
            sys.stderr.write(f"{BACK_NOTICE}\n")
            sys.stderr.flush()
        self._is_lost = False
        if self._quiet:
            return
        lines = [
            *self._plan_of(progress),
            *self._activity(activity),
            *self._changes(progress.steps),
            *self._model_troubles(progress),
            *self._silent_models(progress.steps),
            *self._questions(progress),
            *self._unattended(progress),
        ]
        if lines:
            sys.stderr.write("".join(f"{strip_control(' '.join(line.split()))}\n" for line in lines))
            sys.stderr.flush()

    def _plan_of(self, progress: MissionProgress) -> Iterator[str]:
        if progress.plan and self._plan != progress.plan.digest:
            self._plan = progress.plan.digest
            yield f"Plan: {plan_line(progress.plan)}"
            if progress.plan.budget_warning:
                yield f"▲ {progress.plan.budget_warning}"

    def _activity(self, activity: Sequence[MissionActivity]) -> Iterator[str]:
        for line in activity:
            if line.id not in self._read:
                self._read.add(line.id)
                yield f"· {line.key}: {line.text}"

    def _changes(self, steps: Sequence[StepProgress]) -> Iterator[str]:
        for step in steps:
            for review in step.reviews:
                if review.verdict in {"approved", "rejected"} and review.id not in self._judged:
                    self._judged.add(review.id)
                    score = f" with {review.overall:.1f}" if review.overall is not None else ""
                    yield f"{MARKS[review.verdict][0]} {step.key}: {review.verdict} by {review.by}{score}"
            if step.status != self._statuses.get(step.key):
                self._statuses[step.key] = step.status
                yield _change(step)

    def _model_troubles(self, progress: MissionProgress) -> Iterator[str]:
        troubles = {trouble.cause: trouble_text(trouble) for trouble in progress.model_troubles}
        yield from (f"▲ {text}" for cause, text in troubles.items() if cause not in self._troubles)
        self._troubles = set(troubles)

    def _silent_models(self, steps: Sequence[StepProgress]) -> Iterator[str]:
        """Yield the models that have not answered for long, again each time that the wait has doubled."""
        for step in steps:
            asking_s = step.work.asking_s or 0.0
            if asking_s < _SILENT_S:
                self._silent.pop(step.key, None)
            elif asking_s >= 2 * self._silent.get(step.key, 0.0):
                self._silent[step.key] = asking_s
                yield f"▲ {step.key}: {step.work.asking} has not answered for {time_taken(asking_s)}"

    def _unattended(self, progress: MissionProgress) -> Iterator[str]:
        idle = self._elsewhere and not progress.attended and not progress.over
        if idle and not self._idle and not progress.waits_for_founder:
            yield f"■ {how_to_go_on(progress.mission_id)}"
        self._idle = idle

    def _questions(self, progress: MissionProgress) -> Iterator[str]:
        if progress.waits_for_founder:
            return  # they are told at the end, which this is
        # What stops one step may stop the others a moment later; then all are told at the end.
        told_from = datetime.now(UTC) - _STANDS
        standing = [question for question in progress.waiting if question.asked_at <= told_from]
        waiting = questions_of(replace(progress, waiting=tuple(standing)))
        for question in waiting:
            if question not in self._waiting:
                yield f"■ Waiting for you: {question}"
        self._waiting = set(waiting)


def _change(step: StepProgress) -> str:
    sign = MARKS[step.status][0]
    if step.status == "pending":
        return f"{sign} {step.key}: {step.title} ({step.agent}), {step.phase or 'pending'}"
    facts = []
    if step.status == "completed":
        if step.verification is not None:
            facts.append(step.verification.headline)
        if step.work.seconds is not None:
            facts.append(time_taken(step.work.seconds))
        if step.work.calls:
            facts.append(f"${step.work.cost_usd:.4f}")
    elif step.phase:
        facts.append(step.phase)
    told = f" · {' · '.join(facts)}" if facts else ""
    return f"{sign} {step.key}: {step.status.replace('_', ' ')} ({step.agent}){told}"
