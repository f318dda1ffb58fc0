"""The kinds of run, one for the tasks of each process."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.work.kinds.planning import PlanningRuns as PlanningRuns
    from frasier.work.kinds.review import ReviewRuns as ReviewRuns
    from frasier.work.kinds.step import StepRuns as StepRuns
    from frasier.work.kinds.talk import TalkRuns as TalkRuns
else:
    lazy_exports(__name__)
