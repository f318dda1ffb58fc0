"""The kinds of run: what is done for a task of each process."""

from frasier.work.kinds.planning import PlanningRuns
from frasier.work.kinds.review import ReviewRuns
from frasier.work.kinds.step import StepRuns
from frasier.work.kinds.talk import TalkRuns

__all__ = ["PlanningRuns", "ReviewRuns", "StepRuns", "TalkRuns"]
