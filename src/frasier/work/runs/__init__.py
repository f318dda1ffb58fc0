"""The kinds of run, one for the tasks of each process."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.work.runs.planning_run import PlanningRuns as PlanningRuns
    from frasier.work.runs.review_run import ReviewRuns as ReviewRuns
    from frasier.work.runs.step_run import StepRuns as StepRuns
    from frasier.work.runs.talk_run import TalkRuns as TalkRuns
else:
    lazy_exports(__name__)
