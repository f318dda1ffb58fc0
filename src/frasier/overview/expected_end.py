"""The expected end of a mission, from how long its finished steps took, at first from its plan's estimate. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Protocol

from frasier.kernel.deliverable_kind import DeliverableKind
from frasier.overview.step_work import StepWork

_REVIEW_SHARE = 0.25  # of a step's time, for each review that it waits for
_FINAL_REVIEWS = 2  # the final step is always reviewed in full


class TimedStep(Protocol):
    """A step whose time is known as far as it has gone."""

    @property
    def key(self) -> str: ...

    @property
    def status(self) -> str: ...

    @property
    def level(self) -> int: ...

    @property
    def needs(self) -> tuple[str, ...]: ...

    @property
    def kind(self) -> DeliverableKind | None: ...

    @property
    def work(self) -> StepWork: ...


def seconds_left(steps: Sequence[TimedStep], *, planned: float | None = None) -> float | None:
    """Estimate how long the longest chain of open steps takes; None when one is stuck.

    Before a step has finished, it is what the plan's estimate leaves of the `planned` seconds, None without one.

    Each open step is taken to last as long as the finished ones did on average, and those that run longer already; the
    final one is reviewed in full after it.
    """
    work = [step for step in steps if step.level]
    finished = [step.work.seconds for step in work if step.status == "completed" and step.work.seconds]
    longer = [step.work.seconds for step in work if step.status in {"active", "lost"} and step.work.seconds]
    if any(step.status == "blocked" for step in work):
        return None
    if not finished:
        return None if planned is None or not work else max(planned - max(longer, default=0.0), 0.0)
    usual = fmean([*finished, *(seconds for seconds in longer if seconds > fmean(finished))])
    left: dict[str, float] = {}
    # In this order what a step needs comes before it.
    for step in sorted(work, key=lambda step: step.level):
        before = max((left[key] for key in step.needs if key in left), default=0.0)
        left[step.key] = before + _own(step, usual)
    return max(left.values(), default=0.0)


def _own(step: TimedStep, usual: float) -> float:
    reviews = usual * _REVIEW_SHARE * (_FINAL_REVIEWS if step.kind else 1)
    after = reviews if step.kind else 0.0
    match step.status:
        case "pending":
            return usual + after
        case "active" | "lost":
            return max(usual - (step.work.seconds or 0.0), usual * _REVIEW_SHARE) + after
        case "in_review":
            return reviews
    return 0.0
